//! What a ruleset makes of a battle that it does not know: counters and a scenario by its own formulas.

use crate::compose::SideSpec;
use cupola_army::{Army, Sun};
use cupola_ground::Board;

/// What the files of a battle are derived from: its ground and its army list.
pub struct Deriving<'a> {
    /// The ruleset.
    pub ruleset: &'a str,
    /// The battle.
    pub battle: &'a str,
    /// The battle's name for people.
    pub title: &'a str,
    /// The two armies, in the ruleset's order.
    pub sides: &'a [SideSpec; 2],
    /// The ruleset's map of the battlefield.
    pub board: &'a Board,
    /// The army list.
    pub army: &'a Army,
    /// When the sun rose and set.
    pub sun: &'a Sun,
}

/// A file that was derived: to the byte the same whenever it is derived again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DerivedFile {
    /// Its name in the folder of the battle: `counters.ron`.
    pub name: String,
    /// What stands in it.
    pub text: String,
}

impl DerivedFile {
    /// How the first line of a derived file begins. Whoever changes one by hand takes the line out.
    pub const MARK: &str = "// Derived by `cupola derive";

    /// A file with that line above its text.
    #[must_use]
    pub fn new(name: &str, from: &Deriving, text: &str) -> DerivedFile {
        let (ruleset, battle) = (from.ruleset, from.battle);
        let mark = format!("{} {ruleset} {battle}`;", DerivedFile::MARK);
        let hint = "take this line out before you change anything by hand.";
        DerivedFile {
            name: name.to_owned(),
            text: format!("{mark} {hint}\n{text}"),
        }
    }
}
