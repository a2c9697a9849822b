//! The key: every symbol in use, and no other, drawn by the hands that draw the map.

use cupola_ground::board::Cover;
use cupola_ground::kinds::{CoverKind, WallKind};
use cupola_ground::{Crossing, Grade, RoadKind, WaterKind};

use crate::font::Face;
use crate::geometry::{V, v};
use crate::ground::{cover_classes, crossing, road_classes, wall_classes, water_classes};
use crate::hexes;
use crate::labels::arrow;
use crate::out::{Out, num, path};
use crate::overlay;
use crate::relief::{interval, tint};
use crate::request::Side;
use crate::rules::{
    SIDE_COVERS, band_style, closed_style, crest_style, rgb, rim_style, side_cover_style,
    side_wall_style, teeth,
};
use crate::sheet::Draft;
use crate::style;
use crate::words::{Anchor, Setting};

macro_rules! symbols {
    ($($symbol:ident = $name:literal, $words:literal;)*) => {
        /// A symbol of the map, in the order of the key.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Symbol {
            $(#[doc = $words] $symbol,)*
            /// Hexes pointed out, by number.
            Highlight(usize),
            /// A way over the board, by number.
            Track(usize),
            /// Counters of a side.
            Unit(Side),
            /// A road by which troops come, by number.
            Gate(usize),
        }

        impl Symbol {
            /// Its name in the SVG.
            pub fn name(self) -> String {
                match self {
                    $(Symbol::$symbol => $name.to_owned(),)*
                    Symbol::Highlight(n) => format!("highlight-{n}"),
                    Symbol::Track(n) => format!("track-{n}"),
                    Symbol::Gate(n) => format!("gate-{n}"),
                    Symbol::Unit(Side::First) => "unit-first".to_owned(),
                    Symbol::Unit(Side::Second) => "unit-second".to_owned(),
                }
            }

            /// What the key says, if that is always the same.
            fn plain(self) -> &'static str {
                match self { $(Symbol::$symbol => $words,)* _ => "" }
            }
        }
    };
}

symbols! {
    Pike = "pike", "Turnpike";
    Road = "road", "Road";
    Lane = "lane", "Farm lane";
    Trail = "trail", "Track";
    Railroad = "railroad", "Railroad";
    UnfinishedRailroad = "unfinished-railroad", "Unfinished railroad";
    Cut = "cut", "Railroad cut";
    Bridge = "bridge", "Bridge";
    Ford = "ford", "Ford";
    Creek = "creek", "Creek";
    Run = "run", "Run";
    Brook = "brook", "Brook, often dry";
    Woods = "woods", "Woods";
    Orchard = "orchard", "Orchard";
    Marsh = "marsh", "Marsh";
    Rocks = "rocks", "Rocks";
    Town = "town", "Town";
    Cemetery = "cemetery", "Cemetery";
    Fields = "fields", "Field of note";
    StoneWall = "stone-wall", "Stone wall";
    Fence = "fence", "Fence";
    Breastworks = "breastworks", "Breastworks";
    Village = "village", "Village";
    Hill = "hill", "Hill";
    Farm = "farm", "Farm or house";
    Building = "building", "Building of note";
    Church = "church", "Church";
    School = "school", "School";
    Tavern = "tavern", "Tavern";
    Mill = "mill", "Mill";
    Landmark = "landmark", "Landmark";
    Spring = "spring", "Spring";
    Crossroads = "crossroads", "Crossroads";
    Victory = "victory", "Victory hex";
    Relief = "relief", "Valleys to hills";
    Contour = "contour", "Contours";
    LevelTint = "level-tint", "Level of a hex, low to high";
    Level = "level", "Level of a hex";
    HexWoods = "hex-woods", "Counts as woods";
    HexOrchard = "hex-orchard", "Counts as orchard";
    HexMarsh = "hex-marsh", "Counts as marsh";
    HexRocks = "hex-rocks", "Counts as rocks";
    HexTown = "hex-town", "Counts as town";
    GentleSlope = "gentle-slope", "Slope, downhill this way";
    SteepSlope = "steep-slope", "Steep slope, downhill this way";
    SideCrest = "side-crest", "Ridge hexside";
    SideCreek = "side-creek", "Creek hexside";
    SideRun = "side-run", "Stream hexside";
    SideBrook = "side-brook", "Brook hexside";
    SideWoods = "side-woods", "Woods hexside";
    SideOrchard = "side-orchard", "Orchard hexside";
    SideMarsh = "side-marsh", "Marsh hexside";
    SideRocks = "side-rocks", "Rock hexside";
    SideTown = "side-town", "Town hexside";
    SideWall = "side-wall", "Wall hexside";
    SideClosed = "side-closed", "Closed hexside";
    Sloping = "sloping", "Sloping ground";
    LevelLine = "level-line", "Edge of a level";
    Heat = "heat", "Values by hex";
}

