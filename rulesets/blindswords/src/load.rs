//! From data files to [`Rules`].

use crate::charts::{assault_shifts, fire_shifts, marching, stacking};
use crate::files::*;
use crate::ground;
use crate::roster::units_where;
use crate::rules::*;
use crate::sight::Sight;
use crate::units::Units;
use cupola_army::Counters;
use cupola_cup::Chit;
use cupola_data::{Problems, Source};
use cupola_ground::HexId;
use cupola_kernel::{BySide, Input, Loaded, Side, UnitId, UnitInfo};
use std::sync::Arc;

/// The Union is listed first: it begins the artillery phase (§E).
pub fn side_of(id: &str) -> Side {
    if id == "us" {
        Side::First
    } else {
        Side::Second
    }
}

/// The options of §O: group, name, side.
pub const OPTIONS: [(&str, &str, Side); 4] = [
    ("williams", "Williams' division", Side::First),
    ("geary", "Geary's division", Side::First),
    ("smith", "Smith's brigade", Side::Second),
    ("11ms", "the 11th Mississippi", Side::Second),
];

/// Watched hexes, places worth holding, and what wins outright.
type Prizes = (Vec<HexId>, Vec<Prize>, BySide<(Vec<u8>, usize)>);

/// Collects what the files say, with every mistake.
pub struct Loader<'a> {
    pub input: &'a Input<'a>,
    pub problems: Problems,
}

fn read<T: serde::de::DeserializeOwned>(input: &Input, name: &str) -> Result<T, Problems> {
    input.file(name)?.ron().map_err(Problems::from)
}

/// Reads everything.
pub fn load(input: &Input) -> Result<Loaded, Problems> {
    let mut problems = Problems::default();
    let tables = problems.keep_all(read::<Tables>(input, "tables.ron"));
    let map = problems.keep_all(read::<MapFile>(input, "map.ron"));
    let chits = problems.keep_all(read::<ChitsFile>(input, "chits.ron"));
    let scenario = problems.keep(input.scenario.ron::<ScenarioFile>());
    let counters = problems.keep_all(
        input
            .file("counters.ron")
            .and_then(|file| Counters::<Values, LeaderValues>::read(file, input.army)),
    );
    let (Some(tables), Some(map), Some(chits), Some(scenario), Some(counters)) =
        (tables, map, chits, scenario, counters)
    else {
        return Err(problems.sorted());
    };
    Loader { input, problems }.finish(&tables, &map, &chits, &scenario, &counters)
}

