//! The blocks of the block game.

use cupola_army::{Arm, Counters};
use cupola_data::Sourced;
use serde::Deserialize;

use crate::common::{counters, turns};
use crate::{Number, again, count};

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
    #[serde(default)]
    independent: Option<Sourced<bool>>,
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
    second: Option<Sourced<String>>,
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
    let track = turns("blocks");
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
            match start {
                Some(Sourced(Start::At(_, steps), _)) => {
                    assert!(*steps <= max, "{id}");
                    standing[day][usize::from(side == "cs")] += 1;
                }
                Some(Sourced(Start::Arrives(hex, turn), _)) => {
                    assert!(!hex.is_empty() && track.get(turn).is_some(), "{id}");
                }
                _ => {}
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