/// What the key says of a symbol.
fn words(draft: &Draft<'_>, symbol: Symbol) -> String {
    let overlay = &draft.request.overlay;
    match symbol {
        Symbol::Contour => format!("Contours, every {} m", num(interval(&draft.sheet).0)),
        Symbol::Heat => overlay.heat.as_ref().map_or(String::new(), |heat| {
            let (low, high) = overlay::range(heat);
            format!("{}, {} to {}", heat.name, num(low), num(high))
        }),
        Symbol::Highlight(n) => overlay.highlights[n].name.clone(),
        Symbol::Track(n) => overlay.tracks[n].name.clone(),
        Symbol::Unit(side) => overlay.sides[side as usize].clone(),
        Symbol::Gate(n) => draft.gates[n].1.clone(),
        _ => symbol.plain().to_owned(),
    }
}

/// A point symbol.
pub fn glyph(out: &mut Out, symbol: Symbol, at: V, k: f64) {
    let p = |x: f64, y: f64| at + v(x * k, y * k);
    match symbol {
        Symbol::Village => {
            out.circle("open", at, 4.2 * k);
            out.circle("ink", at, 1.6 * k);
        }
        Symbol::Hill => out.path(
            "peak",
            &path(&[p(-5.0, 3.6), p(0.0, -5.0), p(5.0, 3.6)], true),
        ),
        Symbol::Farm => out.rect("mark", p(-2.9, -2.9), 5.8 * k, 5.8 * k),
        Symbol::Building => {
            out.rect("open", p(-3.6, -3.6), 7.2 * k, 7.2 * k);
            out.rect("ink", p(-1.8, -1.8), 3.6 * k, 3.6 * k);
        }
        Symbol::Church => {
            let cross = [p(0.0, -7.0), p(0.0, 4.0)];
            let arms = [p(-3.0, -4.2), p(3.0, -4.2)];
            out.path("bridge", &(path(&cross, false) + &path(&arms, false)));
        }
        Symbol::School => {
            out.rect("mark", p(-2.9, -1.9), 5.8 * k, 5.0 * k);
            let flag = [p(0.0, -1.9), p(0.0, -8.0), p(4.6, -6.4), p(0.0, -4.8)];
            out.path("ink", &path(&flag, true));
            out.path("leader", &path(&flag[..2], false));
        }
        Symbol::Tavern => {
            let house = [
                p(-3.8, 3.4),
                p(-3.8, -1.0),
                p(0.0, -4.8),
                p(3.8, -1.0),
                p(3.8, 3.4),
            ];
            out.path("open", &path(&house, true));
        }
        Symbol::Mill => {
            out.circle("open", at, 4.2 * k);
            let spokes = path(&[p(-4.2, 0.0), p(4.2, 0.0)], false)
                + &path(&[p(0.0, -4.2), p(0.0, 4.2)], false);
            out.path("leader", &spokes);
        }
        Symbol::Landmark => {
            let diamond = [p(0.0, -4.2), p(4.2, 0.0), p(0.0, 4.2), p(-4.2, 0.0)];
            out.path("mark", &path(&diamond, true));
        }
        Symbol::Spring => {
            out.circle("creek-c", at, 3.2 * k);
            out.circle("ink", at, 1.2 * k);
        }
        Symbol::Crossroads => {
            let cross = path(&[p(-3.4, -3.4), p(3.4, 3.4)], false)
                + &path(&[p(-3.4, 3.4), p(3.4, -3.4)], false);
            out.path("bridge", &cross);
        }
        Symbol::Victory => out.path("star", &path(&star(at, 7.0 * k), true)),
        _ => {}
    }
}

fn star(at: V, radius: f64) -> Vec<V> {
    (0..10)
        .map(|index| {
            let angle = std::f64::consts::PI * (f64::from(index) / 5.0 - 0.5);
            let r = if index % 2 == 0 {
                radius
            } else {
                radius * 0.42
            };
            at + v(libm::cos(angle), libm::sin(angle)) * r
        })
        .collect()
}

/// Size of the sample beside each line of the key.
const SWATCH: V = v(46.0, 19.0);
/// Height of a line.
const ROW: f64 = 26.0;

