//! What the data files say, as they say it.

mod counters;
mod scenario;
mod setup;
mod tables;
mod terrain;

pub use counters::{LeaderValues, Level, Values, Weapon};
pub use scenario::{BrigadeFile, BySideName, DrawFile, FormationFile, Home, ScenarioFile};
pub use setup::{EntryFile, LeaderFile, OffMapFile, Places, UnitFile};
pub use tables::{Activations, CloseAction, ResultName, Stacking, Tables};
pub use terrain::{Mover, RoadsFile, Row, Terrain};
