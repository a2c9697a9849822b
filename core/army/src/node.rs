//! One line of an order of battle.

use serde::{Deserialize, Serialize};

use crate::clock::Moment;
use crate::word::words;

words! {
    /// What a node is.
    Kind {
        /// A whole army: the root of its tree, and a side of the battle.
        Army = "army",
        /// A corps.
        Corps = "corps",
        /// A division.
        Division = "division",
        /// Artillery of an army or corps that belongs to no division.
        Reserve = "reserve",
        /// A brigade of infantry, cavalry or artillery.
        Brigade = "brigade",
        /// A battalion of artillery.
        Battalion = "battalion",
        /// A regiment or battalion of infantry.
        Infantry = "infantry",
        /// A regiment or battalion of cavalry.
        Cavalry = "cavalry",
        /// A battery.
        Battery = "battery",
        /// A headquarters or a general without troops of his own.
        Staff = "staff",
    }
}

impl Kind {
    /// True for what counts men itself: regiments and batteries.
    pub const fn is_troops(self) -> bool {
        matches!(self, Kind::Infantry | Kind::Cavalry | Kind::Battery)
    }

    /// The kind in a sentence: `an army`, `a corps`, `infantry`.
    pub(crate) const fn phrase(self) -> &'static str {
        match self {
            Kind::Army => "an army",
            Kind::Corps => "a corps",
            Kind::Division => "a division",
            Kind::Reserve => "a reserve",
            Kind::Brigade => "a brigade",
            Kind::Battalion => "a battalion",
            Kind::Infantry => "infantry",
            Kind::Cavalry => "cavalry",
            Kind::Battery => "a battery",
            Kind::Staff => "a staff",
        }
    }

    /// True for what is made up of other nodes.
    pub const fn is_formation(self) -> bool {
        !self.is_troops() && !matches!(self, Kind::Staff)
    }

    /// True if a node of this kind may stand directly under the other.
    ///
    /// Levels may be left out (a cavalry division directly under its army), never turned round.
    pub const fn fits_under(self, parent: Kind) -> bool {
        match self {
            Kind::Army => false,
            Kind::Staff => parent.is_formation(),
            Kind::Corps => matches!(parent, Kind::Army),
            Kind::Division | Kind::Reserve => matches!(parent, Kind::Army | Kind::Corps),
            Kind::Brigade | Kind::Battalion => matches!(
                parent,
                Kind::Army | Kind::Corps | Kind::Division | Kind::Reserve
            ),
            Kind::Infantry | Kind::Cavalry | Kind::Battery => parent.is_formation(),
        }
    }
}

words! {
    /// What became of a commander in the battle.
    Fate {
        /// Came through.
        Unhurt = "unhurt",
        /// Wounded.
        Wounded = "wounded",
        /// Died later of a wound got here.
        MortallyWounded = "mortally_wounded",
        /// Killed.
        Killed = "killed",
        /// Captured.
        Captured = "captured",
        /// Wounded and captured.
        WoundedCaptured = "wounded_captured",
        /// Took over a higher command.
        Promoted = "promoted",
        /// Replaced, ill or resting.
        Relieved = "relieved",
        /// Cut off from his men for a time.
        CutOff = "cut_off",
    }
}

words! {
    /// How sure a fact is.
    Sure {
        /// Read in a source, or provable.
        Certain = "certain",
        /// One fair source, or a strong inference.
        Likely = "likely",
        /// Our own.
        House = "house",
    }
}

/// Losses in the battle.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Losses {
    /// Men killed.
    pub killed: u32,
    /// Men wounded, those who died of it later included.
    pub wounded: u32,
    /// Men captured.
    pub captured: u32,
    /// Men missing.
    pub missing: u32,
}

impl Losses {
    /// All together.
    pub const fn total(self) -> u32 {
        let (dead, taken) = (
            self.killed.saturating_add(self.wounded),
            self.captured.saturating_add(self.missing),
        );
        dead.saturating_add(taken)
    }

    /// The sum with other losses.
    pub const fn plus(self, other: Losses) -> Losses {
        Losses {
            killed: self.killed.saturating_add(other.killed),
            wounded: self.wounded.saturating_add(other.wounded),
            captured: self.captured.saturating_add(other.captured),
            missing: self.missing.saturating_add(other.missing),
        }
    }
}

