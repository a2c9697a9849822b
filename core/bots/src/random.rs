//! Any option, each as likely as the other.

use crate::sight::{Bot, Sight};
use cupola_kernel::dice::{About, Dice};
use cupola_kernel::{Act, Fault, Loose};

/// The player who never read the rules.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random;

impl Bot for Random {
    fn choose(&mut self, sight: &Sight) -> Result<Act, Fault> {
        let options = sight.options();
        let mut dice = Loose::new(sight.seed());
        let count = u16::try_from(options.len()).unwrap_or(u16::MAX).max(1);
        let index = usize::from(dice.roll(count, "choice", About::Game)) - 1;
        options
            .get(index)
            .copied()
            .ok_or_else(|| Fault::Broken("a decision without options".into()))
    }
}
