//! Counters and a meeting engagement for any army list, by the measure of the series.

use cupola_army::{Arm, Kind, NodeId};
use cupola_data::Problems;
use cupola_ground::board::BoardEntry;
use cupola_ground::{Cover, RoadKind};
use cupola_kernel::{DerivedFile, Deriving, Side};
use cupola_kit::derive::{Body, Distinct, Muster, slug, surname};

/// §2 Rounds of two and a half hours.
const ROUND: i32 = 150;
/// More brigades of infantry than this, and the counters are divisions.
const MANY: usize = 24;
/// What the counters of 002 have on the average.
const AVERAGE: u32 = 3;

/// A counter to be: who is in it.
struct Unit {
    side: Side,
    arm: Arm,
    /// Who commands it.
    node: NodeId,
    nodes: Vec<NodeId>,
}

/// What counters are called, and by what orders name them: without their side, so that the second Smith is `smith-2`,
/// whoever he fights for.
#[derive(Default)]
struct Names {
    shown: [Distinct; 2],
    ids: Distinct,
}

/// Derives the battle's files.
pub fn derive(from: &Deriving) -> Result<Vec<DerivedFile>, Problems> {
    let muster = Muster::new(from, ROUND)?;
    let units = units(&muster);
    let mut names = Names::default();
    let measure = measure(&muster, &units);
    let mut counters = vec![];
    for unit in &units {
        counters.push(counter(&muster, unit, measure, &mut names)?);
    }
    counters.extend(Side::BOTH.map(|side| cadre(&muster, side)));
    let leaders: Vec<String> = Side::BOTH.map(|side| leader(&muster, side)).into();
    let about = format!(
        "Strength is men / {measure}, which makes {AVERAGE} of the average infantry counter, as in 002."
    );
    Ok(vec![
        muster.turn_track(),
        muster.counters(&about, &counters, &leaders),
        map(&muster),
        muster.meeting(""),
    ])
}

/// Brigades, or divisions where there are many; the guns of a corps together.
fn units(muster: &Muster) -> Vec<Unit> {
    let army = muster.army();
    let foot = |body: &&Body| body.arm == Arm::Infantry;
    let by_division = muster.bodies.iter().filter(foot).count() > MANY;
    let mut units: Vec<Unit> = vec![];
    for body in &muster.bodies {
        let guns = matches!(body.arm, Arm::Artillery | Arm::HorseArtillery);
        let above = |kind: Kind| army.above(body.node, kind);
        let node = if guns {
            above(Kind::Corps).unwrap_or(muster.root(body.side))
        } else if by_division {
            above(Kind::Division).unwrap_or(body.node)
        } else {
            body.node
        };
        let arm = if guns { Arm::Artillery } else { body.arm };
        let nodes = muster.nodes(body);
        let known = units
            .iter_mut()
            .find(|unit| (unit.node, unit.arm) == (node, arm));
        match known {
            Some(unit) => unit.nodes.extend(nodes),
            None => units.push(Unit {
                side: body.side,
                arm,
                node,
                nodes,
            }),
        }
    }
    units
}

/// Men to a point of strength, in hundreds: so many that the average infantry counter has as much as in 002.
fn measure(muster: &Muster, units: &[Unit]) -> u32 {
    let foot = || units.iter().filter(|unit| unit.arm == Arm::Infantry);
    let nodes = foot().flat_map(|unit| &unit.nodes);
    let men: u32 = nodes.map(|&node| muster.army().men(node)).sum();
    let counters = u32::try_from(foot().count()).unwrap_or(1).max(1);
    let exact = men / (counters * AVERAGE);
    ((exact + 50) / 100 * 100).max(100)
}

