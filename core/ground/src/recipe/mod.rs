//! The recipe by which ground becomes a board, and the corrections that follow.
//!
//! `board.ron` of a battle. What a list does not mention does not count on that board. The recipe belongs to
//! the series, in its `terrain.ron`; where there is none, it stands in `board.ron`. In either case the battle has
//! its say about what only its ground has: `levels`, which stand for those of the recipe, and `roads` and
//! `water`, whose rules are asked before those of the recipe.
//!
//! ```ron
//! (
//!     recipe: (
//!         height: mean,               // mean | centre | highest | upper(share) of the ground in the hex
//!         level_height: upper((0.1, house("keeps hills"))),     // left out: levels follow `height`
//!         levels: cuts(lowest: 1, at: ([160.7, 164.3, 169.0], derived("sample hexes"))),
//!         // or: levels: every(step: (12.192, printed("001 1")), from: (0.0, house("sea level"))),
//!         slopes: metres(gentle: (6.0, house("plays well")), steep: (12.0, house("the same"))),
//!         // or: slopes: levels(gentle: (1, printed("x")), steep: (2, house("y"))), or: slopes: none
//!         // or: slopes: contours(steep: (10.0, house("y"))): gentle wherever the level changes
//!         sloping: (12.0, house("rough")),  // marks hexes whose ground differs by this; left out: none
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
//!         in_hex: [brook],            // water of these kinds runs through hexes, not along hexsides
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
//!         (path: ["H14", "H13", "H12"], set: road(pike), name: "High Street", cite: "000 8.4"),
//!     ],
//!     areas: [                        // hexes that go by a name together
//!         (id: "entry-1", name: "Chambersburg Pike", kind: entry, hexes: ["H14", "H13"], cite: "000 8.4"),
//!         (id: "day-1", name: "The first day", kind: extent, blocks: [("A1", "M14")], cite: "000 9"),
//!     ],
//!     links: [                        // ways outside the board
//!         (ends: ("L1", "M1"), road: pike, hexes: 3, cite: "000 2.4"),
//!     ],
//! )
//! ```
//!
//! A hexside carries water if the straight line between the two centres crosses the watercourse
//! an odd number of times: then the hexsides form an unbroken line that parts the banks, and no
//! "how near" needs to be chosen. A road is followed from hex to hex; where it only clips a
//! corner (for less than `clip` of the pitch; 0.6 if left out, which also takes the wobble out of a
//! road that runs along a row of hexes) it is taken past that hex.

mod areas;
mod check;

use std::path::Path;

use cupola_data::{Problems, Source, Sourced};
use serde::Deserialize;

use crate::board::{Cover, Mark, Rise};
use crate::kinds::{CoverKind, Crossing, RoadKind, WallKind, WaterKind};
use crate::terrain::Terrain;

pub use areas::{AreaPlan, LinkPlan};
pub(crate) use check::fact as check_fact;

