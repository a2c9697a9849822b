//! How well the four grids fit the ground.

use cupola_ground::anchors::Anchors;

use crate::{FIELD, RULESETS, board, data, grid, hex, loaded};

fn anchors(ruleset: &str) -> Anchors {
    let path = data().join("rulesets").join(ruleset).join("anchors.ron");
    loaded(Anchors::read(&path, &grid(ruleset), &FIELD))
}

#[test]
fn named_hexes_lie_on_their_true_places() {
    for ruleset in RULESETS {
        let fit = anchors(ruleset).fit(&grid(ruleset), &FIELD);
        println!(
            "{ruleset}: {} anchors, mean square {} %, largest {} % of a hex",
            fit.misses.len(),
            fit.mean_square,
            fit.largest
        );
        assert!(fit.mean_square <= 100, "{ruleset}: {fit:#?}");
        for miss in &fit.misses {
            assert!(miss.hexes <= 2, "{ruleset}: {miss:?}");
        }
        assert!(fit.largest <= 200, "{ruleset}: {fit:#?}");
    }
}

#[test]
fn after_corrections_every_named_place_stands_in_its_hex() {
    for ruleset in RULESETS {
        let board = board(ruleset);
        for anchor in anchors(ruleset).0 {
            let place = board.place(&anchor.place).expect("anchors were checked");
            let stands = place.hex.map(|hex| board.label(hex));
            let named = board.label(hex(&board, &anchor.hex));
            assert_eq!(
                stands,
                Some(named),
                "{ruleset}: {} ({})",
                anchor.place,
                anchor.cite
            );
        }
    }
}

#[test]
fn one_spot_has_one_place_on_every_board() {
    let summit = FIELD.place("little-round-top").expect("a place").point;
    for (ruleset, label) in [("blocks", "R7"), ("gbacw", "C2118")] {
        let board = board(ruleset);
        let there = board.hex_at(summit).expect("on the board");
        assert_eq!(board.label(there), label, "{ruleset}");
    }
    let corps = board("corps20");
    assert!(corps.hex_at(summit).is_some());
    assert!(
        board("blindswords").hex_at(summit).is_none(),
        "its map ends at Ziegler's Grove"
    );
}

#[test]
fn every_anchor_cites_a_seed() {
    for ruleset in RULESETS {
        for anchor in anchors(ruleset).0 {
            assert!(anchor.cite.starts_with("00"), "{ruleset}: {anchor:?}");
        }
    }
}
