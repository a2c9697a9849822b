//! The stack of frames: what is under way and who is asked.
//!
//! Each module answers for the frames it owns; this one only says which. The phases of the sequence
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
    Step, Table,
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
            Frame::Deploy(_) | Frame::Shift(_) => office!(deploy),
            Frame::Muster(..) | Frame::Mark => const { &Office::silent(command::go) },
            Frame::Attach(_) => office!(attach, why_not),
            Frame::Orders(_) => office!(orders, why_not),
            Frame::Dig(_) => office!(breastworks, why_not),
            Frame::Favour(_)
            | Frame::Fill
            | Frame::Open(_)
            | Frame::Interrupt(..)
            | Frame::Draw
            | Frame::Held(_)
            | Frame::Ahead(..) => office!(cup),
            Frame::Brigades | Frame::Posture(..) | Frame::Units(_) | Frame::Over => {
                office!(activation, why_not)
            }
            Frame::Act(..) | Frame::Walk(..) | Frame::Face(..) | Frame::Arrived(_) => {
                office!(maneuver, why_not)
            }
            Frame::React(_) | Frame::Withdraw(..) | Frame::Retire(..) => {
                office!(reaction, why_not)
            }
            Frame::Approach
            | Frame::Declare
            | Frame::Aim(_)
            | Frame::Return
            | Frame::Answer(_)
            | Frame::Resolve => office!(fire, why_not),
            Frame::Suffer(..) | Frame::Pays(..) | Frame::Recoil(..) => office!(cohesion),
            Frame::Retreat(..) => office!(retreat, why_not),
            Frame::Hold(_) | Frame::Advance | Frame::AdvanceTo(_) => {
                office!(close, why_not)
            }
            Frame::Attrition | Frame::Rout(_) => office!(rout),
            Frame::Commanders(_) | Frame::Replace(_) => office!(leaders),
            Frame::Routed(_) | Frame::Recover(_) | Frame::ComeBack(_) => office!(recovery),
            Frame::Rule(..) => office!(special),
        }
    }

    fn settle(t: &mut Table) {
        crate::extended::sync(t);
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

/// The frame on top.
#[must_use]
pub fn top(t: &Table) -> Option<Frame> {
    Stack::top(t)
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
        Stack::enter(t, self.begin)
    }

    fn next(&self, t: &mut Table) -> Result<Step, Fault> {
        Stack::next(t)
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

    /// A brigade is found on the map by its units; where somebody begins is asked of somebody.
    fn touches(&self, t: &Table, _: Ask, act: Act) -> Vec<Arg> {
        let named = act.args.into_iter().filter(|arg| *arg != Arg::None);
        if let Some((frame, Do::Place(_))) = Stack::answered(t, act) {
            let placed = deploy::placed(t, &frame).map(Arg::Unit);
            return placed.into_iter().chain(named).collect();
        }
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
        Stack::answered(t, act)
            .and_then(|(frame, answer)| maneuver::outlook(t, &frame, answer))
            .unwrap_or_default()
    }

    fn promise(&self, t: &Table, _: Ask, act: Act) -> Option<Promise> {
        let (frame, answer) = Stack::answered(t, act)?;
        promise::promise(t, &frame, answer)
    }

    fn fight(&self, t: &Table, _: Ask, act: Act) -> Option<(Arc<dyn Combat>, Fight)> {
        let (frame, answer) = Stack::answered(t, act)?;
        let fight = salvo::leads_to(t, &frame, answer)?;
        Some((t.combat("fire").ok()?, fight))
    }
}
