//! Ways onto the map: staging areas, and roads off it.

use super::Names;
use crate::files::{EntryFile, Places, ScenarioFile};
use crate::rules::{Exit, Gate, Road, Span};
use cupola_ground::board::{Hexside, Mark};
use cupola_ground::{Board, Crossing, Direction, HexId, RoadKind};
use cupola_kernel::{BySide, Side, UnitId};

/// The gates of a scenario, as units name them.
#[derive(Default)]
pub struct Gates {
    pub list: Vec<Gate>,
}

impl Gates {
    /// The gate that a line of the set-up names; made when it is named first.
    pub fn find(
        &mut self,
        names: &mut Names,
        scenario: &ScenarioFile,
        (field, side): (&str, Side),
        places: &Places,
    ) -> u16 {
        let keys = places.all();
        let name = keys.join(" or ");
        let known = self
            .list
            .iter()
            .position(|gate| gate.name == name && gate.side == side);
        if let Some(known) = known {
            return known as u16;
        }
        let mut gate = shut(name, side);
        for key in keys {
            let plain = EntryFile::default();
            let file = scenario.entries.get(key).unwrap_or(&plain);
            add(&mut gate, names, field, key, file);
        }
        self.list.push(gate);
        (self.list.len() - 1) as u16
    }

    /// Notes who comes by a gate.
    pub fn comes(&mut self, gate: u16, unit: UnitId) {
        self.list[usize::from(gate)].units.push(unit);
    }
}

/// A gate without hexes yet.
fn shut(name: String, side: Side) -> Gate {
    Gate {
        name,
        side,
        direct: vec![],
        hexes: vec![],
        instead: vec![],
        march: true,
        toll: true,
        ward: vec![],
        units: vec![],
    }
}

/// A gate that no line of the set-up names: nobody keeps away from it.
pub fn extra(names: &mut Names, field: &str, side: Side, entries: &[String]) -> Gate {
    let plain = EntryFile {
        ward: false,
        ..EntryFile::default()
    };
    let mut gate = shut(entries.join(" or "), side);
    for key in entries {
        add(&mut gate, names, field, key, &plain);
    }
    gate
}

/// Adds an entry of the scenario, an area of the board or a hex.
fn add(gate: &mut Gate, names: &mut Names, field: &str, key: &str, file: &EntryFile) {
    let hexes = if file.hexes.is_empty() {
        names.entry(field, file.area.as_deref().unwrap_or(key))
    } else {
        names.hexes(&format!("entries.{key}.hexes"), &file.hexes)
    };
    let instead = names.hexes(&format!("entries.{key}.instead"), &file.instead);
    gate.direct.extend(hexes.first());
    if file.ward {
        gate.ward.extend(names.around(&hexes));
        gate.ward.sort_unstable();
        gate.ward.dedup();
    }
    gate.hexes.extend(hexes);
    gate.instead.extend(instead);
    gate.march &= file.march;
    gate.toll &= file.toll;
}

/// The ends of the roads off the map that a scenario uses, each with where it leads (§5.19).
pub fn roads(names: &mut Names, board: &Board, scenario: &ScenarioFile) -> Vec<Road> {
    let mut found = vec![];
    for (i, file) in scenario.off_map.iter().enumerate() {
        let field = format!("off_map[{i}]");
        let ends = names.hexes(&format!("{field}.ends"), &file.ends);
        let sides: Vec<Side> = file
            .sides
            .iter()
            .map(|side| names.side(&format!("{field}.sides"), side))
            .collect();
        let open = |side| sides.is_empty() || sides.contains(&side);
        for (&hex, label) in ends.iter().zip(&file.ends) {
            let sides = BySide {
                first: open(Side::First),
                second: open(Side::Second),
            };
            let only = file.exits.get(label);
            let only = only.map(|exits| names.hexes(&format!("{field}.exits"), exits));
            let allowed = |exit: &Exit| {
                let listed = only.as_ref().is_none_or(|only| only.contains(&exit.hex));
                listed && ends.contains(&exit.hex)
            };
            let exits = reachable(board, hex).into_iter().filter(allowed).collect();
            found.push(Road {
                exits,
                ..Road::at(hex, sides)
            });
        }
    }
    found
}

/// Where the board's links lead from a hex, itself included: the shortest way to each.
fn reachable(board: &Board, start: HexId) -> Vec<Exit> {
    let mut found = vec![Exit {
        hex: start,
        roads: 0,
        trails: 0,
    }];
    let mut next = 0;
    while let Some(&at) = found.get(next) {
        next += 1;
        for link in board.links() {
            let [a, b] = link.ends;
            let to = match at.hex {
                hex if hex == a => b,
                hex if hex == b => a,
                _ => continue,
            };
            if found.iter().all(|exit| exit.hex != to) {
                let trail = !matches!(link.road, RoadKind::Road | RoadKind::Pike);
                let (roads, trails) = if trail {
                    (0, link.hexes)
                } else {
                    (link.hexes, 0)
                };
                found.push(Exit {
                    hex: to,
                    roads: at.roads + roads,
                    trails: at.trails + trails,
                });
            }
        }
    }
    found
}

/// Bridges over railroad cuts: the board bridges two hexsides of a hex with a cut, without water. The cut to both sides
/// commands them.
pub fn spans(board: &Board) -> Vec<Span> {
    let cut = |hex: HexId| board.marks(hex).contains(Mark::Cut);
    let mut found = vec![];
    for hex in board.hexes().filter(|&hex| cut(hex)) {
        let sides = |wanted: fn(&Hexside) -> bool| -> Vec<HexId> {
            let around = board.neighbours(hex);
            let sides = around.filter(|(way, _)| wanted(board.side(hex, *way)));
            sides.map(|(_, next)| next).collect()
        };
        let ends = sides(|side| side.crossing == Some(Crossing::Bridge) && side.water.is_none());
        if let [one, other] = ends[..] {
            let mut guards = sides(|side| side.road == Some(RoadKind::UnfinishedRailroad));
            guards.push(hex);
            found.push(Span {
                ends: [one, other],
                guards,
            });
        }
    }
    found
}

/// Per hex: its thick black hexsides, a bit each.
pub fn parted(board: &Board) -> Vec<u8> {
    let closed = |hex: HexId, way: Direction| u8::from(board.side(hex, way).closed) << way.index();
    let hexes = board.hexes();
    hexes
        .map(|hex| Direction::ALL.into_iter().map(|way| closed(hex, way)).sum())
        .collect()
}

/// Hexes of the scenario's map beside which it ends.
pub fn border(board: &Board, field: &[bool]) -> Vec<HexId> {
    let ends = |hex: &HexId| {
        let outside = |(_, next): (_, HexId)| !field[next.index()];
        board.neighbours(*hex).count() < 6 || board.neighbours(*hex).any(outside)
    };
    let inside = board.hexes().filter(|hex| field[hex.index()]);
    inside.filter(ends).collect()
}
