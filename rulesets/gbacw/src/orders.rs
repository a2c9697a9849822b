//! §4.3 Orders: brigades that march, brigades in reserve.

use crate::acts::Do;
use crate::command::commanded;
use crate::engine::{Answer, Question, not_asked, pop};
use crate::entry;
use crate::field::{Field, did, rules, status_mut, wear_mut};
use crate::state::{Deed, Frame, Land, Order};
use crate::steps::Gait;
use cupola_kernel::{
    Check, Event, HexId, Options, Refusal, Side, Table, UnitId, forbid, require, rule,
};

/// How a column goes: until the armies know the ground only some roads are trusted (§12.7).
#[must_use]
pub fn gait(t: &Table, side: Side) -> Gait {
    let mut specials = rules(t).specials.iter();
    let until = rules(t).wary_until;
    if specials.any(|rule| rule.slow_columns(t, side)) {
        Gait::Normal
    } else if rules(t).switches.careful_marches && until.is_some_and(|until| t.turn() <= until) {
        Gait::Wary
    } else {
        Gait::March
    }
}

/// Whether a brigade is free to move: a schedule or an enemy has released it.
#[must_use]
pub fn released(t: &Table, brigade: u16) -> bool {
    let this = rules(t).brigades.get(usize::from(brigade));
    this.is_none_or(|this| this.released <= t.turn())
        || Field::new(t).wear(brigade).freed.is_some()
        || rules(t).specials.iter().any(|rule| rule.frees(t, brigade))
}

/// Whether a unit is free to move: its brigade is, or it by itself.
#[must_use]
pub fn free(t: &Table, unit: UnitId) -> bool {
    let mut specials = rules(t).specials.iter();
    released(t, rules(t).card(unit).brigade) || specials.any(|rule| rule.frees_unit(t, unit))
}

/// Sets a brigade free before its time: it is in command on this turn and the next (L3).
pub fn set_free(t: &mut Table, brigade: u16, section: &'static str) {
    if released(t, brigade) {
        return;
    }
    let turn = t.turn();
    let wear = wear_mut(t, brigade);
    (wear.freed, wear.commanded) = (Some(turn), true);
    t.say(|t| {
        let name = &rules(t).brigades[usize::from(brigade)].name;
        let text = format!("{name} is released");
        Event::new("release", cupola_kernel::Cite::new(section), text)
    });
}

/// Whether a unit may fire in its own activation: some do before they may move.
#[must_use]
pub fn may_fire(t: &Table, unit: UnitId) -> bool {
    let this = rules(t)
        .brigades
        .get(usize::from(rules(t).card(unit).brigade));
    this.is_none_or(|this| this.fires <= t.turn()) || free(t, unit)
}

/// A brigade as it stands.
struct Stand {
    /// The hexes of its units on the map.
    hexes: Vec<HexId>,
    /// Hexes that the enemy holds, all among them that are near enough to keep it from orders.
    enemies: Vec<HexId>,
}

impl Stand {
    fn new(t: &Table, brigade: u16) -> Stand {
        let (field, board) = (Field::new(t), t.board());
        let units = field.members(brigade);
        let mut hexes: Vec<HexId> = units.filter_map(|unit| t.hex(unit)).collect();
        hexes.sort_unstable();
        hexes.dedup();
        let mut enemies = vec![];
        if let Some(&first) = hexes.first() {
            let numbers = &field.rules.numbers;
            let counts = numbers.reserve_apart.max(numbers.reserve_seen);
            let counts = counts.max(numbers.march_apart);
            let spread = hexes.iter().map(|&hex| board.distance(first, hex)).max();
            let far = spread.unwrap_or(0) + counts;
            let enemy = field.rules.brigades[usize::from(brigade)].side.other();
            field.any_held_within(enemy, first, far, |hex| {
                enemies.push(hex);
                false
            });
        }
        Stand { hexes, enemies }
    }

    /// Whether there is such a pair of one of its hexes and an enemy's, at such a distance.
    fn any(&self, t: &Table, such: impl Fn(HexId, HexId, u32) -> bool) -> bool {
        let board = t.board();
        self.hexes.iter().any(|&hex| {
            let mut enemies = self.enemies.iter();
            enemies.any(|&enemy| such(hex, enemy, board.distance(hex, enemy)))
        })
    }
}

