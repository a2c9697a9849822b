//! §4.1, §4.4 Initiative, efficiency and the cup of activation markers.

use crate::activation;
use crate::acts::Do;
use crate::engine::{Answer, Question, not_asked, pop, push};
use crate::field::{Field, rules};
use crate::files::Level;
use crate::rules::{Formation, Kind};
use crate::state::{Brigades, Cup, Frame, Land, Order};
use crate::{attach, entry};
use cupola_kernel::{About, Event, Options, Side, Table, UnitId, rule};

/// Ia Initiative (§4.11).
pub fn begin_initiative(t: &mut Table) -> Answer {
    activation::forget(t);
    let turn = t.turn();
    let fixed = rules(t).initiative.iter().find(|(when, _)| *when == turn);
    let before = t.res::<Cup>().initiative;
    let given = fixed.map(|&(_, side)| side).or_else(|| {
        let mut specials = rules(t).specials.iter();
        specials.find_map(|rule| rule.initiative(t))
    });
    let side = given.unwrap_or_else(|| roll_initiative(t, before));
    let cup = t.res_mut::<Cup>();
    (cup.before, cup.initiative) = (before, Some(side));
    t.say(|t| {
        let text = format!("{} has the initiative", t.env().sides[side].name);
        Event::new("initiative", rule!("4.11"), text)
    });
    Ok(())
}

/// Each side rolls; the holder of last turn has one more, the Confederates one while Lee is there.
fn roll_initiative(t: &mut Table, before: Option<Side>) -> Side {
    let lee = t.units().any(|unit| {
        let card = rules(t).card(unit);
        card.kind == Kind::Leader(Level::Army) && card.rating[0] > 0 && t.hex(unit).is_some()
    });
    // Scripted dice that have run out would tie for ever.
    for _ in 0..100 {
        let mut die = |side: Side| {
            let die = i32::from(t.roll(10, "initiative", side)) - 1;
            die + i32::from(before == Some(side)) + i32::from(lee && side == Side::Second)
        };
        let (first, second) = (die(Side::First), die(Side::Second));
        match (first.cmp(&second), before) {
            (std::cmp::Ordering::Greater, _) => return Side::First,
            (std::cmp::Ordering::Less, _) => return Side::Second,
            (std::cmp::Ordering::Equal, Some(holder)) => return holder,
            (std::cmp::Ordering::Equal, None) => {}
        }
    }
    Side::Second
}

/// Ic and Id: markers of efficiency are drawn without replacement, and the cup is filled.
pub fn begin_efficiency(t: &mut Table) -> Answer {
    t.res_mut::<Cup>().favoured.clear();
    draw_efficiency(t);
    push(t, Frame::Fill);
    push(t, Frame::Favour(Side::Second));
    push(t, Frame::Favour(Side::First));
    Ok(())
}

/// Whether a formation's number is set outright this turn.
fn fixed(formation: &Formation, turn: u16) -> Option<u8> {
    let mut fixed = formation.fixed.iter();
    fixed
        .find(|(when, _)| *when == turn)
        .map(|(_, number)| *number)
}

/// No kind of marker has so many copies.
const COPIES: u16 = 64;

/// A name for every marker, from how many there are of each kind: dice that draw by name draw nearly alike from a cup with one marker
/// more.
fn named(counts: impl Iterator<Item = u8>) -> Vec<u16> {
    let kinds = (0u16..).zip(counts);
    let names = kinds.flat_map(|(kind, count)| {
        let copies = u16::from(count).min(COPIES);
        (0..copies).map(move |copy| kind * COPIES + copy)
    });
    names.collect()
}

