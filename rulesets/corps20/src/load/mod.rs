//! From data files to [`Rules`].

mod arrays;
mod files;
mod ranges;
mod roster;

use crate::crt::Crt;
use crate::rules::{
    Communications, Costs, Entry, EventCard, Happening, Lifeline, Losses, Rules, Switches,
};
pub use arrays::{Features, hops};
use arrays::{edges, entries};
use cupola_army::{Counters, Light, Turns};
use cupola_data::{Origin, Problems};
use cupola_ground::HexId;
use cupola_kernel::{BySide, Input, Loaded, Side, UnitInfo};
use cupola_kit::{Around, Loader, SCENARIO, distances};
use files::{CostLines, DeckFile, LeaderValues, LossLines, MapFile, ScenarioFile, Tables, Values};
use std::sync::Arc;

/// The event cards: the battle's, or those of the series, which name nobody.
const DECK: &str = "deck.ron";

/// Reads everything.
pub fn load(input: &Input) -> Result<Loaded, Problems> {
    let mut loader = Loader::new(input);
    let tables = loader.read::<Tables>("tables.ron");
    let map = loader.read::<MapFile>("map.ron");
    let cards = loader.read::<DeckFile>(DECK);
    let scenario = loader.read::<ScenarioFile>(SCENARIO);
    let counters = loader.counters::<Values, LeaderValues>("counters.ron");
    let (Some(tables), Some(map), Some(cards), Some(scenario), Some(counters)) =
        (tables, map, cards, scenario, counters)
    else {
        return loader.give_up();
    };
    ranges::check(&mut loader, &tables, &map);
    if !loader.sound() {
        return loader.give_up();
    }
    let loaded = loaded(&mut loader, tables, (&map, &cards, &scenario), &counters);
    loader.finish(loaded)
}

/// Everything that a game reads, from files that were read.
fn loaded(
    loader: &mut Loader,
    tables: Tables,
    (map, cards, scenario): (&MapFile, &DeckFile, &ScenarioFile),
    counters: &Counters<Values, LeaderValues>,
) -> Loaded {
    let input = loader.input;
    let first = loader.turn(SCENARIO, "first", &scenario.first);
    let last = loader.turn(SCENARIO, "last", &scenario.last);
    let costs = costs(&tables.costs);
    let entries = entries(input.board, &costs);
    let roster = roster::read(loader, counters, &entries, first);
    let communications = communications(loader, map, &entries);
    let towns = hexes(loader, "towns", &map.towns);
    let prize = hexes(loader, "prize", &map.prize);
    let rain = rain(loader, map);
    let deck = deck(loader, cards, &roster.units);
    check_crt(loader, &tables.crt);
    let edges = edges(input.board, &costs);
    let morale = loader.by_side("map.ron", "morale[0]", &map.morale.0);
    let rules = Rules {
        own: roster.own(),
        all: roster.all(),
        units: roster.unit_count,
        cards: roster.cards,
        starts: roster.starts,
        markers: roster.markers,
        guns: roster.guns,
        marker_names: roster.marker_names,
        chief: roster.chief.1,
        hops: [false, true].map(|leader| hops(&edges, &costs, leader)),
        costs,
        edges,
        around: Around::new(input.board),
        communications,
        towns,
        prize,
        entries,
        crt: tables.crt,
        deck,
        rain,
        morale: (morale.unwrap_or_default(), tables.morale_track.0),
        losses: losses(&tables.losses),
        cadre: roster.cadre,
        first_round: first,
        next_dawn: next_dawns(input.track),
        switches: switches(input),
    };
    Loaded {
        units: roster.units,
        tokens: crate::tokens::names(&roster.chief.0),
        first_turn: first,
        last_turn: last,
        rules: Arc::new(rules),
    }
}

/// How far every hex is from each line of communications.
fn homes(input: &Input, lines: &BySide<Vec<HexId>>) -> BySide<Vec<Vec<u16>>> {
    BySide::from_fn(|side| {
        let lines = lines[side].iter();
        lines.map(|&line| distances(input.board, &[line])).collect()
    })
}

/// What movement costs.
fn costs(of: &CostLines) -> Costs {
    Costs {
        clear: of.clear.0,
        road: of.road.0,
        woods: of.woods.0,
        creek: of.creek.0,
    }
}

/// What share of its men a unit in each condition has lost.
fn losses(of: &LossLines) -> Losses {
    Losses {
        routed: of.routed.0,
        broken: of.broken.0,
        cadre: of.cadre.0,
        eliminated: of.eliminated.0,
    }
}

fn switches(input: &Input) -> Switches {
    Switches {
        terrain_per_defender: input.switch("terrain_per_defender"),
        routed_enemies_pin: input.switch("routed_enemies_pin"),
        displaced_leaders_face_down: input.switch("displaced_leaders_face_down"),
    }
}

