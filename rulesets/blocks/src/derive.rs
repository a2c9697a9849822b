//! Blocks and a meeting engagement for any army list: a step is 600 men or 8 guns.

use cupola_army::{Arm, Kind, NodeId};
use cupola_data::Problems;
use cupola_ground::board::BoardEntry;
use cupola_ground::kinds::{Edge, PlaceKind};
use cupola_kernel::{DerivedFile, Deriving, Side};
use cupola_kit::derive::{Body, Distinct, Muster, slug, surname};

/// §1.0 A turn is an hour.
const TURN: i32 = 60;
const AS_PRINTED: &str = "house(\"as the printed sample\")";

/// A headquarters to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Hq {
    side: Side,
    node: NodeId,
    level: &'static str,
}

/// Derives the battle's files.
pub fn derive(from: &Deriving) -> Result<Vec<DerivedFile>, Problems> {
    let muster = Muster::new(from, TURN)?;
    let chain = chain(&muster);
    let mut starts = String::new();
    let (mut counters, mut leaders) = (vec![], vec![]);
    let mut names = [Distinct::default(), Distinct::default()];
    for body in &muster.bodies {
        let name = names[body.side as usize].name(surname(muster.army(), body.node));
        let id = format!(
            "{}-{}{}",
            muster.side(body.side),
            prefix(body.arm),
            slug(&name)
        );
        counters.push(block(&muster, body, &id, &name, &chain)?);
        starts += &start(&muster, &id, body.troops[0]);
    }
    let mut rank = [0, 0];
    for hq in &chain {
        leaders.push(headquarters(&muster, *hq, &chain, &mut rank));
        starts += &start(&muster, &hq_id(&muster, *hq), comes_with(&muster, *hq));
    }
    let about =
        "A step is 600 men or 8 guns, as in 000; morale and firepower are those of its samples.";
    let campaign = format!("(\n    starts: [\n{starts}    ],\n)\n");
    let scenario = "    setup: campaign,\n    scale: \"meeting\",\n";
    Ok(vec![
        muster.turn_track(),
        muster.counters(about, &counters, &leaders),
        map(&muster),
        DerivedFile::new("campaign.ron", from, &campaign),
        muster.meeting(scenario),
    ])
}

fn prefix(arm: Arm) -> &'static str {
    match arm {
        Arm::Artillery => "art-",
        Arm::HorseArtillery => "ha-",
        Arm::Cavalry => "cav-",
        _ => "",
    }
}

/// The headquarters: of armies, corps and divisions, and of those who have none of these above them.
fn chain(muster: &Muster) -> Vec<Hq> {
    let mut chain = vec![];
    for side in Side::BOTH {
        let hq = |node, level| Hq { side, node, level };
        chain.push(hq(muster.root(side), "army"));
        for node in muster.formations(side, &[Kind::Corps]) {
            let level = if rides(muster, node) {
                "cavalry"
            } else {
                "corps"
            };
            chain.push(hq(node, level));
        }
        for node in muster.formations(side, &[Kind::Division]) {
            chain.push(hq(node, "division"));
        }
        for body in muster.bodies.iter().filter(|body| body.side == side) {
            let known = |hq: &Hq| muster.army().is_within(body.node, hq.node) && hq.level != "army";
            if chain
                .iter()
                .any(|hq| known(hq) && commands(hq.level, body.arm))
            {
                continue;
            }
            let level = match body.arm {
                Arm::Cavalry | Arm::HorseArtillery => "cavalry",
                Arm::Artillery => "artillery",
                _ => "division",
            };
            let own = hq(body.node, level);
            if !chain.contains(&own) {
                chain.push(own);
            }
        }
    }
    chain
}

/// Whether a headquarters of this level makes such troops fight, itself or as assets of its divisions.
fn commands(level: &str, arm: Arm) -> bool {
    match level {
        "division" => true,
        "corps" => arm == Arm::Artillery,
        "cavalry" => matches!(arm, Arm::Cavalry | Arm::HorseArtillery),
        _ => false,
    }
}

