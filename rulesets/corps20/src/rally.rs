//! §8.2 Rally: broken units return, as themselves or as cadres, or are lost for good.
//!
//! Two phases rally: the Morale Phase of a night, and the Event Phase after To the Colors. They share
//! the answers declared here.

use crate::field::{can_pay, change_morale, label, name, on_map, ratings, rules, unit_in};
use crate::leaders;
use crate::reinforce;
use crate::rules::Kind;
use crate::state::{Rally, Status, boxes};
use cupola_kernel::{
    Event, HexId, Options, Place, Refusal, Side, Table, TokenId, UnitId, acts, rule,
};

acts! {
    /// Answers in the Event Phase and the Morale Phase.
    pub enum Do {
        /// Shoot the commander of this enemy unit (Commander Shot).
        Shoot(unit: UnitId) = "shoot",
        /// Halt this enemy corps (Command Conflict).
        Corps(corps: TokenId) = "halt",
        /// Roll for this broken unit.
        Try(unit: UnitId) = "rally",
        /// Spend a morale point to subtract 1 from every roll.
        Spend = "spend",
        /// Return it here.
        Put(unit: UnitId, hex: HexId) = "place",
        /// Return it as a cadre.
        Cadre(unit: UnitId) = "cadre",
        /// Leave it broken.
        Leave(unit: UnitId) = "leave",
        /// No, or no more.
        Done = "done",
        /// A leader steps out of danger (§9.1).
        Step(leader: UnitId, hex: HexId) = "step",
    }
}

/// The broken units of a side that have not been tried.
fn candidates(t: &Table, side: Side) -> impl Iterator<Item = UnitId> + '_ {
    let tried = &t.res::<Rally>().tried;
    let own = move |unit: &UnitId| rules(t).card(*unit).side == side;
    t.stacks()
        .boxed(boxes::BROKEN)
        .filter(own)
        .filter(|unit| !tried.contains(unit))
}

/// Opens rallying.
pub fn open(t: &mut Table) {
    *t.res_mut::<Rally>() = Rally {
        open: true,
        ..Rally::default()
    };
}

/// What rallying asks next, if anything; plays on where nothing is to decide.
pub fn question(t: &mut Table, side: Side) -> Option<&'static str> {
    loop {
        let rally = t.res::<Rally>();
        if let Some(&unit) = rally.placing.first() {
            if hexes(t, side).next().is_some() {
                return Some("place");
            }
            // §8.2 No room: the unit waits on the turn track.
            t.res_mut::<Rally>().placing.remove(0);
            reinforce::tire_afresh(t, unit);
            reinforce::queue_at_communications(t, unit);
            t.say(|t| {
                Event::new(
                    "rally",
                    rule!("8.2"),
                    format!("{} returns next round", name(t, unit)),
                )
                .unit(unit)
            });
            continue;
        }
        if rally.cadre.is_some() {
            return Some("cadre");
        }
        if !rally.open || candidates(t, side).next().is_none() {
            return None;
        }
        if rally.spent.is_none() {
            if can_pay(t, side) {
                return Some("rally-morale");
            }
            t.res_mut::<Rally>().spent = Some(false);
        }
        return Some("rally");
    }
}

/// Where a rallied unit may return: a free line of communications, or a free town that is safe (§8.2).
fn hexes(t: &Table, side: Side) -> impl Iterator<Item = HexId> + '_ {
    let free = |hex: &HexId| unit_in(t, *hex).is_none();
    let lines = rules(t).communications.hexes[side].iter().copied();
    let towns = rules(t).towns.iter().copied();
    lines
        .chain(towns.filter(move |&town| safe_town(t, side, town)))
        .filter(free)
}

/// Whether a town is at least four hexes from every enemy unit, and nearer to the line of communications
/// that is nearest to it than any of them (§8.2).
fn safe_town(t: &Table, side: Side, town: HexId) -> bool {
    let away = |line: usize, hex| rules(t).home(side, line, hex);
    let lines = 0..rules(t).communications.hexes[side].len();
    let nearest = lines.clone().map(|line| away(line, town)).min();
    let mut own = lines.filter(|&line| Some(away(line, town)) == nearest);
    let far = |&(_, enemy): &(UnitId, HexId)| t.board().distance(town, enemy) >= 4;
    let first =
        |line| on_map(t, side.other()).all(|(_, enemy)| away(line, town) < away(line, enemy));
    on_map(t, side.other()).all(|enemy| far(&enemy)) && own.any(first)
}

/// The options of what [`question`] asked.
pub fn options(t: &Table, side: Side, out: &mut Options) {
    let rally = t.res::<Rally>();
    if !rally.placing.is_empty() {
        // §8.2 Where there is not room for all, the owner says who comes back now.
        for &unit in &rally.placing {
            hexes(t, side).for_each(|hex| out.push(Do::Put(unit, hex)));
            out.push(Do::Leave(unit));
        }
    } else if let Some(unit) = rally.cadre {
        out.push(Do::Cadre(unit));
        out.push(Do::Leave(unit));
    } else if rally.spent.is_none() {
        out.push(Do::Spend);
        out.push(Do::Done);
    } else {
        candidates(t, side).for_each(|unit| out.push(Do::Try(unit)));
        out.push(Do::Done);
    }
}

