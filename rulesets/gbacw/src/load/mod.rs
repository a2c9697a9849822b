//! From data files to [`Rules`].

mod charts;
mod gates;
mod markers;
mod names;
mod parts;
mod roster;

pub use names::Names;
pub use parts::CommandFile;

use crate::files::{Home, LeaderValues, RoadsFile, ScenarioFile, Tables, Values};
use crate::rules::{Formation, Rules, Switches};
use crate::sight::Sight;
use crate::special::Special;
use crate::steps::Steps;
use crate::victory::Victory;
use cupola_army::Counters;
use cupola_data::Problems;
use cupola_ground::HexId;
use cupola_kernel::{BySide, Input, Loaded, Side, TokenId, UnitId, UnitInfo};
use parts::Merged;
use roster::Roster;
use std::sync::Arc;

/// Roads that columns trust, in battles that have such.
const ROADS: &str = "roads.ron";

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
    // What a battle need not have.
    let march_roads = input.files.contains_key(ROADS);
    let march_roads = march_roads
        .then(|| problems.keep_all(read::<RoadsFile>(input, ROADS)))
        .flatten();
    let (Some(tables), Some(scenario), Some(counters)) = (tables, scenario, counters) else {
        return Err(problems.sorted());
    };
    let merged = Merged::new(input, scenario, &counters, tables.stacking.0);
    problems.append(merged.problems);
    let mut names = Names::new(input, input.scenario, merged.spans);
    names.miss(&merged.scenario.left_out, &counters);
    Loader {
        input,
        problems,
        tables: &tables,
        march_roads: march_roads.as_ref(),
        scenario: &merged.scenario,
    }
    .finish(&counters, names)
}

/// The side of a counter; that it is an army of the list was seen when the counters were read.
fn side_of(input: &Input, id: &str) -> Side {
    input.side(id).unwrap_or(Side::First)
}

/// Collects what the files say, with every mistake.
struct Loader<'a> {
    input: &'a Input<'a>,
    problems: Problems,
    tables: &'a Tables,
    march_roads: Option<&'a RoadsFile>,
    scenario: &'a ScenarioFile,
}

impl Loader<'_> {
    fn finish(
        mut self,
        counters: &Counters<Values, LeaderValues>,
        mut names: Names,
    ) -> Result<Loaded, Problems> {
        let (input, scenario) = (self.input, self.scenario);
        let first = names.turn("first", &scenario.first);
        let last = names.turn("last", &scenario.last);
        let extends = input.switch("extended_lines");
        let extends = extends.then_some(self.tables.extend_strength.0);
        let mut roster = Roster::new(input, scenario, counters, &mut names, extends);
        names.learn(&roster.infos, &roster.brigades);
        let mut formations = markers::formations(scenario, &mut names, &mut roster.brigades);
        names.formations = formations.iter().map(|f| f.name.clone()).collect();
        let tokens = tokens(input, &formations, &mut roster.brigades);
        markers::guests(
            scenario,
            &mut names,
            &mut formations,
            &mut roster.brigades,
            &mut roster.worn,
        );
        let units = std::mem::take(&mut roster.infos);
        let rules = self.rules(&mut names, (roster, &units), formations, first);
        self.problems.append(names.problems);
        self.problems.check(Loaded {
            units,
            tokens,
            first_turn: first,
            last_turn: last,
            rules: Arc::new(rules),
        })
    }

    /// What steps cost on this board.
    fn steps(&self, field: &[bool]) -> Steps {
        let roads = self.march_roads;
        let roads = roads.map_or(&[][..], |roads| &roads.march_roads.0);
        Steps::new(self.input.board, &self.tables.terrain, roads, field)
    }

    /// Until when only known roads are marched on quickly.
    fn wary_until(&self, names: &mut Names) -> Option<u16> {
        let roads = self.march_roads?;
        let until = &roads.march_roads_until.0;
        Some(names.turn_of(ROADS, "march_roads_until[0]", until))
    }

    /// Everything that a game reads.
    fn rules(
        &mut self,
        names: &mut Names,
        (roster, infos): (Roster, &[UnitInfo]),
        formations: Vec<Formation>,
        first_turn: u16,
    ) -> Rules {
        let (input, tables, scenario) = (self.input, self.tables, self.scenario);
        let (victory, watched) = victory(scenario, names);
        let field = names.field(scenario.field.as_deref());
        self.inside(&field, &roster.starts, infos);
        names.gates.0 = roster.gates.len();
        let specials = specials(scenario, names);
        let home = names.by_side("home", &scenario.home.0);
        let gates = roster.gates.into_iter();
        let gates = gates.chain(std::mem::take(&mut names.gates.1)).collect();
        Rules {
            pools: markers::pools(scenario, names),
            initiative: markers::initiative(scenario, names),
            wary_until: self.wary_until(names),
            draws: markers::draws(scenario, names, &roster.cards),
            specials,
            works: works(scenario, names),
            gates,
            roads: gates::roads(names, input.board, scenario),
            border: gates::border(input.board, &field),
            parted: gates::parted(input.board),
            spans: gates::spans(input.board),
            march_marker: markers::march(&formations),
            troops_of: troops_of(&roster.cards, roster.troops),
            cards: roster.cards,
            troops: roster.troops,
            starts: roster.starts,
            brigades: roster.brigades,
            worn: roster.worn,
            formations,
            steps: self.steps(&field),
            field,
            home: home.unwrap_or_else(|| BySide::from_fn(|_| Home::North)),
            sight: Sight::new(input.board.len(), scenario.cover),
            fire_table: charts::fire_table(tables),
            ranges: self.ranges(),
            strength: tables.strength.0.clone(),
            numbers: charts::numbers(tables),
            allowances: charts::allowances(tables),
            reaches: charts::reaches(tables),
            drms: charts::drms(tables),
            divisions: scenario.divisions,
            march: scenario.march,
            reserve: scenario.reserve,
            favour: scenario.favour,
            first_turn,
            victory,
            watch: watches(input.board.len(), &watched),
            watched,
            switches: switches(input),
        }
    }

    /// Everybody must begin on the scenario's map.
    fn inside(&mut self, field: &[bool], starts: &[crate::rules::Start], infos: &[UnitInfo]) {
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
}

