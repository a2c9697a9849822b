//! From data files to [`Rules`].

mod charts;
mod names;
mod roster;

pub use names::Names;

use crate::files::{LeaderValues, ScenarioFile, Tables, Values};
use crate::rules::{Draw, Formation, NONE, Rules, Switches};
use crate::sight::Sight;
use crate::steps::Steps;
use cupola_army::Counters;
use cupola_data::Problems;
use cupola_ground::HexId;
use cupola_kernel::{BySide, Input, Loaded, Side, TokenId};
use roster::Roster;
use std::sync::Arc;

fn read<T: serde::de::DeserializeOwned>(input: &Input, name: &str) -> Result<T, Problems> {
    input.file(name)?.ron().map_err(Problems::from)
}

/// Reads everything.
pub fn load(input: &Input) -> Result<Loaded, Problems> {
    let mut problems = Problems::default();
    let tables = problems.keep_all(read::<Tables>(input, "tables.ron"));
    let scenario = problems.keep(input.scenario.ron::<ScenarioFile>());
    let counters = problems.keep_all(
        input
            .file("counters.ron")
            .and_then(|file| Counters::<Values, LeaderValues>::read(file, input.army)),
    );
    let (Some(tables), Some(scenario), Some(counters)) = (tables, scenario, counters) else {
        return Err(problems.sorted());
    };
    Loader {
        input,
        problems,
        tables: &tables,
        scenario: &scenario,
    }
    .finish(&counters)
}

/// The Union is listed first.
#[must_use]
pub fn side_of(id: &str) -> Side {
    if id == "us" {
        Side::First
    } else {
        Side::Second
    }
}

/// Collects what the files say, with every mistake.
struct Loader<'a> {
    input: &'a Input<'a>,
    problems: Problems,
    tables: &'a Tables,
    scenario: &'a ScenarioFile,
}

