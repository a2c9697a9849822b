//! From data files to [`Rules`]: [`blocks`] reads labels and chains of command, [`map`] roads and
//! victory hexes, [`ground`] terrain and lines of sight, [`scenario`] set-ups and verdicts, [`cavalry`]
//! the battle beside the map.

mod blocks;
mod cavalry;
mod files;
mod ground;
mod map;
mod scenario;

use crate::rules::{Card, Kind, Level, Rules, Switches};
use cupola_army::Counters;
use cupola_data::{Problem, Problems, Source};
use cupola_ground::HexId;
use cupola_kernel::{BySide, Input, Loaded, Side, UnitId};
use files::{BlockValues, CampaignFile, CavalryFile, HqValues, MapFile, ScenarioFile, Tables};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The name by which the scenario's own file is asked for.
const SCENARIO: &str = "scenario";

type List = Counters<BlockValues, HqValues>;

/// The files of the ruleset and the scenario's, as they were read.
struct Files {
    tables: Tables,
    map: MapFile,
    campaign: CampaignFile,
    cavalry: CavalryFile,
    scenario: ScenarioFile,
    list: List,
}

/// Collects what the files say, with every mistake.
struct Loader<'a> {
    input: &'a Input<'a>,
    problems: Problems,
    /// Numbers of blocks and headquarters by id.
    ids: BTreeMap<&'a str, UnitId>,
}

/// Side `cs` is the first: it plays first where the initiative is fixed (§1.1).
fn side_of(id: &str) -> Side {
    if id == "cs" {
        Side::First
    } else {
        Side::Second
    }
}

fn read<T: serde::de::DeserializeOwned>(input: &Input, name: &str) -> Result<T, Problems> {
    input.file(name)?.ron().map_err(Problems::from)
}

/// Reads everything.
pub fn load(input: &Input) -> Result<Loaded, Problems> {
    let mut problems = Problems::default();
    let tables = problems.keep_all(read::<Tables>(input, "tables.ron"));
    let map = problems.keep_all(read::<MapFile>(input, "map.ron"));
    let campaign = problems.keep_all(read::<CampaignFile>(input, "campaign.ron"));
    let cavalry = problems.keep_all(read::<CavalryFile>(input, "cavalry.ron"));
    let scenario = problems.keep(input.scenario.ron::<ScenarioFile>());
    let list = problems.keep_all(
        input
            .file("counters.ron")
            .and_then(|file| List::read(file, input.army)),
    );
    let (Some(tables), Some(map), Some(campaign), Some(cavalry), Some(scenario), Some(list)) =
        (tables, map, campaign, cavalry, scenario, list)
    else {
        return Err(problems.sorted());
    };
    let files = Files {
        tables,
        map,
        campaign,
        cavalry,
        scenario,
        list,
    };
    let counters = files.list.counters.iter().map(|counter| &counter.id);
    let leaders = files.list.leaders.iter().map(|leader| &leader.id);
    let names = counters.chain(leaders).enumerate();
    let mut loader = Loader {
        input,
        problems,
        ids: names
            .map(|(i, id)| (id.as_str(), UnitId(i as u16)))
            .collect(),
    };
    let loaded = loader.assemble(&files);
    loader.problems.check(loaded)
}

impl<'a> Loader<'a> {
    fn assemble(&mut self, files: &Files) -> Loaded {
        let (file, scenario) = (self.input.scenario, &files.scenario);
        let first_turn = self.turn(file, "first", &scenario.first);
        let last_turn = self.turn(file, "last", &scenario.last);
        let rules = self.rules(files, last_turn);
        Loaded {
            units: blocks::infos(&files.list, self.input.army),
            tokens: vec![],
            first_turn,
            last_turn,
            rules: Arc::new(rules),
        }
    }

