//! All about one hex, ready to be shown or sent.

use serde::Serialize;

use crate::grid::Direction;
use crate::kinds::{Crossing, RoadKind, WaterKind};
use crate::point::Point;

use super::{Board, Cover, HexId, Mark, Rise};

/// All about one hex.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HexCard {
    /// The ruleset.
    pub ruleset: String,
    /// The label.
    pub hex: String,
    /// What covers it.
    #[serde(rename = "terrain")]
    pub cover: Cover,
    /// Its level.
    pub level: i8,
    /// Its height in metres.
    pub height: f64,
    /// Whether the height is measured ground or our interpolation.
    pub height_is_house: bool,
    /// Latitude of the centre.
    pub lat: f64,
    /// Longitude of the centre.
    pub lon: f64,
    /// The centre in local centimetres.
    pub centre: Point,
    /// What is of note.
    pub marks: Vec<Mark>,
    /// Names of the places in it.
    pub places: Vec<String>,
    /// Names of the roads and watercourses through it.
    pub threads: Vec<String>,
    /// Entry roads that come in here, each with what the ruleset calls it.
    pub entries: Vec<String>,
    /// Names of the areas it is in.
    pub areas: Vec<String>,
    /// Its six sides.
    pub sides: Vec<SideCard>,
    /// Corrections that touched it, each with its citation.
    pub notes: Vec<String>,
}

/// All about one side of a hex.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SideCard {
    /// The compass name of the direction.
    pub direction: &'static str,
    /// The label behind it; none at the edge.
    pub to: Option<String>,
    /// Its slope, outward.
    #[serde(serialize_with = "in_words")]
    pub rise: Rise,
    /// Water along it.
    pub water: Option<WaterKind>,
    /// Bridge or ford.
    pub crossing: Option<Crossing>,
    /// Road through it.
    pub road: Option<RoadKind>,
    /// Cover along it.
    pub cover: Option<Cover>,
    /// Whether a wall runs along it.
    pub wall: bool,
    /// Whether a railroad cut goes through it.
    pub cut: bool,
    /// Whether a crest runs along it.
    pub crest: bool,
    /// Whether it is closed: the two hexes do not count as neighbours.
    pub closed: bool,
}

/// `up, steep` reads better than an object, to people and to programs.
fn in_words<S: serde::Serializer>(rise: &Rise, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(rise)
}

impl Board {
    /// All about a hex.
    pub fn describe(&self, hex: HexId) -> HexCard {
        let lat_lon = self.lat_lon(hex);
        let entries = self.entries.iter().filter(|entry| entry.hex == Some(hex));
        let notes = self.notes.iter().filter(|note| note.hex == hex);
        HexCard {
            ruleset: self.name.clone(),
            hex: self.label(hex).to_owned(),
            cover: self.cover(hex),
            level: self.level(hex),
            height: f64::from(self.height(hex)) / 10.0,
            height_is_house: self.height_is_house(hex),
            lat: lat_lon.latitude(),
            lon: lat_lon.longitude(),
            centre: self.centre(hex),
            marks: self.marks(hex).iter().collect(),
            places: self
                .places_in(hex)
                .map(|place| place.name.clone())
                .collect(),
            threads: self.threads(hex).map(str::to_owned).collect(),
            entries: entries
                .map(|entry| match &entry.code {
                    Some(code) => format!("{} ({code})", entry.name),
                    None => entry.name.clone(),
                })
                .collect(),
            areas: self.areas_in(hex).map(|area| area.name.clone()).collect(),
            sides: Direction::ALL
                .map(|direction| self.side_card(hex, direction))
                .to_vec(),
            notes: notes
                .map(|note| format!("{} ({})", note.what, note.cite))
                .collect(),
        }
    }

    fn side_card(&self, hex: HexId, direction: Direction) -> SideCard {
        let side = self.side(hex, direction);
        SideCard {
            direction: direction.name(self.orientation()),
            to: self
                .neighbour(hex, direction)
                .map(|to| self.label(to).to_owned()),
            rise: side.rise,
            water: side.water,
            crossing: side.crossing,
            road: side.road,
            cover: side.cover,
            wall: side.wall,
            cut: side.cut,
            crest: side.crest,
            closed: side.closed,
        }
    }
}