/// Hexes of a list of `map.ron`, each with its origin.
fn hexes(loader: &mut Loader, field: &str, labels: &[(String, Origin)]) -> Vec<HexId> {
    let labels = labels.iter().enumerate();
    labels
        .map(|(i, (label, _))| loader.hex("map.ron", &format!("{field}[{i}][0]"), label))
        .collect()
}

/// Lines of communications, each an entry of the board, and the pikes that lead there.
fn communications(loader: &mut Loader, map: &MapFile, entries: &[Entry]) -> Communications {
    let mut entries_of: BySide<Vec<Entry>> = BySide::default();
    let mut pikes = vec![];
    for (i, line) in map.communications.iter().enumerate() {
        let field = format!("communications[{i}]");
        let side = loader.side("map.ron", &format!("{field}.side"), &line.side);
        let Some(entry) = entries.iter().find(|entry| entry.code == line.entry) else {
            let codes = entries.iter().map(|entry| &*entry.code);
            let field = format!("{field}.entry");
            loader.unknown("map.ron", &field, ("entry", &line.entry), codes);
            continue;
        };
        entries_of[side].push(entry.clone());
        if let Some(name) = &line.pike {
            pikes.push(lifeline(loader, &field, side, entry.gate.hex, name));
        }
    }
    let hex_of = |line: &Entry| line.gate.hex;
    let hexes = BySide::from_fn(|side| entries_of[side].iter().map(hex_of).collect());
    Communications {
        homes: homes(loader.input, &hexes),
        hexes,
        entries: entries_of,
        pikes,
    }
}

fn lifeline(loader: &mut Loader, field: &str, side: Side, hex: HexId, name: &str) -> Lifeline {
    let board = loader.input.board;
    let pike = arrays::pike(board, hex, name);
    if pike.len() < 2 {
        let what = format!("pike that leads to {} by the name", board.label(hex));
        let field = format!("{field}.pike");
        loader.unknown("map.ron", &field, (&what, name), board.threads(hex));
    }
    let mut near = vec![false; board.len()];
    for on in pike {
        near[usize::from(on.0)] = true;
        let around = board.neighbours(on);
        around.for_each(|(_, hex)| near[usize::from(hex.0)] = true);
    }
    Lifeline { side, hex, near }
}

fn rain(loader: &mut Loader, map: &MapFile) -> Vec<(u16, u8)> {
    let lines = map.rain.iter().enumerate();
    lines
        .map(|(i, line)| {
            let turn = loader.turn("map.ron", &format!("rain[{i}].turn"), &line.turn);
            (turn, line.up_to.0)
        })
        .collect()
}

fn deck(loader: &mut Loader, file: &DeckFile, units: &[UnitInfo]) -> Vec<EventCard> {
    if !(1..=16).contains(&file.deck.len()) {
        let message = format!("{} cards, expected 1 to 16", file.deck.len());
        loader.wrong(DECK, "deck", message);
    }
    let mut cards = vec![];
    for (i, card) in file.deck.iter().enumerate() {
        let number = card.number;
        if cards.iter().any(|other: &EventCard| other.number == number) {
            let field = format!("deck[{i}].number");
            loader.wrong(DECK, &field, format!("a second card {number}"));
        }
        let field = format!("deck[{i}].sides");
        for (side, (_, happening)) in &card.sides {
            check_card(loader, &format!("{field}.{side}"), happening, units);
        }
        let sides = loader.by_side(DECK, &field, &card.sides);
        cards.extend(sides.map(|sides| EventCard { number, sides }));
    }
    cards
}

/// Units that a die names exist, and share its faces evenly; a corps is one of three.
fn check_card(loader: &mut Loader, field: &str, happening: &Happening, units: &[UnitInfo]) {
    if let Happening::GoodLeadershipOfCorps(corps) = happening
        && !(1..=3).contains(corps)
    {
        let message = format!("no corps {corps}, expected 1 to 3");
        loader.wrong(DECK, field, message);
    }
    let (Happening::PoorLeadership(ids) | Happening::GoodLeadership(ids)) = happening else {
        return;
    };
    if ids.is_empty() || 6 % ids.len() != 0 {
        let message = "the die cannot be shared out evenly among these";
        loader.wrong(DECK, field, message);
    }
    for id in ids {
        let known = units.iter().map(|unit| unit.id.as_str());
        loader.named(DECK, field, ("unit", id), known);
    }
}

/// The columns follow each other without a gap.
fn check_crt(loader: &mut Loader, crt: &Crt) {
    if crt.0.is_empty() {
        loader.wrong("tables.ron", "crt", "the table has no column");
    }
    for (i, pair) in crt.0.windows(2).enumerate() {
        if pair[1].at != pair[0].at + 1 {
            let (wanted, found) = (pair[0].at + 1, pair[1].at);
            let message = format!("expected the column {wanted:+}, found {found:+}");
            loader.wrong("tables.ron", &format!("crt[{}].at", i + 1), message);
        }
    }
}

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
