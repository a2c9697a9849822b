//! The recipe by which ground becomes a board, and the corrections that follow.
//!
//! `board.ron` of a ruleset. What a list does not mention does not count on that board.
//!
//! ```ron
//! (
//!     recipe: (
//!         height: mean,               // mean | centre | highest, over the ground in the hex
//!         levels: cuts(lowest: 1, at: ([160.7, 164.3, 169.0], derived("sample hexes"))),
//!         // or: levels: every(step: (12.192, printed("001 1")), from: (0.0, house("sea level"))),
//!         slopes: metres(gentle: (6.0, house("plays well")), steep: (12.0, house("the same"))),
//!         // or: slopes: levels(gentle: (1, printed("x")), steep: (2, house("y"))), or: slopes: none
//!         crest: (2.0, house("a ridge one can hide behind")),   // left out: no crests
//!         cover: [                    // first that holds gives the cover; marks are all given
//!             (kind: town, gives: cover(town), when: share((0.4, house("plays well")))),
//!             (kind: woods, gives: cover(woods), when: centre),
//!             (kind: cemetery, gives: mark(cemetery), when: share((0.3, house("plays well")))),
//!         ],
//!         side_cover: [(kind: woods, gives: woods, share: (0.5, house("half its length")))],
//!         roads: [                    // the first rule that fits a road decides
//!             (kind: road, names: ["High Street", "Shealer road"], as: None),   // not on this board
//!             (kind: pike, as: pike), (kind: road, as: road), (kind: railroad, as: lane),
//!         ],
//!         water: [
//!             (kind: run, name: "Willoughby Run", as: creek),
//!             (kind: creek, as: creek), (kind: run, as: run),
//!         ],
//!         crossings: [(road: pike, gives: bridge)],   // where the ground marks none itself
//!         walls: [stone_wall],
//!         cuts: true,
//!         clip: (0.6, house("no wobble along rows")),
//!     ),
//!     corrections: [
//!         (hex: "I6", set: cover(town), cite: "000 2.2"),
//!         (hexes: ["I7", "J6"], set: level(3), cite: "000 2.2"),
//!         (side: ("Q10", "R11"), set: water(None), cite: "000 5.3"),
//!         (sides: [("Q10", "Q11"), ("Q10", "P10")], set: side_cover(None), cite: "000 2.2"),
//!         (path: ["H14", "H13", "H12"], set: road(pike), cite: "000 8.4"),
//!     ],
//! )
//! ```
//!
//! A hexside carries water if the straight line between the two centres crosses the watercourse
//! an odd number of times: then the hexsides form an unbroken line that parts the banks, and no
//! "how near" needs to be chosen. A road is followed from hex to hex; where it only clips a
//! corner (for less than `clip` of the pitch; 0.6 if left out, which also takes the wobble out of a
//! road that runs along a row of hexes) it is taken past that hex.

use std::fmt::Display;
use std::path::Path;

use cupola_data::{Problems, Source, Sourced};
use serde::Deserialize;

use crate::board::{Cover, Mark, Rise};
use crate::kinds::{CoverKind, Crossing, RoadKind, WallKind, WaterKind};

/// How the height of a hex follows from the ground inside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum HeightRule {
    /// The mean.
    Mean,
    /// The height at the centre.
    Centre,
    /// The highest point.
    Highest,
}

/// How heights become levels.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Levels {
    /// A level begins at each of these heights in metres.
    Cuts {
        /// The level below the first cut.
        lowest: i8,
        /// Heights in metres, rising.
        at: Sourced<Vec<f64>>,
    },
    /// A level every so many metres.
    Every {
        /// Metres per level.
        step: Sourced<f64>,
        /// Height at which level 0 begins.
        from: Sourced<f64>,
    },
}

/// Which rises are slopes.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Slopes {
    /// None of them.
    None,
    /// By the difference of height between two neighbours.
    Metres {
        /// From this many metres it is gentle.
        gentle: Sourced<f64>,
        /// From this many metres it is steep.
        steep: Sourced<f64>,
    },
    /// By the difference of level.
    Levels {
        /// From this many levels it is gentle.
        gentle: Sourced<i8>,
        /// From this many levels it is steep.
        steep: Sourced<i8>,
    },
}

/// When cover counts for a hex.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum When {
    /// If it covers the centre.
    Centre,
    /// If it covers at least this share of the hex, 0 to 1.
    Share(Sourced<f64>),
}

/// What cover gives to a hex.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Gives {
    /// The hex's cover.
    Cover(Cover),
    /// A mark, whatever else is there.
    Mark(Mark),
}

