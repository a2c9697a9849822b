//! What `counters.ron` says of units and leaders (§2).
#![allow(missing_docs, reason = "named as in the files")]

use cupola_data::Sourced;
use serde::Deserialize;

/// The values of a counter in `counters.ron`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Values {
    pub brigade: String,
    pub sp: Sourced<u8>,
    pub cohesion: Sourced<Cohesion>,
    pub weapon: Sourced<Weapon>,
    #[serde(default, rename = "mounted")]
    pub _mounted: bool,
}

/// The two sides of a counter.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cohesion {
    pub good: u8,
    pub disordered: u8,
}

/// Rows of the range chart (§2.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[allow(clippy::upper_case_acronyms, reason = "rows of the range chart")]
pub enum Weapon {
    /// Rifle musket.
    RM,
    /// Smoothbore.
    SM,
    /// Breechloader.
    BR,
    /// Berdan's rifles.
    BRSS,
    /// Carbine.
    C,
    /// Repeater.
    RP,
    /// Mounted.
    M,
    /// Napoleon.
    N,
    /// Howitzer.
    H,
    /// Rifled gun.
    R,
    /// Heavy rifle.
    HR,
    /// Whitworth.
    W,
}

impl Weapon {
    /// All rows, in the order of their numbers.
    pub const ALL: [Weapon; 12] = [
        Weapon::RM,
        Weapon::SM,
        Weapon::BR,
        Weapon::BRSS,
        Weapon::C,
        Weapon::RP,
        Weapon::M,
        Weapon::N,
        Weapon::H,
        Weapon::R,
        Weapon::HR,
        Weapon::W,
    ];

    /// Its name in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        [
            "RM", "SM", "BR", "BRSS", "C", "RP", "M", "N", "H", "R", "HR", "W",
        ][self as usize]
    }

    /// Whether it is a gun.
    #[must_use]
    pub fn is_gun(self) -> bool {
        self >= Weapon::N
    }
}

/// The values of a leader in `counters.ron`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeaderValues {
    pub level: Level,
    #[serde(default)]
    pub rating: Option<Sourced<i8>>,
    #[serde(default)]
    pub efficiency: Option<Sourced<i8>>,
    #[serde(default)]
    pub replacement: Option<String>,
    #[serde(default)]
    pub replacement_rating: Option<Sourced<i8>>,
}

/// What a leader commands (§2.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// An army.
    Army,
    /// An army's artillery.
    Chief,
    /// A corps or wing.
    Corps,
    /// A cavalry division.
    Cavalry,
    /// A division.
    Division,
    /// A brigade of artillery.
    Artillery,
    /// A brigade.
    Brigade,
    /// Nobody.
    Staff,
}
