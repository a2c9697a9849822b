//! The order of battle of Gettysburg against the figures it must show.

use std::path::PathBuf;

use cupola_army::{Army, Battle, Counters, Filter, Kind, Light, Moment, NodeId, Scenario, Turns};
use cupola_data::Source;

fn data(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../data")
        .join(path)
}

fn battle() -> Battle {
    Battle::read(&data("armies/gettysburg")).unwrap_or_else(|problems| panic!("{problems}"))
}

fn at(text: &str) -> Moment {
    text.parse().unwrap()
}

fn id(army: &Army, name: &str) -> NodeId {
    army.get(name).unwrap_or_else(|| panic!("no node {name}"))
}

#[test]
fn the_tree_loads() {
    let army = battle().army;
    let count = |side: &str, kind: Kind| {
        let filter = Filter {
            army: Some(side.to_owned()),
            kind: Some(kind),
            ..Filter::default()
        };
        army.roster(&filter).unwrap().len()
    };
    assert_eq!(
        (count("us", Kind::Infantry), count("cs", Kind::Infantry)),
        (240, 171)
    );
    assert_eq!(
        (count("us", Kind::Cavalry), count("cs", Kind::Cavalry)),
        (27, 20)
    );
    // The list has 64 and 65 batteries; Rank, Hart and Griffin are added.
    assert_eq!(
        (count("us", Kind::Battery), count("cs", Kind::Battery)),
        (65, 67)
    );
}
