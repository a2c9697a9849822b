//! What a ruleset brings besides its phases and combat systems.

use crate::act::Arg;
use crate::compose::{Composition, SideSpec};
use crate::derive::{DerivedFile, Deriving};
use crate::dice::Dice;
use crate::env::{Env, UnitInfo};
use crate::ids::{HexId, Seat, Side, UnitId};
use crate::measure::{CommandRange, LineOfSight};
use crate::phase::Ask;
use crate::posting::Posting;
use crate::reference::Chart;
use crate::schema::Schema;
use crate::scripting::Fact;
use crate::setup::Setup;
use crate::spell::Spell;
use crate::stacks::Place;
use crate::table::Table;
use crate::terms::{Lead, Presence, Prize, Standing};
use crate::variant::Change;
use crate::view::View;
use crate::walked::Walked;
use cupola_army::{Army, Turns};
use cupola_data::{Problems, Source};
use cupola_ground::{Board, Correction};
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use std::any::Any;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What a ruleset is loaded from. The kernel reads no files: a host or the library crate does.
pub struct Input<'a> {
    /// The ruleset's data files by name (`tables.ron`).
    pub files: &'a BTreeMap<String, Source>,
    /// What lists them: `ruleset.ron`, or the variant that changes it.
    pub(crate) listed_in: &'a Source,
    /// The scenario's file.
    pub scenario: &'a Source,
    /// What is composed: a ruleset that is made of parts asks which are played.
    pub composition: &'a Composition,
    /// The two sides, in the order of play.
    pub sides: &'a [SideSpec; 2],
    /// Rulings and optional rules.
    pub switches: &'a BTreeMap<String, bool>,
    /// The compiled map.
    pub board: &'a Board,
    /// The army list.
    pub army: &'a Army,
    /// The turns.
    pub track: &'a Turns,
    /// The switches that were asked for: they are what the ruleset has.
    pub(crate) asked: RefCell<BTreeSet<String>>,
}

impl Input<'_> {
    /// A data file of the ruleset.
    ///
    /// # Errors
    /// If the ruleset has no such file.
    pub fn file(&self, name: &str) -> Result<&Source, Problems> {
        self.files.get(name).ok_or_else(|| {
            let message = format!("the rules read \"{name}\", which is not listed");
            let problem = self.listed_in.problem("files", message);
            let hint = "a file of one battle alone is listed under `files` of its battle.ron";
            Problems::from(problem.with_hint(hint))
        })
    }

    /// The side of this id. Files of the series, which know no battle, call a side by its role.
    #[must_use]
    pub fn side(&self, id: &str) -> Option<Side> {
        let mut sides = Side::BOTH.into_iter().zip(self.sides);
        sides
            .find(|(_, spec)| spec.id == id || spec.role() == id)
            .map(|(side, _)| side)
    }

    /// Whether a switch is on. Ask for every switch, whatever the others say: what is asked for is
    /// what the ruleset has, and `ruleset.ron` must set these and no others.
    #[must_use]
    pub fn switch(&self, name: &str) -> bool {
        self.asked.borrow_mut().insert(name.to_owned());
        self.switches.get(name).copied().unwrap_or(false)
    }
}

/// What a ruleset makes of its files and a scenario.
pub struct Loaded {
    /// The units of the scenario.
    pub units: Vec<UnitInfo>,
    /// Names of cards, chits and markers.
    pub tokens: Vec<String>,
    /// The turn on which the scenario starts.
    pub first_turn: u16,
    /// The last turn that is played.
    pub last_turn: u16,
    /// The ruleset's own tables, and what of the scenario they need.
    pub rules: Arc<dyn Any + Send + Sync>,
}

/// How long and how wide games of a ruleset may get; the conformance suite holds it to that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Decisions in a whole game.
    pub decisions: u32,
    /// Options of one decision.
    pub options: u32,
}

/// A ruleset.
pub trait Ruleset: Send + Sync {
    /// Its short name: `corps20`.
    fn name(&self) -> &'static str;

    /// The version of its code; part of what a save is pinned to.
    fn version(&self) -> &'static str;