/// Whether all that a formation has is cavalry and its guns.
fn rides(muster: &Muster, node: NodeId) -> bool {
    let army = muster.army();
    let own = |body: &&Body| army.is_within(body.node, node);
    let mut bodies = muster.bodies.iter().filter(own);
    bodies.all(|body| matches!(body.arm, Arm::Cavalry | Arm::HorseArtillery))
}

/// The nearest headquarters above a node, itself included, that fits.
fn above(muster: &Muster, chain: &[Hq], node: NodeId, fits: impl Fn(&Hq) -> bool) -> Option<Hq> {
    let mut up = muster.army().ancestors(node);
    up.find_map(|at| chain.iter().copied().find(|hq| hq.node == at && fits(hq)))
}

fn hq_id(muster: &Muster, hq: Hq) -> String {
    let node = &muster.army().node(hq.node).id;
    let side = muster.side(hq.side);
    let rest = node.strip_prefix(side).unwrap_or(node);
    let name = slug(surname(muster.army(), hq.node));
    // One man may have an army and a corps.
    let rest = rest.trim_start_matches('-');
    match rest.is_empty() {
        true => format!("{side}-hq-{name}"),
        false => format!("{side}-hq-{name}-{rest}"),
    }
}

fn block(
    muster: &Muster,
    body: &Body,
    id: &str,
    name: &str,
    chain: &[Hq],
) -> Result<String, Problems> {
    let guns = matches!(body.arm, Arm::Artillery | Arm::HorseArtillery);
    let rule = if guns {
        "guns / 8, rounded up, at most 3"
    } else {
        "men / 600, rounded up, at most 4"
    };
    let nodes = muster.nodes(body);
    let max = muster.value(rule, &nodes)?;
    let rating = match body.arm {
        Arm::Artillery | Arm::HorseArtillery => "(letter: B, fire: 3)",
        Arm::Cavalry => "(letter: A, fire: 2)",
        _ => "(letter: B, fire: 2)",
    };
    let own = |hq: &Hq| commands(hq.level, body.arm) || hq.node == body.node;
    let hq = above(muster, chain, body.node, own);
    let asset = hq.is_some_and(|hq| hq.level == "corps");
    let hq = hq.map_or(String::new(), |hq| hq_id(muster, hq));
    let asset = if asset { ", asset: true" } else { "" };
    let long = if guns {
        ", long: (1, house(\"as 000, unit data\"))"
    } else {
        ""
    };
    let values =
        format!("(hq: \"{hq}\"{asset}, max: {max}, rating: ({rating}, {AS_PRINTED}){long})");
    Ok(muster.counter(id, name, (body.side, body.arm), &nodes, &values))
}

fn headquarters(muster: &Muster, hq: Hq, chain: &[Hq], rank: &mut [u8; 2]) -> String {
    let id = hq_id(muster, hq);
    let parent = muster.army().parent(hq.node);
    let of = parent.and_then(|node| above(muster, chain, node, |_| true));
    let of = of.map_or(String::new(), |of| {
        format!(", of: \"{}\"", hq_id(muster, of))
    });
    let (max, range) = match hq.level {
        "army" => (4, 4),
        "corps" | "artillery" => (3, 3),
        _ => (3, 2),
    };
    let senior = matches!(hq.level, "corps" | "cavalry").then(|| {
        let rank = &mut rank[hq.side as usize];
        *rank += 1;
        format!(", seniority: ({rank}, house(\"the order of the army list\"))")
    });
    let values = format!(
        "(level: {}{of}, max: ({max}, house(\"as in the series\")), rating: ((letter: A, fire: 2), {AS_PRINTED}), range: ({range}, house(\"as in the series\")){})",
        hq.level,
        senior.unwrap_or_default()
    );
    let name = surname(muster.army(), hq.node);
    muster.leader(&id, name, hq.side, &[hq.node], &values)
}

