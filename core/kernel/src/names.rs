//! Options in words: the ids that journals write, and the texts that people read.

use crate::act::{Act, Arg};
use crate::combat::{Combat, Fight, Preview};
use crate::game::Game;
use crate::ids::{Seat, TokenId};
use crate::rule::Refusal;
use crate::ruleset::Ruleset;
use crate::table::Env;
use std::sync::Arc;

impl Game {
    /// The id of an option: verb and names, as journals write it.
    #[must_use]
    pub fn name(&self, act: Act) -> String {
        let mut text = self
            .phase()
            .verbs()
            .get(usize::from(act.verb))
            .copied()
            .unwrap_or("?")
            .to_owned();
        for arg in act.args {
            if let Some(name) = self.arg_name(arg) {
                text.push(' ');
                text.push_str(&name);
            }
        }
        text
    }

    pub(crate) fn arg_name(&self, arg: Arg) -> Option<String> {
        let env = self.table().env();
        Some(match arg {
            Arg::None => return None,
            Arg::Unit(unit) => env.units.get(usize::from(unit.0))?.id.clone(),
            Arg::Hex(hex) => env.board.label(hex).to_string(),
            Arg::Side(side) => env.sides[side].id.clone(),
            Arg::Token(token) => env.tokens.get(usize::from(token.0))?.clone(),
            Arg::Number(number) => number.to_string(),
        })
    }

    /// Reads an option's id. The act need not be legal; names must exist.
    ///
    /// # Errors
    /// What is not known, with the nearest name that is.
    pub fn parse(&self, id: &str) -> Result<Act, String> {
        let env = self.table().env();
        let mut words = id.split_whitespace();
        let verb_name = words.next().unwrap_or_default();
        let verbs = self.phase().verbs();
        let verb = verbs.iter().position(|v| *v == verb_name).ok_or_else(|| {
            suggest(
                format!("no answer begins with \"{verb_name}\" here"),
                verb_name,
                verbs.iter().copied(),
            )
        })? as u8;
        let mut args = [Arg::None; 3];
        for (slot, word) in args.iter_mut().zip(words.by_ref()) {
            *slot = parse_arg(env, word)?;
        }
        if words.next().is_some() {
            return Err(format!("\"{id}\" names too many things"));
        }
        Ok(Act { verb, args })
    }

    /// An option in words.
    #[must_use]
    pub fn text(&self, act: Act) -> String {
        self.phase().text(self.table(), act)
    }

    /// The open question in words.
    #[must_use]
    pub fn prompt(&self) -> Option<String> {
        self.asked.map(|ask| self.phase().prompt(self.table(), ask))
    }

    /// What would come of an option that leads to a fight.
    #[must_use]
    pub fn preview(&self, act: Act) -> Option<Preview> {
        self.phase().preview(self.table(), act)
    }

    /// The fight that an option leads to, for those who may know everything.
    #[must_use]
    pub fn fight(&self, act: Act) -> Option<(Arc<dyn Combat>, Fight)> {
        self.phase().fight(self.table(), act)
    }

    /// Why an answer is not on the list.
    #[must_use]
    pub fn why_not(&self, act: Act) -> Refusal {
        self.phase().why_not(self.table(), act)
    }

    pub(crate) fn touches(&self, act: Act) -> Vec<Arg> {
        self.phase().touches(self.table(), act)
    }

    pub(crate) fn phase_name(&self) -> &str {
        &self.play().inner.slots[usize::from(self.table().flow.slot)].name
    }

    pub(crate) fn ruleset(&self) -> &dyn Ruleset {
        &*self.play().inner.ruleset
    }

    /// Whether a seat is the one that must choose.
    #[must_use]
    pub fn is_asked(&self, seat: Seat) -> bool {
        self.asked.is_some_and(|ask| seat == Seat::Player(ask.side))
    }
}

fn parse_arg(env: &Env, word: &str) -> Result<Arg, String> {
    if let Some(unit) = env.unit(word) {
        return Ok(Arg::Unit(unit));
    }
    if let Some(side) = env.side(word) {
        return Ok(Arg::Side(side));
    }
    if let Some(token) = env.tokens.iter().position(|name| name == word) {
        return Ok(Arg::Token(TokenId(token as u16)));
    }
    if let Ok(hex) = env.board.hex(word) {
        return Ok(Arg::Hex(hex));
    }
    if let Ok(number) = word.parse() {
        return Ok(Arg::Number(number));
    }
    let known = env
        .units
        .iter()
        .map(|u| u.id.as_str())
        .chain(env.tokens.iter().map(String::as_str));
    Err(suggest(
        format!("nothing is called \"{word}\""),
        word,
        known,
    ))
}

fn suggest<'a>(message: String, name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    match cupola_data::nearest(name, known) {
        Some(near) => format!("{message}; did you mean \"{near}\"?"),
        None => message,
    }
}
