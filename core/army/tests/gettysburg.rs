//! The order of battle of Gettysburg, its clock and its scenarios, against what they must show.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::{army, at, battle, counters, data, id, turns};
use cupola_army::{Army, Filter, Kind, Light, Moment, Row, Scenario};
use cupola_data::Source;
use serde::de::IgnoredAny;

const RULESETS: [&str; 4] = ["corps20", "blindswords", "blocks", "gbacw"];

fn rows(army: &Army, filter: Filter) -> Vec<Row> {
    army.roster(&filter).unwrap()
}

fn of(side: &str, kind: Kind) -> Filter {
    Filter {
        army: Some(side.to_owned()),
        kind: Some(kind),
        ..Filter::default()
    }
}

#[test]
fn nobody_is_missing() {
    let army = army();
    let count = |kind| {
        (
            rows(army, of("us", kind)).len(),
            rows(army, of("cs", kind)).len(),
        )
    };
    assert_eq!(count(Kind::Infantry), (240, 171));
    assert_eq!(count(Kind::Cavalry), (27, 20));
    // The list has 64 and 65 batteries; Rank, Hart and Griffin are added.
    assert_eq!(count(Kind::Battery), (65, 67));
    assert_eq!(count(Kind::Corps), (8, 3));
    assert_eq!(count(Kind::Division), (22, 10));
}

#[test]
fn brigades_have_the_men_and_guns_of_the_facts() {
    let army = army();
    for line in include_str!("brigades.csv").lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let kind: Kind = cells[1].parse().unwrap();
        let expected: Vec<u32> = cells[2..]
            .iter()
            .map(|cell| cell.parse().unwrap())
            .collect();
        let nodes = cells[0].split(' ').map(|name| id(army, name));
        let known = |node: &str| node != "cs-cav-beckham-mcgregor";
        let troops: Vec<_> = nodes
            .flat_map(|node| army.troops(node))
            .filter(|troop| army.node(*troop).kind == kind)
            .filter(|troop| army.node(*troop).source == "dm")
            .collect();
        let men = troops.iter().map(|troop| army.men(*troop)).sum();
        // McGregor's guns are not in the facts, only his men.
        let guns = troops
            .iter()
            .filter(|troop| known(&army.node(**troop).id))
            .map(|troop| army.guns(*troop).total())
            .sum();
        assert_eq!(vec![troops.len() as u32, men, guns], expected, "{line}");
    }
}

#[test]
fn what_is_not_on_the_list_is_marked() {
    let army = army();
    let house: Vec<&str> = rows(army, Filter::default())
        .iter()
        .map(|row| army.node(id(army, &row.id)))
        .filter(|node| node.source == "house")
        .map(|node| node.commander.as_str())
        .collect();
    assert_eq!(
        house,
        [
            "Capt. William D. Rank",
            "Capt. William H. Griffin",
            "Capt. James F. Hart"
        ]
    );
    let away: Vec<String> = army
        .roster(&Filter {
            kind: Some(Kind::Brigade),
            absent: true,
            ..Filter::default()
        })
        .unwrap()
        .into_iter()
        .filter(|row| row.absent.is_some())
        .map(|row| row.id)
        .collect();
    assert_eq!(
        away,
        [
            "us-cav-2-2",
            "cs-cav-robertson",
            "cs-cav-jones",
            "cs-cav-imboden"
        ]
    );
}

#[test]
fn armies_add_up() {
    let army = army();
    let (us, cs) = (id(army, "us"), id(army, "cs"));
    assert_eq!(army.armies().collect::<Vec<_>>(), [us, cs]);
    // The facts' table adds up to 89,008 and 69,115 men, 356 and 258 guns; three batteries and
    // McGregor's guns come on top.
    assert_eq!((army.men(us), army.men(cs)), (89_008 + 52, 69_115 + 182));
    assert_eq!(
        (army.guns(us).total(), army.guns(cs).total()),
        (356 + 2, 258 + 4 + 7)
    );
    assert_eq!(army.side(id(army, "cs-iii-heth-davis-11ms")), cs);
}

#[test]
fn leaders_and_arrivals_are_known() {
    let army = army();
    for node in army.ids() {
        let line = army.node(node);
        if line.kind.is_formation() {
            assert!(!line.commander.is_empty(), "{}", line.id);
        }
        if line.kind.is_troops() && army.absence(node).is_none() {
            assert!(army.arrival(node).is_some(), "{}", line.id);
        }
    }
    let reynolds = army.node(id(army, "us-i"));
    assert_eq!(reynolds.successors.len(), 2);
    let inherited = army.arrival(id(army, "us-i-1-1-19in")).unwrap();
    assert_eq!(
        (inherited.at, inherited.by.as_str()),
        (at("1863-07-01T10:00"), "Emmitsburg Road")
    );
    let own = army.arrival(id(army, "us-i-1-2-7in")).unwrap();
    assert_eq!(own.at, at("1863-07-01T18:00"));
}

#[test]
fn names_are_found_loosely() {
    let army = army();
    let found = |text: &str| army.find(text).map(|node| army.node(node).id.as_str());
    assert_eq!(found("us-i-1-1-19in"), Ok("us-i-1-1-19in"));
    assert_eq!(found("20th maine"), Ok("us-v-1-3-20me"));
    assert_eq!(found("iron brigade"), Ok("us-i-1-1"));
    assert_eq!(found("Krzyzanowski"), Ok("us-xi-3-2"));
    assert_eq!(found("us-i-1-1-19im"), Err(vec!["us-i-1-1-19in"]));
    assert!(found("anderson").unwrap_err().contains(&"cs-iii-anderson"));
    assert!(found("xyzzy").unwrap_err().is_empty());
}

