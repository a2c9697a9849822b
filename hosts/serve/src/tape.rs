//! A game played again from its choices, to look at any step of it.

use crate::seat_view::{SeatView, Sent, event_value};
use cupola_kernel::{Entry, Env, Game, Play, Seat, Seed, StateHash};
use cupola_look::Faces;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A state is kept every so many steps at first; less often in a long game.
const EVERY: usize = 64;
/// At most so many of them.
const MOST: usize = 64;

/// States along a game, to start from.
pub(crate) struct Tape {
    every: usize,
    /// With the hash that the journal has there: choices may be taken back while somebody looks at them.
    kept: BTreeMap<usize, (StateHash, Game)>,
}

impl Default for Tape {
    fn default() -> Tape {
        Tape {
            every: EVERY,
            kept: BTreeMap::new(),
        }
    }
}

impl Tape {
    /// Keeps a state that is at hand.
    pub fn keep(&mut self, steps: &[Entry], game: Game) {
        let Some(last) = steps.last() else { return };
        if self.kept.len() >= MOST {
            let mut odd = false;
            self.kept.retain(|_, _| {
                odd = !odd;
                odd
            });
            self.every *= 2;
        }
        self.kept.insert(steps.len(), (last.hash, game));
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
        let fits = |at: &usize, hash: &StateHash| {
            let before = at.checked_sub(1).and_then(|before| steps.get(before));
            before.is_some_and(|before| before.hash == *hash)
        };
        // What lies behind the last choice is not looked at, and may be wanted again.
        let all = steps.len();
        self.kept
            .retain(|at, (hash, _)| *at > all || fits(at, hash));
        let nearest = self.kept.range(..=step).next_back();
        let (mut from, mut game) = match nearest {
            Some((from, (_, kept))) => (*from, kept.fork()),
            None => (0, play.game(seed).map_err(|fault| fault.to_string())?),
        };
        while from < step {
            forward(&mut game, &steps[from])?;
            from += 1;
            if from.is_multiple_of(self.every) && !self.kept.contains_key(&from) {
                self.keep(&steps[..from], game.fork());
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
        let mut sent = first.sent();
        let mut film = vec![];
        for (number, step) in steps.iter().enumerate().take(to).skip(from) {
            forward(&mut game, step)?;
            let (events, _) = game.take_events();
            let next = SeatView::of(&game, seat, faces);
            let known = events.iter().filter(|event| event.known_to(seat));
            let events: Vec<Value> = known.map(|event| event_value(play.env(), event)).collect();
            let told = (&next, &events[..]);
            film.push(step_value(
                play.env(),
                (number + 1, &step.side),
                told,
                &mut sent,
            ));
        }
        Ok(json!({"from": from, "frame": first.into_value(), "steps": film}))
    }
}

/// One step as a seat is told of it.
pub(crate) fn step_value(
    env: &Env,
    (number, side): (usize, &str),
    (view, events): (&SeatView, &[Value]),
    sent: &mut Sent,
) -> Value {
    let all = env.units.iter().map(|unit| unit.id.as_str());
    json!({"step": number, "side": side, "change": view.since(sent, all), "events": events})
}

/// Carries out a choice that was made.
pub(crate) fn forward(game: &mut Game, step: &Entry) -> Result<(), String> {
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
