//! What is to be drawn.

use cupola_ground::{Battlefield, Board, Bounds, HexId, Point};
use cupola_kernel::view::{At, View};
use cupola_look::Faces;

/// How ground and board share the sheet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Style {
    /// The natural ground, and over it what the rules see: rims around covered hexes, slopes and
    /// streams on hexsides.
    #[default]
    Both,
    /// The natural ground under a plain grid.
    Ground,
    /// Only what the rules see: hexes by level and cover, roads from hex to hex.
    Board,
}

impl Style {
    /// All styles.
    pub const ALL: [Style; 3] = [Style::Both, Style::Ground, Style::Board];

    /// Its name on a command line.
    pub const fn name(self) -> &'static str {
        match self {
            Style::Both => "both",
            Style::Ground => "ground",
            Style::Board => "board",
        }
    }

    /// The style of a name.
    pub fn parse(name: &str) -> Option<Style> {
        Style::ALL.into_iter().find(|style| style.name() == name)
    }
}

/// What to show; all of it unless told otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Show {
    /// Hill shading and tints of height.
    pub relief: bool,
    /// Contour lines.
    pub contours: bool,
    /// The lines of the grid.
    pub grid: bool,
    /// The label of every hex.
    pub labels: bool,
    /// Symbols and names of places, names of roads and streams.
    pub places: bool,
    /// The key.
    pub key: bool,
    /// Scale bar and north arrow.
    pub scale: bool,
    /// The title.
    pub title: bool,
    /// The frame and the paper around it, on which key, scale, title and whose data it is stand; without it the sheet is the map alone.
    pub frame: bool,
    /// Whether the SVG carries its fonts (it grows by a quarter of a megabyte).
    pub fonts: bool,
}

impl Default for Show {
    fn default() -> Show {
        Show {
            relief: true,
            contours: true,
            grid: true,
            labels: true,
            places: true,
            key: true,
            scale: true,
            title: true,
            frame: true,
            fonts: true,
        }
    }
}

/// One of the two sides, for the frames of counters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    /// Blue, square corners.
    First,
    /// Red-brown, cut corners.
    Second,
}

/// A unit on the map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    /// Where it stands; several in one hex are drawn as a stack.
    pub hex: HexId,
    /// Whose it is.
    pub side: Side,
    /// Its short name.
    pub label: String,
    /// Its strength as text; may be empty.
    pub strength: String,
}

/// A counter on the map; several in one hex share it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placed {
    /// Where it stands.
    pub hex: HexId,
    /// What it shows.
    pub counter: cupola_look::Counter,
}

/// Hexes to point out, with the reason for the key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Highlight {
    /// What they are.
    pub name: String,
    /// Which.
    pub hexes: Vec<HexId>,
}

/// A way over the board, with its meaning for the key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Track {
    /// What it is.
    pub name: String,
    /// The hexes, first to last.
    pub hexes: Vec<HexId>,
}

/// A value per hex, shown as a tint from pale to dark.
#[derive(Debug, Clone, PartialEq)]
pub struct Heat {
    /// What the value is.
    pub name: String,
    /// Hexes and values; hexes left out stay clear.
    pub values: Vec<(HexId, f64)>,
}

/// What lies over the map.
#[derive(Debug, Clone, PartialEq)]
pub struct Overlay {
    /// Values by hex.
    pub heat: Option<Heat>,
    /// Hexes to point out.
    pub highlights: Vec<Highlight>,
    /// Ways.
    pub tracks: Vec<Track>,
    /// Units.
    pub units: Vec<Unit>,
    /// Counters as a ruleset declares them.
    pub counters: Vec<Placed>,
    /// Names of the two sides for the key.
    pub sides: [String; 2],
}

impl Default for Overlay {
    fn default() -> Overlay {
        Overlay {
            heat: None,
            highlights: Vec::new(),
            tracks: Vec::new(),
            units: Vec::new(),
            counters: Vec::new(),
            sides: ["First side".to_owned(), "Second side".to_owned()],
        }
    }
}

/// A map to be drawn.
#[derive(Debug, Clone)]
pub struct MapRequest<'a> {
    /// The ground.
    pub field: &'a Battlefield,
    /// The board on it.
    pub board: &'a Board,
    /// Only these hexes; the whole board if left out.
    pub part: Option<Vec<HexId>>,
    /// How the two share the sheet.
    pub style: Style,
    /// What to show.
    pub show: Show,
    /// What lies over the map.
    pub overlay: Overlay,
    /// The title; the battlefield's if left out.
    pub title: Option<String>,
    /// The line under it; the rest of the battlefield's title and the board's if left out.
    pub subtitle: Option<String>,
}

impl<'a> MapRequest<'a> {
    /// The map of a board with everything shown and nothing over it.
    pub fn new(field: &'a Battlefield, board: &'a Board) -> MapRequest<'a> {
        MapRequest {
            field,
            board,
            part: None,
            style: Style::default(),
            show: Show::default(),
            overlay: Overlay::default(),
            title: None,
            subtitle: None,
        }
    }

    /// Puts the counters of a view on the map, as a ruleset's faces show them.
    pub fn place(&mut self, view: &View, faces: &Faces) {
        for unit in &view.units {
            if let At::Hex(label) = &unit.at
                && let Ok(hex) = self.board.hex(label)
            {
                self.overlay.counters.push(Placed {
                    hex,
                    counter: faces.counter(unit),
                });
            }
        }
    }

    /// Shows only the part of the map on which counters stand, without key and title: so that they can be read on a page.
    pub fn close_up(&mut self) {
        let Some(around) = self.occupied() else {
            return;
        };
        self.show_within(&around);
        self.show.key = false;
        self.show.title = false;
    }

    /// A small picture of the part on which counters stand, with nothing beside the map: so much wide for so much high, as far as
    /// the board reaches.
    pub fn vignette(&mut self, wide: i32, high: i32) {
        let Some(mut around) = self.occupied() else {
            return;
        };
        let board = self.board;
        let all = Bounds::around(board.hexes().map(|hex| board.centre(hex))).unwrap_or(around);
        let (x, y) = (around.high.x - around.low.x, around.high.y - around.low.y);
        let stretch = |by: i32, low: &mut i32, high: &mut i32, (least, most): (i32, i32)| {
            // What has no room on one side is added on the other.
            let up = (by / 2)
                .max(by - (*low - least).max(0))
                .min((most - *high).max(0));
            *high += up;
            *low -= by - up;
        };
        let (more_x, more_y) = (y / high * wide - x, x / wide * high - y);
        if more_x > 0 {
            let (low, high) = (&mut around.low.x, &mut around.high.x);
            stretch(more_x, low, high, (all.low.x, all.high.x));
        } else if more_y > 0 {
            let (low, high) = (&mut around.low.y, &mut around.high.y);
            stretch(more_y, low, high, (all.low.y, all.high.y));
        }
        self.show_within(&around);
        self.show.frame = false;
    }

    /// The rectangle around all counters, and two hexes more.
    fn occupied(&self) -> Option<Bounds> {
        let stands = self.overlay.counters.iter();
        let around = Bounds::around(stands.map(|placed| self.board.centre(placed.hex)))?;
        let pad = self.board.lattice().pitch() * 2;
        Some(Bounds {
            low: Point::new(around.low.x - pad, around.low.y - pad),
            high: Point::new(around.high.x + pad, around.high.y + pad),
        })
    }

    fn show_within(&mut self, bounds: &Bounds) {
        let within = |hex: &HexId| bounds.contains(self.board.centre(*hex));
        self.part = Some(self.board.hexes().filter(within).collect());
    }
}
