//! §4 Movement: choose a unit, then where it goes.

use crate::field::{Field, event, label, must, name, refresh, rules};
use crate::files::Leaving;
use crate::reach::{destinations, way_to};
use crate::ruleset::needs;
use crate::sections::Section;
use crate::state::{Condition, Focus};
use cupola_kernel::{
    Act, Acts, Ask, Check, Cost, Fault, HexId, Needs, Options, Outlook, Phase, Place, Refusal,
    Step, Table, UnitId, acts,
};

acts! {
    /// Answers while moving.
    pub enum Do {
        /// Move this unit next.
        Pick(unit: UnitId) = "unit",
        /// Move it there.
        To(unit: UnitId, hex: HexId) = "move",
        /// Leave it where it is.
        Stay(unit: UnitId) = "stay",
        /// Leave the rest where they are.
        Done = "done",
    }
}

/// The Movement Phase.
pub struct Movement;

/// Whether a unit may be moved now.
///
/// # Errors
/// The rule that forbids it.
pub fn may_pick(t: &Table, field: &Field, unit: UnitId) -> Check {
    let card = field.rules.card(unit);
    must(t, card.side == t.active(), Section::Move, "is not yours")?;
    let Some(hex) = t.hex(unit) else {
        return must(t, false, Section::Move, "is not on the map");
    };
    must(
        t,
        !field.condition(unit).spent,
        Section::Move,
        "has moved already",
    )?;
    let held = field
        .rules
        .zones
        .is_some_and(|zones| zones.leave == Leaving::Never)
        && field.in_zone(card.side, hex);
    must(
        t,
        !held,
        Section::Zone,
        "stands in an enemy's zone of control and may not leave it",
    )?;
    let can = destinations(field, unit, |found| !found.is_empty());
    must(t, can, Section::Cost, "cannot go anywhere")
}

/// Why a unit cannot go to a hex.
fn why_not_there(t: &Table, unit: UnitId, hex: HexId) -> Refusal {
    let (field, side) = (Field::new(t), rules(t).card(unit).side);
    let no = |rule, why| Refusal::new(rules(t).cite(rule), why);
    if t.hex(unit) == Some(hex) {
        return no(Section::Move, "stands there already: let it stay");
    }
    if field.holder(hex) == Some(side.other()) {
        return no(Section::Enemy, "the enemy stands there");
    }
    if !field.has_room(side, hex) {
        return no(Section::Stack, "there is no room for it");
    }
    // Would it come there if no enemy had a zone of control?
    let mut freed = field.rules.clone();
    freed.zones = None;
    let free = Field {
        rules: &freed,
        stacks: field.stacks,
        conditions: field.conditions.clone(),
    };
    if way_to(&free, unit, hex).is_some() {
        return no(
            Section::Zone,
            "an enemy's zone of control keeps it from there",
        );
    }
    no(Section::Cost, "is too far, or the ground is closed to it")
}

