//! Reveals last exactly as long as the rules say (§4.3, §5.2, §5.31, §7.1, §8.1).

mod common;

use cupola_blocks::field::frontline;
use cupola_blocks::rules::Rules;
use cupola_blocks::state::{Army, Melees, Ride, flag};
use cupola_kernel::{Dice, Game, Loose, Play, Seat, Seed, Side, UnitId};
use std::collections::BTreeSet;

/// Guns next to the enemy.
fn exposed(game: &Game, unit: UnitId) -> bool {
    let (t, rules) = (game.table(), game.table().rules::<Rules>());
    let card = rules.card(unit);
    card.is_guns() && t.hex(unit).is_some_and(|hex| frontline(t, card.side, hex))
}

fn up(game: &Game, unit: UnitId) -> bool {
    game.table().res::<Army>().has(unit, flag::UP)
}

/// Who has fought in a melee of this player turn so far.
fn note_fighters(game: &Game, fought: &mut BTreeSet<UnitId>) {
    let t = game.table();
    if let Some(hex) = t.res::<Melees>().hex {
        fought.extend(t.stacks().units(hex));
    }
    if t.res::<Ride>().battle.is_some() {
        fought.extend(
            Side::BOTH
                .into_iter()
                .flat_map(|side| cupola_blocks::cavalry::at_hand(t, side)),
        );
    }
}

/// Why a block may be face up now, if it may.
fn reason(game: &Game, unit: UnitId, phase: &str, fought: &BTreeSet<UnitId>) -> bool {
    let army = game.table().res::<Army>();
    // Commanders from their activation to the supply phase, suppliers in that phase.
    let role = match phase {
        "supply" => flag::SUPPLYING,
        // Those that commanded have paid by the time of the cavalry battle, and stand face up still.
        _ => flag::ACTIVE | flag::FIRED,
    };
    let fights = matches!(phase, "melee" | "cavalry") && fought.contains(&unit);
    army.has(unit, role) || fights || exposed(game, unit)
}

fn check(play: &Play, seed: u128, games: u64) -> u64 {
    let mut looked = 0;
    for number in 0..games {
        let mut game = play.game(Seed(seed).nth(number)).expect("begins");
        let mut dice = Loose::new(Seed(seed + 1).nth(number));
        let (mut fought, mut stood) = (BTreeSet::new(), BTreeSet::new());
        let mut before = (0, None, String::new());
        while let Some(decision) = game.decision() {
            let view = game.view(Seat::Umpire);
            let now = (view.turn.index, view.active.clone(), view.phase.clone());
            if (now.0, &now.1) != (before.0, &before.1) {
                fought.clear();
            }
            note_fighters(&game, &mut fought);
            // When the enemy goes away, guns stay face up until the next supply phase (§8.1).
            if now != before && now.2 == "supply" {
                stood.clear();
            }
            let guns = game.table().units().filter(|&unit| exposed(&game, unit));
            stood.extend(guns.map(|unit| (unit, game.table().hex(unit))));
            for unit in game.table().units() {
                let name = &game.table().info(unit).id;
                if up(&game, unit) && view.phase != "cavalry" {
                    let may = reason(&game, unit, &view.phase, &fought)
                        || stood.contains(&(unit, game.table().hex(unit)));
                    assert!(may, "game {number}, {now:?}: {name} is face up");
                }
                // Moves are over: every gun next to the enemy has been revealed.
                let first = now != before && matches!(now.2.as_str(), "melee" | "supply");
                if first && exposed(&game, unit) {
                    assert!(
                        up(&game, unit),
                        "game {number}, {now:?}: {name} stands upright"
                    );
                }
                let shown = game
                    .table()
                    .res::<Army>()
                    .has(unit, flag::ACTIVE | flag::FIRED);
                if shown && now.2 != "supply" {
                    assert!(
                        up(&game, unit),
                        "game {number}, {now:?}: {name} commands or fired"
                    );
                }
            }
            looked += 1;
            before = now;
            let count = decision.options.len();
            let pick = dice.roll(count as u16, "act", Side::First.into());
            let act = decision.options[usize::from(pick) - 1];
            game.apply_unchecked(act).expect("goes on");
        }
    }
    looked
}

#[test]
fn blocks_are_face_up_as_long_as_the_rules_say_and_no_longer() {
    let full = std::env::var_os("CUPOLA_FULL").is_some_and(|value| value == "1");
    let games = if full { 20 } else { 1 };
    for (seed, scenario) in ["day1", "day2", "day3"].into_iter().enumerate() {
        assert!(check(&common::play(scenario), seed as u128 + 21, games) > 500);
    }
    let options = ["cavalry_battle", "column_and_line"];
    assert!(check(&common::with("day3", &options), 24, games) > 500);
}
