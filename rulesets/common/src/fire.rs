//! §5 Fire: choose who fires, then at whom.

use crate::field::{Field, event, lose_step, must, name, refresh, rules, shake};
use crate::ruleset::needs;
use crate::sections::Section;
use crate::state::{Condition, Focus};
use crate::volley::{fate, range, sees};
use cupola_kernel::{
    Act, Acts, Ask, Check, Combat, Fault, Fight, Needs, Options, Phase, Refusal, Step, Table,
    UnitId, acts,
};
use std::sync::Arc;

acts! {
    /// Answers while firing.
    pub enum Do {
        /// This unit fires next.
        Pick(unit: UnitId) = "unit",
        /// It fires at that one.
        Shoot(unit: UnitId, target: UnitId) = "fire",
        /// It holds its fire.
        Hold(unit: UnitId) = "hold",
        /// No more fire.
        Done = "done",
    }
}

/// The Fire Phase.
pub struct FirePhase;

/// Whether a unit may fire at all.
fn may_fire(t: &Table, unit: UnitId) -> Check {
    let (card, condition) = (rules(t).card(unit), t.get::<Condition>(unit));
    must(t, card.side == t.active(), Section::Fire, "is not yours")?;
    must(t, card.range > 0, Section::Fire, "does not fire")?;
    must(t, !condition.spent, Section::Fire, "has fired already")?;
    must(
        t,
        !condition.shaken,
        Section::Shaken,
        "is shaken and does not fire",
    )
}

/// Whether a unit may fire at another.
fn may_shoot(t: &Table, unit: UnitId, target: UnitId) -> Check {
    may_fire(t, unit)?;
    let rules = rules(t);
    let enemy = rules.card(target).side != t.active();
    must(t, enemy, Section::Fire, "is no enemy")?;
    let near = range(t, unit, target).is_some_and(|range| range <= rules.card(unit).range.into());
    must(t, near, Section::Range, "is out of range")?;
    let seen = rules.fire.as_ref().is_some_and(|fire| {
        let ends = t.hex(unit).zip(t.hex(target));
        ends.is_some_and(|(from, to)| sees(t, fire, from, to))
    });
    must(t, seen, Section::Range, "is not seen")
}

fn targets(t: &Table, unit: UnitId) -> impl Iterator<Item = UnitId> + '_ {
    let able = may_fire(t, unit).is_ok();
    t.units()
        .filter(move |&target| able && may_shoot(t, unit, target).is_ok())
}

/// Whether a unit may be chosen to fire.
fn may_pick(t: &Table, unit: UnitId) -> Check {
    may_fire(t, unit)?;
    let any = targets(t, unit).next().is_some();
    must(t, any, Section::Range, "sees no enemy in range")
}

fn duel(unit: UnitId, target: UnitId) -> Fight {
    Fight {
        attackers: vec![unit],
        defenders: vec![target],
        ..Fight::default()
    }
}

/// Fires for good (§5.3, §5.4).
fn shoot(t: &mut Table, unit: UnitId, target: UnitId) -> Result<(), Fault> {
    let combat = t.combat("fire")?;
    let outcome = t.fight(&*combat, &duel(unit, target))?;
    t.get_mut::<Condition>(unit).spent = true;
    t.res_mut::<Focus>().0 = None;
    t.say(|t| {
        let what = combat.describe(t, &outcome);
        let text = format!("{} fires at {}: {what}", name(t, unit), name(t, target));
        event(t, "fire", Section::Volley, text)
            .units([unit, target])
            .number(outcome.code)
    });
    let fate = rules(t)
        .fire
        .as_ref()
        .map(|fire| fate(fire, outcome.code))
        .unwrap_or_default();
    for _ in 0..fate.steps {
        if t.hex(target).is_some() {
            lose_step(t, target);
        }
    }
    if fate.eliminated && t.hex(target).is_some() {
        crate::field::eliminate(t, target);
    }
    if fate.shaken {
        shake(t, target);
    }
    Ok(())
}

