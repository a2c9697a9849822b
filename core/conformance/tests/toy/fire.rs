//! §3: fire, and §4: what it does to those who are hit.

use super::march::enter;
use super::ruleset::{Block, DEAD, Focus, Rules, Spent, is_dead, living, strength};
use cupola_kernel::{
    About, Act, Acts, Ask, Check, Combat, Event, Fault, Fight, HexId, Needs, Options, Phase, Place,
    Refusal, Step, Table, UnitId, Verdict, acts, forbid, require, rule,
};
use std::sync::Arc;

acts! {
    /// Answers in the fire phase.
    pub enum Firing {
        /// Fires at that unit.
        Shoot(unit: UnitId, target: UnitId) = "shoot",
        /// No more fire.
        Hold = "hold",
        /// A unit that was hit stands.
        Stand(unit: UnitId) = "stand",
        /// A unit that was hit gives way.
        Give(unit: UnitId, hex: HexId) = "give",
    }
}

/// The phase.
pub struct Fire;

fn legal(table: &Table, answer: Firing) -> Check {
    let focus = table.res::<Focus>().0;
    match answer {
        Firing::Shoot(unit, target) => {
            forbid(
                focus.is_some(),
                rule!("4"),
                "must wait for those who were hit",
            )?;
            let own = table.info(unit).side == table.active();
            require(own, rule!("3.1"), "is not yours")?;
            forbid(is_dead(table, unit), rule!("3.1"), "is dead")?;
            forbid(
                table.get::<Spent>(unit).fired,
                rule!("3.2"),
                "has fired already",
            )?;
            let enemy = table.info(target).side != table.active();
            require(enemy, rule!("3.3"), "is no enemy")?;
            let range = table.rules::<Rules>().range;
            let near = distance(table, unit, target).is_some_and(|d| d <= range);
            require(near, rule!("3.4"), "is out of range")
        }
        Firing::Hold => forbid(
            focus.is_some(),
            rule!("4"),
            "must wait for those who were hit",
        ),
        Firing::Stand(unit) => require(focus == Some(unit), rule!("4.1"), "was not hit"),
        Firing::Give(unit, hex) => {
            require(focus == Some(unit), rule!("4.1"), "was not hit")?;
            enter(table, unit, hex)
        }
    }
}

/// How far apart two units are; nothing if one is dead.
pub fn distance(table: &Table, one: UnitId, other: UnitId) -> Option<u32> {
    Some(table.board().distance(table.hex(one)?, table.hex(other)?))
}

/// Every shot that is legal.
pub fn shots(table: &Table) -> impl Iterator<Item = Firing> + '_ {
    let pairs = table
        .units()
        .flat_map(|unit| table.units().map(move |t| (unit, t)));
    pairs
        .map(|(unit, target)| Firing::Shoot(unit, target))
        .filter(|&shot| legal(table, shot).is_ok())
}

fn shoot(table: &mut Table, unit: UnitId, target: UnitId) -> Result<(), Fault> {
    let (combat, fight) = (table.combat("fire")?, duel(unit, target));
    let outcome = table.fight(&*combat, &fight)?;
    let hits = outcome.code as u8;
    table.get_mut::<Spent>(unit).fired = true;
    show(table, unit);
    table.get_mut::<Block>(target).hits += hits.min(strength(table, target));
    table.say(|_| {
        let text = format!("{hits} hits");
        Event::new("volley", rule!("3.5"), text).units([unit, target])
    });
    if strength(table, target) == 0 {
        show(table, target);
        table.place(target, Place::Box(DEAD));
        table.say(|_| Event::new("dead", rule!("3.6"), "is dead").unit(target));
    } else if hits > 0 {
        table.res_mut::<Focus>().0 = Some(target);
    }
    let (own, enemy) = (table.active(), table.active().other());
    if living(table, enemy).next().is_none() {
        table.end(Verdict {
            winner: Some(own),
            how: "the enemy is destroyed".into(),
            rule: rule!("6"),
        });
    }
    Ok(())
}

pub fn duel(unit: UnitId, target: UnitId) -> Fight {
    Fight {
        attackers: vec![unit],
        defenders: vec![target],
        ..Fight::default()
    }
}

