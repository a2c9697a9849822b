//! §8 Victory by places and losses.

use crate::field::{Field, event, rules};
use crate::ruleset::needs;
use crate::sections::Section;
use crate::state::{Condition, Held, boxes};
use cupola_kernel::{BySide, Fault, Needs, Phase, Place, Side, Step, Table, Verdict};

/// At the end of a turn: who holds what, and whether the game is over.
pub struct VictoryPhase;

/// §8.1 A place belongs to whoever stands on it when a turn ends, and then to the last who did.
pub fn count_places(t: &mut Table) {
    let field = Field::new(t);
    let now: Vec<Option<Side>> = field
        .rules
        .victory
        .places
        .iter()
        .map(|place| field.holder(place.hex))
        .collect();
    drop(field);
    for (i, holder) in now.into_iter().enumerate() {
        let Some(side) = holder.filter(|_| t.res::<Held>().0[i] != holder) else {
            continue;
        };
        t.res_mut::<Held>().0[i] = Some(side);
        t.say(|t| {
            let place = &rules(t).victory.places[i];
            let text = format!("{} takes {}", t.env().sides[side].name, place.name);
            event(t, "place", Section::Places, text).hex(place.hex)
        });
    }
}

/// The points of both sides (§8.1, §8.2).
#[must_use]
pub fn points(t: &Table) -> BySide<i32> {
    let (rules, mut sum) = (rules(t), BySide::<i32>::default());
    for (place, held) in rules.victory.places.iter().zip(&t.res::<Held>().0) {
        if let Some(side) = held {
            sum[*side] += i32::from(place.points);
        }
    }
    for unit in t.units() {
        let enemy = rules.card(unit).side.other();
        let gone = t.stacks().place(unit) == Place::Box(boxes::LOST);
        let steps = i32::from(t.get::<Condition>(unit).lost);
        sum[enemy] +=
            steps * i32::from(rules.victory.step) + i32::from(gone) * i32::from(rules.victory.unit);
    }
    sum
}

/// Ends the game by points (§8.3).
pub fn decide(t: &mut Table, rule: Section) {
    let sum = points(t);
    let ahead = sum.first - sum.second;
    let level = rules(t)
        .victory
        .levels
        .iter()
        .find(|(at, _)| ahead.abs() >= i32::from(*at));
    let winner = level.map(|_| if ahead > 0 { Side::First } else { Side::Second });
    let how = level.map_or_else(|| "draw".to_owned(), |(_, name)| name.clone());
    t.end(Verdict {
        winner,
        how: how.into(),
        rule: rules(t).cite(rule),
    });
}

impl Phase for VictoryPhase {
    fn name(&self) -> &'static str {
        "victory"
    }

    fn needs(&self) -> Needs {
        needs().once()
    }

    fn enter(&self, t: &mut Table) -> Result<(), Fault> {
        count_places(t);
        let sum = points(t);
        let early = rules(t).victory.early.map(i32::from);
        let all_gone = |side| Field::new(t).on_map(side).next().is_none() && !awaited(t, side);
        match [all_gone(Side::First), all_gone(Side::Second)] {
            [false, false] if early.is_none_or(|at| (sum.first - sum.second).abs() < at) => {}
            [false, true] => destroyed(t, Side::First),
            [true, false] => destroyed(t, Side::Second),
            _ => decide(t, Section::Early),
        }
        Ok(())
    }

    fn next(&self, _: &mut Table) -> Result<Step, Fault> {
        Ok(Step::Done)
    }
}

/// Nobody of the other side is left or still to come.
fn destroyed(t: &mut Table, winner: Side) {
    t.end(Verdict {
        winner: Some(winner),
        how: "the enemy is destroyed".into(),
        rule: rules(t).cite(Section::Early),
    });
}

/// Whether units of a side are still to come.
fn awaited(t: &Table, side: Side) -> bool {
    t.units().any(|unit| {
        rules(t).card(unit).side == side && t.stacks().place(unit) == Place::Box(boxes::TRACK)
    })
}
