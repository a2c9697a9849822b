//! Plays random games and counts decisions; tells what a fork and a new game cost.
use cupola_gbacw as _;
use cupola_kernel::{Registry, Seed};
use cupola_library::Library;

fn main() {
    let root = Library::find_root().expect("data");
    let library = Library::new(root, None, Registry::linked().expect("registry"));
    let scenario = std::env::args().nth(2).unwrap_or_else(|| "to-stop".into());
    let play = library
        .play("gbacw", &scenario, None)
        .unwrap_or_else(|p| panic!("{p}"));
    let start = std::time::Instant::now();
    let (mut decisions, mut games) = (0u64, 0u64);
    let mut longest = 0;
    let (mut widest, mut listed) = (0, 0u64);
    let mut ends = std::collections::BTreeMap::<String, u32>::new();
    let most: u64 = std::env::args()
        .nth(1)
        .and_then(|n| n.parse().ok())
        .unwrap_or(u64::MAX);
    // As many games as asked for, or five seconds of them.
    while games < most && (most < u64::MAX || start.elapsed().as_secs() < 5) {
        let mut game = play
            .game(Seed(7).nth(games))
            .unwrap_or_else(|f| panic!("{f}"));
        let mut x = games + 1;
        let mut count = 0u64;
        while let Some(decision) = game.decision() {
            x = x
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            widest = widest.max(decision.options.len());
            listed += decision.options.len() as u64;
            let act = decision.options[((x >> 33) as usize * decision.options.len()) >> 31];
            game.apply_unchecked(act)
                .unwrap_or_else(|f| panic!("game {games} ply {count}: {f}"));
            count += 1;
        }
        let v = game.verdict().expect("over");
        *ends
            .entry(format!(
                "{:?} {} turn {}",
                v.winner,
                v.how,
                game.table().turn()
            ))
            .or_default() += 1;
        longest = longest.max(count);
        decisions += count;
        games += 1;
    }
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{games} games, {decisions} decisions of {listed} options, {:.0}/s, longest {longest}, widest {widest}",
        decisions as f64 / seconds
    );
    for (end, count) in ends {
        println!("{count:6} {end}");
    }
    let game = play.game(Seed(7)).unwrap_or_else(|f| panic!("{f}"));
    let mut pooled = game.fork();
    let fork = best(1000, || {
        pooled.copy_from(&game);
    });
    let fresh = best(10, || drop(play.game(Seed(7))));
    println!("{fork:.2} us a fork, {fresh:.0} us a new game");
}

/// Microseconds for one of many, in the best of ten tries: others use the machine too.
fn best(times: u32, mut what: impl FnMut()) -> f64 {
    let mut tries = vec![];
    for _ in 0..10 {
        let start = std::time::Instant::now();
        (0..times).for_each(|_| what());
        tries.push(start.elapsed().as_secs_f64() * 1e6 / f64::from(times));
    }
    tries.into_iter().fold(f64::MAX, f64::min)
}
