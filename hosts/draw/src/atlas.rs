//! A board's map in square tiles, one set for every zoom: what a page shows first and caches.
//!
//! No words are baked in: labels of hexes and names are told with their places
//! ([`Atlas::point`], [`Atlas::names`]), and a page writes those for which its zoom has room. A
//! tile is drawn from what lies on it, not cut from a picture of the whole board, so the first
//! tile costs no more than the last.
//!
//! ```
//! use cupola_draw::Atlas;
//! use cupola_ground::{Battlefield, Board};
//! use std::path::Path;
//!
//! let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/bad/ground/good");
//! let field = Battlefield::read(&folder).unwrap();
//! let board = Board::open(&folder, &folder, None).unwrap();
//! let atlas = Atlas::new(&field, &board);
//! let first = &atlas.zooms()[0];
//! assert!(first.width <= 1024 && first.height <= 1024);
//! assert!(atlas.tile(0, 0, 0).unwrap().starts_with(b"\x89PNG"));
//! ```

use cupola_ground::{Battlefield, Board, Bounds, Direction, HexId, Point};
use resvg::tiny_skia::Transform;

use crate::geometry::{Rect, v};
use crate::labels::rank;
use crate::map::{Drawing, board_layers, ground_layers};
use crate::plain::page;
use crate::raster::{CannotDraw, encode, render};
use crate::relief::Surface;
use crate::request::{MapRequest, Show};
use crate::sheet::{Draft, Sheet, bounds, weight};
use crate::words::Medium;

/// Pixels of a tile from side to side.
pub const TILE: u32 = 512;
/// Pixels of the longer side of the first zoom.
const FIRST: f64 = 1024.0;
/// Pixels between neighbouring hexes of the last zoom, at least.
const CLOSEST: f64 = 64.0;
/// Zooms at most.
const MOST: usize = 8;
/// A hex is drawn at least so large and then made smaller: lines have a least width.
const DRAWN: f64 = 18.0;
/// Pixels between neighbours from which the lines of the grid are drawn.
const GRID: f64 = 14.0;
/// Units drawn around a tile and cut off, so that tiles meet without a seam.
const AROUND: f64 = 24.0;

/// One set of tiles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Zoom {
    /// Pixels between the centres of neighbouring hexes.
    pub hex: f64,
    /// Pixels of the whole map from west to east.
    pub width: u32,
    /// Pixels of the whole map from north to south.
    pub height: u32,
    /// Tiles from west to east.
    pub columns: u32,
    /// Tiles from north to south.
    pub rows: u32,
}

/// A name for a page to write.
#[derive(Debug, Clone, PartialEq)]
pub struct Name {
    /// The name.
    pub text: String,
    /// What it is, in the words of the ground: `hill`, `farm`.
    pub kind: &'static str,
    /// Where, in pixels of the first zoom; twice that at every further one.
    pub x: f64,
    /// See `x`.
    pub y: f64,
    /// The first zoom that has room for it.
    pub zoom: usize,
}

/// A board's map in tiles.
pub struct Atlas<'a> {
    field: &'a Battlefield,
    board: &'a Board,
    ground: Bounds,
    /// Pixels per metre of the first zoom.
    scale: f64,
    zooms: Vec<Zoom>,
    /// Heights between which tints are spread, the same on every tile.
    range: (f64, f64),
}

