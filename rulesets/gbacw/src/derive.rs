//! Counters and a meeting engagement for any army list: a strength point is 50 men or a gun.

use cupola_army::{Arm, Kind, NodeId};
use cupola_data::Problems;
use cupola_ground::board::AreaKind;
use cupola_ground::kinds::{Edge, PlaceKind};
use cupola_kernel::{DerivedFile, Deriving, Side};
use cupola_kit::derive::{Body, Distinct, Muster, surname};

/// A turn is an hour.
const TURN: i32 = 60;
/// §9.14 Cavalry is cut into battalions of so many strength points at most.
const BATTALION: u32 = 4;

/// A brigade to be: its name on markers, and who leads it.
struct Brigade<'m> {
    body: &'m Body,
    name: String,
}

/// Derives the battle's files.
pub fn derive(from: &Deriving) -> Result<Vec<DerivedFile>, Problems> {
    let muster = Muster::new(from, TURN)?;
    let brigades = brigades(&muster);
    let (mut counters, mut setup) = (vec![], String::new());
    for brigade in &brigades {
        for &troop in &brigade.body.troops {
            for (id, line) in units(&muster, brigade, troop)? {
                counters.push(line);
                let mounted = match brigade.body.arm {
                    Arm::Cavalry => ", mounted: true",
                    _ => "",
                };
                setup += &format!(
                    "        (unit: \"{id}\", arrives: {}{mounted}),\n",
                    arrives(&muster, troop)
                );
            }
        }
    }
    let chiefs = chiefs(&muster, &brigades);
    let mut leaders = vec![];
    let mut places = String::new();
    for (side, node, level) in chiefs {
        let id = leader_id(&muster, node);
        let rating = match level {
            "brigade" | "artillery" => String::new(),
            _ => ", rating: (0, house(\"nothing is known of him\"))".to_owned(),
        };
        let values = format!("(level: {level}{rating})");
        leaders.push(muster.leader(&id, surname(muster.army(), node), side, &[node], &values));
        places += &format!(
            "        (leader: \"{id}\", arrives: {}),\n",
            arrives(&muster, staff(&muster, node))
        );
    }
    let about = "A strength point is 50 men or a gun, as in 001; cohesion is that of veterans, muskets are rifled.";
    let scenario = scenario(&muster, &brigades, &setup, &places);
    Ok(vec![
        muster.turn_track(),
        muster.counters(about, &counters, &leaders),
        muster.meeting(&scenario),
    ])
}

fn brigades<'m>(muster: &'m Muster) -> Vec<Brigade<'m>> {
    let mut names = [Distinct::default(), Distinct::default()];
    let bodies = muster.bodies.iter();
    let named = bodies.map(|body| Brigade {
        name: names[body.side as usize].name(surname(muster.army(), body.node)),
        body,
    });
    named.collect()
}

/// The counters of a regiment or battery; cavalry in battalions.
fn units(
    muster: &Muster,
    brigade: &Brigade,
    troop: NodeId,
) -> Result<Vec<(String, String)>, Problems> {
    let (army, arm) = (muster.army(), brigade.body.arm);
    let node = army.node(troop);
    let (cohesion, weapon) = match arm {
        Arm::Artillery | Arm::HorseArtillery => ((7, 5), gun(muster, troop)),
        Arm::Cavalry => ((6, 4), "C"),
        _ => ((7, 5), "RM"),
    };
    let mounted = match arm {
        Arm::Cavalry => ", mounted: true",
        _ => "",
    };
    let values = |sp: &str| {
        format!(
            "(brigade: {:?}, sp: {sp}, cohesion: ((good: {}, disordered: {}), house(\"class V, the middle\")), weapon: ({weapon}, house(\"the common arm\")){mounted})",
            brigade.name, cohesion.0, cohesion.1
        )
    };
    let rule = match arm {
        Arm::Artillery | Arm::HorseArtillery => "guns",
        _ => "men / 50, rounded, at least 1",
    };
    let whole = (army.men(troop) + 25) / 50;
    let parts = if arm == Arm::Cavalry {
        whole.div_ceil(BATTALION).clamp(1, 16)
    } else {
        1
    };
    let side = brigade.body.side;
    if parts == 1 {
        let sp = muster.value(rule, &[troop])?;
        let line = muster.counter(&node.id, &node.name, (side, arm), &[troop], &values(&sp));
        return Ok(vec![(node.id.clone(), line)]);
    }
    let letters = ('a'..='z').take(parts as usize);
    let battalions = letters.map(|letter| {
        let id = format!("{}-{letter}", node.id);
        // To the nearest: men of the regiment by the number of battalions, by fifty.
        let (men, by) = (army.men(troop), 50 * parts);
        let sp = ((men + by / 2) / by).max(1);
        let values = values(&format!("({sp}, derived(\"{rule}\"))"));
        let line = format!(
            "    (id: \"{id}\", side: \"{}\", name: \"{} {letter}\", kind: {arm}, parts: [(node: \"{}\", share: (1, {parts}))], values: {values}),\n",
            muster.side(side),
            node.name,
            node.id
        );
        (id, line)
    });
    Ok(battalions.collect())
}

