//! What an answer costs and which way it goes, before anybody commits to it.

use crate::ids::HexId;
use std::fmt;

/// What an answer would cost, and the way that is taken.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outlook {
    /// What it costs, if it costs points.
    pub cost: Option<Cost>,
    /// The hexes from where the unit stands to where it goes, both included; empty if it goes nowhere.
    pub path: Vec<HexId>,
}

impl Outlook {
    /// A way that costs whole points.
    #[must_use]
    pub fn of(spent: u32, left: u32, path: Vec<HexId>) -> Outlook {
        Outlook {
            cost: Some(Cost::whole(spent, left)),
            path,
        }
    }
}

/// Points spent and left, in whole points or in parts of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// What the answer costs.
    pub spent: Points,
    /// What is left after it.
    pub left: Points,
}

impl Cost {
    /// In whole points.
    #[must_use]
    pub const fn whole(spent: u32, left: u32) -> Cost {
        Cost::in_parts(1, spent, left)
    }

    /// In parts of a point: `in_parts(2, 3, 5)` is one and a half spent, two and a half left.
    #[must_use]
    pub const fn in_parts(of: u32, spent: u32, left: u32) -> Cost {
        Cost {
            spent: Points { parts: spent, of },
            left: Points { parts: left, of },
        }
    }
}

/// Points, counted in parts of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Points {
    /// How many parts.
    pub parts: u32,
    /// How many parts make one point; never zero.
    pub of: u32,
}

/// As people write it.
///
/// ```
/// use cupola_kernel::Points;
/// let say = |parts, of| Points { parts, of }.to_string();
/// assert_eq!([say(3, 1), say(3, 2), say(1, 2), say(4, 2), say(4, 3)], ["3", "1½", "½", "2", "1⅓"]);
/// assert_eq!(say(7, 8), "7/8");
/// ```
impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = self.of.max(1);
        let (whole, rest) = (self.parts / of, self.parts % of);
        let sign = match (rest, of) {
            (0, _) => "",
            (1, 2) | (2, 4) => "½",
            (1, 3) => "⅓",
            (2, 3) => "⅔",
            (1, 4) => "¼",
            (3, 4) => "¾",
            _ => return write!(f, "{}/{of}", self.parts),
        };
        match (whole, sign) {
            (0, "") => f.write_str("0"),
            (0, sign) => f.write_str(sign),
            (whole, sign) => write!(f, "{whole}{sign}"),
        }
    }
}
