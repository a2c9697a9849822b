//! What can be tested: one number of one game, in common terms.
//!
//! A metric is chosen by its name. Those about a side end in the side's id (`men-lost-us`), those about a
//! place name it (`place:cemetery-hill`). "The first side" is the one that the scenario names first,
//! whichever plays first in the ruleset.

use crate::contest::Contest;
use crate::record::{Hours, Record, Snapshot, Tally};
use crate::stats::mean;
use cupola_data::nearest;
use cupola_kernel::{HexId, Side};

/// A side holds a place if it alone has fighting units within so many metres, or in the place's hex.
const NEAR: i64 = 400;

/// One number of one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Metric {
    name: String,
    what: What,
    /// The sides of the scenario, in its order, by their ids.
    sides: [String; 2],
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum What {
    Winner,
    Margin,
    LossShare,
    MenLost(usize),
    GunsLost(usize),
    Attacks(Option<usize>),
    Decisions,
    Marched,
    Idle,
    FirstContact,
    FirstAttack,
    Length,
    Place(String, usize),
}

/// Metrics that ask for nothing more: name, what it is, in a sentence.
const PLAIN: [(&str, What, &str); 10] = [
    (
        "winner",
        What::Winner,
        "1 if the first side wins, 0 if the other does, a half in a draw",
    ),
    (
        "margin",
        What::Margin,
        "how far the first side is ahead at the end, in thousandths of a clear win",
    ),
    (
        "loss-share",
        What::LossShare,
        "the first side's share of all men lost, a half if nobody is lost",
    ),
    (
        "attacks",
        What::Attacks(None),
        "attacks of both sides: each volley, assault or strike for itself",
    ),
    (
        "decisions",
        What::Decisions,
        "choices of both sides where there was more than one option",
    ),
    (
        "marched",
        What::Marched,
        "kilometres marched, summed over the units of both sides",
    ),
    (
        "idle",
        What::Idle,
        "the share of orders to go somewhere that moved nobody",
    ),
    (
        "first-contact",
        What::FirstContact,
        "minutes to the middle of the turn in which the armies meet; the whole game if they never do",
    ),
    (
        "first-attack",
        What::FirstAttack,
        "minutes to the middle of the turn of the first fight; the whole game if there is none",
    ),
    (
        "length",
        What::Length,
        "minutes of the battle that are played",
    ),
];

/// A metric of one side: its name without the side's id, what it is for a side, and a sentence.
type OfSide = (&'static str, fn(usize) -> What, &'static str);

/// Metrics of one side.
const BY_SIDE: [OfSide; 3] = [
    ("men-lost-", What::MenLost, "men lost by the side"),
    ("guns-lost-", What::GunsLost, "guns lost by the side"),
    (
        "attacks-",
        |side| What::Attacks(Some(side)),
        "attacks of the side",
    ),
];

impl Metric {
    /// All metrics by name with a sentence each; places are left out but for the form.
    #[must_use]
    pub fn all(sides: &[String; 2]) -> Vec<(String, String)> {
        let plain = PLAIN.map(|(name, _, sentence)| (name.to_owned(), sentence.to_owned()));
        let mut all = Vec::from(plain);
        for (name, _, sentence) in BY_SIDE {
            all.extend(
                sides
                    .iter()
                    .map(|side| (format!("{name}{side}"), sentence.to_owned())),
            );
        }
        let place = "minutes for which the first side holds a place; place:<id>:<side> for a side";
        all.push(("place:<id>".to_owned(), place.to_owned()));
        all
    }

