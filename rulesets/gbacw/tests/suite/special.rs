//! What special rules say of themselves is so.

use crate::common;

use cupola_gbacw::field::Field;
use cupola_kernel::{About, Dice, HexId, Loose, Seed, UnitId};

/// A rule that bounds a unit nowhere has nothing against any hex for it, and what it bars it can explain.
#[test]
fn who_is_not_bounded_is_barred_nowhere() {
    let scenarios = [
        "want-of-coordination",
        "face-to-the-enemy",
        "longstreets-assault",
        "when-harry-met-john",
    ];
    let (mut bounded, mut barred) = (0, 0);
    for scenario in scenarios {
        let mut game = common::play(scenario).game(Seed(2)).expect("a game");
        let mut dice = Loose::new(Seed(3));
        for ply in 0..1500 {
            let Some(decision) = game.decision() else {
                break;
            };
            let nth = dice.roll(decision.options.len() as u16, "choice", About::Game) - 1;
            let act = decision.options[usize::from(nth)];
            game.apply_unchecked(act).expect("a legal choice");
            if ply % 100 != 0 {
                continue;
            }
            let (t, field) = (game.table(), Field::new(game.table()));
            for unit in t.units().step_by(3) {
                for rule in &field.rules.specials {
                    let bounds = rule.bounds(t, unit);
                    bounded += u32::from(bounds);
                    for hex in (0..t.board().len()).step_by(97) {
                        let hex = HexId(hex as u16);
                        let bars = rule.bars(t, unit, hex);
                        barred += u32::from(bars);
                        assert_eq!(bars, rule.may_end(t, unit, hex).is_err());
                        assert!(bounds || !bars, "{scenario}: {}", name(&game, unit));
                    }
                }
            }
        }
    }
    assert!(bounded > 0 && barred > 0, "nothing was looked at");
}

fn name(game: &cupola_kernel::Game, unit: UnitId) -> &str {
    &game.table().info(unit).id
}