/// Whether a brigade may be given March Orders (§4.32), or comes onto the map under them (§5.44).
pub fn may_march(t: &Table, brigade: u16) -> Check {
    march_check(t, brigade, &Stand::new(t, brigade), || {
        commanded(t, brigade)
    })
}

fn march_check(t: &Table, brigade: u16, stand: &Stand, in_command: impl Fn() -> bool) -> Check {
    let field = Field::new(t);
    let this = &field.rules.brigades[usize::from(brigade)];
    require(
        field.rules.march,
        rule!("4.32"),
        "has no March Orders in this scenario",
    )?;
    forbid(
        field.wear(brigade).order != Order::None,
        rule!("4.31"),
        "is under orders already",
    )?;
    let apart = field.rules.numbers.march_apart;
    if stand.hexes.is_empty() {
        let near = |hex: HexId| field.enemy_within(this.side, hex, apart);
        require(entry::arriving(t, brigade), rule!("5.44"), "is not there")?;
        let gates = this
            .units
            .iter()
            .filter_map(|&unit| entry::arrives(t, unit).map(|(_, gate)| gate));
        let mut gates = gates.filter(|gate| !gate.march || gate.hexes.iter().any(|&hex| near(hex)));
        forbid(
            gates.next().is_some(),
            rule!("5.44"),
            "cannot come on in column there",
        )?;
    } else {
        let shaken = |unit: UnitId| t.hex(unit).is_some() && field.status(unit).disordered;
        forbid(
            field.members(brigade).any(shaken),
            rule!("4.32"),
            "has units in disorder",
        )?;
        forbid(
            stand.any(t, |_, _, distance| distance <= apart),
            rule!("4.32"),
            "is too near to the enemy",
        )?;
        let led = this.leader.is_some_and(|leader| t.hex(leader).is_some());
        require(
            led && in_command(),
            rule!("4.32"),
            "has no brigadier in command",
        )?;
    }
    allowed(t, brigade, Order::March)
}

/// Whether a brigade may go into reserve (§4.34).
pub fn may_rest(t: &Table, brigade: u16) -> Check {
    rest_check(t, brigade, &Stand::new(t, brigade))
}

fn rest_check(t: &Table, brigade: u16, stand: &Stand) -> Check {
    let field = Field::new(t);
    require(
        field.rules.reserve,
        rule!("4.34"),
        "has no Reserve Orders in this scenario",
    )?;
    forbid(
        field.wear(brigade).order != Order::None,
        rule!("4.31"),
        "is under orders already",
    )?;
    require(!stand.hexes.is_empty(), rule!("4.34"), "is not on the map")?;
    let (numbers, sight) = (&field.rules.numbers, &field.rules.sight);
    let disturbs = |hex: HexId, enemy: HexId, distance: u32| {
        distance <= numbers.reserve_apart
            || distance <= numbers.reserve_seen && sight.sees(t.board(), enemy, hex)
    };
    forbid(
        stand.any(t, disturbs),
        rule!("4.34"),
        "is too near to the enemy",
    )?;
    allowed(t, brigade, Order::Reserve)
}

fn allowed(t: &Table, brigade: u16, order: Order) -> Check {
    let specials = &rules(t).specials;
    specials
        .iter()
        .try_for_each(|rule| rule.may_order(t, brigade, order))
}

/// Whether the orders of a brigade may be lifted.
fn lifted(t: &Table, brigade: u16) -> Check {
    allowed(t, brigade, Order::None)
}

/// Orders that can be given.
const MARCH: u8 = 1;
const RESERVE: u8 = 2;
const LIFT: u8 = 4;

/// Looks once what may be ordered: nobody moves while orders are given.
pub fn muster(t: &mut Table, side: Side) {
    let field = Field::new(t);
    let brigades = 0..field.rules.brigades.len() as u16;
    let ours = brigades.filter(|&b| field.rules.brigades[usize::from(b)].side == side);
    let led = crate::command::survey(t, side);
    let choices = ours.map(|brigade| {
        let bit = |may: bool, bit: u8| if may { bit } else { 0 };
        let under = field.wear(brigade).order != Order::None;
        let stand = Stand::new(t, brigade);
        let march = march_check(t, brigade, &stand, || led[usize::from(brigade)]);
        let bits = bit(march.is_ok(), MARCH)
            | bit(rest_check(t, brigade, &stand).is_ok(), RESERVE)
            | bit(
                under && !stand.hexes.is_empty() && lifted(t, brigade).is_ok(),
                LIFT,
            );
        (brigade, bits)
    });
    let choices = choices.filter(|(_, bits)| *bits != 0).collect();
    t.res_mut::<Land>().staff = choices;
}

