//! From data files to [`Rules`].

use crate::crt::Crt;
use crate::rules::{
    Card, Edge, Entry, EventCard, Happening, Hop, Kind, Lifeline, Rules, Start, Switches,
};
use crate::state::Way;
use cupola_army::{Arm, Army, Counters, Light, Turns};
use cupola_data::{Origin, Problems, Source, Sourced};
use cupola_ground::{Board, Cover, Direction, Grade, HexId, Rise};
use cupola_kernel::{BySide, Input, Loaded, Side, UnitInfo};
use serde::Deserialize;
use std::sync::Arc;

/// The ratings of a counter in `counters.ron`.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Values {
    Unit {
        strength: Sourced<i8>,
        quality: Sourced<i8>,
        ma: Sourced<u8>,
        #[serde(default)]
        corps: Option<String>,
        #[serde(default)]
        entry: Option<Sourced<Arrives>>,
    },
    Marker {
        bonus: Sourced<i8>,
        rounds_away: Sourced<u16>,
        corps: String,
        entry: Sourced<Arrives>,
    },
}

/// The ratings of a leader in `counters.ron`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct LeaderValues {
    range: Sourced<i8>,
    #[serde(default)]
    ma: Option<Sourced<u8>>,
    #[serde(default)]
    corps: Option<String>,
    entry: Sourced<Arrives>,
}

/// When and where a counter comes.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Arrives {
    turn: String,
    at: String,
    fatigue: Fatigue,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Fatigue {
    Fresh,
    Tired,
    Weary,
}

