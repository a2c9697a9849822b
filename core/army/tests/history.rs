//! The record of Gettysburg against what it must show.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::collections::BTreeMap;
use std::sync::OnceLock;

use common::{army, at, data, id};
use cupola_army::{History, Kind, Known, Moment, Scenario, Stand, Toll};
use cupola_data::{Origin, Source};
use serde::Deserialize;

#[derive(Deserialize)]
struct Collection {
    features: Vec<Feature>,
}

#[derive(Deserialize)]
struct Feature {
    properties: Properties,
    geometry: Geometry,
}

#[derive(Deserialize)]
struct Properties {
    id: String,
}

#[derive(Deserialize)]
struct Geometry {
    coordinates: [f64; 2],
}

/// The named places, in millionths of a degree of latitude and longitude.
fn places() -> &'static BTreeMap<String, (i32, i32)> {
    static PLACES: OnceLock<BTreeMap<String, (i32, i32)>> = OnceLock::new();
    PLACES.get_or_init(|| {
        let path = data("battlefields/gettysburg/places.geojson");
        let file: Collection = Source::read(&path).unwrap().json().unwrap();
        let millionths = |degrees: f64| (degrees * 1e6).round() as i32;
        let place = |feature: Feature| {
            let [lon, lat] = feature.geometry.coordinates.map(millionths);
            (feature.properties.id, (lat, lon))
        };
        file.features.into_iter().map(place).collect()
    })
}

fn history() -> &'static History {
    static HISTORY: OnceLock<History> = OnceLock::new();
    HISTORY.get_or_init(|| {
        let names: Vec<&str> = places().keys().map(String::as_str).collect();
        History::read(&data("history/gettysburg"), army(), &names)
            .unwrap_or_else(|problems| panic!("{problems}"))
    })
}

/// Metres between two spots at this latitude, roughly.
fn metres(a: (i32, i32), b: (i32, i32)) -> f64 {
    let (north, east) = (f64::from(a.0 - b.0) * 0.111, f64::from(a.1 - b.1) * 0.0853);
    north.hypot(east)
}

#[test]
fn bodies_stood_where_every_account_has_them() {
    for (who, when, place, within) in [
        ("us-cav-1-1", "1863-07-01T09:30", "mcpherson-ridge", 400.0),
        ("us-i-1-1", "1863-07-01T13:30", "herbst-woods", 250.0),
        (
            "cs-ii-early-gordon",
            "1863-07-01T15:30",
            "blochers-knoll",
            100.0,
        ),
        ("us-i-1-1", "1863-07-01T18:00", "culps-hill", 250.0),
        ("us-v-1-3", "1863-07-02T18:00", "little-round-top", 250.0),
        ("cs-i-hood-benning", "1863-07-02T18:30", "devils-den", 200.0),
        // The atlas has the beginning of the morning on Culp's Hill and its end, a hundred metres apart.
        (
            "cs-ii-johnson-steuart",
            "1863-07-03T08:00",
            "lower-culps-hill",
            250.0,
        ),
        ("us-ii-2-2", "1863-07-03T14:00", "the-angle", 100.0),
        (
            "cs-i-pickett-armistead",
            "1863-07-03T15:24",
            "the-angle",
            100.0,
        ),
        (
            "cs-i-pickett-garnett",
            "1863-07-03T14:00",
            "spanglers-woods",
            400.0,
        ),
    ] {
        let spot = history().position(id(army(), who), at(when)).unwrap();
        let far = metres(spot, places()[place]);
        assert!(far < within, "{who} was {far:.0} m from {place} at {when}");
    }
    // Nobody is anywhere before he comes, and regiments go with their brigade.
    for (who, when) in [
        ("us-ii-2-2", "1863-07-01T12:00"),
        ("us-i-1-1", "1863-07-01T07:30"),
        ("us-i-1-1-19in", "1863-07-01T13:00"),
    ] {
        assert_eq!(history().position(id(army(), who), at(when)), None, "{who}");
    }
}