/// One rule of cover.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CoverRule {
    /// Cover of the ground.
    pub kind: CoverKind,
    /// What it gives.
    pub gives: Gives,
    /// When.
    pub when: When,
}

/// Cover along hexsides.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SideCoverRule {
    /// Cover of the ground.
    pub kind: CoverKind,
    /// What the hexside gets.
    pub gives: Cover,
    /// From which share of the hexside's length, 0 to 1.
    pub share: Sourced<f64>,
}

/// A kind of the ground and what it counts as on the board.
///
/// Rules are asked in their order; the first that fits decides, so those with names come first.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CountsAs<Kind> {
    /// On the ground.
    pub kind: Kind,
    /// Only the one of this name,
    #[serde(default)]
    pub name: Option<String>,
    /// or only those of these names.
    #[serde(default)]
    pub names: Vec<String>,
    /// On the board; none: it does not count there.
    #[serde(
        rename = "as",
        bound(deserialize = "Kind: Deserialize<'de>"),
        deserialize_with = "told"
    )]
    pub counts_as: Option<Kind>,
}

/// An optional value that must be told: an `as` that was forgotten is not an `as: None`.
fn told<'de, D, Kind>(deserializer: D) -> Result<Option<Kind>, D::Error>
where
    D: serde::Deserializer<'de>,
    Kind: Deserialize<'de>,
{
    Option::deserialize(deserializer)
}

impl<Kind> CountsAs<Kind> {
    /// The names it is limited to, each with its field.
    pub(crate) fn all_names(&self) -> impl Iterator<Item = Labelled<'_>> {
        let one = self.name.iter().map(|name| ("name".to_owned(), &**name));
        let more = self.names.iter().enumerate();
        one.chain(more.map(|(index, name)| (format!("names[{index}]"), &**name)))
    }

    /// True if it speaks of every feature of its kind.
    fn is_general(&self) -> bool {
        self.name.is_none() && self.names.is_empty()
    }
}

/// What a feature of the ground counts as, by the first rule that fits.
pub(crate) fn counts_as<Kind: Copy + PartialEq>(
    rules: &[CountsAs<Kind>],
    kind: Kind,
    name: Option<&str>,
) -> Option<Kind> {
    let fits = |rule: &&CountsAs<Kind>| {
        let named = || rule.all_names().any(|(_, own)| Some(own) == name);
        rule.kind == kind && (rule.is_general() || named())
    };
    rules.iter().find(fits)?.counts_as
}

/// How a road of the board gets over water where the ground marks neither bridge nor ford.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CrossingRule {
    /// The road on the board.
    pub road: RoadKind,
    /// What it has.
    pub gives: Crossing,
}

/// How ground becomes a board.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// Height of a hex.
    pub height: HeightRule,
    /// Levels.
    pub levels: Levels,
    /// Slopes.
    pub slopes: Slopes,
    /// By how many metres the ground between two hexes must stand above both to be a crest.
    #[serde(default)]
    pub crest: Option<Sourced<f64>>,
    /// Cover, by priority.
    #[serde(default)]
    pub cover: Vec<CoverRule>,
    /// Cover along hexsides, by priority.
    #[serde(default)]
    pub side_cover: Vec<SideCoverRule>,
    /// Roads that count.
    #[serde(default)]
    pub roads: Vec<CountsAs<RoadKind>>,
    /// Water that counts.
    #[serde(default)]
    pub water: Vec<CountsAs<WaterKind>>,
    /// Roads over water.
    #[serde(default)]
    pub crossings: Vec<CrossingRule>,
    /// Walls that count.
    #[serde(default)]
    pub walls: Vec<WallKind>,
    /// Whether railroad cuts count.
    #[serde(default)]
    pub cuts: bool,
    /// A road is taken past a hex in which it stays for less than this share of the pitch.
    #[serde(default)]
    pub clip: Option<Sourced<f64>>,
}

/// What a correction sets.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// Hex: its cover.
    Cover(Cover),
    /// Hex: its level.
    Level(i8),
    /// Hex: its height in metres.
    Height(f64),
    /// Hex: gets a mark.
    Mark(Mark),
    /// Hex: loses a mark.
    Unmark(Mark),
    /// Hex: this place stands here.
    Place(String),
    /// Hex: this entry road comes in here.
    Entry(String),
    /// Hexside: its water.
    Water(Option<WaterKind>),
    /// Hexside: its bridge or ford.
    Crossing(Option<Crossing>),
    /// Hexside: the road through it.
    Road(Option<RoadKind>),
    /// Hexside: its slope from the first hex named to the second.
    Rise(Rise),
    /// Hexside: whether a wall runs along it.
    Wall(bool),
    /// Hexside: the cover along it.
    SideCover(Option<Cover>),
    /// Hexside: whether a railroad cut goes through it.
    Cut(bool),
    /// Hexside: whether a crest runs along it.
    Crest(bool),
}