fn draw_efficiency(t: &mut Table) {
    let turn = t.turn();
    let draws = rules(t).draws.len();
    let mut drawn = vec![0; draws];
    for side in Side::BOTH {
        let mut pools = rules(t).pools.iter().rev();
        let pool = pools.find(|(of, from, _)| *of == side && *from <= turn);
        let Some(&(_, _, mut pool)) = pool else {
            continue;
        };
        for (draw, marker) in drawn.iter_mut().enumerate() {
            let wanted = rules(t).draws[draw].side == side
                && (0u16..)
                    .zip(&rules(t).formations)
                    .any(|(number, formation)| {
                        formation.draws == Some(draw as u8)
                            && formation.from <= turn
                            && fixed(formation, turn).is_none()
                            && present(t, number)
                    });
            let count: u8 = pool.iter().sum();
            if !wanted || count == 0 {
                continue;
            }
            // By name, and each command with dice of its own: one command more or less draws nothing else for the others.
            let commander = rules(t).draws[draw].commander;
            let about = commander.map_or(About::Side(side), About::Unit);
            let names = named(pool.iter().copied());
            let at = t.with_dice(|_, dice| dice.draw_from(&names, "efficiency", about));
            let kind = usize::from(names[at] / COPIES);
            pool[kind] -= 1;
            *marker = 3 - kind as u8;
        }
    }
    t.res_mut::<Cup>().efficiency = drawn;
}

/// Whether anybody of a formation is on the map or comes onto it (§13.21).
fn present(t: &Table, formation: u16) -> bool {
    let brigades = rules(t).formations[usize::from(formation)].brigades.iter();
    let mut ours = brigades.filter(|&&brigade| attach::formation_of(t, brigade) == formation);
    ours.any(|&brigade| {
        let mut units = rules(t).brigades[usize::from(brigade)].units.iter();
        units.any(|&unit| t.hex(unit).is_some() || entry::due(t, unit))
    })
}

/// How many markers a formation has this turn (§4.43, §4.44).
fn markers(t: &Table, formation: u16) -> u8 {
    let rules = rules(t);
    let this = &rules.formations[usize::from(formation)];
    if let Some(number) = fixed(this, t.turn()) {
        return number;
    }
    if this.march {
        return marches(t, this.side) * rules.numbers.march_markers;
    }
    let Some(draw) = this.draws else { return 0 };
    let command = &rules.draws[usize::from(draw)];
    let rating = match command.commander.filter(|&leader| t.hex(leader).is_some()) {
        Some(leader) => {
            // Whoever follows a replacement is one worse again (§7.74).
            let replaced = Field::new(t).status(leader).replaced;
            let rating = rules.card(leader).rating[usize::from(replaced > 0)];
            rating - replaced.saturating_sub(1) as i8
        }
        None => command.rating,
    };
    let rating = this.rating.unwrap_or(rating);
    let marker = t.res::<Cup>().efficiency[usize::from(draw)];
    let missing = t.res::<Land>().leaderless >> formation.min(63) & 1 == 1;
    let out = this.leader.is_some_and(|leader| !leads(t, leader, draw));
    let favoured = t.res::<Cup>().favoured.contains(&formation);
    let number = marker as i8 + rating - i8::from(missing || out) + i8::from(favoured);
    let limits = rules.numbers.activations;
    number.clamp(limits.least as i8, limits.most as i8) as u8
}

/// Whether a division leader is within his commander's reach (§4.21); those without a commander on the map are.
fn leads(t: &Table, leader: UnitId, draw: u8) -> bool {
    // Leaders of cavalry divisions are always in command (§4.26).
    let mut specials = rules(t).specials.iter();
    if t.turn() == rules(t).first_turn
        || rules(t).card(leader).kind == Kind::Leader(Level::Cavalry)
        || specials.any(|rule| rule.in_command(t, leader))
    {
        return true;
    }
    let commander = rules(t).draws[usize::from(draw)].commander;
    match commander.filter(|&commander| t.hex(commander).is_some()) {
        Some(commander) => crate::command::reaches(t, commander, leader),
        None => true,
    }
}

/// One if a brigade of a side marches, else none (§4.14).
fn marches(t: &Table, side: Side) -> u8 {
    let brigades = rules(t).brigades.iter().zip(&t.res::<Brigades>().0);
    let mut ours = brigades.filter(|(brigade, _)| brigade.side == side);
    u8::from(ours.any(|(_, wear)| wear.order == Order::March))
}

