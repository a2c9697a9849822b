//! §7.5 Attrition: what close action costs, and which regiments break under their brigade's losses.

use crate::acts::Do;
use crate::engine::{Answer, Question, not_asked, pop, push};
use crate::field::{Field, name, rules};
use crate::state::{Activation, Brigades, Deed, Frame, boxes};
use crate::{cohesion, leaders};
use cupola_kernel::{Event, Options, Place, Table, UnitId, rule};

/// Units of a brigade on the map that share its losses.
fn present(t: &Table, brigade: u16) -> impl Iterator<Item = UnitId> + '_ {
    let units = rules(t).brigades[usize::from(brigade)]
        .units
        .iter()
        .copied();
    units.filter(|&unit| t.hex(unit).is_some() && !rules(t).card(unit).counts_own())
}

/// The Rout Level: the average strength of the brigade's units on the map, rounded up (§7.54).
#[must_use]
pub fn level(t: &Table, brigade: u16) -> Option<u8> {
    let (mut sp, mut count) = (0u16, 0u16);
    for unit in present(t, brigade) {
        sp += u16::from(rules(t).card(unit).sp);
        count += 1;
    }
    (count > 0).then(|| sp.div_ceil(count) as u8)
}

/// Units that the owner may let rout.
fn choices(t: &Table, brigade: u16) -> Vec<UnitId> {
    let losses = Field::new(t).wear(brigade).losses;
    present(t, brigade)
        .filter(|&unit| rules(t).card(unit).sp <= losses)
        .collect()
}

/// The first brigade whose losses have come up to its Rout Level.
fn overdue(t: &Table) -> Option<u16> {
    let worn = (0u16..).zip(&t.res::<Brigades>().0);
    let mut worn = worn.filter(|(_, wear)| wear.losses > 0);
    let found =
        worn.find(|(brigade, wear)| level(t, *brigade).is_some_and(|level| wear.losses >= level));
    found.map(|(brigade, _)| brigade)
}

/// Close action: each brigade that charged or was charged loses (§7.53).
fn close_action(t: &mut Table) {
    let field = Field::new(t);
    let mut met: Vec<(u16, u8, bool, bool, UnitId)> = vec![];
    for &unit in &t.res::<Activation>().touched {
        let (deed, card) = (field.deed(unit), field.card(unit));
        // Both parts of an extended line are one unit.
        let twice = card.wing
            && card
                .twin
                .is_some_and(|twin| field.deed(twin).any(Deed::CHARGED | Deed::MET));
        if card.is_guns() || twice || !deed.any(Deed::CHARGED | Deed::MET) {
            continue;
        }
        let sheltered = deed.any(Deed::SHELTERED) && !deed.any(Deed::CHARGED);
        let horse = !deed.any(Deed::AFOOT);
        match met
            .iter_mut()
            .find(|(brigade, ..)| *brigade == card.brigade)
        {
            Some((_, count, behind, mounted, first)) => {
                *count += 1;
                *behind &= sheltered;
                *mounted &= horse;
                *first = unit.min(*first);
            }
            None => met.push((card.brigade, 1, sheltered, horse, unit)),
        }
    }
    let numbers = field.rules.numbers.close_action;
    met.sort_unstable();
    for (brigade, count, behind, mounted, first) in met {
        let many = count > numbers.units;
        let mut losses = if many { numbers.many } else { numbers.few };
        losses = losses.saturating_sub(u8::from(behind));
        // Sharpshooters keep their own losses (§9.4).
        if rules(t).card(first).counts_own() {
            cohesion::pay(t, first, losses.min(1));
            continue;
        }
        let left: u16 = present(t, brigade)
            .map(|unit| u16::from(rules(t).card(unit).sp))
            .sum();
        if left <= u16::from(numbers.small_brigade) || mounted {
            losses = losses.min(1);
        }
        cohesion::accrue(t, brigade, losses);
    }
}

/// What the frames of attrition ask.
pub fn ask(t: &Table, frame: &Frame) -> Question {
    let Frame::Rout(brigade) = *frame else {
        return None;
    };
    let side = rules(t).brigades[usize::from(brigade)].side;
    (choices(t, brigade).len() > 1).then_some((side, "rout", "7.54"))
}

/// Goes on where nothing is asked.
pub fn go(t: &mut Table, frame: Frame) -> Answer {
    match frame {
        Frame::Attrition => {
            if !t.res::<Activation>().counted {
                t.res_mut::<Activation>().counted = true;
                close_action(t);
            }
            match overdue(t) {
                Some(brigade) => push(t, Frame::Rout(brigade)),
                None => pop(t),
            }
        }
        Frame::Rout(brigade) => {
            pop(t);
            match choices(t, brigade).first() {
                Some(&unit) => rout(t, unit),
                None => return Err(not_asked()),
            }
        }
        _ => pop(t),
    }
    Ok(())
}

/// A regiment breaks and pays with its strength for the brigade's losses.
fn rout(t: &mut Table, unit: UnitId) {
    let card = rules(t).card(unit);
    let (brigade, sp) = (card.brigade, card.sp);
    let wear = crate::field::wear_mut(t, brigade);
    wear.losses = wear.losses.saturating_sub(sp);
    let hex = t.hex(unit);
    crate::extended::fold(t, unit);
    t.place(unit, Place::Box(boxes::ROUTED));
    t.say(|t| {
        let text = format!("{} routs", name(t, unit));
        Event::new("rout", rule!("7.54"), text).unit(unit)
    });
    if let Some(hex) = hex {
        leaders::stranded(t, hex);
    }
}

/// Lists the answers.
pub fn options(t: &Table, frame: &Frame, out: &mut Options) {
    if let Frame::Rout(brigade) = *frame {
        choices(t, brigade)
            .into_iter()
            .for_each(|unit| out.push(Do::Rout(unit)));
    }
}

/// Carries out an answer.
pub fn take(t: &mut Table, frame: Frame, answer: Do) -> Answer {
    let (Frame::Rout(_), Do::Rout(unit)) = (frame, answer) else {
        return Err(not_asked());
    };
    pop(t);
    rout(t, unit);
    Ok(())
}

/// A question in words.
#[must_use]
pub fn prompt(t: &Table, frame: &Frame) -> String {
    let Frame::Rout(brigade) = *frame else {
        return "?".into();
    };
    let name = &rules(t).brigades[usize::from(brigade)].name;
    format!("Which unit of {name} routs?")
}
