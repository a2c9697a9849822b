//! The declaration: `data/rulesets/<ruleset>/faces.ron`.

use crate::template;
use cupola_data::{Problem, Problems, Source};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a ruleset's counters show and what its boards are called.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Faces {
    /// What it is like to play by these rules, in a sentence or two, for whoever chooses among them.
    pub about: String,
    /// The scenario that somebody plays first who has never played such a game, if these rules are for beginners.
    pub begin: Option<String>,
    /// The colours of each side, by its id.
    pub sides: BTreeMap<String, Livery>,
    /// Faces in order; the first that fits a unit's kind is its face. One without kinds fits all.
    pub faces: Vec<Face>,
    /// The back of what a seat may not know.
    pub back: Option<Face>,
    /// Tracks for people, by the name that the view gives them.
    pub tracks: Vec<TrackWords>,
    /// Holdings for people.
    pub holdings: Vec<HoldingWords>,
    /// Markers on hexes for people.
    pub marks: Vec<MarkWords>,
    /// Boards beside the map: titles over tracks and holdings, in order.
    pub boards: Vec<BoardWords>,
    /// Phases for people, by name.
    pub phases: BTreeMap<String, String>,
    /// What a unit's states are called, by their name in the view; states left out are called by it.
    pub states: BTreeMap<String, String>,
    /// The chapter of the book, from `book/src`, for citations to open.
    pub chapter: Option<String>,
    /// The table of sections, from `book/src`.
    pub sections: Option<String>,
}

/// What tells a side apart: by colour and by shape, so that colour is never the only sign.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Livery {
    /// The colour of its counters, in light and in dark.
    pub colour: Colour,
    /// The corners of its counters.
    pub corners: Corners,
}

/// The colours that hosts know how to draw, in light and in dark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Colour {
    /// Union blue.
    Blue,
    /// Butternut.
    Rust,
    /// Field grey.
    #[default]
    Grey,
    /// Rifle green.
    Green,
    /// Ochre.
    Ochre,
    /// Violet.
    Violet,
}

/// The corners of a counter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Corners {
    /// Square.
    #[default]
    Square,
    /// Cut off.
    Cut,
    /// Round.
    Round,
}

/// The outline of a counter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outline {
    /// A card.
    #[default]
    Counter,
    /// A block that stands, with its steps along the top edge.
    Block,
    /// A leader: an oval.
    Leader,
    /// A small disc.
    Marker,
}

/// Our own set of symbols.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Symbol {
    /// Nothing.
    #[default]
    None,
    /// Crossed belts.
    Infantry,
    /// One belt.
    Cavalry,
    /// A cannon ball.
    Artillery,
    /// A cannon ball and a belt.
    HorseArtillery,
    /// A flag.
    Headquarters,
    /// A star.
    Leader,
    /// A wagon.
    Train,
    /// A broken line.
    Remnant,
    /// A rampart.
    Works,
    /// A question mark.
    Unknown,
}

/// What a counter of certain kinds shows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Face {
    /// The kinds it is for; all others if empty.
    pub kinds: Vec<String>,
    /// Only for units whose state says so: name and value.
    pub when: Option<(String, String)>,
    /// The outline of the counter. Left out: a card.
    pub outline: Outline,
    /// The symbol in its middle. Left out: none.
    pub symbol: Symbol,
    /// Texts on it, each in its place.
    pub slots: Vec<Slot>,
    /// Steps as pips: the states that say how many are left and how many there were.
    pub pips: Option<(String, String)>,
    /// Small signs that show a state.
    pub badges: Vec<Badge>,
    /// The state that says which way it looks: degrees from north, or a direction of the compass.
    pub facing: Option<String>,
    /// What the directions are in degrees, where they are not those of the compass.
    pub degrees: BTreeMap<String, u16>,
    /// The state that names a second hex it stands in.
    pub spans: Option<String>,
    /// Drawn pale if its state says so: name and value.
    pub pale: Option<(String, String)>,
}

/// A text on a counter. Braces name what the view says: `{name}`, `{ratings}`, `{ratings.0}` (its first
/// part between hyphens), or a state.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Slot {
    /// Where on the counter it stands. Left out: in the middle.
    pub at: Spot,
    /// The text; braces name what the view says: `{name}`, `{ratings.0}`, a state.
    pub text: String,
    /// Larger than the others.
    pub large: bool,
}