/// `tables.ron`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Tables {
    crt: Crt,
    morale_start: Sourced<BySideOf<i8>>,
    morale_track: Sourced<i8>,
    rain: Vec<RainLine>,
    deck: Vec<CardLine>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct BySideOf<T> {
    cs: T,
    us: T,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RainLine {
    turn: String,
    up_to: Sourced<u8>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CardLine {
    number: u8,
    us: (String, Happening),
    cs: (String, Happening),
}

/// `map.ron`: what the printed map shows besides terrain.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct MapFile {
    towns: Vec<(String, Origin)>,
    gettysburg: Vec<(String, Origin)>,
    communications: Vec<LineFile>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct LineFile {
    side: String,
    hex: String,
    /// The pike that leads there, hex by hex from the line of communications inwards.
    pike: Vec<String>,
    #[serde(rename = "origin")]
    _origin: Origin,
}

/// A scenario of this ruleset.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ScenarioFile {
    #[serde(rename = "title")]
    _title: String,
    #[serde(rename = "battle")]
    _battle: String,
    first: String,
    last: String,
}

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
    let (communications, lifelines) = loader.communications(&map);
    let towns = loader.hexes("map.ron", "towns", &map.towns);
    let gettysburg = loader.hexes("map.ron", "gettysburg", &map.gettysburg);
    let rain = loader.rain(&tables);
    let deck = loader.deck(&tables, &roster.units);
    loader.crt(&tables.crt);
    let edges = edges(input.board);
    let home = BySide::from_fn(|side| distances(input.board, &communications[side]));
    let morale = BySide {
        first: tables.morale_start.0.cs,
        second: tables.morale_start.0.us,
    };
    let rules = Rules {
        units: roster.unit_count,
        cards: roster.cards,
        starts: roster.starts,
        markers: roster.markers,
        guns: roster.guns,
        lee: roster.lee,
        hops: [false, true].map(|leader| hops(&edges, leader)),
        edges,
        communications,
        home,
        towns,
        gettysburg,
        lifelines,
        entries,
        crt: tables.crt,
        deck,
        rain,
        morale: (morale, tables.morale_track.0),
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

/// The counters of a game.
struct Roster {
    units: Vec<UnitInfo>,
    unit_count: u16,
    cards: Vec<Card>,
    starts: Vec<(Start, u8)>,
    markers: [Option<u16>; 4],
    guns: (i8, u16),
    lee: i8,
    cadre: (i8, i8, u8),
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

    fn roster(
        &mut self,
        counters: &Counters<Values, LeaderValues>,
        entries: &[Entry],
        first: u16,
    ) -> Roster {
        let mut roster = Roster {
            units: vec![],
            unit_count: 0,
            cards: vec![],
            starts: vec![],
            markers: [None; 4],
            guns: (1, 2),
            lee: 1,
            cadre: (1, 1, 1),
        };
        for (i, counter) in counters.counters.iter().enumerate() {
            let field = format!("counters[{i}].values.entry");
            match &counter.values {
                Values::Unit {
                    strength,
                    quality,
                    ma,
                    ..
                } if counter.kind == Arm::Cadre => {
                    roster.cadre = (strength.0, quality.0, ma.0);
                }
                Values::Unit {
                    strength,
                    quality,
                    ma,
                    corps,
                    entry,
                } => {
                    let kind = match counter.kind {
                        Arm::Cavalry => Kind::Cavalry,
                        Arm::Artillery | Arm::HorseArtillery => Kind::Artillery,
                        _ => Kind::Infantry,
                    };
                    let card = Card {
                        kind,
                        side: side_of(&counter.side),
                        strength: strength.0,
                        quality: quality.0,
                        movement: ma.0,
                        corps: corps.as_deref().and_then(corps_number),
                    };
                    let start = entry.as_ref().map_or((Start::Out, 0), |e| {
                        self.start(&field, &e.0, entries, first)
                    });
                    let info = info(
                        &counter.id,
                        &counter.name,
                        &counter.side,
                        &counter.kind.to_string(),
                        &counter.nodes,
                        self.input.army,
                    );
                    roster.add(info, card, start);
                }
                Values::Marker {
                    corps,
                    entry,
                    bonus,
                    rounds_away,
                } => {
                    roster.guns = (bonus.0, rounds_away.0);
                    if let Some(corps) = corps_number(corps) {
                        roster.markers[usize::from(corps) + 1] =
                            Some(self.round(&field, &entry.0.turn, first));
                    }
                }
            }
        }
        roster.unit_count = roster.cards.len() as u16;
        for (i, leader) in counters.leaders.iter().enumerate() {
            let field = format!("leaders[{i}].values.entry");
            let values = &leader.values;
            // Lee is a marker before the player, not a leader on the map (§9.2).
            let Some(ma) = &values.ma else {
                roster.lee = values.range.0;
                roster.markers[0] = Some(self.round(&field, &values.entry.0.turn, first));
                continue;
            };
            let card = Card {
                kind: Kind::Leader,
                side: side_of(&leader.side),
                strength: 0,
                quality: values.range.0,
                movement: ma.0,
                corps: values.corps.as_deref().and_then(corps_number),
            };
            let start = self.start(&field, &values.entry.0, entries, first);
            let info = info(
                &leader.id,
                &leader.name,
                &leader.side,
                "leader",
                &[],
                self.input.army,
            );
            roster.add(info, card, start);
        }
        roster
    }

    fn round(&mut self, field: &str, turn: &str, first: u16) -> u16 {
        if turn == "start" {
            return first;
        }
        match self.input.files.get("counters.ron") {
            Some(file) => self.turn(file, &format!("{field}[0].turn"), turn),
            None => first,
        }
    }

    fn start(
        &mut self,
        field: &str,
        arrives: &Arrives,
        entries: &[Entry],
        first: u16,
    ) -> (Start, u8) {
        let fatigue = match arrives.fatigue {
            Fatigue::Fresh => 0,
            Fatigue::Tired => 1,
            Fatigue::Weary => 2,
        };
        if arrives.turn == "start" {
            return (
                Start::Hex(self.hex("counters.ron", &format!("{field}[0].at"), &arrives.at)),
                fatigue,
            );
        }
        let round = self.round(field, &arrives.turn, first);
        let entry = entries.iter().position(|entry| entry.code == arrives.at);
        if entry.is_none()
            && let Some(file) = self.input.files.get("counters.ron")
        {
            let problem = file.problem(
                &format!("{field}[0].at"),
                format!("no entry \"{}\" on the map", arrives.at),
            );
            self.problems.push(
                problem.with_nearest(&arrives.at, entries.iter().map(|entry| entry.code.as_str())),
            );
        }
        (
            Start::Due(round, Way::Entry(entry.unwrap_or(0) as u8)),
            fatigue,
        )
    }

    fn communications(&mut self, map: &MapFile) -> (BySide<Vec<HexId>>, Vec<Lifeline>) {
        let mut lines: BySide<Vec<HexId>> = BySide::default();
        let mut lifelines = vec![];
        for (i, line) in map.communications.iter().enumerate() {
            let side = side_of(&line.side);
            let hex = self.hex("map.ron", &format!("communications[{i}].hex"), &line.hex);
            lines[side].push(hex);
            let mut near = vec![false; self.input.board.len()];
            for (j, label) in line.pike.iter().enumerate() {
                let on = self.hex("map.ron", &format!("communications[{i}].pike[{j}]"), label);
                near[usize::from(on.0)] = true;
                self.input
                    .board
                    .neighbours(on)
                    .for_each(|(_, hex)| near[usize::from(hex.0)] = true);
            }
            if !line.pike.is_empty() {
                lifelines.push(Lifeline { side, hex, near });
            }
        }
        (lines, lifelines)
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

impl Roster {
    fn add(&mut self, info: UnitInfo, card: Card, start: (Start, u8)) {
        self.units.push(info);
        self.cards.push(card);
        self.starts.push(start);
    }
}

fn corps_number(text: &str) -> Option<u8> {
    text.parse::<u8>()
        .ok()?
        .checked_sub(1)
        .filter(|corps| *corps < 3)
}

fn info(id: &str, name: &str, side: &str, kind: &str, nodes: &[String], army: &Army) -> UnitInfo {
    let ids = || nodes.iter().filter_map(|node| army.get(node));
    // Ids are short in orders and journals: the side's prefix adds nothing there.
    let short = id.strip_prefix(&format!("{side}-")).unwrap_or(id);
    UnitInfo {
        id: short.to_owned(),
        name: name.to_owned(),
        side: side_of(side),
        kind: kind.to_owned(),
        nodes: nodes.to_vec(),
        men: ids().map(|node| army.men(node)).sum(),
        guns: ids().map(|node| army.guns(node).total()).sum(),
    }
}

/// The entries of the board that this ruleset has a code for.
fn entries(board: &Board) -> Vec<Entry> {
    let on_edge = |hex: HexId| {
        Direction::ALL
            .iter()
            .any(|&direction| board.neighbour(hex, direction).is_none())
    };
    let found = board.entries().iter().filter_map(|entry| {
        let (code, hex) = (entry.code.clone()?, entry.hex?);
        // §5.6 If an enemy stands in the entry, units enter within three hexes of it: on the map's edge.
        let beside = board
            .hexes()
            .filter(|&other| other != hex && on_edge(other) && board.distance(hex, other) <= 3);
        Some(Entry {
            code,
            hex,
            beside: beside.collect(),
        })
    });
    found.collect()
}

/// Hexsides in flat arrays: costs in half points (§5.3), roads, and who they help (§7.5).
fn edges(board: &Board) -> Vec<[Edge; 6]> {
    let edge = |hex: HexId, direction: Direction| {
        let (side, to) = (board.side(hex, direction), board.neighbour(hex, direction));
        let woods = side.cover == Some(Cover::Woods)
            || to.is_some_and(|to| board.cover(to) == Cover::Woods);
        let creek = side.water.is_some();
        Edge {
            to,
            cost: 2 + 2 * u8::from(woods) + 2 * u8::from(creek),
            // A railroad has no effect (§5.3).
            road: side.road.is_some_and(|road| {
                matches!(
                    road,
                    cupola_ground::RoadKind::Pike | cupola_ground::RoadKind::Road
                )
            }),
            helps_defender: creek || side.crest || side.rise == Rise::Up(Grade::Steep),
        }
    };
    board
        .hexes()
        .map(|hex| std::array::from_fn(|i| edge(hex, Direction::ALL[i])))
        .collect()
}

/// The hexsides packed for the search.
fn hops(edges: &[[Edge; 6]], leader: bool) -> Vec<[Hop; 6]> {
    let hop = |edge: &Edge| {
        let plain = if leader { 2 } else { edge.cost };
        let smooth = if edge.road { 1 } else { plain };
        let to = edge.to.map_or(edges.len() as u16, |hex| hex.0);
        Hop {
            to,
            rough: if leader { smooth } else { plain },
            smooth,
        }
    };
    edges
        .iter()
        .map(|around| around.each_ref().map(hop))
        .collect()
}

/// The distance of every hex to the nearest of some hexes.
fn distances(board: &Board, to: &[HexId]) -> Vec<u16> {
    board
        .hexes()
        .map(|hex| {
            to.iter()
                .map(|&line| board.distance(hex, line) as u16)
                .min()
                .unwrap_or(u16::MAX)
        })
        .collect()
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
