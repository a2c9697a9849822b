//! Who sits at the table.

use crate::context::Context;
use cupola_bots::{Brief, Skill};
use cupola_data::nearest;
use cupola_kernel::{BySide, Game, Seed, Side};
use std::fmt;
use std::sync::Arc;

/// Who plays a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sitter {
    /// Somebody at the keyboard, or a script on stdin.
    Human,
    /// A bot.
    Bot(Skill),
}

impl Sitter {
    /// Reads a player's name.
    ///
    /// # Errors
    /// If nobody is called so, with who there is.
    pub fn parse(text: &str) -> Result<Sitter, String> {
        match text {
            "human" | "me" => Ok(Sitter::Human),
            "bot" => Ok(Sitter::Bot(Skill::Steady)),
            _ => Skill::parse(text).map(Sitter::Bot).map_err(|why| {
                match nearest(text, ["human", "random", "steady", "search"]) {
                    Some(near) => format!("nobody is called \"{text}\" here; did you mean \"{near}\"?"),
                    None if text.contains(':') => why,
                    None => format!(
                        "nobody is called \"{text}\" here; there are human, random, steady and search"
                    ),
                }
            }),
        }
    }
}

impl fmt::Display for Sitter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sitter::Human => f.write_str("human"),
            Sitter::Bot(skill) => skill.fmt(f),
        }
    }
}

/// Keeps a bot's choices apart from everything else that follows from the game's seed.
const BOTS: u64 = 0x626f_7473;

/// The bots of a game, by side.
pub type Bots = BySide<Option<cupola_bots::Player>>;

/// Seats the bots of a game, each with the plan of its side.
///
/// # Errors
/// If a plan cannot be read.
pub fn seat(
    context: &Context,
    ruleset: &str,
    game: &Game,
    seed: Seed,
    players: BySide<Sitter>,
) -> anyhow::Result<Bots> {
    let plans = players
        .iter()
        .any(|(_, player)| matches!(player, Sitter::Bot(skill) if *skill != Skill::Random));
    let free = || Side::BOTH.map(|side| Arc::new(Brief::free(game.play(), side)));
    let briefs = if plans {
        cupola_lab::briefs(&context.library, ruleset, game.play())?
    } else {
        free()
    };
    let guesses = free();
    Ok(BySide::from_fn(|side| match players[side] {
        Sitter::Human => None,
        Sitter::Bot(skill) => {
            let (own, other) = (&briefs[side as usize], &guesses[side.other() as usize]);
            let seed = seed.nth(BOTS).nth(side as u64);
            Some(cupola_bots::Player::new(skill, own, other, seed))
        }
    }))
}