#[test]
fn records_are_on_the_field_and_after_the_arrival() {
    let mut rows = 0;
    for body in history().bodies() {
        let name = &army().node(body).id;
        assert!(army().absence(body).is_none(), "{name} was not there");
        let arrival = army().arrival(body).unwrap().at.plus(-60);
        for stand in history().track(body) {
            assert!(arrival <= stand.at, "{name} at {}", stand.at);
            assert!((39_750_000..39_870_000).contains(&stand.lat), "{name}");
            assert!((-77_310_000..-77_150_000).contains(&stand.lon), "{name}");
            // Two counts of the same men seldom agree, but they are of one size.
            let listed = army().men(body);
            assert!(stand.men <= listed * 8 / 5, "{name}: {} men", stand.men);
        }
        rows += history().track(body).len();
    }
    let left_out: u32 = history().left_out.iter().map(|left| left.rows).sum();
    assert_eq!(
        (history().bodies().count(), rows, left_out),
        (162, 1436, 662)
    );
    // Every brigade of infantry on the field has a track.
    for node in army()
        .ids()
        .filter(|id| army().node(*id).kind == Kind::Brigade)
    {
        let troops = army().troops(node);
        let foot = troops
            .iter()
            .all(|id| army().node(*id).kind == Kind::Infantry);
        let tracked = !history().track(node).is_empty();
        assert!(!foot || tracked, "{} has no track", army().node(node).id);
    }
}

#[test]
fn places_had_their_holders() {
    let holder = |place: &str, when: &str| history().holder(place, at(when));
    assert_eq!(holder("little-round-top", "1863-07-02T20:00"), Some("us"));
    assert_eq!(holder("devils-den", "1863-07-02T16:00"), Some("us"));
    assert_eq!(holder("devils-den", "1863-07-02T20:00"), Some("cs"));
    assert_eq!(holder("mcpherson-ridge", "1863-07-01T11:00"), Some("us"));
    assert_eq!(holder("gettysburg", "1863-07-01T12:00"), Some("us"));
    assert_eq!(holder("gettysburg", "1863-07-03T12:00"), Some("cs"));
    assert_eq!(holder("lower-culps-hill", "1863-07-03T05:00"), Some("cs"));
    assert_eq!(holder("lower-culps-hill", "1863-07-03T12:00"), Some("us"));
    // In dispute, before anybody came, after the record, not in it.
    assert_eq!(holder("the-wheatfield", "1863-07-02T17:50"), None);
    assert_eq!(holder("oak-hill", "1863-07-01T09:00"), None);
    assert_eq!(holder("oak-hill", "1863-07-03T21:00"), None);
    assert_eq!(holder("seven-stars", "1863-07-01T09:00"), None);
    assert!(history().places().count() >= 40);
}

/// Whoever holds a place, some body of his is the nearest one whose position is known, most of the time.
#[test]
fn holders_agree_with_the_tracks() {
    let (mut right, mut wrong) = (0, 0);
    for (place, times) in history().places() {
        for held in times {
            let span = history().time(held);
            for minute in (span.from.minutes() + 15..span.to.minutes() - 15).step_by(15) {
                let now = Moment::from_minutes(minute);
                let spots = history().bodies().filter_map(|body| {
                    let spot = history().position(body, now)?;
                    Some((metres(spot, places()[place]) as u32, body))
                });
                if let Some((far, body)) = spots.min()
                    && far < 400
                {
                    let mine = army().node(army().side(body)).id == held.by;
                    *(if mine { &mut right } else { &mut wrong }) += 1;
                }
            }
        }
    }
    assert!(
        right > 20 * wrong && right > 1000,
        "{right} right, {wrong} wrong"
    );
}

#[test]
fn losses_add_up_to_the_army_list_hour_by_hour() {
    let (from, to) = (at("1863-07-01T00:00"), at("1863-07-04T00:00"));
    for node in army().ids() {
        let kind = army().node(node).kind;
        let high = matches!(kind, Kind::Army | Kind::Corps);
        if high || army().node(node).id == "cs-cav" {
            let hours = (from.minutes()..to.minutes()).step_by(60);
            let hour = |minute| {
                let now = Moment::from_minutes(minute);
                history().losses(node, now, now.plus(60)).unwrap()
            };
            let listed = army().losses(node).total();
            assert_eq!(history().losses(node, from, to), Some(listed));
            assert_eq!(hours.map(hour).sum::<u32>(), listed);
        }
    }
    let lost = |who: &str, from: &str, to: &str| {
        history().losses(id(army(), who), at(from), at(to)).unwrap()
    };
    // I Corps was ruined on the first day, III Corps on the second, Pickett in an hour of the third.
    let first = lost("us-i", "1863-07-01T00:00", "1863-07-02T00:00");
    assert!(first * 10 > army().losses(id(army(), "us-i")).total() * 9);
    assert_eq!(lost("us-iii", "1863-07-01T00:00", "1863-07-02T00:00"), 0);
    let charge = lost("cs-i-pickett", "1863-07-03T14:45", "1863-07-03T15:45");
    assert!(charge > 2000, "{charge}");
    // A regiment's hours are not known.
    let regiment = id(army(), "us-i-1-1-19in");
    assert_eq!(history().losses(regiment, from, to), None);
}

