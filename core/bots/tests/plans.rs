//! The plans in the data folder say something to everybody at every hour; broken ones get a message.
//!
//! A broken plan is a file under `tests/bad/plans` and a `.txt` of the same name beside it. With
//! `CUPOLA_BLESS=1` in the environment the messages are written instead of compared; read the difference
//! before you keep it.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;

use cupola_army::{Army, Battle, Kind, Moment, NodeId, Scenario};
use cupola_bots::{Order, Plan, Task, Temper};
use cupola_data::{Problems, Source};
use cupola_ground::Battlefield;

fn root(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path)
}

fn battle() -> &'static Battle {
    static BATTLE: OnceLock<Battle> = OnceLock::new();
    BATTLE.get_or_init(|| Battle::read(&root("data/armies/gettysburg")).unwrap())
}

fn places() -> &'static [String] {
    static PLACES: OnceLock<Vec<String>> = OnceLock::new();
    PLACES.get_or_init(|| {
        let field = Battlefield::read(&root("data/battlefields/gettysburg")).unwrap();
        field.places.into_iter().map(|place| place.id).collect()
    })
}

fn read(source: &Source) -> Result<Plan, Problems> {
    let places: Vec<&str> = places().iter().map(String::as_str).collect();
    Plan::read(source, &battle().army, &places)
}

/// Files in a folder that end so, in order.
fn files(folder: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(root(folder)).unwrap();
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    found.retain(|path| path.extension().is_some_and(|ending| ending == "ron"));
    found.sort();
    found
}

fn plans() -> &'static BTreeMap<String, Plan> {
    static PLANS: OnceLock<BTreeMap<String, Plan>> = OnceLock::new();
    PLANS.get_or_init(|| {
        let plan = |path: PathBuf| {
            let source = Source::read(&path).unwrap();
            let plan = read(&source).unwrap_or_else(|problems| panic!("{problems}"));
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            (name, plan)
        };
        files("data/plans/gettysburg")
            .into_iter()
            .map(plan)
            .collect()
    })
}

fn at(text: &str) -> Moment {
    text.parse().unwrap()
}

/// The order that counts for a node: that for the smallest formation, of these the latest.
fn order<'a>(plan: &'a Plan, army: &Army, node: NodeId, now: Moment) -> Option<&'a Order> {
    let depth = |order: &Order| army.ancestors(army.get(&order.who).unwrap()).count();
    let orders = plan.orders.iter().filter(|order| {
        let who = army.get(&order.who).unwrap();
        let begun = order.from.is_none_or(|from| from <= now);
        army.is_within(node, who) && begun && order.until.is_none_or(|until| now < until)
    });
    orders.max_by_key(|order| (depth(order), order.from))
}

/// Everything that marches and fights as one: corps down to brigades and battalions.
fn formations(army: &Army) -> impl Iterator<Item = NodeId> {
    army.ids().filter(|id| {
        matches!(
            army.node(*id).kind,
            Kind::Corps | Kind::Division | Kind::Brigade | Kind::Battalion | Kind::Reserve
        )
    })
}

#[test]
fn every_plan_reads_and_names_its_battle() {
    let names: Vec<&str> = plans().keys().map(String::as_str).collect();
    let days = [
        "charge",
        "counterstroke",
        "evening",
        "free",
        "heights",
        "july1",
        "july2",
        "july3",
        "town",
    ];
    let expected = days.map(|day| [format!("{day}-confederate"), format!("{day}-union")]);
    assert_eq!(names, expected.as_flattened());
    for (name, plan) in plans() {
        let side = if name.ends_with("union") { "us" } else { "cs" };
        assert_eq!(
            (plan.battle.as_str(), plan.side.as_str()),
            ("gettysburg", side),
            "{name}"
        );
        assert!(!plan.source.is_empty() && !plan.title.is_empty(), "{name}");
    }
}