    /// A metric by its name, for a scenario with these sides on a board with these places.
    ///
    /// # Errors
    /// If there is none of that name, with the nearest that there is.
    pub fn parse(text: &str, sides: &[String; 2], contest: &Contest) -> Result<Metric, String> {
        let what = match text.strip_prefix("place:") {
            Some(place) => place_of(place, sides, contest)?,
            None => plain(text, sides)?,
        };
        Ok(Metric {
            name: text.to_owned(),
            what,
            sides: sides.clone(),
        })
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it is, in a sentence.
    #[must_use]
    pub fn sentence(&self) -> String {
        match &self.what {
            What::Place(id, side) => format!("minutes for which {} holds {id}", self.sides[*side]),
            _ => {
                let all = Metric::all(&self.sides);
                let found = all.into_iter().find(|(name, _)| *name == self.name);
                let sentence = found.map_or_else(String::new, |(_, sentence)| sentence);
                if let Some(side) = self.about() {
                    return sentence.replace("the side", &self.sides[side]);
                }
                let first = format!("the first side ({})", self.sides[0]);
                sentence.replace("the first side", &first)
            }
        }
    }

    /// The side that it is about, if it is about one.
    fn about(&self) -> Option<usize> {
        match self.what {
            What::MenLost(side) | What::GunsLost(side) | What::Place(_, side) => Some(side),
            What::Attacks(side) => side,
            _ => None,
        }
    }

    /// How far apart two games can be, where every value of that kind is to be expected: a whole win, the whole game.
    #[must_use]
    pub fn reach(&self, contest: &Contest) -> Option<f64> {
        match self.what {
            What::Winner | What::LossShare | What::Idle => Some(1.0),
            What::Margin => Some(1000.0),
            What::FirstContact | What::FirstAttack | What::Length | What::Place(..) => {
                let env = contest.play.env();
                let turn = |turn: u16| env.track.turns.get(usize::from(turn));
                let (first, last) = (turn(env.first_turn)?, turn(env.last_turn)?);
                Some(f64::from(last.end.minutes() - first.start.minutes()))
            }
            _ => None,
        }
    }

    /// A difference that matters, where nobody has said what matters to him: one game in twenty, a twentieth of a
    /// clear win, a quarter of an hour; and of what is counted (men, guns, attacks, decisions, kilometres) a tenth of
    /// what some games of the base came to.
    #[must_use]
    pub fn margin(&self, contest: &Contest, pilot: &[Record]) -> f64 {
        let seen: Vec<f64> = pilot
            .iter()
            .filter_map(|game| self.of(contest, game))
            .collect();
        let tenth = |least: f64| (mean(&seen).abs() / 10.0).max(least);
        match self.what {
            What::Winner | What::LossShare | What::Idle => 0.05,
            What::Margin => 50.0,
            What::MenLost(_) => tenth(10.0),
            What::GunsLost(_) | What::Attacks(_) => tenth(0.5),
            What::Decisions | What::Marched => tenth(1.0),
            What::FirstContact | What::FirstAttack | What::Length => 15.0,
            What::Place(..) => 30.0,
        }
    }

    /// The number of a game; none if the game went wrong.
    #[must_use]
    pub fn of(&self, contest: &Contest, record: &Record) -> Option<f64> {
        let kept = &record.kept;
        let (first, last) = (kept.snapshots.first()?, kept.snapshots.last()?);
        if record.fault.is_some() {
            return None;
        }
        let length = f64::from(last.minute - first.minute);
        let since = |when: Option<Hours>| {
            when.map_or(length, |turn| turn.middle() - f64::from(first.minute))
        };
        let us = self.side(contest, 0);
        Some(match &self.what {
            What::Winner => match kept.verdict.as_ref().and_then(|verdict| verdict.winner) {
                Some(side) if side == us => 1.0,
                Some(_) => 0.0,
                None => 0.5,
            },
            What::Margin if us == Side::BOTH[0] => f64::from(kept.margin),
            What::Margin => -f64::from(kept.margin),
            What::LossShare => {
                let [ours, theirs] = [0, 1].map(|side| self.lost(contest, last, side, false));
                if ours + theirs > 0.0 {
                    ours / (ours + theirs)
                } else {
                    0.5
                }
            }
            What::MenLost(side) => self.lost(contest, last, *side, false),
            What::GunsLost(side) => self.lost(contest, last, *side, true),
            What::Attacks(side) => self.tally(contest, record, *side, |tally| tally.attacks),
            What::Decisions => self.tally(contest, record, None, |tally| tally.decisions),
            What::Marched => self.tally(contest, record, None, |tally| tally.marched) / 1000.0,
            What::Idle => {
                let ordered = self.tally(contest, record, None, |tally| tally.ordered);
                self.tally(contest, record, None, |tally| tally.idle) / ordered.max(1.0)
            }
            What::FirstContact => since(kept.first_contact),
            What::FirstAttack => since(kept.first_attack),
            What::Length => length,
            What::Place(id, side) => held(contest, record, id, self.side(contest, *side)),
        })
    }

    /// Which side of the game a side of the scenario is.
    fn side(&self, contest: &Contest, side: usize) -> Side {
        let known = contest.play.env().side(&self.sides[side]);
        known.unwrap_or(Side::BOTH[side])
    }

    fn lost(&self, contest: &Contest, end: &Snapshot, side: usize, guns: bool) -> f64 {
        let side = self.side(contest, side);
        let units = contest.play.env().units.iter().zip(&end.units);
        let lost = units
            .filter(|(unit, _)| unit.side == side)
            .map(|(unit, at)| {
                let all = if guns { unit.guns } else { unit.men };
                f64::from(all) * f64::from(at.lost) / 1000.0
            });
        lost.sum()
    }

    fn tally(
        &self,
        contest: &Contest,
        record: &Record,
        side: Option<usize>,
        count: fn(&Tally) -> u32,
    ) -> f64 {
        let side = side.map(|side| self.side(contest, side) as usize);
        let tallies = record.kept.snapshots.iter().map(|snapshot| {
            let both = snapshot.tally.iter().enumerate();
            let chosen = both.filter(|(i, _)| side.is_none_or(|side| side == *i));
            chosen.map(|(_, tally)| count(tally)).sum::<u32>()
        });
        f64::from(tallies.sum::<u32>())
    }
}

fn plain(text: &str, sides: &[String; 2]) -> Result<What, String> {
    if let Some((_, what, _)) = PLAIN.iter().find(|(name, ..)| *name == text) {
        return Ok(what.clone());
    }
    for (name, what, _) in BY_SIDE {
        let side = text.strip_prefix(name);
        if let Some(side) = sides.iter().position(|id| Some(id.as_str()) == side) {
            return Ok(what(side));
        }
    }
    let all = Metric::all(sides);
    let names = || all.iter().map(|(name, _)| name.as_str());
    let hint = nearest(text, names()).map_or_else(
        || format!("there are {}", names().collect::<Vec<_>>().join(", ")),
        |near| format!("did you mean \"{near}\"?"),
    );
    Err(format!("no metric \"{text}\"; {hint}"))
}

/// A place and who is to hold it: `cemetery-hill`, or `cemetery-hill:cs`.
fn place_of(text: &str, sides: &[String; 2], contest: &Contest) -> Result<What, String> {
    let (id, side) = text.split_once(':').unwrap_or((text, &sides[0]));
    let Some(side) = sides.iter().position(|known| known == side) else {
        return Err(format!(
            "\"{side}\" has no part here; it is {} or {}",
            sides[0], sides[1]
        ));
    };
    let board = &contest.play.env().board;
    if board.place(id).is_some_and(|place| place.hex.is_some()) {
        return Ok(What::Place(id.to_owned(), side));
    }
    let on_map = board.places().iter().filter(|place| place.hex.is_some());
    let near = nearest(id, on_map.map(|place| place.id.as_str()));
    let hint = near.map_or_else(String::new, |near| format!("; did you mean \"{near}\"?"));
    Err(format!("no place \"{id}\" on {}{hint}", board.name))
}

/// Minutes for which a side holds a place. Whoever was there alone last holds it.
fn held(contest: &Contest, record: &Record, id: &str, side: Side) -> f64 {
    let mut minutes = 0;
    let mut holder = None;
    for pair in record.kept.snapshots.windows(2) {
        holder = alone(contest, &pair[0], id).or(holder);
        if holder == Some(side) {
            minutes += pair[1].minute - pair[0].minute;
        }
    }
    f64::from(minutes)
}

/// The side that alone has fighting units at a place.
fn alone(contest: &Contest, snapshot: &Snapshot, id: &str) -> Option<Side> {
    let env = contest.play.env();
    let place = env.board.place(id)?;
    let near = |hex: HexId| {
        let centre = env.board.centre(hex);
        let x = i64::from(centre.x - place.point.x) / 100;
        let y = i64::from(centre.y - place.point.y) / 100;
        x * x + y * y <= NEAR * NEAR
    };
    let mut there = [false; 2];
    for (unit, at) in env.units.iter().zip(&snapshot.units) {
        let hex = at.hex.filter(|_| at.holds());
        if hex.is_some_and(|hex| Some(hex) == place.hex || near(hex)) {
            there[unit.side as usize] = true;
        }
    }
    match there {
        [true, false] => Some(Side::BOTH[0]),
        [false, true] => Some(Side::BOTH[1]),
        _ => None,
    }
}