/// What the frame of orders asks.
pub fn ask(t: &Table, frame: &Frame) -> Question {
    let Frame::Orders(side) = *frame else {
        return None;
    };
    (!t.res::<Land>().staff.is_empty()).then_some((side, "orders", "4.31"))
}

/// There is nothing left to ask.
pub fn go(t: &mut Table, _: Frame) -> Answer {
    pop(t);
    Ok(())
}

/// Lists the answers.
pub fn options(t: &Table, _: &Frame, out: &mut Options) {
    for &(brigade, bits) in &t.res::<Land>().staff {
        let token = rules(t).brigades[usize::from(brigade)].token;
        for (bit, order) in [
            (MARCH, Do::March(token)),
            (RESERVE, Do::Reserve(token)),
            (LIFT, Do::Lift(token)),
        ] {
            if bits & bit != 0 {
                out.push(order);
            }
        }
    }
    out.push(Do::Done);
}

/// Carries out an answer.
pub fn take(t: &mut Table, _: Frame, answer: Do) -> Answer {
    let (token, order) = match answer {
        Do::Done => {
            pop(t);
            t.res_mut::<Land>().staff.clear();
            return Ok(());
        }
        Do::March(token) => (token, Order::March),
        Do::Reserve(token) => (token, Order::Reserve),
        Do::Lift(token) => (token, Order::None),
        _ => return Err(not_asked()),
    };
    let brigade = Field::new(t).brigade_of(token);
    // A brigade is thought of once a turn.
    t.res_mut::<Land>().staff.retain(|(of, _)| *of != brigade);
    give(t, brigade, order);
    Ok(())
}

/// Gives a brigade an order, or lifts it (§4.35).
pub fn give(t: &mut Table, brigade: u16, order: Order) {
    wear_mut(t, brigade).order = order;
    t.say(|t| {
        let name = &rules(t).brigades[usize::from(brigade)].name;
        let (text, section) = match order {
            Order::March => (format!("{name} is to march"), rule!("4.32")),
            Order::Reserve => (format!("{name} goes into reserve"), rule!("4.34")),
            Order::None => (format!("{name} has no orders any more"), rule!("4.35")),
        };
        Event::new("orders", section, text)
    });
}

/// Why an order cannot be given.
pub fn why_not(t: &Table, _: &Frame, answer: Do) -> Option<Refusal> {
    let brigade = |token| Field::new(t).brigade_of(token);
    let known = |brigade: u16| usize::from(brigade) < rules(t).brigades.len();
    match answer {
        Do::March(token) if known(brigade(token)) => may_march(t, brigade(token)).err(),
        Do::Reserve(token) if known(brigade(token)) => may_rest(t, brigade(token)).err(),
        Do::Lift(token) if known(brigade(token)) && lifted(t, brigade(token)).is_err() => {
            lifted(t, brigade(token)).err()
        }
        Do::Lift(_) => Some(Refusal::new(rule!("4.35"), "is under no orders")),
        _ => None,
    }
}

/// A question in words.
#[must_use]
pub fn prompt(_: &Table, _: &Frame) -> String {
    "Which brigade is given orders?".into()
}

/// §4.33: a brigade under orders that is attacked loses them, and its good order with them.
pub fn surprise(t: &mut Table, brigade: u16) {
    let wear = Field::new(t).wear(brigade);
    if wear.order == Order::None {
        return;
    }
    let caught = wear_mut(t, brigade);
    caught.caught = caught.order == Order::March;
    caught.order = Order::None;
    let units: Vec<UnitId> = Field::new(t).members(brigade).collect();
    for unit in units {
        if t.hex(unit).is_some() {
            status_mut(t, unit).disordered = true;
            did(t, unit, Deed::REACTED);
        }
    }
    t.say(|t| {
        let name = &rules(t).brigades[usize::from(brigade)].name;
        Event::new(
            "surprise",
            rule!("4.33"),
            format!("{name} is caught under orders"),
        )
    });
}

/// Whether fire finds a brigade in column: it marches, or it was caught marching in this activation.
#[must_use]
pub fn in_column(field: Field, brigade: u16) -> bool {
    let wear = field.wear(brigade);
    wear.order == Order::March || wear.caught
}
