//! Rules that interrupt each other: a stack of what is under way.
//!
//! Where a shot can call for a check, the check for a retreat and the retreat for a choice of the other side, each of them is a *frame*. The
//! one on top acts or asks; it puts others upon itself and goes on when they are gone. A frame is plain data in the game's
//! state, so a game can be saved, forked and hashed in the midst of a charge. The module that answers for a frame is its
//! [`Office`]; a ruleset says which frame belongs to whom in [`Frames::office`], and that is all the machinery it writes.

use bevy_ecs::component::{Component, Mutable};
use bevy_ecs::resource::Resource;
use cupola_kernel::{Act, Acts, Ask, Fault, Options, Refusal, Side, Step, Table};

/// Who is asked what, by which section; none where a frame acts by itself.
pub type Question = Option<(Side, &'static str, &'static str)>;
/// What comes of an answer.
pub type Answer = Result<(), Fault>;

/// More steps without a question than any phase can have.
const PATIENCE: u32 = 100_000;

/// What answers for a kind of frame: the functions of one module, which [`office!`](crate::office) gathers.
pub struct Office<F, A> {
    /// Who is asked, if anybody is.
    pub ask: fn(&Table, &F) -> Question,
    /// What the frame does when nobody is asked.
    pub go: fn(&mut Table, F) -> Answer,
    /// The choices.
    pub options: fn(&Table, &F, &mut Options),
    /// Carries one out.
    pub take: fn(&mut Table, F, A) -> Answer,
    /// The question in words.
    pub prompt: fn(&Table, &F) -> String,
    /// Why something is not among the choices, where more can be said than that.
    pub why_not: fn(&Table, &F, A) -> Option<Refusal>,
}

impl<F, A> Office<F, A> {
    /// For frames that ask nobody.
    #[must_use]
    pub const fn silent(go: fn(&mut Table, F) -> Answer) -> Office<F, A> {
        Office {
            ask: |_, _| None,
            go,
            options: |_, _, _| {},
            take: |_, _, _| Err(not_asked()),
            prompt: |_, _| "?".into(),
            why_not: |_, _, _| None,
        }
    }
}

/// The office of a module that has `ask`, `go`, `options`, `take` and `prompt`, and `why_not` where it is named too.
#[macro_export]
macro_rules! office {
    ($module:ident) => {
        $crate::office!(@ $module, |_, _, _| None)
    };
    ($module:ident, why_not) => {
        $crate::office!(@ $module, $module::why_not)
    };
    (@ $module:ident, $why_not:expr) => {
        &$crate::Office {
            ask: $module::ask,
            go: $module::go,
            options: $module::options,
            take: $module::take,
            prompt: $module::prompt,
            why_not: $why_not,
        }
    };
}

/// An answer to a question that was not asked.
#[must_use]
pub fn not_asked() -> Fault {
    Fault::Broken("an answer to a question that is not open".into())
}

/// The stack of frames, a resource of the ruleset's.
pub trait Frames: Resource + Component<Mutability = Mutable> + Sized {
    /// Something that is under way.
    type Frame: Copy + 'static;
    /// What people answer.
    type Answer: Acts + 'static;

    /// The frames, the one that acts last.
    fn frames(&self) -> &[Self::Frame];
    /// The same, to change them.
    fn frames_mut(&mut self) -> &mut Vec<Self::Frame>;
    /// Who answers for a frame.
    fn office(frame: &Self::Frame) -> &'static Office<Self::Frame, Self::Answer>;
    /// Called after each step and answer. By itself it does nothing.
    fn settle(_: &mut Table) {}

    /// Puts a frame on top.
    fn push(t: &mut Table, frame: Self::Frame) {
        t.res_mut::<Self>().frames_mut().push(frame);
    }

    /// Takes the frame on top away.
    fn pop(t: &mut Table) {
        t.res_mut::<Self>().frames_mut().pop();
    }

    /// Puts a frame in place of the one on top.
    fn swap(t: &mut Table, frame: Self::Frame) {
        if let Some(top) = t.res_mut::<Self>().frames_mut().last_mut() {
            *top = frame;
        }
    }

    /// The frame on top.
    #[must_use]
    fn top(t: &Table) -> Option<Self::Frame> {
        t.res::<Self>().frames().last().copied()
    }

    /// The frame on top, and the answer that an act is.
    #[must_use]
    fn answered(t: &Table, act: Act) -> Option<(Self::Frame, Self::Answer)> {
        Self::top(t).zip(Self::Answer::from_act(act))
    }

    /// Enters a phase: its first frames are put there, unless a position has put some already.
    ///
    /// # Errors
    /// If `first` fails.
    fn enter(t: &mut Table, first: fn(&mut Table) -> Answer) -> Answer {
        if t.res::<Self>().frames().is_empty() {
            first(t)
        } else {
            Ok(())
        }
    }

    /// Plays on until somebody is asked, the game ends or the stack is empty.
    ///
    /// # Errors
    /// If a frame fails, or they never come to rest.
    fn next(t: &mut Table) -> Result<Step, Fault> {
        for _ in 0..PATIENCE {
            let Some(frame) = Self::top(t) else {
                return Ok(Step::Done);
            };
            let office = Self::office(&frame);
            if let Some((side, question, rule)) = (office.ask)(t, &frame) {
                return Ok(Step::ask(side, question, rule));
            }
            (office.go)(t, frame)?;
            Self::settle(t);
            if t.verdict().is_some() {
                return Ok(Step::Done);
            }
        }
        Err(Fault::Broken(
            "the stack of frames never comes to rest".into(),
        ))
    }

    /// The choices of the open question.
    fn options(t: &Table, out: &mut Options) {
        if let Some(frame) = Self::top(t) {
            (Self::office(&frame).options)(t, &frame, out);
        }
    }

    /// Carries out an answer to the open question.
    ///
    /// # Errors
    /// If nothing of the kind is asked, or the rules fail.
    fn take(t: &mut Table, act: Act) -> Answer {
        let (frame, answer) = Self::answered(t, act).ok_or_else(not_asked)?;
        (Self::office(&frame).take)(t, frame, answer)?;
        Self::settle(t);
        Ok(())
    }

    /// Why an act is not among the choices.
    fn why_not(t: &Table, ask: Ask, act: Act) -> Refusal {
        Self::answered(t, act)
            .and_then(|(frame, answer)| (Self::office(&frame).why_not)(t, &frame, answer))
            .unwrap_or_else(|| Refusal::new(ask.cite(), "is not among the choices here"))
    }

    /// The open question in words.
    fn prompt(t: &Table) -> String {
        Self::top(t).map_or_else(
            || "?".into(),
            |frame| (Self::office(&frame).prompt)(t, &frame),
        )
    }
}
