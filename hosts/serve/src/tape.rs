//! A game played again from its choices, to look at any step of it.

use crate::seat_view::{SeatView, event_value};
use cupola_kernel::{Entry, Game, Play, Seat, Seed};
use cupola_look::Faces;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A state is kept every so many steps.
const EVERY: usize = 64;
/// At most so many of them.
const MOST: usize = 64;

/// States along a game, to start from.
#[derive(Default)]
pub(crate) struct Tape {
    kept: BTreeMap<usize, Game>,
}

impl Tape {
    /// Forgets what was taken back.
    pub fn cut(&mut self, keep: usize) {
        self.kept.retain(|step, _| *step <= keep);
    }

    /// The game after so many choices.
    ///
    /// # Errors
    /// If the choices do not fit the rules, which their hashes exclude.
    pub fn at(
        &mut self,
        play: &Play,
        seed: Seed,
        steps: &[Entry],
        step: usize,
    ) -> Result<Game, String> {
        let nearest = self.kept.range(..=step).next_back();
        let (mut from, mut game) = match nearest {
            Some((from, kept)) => (*from, kept.fork()),
            None => (0, play.game(seed).map_err(|fault| fault.to_string())?),
        };
        while from < step {
            forward(&mut game, &steps[from])?;
            from += 1;
            if from.is_multiple_of(EVERY) && self.kept.len() < MOST {
                self.kept.entry(from).or_insert_with(|| game.fork());
            }
        }
        Ok(game)
    }

    /// What a seat saw from one step to another: everything first, then what changed with each choice.
    ///
    /// # Errors
    /// If the choices do not fit the rules.
    pub fn film(
        &mut self,
        (play, faces): (&Play, &Faces),
        seed: Seed,
        steps: &[Entry],
        seat: Seat,
        (from, to): (usize, usize),
    ) -> Result<Value, String> {
        let mut game = self.at(play, seed, steps, from)?;
        game.listen(true);
        let first = SeatView::of(&game, seat, faces);
        let mut last = first.clone();
        let mut film = vec![];
        for (number, step) in steps.iter().enumerate().take(to).skip(from) {
            forward(&mut game, step)?;
            let (events, _) = game.take_events();
            let next = SeatView::of(&game, seat, faces);
            let known = events.iter().filter(|event| event.known_to(seat));
            let events: Vec<Value> = known.map(|event| event_value(play.env(), event)).collect();
            film.push(step_value(number + 1, &step.side, &next, &last, &events));
            last = next;
        }
        Ok(json!({"from": from, "frame": first.value(), "steps": film}))
    }
}

/// One step as a seat is told of it.
pub(crate) fn step_value(
    number: usize,
    side: &str,
    view: &SeatView,
    before: &SeatView,
    events: &[Value],
) -> Value {
    json!({"step": number, "side": side, "change": view.since(before), "events": events})
}

fn forward(game: &mut Game, step: &Entry) -> Result<(), String> {
    let act = game.parse(&step.act).map_err(|why| why.to_string())?;
    let done = match &step.dice[..] {
        [] => game.apply_unchecked(act),
        dice => {
            game.with_typed_dice(dice, |game| game.apply_unchecked(act))
                .0
        }
    };
    done.map_err(|fault| fault.to_string())
}
