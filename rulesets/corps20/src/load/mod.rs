//! From data files to [`Rules`].

mod arrays;
mod files;
mod roster;

use crate::crt::Crt;
use crate::rules::{Entry, EventCard, Happening, Lifeline, Losses, Rules, Switches};
use arrays::{distances, edges, entries, hops};
use cupola_army::{Counters, Light, Turns};
use cupola_data::{Origin, Problems, Source};
use cupola_ground::HexId;
use cupola_kernel::{BySide, Input, Loaded, Side, UnitInfo};
use files::{LeaderValues, MapFile, ScenarioFile, Tables, Values};
use std::sync::Arc;

/// Side `cs` is the first, `us` the second: the order of play (§3).
fn side_of(id: &str) -> Side {
    if id == "cs" {
        Side::First
    } else {
        Side::Second
    }
}

/// Collects what the files say, with every mistake.
struct Loader<'a> {
    input: &'a Input<'a>,
    problems: Problems,
}

/// Reads everything.
pub fn load(input: &Input) -> Result<Loaded, Problems> {
    let mut problems = Problems::default();
    let tables = problems.keep_all(read::<Tables>(input, "tables.ron"));
    let map = problems.keep_all(read::<MapFile>(input, "map.ron"));
    let scenario = problems.keep(input.scenario.ron::<ScenarioFile>());
    let counters = problems.keep_all(
        input
            .file("counters.ron")
            .and_then(|file| Counters::<Values, LeaderValues>::read(file, input.army)),
    );
    let (Some(tables), Some(map), Some(scenario), Some(counters)) =
        (tables, map, scenario, counters)
    else {
        return Err(problems.sorted());
    };
    let mut loader = Loader { input, problems };
    let first = loader.turn(input.scenario, "first", &scenario.first);
    let last = loader.turn(input.scenario, "last", &scenario.last);
    let entries = entries(input.board);
    let roster = loader.roster(&counters, &entries, first);
    let (lines, lifelines) = loader.communications(&map, &entries);
    let towns = loader.hexes("map.ron", "towns", &map.towns);
    let gettysburg = loader.hexes("map.ron", "gettysburg", &map.gettysburg);
    let rain = loader.rain(&tables);
    let deck = loader.deck(&tables, &roster.units);
    loader.crt(&tables.crt);
    let edges = edges(input.board);
    let communications = BySide::from_fn(|side| {
        let hexes = lines[side].iter().map(|line| line.gate.hex);
        hexes.collect::<Vec<HexId>>()
    });
    let homes = BySide::from_fn(|side| distances(input.board, &communications[side]));
    let morale = BySide {
        first: tables.morale_start.0.cs,
        second: tables.morale_start.0.us,
    };
    let rules = Rules {
        own: roster.own(),
        units: roster.unit_count,
        cards: roster.cards,
        starts: roster.starts,
        markers: roster.markers,
        guns: roster.guns,
        lee: roster.lee,
        hops: [false, true].map(|leader| hops(&edges, leader)),
        edges,
        communications,
        lines,
        homes,
        towns,
        gettysburg,
        lifelines,
        entries,
        crt: tables.crt,
        deck,
        rain,
        morale: (morale, tables.morale_track.0),
        losses: Losses {
            routed: tables.losses.routed.0,
            broken: tables.losses.broken.0,
            cadre: tables.losses.cadre.0,
            eliminated: tables.losses.eliminated.0,
        },
        cadre: roster.cadre,
        first_round: first,
        next_dawn: next_dawns(input.track),
        switches: Switches {
            terrain_per_defender: input.switch("terrain_per_defender"),
            routed_enemies_pin: input.switch("routed_enemies_pin"),
            displaced_leaders_face_down: input.switch("displaced_leaders_face_down"),
        },
    };
    let tokens = crate::tokens::NAMES
        .iter()
        .map(|&name| name.to_owned())
        .collect();
    let loaded = Loaded {
        units: roster.units,
        tokens,
        first_turn: first,
        last_turn: last,
        rules: Arc::new(rules),
    };
    loader.problems.check(loaded)
}

fn read<T: serde::de::DeserializeOwned>(input: &Input, name: &str) -> Result<T, Problems> {
    input.file(name)?.ron().map_err(Problems::from)
}

