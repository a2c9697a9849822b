//! The counters of the four rulesets: that they cover the armies, that their files have the shape
//! they say they have, and that every derived value can be derived again.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod blindswords;
mod blocks;
#[path = "../common/mod.rs"]
mod common;
mod corps20;
mod gbacw;

use common::{army, counters};
use cupola_army::{Arm, Counter, Counters, Ratio, Rule};
use cupola_data::{Origin, Sourced};
use serde::de::IgnoredAny;

type Number = Sourced<i64>;

/// Checks a derived number by doing its sum again; other origins pass.
fn again<V>(counter: &Counter<V>, number: &Number, extra: &[(&str, i64)]) {
    let Sourced(value, Origin::Derived(rule)) = number else {
        return;
    };
    let rule: Rule = rule
        .parse()
        .unwrap_or_else(|error| panic!("{}: {error}", counter.id));
    let derived = rule.value(|name| match name {
        "men" => Some(counter.men(army())),
        "guns" => Some(counter.guns(army())),
        name => {
            let found = extra.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| Ratio::whole(*value))
        }
    });
    assert_eq!(derived, Ok(*value), "{}", counter.id);
}

fn count<V, L>(list: &Counters<V, L>, side: &str, kind: Arm) -> usize {
    let of_side = list.counters.iter().filter(|counter| counter.side == side);
    of_side.filter(|counter| counter.kind == kind).count()
}

#[test]
fn every_ruleset_covers_its_forces() {
    for (ruleset, expected) in [
        ("corps20", (29, 5)),
        ("blindswords", (107, 17)),
        ("blocks", (136, 48)),
        ("gbacw", (640, 178)),
    ] {
        let list = counters::<IgnoredAny, IgnoredAny>(ruleset);
        assert_eq!(list.ruleset, ruleset);
        assert_eq!(
            (list.counters.len(), list.leaders.len()),
            expected,
            "{ruleset}"
        );
    }
}
