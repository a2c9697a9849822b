//! §7.1, §7.2 Cohesion checks and hits, and the losses they bring.

use crate::acts::Do;
use crate::engine::{Answer, Question, not_asked, pop, push, swap, top};
use crate::field::{Field, did, eliminate, name, rules, status_mut, undid, wear_mut};
use crate::state::{Deed, Frame};
use crate::{artillery, breastworks, extended, leaders, retreat};
use cupola_kernel::{Event, HexId, Options, Table, UnitId, rule};

/// What a leader in the hex gives (§7.14).
#[must_use]
pub fn led(field: Field, unit: UnitId) -> i8 {
    let here = field.t.hex(unit);
    let chain = &field.card(unit).chain;
    let heeds = |leader: UnitId| {
        let mut specials = field.rules.specials.iter();
        specials.all(|rule| rule.heeds(field.t, unit, leader))
    };
    let mut stacked = chain.iter().filter(|&&leader| field.t.hex(leader) == here);
    if here.is_some() && stacked.any(|&leader| heeds(leader)) {
        field.rules.numbers.leader
    } else {
        0
    }
}

/// The cohesion of the side that shows (§7.11, §2.1).
#[must_use]
pub fn rating(field: Field, unit: UnitId) -> u8 {
    let status = field.status(unit);
    let printed = field.card(unit).cohesion[usize::from(status.disordered)];
    let specials = field.rules.specials.iter();
    specials.fold(printed, |rating, rule| rule.cohesion(field.t, unit, rating))
}

/// Whether a check with this die passes (§7.11): nine never does (§7.12).
#[must_use]
pub fn passes(field: Field, unit: UnitId, die: u8, add: i8) -> bool {
    let total = die as i8 + add + led(field, unit);
    die != field.rules.numbers.always_fails && total <= rating(field, unit) as i8
}

/// Rolls a check (§7.1).
pub fn check(t: &mut Table, unit: UnitId, purpose: &'static str, add: i8) -> bool {
    let die = (t.roll(10, purpose, unit) - 1) as u8;
    let passed = passes(Field::new(t), unit, die, add);
    t.say(|t| {
        let how = if passed { "stands" } else { "fails" };
        let text = format!("{} {how} a check ({purpose}) with {die}", name(t, unit));
        Event::new("check", rule!("7.11"), text)
            .unit(unit)
            .number(die)
    });
    passed
}

/// A brigade loses strength: twice as much if it is ineffective (§7.51).
pub fn accrue(t: &mut Table, brigade: u16, losses: u8) {
    if usize::from(brigade) >= rules(t).brigades.len() || losses == 0 {
        return;
    }
    let wear = wear_mut(t, brigade);
    let losses = if wear.ineffective { 2 * losses } else { losses };
    wear.losses = wear.losses.saturating_add(losses);
}

/// A unit pays one: from its brigade's track, or from its own strength (§7.55).
pub fn pay(t: &mut Table, unit: UnitId, losses: u8) {
    let card = rules(t).card(unit);
    let (own, brigade) = (card.counts_own(), card.brigade);
    if !own {
        accrue(t, brigade, losses);
        return;
    }
    status_mut(t, unit).lost += losses;
    if Field::new(t).sp(unit) == 0 {
        t.say(|t| {
            let text = format!("{} is destroyed", name(t, unit));
            Event::new("eliminated", rule!("7.55"), text).unit(unit)
        });
        eliminate(t, unit);
    }
}

/// A failed check without a retreat: good order goes, or strength (chart: withdrawal, retreat through).
pub fn shaken(t: &mut Table, unit: UnitId) {
    if Field::new(t).status(unit).disordered {
        pay(t, unit, 1);
    } else {
        status_mut(t, unit).disordered = true;
    }
}

/// What the frames of combat results ask.
pub fn ask(t: &Table, frame: &Frame) -> Question {
    let Frame::Pays(hex, _) = *frame else {
        return None;
    };
    let payers = payers(t, hex);
    let side = Field::new(t).card(*payers.first()?).side;
    let brigade = |unit: &UnitId| rules(t).card(*unit).brigade;
    let many = payers
        .iter()
        .any(|unit| brigade(unit) != brigade(&payers[0]));
    many.then_some((side, "loss", "7.23"))
}

/// Units of a hex whose brigades may bear its losses: those that were hit and keep no losses of their own.
fn payers(t: &Table, hex: HexId) -> Vec<UnitId> {
    let field = Field::new(t);
    let hit = field
        .troops(hex)
        .filter(|&unit| field.deed(unit).any(Deed::HIT));
    hit.filter(|&unit| !field.card(unit).counts_own()).collect()
}