/// What fell in any stretch of three hours lies within what may have fallen.
#[test]
fn a_band_holds_what_fell_in_its_hours() {
    for body in history().tolls().iter().map(|toll| toll.who) {
        for hour in 0..24 {
            let from = at("1863-07-01T00:00").plus(hour * 180);
            let to = from.plus(180);
            let lost = history().losses(body, from, to).unwrap();
            let (low, high) = history().losses_band(body, from, to).unwrap();
            let name = &army().node(body).id;
            assert!(
                low <= lost && lost <= high,
                "{name} from {from:?}: {lost} of {low} to {high}"
            );
        }
    }
}

/// Losses that are said to follow from a track lie where its strength falls; what does not is our estimate, and has a band.
#[test]
fn losses_contradict_no_track() {
    let mut derived = 0;
    for toll in history().tolls() {
        let name = &army().node(toll.who).id;
        let (low, high) = toll.band;
        assert!(
            low <= toll.men && toll.men <= high,
            "{name}: {low} to {high}"
        );
        let ours = matches!(toll.origin, Origin::House(_));
        assert!(!ours || low < high, "{name}: our estimate has no band");
        let track = history().track(toll.who);
        let within = |stand: &&Stand| toll.span.from <= stand.at && stand.at <= toll.span.to;
        let men: Vec<u32> = track.iter().filter(within).map(|stand| stand.men).collect();
        if !matches!(toll.origin, Origin::Derived(_)) || men.len() < 2 {
            continue;
        }
        derived += 1;
        assert!(
            men.first() > men.last() || toll.men <= 10,
            "{name}: {} men, and its track stays at {men:?}",
            toll.men
        );
    }
    assert!(derived > 50, "{derived}");
    // What one day may have lost more, another has lost less: the whole is the army list's.
    for body in history().tolls().iter().map(|toll| toll.who) {
        let (from, to) = (at("1863-07-01T00:00"), at("1863-07-04T00:00"));
        let (low, high) = history().losses_band(body, from, to).unwrap();
        let listed = army().losses(body).total();
        let name = &army().node(body).id;
        let open = |toll: &Toll| toll.who == body && toll.open;
        if history().tolls().iter().any(open) {
            assert!(low < listed && listed < high, "{name}: {low} to {high}");
        } else {
            assert_eq!((low, high), (listed, listed), "{name}");
        }
    }
    // The men whom Paul's brigade lost at no hour may be of either day.
    let band = |who: &str, day: u32| {
        let from = at(&format!("1863-07-0{day}T00:00"));
        let who = id(army(), who);
        history()
            .losses_band(who, from, from.plus(24 * 60))
            .unwrap()
    };
    assert_eq!(band("us-i-2-1", 1), (787, 1042));
    assert_eq!(band("us-i-2-1", 2), (0, 255));
    let on = |who: &str, day: u32| {
        let from = at(&format!("1863-07-0{day}T00:00"));
        let who = id(army(), who);
        history().losses(who, from, from.plus(24 * 60)).unwrap()
    };
    // Smith stood on Cemetery Hill on July 1 and Thomas in reserve; Hays went through von Gilsa's line on July 2, and Shaler
    // marched that day.
    assert!(on("us-xi-2-2", 1) <= 40 && on("cs-iii-pender-thomas", 1) <= 60);
    assert!(on("us-xi-1-1", 2) > 0);
    assert_eq!(on("us-vi-3-1", 2), 0);
}

/// A track that begins a day with the men of the day before has fallen nevertheless, and regiments that fought apart lost where they were.
#[test]
fn a_track_that_begins_anew_leaves_a_band() {
    let day = |who: &str, day: u32| {
        let from = at(&format!("1863-07-0{day}T00:00"));
        let who = id(army(), who);
        let to = from.plus(24 * 60);
        let band = history().losses_band(who, from, to).unwrap();
        (history().losses(who, from, to).unwrap(), band)
    };
    // Harrow's and Willard's tracks of July 3 know nothing of July 2.
    assert_eq!(day("us-ii-2-1", 2), (366, (251, 394)));
    assert_eq!(day("us-ii-2-1", 3), (428, (400, 543)));
    assert_eq!(day("us-ii-3-3", 2).1, (172, 224));
    // Nevin's falls in the evening of July 3.
    assert_eq!(day("us-vi-3-3", 3), (20, (0, 25)));
    // Of Carroll's brigade the 8th Ohio alone fought on July 3.
    let listed = |who: &str| army().losses(id(army(), who)).total();
    assert_eq!(day("us-ii-3-1", 3).0, listed("us-ii-3-1-8oh"));
    assert_eq!(
        day("us-ii-3-1", 2).0,
        listed("us-ii-3-1") - listed("us-ii-3-1-8oh")
    );
}

