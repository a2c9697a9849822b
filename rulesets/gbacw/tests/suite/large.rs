//! The large scenarios: set-ups that several of them share, markers, and games to the end.

use crate::common;

use cupola_bots::{Brief, Player, Skill};
use cupola_gbacw::field::{Field, rules};
use cupola_gbacw::state::{Cup, boxes};
use cupola_kernel::{About, Dice, Game, Loose, Place, Seed, Side, UnitId};
use std::collections::BTreeMap;
use std::sync::Arc;

const LARGE: [&str; 5] = [
    "longstreets-assault",
    "when-harry-met-john",
    "day-of-decision",
    "terrible-swift-sword",
    "terrible-swift-sword-four",
];

fn full() -> bool {
    std::env::var_os("CUPOLA_FULL").is_some_and(|value| value == "1")
}

/// Declines whatever is offered until a question of this name is asked, or the game is over.
fn until(game: &mut Game, question: &str) {
    while let Some(decision) = game.decision().filter(|d| d.ask.question != question) {
        let act = *decision.options.last().expect("an option");
        game.apply_unchecked(act).expect("a legal choice");
    }
}

/// The markers in the cup, by formation.
fn cup(game: &Game) -> BTreeMap<String, u8> {
    let t = game.table();
    let markers = rules(t).formations.iter().zip(&t.res::<Cup>().left);
    markers
        .filter(|(_, left)| **left > 0)
        .map(|(formation, left)| (formation.name.clone(), *left))
        .collect()
}

#[test]
fn random_games_end() {
    for scenario in LARGE {
        let play = common::play(scenario);
        for number in 0..if full() { 100 } else { 1 } {
            let mut game = play.game(Seed(5).nth(number)).expect("a game");
            let mut dice = Loose::new(Seed(9).nth(number));
            while let Some(decision) = game.decision() {
                let nth = dice.roll(decision.options.len() as u16, "choice", About::Game) - 1;
                let act = decision.options[usize::from(nth)];
                game.apply_unchecked(act)
                    .unwrap_or_else(|fault| panic!("{scenario} {number}: {fault}"));
            }
            assert!(game.verdict().is_some(), "{scenario} {number}");
        }
    }
}

/// One game of each, in a full run: they are long.
#[test]
fn steady_games_end() {
    for scenario in LARGE.into_iter().take(if full() { 4 } else { 0 }) {
        let play = common::play(scenario);
        let briefs = Side::BOTH.map(|side| Arc::new(Brief::free(&play, side)));
        let skill = Skill::parse("steady").expect("a skill");
        let seed = Seed(1863);
        let mut players = [0usize, 1]
            .map(|i| Player::new(skill, &briefs[i], &briefs[1 - i], seed.nth(100 + i as u64)));
        let mut game = play.game(seed).expect("a game");
        while let Some(decision) = game.decision() {
            let side = decision.ask.side;
            let act = players[side as usize].choose(&game).expect("a choice");
            let Some(act) = act else { break };
            game.apply_unchecked(act).expect("a legal choice");
        }
        assert!(game.verdict().is_some(), "{scenario}");
    }
}

/// Nobody begins on top of the limits of a hex, or among the enemy (§5.21).
#[test]
fn set_ups_fit_their_hexes() {
    for scenario in LARGE {
        let game = common::play(scenario).game(Seed(1)).expect("a game");
        let (t, numbers) = (game.table(), &rules(game.table()).numbers);
        let field = Field::new(t);
        for hex in t.board().hexes() {
            let units: Vec<UnitId> = field.fighters(hex).collect();
            let sp: u32 = units.iter().map(|&unit| u32::from(field.sp(unit))).sum();
            let guns = units.iter().filter(|&&unit| field.card(unit).is_guns());
            let guns: u32 = guns.map(|&unit| u32::from(field.sp(unit))).sum();
            let label = t.board().label(hex);
            assert!(
                sp <= u32::from(numbers.stack_sp),
                "{scenario} {label}: {sp}"
            );
            assert!(
                guns <= u32::from(numbers.stack_guns),
                "{scenario} {label}: {guns}"
            );
            let sides: Vec<Side> = units.iter().map(|&unit| field.card(unit).side).collect();
            assert!(
                sides.windows(2).all(|two| two[0] == two[1]),
                "{scenario} {label}"
            );
        }
    }
}

