//! How hard to look, and what a ruleset adds of its own.

use cupola_kernel::{Game, Play, Seed};
use std::process::Command;

/// What plays the same games in another process.
pub type Elsewhere = Box<dyn Fn() -> Result<Command, String> + Send + Sync>;

/// How hard to look.
pub struct Settings {
    /// From which all games and choices follow.
    pub seed: Seed,
    /// Random games per check, at least.
    pub games: u64,
    /// Plies per check, at least: where games are short there are more of them.
    pub plies: u64,
    /// Besides the early plies and the powers of two, every so many-eth ply is looked at closely.
    pub stride: u32,
    /// Options and wrong answers tried at such a ply.
    pub tries: usize,
    /// Plies played on from a copy.
    pub onward: usize,
    /// Fights whose odds are compared with rolled dice.
    pub fights: usize,
    /// Rolls per fight.
    pub rolls: u32,
    /// What must always be so.
    pub laws: Vec<Law>,
    /// A variant of the same play, for the check of dice.
    pub twin: Option<Twin>,
    /// At every so many-eth ply movement is found twice.
    pub walks: u32,
    /// Bytes of every file that are changed, to see that the rules are others then.
    pub bytes: u64,
    /// How to play the same games in another process.
    pub elsewhere: Option<Elsewhere>,
    /// Random compositions that are tried.
    pub compositions: u64,
    /// Which phases and combat systems, of all that are registered, they may consist of.
    pub parts: fn(&str) -> bool,
}

impl Settings {
    /// For every run of the tests: seconds.
    #[must_use]
    pub fn quick() -> Settings {
        Settings {
            seed: Seed(1863),
            games: 4,
            plies: 2_000,
            stride: 17,
            tries: 12,
            onward: 12,
            fights: 20,
            rolls: 4_000,
            laws: vec![],
            twin: None,
            walks: 4,
            bytes: 4,
            elsewhere: None,
            compositions: 40,
            parts: |_| true,
        }
    }

    /// For a release: minutes.
    #[must_use]
    pub fn full() -> Settings {
        Settings {
            games: 50,
            plies: 50_000,
            stride: 5,
            tries: 40,
            onward: 40,
            fights: 200,
            rolls: 100_000,
            walks: 2,
            bytes: 100,
            compositions: 1_000,
            ..Settings::quick()
        }
    }

    /// Quick, or full if the environment says `CUPOLA_FULL=1`.
    #[must_use]
    pub fn standard() -> Settings {
        if std::env::var_os("CUPOLA_FULL").is_some_and(|value| value == "1") {
            Settings::full()
        } else {
            Settings::quick()
        }
    }

    /// Adds a law.
    #[must_use]
    pub fn law(mut self, law: Law) -> Settings {
        self.laws.push(law);
        self
    }

    /// Adds the variant for the check of dice.
    #[must_use]
    pub fn twin(mut self, twin: Twin) -> Settings {
        self.twin = Some(twin);
        self
    }

    /// Says how the same games are played in another process: by a command that prints what [`crate::digest`] gives, each
    /// line behind `digest `, when [`crate::tells_digest`] says so.
    #[must_use]
    pub fn elsewhere(
        mut self,
        command: impl Fn() -> Result<Command, String> + Send + Sync + 'static,
    ) -> Settings {
        self.elsewhere = Some(Box::new(command));
        self
    }

    /// Says which parts random compositions may consist of.
    #[must_use]
    pub fn parts(mut self, keep: fn(&str) -> bool) -> Settings {
        self.parts = keep;
        self
    }

    /// Plays one game after the other until there are enough of them; `one` plays the game of this
    /// number and gives back how many plies it had. The weight says how often it plays each game.
    pub(crate) fn series(
        &self,
        weight: u64,
        mut one: impl FnMut(u64) -> Result<u32, String>,
    ) -> Result<(), String> {
        let (mut number, mut plies) = (0, 0);
        let games = self.games.div_ceil(weight);
        while number < games || (plies < self.plies && number < games * 100) {
            plies += u64::from(one(number)?) * weight;
            number += 1;
        }
        Ok(())
    }

    /// Whether a ply is looked at closely: early ones, powers of two, and some of the others.
    pub(crate) fn looks_at(&self, ply: u32) -> bool {
        is_landmark(ply) || ply.is_multiple_of(self.stride.max(1))
    }
}

/// Early plies and powers of two: where copies are made.
pub(crate) fn is_landmark(ply: u32) -> bool {
    ply < 6 || ply.is_power_of_two()
}

/// Something that a ruleset declares to be always so: mirrored sides swap results, more strength
/// never worsens the odds, a hex never holds too many units.
pub struct Law {
    /// What is always so.
    pub name: &'static str,
    pub(crate) holds: Holds,
}

type OfPlay = dyn Fn(&Play, Seed) -> Result<(), String> + Send + Sync;
type OfPosition = dyn Fn(&Game) -> Result<(), String> + Send + Sync;

/// What a law looks at.
pub(crate) enum Holds {
    /// A play, with the seed of a game.
    Play(Box<OfPlay>),
    /// Every position of a game.
    Position(Box<OfPosition>),
}

impl Law {
    /// A law about a play; it is tried with several seeds.
    pub fn new(
        name: &'static str,
        holds: impl Fn(&Play, Seed) -> Result<(), String> + Send + Sync + 'static,
    ) -> Law {
        let holds = Holds::Play(Box::new(holds));
        Law { name, holds }
    }

    /// A law about every position that is met in random games.
    pub fn always(
        name: &'static str,
        holds: impl Fn(&Game) -> Result<(), String> + Send + Sync + 'static,
    ) -> Law {
        let holds = Holds::Position(Box::new(holds));
        Law { name, holds }
    }
}

/// A variant of a play that changes only rules about certain rolls.
pub struct Twin {
    pub(crate) play: Box<dyn Fn() -> Play + Send + Sync>,
    pub(crate) touches: fn(&str) -> bool,
}

impl Twin {
    /// A variant, and which purposes of rolls it may add, drop or read otherwise.
    pub fn new(play: impl Fn() -> Play + Send + Sync + 'static, touches: fn(&str) -> bool) -> Twin {
        Twin {
            play: Box::new(play),
            touches,
        }
    }
}