impl Loader<'_> {
    fn finish(
        mut self,
        tables: &Tables,
        map: &MapFile,
        chits: &ChitsFile,
        scenario: &ScenarioFile,
        counters: &Counters<Values, LeaderValues>,
    ) -> Result<Loaded, Problems> {
        let input = self.input;
        let first = self.turn(input.scenario, "first", &scenario.first);
        let last = self.turn(input.scenario, "last", &scenario.last);
        let mut roster = self.roster(counters, scenario.setup);
        roster.share(&tables.shared_division.0);
        let (chit_list, mut tokens, generals) =
            self.chits(chits, counters, &roster, scenario, first, tables);
        tokens.extend(roster.tokens());
        let general = |name: &str| {
            let found = tokens.iter().position(|token| token == name);
            found.map(|i| Chit(i as u8))
        };
        let fog = self.fog(tables, &general);
        let (watched, prizes, automatic) = self.prizes(map);
        let (sides, guns) = (
            BySide::from_fn(|side| units_where(&roster.cards, |card| card.side == side)),
            units_where(&roster.cards, |card| card.kind == Kind::Guns),
        );
        let ground = ground::Ground::new(
            input.board,
            &scenario.field,
            &tables.costs,
            &tables.assault_shifts,
            input.switch("unfinished_railroad"),
        );
        let firsts = &tables.first_casualties.0;
        let firsts = match (general(&firsts.us), general(&firsts.cs)) {
            (Some(first), Some(second)) if scenario.first_casualties => {
                Some(BySide { first, second })
            }
            _ => None,
        };
        let named = |names: &[String; 3]| {
            let mut found = names.iter().map(|name| general(name).unwrap_or(Chit(0)));
            std::array::from_fn(|_| found.next().unwrap_or(Chit(0)))
        };
        let rules = Rules {
            sides,
            guns,
            vague: roster.vague(&tables.vague.0),
            options: roster.options(&tables.points.options.0),
            entries: roster.entries,
            cards: roster.cards,
            starts: roster.starts,
            brigades: roster.brigades,
            divisions: roster.divisions,
            corps: roster.corps,
            chits: chit_list,
            events: chits.events.len() as u8,
            generals,
            edges: ground.edges,
            woods: ground.woods,
            town: ground.town,
            level: ground.level,
            entry: ground.entry,
            rim: ground.rim,
            distance: ground.distance,
            sight: Sight::new(input.board, 10),
            crt: self.crt(tables),
            cohesion: self.cohesion(tables),
            matrix: self.matrix(tables),
            command: self.command(tables),
            ranges: [
                tables.ranges.musket.0,
                tables.ranges.rifled.0,
                tables.ranges.smooth.0,
                tables.ranges.mixed.0,
            ],
            fire: fire_shifts(&tables.fire_shifts),
            assault: assault_shifts(&tables.assault_shifts),
            march: marching(tables),
            stacking: stacking(&tables.stacking),
            fog,
            shared_line: (
                general("steinwehr").unwrap_or(Chit(0)),
                named(&tables.steinwehr_or.0.0),
            ),
            first_casualties: firsts,
            option_from: (
                self.table_turn("optional.from", &tables.optional.from.0),
                tables.optional.needs.0,
            ),
            hancock: self.hancock(tables, scenario),
            friction: self.friction(tables, scenario),
            broken_lost: tables.broken_lost.0,
            points: (tables.points.strength.0, tables.points.brigade.0),
            picks: (scenario.events.chosen, scenario.events.random),
            guns_begin: side_of(&scenario.guns_begin),
            resting: self.resting(scenario, &roster.infos),
            first_turn: first,
            watch: watch(input.board.len(), &watched),
            watched,
            victory: self.victory(scenario, &prizes),
            automatic: (scenario.setup == SetupName::Main).then_some(automatic),
            prizes,
            switches: Switches {
                entry_is_free: input.switch("entry_is_free"),
                stacked_support: input.switch("stacked_support"),
                events_engage: input.switch("events_engage"),
                one_assault_per_hex: input.switch("one_assault_per_hex"),
                close_fight_at_once: input.switch("close_fight_at_once"),
                optional: input.switch("optional_reinforcements")
                    && scenario.setup == SetupName::Main,
            },
        };
        self.problems.check(Loaded {
            units: roster.infos,
            tokens,
            first_turn: first,
            last_turn: last,
            rules: Arc::new(rules),
        })
    }

    pub fn turn(&mut self, file: &Source, field: &str, id: &str) -> u16 {
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

    pub fn table_turn(&mut self, field: &str, id: &str) -> u16 {
        match self.input.files.get("tables.ron") {
            Some(file) => self.turn(file, field, id),
            None => 0,
        }
    }

    pub fn wrong(&mut self, file: &str, field: &str, message: impl Into<String>) {
        if let Some(source) = self.input.files.get(file) {
            self.problems.push(source.problem(field, message));
        }
    }

    pub fn hex(&mut self, file: &str, field: &str, label: &str) -> HexId {
        self.input.board.hex(label).unwrap_or_else(|wrong| {
            self.wrong(file, field, wrong.to_string());
            HexId(0)
        })
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
                .map(|label| watch(self.hex("map.ron", &field, label)));
            prizes.push(Prize {
                name: prize.name.clone(),
                hexes: hexes.collect(),
                points: prize.points,
            });
        }
        let mut any = |key: &str, file: &AnyFile| {
            let hexes = file.hexes.iter();
            let hexes = hexes
                .map(|label| watch(self.hex("map.ron", &format!("automatic.{key}.hexes"), label)));
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
        let mut found = vec![];
        for (i, name) in names.iter().enumerate() {
            match prizes.iter().position(|prize| prize.name == *name) {
                Some(prize) => found.push(prize),
                None => {
                    let problem = self
                        .input
                        .scenario
                        .problem(&format!("victory[{i}]"), format!("no place \"{name}\""));
                    self.problems
                        .push(problem.with_nearest(name, prizes.iter().map(|p| p.name.as_str())));
                }
            }
        }
        Victory::Hexes(found)
    }

    fn friction(&mut self, tables: &Tables, scenario: &ScenarioFile) -> Vec<u16> {
        let turns = tables.friction.0.iter().filter(|_| scenario.friction);
        turns
            .map(|turn| self.table_turn("friction", turn))
            .collect()
    }

    fn hancock(&mut self, tables: &Tables, scenario: &ScenarioFile) -> (Hancock, u8) {
        let how = match &scenario.hancock {
            HancockFile::Roll => {
                Hancock::Roll(self.table_turn("hancock.from", &tables.hancock.from.0))
            }
            HancockFile::From(turn) => {
                Hancock::From(self.turn(self.input.scenario, "hancock", turn))
            }
        };
        (how, tables.hancock.needs.0)
    }

    fn resting(&mut self, scenario: &ScenarioFile, infos: &[UnitInfo]) -> Units {
        let mut units = Units::NONE;
        for (i, id) in scenario.resting.iter().enumerate() {
            match infos.iter().position(|info| info.id == *id) {
                Some(unit) => units.add(UnitId(unit as u16)),
                None => {
                    let problem = self
                        .input
                        .scenario
                        .problem(&format!("resting[{i}]"), format!("no unit \"{id}\""));
                    self.problems
                        .push(problem.with_nearest(id, infos.iter().map(|info| info.id.as_str())));
                }
            }
        }
        units
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
