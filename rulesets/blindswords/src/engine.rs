//! The stack of frames: what is under way, who is asked, and rolls that may be rolled again.
//!
//! Each module answers for the frames it owns; this one only finds the module. The phases of the sequence
//! differ in the frame they begin with and in nothing else.

use crate::acts::{self, Do};
use crate::chits::holds;
use crate::field::{self, Field, rules};
use crate::rules::Happening;
use crate::state::{Frame, Stack};
use crate::{
    assault, chits, command, engage, events, fire, fog, guns, hits, march, promise, rally, turn,
};
use cupola_kernel::{
    About, Act, Acts, Ask, Cite, Combat, Dice, Event, Fault, Fight, Modifier, Needs, Options,
    Outlook, Phase, Preview, Promise, Refusal, Side, Step, Table, rule,
};
use std::sync::Arc;

/// Who is asked what, by which section.
pub type Question = Option<(Side, &'static str, &'static str)>;
/// What comes of an answer.
pub type Answer = Result<(), Fault>;

/// More steps without a question than any turn can have.
const PATIENCE: u32 = 100_000;

/// An answer to a question that was not asked.
#[must_use]
pub fn not_asked() -> Fault {
    Fault::Broken("an answer to a question that is not open".into())
}

/// Puts a frame on top.
pub fn push(t: &mut Table, frame: Frame) {
    t.res_mut::<Stack>().frames.push(frame);
}

/// Takes the frame on top away.
pub fn pop(t: &mut Table) {
    t.res_mut::<Stack>().frames.pop();
}

/// Puts a frame in place of the one on top.
pub fn swap(t: &mut Table, frame: Frame) {
    if let Some(top) = t.res_mut::<Stack>().frames.last_mut() {
        *top = frame;
    }
}

fn top(t: &Table) -> Option<Frame> {
    t.res::<Stack>().frames.last().copied()
}

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

/// The module that answers for a frame.
enum Office {
    Here,
    Fire,
    Hits,
    March,
    Engage,
    Assault,
    Rally,
    Guns,
    Turn,
    Chits,
    Command,
    Fog,
    Events,
}

fn office(frame: &Frame) -> Office {
    match frame {
        Frame::Shown(_) => Office::Here,
        Frame::FireStep(..)
        | Frame::Aim(..)
        | Frame::Volley { .. }
        | Frame::Fire { .. }
        | Frame::Firefight(..) => Office::Fire,
        Frame::Suffer(..)
        | Frame::Flee(..)
        | Frame::Aftermath(..)
        | Frame::Break(..)
        | Frame::Panic(..)
        | Frame::Run(..)
        | Frame::Withdraw(..) => Office::Hits,
        Frame::MoveStep(..) | Frame::Move { .. } => Office::March,
        Frame::Engage(..) => Office::Engage,
        Frame::Declare(..) | Frame::Resolve(..) | Frame::Assault(..) | Frame::Close(..) => {
            Office::Assault
        }
        Frame::Steady(..) | Frame::Rally(..) | Frame::RallyRoll(..) | Frame::Place(..) => {
            Office::Rally
        }
        Frame::Guns(..) | Frame::Battery(..) | Frame::Gun(..) => Office::Guns,
        Frame::Optional(..) | Frame::OptionalRoll(..) | Frame::StandIn => Office::Turn,
        Frame::Select(..)
        | Frame::Draw
        | Frame::Hold(..)
        | Frame::LastHolds(..)
        | Frame::Event(..) => Office::Chits,
        Frame::Command(..)
        | Frame::Formation(..)
        | Frame::Brigades(..)
        | Frame::Orders(..)
        | Frame::Fatigue(..)
        | Frame::FatigueRoll(..)
        | Frame::Stragglers(..)
        | Frame::Activation(..) => Office::Command,
        Frame::Fog | Frame::Chaos(..) | Frame::Wayward(..) | Frame::SharedLine => Office::Fog,
        _ => Office::Events,
    }
}

fn ask(t: &Table, frame: &Frame) -> Question {
    match office(frame) {
        Office::Here => Some((Side::Second, "reroll", "F-1")),
        Office::Fire => fire::ask(t, frame),
        Office::Hits => hits::ask(t, frame),
        Office::March => march::ask(t, frame),
        Office::Engage => engage::ask(t, frame),
        Office::Assault => assault::ask(t, frame),
        Office::Rally => rally::ask(t, frame),
        Office::Guns => guns::ask(t, frame),
        Office::Turn => turn::ask(t, frame),
        Office::Chits => chits::ask(t, frame),
        Office::Command => command::ask(t, frame),
        Office::Fog => fog::ask(t, frame),
        Office::Events => events::ask(t, frame),
    }
}