/// How the height of a hex follows from the ground inside it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum HeightRule {
    /// The mean.
    Mean,
    /// The height at the centre.
    Centre,
    /// The highest point.
    Highest,
    /// The height that at least this share of the hex reaches, 0 to 1. A small share keeps a
    /// narrow hill that mean and centre lose, without counting a single spur as the whole hex.
    Upper(Sourced<f64>),
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
        /// Metres from one level to the next.
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
    /// Gentle wherever the level changes, as where a contour line runs along the hexside; steep
    /// by the difference of height, whatever the levels.
    Contours {
        /// From this many metres it is steep.
        steep: Sourced<f64>,
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
    /// The cover on the ground.
    pub kind: CoverKind,
    /// What a hex gets that has enough of it.
    pub gives: Gives,
    /// How much of it is enough.
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
    /// What it counts as on the board; `None`: it does not count there. It must be told.
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
    /// How the height of a hex follows from the ground in it.
    pub height: HeightRule,
    /// The height that its level is read from, where that is another.
    #[serde(default)]
    pub level_height: Option<HeightRule>,
    /// How heights become levels.
    pub levels: Levels,
    /// Which rises between neighbours are slopes.
    pub slopes: Slopes,
    /// From how many metres between its lowest and its highest ground a hex is sloping ground.
    #[serde(default)]
    pub sloping: Option<Sourced<f64>>,
    /// By how many metres the ground between two hexes must stand above both to be a crest.
    #[serde(default)]
    pub crest: Option<Sourced<f64>>,
    /// What covers a hex, the first that fits.
    #[serde(default)]
    pub cover: Vec<CoverRule>,
    /// Cover along hexsides, by priority.
    #[serde(default)]
    pub side_cover: Vec<SideCoverRule>,
    /// Which roads count, and as what, the first that fits. Left out: none.
    #[serde(default)]
    pub roads: Vec<CountsAs<RoadKind>>,
    /// Which streams count, and as what, the first that fits. Left out: none.
    #[serde(default)]
    pub water: Vec<CountsAs<WaterKind>>,
    /// Water that runs through hexes instead of along hexsides, by its kind on the board.
    #[serde(default)]
    pub in_hex: Vec<WaterKind>,
    /// What a road has where it crosses water: a bridge, a ford, nothing.
    #[serde(default)]
    pub crossings: Vec<CrossingRule>,
    /// Kinds of walls that count. Left out: none.
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
    /// Hexside: whether it is closed, so that its two hexes do not count as neighbours.
    Closed(bool),
}

impl Change {
    /// True if it is about a hexside, not a hex.
    pub fn is_for_hexside(&self) -> bool {
        use Change::{Closed, Crest, Crossing, Cut, Rise, Road, SideCover, Wall, Water};
        matches!(
            self,
            Water(_)
                | Crossing(_)
                | Road(_)
                | Rise(_)
                | Wall(_)
                | SideCover(_)
                | Cut(_)
                | Crest(_)
                | Closed(_)
        )
    }
}

/// A fact that the seed prints and the ground does not give.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Correction {
    /// The hex that it is about. One of `hex`, `hexes`, `side`, `sides` and `path` must be said.
    #[serde(default)]
    pub hex: Option<String>,
    /// The hexes that it is about.
    #[serde(default)]
    pub hexes: Vec<String>,
    /// The hexside that it is about, by the two hexes beside it.
    #[serde(default)]
    pub side: Option<(String, String)>,
    /// The hexsides that it is about, each by the two hexes beside it.
    #[serde(default)]
    pub sides: Vec<(String, String)>,
    /// A path of hexes: it is about the hexsides from each to the next.
    #[serde(default)]
    pub path: Vec<String>,
    /// What is so there, whatever the ground says.
    pub set: Change,
    /// Of a road or watercourse: its name, which the hexes get, or lose if it is taken away.
    #[serde(default)]
    pub name: Option<String>,
    /// Seed and section that say so; a position by hand cites nobody.
    #[serde(default)]
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

