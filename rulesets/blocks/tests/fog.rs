//! Fog of war: what a seat may not know changes no byte that it gets. `CUPOLA_FULL=1` looks at 30,000
//! positions of each of the four scenarios; the example `fog` at as many as one likes.

mod common;

#[path = "common/fog.rs"]
mod fog;

use cupola_kernel::{Play, Seat, Seed, Side};

fn prove(name: &str, play: &Play, part: u64, seed: u128) -> fog::Proof {
    let full = std::env::var_os("CUPOLA_FULL").is_some_and(|value| value == "1");
    let positions = if full { 30_000 } else { 600 } / part;
    let proof = fog::prove(play, positions, Seed(seed)).unwrap_or_else(|leak| panic!("{leak}"));
    println!("{name}: {proof:?}");
    assert!(proof.changed > proof.positions, "{proof:?}");
    assert!(proof.steps > proof.positions / 4, "{proof:?}");
    proof
}

#[test]
fn fog_holds_on_day_1() {
    prove("day1", &common::play("day1"), 1, 1);
}

#[test]
fn fog_holds_on_day_2() {
    prove("day2", &common::play("day2"), 1, 2);
}

#[test]
fn fog_holds_on_day_3() {
    prove("day3", &common::play("day3"), 1, 3);
}

#[test]
fn fog_holds_in_the_campaign() {
    prove("campaign", &common::play("campaign"), 1, 4);
}

#[test]
fn fog_holds_with_options() {
    let cavalry = ["cavalry_battle", "column_and_line", "free_deployment"];
    prove("day3 with options", &common::with("day3", &cavalry), 2, 5);
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
