//! Phases that ask little or nothing: initiative (§9), supply (§10), rally (§7.2).

use crate::field::{Field, event, name, rules};
use crate::ruleset::needs;
use crate::sections::Section;
use crate::state::{Condition, Lead};
use cupola_kernel::{
    Act, Acts, Ask, BySide, Fault, HexId, Needs, Options, Phase, Refusal, Side, Step, Table,
    UnitId, acts,
};
use cupola_kit::HexSet;

acts! {
    /// Answers to who plays first.
    pub enum First {
        /// This side.
        Goes(side: Side) = "first",
    }
}

/// §9 Both sides roll for who plays first this turn.
pub struct InitiativePhase;

impl Phase for InitiativePhase {
    fn name(&self) -> &'static str {
        "initiative"
    }

    fn verbs(&self) -> &'static [&'static str] {
        First::VERBS
    }

    fn needs(&self) -> Needs {
        needs().once()
    }

    fn enter(&self, t: &mut Table) -> Result<(), Fault> {
        let Some(rule) = rules(t).initiative else {
            return Ok(());
        };
        let rolled = BySide::from_fn(|side| {
            i16::from(t.roll(rule.die.into(), "initiative", side) as u8)
                + i16::from(rule.bonus[side])
        });
        // Equal: whoever was first last turn, at first the side that is listed first.
        let last = t.res::<Lead>().first.unwrap_or(Side::First);
        let winner = match rolled.first.cmp(&rolled.second) {
            std::cmp::Ordering::Greater => Side::First,
            std::cmp::Ordering::Less => Side::Second,
            std::cmp::Ordering::Equal => last,
        };
        t.say(|t| {
            let text = format!("{} has the initiative", t.env().sides[winner].name);
            let (first, second) = (rolled.first, rolled.second);
            event(t, "initiative", Section::Initiative, text)
                .number(first)
                .number(second)
        });
        if rule.chooses {
            t.res_mut::<Lead>().chooser = Some(winner);
        } else {
            lead(t, winner);
        }
        Ok(())
    }

    fn next(&self, t: &mut Table) -> Result<Step, Fault> {
        let section = rules(t).section(Section::Initiative);
        let chooser = t.res::<Lead>().chooser;
        Ok(chooser.map_or(Step::Done, |side| Step::ask(side, "first", section)))
    }

    fn options(&self, _: &Table, _: Ask, out: &mut Options) -> Result<(), Fault> {
        Side::BOTH
            .into_iter()
            .for_each(|side| out.push(First::Goes(side)));
        Ok(())
    }

    fn take(&self, t: &mut Table, _: Ask, act: Act) -> Result<(), Fault> {
        let Some(First::Goes(side)) = First::from_act(act) else {
            return Err(Fault::Broken("not an answer to who plays first".into()));
        };
        lead(t, side);
        Ok(())
    }

    fn why_not(&self, t: &Table, _: Ask, _: Act) -> Refusal {
        Refusal::new(rules(t).cite(Section::Initiative), "is not asked now")
    }

    fn text(&self, t: &Table, _: Ask, act: Act) -> String {
        match First::from_act(act) {
            Some(First::Goes(side)) => format!("{} plays first", t.env().sides[side].name),
            None => "?".into(),
        }
    }

    fn prompt(&self, _: &Table, _: Ask) -> String {
        "Who plays first this turn?".into()
    }
}

fn lead(t: &mut Table, side: Side) {
    *t.res_mut::<Lead>() = Lead {
        chooser: None,
        first: Some(side),
    };
    t.set_first_player(side);
}

/// §10 Who is cut off from supply.
pub struct SupplyPhase;

/// The hexes from which a line of supply of a side leads to one of its sources: not through the enemy, nor through
/// his zones of control unless a friend stands there, nor longer than allowed.
#[must_use]
pub fn supplied(field: &Field, side: Side) -> HexSet {
    let rules = field.rules;
    let mut reached = HexSet::default();
    reached.clear(rules.sides.len());
    let Some(supply) = &rules.supply else {
        return reached;
    };
    let open = |hex: HexId| match field.holder(hex) {
        Some(holder) => holder == side,
        None => !field.in_zone(side, hex),
    };
    let mut ring: Vec<HexId> = supply.sources[side]
        .iter()
        .copied()
        .filter(|&hex| open(hex))
        .collect();
    ring.iter().for_each(|&hex| reached.insert(hex));
    for _ in 0..supply.length {
        let mut next = vec![];
        for near in ring.iter().flat_map(|&hex| rules.around.of(hex)) {
            if !reached.contains(near) && open(near) {
                reached.insert(near);
                next.push(near);
            }
        }
        ring = next;
    }
    reached
}

impl Phase for SupplyPhase {
    fn name(&self) -> &'static str {
        "supply"
    }

    fn needs(&self) -> Needs {
        needs().player_turn()
    }

    fn enter(&self, t: &mut Table) -> Result<(), Fault> {
        let (side, field) = (t.active(), Field::new(t));
        let reached = supplied(&field, side);
        let now: Vec<(UnitId, bool)> = field
            .on_map(side)
            .map(|(unit, hex)| (unit, !reached.contains(hex)))
            .filter(|&(unit, cut)| field.condition(unit).cut != cut)
            .collect();
        drop(field);
        for (unit, cut) in now {
            t.get_mut::<Condition>(unit).cut = cut;
            t.say(|t| {
                let how = if cut {
                    "is cut off"
                } else {
                    "is in supply again"
                };
                event(
                    t,
                    "supply",
                    Section::Supply,
                    format!("{} {how}", name(t, unit)),
                )
                .unit(unit)
            });
        }
        Ok(())
    }

    fn next(&self, _: &mut Table) -> Result<Step, Fault> {
        Ok(Step::Done)
    }
}

/// §7.2 Shaken units rally.
pub struct RallyPhase;

impl Phase for RallyPhase {
    fn name(&self) -> &'static str {
        "rally"
    }

    fn needs(&self) -> Needs {
        needs().player_turn()
    }

    fn enter(&self, t: &mut Table) -> Result<(), Fault> {
        let (Some((die, near)), side) = (rules(t).rally, t.active()) else {
            return Ok(());
        };
        let field = Field::new(t);
        let able = |&(unit, hex): &(UnitId, HexId)| {
            field.condition(unit).shaken && (near || !field.near_enemy(side, hex))
        };
        let units: Vec<UnitId> = field
            .on_map(side)
            .filter(able)
            .map(|(unit, _)| unit)
            .collect();
        drop(field);
        for unit in units {
            let quality = u16::from(rules(t).card(unit).quality);
            let rallies = die == 0 || t.roll(die.into(), "rally", unit) <= quality;
            t.get_mut::<Condition>(unit).shaken = !rallies;
            t.say(|t| {
                let how = if rallies { "rallies" } else { "does not rally" };
                event(
                    t,
                    "rally",
                    Section::Rally,
                    format!("{} {how}", name(t, unit)),
                )
                .unit(unit)
            });
        }
        Ok(())
    }

    fn next(&self, _: &mut Table) -> Result<Step, Fault> {
        Ok(Step::Done)
    }
}
