//! Deliberately broken toys: each is the sound toy with one part wrapped and one mistake in it.

pub mod parts;

use crate::toy::{Parts, compose};
use cupola_conformance::{Check, Settings, Twin};
use cupola_kernel::{Code, Contribution, Play, Ruleset, stamp};
use std::sync::Arc;

/// One mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bug {
    /// Targets one hex too far are listed, and refused when shot at.
    LongShot,
    /// Targets at the full range are not listed, though no rule forbids them.
    ShortShot,
    /// Any number of units fit into a hex.
    Crowd,
    /// The view tells the enemy's strength.
    LeakyView,
    /// The text of an option tells the target's strength.
    LeakyText,
    /// An event tells the target's strength.
    LeakyEvent,
    /// A refusal tells the strength of those who hold a hex.
    LeakyRefusal,
    /// The odds depend on the target's strength.
    LeakyOdds,
    /// A strength is shown without a word to the kernel.
    SilentReveal,
    /// A shuffle that makes the seat see something else.
    WildShuffle,
    /// All dice come from one address.
    Stream,
    /// Nobody rests.
    NoRest,
    /// What an option costs tells the target's strength.
    LeakyOutlook,
    /// Two options read the same.
    SameText,
    /// A refusal that cites no rule.
    NoRule,
    /// A count that is kept in the phase, not in the state.
    Outside,
    /// State that is put on the table, but not registered.
    Unregistered,
    /// A phase that is never done.
    Endless,
    /// A question without options.
    DeadEnd,
    /// More options than declared.
    TooWide,
    /// Asking again changes the state.
    Restless,
    /// Odds written by hand, and wrong.
    WrongOdds,
    /// Odds that do not add up.
    LostOdds,
    /// A shot at somebody else than was shown.
    OtherTarget,
    /// A phase that panics.
    Panic,
    /// Shots at friends are offered.
    FriendlyFire,
    /// Only the first side rests.
    HalfRest,
    /// A hex that holds a friend is not offered.
    Shy,
    /// State that is read without a word in `Phase::needs`.
    Undeclared,
    /// The code of a phase is no part of the rules.
    Unstamped,
    /// What is loaded depends on how often it was loaded before.
    Fickle,
    /// Fights that were fought once are not rolled again.
    Remembers,
    /// The range is left out of what the dice are read with.
    ShortReckoning,
    /// What is loaded depends on the environment.
    Moody,
    /// Loading leaves a file behind.
    Diarist,
}

impl Bug {
    /// All of them, each with the check that must catch it and what it must say.
    pub const ALL: [(Bug, Check, &'static str); 35] = [
        (
            Bug::LongShot,
            Check::Options,
            "is not accepted: is out of range",
        ),
        (Bug::ShortShot, Check::Options, "no rule forbids it"),
        (Bug::Crowd, Check::Laws, "no hex holds more than two"),
        (Bug::LeakyView, Check::Views, "ratings"),
        (Bug::LeakyText, Check::Views, "(strength"),
        (Bug::LeakyEvent, Check::Views, "left"),
        (Bug::LeakyRefusal, Check::Views, "and has strength"),
        (Bug::LeakyOdds, Check::Views, "hits\","),
        (Bug::SilentReveal, Check::Views, "after the step"),
        (Bug::WildShuffle, Check::Views, "ratings"),
        (
            Bug::Stream,
            Check::Dice,
            "in a variant that does not touch it",
        ),
        (Bug::NoRest, Check::Laws, "both sides march in every turn"),
        (Bug::LeakyOutlook, Check::Views, "spent"),
        (Bug::SameText, Check::Options, "both read"),
        (Bug::NoRule, Check::Options, "no rule forbids it"),
        (Bug::Outside, Check::Copies, "plies on"),
        (Bug::Unregistered, Check::Copies, "panicked"),
        (Bug::Endless, Check::Games, "the declared bound"),
        (Bug::DeadEnd, Check::Games, "offers no answer"),
        (Bug::TooWide, Check::Games, "the declared bound is 3"),
        (Bug::Restless, Check::Copies, "another hash"),
        (Bug::WrongOdds, Check::Odds, "chi-squared"),
        (Bug::LostOdds, Check::Odds, "add up to"),
        (
            Bug::OtherTarget,
            Check::Odds,
            "is not the one that was shown",
        ),
        (Bug::Panic, Check::Games, "nobody thought of shooting"),
        (Bug::FriendlyFire, Check::Fights, "is of its own side"),
        (Bug::HalfRest, Check::Seams, "has not rested"),
        (Bug::Shy, Check::Marches, "not at all by the search"),
        (Bug::Undeclared, Check::Parts, "it panics"),
        (
            Bug::Unstamped,
            Check::Identity,
            "the code of “unstamped.unstamped”",
        ),
        (Bug::Fickle, Check::Identity, "come to different games"),
        (Bug::Remembers, Check::Script, "are left over"),
        (
            Bug::ShortReckoning,
            Check::Odds,
            "a fight with the same numbers had other odds",
        ),
        (Bug::Moody, Check::Elsewhere, "plays other games"),
        (Bug::Diarist, Check::Elsewhere, "it leaves “diary.txt”"),
    ];

    /// The name of the broken part.
    pub fn name(self) -> &'static str {
        match self {
            Bug::LongShot => "long-shot",
            Bug::ShortShot => "short-shot",
            Bug::Crowd => "crowd",
            Bug::LeakyView => "leaky-view",
            Bug::LeakyText => "leaky-text",
            Bug::LeakyEvent => "leaky-event",
            Bug::LeakyRefusal => "leaky-refusal",
            Bug::LeakyOdds => "leaky-odds",
            Bug::SilentReveal => "silent-reveal",
            Bug::WildShuffle => "wild-shuffle",
            Bug::Stream => "stream",
            Bug::NoRest => "no-rest",
            Bug::LeakyOutlook => "leaky-outlook",
            Bug::SameText => "same-text",
            Bug::NoRule => "no-rule",
            Bug::Outside => "outside",
            Bug::Unregistered => "unregistered",
            Bug::Endless => "endless",
            Bug::DeadEnd => "dead-end",
            Bug::TooWide => "too-wide",
            Bug::Restless => "restless",
            Bug::WrongOdds => "wrong-odds",
            Bug::LostOdds => "lost-odds",
            Bug::OtherTarget => "other-target",
            Bug::Panic => "panic",
            Bug::FriendlyFire => "friendly-fire",
            Bug::HalfRest => "half-rest",
            Bug::Shy => "shy",
            Bug::Undeclared => "undeclared",
            Bug::Unstamped => "unstamped",
            Bug::Fickle => "fickle",
            Bug::Remembers => "remembers",
            Bug::ShortReckoning => "short-reckoning",
            Bug::Moody => "moody",
            Bug::Diarist => "diarist",
        }
    }