/// The key in columns from a corner; gives back how high it is.
pub fn key(draft: &mut Draft<'_>, low: V, width: f64) -> f64 {
    let entries: Vec<(Symbol, String)> = draft
        .used
        .iter()
        .map(|symbol| (*symbol, words(draft, *symbol)))
        .collect();
    if entries.is_empty() {
        return 0.0;
    }
    let setting = style::text("t-key", 1.0);
    let widest = entries
        .iter()
        .map(|(_, words)| draft.rulers.set(setting, words))
        .fold(0.0, f64::max);
    let cell = SWATCH.x + 10.0 + widest + 24.0;
    let columns = ((width / cell) as usize).max(1);
    let rows = entries.len().div_ceil(columns);
    let cell = width / columns as f64;
    draft.out.open("id=\"key\"");
    for (index, (symbol, words)) in entries.iter().enumerate() {
        let (column, row) = (index / rows, index % rows);
        let at = low + v(column as f64 * cell, row as f64 * ROW);
        draft.out.open(&format!("data-key=\"{}\"", symbol.name()));
        swatch(draft, *symbol, at);
        let text = at + v(SWATCH.x + 10.0, SWATCH.y / 2.0 + setting.size * 0.34);
        draft.words("t-key", text, Anchor::Start, words);
        draft.out.close();
    }
    draft.out.close();
    rows as f64 * ROW
}

/// A sample of a symbol.
fn swatch(draft: &mut Draft<'_>, symbol: Symbol, low: V) {
    let middle = low + SWATCH * 0.5;
    let (left, right) = (v(low.x, middle.y), v(low.x + SWATCH.x, middle.y));
    let across = path(&[left, right], false);
    let lines = |draft: &mut Draft<'_>, classes: &[&str]| {
        for class in classes {
            draft.out.path(class, &across);
        }
    };
    match symbol {
        Symbol::Pike => lines(draft, road_classes(RoadKind::Pike)),
        Symbol::Road => lines(draft, road_classes(RoadKind::Road)),
        Symbol::Lane => lines(draft, road_classes(RoadKind::Lane)),
        Symbol::Trail => lines(draft, road_classes(RoadKind::Trail)),
        Symbol::Railroad => lines(draft, road_classes(RoadKind::Railroad)),
        Symbol::UnfinishedRailroad => lines(draft, road_classes(RoadKind::UnfinishedRailroad)),
        Symbol::Cut => lines(draft, &["cut", "bed"]),
        Symbol::Creek => lines(draft, water_classes(WaterKind::Creek)),
        Symbol::Run => lines(draft, water_classes(WaterKind::Run)),
        Symbol::Brook => lines(draft, water_classes(WaterKind::Brook)),
        Symbol::StoneWall => lines(draft, wall_classes(WallKind::StoneWall)),
        Symbol::Fence => lines(draft, wall_classes(WallKind::Fence)),
        Symbol::Breastworks => lines(draft, wall_classes(WallKind::Breastworks)),
        Symbol::Bridge => over_water(draft, Crossing::Bridge, middle),
        Symbol::Ford => over_water(draft, Crossing::Ford, middle),
        Symbol::Woods => area(draft, CoverKind::Woods, low),
        Symbol::Orchard => area(draft, CoverKind::Orchard, low),
        Symbol::Marsh => area(draft, CoverKind::Marsh, low),
        Symbol::Rocks => area(draft, CoverKind::Rocks, low),
        Symbol::Town => area(draft, CoverKind::Town, low),
        Symbol::Cemetery => area(draft, CoverKind::Cemetery, low),
        Symbol::Fields => area(draft, CoverKind::Fields, low),
        Symbol::Contour => contour(draft, low),
        Symbol::Relief => ramp(draft, low, 24, tint),
        Symbol::LevelTint => ramp(draft, low, 5, tint),
        Symbol::Heat => ramp(draft, low, 12, overlay::heat_tint),
        Symbol::HexWoods => hex(draft, Cover::Woods, middle),
        Symbol::HexOrchard => hex(draft, Cover::Orchard, middle),
        Symbol::HexMarsh => hex(draft, Cover::Marsh, middle),
        Symbol::HexRocks => hex(draft, Cover::Rocks, middle),
        Symbol::HexTown => hex(draft, Cover::Town, middle),
        Symbol::GentleSlope => slope(draft, Grade::Gentle, low),
        Symbol::SteepSlope => slope(draft, Grade::Steep, low),
        Symbol::Level => letter(draft, middle),
        _ => swatch_more(draft, symbol, middle, &across),
    }
}