impl<'a> Atlas<'a> {
    /// Lays out the tiles of a board; nothing is drawn yet.
    pub fn new(field: &'a Battlefield, board: &'a Board) -> Atlas<'a> {
        let around = bounds(board, board.hexes());
        let pad = board.lattice().pitch() / 3;
        let ground = Bounds {
            low: Point::new(around.low.x - pad, around.low.y - pad),
            high: Point::new(around.high.x + pad, around.high.y + pad),
        };
        let metres = |low: i32, high: i32| (f64::from(high) - f64::from(low)).max(100.0) / 100.0;
        let wide = metres(ground.low.x, ground.high.x);
        let high = metres(ground.low.y, ground.high.y);
        let scale = FIRST / wide.max(high);
        let pitch = f64::from(board.lattice().pitch()) / 100.0;
        let mut zooms = Vec::new();
        while zooms.len() < MOST {
            let now = scale * f64::from(1_u32 << zooms.len());
            let pixels = |metres: f64| (metres * now).floor().max(1.0) as u32;
            let (width, height) = (pixels(wide), pixels(high));
            zooms.push(Zoom {
                hex: pitch * now,
                width,
                height,
                columns: width.div_ceil(TILE),
                rows: height.div_ceil(TILE),
            });
            if pitch * now >= CLOSEST {
                break;
            }
        }
        let surface = Surface::new(field, &ground, None);
        Atlas {
            field,
            board,
            ground,
            scale,
            zooms,
            range: (surface.low, surface.high),
        }
    }

    /// The sets of tiles, from the whole map on one or two tiles a side to the closest.
    pub fn zooms(&self) -> &[Zoom] {
        &self.zooms
    }

    /// What a page that shows the map must say of those whose data it is.
    pub fn attribution(&self) -> Option<&str> {
        self.field.attribution.as_deref()
    }

    /// Where the centre of a hex lies, in pixels of the first zoom.
    pub fn point(&self, hex: HexId) -> (f64, f64) {
        self.place(self.board.centre(hex))
    }

    /// The corners of a hex around its centre, clockwise, in pixels of the first zoom; all hexes
    /// are alike.
    pub fn corners(&self) -> [(f64, f64); 6] {
        let Some(hex) = self.board.hexes().next() else {
            return [(0.0, 0.0); 6];
        };
        let (x, y) = self.point(hex);
        Direction::ALL.map(|direction| {
            let lattice = self.board.lattice();
            let corner = self.place(lattice.corner(self.board.axial(hex), direction));
            (corner.0 - x, corner.1 - y)
        })
    }

    fn place(&self, point: Point) -> (f64, f64) {
        let metres = |a: i32, b: i32| (f64::from(a) - f64::from(b)) / 100.0;
        let x = metres(point.x, self.ground.low.x) * self.scale;
        (x, metres(self.ground.high.y, point.y) * self.scale)
    }

    /// The names of places on the board, the weightier first.
    pub fn names(&self) -> Vec<Name> {
        let mut names: Vec<(u8, Name)> = Vec::new();
        for place in self
            .board
            .places()
            .iter()
            .filter(|place| place.hex.is_some())
        {
            let rank = rank(place.kind);
            // A hill has room when hexes are a thumb apart, a farm when they are a hand apart.
            let room = match rank {
                0 | 1 => 0.0,
                2 | 3 => 10.0,
                4..=6 => 24.0,
                _ => 36.0,
            };
            let Some(zoom) = self.zooms.iter().position(|zoom| zoom.hex >= room) else {
                continue;
            };
            let (x, y) = self.place(place.point);
            let name = Name {
                text: place.name.clone(),
                kind: cupola_ground::Named::name(place.kind),
                x,
                y,
                zoom,
            };
            names.push((rank, name));
        }
        names.sort_by(|a, b| (a.0, &a.1.text).cmp(&(b.0, &b.1.text)));
        names.into_iter().map(|(_, name)| name).collect()
    }

    /// The whole map in one picture, as the first zoom has it.
    ///
    /// # Errors
    /// If the picture cannot be drawn.
    pub fn overview(&self) -> Result<Vec<u8>, CannotDraw> {
        let zoom = self.zooms[0];
        self.window(0, (0, 0), (zoom.width, zoom.height))
    }

    /// A tile as PNG; those at the eastern and southern edge are smaller.
    ///
    /// # Errors
    /// If there is no such tile.
    pub fn tile(&self, zoom: usize, column: u32, row: u32) -> Result<Vec<u8>, CannotDraw> {
        let none = || CannotDraw::new(format!("no tile {column}, {row} at zoom {zoom}"));
        let set = self.zooms.get(zoom).ok_or_else(none)?;
        if column >= set.columns || row >= set.rows {
            return Err(none());
        }
        let (x, y) = (column * TILE, row * TILE);
        let size = (TILE.min(set.width - x), TILE.min(set.height - y));
        self.window(zoom, (x, y), size)
    }

    /// A rectangle of pixels of a zoom.
    fn window(&self, zoom: usize, at: (u32, u32), size: (u32, u32)) -> Result<Vec<u8>, CannotDraw> {
        let set = self.zooms[zoom];
        // Units of the drawing per pixel.
        let finer = (DRAWN / set.hex).max(1.0);
        let units = |pixels: u32| f64::from(pixels) * finer;
        let scale = self.scale * f64::from(1_u32 << zoom) * finer;
        let frame = Rect {
            low: v(-AROUND, -AROUND),
            high: v(units(size.0) + AROUND, units(size.1) + AROUND),
        };
        let centimetres = |units: f64| (units / scale * 100.0).round() as i32;
        let west = self.ground.low.x + centimetres(units(at.0) - AROUND);
        let north = self.ground.high.y - centimetres(units(at.1) - AROUND);
        let ground = Bounds {
            low: Point::new(west, north - centimetres(frame.height())),
            high: Point::new(west + centimetres(frame.width()), north),
        };
        let sheet = Sheet {
            scale,
            frame,
            ground,
            origin: v(units(at.0), units(at.1)),
            hex: f64::from(self.board.lattice().pitch()) / 100.0 * scale,
            weight: weight(scale),
        };
        let drawing = self.drawing(sheet, set.hex >= GRID);
        let shrink = Transform::from_scale((1.0 / finer) as f32, (1.0 / finer) as f32);
        encode(&render(&drawing, size, shrink)?)
    }

    fn drawing(&self, sheet: Sheet, grid: bool) -> Drawing {
        let mut request = MapRequest::new(self.field, self.board);
        request.show = Show {
            grid,
            labels: false,
            places: false,
            ..Show::default()
        };
        let near = self.near(&sheet.ground);
        let mut inside = vec![false; self.board.len()];
        near.iter().for_each(|hex| inside[hex.index()] = true);
        let frame = sheet.frame;
        let mut draft = Draft::on(&request, Medium::Picture, sheet, near, inside);
        draft.range = Some(self.range);
        ground_layers(&mut draft);
        board_layers(&mut draft);
        Drawing {
            relief: draft.relief.take(),
            frame,
            svg: page(draft, frame.high.x, frame.high.y),
        }
    }

    /// The hexes on a window and two around it: their edges must not show as edges of woods.
    fn near(&self, ground: &Bounds) -> Vec<HexId> {
        let more = self.board.lattice().pitch() * 3;
        let wide = Bounds {
            low: Point::new(ground.low.x - more, ground.low.y - more),
            high: Point::new(ground.high.x + more, ground.high.y + more),
        };
        let hexes = self.board.hexes();
        hexes
            .filter(|hex| wide.contains(self.board.centre(*hex)))
            .collect()
    }
}
