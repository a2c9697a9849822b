//! The wrappers. What a mistake does not concern goes to the sound part.

use super::Bug;
use crate::toy::fire::{Fire, Firing, distance, duel, shots};
use crate::toy::march::{March, Marching};
use crate::toy::ruleset::{self, Block, Focus, Rest, Rules, Spent, Toy, strength};
use crate::toy::volley::Volley;
use bevy_ecs::prelude::Resource;
use cupola_data::Problems;
use cupola_kernel::view::View;
use cupola_kernel::{
    About, Act, Acts, Ask, Bounds, Cite, Combat, Dice, Event, Fault, Fight, Input, Loaded,
    Modifiers, Needs, Options, Outcome, Outlook, Phase, PositionFile, Preview, Refusal, Ruleset,
    Schema, Seat, Setup, Side, Step, Table, UnitId, Walked, rule,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// How often a restless phase was asked.
#[derive(Resource, Clone, Debug, Default, Serialize, Deserialize)]
pub struct Asked(u32);

/// A phase of the toy with a mistake.
pub struct BrokenPhase {
    bug: Bug,
    sound: Box<dyn Phase>,
    marches: AtomicU32,
}

impl BrokenPhase {
    pub fn new(bug: Bug) -> BrokenPhase {
        BrokenPhase {
            bug,
            sound: match bug {
                Bug::LeakyRefusal
                | Bug::NoRule
                | Bug::Endless
                | Bug::Restless
                | Bug::Shy
                | Bug::Undeclared
                | Bug::Unstamped
                | Bug::Outside => Box::new(March),
                Bug::NoRest | Bug::HalfRest => Box::new(Rest),
                _ => Box::new(Fire),
            },
            marches: AtomicU32::new(0),
        }
    }

    /// Takes an answer that is about fire, with the mistakes that concern it.
    fn take_fire(&self, table: &mut Table, ask: Ask, act: Act) -> Result<(), Fault> {
        let Some(Firing::Shoot(unit, target)) = Firing::from_act(act) else {
            return self.sound.take(table, ask, act);
        };
        match self.bug {
            Bug::Panic => panic!("nobody thought of shooting"),
            Bug::OtherTarget => {
                let own = |shot: &Firing| matches!(*shot, Firing::Shoot(firer, _) if firer == unit);
                let last = shots(table).filter(own).last();
                self.sound.take(table, ask, last.map_or(act, Acts::act))
            }
            Bug::SilentReveal => {
                // The sound phase tells the kernel only of what was not shown before.
                table.get_mut::<Block>(unit).shown = true;
                self.sound.take(table, ask, act)
            }
            Bug::LeakyEvent => {
                self.sound.take(table, ask, act)?;
                let left = strength(table, target);
                table.say(|_| Event::new("left", rule!("3.5"), format!("{left} left")));
                Ok(())
            }
            _ => self.sound.take(table, ask, act),
        }
    }
}

impl Phase for BrokenPhase {
    fn name(&self) -> &'static str {
        self.bug.name()
    }

    fn verbs(&self) -> &'static [&'static str] {
        self.sound.verbs()
    }

    fn needs(&self) -> Needs {
        self.sound.needs()
    }

    fn register(&self, schema: &mut Schema) {
        if self.bug == Bug::Restless {
            schema.resource::<Asked>();
        }
    }

    fn prepare(&self, table: &mut Setup) {
        if self.bug == Bug::Restless {
            table.insert(Asked::default());
        }
    }

    fn enter(&self, table: &mut Table) -> Result<(), Fault> {
        match self.bug {
            Bug::NoRest => Ok(()),
            Bug::HalfRest => {
                let rests = |unit: &UnitId| table.info(*unit).side == Side::First;
                for unit in table.units().filter(rests).collect::<Vec<_>>() {
                    *table.get_mut::<Spent>(unit) = Spent::default();
                }
                Ok(())
            }
            Bug::Stream if table.rules::<Rules>().gusts => {
                table.d6("die", About::Game);
                Ok(())
            }
            _ => self.sound.enter(table),
        }
    }

    fn next(&self, table: &mut Table) -> Result<Step, Fault> {
        match self.bug {
            Bug::Endless => {
                table
                    .units()
                    .for_each(|unit| table.get_mut::<Spent>(unit).marched = false);
            }
            Bug::Restless | Bug::Undeclared => table.res_mut::<Asked>().0 += 1,
            Bug::DeadEnd if table.res::<Focus>().0.is_none() => {
                return Ok(Step::ask(table.active(), "shoot", "3.1"));
            }
            _ => {}
        }
        self.sound.next(table)
    }

    fn options(&self, table: &Table, ask: Ask, out: &mut Options) -> Result<(), Fault> {
        let mut listed = Options::default();
        self.sound.options(table, ask, &mut listed)?;
        let range = table.rules::<Rules>().range;
        match self.bug {
            Bug::ShortShot | Bug::LongShot | Bug::DeadEnd => {
                let answers = listed.acts().iter();
                answers
                    .filter_map(|&act| Firing::from_act(act))
                    .filter(|&answer| match answer {
                        Firing::Shoot(unit, target) => {
                            self.bug != Bug::ShortShot
                                || distance(table, unit, target).is_some_and(|d| d < range)
                        }
                        Firing::Hold => self.bug != Bug::DeadEnd,
                        _ => true,
                    })
                    .for_each(|answer| out.push(answer));
                if self.bug == Bug::LongShot && table.res::<Focus>().0.is_none() {
                    self.too_far(table, out);
                }
            }
            Bug::Shy => {
                let friends = |answer: &Marching| matches!(answer, Marching::Go(_, hex) if table.stacks().units(*hex).next().is_some());
                let answers = listed.acts().iter();
                answers
                    .filter_map(|&act| Marching::from_act(act))
                    .filter(|answer| !friends(answer))
                    .for_each(|answer| out.push(answer));
            }
            Bug::FriendlyFire if table.res::<Focus>().0.is_none() => {
                self.sound.options(table, ask, out)?;
                let own = |unit: &UnitId| table.info(*unit).side == table.active();
                let near = |a, b| distance(table, a, b).is_some_and(|d| d <= range);
                for unit in table.units().filter(own) {
                    for target in table.units().filter(own) {
                        let fresh = !table.get::<Spent>(unit).fired;
                        if fresh && unit != target && near(unit, target) {
                            out.push(Firing::Shoot(unit, target));
                        }
                    }
                }
            }
            _ => self.sound.options(table, ask, out)?,
        }
        Ok(())
    }

    fn take(&self, table: &mut Table, ask: Ask, act: Act) -> Result<(), Fault> {
        if self.bug != Bug::Outside {
            return self.take_fire(table, ask, act);
        }
        self.sound.take(table, ask, act)?;
        if let Some(Marching::Go(unit, _)) = Marching::from_act(act) {
            // Every third march tires; the count is shared by all games there are.
            let third = self.marches.fetch_add(1, Ordering::Relaxed) % 3 == 2;
            table.get_mut::<Spent>(unit).fired = third;
        }
        Ok(())
    }

    fn why_not(&self, table: &Table, ask: Ask, act: Act) -> Refusal {
        let refusal = self.sound.why_not(table, ask, act);
        match (self.bug, Marching::from_act(act)) {
            (Bug::NoRule, _) => Refusal::new(Cite::new(""), "no"),
            (Bug::LeakyRefusal, Some(Marching::Pick(unit))) => {
                let why = format!(
                    "{}, and has strength {}",
                    refusal.why,
                    strength(table, unit)
                );
                Refusal::new(refusal.rule, why)
            }
            _ => refusal,
        }
    }

    fn text(&self, table: &Table, ask: Ask, act: Act) -> String {
        let text = self.sound.text(table, ask, act);
        match (self.bug, Firing::from_act(act)) {
            (Bug::LeakyText, Some(Firing::Shoot(_, target))) => {
                format!("{text} (strength {})", strength(table, target))
            }
            (Bug::SameText, Some(Firing::Shoot(..))) => "Fire".to_owned(),
            _ => text,
        }
    }

    fn outlook(&self, table: &Table, ask: Ask, act: Act) -> Outlook {
        match (self.bug, Firing::from_act(act)) {
            (Bug::LeakyOutlook, Some(Firing::Shoot(_, target))) => {
                Outlook::of(strength(table, target).into(), 0, vec![])
            }
            _ => self.sound.outlook(table, ask, act),
        }
    }

    fn prompt(&self, table: &Table, ask: Ask) -> String {
        self.sound.prompt(table, ask)
    }

    fn fight(&self, table: &Table, ask: Ask, act: Act) -> Option<(Arc<dyn Combat>, Fight)> {
        self.sound.fight(table, ask, act)
    }

    fn preview(&self, table: &Table, ask: Ask, act: Act) -> Option<Preview> {
        let mut preview = self.sound.preview(table, ask, act)?;
        match self.bug {
            // As if every die hit one time in two.
            Bug::WrongOdds => preview
                .outcomes
                .iter_mut()
                .for_each(|(_, weight)| *weight = 1),
            Bug::LostOdds => preview.outcomes.truncate(1),
            _ => return Some(preview),
        }
        if self.bug == Bug::WrongOdds {
            preview.total = preview.outcomes.len() as u128;
        }
        Some(preview)
    }
}

