//! What `counters.ron` says of units and leaders (§2).

use cupola_data::Sourced;
use serde::Deserialize;

/// The values of a counter in `counters.ron`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Values {
    /// The brigade it belongs to, as set-ups name it: its losses go on that brigade's track (§7.55).
    pub brigade: String,
    /// Strength points when fresh: fifty men each, or guns.
    pub sp: Sourced<u8>,
    /// The number to roll or less in a check, by condition (§7.1).
    pub cohesion: Sourced<Cohesion>,
    /// Its row of the range chart (§2.4).
    pub weapon: Sourced<Weapon>,
    /// True for cavalry, which may be in the saddle (§9.1); kept as printed, since the kind of counter tells. Left
    /// out: false.
    #[serde(default, rename = "mounted")]
    pub _mounted: bool,
}

/// The two sides of a counter.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cohesion {
    /// In good order: ten-sided dice, 0 to 9.
    pub good: u8,
    /// On the disordered side.
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
    /// What he commands: how far, and how many movement points he has.
    pub level: Level,
    /// What he adds to the marker of efficiency that his command draws (§4.43). Left out: 0.
    #[serde(default)]
    pub rating: Option<Sourced<i8>>,
    /// The same where the counter has a number of its own for it. Left out: his `rating`.
    #[serde(default)]
    pub efficiency: Option<Sourced<i8>>,
    /// Who follows him when he falls, if the counter names one. Left out: nobody of a name.
    #[serde(default)]
    pub replacement: Option<String>,
    /// The rating of whoever follows. Left out: one worse than his own, −1 at the least (§7.74).
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
