//! How well the four grids fit the ground.

use std::collections::BTreeSet;

use cupola_ground::anchors::Anchors;
use cupola_ground::board::{Board, HexId};
use cupola_ground::kinds::RoadKind;

use crate::{FIELD, RULESETS, board, data, grid, hex, loaded, plan};

fn anchors(ruleset: &str) -> Anchors {
    let path = data().join(format!("rulesets/{ruleset}/battles/gettysburg/anchors.ron"));
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

/// What is left out of the fit is told here, or it would be an easy way to a good one.
#[test]
fn only_one_anchor_is_off() {
    let off: Vec<String> = RULESETS
        .iter()
        .flat_map(|ruleset| anchors(ruleset).0)
        .filter(|anchor| anchor.off.is_some())
        .map(|anchor| anchor.place)
        .collect();
    assert_eq!(off, ["h-culp-farm"]);
}

/// The tables of the book's page on the ground.
#[test]
fn the_book_tells_fit_and_corrections() {
    let book = data().join("../book/src/ground/how-made.md");
    let book = std::fs::read_to_string(book).expect("the book");
    let rows = ["Napoleonic 20 style", "Blind Swords", "block game", "GBACW"];
    for (ruleset, name) in RULESETS.iter().zip(rows) {
        let fit = anchors(ruleset).fit(&grid(ruleset), &FIELD);
        let hexes = |hundredths: u32| format!("{}.{:02} hex", hundredths / 100, hundredths % 100);
        let (mean, largest) = (hexes(fit.mean_square), hexes(fit.largest));
        let row = format!("| {name} | {} | {mean} | {largest} |", fit.misses.len());
        assert!(book.contains(&row), "{row}");
        let row = format!("| {name} | {} | ", plan(ruleset).corrections.len());
        assert!(book.contains(&row), "{row}");
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

/// The parts of the net that roads of these kinds make.
fn nets(board: &Board, kinds: &[RoadKind]) -> Vec<Vec<HexId>> {
    let on = |hex: HexId| {
        board
            .neighbours(hex)
            .filter(move |(way, _)| {
                board
                    .side(hex, *way)
                    .road
                    .is_some_and(|road| kinds.contains(&road))
            })
            .map(|(_, there)| there)
    };
    let mut seen = BTreeSet::new();
    let mut nets = Vec::new();
    for start in board.hexes().filter(|hex| on(*hex).next().is_some()) {
        let mut net = Vec::new();
        let mut open = vec![start];
        while let Some(hex) = open.pop() {
            if seen.insert(hex) {
                net.push(hex);
                open.extend(on(hex));
            }
        }
        if !net.is_empty() {
            nets.push(net);
        }
    }
    nets
}

#[test]
fn roads_of_a_board_are_one_net() {
    for ruleset in RULESETS {
        let board = board(ruleset);
        let nets = nets(&board, &[RoadKind::Pike, RoadKind::Road]);
        let loose: Vec<&str> = nets.iter().skip(1).map(|net| board.label(net[0])).collect();
        assert!(loose.is_empty(), "{ruleset}: cut off at {loose:?}");
    }
    for ruleset in ["corps20", "gbacw"] {
        let board = board(ruleset);
        let pikes = nets(&board, &[RoadKind::Pike]).len();
        assert_eq!(pikes, 1, "{ruleset}: the three pikes meet in town");
    }
}