impl BrokenPhase {
    /// Adds targets one hex beyond the range, for whoever can fire at somebody anyway.
    fn too_far(&self, table: &Table, out: &mut Options) {
        let range = table.rules::<Rules>().range;
        let firers: Vec<_> = table
            .units()
            .filter(|&unit| table.info(unit).side == table.active())
            .filter(|&unit| !table.get::<Spent>(unit).fired)
            .collect();
        for unit in firers {
            for target in table
                .units()
                .filter(|&t| table.info(t).side != table.active())
            {
                if distance(table, unit, target) == Some(range + 1) {
                    out.push(Firing::Shoot(unit, target));
                }
            }
        }
    }
}

/// The toy with a mistake in what is not a phase.
pub struct BrokenToy(pub Bug);

impl Ruleset for BrokenToy {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn version(&self) -> &'static str {
        "1"
    }

    fn register(&self, schema: &mut Schema) {
        if self.0 == Bug::Unregistered {
            schema.unit::<Block>().resource::<Focus>();
        } else {
            Toy.register(schema);
        }
    }

    fn load(&self, input: &Input) -> Result<Loaded, Problems> {
        ruleset::load(input, self.stacking())
    }

    fn setup(&self, table: &mut Setup) {
        Toy.setup(table);
    }

    fn position(&self, table: &mut Setup, file: &PositionFile) -> Result<(), Problems> {
        Toy.position(table, file)
    }

    fn finish(&self, table: &mut Table) {
        Toy.finish(table);
    }

    fn view(&self, table: &Table, seat: Seat, view: &mut View) {
        Toy.view(table, seat, view);
        if self.0 == Bug::LeakyView {
            for (shown, unit) in view.units.iter_mut().zip(table.units()) {
                shown.ratings = strength(table, unit).to_string();
            }
        }
    }

    fn shuffle_hidden(&self, table: &mut Table, seat: Seat, dice: &mut dyn Dice) -> bool {
        if self.0 == Bug::WildShuffle {
            table
                .units()
                .for_each(|unit| table.get_mut::<Block>(unit).full = 4);
        }
        Toy.shuffle_hidden(table, seat, dice)
    }

    fn walked(&self, table: &Table, ask: Ask) -> Option<Walked> {
        Toy.walked(table, ask)
    }

    fn bounds(&self) -> Bounds {
        Bounds {
            options: if self.0 == Bug::TooWide { 3 } else { 10 },
            ..Toy.bounds()
        }
    }
}