fn swatch_more(draft: &mut Draft<'_>, symbol: Symbol, middle: V, across: &str) {
    let hex = draft.sheet.hex.max(40.0);
    let natural = draft.natural();
    let style = match symbol {
        Symbol::SideCrest => crest_style(hex),
        Symbol::SideCreek => band_style(WaterKind::Creek, hex, natural),
        Symbol::SideRun => band_style(WaterKind::Run, hex, natural),
        Symbol::SideBrook => band_style(WaterKind::Brook, hex, natural),
        Symbol::SideWoods
        | Symbol::SideOrchard
        | Symbol::SideMarsh
        | Symbol::SideRocks
        | Symbol::SideTown => {
            let cover = SIDE_COVERS.iter().find(|(_, own)| *own == symbol);
            side_cover_style(cover.map_or(Cover::Town, |(cover, _)| *cover), hex)
        }
        Symbol::SideClosed => closed_style(hex),
        Symbol::LevelLine => return draft.out.path("level-line", across),
        Symbol::Sloping => return hexes::sloping_sign(draft, middle, 40.0),
        Symbol::Gate(index) => return gate(draft, index, middle),
        Symbol::SideWall => side_wall_style(hex),
        Symbol::Highlight(_) | Symbol::Track(_) | Symbol::Unit(_) => {
            return overlay::swatch(draft, symbol, middle);
        }
        _ => return glyph(&mut draft.out, symbol, middle, 1.25),
    };
    draft.out.raw(format!("<path {style} d=\"{across}\"/>"));
}

/// The arrow of a gate and its letters.
fn gate(draft: &mut Draft<'_>, index: usize, middle: V) {
    let letters = draft.gates[index].0.clone();
    arrow(draft, middle - v(12.0, 0.0), v(1.0, 0.0), 9.0);
    draft.words("t-gate", middle + v(11.0, 5.0), Anchor::Middle, &letters);
}

fn over_water(draft: &mut Draft<'_>, kind: Crossing, middle: V) {
    let stream = [middle - v(0.0, 9.5), middle + v(0.0, 9.5)];
    draft.out.path("run", &path(&stream, false));
    let road = [middle - v(20.0, 0.0), middle + v(20.0, 0.0)];
    draft.out.path("road-c", &path(&road, false));
    draft.out.path("road", &path(&road, false));
    crossing(draft, kind, middle, v(1.0, 0.0));
}

fn area(draft: &mut Draft<'_>, kind: CoverKind, low: V) {
    let corners = [
        low,
        low + v(SWATCH.x, 0.0),
        low + SWATCH,
        low + v(0.0, SWATCH.y),
    ];
    let d = path(&corners, true);
    for class in cover_classes(kind) {
        draft.out.path(class, &d);
    }
}

fn contour(draft: &mut Draft<'_>, low: V) {
    for (y, class) in [(0.2, "contour"), (0.5, "contour index"), (0.8, "contour")] {
        let at = low + v(0.0, SWATCH.y * y);
        let d = format!("M{} {}q11 -5 23 0t23 0", num(at.x), num(at.y));
        draft.out.path(class, &d);
    }
}

fn ramp(draft: &mut Draft<'_>, low: V, parts: usize, colour: fn(f64) -> [f64; 3]) {
    let width = SWATCH.x / parts as f64;
    for part in 0..parts {
        let share = part as f64 / (parts - 1).max(1) as f64;
        draft.out.raw(format!(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>",
            num(low.x + width * part as f64),
            num(low.y),
            num(width + 0.2),
            num(SWATCH.y),
            rgb(colour(share))
        ));
    }
    draft.out.rect("edge", low, SWATCH.x, SWATCH.y);
}

fn hex(draft: &mut Draft<'_>, cover: Cover, middle: V) {
    let ring: Vec<V> = (0..6)
        .map(|index| {
            let angle = std::f64::consts::PI * (f64::from(index) / 3.0 + 1.0 / 6.0);
            middle + v(libm::cos(angle), libm::sin(angle)) * 10.5
        })
        .collect();
    let style = rim_style(cover, 60.0);
    draft
        .out
        .raw(format!("<path {style} d=\"{}\"/>", path(&ring, true)));
}

fn slope(draft: &mut Draft<'_>, grade: Grade, low: V) {
    let (a, b) = (low + v(0.0, 5.0), low + v(SWATCH.x, 5.0));
    draft.out.path("leader", &path(&[a, b], false));
    let mut d = String::new();
    teeth(&mut d, a, b, v(0.0, 1.6), grade);
    let class = match grade {
        Grade::Gentle => "tick",
        Grade::Steep => "teeth",
    };
    draft.out.path(class, &d);
}

fn letter(draft: &mut Draft<'_>, middle: V) {
    let setting = Setting {
        face: Face::Bold,
        size: 15.0,
        spacing: 0.0,
    };
    draft.open_labels(setting, "fill=\"#6b3e1a\"");
    draft.label("v", middle + v(0.0, 5.0), setting, "3");
    draft.out.close();
}
