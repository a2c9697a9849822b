//! §4.2, §4.4 and §4.6: who commands and supplies whom, and who follows the fallen.

use crate::cavalry;
use crate::field::rules;
use crate::rules::{Edge, Kind, Level, Rules};
use crate::state::{Block, Hexes, Score, army, boxes, flag, forget};
use cupola_kernel::{HexId, Place, Side, Table, UnitId};
use std::cell::RefCell;
use std::sync::Arc;

fn on_map(t: &Table, unit: UnitId) -> bool {
    t.hex(unit).is_some()
}

fn fallen(t: &Table, unit: UnitId) -> bool {
    matches!(
        t.stacks().place(unit),
        Place::Box(boxes::SHATTERED | boxes::FALLEN)
    )
}

/// Those on the map who can follow a corps commander, the senior one first: his division headquarters, and
/// for a cavalry chief a brigade (§4.6).
fn divisions<'a>(t: &'a Table, chief: UnitId) -> impl Iterator<Item = UnitId> + 'a {
    let line = rules(t).successors.iter().find(|(unit, _)| *unit == chief);
    let units = line.map_or(&[][..], |(_, units)| units);
    units.iter().copied().filter(|&unit| on_map(t, unit))
}

/// The corps headquarters on the map that is senior to all others; who was sent has the place of the one whom
/// he replaces until the head of the army comes (§4.6).
fn senior_chief(t: &Table, side: Side) -> Option<UnitId> {
    let all = rules(t).seniority[side].iter().copied();
    all.into_iter().find_map(|unit| {
        if on_map(t, unit) {
            return Some(unit);
        }
        stand_in(t, unit)
    })
}

/// Who was sent, if he stands in for this corps commander.
fn stand_in(t: &Table, chief: UnitId) -> Option<UnitId> {
    let score = t.res::<Score>();
    let head = rules(t).army[Side::Second];
    if score.sent != 1 || score.sent_for != Some(chief) || on_map(t, head) {
        return None;
    }
    deputy(t).filter(|&unit| on_map(t, unit))
}

/// Who leads the army: its headquarters, or the senior corps commander on the field; last of all one who
/// follows a fallen corps commander (§4.6, §4.61). A division whose corps commander has not come leads nobody
/// but itself.
#[must_use]
pub fn army_hq(t: &Table, side: Side) -> Option<UnitId> {
    let head = rules(t).army[side];
    if on_map(t, head) {
        return Some(head);
    }
    senior_chief(t, side).or_else(|| {
        let mut fallen = rules(t).seniority[side]
            .iter()
            .filter(|&&chief| fallen(t, chief));
        fallen.find_map(|&chief| divisions(t, chief).next())
    })
}

/// The block that may be sent for a fallen corps commander (§4.6).
#[must_use]
pub fn deputy(t: &Table) -> Option<UnitId> {
    rules(t).stand_in.map(|(unit, _)| unit)
}

/// Who leads a corps: its headquarters; once that has fallen, or leads the army for good, the senior
/// division headquarters on the field (§4.61).
#[must_use]
pub fn corps_hq(t: &Table, chief: UnitId) -> Option<UnitId> {
    let side = rules(t).card(chief).side;
    let head = rules(t).army[side];
    let risen = fallen(t, head) && senior_chief(t, side) == Some(chief);
    if on_map(t, chief) && !risen {
        return Some(chief);
    }
    if let Some(deputy) = stand_in(t, chief) {
        return Some(deputy);
    }
    if risen || fallen(t, chief) {
        divisions(t, chief).next()
    } else {
        None
    }
}

/// Whether a division headquarters leads its corps (§4.61).
#[must_use]
pub fn promoted(t: &Table, hq: UnitId) -> bool {
    let chief = rules(t).card(hq).corps;
    chief.is_some_and(|chief| chief != hq && corps_hq(t, chief) == Some(hq))
}

/// The headquarters that a block answers to (§4.2): printed, or by the cavalry battle's exchange (§10.0).
#[must_use]
#[inline]
pub fn division(t: &Table, unit: UnitId) -> Option<UnitId> {
    let rules = rules(t);
    if rules.switches.cavalry_battle {
        cavalry::division(t, unit)
    } else {
        rules.card(unit).hq
    }
}

