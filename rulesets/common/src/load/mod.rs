//! From data files to [`Rules`].

mod edges;
mod parts;
mod roster;
mod scenario;

use crate::files::{RulesFile, ScenarioFile, Values};
use crate::rules::Rules;
use crate::sections::Section;
use cupola_data::Problems;
use cupola_kernel::{Input, Loaded, word};
use cupola_kit::{Around, Loader, SCENARIO};
use serde::de::IgnoredAny;
use std::sync::Arc;

/// The file with the numbers.
pub const RULES: &str = "rules.ron";
/// The file with the counters.
pub const COUNTERS: &str = "counters.ron";

/// Reads everything.
pub fn load(input: &Input) -> Result<Loaded, Problems> {
    let mut loader = Loader::new(input);
    let file = loader.read::<RulesFile>(RULES);
    let scenario = loader.read::<ScenarioFile>(SCENARIO);
    let counters = loader.counters::<Values, IgnoredAny>(COUNTERS);
    let (Some(file), Some(scenario), Some(counters)) = (file, scenario, counters) else {
        return loader.give_up();
    };
    parts::played(&mut loader, &file);
    let kinds: Vec<&str> = file.kinds.keys().map(String::as_str).collect();
    let roster = roster::read(&mut loader, &file, &counters, &kinds);
    let first = loader.turn(SCENARIO, "first", &scenario.first);
    let last = loader.turn(SCENARIO, "last", &scenario.last);
    let spread = file
        .reinforcements
        .as_ref()
        .map_or((0, 0), |file| (file.spread.0, file.blocked.0));
    let (starts, entries) = scenario::starts(&mut loader, &scenario, &roster, spread);
    scenario::check_stacking(&mut loader, &starts, &roster, file.stacking.0);
    let sides = edges::sides(input.board);
    let rules = Rules {
        sections: sections(&mut loader, &file),
        hops: kinds
            .iter()
            .map(|kind| edges::hops(&mut loader, &file.movement, kind, &sides))
            .collect(),
        sides,
        around: Around::new(input.board),
        parts: parts::at_least_one(&mut loader, "movement.parts", file.movement.parts),
        one_hex_always: file.movement.one_hex_always.0,
        stacking: parts::at_least_one(&mut loader, "stacking", file.stacking.0),
        zones: file.zones.as_ref().map(parts::zones),
        shaken: parts::shaken(&file.shaken),
        entries,
        fire: parts::fire(&mut loader, file.fire.as_ref()),
        assault: parts::assault(&mut loader, file.assault.as_ref()),
        rally: parts::rally(&mut loader, file.rally.as_ref()),
        supply: parts::supply(&mut loader, file.supply.as_ref(), &scenario),
        initiative: parts::initiative(&mut loader, file.initiative.as_ref()),
        victory: parts::victory(&mut loader, &file.victory, &scenario),
        lost_when_eliminated: parts::share(&mut loader, file.lost_when_eliminated.0),
        last_turn: last,
        cards: roster.cards,
        starts,
    };
    let loaded = Loaded {
        units: roster.units,
        tokens: vec![],
        first_turn: first,
        last_turn: last,
        rules: Arc::new(rules),
    };
    loader.finish(loaded)
}

/// The sections of the game's own rulebook; those that it does not name are as in `classic`.
fn sections(loader: &mut Loader, file: &RulesFile) -> Vec<&'static str> {
    let mut sections = Section::CLASSIC.to_vec();
    for (name, section) in &file.sections {
        let known = Section::NAMES.iter().position(|known| known == name);
        match known {
            Some(rule) => sections[rule] = word(section),
            None => {
                let field = format!("sections.{name}");
                let names = Section::NAMES.iter().copied();
                loader.unknown(RULES, &field, ("rule", name), names);
            }
        }
    }
    sections
}
