//! The board: ground seen through a grid.
//!
//! A board is flat arrays indexed by [`HexId`] and [`Direction`]: what many decisions need is
//! computed once, when the board is compiled, and costs one load afterwards. It knows its real
//! place on the ground, so a spot can be found again on any other board.

mod areas;
mod card;
mod line;
mod terrain;

use std::fmt;

use cupola_data::nearest;
use serde::{Deserialize, Serialize};

use crate::grid::{Direction, Hex, Lattice, Orientation};
use crate::kinds::{Edge, PlaceKind, RoadKind, Sure};
use crate::point::Point;
use crate::projection::LatLon;

pub use areas::{Area, AreaKind, Link};
pub use card::{HexCard, SideCard};
pub use line::{Lines, Touch};
pub use terrain::{Cover, Grade, Hexside, Mark, Marks, Rise};

/// A hex of a board: a dense number, row by row from the north-west.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct HexId(pub u16);

impl HexId {
    /// As an index into a board's arrays.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// No hex: what lies beyond the edge.
const NOWHERE: u16 = u16::MAX;

/// A label that is on no hex of the board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoSuchHex {
    /// What was asked for.
    pub label: String,
    /// The nearest label that exists.
    pub nearest: Option<String>,
}

impl fmt::Display for NoSuchHex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no hex \"{}\" on this board", self.label)?;
        match &self.nearest {
            Some(nearest) => write!(f, "; did you mean \"{nearest}\"?"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for NoSuchHex {}

/// A named place and where it stands on the board.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardPlace {
    /// Its id on the battlefield.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// What it is.
    pub kind: PlaceKind,
    /// How sure its position is.
    pub sure: Sure,
    /// Its true position.
    pub point: Point,
    /// Its hex: that of the true position, unless a correction says otherwise; none off board.
    pub hex: Option<HexId>,
}

/// A road by which troops come, and where it reaches the board.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardEntry {
    /// Its id on the battlefield.
    pub id: String,
    /// The road's name.
    pub name: String,
    /// On which edge of the battlefield.
    pub edge: Edge,
    /// Where it comes onto the battlefield, which is larger than most boards.
    pub point: Point,
    /// What this ruleset calls it, if it has a name of its own.
    pub code: Option<String>,
    /// The hex where it comes in; none if the road does not reach this board.
    pub hex: Option<HexId>,
}

/// A place where a road leaves the board.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Exit {
    /// The last hex on the board.
    pub hex: HexId,
    /// What kind of road, as it counts on this board.
    pub road: RoadKind,
    /// The road's name, if it has one.
    pub name: Option<String>,
}

/// A correction that was applied, for those who ask why a hex is as it is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Note {
    /// The hex (of a hexside, either of its two).
    pub hex: HexId,
    /// What was set.
    pub what: String,
    /// Seed and section.
    pub cite: String,
}

/// From axial coordinates to hexes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Index {
    low: (i32, i32),
    width: i32,
    height: i32,
    ids: Vec<u16>,
}

impl Index {
    fn new(hexes: &[Hex]) -> Index {
        let (Some(x0), Some(y0)) = (
            hexes.iter().map(|hex| hex.x).min(),
            hexes.iter().map(|hex| hex.y).min(),
        ) else {
            return Index::default();
        };
        let width = hexes.iter().map(|hex| hex.x - x0 + 1).max().unwrap_or(0);
        let height = hexes.iter().map(|hex| hex.y - y0 + 1).max().unwrap_or(0);
        let mut ids = vec![NOWHERE; (width * height) as usize];
        for (id, hex) in hexes.iter().enumerate() {
            ids[((hex.y - y0) * width + hex.x - x0) as usize] = id as u16;
        }
        Index {
            low: (x0, y0),
            width,
            height,
            ids,
        }
    }

    #[inline]
    fn get(&self, hex: Hex) -> u16 {
        let (x, y) = (hex.x - self.low.0, hex.y - self.low.1);
        if x < 0 || y < 0 || x >= self.width || y >= self.height {
            return NOWHERE;
        }
        self.ids[(y * self.width + x) as usize]
    }

