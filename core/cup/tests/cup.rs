//! The cup: nothing is lost, draws are blind and fair, replacements take over.

use cupola_cup::{Chit, Cup, Spot};
use cupola_kernel::{About, Loose, Seed, enumerate};

fn filled(chits: usize) -> Cup {
    let mut cup = Cup::new(chits);
    (0..chits).for_each(|chit| cup.put(Chit(chit as u8), Spot::Cup));
    cup
}

#[test]
fn every_chit_is_drawn_once() {
    let (mut cup, mut dice) = (filled(9), Loose::new(Seed(3)));
    let mut drawn = vec![];
    while let Some(chit) = cup.pick(|_, s| s == Spot::Cup, &mut dice, "draw", About::Game) {
        cup.put(chit, Spot::Used);
        drawn.push(chit.0);
    }
    drawn.sort_unstable();
    assert_eq!(drawn, (0..9).collect::<Vec<_>>());
    assert_eq!((cup.count(Spot::Cup), cup.count(Spot::Used)), (0, 9));
}

#[test]
fn a_draw_is_fair() {
    let mut cup = filled(6);
    cup.put(Chit(2), Spot::Excluded);
    let odds = enumerate(|dice| cup.pick(|_, s| s == Spot::Cup, dice, "draw", About::Game));
    assert_eq!(odds.total, 5);
    assert!(
        odds.outcomes
            .iter()
            .all(|(chit, weight)| *weight == 1 && *chit != Some(Chit(2)))
    );
}

#[test]
fn an_empty_cup_rolls_nothing() {
    let cup = Cup::new(4);
    let odds = enumerate(|dice| cup.pick(|_, s| s == Spot::Cup, dice, "draw", About::Game));
    assert_eq!((odds.total, odds.outcomes), (1, vec![(None, 1)]));
}

#[test]
fn a_replacement_takes_over_where_the_first_was() {
    for spot in [Spot::Cup, Spot::Used, Spot::Pool] {
        let mut cup = Cup::new(2);
        cup.put(Chit(0), spot);
        cup.replace(Chit(0), Chit(1));
        assert_eq!((cup.spot(Chit(0)), cup.spot(Chit(1))), (Spot::Out, spot));
        cup.replace(Chit(1), Chit(0));
        assert_eq!((cup.spot(Chit(0)), cup.spot(Chit(1))), (spot, Spot::Out));
    }
}

#[test]
fn a_shift_moves_only_what_it_is_told() {
    let mut cup = filled(5);
    cup.shift(Spot::Cup, Spot::Pool, |chit| chit.0 % 2 == 0);
    assert_eq!(
        cup.all(Spot::Pool).map(|c| c.0).collect::<Vec<_>>(),
        [0, 2, 4]
    );
    assert_eq!(cup.count(Spot::Cup), 2);
}
