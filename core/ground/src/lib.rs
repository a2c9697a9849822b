//! The battlefield.
pub mod anchors;
pub mod battlefield;
pub mod board;
pub mod cache;
mod compile;
pub mod grid;
pub mod heights;
pub mod kinds;
pub mod point;
pub mod projection;
pub mod recipe;
