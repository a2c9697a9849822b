//! §3 Reinforcements: choose a unit that is due, then the hex by which it comes.

use crate::field::{Field, event, label, must, name, rules};
use crate::ruleset::needs;
use crate::sections::Section;
use crate::state::{Due, Focus, boxes};
use cupola_kernel::{
    Act, Acts, Ask, Check, Fault, HexId, Needs, Options, Phase, Place, Refusal, Step, Table,
    UnitId, acts,
};

acts! {
    /// Answers while reinforcements come.
    pub enum Do {
        /// This unit comes next.
        Pick(unit: UnitId) = "unit",
        /// It comes here.
        Enter(unit: UnitId, hex: HexId) = "enter",
        /// The rest waits for a later turn.
        Done = "done",
    }
}

/// The Reinforcement Phase.
pub struct Reinforcements;

/// The hexes by which a unit can come now: those of its entry, or those beside it if all are closed (§3.2, §3.3).
fn gates(t: &Table, unit: UnitId) -> impl Iterator<Item = HexId> + '_ {
    let (field, side) = (Field::new(t), rules(t).card(unit).side);
    let entry = &rules(t).entries[usize::from(t.get::<Due>(unit).entry)];
    let open = move |field: &Field, hex: HexId| field.has_room(side, hex);
    let shut = !entry.hexes.iter().any(|&hex| open(&field, hex));
    let hexes = if shut { &entry.beside } else { &entry.hexes };
    hexes.iter().copied().filter(move |&hex| open(&field, hex))
}

/// Whether a unit may come now.
fn may_come(t: &Table, unit: UnitId) -> Check {
    let own = rules(t).card(unit).side == t.active();
    must(t, own, Section::Arrive, "is not yours")?;
    let waits = t.stacks().place(unit) == Place::Box(boxes::TRACK);
    must(t, waits, Section::Arrive, "is not on its way")?;
    let due = t.get::<Due>(unit).turn <= t.turn();
    must(t, due, Section::Arrive, "comes on a later turn")?;
    let open = gates(t, unit).next().is_some();
    must(
        t,
        open,
        Section::Blocked,
        "finds its entry closed, and waits",
    )
}

fn may_enter(t: &Table, unit: UnitId, hex: HexId) -> Check {
    may_come(t, unit)?;
    let picked = t.res::<Focus>().0 == Some(unit);
    must(t, picked, Section::Arrive, "is not the unit that is coming")?;
    let entry = &rules(t).entries[usize::from(t.get::<Due>(unit).entry)];
    let near = entry.hexes.contains(&hex) || entry.beside.contains(&hex);
    must(t, near, Section::Entry, "is no hex of its entry")?;
    let open = gates(t, unit).any(|gate| gate == hex);
    must(t, open, Section::Blocked, "is closed to it")
}

impl Phase for Reinforcements {
    fn name(&self) -> &'static str {
        "reinforcements"
    }

    fn verbs(&self) -> &'static [&'static str] {
        Do::VERBS
    }

    fn needs(&self) -> Needs {
        needs().player_turn()
    }

    fn enter(&self, t: &mut Table) -> Result<(), Fault> {
        t.res_mut::<Focus>().0 = None;
        Ok(())
    }

    fn next(&self, t: &mut Table) -> Result<Step, Fault> {
        let (side, rules) = (t.active(), rules(t));
        if t.res::<Focus>().0.is_some() {
            return Ok(Step::ask(side, "entry", rules.section(Section::Entry)));
        }
        let any = t.units().any(|unit| may_come(t, unit).is_ok());
        Ok(if any {
            Step::ask(side, "arrival", rules.section(Section::Arrive))
        } else {
            Step::Done
        })
    }

    fn options(&self, t: &Table, _: Ask, out: &mut Options) -> Result<(), Fault> {
        if let Some(unit) = t.res::<Focus>().0 {
            gates(t, unit).for_each(|hex| out.push(Do::Enter(unit, hex)));
            return Ok(());
        }
        let due = t.units().filter(|&unit| may_come(t, unit).is_ok());
        due.for_each(|unit| out.push(Do::Pick(unit)));
        out.push(Do::Done);
        Ok(())
    }

    fn take(&self, t: &mut Table, _: Ask, act: Act) -> Result<(), Fault> {
        match Do::from_act(act) {
            Some(Do::Pick(unit)) => t.res_mut::<Focus>().0 = Some(unit),
            Some(Do::Enter(unit, hex)) => {
                t.place(unit, Place::Hex(hex));
                t.res_mut::<Focus>().0 = None;
                t.say(|t| {
                    let text = format!("{} arrives at {}", name(t, unit), label(t, hex));
                    event(t, "arrives", Section::Arrive, text)
                        .unit(unit)
                        .hex(hex)
                });
            }
            Some(Do::Done) => {
                let later = t.turn() + 1;
                let waiting = t.units().filter(|&unit| may_come(t, unit).is_ok());
                for unit in waiting.collect::<Vec<_>>() {
                    t.get_mut::<Due>(unit).turn = later;
                }
            }
            None => {
                return Err(Fault::Broken(
                    "not an answer of the Reinforcement Phase".into(),
                ));
            }
        }
        Ok(())
    }

    fn why_not(&self, t: &Table, _: Ask, act: Act) -> Refusal {
        let no = |why| Refusal::new(rules(t).cite(Section::Arrive), why);
        match (Do::from_act(act), t.res::<Focus>().0) {
            (Some(Do::Pick(_) | Do::Done), Some(_)) => no("another unit is coming"),
            (Some(Do::Pick(unit)), None) => Refusal::of(may_come(t, unit)),
            (Some(Do::Enter(unit, hex)), _) => Refusal::of(may_enter(t, unit, hex)),
            _ => no("is not asked now"),
        }
    }

    fn text(&self, t: &Table, _: Ask, act: Act) -> String {
        match Do::from_act(act) {
            Some(Do::Pick(unit)) => format!("{} arrives", name(t, unit)),
            Some(Do::Enter(unit, hex)) => format!("{} arrives at {}", name(t, unit), label(t, hex)),
            Some(Do::Done) => "the others wait a turn".into(),
            None => "?".into(),
        }
    }

    fn prompt(&self, t: &Table, _: Ask) -> String {
        match t.res::<Focus>().0 {
            Some(unit) => format!("By which hex does {} come?", name(t, unit)),
            None => "Which unit comes?".into(),
        }
    }
}