/// Carries out an answer of rallying.
pub fn take(t: &mut Table, side: Side, answer: Do) {
    match answer {
        Do::Spend => {
            change_morale(t, side, -1, rule!("8.2"));
            t.res_mut::<Rally>().spent = Some(true);
        }
        Do::Done => {
            let rally = t.res_mut::<Rally>();
            if rally.spent.is_none() {
                rally.spent = Some(false);
            } else {
                rally.open = false;
            }
        }
        Do::Try(unit) => attempt(t, unit),
        Do::Put(unit, hex) => {
            t.res_mut::<Rally>().placing.retain(|&other| other != unit);
            reinforce::place_tired(t, unit, hex);
            t.say(|t| {
                let text = format!("{} returns at {}", name(t, unit), label(t, hex));
                Event::new("rally", rule!("8.2"), text).unit(unit).hex(hex)
            });
        }
        Do::Cadre(unit) => {
            t.get_mut::<Status>(unit).cadre = true;
            let rally = t.res_mut::<Rally>();
            rally.cadre = None;
            rally.placing.push(unit);
        }
        Do::Leave(unit) => {
            let rally = t.res_mut::<Rally>();
            if rally.placing.contains(&unit) {
                rally.placing.retain(|&other| other != unit);
                // Whole again: only a cadre that is on the map is one (§8.2).
                t.get_mut::<Status>(unit).cadre = false;
            } else {
                rally.cadre = None;
            }
        }
        Do::Step(leader, hex) => leaders::step(t, leader, hex),
        Do::Shoot(_) | Do::Corps(_) => {}
    }
}

fn attempt(t: &mut Table, unit: UnitId) {
    let bonus = i8::from(t.res::<Rally>().spent == Some(true));
    let roll = t.d6("rally", unit);
    let (quality, modified) = (ratings(t, unit).1, roll as i8 - bonus);
    let infantry = rules(t).card(unit).kind == Kind::Infantry;
    let rally = t.res_mut::<Rally>();
    rally.tried.push(unit);
    let outcome = match modified.cmp(&quality) {
        std::cmp::Ordering::Less => {
            rally.placing.push(unit);
            "rallies"
        }
        std::cmp::Ordering::Equal if infantry => {
            rally.cadre = Some(unit);
            "may return as a cadre"
        }
        std::cmp::Ordering::Equal => "stays broken",
        std::cmp::Ordering::Greater => {
            t.place(unit, Place::Box(boxes::ELIMINATED));
            "is lost"
        }
    };
    t.say(|t| {
        let text = format!(
            "{} rolls {roll} against {quality} and {outcome}",
            name(t, unit)
        );
        Event::new("rally", rule!("8.2"), text)
            .unit(unit)
            .number(roll)
    });
}

/// Why an answer of rallying is not offered.
#[must_use]
pub fn why_not(t: &Table, answer: Option<Do>) -> Refusal {
    match answer {
        Some(Do::Try(unit)) if t.stacks().place(unit) != Place::Box(boxes::BROKEN) => {
            Refusal::new(rule!("8.2"), "is not broken")
        }
        Some(Do::Try(_)) => Refusal::new(rule!("8.2"), "has rolled already"),
        Some(Do::Put(_, hex)) if unit_in(t, hex).is_some() => {
            Refusal::new(rule!("5.2"), "the hex holds a unit")
        }
        Some(Do::Put(..)) => Refusal::new(
            rule!("8.2"),
            "units return at communications or in a safe town",
        ),
        Some(Do::Shoot(_)) => Refusal::new(rule!("4"), "is not an enemy unit next to one of yours"),
        Some(Do::Corps(_)) => Refusal::new(rule!("4"), "no corps is to be named now"),
        Some(Do::Cadre(_)) => Refusal::new(
            rule!("8.2"),
            "only infantry that rolls its quality may return as a cadre",
        ),
        Some(Do::Step(..)) => leaders::why_not_step(),
        _ => Refusal::new(rule!("8.2"), "that is not asked now"),
    }
}

/// An answer in words.
#[must_use]
pub fn text(t: &Table, answer: Option<Do>) -> String {
    match answer {
        Some(Do::Shoot(unit)) => format!("shoot the commander of {}", name(t, unit)),
        Some(Do::Corps(corps)) => format!("halt corps {}", corps.0 + 1),
        Some(Do::Try(unit)) => format!(
            "{} tries to rally (needs less than {})",
            name(t, unit),
            ratings(t, unit).1
        ),
        Some(Do::Spend) => "spend 1 morale: all roll with −1".into(),
        Some(Do::Put(unit, hex)) => format!("{} returns at {}", name(t, unit), label(t, hex)),
        Some(Do::Cadre(unit)) => format!("{} returns as a cadre", name(t, unit)),
        Some(Do::Leave(unit)) => format!("leave {} broken", name(t, unit)),
        Some(Do::Done) => "no".into(),
        Some(Do::Step(leader, hex)) => {
            format!("{} steps aside to {}", name(t, leader), label(t, hex))
        }
        None => "?".into(),
    }
}

/// Questions of rallying in words.
#[must_use]
pub fn prompt(question: &str) -> &'static str {
    match question {
        "place" => "Where does the rallied unit return?",
        "cadre" => "Return it as a cadre, or leave it broken?",
        "rally-morale" => "Spend a morale point on rallying?",
        "rally" => "Which broken unit tries to rally?",
        "shoot" => "Which enemy commander is shot?",
        "halt" => "Which enemy corps is halted?",
        "step-aside" => leaders::PROMPT,
        _ => "?",
    }
}
