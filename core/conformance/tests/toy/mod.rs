//! A tiny ruleset, small enough to read in minutes, that uses every part of the contract.
//!
//! Two sides of three units on a meadow. A unit has a strength that the enemy does not know until it
//! fires or dies. In its player turn a side marches (§2), then fires (§3); a unit that is hit stands or
//! gives way, as its owner decides (§4). When both have played, all rest (§5). After four turns
//! whoever lost fewer units has won (§6).

#![allow(dead_code, reason = "each test file uses its own part of the toy")]
#![allow(clippy::unwrap_used, reason = "the toy's files are part of its tests")]

pub mod fire;
pub mod ground;
pub mod march;
pub mod ruleset;
pub mod volley;

use cupola_conformance::{Law, Settings, Twin};
use cupola_data::{Problems, Source};
use cupola_kernel::{Composition, Contribution, Identity, Play, PlayParts, Registry};
use ruleset::Toy;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The composition with its parts still to be named.
const COMPOSITION: &str = r#"(
    name: "toy", title: "A toy", modelled_on: "nothing",
    sides: ((id: "blue", name: "Blue"), (id: "red", name: "Red")),
    sequence: [sides(["MARCH", "FIRE"]), once("REST")],
    combat: {"fire": "VOLLEY"},
    switches: {"gusts": GUSTS},
)"#;

/// Which parts the toy is composed of, by their full names.
pub struct Parts {
    pub ruleset: &'static str,
    pub march: String,
    pub fire: String,
    pub rest: String,
    pub volley: String,
    /// A variant: each fire phase begins with a roll for the wind, which does nothing.
    pub gusts: bool,
}

impl Parts {
    pub fn sound() -> Parts {
        Parts {
            ruleset: "toy",
            march: "toy.march".to_owned(),
            fire: "toy.fire".to_owned(),
            rest: "toy.rest".to_owned(),
            volley: "toy.volley".to_owned(),
            gusts: false,
        }
    }
}

/// What the toy brings.
pub fn contribution() -> Contribution {
    Contribution {
        space: "toy",
        code: cupola_kernel::stamp!(),
        rulesets: || vec![Arc::new(Toy)],
        phases: || {
            vec![
                Arc::new(march::March),
                Arc::new(fire::Fire),
                Arc::new(ruleset::Rest),
            ]
        },
        combats: || vec![Arc::new(volley::Volley)],
    }
}

/// Composes a play from these parts.
pub fn compose(parts: &Parts, more: &[Contribution]) -> Play {
    let play = compose_text(&text_of(parts), parts.ruleset, more);
    play.unwrap_or_else(|problems| panic!("{problems}"))
}

/// What `ruleset.ron` says of these parts.
pub fn text_of(parts: &Parts) -> String {
    COMPOSITION
        .replace("MARCH", &parts.march)
        .replace("FIRE", &parts.fire)
        .replace("REST", &parts.rest)
        .replace("VOLLEY", &parts.volley)
        .replace("GUSTS", &parts.gusts.to_string())
}

/// Composes a play from the text of a `ruleset.ron`, or says what is wrong with it.
pub fn compose_text(text: &str, base: &str, more: &[Contribution]) -> Result<Play, Problems> {
    let mut registry = Registry::default();
    registry.add(&contribution())?;
    more.iter().try_for_each(|c| registry.add(c))?;
    let file = Source::new("ruleset.ron", text);
    let composition: Composition = file.ron()?;
    Play::new(&PlayParts {
        registry: &registry,
        composition: &composition,
        composition_file: &file,
        base,
        files: &BTreeMap::new(),
        scenario: &Source::new("skirmish.ron", include_str!("skirmish.ron")),
        scenario_name: "skirmish",
        board: ground::board(),
        inputs: &Identity::default(),
        army: &ground::army(),
        track: ground::turns(),
    })
}

/// The toy as it should be; beside its own parts lie those of a plugin.
pub fn toy() -> Play {
    compose(&Parts::sound(), &[rehearsal::contribution()])
}

/// The toy's laws, and its variant.
pub fn settings() -> Settings {
    let gusts = || {
        let parts = Parts {
            gusts: true,
            ..Parts::sound()
        };
        compose(&parts, &[])
    };
    with_laws(Settings::standard()).twin(Twin::new(gusts, |purpose| purpose == "gust"))
}

/// What is always so in the toy.
pub fn with_laws(settings: Settings) -> Settings {
    settings
        .law(Law::always("no hex holds more than two units", |game| {
            let stacks = game.table().stacks();
            let crowd = game
                .table()
                .board()
                .hexes()
                .find(|&hex| stacks.units(hex).count() > 2);
            crowd.map_or(Ok(()), |hex| {
                Err(format!("hex {} does", game.table().board().label(hex)))
            })
        }))
        .law(Law::new("both sides march in every turn", |play, seed| {
            let mut game = play.game(seed).map_err(|fault| fault.to_string())?;
            let mut asked = BTreeSet::new();
            // The last option is to do nothing, so nobody dies and every turn is played.
            while let Some(decision) = game.decision() {
                let (ask, act) = (decision.ask, decision.options[decision.options.len() - 1]);
                asked.insert((game.table().turn(), ask.side));
                game.apply(ask.side, act)
                    .map_err(|error| error.to_string())?;
            }
            match asked.len() {
                8 => Ok(()),
                n => Err(format!("they were asked {n} times in four turns")),
            }
        }))
}