    /// The ids of the sides in the order in which the code knows them, for rulesets whose rules differ
    /// by side: a composition must list them so.
    fn sides(&self) -> Option<[&'static str; 2]> {
        None
    }

    /// Registers the components and resources of its state.
    fn register(&self, schema: &mut Schema);

    /// Reads its files and a scenario.
    ///
    /// # Errors
    /// Everything that is wrong with them, at once.
    fn load(&self, input: &Input) -> Result<Loaded, Problems>;

    /// Sets up the scenario: spawns every unit in the order of [`Loaded::units`] and places it.
    fn setup(&self, setup: &mut Setup);

    /// Changes a set-up table into the situation of a position file.
    ///
    /// # Errors
    /// Everything that is wrong with the file, at once.
    fn position(&self, setup: &mut Setup, file: &PositionFile) -> Result<(), Problems>;

    /// What the `state` of a position may say, read off the type that reads it: `cupola_data::shape::<State>()`.
    /// The book is held against it.
    fn position_keys(&self) -> Vec<String> {
        vec![]
    }

    /// Called when the last turn is over and nobody has won yet.
    fn finish(&self, table: &mut Table);

    /// Fills in what a seat may know.
    fn view(&self, table: &Table, seat: Seat, view: &mut View);

    /// Replaces what a seat may not know by something else that it could be, given all that the
    /// seat has seen: the seat's view stays the same to the byte. False if the ruleset hides nothing.
    /// A searching bot samples with it, and the conformance suite looks for leaks with it.
    fn shuffle_hidden(&self, _table: &mut Table, _seat: Seat, _dice: &mut dyn Dice) -> bool {
        false
    }

    /// Whether a seat may know which unit this is, and where; by default everybody knows. What a seat may not know is
    /// kept from a script that answers for it.
    fn knows(&self, _table: &Table, _seat: Seat, _unit: UnitId) -> bool {
        true
    }

    /// How every unit stands, in terms that all rulesets share, in the order of their numbers; by default
    /// every unit on the map fights and has lost nobody. Bots ask often.
    fn standings(&self, table: &Table, out: &mut Vec<Standing>) {
        out.extend(table.units().map(|unit| Standing {
            lost: 0,
            presence: match table.stacks().place(unit) {
                Place::Hex(_) => Presence::Fights,
                Place::Box(_) => Presence::Awaited,
            },
        }));
    }

    /// How many of a unit's men are prisoners, in thousandths of those it stands for; nothing where the rules do not tell
    /// prisoners from the fallen, as by default. Reports ask.
    fn captured(&self, _table: &Table, _unit: UnitId) -> Option<u16> {
        None
    }

    /// How far the first side is ahead in what wins the game, in thousandths of a clear win; by default
    /// nobody is.
    fn margin(&self, _table: &Table) -> i32 {
        0
    }

    /// How many chits or markers have been drawn this turn, where play goes on by draws; by default none. Players who look ahead
    /// stop where all that they compare has come equally far.
    fn drawn(&self, _table: &Table) -> u32 {
        0
    }

    /// Who leads whom, as far as it matters to those who are led; by default nobody. Bots keep leaders with
    /// their men by it.
    fn leads(&self, _table: &Table) -> Vec<Lead> {
        vec![]
    }

    /// The hexes in which a leader's word is obeyed now, traced as the rules trace it, and who obeys it; nothing about a
    /// unit that never commands. Whoever knows the leader is told the hexes, so none of them may depend on what is hidden;
    /// who obeys is told to his own side. The conformance suite looks.
    fn command_range(&self, _table: &Table, _leader: UnitId) -> Option<CommandRange> {
        None
    }

    /// Whether two hexes see each other by the rules, and if not, why; nothing where the rules draw no such line.
    /// Everybody is told.
    fn line_of_sight(&self, _table: &Table, _from: HexId, _to: HexId) -> Option<LineOfSight> {
        None
    }

    /// Hexes that count for victory, with who has them; by default none. Everybody sees them.
    fn prizes(&self, _table: &Table, _out: &mut Vec<Prize>) {}

