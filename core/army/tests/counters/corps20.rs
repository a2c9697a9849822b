//! The counters of the Napoleonic-20 style game.

use cupola_army::Arm;
use cupola_data::Sourced;
use serde::Deserialize;

use crate::common::{counters, turns};
use crate::{Number, again};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    turn: String,
    at: String,
    fatigue: Fatigue,
}

#[derive(Deserialize, PartialEq, Debug)]
#[serde(rename_all = "snake_case")]
enum Fatigue {
    Fresh,
    Tired,
    Weary,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Values {
    Unit {
        strength: Number,
        quality: Number,
        ma: Number,
        #[serde(default)]
        corps: Option<String>,
        #[serde(default)]
        entry: Option<Sourced<Entry>>,
    },
    Marker {
        bonus: Number,
        rounds_away: Number,
        corps: String,
        entry: Sourced<Entry>,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "the shape is what is tested")]
struct Leader {
    range: Number,
    #[serde(default)]
    ma: Option<Number>,
    #[serde(default)]
    corps: Option<String>,
    entry: Sourced<Entry>,
}

#[test]
fn values_are_as_the_file_says() {
    let list = counters::<Values, Leader>("corps20");
    let track = turns("corps20");
    let mut divisions = 0;
    for counter in &list.counters {
        let entry = match &counter.values {
            Values::Unit {
                strength,
                quality,
                ma,
                corps,
                entry,
            } => {
                again(counter, strength, &[]);
                assert!((1..=6).contains(&quality.0) && ma.0 > 0);
                divisions += usize::from(corps.is_some());
                assert_eq!(entry.is_none(), counter.kind == Arm::Cadre);
                entry.as_ref()
            }
            Values::Marker {
                bonus,
                rounds_away,
                corps,
                entry,
            } => {
                assert_eq!((bonus.0, rounds_away.0, corps.len()), (1, 2, 1));
                Some(entry)
            }
        };
        if let Some(Sourced(entry, _)) = entry {
            assert!(entry.turn == "start" || track.get(&entry.turn).is_some());
        }
    }
    assert_eq!(divisions, 9);
    let sedgwick = &list.get("us-sedgwick").unwrap().values;
    let Values::Unit {
        strength,
        entry: Some(Sourced(entry, _)),
        ..
    } = sedgwick
    else {
        panic!("Sedgwick is a unit");
    };
    assert_eq!(
        (strength.0, entry.at.as_str(), &entry.fatigue),
        (5, "BP", &Fatigue::Tired)
    );
    assert_eq!(list.leader("cs-hill").unwrap().values.range.0, 1);
}
