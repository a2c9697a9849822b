//! Parts: what is accepted plays. Random compositions from the listed parts are refused with a reason,
//! or are played without a fault.

use crate::conformity::Tally;
use crate::settings::Settings;
use crate::suite::message;
use crate::walk::below;
use cupola_data::Source;
use cupola_kernel::{Change, Composition, Loose, Play, Seed, Stretch, Variant};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// More decisions than are played of a strange composition: whether it ends is no question of its parts.
const ENOUGH: u32 = 1_500;

/// A play whose composition is changed, and what can be put into it.
struct Composer<'a> {
    composition: &'a Composition,
    phases: Vec<&'a str>,
    combats: Vec<&'a str>,
}

impl<'a> Composer<'a> {
    fn new(play: &'a Play, keep: fn(&str) -> bool) -> Composer<'a> {
        let listed = |wanted: &'static str| {
            let names = play.registry().names();
            let kept = names.filter(move |(kind, name)| *kind == wanted && keep(name));
            kept.map(|(_, name)| name).collect()
        };
        Composer {
            composition: play.composition(),
            phases: listed("phase"),
            combats: listed("combat"),
        }
    }

    /// One random change.
    fn change(&self, dice: &mut Loose) -> Change {
        let own: Vec<&str> = self.composition.phases().collect();
        let old = |dice: &mut Loose| own[below(dice, own.len())].to_owned();
        let new = |dice: &mut Loose| self.phases[below(dice, self.phases.len())].to_owned();
        let roles: Vec<_> = self.composition.combat.iter().collect();
        let switches: Vec<_> = self.composition.switches.iter().collect();
        match below(dice, 8) {
            0 | 1 if !self.phases.is_empty() => Change::SwapPhase {
                was: old(dice),
                to: new(dice),
            },
            2 | 3 if !self.phases.is_empty() => Change::AddPhase {
                phase: new(dice),
                after: Some(old(dice)),
                before: None,
            },
            4 => Change::MovePhase {
                phase: old(dice),
                after: Some(old(dice)),
                before: None,
            },
            5 if !roles.is_empty() && !self.combats.is_empty() => {
                let (role, was) = roles[below(dice, roles.len())];
                Change::SwapCombat {
                    role: role.clone(),
                    was: was.clone(),
                    to: self.combats[below(dice, self.combats.len())].to_owned(),
                }
            }
            6 if !switches.is_empty() => {
                let (name, &on) = switches[below(dice, switches.len())];
                Change::Switch {
                    name: name.clone(),
                    to: !on,
                }
            }
            _ => Change::RemovePhase(old(dice)),
        }
    }

    /// A composition after a few random changes, or none if they contradict each other.
    fn changed(&self, dice: &mut Loose) -> (Vec<Change>, Option<Composition>) {
        let count = 1 + below(dice, 3);
        let change: Vec<Change> = (0..count).map(|_| self.change(dice)).collect();
        let variant = Variant {
            base: self.composition.name.clone(),
            name: "random".to_owned(),
            title: "Random".to_owned(),
            change: change.clone(),
            ..Variant::default()
        };
        let file = Source::new("random.ron", "()");
        let mut composition = self.composition.with(&variant, &file).ok();
        // Sometimes a phase leaves its player turn, or comes into one.
        if let Some(composition) = composition.as_mut().filter(|_| below(dice, 4) == 0)
            && let Some(Stretch::Sides(names)) = composition.sequence.first_mut()
            && let Some(name) = names.pop()
        {
            composition.sequence.push(Stretch::Once(name));
        }
        (change, composition)
    }
}

pub(crate) fn run(play: &Play, settings: &Settings, tally: &mut Tally) -> Result<(), String> {
    let composer = Composer::new(play, settings.parts);
    let mut dice = Loose::new(settings.seed.nth(16));
    for number in 0..settings.compositions {
        let (change, composition) = composer.changed(&mut dice);
        let Some(composition) = composition else {
            tally.add("contradictions", 1);
            continue;
        };
        let wrong = |why: String| format!("after {change:?}: {why}");
        let made = catch_unwind(AssertUnwindSafe(|| play.recomposed(&composition)));
        match made {
            Err(panic) => return Err(wrong(format!("composing panics: {}", message(&*panic)))),
            Ok(Err(problems)) if problems.is_empty() => {
                return Err(wrong("it is refused without a reason".to_owned()));
            }
            Ok(Err(_)) => tally.add("refused", 1),
            Ok(Ok(play)) => {
                let seed = settings.seed.nth(1600 + number);
                let played = catch_unwind(AssertUnwindSafe(|| play_on(&play, seed)));
                match played {
                    Err(panic) => return Err(wrong(format!("it panics: {}", message(&*panic)))),
                    Ok(played) => played.map_err(wrong)?,
                }
                tally.add("played", 1);
            }
        }
    }
    Ok(())
}

/// Plays random games, or the beginning of them.
fn play_on(play: &Play, seed: Seed) -> Result<(), String> {
    let fault = |fault: &dyn std::fmt::Display| format!("it is accepted, but fails: {fault}");
    for number in 0..2 {
        let seed = seed.nth(number);
        let mut game = play.game(seed).map_err(|why| fault(&why))?;
        let mut chooser = Loose::new(seed.nth(u64::MAX));
        for _ in 0..ENOUGH {
            let Some(decision) = game.decision() else {
                break;
            };
            let (side, options) = (decision.ask.side, decision.options);
            let act = options[below(&mut chooser, options.len())];
            game.apply(side, act).map_err(|why| fault(&why))?;
        }
    }
    Ok(())
}
