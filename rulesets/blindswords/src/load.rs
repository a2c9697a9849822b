//! From data files to [`Rules`].

use crate::files::*;
use crate::ground::{Chart, Ground, Prices};
use crate::roster::{Roster, units_where};
use crate::rules::*;
use crate::sight::Sight;
use crate::units::Units;
use cupola_army::Counters;
use cupola_cup::Chit;
use cupola_data::Problems;
use cupola_ground::HexId;
use cupola_kernel::{BySide, Input, Loaded, Side, UnitId, UnitInfo};
use cupola_kit::{Loader, SCENARIO};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// The tables of the player aids.
pub const TABLES: &str = "tables.ron";
const MAP: &str = "map.ron";

/// The options of §O: group, name, side.
pub const OPTIONS: [(&str, &str, Side); 4] = [
    ("williams", "Williams' division", Side::First),
    ("geary", "Geary's division", Side::First),
    ("smith", "Smith's brigade", Side::Second),
    ("11ms", "the 11th Mississippi", Side::Second),
];

/// Watched hexes, places worth holding, and what wins outright.
type Prizes = (Vec<HexId>, Vec<Prize>, BySide<(Vec<u8>, usize)>);

/// The common loader, with what only this ruleset reads.
pub struct Reading<'a>(Loader<'a>);

impl<'a> Deref for Reading<'a> {
    type Target = Loader<'a>;
    fn deref(&self) -> &Loader<'a> {
        &self.0
    }
}

impl DerefMut for Reading<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

/// The files of a game.
struct Read {
    tables: Tables,
    map: MapFile,
    chits: ChitsFile,
    scenario: ScenarioFile,
    counters: Counters<Values, LeaderValues>,
}

/// Reads everything.
pub fn load(input: &Input) -> Result<Loaded, Problems> {
    let mut loader = Loader::new(input);
    let tables = loader.read(TABLES);
    let map = loader.read(MAP);
    let chits = loader.read("chits.ron");
    let scenario = loader.read(SCENARIO);
    let counters = loader.counters("counters.ron");
    let (Some(tables), Some(map), Some(chits), Some(scenario), Some(counters)) =
        (tables, map, chits, scenario, counters)
    else {
        return loader.give_up();
    };
    crate::ranges::check(&mut loader, &tables);
    if !loader.sound() {
        return loader.give_up();
    }
    let read = Read {
        tables,
        map,
        chits,
        scenario,
        counters,
    };
    Reading(loader).loaded(&read)
}

