//! What the map shows besides terrain, and what terrain does.

use super::Loader;
use super::files::{MapFile, Tables};
use super::ground::road_cost;
use crate::rules::{Effect, Entry, Junction, NO_HEX, Night, terrain};
use cupola_ground::HexId;
use cupola_kernel::UnitId;

impl Loader<'_> {
    /// What kinds of hexside terrain do, by bit.
    pub(super) fn effects(&mut self, tables: &Tables) -> [Effect; 8] {
        let mut effects = [Effect::default(); 8];
        for (i, line) in tables.sides.iter().enumerate() {
            match terrain::NAMES.iter().position(|name| *name == line.terrain) {
                Some(bit) => {
                    effects[bit] = Effect {
                        moves: line.moves.0,
                        fire: line.fire.0,
                        melee: line.melee.0,
                    };
                }
                None => {
                    let field = format!("sides[{i}].terrain");
                    let what = ("terrain", line.terrain.as_str());
                    self.unknown("tables.ron", &field, what, terrain::NAMES);
                }
            }
        }
        effects
    }

    /// The entry roads around the map (§6.7).
    pub(super) fn entries(&mut self, map: &MapFile, tables: &Tables) -> Vec<Entry> {
        let board = self.input.board;
        let mut found = vec![];
        for (i, code) in map.entries.0.iter().enumerate() {
            let on_map = board
                .entries()
                .iter()
                .find(|entry| entry.code.as_deref() == Some(code));
            let Some((entry, hex)) = on_map.and_then(|entry| Some((entry, entry.hex?))) else {
                let known = board.entries().iter().filter_map(|e| e.code.as_deref());
                self.unknown(
                    "map.ron",
                    &format!("entries[0][{i}]"),
                    ("entry", code),
                    known,
                );
                continue;
            };
            // The road of this name, or whichever leaves the map there.
            let roads = || board.exits().iter().filter(|exit| exit.hex == hex);
            let named = roads().find(|exit| exit.name.as_ref() == Some(&entry.name));
            let road = named.or_else(|| roads().next());
            let beside = board.neighbours(hex).map(|(_, next)| next);
            found.push(Entry {
                code: code.clone(),
                name: entry.name.clone(),
                hex,
                cost: road.map_or(tables.minor_road.0, |exit| road_cost(tables, exit.road)),
                beside: beside.filter(|&next| board.is_edge(next)).collect(),
            });
        }
        found
    }

    /// What comes by night.
    pub(super) fn night(&mut self, map: &MapFile, entries: &[Entry]) -> Night {
        let (entries, road) = self.night_roads(map, entries);
        let points = self.by_side("map.ron", "night_supply[0]", &map.night_supply.0);
        Night {
            points: points.unwrap_or_default(),
            goal: self.night_goal(map),
            entries,
            road,
        }
    }

    /// Where a march by night leads.
    fn night_goal(&mut self, map: &MapFile) -> HexId {
        let march = map.night_march.as_ref();
        march.map_or(NO_HEX, |march| {
            self.hex("map.ron", "night_march.goal", &march.goal.0)
        })
    }

    /// The entries of night reinforcements, and the hexes on their roads (§9.74).
    fn night_roads(&mut self, map: &MapFile, entries: &[Entry]) -> (Vec<u8>, Vec<bool>) {
        let board = self.input.board;
        let mut numbers = vec![];
        let codes = map.night_march.iter().flat_map(|march| &march.entries.0);
        for (i, code) in codes.enumerate() {
            let field = format!("night_march.entries[0][{i}]");
            numbers.push(self.entry("map.ron", &field, code, entries));
        }
        numbers.sort_unstable();
        let named = |road: &str| {
            let mut names = numbers
                .iter()
                .map(|&i| entries[usize::from(i)].name.as_str());
            names.any(|name| name == road)
        };
        let on_road = board
            .hexes()
            .map(|hex| board.threads(hex).any(named))
            .collect();
        (numbers, on_road)
    }

    /// The hex where two roads meet, and the hexsides of each: those beyond which the road goes on (§2.2).
    pub(super) fn junction(&mut self, map: &MapFile) -> Junction {
        let board = self.input.board;
        let Some(line) = &map.junction else {
            return Junction::NONE;
        };
        let hex = self.hex("map.ron", "junction.hex", &line.hex);
        let mut sides = |field: &str, road: &str| {
            let along = board.neighbours(hex).filter(|&(direction, next)| {
                board.side(hex, direction).road.is_some()
                    && board.threads(next).any(|name| name == road)
            });
            let bits = along.fold(0, |bits, (direction, _)| bits | 1 << direction.index());
            if bits == 0 {
                let what = (format!("road out of {}", line.hex), road);
                self.unknown("map.ron", field, (&what.0, what.1), board.threads(hex));
            }
            bits
        };
        let roads = [
            sides("junction.roads.0", &line.roads.0),
            sides("junction.roads.1", &line.roads.1),
        ];
        Junction { hex, roads }
    }

    /// Who may be sent for a fallen corps commander, and by which entry (§4.6).
    pub(super) fn stand_in(&mut self, map: &MapFile, entries: &[Entry]) -> Option<(UnitId, u8)> {
        let line = map.stand_in.as_ref()?;
        let unit = self.unit("map.ron", "stand_in.hq", &line.hq)?;
        let entry = self.entry("map.ron", "stand_in.by", &line.by, entries);
        Some((unit, entry))
    }

    /// Stacking limits by hex (§6.2).
    pub(super) fn limits(&mut self, tables: &Tables, map: &MapFile) -> Vec<u8> {
        let board = self.input.board;
        let of_cover = |hex: HexId| {
            let line = tables
                .stacking
                .iter()
                .find(|line| line.cover == board.cover(hex));
            line.map_or(4, |line| line.limit.0)
        };
        let mut limit: Vec<u8> = board.hexes().map(of_cover).collect();
        for (i, line) in map.stacking.iter().enumerate() {
            let hex = self.hex("map.ron", &format!("stacking[{i}].hex"), &line.hex);
            limit[usize::from(hex.0)] = line.limit.0;
        }
        limit
    }

    /// Victory hexes (§9.11).
    pub(super) fn victory(&mut self, map: &MapFile) -> Vec<(String, HexId, i16)> {
        let lines = map.victory.iter().enumerate();
        lines
            .map(|(i, line)| {
                let hex = self.hex("map.ron", &format!("victory[{i}].hex"), &line.hex);
                (line.name.clone(), hex, line.points.0)
            })
            .collect()
    }
}
