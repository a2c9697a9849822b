//! What those who watch are told, step by step.

use super::{Sitting, State};
use crate::seat_view::{SeatView, Sent, event_value};
use crate::tape::step_value;
use cupola_kernel::Seat;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::sync::Arc;

/// Steps that are kept for those who watch; whoever is further behind gets everything anew.
const KEPT: usize = 512;
/// Lines of the log that come with everything.
const LOG: usize = 250;

/// So many steps are kept for somebody who was sent everything and has not opened his line yet: a page fetches its look and
/// its map first, and bots do not wait for it.
const AWAITED: usize = 256;

/// What was sent to a seat.
pub(super) struct Stream {
    sent: Sent,
    steps: VecDeque<(u64, Arc<str>)>,
    /// For how many steps more it is kept though nobody listens.
    awaited: usize,
}

impl Sitting {
    /// What a seat knows now. Those who choose also learn which unit the question is about.
    fn view_of(&self, state: &State, seat: Seat) -> SeatView {
        let mut view = SeatView::of(state.game(), seat, &self.scenery.faces);
        let Seat::Player(side) = seat else {
            return view;
        };
        if state.asked() == Some(side) {
            view.undo_to(state.undo_to(side, &self.scenery));
        }
        if state.asked() == Some(side)
            && let Some(act) = state.last_act(side, &self.scenery)
            && let Some(unit) = self.chain(state, side).subject(act)
        {
            view.about(&self.scenery.play.env().units[usize::from(unit.0)].id);
        }
        view
    }

    /// Tells watchers that something besides the ply changed.
    pub fn ring(&self, state: &State) {
        self.bell.stands_at(state.ply());
        self.bell.ring();
    }

    /// Writes down for every seat that is watched what it may know of the last step.
    pub fn tell(&self, state: &mut State, side: &str, events: Option<&[cupola_kernel::Event]>) {
        let (ply, number) = (state.ply(), state.steps());
        let env = self.scenery.play.env();
        let mut streams = std::mem::take(&mut state.streams);
        let seats = self.bell.seats();
        streams.retain(|seat, stream| seats.contains(seat) || stream.awaited > 0);
        for (seat, stream) in &mut streams {
            stream.awaited = stream.awaited.saturating_sub(1);
            let next = self.view_of(state, *seat);
            let known = events.unwrap_or_default().iter();
            let known: Vec<Value> = known
                .filter(|event| event.known_to(*seat))
                .map(|event| event_value(env, event))
                .collect();
            let told = (&next, &known[..]);
            let mut message = step_value(env, (number, side), told, &mut stream.sent);
            message["ply"] = ply.into();
            if events.is_none() {
                message["undo"] = true.into();
            }
            stream.steps.push_back((ply, message.to_string().into()));
            if stream.steps.len() > KEPT {
                stream.steps.pop_front();
            }
        }
        state.streams = streams;
        self.bell.stands_at(ply);
    }

    /// Goes on telling those who were at the table while the game slept. Of several who have opened it at once only the
    /// one that counts may: the others know less.
    pub fn wake(&self) {
        self.bell.stands_at(self.lock().ply());
        self.bell
            .seats()
            .into_iter()
            .for_each(|seat| self.watch(seat));
    }

    /// Begins to keep what a seat is to be told.
    pub fn watch(&self, seat: Seat) {
        self.keep_for(&mut self.lock(), seat, 0);
    }

    /// Everything a seat may know now, for somebody who will open a line: what happens until then is kept for him.
    pub fn first(&self, state: &mut State, seat: Seat) -> Value {
        self.keep_for(state, seat, AWAITED);
        self.whole(state, seat)
    }

    fn keep_for(&self, state: &mut State, seat: Seat, awaited: usize) {
        if let Some(stream) = state.streams.get_mut(&seat) {
            stream.awaited = stream.awaited.max(awaited);
            return;
        }
        let stream = Stream {
            sent: self.view_of(state, seat).sent(),
            steps: VecDeque::new(),
            awaited,
        };
        state.streams.insert(seat, stream);
    }

    /// Nobody looks from some seats any more: what was kept for them goes. A game that is over has no next step at which
    /// this would be noticed.
    pub fn unwatch(&self) {
        let seats = self.bell.seats();
        self.lock().streams.retain(|seat, _| seats.contains(seat));
    }

    /// What a watcher who knows a ply is to be told: steps, or everything. None if he knows all.
    pub fn since(&self, seat: Seat, known: u64) -> Option<(u64, String)> {
        let state = &mut *self.lock();
        let ply = state.ply();
        if known == ply {
            return None;
        }
        let steps = state.streams.get(&seat).map(|stream| &stream.steps);
        let fits = steps.is_some_and(|steps| {
            steps
                .front()
                .is_some_and(|(first, _)| *first <= known + 1 && known < ply)
        });
        if !fits {
            return Some((ply, self.whole(state, seat).to_string()));
        }
        let steps: Vec<&str> = steps
            .into_iter()
            .flatten()
            .filter(|(at, _)| *at > known)
            .map(|(_, text)| &**text)
            .collect();
        Some((ply, format!("{{\"steps\":[{}]}}", steps.join(","))))
    }

    /// Everything a seat may know now.
    pub fn whole(&self, state: &State, seat: Seat) -> Value {
        let env = self.scenery.play.env();
        let events: Vec<_> = state.session.events(seat, 0).collect();
        let steps = &state.session.journal().steps;
        let log: Vec<Value> = events[events.len().saturating_sub(LOG)..]
            .iter()
            .map(|(step, event)| {
                let mut value = event_value(env, event);
                value["step"] = (*step).into();
                if let Some(entry) = step.checked_sub(1).and_then(|at| steps.get(at)) {
                    value["side"] = entry.side.as_str().into();
                }
                value
            })
            .collect();
        let turned = state.record.meta.follows.as_ref();
        let turned = turned.map_or(0, |follows| follows.turned);
        json!({
            "ply": state.ply(),
            "step": state.steps(),
            "look": self.scenery.look_name,
            // Under other rules nothing that was told before holds.
            "rules": format!("{}-{turned}", self.scenery.play.identity().hash()),
            "frame": self.view_of(state, seat).into_value(),
            "log": log,
            // More happened than the log tells.
            "earlier": events.len() > LOG || state.session.taken_for_granted() > 0,
        })
    }
}
