//! Plays random games and prints one number for each scenario: equal numbers, equal games, choice for choice and die for
//! die. For those who make the rules faster and must not change them.
//!
//! `cargo run --release -p cupola-gbacw --example digest -- 20 to-stop night-fight`
use cupola_gbacw as _;
use cupola_kernel::{About, Dice, Loose, Registry, Seed};
use cupola_library::Library;
use std::hash::{Hash, Hasher};
use std::path::Path;

/// Played where none is named.
const SCENARIOS: [&str; 15] = [
    "to-stop",
    "night-fight",
    "night-fight-walker",
    "want-of-coordination",
    "face-to-the-enemy",
    "gregg-defends",
    "picketts-charge",
    "picketts-charge-all",
    "not-done-enough",
    "farnsworths-charge",
    "longstreets-assault",
    "when-harry-met-john",
    "day-of-decision",
    "terrible-swift-sword",
    "terrible-swift-sword-four",
];

/// FNV-1a: the same everywhere.
struct Sum(u64);

impl Hasher for Sum {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let games: u64 = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(10);
    let named: Vec<String> = arguments.collect();
    let scenarios: Vec<&str> = if named.is_empty() {
        SCENARIOS.to_vec()
    } else {
        named.iter().map(String::as_str).collect()
    };
    let root = Library::find_root().expect("data");
    let options = root.join("variants/every-option.ron");
    let library = Library::new(root, None, Registry::linked().expect("registry"));
    for scenario in scenarios {
        // With a plus: every optional rule.
        let (name, variant) = match scenario.strip_suffix('+') {
            Some(name) => (name, Some(options.as_path())),
            None => (scenario, None::<&Path>),
        };
        let play = library
            .play("gbacw", name, variant)
            .unwrap_or_else(|problems| panic!("{problems}"));
        let (mut sum, mut decisions) = (Sum(0xcbf2_9ce4_8422_2325), 0u64);
        for number in 0..games {
            let mut game = play.game(Seed(1863).nth(number)).expect("a game");
            let mut dice = Loose::new(Seed(1895).nth(number));
            while let Some(decision) = game.decision() {
                decision.ask.question.hash(&mut sum);
                for option in decision.options {
                    option.hash(&mut sum);
                }
                let nth = dice.roll(decision.options.len() as u16, "choice", About::Game) - 1;
                let act = decision.options[usize::from(nth)];
                decisions += 1;
                if decisions % 64 == 0 {
                    sum.write(&game.hash().0.to_le_bytes());
                }
                game.apply_unchecked(act)
                    .unwrap_or_else(|fault| panic!("{scenario} {number}: {fault}"));
            }
            sum.write(&game.hash().0.to_le_bytes());
        }
        println!("{:016x} {games:5} {decisions:8} {scenario}", sum.finish());
    }
}
