//! Swaps every special rule of every scenario for one that does nothing, and lists what no case misses.
//!
//! `cargo run --release -p cupola-gbacw --example specials`; `… --example specials -- pickett sword` for files with these words in
//! their names.
use cupola_conformance::{Missed, swaps};
use cupola_gbacw as _;
use std::path::Path;

fn main() -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let words: Vec<String> = std::env::args().skip(1).collect();
    std::panic::set_hook(Box::new(|_| {}));
    let (mut seen, mut unseen) = (0, 0);
    let harmless = ("special", "in_command((brigades: []))");
    swaps(&root, "gbacw", harmless, &words, |file, entry, missed| {
        match missed {
            Missed::By(_) => seen += 1,
            Missed::ByNobody => unseen += 1,
            Missed::Unplayable(_) => {}
        }
        let told = match missed {
            Missed::By(case) => format!("missed by {}", case.rsplit('/').next().unwrap_or(case)),
            Missed::ByNobody => "UNSEEN".to_owned(),
            Missed::Unplayable(why) => format!("cannot be loaded: {why}"),
        };
        println!("{file}:{}: {told}: {}", entry.line, entry.shown);
    })?;
    println!("{seen} missed by a case, {unseen} by none");
    Ok(())
}
