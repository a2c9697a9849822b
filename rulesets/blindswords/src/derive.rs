//! Counters, chits and a meeting engagement for any army list: a strength point is 100 men or a gun.

use cupola_army::{Arm, Kind, NodeId};
use cupola_data::Problems;
use cupola_ground::HexId;
use cupola_ground::board::BoardEntry;
use cupola_ground::kinds::PlaceKind;
use cupola_kernel::{DerivedFile, Deriving, Side};
use cupola_kit::derive::{Body, Distinct, Muster, slug, surname};
use std::collections::BTreeMap;

/// §C A turn is an hour.
const TURN: i32 = 60;
/// More regiments and batteries than this, and a counter is a brigade.
const MANY: usize = 120;
/// What the first lines of the Fog of War table come to: black and white dice, from and to, for either side.
const FOG: [(&str, u8, u8, u8, u8); 3] = [
    ("chaos", 11, 14, 15, 22),
    ("wayward", 23, 26, 31, 34),
    ("fortunes", 35, 41, 42, 44),
];
/// The rolls that are left: casualties.
const CASUALTIES: [u8; 14] = [45, 46, 51, 52, 53, 54, 55, 56, 61, 62, 63, 64, 65, 66];

/// A general to be, and the formation that he commands.
struct General {
    side: Side,
    node: NodeId,
    corps: bool,
    name: String,
    id: String,
}

/// Derives the battle's files.
pub fn derive(from: &Deriving) -> Result<Vec<DerivedFile>, Problems> {
    let muster = Muster::new(from, TURN)?;
    let generals = generals(&muster);
    let codes = codes(&muster, &generals);
    let troops: usize = muster.bodies.iter().map(|body| body.troops.len()).sum();
    // Orders name a unit without its side: the second Smith is "Smith 2", whoever he fights for.
    let mut names = Distinct::default();
    let mut counters = vec![];
    for body in &muster.bodies {
        let brigade = names.name(surname(muster.army(), body.node));
        let parts: Vec<Vec<NodeId>> = if troops > MANY {
            vec![muster.nodes(body)]
        } else {
            body.troops.iter().map(|&troop| vec![troop]).collect()
        };
        for nodes in &parts {
            counters.push(counter(
                &muster,
                body,
                &brigade,
                (nodes, parts.len()),
                &codes,
            )?);
        }
    }
    let chits = generals.iter();
    let leaders: Vec<String> = chits
        .map(|general| leader(&muster, general, &codes))
        .collect();
    let about = "A strength point is 100 men or a gun, as in 003; nothing is known of anybody's cohesion or skill.";
    let scenario = format!(
        "    setup: main,\n    events: (chosen: 2, random: 2),\n    friction: false,\n    first_casualties: false,\n    guns_begin: \"{}\",\n    victory: points,\n",
        muster.side(Side::First)
    );
    Ok(vec![
        muster.turn_track(),
        muster.counters(about, &counters, &leaders),
        map(&muster),
        affairs(&muster, &generals),
        muster.meeting(&scenario),
    ])
}

/// Generals of corps and divisions, and brigadiers who have neither above them.
fn generals(muster: &Muster) -> Vec<General> {
    let army = muster.army();
    let mut names = Distinct::default();
    let mut found: Vec<General> = vec![];
    for side in Side::BOTH {
        let mut add = |node: NodeId, corps: bool| {
            let name = names.name(surname(army, node));
            let id = format!("{}-{}", muster.side(side), slug(&name));
            found.push(General {
                side,
                node,
                corps,
                name,
                id,
            });
        };
        for node in muster.formations(side, &[Kind::Corps]) {
            add(node, true);
        }
        for node in muster.formations(side, &[Kind::Division]) {
            add(node, false);
        }
        let mut alone: Vec<NodeId> = vec![];
        for body in muster.bodies.iter().filter(|body| body.side == side) {
            let free = division(muster, body.node).is_none() && corps(muster, body.node).is_none();
            if free && !alone.contains(&body.node) {
                alone.push(body.node);
            }
        }
        for node in alone {
            add(node, false);
        }
    }
    found
}

fn division(muster: &Muster, node: NodeId) -> Option<NodeId> {
    muster.army().above(node, Kind::Division)
}