/// The row of the range chart for most of a battery's guns.
fn gun(muster: &Muster, battery: NodeId) -> &'static str {
    let guns = muster.army().guns(battery).each();
    let most = guns.into_iter().max_by_key(|(_, _, number)| *number);
    match most.map_or("", |(key, ..)| key) {
        "napoleon" | "gun_6" => "N",
        "howitzer_12" | "howitzer_24" => "H",
        "parrott_20" | "rifle_4_5in" => "HR",
        "whitworth" => "W",
        _ => "R",
    }
}

/// Leaders: of armies, corps, divisions and brigades.
fn chiefs(muster: &Muster, brigades: &[Brigade]) -> Vec<(Side, NodeId, &'static str)> {
    let mut found = vec![];
    for side in Side::BOTH {
        found.push((side, muster.root(side), "army"));
        for node in muster.formations(side, &[Kind::Corps]) {
            found.push((side, node, "corps"));
        }
        for node in muster.formations(side, &[Kind::Division]) {
            found.push((side, node, "division"));
        }
        for brigade in brigades.iter().filter(|brigade| brigade.body.side == side) {
            let level = match brigade.body.arm {
                Arm::Artillery | Arm::HorseArtillery => "artillery",
                _ => "brigade",
            };
            if found.iter().all(|(_, node, _)| *node != brigade.body.node) {
                found.push((side, brigade.body.node, level));
            }
        }
    }
    found
}

fn leader_id(muster: &Muster, node: NodeId) -> String {
    format!("{}-leader", muster.army().node(node).id)
}

/// Whose arrival is that of a leader: that of his staff, if he has one.
fn staff(muster: &Muster, node: NodeId) -> NodeId {
    let army = muster.army();
    let mut children = army.children(node).iter().copied();
    let staff = children.find(|&child| army.node(child).kind == Kind::Staff);
    staff.unwrap_or(node)
}

fn arrives(muster: &Muster, node: NodeId) -> String {
    let (turn, entry) = muster.coming(node);
    let hex = entry.hex.map_or("", |hex| muster.from.board.label(hex));
    format!("(\"{}\", \"{hex}\")", muster.turns[turn].id)
}