/// Everybody is on the map, comes at some hour, or was lost before; all of the army list but a few are in the battle.
#[test]
fn the_whole_battle_has_the_whole_armies() {
    let game = common::play("terrible-swift-sword")
        .game(Seed(1))
        .expect("a game");
    let t = game.table();
    let cards = rules(t).cards.iter().take(usize::from(rules(t).troops));
    let troops = cards.filter(|card| !card.wing).count();
    // 640 counters and Calef in three sections; Gregg's 13, Randol and Rank come on four sheets only.
    assert_eq!(troops, 640 + 2 - 13 - 1, "combat units");
    for unit in t.units().filter(|&unit| !rules(t).card(unit).wing) {
        let placed = t.hex(unit).is_some();
        let start = &rules(t).starts[usize::from(unit.0)];
        let name = &t.info(unit).id;
        assert!(
            placed || start.arrives.is_some() || start.eliminated,
            "{name}"
        );
        assert_ne!(
            t.stacks().place(unit),
            Place::Box(boxes::WITHDRAWN),
            "{name}"
        );
    }
}

/// H1: set numbers at 0900, and one March marker for those who march.
#[test]
fn markers_of_the_first_hour() {
    for scenario in ["when-harry-met-john", "terrible-swift-sword"] {
        let mut game = common::play(scenario).game(Seed(3)).expect("a game");
        until(&mut game, "marker");
        let wanted = [
            ("1/Cav", 2),
            ("1/I", 2),
            ("Confederate Artillery", 1),
            ("Heth/III", 2),
            ("Union Artillery", 2),
            ("Union March", 1),
        ];
        let wanted: BTreeMap<String, u8> = wanted
            .into_iter()
            .map(|(name, n)| (name.to_owned(), n))
            .collect();
        assert_eq!(cup(&game), wanted, "{scenario}");
    }
}

/// D4: the II Corps has one marker at 0700, Ruger two; L4, L8: two for the guns of each side, three of Birney's.
#[test]
fn set_numbers_of_markers() {
    let mut game = common::play("day-of-decision")
        .game(Seed(3))
        .expect("a game");
    until(&mut game, "marker");
    let markers = cup(&game);
    for (formation, number) in [("1/II", 1), ("2/II", 1), ("3/II", 1), ("1/XII", 2)] {
        assert_eq!(markers.get(formation), Some(&number), "{formation}");
    }
    let mut game = common::play("longstreets-assault")
        .game(Seed(3))
        .expect("a game");
    until(&mut game, "marker");
    let markers = cup(&game);
    for (formation, number) in [
        ("Union Artillery", 2),
        ("Confederate Artillery", 2),
        ("1/III", 3),
        ("Hood/I", 3),
    ] {
        assert_eq!(markers.get(formation), Some(&number), "{formation}");
    }
    assert!(!rules(game.table()).march, "L2");
}

/// H4, B8: no columns by the two northern roads; H6: Calef's sections; H8: the XII Corps.
#[test]
fn small_print_of_the_first_day() {
    let game = common::play("when-harry-met-john")
        .game(Seed(1))
        .expect("a game");
    let t = game.table();
    let gate = rules(t)
        .gates
        .iter()
        .find(|gate| gate.name == "entry-3 or entry-4");
    assert!(gate.is_some_and(|gate| !gate.march && gate.direct.len() == 2));
    for section in ["roder", "newman", "pergel"] {
        let unit = t
            .env()
            .unit(&format!("us-cav-ha2-calef-{section}"))
            .expect("a section");
        assert_eq!(Field::new(t).sp(unit), 2);
    }
    for name in ["1/XII", "2/XII"] {
        let formation = rules(t).formations.iter().find(|f| f.name == name);
        assert_eq!(formation.expect("a marker").rating, Some(-1));
    }
}