impl Change {
    /// True if it is about a hexside, not a hex.
    pub fn is_for_hexside(&self) -> bool {
        use Change::{Crest, Crossing, Cut, Rise, Road, SideCover, Wall, Water};
        matches!(
            self,
            Water(_) | Crossing(_) | Road(_) | Rise(_) | Wall(_) | SideCover(_) | Cut(_) | Crest(_)
        )
    }
}

/// A fact that the seed prints and the ground does not give.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Correction {
    /// The hex it is about,
    #[serde(default)]
    pub hex: Option<String>,
    /// or the hexes,
    #[serde(default)]
    pub hexes: Vec<String>,
    /// or the hexside between two hexes,
    #[serde(default)]
    pub side: Option<(String, String)>,
    /// or several of them,
    #[serde(default)]
    pub sides: Vec<(String, String)>,
    /// or the hexsides from each hex of a path to the next.
    #[serde(default)]
    pub path: Vec<String>,
    /// What is so.
    pub set: Change,
    /// Seed and section that say so.
    pub cite: String,
}

/// A label in a file: the path of its field, and what stands there.
pub(crate) type Labelled<'a> = (String, &'a str);

impl Correction {
    /// The hexes it is about.
    pub(crate) fn all_hexes(&self) -> impl Iterator<Item = Labelled<'_>> {
        let one = self.hex.iter().map(|hex| ("hex".to_owned(), hex.as_str()));
        let more = self.hexes.iter().enumerate();
        one.chain(more.map(|(index, hex)| (format!("hexes[{index}]"), hex.as_str())))
    }

    /// The hexsides it is about, each by its two hexes, and the field that is wrong if the two
    /// are no neighbours.
    pub(crate) fn all_sides(&self) -> Vec<(String, [Labelled<'_>; 2])> {
        fn pair<'a>(
            field: String,
            (from, to): &'a (String, String),
        ) -> (String, [Labelled<'a>; 2]) {
            let ends = [
                (format!("{field}[0]"), &**from),
                (format!("{field}[1]"), &**to),
            ];
            (field, ends)
        }
        let mut sides = Vec::new();
        sides.extend(self.side.iter().map(|side| pair("side".to_owned(), side)));
        let several = self.sides.iter().enumerate();
        sides.extend(several.map(|(index, side)| pair(format!("sides[{index}]"), side)));
        let steps = self.path.windows(2).enumerate();
        sides.extend(steps.map(|(index, step)| {
            let field = |index| format!("path[{index}]");
            let ends = [(field(index), &*step[0]), (field(index + 1), &*step[1])];
            (field(index + 1), ends)
        }));
        sides
    }
}

/// A `board.ron`: recipe and corrections, with the text they were read from for messages.
#[derive(Debug, Clone, PartialEq)]
pub struct BoardPlan {
    /// The recipe.
    pub recipe: Recipe,
    /// The corrections.
    pub corrections: Vec<Correction>,
    /// The text, so that a check against the board can say where.
    pub source: Source,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    recipe: Recipe,
    #[serde(default)]
    corrections: Vec<Correction>,
}

impl BoardPlan {
    /// Reads a `board.ron`.
    pub fn read(path: &Path) -> Result<BoardPlan, Problems> {
        BoardPlan::parse(Source::read(path)?)
    }

    /// Understands and checks the text of a `board.ron`, as far as that goes without the board.
    pub fn parse(source: Source) -> Result<BoardPlan, Problems> {
        let File {
            recipe,
            corrections,
        } = source.ron()?;
        let mut problems = Problems::new();
        check_recipe(&source, &recipe, &mut problems);
        check_order(&source, "roads", &recipe.roads, &mut problems);
        check_order(&source, "water", &recipe.water, &mut problems);
        check_slopes(&source, &recipe, &mut problems);
        for (index, correction) in corrections.iter().enumerate() {
            check_correction(&source, index, correction, &mut problems);
        }
        problems.check(BoardPlan {
            recipe,
            corrections,
            source,
        })
    }

    /// The same plan without its corrections: what the ground alone gives.
    pub fn uncorrected(&self) -> BoardPlan {
        BoardPlan {
            corrections: Vec::new(),
            ..self.clone()
        }
    }
}