impl Loader<'_> {
    fn turn(&mut self, file: &Source, field: &str, id: &str) -> u16 {
        let turns = &self.input.track.turns;
        turns.iter().position(|turn| turn.id == id).map_or_else(
            || {
                let problem = file.problem(field, format!("no turn \"{id}\""));
                self.problems
                    .push(problem.with_nearest(id, turns.iter().map(|turn| turn.id.as_str())));
                0
            },
            |i| i as u16,
        )
    }

    fn hex(&mut self, file: &str, field: &str, label: &str) -> HexId {
        self.input.board.hex(label).unwrap_or_else(|wrong| {
            if let Some(source) = self.input.files.get(file) {
                self.problems.push(source.problem(field, wrong.to_string()));
            }
            HexId(0)
        })
    }

    fn hexes(&mut self, file: &str, field: &str, labels: &[(String, Origin)]) -> Vec<HexId> {
        labels
            .iter()
            .enumerate()
            .map(|(i, (label, _))| self.hex(file, &format!("{field}[{i}]"), label))
            .collect()
    }

    /// Lines of communications, each an entry of the board, and the pikes that lead there.
    fn communications(
        &mut self,
        map: &MapFile,
        entries: &[Entry],
    ) -> (BySide<Vec<Entry>>, Vec<Lifeline>) {
        let mut lines: BySide<Vec<Entry>> = BySide::default();
        let mut lifelines = vec![];
        for (i, line) in map.communications.iter().enumerate() {
            let field = format!("communications[{i}]");
            let sides = ["cs", "us"];
            if !sides.contains(&&*line.side) {
                self.unknown(&format!("{field}.side"), "side", &line.side, sides);
            }
            let Some(entry) = entries.iter().find(|entry| entry.code == line.entry) else {
                let codes = entries.iter().map(|entry| &*entry.code);
                self.unknown(&format!("{field}.entry"), "entry", &line.entry, codes);
                continue;
            };
            let (side, hex) = (side_of(&line.side), entry.gate.hex);
            lines[side].push(entry.clone());
            if let Some(name) = &line.pike {
                lifelines.push(self.lifeline(&field, side, hex, name));
            }
        }
        (lines, lifelines)
    }

    /// Notes that `map.ron` names something that is not there.
    fn unknown<'n>(
        &mut self,
        field: &str,
        what: &str,
        name: &str,
        known: impl IntoIterator<Item = &'n str>,
    ) {
        if let Some(file) = self.input.files.get("map.ron") {
            let problem = file.problem(field, format!("no {what} \"{name}\""));
            self.problems.push(problem.with_nearest(name, known));
        }
    }

    fn lifeline(&mut self, field: &str, side: Side, hex: HexId, name: &str) -> Lifeline {
        let board = self.input.board;
        let pike = arrays::pike(board, hex, name);
        if pike.len() < 2 {
            let what = format!("pike that leads to {} by the name", board.label(hex));
            let known: Vec<&str> = board.threads(hex).collect();
            self.unknown(&format!("{field}.pike"), &what, name, known);
        }
        let mut near = vec![false; board.len()];
        for on in pike {
            near[usize::from(on.0)] = true;
            let around = board.neighbours(on);
            around.for_each(|(_, hex)| near[usize::from(hex.0)] = true);
        }
        Lifeline { side, hex, near }
    }

    fn rain(&mut self, tables: &Tables) -> Vec<(u16, u8)> {
        let Some(file) = self.input.files.get("tables.ron") else {
            return vec![];
        };
        let lines = tables.rain.iter().enumerate();
        lines
            .map(|(i, line)| {
                (
                    self.turn(file, &format!("rain[{i}].turn"), &line.turn),
                    line.up_to.0,
                )
            })
            .collect()
    }

    fn deck(&mut self, tables: &Tables, units: &[UnitInfo]) -> Vec<EventCard> {
        let Some(file) = self.input.files.get("tables.ron") else {
            return vec![];
        };
        if !(1..=16).contains(&tables.deck.len()) {
            let message = format!("{} cards, expected 1 to 16", tables.deck.len());
            self.problems.push(file.problem("deck", message));
        }
        for (i, card) in tables.deck.iter().enumerate() {
            if usize::from(card.number) != i + 1 {
                self.problems.push(file.problem(
                    &format!("deck[{i}].number"),
                    format!("expected card {}", i + 1),
                ));
            }
            for (key, (_, happening)) in [("us", &card.us), ("cs", &card.cs)] {
                let (Happening::PoorLeadership(ids) | Happening::GoodLeadership(ids)) = happening
                else {
                    continue;
                };
                if ids.is_empty() || 6 % ids.len() != 0 {
                    let problem = file.problem(
                        &format!("deck[{i}].{key}"),
                        "the die cannot be shared out evenly among these",
                    );
                    self.problems.push(problem);
                }
                for id in ids
                    .iter()
                    .filter(|id| units.iter().all(|unit| unit.id != **id))
                {
                    let problem =
                        file.problem(&format!("deck[{i}].{key}"), format!("no unit \"{id}\""));
                    self.problems
                        .push(problem.with_nearest(id, units.iter().map(|unit| unit.id.as_str())));
                }
            }
        }
        let cards = tables.deck.iter();
        cards
            .map(|card| EventCard {
                sides: BySide {
                    first: card.cs.clone(),
                    second: card.us.clone(),
                },
            })
            .collect()
    }

    fn crt(&mut self, crt: &Crt) {
        let Some(file) = self.input.files.get("tables.ron") else {
            return;
        };
        if crt.0.is_empty() {
            self.problems
                .push(file.problem("crt", "the table has no column"));
        }
        for (i, pair) in crt.0.windows(2).enumerate() {
            if pair[1].at != pair[0].at + 1 {
                let message = format!(
                    "expected the column {:+}, found {:+}",
                    pair[0].at + 1,
                    pair[1].at
                );
                self.problems
                    .push(file.problem(&format!("crt[{}].at", i + 1), message));
            }
        }
    }
}

/// For every round the next Dawn after it (§9.2); far beyond the game if there is none.
fn next_dawns(track: &Turns) -> Vec<u16> {
    let turns = &track.turns;
    let dawn = |from: usize| {
        turns
            .iter()
            .skip(from)
            .position(|turn| turn.light == Light::Dawn)
            .map(|i| (from + i) as u16)
    };
    (0..turns.len())
        .map(|i| dawn(i + 1).unwrap_or(u16::MAX))
        .collect()
}
