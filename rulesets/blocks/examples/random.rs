//! Plays random games of a scenario and counts decisions per second of processor time.
use cupola_blocks as _;
use cupola_kernel::{Registry, Seed};
use cupola_library::Library;
use std::collections::BTreeMap;

fn main() {
    let root = Library::find_root().expect("data");
    let library = Library::new(root, None, Registry::linked().expect("registry"));
    let mut arguments = std::env::args().skip(1);
    let scenario = arguments.next().unwrap_or_else(|| "day2".into());
    let most: u64 = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(200);
    let play = library
        .play("blocks", &scenario, None)
        .unwrap_or_else(|problems| panic!("{problems}"));
    let start = cpu_seconds();
    let (mut decisions, mut longest, mut widest) = (0u64, 0, 0);
    let mut ends = BTreeMap::<String, u32>::new();
    for number in 0..most {
        let mut game = play
            .game(Seed(7).nth(number))
            .unwrap_or_else(|fault| panic!("{fault}"));
        let (mut x, mut count) = (number + 1, 0u64);
        while let Some(decision) = game.decision() {
            x = x
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            widest = widest.max(decision.options.len());
            let act = decision.options[((x >> 33) as usize * decision.options.len()) >> 31];
            game.apply_unchecked(act)
                .unwrap_or_else(|fault| panic!("game {number} ply {count}: {fault}"));
            count += 1;
        }
        let verdict = game.verdict().expect("over");
        let end = format!("{:?} turn {}", verdict.winner, game.table().turn());
        *ends.entry(end).or_default() += 1;
        longest = longest.max(count);
        decisions += count;
    }
    let seconds = cpu_seconds() - start;
    println!(
        "{scenario}: {most} games, {decisions} decisions, {:.0} per CPU second, longest {longest}, widest {widest}",
        decisions as f64 / seconds
    );
    for (end, count) in ends {
        println!("{count:6} {end}");
    }
}

/// Processor time of this process so far, as Linux tells it; nothing elsewhere.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after = stat.rsplit(')').next().unwrap_or_default();
    let fields: Vec<&str> = after.split_whitespace().collect();
    let ticks = |i: usize| fields.get(i).and_then(|text| text.parse::<f64>().ok());
    (ticks(11).unwrap_or(0.0) + ticks(12).unwrap_or(0.0)) / 100.0
}
