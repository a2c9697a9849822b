//! What a seat may know: all that a host ever gets.
//!
//! The ruleset fills a [`View`] for a seat; the kernel adds the clock, the decision and the verdict.
//! A page draws what a view declares and knows no ruleset by name.

use crate::ids::Seat;
use serde::Serialize;

/// What a seat may know of a game.
///
/// ```
/// # use cupola_corps20 as _;
/// # use cupola_library::Library;
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use cupola_kernel::{Registry, Seat, Seed, Side};
///
/// # let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data");
/// # let library = Library::new(data.into(), None, Registry::linked()?);
/// let game = library.play("corps20", "training", None)?.game(Seed(1863))?;
/// let asked = game.decision().expect("it has just begun").ask.side;
///
/// // Whoever must choose is told his options, and his enemy is not.
/// let options = |side: Side| {
///     let view = game.view(Seat::Player(side));
///     view.decision.map_or(0, |decision| decision.options.len())
/// };
/// assert!(options(asked) > 0);
/// assert_eq!(options(asked.other()), 0);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct View {
    /// The ruleset's name.
    pub ruleset: String,
    /// Who looks.
    pub seat: Seat,
    /// The turn.
    pub turn: TurnView,
    /// The phase.
    pub phase: String,
    /// The side whose player turn it is, by its id.
    pub active: Option<String>,
    /// Units, in the order of their numbers; hidden ones carry no id.
    pub units: Vec<UnitView>,
    /// Tracks: morale, victory points.
    pub tracks: Vec<TrackView>,
    /// Markers on hexes.
    pub marks: Vec<MarkView>,
    /// Things held or laid out: hands, cups, decks, cards in force.
    pub holdings: Vec<Holding>,
    /// The decision that is open, if any.
    pub decision: Option<DecisionView>,
    /// How the game ended, if it has.
    pub verdict: Option<VerdictView>,
}

/// The turn as people know it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TurnView {
    /// Counted from zero.
    pub index: u16,
    /// As printed.
    pub label: String,
    /// When it begins: `1863-07-01T08:00`.
    pub start: String,
    /// When it ends.
    pub end: String,
    /// `dawn`, `day`, `dusk` or `night`.
    pub light: String,
}

/// A unit as a seat sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UnitView {
    /// Its id; absent if the seat may not know which unit it is.
    pub id: Option<String>,
    /// As on the counter.
    pub name: String,
    /// Its side's id.
    pub side: String,
    /// What kind it is.
    pub kind: String,
    /// Where it is.
    pub at: At,
    /// Its ratings as printed on the counter: `4-5-4`.
    pub ratings: String,
    /// What can change in play, by name: `fatigue` is `tired`.
    pub state: Vec<(&'static str, String)>,
}

/// Where something is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum At {
    /// In a hex, by its label.
    Hex(String),
    /// In a box beside the map, by its name.
    Box(String),
}

/// A number on a track.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TrackView {
    /// What it counts: `cs morale`.
    pub name: String,
    /// Where it stands.
    pub value: i32,
    /// Where it ends, if it does.
    pub max: Option<i32>,
}

/// A marker on a hex.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MarkView {
    /// The hex's label.
    pub hex: String,
    /// What kind of marker.
    pub kind: String,
    /// What it says.
    pub text: String,
}

/// Things held or laid out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Holding {
    /// What it is: `event deck`.
    pub name: String,
    /// Whose it is, by id; nobody's if absent.
    pub side: Option<String>,
    /// How many things there are.
    pub count: usize,
    /// Those that the seat may know.
    pub known: Vec<String>,
}

/// An open decision as a seat sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DecisionView {
    /// Who must choose, by the side's id.
    pub side: String,
    /// A short name for programs.
    pub question: String,
    /// For people.
    pub prompt: String,
    /// The section that asks.
    pub rule: String,
    /// The options; empty for those who do not choose.
    pub options: Vec<OptionView>,
}

/// One option.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OptionView {
    /// Stable within the decision: `move heth 19.04`.
    pub id: String,
    /// For people.
    pub text: String,
    /// What it touches, for a page to light up.
    pub touches: Vec<Touch>,
    /// What it costs, if it costs points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<CostView>,
    /// The labels of the hexes that are passed, the first and the last included.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<String>,
    /// Whether the odds of a fight can be asked for.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub odds: bool,
}

/// Points as people write them: `1½`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CostView {
    /// What the option costs.
    pub spent: String,
    /// What is left after it.
    pub left: String,
}

/// Something that an option touches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Touch {
    /// A unit, by id.
    Unit(String),
    /// A hex, by label.
    Hex(String),
    /// A card, chit or marker, by name.
    Token(String),
    /// A side, by id.
    Side(String),
    /// A number.
    Number(i16),
}

/// How a game ended, as people know it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct VerdictView {
    /// The winner's id; absent in a draw.
    pub winner: Option<String>,
    /// In words.
    pub how: String,
    /// The section that says so.
    pub rule: String,
}
