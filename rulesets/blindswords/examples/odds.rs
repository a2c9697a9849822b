//! Plays random games and measures how long the exact odds of every fight that can be chosen take.
use cupola_blindswords as _;
use cupola_kernel::{Registry, Seed, odds};
use cupola_library::Library;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// The slowest fight of a system and how many were tried.
#[derive(Default)]
struct Found {
    fights: u64,
    worst: Duration,
    sum: Duration,
    outcomes: usize,
}

fn main() {
    let root = Library::find_root().expect("data");
    let library = Library::new(root, None, Registry::linked().expect("registry"));
    let games: u64 = std::env::args()
        .nth(1)
        .and_then(|n| n.parse().ok())
        .unwrap_or(20);
    let play = library
        .play("blindswords", "main", None)
        .unwrap_or_else(|p| panic!("{p}"));
    let mut found = BTreeMap::<&str, Found>::new();
    for number in 0..games {
        let mut game = play
            .game(Seed(7).nth(number))
            .unwrap_or_else(|f| panic!("{f}"));
        let mut x = number + 1;
        while let Some(decision) = game.decision() {
            for &act in decision.options {
                let Some((combat, fight)) = game.fight(act) else {
                    continue;
                };
                // The best of three: others use this machine as well.
                let mut best = Duration::MAX;
                let mut outcomes = 0;
                for _ in 0..3 {
                    let begun = Instant::now();
                    let odds = odds(&*combat, game.table(), &fight).expect("odds");
                    best = best.min(begun.elapsed());
                    outcomes = odds.outcomes.len();
                }
                let found = found.entry(combat.name()).or_default();
                found.fights += 1;
                found.sum += best;
                found.worst = found.worst.max(best);
                found.outcomes = found.outcomes.max(outcomes);
            }
            x = x
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            let act = decision.options[((x >> 33) as usize * decision.options.len()) >> 31];
            game.apply_unchecked(act).unwrap_or_else(|f| panic!("{f}"));
        }
    }
    for (system, found) in found {
        println!(
            "{system}: {} fights, {:?} on average, {:?} at worst, up to {} outcomes",
            found.fights,
            found.sum / found.fights.max(1) as u32,
            found.worst,
            found.outcomes
        );
    }
}