/// Where a track ends a day with more men than it begins the next with, nobody knows when they went: more than a dozen are a band.
#[test]
fn men_who_are_gone_between_two_days_leave_a_band() {
    for body in history().bodies() {
        let listed = army().losses(body).total();
        let track = history().track(body).windows(2);
        let nights = track.filter(|two| two[0].at.day() != two[1].at.day());
        let gone: u32 = nights.map(|two| two[0].men - two[1].men).sum();
        let doubtful = history().tolls().iter().any(|toll| {
            toll.who == body
                && (toll.band.0 < toll.band.1 || matches!(toll.origin, Origin::House(_)))
        });
        let name = &army().node(body).id;
        assert!(gone <= 12 || listed == 0 || doubtful, "{name}: {gone} men");
    }
}

#[test]
fn the_book_s_table_of_losses_is_right() {
    let path = data("../book/src/lab/history.md");
    let page = std::fs::read_to_string(path).unwrap();
    for node in army().ids() {
        let (Kind::Corps | Kind::Reserve) = army().node(node).kind else {
            continue;
        };
        let of_army = army()
            .parent(node)
            .is_some_and(|up| army().parent(up).is_none());
        if of_army {
            let days = [1, 2, 3].map(|day| {
                let from = at(&format!("1863-07-0{day}T00:00"));
                history().losses(node, from, from.plus(24 * 60)).unwrap()
            });
            let name = &army().node(node).name;
            let row = format!("| {name} | {} | {} | {} |", days[0], days[1], days[2]);
            assert!(page.contains(&row), "{row}");
        }
    }
}

/// The names in a folder that end so, without the ending.
fn names(path: &str, ending: &str) -> Vec<String> {
    let entries = std::fs::read_dir(data(path)).into_iter().flatten();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names
        .filter_map(|name| name.strip_suffix(ending).map(str::to_owned))
        .collect()
}

#[test]
fn scenarios_name_what_there_is() {
    #[derive(Deserialize)]
    struct Head {
        side: String,
    }
    let plan = |name: String| {
        let path = data(&format!("plans/gettysburg/{name}.ron"));
        let head: Head = Source::read(&path).unwrap().ron().unwrap();
        (name, head.side)
    };
    let scenarios = |ruleset: String| {
        let scenarios = names(
            &format!("rulesets/{ruleset}/battles/gettysburg/scenarios"),
            ".ron",
        );
        (ruleset, scenarios)
    };
    let known = Known {
        rulesets: names("rulesets", "").into_iter().map(scenarios).collect(),
        plans: names("plans/gettysburg", ".ron")
            .into_iter()
            .map(plan)
            .collect(),
    };
    let mut played = vec![];
    // Those of other battles are read with their own armies.
    let own = names("scenarios", ".ron").into_iter();
    for name in own.filter(|name| name.starts_with("gettysburg")) {
        let source = Source::read(&data(&format!("scenarios/{name}.ron"))).unwrap();
        let scenario = Scenario::read(&source, army()).unwrap();
        let checked = scenario.check_names(&source, &known);
        assert!(checked.is_ok(), "{}", checked.unwrap_err());
        assert_eq!(scenario.plans.len(), scenario.sides.len());
        let rulesets = scenario.played_as.into_iter();
        played.extend(rulesets.map(|(ruleset, its)| format!("{name} {ruleset}/{its}")));
    }
    played.sort();
    assert_eq!(
        played,
        [
            "gettysburg blocks/campaign",
            "gettysburg corps20/gettysburg",
            "gettysburg gbacw/terrible-swift-sword",
            "gettysburg-cemetery-hill gbacw/face-to-the-enemy",
            "gettysburg-counterstroke gbacw/not-done-enough",
            "gettysburg-culps-hill gbacw/night-fight",
            "gettysburg-east-field gbacw/gregg-defends",
            "gettysburg-farnsworth gbacw/farnsworths-charge",
            "gettysburg-july1 blindswords/main",
            "gettysburg-july1 blocks/day1",
            "gettysburg-july1 corps20/july1",
            "gettysburg-july1 gbacw/when-harry-met-john",
            "gettysburg-july2 blocks/day2",
            "gettysburg-july2 corps20/july2",
            "gettysburg-july2 gbacw/day-of-decision",
            "gettysburg-july3 blocks/day3",
            "gettysburg-july3 corps20/july3",
            "gettysburg-july3 gbacw/picketts-charge",
            "gettysburg-longstreet gbacw/longstreets-assault",
            "gettysburg-oak-ridge gbacw/want-of-coordination",
            "gettysburg-seminary-ridge gbacw/to-stop",
        ]
    );
}
