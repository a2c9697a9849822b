//! Options in words: the ids that journals write, and the texts that people read.

use crate::act::{Act, Arg};
use crate::combat::{Combat, Fight, Preview};
use crate::env::Env;
use crate::game::Game;
use crate::ids::{Seat, TokenId};
use crate::outlook::Outlook;
use crate::rule::{Cite, Refusal};
use crate::ruleset::Ruleset;
use crate::terms::Promise;
use crate::walked::Walked;
use std::fmt;
use std::sync::Arc;

impl Game {
    /// The id of an option: verb and names, as journals write it.
    #[must_use]
    pub fn name(&self, act: Act) -> String {
        act_name(self.table().env(), self.phase().verbs(), act)
    }

    /// Reads an option's id. The act need not be legal; names must exist.
    ///
    /// # Errors
    /// What is not known, with the nearest name that is.
    pub fn parse(&self, id: &str) -> Result<Act, UnknownName> {
        let env = self.table().env();
        let mut words = id.split_whitespace();
        let verb_name = words.next().unwrap_or_default();
        let verbs = self.phase().verbs();
        let verb = verbs.iter().position(|v| *v == verb_name).ok_or_else(|| {
            let what = format!("no answer begins with \"{verb_name}\" here");
            UnknownName::new(what).near(verb_name, verbs.iter().copied())
        })? as u8;
        let mut args = [Arg::None; 3];
        for (slot, word) in args.iter_mut().zip(words.by_ref()) {
            *slot = parse_arg(env, word)?;
        }
        if words.next().is_some() {
            return Err(UnknownName::new(format!("\"{id}\" names too many things")));
        }
        Ok(Act { verb, args })
    }

    /// An option in words.
    #[must_use]
    pub fn text(&self, act: Act) -> String {
        let text = |ask| self.phase().text(self.table(), ask, act);
        self.asked.map_or_else(|| self.name(act), text)
    }

    /// The open question in words.
    #[must_use]
    pub fn prompt(&self) -> Option<String> {
        self.asked.map(|ask| self.phase().prompt(self.table(), ask))
    }

    /// What an option costs and which way it goes.
    #[must_use]
    pub fn outlook(&self, act: Act) -> Outlook {
        let outlook = |ask| self.phase().outlook(self.table(), ask, act);
        self.asked.map(outlook).unwrap_or_default()
    }

    /// Where the unit that is about to move can go, walked step by step; see [`crate::Ruleset::walked`].
    #[must_use]
    pub fn walked(&self) -> Option<Walked> {
        self.ruleset().walked(self.table(), self.asked?)
    }

    /// What would come of an option that leads to a fight.
    #[must_use]
    pub fn preview(&self, act: Act) -> Option<Preview> {
        self.phase().preview(self.table(), self.asked?, act)
    }

    /// Whether an option leads to a fight whose odds can be asked for.
    #[must_use]
    pub fn has_preview(&self, act: Act) -> bool {
        self.asked
            .is_some_and(|ask| self.phase().has_preview(self.table(), ask, act))
    }

    /// The fight that an option leads to, for those who may know everything.
    #[must_use]
    pub fn fight(&self, act: Act) -> Option<(Arc<dyn Combat>, Fight)> {
        self.phase().fight(self.table(), self.asked?, act)
    }

    /// The same for a fight that the option does not settle yet, as it would stand after it.
    #[must_use]
    pub fn prospect(&self, act: Act) -> Option<(Arc<dyn Combat>, Fight)> {
        self.phase().prospect(self.table(), self.asked?, act)
    }

    /// What an option opens to those who take it, in the ruleset's own reckoning, for those who may know everything.
    #[must_use]
    pub fn promise(&self, act: Act) -> Option<Promise> {
        self.phase().promise(self.table(), self.asked?, act)
    }

    /// Why an answer is not on the list.
    #[must_use]
    pub fn why_not(&self, act: Act) -> Refusal {
        match self.asked {
            Some(ask) => self.phase().why_not(self.table(), ask, act),
            None => Refusal::new(Cite::new(""), "the game is over"),
        }
    }

    pub(crate) fn touches(&self, act: Act) -> Vec<Arg> {
        let touches = |ask| self.phase().touches(self.table(), ask, act);
        self.asked.map(touches).unwrap_or_default()
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

/// The id of an act: verb and names.
pub(crate) fn act_name(env: &Env, verbs: &[&str], act: Act) -> String {
    let verb = verbs.get(usize::from(act.verb));
    let mut text = verb.copied().unwrap_or("?").to_owned();
    for name in act.args.iter().filter_map(|&arg| arg_name(env, arg)) {
        text.push(' ');
        text.push_str(&name);
    }
    text
}

pub(crate) fn arg_name(env: &Env, arg: Arg) -> Option<String> {
    Some(match arg {
        Arg::None => return None,
        Arg::Unit(unit) => env.units.get(usize::from(unit.0))?.id.clone(),
        Arg::Hex(hex) => env.board.label(hex).to_string(),
        Arg::Side(side) => env.sides[side].id.clone(),
        Arg::Token(token) => env.tokens.get(usize::from(token.0))?.clone(),
        Arg::Number(number) => number.to_string(),
    })
}

fn parse_arg(env: &Env, word: &str) -> Result<Arg, UnknownName> {
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
    Err(UnknownName::new(format!("nothing is called \"{word}\"")).near(word, known))
}

/// Words that name nothing in a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownName {
    /// What is wrong.
    pub what: String,
    /// The nearest name that is known, if one is near.
    pub nearest: Option<String>,
}

impl UnknownName {
    /// Without a suggestion.
    pub(crate) fn new(what: impl Into<String>) -> UnknownName {
        UnknownName {
            what: what.into(),
            nearest: None,
        }
    }

    /// With the nearest of the known names.
    pub(crate) fn near<'a>(
        mut self,
        name: &str,
        known: impl IntoIterator<Item = &'a str>,
    ) -> UnknownName {
        self.nearest = cupola_data::nearest(name, known).map(str::to_owned);
        self
    }

    /// The suggestion in words.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        let near = self.nearest.as_ref()?;
        Some(format!("did you mean \"{near}\"?"))
    }
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)?;
        match self.hint() {
            Some(hint) => write!(f, "; {hint}"),
            None => Ok(()),
        }
    }
}
impl std::error::Error for UnknownName {}
