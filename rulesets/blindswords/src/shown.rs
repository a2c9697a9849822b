//! Rolls that lie on the table and may be rolled again (§F-1).

use crate::acts::Do;
use crate::chits::{self, holds};
use crate::engine::{Answer, Question, not_asked, pop};
use crate::rules::Happening;
use crate::state::{Frame, Stack};
use cupola_kernel::{About, Dice, Event, Fault, Fight, Options, Side, Table, rule};

/// Whether a roll is shown before it stands: the Confederates hold something, and it might be the chit
/// that has it rolled again. Asking only the holder of that chit would tell who holds it.
fn objection(t: &Table) -> bool {
    holds(t, Side::Second)
}

/// Rolls dice for the frame on top; none while they lie on the table and may be rolled again.
pub fn roll(
    t: &mut Table,
    count: usize,
    purpose: &'static str,
    about: impl Into<About>,
) -> Option<[u8; 4]> {
    let stack = t.res_mut::<Stack>();
    if let Some(dice) = stack.dice.take() {
        return Some(dice);
    }
    let again = stack.again.take().is_some();
    stack.forced = again;
    let about = about.into();
    let mut dice = [0; 4];
    for die in &mut dice[..count] {
        *die = t.d6(purpose, about);
    }
    if again || !objection(t) {
        return Some(dice);
    }
    let stack = t.res_mut::<Stack>();
    stack.dice = Some(dice);
    stack.frames.push(Frame::Shown(1));
    None
}

/// Dice that keep some of an earlier roll, and note what they show.
struct Kept<'a> {
    inner: &'a mut dyn Dice,
    values: [u8; 4],
    keep: u8,
    next: usize,
}

impl Dice for Kept<'_> {
    fn roll(&mut self, sides: u16, purpose: &'static str, about: About) -> u16 {
        let at = self.next.min(3);
        self.next += 1;
        if self.keep >> at & 1 == 0 {
            self.values[at] = self.inner.roll(sides, purpose, about) as u8;
        }
        u16::from(self.values[at])
    }
}

/// Fights a fight for the frame on top by the system of its role; none while the dice may be rolled again.
///
/// # Errors
/// If the system fails.
pub fn fought(
    t: &mut Table,
    role: &str,
    fight: &Fight,
    rolls: u8,
) -> Result<Option<(u16, Vec<i16>)>, Fault> {
    let stack = t.res_mut::<Stack>();
    if stack.outcome.is_some() && stack.again.is_none() {
        stack.dice = None;
        return Ok(stack.outcome.take());
    }
    let again = stack.again.take();
    let (values, keep) = (stack.dice.take().unwrap_or_default(), again.unwrap_or(0));
    stack.outcome = None;
    let combat = t.combat(role)?;
    // Dice that are rolled again are not another fight.
    if again.is_none() {
        t.fought(fight);
    }
    let (outcome, values) = t.with_dice(|t, dice| {
        let mut kept = Kept {
            inner: dice,
            values,
            keep,
            next: 0,
        };
        (combat.resolve(t, fight, &mut kept), kept.values)
    });
    let outcome = outcome?;
    match role {
        // A cell of the matrix.
        "assault" => outcome.among(&*combat, crate::melee::CELLS).map(drop)?,
        // An effect for everybody who is fired at.
        _ if outcome.details.len() != fight.defenders.len() => {
            let (found, wanted) = (outcome.details.len(), fight.defenders.len());
            let name = combat.name();
            let message =
                format!("{name} gives {found} results, expected one for each of {wanted}");
            return Err(Fault::Broken(message));
        }
        _ => {}
    }
    let found = (outcome.code, outcome.details);
    if again.is_some() || !objection(t) {
        return Ok(Some(found));
    }
    let stack = t.res_mut::<Stack>();
    (stack.dice, stack.outcome) = (Some(values), Some(found));
    stack.frames.push(Frame::Shown(rolls));
    Ok(None)
}

/// The question whether they stand.
pub fn ask(_: &Table, _: &Frame) -> Question {
    Some((Side::Second, "reroll", "F-1"))
}

/// Somebody is always asked.
pub fn go(t: &mut Table, _: Frame) -> Answer {
    pop(t);
    Ok(())
}

/// The chit that has a roll made again, if the Confederates hold it (§Veterans).
pub fn options(t: &Table, frame: &Frame, out: &mut Options) {
    let Frame::Shown(rolls) = *frame else { return };
    if chits::held(t, Side::Second, Happening::Veterans).is_some() {
        (1..=i16::from(rolls)).for_each(|which| out.push(Do::Reroll(which)));
    }
    out.push(Do::Done);
}

/// A roll is made again, or stands (§Veterans).
pub fn take(t: &mut Table, frame: Frame, answer: Do) -> Answer {
    let Frame::Shown(rolls) = frame else {
        return Err(not_asked());
    };
    pop(t);
    if let Do::Reroll(which) = answer {
        let chit = chits::held(t, Side::Second, Happening::Veterans).ok_or_else(not_asked)?;
        chits::discard(t, chit);
        t.say(|_| {
            Event::new(
                "reroll",
                rule!("F-1"),
                "A.N.V. Veterans: the dice are rolled again",
            )
        });
        let stack = t.res_mut::<Stack>();
        // Two rolls lie on the table in an assault: the other one is kept.
        stack.again = Some(match (rolls, which) {
            (1, _) => 0,
            (_, 1) => 0b1100,
            _ => 0b0011,
        });
        if rolls == 1 {
            stack.dice = None;
        }
    }
    Ok(())
}

/// The question in words.
pub fn prompt(t: &Table, _: &Frame) -> String {
    let dice = t.res::<Stack>().dice.unwrap_or_default();
    let shown = dice.iter().filter(|die| **die > 0);
    let faces: Vec<String> = shown.map(u8::to_string).collect();
    format!("The dice show {}. Do they stand?", faces.join(" "))
}
