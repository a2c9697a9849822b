//! The figures of the page, one a file. Each makes a [`Section`](crate::view::Section) from a comparison.

pub mod balance;
mod cells;
pub mod contact;
pub mod corps;
pub mod decisions;
pub mod distance;
pub mod faults;
pub mod fronts;
pub mod games;
pub mod headline;
pub mod hourly;
pub mod intervals;
pub mod losses;
pub mod luck;
mod measures;
pub mod moved;
pub mod onegame;
pub mod orders;
pub mod places;
pub mod robust;
pub mod scope;
pub mod stills;
pub mod strips;
mod swings;
pub mod tempo;
