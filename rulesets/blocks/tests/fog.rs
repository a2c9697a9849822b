//! Fog of war: what a seat may not know changes no byte that it gets. `CUPOLA_FULL=1` looks at 30,000
//! positions of each of the four scenarios; the example `fog` at as many as one likes.

mod common;

#[path = "common/fog.rs"]
mod fog;

use cupola_kernel::{Play, Seat, Seed, Side};
use fog::bent::{Leak, registry};

fn prove(name: &str, play: &Play, part: u64, seed: u128) {
    let full = std::env::var_os("CUPOLA_FULL").is_some_and(|value| value == "1");
    let positions = if full { 30_000 } else { 400 } / part;
    let proof = fog::prove(play, positions, Seed(seed)).unwrap_or_else(|leak| panic!("{leak}"));
    println!("{name}: {proof:?}");
    assert_eq!(proof.changed, proof.worlds, "{proof:?}");
    assert!(proof.steps > 20 * proof.apart, "{proof:?}");
}

fn play(scenario: &str, switches: &[&str]) -> Play {
    common::open(registry(None), scenario, switches)
}

#[test]
fn fog_holds_on_day_1() {
    prove("day1", &play("day1", &[]), 1, 1);
}

#[test]
fn fog_holds_on_day_2() {
    prove("day2", &play("day2", &[]), 1, 2);
}

#[test]
fn fog_holds_on_day_3() {
    prove("day3", &play("day3", &[]), 1, 3);
}

#[test]
fn fog_holds_in_the_campaign() {
    prove("campaign", &play("campaign", &[]), 1, 4);
}

#[test]
fn fog_holds_with_options() {
    let options = ["cavalry_battle", "column_and_line", "free_deployment"];
    prove("day3 with options", &play("day3", &options), 2, 5);
    let options = ["cavalry_battle", "repulse_by_position", "entry_spreads"];
    prove("campaign with options", &play("campaign", &options), 2, 6);
}

/// The proof can fail: it finds every one of these leaks.
#[test]
fn rulesets_that_leak_are_found_out() {
    let leaks = [
        (Leak::Strength, "worn"),
        (Leak::Order, "hex"),
        (Leak::Name, "has moved"),
        (Leak::Speed, "a step of"),
        (Leak::Refusal, "commands at"),
        (Leak::Options, "fires at"),
        (Leak::Odds, "easy marks"),
        (Leak::Undo, "taken back"),
        (Leak::Length, "a block has moved"),
    ];
    for (leak, sign) in leaks {
        let play = common::open(registry(Some(leak)), "day3", &[]);
        let found = fog::prove(&play, 3_000, Seed(9)).err();
        let found = found.unwrap_or_else(|| panic!("{leak:?} is not found"));
        println!("{leak:?}: {found}");
        assert!(found.contains(sign), "{leak:?}: {found}");
    }
}

#[test]
fn an_upright_block_is_a_side_and_a_hex() {
    let game = common::play("day2").game(Seed(1)).expect("begins");
    let view = game.view(Seat::Player(Side::First));
    let theirs: Vec<_> = view.units.iter().filter(|unit| unit.side == "us").collect();
    let hidden: Vec<_> = theirs.iter().filter(|unit| unit.id.is_none()).collect();
    // Blocks on the map and the VI Corps on its way; nothing but the shattered has a name.
    assert_eq!(
        hidden.iter().filter(|unit| unit.state.is_empty()).count(),
        77
    );
    for unit in &hidden {
        assert_eq!((unit.name.as_str(), unit.kind.as_str()), ("block", "block"));
        assert!(unit.ratings.is_empty());
    }
    let mut named: Vec<_> = theirs
        .iter()
        .filter_map(|unit| unit.id.as_deref())
        .collect();
    named.sort_unstable();
    assert_eq!(named, ["us-coster", "us-hq-reynolds", "us-meredith"]);
}