#[test]
fn who_is_on_the_field_has_an_order_at_every_hour_of_daylight() {
    let (army, sun) = (&battle().army, &battle().sun);
    let mut silent = vec![];
    for day in 1..=3 {
        let midnight = at(&format!("1863-07-0{day}T00:00"));
        let light = i32::from(sun.first_light.minutes())..i32::from(sun.last_light.minutes());
        for side in ["union", "confederate"] {
            let plan = &plans()[&format!("july{day}-{side}")];
            let root = army.get(&plan.side).unwrap();
            let ours = formations(army).filter(|id| army.is_within(*id, root));
            for (id, now) in ours.flat_map(|id| {
                light
                    .clone()
                    .step_by(15)
                    .map(move |minute| (id, midnight.plus(minute)))
            }) {
                // What the army as a whole is told is for those whom nobody thought of.
                let told = order(plan, army, id, now).is_some_and(|order| order.who != plan.side);
                let there = army
                    .troops(id)
                    .iter()
                    .any(|troop| army.is_there_by(*troop, now));
                if there && !told {
                    silent.push(format!("july{day}: {} at {now}", army.node(id).id));
                }
            }
        }
    }
    assert!(silent.is_empty(), "no order for\n{}", silent.join("\n"));
}

/// What play is scored by is not in the plans that say so, nor in those that are held out: these know no hours.
#[test]
fn plans_say_whether_they_follow_the_record() {
    for (name, plan) in plans() {
        assert_eq!(plan.from_record, name.starts_with("july"), "{name}");
        let timed = plan
            .orders
            .iter()
            .any(|order| order.from.or(order.until).is_some());
        assert_eq!(timed, plan.from_record, "{name}");
    }
}

#[test]
fn no_two_orders_for_a_formation_overlap() {
    for (name, plan) in plans() {
        for (i, one) in plan.orders.iter().enumerate() {
            for other in plan.orders[..i].iter().filter(|other| other.who == one.who) {
                let ends = |order: &Order| order.until.map_or(i32::MAX, Moment::minutes);
                let begins = |order: &Order| order.from.map_or(i32::MIN, Moment::minutes);
                let apart = ends(one) <= begins(other) || ends(other) <= begins(one);
                assert!(apart, "{name}: two orders for {} at once", one.who);
            }
        }
    }
}

#[test]
fn the_plans_say_what_the_day_is_known_for() {
    let army = &battle().army;
    let told = |plan: &str, who: &str, now: &str| {
        let order = order(&plans()[plan], army, army.get(who).unwrap(), at(now)).unwrap();
        (order.task.clone(), order.temper)
    };
    let hold = |place: &str| Task::Hold(place.to_owned());
    let take = |place: &str| Task::Take(place.to_owned());
    let cases = [
        (
            "july1-union",
            "us-i-1-1",
            "1863-07-01T11:00",
            hold("herbst-woods"),
            Temper::Bold,
        ),
        (
            "july1-union",
            "us-i",
            "1863-07-01T15:59",
            hold("mcpherson-ridge"),
            Temper::Steady,
        ),
        (
            "july1-union",
            "us-i",
            "1863-07-01T17:00",
            hold("cemetery-hill"),
            Temper::Steady,
        ),
        (
            "july1-confederate",
            "cs-ii-early-gordon",
            "1863-07-01T15:15",
            take("blochers-knoll"),
            Temper::Bold,
        ),
        (
            "july2-union",
            "us-v-1-3-20me",
            "1863-07-02T17:00",
            hold("little-round-top"),
            Temper::Bold,
        ),
        (
            "july2-confederate",
            "cs-i-hood-law",
            "1863-07-02T17:00",
            take("little-round-top"),
            Temper::Bold,
        ),
        (
            "july3-confederate",
            "cs-i-pickett",
            "1863-07-03T14:59",
            hold("spanglers-woods"),
            Temper::Cautious,
        ),
        (
            "july3-confederate",
            "cs-i-pickett",
            "1863-07-03T15:00",
            take("the-angle"),
            Temper::Bold,
        ),
        (
            "free-union",
            "us-i-1-1",
            "1863-07-02T09:00",
            Task::Seek,
            Temper::Steady,
        ),
    ];
    for (plan, who, now, task, temper) in cases {
        assert_eq!(told(plan, who, now), (task, temper), "{plan}, {who}, {now}");
    }
}