fn go(t: &mut Table, frame: Frame) -> Answer {
    match office(&frame) {
        Office::Here | Office::Engage => {
            pop(t);
            Ok(())
        }
        Office::Fire => fire::go(t, frame),
        Office::Hits => hits::go(t, frame),
        Office::March => march::go(t, frame),
        Office::Assault => assault::go(t, frame),
        Office::Rally => rally::go(t, frame),
        Office::Guns => guns::go(t, frame),
        Office::Turn => turn::go(t, frame),
        Office::Chits => chits::go(t, frame),
        Office::Command => command::go(t, frame),
        Office::Fog => fog::go(t, frame),
        Office::Events => events::go(t, frame),
    }
}

fn options(t: &Table, frame: &Frame, out: &mut Options) {
    match office(frame) {
        Office::Here => shown_options(t, frame, out),
        Office::Fire => fire::options(t, frame, out),
        Office::Hits => hits::options(t, frame, out),
        Office::March => march::options(t, frame, out),
        Office::Engage => engage::options(t, frame, out),
        Office::Assault => assault::options(t, frame, out),
        Office::Rally => rally::options(t, frame, out),
        Office::Guns => guns::options(t, frame, out),
        Office::Turn => turn::options(t, frame, out),
        Office::Chits => chits::options(t, frame, out),
        Office::Command => command::options(t, frame, out),
        Office::Fog => fog::options(t, frame, out),
        Office::Events => events::options(t, frame, out),
    }
}

/// The chit that has a roll made again, if the Confederates hold it (§Veterans).
fn shown_options(t: &Table, frame: &Frame, out: &mut Options) {
    let Frame::Shown(rolls) = *frame else { return };
    if chits::held(t, Side::Second, Happening::Veterans).is_some() {
        (1..=i16::from(rolls)).for_each(|which| out.push(Do::Reroll(which)));
    }
    out.push(Do::Done);
}