/// How many activations a brigade has on the turn it comes onto the map, if it does (§5.45).
fn arrival(t: &Table, brigade: u16) -> Option<u8> {
    let formation = &rules(t).formations[usize::from(attach::formation_of(t, brigade))];
    let number = formation.arrivals.unwrap_or(rules(t).numbers.arrivals);
    (number > 0 && entry::arriving(t, brigade)).then_some(number)
}

/// A number of activations that the scenario gives a brigade outright.
fn own(t: &Table, brigade: u16) -> Option<u8> {
    let formation =
        &rules(t).formations[usize::from(rules(t).brigades[usize::from(brigade)].formation)];
    let mut own = formation.own.iter();
    own.find(|(of, when, _)| *of == brigade && *when == t.turn())
        .map(|(_, _, number)| *number)
}

fn fill(t: &mut Table) {
    let turn = t.turn();
    let count = rules(t).formations.len() as u16;
    let mut left: Vec<u8> = (0..count)
        .map(|formation| {
            let due = rules(t).formations[usize::from(formation)].from <= turn;
            if due && present(t, formation) {
                markers(t, formation)
            } else {
                0
            }
        })
        .collect();
    let brigades = rules(t).brigades.len() as u16;
    let drawn = left.clone();
    for brigade in 0..brigades {
        let formation = usize::from(attach::formation_of(t, brigade));
        let number = drawn.get(formation).copied().unwrap_or(0);
        // A brigadier out of command costs one activation, not the last (§4.25).
        let lost = u8::from(!Field::new(t).wear(brigade).commanded);
        let usual = number.saturating_sub(lost).max(1.min(number));
        let fresh = arrival(t, brigade);
        let given = own(t, brigade).or(fresh);
        let uses = given.unwrap_or(usual);
        let specials = rules(t).specials.iter();
        let uses = specials.fold(uses, |uses, rule| rule.uses(t, brigade, uses));
        // Some have more than their formation draws: the cup has the higher number (§13.22).
        let there = given.is_some() && present(t, formation as u16);
        if there && left[formation] < uses {
            left[formation] = uses;
        }
        t.res_mut::<Brigades>().0[usize::from(brigade)].uses = uses;
    }
    // A run counts within a turn, unless the scenario says otherwise.
    let lasts = rules(t).specials.iter().any(|rule| rule.counts_runs());
    let cup = t.res_mut::<Cup>();
    (cup.left, cup.played, cup.offered) = (left, 0, 0);
    if !lasts {
        cup.run = None;
    }
}

/// Divisions to which an army commander on the map may give a marker more (§4.42).
fn favourites(t: &Table, side: Side) -> Vec<u16> {
    let rules = rules(t);
    let chief = t.units().find(|&unit| {
        let card = rules.card(unit);
        card.side == side && card.kind == Kind::Leader(Level::Army) && t.hex(unit).is_some()
    });
    let Some(chief) = chief.filter(|_| rules.favour) else {
        return vec![];
    };
    let most = rules.numbers.activations.most;
    let all = (0u16..).zip(&rules.formations);
    let could: Vec<(u16, UnitId)> = all
        .filter(|(_, f)| f.side == side && f.from <= t.turn() && f.draws.is_some())
        .filter(|(_, f)| fixed(f, t.turn()).is_none())
        .filter_map(|(number, f)| Some((number, f.leader?)))
        .collect();
    let leaders: Vec<UnitId> = could.iter().map(|(_, leader)| *leader).collect();
    let near = crate::command::reaches_of(t, chief, &leaders);
    let near = could.into_iter().zip(near).filter(|(_, near)| *near);
    near.map(|((number, _), _)| number)
        .filter(|&number| markers(t, number) < most)
        .collect()
}

/// II Activation.
pub fn begin_activations(t: &mut Table) -> Answer {
    push(t, Frame::Draw);
    Ok(())
}

