//! The printed tables: combat results, cohesion tests, the assault matrix, command.

use serde::{Deserialize, Serialize};

/// A result of the Combat Results Table: the kind of test it calls for (§I-5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Test {
    /// No effect.
    None,
    /// Easy.
    Easy,
    /// Routine.
    Routine,
    /// Tough.
    Tough,
    /// Severe.
    Severe,
    /// Critical.
    Critical,
}

impl Test {
    /// All of them, mildest first.
    pub const ALL: [Test; 6] = [
        Test::None,
        Test::Easy,
        Test::Routine,
        Test::Tough,
        Test::Severe,
        Test::Critical,
    ];

    /// As printed.
    #[must_use]
    pub fn code(self) -> &'static str {
        ["NE", "E", "R", "T", "S", "C"][self as usize]
    }

    /// From what is printed.
    #[must_use]
    pub fn parse(text: &str) -> Option<Test> {
        Test::ALL.into_iter().find(|test| test.code() == text)
    }
}

/// What befalls a unit at once (§I-6-d).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Hit {
    /// Nothing.
    None,
    /// Shaken.
    Shaken,
    /// Depleted.
    Depleted,
    /// Broken, without a test (§K-8).
    Broken,
}

/// How a skedaddle goes with the hit (§I-6-d).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Flight {
    /// There is none.
    None,
    /// It must also run.
    Must(u8),
    /// It may also run.
    May(u8),
    /// It runs instead of the hit if it likes.
    Or(u8),
}

/// A result for one unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Effect {
    /// What befalls it.
    pub hit: Hit,
    /// Whether it runs.
    pub flight: Flight,
    /// It may fire back (§I-6-d, FF).
    pub firefight: bool,
}

impl Effect {
    /// No effect.
    pub const NONE: Effect = Effect {
        hit: Hit::None,
        flight: Flight::None,
        firefight: false,
    };
    /// Shaken.
    pub const SHAKEN: Effect = Effect {
        hit: Hit::Shaken,
        ..Effect::NONE
    };
    /// Shaken, and runs one hex.
    pub const SHAKEN_RUN: Effect = Effect {
        hit: Hit::Shaken,
        flight: Flight::Must(1),
        ..Effect::NONE
    };
    /// Broken.
    pub const BROKEN: Effect = Effect {
        hit: Hit::Broken,
        ..Effect::NONE
    };

    /// As one small number, for outcomes of combat systems.
    #[must_use]
    pub fn code(self) -> i16 {
        let (mode, hexes) = match self.flight {
            Flight::None => (0, 0),
            Flight::Must(n) => (1, n),
            Flight::May(n) => (2, n),
            Flight::Or(n) => (3, n),
        };
        self.hit as i16 * 32 + mode * 8 + i16::from(hexes) * 2 + i16::from(self.firefight)
    }

    /// Back from the number.
    #[must_use]
    pub fn from_code(code: i16) -> Effect {
        let hexes = (code / 2 % 4) as u8;
        let hit = match code / 32 {
            1 => Hit::Shaken,
            2 => Hit::Depleted,
            3 => Hit::Broken,
            _ => Hit::None,
        };
        let flight = match code / 8 % 4 {
            1 => Flight::Must(hexes),
            2 => Flight::May(hexes),
            3 => Flight::Or(hexes),
            _ => Flight::None,
        };
        Effect {
            hit,
            flight,
            firefight: code % 2 == 1,
        }
    }

    /// From what is printed: `SH(SK1)`, `DP+SK3`, `SH/SK1`, `SK1`, `FF`, `BR`, `NE`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Effect> {
        let hit = |text: &str| match text {
            "SH" => Some(Hit::Shaken),
            "DP" => Some(Hit::Depleted),
            "BR" => Some(Hit::Broken),
            "" | "NE" => Some(Hit::None),
            _ => None,
        };
        if text == "FF" {
            return Some(Effect {
                firefight: true,
                ..Effect::NONE
            });
        }
        let Some(at) = text.find("SK") else {
            return Some(Effect {
                hit: hit(text)?,
                ..Effect::NONE
            });
        };
        let (front, back) = text.split_at(at);
        let hexes: u8 = back[2..].trim_end_matches(')').parse().ok()?;
        let (front, flight) = match front.chars().last() {
            Some('(') => (front.trim_end_matches('('), Flight::May(hexes)),
            Some('/') => (front.trim_end_matches('/'), Flight::Or(hexes)),
            _ => (front.trim_end_matches('+'), Flight::Must(hexes)),
        };
        Some(Effect {
            hit: hit(front)?,
            flight,
            firefight: false,
        })
    }
}

