//! One file per command: its arguments with their help, and what it does.

pub mod backup;
pub mod bench;
pub mod board;
pub mod check;
pub mod completions;
pub mod data;
pub mod derive;
pub mod diff;
pub mod draw;
pub mod engine;
pub mod lab;
pub mod list;
pub mod los;
pub mod moves;
pub mod new;
pub mod odds;
pub mod play;
pub mod print;
pub mod replay;
pub mod resolve;
pub mod roster;
pub mod serve;
pub mod watch;
