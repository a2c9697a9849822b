//! Everything about a game that never changes: fetched once, kept by its hash.

use crate::faces::{BoardWords, Faces, HoldingWords, Livery, MarkWords, TrackWords};
use cupola_army::Army;
use cupola_ground::{HexId, Orientation};
use cupola_kernel::{Env, Reference};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Where a board lies on its picture, in units of the picture's own: pixels of the first zoom.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// The name by which the picture can be asked for.
    pub picture: String,
    /// Pixels of a tile from side to side.
    pub tile: u32,
    /// Its width.
    pub width: f64,
    /// Its height.
    pub height: f64,
    /// The distance between the centres of neighbours.
    pub hex: f64,
    /// The sets of tiles, each twice as large as the one before.
    pub zooms: Vec<SceneZoom>,
    /// Names to write on it.
    pub names: Vec<SceneName>,
    /// What must be said of those whose data it is.
    pub attribution: Option<String>,
    /// The centre of each hex.
    pub centres: Vec<(f64, f64)>,
    /// The corners of a hex around its centre.
    pub corners: [(f64, f64); 6],
}

/// A set of tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct SceneZoom {
    /// Tiles from west to east.
    pub columns: u32,
    /// Tiles from north to south.
    pub rows: u32,
}

/// A name on a map.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SceneName {
    /// The name.
    pub text: String,
    /// What it is: `hill`, `farm`.
    pub kind: String,
    /// Where.
    pub x: f64,
    /// See `x`.
    pub y: f64,
    /// The first zoom that has room for it.
    pub zoom: usize,
}

/// Everything about a game that never changes and that everybody may know.
#[derive(Clone, Debug, Serialize)]
pub struct Look {
    ruleset: String,
    title: String,
    scenario: String,
    sides: Vec<SideLook>,
    map: MapLook,
    turns: Vec<TurnLook>,
    first_turn: u16,
    units: BTreeMap<String, UnitLook>,
    tree: Vec<NodeLook>,
    tracks: Vec<TrackWords>,
    holdings: Vec<HoldingWords>,
    marks: Vec<MarkWords>,
    boards: Vec<BoardWords>,
    phases: BTreeMap<String, String>,
    states: BTreeMap<String, String>,
    badges: Vec<(String, String)>,
    /// Ways to face, in degrees from north.
    ways: BTreeMap<String, u16>,
    /// The tables that the game reads, and what its cards and words mean.
    #[serde(flatten)]
    reference: Reference,
    chapter: Option<String>,
    sections: Option<String>,
}

#[derive(Clone, Debug, Serialize)]
struct SideLook {
    id: String,
    name: String,
    #[serde(flatten)]
    livery: Livery,
}

#[derive(Clone, Debug, Serialize)]
struct MapLook {
    picture: String,
    tile: u32,
    width: f64,
    height: f64,
    hex: f64,
    zooms: Vec<SceneZoom>,
    names: Vec<SceneName>,
    attribution: Option<String>,
    /// Whether hexes stand on a flat side.
    flat: bool,
    corners: [(f64, f64); 6],
    labels: Vec<String>,
    x: Vec<i32>,
    y: Vec<i32>,
    /// Index into `covers`.
    cover: Vec<u8>,
    covers: Vec<String>,
    level: Vec<i8>,
    places: Vec<PlaceLook>,
}

#[derive(Clone, Debug, Serialize)]
struct PlaceLook {
    name: String,
    hex: String,
}

#[derive(Clone, Debug, Serialize)]
struct TurnLook {
    label: String,
    start: String,
    end: String,
    light: String,
}

#[derive(Clone, Debug, Serialize)]
struct UnitLook {
    name: String,
    side: usize,
    kind: String,
    men: u32,
    guns: u32,
    /// The node of the army list under which the roster shows it.
    node: Option<String>,
}

#[derive(Clone, Debug, Serialize)]
struct NodeLook {
    id: String,
    of: String,
    name: String,
    commander: String,
    men: u32,
}

