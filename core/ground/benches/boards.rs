//! Compile and cache-load times of the real boards, and what a line costs on them.
//!
//! `cargo bench -p cupola-ground`

use std::path::{Path, PathBuf};
use std::time::Instant;

use cupola_ground::{Board, BoardFiles, HexId};

/// The shortest of several runs, in milliseconds: the one that nothing else disturbed.
fn shortest<T>(runs: usize, mut work: impl FnMut() -> T) -> f64 {
    let times = (0..runs).map(|_| {
        let start = Instant::now();
        std::hint::black_box(work());
        start.elapsed().as_secs_f64() * 1000.0
    });
    times.fold(f64::INFINITY, f64::min)
}

/// Nanoseconds for the line between hexes up to ten apart.
fn line(board: &Board) -> f64 {
    let start = HexId(board.len() as u16 / 2);
    let near: Vec<HexId> = board
        .hexes()
        .filter(|hex| board.distance(start, *hex) <= 10)
        .collect();
    let mut found = Vec::new();
    let all = shortest(20, || {
        near.iter()
            .for_each(|hex| board.line_touching(start, *hex, &mut found));
        found.len()
    });
    all * 1e6 / near.len() as f64
}

fn main() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
    let field = data.join("battlefields/gettysburg");
    let cache = std::env::temp_dir().join(format!("cupola-bench-{}", std::process::id()));
    let rulesets = std::fs::read_dir(data.join("rulesets"))
        .into_iter()
        .flatten()
        .flatten();
    let mut folders: Vec<PathBuf> = rulesets.map(|entry| entry.path()).collect();
    folders.sort();
    println!("board           hexes   compile ms      fill ms      load ms  line ns");
    for folder in folders {
        let read = || BoardFiles::read(&field, &folder);
        let board = match read().and_then(|files| files.compile()) {
            Ok(board) => board,
            Err(problems) => {
                println!("{}: {problems}", folder.display());
                continue;
            }
        };
        let compile = shortest(5, || read().and_then(|files| files.compile()));
        let fill = shortest(1, || read().and_then(|files| files.load(&cache)));
        let load = shortest(20, || read().and_then(|files| files.load(&cache)));
        println!(
            "{:<14} {:>6} {compile:>12.1} {fill:>12.1} {load:>12.2} {:>8.0}",
            board.name,
            board.len(),
            line(&board)
        );
    }
    let _ = std::fs::remove_dir_all(&cache);
}
