//! A random game, step by step, held to the declared bounds.

use crate::settings::Settings;
use cupola_kernel::{About, Act, Arg, Bounds, Dice, Game, HexId, Loose, Play, Seed, Side};
use cupola_kernel::{TokenId, UnitId};
use std::fmt::Display;

/// A random game. Its choices follow from the seed and do not disturb the game's own dice.
pub(crate) struct Walk {
    pub game: Game,
    /// Choices made so far.
    pub ply: u32,
    pub seed: Seed,
    chooser: Loose,
    bounds: Bounds,
}

impl Walk {
    /// The `number`-th game of the settings' seed.
    pub fn nth(play: &Play, settings: &Settings, number: u64) -> Result<Walk, String> {
        Walk::start(play, settings.seed.nth(number))
    }

    pub fn start(play: &Play, seed: Seed) -> Result<Walk, String> {
        let game = play
            .game(seed)
            .map_err(|fault| format!("the game with seed {seed} cannot begin: {fault}"))?;
        Ok(Walk {
            game,
            ply: 0,
            seed,
            chooser: Loose::new(seed.nth(u64::MAX)),
            bounds: play.bounds(),
        })
    }

    /// What a random player chooses now; nothing when the game is over.
    pub fn choice(&mut self) -> Result<Option<(Side, Act)>, String> {
        let Some(decision) = self.game.decision() else {
            return Ok(None);
        };
        let (count, question) = (decision.options.len(), decision.ask.question);
        if count == 0 {
            return Err(self.at(format!("“{question}” is asked without options")));
        }
        if count > self.bounds.options as usize {
            let bound = self.bounds.options;
            return Err(self.at(format!(
                "“{question}” has {count} options, the declared bound is {bound}"
            )));
        }
        if self.ply >= self.bounds.decisions {
            let bound = self.bounds.decisions;
            return Err(self.at(format!(
                "the game goes on after {bound} decisions, the declared bound"
            )));
        }
        let act = decision.options[below(&mut self.chooser, count)];
        Ok(Some((decision.ask.side, act)))
    }

    /// Carries out a choice that is on the list.
    pub fn apply(&mut self, side: Side, act: Act) -> Result<(), String> {
        let name = self.game.name(act);
        self.game
            .apply(side, act)
            .map_err(|error| self.at(format!("the option “{name}” is not accepted: {error}")))?;
        self.ply += 1;
        Ok(())
    }

    /// A complaint, with the place where it arose.
    pub fn at(&self, what: impl Display) -> String {
        let table = self.game.table();
        format!(
            "game {}, ply {}, turn {}: {what}",
            self.seed,
            self.ply,
            table.turn_info().label
        )
    }
}

/// A random number below `count`.
pub(crate) fn below(dice: &mut Loose, count: usize) -> usize {
    usize::from(dice.roll(count as u16, "choice", About::Game)) - 1
}

/// At most about so many of the options, spread over the whole list.
pub(crate) fn some(options: &[Act], wanted: usize) -> impl Iterator<Item = &Act> {
    let step = options.len().div_ceil(wanted.max(1)).max(1);
    options.iter().step_by(step)
}

/// Answers that are not on the list: listed ones with something changed in them. The flag says
/// whether the answer has the shape of a listed one, and so must be forbidden by a rule.
pub(crate) fn wrong_answers(game: &Game, dice: &mut Loose, wanted: usize) -> Vec<(Act, bool)> {
    let Some(decision) = game.decision() else {
        return vec![];
    };
    let options = decision.options;
    let mut found: Vec<(Act, bool)> = vec![];
    for _ in 0..wanted * 3 {
        let mut act = options[below(dice, options.len())];
        match below(dice, 8) {
            0 => act.verb = act.verb.wrapping_add(1),
            1 => act.verb = act.verb.wrapping_sub(1),
            2 => act.args[below(dice, 3)] = Arg::None,
            3 => act.args.rotate_left(1),
            _ => {
                let slot = below(dice, 3);
                act.args[slot] = another(game, act.args[slot], dice);
            }
        }
        // Hosts make acts from names: what has no name reaches no phase.
        let named = game.parse(&game.name(act)) == Ok(act);
        if named && !options.contains(&act) && found.iter().all(|(known, _)| *known != act) {
            found.push((act, options.iter().any(|option| same_shape(*option, act))));
        }
        if found.len() == wanted {
            break;
        }
    }
    found
}

fn another(game: &Game, arg: Arg, dice: &mut Loose) -> Arg {
    let env = game.table().env();
    match arg {
        Arg::Unit(_) if !env.units.is_empty() => {
            Arg::Unit(UnitId(below(dice, env.units.len()) as u16))
        }
        Arg::Hex(_) => Arg::Hex(HexId(below(dice, env.board.len()) as u16)),
        Arg::Token(_) if !env.tokens.is_empty() => {
            Arg::Token(TokenId(below(dice, env.tokens.len()) as u16))
        }
        Arg::Side(side) => Arg::Side(side.other()),
        Arg::Number(number) => Arg::Number(number.wrapping_add(below(dice, 9) as i16 - 4)),
        other => other,
    }
}

fn same_shape(a: Act, b: Act) -> bool {
    let kinds = |act: Act| act.args.map(|arg| std::mem::discriminant(&arg));
    a.verb == b.verb && kinds(a) == kinds(b)
}
