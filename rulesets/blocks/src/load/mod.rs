//! From data files to [`Rules`].

mod files;
mod ground;

use crate::rules::{Card, Effect, Entry, Kind, Level, Rules, Scale, Start, Switches, terrain};
use cupola_army::{Arm, Army, Counters};
use cupola_data::{Problem, Problems, Source, Sourced};
use cupola_ground::HexId;
use cupola_ground::kinds::RoadKind;
use cupola_kernel::{BySide, Input, Loaded, Side, UnitId, UnitInfo};
use files::{
    BlockValues, CampaignFile, HqValues, LevelWord, MapFile, MovesWord, ScenarioFile, SetupWord,
    StartWord, Tables,
};
use std::collections::BTreeMap;
use std::sync::Arc;

type List = Counters<BlockValues, HqValues>;

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
    let scenario = problems.keep(input.scenario.ron::<ScenarioFile>());
    let list = problems.keep_all(
        input
            .file("counters.ron")
            .and_then(|file| List::read(file, input.army)),
    );
    let (Some(tables), Some(map), Some(campaign), Some(scenario), Some(list)) =
        (tables, map, campaign, scenario, list)
    else {
        return Err(problems.sorted());
    };
    let names = list.counters.iter().map(|counter| counter.id.as_str());
    let names = names.chain(list.leaders.iter().map(|leader| leader.id.as_str()));
    let ids = names
        .enumerate()
        .map(|(i, id)| (id, UnitId(i as u16)))
        .collect();
    let mut loader = Loader {
        input,
        problems,
        ids,
    };
    let loaded = loader.assemble(&tables, &map, &campaign, &scenario, &list);
    loader.problems.check(loaded)
}

impl<'a> Loader<'a> {
    fn assemble(
        &mut self,
        tables: &Tables,
        map: &MapFile,
        campaign: &CampaignFile,
        scenario: &ScenarioFile,
        list: &'a List,
    ) -> Loaded {
        let board = self.input.board;
        let file = self.input.scenario;
        let first_turn = self.turn(file, "first", &scenario.first);
        let last_turn = self.turn(file, "last", &scenario.last);
        let effects = self.effects(tables);
        let entries = self.entries(map, tables);
        let cards = self.cards(list, tables, scenario);
        let starts = self.starts(list, campaign, scenario, &entries, &cards);
        let limit = self.limits(tables, map);
        self.check_stacks(&starts, &cards, &limit);
        let switches = self.switches();
        let cones = ground::cones(board);
        let sight = ground::sight(board, &cones, switches.equal_height_blocks);
        let judged = self.judged(scenario);
        let (night_entries, night_road) = self.night_roads(map, &entries);
        let all = || (0..cards.len() as u16).map(UnitId);
        let own = BySide::from_fn(|side| {
            all()
                .filter(|&unit| cards[usize::from(unit.0)].side == side)
                .collect()
        });
        let commands = |unit: &UnitId| {
            matches!(
                cards[usize::from(unit.0)].kind,
                Kind::Hq(Level::Division | Level::Artillery | Level::Cavalry)
            )
        };
        let commanders = BySide::from_fn(|side| {
            all()
                .filter(|unit| commands(unit) && cards[usize::from(unit.0)].side == side)
                .collect()
        });
        let army = BySide::from_fn(|side| {
            let heads = |unit: &UnitId| {
                let card = &cards[usize::from(unit.0)];
                card.kind == Kind::Hq(Level::Army) && card.side == side
            };
            all().find(heads).unwrap_or(UnitId(0))
        });
        let rules = Rules {
            own,
            commanders,
            army,
            seniority: self.seniority(list),
            successors: self.successors(tables, &cards),
            edges: ground::edges(board, tables, &effects),
            limit,
            double: board
                .hexes()
                .map(|hex| tables.double_defence.0.contains(&board.cover(hex)))
                .collect(),
            rim: board.hexes().map(|hex| board.is_edge(hex)).collect(),
            cones,
            sight,
            effects,
            entries,
            junction: Some(self.hex("map.ron", "junction", &map.junction.0)),
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
            judged,
            returns: scenario.returns,
            first_turn,
            absent: self.absent(tables),
            cavalry: ["us-hq-gregg", "us-hq-kilpatrick"]
                .iter()
                .filter_map(|id| self.ids.get(id).copied())
                .collect(),
            switches,
            cards,
            starts,
        };
        Loaded {
            units: infos(list, self.input.army),
            tokens: vec![],
            first_turn,
            last_turn,
            rules: Arc::new(rules),
        }
    }