    /// The toy with this mistake.
    pub fn play(self, gusts: bool) -> Play {
        let broken = format!("broken.{}", self.name());
        let mut parts = Parts {
            gusts,
            ..Parts::sound()
        };
        match self {
            Bug::Crowd | Bug::LeakyView | Bug::WildShuffle | Bug::TooWide | Bug::Unregistered => {
                parts.ruleset = self.name()
            }
            Bug::Fickle | Bug::Moody | Bug::Diarist => parts.ruleset = self.name(),
            Bug::Unstamped => parts.march = format!("unstamped.{}", self.name()),
            Bug::Remembers | Bug::ShortReckoning => parts.volley = broken,
            Bug::LeakyRefusal | Bug::NoRule | Bug::Endless | Bug::Restless | Bug::Outside => {
                parts.march = broken
            }
            Bug::Shy => parts.march = broken,
            // It stands in the registry, and random compositions find it.
            Bug::Undeclared => {}
            Bug::NoRest | Bug::HalfRest => parts.rest = broken,
            Bug::LeakyOdds => parts.volley = broken,
            Bug::Stream => {
                parts.fire.clone_from(&broken);
                parts.volley = broken;
            }
            Bug::LongShot
            | Bug::ShortShot
            | Bug::LeakyText
            | Bug::LeakyEvent
            | Bug::SilentReveal
            | Bug::LeakyOutlook
            | Bug::SameText
            | Bug::DeadEnd
            | Bug::WrongOdds
            | Bug::LostOdds
            | Bug::OtherTarget
            | Bug::FriendlyFire
            | Bug::Panic => parts.fire = broken,
        }
        compose(
            &parts,
            &[
                contribution("broken", stamp!()),
                contribution("unstamped", &[]),
            ],
        )
    }

    /// Settings whose variant has the same mistake.
    pub fn settings(self) -> Settings {
        let twin = Twin::new(move || self.play(true), |purpose| purpose == "gust");
        // Of the broken parts only the one that does not say what it needs.
        let keep = |name: &str| {
            let broken = name.starts_with("broken.") || name.starts_with("unstamped.");
            !broken || name == "broken.undeclared"
        };
        crate::toy::with_laws(Settings::quick())
            .twin(twin)
            .parts(keep)
            .elsewhere(move || {
                cupola_conformance::same_test(&format!("mutants::{}_elsewhere", self.name()))
            })
    }
}

fn contribution(space: &'static str, code: Code) -> Contribution {
    let rulesets: fn() -> Vec<Arc<dyn Ruleset>> = match code.is_empty() {
        true => Vec::new,
        false => || {
            Bug::ALL
                .map(|(bug, ..)| Arc::new(parts::BrokenToy(bug)) as Arc<_>)
                .to_vec()
        },
    };
    Contribution {
        space,
        code,
        rulesets,
        phases: || {
            Bug::ALL
                .map(|(bug, ..)| Arc::new(parts::BrokenPhase::new(bug)) as Arc<_>)
                .to_vec()
        },
        combats: || {
            Bug::ALL
                .map(|(bug, ..)| Arc::new(parts::BrokenVolley(bug)) as Arc<_>)
                .to_vec()
        },
    }
}
