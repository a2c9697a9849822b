//! From data files to [`Rules`]: [`blocks`] reads labels and chains of command, [`map`] roads and
//! victory hexes, [`ground`] terrain and lines of sight, [`scenario`] set-ups and verdicts, [`cavalry`]
//! the battle beside the map.

mod blocks;
mod cavalry;
mod files;
pub(crate) mod ground;
mod map;
mod ranges;
mod scenario;

use crate::leeway::Leeways;
use crate::rules::{Card, CavalryPlan, Entry, Kind, Level, NO_HEX, Rules, Switches};
use cupola_army::Counters;
use cupola_data::Problems;
use cupola_kernel::{BySide, HexId, Input, Loaded, Side, UnitId};
use cupola_kit::SCENARIO;
use files::{BlockValues, CampaignFile, CavalryFile, HqValues, MapFile, ScenarioFile, Tables};
use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

type List = Counters<BlockValues, HqValues>;

/// The files of the ruleset and the scenario's, as they were read.
struct Files {
    tables: Tables,
    map: MapFile,
    campaign: CampaignFile,
    cavalry: Option<CavalryFile>,
    scenario: ScenarioFile,
    list: List,
}

/// The common loader, which knows the blocks by name.
struct Loader<'a> {
    kit: cupola_kit::Loader<'a>,
    /// Numbers of blocks and headquarters by id.
    ids: BTreeMap<&'a str, UnitId>,
}

impl<'a> Deref for Loader<'a> {
    type Target = cupola_kit::Loader<'a>;

    fn deref(&self) -> &cupola_kit::Loader<'a> {
        &self.kit
    }
}

impl<'a> DerefMut for Loader<'a> {
    fn deref_mut(&mut self) -> &mut cupola_kit::Loader<'a> {
        &mut self.kit
    }
}

/// The side of an id; that there is none was told when the labels were read.
fn side_of(input: &Input, id: &str) -> Side {
    input.side(id).unwrap_or(Side::First)
}

/// Reads everything.
pub fn load(input: &Input) -> Result<Loaded, Problems> {
    let mut kit = cupola_kit::Loader::new(input);
    let tables: Option<Tables> = kit.read("tables.ron");
    let map: Option<MapFile> = kit.read("map.ron");
    // What a battle need not have.
    let has = |name: &str| input.files.contains_key(name);
    let campaign = match has("campaign.ron") {
        true => kit.read("campaign.ron"),
        false => Some(CampaignFile::default()),
    };
    let cavalry: Option<CavalryFile> = has("cavalry.ron")
        .then(|| kit.read("cavalry.ron"))
        .flatten();
    let scenario: Option<ScenarioFile> = kit.read(SCENARIO);
    let list: Option<List> = kit.counters("counters.ron");
    let (Some(tables), Some(map), Some(campaign), Some(scenario), Some(list)) =
        (tables, map, campaign, scenario, list)
    else {
        return kit.give_up();
    };
    ranges::check(&mut kit, &tables, &map, &list);
    if !kit.sound() {
        return kit.give_up();
    }
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
        kit,
        ids: names
            .map(|(i, id)| (id.as_str(), UnitId(i as u16)))
            .collect(),
    };
    let loaded = loader.assemble(&files);
    loader.kit.finish(loaded)
}

impl<'a> Loader<'a> {
    fn assemble(&mut self, files: &Files) -> Loaded {
        let first_turn = self.turn(SCENARIO, "first", &files.scenario.first);
        let last_turn = self.turn(SCENARIO, "last", &files.scenario.last);
        let rules = self.rules(files, last_turn);
        Loaded {
            units: blocks::infos(&files.list, self.input),
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
        let cavalry = files.cavalry.as_ref();
        let cavalry = cavalry.map_or_else(CavalryPlan::none, |file| self.cavalry(file, &entries));
        if switches.cavalry_battle {
            self.keep_off(files, &switches, &cavalry, &mut cards, &mut starts);
        }
        let limit = self.limits(tables, map);
        self.check_stacks(scenario.setup, &starts, &cards, &limit);
        let cones = ground::cones(board);
        let (edges, junction) = (ground::edges(board, tables, &effects), self.junction(map));
        let steps = ground::steps(&edges);
        let night = self.night(map, &entries);
        let army = self.army(&cards);
        let stand_in = self.stand_in(map, &entries);
        Rules {
            own: blocks::select(&cards, |_| true),
            guns: blocks::guns(&cards),
            headquarters: blocks::select(&cards, Card::is_hq),
            commanders: blocks::select(&cards, Card::commands),
            army,
            seniority: self.seniority(&files.list),
            successors: self.successors(&files.list, &cards),
            stand_in,
            least: ground::least(&steps),
            leeways: Leeways::new(&cards, board.len()),
            steps,
            plain: ground::plain(&edges, junction.hex),
            edges: edges.into(),
            limit,
            double: ground::double(board, tables),
            rim: board.hexes().map(|hex| board.is_edge(hex)).collect(),
            edge: ground::edge(board),
            exits: ground::exits(board, tables),
            clear: tables.clear.0,
            acting_range: tables.acting_range.0,
            sight: ground::sight(board, &cones, &switches),
            cones,
            effects,
            entries,
            junction,
            victory: self.victory(map),
            source: self.sources(map),
            night,
            scale: self.scale(files),
            judged: self.judged(scenario),
            last_turn,
            returns: scenario.returns,
            cavalry,
            switches,
            cards,
            starts,
        }
    }

    /// Each side's headquarters of the army.
    fn army(&mut self, cards: &[Card]) -> BySide<UnitId> {
        let army = blocks::select(cards, |card| card.kind == Kind::Hq(Level::Army));
        for side in Side::BOTH.into_iter().filter(|&side| army[side].is_empty()) {
            let id = &self.input.sides[side as usize].id;
            let message = format!("side \"{id}\" has no headquarters of the army");
            self.wrong("counters.ron", "leaders", message);
        }
        BySide::from_fn(|side| army[side].first().copied().unwrap_or(UnitId(0)))
    }

    /// Where each side's supply comes from.
    fn sources(&mut self, map: &MapFile) -> BySide<HexId> {
        let sources = self.by_side("map.ron", "sources", &map.sources);
        let sources = sources.map(|sources| {
            BySide::from_fn(|side| {
                let field = format!("sources.{}", self.input.sides[side as usize].id);
                self.hex("map.ron", &field, &sources[side].0)
            })
        });
        sources.unwrap_or(BySide {
            first: NO_HEX,
            second: NO_HEX,
        })
    }

    fn switches(&self) -> Switches {
        let on = |name| self.input.switch(name);
        Switches {
            fixed_initiative: on("fixed_initiative"),
            column_and_line: on("column_and_line"),
            free_deployment: on("free_deployment"),
            cavalry_battle: on("cavalry_battle"),
            leavers_kept_off: on("leavers_kept_off"),
            deputy_sent: on("deputy_sent"),
            starts_of_004: on("starts_of_004"),
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

    /// The number of a block, in a file of the ruleset or in the scenario.
    fn unit(&mut self, file: &str, field: &str, id: &str) -> Option<UnitId> {
        let found = self.ids.get(id).copied();
        if found.is_none() {
            self.kit
                .unknown(file, field, ("block", id), self.ids.keys().copied());
        }
        found
    }

    /// The number of an entry by its code; the first if there is none of that name.
    fn entry(&mut self, file: &str, field: &str, code: &str, entries: &[Entry]) -> u8 {
        let known = entries.iter().map(|entry| entry.code.as_str());
        self.named(file, field, ("entry", code), known) as u8
    }
}