impl std::fmt::Display for Effect {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.firefight {
            return f.write_str("NE (FF)");
        }
        let hit = ["NE", "SH", "DP", "Broken"][self.hit as usize];
        match (self.hit, self.flight) {
            (_, Flight::None) => f.write_str(hit),
            (Hit::None, Flight::Must(n) | Flight::May(n) | Flight::Or(n)) => write!(f, "SK{n}"),
            (_, Flight::Must(n)) => write!(f, "{hit} + SK{n}"),
            (_, Flight::May(n)) => write!(f, "{hit} (SK{n})"),
            (_, Flight::Or(n)) => write!(f, "{hit} / SK{n}"),
        }
    }
}

/// How an assault ends (§K-8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clash {
    /// A close fight.
    Close,
    /// For the attackers in the assault hex.
    Attacker(Effect),
    /// For the defenders.
    Defender(Effect),
}

impl Clash {
    /// From what is printed.
    #[must_use]
    pub fn parse(text: &str) -> Option<Clash> {
        if text == "CF" {
            return Some(Clash::Close);
        }
        let (side, effect) = text.split_once(':')?;
        let effect = Effect::parse(effect)?;
        match side {
            "A" => Some(Clash::Attacker(effect)),
            "D" => Some(Clash::Defender(effect)),
            _ => None,
        }
    }
}

impl std::fmt::Display for Clash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Clash::Close => f.write_str("close fight"),
            Clash::Attacker(effect) => write!(f, "attacker {effect}"),
            Clash::Defender(effect) => write!(f, "defender {effect}"),
        }
    }
}

/// The Combat Results Table: by column, then by the two dice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crt {
    /// The least strength of each column that strength alone reaches.
    pub least: Vec<i16>,
    /// By column and by `black * 6 + white`, both from 0.
    pub cells: Vec<[Test; 36]>,
    /// The modifier of a double, by its face from 0.
    pub doubles: [i8; 6],
}

impl Crt {
    /// The column of a strength; nothing at all still rolls on the first.
    #[must_use]
    pub fn column(&self, strength: i16) -> i16 {
        let columns = self
            .least
            .iter()
            .filter(|least| **least <= strength)
            .count() as i16;
        (columns - 1).max(0)
    }

    /// A column after shifts, kept on the table (§I-4, §K-6).
    #[must_use]
    pub fn shifted(&self, column: i16, by: i16) -> i16 {
        (column + by).clamp(0, self.cells.len() as i16 - 1)
    }

    /// The result of a roll.
    #[must_use]
    pub fn read(&self, column: i16, black: u8, white: u8) -> Test {
        self.cells[column as usize][usize::from(black - 1) * 6 + usize::from(white - 1)]
    }

    /// What a double adds to tests; nothing without a double.
    #[must_use]
    pub fn modifier(&self, black: u8, white: u8) -> i8 {
        if black == white {
            self.doubles[usize::from(black - 1)]
        } else {
            0
        }
    }

    /// A column's heading.
    #[must_use]
    pub fn heading(&self, column: i16) -> String {
        let at = column as usize;
        match (self.least.get(at), self.least.get(at + 1)) {
            (Some(low), Some(next)) if next - low > 1 => format!("{low}-{}", next - 1),
            (Some(low), Some(_)) => low.to_string(),
            (Some(low), None) => format!("{low}+"),
            (None, _) => "*".repeat(at + 1 - self.least.len()),
        }
    }
}

/// How far the orders of a general go (§F-4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Level {
    /// No unit may be activated.
    None,
    /// One brigade.
    Slow,
    /// One division, with one order.
    Timely,
    /// One division, each brigade with its own order.
    Efficient,
}

impl Level {
    /// From the letter in the table.
    #[must_use]
    pub fn parse(text: &str) -> Option<Level> {
        Some(match text {
            "N" => Level::None,
            "S" => Level::Slow,
            "T" => Level::Timely,
            "E" => Level::Efficient,
            _ => return None,
        })
    }

    /// As printed.
    #[must_use]
    pub fn name(self) -> &'static str {
        ["No Orders", "Slow", "Timely", "Efficient"][self as usize]
    }
}

/// The names of the Command Ratings, worst first.
pub const RATINGS: [&str; 5] = ["poltroon", "poor", "average", "good", "superior"];
