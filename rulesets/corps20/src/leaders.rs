//! §9.1 Leaders: markers that give attack command and must not be caught alone.

use crate::field::{enemy_in, label, name, rules, safe};
use crate::rules::Kind;
use crate::state::Status;
use cupola_kernel::{CommandRange, Event, HexId, Place, Refusal, Side, Table, UnitId, rule};

/// The name of the question to the owner of a leader who may not stay.
pub const QUESTION: &str = "step-aside";
/// That question in words.
pub const PROMPT: &str = "A leader alone next to the enemy must leave: where to?";

/// Why a leader may not step there.
#[must_use]
pub fn why_not_step() -> Refusal {
    let why =
        "only a leader alone next to the enemy steps aside, one hex, out of the enemy's reach";
    Refusal::new(rule!("9.1"), why)
}

/// Why nothing else is done while a leader may not stay where he is.
#[must_use]
pub fn comes_first() -> Refusal {
    let why = "a leader alone next to the enemy steps aside first";
    Refusal::new(rule!("9.1"), why)
}

/// A leader who is alone next to the enemy, or whom an enemy unit has reached.
#[must_use]
pub fn in_danger(t: &Table) -> Option<UnitId> {
    let (rules, stacks) = (rules(t), t.stacks());
    let mut leaders = (rules.units..rules.cards.len() as u16).map(UnitId);
    leaders.find(|&leader| {
        let side = rules.card(leader).side;
        let hex = stacks.hex(leader);
        hex.is_some_and(|hex| !safe(rules, stacks, side, hex))
    })
}

/// The same after a unit or leader went from one place to a hex, when nobody was in danger before: only leaders in either
/// place or next to the hex can be.
#[must_use]
pub fn in_danger_by(t: &Table, from: Option<HexId>, to: HexId) -> Option<UnitId> {
    let (rules, stacks) = (rules(t), t.stacks());
    let mut first = None::<UnitId>;
    let mut look = |hex: HexId| {
        for unit in stacks.units(hex) {
            if rules.is_leader(unit) && !safe(rules, stacks, rules.card(unit).side, hex) {
                first = Some(first.map_or(unit, |first| first.min(unit)));
            }
        }
    };
    from.into_iter().chain([to]).for_each(&mut look);
    // Beyond the map stands nobody.
    let around = rules.around.all(to).iter();
    around.for_each(|&next| look(HexId(next)));
    debug_assert_eq!(first, in_danger(t));
    first
}

/// The question that a leader in danger puts to his owner, whatever else is open.
#[must_use]
pub fn question(t: &Table) -> Option<(Side, &'static str, &'static str)> {
    let leader = in_danger(t)?;
    Some((rules(t).card(leader).side, QUESTION, "9.1"))
}

/// Calls `found` with the answers to that question.
pub fn options(t: &Table, mut found: impl FnMut(UnitId, HexId)) {
    if let Some(leader) = in_danger(t) {
        steps(t, leader, |hex| found(leader, hex));
    }
}

/// Where such a leader can go: one hex, to safety; if no hex next to him is safe, to the nearest that is.
pub fn steps(t: &Table, leader: UnitId, mut found: impl FnMut(HexId)) {
    let side = rules(t).card(leader).side;
    let Some(from) = t.hex(leader) else { return };
    let safe = |hex: &HexId| safe(rules(t), t.stacks(), side, *hex);
    let mut to: Vec<HexId> = rules(t).around(from).filter(safe).collect();
    if to.is_empty() {
        // Nothing alleviates the situation: ride for the nearest safe hex (ruling).
        let all = (0..rules(t).edges.len() as u16).map(HexId).filter(safe);
        let near = all.map(|hex| (t.board().distance(from, hex), hex)).min();
        to.extend(near.map(|(_, hex)| hex));
    }
    to.sort_unstable();
    to.into_iter().for_each(&mut found);
}

/// Moves a leader out of danger.
pub fn step(t: &mut Table, leader: UnitId, hex: HexId) {
    let from = t.hex(leader);
    t.place(leader, Place::Hex(hex));
    if rules(t).switches.displaced_leaders_face_down {
        t.get_mut::<Status>(leader).face_down = true;
    }
    t.say(|t| {
        let text = format!("{} steps aside to {}", name(t, leader), label(t, hex));
        Event::new("leader", rule!("9.1"), text)
            .unit(leader)
            .hexes(from)
            .hex(hex)
    });
}

/// Whether a leader of this side on the map lies face down.
#[must_use]
pub fn any_face_down(t: &Table, side: Side) -> bool {
    rules(t)
        .leaders_of(side)
        .any(|leader| t.get::<Status>(leader).face_down && t.hex(leader).is_some())
}

/// Whether a leader gives an attacker attack command (§7.6): face up, of his corps, along a path free
/// of enemy units no longer than his range, and longer if the chief helps (§9.2).
#[must_use]
pub fn commands(t: &Table, leader: UnitId, unit: UnitId, with_chief: bool) -> bool {
    let (boss, own) = (rules(t).card(leader), rules(t).card(unit));
    let of_his = boss.side == own.side && (boss.corps.is_none() || boss.corps == own.corps);
    let (Some(from), Some(to)) = (t.hex(leader), t.hex(unit)) else {
        return false;
    };
    let range = boss.quality + if with_chief { rules(t).chief } else { 0 };
    of_his && !t.get::<Status>(leader).face_down && path_within(t, boss.side, from, to, range)
}

/// Where a leader gives attack command by himself, and to whom (§7.6).
#[must_use]
pub fn command_range(t: &Table, leader: UnitId) -> Option<CommandRange> {
    let (rules, boss) = (rules(t), rules(t).card(leader));
    if boss.kind != Kind::Leader {
        return None;
    }
    let down = t.get::<Status>(leader).face_down;
    let hexes = t.hex(leader).filter(|_| !down);
    let mut hexes = hexes.map_or(vec![], |from| {
        around(t, boss.side, from, boss.quality, None)
    });
    hexes.sort_unstable();
    let obeys =
        |unit: &UnitId| rules.card(*unit).kind != Kind::Leader && commands(t, leader, *unit, false);
    let about = match (down, rules.chief) {
        (true, _) => "he lies face down and commands nobody".to_owned(),
        (false, more) => format!(
            "{} hexes around enemy units; {more} more if the chief helps (§9.2)",
            boss.quality
        ),
    };
    Some(CommandRange {
        rule: rule!("7.6"),
        about,
        hexes,
        units: t.units().filter(obeys).collect(),
    })
}

/// Whether a path free of enemy units and no longer than `range` hexes joins two hexes.
fn path_within(t: &Table, side: Side, from: HexId, to: HexId, range: i8) -> bool {
    i64::from(t.board().distance(from, to)) <= i64::from(range)
        && around(t, side, from, range, Some(to)).contains(&to)
}

/// The hexes at the end of paths free of enemy units and no longer than `range` hexes, nearest first; no further than
/// one that is looked for.
fn around(t: &Table, side: Side, from: HexId, range: i8, until: Option<HexId>) -> Vec<HexId> {
    let mut ring = vec![from];
    let mut seen = ring.clone();
    for _ in 0..range.max(0) {
        if until.is_some_and(|to| seen.contains(&to)) {
            return seen;
        }
        let next: Vec<HexId> = ring.iter().flat_map(|&hex| rules(t).around(hex)).collect();
        ring = vec![];
        for hex in next {
            if !seen.contains(&hex) && enemy_in(t, side, hex).is_none() {
                seen.push(hex);
                ring.push(hex);
            }
        }
    }
    seen
}