/// A roll is made again, or stands (§Veterans).
fn shown_take(t: &mut Table, frame: Frame, answer: Do) -> Answer {
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

fn take(t: &mut Table, frame: Frame, answer: Do) -> Answer {
    match office(&frame) {
        Office::Here => shown_take(t, frame, answer),
        Office::Fire => fire::take(t, frame, answer),
        Office::Hits => hits::take(t, frame, answer),
        Office::March => march::take(t, frame, answer),
        Office::Engage => engage::take(t, frame, answer),
        Office::Assault => assault::take(t, frame, answer),
        Office::Rally => rally::take(t, frame, answer),
        Office::Guns => guns::take(t, frame, answer),
        Office::Turn => turn::take(t, frame, answer),
        Office::Chits => chits::take(t, frame, answer),
        Office::Command => command::take(t, frame, answer),
        Office::Fog => fog::take(t, frame, answer),
        Office::Events => events::take(t, frame, answer),
    }
}

fn why_not(t: &Table, frame: &Frame, answer: Do) -> Option<Refusal> {
    match office(frame) {
        Office::Fire => fire::why_not(t, frame, answer),
        Office::Hits => hits::why_not(t, frame, answer),
        Office::March => march::why_not(t, frame, answer),
        Office::Assault => assault::why_not(t, frame, answer),
        _ => None,
    }
}

fn prompt(t: &Table, frame: &Frame) -> String {
    match office(frame) {
        Office::Here => shown_prompt(t),
        Office::Fire => fire::prompt(t, frame),
        Office::Hits => hits::prompt(t, frame),
        Office::March => march::prompt(t, frame),
        Office::Engage => engage::prompt(t, frame),
        Office::Assault => assault::prompt(t, frame),
        Office::Rally => rally::prompt(t, frame),
        Office::Guns => guns::prompt(t, frame),
        Office::Turn => turn::prompt(t, frame),
        Office::Chits => chits::prompt(t, frame),
        Office::Command => command::prompt(t, frame),
        Office::Fog => fog::prompt(t, frame),
        Office::Events => events::prompt(t, frame),
    }
}

fn shown_prompt(t: &Table) -> String {
    let dice = t.res::<Stack>().dice.unwrap_or_default();
    let shown = dice.iter().filter(|die| **die > 0);
    let faces: Vec<String> = shown.map(u8::to_string).collect();
    format!("The dice show {}. Do they stand?", faces.join(" "))
}

fn fight(t: &Table, frame: &Frame, answer: Do) -> Option<(Arc<dyn Combat>, Fight)> {
    if let Some(fight) =
        engage::leads_to(t, frame, answer).or_else(|| fire::leads_to(t, frame, answer))
    {
        return Some((t.combat("fire").ok()?, fight));
    }
    let fight =
        assault::leads_to(t, frame, answer).or_else(|| events::leads_to(t, frame, answer))?;
    Some((t.combat("assault").ok()?, fight))
}

/// The fight that an answer may come to, where more is chosen before it is fought, by its system and section.
fn foreseen(t: &Table, frame: &Frame, answer: Do) -> Option<(Arc<dyn Combat>, Fight, Cite)> {
    if let Some(fight) = fire::foreseen(t, frame, answer) {
        return Some((t.combat("fire").ok()?, fight, rule!("I")));
    }
    let fight = events::foreseen(t, frame, answer)?;
    Some((t.combat("assault").ok()?, fight, rule!("K")))
}

/// What would come of an answer: of the fight it leads to, or of the one it may come to, which is named.
fn preview(t: &Table, frame: &Frame, answer: Do) -> Option<Preview> {
    if let Some((combat, fight)) = fight(t, frame, answer) {
        return Preview::of(&*combat, t, &fight).ok();
    }
    let (combat, fight, rule) = foreseen(t, frame, answer)?;
    let mut preview = Preview::of(&*combat, t, &fight).ok()?;
    let label = format!("against {}", field::label(t, fight.hex?)).into();
    let value = 0;
    preview
        .modifiers
        .0
        .insert(0, Modifier { rule, label, value });
    Some(preview)
}

/// Plays on until somebody is asked or the stack is empty.
pub fn next(t: &mut Table) -> Result<Step, Fault> {
    for _ in 0..PATIENCE {
        let Some(frame) = top(t) else {
            return Ok(Step::Done);
        };
        if let Some((side, question, rule)) = ask(t, &frame) {
            return Ok(Step::ask(side, question, rule));
        }
        go(t, frame)?;
        if t.verdict().is_some() {
            return Ok(Step::Done);
        }
    }
    Err(Fault::Broken(
        "the stack of frames never comes to rest".into(),
    ))
}

/// A phase of the sequence: a name and what it begins with.
pub struct Part {
    /// Its name.
    pub name: &'static str,
    /// Puts the first frame on the stack.
    pub begin: fn(&mut Table) -> Answer,
    /// Called when nothing is left to do.
    pub end: fn(&mut Table),
}

impl Phase for Part {
    fn name(&self) -> &'static str {
        self.name
    }

    fn needs(&self) -> Needs {
        crate::ruleset::needs()
            .once()
            .combat("fire")
            .combat("assault")
    }

    fn verbs(&self) -> &'static [&'static str] {
        Do::VERBS
    }

    fn enter(&self, t: &mut Table) -> Answer {
        // A position may have put frames there already.
        if t.res::<Stack>().frames.is_empty() {
            (self.begin)(t)
        } else {
            Ok(())
        }
    }

    fn next(&self, t: &mut Table) -> Result<Step, Fault> {
        let step = next(t)?;
        if step == Step::Done {
            (self.end)(t);
        }
        Ok(step)
    }

    fn options(&self, t: &Table, _: Ask, out: &mut Options) -> Answer {
        if let Some(frame) = top(t) {
            options(t, &frame, out);
        }
        Ok(())
    }

    fn take(&self, t: &mut Table, _: Ask, act: Act) -> Answer {
        let answer = Do::from_act(act).ok_or_else(not_asked)?;
        take(t, top(t).ok_or_else(not_asked)?, answer)
    }

    fn why_not(&self, t: &Table, _: Ask, act: Act) -> Refusal {
        let Some(frame) = top(t) else {
            return Refusal::new(rule!("B"), "nothing is asked");
        };
        let section = ask(t, &frame).map_or("B", |(_, _, rule)| rule);
        let answer = Do::from_act(act);
        answer
            .and_then(|answer| why_not(t, &frame, answer))
            .unwrap_or_else(|| Refusal::new(Cite::new(section), "is not among the choices here"))
    }

    fn text(&self, t: &Table, _: Ask, act: Act) -> String {
        acts::text(t, act)
    }

    fn prompt(&self, t: &Table, _: Ask) -> String {
        top(t).map_or_else(|| "?".into(), |frame| prompt(t, &frame))
    }

    fn promise(&self, t: &Table, _: Ask, act: Act) -> Option<Promise> {
        promise::promise(Field::new(t), &top(t)?, Do::from_act(act)?)
    }

    fn fight(&self, t: &Table, _: Ask, act: Act) -> Option<(Arc<dyn Combat>, Fight)> {
        fight(t, &top(t)?, Do::from_act(act)?)
    }

    fn preview(&self, t: &Table, _: Ask, act: Act) -> Option<Preview> {
        preview(t, &top(t)?, Do::from_act(act)?)
    }

    fn has_preview(&self, t: &Table, _: Ask, act: Act) -> bool {
        let (Some(frame), Some(answer)) = (top(t), Do::from_act(act)) else {
            return false;
        };
        fire::foresees(&frame, answer)
            || fight(t, &frame, answer).is_some()
            || events::foreseen(t, &frame, answer).is_some()
    }

    fn outlook(&self, t: &Table, _: Ask, act: Act) -> Outlook {
        let (frame, answer) = (top(t), Do::from_act(act));
        let found = frame.zip(answer);
        let found = found.and_then(|(frame, answer)| march::outlook(t, &frame, answer));
        found.unwrap_or_default()
    }
}

/// The side's own name.
#[must_use]
pub fn side_name(t: &Table, side: Side) -> &str {
    &t.env().sides[side].name
}

/// The event of a chit, for texts.
#[must_use]
pub fn chit_name(t: &Table, chit: cupola_cup::Chit) -> &str {
    &rules(t).chit(chit).name
}
