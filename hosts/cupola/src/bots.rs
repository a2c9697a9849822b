//! Who sits at the table.

use cupola_data::nearest;
use cupola_kernel::dice::{About, Dice};
use cupola_kernel::{Act, Loose, Seed};
use std::fmt;

/// Who plays a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Player {
    /// Somebody at the keyboard, or a script on stdin.
    Human,
    /// Chooses any option, each as likely as the other.
    Random,
}

impl Player {
    /// Reads a player's name.
    ///
    /// # Errors
    /// If nobody is called so, with who there is.
    pub fn parse(text: &str) -> Result<Player, String> {
        match text {
            "human" | "me" => Ok(Player::Human),
            "random" | "bot" => Ok(Player::Random),
            _ => {
                let near = nearest(text, ["human", "random"]);
                let hint = near.map_or("there are human and random".into(), |near| {
                    format!("did you mean \"{near}\"?")
                });
                Err(format!("nobody is called \"{text}\" here; {hint}"))
            }
        }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Player::Human => "human",
            Player::Random => "random",
        })
    }
}

/// Keeps a bot's choices apart from everything else that follows from the game's seed.
const BOTS: u64 = 0x626f_7473;

/// A random choice that depends on the game's seed and the number of the step alone, so that a game that
/// was saved and loaded goes on as it would have.
pub fn random_choice(seed: Seed, step: usize, options: &[Act]) -> Option<Act> {
    let mut dice = Loose::new(seed.nth(BOTS).nth(step as u64));
    let count = u16::try_from(options.len()).unwrap_or(u16::MAX);
    let index = usize::from(dice.roll(count.max(1), "choice", About::Game)) - 1;
    options.get(index).copied()
}