fn corps(muster: &Muster, node: NodeId) -> Option<NodeId> {
    muster.army().above(node, Kind::Corps)
}

/// The letters of each division, all different; a brigade that is alone counts as one.
fn codes(muster: &Muster, generals: &[General]) -> BTreeMap<NodeId, String> {
    let mut names = Distinct::default();
    let divisions = generals.iter().filter(|general| !general.corps);
    let code = |general: &General| {
        let name = surname(muster.army(), general.node).to_uppercase();
        let code: String = name.chars().take(2).collect();
        (general.node, names.name(&code).replace(' ', ""))
    };
    divisions.map(code).collect()
}

/// Brigade, division, corps and number of counters, as all kinds of counters say them.
fn place(muster: &Muster, body: &Body, count: usize, codes: &BTreeMap<NodeId, String>) -> String {
    let army = muster.army();
    let brigade = slug(&army.node(body.node).id);
    let brigade = match body.arm {
        Arm::HorseArtillery => format!("{brigade}-guns"),
        _ => brigade,
    };
    let division = division(muster, body.node).unwrap_or(body.node);
    let division = codes.get(&division).map_or("", String::as_str);
    let corps = corps(muster, body.node).map_or("", |corps| army.node(corps).id.as_str());
    format!("brigade: \"{brigade}\", division: \"{division}\", corps: \"{corps}\", count: {count}")
}

fn counter(
    muster: &Muster,
    body: &Body,
    brigade: &str,
    (nodes, count): (&[NodeId], usize),
    codes: &BTreeMap<NodeId, String>,
) -> Result<String, Problems> {
    let army = muster.army();
    let place = place(muster, body, count, codes);
    let entry = entry(muster, nodes[0]);
    let middling = "house(\"the middle of the scale: nothing is known of them\")";
    let worn = |sp: &str| -> Result<String, Problems> {
        // What it is worth fresh, to be halved: the value stands before the comma.
        let fresh: i64 = sp[1..]
            .split(',')
            .next()
            .and_then(|n| n.parse().ok())
            .unwrap_or(1);
        Ok(format!(
            "worn_sp: ({}, derived(\"sp / 2, rounded down, at least 1\")), worn_cr: (2, derived(\"cr, minus 1, at least 1\"))",
            (fresh / 2).max(1)
        ))
    };
    let values = match body.arm {
        Arm::Cavalry => {
            let mounted = muster.value("men / 100, rounded, at least 1", nodes)?;
            let dismounted = muster.value("men / 133, rounded, at least 1", nodes)?;
            format!(
                "horse({place}, mounted_sp: {mounted}, dismounted_sp: {dismounted}, cr: (3, {middling}), entry: {entry})"
            )
        }
        Arm::Artillery | Arm::HorseArtillery => {
            let sp = muster.value("guns", nodes)?;
            let kind = gun_type(muster, nodes);
            let worn = worn(&sp)?;
            format!(
                "guns({place}, sp: {sp}, guns: ({kind}, derived(\"the guns of the army list\")), cr: (3, {middling}), {worn}, entry: {entry})"
            )
        }
        _ => {
            let sp = muster.value("men / 100, rounded, at least 1", nodes)?;
            let worn = worn(&sp)?;
            format!("foot({place}, sp: {sp}, cr: (3, {middling}), {worn}, entry: {entry})")
        }
    };
    let (id, name) = if count > 1 {
        let own = nodes[0];
        (muster.unit_id(own), army.node(own).name.clone())
    } else {
        (muster.unit_id(body.node), brigade.to_owned())
    };
    Ok(muster.counter(&id, &name, (body.side, body.arm), nodes, &values))
}

/// Rifled, smoothbore or mixed.
fn gun_type(muster: &Muster, nodes: &[NodeId]) -> char {
    let guns = nodes.iter().map(|&node| muster.army().guns(node));
    let (mut rifled, mut all) = (0, 0);
    for guns in guns {
        for (key, _, number) in guns.each() {
            let smooth = key == "napoleon" || key.starts_with("howitzer") || key == "gun_6";
            all += number;
            rifled += if smooth { 0 } else { number };
        }
    }
    match rifled {
        0 => 'S',
        some if some == all => 'R',
        _ => 'M',
    }
}

