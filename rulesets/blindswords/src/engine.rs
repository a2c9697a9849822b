//! The stack of frames: what is under way and who is asked.
//!
//! Each module answers for the frames it owns; this one only says which. The phases of the sequence
//! differ in the frame they begin with and in nothing else.

use crate::acts::{self, Do};
use crate::field::{self, Field, rules};
use crate::state::{Frame, Stack};
use crate::units::Units;
use crate::{
    assault, chits, command, engage, events, fire, fog, guns, hits, march, promise, rally, shown,
    turn,
};
use cupola_kernel::{
    Act, Acts, Arg, Ask, Cite, Combat, Fault, Fight, Modifier, Needs, Options, Outlook, Phase,
    Preview, Promise, Refusal, Side, Step, Table, rule,
};
pub use cupola_kit::{Answer, Question, not_asked};
use cupola_kit::{Frames, Office, office};
use std::sync::Arc;

impl Frames for Stack {
    type Frame = Frame;
    type Answer = Do;

    fn frames(&self) -> &[Frame] {
        &self.frames
    }

    fn frames_mut(&mut self) -> &mut Vec<Frame> {
        &mut self.frames
    }

    fn office(frame: &Frame) -> &'static Office<Frame, Do> {
        match frame {
            Frame::Shown(_) => office!(shown),
            Frame::FireStep(..)
            | Frame::Aim(..)
            | Frame::Volley { .. }
            | Frame::Fire { .. }
            | Frame::Firefight(..) => office!(fire, why_not),
            Frame::Suffer(..)
            | Frame::Flee(..)
            | Frame::Aftermath(..)
            | Frame::Break(..)
            | Frame::Panic(..)
            | Frame::Run(..)
            | Frame::Withdraw(..) => office!(hits, why_not),
            Frame::MoveStep(..) | Frame::Move { .. } => office!(march, why_not),
            Frame::Engage(..) => office!(engage),
            Frame::Declare(..) | Frame::Resolve(..) | Frame::Assault(..) | Frame::Close(..) => {
                office!(assault, why_not)
            }
            Frame::Steady(..) | Frame::Rally(..) | Frame::RallyRoll(..) | Frame::Place(..) => {
                office!(rally)
            }
            Frame::Guns(..) | Frame::Battery(..) | Frame::Gun(..) => office!(guns, why_not),
            Frame::Optional(..) | Frame::OptionalRoll(..) | Frame::StandIn => office!(turn),
            Frame::Select(..)
            | Frame::Draw
            | Frame::Hold(..)
            | Frame::LastHolds(..)
            | Frame::Event(..) => office!(chits),
            Frame::Command(..)
            | Frame::Formation(..)
            | Frame::Brigades(..)
            | Frame::Orders(..)
            | Frame::Fatigue(..)
            | Frame::FatigueRoll(..)
            | Frame::Stragglers(..)
            | Frame::Activation(..) => office!(command),
            Frame::Fog | Frame::Chaos(..) | Frame::Wayward(..) | Frame::SharedLine => office!(fog),
            _ => office!(events, why_not),
        }
    }
}

/// Puts a frame on top.
pub fn push(t: &mut Table, frame: Frame) {
    Stack::push(t, frame);
}

/// Takes the frame on top away.
pub fn pop(t: &mut Table) {
    Stack::pop(t);
}

/// Puts a frame in place of the one on top.
pub fn swap(t: &mut Table, frame: Frame) {
    Stack::swap(t, frame);
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
        Stack::enter(t, self.begin)
    }

    fn next(&self, t: &mut Table) -> Result<Step, Fault> {
        let step = Stack::next(t)?;
        if step == Step::Done {
            (self.end)(t);
        }
        Ok(step)
    }

    fn options(&self, t: &Table, _: Ask, out: &mut Options) -> Answer {
        Stack::options(t, out);
        Ok(())
    }

    fn take(&self, t: &mut Table, _: Ask, act: Act) -> Answer {
        Stack::take(t, act)
    }

    fn why_not(&self, t: &Table, ask: Ask, act: Act) -> Refusal {
        Stack::why_not(t, ask, act)
    }

    fn text(&self, t: &Table, _: Ask, act: Act) -> String {
        acts::text(t, act)
    }

    fn prompt(&self, t: &Table, _: Ask) -> String {
        Stack::prompt(t)
    }

    /// A formation is found on the map by its units.
    fn touches(&self, t: &Table, _: Ask, act: Act) -> Vec<Arg> {
        let named = act.args.into_iter().filter(|arg| *arg != Arg::None);
        let units = acts::formation(t, act).unwrap_or(Units::NONE);
        named.chain(units.into_iter().map(Arg::Unit)).collect()
    }

    fn promise(&self, t: &Table, _: Ask, act: Act) -> Option<Promise> {
        let (frame, answer) = Stack::answered(t, act)?;
        promise::promise(Field::new(t), &frame, answer)
    }

    fn fight(&self, t: &Table, _: Ask, act: Act) -> Option<(Arc<dyn Combat>, Fight)> {
        let (frame, answer) = Stack::answered(t, act)?;
        fight(t, &frame, answer)
    }

    fn preview(&self, t: &Table, _: Ask, act: Act) -> Option<Preview> {
        let (frame, answer) = Stack::answered(t, act)?;
        preview(t, &frame, answer)
    }

    fn has_preview(&self, t: &Table, _: Ask, act: Act) -> bool {
        Stack::answered(t, act).is_some_and(|(frame, answer)| {
            fire::foresees(&frame, answer)
                || fight(t, &frame, answer).is_some()
                || events::foreseen(t, &frame, answer).is_some()
        })
    }

    fn outlook(&self, t: &Table, _: Ask, act: Act) -> Outlook {
        Stack::answered(t, act)
            .and_then(|(frame, answer)| march::outlook(t, &frame, answer))
            .unwrap_or_default()
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
