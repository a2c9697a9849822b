//! Counters, turns and a meeting engagement for any army list. Ratings need none: they follow from men, guns and kind of unit by
//! the game's own `rules.ron`.

use cupola_army::NodeId;
use cupola_data::Problems;
use cupola_ground::board::BoardEntry;
use cupola_kernel::{DerivedFile, Deriving, Side};
use cupola_kit::derive::{Body, Distinct, Muster, slug, surname};

/// Turns of an hour.
const TURN: i32 = 60;

/// Derives the battle's files.
pub fn derive(from: &Deriving) -> Result<Vec<DerivedFile>, Problems> {
    let muster = Muster::new(from, TURN)?;
    let mut names = [Distinct::default(), Distinct::default()];
    let (mut counters, mut arrivals) = (vec![], String::new());
    for body in &muster.bodies {
        let name = names[body.side as usize].name(called(&muster, body));
        let (side, unit) = (muster.side(body.side), slug(&name));
        let nodes = muster.nodes(body);
        let id = format!("{side}-{unit}");
        counters.push(muster.counter(&id, &name, (body.side, body.arm), &nodes, "()"));
        let (turn, entry) = muster.coming(first(body));
        let (turn, at) = (&muster.turns[turn].id, way(entry));
        arrivals += &format!("        (unit: \"{unit}\", turn: \"{turn}\", at: \"{at}\"),\n");
    }
    let about = "A brigade or its guns each; strength, movement, steps, quality and range follow by rules.ron.";
    Ok(vec![
        muster.turn_track(),
        muster.counters(about, &counters, &[]),
        muster.meeting(&scenario(&muster, &arrivals)),
    ])
}

/// Guns are called after their own commander, or the formation that they belong to.
fn called<'a>(muster: &Muster<'a>, body: &Body) -> &'a str {
    match surname(muster.army(), body.node) {
        "" => &muster.army().node(body.node).name,
        name => name,
    }
}

/// Who comes first: the others are with him.
fn first(body: &Body) -> NodeId {
    body.troops.first().copied().unwrap_or(body.node)
}

/// As the scenario names it.
fn way(entry: &BoardEntry) -> &str {
    entry.code.as_deref().unwrap_or(&entry.id)
}

/// Everybody comes; every place of note is worth something, the first most.
fn scenario(muster: &Muster, arrivals: &str) -> String {
    let worth = [4u8, 2, 2, 1, 1, 1];
    let places: String = muster
        .prizes()
        .into_iter()
        .zip(worth)
        .map(|(place, points)| {
            let why = format!("house(\"a {} on the way\")", place.kind);
            format!(
                "        (at: \"{}\", points: ({points}, {why})),\n",
                place.id
            )
        })
        .collect();
    let supply = Side::BOTH.map(|side| {
        let roads = muster.roads(side).into_iter();
        let roads: Vec<String> = roads.map(|entry| format!("\"{}\"", way(entry))).collect();
        format!("\"{}\": [{}]", muster.side(side), roads.join(", "))
    });
    format!(
        "    start: {{}},\n    arrivals: [\n{arrivals}    ],\n    places: [\n{places}    ],\n    supply: {{{}}},\n    origin: derived(\"the arrivals of the army list\"),\n",
        supply.join(", ")
    )
}