/// The combat units of each side.
fn troops_of(cards: &[crate::rules::Card], troops: u16) -> BySide<Vec<UnitId>> {
    let of = |side: Side| {
        let cards = (0..troops).zip(cards);
        let ours = cards.filter(|(_, card)| card.side == side);
        ours.map(|(unit, _)| UnitId(unit)).collect()
    };
    BySide {
        first: of(Side::First),
        second: of(Side::Second),
    }
}

/// The special rules of a scenario.
fn specials(scenario: &ScenarioFile, names: &mut Names) -> Vec<Box<dyn Special>> {
    let specials = scenario.special.iter().enumerate();
    specials
        .map(|(i, special)| special.build(names, &format!("special[{i}]"), i))
        .collect()
}

/// Breastworks that stand from the start.
fn works(scenario: &ScenarioFile, names: &mut Names) -> Vec<(HexId, u8)> {
    let works = scenario.works.iter().enumerate();
    works
        .map(|(i, (label, corners))| {
            let sides = corners.iter().flat_map(|corner| corner.front());
            let hex = names.hex(&format!("works[{i}]"), label);
            (hex, sides.fold(0, |bits, side| bits | 1 << side))
        })
        .collect()
}

/// Optional rules and readings.
fn switches(input: &Input) -> Switches {
    Switches {
        leading_the_charge: input.switch("leading_the_charge"),
        no_long_runs: input.switch("no_long_runs"),
        refused_lines: input.switch("refused_lines"),
        mounted_charge: input.switch("mounted_charge"),
        extended_lines: input.switch("extended_lines"),
        three_sided_works: input.switch("three_sided_works"),
        careful_marches: input.switch("careful_marches"),
    }
}

/// Names of markers, brigades and corners, by token.
fn tokens(
    input: &Input,
    formations: &[Formation],
    brigades: &mut [crate::rules::Brigade],
) -> Vec<String> {
    let mut tokens: Vec<String> = formations
        .iter()
        .map(|formation| format!("am:{}", formation.name.replace(' ', "-")))
        .collect();
    for brigade in brigades {
        brigade.token = TokenId(tokens.len() as u16);
        let side = &input.sides[brigade.side as usize].id;
        tokens.push(format!("{side}:{}", brigade.name.replace(' ', "-")));
    }
    tokens.extend(crate::facing::Facing::ALL.map(|facing| facing.name().to_owned()));
    tokens.extend(["left", "right"].map(str::to_owned));
    tokens
}

/// Who wins, and the hexes that are watched for it.
fn victory(scenario: &ScenarioFile, names: &mut Names) -> (Victory, Vec<HexId>) {
    let mut watched = vec![];
    let watch = |hex| watch(&mut watched, hex);
    let victory = scenario.victory.build(names, watch);
    (victory, watched)
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
