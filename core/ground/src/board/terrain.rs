//! The words of a board: what a hex and a hexside can hold.

use serde::{Deserialize, Serialize};

use crate::kinds::{Crossing, Named, RoadKind, WaterKind, named};

named! {
    /// What covers a hex.
    "cover" Cover {
        /// Open ground.
        Clear = "clear",
        /// Woods.
        Woods = "woods",
        /// Orchard.
        Orchard = "orchard",
        /// Marsh.
        Marsh = "marsh",
        /// Boulders.
        Rocks = "rocks",
        /// Town.
        Town = "town",
    }
}

named! {
    /// What else is of note in a hex.
    "mark" Mark {
        /// A farm.
        Farm = "farm",
        /// A building of note.
        Building = "building",
        /// A cemetery.
        Cemetery = "cemetery",
        /// Fields of note.
        Fields = "fields",
        /// A railroad cut.
        Cut = "cut",
        /// Worth victory points.
        Victory = "victory",
        /// A road by which troops come.
        Entry = "entry",
        /// Sloping or uneven ground inside the hex.
        Sloping = "sloping",
        /// A small watercourse through the hex, not along its sides.
        Brook = "brook",
    }
}

/// The marks of a hex.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Marks(u16);

impl Marks {
    /// Adds a mark.
    pub fn insert(&mut self, mark: Mark) {
        self.0 |= 1 << mark as u8;
    }

    /// Takes a mark away.
    pub fn remove(&mut self, mark: Mark) {
        self.0 &= !(1 << mark as u8);
    }

    /// True if the mark is there.
    #[inline]
    pub fn contains(self, mark: Mark) -> bool {
        self.0 & (1 << mark as u8) != 0
    }

    /// The marks that are there.
    pub fn iter(self) -> impl Iterator<Item = Mark> {
        Mark::ALL
            .iter()
            .copied()
            .filter(move |mark| self.contains(*mark))
    }
}

named! {
    /// How steep a slope is.
    "grade" Grade {
        /// Gentle.
        Gentle = "gentle",
        /// Steep.
        Steep = "steep",
    }
}

/// The slope of a hexside as one crosses it outward.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Rise {
    /// No slope to speak of.
    #[default]
    Level,
    /// Uphill.
    Up(Grade),
    /// Downhill.
    Down(Grade),
}

impl Rise {
    /// The same slope from the other side.
    pub fn reversed(self) -> Rise {
        match self {
            Rise::Level => Rise::Level,
            Rise::Up(grade) => Rise::Down(grade),
            Rise::Down(grade) => Rise::Up(grade),
        }
    }
}

impl std::fmt::Display for Rise {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Rise::Level => f.write_str("level"),
            Rise::Up(grade) => write!(f, "up, {grade}"),
            Rise::Down(grade) => write!(f, "down, {grade}"),
        }
    }
}

/// What a hexside holds, seen from one of its hexes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Hexside {
    /// Its slope, outward.
    pub rise: Rise,
    /// Water along it.
    pub water: Option<WaterKind>,
    /// Bridge or ford through it.
    pub crossing: Option<Crossing>,
    /// The best road that goes through it.
    pub road: Option<RoadKind>,
    /// Cover along it.
    pub cover: Option<Cover>,
    /// Whether a wall runs along it.
    pub wall: bool,
    /// Whether a railroad cut goes through it.
    pub cut: bool,
    /// Whether a crest runs along it: the ground between the two hexes is higher than both.
    pub crest: bool,
    /// Whether it is closed: its two hexes do not count as neighbours and do not see each other.
    pub closed: bool,
}

impl Hexside {
    /// The same hexside seen from the hex behind it.
    pub fn reversed(self) -> Hexside {
        Hexside {
            rise: self.rise.reversed(),
            ..self
        }
    }
}