/// Whether an active headquarters can make a block fire and attack (§4.21, §4.24, §4.25, §4.4).
#[must_use]
pub fn commands(t: &Table, hq: UnitId, unit: UnitId) -> bool {
    let rules = rules(t);
    let (head, card) = (rules.card(hq), rules.card(unit));
    if head.side != card.side || card.is_hq() {
        return false;
    }
    match head.kind {
        Kind::Hq(Level::Division) => {
            if division(t, unit) == Some(hq) {
                return true;
            }
            let switches = &rules.switches;
            let (promoted, reserve) = (promoted(t, hq), in_reserve(rules, card.hq));
            // "Any Union division" (§4.24) against "their own division only" (§4.61).
            let reserve = reserve && (!promoted || switches.promoted_fire_reserve);
            let corps = card.corps == head.corps;
            let corps = corps && (!promoted || switches.promoted_command_assets);
            card.asset && (reserve || corps)
        }
        // Hunt and Alexander: every gun but those of the cavalry (§4.24).
        Kind::Hq(Level::Artillery) => card.kind == Kind::Artillery,
        Kind::Hq(Level::Cavalry) => matches!(card.kind, Kind::Cavalry | Kind::HorseArtillery),
        _ => false,
    }
}

/// Whether a block answers to the chief of artillery: the reserve, which every Union division may fire.
fn in_reserve(rules: &Rules, hq: Option<UnitId>) -> bool {
    hq.is_some_and(|hq| rules.card(hq).kind == Kind::Hq(Level::Artillery))
}

/// Command range and supply value: of a headquarters its own; of a brigade in a fallen chief's place what
/// players have agreed on (§4.61: Hampton), else nothing.
#[must_use]
pub fn range(t: &Table, unit: UnitId) -> u8 {
    let rules = rules(t);
    let card = rules.card(unit);
    if !card.is_hq() && rules.switches.brigades_supply && promoted(t, unit) {
        return rules.acting_range;
    }
    card.range
}

/// Whether a headquarters can supply a block (§8.2, §4.24, §4.25, §4.4).
#[must_use]
pub fn supplies(t: &Table, hq: UnitId, unit: UnitId) -> bool {
    let rules = rules(t);
    let (head, card) = (rules.card(hq), rules.card(unit));
    if head.side != card.side || hq == unit {
        return false;
    }
    let leader = army_hq(t, head.side);
    // Only the night rebuilds who leads the army (§4.23).
    if leader == Some(unit) || card.kind == Kind::Hq(Level::Army) {
        return false;
    }
    if leader == Some(hq) {
        return true;
    }
    // Who was sent may lead a corps that is not his own (§4.6).
    let chiefs = [head.corps, t.res::<Score>().sent_for];
    let leads = |chief: &UnitId| card.corps == Some(*chief) && corps_hq(t, *chief) == Some(hq);
    if let Some(chief) = chiefs.into_iter().flatten().find(leads) {
        // Chiefs and those who act for them are supplied by the army alone (§8.2, §4.61).
        return unit != chief && !promoted(t, unit);
    }
    match head.kind {
        Kind::Hq(Level::Division) => division(t, unit) == Some(hq) && !card.asset && !card.is_hq(),
        Kind::Hq(Level::Artillery) => card.kind == Kind::Artillery,
        Kind::Hq(Level::Cavalry) => matches!(card.kind, Kind::Cavalry | Kind::HorseArtillery),
        _ => false,
    }
}

/// A range as it was traced last: many questions ask for the same one again.
#[derive(Default)]
struct Traced {
    /// Whose it was, from where, and how long.
    asked: Option<(Side, HexId, u8)>,
    /// The map on which it was traced, and who controlled it.
    edges: Arc<[[Edge; 6]]>,
    control: Vec<u8>,
    /// How far each hex is.
    far: Vec<u8>,
    /// The hexes that were come to, each with the directions in which it goes on from there.
    queue: Vec<(u16, u8)>,
}

thread_local! {
    /// Memory for tracing, no part of the state.
    static RANGE: RefCell<Traced> = RefCell::default();
}

/// By the direction in which a path came, those in which it goes on, as bits: all other hexes next to its end are next to the
/// hex before, and were found from there.
const AHEAD: [u8; 6] = [
    0b10_0011, 0b00_0111, 0b00_1110, 0b01_1100, 0b11_1000, 0b11_0001,
];

impl Traced {
    /// Traces a range, unless it is the one at hand.
    fn trace(&mut self, asked: (Side, HexId, u8), edges: &Arc<[[Edge; 6]]>, control: &[u8]) {
        let again = self.asked == Some(asked) && Arc::ptr_eq(&self.edges, edges);
        if again && self.control == control {
            return;
        }
        // Nothing is known until all is found.
        self.asked = None;
        self.edges.clone_from(edges);
        self.control.clear();
        self.control.extend_from_slice(control);
        let (side, from, range) = asked;
        let enemy = side.other() as u8;
        let Traced {
            asked: known,
            far,
            queue,
            ..
        } = self;
        far.clear();
        far.resize(edges.len(), u8::MAX);
        queue.clear();
        far[from.index()] = 0;
        queue.push((from.0, u8::MAX));
        let control = &control[..far.len()];
        let mut next = 0;
        // The nearest come first.
        while let Some(&(hex, ahead)) = queue.get(next)
            && far[usize::from(hex)] < range
        {
            next += 1;
            let beyond = far[usize::from(hex)] + 1;
            let around = edges[usize::from(hex)].iter().enumerate();
            for (direction, edge) in around {
                let to = usize::from(edge.to);
                let open = ahead >> direction & 1 != 0 && to < far.len();
                if open && far[to] == u8::MAX && control[to] != enemy {
                    far[to] = beyond;
                    queue.push((edge.to, AHEAD[direction]));
                }
            }
        }
        *known = Some(asked);
    }
}