/// A `board.ron`: recipe, corrections, areas and links, with the text they were read from for messages.
#[derive(Debug, Clone, PartialEq)]
pub struct BoardPlan {
    /// The recipe, with the battle's own rules first.
    pub recipe: Recipe,
    /// How many of its rules of roads and of water are the battle's own.
    own: (usize, usize),
    /// Where the recipe stands, if not in the same text.
    series: Option<Source>,
    /// The corrections.
    pub corrections: Vec<Correction>,
    /// Hexes that go by a name together.
    pub areas: Vec<AreaPlan>,
    /// Ways outside the board from one of its hexes to another.
    pub links: Vec<LinkPlan>,
    /// The text, so that a check against the board can say where.
    pub source: Source,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct BoardFile {
    /// A recipe of this board's own, where the ruleset's `terrain.ron` has none.
    #[serde(default)]
    recipe: Option<Recipe>,
    /// Where levels begin on this field. Left out: as the recipe says.
    #[serde(default)]
    levels: Option<Levels>,
    /// Which roads of this field count, and as what; asked before the recipe's own lines, so that a single road can
    /// be told apart.
    #[serde(default)]
    roads: Vec<CountsAs<RoadKind>>,
    /// Which streams of this field count, and as what; asked before the recipe's own lines.
    #[serde(default)]
    water: Vec<CountsAs<WaterKind>>,
    /// What the printed map has otherwise than the ground: each a fact with its origin.
    #[serde(default)]
    corrections: Vec<Correction>,
    /// Groups of hexes that go by a name together: map sheets, staging areas, parts of the field.
    #[serde(default)]
    areas: Vec<AreaPlan>,
    /// Ways outside the board from one of its hexes to another.
    #[serde(default)]
    links: Vec<LinkPlan>,
}

impl BoardPlan {
    /// Reads a `board.ron`.
    pub fn read(path: &Path) -> Result<BoardPlan, Problems> {
        BoardPlan::parse(Source::read(path)?)
    }

    /// Understands and checks the text of a `board.ron`, as far as that goes without the board.
    pub fn parse(source: Source) -> Result<BoardPlan, Problems> {
        BoardPlan::parse_in(source, None)
    }

    /// Understands and checks the text of a `board.ron` of a battle, whose series may have the recipe.
    pub fn parse_in(source: Source, series: Option<&Terrain>) -> Result<BoardPlan, Problems> {
        let BoardFile {
            recipe: whole,
            levels,
            mut roads,
            mut water,
            corrections,
            areas,
            links,
        } = source.ron()?;
        let mut problems = Problems::new();
        if let Some(whole) = &whole {
            check_recipe(&source, whole, &mut problems);
        }
        let given = series.filter(|_| whole.is_none());
        let Some(mut recipe) = whole.or_else(|| given.map(|series| series.recipe.clone())) else {
            let problem = source.problem("", "missing field `recipe`");
            let hint = "a board has a recipe, or its series has one in terrain.ron";
            return Err(problem.with_hint(hint).into());
        };
        check::order(&source, "roads", &roads, &mut problems);
        check::order(&source, "water", &water, &mut problems);
        if let Some(levels) = levels {
            check::levels(&source, "levels", &levels, &mut problems);
            recipe.levels = levels;
        }
        let own = (roads.len(), water.len());
        roads.append(&mut recipe.roads);
        water.append(&mut recipe.water);
        (recipe.roads, recipe.water) = (roads, water);
        for (index, one) in corrections.iter().enumerate() {
            check::correction(&source, index, one, &mut problems);
        }
        check::areas(&source, &areas, &links, &mut problems);
        problems.check(BoardPlan {
            recipe,
            own,
            series: given.map(|series| series.source.clone()),
            corrections,
            areas,
            links,
            source,
        })
    }

    /// Where a rule of roads stands, by its place in the recipe.
    pub(crate) fn road_rule(&self, index: usize) -> (&Source, String) {
        self.rule("roads", index, self.own.0)
    }

    /// Where a rule of water stands, by its place in the recipe.
    pub(crate) fn water_rule(&self, index: usize) -> (&Source, String) {
        self.rule("water", index, self.own.1)
    }

    fn rule(&self, list: &str, index: usize, own: usize) -> (&Source, String) {
        match index.checked_sub(own) {
            None => (&self.source, format!("{list}[{index}]")),
            Some(index) => {
                let source = self.series.as_ref().unwrap_or(&self.source);
                (source, format!("recipe.{list}[{index}]"))
            }
        }
    }
}

/// What can be found wrong in a recipe by itself.
pub(crate) fn check_recipe(source: &Source, recipe: &Recipe, problems: &mut Problems) {
    check::recipe(source, recipe, problems);
    check::order(source, "recipe.roads", &recipe.roads, problems);
    check::order(source, "recipe.water", &recipe.water, problems);
    check::slopes(source, recipe, problems);
}
