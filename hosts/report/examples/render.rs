//! Makes the page again from a comparison that was kept, to work on its looks without playing anew.
//!
//! ```text
//! cargo run -p cupola-report --example render -- report/comparison.json data/battlefields/gettysburg data/rulesets/blocks page.html
//! ```

use cupola_ground::{Battlefield, Board};
use cupola_lab::model::Comparison;
use cupola_report::{Ground, page};
use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [kept, field, ruleset, out] = args.as_slice() else {
        return Err("expected: COMPARISON.json BATTLEFIELD RULESET OUT.html".into());
    };
    let comparison: Comparison = serde_json::from_slice(&std::fs::read(kept)?)?;
    let ground = Battlefield::read(Path::new(field)).map_err(|why| why.to_string())?;
    let board = Board::open(Path::new(field), Path::new(ruleset), None);
    let board = board.map_err(|why| why.to_string())?;
    let background = Ground::draw(&ground, &board, &comparison)?;
    std::fs::write(out, page(&comparison, &background))?;
    Ok(())
}