/// What the frames of the cup ask.
pub fn ask(t: &Table, frame: &Frame) -> Question {
    match *frame {
        Frame::Open(side) => has_marker(t, side).then_some((side, "marker", "4.12")),
        Frame::Interrupt(side, _) => Some((side, "interrupt", "4.12")),
        Frame::Favour(side) => {
            (!favourites(t, side).is_empty()).then_some((side, "favour", "4.42"))
        }
        Frame::Ahead(special, formation) => {
            let rule = &rules(t).specials[usize::from(special)];
            let (side, ..) = rule.ahead(t, formation)?;
            Some((side, "ahead", "4.13"))
        }
        _ => None,
    }
}

/// Markers of a formation that are in the cup, not withheld.
fn in_cup(t: &Table, formation: usize) -> u8 {
    let left = t.res::<Cup>().left[formation];
    let mut specials = rules(t).specials.iter();
    if left == 0 || specials.any(|rule| rule.withholds(t, formation as u16)) {
        return 0;
    }
    left
}

fn has_marker(t: &Table, side: Side) -> bool {
    let formations = rules(t).formations.iter().enumerate();
    let mut ours = formations.filter(|(_, formation)| formation.side == side);
    ours.any(|(number, _)| in_cup(t, number) > 0)
}

/// A marker that a side withholds and may play now: after an activation of the other, while the cup is not empty.
fn withheld(t: &Table) -> Option<(Side, u16)> {
    let cup = t.res::<Cup>();
    let last = cup.run.filter(|_| cup.played > cup.offered)?.0;
    let mut formations = rules(t).formations.iter().enumerate();
    let waits = |number: usize| {
        let mut specials = rules(t).specials.iter();
        cup.left[number] > 0 && specials.any(|rule| rule.withholds(t, number as u16))
    };
    let found = formations.find(|(number, f)| f.side != last && waits(*number));
    let any = || Side::BOTH.into_iter().any(|side| has_marker(t, side));
    found
        .filter(|_| any())
        .map(|(number, formation)| (formation.side, number as u16))
}

/// Goes on where nothing is asked.
pub fn go(t: &mut Table, frame: Frame) -> Answer {
    match frame {
        Frame::Draw => {}
        Frame::Fill => {
            pop(t);
            fill(t);
            return Ok(());
        }
        Frame::Held(formation) => {
            pop(t);
            activation::start(t, formation);
            return Ok(());
        }
        _ => {
            pop(t);
            return Ok(());
        }
    }
    let played = t.res::<Cup>().played;
    let chooser = match played {
        0 => t.res::<Cup>().initiative,
        _ => rules(t)
            .specials
            .iter()
            .find_map(|rule| rule.chooses(t, played)),
    };
    if let Some((side, formation)) = withheld(t) {
        t.res_mut::<Cup>().offered = played;
        push(t, Frame::Interrupt(side, formation));
        return Ok(());
    }
    if let Some(side) = chooser.filter(|&side| has_marker(t, side)) {
        push(t, Frame::Open(side));
        return Ok(());
    }
    match draw(t) {
        Some(formation) => play(t, formation),
        None => close(t),
    }
    Ok(())
}

/// A marker is played, unless a special rule lets somebody act before it.
fn play(t: &mut Table, formation: u16) {
    let mut specials = rules(t).specials.iter();
    match specials.position(|rule| rule.ahead(t, formation).is_some()) {
        Some(special) => {
            push(t, Frame::Held(formation));
            push(t, Frame::Ahead(special as u8, formation));
        }
        None => activation::start(t, formation),
    }
}

/// The cup is empty: special rules may have somebody act without a marker.
fn close(t: &mut Table) {
    let specials = 0..rules(t).specials.len();
    for special in specials {
        if let Some(formation) = crate::special::closing(t, special) {
            activation::begin(t, formation);
            return;
        }
    }
    // Markers that were withheld too long are lost.
    t.res_mut::<Cup>().left.fill(0);
    pop(t);
}

