//! A hex grid laid over the ground, and the labels printed on it.
//!
//! A grid is data: `grid.ron` of a battle. Every value carries its origin. Orientation and pitch may be
//! left out where the series says them ([`Terrain`]).
//!
//! ```ron
//! (
//!     name: "gbacw",
//!     title: "GBACW Simple",
//!     when: "1 July 1863",    // the days it shows; left out: all of the battle
//!     orientation: rows,      // rows: neighbours east and west; columns: north and south
//!     pitch: (114.885, derived("fit of 21 anchors; nominal 114.3")),  // along the row or column
//!     across: (101.74, derived("the same fit")),    // row to row; left out: pitch × 0.866
//!     rotation: (-0.71, derived("the same fit")),   // degrees counter-clockwise; left out: 0
//!     skew: (-4.08, derived("the same fit")),       // of the other axis, on top; left out: 0
//!     origin: ((label: "C2118", x: 4315.0, y: 2529.0), derived("the same fit")),
//!     stagger: (odd_west, derived("extended-line pairs such as A2107-2208")),
//!     labels: (sheets([
//!         (sheet: "A", rows: 0, columns: 33),       // joined row = RR + rows, and so on
//!         (sheet: "B", rows: 0, columns: 0),
//!         (sheet: "C", rows: 60, columns: 5),
//!         (sheet: "D", rows: 0, columns: -35),
//!     ]), printed("001 map notes")),
//!     extent: ([("B1001", "B7033"), ("A1001", "A7033"), ("C1101", "C6060")], house("as fitted")),
//! )
//! ```
//!
//! Label schemes: `dotted` (`19.03`, row counts north, column east), `packed` (`2121`, rows count
//! south, columns west), `axial` (`S9`, letters go south, numbers north-west), `sheets` (`C2118`,
//! packed with a sheet's letter). `extent` lists blocks of labels, corner to corner.
//!
//! Inside, every grid is the same lattice of axial coordinates ([`Hex`]): schemes, staggers and
//! orientations matter only where labels are read or written.

mod hex;
mod labels;
mod lattice;

use std::collections::BTreeMap;
use std::path::Path;

use cupola_data::{Origin, Problem, Problems, Source, Sourced};
use serde::{Deserialize, Serialize};

use crate::point::Point;
use crate::terrain::Terrain;