fn check_recipe(source: &Source, recipe: &Recipe, problems: &mut Problems) {
    let mut share = |field: String, value: f64| {
        if !(0.0..=1.0).contains(&value) {
            problems.push(source.problem(&field, format!("{value} is no share, expected 0 to 1")));
        }
    };
    for (index, rule) in recipe.cover.iter().enumerate() {
        if let When::Share(value) = &rule.when {
            share(format!("recipe.cover[{index}].when.share[0]"), value.0);
        }
    }
    for (index, rule) in recipe.side_cover.iter().enumerate() {
        share(format!("recipe.side_cover[{index}].share[0]"), rule.share.0);
    }
    if let Some(clip) = &recipe.clip {
        share("recipe.clip[0]".to_owned(), clip.0);
    }
    if let Some(crest) = &recipe.crest
        && !(0.1..=1000.0).contains(&crest.0)
    {
        let message = format!("{} m is no crest, expected 0.1 to 1000 metres", crest.0);
        problems.push(source.problem("recipe.crest[0]", message));
    }
    match &recipe.levels {
        Levels::Cuts { at, .. } if !at.0.is_sorted_by(|a, b| a < b) => {
            problems.push(source.problem("recipe.levels.cuts.at", "cut heights must rise"));
        }
        Levels::Every { step, .. } if !(0.1..=1000.0).contains(&step.0) => {
            let message = "expected 0.1 to 1000 metres per level";
            problems.push(source.problem("recipe.levels.every.step[0]", message));
        }
        _ => {}
    }
}

/// Rules that a rule before them leaves nothing for, and rules that are limited twice.
fn check_order<Kind: Copy + PartialEq + Display>(
    source: &Source,
    list: &str,
    rules: &[CountsAs<Kind>],
    problems: &mut Problems,
) {
    for (index, rule) in rules.iter().enumerate() {
        let field = format!("recipe.{list}[{index}]");
        if rule.name.is_some() && !rule.names.is_empty() {
            problems.push(source.problem(&field, "expected name or names, not both"));
        }
        let before = |other: &CountsAs<Kind>| other.kind == rule.kind && other.is_general();
        if let Some(general) = rules[..index].iter().position(before) {
            let message = format!(
                "never asked: recipe.{list}[{general}] decides for every {} before it",
                rule.kind
            );
            problems.push(source.problem(&field, message));
        }
    }
}

fn check_slopes(source: &Source, recipe: &Recipe, problems: &mut Problems) {
    let (field, gentle, steep) = match &recipe.slopes {
        Slopes::None => return,
        Slopes::Metres { gentle, steep } => ("recipe.slopes.metres", gentle.0, steep.0),
        Slopes::Levels { gentle, steep } => (
            "recipe.slopes.levels",
            f64::from(gentle.0),
            f64::from(steep.0),
        ),
    };
    // Zero would make every hexside a slope, and the steep ones must be among the gentle.
    let fine = gentle > 0.0 && gentle <= steep && steep <= 1000.0;
    if !fine {
        let message = format!("gentle {gentle}, steep {steep}: expected 0 < gentle <= steep");
        problems.push(source.problem(field, message));
    }
}

fn check_correction(
    source: &Source,
    index: usize,
    correction: &Correction,
    problems: &mut Problems,
) {
    let field = format!("corrections[{index}]");
    let named = [
        correction.hex.is_some(),
        !correction.hexes.is_empty(),
        correction.side.is_some(),
        !correction.sides.is_empty(),
        !correction.path.is_empty(),
    ];
    let about_hexes = named[0] || named[1];
    if named.iter().filter(|named| **named).count() != 1 {
        let message = "expected exactly one of hex, hexes, side, sides and path";
        problems.push(source.problem(&field, message));
    } else if about_hexes == correction.set.is_for_hexside() {
        let (has, needs) = match about_hexes {
            false => ("a hexside", "hex or hexes"),
            true => ("a hex", "side, sides or path"),
        };
        let message = format!("this cannot be set for {has}; expected {needs}");
        problems.push(source.problem(&format!("{field}.set"), message));
    }
    if correction.path.len() == 1 {
        let message = "a path has two hexes or more";
        problems.push(source.problem(&format!("{field}.path"), message));
    }
    if let Change::Height(metres) = correction.set
        && !(-500.0..=3200.0).contains(&metres)
    {
        let message = format!("{metres} m is no height, expected -500 to 3200");
        problems.push(source.problem(&format!("{field}.set.height"), message));
    }
    if correction.cite.trim().is_empty() {
        let message = "a correction must cite the seed and section that say so";
        problems.push(source.problem(&format!("{field}.cite"), message));
    }
}
