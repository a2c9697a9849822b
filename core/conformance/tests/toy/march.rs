//! §2: marching. Choose a unit, then where it goes.

use super::ruleset::{Focus, Rules, Spent, is_dead, living};
use cupola_kernel::{
    Act, Acts, Ask, Check, Event, Fault, HexId, Needs, Options, Outlook, Phase, Place, Refusal,
    Step, Table, UnitId, acts, forbid, require, rule,
};

acts! {
    /// Answers while marching.
    pub enum Marching {
        /// This unit marches.
        Pick(unit: UnitId) = "unit",
        /// It goes there.
        Go(unit: UnitId, hex: HexId) = "go",
        /// It stays.
        Stay(unit: UnitId) = "stay",
        /// The others stay.
        Done = "done",
    }
}

/// The phase.
pub struct March;

/// Whether an answer is legal: lists the options and explains what is missing.
fn legal(table: &Table, answer: Marching) -> Check {
    let focus = table.res::<Focus>().0;
    match answer {
        Marching::Pick(unit) => {
            forbid(
                focus.is_some(),
                rule!("2.1"),
                "waits: a unit is on the march",
            )?;
            let own = table.info(unit).side == table.active();
            require(own, rule!("2.2"), "is not yours")?;
            forbid(is_dead(table, unit), rule!("2.2"), "is dead")?;
            let marched = table.get::<Spent>(unit).marched;
            forbid(marched, rule!("2.3"), "has marched already")
        }
        Marching::Go(unit, hex) => {
            require(focus == Some(unit), rule!("2.1"), "was not chosen")?;
            enter(table, unit, hex)
        }
        Marching::Stay(unit) => require(focus == Some(unit), rule!("2.1"), "was not chosen"),
        Marching::Done => forbid(focus.is_some(), rule!("2.1"), "must come after the march"),
    }
}

/// Whether a unit may go to a hex: §2.4 next to it, §2.5 without enemies, §2.6 with room.
pub fn enter(table: &Table, unit: UnitId, hex: HexId) -> Check {
    let near = table.hex(unit).map(|at| table.board().distance(at, hex));
    require(near == Some(1), rule!("2.4"), "is not next to it")?;
    let side = table.info(unit).side;
    let held = table
        .stacks()
        .units(hex)
        .any(|u| table.info(u).side != side);
    forbid(held, rule!("2.5"), "is held by the enemy")?;
    let room = table.stacks().units(hex).count() < table.rules::<Rules>().stack;
    require(room, rule!("2.6"), "has no room")
}

impl Phase for March {
    fn name(&self) -> &'static str {
        "march"
    }

    fn verbs(&self) -> &'static [&'static str] {
        Marching::VERBS
    }

    fn needs(&self) -> Needs {
        Needs::nothing().player_turn().rules::<Rules>()
    }

    fn next(&self, table: &mut Table) -> Result<Step, Fault> {
        let side = table.active();
        if table.res::<Focus>().0.is_some() {
            return Ok(Step::ask(side, "where", "2.4"));
        }
        let fresh = living(table, side).any(|unit| !table.get::<Spent>(unit).marched);
        Ok(if fresh {
            Step::ask(side, "march", "2.1")
        } else {
            Step::Done
        })
    }

    fn options(&self, table: &Table, _: Ask, out: &mut Options) -> Result<(), Fault> {
        let mut list = |answer: Marching| {
            if legal(table, answer).is_ok() {
                out.push(answer);
            }
        };
        // In any order: sorting is the kernel's business.
        list(Marching::Done);
        table.units().for_each(|unit| list(Marching::Pick(unit)));
        if let Some(unit) = table.res::<Focus>().0 {
            let hexes = table.board().hexes();
            hexes.for_each(|hex| list(Marching::Go(unit, hex)));
            list(Marching::Stay(unit));
        }
        Ok(())
    }

    fn take(&self, table: &mut Table, _: Ask, act: Act) -> Result<(), Fault> {
        match Marching::from_act(act) {
            Some(Marching::Pick(unit)) => table.res_mut::<Focus>().0 = Some(unit),
            Some(Marching::Go(unit, hex)) => {
                table.place(unit, Place::Hex(hex));
                table.get_mut::<Spent>(unit).marched = true;
                table.res_mut::<Focus>().0 = None;
                table.say(|_| {
                    Event::new("march", rule!("2.4"), "marches")
                        .unit(unit)
                        .hex(hex)
                });
            }
            Some(Marching::Stay(unit)) => {
                table.get_mut::<Spent>(unit).marched = true;
                table.res_mut::<Focus>().0 = None;
            }
            Some(Marching::Done) => {
                for unit in table.units() {
                    let own = table.info(unit).side == table.active();
                    table.get_mut::<Spent>(unit).marched |= own;
                }
            }
            None => return Err(Fault::Broken("no such answer".to_owned())),
        }
        Ok(())
    }

    fn why_not(&self, table: &Table, _: Ask, act: Act) -> Refusal {
        match Marching::from_act(act).map(|answer| legal(table, answer)) {
            Some(check) => Refusal::of(check),
            None => Refusal::new(rule!("2"), "is no answer while marching"),
        }
    }

    fn text(&self, table: &Table, _: Ask, act: Act) -> String {
        let name = |unit: UnitId| &table.info(unit).name;
        match Marching::from_act(act) {
            Some(Marching::Pick(unit)) => format!("March with {}", name(unit)),
            Some(Marching::Go(unit, hex)) => {
                format!("{} goes to {}", name(unit), table.board().label(hex))
            }
            Some(Marching::Stay(unit)) => format!("{} stays", name(unit)),
            Some(Marching::Done) => "The others stay".to_owned(),
            None => String::new(),
        }
    }

    /// A march is one hex.
    fn outlook(&self, table: &Table, _: Ask, act: Act) -> Outlook {
        match Marching::from_act(act) {
            Some(Marching::Go(unit, hex)) => {
                Outlook::of(1, 0, table.hex(unit).into_iter().chain([hex]).collect())
            }
            _ => Outlook::default(),
        }
    }

    fn prompt(&self, _: &Table, ask: Ask) -> String {
        match ask.question {
            "where" => "Where does it go?".to_owned(),
            _ => "Which unit marches?".to_owned(),
        }
    }
}
