//! The sheet of paper: where the map lies on it and how metres become units.
//!
//! Every sheet holds about the same area of units, whatever the board measures, so line widths
//! and letters look alike on all maps and a map of small hexes is simply a finer one.

use std::collections::BTreeSet;

use cupola_ground::{Board, Bounds, Direction, HexId, Point};

use crate::font::Rulers;
use crate::geometry::{Rect, V, v};
use crate::key::Symbol;
use crate::labels::Mask;
use crate::out::Out;
use crate::relief::Shading;
use crate::request::{MapRequest, Style};
use crate::words::Medium;

/// Square units of a map inside its frame.
const AREA: f64 = 2000.0 * 1720.0;
/// Centimetres between centres up to which a board is fine.
const FINE: i32 = 30_000;
/// Paper around everything.
pub const MARGIN: f64 = 44.0;
/// The band of the frame.
pub const BAND: f64 = 26.0;
/// Height of the title above the frame.
const TITLE: f64 = 104.0;

/// Where things lie.
#[derive(Debug, Clone)]
pub struct Sheet {
    /// Units per metre.
    pub scale: f64,
    /// The map itself.
    pub frame: Rect,
    /// Ground inside the frame.
    pub ground: Bounds,
    /// Where the sheet begins in the picture of the whole map, so that textures run on from one
    /// tile to the next.
    pub origin: V,
    /// Distance between the centres of neighbours, in units.
    pub hex: f64,
    /// Thickness of lines and size of letters against the plain size.
    pub weight: f64,
}

impl Sheet {
    /// Lays out a board.
    pub fn new(request: &MapRequest<'_>) -> Sheet {
        let board = request.board;
        let hexes = drawn(request);
        let around = bounds(board, hexes.iter().copied());
        let wide = around.high.x - around.low.x;
        let pad = (board.lattice().pitch() / 3).max(wide / 70);
        let ground = Bounds {
            low: Point::new(around.low.x - pad, around.low.y - pad),
            high: Point::new(around.high.x + pad, around.high.y + pad),
        };
        let metres = |low: i32, high: i32| f64::from(high - low).max(100.0) / 100.0;
        let wide = metres(ground.low.x, ground.high.x);
        let high = metres(ground.low.y, ground.high.y);
        let scale = (AREA / (wide * high)).sqrt();
        let low = match (request.show.frame, request.show.title) {
            (false, _) => v(0.0, 0.0),
            (true, false) => v(MARGIN + BAND, MARGIN + BAND),
            (true, true) => v(MARGIN + BAND, MARGIN + BAND + TITLE),
        };
        Sheet {
            scale,
            frame: Rect {
                low,
                high: low + v(wide * scale, high * scale),
            },
            ground,
            origin: v(0.0, 0.0),
            hex: f64::from(board.lattice().pitch()) / 100.0 * scale,
            weight: weight(scale),
        }
    }

    /// Where a point of the ground lies on the sheet.
    pub fn at(&self, point: Point) -> V {
        let x = (f64::from(point.x) - f64::from(self.ground.low.x)) / 100.0;
        let y = (f64::from(self.ground.high.y) - f64::from(point.y)) / 100.0;
        self.frame.low + v(x * self.scale, y * self.scale)
    }

    /// A line of the ground on the sheet.
    pub fn line(&self, points: &[Point]) -> Vec<V> {
        points.iter().map(|point| self.at(*point)).collect()
    }
}

/// Thickness of lines and size of letters at a scale.
pub fn weight(scale: f64) -> f64 {
    libm::pow(scale / 0.14, 0.3).clamp(1.0, 1.45)
}

/// The hexes that a request is about: those of its part that exist, or all of them.
fn drawn(request: &MapRequest<'_>) -> Vec<HexId> {
    let board = request.board;
    let part = request.part.as_deref().unwrap_or_default().iter();
    let mut part: Vec<HexId> = part.copied().filter(|h| h.index() < board.len()).collect();
    part.sort_unstable();
    part.dedup();
    if part.is_empty() {
        board.hexes().collect()
    } else {
        part
    }
}

/// The rectangle around some hexes.
pub fn bounds(board: &Board, hexes: impl Iterator<Item = HexId>) -> Bounds {
    let corners =
        hexes.flat_map(|hex| Direction::ALL.map(|d| board.lattice().corner(board.axial(hex), d)));
    let nothing = Bounds {
        low: Point::new(0, 0),
        high: Point::new(100_000, 100_000),
    };
    Bounds::around(corners).unwrap_or(nothing)
}

