//! What is kept of a game.

use cupola_kernel::{HexId, Presence, Seed, Side, Standing};
use serde::{Deserialize, Serialize};

/// One game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Its number in the run.
    pub number: u32,
    /// Its seed: with the contest, all that is needed to play it again.
    pub seed: Seed,
    /// The game as far as it was played.
    pub kept: Kept,
    /// What went wrong, if something did.
    pub fault: Option<String>,
}

impl Record {
    /// As bytes, the same on every machine.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        // Records hold nothing that cannot be written.
        postcard::to_stdvec(self).unwrap_or_default()
    }

    /// Back from bytes; none if they are no record.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Record> {
        postcard::from_bytes(bytes).ok()
    }
}

/// What is kept of a game as it is played.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
    /// How it ended; absent if it did not.
    pub verdict: Option<Verdict>,
    /// How far the first side was ahead at the end, in thousandths of a clear win.
    pub margin: i32,
    /// How things stood at the start and at the end of every turn.
    pub snapshots: Vec<Snapshot>,
    /// When the armies first stood next to each other, in minutes of the calendar.
    pub first_contact: Option<i32>,
    /// When the first attack was made.
    pub first_attack: Option<i32>,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// Who won; nobody in a draw.
    pub winner: Option<Side>,
    /// In words.
    pub how: String,
}

/// How things stood at a moment.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapshot {
    /// Minutes of the calendar.
    pub minute: i32,
    /// Every unit, by number.
    pub units: Vec<At>,
    /// What each side has done since the last snapshot.
    pub tally: [Tally; 2],
}

/// Where a unit was and how it stood.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct At {
    /// Its hex; none off the map.
    pub hex: Option<HexId>,
    /// The most that it had lost so far, in thousandths: rallied men are not the fallen come back.
    pub lost: u16,
    /// What part it had: see [`At::presence`].
    presence: u8,
    /// Whether an enemy that fights stood next to it.
    pub contact: bool,
}

impl At {
    /// From how a unit stands.
    #[must_use]
    pub fn new(hex: Option<HexId>, standing: Standing, lost: u16, contact: bool) -> At {
        At {
            hex,
            lost,
            presence: standing.presence as u8,
            contact,
        }
    }

    /// What part the unit had.
    #[must_use]
    pub fn presence(&self) -> Presence {
        const ALL: [Presence; 4] = [
            Presence::Awaited,
            Presence::Fights,
            Presence::Attends,
            Presence::Gone,
        ];
        ALL[usize::from(self.presence) % ALL.len()]
    }

    /// Whether the unit holds the ground it stands on.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.hex.is_some() && self.presence() == Presence::Fights
    }
}

/// What a side has done in a stretch of time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Choices it made where there was more than one option.
    pub decisions: u32,
    /// Questions that had one answer only.
    pub forced: u32,
    /// Attacks it made: choices that led to a fight and its dice.
    pub attacks: u32,
    /// Units that had somewhere to go and no enemy next to them.
    pub ordered: u32,
    /// Those of them that did not move at all: orders that did nothing.
    pub idle: u32,
    /// Metres marched, summed over its units.
    pub marched: u32,
    /// Units that marched.
    pub marchers: u32,
}