impl Phase for FirePhase {
    fn name(&self) -> &'static str {
        "fire"
    }

    fn verbs(&self) -> &'static [&'static str] {
        Do::VERBS
    }

    fn needs(&self) -> Needs {
        needs().player_turn().combat("fire")
    }

    fn enter(&self, t: &mut Table) -> Result<(), Fault> {
        t.res_mut::<Focus>().0 = None;
        refresh(t);
        Ok(())
    }

    fn next(&self, t: &mut Table) -> Result<Step, Fault> {
        let (side, rules) = (t.active(), rules(t));
        if t.res::<Focus>().0.is_some() {
            return Ok(Step::ask(side, "target", rules.section(Section::Range)));
        }
        let firers = Field::new(t)
            .on_map(side)
            .any(|(unit, _)| targets(t, unit).next().is_some());
        if firers {
            return Ok(Step::ask(side, "fire", rules.section(Section::Fire)));
        }
        refresh(t);
        Ok(Step::Done)
    }

    fn options(&self, t: &Table, _: Ask, out: &mut Options) -> Result<(), Fault> {
        if let Some(unit) = t.res::<Focus>().0 {
            targets(t, unit).for_each(|target| out.push(Do::Shoot(unit, target)));
            out.push(Do::Hold(unit));
            return Ok(());
        }
        let field = Field::new(t);
        let own = field.on_map(t.active()).map(|(unit, _)| unit);
        own.filter(|&unit| targets(t, unit).next().is_some())
            .for_each(|unit| out.push(Do::Pick(unit)));
        out.push(Do::Done);
        Ok(())
    }

    fn take(&self, t: &mut Table, _: Ask, act: Act) -> Result<(), Fault> {
        match Do::from_act(act) {
            Some(Do::Pick(unit)) => t.res_mut::<Focus>().0 = Some(unit),
            Some(Do::Shoot(unit, target)) => shoot(t, unit, target)?,
            Some(Do::Hold(unit)) => {
                t.get_mut::<Condition>(unit).spent = true;
                t.res_mut::<Focus>().0 = None;
            }
            Some(Do::Done) => crate::assault::all_spent(t),
            None => return Err(Fault::Broken("not an answer of the Fire Phase".into())),
        }
        Ok(())
    }

    fn why_not(&self, t: &Table, _: Ask, act: Act) -> Refusal {
        let no = |why| Refusal::new(rules(t).cite(Section::Fire), why);
        match (Do::from_act(act), t.res::<Focus>().0) {
            (Some(Do::Pick(_) | Do::Done), Some(_)) => no("another unit is about to fire"),
            (Some(Do::Pick(unit)), None) => Refusal::of(may_pick(t, unit)),
            (Some(Do::Shoot(unit, target)), Some(picked)) if unit == picked => {
                Refusal::of(may_shoot(t, unit, target))
            }
            (Some(Do::Shoot(..) | Do::Hold(_)), _) => no("is not the unit that fires"),
            _ => no("is not asked now"),
        }
    }

    fn text(&self, t: &Table, _: Ask, act: Act) -> String {
        match Do::from_act(act) {
            Some(Do::Pick(unit)) => format!("{} fires", name(t, unit)),
            Some(Do::Shoot(unit, target)) => {
                let at = t.hex(target).map_or("?", |hex| t.board().label(hex));
                format!("{} fires at {} in {at}", name(t, unit), name(t, target))
            }
            Some(Do::Hold(unit)) => format!("{} holds its fire", name(t, unit)),
            Some(Do::Done) => "no more fire".into(),
            None => "?".into(),
        }
    }

    fn prompt(&self, t: &Table, _: Ask) -> String {
        match t.res::<Focus>().0 {
            Some(unit) => format!("At whom does {} fire?", name(t, unit)),
            None => "Who fires?".into(),
        }
    }

    fn fight(&self, t: &Table, _: Ask, act: Act) -> Option<(Arc<dyn Combat>, Fight)> {
        match Do::from_act(act)? {
            Do::Shoot(unit, target) => Some((t.combat("fire").ok()?, duel(unit, target))),
            _ => None,
        }
    }
}
