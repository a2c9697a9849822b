//! The counters of the first-day chit game.

use cupola_army::{Arm, Ratio};
use cupola_data::Sourced;
use serde::Deserialize;

use crate::common::{army, counters, turns};
use crate::{Number, again};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    turn: String,
    at: Vec<String>,
    #[serde(default)]
    group: Option<String>,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Debug)]
enum Guns {
    R,
    S,
    M,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
#[allow(dead_code, reason = "the shape is what is tested")]
enum Values {
    Foot {
        brigade: String,
        division: String,
        corps: String,
        count: usize,
        sp: Number,
        cr: Number,
        worn_sp: Number,
        worn_cr: Number,
        entry: Sourced<Entry>,
        #[serde(default)]
        tutorial: Option<Sourced<Entry>>,
    },
    Horse {
        brigade: String,
        division: String,
        corps: String,
        count: usize,
        mounted_sp: Number,
        dismounted_sp: Number,
        cr: Number,
        entry: Sourced<Entry>,
    },
    Guns {
        brigade: String,
        division: String,
        corps: String,
        count: usize,
        sp: Number,
        guns: Sourced<Guns>,
        cr: Number,
        worn_sp: Number,
        worn_cr: Number,
        entry: Sourced<Entry>,
        #[serde(default)]
        tutorial: Option<Sourced<Entry>>,
    },
}

#[derive(Deserialize, PartialEq, Debug)]
#[serde(rename_all = "snake_case")]
enum Rating {
    Poltroon,
    Poor,
    Average,
    Good,
    Superior,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "the shape is what is tested")]
struct Chit {
    level: Level,
    division: String,
    rating: Sourced<Rating>,
    replacement: Sourced<Rating>,
    enters: Sourced<String>,
    #[serde(default)]
    group: Option<String>,
    #[serde(default)]
    tutorial: Option<Sourced<String>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Level {
    Corps,
    Division,
}

/// Brigade, asterisks, SP and entry of a counter.
fn main(values: &Values) -> (&str, usize, i64, &Entry) {
    match values {
        Values::Foot {
            brigade,
            count,
            sp,
            entry,
            ..
        }
        | Values::Guns {
            brigade,
            count,
            sp,
            entry,
            ..
        } => (brigade, *count, sp.0, &entry.0),
        Values::Horse {
            brigade,
            count,
            mounted_sp,
            entry,
            ..
        } => (brigade, *count, mounted_sp.0, &entry.0),
    }
}

#[test]
fn values_are_as_the_file_says() {
    let list = counters::<Values, Chit>("blindswords");
    let track = turns("blindswords");
    for counter in &list.counters {
        match &counter.values {
            Values::Foot {
                sp,
                cr,
                worn_sp,
                worn_cr,
                ..
            }
            | Values::Guns {
                sp,
                cr,
                worn_sp,
                worn_cr,
                ..
            } => {
                let known = [("sp", sp.0), ("cr", cr.0)];
                for number in [sp, cr, worn_sp, worn_cr] {
                    again(counter, number, &known);
                }
                assert!(worn_sp.0 <= sp.0 && worn_cr.0 < cr.0, "{}", counter.id);
            }
            Values::Horse {
                mounted_sp,
                dismounted_sp,
                ..
            } => {
                again(counter, mounted_sp, &[]);
                assert!(dismounted_sp.0 <= mounted_sp.0);
            }
        }
        let (brigade, count, sp, entry) = main(&counter.values);
        let mates = list
            .counters
            .iter()
            .filter(|other| main(&other.values).0 == brigade);
        assert_eq!(mates.count(), count, "{}", counter.id);
        let optional = entry.turn == "optional";
        assert!(optional || entry.turn == "start" || track.get(&entry.turn).is_some());
        assert_eq!(entry.group.is_some(), optional);
        assert!(!entry.at.is_empty());
        // Printed or derived, an SP is about a hundred men or a gun.
        let real = match counter.kind {
            Arm::Artillery => counter.guns(army()).rounded(),
            _ => Ratio {
                over: counter.men(army()).over,
                under: counter.men(army()).under * 100,
            }
            .rounded(),
        };
        assert!(
            (real - sp).abs() <= 1,
            "{}: {sp} SP, {real} by the list",
            counter.id
        );
    }
}

#[test]
fn brigades_add_up_to_their_men() {
    let list = counters::<Values, Chit>("blindswords");
    let sum = |brigade: &str| -> i64 {
        let counters = list.counters.iter().map(|counter| main(&counter.values));
        counters
            .filter(|main| main.0 == brigade)
            .map(|main| main.2)
            .sum()
    };
    for (brigade, sp) in [
        ("meredith", 18),
        ("cutler", 15),
        ("gamble", 16),
        ("davis", 23),
        ("archer", 12),
        ("lane", 17),
        ("doles", 13),
        ("schimmelfennig", 17),
        ("oneal", 17),
        ("rowley", 14),
        ("stone", 13),
        ("paul", 15),
        ("baxter", 14),
        ("krzyzanowski", 14),
        ("gilsa", 11),
        ("ames", 13),
        ("smith-us", 16),
        ("coster", 12),
        ("ruger", 16),
        ("mcdougall", 18),
        ("candy", 18),
        ("greene", 14),
        ("pettigrew", 26),
        ("scales", 13),
        ("perrin", 19),
        ("thomas", 12),
        ("iverson", 14),
        ("daniel", 22),
        ("ramseur", 10),
        ("avery", 12),
        ("gordon", 18),
        ("hays", 13),
        ("garnett", 15),
        ("mcintosh", 16),
        ("pegram", 20),
        ("carter", 16),
        ("muhlenberg", 20),
        ("tidball", 6),
    ] {
        assert_eq!(sum(brigade), sp, "{brigade}");
    }
    let buford = &list.leader("us-buford").unwrap().values;
    assert_eq!(
        (&buford.rating.0, &buford.replacement.0),
        (&Rating::Superior, &Rating::Good)
    );
}