#[test]
fn the_roster_filters() {
    let army = army();
    let filter = Filter {
        corps: Some("I".into()),
        army: Some("us".into()),
        kind: Some(Kind::Battery),
        before: Some(at("1863-07-01T10:30")),
        ..Filter::default()
    };
    let rows = rows(army, filter);
    assert_eq!(rows.len(), 1);
    assert_eq!(
        (
            rows[0].name.as_str(),
            rows[0].guns,
            rows[0].gun_types.as_str()
        ),
        ("2nd Maine Battery", 6, "6 3-in")
    );
    let third = Filter {
        army: Some("cs".into()),
        corps: Some("III".into()),
        kind: Some(Kind::Division),
        ..Filter::default()
    };
    assert_eq!(army.roster(&third).unwrap().len(), 3);
    let by_commander = Filter {
        division: Some("heth".into()),
        ..Filter::default()
    };
    assert_eq!(army.roster(&by_commander).unwrap().len(), 21);
    let unknown = Filter {
        corps: Some("IV".into()),
        ..Filter::default()
    };
    let message = army.roster(&unknown).unwrap_err().to_string();
    assert!(
        message.starts_with("no corps \"IV\"; there are us-i, us-ii"),
        "{message}"
    );
}

#[test]
fn csv_goes_out_and_comes_back_the_same() {
    let army = army();
    let text = army.to_csv();
    let back = Army::from_csv(&Source::new("army.csv", text.clone()), &[]).unwrap();
    assert_eq!(&back, army);
    assert_eq!(back.to_csv(), text);
}

#[test]
fn csv_problems_name_line_and_column() {
    let text = army()
        .to_csv()
        .replacen("us-i-1-1,infantry", "us-i-1-l,infantri", 1);
    let problems = Army::from_csv(&Source::new("army.csv", text), &[]).unwrap_err();
    assert_eq!(
        problems.to_string(),
        "army.csv:9:1: kind: \"infantri\": \"infantri\" is none of army, corps, division, reserve, \
         brigade, battalion, infantry, cavalry, battery, staff; did you mean \"infantry\"?\n1 problem"
    );
}

#[test]
fn turns_cover_the_battle() {
    let check = |ruleset: &str, count: usize, first: &str, last: &str, nights: usize| {
        let track = turns(ruleset);
        assert_eq!(track.ruleset, ruleset);
        assert_eq!(track.turns.len(), count, "{ruleset}");
        assert_eq!(track.span().unwrap().from, at(first), "{ruleset}");
        assert_eq!(track.span().unwrap().to, at(last), "{ruleset}");
        let dark = track.turns.iter().filter(|turn| turn.light == Light::Night);
        assert_eq!(dark.count(), nights, "{ruleset}");
    };
    check("corps20", 25, "1863-07-01T05:00", "1863-07-04T15:00", 3);
    check("blindswords", 12, "1863-07-01T09:00", "1863-07-01T21:00", 0);
    check("blocks", 42, "1863-07-01T08:00", "1863-07-04T08:00", 3);
    check("gbacw", 53, "1863-07-01T05:00", "1863-07-04T02:00", 8);
}

#[test]
fn the_same_hour_has_a_turn_everywhere() {
    let labels = |moment: Moment| {
        RULESETS.map(|ruleset| turns(ruleset).at(moment).map(|turn| turn.label.clone()))
    };
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(
        labels(at("1863-07-01T15:15")),
        [
            some("July 1 Evening"),
            some("3:00 pm"),
            some("Day 1, 3PM"),
            some("July 1 1500")
        ]
    );
    assert_eq!(
        labels(at("1863-07-02T23:30")),
        [
            some("July 2 Night"),
            None,
            some("Day 2, Night"),
            some("July 2 2300N")
        ]
    );
}

#[test]
fn the_sun_is_known() {
    let sun = battle().sun.clone();
    assert_eq!(sun.light(at("1863-07-01T04:20")), Light::Dawn);
    assert_eq!(sun.light(at("1863-07-02T12:00")), Light::Day);
    assert_eq!(sun.light(at("1863-07-02T19:45")), Light::Dusk);
    assert_eq!(sun.light(at("1863-07-03T23:00")), Light::Night);
}

#[test]
fn the_same_hours_are_cut_from_every_ruleset() {
    let army = army();
    let cut = |name: &str| {
        let path = data(&format!("scenarios/{name}.ron"));
        let scenario = Scenario::read(&Source::read(&path).unwrap(), army).unwrap();
        assert_eq!(
            (scenario.id.as_str(), scenario.battle.as_str()),
            (name, "gettysburg")
        );
        RULESETS.map(|ruleset| {
            let (turns, counters) = (turns(ruleset), counters::<IgnoredAny, IgnoredAny>(ruleset));
            let cut = scenario.cut(army, &turns, &counters);
            (cut.turns.len(), cut.counters.len())
        })
    };
    assert_eq!(
        cut("gettysburg-july1"),
        [(6, 14), (12, 106), (13, 66), (15, 300)]
    );
    assert_eq!(
        cut("gettysburg-july2"),
        [(6, 26), (0, 107), (13, 128), (15, 607)]
    );
    assert_eq!(
        cut("gettysburg-july3"),
        [(6, 27), (0, 97), (13, 130), (15, 622)]
    );
    assert_eq!(
        cut("gettysburg"),
        [(25, 27), (12, 107), (42, 132), (53, 640)]
    );
}