#[test]
fn every_broken_plan_gets_its_message() {
    let bless = std::env::var_os("CUPOLA_BLESS").is_some();
    let paths = files("tests/bad/plans");
    assert!(paths.len() >= 6, "only {} cases found", paths.len());
    for path in paths {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let source = Source::new(name.clone(), fs::read_to_string(&path).unwrap());
        let problems = read(&source).err();
        let problems = problems.unwrap_or_else(|| panic!("{name} was accepted"));
        let (message, beside) = (format!("{problems}\n"), path.with_extension("txt"));
        if bless {
            fs::write(&beside, &message).unwrap();
        }
        assert_eq!(
            message,
            fs::read_to_string(&beside).unwrap_or_default(),
            "{name}"
        );
    }
}

/// The first example of the book's page is a plan that reads as the page says.
#[test]
fn the_book_s_plan_reads() {
    let page = fs::read_to_string(root("book/src/lab/plans.md")).unwrap();
    let block = page.split("```ron\n").nth(1).unwrap();
    let block = block.split("```").next().unwrap();
    let plan =
        read(&Source::new("plans.md", block)).unwrap_or_else(|problems| panic!("{problems}"));
    let army = &battle().army;
    let told = |who: &str, now: &str| {
        let order = order(&plan, army, army.get(who).unwrap(), at(now));
        order.map(|order| order.task.clone())
    };
    for day in ["july1", "july2", "july3", "free", "heights", "town"] {
        let orders = |side: &str| plans()[&format!("{day}-{side}")].orders.len();
        let (us, cs) = (orders("union"), orders("confederate"));
        let row = format!("| `{day}-union`, `{day}-confederate` | {us}, {cs} |");
        assert!(page.contains(&row), "{row}");
    }
    let hold = |place: &str| Some(Task::Hold(place.to_owned()));
    assert_eq!(told("us-i-2", "1863-07-01T12:00"), hold("mcpherson-ridge"));
    assert_eq!(told("us-i-1-1", "1863-07-01T12:00"), hold("herbst-woods"));
    assert_eq!(
        told("us-i-1-1", "1863-07-01T16:30"),
        Some(Task::March("cemetery-hill".into()))
    );
    assert_eq!(told("us-xi-1", "1863-07-01T12:00"), Some(Task::Seek));
}

#[test]
fn scenarios_name_plans_of_their_own_sides() {
    for path in files("data/scenarios") {
        let source = Source::read(&path).unwrap();
        if !source.text.contains("battle: \"gettysburg\"") {
            continue;
        }
        let scenario = Scenario::read(&source, &battle().army).unwrap();
        // Every other pair has a plan for each side, too.
        for plans in scenario.other_plans.values() {
            let sides: Vec<&String> = plans.keys().collect();
            assert_eq!(sides, ["cs", "us"], "{}", scenario.id);
        }
        let others = scenario.other_plans.values().flatten();
        assert!(
            others
                .clone()
                .all(|(side, plan)| plans()[plan].side == *side)
        );
        // Where rulesets are compared, two pairs besides its own; a scenario of one ruleset has the free one at least.
        let least = if scenario.played_as.len() > 1 { 4 } else { 2 };
        assert!(others.count() >= least, "{}", scenario.id);
        let named = scenario.plans.iter();
        let named: Vec<_> = named
            .map(|(side, plan)| (side, &plans()[plan].side))
            .collect();
        assert_eq!(named.len(), 2, "{}", scenario.id);
        assert!(
            named.iter().all(|(side, plan)| side == plan),
            "{}",
            scenario.id
        );
    }
}