/// Goes on where nothing is asked.
pub fn go(t: &mut Table, frame: Frame) -> Answer {
    match frame {
        Frame::Suffer(hex, code, from) => suffer(t, hex, code, from),
        Frame::Pays(hex, losses) => {
            pop(t);
            if let Some(&unit) = payers(t, hex).first() {
                let brigade = rules(t).card(unit).brigade;
                accrue(t, brigade, losses);
            }
        }
        Frame::Recoil(hex, from) => recoil(t, hex, from),
        _ => pop(t),
    }
    Ok(())
}

/// A result strikes everybody in a hex (§6.18).
fn suffer(t: &mut Table, hex: HexId, code: u16, from: Option<HexId>) {
    swap(t, Frame::Recoil(hex, from));
    let stack: Vec<UnitId> = Field::new(t).fighters(hex).collect();
    if code == 0 || stack.is_empty() {
        return;
    }
    let mut hit = vec![];
    for &unit in &stack {
        if code >= 2 || !check(t, unit, "cohesion", 0) {
            did(t, unit, Deed::HIT);
            hit.push(unit);
        }
    }
    if hit.is_empty() {
        return;
    }
    // One loss a stack if anybody was disordered already, one more where it is shattered (§7.23).
    let field = Field::new(t);
    let mine = |unit: &&UnitId| !field.card(**unit).counts_own();
    let broken = hit
        .iter()
        .filter(mine)
        .any(|&unit| field.status(unit).disordered);
    let foot = hit.iter().any(|unit| mine(&unit));
    let losses = u8::from(broken) + u8::from(code == 3 && foot);
    let extra = code == 3 && !foot;
    for &unit in &hit {
        struck(t, unit, hex);
    }
    if extra && let Some(&unit) = hit.first() {
        pay(t, unit, 1);
    }
    leaders::exposed(t, hex);
    if losses > 0 {
        push(t, Frame::Pays(hex, losses));
    }
}

/// A cohesion hit on one unit (§7.21, §7.22).
fn struck(t: &mut Table, unit: UnitId, hex: HexId) {
    breastworks::abandon_digging(t, unit);
    let field = Field::new(t);
    let (card, disordered) = (field.card(unit), field.status(unit).disordered);
    let (guns, own) = (card.is_guns(), card.counts_own());
    t.say(|t| {
        let how = if disordered {
            "is driven back"
        } else {
            "is disordered"
        };
        let text = format!("{} {how}", name(t, unit));
        Event::new("hit", rule!("7.2"), text).unit(unit).hex(hex)
    });
    match (disordered, guns) {
        (false, _) => status_mut(t, unit).disordered = true,
        (true, true) => artillery::struck(t, unit, hex),
        (true, false) => {
            if own {
                pay(t, unit, 1);
            }
            if extended::parts(t, unit) {
                // The whole unit goes back from where its first part stands.
                let unit = extended::whole(t, unit);
                if t.hex(unit) == Some(hex) {
                    did(t, unit, Deed::FLEES);
                } else {
                    retreat::begin(t, unit, None);
                }
            } else if t.hex(unit).is_some() {
                did(t, unit, Deed::FLEES);
            }
        }
    }
}

/// Once a hex has paid, those who must fall back do. Who falls back already goes on as he did unless he was hit again, and
/// then from whom he fled: else fire that follows him from hex to hex would never let him rest.
fn recoil(t: &mut Table, hex: HexId, from: Option<HexId>) {
    pop(t);
    let stack: Vec<UnitId> = Field::new(t).troops(hex).collect();
    let mut driven = false;
    for unit in stack {
        let deed = Field::new(t).deed(unit);
        driven |= deed.any(Deed::HIT) && deed.any(Deed::FLEES);
        undid(t, unit, Deed::HIT);
    }
    if !driven {
        return;
    }
    let far = rules(t).numbers.retreat;
    match top(t) {
        Some(Frame::Retreat(at, _, away, harried)) if at == hex => {
            swap(t, Frame::Retreat(hex, far, away.or(from), harried));
        }
        _ => push(t, Frame::Retreat(hex, far, from, false)),
    }
}

/// Lists the answers.
pub fn options(t: &Table, frame: &Frame, out: &mut Options) {
    if let Frame::Pays(hex, _) = *frame {
        for unit in payers(t, hex) {
            let brigade = rules(t).card(unit).brigade;
            out.push(Do::Pay(rules(t).brigades[usize::from(brigade)].token));
        }
    }
}

/// Carries out an answer.
pub fn take(t: &mut Table, frame: Frame, answer: Do) -> Answer {
    let (Frame::Pays(_, losses), Do::Pay(token)) = (frame, answer) else {
        return Err(not_asked());
    };
    pop(t);
    let brigade = Field::new(t).brigade_of(token);
    accrue(t, brigade, losses);
    Ok(())
}

/// A question in words.
#[must_use]
pub fn prompt(_: &Table, _: &Frame) -> String {
    "Which brigade bears the loss?".into()
}