    /// Whether units may have to attack where they stand: then bots look through to that fight before they move.
    fn forces_fights(&self) -> bool {
        false
    }

    /// The tables that players look things up in, made from what the game reads.
    fn charts(&self, _env: &Env) -> Vec<Chart> {
        vec![]
    }

    /// Answers a question that a script asks in the ruleset's own words, about units, hexes, sides or numbers: what
    /// a unit is worth, what a table says. Nothing if it has no such word, or not about that.
    fn ask(&self, _table: &Table, _what: &str, _about: &[Arg]) -> Option<Fact> {
        None
    }

    /// The words in which scripts may ask.
    fn questions(&self) -> &'static [&'static str] {
        &[]
    }

    /// Changes something on behalf of a script, in the ruleset's own words.
    ///
    /// # Errors
    /// If it has no such word, or the value makes no sense.
    fn change(
        &self,
        _table: &mut Table,
        what: &str,
        _about: &[Arg],
        _value: i64,
    ) -> Result<(), String> {
        Err(format!("{} lets scripts change no \"{what}\"", self.name()))
    }

    /// What lasts for a player turn, a turn or a day and must then be gone: the conformance suite looks.
    fn spells(&self) -> Vec<Spell> {
        vec![]
    }

    /// Where the unit that is about to move can go, walked step by step as the rulebook tells it and without the search
    /// that play uses; nothing where the open question is another. The conformance suite compares it with the
    /// options and with what they are said to cost ([`crate::Phase::outlook`]).
    fn walked(&self, _table: &Table, _ask: Ask) -> Option<Walked> {
        None
    }

    /// Derives counters, turns and a plain meeting engagement from an army list, by the formulas of the series.
    ///
    /// # Errors
    /// If the ruleset has no formulas, or what the army list or the ground lacks.
    fn derive(&self, from: &Deriving) -> Result<Vec<DerivedFile>, Problems> {
        let message = "this ruleset has no formulas to derive counters by";
        Err(cupola_data::Problem::file(from.ruleset, message).into())
    }

    /// The changes of its files that put a counter where a scenario wants it; none if it has no place for it.
    fn posting(&self, _order: &Posting) -> Vec<Change> {
        vec![]
    }

    /// Limits for the conformance suite.
    fn bounds(&self) -> Bounds;
}

/// A situation set up by hand.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Position {
    /// The ruleset in whose terms it is told.
    pub ruleset: String,
    /// The scenario that it is a situation of: its map, its units, its turns.
    pub scenario: String,
    /// The turn, by its id in `turns.ron`.
    pub turn: String,
    /// The phase that is being played, by its name in `ruleset.ron`.
    pub phase: String,
    /// The side whose phase it is, by its id. Left out where the phase is nobody's.
    #[serde(default)]
    pub side: Option<String>,
    /// Switches that stand otherwise than in the ruleset.
    #[serde(default = "BTreeMap::new")]
    pub switches: BTreeMap<String, bool>,
    /// Changes of the composition, as in a variant.
    #[serde(default = "Vec::new")]
    pub change: Vec<Change>,
    /// Values of the ruleset's files that are otherwise: by file, then by field, as in the file.
    #[serde(default = "BTreeMap::new")]
    pub values: BTreeMap<String, BTreeMap<String, String>>,
    /// Hexes and hexsides of the board that are otherwise, as in the corrections of a `board.ron`.
    #[serde(default = "Vec::new")]
    pub ground: Vec<Correction>,
    /// The rest, in the ruleset's own terms: see [`PositionFile::state`].
    #[serde(default = "Option::default")]
    pub state: Option<IgnoredAny>,
}

/// A case: a position and what happens there.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// The sections it proves.
    pub proves: Vec<String>,
    /// What it is about, in a line.
    pub about: String,
    /// The situation that it begins with, as in a position file.
    pub position: Position,
    /// Dice rolled before the first choice.
    #[serde(default)]
    pub dice: Vec<u16>,
    /// What happens, and what is to come of it.
    pub script: Vec<CaseStep>,
}