/// When somebody comes, and the hexes to choose from: that of the road, and those of the edge beside it.
fn entry(muster: &Muster, node: NodeId) -> String {
    let (turn, entry) = muster.coming(node);
    let hexes: Vec<String> = doors(muster, entry)
        .into_iter()
        .map(|hex| format!("\"{}\"", muster.from.board.label(hex)))
        .collect();
    format!(
        "((turn: \"{}\", at: [{}]), derived(\"arrival\"))",
        muster.turns[turn].id,
        hexes.join(", ")
    )
}

fn doors(muster: &Muster, entry: &BoardEntry) -> Vec<HexId> {
    let board = muster.from.board;
    let Some(hex) = entry.hex else { return vec![] };
    let beside = board.neighbours(hex).map(|(_, next)| next);
    let beside = beside.filter(|&next| board.is_edge(next));
    std::iter::once(hex).chain(beside).collect()
}

fn leader(muster: &Muster, general: &General, codes: &BTreeMap<NodeId, String>) -> String {
    let (turn, _) = muster.coming(general.node);
    let level = if general.corps {
        let corps = &muster.army().node(general.node).id;
        format!("level: corps, division: \"\", corps: \"{corps}\"")
    } else {
        let code = codes.get(&general.node).map_or("", String::as_str);
        format!("level: division, division: \"{code}\"")
    };
    let values = format!(
        "({level}, rating: (average, house(\"nothing is known of him\")), replacement: (poor, house(\"one level lower\")), enters: (\"{}\", derived(\"arrival\")))",
        muster.turns[turn].id
    );
    muster.leader(
        &general.id,
        &general.name,
        general.side,
        &[general.node],
        &values,
    )
}

/// `map.ron`: what is worth points, and who holds it at first: he who comes from nearer by.
fn map(muster: &Muster) -> DerivedFile {
    let board = muster.from.board;
    let homes = Side::BOTH.map(|side| muster.roads(side).first().and_then(|road| road.hex));
    let far = |hex: HexId, side: usize| homes[side].map_or(0, |home| board.distance(hex, home));
    let mut lines = String::new();
    for place in muster.prizes() {
        let Some(hex) = place.hex else { continue };
        let points = match place.kind {
            PlaceKind::Town | PlaceKind::Village => 10,
            PlaceKind::Bridge => 6,
            _ => 4,
        };
        let holder = usize::from(far(hex, 1) < far(hex, 0));
        lines += &format!(
            "        (name: {:?}, hexes: [\"{}\"], points: {points}, holder: \"{}\", origin: house(\"town 10, bridge 6, hill 4\")),\n",
            place.name,
            board.label(hex),
            muster.side(Side::BOTH[holder])
        );
    }
    let text = format!("(\n    victory: [\n{lines}    ],\n)\n");
    DerivedFile::new("map.ron", muster.from, &text)
}

/// `affairs.ron`: the Fog of War, with the generals of this battle in turn for the casualties.
fn affairs(muster: &Muster, generals: &[General]) -> DerivedFile {
    let [first, second] = Side::BOTH.map(|side| muster.side(side));
    let mut lines = String::new();
    for (what, from, to, others, last) in FOG {
        for (side, from, to) in [(first, from, to), (second, others, last)] {
            lines += &format!(
                "        (from: {from}, to: {to}, result: {what}(\"{side}\"), origin: house(\"as in 003\")),\n"
            );
        }
    }
    for (i, roll) in CASUALTIES.into_iter().enumerate() {
        // Of each side in turn.
        let side = Side::BOTH[i % 2];
        let own: Vec<&General> = generals.iter().filter(|g| g.side == side).collect();
        let name = match own.get(i / 2 % own.len().max(1)) {
            Some(general) => slug(&general.name),
            None => String::new(),
        };
        lines += &format!(
            "        (from: {roll}, to: {roll}, result: casualty(\"{}\", \"{name}\"), origin: house(\"each in turn\")),\n",
            muster.side(side)
        );
    }
    let text = format!("(\n    fog: [\n{lines}    ],\n)\n");
    DerivedFile::new("affairs.ron", muster.from, &text)
}