fn counter(
    muster: &Muster,
    unit: &Unit,
    measure: u32,
    names: &mut Names,
) -> Result<String, Problems> {
    let (strength, quality, ma, name) = match unit.arm {
        Arm::Cavalry => {
            let strength = "(1, house(\"cavalry screens, it does not hold\"))".to_owned();
            (strength, 3, 6, surname(muster.army(), unit.node))
        }
        Arm::Artillery => {
            let strength = "(1, house(\"guns alone\"))".to_owned();
            (strength, 4, 4, "Guns")
        }
        _ => {
            let rule = format!("men / {measure}, rounded, at least 1");
            let strength = muster.value(&rule, &unit.nodes)?;
            (strength, 4, 4, surname(muster.army(), unit.node))
        }
    };
    let side = muster.side(unit.side);
    let name = names.shown[unit.side as usize].name(name);
    let id = match unit.arm {
        Arm::Artillery => format!("guns {}", surname(muster.army(), unit.node)),
        _ => name.clone(),
    };
    let id = format!("{side}-{}", slug(&names.ids.name(&id)));
    let first = unit.nodes[0];
    let entry = entry(muster, first);
    let values = format!(
        "unit(strength: {strength}, quality: ({quality}, house(\"nothing is known of them\")), ma: ({ma}, house(\"as in the series\")), entry: {entry})"
    );
    Ok(muster.counter(&id, &name, (unit.side, unit.arm), &unit.nodes, &values))
}

/// When and where a node comes.
fn entry(muster: &Muster, node: NodeId) -> String {
    let (turn, entry) = muster.coming(node);
    let (turn, at) = (&muster.turns[turn].id, code(entry));
    format!("((turn: \"{turn}\", at: \"{at}\", fatigue: fresh), derived(\"arrival\"))")
}

fn code(entry: &BoardEntry) -> &str {
    entry.code.as_deref().unwrap_or_default()
}

/// §8.2 What a broken unit may become.
fn cadre(muster: &Muster, side: Side) -> String {
    let side = muster.side(side);
    format!(
        "    (id: \"{side}-cadre\", side: \"{side}\", name: \"Cadre\", kind: cadre, values: unit(strength: (1, house(\"the least that can fight\")), quality: (2, house(\"two below a good unit\")), ma: (4, house(\"as in the series\")))),\n"
    )
}

/// §9.1 The commander of an army leads all of it.
fn leader(muster: &Muster, side: Side) -> String {
    let root = muster.root(side);
    let name = surname(muster.army(), root);
    let staff = muster.army().children(root).iter().copied();
    let staff = staff
        .into_iter()
        .find(|&node| muster.army().node(node).kind == Kind::Staff);
    let values = format!(
        "(range: (3, house(\"commands the whole army from behind it\")), ma: (5, house(\"as in the series\")), entry: {})",
        entry(muster, staff.unwrap_or(root))
    );
    let id = format!("{}-{}", muster.side(side), slug(name));
    muster.leader(&id, name, side, &[root], &values)
}

/// `map.ron`: towns, the prize, lines of communications, Army Morale.
fn map(muster: &Muster) -> DerivedFile {
    let board = muster.from.board;
    let built = board.hexes().filter(|&hex| board.cover(hex) == Cover::Town);
    let prizes = muster.prizes();
    let mut towns: Vec<&str> = built.map(|hex| board.label(hex)).collect();
    if towns.is_empty() {
        let prize = prizes.first().and_then(|place| place.hex);
        towns.extend(prize.map(|hex| board.label(hex)));
    }
    let towns: String = towns
        .iter()
        .map(|hex| format!("        (\"{hex}\", derived(\"town on the ground\")),\n"))
        .collect();
    let mut lines = String::new();
    for side in Side::BOTH {
        for entry in muster.roads(side) {
            let exit = board.exits().iter().find(|exit| {
                Some(exit.hex) == entry.hex && exit.name.as_ref() == Some(&entry.name)
            });
            let pike = match exit {
                Some(exit) if exit.road == RoadKind::Pike => format!(", pike: {:?}", entry.name),
                _ => String::new(),
            };
            lines += &format!(
                "        (side: \"{}\", entry: \"{}\", origin: derived(\"they came this way\"){pike}),\n",
                muster.side(side),
                code(entry)
            );
        }
    }
    let [first, second] = Side::BOTH.map(|side| muster.side(side));
    let text = format!(
        "(\n    towns: [\n{towns}    ],\n    prize: [\n{towns}    ],\n    communications: [\n{lines}    ],\n    morale: ({{\"{first}\": 6, \"{second}\": 6}}, house(\"as in the series\")),\n)\n"
    );
    DerivedFile::new("map.ron", muster.from, &text)
}
