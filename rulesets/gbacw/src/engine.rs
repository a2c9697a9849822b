//! The stack of frames: what is under way and who is asked.
//!
//! Each module answers for the frames it owns; this one only finds the module. The phases of the sequence
//! differ in the frames they begin with and in nothing else.

use crate::acts::{self, Do};
use crate::field::rules;
use crate::state::{Frame, Stack};
use crate::{
    activation, attach, breastworks, close, cohesion, command, cup, deploy, fire, leaders,
    maneuver, orders, promise, reaction, recovery, retreat, rout, salvo, special,
};
use cupola_kernel::{
    Act, Acts, Arg, Ask, Combat, Fault, Fight, Needs, Options, Outlook, Phase, Promise, Refusal,
    Side, Step, Table, rule,
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

/// The frame on top.
#[must_use]
pub fn top(t: &Table) -> Option<Frame> {
    t.res::<Stack>().frames.last().copied()
}

/// The module that answers for a frame.
#[derive(Clone, Copy)]
enum Office {
    Deploy,
    Command,
    Attach,
    Orders,
    Works,
    Cup,
    Activation,
    Movement,
    Reaction,
    Fire,
    Cohesion,
    Retreat,
    Close,
    Rout,
    Leaders,
    Recovery,
    Rule,
}

fn office(frame: &Frame) -> Office {
    match frame {
        Frame::Deploy(_) | Frame::Shift(_) => Office::Deploy,
        Frame::Muster(..) | Frame::Mark => Office::Command,
        Frame::Attach(_) => Office::Attach,
        Frame::Orders(_) => Office::Orders,
        Frame::Dig(_) => Office::Works,
        Frame::Favour(_)
        | Frame::Fill
        | Frame::Open(_)
        | Frame::Interrupt(..)
        | Frame::Draw
        | Frame::Held(_)
        | Frame::Ahead(..) => Office::Cup,
        Frame::Brigades | Frame::Posture(..) | Frame::Units(_) | Frame::Over => Office::Activation,
        Frame::Act(..) | Frame::Walk(..) | Frame::Face(..) | Frame::Arrived(_) => Office::Movement,
        Frame::React(_) | Frame::Withdraw(..) | Frame::Retire(..) => Office::Reaction,
        Frame::Approach
        | Frame::Declare
        | Frame::Aim(_)
        | Frame::Return
        | Frame::Answer(_)
        | Frame::Resolve => Office::Fire,
        Frame::Suffer(..) | Frame::Pays(..) | Frame::Recoil(..) => Office::Cohesion,
        Frame::Retreat(..) => Office::Retreat,
        Frame::Hold(_) | Frame::Advance | Frame::AdvanceTo(_) => Office::Close,
        Frame::Attrition | Frame::Rout(_) => Office::Rout,
        Frame::Commanders(_) | Frame::Replace(_) => Office::Leaders,
        Frame::Routed(_) | Frame::Recover(_) | Frame::ComeBack(_) => Office::Recovery,
        Frame::Rule(..) => Office::Rule,
    }
}

fn ask(t: &Table, frame: &Frame) -> Question {
    match office(frame) {
        Office::Deploy => deploy::ask(t, frame),
        Office::Command => None,
        Office::Attach => attach::ask(t, frame),
        Office::Orders => orders::ask(t, frame),
        Office::Works => breastworks::ask(t, frame),
        Office::Cup => cup::ask(t, frame),
        Office::Activation => activation::ask(t, frame),
        Office::Movement => maneuver::ask(t, frame),
        Office::Reaction => reaction::ask(t, frame),
        Office::Fire => fire::ask(t, frame),
        Office::Cohesion => cohesion::ask(t, frame),
        Office::Retreat => retreat::ask(t, frame),
        Office::Close => close::ask(t, frame),
        Office::Rout => rout::ask(t, frame),
        Office::Leaders => leaders::ask(t, frame),
        Office::Recovery => recovery::ask(t, frame),
        Office::Rule => special::ask(t, frame),
    }
}

fn go(t: &mut Table, frame: Frame) -> Answer {
    match office(&frame) {
        Office::Cup => cup::go(t, frame),
        Office::Activation => activation::go(t, frame),
        Office::Movement => maneuver::go(t, frame),
        Office::Fire => fire::go(t, frame),
        Office::Cohesion => cohesion::go(t, frame),
        Office::Retreat => retreat::go(t, frame),
        Office::Close => close::go(t, frame),
        Office::Rout => rout::go(t, frame),
        Office::Recovery => recovery::go(t, frame),
        Office::Rule => special::go(t, frame),
        Office::Deploy => deploy::go(t, frame),
        Office::Command => command::go(t, frame),
        Office::Reaction => reaction::go(t, frame),
        Office::Leaders => leaders::go(t, frame),
        Office::Attach | Office::Orders | Office::Works => {
            pop(t);
            Ok(())
        }
    }
}

fn options(t: &Table, frame: &Frame, out: &mut Options) {
    match office(frame) {
        Office::Deploy => deploy::options(t, frame, out),
        Office::Command => {}
        Office::Attach => attach::options(t, frame, out),
        Office::Orders => orders::options(t, frame, out),
        Office::Works => breastworks::options(t, frame, out),
        Office::Cup => cup::options(t, frame, out),
        Office::Activation => activation::options(t, frame, out),
        Office::Movement => maneuver::options(t, frame, out),
        Office::Reaction => reaction::options(t, frame, out),
        Office::Fire => fire::options(t, frame, out),
        Office::Cohesion => cohesion::options(t, frame, out),
        Office::Retreat => retreat::options(t, frame, out),
        Office::Close => close::options(t, frame, out),
        Office::Rout => rout::options(t, frame, out),
        Office::Leaders => leaders::options(t, frame, out),
        Office::Recovery => recovery::options(t, frame, out),
        Office::Rule => special::options(t, frame, out),
    }
}

fn take(t: &mut Table, frame: Frame, answer: Do) -> Answer {
    match office(&frame) {
        Office::Deploy => deploy::take(t, frame, answer),
        Office::Command => Err(not_asked()),
        Office::Attach => attach::take(t, frame, answer),
        Office::Orders => orders::take(t, frame, answer),
        Office::Works => breastworks::take(t, frame, answer),
        Office::Cup => cup::take(t, frame, answer),
        Office::Activation => activation::take(t, frame, answer),
        Office::Movement => maneuver::take(t, frame, answer),
        Office::Reaction => reaction::take(t, frame, answer),
        Office::Fire => fire::take(t, frame, answer),
        Office::Cohesion => cohesion::take(t, frame, answer),
        Office::Retreat => retreat::take(t, frame, answer),
        Office::Close => close::take(t, frame, answer),
        Office::Rout => rout::take(t, frame, answer),
        Office::Leaders => leaders::take(t, frame, answer),
        Office::Recovery => recovery::take(t, frame, answer),
        Office::Rule => special::take(t, frame, answer),
    }
}

fn prompt(t: &Table, frame: &Frame) -> String {
    match office(frame) {
        Office::Deploy => deploy::prompt(t, frame),
        Office::Command => "?".into(),
        Office::Attach => attach::prompt(t, frame),
        Office::Orders => orders::prompt(t, frame),
        Office::Works => breastworks::prompt(t, frame),
        Office::Cup => cup::prompt(t, frame),
        Office::Activation => activation::prompt(t, frame),
        Office::Movement => maneuver::prompt(t, frame),
        Office::Reaction => reaction::prompt(t, frame),
        Office::Fire => fire::prompt(t, frame),
        Office::Cohesion => cohesion::prompt(t, frame),
        Office::Retreat => retreat::prompt(t, frame),
        Office::Close => close::prompt(t, frame),
        Office::Rout => rout::prompt(t, frame),
        Office::Leaders => leaders::prompt(t, frame),
        Office::Recovery => recovery::prompt(t, frame),
        Office::Rule => special::prompt(t, frame),
    }
}

fn why_not(t: &Table, frame: &Frame, answer: Do) -> Option<Refusal> {
    match office(frame) {
        Office::Activation => activation::why_not(t, frame, answer),
        Office::Movement => maneuver::why_not(t, frame, answer),
        Office::Attach => attach::why_not(t, answer),
        Office::Orders => orders::why_not(t, answer),
        Office::Fire => fire::why_not(t, frame, answer),
        Office::Retreat => retreat::why_not(t, frame, answer),
        _ => None,
    }
}

/// Plays on until somebody is asked or the stack is empty.
fn next(t: &mut Table) -> Result<Step, Fault> {
    for _ in 0..PATIENCE {
        let Some(frame) = top(t) else {
            return Ok(Step::Done);
        };
        if let Some((side, question, rule)) = ask(t, &frame) {
            return Ok(Step::ask(side, question, rule));
        }
        go(t, frame)?;
        crate::extended::sync(t);
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
    /// Puts the first frames on the stack.
    pub begin: fn(&mut Table) -> Answer,
}

impl Phase for Part {
    fn name(&self) -> &'static str {
        self.name
    }

    fn verbs(&self) -> &'static [&'static str] {
        Do::VERBS
    }

    fn needs(&self) -> Needs {
        crate::ruleset::needs()
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
        next(t)
    }

    fn options(&self, t: &Table, _: Ask, out: &mut Options) -> Answer {
        if let Some(frame) = top(t) {
            options(t, &frame, out);
        }
        Ok(())
    }

    fn take(&self, t: &mut Table, _: Ask, act: Act) -> Answer {
        let answer = Do::from_act(act).ok_or_else(not_asked)?;
        take(t, top(t).ok_or_else(not_asked)?, answer)?;
        crate::extended::sync(t);
        Ok(())
    }

    fn why_not(&self, t: &Table, ask: Ask, act: Act) -> Refusal {
        let Some(frame) = top(t) else {
            return Refusal::new(rule!("3.0"), "nothing is asked");
        };
        let answer = Do::from_act(act);
        answer
            .and_then(|answer| why_not(t, &frame, answer))
            .unwrap_or_else(|| Refusal::new(ask.cite(), "is not among the choices here"))
    }

    fn text(&self, t: &Table, _: Ask, act: Act) -> String {
        acts::text(t, act)
    }

    fn prompt(&self, t: &Table, _: Ask) -> String {
        top(t).map_or_else(|| "?".into(), |frame| prompt(t, &frame))
    }

    /// A brigade is found on the map by its units.
    fn touches(&self, t: &Table, _: Ask, act: Act) -> Vec<Arg> {
        let named = act.args.into_iter().filter(|arg| *arg != Arg::None);
        let brigade = match Do::from_act(act) {
            Some(Do::Brigade(token)) => {
                let all = rules(t).brigades.iter();
                all.filter(|brigade| brigade.token == token)
                    .flat_map(|brigade| &brigade.units)
                    .map(|unit| Arg::Unit(*unit))
                    .collect()
            }
            _ => vec![],
        };
        named.chain(brigade).collect()
    }

    fn outlook(&self, t: &Table, _: Ask, act: Act) -> Outlook {
        let looked = top(t).zip(Do::from_act(act));
        looked
            .and_then(|(frame, answer)| maneuver::outlook(t, &frame, answer))
            .unwrap_or_default()
    }

    fn promise(&self, t: &Table, _: Ask, act: Act) -> Option<Promise> {
        promise::promise(t, &top(t)?, Do::from_act(act)?)
    }

    fn fight(&self, t: &Table, _: Ask, act: Act) -> Option<(Arc<dyn Combat>, Fight)> {
        let fight = salvo::leads_to(t, &top(t)?, Do::from_act(act)?)?;
        Some((t.combat("fire").ok()?, fight))
    }
}
