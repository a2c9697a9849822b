//! Reveals last exactly as long as the rules say (§4.3, §5.2, §5.31, §7.1, §8.1).

#[path = "common/bent.rs"]
mod bent;
mod common;

use bent::{Leak, registry};
use cupola_blocks::field::frontline;
use cupola_blocks::rules::Rules;
use cupola_blocks::state::{Block, Melees, Ride, army, flag};
use cupola_kernel::{Dice, Game, HexId, Loose, Play, Seat, Seed, Side, UnitId};
use std::collections::BTreeSet;

/// Guns next to the enemy.
fn exposed(game: &Game, unit: UnitId) -> bool {
    let (t, rules) = (game.table(), game.table().rules::<Rules>());
    let card = rules.card(unit);
    card.is_guns() && t.hex(unit).is_some_and(|hex| frontline(t, card.side, hex))
}

fn up(game: &Game, unit: UnitId) -> bool {
    game.table().get::<Block>(unit).has(flag::UP)
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
    let army = army(game.table());
    // Commanders from their activation to the supply phase, suppliers in that phase.
    let role = match phase {
        "supply" => flag::SUPPLYING,
        // Those that commanded have paid by the time of the cavalry battle, and stand face up still.
        _ => flag::ACTIVE | flag::FIRED,
    };
    let fights = matches!(phase, "melee" | "cavalry") && fought.contains(&unit);
    army.has(unit, role) || fights || exposed(game, unit)
}

/// What is wrong with a block being face up or upright now, if anything is.
fn wrong(game: &Game, unit: UnitId, now: &Now, fought: &BTreeSet<UnitId>) -> Option<&'static str> {
    let t = game.table();
    let army = army(t);
    let stood = now.stood.contains(&(unit, t.hex(unit)));
    if up(game, unit) {
        let may = now.phase == "cavalry" || reason(game, unit, &now.phase, fought) || stood;
        return (!may).then_some("is face up");
    }
    // Moves are over: every gun next to the enemy has been revealed.
    let revealed = now.begins && matches!(now.phase.as_str(), "melee" | "supply");
    if revealed && exposed(game, unit) {
        return Some("stands upright next to the enemy");
    }
    if now.phase != "supply" && army.has(unit, flag::ACTIVE | flag::FIRED) {
        return Some("commands or fired, and stands upright");
    }
    let melee = t.res::<Melees>();
    let fights = melee.regroup.is_none() && melee.hex.is_some() && melee.hex == t.hex(unit);
    let rides = |side| cupola_blocks::cavalry::at_hand(t, side).contains(&unit);
    if fights || Side::BOTH.into_iter().any(rides) {
        return Some("fights and stands upright");
    }
    None
}

/// The moment at which one looks.
#[derive(Default)]
struct Now {
    turn: u16,
    active: Option<String>,
    phase: String,
    /// The phase has just begun.
    begins: bool,
    /// Guns that stood next to the enemy since the last supply phase: when the enemy goes away they stay face
    /// up until the next one (§8.1).
    stood: BTreeSet<(UnitId, Option<HexId>)>,
}

/// Looks at every block in every position of some games; how many positions that were.
fn check(play: &Play, seed: u128, games: u64) -> Result<u64, String> {
    let mut looked = 0;
    for number in 0..games {
        let mut game = play.game(Seed(seed).nth(number)).expect("begins");
        let mut dice = Loose::new(Seed(seed + 1).nth(number));
        let (mut fought, mut now) = (BTreeSet::new(), Now::default());
        while let Some(decision) = game.decision() {
            let view = game.view(Seat::Umpire);
            let turned = (view.turn.index, &view.active) != (now.turn, &now.active);
            if turned {
                fought.clear();
            }
            now.begins = turned || view.phase != now.phase;
            if now.begins && view.phase == "supply" {
                now.stood.clear();
            }
            (now.turn, now.active, now.phase) = (view.turn.index, view.active, view.phase);
            note_fighters(&game, &mut fought);
            let guns = game.table().units().filter(|&unit| exposed(&game, unit));
            now.stood
                .extend(guns.map(|unit| (unit, game.table().hex(unit))));
            for unit in game.table().units() {
                if let Some(why) = wrong(&game, unit, &now, &fought) {
                    let name = &game.table().info(unit).id;
                    let (turn, phase) = (now.turn, &now.phase);
                    return Err(format!("game {number}, turn {turn}, {phase}: {name} {why}"));
                }
            }
            looked += 1;
            let count = decision.options.len();
            let pick = dice.roll(count as u16, "act", Side::First.into());
            let act = decision.options[usize::from(pick) - 1];
            game.apply_unchecked(act).expect("goes on");
        }
    }
    Ok(looked)
}

#[test]
fn blocks_are_face_up_as_long_as_the_rules_say_and_no_longer() {
    let full = std::env::var_os("CUPOLA_FULL").is_some_and(|value| value == "1");
    let games = if full { 20 } else { 1 };
    let mut plays: Vec<Play> = ["day1", "day2", "day3"].map(common::play).into();
    let options = ["cavalry_battle", "column_and_line"];
    plays.push(common::with("day3", &options));
    if full {
        plays.push(common::play("campaign"));
    }
    for (seed, play) in plays.iter().enumerate() {
        let looked = check(play, seed as u128 + 21, games).unwrap_or_else(|why| panic!("{why}"));
        assert!(looked > 500);
    }
}

/// The test can fail: it finds blocks that stay face up for too long, or not long enough.
#[test]
fn rulesets_that_forget_to_turn_blocks_are_found_out() {
    for leak in [Leak::Forever, Leak::Never] {
        let play = common::open(registry(Some(leak)), "day3", &[]);
        let found = check(&play, 31, 5).expect_err("found out");
        println!("{leak:?}: {found}");
    }
}