    /// The part of a row between two of its hexes, both included.
    #[inline]
    fn row(&self, y: i32, from: i32, to: i32) -> &[u16] {
        let (y, from, to) = (
            y - self.low.1,
            (from - self.low.0).max(0),
            (to - self.low.0 + 1).min(self.width),
        );
        if y < 0 || y >= self.height || from >= to {
            return &[];
        }
        let start = y * self.width;
        &self.ids[(start + from) as usize..(start + to) as usize]
    }
}

/// A compiled board.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Board {
    /// The ruleset's name.
    pub name: String,
    /// The map's name for people.
    pub title: String,
    /// The days it shows, where these are not all of the battle.
    pub when: Option<String>,
    /// The battlefield's name.
    pub battlefield: String,
    pub(crate) lattice: Lattice,
    /// Axial coordinates.
    pub(crate) hexes: Vec<Hex>,
    pub(crate) labels: Vec<String>,
    /// All valid labels, sorted.
    pub(crate) names: Vec<(String, HexId)>,
    pub(crate) centres: Vec<Point>,
    pub(crate) lat_lons: Vec<LatLon>,
    pub(crate) covers: Vec<Cover>,
    pub(crate) levels: Vec<i8>,
    /// Decimetres.
    pub(crate) heights: Vec<i16>,
    pub(crate) house_heights: Vec<bool>,
    pub(crate) marks: Vec<Marks>,
    pub(crate) sides: Vec<[Hexside; 6]>,
    pub(crate) places: Vec<BoardPlace>,
    pub(crate) entries: Vec<BoardEntry>,
    pub(crate) exits: Vec<Exit>,
    /// By id.
    pub(crate) areas: Vec<Area>,
    pub(crate) links: Vec<Link>,
    pub(crate) notes: Vec<Note>,
    /// Names of roads and watercourses, sorted.
    pub(crate) threads: Vec<String>,
    /// Which of them go through which hex, sorted.
    pub(crate) threaded: Vec<(HexId, u16)>,
    #[serde(skip)]
    index: Index,
    #[serde(skip)]
    neighbours: Vec<[u16; 6]>,
}

impl Board {
    /// A board of clear, level hexes, to be filled by the compiler.
    pub(crate) fn blank(
        name: &str,
        title: &str,
        lattice: Lattice,
        hexes: Vec<Hex>,
        labels: Vec<String>,
    ) -> Board {
        let count = hexes.len();
        let mut board = Board {
            name: name.to_owned(),
            title: title.to_owned(),
            when: None,
            battlefield: String::new(),
            lattice,
            centres: hexes.iter().map(|hex| lattice.centre(*hex)).collect(),
            hexes,
            labels,
            names: Vec::new(),
            lat_lons: Vec::new(),
            covers: vec![Cover::Clear; count],
            levels: vec![0; count],
            heights: vec![0; count],
            house_heights: vec![false; count],
            marks: vec![Marks::default(); count],
            sides: vec![[Hexside::default(); 6]; count],
            places: Vec::new(),
            entries: Vec::new(),
            exits: Vec::new(),
            areas: Vec::new(),
            links: Vec::new(),
            notes: Vec::new(),
            threads: Vec::new(),
            threaded: Vec::new(),
            index: Index::default(),
            neighbours: Vec::new(),
        };
        board.connect();
        board
    }

    /// Builds what is not stored: the index of coordinates and the neighbours.
    pub(crate) fn connect(&mut self) {
        self.index = Index::new(&self.hexes);
        self.neighbours = self
            .hexes
            .iter()
            .map(|hex| Direction::ALL.map(|direction| self.index.get(*hex + direction.step())))
            .collect();
    }