    fn rules(&mut self, files: &Files, last_turn: u16) -> Rules {
        let (tables, map, scenario) = (&files.tables, &files.map, &files.scenario);
        let board = self.input.board;
        let switches = self.switches();
        let effects = self.effects(tables);
        let entries = self.entries(map, tables);
        let mut cards = self.cards(&files.list, tables, scenario);
        let mut starts = self.starts(files, &entries, &cards);
        let cavalry = self.cavalry(&files.cavalry, &entries);
        if switches.cavalry_battle {
            self.keep_off(files, &switches, &cavalry, &mut cards, &mut starts);
        }
        let limit = self.limits(tables, map);
        self.check_stacks(scenario.setup, &starts, &cards, &limit);
        let cones = ground::cones(board);
        let (night_entries, night_road) = self.night_roads(map, &entries);
        let army = blocks::select(&cards, |card| card.kind == Kind::Hq(Level::Army));
        Rules {
            own: blocks::select(&cards, |_| true),
            guns: blocks::guns(&cards),
            commanders: blocks::select(&cards, Card::commands),
            army: BySide::from_fn(|side| army[side].first().copied().unwrap_or(UnitId(0))),
            seniority: self.seniority(&files.list),
            successors: self.successors(tables, &cards),
            edges: ground::edges(board, tables, &effects),
            limit,
            double: board
                .hexes()
                .map(|hex| tables.double_defence.0.contains(&board.cover(hex)))
                .collect(),
            rim: board.hexes().map(|hex| board.is_edge(hex)).collect(),
            exits: ground::exits(board, tables),
            clear: tables.clear.0,
            acting_range: tables.acting_range.0,
            sight: ground::sight(board, &cones, &switches),
            cones,
            effects,
            entries,
            junction: self.junction(map),
            victory: self.victory(map),
            source: BySide {
                first: self.hex("map.ron", "sources.cs", &map.sources.cs.0),
                second: self.hex("map.ron", "sources.us", &map.sources.us.0),
            },
            night_points: BySide {
                first: tables.night_supply.0.cs,
                second: tables.night_supply.0.us,
            },
            night_goal: self.hex("map.ron", "night_goal", &map.night_goal.0),
            night_entries,
            night_road,
            scale: self.scale(tables, scenario),
            judged: self.judged(scenario),
            last_turn,
            returns: scenario.returns,
            cavalry,
            switches,
            cards,
            starts,
        }
    }

    fn switches(&self) -> Switches {
        let on = |name| self.input.switch(name);
        Switches {
            fixed_initiative: on("fixed_initiative"),
            column_and_line: on("column_and_line"),
            free_deployment: on("free_deployment"),
            cavalry_battle: on("cavalry_battle"),
            buford_kept_off: on("buford_kept_off"),
            hancock: on("hancock"),
            steuart_two_steps: on("steuart_two_steps"),
            equal_height_blocks: on("equal_height_blocks"),
            hexsides_beside_block: on("hexsides_beside_block"),
            leaving_frontline_stops: on("leaving_frontline_stops"),
            repulse_by_position: on("repulse_by_position"),
            transient_overstacking: on("transient_overstacking"),
            promoted_command_assets: on("promoted_command_assets"),
            promoted_fire_reserve: on("promoted_fire_reserve"),
            brigades_supply: on("brigades_supply"),
            entry_spreads: on("entry_spreads"),
            verdict_before_night: on("verdict_before_night"),
        }
    }

    /// A file of the ruleset by name, or the [`SCENARIO`].
    fn source(&self, file: &str) -> Option<&'a Source> {
        if file == SCENARIO {
            Some(self.input.scenario)
        } else {
            self.input.files.get(file)
        }
    }

    fn wrong(&mut self, file: &str, problem: impl FnOnce(&Source) -> Problem) {
        if let Some(source) = self.source(file) {
            self.problems.push(problem(source));
        }
    }

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

    fn turn_in(&mut self, file: &str, field: &str, id: &str) -> u16 {
        let source = self.source(file);
        source.map_or(0, |source| self.turn(source, field, id))
    }

    fn hex(&mut self, file: &str, field: &str, label: &str) -> HexId {
        self.input.board.hex(label).unwrap_or_else(|wrong| {
            self.wrong(file, |source| source.problem(field, wrong.to_string()));
            HexId(0)
        })
    }

    /// The number of a block, in a file of the ruleset or in the scenario.
    fn unit(&mut self, file: &Source, field: &str, id: &str) -> Option<UnitId> {
        let found = self.ids.get(id).copied();
        if found.is_none() {
            let problem = file.problem(field, format!("no block \"{id}\""));
            self.problems
                .push(problem.with_nearest(id, self.ids.keys().copied()));
        }
        found
    }

    fn unit_in(&mut self, file: &str, field: &str, id: &str) -> Option<UnitId> {
        let source = self.source(file)?;
        self.unit(source, field, id)
    }
}