/// Whose arrival is that of a headquarters: its own, or of the army that of its staff.
fn comes_with(muster: &Muster, hq: Hq) -> NodeId {
    let army = muster.army();
    let mut staff = army.children(hq.node).iter().copied();
    let staff = staff.find(|&node| army.node(node).kind == Kind::Staff);
    match staff {
        Some(staff) if army.arrival(staff).is_some() => staff,
        _ => hq.node,
    }
}

fn start(muster: &Muster, id: &str, node: NodeId) -> String {
    let (turn, entry) = muster.coming(node);
    let (turn, code) = (&muster.turns[turn].id, code(entry));
    format!(
        "        (id: \"{id}\", start: arrives(\"{code}\", \"{turn}\"), origin: derived(\"arrival\")),\n"
    )
}

fn code(entry: &BoardEntry) -> &str {
    entry.code.as_deref().unwrap_or_default()
}

/// `map.ron`: what is worth points, the roads in order around the map, where supply comes from.
fn map(muster: &Muster) -> DerivedFile {
    let board = muster.from.board;
    let label = |hex: Option<cupola_ground::HexId>| hex.map_or("", |hex| board.label(hex));
    let (mut victory, mut total) = (String::new(), 0);
    for place in muster.prizes() {
        let points = match place.kind {
            PlaceKind::Town | PlaceKind::Village => 3,
            PlaceKind::Bridge => 2,
            _ => 1,
        };
        total += points;
        victory += &format!(
            "        (name: {:?}, hex: \"{}\", points: ({points}, house(\"town 3, bridge 2, hill 1\")), origin: derived(\"the place on the ground\")),\n",
            place.name,
            label(place.hex)
        );
    }
    let codes: Vec<String> = around(muster)
        .iter()
        .map(|entry| format!("\"{}\"", code(entry)))
        .collect();
    let each = |value: &dyn Fn(Side) -> String| {
        let both = Side::BOTH.map(|side| format!("\"{}\": {}", muster.side(side), value(side)));
        format!("{{{}}}", both.join(", "))
    };
    let sources = each(&|side| {
        let hex = muster.roads(side).first().and_then(|entry| entry.hex);
        format!("(\"{}\", derived(\"they came this way\"))", label(hex))
    });
    let supply = each(&|_| "12".to_owned());
    let text = format!(
        "(\n    victory: [\n{victory}    ],\n    stacking: [],\n    entries: ([{}], derived(\"the roads of the ground\")),\n    sources: {sources},\n    night_supply: ({supply}, house(\"as in the series\")),\n    scales: {{\"meeting\": (wins: ({}, house(\"more than half of the ground\")), loses_below: ({}, house(\"less than half of it\")))}},\n)\n",
        codes.join(", "),
        total / 2 + 1,
        (total + 1) / 2
    );
    DerivedFile::new("map.ron", muster.from, &text)
}

/// The entries in order around the map, clockwise from the north-west (§6.7).
fn around<'a>(muster: &'a Muster) -> Vec<&'a BoardEntry> {
    let board = muster.from.board;
    let entries = board.entries().iter();
    let mut found: Vec<&BoardEntry> = entries
        .filter(|entry| entry.code.is_some() && entry.hex.is_some())
        .collect();
    found.sort_by_key(|entry| {
        let at = entry.hex.map(|hex| board.centre(hex));
        let (x, y) = at.map_or((0, 0), |at| (at.x, at.y));
        match entry.edge {
            Edge::North => (0, x),
            Edge::NorthEast => (1, x),
            Edge::East => (2, -y),
            Edge::SouthEast => (3, -y),
            Edge::South => (4, -x),
            Edge::SouthWest => (5, -x),
            Edge::West => (6, y),
            Edge::NorthWest => (7, y),
        }
    });
    found
}
