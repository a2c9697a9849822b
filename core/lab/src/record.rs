//! What is kept of a game.

use cupola_kernel::{HexId, Presence, Seed, Side, Standing};
use serde::{Deserialize, Serialize};

/// Which form records have: those of another form cannot be read.
pub(crate) const FORM: u32 = 4;

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
    /// The turn in which the armies first stood next to each other, or fought from afar.
    pub first_contact: Option<Hours>,
    /// The turn in which a fight was first fought.
    pub first_attack: Option<Hours>,
    /// The turn in which one was first fought at close quarters: in the next hex or the same.
    pub first_close: Option<Hours>,
}

/// The time that a turn stands for, in minutes of the calendar. A game knows no time within its turns: what
/// happens in one happens somewhere between the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Hours {
    /// When it begins.
    pub from: i32,
    /// When it ends.
    pub to: i32,
}

impl Hours {
    /// The middle of the turn: the one minute that is never off by more than half a turn.
    #[must_use]
    pub fn middle(self) -> f64 {
        f64::from(self.from + self.to) / 2.0
    }
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
    /// The most that it had lost so far since the game began, in thousandths: rallied men are not the fallen come back.
    pub lost: u16,
    /// Those of them who were prisoners, in the same thousandths; nothing where the rules do not tell.
    pub captured: Option<u16>,
    /// What part it had: see [`At::presence`].
    presence: u8,
    /// Whether an enemy that fights stood next to it at that moment.
    pub contact: bool,
    /// Whether one did at any time since the last snapshot.
    pub engaged: bool,
}

impl At {
    /// From how a unit stands.
    #[must_use]
    pub fn new(hex: Option<HexId>, standing: Standing, lost: u16) -> At {
        At {
            hex,
            lost,
            captured: None,
            presence: standing.presence as u8,
            contact: false,
            engaged: false,
        }
    }

    /// The same with an enemy next to it at that moment, or since the last snapshot.
    #[must_use]
    pub fn facing(mut self, contact: bool, engaged: bool) -> At {
        (self.contact, self.engaged) = (contact, contact || engaged);
        self
    }

    /// The same with so many of the lost taken prisoner.
    #[must_use]
    pub fn taken(mut self, captured: Option<u16>) -> At {
        self.captured = captured.map(|captured| captured.min(self.lost));
        self
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
    /// Attacks it made: fights that were fought with dice, each volley, assault and strike for itself.
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