/// Draws blindly; with the rule against long runs, not a third of one side in a row (§12.4).
fn draw(t: &mut Table) -> Option<u16> {
    let counted =
        rules(t).switches.no_long_runs || rules(t).specials.iter().any(|rule| rule.counts_runs());
    let run = t.res::<Cup>().run.filter(|_| counted);
    let barred = run.filter(|&(side, run)| run >= 2 && has_marker(t, side.other()));
    let barred = barred.map(|(side, _)| side);
    let weight = |formation: usize| {
        if Some(rules(t).formations[formation].side) == barred {
            0
        } else {
            in_cup(t, formation)
        }
    };
    let names = named((0..t.res::<Cup>().left.len()).map(weight));
    if names.is_empty() {
        return None;
    }
    let at = t.with_dice(|_, dice| dice.draw_from(&names, "marker", About::Game));
    Some(names[at] / COPIES)
}

/// Lists the answers.
pub fn options(t: &Table, frame: &Frame, out: &mut Options) {
    if let Frame::Favour(side) = *frame {
        for formation in favourites(t, side) {
            out.push(Do::Favour(
                rules(t).formations[usize::from(formation)].token,
            ));
        }
        out.push(Do::Done);
    }
    if let Frame::Ahead(special, formation) = *frame
        && let Some((_, _, brigade)) = rules(t).specials[usize::from(special)].ahead(t, formation)
    {
        out.push(Do::Brigade(rules(t).brigades[usize::from(brigade)].token));
        out.push(Do::Done);
    }
    if let Frame::Open(side) = *frame {
        for (number, formation) in rules(t).formations.iter().enumerate() {
            if formation.side == side && in_cup(t, number) > 0 {
                out.push(Do::Marker(formation.token));
            }
        }
    }
    if let Frame::Interrupt(_, formation) = *frame {
        let token = rules(t).formations[usize::from(formation)].token;
        out.push(Do::Marker(token));
        out.push(Do::Done);
    }
}

/// Carries out an answer.
pub fn take(t: &mut Table, frame: Frame, answer: Do) -> Answer {
    let formation = |t: &Table, token| {
        let found = rules(t).formations.iter().position(|f| f.token == token);
        found.map(|found| found as u16).ok_or_else(not_asked)
    };
    pop(t);
    match (frame, answer) {
        (Frame::Open(_) | Frame::Interrupt(..), Do::Marker(token)) => {
            let formation = formation(t, token)?;
            play(t, formation);
        }
        (Frame::Ahead(special, before), Do::Brigade(_)) => {
            let rule = &rules(t).specials[usize::from(special)];
            let (_, formation, _) = rule.ahead(t, before).ok_or_else(not_asked)?;
            crate::special::goes_ahead(t, usize::from(special));
            activation::begin(t, formation);
        }
        (Frame::Ahead(..), Do::Done) => {}
        (Frame::Favour(_), Do::Favour(token)) => {
            let formation = formation(t, token)?;
            t.res_mut::<Cup>().favoured.push(formation);
            t.say(|t| {
                let name = &rules(t).formations[usize::from(formation)].name;
                let text = format!("{name} has a marker more");
                Event::new("favour", rule!("4.42"), text)
            });
        }
        (Frame::Favour(_) | Frame::Interrupt(..), Do::Done) => {}
        _ => return Err(not_asked()),
    }
    Ok(())
}

/// A question in words.
#[must_use]
pub fn prompt(_: &Table, frame: &Frame) -> String {
    match frame {
        Frame::Ahead(..) => "Does a brigade come on before that?".into(),
        Frame::Favour(_) => "Which division does the army commander push on?".into(),
        Frame::Interrupt(..) => "Do those whose markers you withhold act now?".into(),
        _ => "Which of your markers is played first?".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_marker_has_a_name_that_tells_its_kind() {
        let names = named([2, 0, 3].into_iter());
        assert_eq!(names, [0, 1, 128, 129, 130]);
        let kinds: Vec<u16> = names.iter().map(|name| name / COPIES).collect();
        assert_eq!(kinds, [0, 0, 2, 2, 2]);
    }
}