/// A place on a counter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Spot {
    /// At the top, in the middle.
    Top,
    /// In the upper left corner.
    TopLeft,
    /// In the upper right corner.
    TopRight,
    /// In the middle.
    #[default]
    Centre,
    /// On the left, half way down.
    Left,
    /// On the right, half way down.
    Right,
    /// At the bottom, in the middle.
    Bottom,
    /// In the lower left corner.
    BottomLeft,
    /// In the lower right corner.
    BottomRight,
}

/// A sign that stands for a state.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Badge {
    /// The state and the value at which it shows.
    pub when: (String, String),
    /// One or two letters that are drawn.
    pub sign: String,
    /// What it means, for whoever points at it.
    pub means: String,
    /// Whether that is good or bad for the unit.
    #[serde(default)]
    pub tone: Tone,
}

/// Whether something is good or bad for whom it concerns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tone {
    /// Neither.
    #[default]
    Plain,
    /// Good.
    Good,
    /// Bad.
    Bad,
}

/// A track for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrackWords {
    /// The track, as the view names it.
    pub name: String,
    /// What people call it.
    pub title: String,
    /// What it means, for whoever asks. Left out: nothing is told.
    #[serde(default)]
    pub about: String,
    /// The side whose track it is, by its id. Left out: nobody's.
    #[serde(default)]
    pub side: Option<String>,
}

/// A holding for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HoldingWords {
    /// The holding, as the view names it.
    pub name: String,
    /// What people call it.
    pub title: String,
    /// What it means, for whoever asks. Left out: nothing is told.
    #[serde(default)]
    pub about: String,
}

/// A marker on hexes for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MarkWords {
    /// As the view names its kind.
    pub kind: String,
    /// What people call it.
    pub title: String,
    /// One letter or sign that is drawn.
    pub sign: String,
    /// Whether it is good or bad for whoever stands there. Left out: neither.
    #[serde(default)]
    pub tone: Tone,
}

/// A board beside the map.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoardWords {
    /// What stands over it.
    pub title: String,
    /// The tracks on it, by their names.
    #[serde(default)]
    pub tracks: Vec<String>,
    /// The holdings on it, by their names.
    #[serde(default)]
    pub holdings: Vec<String>,
}

impl Faces {
    /// Reads a declaration.
    ///
    /// # Errors
    /// Everything that is wrong with it, at once.
    pub fn read(source: &Source) -> Result<Faces, Problems> {
        let faces: Faces = source.ron()?;
        let mut problems = Problems::default();
        for (index, face) in faces.faces.iter().enumerate() {
            let field = |name: &str| format!("faces[{index}].{name}");
            check(source, face, field, &mut problems);
        }
        if let Some(back) = &faces.back {
            check(source, back, |name| format!("back.{name}"), &mut problems);
        }
        for (index, board) in faces.boards.iter().enumerate() {
            known(
                source,
                &format!("boards[{index}].tracks"),
                &board.tracks,
                faces.tracks.iter().map(|track| track.name.as_str()),
                &mut problems,
            );
            known(
                source,
                &format!("boards[{index}].holdings"),
                &board.holdings,
                faces.holdings.iter().map(|holding| holding.name.as_str()),
                &mut problems,
            );
        }
        problems.check(faces)
    }

    /// The declaration of a ruleset in its folder; the plain one if it has none.
    ///
    /// # Errors
    /// Everything that is wrong with it, at once.
    pub fn of(folder: &std::path::Path) -> Result<Faces, Problems> {
        let path = folder.join("faces.ron");
        if path.is_file() {
            Faces::read(&Source::read(&path)?)
        } else {
            Ok(Faces::default())
        }
    }
}

fn check(source: &Source, face: &Face, field: impl Fn(&str) -> String, problems: &mut Problems) {
    for (index, slot) in face.slots.iter().enumerate() {
        if let Err(why) = template::check(&slot.text) {
            problems.push(source.problem(&field(&format!("slots[{index}].text")), why));
        }
    }
    for (index, badge) in face.badges.iter().enumerate() {
        if !(1..=2).contains(&badge.sign.chars().count()) {
            let place = field(&format!("badges[{index}].sign"));
            problems.push(source.problem(&place, "a sign has one or two letters"));
        }
    }
}

fn known<'a>(
    source: &Source,
    field: &str,
    names: &[String],
    all: impl Iterator<Item = &'a str> + Clone,
    problems: &mut Problems,
) {
    for (index, name) in names.iter().enumerate() {
        if !all.clone().any(|known| known == name) {
            let problem: Problem = source.problem(
                &format!("{field}[{index}]"),
                format!("nothing is called \"{name}\""),
            );
            problems.push(problem.with_nearest(name, all.clone()));
        }
    }
}
