//! The battlefield: the real ground, stored once, in real metres.
//!
//! A battlefield is a folder. `battlefield.ron` names the frame, the bounds and the files:
//!
//! ```ron
//! (
//!     name: "gettysburg",
//!     title: "Gettysburg, 1 to 3 July 1863",
//!     frame: (zone: 18, easting: 304208.02, northing: 4404534.27),
//!     bounds: (west: -3000, south: -2500, east: 12500, north: 12500),
//!     // these names are the defaults, so `files` may be left out
//!     files: (
//!         roads: "roads.geojson", water: "water.geojson", cover: "cover.geojson",
//!         walls: "walls.geojson", places: "places.geojson", entries: "entries.geojson",
//!         heights: "heights.ron",
//!     ),
//!     // what maps and pages drawn from it must say; left out: nothing
//!     attribution: "Contains data of the county's survey",
//!     sources: [(short: "DEM", text: "modern elevation model, 10 m")],
//! )
//! ```
//!
//! The rest is GeoJSON in latitude and longitude, so that anyone can open and edit it with the
//! usual tools (see [`geojson`]), and a grid of heights (see [`crate::heights`]). Everything is
//! projected to whole centimetres as it is read.

pub mod geojson;
mod read;

use crate::heights::Heights;
use crate::kinds::{CoverKind, Crossing, Edge, PlaceKind, RoadKind, Sure, WallKind, WaterKind};
use crate::point::{Bounds, Point};
use crate::projection::Projection;

pub use read::{BattlefieldFiles, FileNames};

/// A feature of the ground: what it is, how sure it is, and its shape.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Feature<Kind, Shape> {
    /// What it is.
    pub kind: Kind,
    /// Its name, if it has one.
    pub name: Option<String>,
    /// How sure it is.
    pub sure: Sure,
    /// Where it was read, in short.
    pub source: String,
    /// Where it lies.
    pub shape: Shape,
}

/// A line on the ground.
pub type Path = Vec<Point>;

/// An area: an outer ring and its holes, each without a repeated last point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Area {
    /// The rings; a point is inside by the even-odd rule.
    pub rings: Vec<Vec<Point>>,
    /// The rectangle around them.
    pub bounds: Bounds,
}

impl Area {
    /// True if the point lies inside.
    pub fn contains(&self, p: Point) -> bool {
        self.bounds.contains(p) && crate::point::inside(&self.rings, p)
    }
}

/// A road or railroad.
pub type Road = Feature<RoadKind, Path>;
/// A stretch of railroad in a cut.
pub type Cut = Feature<(), Path>;
/// A bridge or ford.
pub type CrossingPoint = Feature<Crossing, Point>;
/// A watercourse, or a piece of one.
pub type Water = Feature<WaterKind, Path>;
/// Woods, town and so on.
pub type Cover = Feature<CoverKind, Area>;
/// A wall, fence or work.
pub type Wall = Feature<WallKind, Path>;

/// A named place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Unique name in data files, such as `little-round-top`.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// What it is.
    pub kind: PlaceKind,
    /// How sure its position is.
    pub sure: Sure,
    /// Where it was read, in short.
    pub source: String,
    /// Where it lies.
    pub point: Point,
}

/// A road by which troops come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Unique name in data files.
    pub id: String,
    /// The road's name.
    pub name: String,
    /// On which edge of the battlefield.
    pub edge: Edge,
    /// What rulesets call it: ruleset and code.
    pub codes: Vec<(String, String)>,
    /// Where it lies.
    pub point: Point,
}

/// The ground of one battle.
#[derive(Debug, Clone, PartialEq)]
pub struct Battlefield {
    /// Name in data files.
    pub name: String,
    /// Name for people.
    pub title: String,
    /// How latitude and longitude become local centimetres.
    pub frame: Projection,
    /// The rectangle that holds every feature.
    pub bounds: Bounds,
    /// What the ground was made from: short name and description.
    pub sources: Vec<(String, String)>,
    /// What everything drawn from it must say of those whose data it is.
    pub attribution: Option<String>,
    /// Roads and railroads.
    pub roads: Vec<Road>,
    /// Railroad cuts.
    pub cuts: Vec<Cut>,
    /// Bridges and fords.
    pub crossings: Vec<CrossingPoint>,
    /// Watercourses.
    pub water: Vec<Water>,
    /// Cover.
    pub cover: Vec<Cover>,
    /// Walls and fences.
    pub walls: Vec<Wall>,
    /// Named places.
    pub places: Vec<Place>,
    /// Entry roads.
    pub entries: Vec<Entry>,
    /// Heights.
    pub heights: Heights,
}

impl Battlefield {
    /// Empty, flat ground, for tests and as a start for tools.
    pub fn empty(name: &str, frame: Projection, bounds: Bounds) -> Battlefield {
        Battlefield {
            name: name.to_owned(),
            title: name.to_owned(),
            frame,
            bounds,
            sources: Vec::new(),
            attribution: None,
            roads: Vec::new(),
            cuts: Vec::new(),
            crossings: Vec::new(),
            water: Vec::new(),
            cover: Vec::new(),
            walls: Vec::new(),
            places: Vec::new(),
            entries: Vec::new(),
            heights: Heights::flat(bounds, 1500),
        }
    }

    /// The place of an id.
    pub fn place(&self, id: &str) -> Option<&Place> {
        self.places.iter().find(|place| place.id == id)
    }
}