/// The enemy learns a unit's strength.
fn show(table: &mut Table, unit: UnitId) {
    if !table.get::<Block>(unit).shown {
        table.get_mut::<Block>(unit).shown = true;
        table.reveal();
    }
}

impl Phase for Fire {
    fn name(&self) -> &'static str {
        "fire"
    }

    fn verbs(&self) -> &'static [&'static str] {
        Firing::VERBS
    }

    fn needs(&self) -> Needs {
        Needs::nothing()
            .player_turn()
            .rules::<Rules>()
            .combat("fire")
    }

    fn enter(&self, table: &mut Table) -> Result<(), Fault> {
        if table.rules::<Rules>().gusts {
            table.d6("gust", About::Game);
        }
        Ok(())
    }

    fn next(&self, table: &mut Table) -> Result<Step, Fault> {
        let side = table.active();
        if table.res::<Focus>().0.is_some() {
            return Ok(Step::ask(side.other(), "stand", "4"));
        }
        let can = shots(table).next().is_some();
        Ok(if can {
            Step::ask(side, "shoot", "3.1")
        } else {
            Step::Done
        })
    }

    fn options(&self, table: &Table, _: Ask, out: &mut Options) -> Result<(), Fault> {
        shots(table).for_each(|shot| out.push(shot));
        let mut list = |answer: Firing| {
            if legal(table, answer).is_ok() {
                out.push(answer);
            }
        };
        list(Firing::Hold);
        if let Some(unit) = table.res::<Focus>().0 {
            list(Firing::Stand(unit));
            table
                .board()
                .hexes()
                .for_each(|hex| list(Firing::Give(unit, hex)));
        }
        Ok(())
    }

    fn take(&self, table: &mut Table, _: Ask, act: Act) -> Result<(), Fault> {
        let answer = Firing::from_act(act).ok_or(Fault::Broken("no such answer".to_owned()))?;
        legal(table, answer).map_err(|refusal| Fault::Broken(refusal.to_string()))?;
        match answer {
            Firing::Shoot(unit, target) => shoot(table, unit, target)?,
            Firing::Hold => {
                for unit in table.units() {
                    let own = table.info(unit).side == table.active();
                    table.get_mut::<Spent>(unit).fired |= own;
                }
            }
            Firing::Stand(_) => table.res_mut::<Focus>().0 = None,
            Firing::Give(unit, hex) => {
                table.place(unit, Place::Hex(hex));
                table.res_mut::<Focus>().0 = None;
                table.say(|_| {
                    Event::new("give", rule!("4.2"), "gives way")
                        .unit(unit)
                        .hex(hex)
                });
            }
        }
        Ok(())
    }

    fn why_not(&self, table: &Table, _: Ask, act: Act) -> Refusal {
        match Firing::from_act(act).map(|answer| legal(table, answer)) {
            Some(check) => Refusal::of(check),
            None => Refusal::new(rule!("3"), "is no answer in the fire phase"),
        }
    }

    fn text(&self, table: &Table, _: Ask, act: Act) -> String {
        let name = |unit: UnitId| &table.info(unit).name;
        match Firing::from_act(act) {
            Some(Firing::Shoot(unit, target)) => {
                format!("{} fires at {}", name(unit), name(target))
            }
            Some(Firing::Hold) => "Cease fire".to_owned(),
            Some(Firing::Stand(unit)) => format!("{} stands", name(unit)),
            Some(Firing::Give(unit, hex)) => {
                format!("{} gives way to {}", name(unit), table.board().label(hex))
            }
            None => String::new(),
        }
    }

    fn prompt(&self, _: &Table, ask: Ask) -> String {
        match ask.question {
            "stand" => "Your unit is hit. Does it stand?".to_owned(),
            _ => "Who fires at whom?".to_owned(),
        }
    }

    fn fight(&self, table: &Table, _: Ask, act: Act) -> Option<(Arc<dyn Combat>, Fight)> {
        match Firing::from_act(act)? {
            Firing::Shoot(unit, target) => Some((table.combat("fire").ok()?, duel(unit, target))),
            _ => None,
        }
    }
}
