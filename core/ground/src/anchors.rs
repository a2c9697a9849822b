//! Anchors: places that a rulebook names by hex.
//!
//! They are what the grid was fitted with, and what proves the fit: `anchors.ron` of a ruleset.
//!
//! ```ron
//! (
//!     anchors: [
//!         (hex: "R7", place: "little-round-top", cite: "000 2.2"),
//!         (hex: "J8", place: "sherfy-farm", cite: "000 9", off: "the map has no room for it"),
//!     ],
//! )
//! ```
//!
//! An anchor that is `off` stands where the printed map itself puts the place elsewhere: it says
//! nothing about the grid and is left out of the fit, but a correction must still stand the place
//! in that hex.

use std::path::Path;

use cupola_data::{Problems, Source};
use serde::Deserialize;

use crate::battlefield::Battlefield;
use crate::board::Board;
use crate::grid::Grid;
use crate::point::Point;

/// A place that a rulebook names by hex.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Anchor {
    /// The hex's label.
    pub hex: String,
    /// The place's id.
    pub place: String,
    /// Seed and section.
    pub cite: String,
    /// Why it says nothing about the grid, if it does not.
    #[serde(default)]
    pub off: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct AnchorsFile {
    /// Places that a rulebook names by hex: how well the grid fits the ground is measured by them, and nothing else.
    anchors: Vec<Anchor>,
}

/// How far off one anchor is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Miss {
    /// The anchor.
    pub anchor: Anchor,
    /// Centimetres from the named hex's centre to the place's true position.
    pub centimetres: i64,
    /// Hexes from the named hex to the one that the true position lies in.
    pub hexes: u32,
}

/// How well a grid fits the ground, anchor by anchor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fit {
    /// One per anchor that is not off, in the file's order.
    pub misses: Vec<Miss>,
    /// Root of the mean square of the distances, in hundredths of the pitch.
    pub mean_square: u32,
    /// The largest distance, in hundredths of the pitch.
    pub largest: u32,
}

/// The anchors of a ruleset, checked against its grid and the ground.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Anchors(pub Vec<Anchor>);

impl Anchors {
    /// Reads an `anchors.ron`; hexes must be on the grid, places on the ground.
    pub fn read(path: &Path, grid: &Grid, field: &Battlefield) -> Result<Anchors, Problems> {
        Anchors::parse(&Source::read(path)?, grid, field)
    }

    /// Understands and checks the text of an `anchors.ron`.
    pub fn parse(source: &Source, grid: &Grid, field: &Battlefield) -> Result<Anchors, Problems> {
        let file: AnchorsFile = source.ron()?;
        let mut problems = Problems::new();
        for (index, anchor) in file.anchors.iter().enumerate() {
            if grid.hex(&anchor.hex).is_none() {
                let field = format!("anchors[{index}].hex");
                problems.push(grid.no_such_hex(source, &field, &anchor.hex));
            }
            if field.place(&anchor.place).is_none() {
                let ids = field.places.iter().map(|place| place.id.as_str());
                let message = format!("no place \"{}\" on the battlefield", anchor.place);
                let problem = source.problem(&format!("anchors[{index}].place"), message);
                problems.push(problem.with_nearest(&anchor.place, ids));
            }
            if anchor.off.as_ref().is_some_and(|why| why.trim().is_empty()) {
                let message = "an anchor that is off must say why";
                problems.push(source.problem(&format!("anchors[{index}].off"), message));
            }
        }
        problems.check(Anchors(file.anchors))
    }

    /// The anchors whose place does not stand in the named hex of a compiled board.
    pub fn astray<'a>(&'a self, board: &Board) -> Vec<&'a Anchor> {
        let stands = |anchor: &Anchor| {
            let place = board.place(&anchor.place).and_then(|place| place.hex);
            place.is_some() && place == board.hex(&anchor.hex).ok()
        };
        self.0.iter().filter(|anchor| !stands(anchor)).collect()
    }

    /// Measures how far the named hexes are from the true positions.
    pub fn fit(&self, grid: &Grid, field: &Battlefield) -> Fit {
        let mut misses = Vec::new();
        for anchor in self.0.iter().filter(|anchor| anchor.off.is_none()) {
            let (Some(hex), Some(place)) = (grid.hex(&anchor.hex), field.place(&anchor.place))
            else {
                continue;
            };
            let centre: Point = grid.lattice.centre(hex);
            misses.push(Miss {
                anchor: anchor.clone(),
                centimetres: centre.distance(place.point),
                hexes: hex.distance(grid.lattice.hex_at(place.point)),
            });
        }
        let pitch = i64::from(grid.lattice.pitch());
        let squares: i64 = misses
            .iter()
            .map(|miss| miss.centimetres * miss.centimetres)
            .sum();
        let mean = (squares / (misses.len() as i64).max(1)).isqrt();
        let largest = misses
            .iter()
            .map(|miss| miss.centimetres)
            .max()
            .unwrap_or(0);
        Fit {
            misses,
            mean_square: (mean * 100 / pitch) as u32,
            largest: (largest * 100 / pitch) as u32,
        }
    }
}