pub use hex::Hex;
pub use labels::{Labels, Sheet, Stagger};
pub use lattice::{Lattice, Orientation};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct GridFile {
    /// The ruleset whose grid it is.
    name: String,
    /// Its name for people.
    title: String,
    /// The days that it shows, in words, such as `1 July 1863`. Left out: all of the battle.
    #[serde(default)]
    when: Option<String>,
    /// `rows` if a hex has neighbours to the east and west, `columns` if to the north and south. Left out: as the
    /// ruleset's `terrain.ron` says.
    #[serde(default)]
    orientation: Option<Orientation>,
    /// Metres from centre to centre along a row or column, 10 to 5000. Left out: as the ruleset's `terrain.ron` says.
    #[serde(default)]
    pitch: Option<Sourced<f64>>,
    /// Metres from one row or column to the next. Left out: pitch × 0.866, which makes the hexes regular; a printed
    /// map may be squeezed.
    #[serde(default)]
    across: Option<Sourced<f64>>,
    /// Degrees by which the grid is turned counter-clockwise against north. Left out: 0.
    #[serde(default)]
    rotation: Option<Sourced<f64>>,
    /// Degrees by which the other axis leans, on top of the rotation. Left out: 0.
    #[serde(default)]
    skew: Option<Sourced<f64>>,
    /// One hex and where its centre lies on the ground: this pins the grid down.
    origin: Sourced<FileOrigin>,
    /// Which rows or columns stand half a hex aside.
    stagger: Sourced<Stagger>,
    /// How hexes are numbered.
    labels: Sourced<Labels>,
    /// Blocks of labels, corner to corner: a hex in any of them is part of the map.
    extent: Sourced<Vec<(String, String)>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileOrigin {
    /// The label of the hex.
    label: String,
    /// Metres east of the battlefield's origin, of the hex's centre.
    x: f64,
    /// Metres north of the battlefield's origin, of the hex's centre.
    y: f64,
}

impl GridFile {
    /// Where each value comes from, in the file's order.
    fn origins(&self) -> Vec<(&'static str, Origin)> {
        let maybe = |name, value: &Option<Sourced<f64>>| {
            value
                .as_ref()
                .map(|Sourced(_, origin)| (name, origin.clone()))
        };
        let all = [
            maybe("pitch", &self.pitch),
            maybe("across", &self.across),
            maybe("rotation", &self.rotation),
            maybe("skew", &self.skew),
            Some(("origin", self.origin.1.clone())),
            Some(("stagger", self.stagger.1.clone())),
            Some(("labels", self.labels.1.clone())),
            Some(("extent", self.extent.1.clone())),
        ];
        all.into_iter().flatten().collect()
    }
}

/// A hex grid with its labels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grid {
    /// Name in data files: the ruleset's.
    pub name: String,
    /// Name for people.
    pub title: String,
    /// The days it shows, where these are not all of the battle.
    pub when: Option<String>,
    /// Where the hexes lie.
    pub lattice: Lattice,
    /// How they are labelled.
    pub labels: Labels,
    /// Where each value of the file comes from.
    pub origins: Vec<(&'static str, Origin)>,
    stagger: Stagger,
    /// Every hex that exists, in the order of [`Grid::hexes`], with its own label.
    hexes: Vec<(Hex, String)>,
    /// Every valid label, further names of a hex on overlapping sheets included.
    names: BTreeMap<String, Hex>,
}

impl Grid {
    /// Reads a `grid.ron`.
    pub fn read(path: &Path) -> Result<Grid, Problems> {
        Grid::parse(&Source::read(path)?)
    }

    /// Understands and checks the text of a `grid.ron`.
    pub fn parse(source: &Source) -> Result<Grid, Problems> {
        Grid::parse_in(source, None)
    }

    /// Understands and checks the text of a `grid.ron` of a battle, whose series may say the size and the
    /// orientation of its hexes.
    pub fn parse_in(source: &Source, series: Option<&Terrain>) -> Result<Grid, Problems> {
        let mut file: GridFile = source.ron()?;
        let mut problems = Problems::new();
        let (orientation, pitch) = hexes(source, &mut file, series)?;
        check_numbers(source, &file, &mut problems);
        let origins = file.origins();
        let (stagger, labels) = (file.stagger.0, file.labels.0);
        if let Err(message) = labels.fits(orientation, stagger) {
            problems.push(source.problem("stagger[0]", message));
        }
        let FileOrigin { label, x, y } = &file.origin.0;
        let origin = labels.parse(label, stagger);
        if origin.is_none() {
            let message = format!("\"{label}\" is no label here, expected {}", labels.shape());
            problems.push(source.problem("origin[0].label", message));
        }
        let mut problems = problems.check(Problems::new())?;
        let across = file
            .across
            .map_or(pitch * libm::sqrt(3.0) / 2.0, |across| across.0);
        let rotation = file.rotation.map_or(0.0, |rotation| rotation.0);
        let skew = file.skew.map_or(0.0, |skew| skew.0);
        let point = Point::from_metres(*x, *y);
        let lattice = Lattice::new(orientation, pitch, across, rotation, skew)
            .through(origin.unwrap_or(Hex::ZERO), point);
        let mut grid = Grid {
            name: file.name,
            title: file.title,
            when: file.when,
            lattice,
            labels,
            origins,
            stagger,
            hexes: Vec::new(),
            names: BTreeMap::new(),
        };
        grid.fill(source, &file.extent.0, &mut problems);
        problems.check(grid)
    }

    /// Adds the hexes of all blocks, first block first.
    fn fill(&mut self, source: &Source, blocks: &[(String, String)], problems: &mut Problems) {
        let mut owners: BTreeMap<(i32, i32), String> = BTreeMap::new();
        for (index, (from, to)) in blocks.iter().enumerate() {
            let Some(cells) = self.labels.block(from, to) else {
                let field = format!("extent[0][{index}]");
                let message = format!(
                    "\"{from}\" to \"{to}\" is no block of labels, expected {}",
                    self.labels.shape()
                );
                problems.push(source.problem(&field, message));
                continue;
            };
            for label in cells {
                if let Some(hex) = self.labels.parse(&label, self.stagger) {
                    owners
                        .entry((hex.x, hex.y))
                        .or_insert_with(|| label.clone());
                    self.names.insert(label, hex);
                }
            }
        }
        let told = !problems.is_empty();
        if (owners.is_empty() && !told) || owners.len() >= usize::from(u16::MAX) {
            let message = format!("{} hexes, expected 1 to 65534", owners.len());
            problems.push(source.problem("extent", message));
        }
        self.hexes = owners
            .into_iter()
            .map(|((x, y), label)| (Hex::new(x, y), label))
            .collect();
        let orientation = self.lattice.orientation();
        self.hexes
            .sort_by_key(|(hex, _)| orientation.reading_order(*hex));
    }

    /// All hexes with their labels, row by row from the north-west.
    pub fn hexes(&self) -> &[(Hex, String)] {
        &self.hexes
    }

    /// Every valid label and its hex, in the order of labels.
    pub fn names(&self) -> impl Iterator<Item = (&str, Hex)> {
        self.names.iter().map(|(label, hex)| (label.as_str(), *hex))
    }

    /// The hex of a label that exists on this grid.
    pub fn hex(&self, label: &str) -> Option<Hex> {
        self.names.get(label).copied().or_else(|| {
            // Other spellings of the same label: `19.3` for `19.03`, `s9` for `S9`.
            let hex = self.labels.parse(label, self.stagger)?;
            let tidy = self.labels.tidy(label)?;
            (self.names.get(&tidy) == Some(&hex)).then_some(hex)
        })
    }

    /// The label of a hex, if it exists on this grid.
    pub fn label(&self, hex: Hex) -> Option<&str> {
        let order = self.lattice.orientation();
        let key = order.reading_order(hex);
        let found = self
            .hexes
            .binary_search_by_key(&key, |(hex, _)| order.reading_order(*hex));
        found.ok().map(|index| self.hexes[index].1.as_str())
    }

    /// A problem for a label that does not exist, with the nearest one that does.
    pub fn no_such_hex(&self, source: &Source, field: &str, label: &str) -> Problem {
        let message = format!("no hex \"{label}\" on this board");
        source
            .problem(field, message)
            .with_nearest(label, self.names.keys().map(String::as_str))
    }
}

/// Orientation and pitch, from the file or from the series; both in the file from then on.
fn hexes(
    source: &Source,
    file: &mut GridFile,
    series: Option<&Terrain>,
) -> Result<(Orientation, f64), Problems> {
    let missing = |field: &str| {
        let message = format!("missing field `{field}`");
        source.problem("", message).with_hint(
            "a grid says the orientation and the pitch of its hexes, or its series does in terrain.ron",
        )
    };
    let orientation = file
        .orientation
        .or(series.map(|series| series.hex.orientation));
    let orientation = orientation.ok_or_else(|| missing("orientation"))?;
    let pitch = file.pitch.take();
    let pitch = pitch.or_else(|| series.map(|series| series.hex.pitch.clone()));
    let pitch = pitch.ok_or_else(|| missing("pitch"))?;
    let metres = pitch.0;
    file.pitch = Some(pitch);
    Ok((orientation, metres))
}

fn check_numbers(source: &Source, file: &GridFile, problems: &mut Problems) {
    let mut check = |field: &str, value: Option<f64>, low: f64, high: f64| {
        if let Some(value) = value.filter(|value| !(low..=high).contains(value)) {
            let message = format!("{value} is out of range, expected {low} to {high}");
            problems.push(source.problem(field, message));
        }
    };
    check(
        "pitch[0]",
        file.pitch.as_ref().map(|pitch| pitch.0),
        10.0,
        5_000.0,
    );
    check(
        "across[0]",
        file.across.as_ref().map(|across| across.0),
        10.0,
        5_000.0,
    );
    check(
        "rotation[0]",
        file.rotation.as_ref().map(|rotation| rotation.0),
        -180.0,
        180.0,
    );
    check(
        "skew[0]",
        file.skew.as_ref().map(|skew| skew.0),
        -20.0,
        20.0,
    );
    check("origin[0].x", Some(file.origin.0.x), -100_000.0, 100_000.0);
    check("origin[0].y", Some(file.origin.0.y), -100_000.0, 100_000.0);
}

/// One of the six sides of a hex, counted clockwise.
///
/// With rows: east, south-east, south-west, west, north-west, north-east. With columns:
/// south-east, south, south-west, north-west, north, north-east.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Direction(u8);

impl Direction {
    /// All six.
    pub const ALL: [Direction; 6] = [
        Direction(0),
        Direction(1),
        Direction(2),
        Direction(3),
        Direction(4),
        Direction(5),
    ];

    /// The direction of an index; counts around, so 7 is 1.
    pub const fn new(index: usize) -> Direction {
        Direction((index % 6) as u8)
    }

    /// Its index, 0 to 5.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The direction straight back.
    #[inline]
    pub const fn opposite(self) -> Direction {
        Direction::new(self.index() + 3)
    }

    /// The direction `steps` further clockwise.
    #[inline]
    pub const fn clockwise(self, steps: usize) -> Direction {
        Direction::new(self.index() + steps)
    }

    /// The step in axial coordinates.
    #[inline]
    pub const fn step(self) -> Hex {
        Hex::STEPS[self.index()]
    }

    /// Its name on a grid of this orientation.
    pub const fn name(self, orientation: Orientation) -> &'static str {
        match orientation {
            Orientation::Rows => ["E", "SE", "SW", "W", "NW", "NE"][self.index()],
            Orientation::Columns => ["SE", "S", "SW", "NW", "N", "NE"][self.index()],
        }
    }

    /// The direction from one hex to a neighbour.
    #[inline]
    pub const fn between(from: Hex, to: Hex) -> Option<Direction> {
        let index = match (to.x - from.x, to.y - from.y) {
            (1, 0) => 0,
            (0, 1) => 1,
            (-1, 1) => 2,
            (-1, 0) => 3,
            (0, -1) => 4,
            (1, -1) => 5,
            _ => return None,
        };
        Some(Direction::new(index))
    }
}
