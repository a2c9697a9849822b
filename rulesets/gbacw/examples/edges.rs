//! Changes every number of a table by one, up and down, and lists what no case misses.
//!
//! `cargo run --release -p cupola-gbacw --example edges` for the tables of the series;
//! `… --example edges -- scenarios/to-stop.ron points within` for lines of another file that have one of these words.
use cupola_conformance::{Missed, edges};
use cupola_gbacw as _;
use std::path::Path;

fn main() -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut words = std::env::args().skip(1);
    let file = words.next().unwrap_or_else(|| "tables.ron".to_owned());
    let words: Vec<String> = words.collect();
    std::panic::set_hook(Box::new(|_| {}));
    let (mut seen, mut unseen, mut unplayable) = (0, 0, 0);
    edges(&root, "gbacw", &file, &words, |edge, missed| match missed {
        Missed::By(_) => {
            seen += 1;
            if seen % 50 == 0 {
                eprintln!("{seen} missed, at line {}", edge.line);
            }
        }
        Missed::ByNobody => {
            unseen += 1;
            println!("UNSEEN {}: {}", edge.line, edge.shown);
        }
        Missed::Unplayable(_) => unplayable += 1,
    })?;
    println!("{seen} missed by a case, {unseen} by none, {unplayable} cannot be loaded");
    Ok(())
}
