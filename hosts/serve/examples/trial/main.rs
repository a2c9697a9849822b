//! Long trials of a club, which the tests have no time for. Each starts a club in a process of its own, and its exit code
//! is 1 if anything was lost.
//!
//! ```text
//! cargo run --release -p cupola-serve --example trial -- flood [REQUESTS]               a million that are none
//! cargo run --release -p cupola-serve --example trial -- kill [TIMES] [DATABASE]        200 times, under load
//! cargo run --release -p cupola-serve --example trial -- load [GAMES] [WATCHERS] [SECONDS] [CHOICES A SECOND]
//! cargo run --release -p cupola-serve --example trial -- stored [GAMES]                 10,000 that nobody opens
//! cargo run --release -p cupola-serve --example trial -- idle [RULESET] [SCENARIO]      tables at which nothing happens
//! cargo run --release -p cupola-serve --example trial -- takeover TIMES DATABASE        one of two programs is killed
//! ```
//!
//! A thousand watchers need more open files than many shells allow: `ulimit -n 8192` first.
#![allow(
    clippy::unwrap_used,
    reason = "a trial ends by panicking if it cannot be held"
)]

mod club;
mod flood;
mod idle;
mod kill;
mod load;
mod stored;
mod takeover;
mod wire;

use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |place: usize, usual: usize| match args.get(place) {
        Some(text) => text.parse().expect("a number"),
        None => usual,
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let fine = match args.first().map(String::as_str) {
        Some("serve") => return club::serve(&args[1..]),
        Some("flood") => runtime.block_on(flood::flood(number(1, 1_000_000))),
        Some("kill") => runtime.block_on(kill::kill(number(1, 200), args.get(2))),
        Some("load") => {
            let (games, watchers) = (number(1, 300), number(2, 1000));
            runtime.block_on(load::load(games, watchers, number(3, 60), number(4, 20)))
        }
        Some("stored") => runtime.block_on(stored::stored(number(1, 10_000))),
        Some("idle") => {
            let word = |place: usize, usual: &'static str| {
                args.get(place).map_or(usual, String::as_str).to_owned()
            };
            let (ruleset, scenario) = (word(1, "gbacw"), word(2, "terrible-swift-sword"));
            runtime.block_on(idle::idle(&ruleset, &scenario))
        }
        Some("takeover") => {
            let database = args.get(2).expect("a database");
            runtime.block_on(takeover::take_over(number(1, 5), database))
        }
        _ => {
            eprintln!("expected flood, idle, kill, load, stored or takeover");
            false
        }
    };
    ExitCode::from(u8::from(!fine))
}

/// The same numbers in every run.
pub struct Chance(u64);

impl Chance {
    /// Numbers that follow from a seed.
    pub fn new(seed: u64) -> Chance {
        Chance(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below this one.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % end.max(1)
    }

    /// One of a list.
    pub fn pick<'a, T: ?Sized>(&mut self, list: &[&'a T]) -> &'a T {
        list[self.below(list.len())]
    }
}

/// The value below which a share of the values lie.
pub fn share(values: &mut [f64], share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let place = (values.len() as f64 * share) as usize;
    values
        .get(place.min(values.len().saturating_sub(1)))
        .copied()
        .unwrap_or(f64::NAN)
}
