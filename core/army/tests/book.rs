//! The book's examples are read as the book says.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::path::Path;

use common::{army, at, id};
use cupola_army::{Army, Counters, Light, Rule, Scenario, Turns};
use cupola_data::{Origin, Source, Sourced};
use serde::Deserialize;

/// The RON examples of a page, in order.
fn examples(page: &str) -> Vec<Source> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../book/src/army");
    let text = std::fs::read_to_string(path.join(page)).unwrap();
    let blocks = text.split("```ron\n").skip(1);
    let blocks = blocks.map(|block| block.split("```").next().unwrap_or_default());
    blocks.map(|block| Source::new(page, block)).collect()
}

#[test]
fn the_army_list_example_is_an_army_list() {
    let army = Army::read(&examples("format.md"), &["ba", "dm"]).unwrap();
    let corps = id(&army, "us-i");
    assert_eq!((army.men(corps), army.guns(corps).total()), (431, 6));
    assert_eq!(army.losses(corps).total(), 213);
    // The artillery came with its corps.
    let battery = army.find("stewart").unwrap();
    assert_eq!(army.arrival(battery).unwrap().at, at("1863-07-01T10:00"));
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Strength {
    sp: Sourced<i64>,
}

#[test]
fn the_counter_example_covers_its_brigade() {
    let [source] = &examples("counters.md")[..] else {
        panic!("one example expected");
    };
    let list: Counters<Strength> = Counters::read(source, army()).unwrap();
    for counter in &list.counters {
        let Sourced(sp, Origin::Derived(rule)) = &counter.values.sp else {
            panic!("a derived value expected");
        };
        let rule: Rule = rule.parse().unwrap();
        assert_eq!(rule.value(|_| Some(counter.men(army()))), Ok(*sp));
    }
}

#[test]
fn the_clock_examples_are_turns_and_a_scenario() {
    let [turns, scenario] = &examples("clock.md")[..] else {
        panic!("two examples expected");
    };
    let turns = Turns::read(turns).unwrap();
    assert_eq!(
        turns.at(at("1863-07-02T03:00")).unwrap().light,
        Light::Night
    );
    let scenario = Scenario::read(scenario, army()).unwrap();
    assert!(scenario.has(army(), id(army(), "us-i-1-1")));
    assert!(!scenario.has(army(), id(army(), "us-xi-3")));
    assert!(!scenario.has(army(), id(army(), "cs-iii-anderson")));
}
