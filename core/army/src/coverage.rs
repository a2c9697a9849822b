//! Whether a ruleset's counters stand for every regiment and battery exactly once.

use std::collections::BTreeMap;

use cupola_data::{Problems, Source};

use crate::counters::{Arm, Counters};
use crate::tree::{Army, NodeId};

/// Shares are added up in this many parts; every share with a denominator up to 16 is a whole
/// number of them.
const WHOLE: u32 = 720_720;

/// One mention of a regiment or battery: how much of it, and where.
struct Claim {
    parts: u32,
    by: String,
    field: String,
}

/// Reports gaps, double counting, and what is left out and yet there.
pub(crate) fn check<V, L>(
    list: &Counters<V, L>,
    source: &Source,
    army: &Army,
    problems: &mut Problems,
) {
    let forces: Vec<NodeId> = list.forces.iter().filter_map(|id| army.get(id)).collect();
    let mut claims: BTreeMap<NodeId, Vec<Claim>> = BTreeMap::new();
    for claim in claimed(list, source, problems) {
        let Some(node) = army.get(claim.node) else {
            continue;
        };
        if !forces.iter().any(|force| army.is_within(node, *force)) {
            let message = format!("\"{}\" does not belong to the forces", claim.node);
            problems.push(source.problem(&claim.field, message));
            continue;
        }
        let side = &army.node(army.side(node)).id;
        if side != claim.side {
            let message = format!("\"{}\" is of side \"{side}\"", claim.node);
            problems.push(source.problem(&claim.field, message));
        }
        for troop in army.troops(node) {
            claims.entry(troop).or_default().push(Claim {
                parts: claim.parts,
                by: claim.by.to_owned(),
                field: claim.field.clone(),
            });
        }
    }
    let left_out = left_out(list, source, army, &claims, problems);
    for (troop, claims) in &claims {
        twice(*troop, claims, source, army, problems);
    }
    for (index, force) in forces.iter().enumerate() {
        let troops = army.troops(*force).into_iter();
        let expected = troops.filter(|troop| army.absence(*troop).is_none());
        let missing = expected
            .filter(|troop| !claims.contains_key(troop) && !left_out.contains(troop))
            .map(|troop| army.node(troop));
        for node in missing {
            let message = format!(
                "no counter stands for \"{}\" ({}); name it in a counter or under left_out",
                node.id, node.name
            );
            problems.push(source.problem(&format!("forces[{index}]"), message));
        }
    }
}

/// A node as a counter names it.
struct Named<'a> {
    node: &'a str,
    side: &'a str,
    by: &'a str,
    parts: u32,
    field: String,
}

fn claimed<'a, V, L>(
    list: &'a Counters<V, L>,
    source: &Source,
    problems: &mut Problems,
) -> Vec<Named<'a>> {
    let mut claims = Vec::new();
    for (index, counter) in list.counters.iter().enumerate() {
        let mut claim = |node: &'a str, parts: u32, field: String| {
            claims.push(Named {
                node,
                side: &counter.side,
                by: &counter.id,
                parts,
                field,
            });
        };
        for (at, node) in counter.nodes.iter().enumerate() {
            claim(node, WHOLE, format!("counters[{index}].nodes[{at}]"));
        }
        for (at, part) in counter.parts.iter().enumerate() {
            let path = format!("counters[{index}].parts[{at}]");
            let (over, under) = (u32::from(part.share.0), u32::from(part.share.1));
            if over == 0 || over >= under || under > 16 {
                let message = format!(
                    "({over}, {under}) is no share: expected a fraction below one, of sixteenths at the finest"
                );
                problems.push(source.problem(&format!("{path}.share"), message));
                continue;
            }
            claim(&part.node, over * (WHOLE / under), format!("{path}.node"));
        }
        let nobody = counter.nodes.is_empty() && counter.parts.is_empty();
        if nobody != (counter.kind == Arm::Cadre) {
            let message = match nobody {
                true => format!("counter \"{}\" stands for nobody", counter.id),
                false => format!("cadre \"{}\" cannot stand for anybody yet", counter.id),
            };
            problems.push(source.problem(&format!("counters[{index}].id"), message));
        }
    }
    claims
}

/// The troops that are left out with a reason.
fn left_out<V, L>(
    list: &Counters<V, L>,
    source: &Source,
    army: &Army,
    claims: &BTreeMap<NodeId, Vec<Claim>>,
    problems: &mut Problems,
) -> Vec<NodeId> {
    let mut all = Vec::new();
    for (index, left) in list.left_out.iter().enumerate() {
        if left.why.trim().is_empty() {
            let field = format!("left_out[{index}].why");
            problems.push(source.problem(&field, "a node is left out for a reason"));
        }
        let Some(node) = army.get(&left.node) else {
            continue;
        };
        for troop in army.troops(node) {
            if let Some(claim) = claims.get(&troop).and_then(|claims| claims.first()) {
                let message = format!(
                    "\"{}\" is left out, but counter \"{}\" stands for it",
                    army.node(troop).id,
                    claim.by
                );
                problems.push(source.problem(&format!("left_out[{index}].node"), message));
            }
            all.push(troop);
        }
    }
    all
}

/// Reports troops that are counted more than once, or not quite.
fn twice(troop: NodeId, claims: &[Claim], source: &Source, army: &Army, problems: &mut Problems) {
    let id = &army.node(troop).id;
    let mut sum = 0_u32;
    for claim in claims {
        sum = sum.saturating_add(claim.parts);
        if sum > WHOLE {
            let others: Vec<String> = claims
                .iter()
                .filter(|other| other.field != claim.field)
                .map(|other| format!("\"{}\" (line {})", other.by, source.locate(&other.field).0))
                .collect();
            let message = format!(
                "\"{id}\" is counted twice: also by counter {}",
                others.join(", ")
            );
            problems.push(source.problem(&claim.field, message));
            return;
        }
    }
    if let Some(last) = claims.last()
        && sum < WHOLE
    {
        let (over, under) = lowest(sum, WHOLE);
        let message = format!("counters stand for only {over}/{under} of \"{id}\"");
        problems.push(source.problem(&last.field, message));
    }
}

const fn lowest(over: u32, under: u32) -> (u32, u32) {
    let (mut a, mut b) = (over, under);
    while b > 0 {
        (a, b) = (b, a % b);
    }
    (over / a, under / a)
}