/// Calls `then` with every hex within a range that is traced around the enemy's hexes (§4.5), and how
/// far away it is.
pub fn within<R>(
    t: &Table,
    side: Side,
    from: HexId,
    range: u8,
    then: impl FnOnce(&[u8]) -> R,
) -> R {
    let (rules, field) = (rules(t), t.res::<Hexes>());
    RANGE.with_borrow_mut(|traced| {
        traced.trace((side, from, range), &rules.edges, &field.control);
        then(&traced.far)
    })
}

/// Marks every block that is under command of an active headquarters (§4.3).
pub fn mark_commanded(t: &mut Table) {
    // Nobody commands between the player turns.
    let Some(side) = t.player_turn() else { return };
    let mut found: Vec<UnitId> = vec![];
    let rules = rules(t);
    let army = army(t);
    for &hq in &rules.commanders[side] {
        let Some(from) = t.hex(hq).filter(|_| army.has(hq, flag::ACTIVE)) else {
            continue;
        };
        within(t, side, from, rules.card(hq).range, |far| {
            let near = rules.own[side].iter().copied().filter(|&unit| {
                t.hex(unit)
                    .is_some_and(|hex| far[usize::from(hex.0)] != u8::MAX)
            });
            found.extend(near.filter(|&unit| commands(t, hq, unit)));
        });
    }
    forget(t, flag::COMMANDED);
    for unit in found {
        t.get_mut::<Block>(unit).flags |= flag::COMMANDED;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::NOWHERE;
    use crate::state::NEUTRAL;

    /// Hexes in a row.
    fn row(hexes: u16) -> Arc<[[Edge; 6]]> {
        let edge = |to| Edge {
            to,
            cost: 2,
            road: 0,
            fire: 0,
            melee: 0,
            terrain: 0,
        };
        let around = |hex: u16| {
            let mut around = [edge(NOWHERE); 6];
            around[0] = edge(if hex + 1 < hexes { hex + 1 } else { NOWHERE });
            around[3] = edge(hex.checked_sub(1).unwrap_or(NOWHERE));
            around
        };
        (0..hexes).map(around).collect()
    }

    #[test]
    fn a_range_is_traced_again_when_anything_has_changed_that_it_depends_on() {
        const FAR: u8 = u8::MAX;
        let (enemy, map) = (Side::Second as u8, row(4));
        let open = [NEUTRAL; 4];
        let cut = [NEUTRAL, NEUTRAL, enemy, NEUTRAL];
        let mut traced = Traced::default();
        let mut ask = |side, from, range, map: &Arc<[[Edge; 6]]>, control: &[u8]| {
            traced.trace((side, HexId(from), range), map, control);
            traced.far.clone()
        };
        assert_eq!(ask(Side::First, 0, 2, &map, &open), [0, 1, 2, FAR]);
        assert_eq!(ask(Side::First, 0, 2, &map, &open), [0, 1, 2, FAR], "again");
        assert_eq!(
            ask(Side::First, 0, 2, &map, &cut),
            [0, 1, FAR, FAR],
            "control"
        );
        assert_eq!(ask(Side::Second, 0, 2, &map, &cut), [0, 1, 2, FAR], "side");
        assert_eq!(ask(Side::Second, 1, 2, &map, &cut), [1, 0, 1, 2], "from");
        assert_eq!(ask(Side::Second, 1, 1, &map, &cut), [1, 0, 1, FAR], "range");
        let mut torn = map.to_vec();
        torn[1][0].to = NOWHERE;
        assert_eq!(
            ask(Side::Second, 1, 1, &torn.into(), &cut),
            [1, 0, FAR, FAR],
            "map"
        );
    }

    /// Asked again, it fails again, and does not hand out what it had found until then.
    #[test]
    fn a_range_that_could_not_be_traced_is_not_kept() {
        let (map, short) = (row(4), [NEUTRAL; 2]);
        let mut traced = Traced::default();
        for _ in 0..2 {
            let tried = std::panic::AssertUnwindSafe(|| {
                traced.trace((Side::First, HexId(0), 2), &map, &short);
            });
            assert!(std::panic::catch_unwind(tried).is_err());
        }
    }
}
