//! Fog of war: what a seat may not know changes no byte that it gets. `CUPOLA_FULL=1` looks at 100,000
//! positions of each scenario, as the example `fog` does.

mod common;

#[path = "common/fog.rs"]
mod fog;

use cupola_kernel::{Seat, Seed, Side};

fn positions() -> u64 {
    let full = std::env::var_os("CUPOLA_FULL").is_some_and(|value| value == "1");
    if full { 100_000 } else { 1_500 }
}

#[test]
fn fog_holds_on_day_2() {
    let proof = fog::prove(&common::play("day2"), positions(), Seed(2)).expect("no leak");
    assert!(proof.changed > proof.positions, "{proof:?}");
    assert!(proof.steps > proof.positions / 4, "{proof:?}");
}

#[test]
fn fog_holds_in_the_campaign() {
    let proof = fog::prove(&common::play("campaign"), positions(), Seed(3)).expect("no leak");
    assert!(proof.changed > 0, "{proof:?}");
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