impl Loader<'_> {
    fn finish(mut self, counters: &Counters<Values, LeaderValues>) -> Result<Loaded, Problems> {
        let (input, tables, scenario) = (self.input, self.tables, self.scenario);
        let file = input.scenario;
        let mut names = Names::new(input, file);
        let first = names.turn("first", &scenario.first);
        let last = names.turn("last", &scenario.last);
        let roster = Roster::new(input, scenario, counters, &mut names);
        let Roster {
            cards,
            troops,
            infos,
            starts,
            mut brigades,
            worn,
        } = roster;
        names.learn(&infos, &brigades);
        let draws = self.draws(&mut names, &cards);
        let formations = self.formations(&mut names, &mut brigades);
        names.formations = formations.iter().map(|f| f.name.clone()).collect();
        let tokens = tokens(&formations, &mut brigades);
        let mut watched: Vec<HexId> = vec![];
        let victory = scenario
            .victory
            .build(&mut names, |hex| watch(&mut watched, hex));
        let specials = scenario.special.iter().enumerate();
        let specials = specials
            .map(|(i, special)| special.build(&mut names, &format!("special[{i}]"), i))
            .collect();
        let field = names.extent("field", &scenario.field);
        self.inside(&field, &starts, &infos);
        let works = scenario
            .works
            .iter()
            .enumerate()
            .map(|(i, (label, corners))| {
                let sides = corners.iter().flat_map(|corner| corner.front());
                let hex = names.hex(&format!("works[{i}]"), label);
                (hex, sides.fold(0, |bits, side| bits | 1 << side))
            });
        let works = works.collect();
        let home = scenario.home.0;
        let rules = Rules {
            pools: self.pools(&mut names),
            initiative: self.initiative(&mut names),
            wary_until: names.table_turn("march_roads_until", &tables.march_roads_until.0),
            cards,
            troops,
            starts,
            brigades,
            worn,
            formations,
            draws,
            field,
            home: BySide {
                first: home.us,
                second: home.cs,
            },
            steps: Steps::new(input.board, &tables.terrain, &tables.march_roads.0),
            sight: Sight::new(input.board.len(), scenario.cover),
            fire_table: charts::fire_table(tables),
            ranges: self.ranges(),
            strength: tables.strength.0.clone(),
            numbers: charts::numbers(tables),
            allowances: charts::allowances(tables),
            reaches: charts::reaches(tables),
            drms: charts::drms(tables),
            works,
            divisions: scenario.divisions,
            first_turn: first,
            specials,
            victory,
            watch: watches(input.board.len(), &watched),
            watched,
            switches: Switches {
                leading_the_charge: input.switch("leading_the_charge"),
                no_long_runs: input.switch("no_long_runs"),
            },
        };
        self.problems.append(names.problems);
        self.problems.check(Loaded {
            units: infos,
            tokens,
            first_turn: first,
            last_turn: last,
            rules: Arc::new(rules),
        })
    }

    /// Everybody must begin on the scenario's map.
    fn inside(
        &mut self,
        field: &[bool],
        starts: &[crate::rules::Start],
        infos: &[cupola_kernel::UnitInfo],
    ) {
        for (start, info) in starts.iter().zip(infos) {
            let Some(hex) = start.at.filter(|hex| !field[hex.index()]) else {
                continue;
            };
            let message = format!(
                "{} begins in {}, which is not on the scenario's map",
                info.id,
                self.input.board.label(hex)
            );
            self.problems
                .push(self.input.scenario.problem("field", message));
        }
    }

    fn ranges(&mut self) -> [Vec<i8>; 12] {
        let rows = &self.tables.ranges.0;
        crate::files::Weapon::ALL.map(|weapon| {
            let Some(bands) = rows.get(weapon.name()) else {
                if let Some(source) = self.input.files.get("tables.ron") {
                    let message = format!("no row for weapon {}", weapon.name());
                    self.problems.push(source.problem("ranges", message));
                }
                return vec![];
            };
            let mut row = vec![];
            for &(until, modifier) in bands {
                while row.len() < usize::from(until) {
                    row.push(modifier);
                }
            }
            row
        })
    }

    fn draws(&mut self, names: &mut Names, cards: &[crate::rules::Card]) -> Vec<Draw> {
        let draws = self.scenario.draws.iter().enumerate();
        draws
            .map(|(i, draw)| {
                let field = format!("draws[{i}]");
                let commander = draw
                    .commander
                    .as_ref()
                    .map(|leader| names.unit(&format!("{field}.commander"), leader));
                let own = commander.map_or(0, |leader| {
                    cards
                        .get(usize::from(leader.0))
                        .map_or(0, |card| card.rating[0])
                });
                Draw {
                    name: draw.name.clone(),
                    side: names.side(&format!("{field}.side"), &draw.side),
                    rating: draw.rating.as_ref().map_or(own, |rating| rating.0),
                    commander,
                }
            })
            .collect()
    }

    fn formations(
        &mut self,
        names: &mut Names,
        brigades: &mut [crate::rules::Brigade],
    ) -> Vec<Formation> {
        let mut found = vec![];
        for (i, file) in self.scenario.formations.iter().enumerate() {
            let field = format!("formations[{i}]");
            let members: Vec<u16> = file
                .brigades
                .iter()
                .map(|brigade| names.brigade(&format!("{field}.brigades"), brigade))
                .collect();
            for &brigade in &members {
                if let Some(brigade) = brigades.get_mut(usize::from(brigade)) {
                    brigade.formation = i as u16;
                }
            }
            let draws = file.draws.as_ref().map(|draw| {
                let all = self.scenario.draws.iter().map(|draw| draw.name.as_str());
                names.choose(&format!("{field}.draws"), "command that draws", draw, all) as u8
            });
            let mut own = vec![];
            for (brigade, turns) in &file.own {
                let number = names.brigade(&format!("{field}.own"), brigade);
                for (turn, markers) in turns {
                    let turn = names.turn(&format!("{field}.own"), turn);
                    own.push((number, turn, *markers));
                }
            }
            let fixed = file
                .fixed
                .iter()
                .map(|(turn, markers)| (names.turn(&format!("{field}.fixed"), turn), *markers));
            let fixed = fixed.collect();
            found.push(Formation {
                name: file.am.clone(),
                side: names.side(&format!("{field}.side"), &file.side),
                brigades: members,
                leader: file
                    .leader
                    .as_ref()
                    .map(|leader| names.unit(&format!("{field}.leader"), leader)),
                draws,
                rating: file.rating.as_ref().map(|rating| rating.0),
                fixed,
                from: file
                    .from
                    .as_ref()
                    .map_or(0, |turn| names.turn(&format!("{field}.from"), turn)),
                own,
                traces: file.traces,
                token: TokenId(i as u16),
            });
        }
        for (i, brigade) in brigades.iter().enumerate() {
            let idle = brigade.formation == NONE;
            if idle {
                let message = format!("no marker activates brigade {} ({i})", brigade.name);
                names.problem("formations", message);
            }
        }
        found
    }

    fn pools(&mut self, names: &mut Names) -> Vec<(Side, u16, [u8; 3])> {
        let pools = self.scenario.pools.iter().enumerate();
        let mut found: Vec<(Side, u16, [u8; 3])> = pools
            .map(|(i, pool)| {
                let field = format!("pools[{i}]");
                (
                    names.side(&format!("{field}.side"), &pool.side),
                    names.turn(&format!("{field}.from"), &pool.from),
                    [pool.three, pool.two, pool.one],
                )
            })
            .collect();
        found.sort_by_key(|(_, from, _)| *from);
        found
    }

    fn initiative(&mut self, names: &mut Names) -> Vec<(u16, Side)> {
        let fixed = self.scenario.initiative.iter();
        fixed
            .map(|(turn, side)| {
                (
                    names.turn("initiative", turn),
                    names.side("initiative", side),
                )
            })
            .collect()
    }
}

/// Names of markers, brigades and corners, by token.
fn tokens(formations: &[Formation], brigades: &mut [crate::rules::Brigade]) -> Vec<String> {
    let mut tokens: Vec<String> = formations
        .iter()
        .map(|formation| format!("am:{}", formation.name.replace(' ', "-")))
        .collect();
    for brigade in brigades {
        brigade.token = TokenId(tokens.len() as u16);
        let side = if brigade.side == Side::First {
            "us"
        } else {
            "cs"
        };
        tokens.push(format!("{side}:{}", brigade.name.replace(' ', "-")));
    }
    tokens.extend(crate::facing::Facing::ALL.map(|facing| facing.name().to_owned()));
    tokens
}

/// The number of a watched hex.
fn watch(watched: &mut Vec<HexId>, hex: HexId) -> u8 {
    let known = watched.iter().position(|&known| known == hex);
    known.unwrap_or_else(|| {
        watched.push(hex);
        watched.len() - 1
    }) as u8
}

/// By hex: which of the watched it is, from one.
fn watches(hexes: usize, watched: &[HexId]) -> Vec<u8> {
    let mut watch = vec![0; hexes];
    for (i, hex) in watched.iter().enumerate() {
        watch[hex.index()] = i as u8 + 1;
    }
    watch
}