/// One step of a case.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum CaseStep {
    /// A side chooses; the dice fall as listed.
    Choose {
        /// The side's id.
        side: String,
        /// The option that is chosen, by its id: `move heth 19.04`.
        act: String,
        /// Dice in the order in which they are rolled.
        #[serde(default)]
        dice: Vec<u16>,
    },
    /// The open decision is this side's, about this question.
    Asks {
        /// The side's id.
        side: String,
        /// The question's short name.
        question: String,
    },
    /// These options are on the list.
    Offers(Vec<String>),
    /// The list is exactly this.
    OffersOnly(Vec<String>),
    /// This option is refused, by this section.
    Refuses {
        /// The option that is refused, by its id.
        act: String,
        /// The section that forbids it, such as `7.13`.
        rule: String,
    },
    /// A unit is somewhere.
    At {
        /// The unit, by its id.
        unit: String,
        /// A hex's label or a box's name.
        place: String,
    },
    /// A unit is in a state.
    State {
        /// The unit, by its id.
        unit: String,
        /// States and what each of them is, as the table tells them: `{"fatigue": "weary"}`; `ratings` are its
        /// ratings.
        is: BTreeMap<String, String>,
    },
    /// A track stands somewhere.
    Track {
        /// The track, as the table names it.
        name: String,
        /// Where its marker stands.
        value: i32,
    },
    /// What an option that leads to a fight comes to: the sum of its modifiers.
    Sum {
        /// The option that leads to the fight, by its id.
        act: String,
        /// The sum of its modifiers.
        value: i16,
    },
    /// What an option that leads to a fight may come to: each outcome's chance as a fraction.
    Odds {
        /// The option that leads to the fight, by its id.
        act: String,
        /// Outcomes, each with its numerator.
        outcomes: BTreeMap<String, u64>,
        /// The common denominator.
        of: u64,
    },
    /// What an option costs, as it is told before it is chosen: `"1½"`.
    Costs {
        /// The option, by its id.
        act: String,
        /// Points that it spends, as the table tells them: `1½`.
        spent: String,
        /// Points left after it. Left out: not looked at.
        #[serde(default)]
        left: Option<String>,
    },
    /// A hex is marked: who holds it, what lies in it.
    Mark {
        /// The hex, by its label.
        hex: String,
        /// What the mark says.
        text: String,
    },
    /// What a side holds, or lies beside the map, as the umpire sees it.
    Holding {
        /// Its name: `held`, `cup`.
        name: String,
        /// The side's id; absent for what is nobody's.
        #[serde(default)]
        side: Option<String>,
        /// How many there are. Left out: not counted.
        #[serde(default)]
        count: Option<usize>,
        /// Which ones there are, in any order. Left out: not looked at.
        #[serde(default)]
        known: Option<Vec<String>>,
    },
    /// The game is over.
    Verdict {
        /// The side that has won, by its id; absent in a draw.
        winner: Option<String>,
        /// The verdict in words, as the game tells it: `decisive victory`.
        how: String,
    },
}

/// A file that holds a position: a position file or a case.
pub struct PositionFile {
    /// The text.
    pub source: Source,
    /// Whether the position stands inside a case.
    pub in_case: bool,
}

impl PositionFile {
    /// Reads what every ruleset's positions have in common.
    ///
    /// # Errors
    /// Where the file is not as it should be.
    pub fn header(&self) -> Result<Position, Problems> {
        let position = if self.in_case {
            self.source.ron::<Case>().map(|case| case.position)
        } else {
            self.source.ron()
        };
        position.map_err(Problems::from)
    }

    /// Reads the state, in the ruleset's own terms.
    ///
    /// # Errors
    /// Where the file is not as it should be.
    pub fn state<S: DeserializeOwned>(&self) -> Result<Option<S>, Problems> {
        let state = self.source.ron_field(&self.field("state"));
        state.map_err(Problems::from)
    }

    /// The path of a field of the position, for messages.
    #[must_use]
    pub fn field(&self, path: &str) -> String {
        if self.in_case {
            format!("position.{path}")
        } else {
            path.to_owned()
        }
    }
}