impl Reading<'_> {
    fn loaded(mut self, read: &Read) -> Result<Loaded, Problems> {
        let (tables, scenario) = (&read.tables, &read.scenario);
        let first = self.turn(SCENARIO, "first", &scenario.first);
        let last = self.turn(SCENARIO, "last", &scenario.last);
        let mut roster = self.roster(&read.counters, scenario.setup);
        roster.share(&tables.shared_division.0);
        let (chits, mut tokens, generals) = self.chits(
            &read.chits,
            &read.counters,
            &roster,
            scenario,
            first,
            tables,
        );
        tokens.extend(roster.tokens());
        let units = roster.infos.clone();
        let deck = Deck {
            chits,
            generals,
            tokens: &tokens,
        };
        let rules = Arc::new(self.rules(read, roster, deck, first));
        self.0.finish(Loaded {
            units,
            tokens,
            first_turn: first,
            last_turn: last,
            rules,
        })
    }

    fn rules(&mut self, read: &Read, roster: Roster, deck: Deck, first: u16) -> Rules {
        let (input, tables, scenario) = (self.input, &read.tables, &read.scenario);
        let (watched, prizes, automatic) = self.prizes(&read.map);
        let general = |name: &str| deck.general(name).unwrap_or(Chit(0));
        let units = |keep: &dyn Fn(&Card) -> bool| units_where(&roster.cards, keep);
        let main = scenario.setup == SetupName::Main;
        Rules {
            sides: BySide::from_fn(|side| units(&|card| card.side == side)),
            guns: units(&|card| card.kind == Kind::Guns),
            vague: roster.vague(&tables.vague.0),
            options: roster.options(&tables.points.options.0),
            events: read.chits.events.len() as u8,
            generals: deck.generals,
            ground: self.ground(read),
            sight: Sight::new(input.board, 10),
            charts: self.charts(tables),
            fog: self.fog(tables, &|name| deck.general(name)),
            shared_line: (
                general("steinwehr"),
                tables.steinwehr_or.0.0.each_ref().map(|name| general(name)),
            ),
            first_casualties: deck
                .firsts(&tables.first_casualties.0)
                .filter(|_| scenario.first_casualties),
            option_from: (
                self.turn(TABLES, "optional.from", &tables.optional.from.0),
                tables.optional.needs.0,
            ),
            hancock: self.hancock(tables, scenario),
            friction: self.friction(tables, scenario),
            broken_lost: tables.broken_lost.0,
            points: (tables.points.strength.0, tables.points.brigade.0),
            picks: (scenario.events.chosen, scenario.events.random),
            guns_begin: self.side(SCENARIO, "guns_begin", &scenario.guns_begin),
            resting: self.resting(scenario, &roster.infos),
            first_turn: first,
            watch: watch(input.board.len(), &watched),
            watched,
            victory: self.victory(scenario, &prizes),
            automatic: main.then_some(automatic),
            prizes,
            switches: self.switches(main),
            entries: roster.entries,
            cards: roster.cards,
            starts: roster.starts,
            brigades: roster.brigades,
            divisions: roster.divisions,
            corps: roster.corps,
            chits: deck.chits,
        }
    }

    fn ground(&self, read: &Read) -> Ground {
        let chart = Chart {
            field: read.scenario.field.clone(),
            prices: Prices::new(&read.tables.costs, &read.tables.assault_shifts),
            unfinished: self.input.switch("unfinished_railroad"),
            ..Chart::default()
        };
        Ground::new(self.input.board, chart)
    }

    fn switches(&self, main: bool) -> Switches {
        let on = |name: &str| self.input.switch(name);
        Switches {
            entry_is_free: on("entry_is_free"),
            stacked_support: on("stacked_support"),
            events_engage: on("events_engage"),
            one_assault_per_hex: on("one_assault_per_hex"),
            close_fight_at_once: on("close_fight_at_once"),
            optional: on("optional_reinforcements") && main,
        }
    }

    fn prizes(&mut self, map: &MapFile) -> Prizes {
        let mut watched: Vec<HexId> = vec![];
        let mut watch = |hex: HexId| {
            let known = watched.iter().position(|&known| known == hex);
            known.unwrap_or_else(|| {
                watched.push(hex);
                watched.len() - 1
            }) as u8
        };
        let mut prizes = vec![];
        for (i, prize) in map.victory.iter().enumerate() {
            let field = format!("victory[{i}].hexes");
            let hexes = prize
                .hexes
                .iter()
                .map(|label| watch(self.hex(MAP, &field, label)));
            prizes.push(Prize {
                name: prize.name.clone(),
                hexes: hexes.collect(),
                points: prize.points,
            });
        }
        let mut any = |key: &str, file: &AnyFile| {
            let hexes = file.hexes.iter();
            let hexes =
                hexes.map(|label| watch(self.hex(MAP, &format!("automatic.{key}.hexes"), label)));
            (hexes.collect(), file.any)
        };
        let automatic = BySide {
            first: any("us", &map.automatic.us),
            second: any("cs", &map.automatic.cs),
        };
        (watched, prizes, automatic)
    }

    fn victory(&mut self, scenario: &ScenarioFile, prizes: &[Prize]) -> Victory {
        let VictoryFile::Hexes(names) = &scenario.victory else {
            return Victory::Points;
        };
        let known = prizes.iter().map(|prize| prize.name.as_str());
        let found = names.iter().enumerate().map(|(i, name)| {
            let field = format!("victory[{i}]");
            self.named(SCENARIO, &field, ("place", name), known.clone())
        });
        Victory::Hexes(found.collect())
    }

    fn friction(&mut self, tables: &Tables, scenario: &ScenarioFile) -> Vec<u16> {
        let turns = tables.friction.0.iter().filter(|_| scenario.friction);
        turns
            .map(|turn| self.turn(TABLES, "friction", turn))
            .collect()
    }

    fn hancock(&mut self, tables: &Tables, scenario: &ScenarioFile) -> (Hancock, u8) {
        let how = match &scenario.hancock {
            HancockFile::Roll => {
                Hancock::Roll(self.turn(TABLES, "hancock.from", &tables.hancock.from.0))
            }
            HancockFile::From(turn) => Hancock::From(self.turn(SCENARIO, "hancock", turn)),
        };
        (how, tables.hancock.needs.0)
    }

    fn resting(&mut self, scenario: &ScenarioFile, infos: &[UnitInfo]) -> Units {
        let known = infos.iter().map(|info| info.id.as_str());
        let units = scenario.resting.iter().enumerate().map(|(i, id)| {
            let field = format!("resting[{i}]");
            UnitId(self.named(SCENARIO, &field, ("unit", id), known.clone()) as u16)
        });
        units.collect()
    }
}

/// The chits, and the names by which choices know them.
struct Deck<'a> {
    chits: Vec<ChitCard>,
    generals: (u8, u8),
    tokens: &'a [String],
}

impl Deck<'_> {
    fn general(&self, name: &str) -> Option<Chit> {
        let found = self.tokens.iter().position(|token| token == name);
        found.map(|i| Chit(i as u8))
    }

    fn firsts(&self, file: &FirstFile) -> Option<BySide<Chit>> {
        let (first, second) = (self.general(&file.us)?, self.general(&file.cs)?);
        Some(BySide { first, second })
    }
}

/// By hex: which of the watched it is.
fn watch(hexes: usize, watched: &[HexId]) -> Vec<u8> {
    let mut watch = vec![NOBODY; hexes];
    for (i, hex) in watched.iter().enumerate() {
        watch[hex.index()] = i as u8;
    }
    watch
}
