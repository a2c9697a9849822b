//! The counters of the four rulesets: that they cover the armies, that their files have the shape
//! they say they have, and that every derived value can be derived again.

mod common;

use common::{army, counters, turns};
use cupola_army::{Arm, Counter, Counters, Ratio, Rule};
use cupola_data::{Origin, Sourced};
use serde::Deserialize;
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

mod corps20 {
    use super::*;

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
}

mod blindswords {
    use super::*;

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
}

mod blocks {
    use super::*;

    #[derive(Deserialize, Debug)]
    #[serde(rename_all = "snake_case")]
    enum Start {
        At(String, i64),
        Arrives(String, String),
        Shattered,
        Off,
        CavalryBattle,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Rating {
        letter: Letter,
        fire: i64,
    }

    #[derive(Deserialize, PartialEq, Debug)]
    enum Letter {
        A,
        B,
        C,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code, reason = "the shape is what is tested")]
    struct Block {
        hq: String,
        #[serde(default)]
        asset: bool,
        max: Number,
        rating: Sourced<Rating>,
        #[serde(default)]
        long: Option<Number>,
        #[serde(default)]
        melee: Option<Number>,
        #[serde(default)]
        day2: Option<Sourced<Start>>,
        #[serde(default)]
        day3: Option<Sourced<Start>>,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code, reason = "the shape is what is tested")]
    struct Headquarters {
        level: Level,
        #[serde(default)]
        of: Option<String>,
        max: Number,
        rating: Sourced<Rating>,
        range: Number,
        #[serde(default)]
        seniority: Option<Number>,
        #[serde(default)]
        day2: Option<Sourced<Start>>,
        #[serde(default)]
        day3: Option<Sourced<Start>>,
    }

    #[derive(Deserialize, PartialEq)]
    #[serde(rename_all = "snake_case")]
    enum Level {
        Army,
        Corps,
        Division,
        Artillery,
        Cavalry,
    }

    fn list() -> Counters<Block, Headquarters> {
        counters("blocks")
    }

    #[test]
    fn the_box_is_complete() {
        let list = list();
        let of = |side: &str| {
            let leaders = list
                .leaders
                .iter()
                .filter(|leader| leader.side == side)
                .count();
            let arms = [
                Arm::Infantry,
                Arm::Cavalry,
                Arm::Artillery,
                Arm::HorseArtillery,
            ];
            let [foot, horse, guns, horse_guns] = arms.map(|arm| count(&list, side, arm));
            (leaders, foot, horse, guns, horse_guns)
        };
        assert_eq!(of("us"), (32, 52, 8, 13, 3));
        assert_eq!(of("cs"), (16, 37, 7, 15, 1));
    }

    #[test]
    fn set_ups_are_complete() {
        let list = list();
        let mut standing = [[0, 0], [0, 0]];
        let blocks = list.counters.iter().map(|block| {
            let values = &block.values;
            (
                &block.side,
                &block.id,
                values.max.0,
                &values.day2,
                &values.day3,
            )
        });
        let leaders = list.leaders.iter().map(|leader| {
            let values = &leader.values;
            (
                &leader.side,
                &leader.id,
                values.max.0,
                &values.day2,
                &values.day3,
            )
        });
        for (side, id, max, day2, day3) in blocks.chain(leaders) {
            for (day, start) in [day2, day3].into_iter().enumerate() {
                if let Some(Sourced(Start::At(_, steps), _)) = start {
                    assert!(*steps <= max, "{id}");
                    standing[day][usize::from(side == "cs")] += 1;
                }
            }
        }
        assert_eq!(standing, [[77, 61], [89, 66]]);
    }

    #[test]
    fn values_are_as_the_file_says() {
        let list = list();
        for block in &list.counters {
            again(block, &block.values.max, &[]);
            assert!(list.leader(&block.values.hq).is_some(), "{}", block.id);
            let guns = matches!(block.kind, Arm::Artillery | Arm::HorseArtillery);
            assert_eq!(block.values.long.is_some(), guns, "{}", block.id);
        }
        for leader in &list.leaders {
            let of = leader.values.of.as_deref();
            assert_eq!(of.is_none(), leader.values.level == Level::Army);
            assert!(
                of.is_none_or(|of| list.leader(of).is_some()),
                "{}",
                leader.id
            );
        }
        let steuart = &list.get("cs-steuart").unwrap().values;
        assert!(matches!(&steuart.day2, Some(Sourced(Start::At(hex, 4), _)) if hex == "F2"));
        let berdan = &list.get("us-berdan").unwrap().values;
        assert_eq!(
            (berdan.rating.0.fire, &berdan.rating.0.letter),
            (3, &Letter::A)
        );
    }
}

mod gbacw {
    use super::*;

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
}
