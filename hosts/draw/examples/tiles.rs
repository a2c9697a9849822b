//! How long the tiles of the four boards take and how large they are:
//! `cargo run -p cupola-draw --release --example tiles -- [OUT]`

use std::path::{Path, PathBuf};
use std::time::Instant;

/// A stopwatch for the time that this program itself ran, where the system tells it: on a busy
/// machine the clock on the wall says little.
struct Watch(Instant, Option<u128>);

impl Watch {
    fn start() -> Watch {
        Watch(Instant::now(), Watch::ran())
    }

    fn ran() -> Option<u128> {
        let text = std::fs::read_to_string("/proc/self/schedstat").ok()?;
        text.split(' ').next()?.parse().ok()
    }

    /// Milliseconds since the start.
    fn ms(&self) -> u128 {
        match (self.1, Watch::ran()) {
            (Some(then), Some(now)) => (now - then) / 1_000_000,
            _ => self.0.elapsed().as_millis(),
        }
    }
}

use cupola_draw::Atlas;
use cupola_ground::{Battlefield, Board};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let out = std::env::args().nth(1).map(PathBuf::from);
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
    let ground = data.join("battlefields/gettysburg");
    let field = Battlefield::read(&ground).map_err(|problems| problems.to_string())?;
    for name in ["corps20", "blindswords", "blocks", "gbacw"] {
        let start = Watch::start();
        let board = Board::open(&ground, &data.join("rulesets").join(name), None)
            .map_err(|problems| problems.to_string())?;
        println!("{name}: board read and compiled in {} ms", start.ms());
        let start = Watch::start();
        let atlas = Atlas::new(&field, &board);
        let overview = atlas.overview()?;
        println!(
            "{name}: first picture {} kB in {} ms",
            overview.len() / 1000,
            start.ms()
        );
        if let Some(out) = &out {
            std::fs::create_dir_all(out)?;
            std::fs::write(out.join(format!("{name}-overview.png")), &overview)?;
        }
        for (zoom, set) in atlas.zooms().iter().enumerate() {
            // The middle tile stands for the others: a whole set may have hundreds.
            let (column, row) = (set.columns / 2, set.rows / 2);
            let start = Watch::start();
            let tile = atlas.tile(zoom, column, row)?;
            println!(
                "  zoom {zoom}: {} by {} tiles, {:.0} pixels a hex; one tile {} kB in {} ms",
                set.columns,
                set.rows,
                set.hex,
                tile.len() / 1000,
                start.ms()
            );
            if let Some(out) = &out {
                std::fs::write(out.join(format!("{name}-{zoom}-{column}-{row}.png")), tile)?;
                // Its neighbour, to see whether they join.
                let west = column.saturating_sub(1);
                let beside = atlas.tile(zoom, west, row)?;
                std::fs::write(out.join(format!("{name}-{zoom}-{west}-{row}.png")), beside)?;
            }
        }
    }
    Ok(())
}
