//! Tidy tables: one row per observation, for people who bring pandas or DuckDB.

mod games;
mod grid;
mod means;
mod table;

pub use games::{GAMES, Games, Held, game_figures, game_ground, game_hours, game_places, games};
pub use grid::{claims, grid, grid_games};
pub use means::{hours, places, positions};
pub(crate) use table::row;
pub use table::{Column, DataTable, Kind, Value};