/// A map under way: what is asked, where it goes, what has been drawn.
pub struct Draft<'a> {
    /// What is asked for.
    pub request: &'a MapRequest<'a>,
    /// What it is drawn for.
    pub medium: Medium,
    /// Where things lie.
    pub sheet: Sheet,
    /// The hexes that are drawn, by number.
    pub hexes: Vec<HexId>,
    /// Which hexes of the board belong to the map.
    inside: Vec<bool>,
    /// Roads by which troops come, as the key tells them: letter or code, and name.
    pub gates: Vec<(String, String)>,
    /// The SVG so far.
    pub out: Out,
    /// Heights between which tints are spread; those of the sheet itself if left out.
    pub range: Option<(f64, f64)>,
    /// The relief of a picture, to lie beneath the rest.
    pub relief: Option<Shading>,
    /// Symbols drawn so far; the key shows these and no others.
    pub used: BTreeSet<Symbol>,
    /// Where names may go.
    pub mask: Mask,
    /// Widths of text.
    pub rulers: Rulers,
    /// Counts the paths that names follow.
    pub threads: usize,
}

impl<'a> Draft<'a> {
    /// An empty sheet for a request.
    pub fn new(request: &'a MapRequest<'a>, medium: Medium) -> Draft<'a> {
        let hexes = drawn(request);
        let mut inside = vec![false; request.board.len()];
        hexes.iter().for_each(|hex| inside[hex.index()] = true);
        Draft::on(request, medium, Sheet::new(request), hexes, inside)
    }

    /// An empty sheet that is laid out already, with the hexes to draw on it and those that
    /// belong to the map.
    pub fn on(
        request: &'a MapRequest<'a>,
        medium: Medium,
        sheet: Sheet,
        hexes: Vec<HexId>,
        inside: Vec<bool>,
    ) -> Draft<'a> {
        Draft {
            request,
            medium,
            mask: Mask::new(sheet.frame),
            hexes,
            inside,
            gates: Vec::new(),
            sheet,
            out: Out::default(),
            range: None,
            relief: None,
            used: BTreeSet::new(),
            rulers: Rulers::new(),
            threads: 0,
        }
    }

    /// The board.
    pub fn board(&self) -> &'a Board {
        self.request.board
    }

    /// True if the natural ground is drawn.
    pub fn natural(&self) -> bool {
        self.request.style != Style::Board
    }

    /// True if cover and levels are drawn as the rules have them: where hexes are small against
    /// woods and hills, what the rules see and what lies there can be one picture.
    pub fn fine(&self) -> bool {
        self.request.style == Style::Both && self.board().lattice().pitch() <= FINE
    }

    /// The neighbour of a hex that belongs to the map as well.
    pub fn neighbour(&self, hex: HexId, direction: Direction) -> Option<HexId> {
        let other = self.board().neighbour(hex, direction)?;
        self.inside[other.index()].then_some(other)
    }

    /// Opens the group of a symbol and notes that it is in use.
    pub fn symbol(&mut self, symbol: Symbol) {
        self.out.open(&format!("data-symbol=\"{}\"", symbol.name()));
        self.used.insert(symbol);
    }

    /// The centre of a hex.
    pub fn centre(&self, hex: HexId) -> V {
        self.sheet.at(self.board().centre(hex))
    }

    /// The corners of a hex, clockwise, the first between directions 0 and 1.
    pub fn corners(&self, hex: HexId) -> [V; 6] {
        let axial = self.board().axial(hex);
        Direction::ALL.map(|d| self.sheet.at(self.board().lattice().corner(axial, d)))
    }

    /// The ends of a hexside.
    pub fn side(&self, hex: HexId, direction: Direction) -> (V, V) {
        let axial = self.board().axial(hex);
        let (a, b) = self.board().lattice().hexside(axial, direction);
        (self.sheet.at(a), self.sheet.at(b))
    }

    /// Every hexside of the map once: from the hex with the lower number, or from the only one.
    pub fn sides(&self) -> Vec<(HexId, Direction)> {
        let mine =
            |hex: &HexId, d: &Direction| self.neighbour(*hex, *d).is_none_or(|other| other > *hex);
        let all = self
            .hexes
            .iter()
            .flat_map(|hex| Direction::ALL.map(|d| (*hex, d)));
        all.filter(|(hex, d)| mine(hex, d)).collect()
    }
}