macro_rules! guns {
    ($($(#[$doc:meta])* $field:ident = $short:literal,)+) => {
        /// Guns by type.
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(deny_unknown_fields, default)]
        pub struct Guns { $($(#[$doc])* pub $field: u32,)+ }

        impl Guns {
            /// The keys, in order.
            pub const TYPES: &'static [&'static str] = &[$(stringify!($field)),+];

            /// Key, short name and number of each type, in order.
            pub const fn each(self) -> [(&'static str, &'static str, u32); Guns::TYPES.len()] {
                [$((stringify!($field), $short, self.$field)),+]
            }

            /// Sets the number of one type by its key; false if there is no such key.
            pub fn set(&mut self, key: &str, number: u32) -> bool {
                match key {
                    $(stringify!($field) => self.$field = number,)+
                    _ => return false,
                }
                true
            }

            /// The sum with other guns.
            pub const fn plus(self, other: Guns) -> Guns {
                Guns { $($field: self.$field.saturating_add(other.$field),)+ }
            }
        }
    };
}

guns! {
    /// 3-inch Ordnance and other light rifles.
    rifle_3in = "3-in",
    /// 4.5-inch siege rifles.
    rifle_4_5in = "4.5-in",
    /// 10-pounder Parrott rifles.
    parrott_10 = "10-pdr",
    /// 20-pounder Parrott rifles.
    parrott_20 = "20-pdr",
    /// 12-pounder Napoleons.
    napoleon = "Nap",
    /// 12-pounder howitzers.
    howitzer_12 = "12 How",
    /// 24-pounder howitzers.
    howitzer_24 = "24 How",
    /// 6-pounder guns.
    gun_6 = "6-pdr",
    /// 12-pounder Whitworth rifles.
    whitworth = "Whit",
    /// 14-pounder James rifles.
    james_14 = "James",
}

impl Guns {
    /// All together.
    pub fn total(self) -> u32 {
        self.each()
            .iter()
            .fold(0, |sum, (_, _, number)| sum.saturating_add(*number))
    }
}

impl std::fmt::Display for Guns {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let present = self.each().into_iter().filter(|(_, _, number)| *number > 0);
        let parts: Vec<String> = present
            .map(|(_, short, n)| format!("{n} {short}"))
            .collect();
        f.pad(&parts.join(", "))
    }
}

/// When and by which road a body of troops came to the field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Arrival {
    /// When its head reached the field.
    pub at: Moment,
    /// The road by which it came, by the name of an entry of the battlefield.
    pub by: String,
    /// How sure that is.
    pub sure: Sure,
    /// Key of the source, as in `battle.ron`.
    pub source: String,
}

/// Someone who took over a command in the battle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Successor {
    /// Rank and name.
    pub name: String,
    /// What became of him.
    #[serde(default = "unhurt")]
    pub fate: Fate,
}

const fn unhurt() -> Fate {
    Fate::Unhurt
}

/// One line of an order of battle: an army, a formation, a regiment, a battery, a staff.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Node {
    /// Its name for other files: lower-case letters, digits and hyphens, never changed.
    pub id: String,
    /// Id of the node that it belongs to; empty for an army.
    #[serde(default)]
    pub of: String,
    /// What it is: what may stand under it, and whether it counts men.
    pub kind: Kind,
    /// Its name for people.
    pub name: String,
    /// Two letters of the state that raised it, `US` for regulars.
    #[serde(default)]
    pub state: String,
    /// Rank and name of whoever commanded it when it came to the field.
    #[serde(default)]
    pub commander: String,
    /// What became of the commander.
    #[serde(default = "unhurt")]
    pub fate: Fate,
    /// The day on which that happened, `1863-07-01`.
    #[serde(default)]
    pub fell: String,
    /// Who took over, in order.
    #[serde(default)]
    pub successors: Vec<Successor>,
    /// Men engaged. A formation may state its sum, which is then checked.
    #[serde(default)]
    pub men: Option<u16>,
    /// Guns of a battery.
    #[serde(default)]
    pub guns: Guns,
    /// Losses of a regiment or battery.
    #[serde(default)]
    pub losses: Losses,
    /// When it came; without one it came with what it belongs to.
    #[serde(default)]
    pub arrival: Option<Arrival>,
    /// Why it was not on the field, if it was not.
    #[serde(default)]
    pub absent: Option<String>,
    /// Key of the source of all this, as in `battle.ron`.
    pub source: String,
    /// How sure it is.
    pub sure: Sure,
    /// A remark, for people.
    #[serde(default)]
    pub note: String,
}