    /// How many hexes there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.hexes.len()
    }

    /// True if there is no hex at all.
    pub fn is_empty(&self) -> bool {
        self.hexes.is_empty()
    }

    /// All hexes.
    pub fn hexes(&self) -> impl ExactSizeIterator<Item = HexId> + use<> {
        (0..self.hexes.len() as u16).map(HexId)
    }

    /// Which way the rows run.
    pub fn orientation(&self) -> Orientation {
        self.lattice.orientation()
    }

    /// Where the hexes lie on the ground.
    pub fn lattice(&self) -> &Lattice {
        &self.lattice
    }

    /// The hex of a label.
    pub fn hex(&self, label: &str) -> Result<HexId, NoSuchHex> {
        let found = self
            .names
            .binary_search_by(|(name, _)| name.as_str().cmp(label));
        if let Ok(index) = found {
            return Ok(self.names[index].1);
        }
        // Labels typed by hand: any case, and no leading zero in a dotted column.
        let plain = |label: &str| label.to_uppercase().replace(".0", ".");
        let wanted = plain(label);
        if let Some((_, hex)) = self.names.iter().find(|(name, _)| plain(name) == wanted) {
            return Ok(*hex);
        }
        let near = nearest(label, self.names.iter().map(|(name, _)| name.as_str()));
        Err(NoSuchHex {
            label: label.to_owned(),
            nearest: near.map(str::to_owned),
        })
    }

    /// The label printed in a hex.
    pub fn label(&self, hex: HexId) -> &str {
        &self.labels[hex.index()]
    }

    /// The hex that a point of the ground lies in.
    pub fn hex_at(&self, point: Point) -> Option<HexId> {
        self.at(self.lattice.hex_at(point))
    }

    /// The hex of axial coordinates.
    #[inline]
    pub fn at(&self, hex: Hex) -> Option<HexId> {
        let id = self.index.get(hex);
        (id != NOWHERE).then_some(HexId(id))
    }

    /// The axial coordinates of a hex.
    #[inline]
    pub fn axial(&self, hex: HexId) -> Hex {
        self.hexes[hex.index()]
    }

    /// The centre of a hex on the ground.
    #[inline]
    pub fn centre(&self, hex: HexId) -> Point {
        self.centres[hex.index()]
    }

    /// Latitude and longitude of a hex's centre.
    pub fn lat_lon(&self, hex: HexId) -> LatLon {
        self.lat_lons[hex.index()]
    }

    /// What covers a hex.
    #[inline]
    pub fn cover(&self, hex: HexId) -> Cover {
        self.covers[hex.index()]
    }

    /// The level of a hex.
    #[inline]
    pub fn level(&self, hex: HexId) -> i8 {
        self.levels[hex.index()]
    }

    /// The height of a hex in decimetres.
    pub fn height(&self, hex: HexId) -> i16 {
        self.heights[hex.index()]
    }

    /// True if the height of a hex rests on values that are not measured.
    pub fn height_is_house(&self, hex: HexId) -> bool {
        self.house_heights[hex.index()]
    }

    /// What is of note in a hex.
    #[inline]
    pub fn marks(&self, hex: HexId) -> Marks {
        self.marks[hex.index()]
    }

    /// The hexside of a hex in a direction.
    #[inline]
    pub fn side(&self, hex: HexId, direction: Direction) -> &Hexside {
        &self.sides[hex.index()][direction.index()]
    }

    /// The neighbour of a hex in a direction; none beyond the edge.
    #[inline]
    pub fn neighbour(&self, hex: HexId, direction: Direction) -> Option<HexId> {
        let id = self.neighbours[hex.index()][direction.index()];
        (id != NOWHERE).then_some(HexId(id))
    }

    /// The neighbours of a hex that exist, with their directions.
    #[inline]
    pub fn neighbours(&self, hex: HexId) -> impl Iterator<Item = (Direction, HexId)> + '_ {
        let around = &self.neighbours[hex.index()];
        // Counted, not zipped: a loop of six steps that the compiler unrolls.
        (0..6)
            .filter(|&way| around[way] != NOWHERE)
            .map(|way| (Direction::ALL[way], HexId(around[way])))
    }

    /// The numbers of the neighbours by direction; beyond the edge one that no hex has, higher than any.
    #[inline]
    pub fn around(&self, hex: HexId) -> &[u16; 6] {
        &self.neighbours[hex.index()]
    }

    /// True if at least one neighbour is missing.
    #[inline]
    pub fn is_edge(&self, hex: HexId) -> bool {
        self.neighbours[hex.index()].contains(&NOWHERE)
    }

    /// The hex of another board that lies on the same spot of the ground.
    pub fn same_spot(&self, hex: HexId, other: &Board) -> Option<HexId> {
        other.hex_at(self.centre(hex))
    }

    /// The direction from one hex to a neighbour.
    #[inline]
    pub fn direction(&self, from: HexId, to: HexId) -> Option<Direction> {
        Direction::between(self.axial(from), self.axial(to))
    }

    /// Metres from a hex to the next: from the first of the board to its first neighbour. Nothing where there is none.
    pub fn pitch(&self) -> u32 {
        let (x, y) = self.first_step();
        ((x * x + y * y).isqrt() / 100) as u32
    }

    /// The same as far as it goes east or north, whichever is more. Where hexes stand in columns that is a seventh
    /// less, for the first neighbour lies aslant.
    pub fn pitch_by_axis(&self) -> u32 {
        let (x, y) = self.first_step();
        (x.abs().max(y.abs()) / 100) as u32
    }

    /// Centimetres from the first hex to its first neighbour.
    fn first_step(&self) -> (i64, i64) {
        let step = self.hexes().next().and_then(|first| {
            let (_, next) = self.neighbours(first).next()?;
            let (from, to) = (self.centre(first), self.centre(next));
            Some((i64::from(to.x - from.x), i64::from(to.y - from.y)))
        });
        step.unwrap_or_default()
    }

    /// The distance in hexes, counted straight over whatever lies between.
    #[inline]
    pub fn distance(&self, a: HexId, b: HexId) -> u32 {
        self.axial(a).distance(self.axial(b))
    }

    /// The hexes at most so far from one, itself among them, row by row.
    #[inline]
    pub fn within(&self, hex: HexId, distance: u32) -> impl Iterator<Item = HexId> + '_ {
        let (centre, most) = (self.axial(hex), distance as i32);
        (-most..=most).flat_map(move |y| {
            let (from, to) = ((-most).max(-most - y), most.min(most - y));
            let row = (self.index).row(centre.y + y, centre.x + from, centre.x + to);
            row.iter().filter(|&&id| id != NOWHERE).map(|&id| HexId(id))
        })
    }

    /// The named places of the battlefield, by id.
    pub fn places(&self) -> &[BoardPlace] {
        &self.places
    }

    /// The place of an id.
    pub fn place(&self, id: &str) -> Option<&BoardPlace> {
        let found = self
            .places
            .binary_search_by(|place| place.id.as_str().cmp(id));
        found.ok().map(|index| &self.places[index])
    }

    /// The places that stand in a hex.
    pub fn places_in(&self, hex: HexId) -> impl Iterator<Item = &BoardPlace> {
        self.places
            .iter()
            .filter(move |place| place.hex == Some(hex))
    }

    /// The roads by which troops come, by id.
    pub fn entries(&self) -> &[BoardEntry] {
        &self.entries
    }

    /// The places where roads leave the board.
    pub fn exits(&self) -> &[Exit] {
        &self.exits
    }

    /// The corrections that were applied.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Names of the roads and watercourses that go through a hex.
    pub fn threads(&self, hex: HexId) -> impl Iterator<Item = &str> {
        let start = self.threaded.partition_point(|(id, _)| *id < hex);
        self.threaded[start..]
            .iter()
            .take_while(move |(id, _)| *id == hex)
            .map(|(_, name)| self.threads[usize::from(*name)].as_str())
    }

    /// Changes a hexside as seen from `hex`, and its other face with it.
    pub(crate) fn change_side(
        &mut self,
        hex: HexId,
        direction: Direction,
        change: impl FnOnce(&mut Hexside),
    ) {
        let side = &mut self.sides[hex.index()][direction.index()];
        change(side);
        let back = side.reversed();
        if let Some(neighbour) = self.neighbour(hex, direction) {
            self.sides[neighbour.index()][direction.opposite().index()] = back;
        }
    }
}