impl Phase for Movement {
    fn name(&self) -> &'static str {
        "movement"
    }

    fn verbs(&self) -> &'static [&'static str] {
        Do::VERBS
    }

    fn needs(&self) -> Needs {
        needs().player_turn()
    }

    fn enter(&self, t: &mut Table) -> Result<(), Fault> {
        t.res_mut::<Focus>().0 = None;
        refresh(t);
        Ok(())
    }

    fn next(&self, t: &mut Table) -> Result<Step, Fault> {
        let (side, rules) = (t.active(), rules(t));
        if t.res::<Focus>().0.is_some() {
            return Ok(Step::ask(side, "destination", rules.section(Section::Cost)));
        }
        let field = Field::new(t);
        let can = field
            .on_map(side)
            .any(|(unit, _)| may_pick(t, &field, unit).is_ok());
        if can {
            return Ok(Step::ask(side, "move", rules.section(Section::Move)));
        }
        drop(field);
        refresh(t);
        Ok(Step::Done)
    }

    fn options(&self, t: &Table, _: Ask, out: &mut Options) -> Result<(), Fault> {
        let field = Field::new(t);
        if let Some(unit) = t.res::<Focus>().0 {
            let to = Do::To(unit, HexId(0)).act();
            destinations(&field, unit, |found| out.push_hexes(to, 1, found.iter()));
            out.push(Do::Stay(unit));
            return Ok(());
        }
        let own = field.on_map(t.active()).map(|(unit, _)| unit);
        own.filter(|&unit| may_pick(t, &field, unit).is_ok())
            .for_each(|unit| out.push(Do::Pick(unit)));
        out.push(Do::Done);
        Ok(())
    }

    fn take(&self, t: &mut Table, _: Ask, act: Act) -> Result<(), Fault> {
        match Do::from_act(act) {
            Some(Do::Pick(unit)) => t.res_mut::<Focus>().0 = Some(unit),
            Some(Do::Stay(unit)) => {
                t.get_mut::<Condition>(unit).spent = true;
                t.res_mut::<Focus>().0 = None;
            }
            Some(Do::To(unit, hex)) => go(t, unit, hex),
            Some(Do::Done) => {
                for unit in t
                    .units()
                    .filter(|&unit| t.info(unit).side == t.active())
                    .collect::<Vec<_>>()
                {
                    t.get_mut::<Condition>(unit).spent = true;
                }
            }
            None => return Err(Fault::Broken("not an answer of the Movement Phase".into())),
        }
        Ok(())
    }

    fn why_not(&self, t: &Table, _: Ask, act: Act) -> Refusal {
        let (field, focus) = (Field::new(t), t.res::<Focus>().0);
        let no = |why| Refusal::new(rules(t).cite(Section::Move), why);
        match (Do::from_act(act), focus) {
            (Some(Do::Pick(_) | Do::Done), Some(_)) => no("another unit is moving"),
            (Some(Do::Pick(unit)), None) => Refusal::of(may_pick(t, &field, unit)),
            (Some(Do::To(unit, hex)), Some(picked)) if unit == picked => {
                why_not_there(t, unit, hex)
            }
            (Some(Do::To(..) | Do::Stay(_)), _) => no("is not the unit that is moving"),
            _ => no("is not asked now"),
        }
    }

    fn text(&self, t: &Table, _: Ask, act: Act) -> String {
        match Do::from_act(act) {
            Some(Do::Pick(unit)) => format!("move {}", name(t, unit)),
            Some(Do::To(unit, hex)) => format!("{} moves to {}", name(t, unit), label(t, hex)),
            Some(Do::Stay(unit)) => format!("{} stays", name(t, unit)),
            Some(Do::Done) => "no more movement".into(),
            None => "?".into(),
        }
    }

    fn prompt(&self, t: &Table, ask: Ask) -> String {
        match t.res::<Focus>().0.filter(|_| ask.question == "destination") {
            Some(unit) => format!("Where does {} go?", name(t, unit)),
            None => "Which unit moves next?".into(),
        }
    }

    fn outlook(&self, t: &Table, _: Ask, act: Act) -> Outlook {
        let Some(Do::To(unit, hex)) = Do::from_act(act) else {
            return Outlook::default();
        };
        let field = Field::new(t);
        let Some((cost, path)) = way_to(&field, unit, hex) else {
            return Outlook::default();
        };
        let left = field.allowance(unit).saturating_sub(cost);
        Outlook {
            cost: Some(Cost::in_parts(
                field.rules.parts.into(),
                cost.into(),
                left.into(),
            )),
            path,
        }
    }
}

/// Moves a unit to its destination.
fn go(t: &mut Table, unit: UnitId, hex: HexId) {
    let from = t.hex(unit);
    t.place(unit, Place::Hex(hex));
    t.get_mut::<Condition>(unit).spent = true;
    t.res_mut::<Focus>().0 = None;
    t.say(|t| {
        let text = format!("{} moves to {}", name(t, unit), label(t, hex));
        event(t, "move", Section::Cost, text)
            .unit(unit)
            .hexes(from)
            .hex(hex)
    });
}