impl BrokenToy {
    /// How many units fit into a hex.
    fn stacking(&self) -> usize {
        static LOADED: AtomicU32 = AtomicU32::new(0);
        match self.0 {
            Bug::Crowd => 99,
            Bug::Fickle => 1 + LOADED.fetch_add(1, Ordering::Relaxed) as usize % 2,
            Bug::Moody if std::env::var_os("PATH").is_none() => 1,
            // Only where the suite has put it: not in the folder of this crate.
            Bug::Diarist if std::env::var_os("PATH").is_none() => {
                std::fs::write("diary.txt", "loaded").ok();
                2
            }
            _ => 2,
        }
    }
}

/// The combat system with a mistake.
pub struct BrokenVolley(pub Bug);

impl Combat for BrokenVolley {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn modifiers(&self, table: &Table, fight: &Fight) -> Modifiers {
        Volley.modifiers(table, fight)
    }

    fn resolve(&self, table: &Table, fight: &Fight, dice: &mut dyn Dice) -> Result<Outcome, Fault> {
        let (unit, target) = (fight.attackers[0], fight.defenders[0]);
        if self.0 == Bug::Stream {
            let need = if distance(table, unit, target) == Some(1) {
                5
            } else {
                6
            };
            let shots = 0..strength(table, unit);
            let hits = shots
                .filter(|_| dice.d6("die", About::Game) >= need)
                .count();
            return Ok(Outcome::code(hits as u16));
        }
        if self.0 == Bug::Remembers {
            static FOUGHT: Mutex<BTreeMap<(u16, UnitId, UnitId), u16>> =
                Mutex::new(BTreeMap::new());
            let mut fought = FOUGHT.lock().unwrap_or_else(PoisonError::into_inner);
            let key = (table.turn(), unit, target);
            if let Some(&code) = fought.get(&key) {
                return Ok(Outcome::code(code));
            }
            let outcome = Volley.resolve(table, fight, dice)?;
            fought.insert(key, outcome.code);
            return Ok(outcome);
        }
        if self.0 == Bug::ShortReckoning {
            return Volley.resolve(table, fight, dice);
        }
        let outcome = Volley.resolve(table, &duel(unit, target), dice)?;
        // More hits than the target can take are not counted.
        let most = u16::from(strength(table, target));
        Ok(Outcome::code(outcome.code.min(most)))
    }

    fn reckon(&self, table: &Table, fight: &Fight) -> Option<Vec<i16>> {
        let dice = || i16::from(strength(table, fight.attackers[0]));
        (self.0 == Bug::ShortReckoning).then(|| vec![dice()])
    }

    fn describe(&self, table: &Table, outcome: &Outcome) -> String {
        Volley.describe(table, outcome)
    }
}