/// All that a scenario says besides its title and turns.
fn scenario(muster: &Muster, brigades: &[Brigade], setup: &str, leaders: &str) -> String {
    let board = muster.from.board;
    // Where board.ron cuts out no field, all of the map is played on.
    let mut fields = board.areas().iter();
    let field = fields.find(|area| area.kind == AreaKind::Extent);
    let field = field.map_or(String::new(), |field| {
        format!("    field: \"{}\",\n", field.id)
    });
    let (mut pools, mut draws, mut formations) = (String::new(), String::new(), String::new());
    for side in Side::BOTH {
        let (id, first) = (muster.side(side), &muster.turns[0].id);
        let commands = commands(muster, side);
        let number = commands.len().max(1);
        pools += &format!(
            "        (side: \"{id}\", from: \"{first}\", three: {number}, two: {number}, one: {number}),\n"
        );
        for &node in &commands {
            draws += &format!(
                "        (name: \"{}\", side: \"{id}\", rating: (0, house(\"nothing is known of him\")), commander: \"{}\"),\n",
                muster.army().node(node).id,
                leader_id(muster, node)
            );
        }
        formations += &markers(muster, brigades, side);
    }
    let homes = Side::BOTH.map(|side| {
        let id = muster.side(side);
        format!("\"{id}\": {}", home(muster, side))
    });
    let mut prizes = String::new();
    for place in muster.prizes() {
        let points = match place.kind {
            PlaceKind::Town | PlaceKind::Village => 10,
            PlaceKind::Bridge => 6,
            _ => 4,
        };
        let hex = place.hex.map_or("", |hex| board.label(hex));
        let worth = Side::BOTH.map(|side| format!("\"{}\": {points}", muster.side(side)));
        prizes += &format!(
            "            // {}\n            (hexes: [\"{hex}\"], worth: {{{}}}),\n",
            place.name,
            worth.join(", ")
        );
    }
    let scores = Side::BOTH.map(|side| {
        let id = muster.side(side);
        format!("brigade(of: \"{id}\", points: 5)")
    });
    format!(
        "{field}    home: ({{{}}}, derived(\"the way each came\")),\n    pools: [\n{pools}    ],\n    draws: [\n{draws}    ],\n    formations: [\n{formations}    ],\n    setup: [\n{setup}    ],\n    leaders: [\n{leaders}    ],\n    victory: (\n        prizes: [\n{prizes}        ],\n        scores: [{}],\n        verdict: most,\n    ),\n",
        homes.join(", "),
        scores.join(", ")
    )
}

/// Who draws efficiency: corps, or the army where it has none.
fn commands(muster: &Muster, side: Side) -> Vec<NodeId> {
    let mut found = muster.formations(side, &[Kind::Corps]);
    let alone =
        |body: &&Body| body.side == side && muster.army().above(body.node, Kind::Corps).is_none();
    if muster.bodies.iter().any(|body| alone(&body)) {
        found.push(muster.root(side));
    }
    found
}

/// The activation markers of a side: one for each division, and for what belongs to none.
fn markers(muster: &Muster, brigades: &[Brigade], side: Side) -> String {
    let army = muster.army();
    let mut groups: Vec<(NodeId, Vec<&Brigade>)> = vec![];
    for brigade in brigades.iter().filter(|brigade| brigade.body.side == side) {
        let node = army
            .above(brigade.body.node, Kind::Division)
            .unwrap_or(brigade.body.node);
        match groups.iter_mut().find(|(known, _)| *known == node) {
            Some((_, group)) => group.push(brigade),
            None => groups.push((node, vec![brigade])),
        }
    }
    let mut names = Distinct::default();
    let mut lines = String::new();
    for (node, group) in groups {
        let name = names.name(surname(army, node));
        let all: Vec<String> = group
            .iter()
            .map(|brigade| format!("{:?}", brigade.name))
            .collect();
        let leader = match army.node(node).kind {
            Kind::Division => format!(", leader: \"{}\", traces: true", leader_id(muster, node)),
            _ => String::new(),
        };
        let draws = army.above(node, Kind::Corps).unwrap_or(muster.root(side));
        lines += &format!(
            "        (am: {name:?}, side: \"{}\", brigades: [{}]{leader}, draws: \"{}\"),\n",
            muster.side(side),
            all.join(", "),
            army.node(draws).id
        );
    }
    lines
}

/// The edge by which a side came, and to which it falls back.
fn home(muster: &Muster, side: Side) -> &'static str {
    let edge = muster.roads(side).first().map(|road| road.edge);
    match edge {
        Some(Edge::East | Edge::NorthEast) => "east",
        Some(Edge::South | Edge::SouthEast) => "south",
        Some(Edge::West | Edge::SouthWest) => "west",
        _ => "north",
    }
}