    fn switches(&self) -> Switches {
        let on = |name| self.input.switch(name);
        Switches {
            fixed_initiative: on("fixed_initiative"),
            column_and_line: on("column_and_line"),
            free_deployment: on("free_deployment"),
            cavalry_battle: on("cavalry_battle"),
            hancock: on("hancock"),
            equal_height_blocks: on("equal_height_blocks"),
            leaving_frontline_stops: on("leaving_frontline_stops"),
            transient_overstacking: on("transient_overstacking"),
            promoted_command_assets: on("promoted_command_assets"),
        }
    }

    fn wrong(&mut self, file: &str, problem: impl FnOnce(&Source) -> Problem) {
        if let Some(source) = self.input.files.get(file) {
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
        let source = self.input.files.get(file)?;
        self.unit(source, field, id)
    }

    fn effects(&mut self, tables: &Tables) -> [Effect; 8] {
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
                None => self.wrong("tables.ron", |source| {
                    let problem = source.problem(
                        &format!("sides[{i}].terrain"),
                        format!("no terrain \"{}\"", line.terrain),
                    );
                    problem.with_nearest(&line.terrain, terrain::NAMES)
                }),
            }
        }
        effects
    }

    fn entries(&mut self, map: &MapFile, tables: &Tables) -> Vec<Entry> {
        let board = self.input.board;
        let mut found = vec![];
        for (i, code) in map.entries.0.iter().enumerate() {
            let on_map = board
                .entries()
                .iter()
                .find(|entry| entry.code.as_deref() == Some(code));
            let Some((entry, hex)) = on_map.and_then(|entry| Some((entry, entry.hex?))) else {
                self.wrong("map.ron", |source| {
                    let known = board.entries().iter().filter_map(|e| e.code.as_deref());
                    let problem =
                        source.problem(&format!("entries[0][{i}]"), format!("no entry \"{code}\""));
                    problem.with_nearest(code, known)
                });
                continue;
            };
            let major = board
                .exits()
                .iter()
                .any(|exit| exit.hex == hex && exit.road == RoadKind::Pike);
            let beside = board.neighbours(hex).map(|(_, next)| next);
            found.push(Entry {
                code: code.clone(),
                name: entry.name.clone(),
                hex,
                cost: if major {
                    tables.major_road.0
                } else {
                    tables.minor_road.0
                },
                beside: beside.filter(|&next| board.is_edge(next)).collect(),
            });
        }
        found
    }

    /// The entries of night reinforcements, and the hexes on their roads (§9.74).
    fn night_roads(&mut self, map: &MapFile, entries: &[Entry]) -> (Vec<u8>, Vec<bool>) {
        let board = self.input.board;
        let mut numbers = vec![];
        for (i, code) in map.night_entries.0.iter().enumerate() {
            match entries.iter().position(|entry| entry.code == *code) {
                Some(number) => numbers.push(number as u8),
                None => self.wrong("map.ron", |source| {
                    let known = entries.iter().map(|entry| entry.code.as_str());
                    let field = format!("night_entries[0][{i}]");
                    let problem = source.problem(&field, format!("no entry \"{code}\""));
                    problem.with_nearest(code, known)
                }),
            }
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

    fn cards(&mut self, list: &List, tables: &Tables, scenario: &ScenarioFile) -> Vec<Card> {
        let moves = |word: MovesWord| {
            let line = tables.moves.iter().find(|line| line.kind == word);
            line.map_or(0, |line| line.points.0)
        };
        let mut cards = vec![];
        for (i, counter) in list.counters.iter().enumerate() {
            let values = &counter.values;
            let (kind, word) = match counter.kind {
                Arm::Cavalry => (Kind::Cavalry, MovesWord::Cavalry),
                Arm::Artillery => (Kind::Artillery, MovesWord::Artillery),
                Arm::HorseArtillery => (Kind::HorseArtillery, MovesWord::HorseArtillery),
                _ => (Kind::Infantry, MovesWord::Infantry),
            };
            let hq = self.unit_in(
                "counters.ron",
                &format!("counters[{i}].values.hq"),
                &values.hq,
            );
            cards.push(Card {
                kind,
                side: side_of(&counter.side),
                max: values.max.0,
                letter: values.rating.0.letter as u8,
                fire: values.rating.0.fire,
                long: values.long.as_ref().map_or(0, |long| long.0),
                melee: values
                    .melee
                    .as_ref()
                    .map_or(values.rating.0.fire, |melee| melee.0),
                moves: moves(word),
                range: 0,
                hq,
                corps: None,
                asset: values.asset,
                free: tables.independent.0.contains(&counter.id),
            });
        }
        for (i, leader) in list.leaders.iter().enumerate() {
            let values = &leader.values;
            let field = format!("leaders[{i}].values.of");
            let of = values.of.as_deref();
            let of = of.and_then(|of| self.unit_in("counters.ron", &field, of));
            cards.push(hq_card(leader.side.as_str(), values, of, moves));
        }
        for (i, line) in scenario.attach.iter().enumerate() {
            let file = self.input.scenario;
            let unit = self.unit(file, &format!("attach[{i}].id"), &line.id);
            let to = self.unit(file, &format!("attach[{i}].to"), &line.to);
            if let (Some(unit), Some(to)) = (unit, to) {
                cards[usize::from(unit.0)].hq = Some(to);
            }
        }
        link_corps(&mut cards);
        cards
    }

    fn starts(
        &mut self,
        list: &List,
        campaign: &CampaignFile,
        scenario: &ScenarioFile,
        entries: &[Entry],
        cards: &[Card],
    ) -> Vec<Start> {
        let counters = list.counters.iter().enumerate().map(|(i, counter)| {
            let values = &counter.values;
            (format!("counters[{i}].values"), &values.day2, &values.day3)
        });
        let leaders = list.leaders.iter().enumerate().map(|(i, leader)| {
            let values = &leader.values;
            (format!("leaders[{i}].values"), &values.day2, &values.day3)
        });
        let lines: Vec<_> = counters.chain(leaders).collect();
        let mut starts = vec![Start::Out; lines.len()];
        if scenario.setup == SetupWord::Campaign {
            for (i, line) in campaign.starts.iter().enumerate() {
                let field = format!("starts[{i}]");
                if let Some(unit) = self.unit_in("campaign.ron", &format!("{field}.id"), &line.id) {
                    let at = usize::from(unit.0);
                    starts[at] =
                        self.start("campaign.ron", &field, &line.start, entries, &cards[at]);
                }
            }
            return starts;
        }
        for (i, (field, day2, day3)) in lines.iter().enumerate() {
            let (key, word) = match scenario.setup {
                SetupWord::Day2 => ("day2", day2),
                _ => ("day3", day3),
            };
            if let Some(Sourced(word, _)) = word {
                let field = format!("{field}.{key}");
                starts[i] = self.start("counters.ron", &field, word, entries, &cards[i]);
            }
        }
        starts
    }

    fn start(
        &mut self,
        file: &str,
        field: &str,
        word: &StartWord,
        entries: &[Entry],
        card: &Card,
    ) -> Start {
        match word {
            StartWord::At(label, steps) => {
                if *steps > card.max {
                    let most = card.max;
                    self.wrong(file, |source| {
                        source.problem(field, format!("{steps} steps; the block has {most}"))
                    });
                }
                Start::At(self.hex(file, field, label), *steps)
            }
            StartWord::Arrives(code, turn) => {
                let entry = entries.iter().position(|entry| entry.code == *code);
                if entry.is_none() {
                    self.wrong(file, |source| {
                        let known = entries.iter().map(|entry| entry.code.as_str());
                        let problem = source.problem(field, format!("no entry \"{code}\""));
                        problem.with_nearest(code, known)
                    });
                }
                let turn = match self.input.files.get(file) {
                    Some(source) => self.turn(source, field, turn),
                    None => 0,
                };
                Start::Due(turn, entry.unwrap_or(0) as u8)
            }
            StartWord::Shattered => Start::Shattered,
            StartWord::CavalryBattle => Start::Cavalry,
            StartWord::Off => Start::Out,
        }
    }

    fn limits(&mut self, tables: &Tables, map: &MapFile) -> Vec<u8> {
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

    /// §6.2 A set-up may not be overstacked, and no hex holds both sides.
    fn check_stacks(&mut self, starts: &[Start], cards: &[Card], limit: &[u8]) {
        let mut held: BTreeMap<HexId, Vec<Side>> = BTreeMap::new();
        for (start, card) in starts.iter().zip(cards) {
            if let Start::At(hex, _) = start {
                held.entry(*hex).or_default().push(card.side);
            }
        }
        for (hex, sides) in held {
            let label = self.input.board.label(hex);
            let most = usize::from(limit[usize::from(hex.0)]);
            let message = if sides.len() > most {
                format!(
                    "{label} begins with {} blocks and holds {most}",
                    sides.len()
                )
            } else if sides.iter().any(|side| *side != sides[0]) {
                format!("{label} begins with blocks of both sides")
            } else {
                continue;
            };
            self.problems
                .push(self.input.scenario.problem("setup", message));
        }
    }

    fn seniority(&mut self, list: &List) -> BySide<Vec<UnitId>> {
        let first = list.counters.len();
        BySide::from_fn(|side| {
            let mut found: Vec<(u8, UnitId)> = list
                .leaders
                .iter()
                .enumerate()
                .filter(|(_, leader)| side_of(&leader.side) == side)
                .filter_map(|(i, leader)| {
                    let rank = leader.values.seniority.as_ref()?.0;
                    Some((rank, UnitId((first + i) as u16)))
                })
                .collect();
            found.sort_unstable();
            found.into_iter().map(|(_, unit)| unit).collect()
        })
    }

    fn successors(&mut self, tables: &Tables, cards: &[Card]) -> Vec<(UnitId, Vec<UnitId>)> {
        let mut found = vec![];
        for (i, card) in cards.iter().enumerate() {
            if matches!(card.kind, Kind::Hq(Level::Corps | Level::Cavalry)) {
                let chief = UnitId(i as u16);
                let divisions = (0..cards.len() as u16).map(UnitId).filter(|&unit| {
                    let card = &cards[usize::from(unit.0)];
                    card.kind == Kind::Hq(Level::Division) && card.corps == Some(chief)
                });
                found.push((chief, divisions.collect::<Vec<_>>()));
            }
        }
        for (i, (chief, second)) in tables.seconds.0.iter().enumerate() {
            let field = format!("seconds[0][{i}]");
            let chief = self.unit_in("tables.ron", &field, chief);
            let second = self.unit_in("tables.ron", &field, second);
            let (Some(chief), Some(second)) = (chief, second) else {
                continue;
            };
            if let Some((_, line)) = found.iter_mut().find(|(unit, _)| *unit == chief) {
                line.retain(|unit| *unit != second);
                line.insert(0, second);
            }
        }
        found
    }

    fn victory(&mut self, map: &MapFile) -> Vec<(String, HexId, i16)> {
        let lines = map.victory.iter().enumerate();
        lines
            .map(|(i, line)| {
                let hex = self.hex("map.ron", &format!("victory[{i}].hex"), &line.hex);
                (line.name.clone(), hex, line.points.0)
            })
            .collect()
    }

    fn scale(&mut self, tables: &Tables, scenario: &ScenarioFile) -> Scale {
        let Some(line) = tables.scales.get(&scenario.scale) else {
            let file = self.input.scenario;
            let problem = file.problem("scale", format!("no scale \"{}\"", scenario.scale));
            let known = tables.scales.keys().map(String::as_str);
            self.problems
                .push(problem.with_nearest(&scenario.scale, known));
            return Scale {
                first_wins: 10,
                second_wins: 0,
            };
        };
        Scale {
            first_wins: line.wins.0,
            second_wins: line.loses_below.0,
        }
    }

    fn judged(&mut self, scenario: &ScenarioFile) -> Vec<u16> {
        let file = self.input.scenario;
        let lines = scenario.judged.iter().enumerate();
        lines
            .map(|(i, turn)| self.turn(file, &format!("judged[{i}]"), turn))
            .collect()
    }

    fn absent(&mut self, tables: &Tables) -> Vec<(UnitId, u8)> {
        let mut found = vec![];
        for (i, line) in tables.absent.iter().enumerate() {
            if let Some(unit) = self.unit_in("tables.ron", &format!("absent[{i}].id"), &line.id) {
                found.push((unit, line.from.0));
            }
        }
        found
    }
}

fn hq_card(
    side: &str,
    values: &HqValues,
    of: Option<UnitId>,
    moves: impl Fn(MovesWord) -> u8,
) -> Card {
    let level = match values.level {
        LevelWord::Army => Level::Army,
        LevelWord::Corps => Level::Corps,
        LevelWord::Division => Level::Division,
        LevelWord::Artillery => Level::Artillery,
        LevelWord::Cavalry => Level::Cavalry,
    };
    Card {
        kind: Kind::Hq(level),
        side: side_of(side),
        max: values.max.0,
        letter: values.rating.0.letter as u8,
        fire: values.rating.0.fire,
        long: 0,
        melee: values.rating.0.fire,
        moves: moves(MovesWord::Hq),
        range: values.range.0,
        hq: of,
        corps: None,
        asset: false,
        free: false,
    }
}

/// Finds the corps of every block by its chain of command, and who rides with the cavalry (§3.21).
fn link_corps(cards: &mut [Card]) {
    for i in 0..cards.len() {
        let mut at = Some(UnitId(i as u16));
        for _ in 0..3 {
            let Some(unit) = at else { break };
            let card = cards[usize::from(unit.0)];
            if matches!(card.kind, Kind::Hq(Level::Corps | Level::Cavalry)) {
                cards[i].corps = Some(unit);
                break;
            }
            at = card.hq;
        }
        let rides = cards[i]
            .corps
            .is_some_and(|unit| cards[usize::from(unit.0)].kind == Kind::Hq(Level::Cavalry));
        if cards[i].is_hq() && rides {
            cards[i].moves = 10;
        }
    }
}

/// Names for people: headquarters in capitals, and no two alike.
fn infos(list: &List, army: &Army) -> Vec<UnitInfo> {
    let counters = list.counters.iter().map(|counter| {
        let twins = list
            .counters
            .iter()
            .filter(|other| other.side == counter.side && other.name == counter.name);
        let name = if twins.count() > 1 && counter.kind != Arm::Infantry {
            format!("{} ({})", counter.name, counter.kind)
        } else {
            counter.name.clone()
        };
        let nodes = || counter.nodes.iter().filter_map(|node| army.get(node));
        UnitInfo {
            id: counter.id.clone(),
            name,
            side: side_of(&counter.side),
            kind: counter.kind.to_string(),
            nodes: counter.nodes.clone(),
            men: nodes().map(|node| army.men(node)).sum(),
            guns: nodes().map(|node| army.guns(node).total()).sum(),
        }
    });
    let leaders = list.leaders.iter().map(|leader| UnitInfo {
        id: leader.id.clone(),
        name: leader.name.to_uppercase(),
        side: side_of(&leader.side),
        kind: "headquarters".into(),
        nodes: vec![],
        men: 0,
        guns: 0,
    });
    counters.chain(leaders).collect()
}
