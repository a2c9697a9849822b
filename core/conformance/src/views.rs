//! Views: what a seat may not know changes no byte that it gets.
//!
//! The ruleset itself says what is hidden, by [`Ruleset::shuffle_hidden`]: it replaces that by
//! something else that it could be. The seat must then get the same view, options, texts, odds and
//! refusals, and, as long as a step shows nothing ([`Table::reveal`]), the same events.
//!
//! [`Ruleset::shuffle_hidden`]: cupola_kernel::Ruleset::shuffle_hidden
//! [`Table::reveal`]: cupola_kernel::Table::reveal

use crate::conformity::Tally;
use crate::settings::Settings;
use crate::walk::{Walk, below, some, wrong_answers};
use cupola_kernel::{Act, Event, Game, Loose, Play, Seat, Seed, Side, View};
use serde::Serialize;

const SEATS: [Seat; 3] = [
    Seat::Player(Side::First),
    Seat::Player(Side::Second),
    Seat::Observer,
];

pub(crate) fn run(play: &Play, settings: &Settings, tally: &mut Tally) -> Result<(), String> {
    settings.series(1, |number| {
        let mut walk = Walk::nth(play, settings, number)?;
        let mut dice = Loose::new(walk.seed.nth(2));
        let mut pool = Pool {
            imagined: walk.game.fork(),
            left: walk.game.fork(),
            right: walk.game.fork(),
        };
        while let Some((side, act)) = walk.choice()? {
            if settings.looks_at(walk.ply) {
                let probes = wrong_answers(&walk.game, &mut dice, settings.tries);
                let probes: Vec<Act> = probes.into_iter().map(|(act, _)| act).collect();
                for (i, seat) in SEATS.into_iter().enumerate() {
                    let seed = walk.seed.nth(100 + u64::from(walk.ply) * 3 + i as u64);
                    pool.look(&walk.game, seat, seed, &probes, settings, tally)
                        .map_err(|why| walk.at(format!("{seat:?} could tell: {why}")))?;
                }
            }
            walk.apply(side, act)?;
        }
        Ok(walk.ply)
    })?;
    if tally.get("shuffles") > 0 && tally.get("states changed") == 0 {
        return Err("the ruleset says that it hides something, but shuffles nothing".to_owned());
    }
    Ok(())
}

/// Games to copy into.
struct Pool {
    /// What the game could be as far as a seat knows.
    imagined: Game,
    left: Game,
    right: Game,
}

impl Pool {
    fn look(
        &mut self,
        real: &Game,
        seat: Seat,
        seed: Seed,
        probes: &[Act],
        settings: &Settings,
        tally: &mut Tally,
    ) -> Result<(), String> {
        self.imagined.copy_from(real);
        let hides = self.imagined.imagine(seat, seed);
        if !hides.map_err(|fault| format!("the shuffled game fails: {fault}"))? {
            return Ok(());
        }
        tally.add("shuffles", 1);
        let changed = self.imagined.hash() != real.hash();
        tally.add("states changed", u64::from(changed));
        let [one, other] = [real, &self.imagined].map(|game| seen(game, seat, probes));
        if let Some(at) = one.iter().zip(&other).position(|(a, b)| a != b) {
            return Err(difference(&one[at], &other[at]));
        }
        if one.len() != other.len() {
            return Err("another number of options".to_owned());
        }
        let options = real.decision().map_or(&[][..], |decision| decision.options);
        for &act in some(options, settings.tries.div_ceil(3)) {
            self.left.copy_from(real);
            self.right.copy_from(&self.imagined);
            self.step(seat, seed.nth(7), act, tally)?;
        }
        play_on(&mut self.imagined, seed, settings)
    }

    /// The same choice with the same dice tells the seat the same, unless something was shown.
    fn step(&mut self, seat: Seat, seed: Seed, act: Act, tally: &mut Tally) -> Result<(), String> {
        let mut told = vec![];
        for game in [&mut self.left, &mut self.right] {
            let listed = game.decision().filter(|d| d.options.contains(&act));
            let Some(side) = listed.map(|decision| decision.ask.side) else {
                return Ok(());
            };
            game.reseed(seed);
            game.listen(true);
            let (_, shown) = game.luck();
            game.apply(side, act)
                .map_err(|error| format!("an option is not accepted: {error}"))?;
            let events: Vec<Event> = game.take_events().0;
            if game.luck().1 != shown {
                return Ok(());
            }
            let known: Vec<Event> = events.into_iter().filter(|e| e.known_to(seat)).collect();
            told.push([json(&known), json(&game.view(seat))]);
        }
        tally.add("steps compared", 1);
        let [one, other] = &told[..] else {
            return Ok(());
        };
        match one.iter().zip(other).find(|(a, b)| a != b) {
            None => Ok(()),
            Some((a, b)) => Err(format!("after the step: {}", difference(a, b))),
        }
    }
}

/// Everything that a seat can ask for now.
fn seen(game: &Game, seat: Seat, probes: &[Act]) -> Vec<String> {
    let view = game.view(seat);
    let mut all = vec![json(&view)];
    all.extend(measured(game, &view));
    if let Some(decision) = game.decision().filter(|_| game.is_asked(seat)) {
        for &act in some(decision.options, probes.len().max(4)) {
            all.push(format!(
                "odds of {} {}",
                game.name(act),
                json(&game.preview(act))
            ));
        }
        for &act in probes {
            let answer = if decision.options.contains(&act) {
                "listed".to_owned()
            } else {
                game.why_not(act).to_string()
            };
            all.push(format!("{} is refused: {answer}", game.name(act)));
        }
    }
    all
}

/// What a seat can have measured for it on the map: how far leaders command, and lines between units.
fn measured(game: &Game, view: &View) -> Vec<String> {
    let table = game.table();
    let ranges = table.units().map(|unit| {
        let range = game.command_range(view, unit);
        format!("{} commands {range:?}", table.info(unit).id)
    });
    let mut stands: Vec<_> = table.units().filter_map(|unit| table.hex(unit)).collect();
    stands.sort_unstable();
    stands.dedup();
    let lines = stands.iter().flat_map(|&from| {
        let others = stands.iter().filter(move |&&to| to > from).take(4);
        others.map(move |&to| format!("{from:?} sees {:?}", game.line_of_sight(from, to)))
    });
    ranges.chain(lines).collect()
}

/// A bot goes on searching in what it imagined: that must be a game like any other.
fn play_on(game: &mut Game, seed: Seed, settings: &Settings) -> Result<(), String> {
    let mut chooser = Loose::new(seed.nth(3));
    for _ in 0..settings.onward {
        let Some(decision) = game.decision() else {
            return Ok(());
        };
        let act = decision.options[below(&mut chooser, decision.options.len())];
        let side = decision.ask.side;
        game.apply(side, act)
            .map_err(|error| format!("the shuffled game cannot be played on: {error}"))?;
    }
    Ok(())
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_else(|error| error.to_string())
}

/// Both texts around the first byte in which they differ.
fn difference(one: &str, other: &str) -> String {
    let at = one
        .bytes()
        .zip(other.bytes())
        .take_while(|(a, b)| a == b)
        .count();
    let around = |text: &str| -> String {
        let from = text
            .char_indices()
            .map(|(i, _)| i)
            .take_while(|i| i + 60 <= at)
            .last();
        text[from.unwrap_or(0)..].chars().take(110).collect()
    };
    format!("…{}… or …{}…", around(one), around(other))
}