impl Look {
    /// The look of a game of this play.
    #[must_use]
    pub fn new(
        titles: (&str, &str),
        (env, reference): (&Env, Reference),
        army: &Army,
        faces: &Faces,
        scene: &Scene,
    ) -> Look {
        let sides = env.sides.iter().map(|(_, side)| SideLook {
            id: side.id.clone(),
            name: side.name.clone(),
            livery: faces.livery(&side.id),
        });
        let turns = &env.track.turns[..=usize::from(env.last_turn).min(env.track.turns.len() - 1)];
        Look {
            ruleset: env.ruleset.clone(),
            title: titles.0.to_owned(),
            scenario: titles.1.to_owned(),
            sides: sides.collect(),
            map: map(env, scene),
            turns: turns
                .iter()
                .map(|turn| TurnLook {
                    label: turn.label.clone(),
                    start: turn.start.to_string(),
                    end: turn.end.to_string(),
                    light: turn.light.to_string(),
                })
                .collect(),
            first_turn: env.first_turn,
            units: units(env),
            tree: tree(env, army),
            tracks: faces.tracks.clone(),
            holdings: faces.holdings.clone(),
            marks: faces.marks.clone(),
            boards: faces.boards.clone(),
            phases: faces.phases.clone(),
            states: faces.states.clone(),
            badges: badges(faces),
            ways: faces.ways(),
            reference,
            chapter: faces.chapter.clone(),
            sections: faces.sections.clone(),
        }
    }
}

fn map(env: &Env, scene: &Scene) -> MapLook {
    let board = &env.board;
    let mut covers: Vec<String> = vec![];
    let mut cover = vec![];
    for hex in board.hexes() {
        let name = board.cover(hex).to_string();
        let index = covers.iter().position(|known| *known == name);
        cover.push(index.unwrap_or_else(|| {
            covers.push(name);
            covers.len() - 1
        }) as u8);
    }
    let label = |hex: HexId| board.label(hex).to_owned();
    let places = board.places().iter().filter_map(|place| {
        Some(PlaceLook {
            name: place.name.clone(),
            hex: label(place.hex?),
        })
    });
    MapLook {
        picture: scene.picture.clone(),
        tile: scene.tile,
        zooms: scene.zooms.clone(),
        names: scene.names.clone(),
        attribution: scene.attribution.clone(),
        width: scene.width,
        height: scene.height,
        hex: scene.hex,
        flat: board.orientation() == Orientation::Columns,
        corners: scene.corners,
        labels: board.hexes().map(label).collect(),
        // Hundredths of a unit are finer than any screen.
        x: scene
            .centres
            .iter()
            .map(|at| (at.0 * 100.0) as i32)
            .collect(),
        y: scene
            .centres
            .iter()
            .map(|at| (at.1 * 100.0) as i32)
            .collect(),
        cover,
        covers,
        level: board.hexes().map(|hex| board.level(hex)).collect(),
        places: places.collect(),
    }
}

fn units(env: &Env) -> BTreeMap<String, UnitLook> {
    let look = |unit: &cupola_kernel::UnitInfo| UnitLook {
        name: unit.name.clone(),
        side: unit.side as usize,
        kind: unit.kind.clone(),
        men: unit.men,
        guns: unit.guns,
        node: unit.nodes.first().cloned(),
    };
    env.units
        .iter()
        .map(|unit| (unit.id.clone(), look(unit)))
        .collect()
}

/// The formations above the units of this game.
fn tree(env: &Env, army: &Army) -> Vec<NodeLook> {
    let wanted: BTreeSet<usize> = env
        .units
        .iter()
        .filter_map(|unit| army.get(unit.nodes.first()?))
        .flat_map(|node| army.ancestors(node).map(|id| id.index()))
        .collect();
    army.ids()
        .filter(|id| wanted.contains(&id.index()))
        .map(|id| {
            let node = army.node(id);
            NodeLook {
                id: node.id.clone(),
                of: node.of.clone(),
                name: node.name.clone(),
                commander: node.commander.clone(),
                men: army.men(id),
            }
        })
        .collect()
}

/// Signs and what they mean, each once.
fn badges(faces: &Faces) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = vec![];
    for badge in faces.faces.iter().flat_map(|face| &face.badges) {
        let pair = (badge.sign.clone(), badge.means.clone());
        if !all.contains(&pair) {
            all.push(pair);
        }
    }
    all
}
