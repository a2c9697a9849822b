//! Checks a battlefield and the boards on it: all problems, then how well each grid fits.
//!
//! `cargo run -p cupola-ground --example check -- data/battlefields/gettysburg data/rulesets/*`

use std::path::Path;

use cupola_ground::BoardFiles;
use cupola_ground::anchors::Anchors;
use cupola_ground::battlefield::Battlefield;
use cupola_ground::board::Board;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let Some(folder) = arguments.next() else {
        eprintln!("usage: check BATTLEFIELD RULESET…");
        return;
    };
    let battlefield = std::path::PathBuf::from(folder);
    let field = match Battlefield::read(&battlefield) {
        Ok(field) => field,
        Err(problems) => return eprintln!("{problems}"),
    };
    println!(
        "{}: {} roads, {} watercourses, {} covers, {} walls, {} places, {} entries, heights {} % measured",
        field.title,
        field.roads.len(),
        field.water.len(),
        field.cover.len(),
        field.walls.len(),
        field.places.len(),
        field.entries.len(),
        field.heights.measured()
    );
    for folder in arguments {
        ruleset(Path::new(&folder), &battlefield, &field);
    }
}

fn ruleset(folder: &Path, battlefield: &Path, field: &Battlefield) {
    let files = BoardFiles::read(battlefield, folder);
    let (grid, plan) = match files.and_then(|files| files.grid_and_plan()) {
        Ok(read) => read,
        Err(problems) => return eprintln!("{problems}"),
    };
    println!("{}: {} hexes", grid.name, grid.hexes().len());
    let folder = folder
        .join("battles")
        .join(battlefield.file_name().unwrap_or_default());
    let board = match Board::compile(field, &grid, &plan) {
        Ok(board) => board,
        Err(problems) => return eprintln!("{problems}"),
    };
    match Anchors::read(&folder.join("anchors.ron"), &grid, field) {
        Ok(anchors) => {
            let fit = anchors.fit(&grid, field);
            for miss in &fit.misses {
                println!(
                    "  {} {}: {} m, {} hexes",
                    miss.anchor.hex,
                    miss.anchor.place,
                    miss.centimetres / 100,
                    miss.hexes
                );
            }
            for anchor in anchors.astray(&board) {
                println!("  {} does not stand in {}", anchor.place, anchor.hex);
            }
            println!(
                "  root mean square {} %, largest {} % of the pitch",
                fit.mean_square, fit.largest
            );
        }
        Err(problems) => eprintln!("{problems}"),
    }
}
