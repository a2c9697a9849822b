//! The counters of the regimental game.

use cupola_army::Arm;
use cupola_data::Sourced;
use serde::Deserialize;

use crate::common::counters;
use crate::{Number, again};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cohesion {
    good: i64,
    disordered: i64,
}

#[derive(Deserialize, PartialEq, Debug)]
#[allow(clippy::upper_case_acronyms, reason = "rows of the range chart")]
enum Weapon {
    RM,
    SM,
    BR,
    BRSS,
    C,
    RP,
    N,
    H,
    R,
    HR,
    W,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Unit {
    brigade: String,
    sp: Number,
    cohesion: Sourced<Cohesion>,
    weapon: Sourced<Weapon>,
    #[serde(default)]
    mounted: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "the shape is what is tested")]
struct Leader {
    level: Level,
    #[serde(default)]
    rating: Option<Number>,
    #[serde(default)]
    efficiency: Option<Number>,
    #[serde(default)]
    replacement: Option<String>,
    #[serde(default)]
    replacement_rating: Option<Number>,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Level {
    Army,
    Chief,
    Corps,
    Cavalry,
    Division,
    Artillery,
    Brigade,
    Staff,
}

#[test]
fn values_are_as_the_file_says() {
    let list = counters::<Unit, Leader>("gbacw");
    for unit in &list.counters {
        let Unit {
            brigade,
            sp,
            cohesion,
            mounted,
            ..
        } = &unit.values;
        again(unit, sp, &[]);
        assert!(sp.0 >= 1 && !brigade.is_empty(), "{}", unit.id);
        assert_eq!(cohesion.0.good - cohesion.0.disordered, 2, "{}", unit.id);
        assert_eq!(*mounted, unit.kind == Arm::Cavalry);
        // 001 9.14.
        assert!(unit.kind != Arm::Cavalry || sp.0 <= 4, "{}", unit.id);
    }
    let halves = [
        "cs-iii-heth-pettigrew-26nc-a",
        "cs-iii-heth-pettigrew-26nc-b",
    ];
    let sp = halves.map(|half| list.get(half).unwrap().values.sp.0);
    assert_eq!(sp, [9, 8]);
    let berdan = &list.get("us-iii-1-2-1usss").unwrap().values;
    assert_eq!(berdan.weapon.0, Weapon::BRSS);
    // The largest stack of the set-ups is exactly full.
    let stack = ["us-xi-3-2-119ny", "us-xi-3-2-82oh", "us-xi-3-2-26wi"];
    let sp: i64 = stack
        .iter()
        .map(|unit| list.get(unit).unwrap().values.sp.0)
        .sum();
    assert_eq!(sp, 20);
}
