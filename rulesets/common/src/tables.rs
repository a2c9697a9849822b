//! §6.3–§6.5 Assault by a table: by odds or by difference, in columns that the ground shifts.

use crate::field::{Field, men_lost, rules};
use crate::rules::{Assault, Column, Effect, bit};
use crate::ruleset::needs;
use crate::sections::Section;
use cupola_kernel::{Combat, Dice, Fault, Fight, Modifiers, Needs, Outcome, Table, Toll, UnitId};

/// What an assault is called in the dice's addresses.
const ASSAULT: &str = "assault";

/// An odds-ratio table: so many to one.
pub struct Odds;

/// A differential table: so many more.
pub struct Differential;

/// The game's assault, or a fault: without its numbers it is not composed.
fn assault(t: &Table) -> Result<&Assault, Fault> {
    let missing = || Fault::Broken("the game has no `assault` in its rules.ron".into());
    rules(t).assault.as_ref().ok_or_else(missing)
}

/// §6.4 What the ground and the state of the defenders shift.
fn shifts(t: &Table, field: &Field, fight: &Fight, modifiers: Modifiers) -> Modifiers {
    let (rules, mut m) = (field.rules, modifiers);
    let (Some(assault), Some(hex)) = (&rules.assault, fight.hex) else {
        return m;
    };
    let ground = rules.cite(Section::Ground);
    let cover = t.board().cover(hex);
    if let Some(&shift) = assault.ground.get(&cover) {
        m = m.add_if(
            shift != 0,
            ground.clone(),
            format!("defender in {cover}"),
            shift.into(),
        );
    }
    let sides = fight
        .attackers
        .iter()
        .filter_map(|&unit| field.stacks.hex(unit));
    let common = sides.fold(None, |all: Option<u16>, from| {
        let has = rules.side_features(from, hex);
        Some(all.map_or(has, |all| all & has))
    });
    for (&feature, &shift) in &assault.hexsides {
        let all = common.unwrap_or(0) & bit(feature) != 0;
        m = m.add_if(
            all && shift != 0,
            ground.clone(),
            feature.name(),
            shift.into(),
        );
    }
    let shaken = fight
        .defenders
        .iter()
        .any(|&unit| field.condition(unit).shaken);
    let (cite, value) = (rules.cite(Section::Shaken), assault.shaken_defender);
    m.add_if(shaken && value != 0, cite, "defender shaken", value.into())
}

/// Rolls in a column: the number of the result.
fn read<H>(
    columns: &[Column<H>],
    at: i16,
    fight: &Fight,
    dice: &mut dyn Dice,
) -> Result<Outcome, Fault> {
    let last = columns.len().saturating_sub(1);
    let column = columns.get(at.clamp(0, last as i16) as usize);
    let column = column.ok_or_else(|| Fault::Broken("the assault table has no column".into()))?;
    let about = fight.defenders.first().copied().unwrap_or(UnitId(0));
    let die = dice.roll(column.rolls.len() as u16, ASSAULT, about.into());
    Ok(Outcome::code(column.rolls[usize::from(die) - 1]))
}

/// A result of the game's table.
#[must_use]
pub fn effect<'t>(t: &'t Table, outcome: &Outcome) -> Option<&'t Effect> {
    rules(t)
        .assault
        .as_ref()?
        .results
        .get(usize::from(outcome.code))
}

fn describe(t: &Table, outcome: &Outcome) -> String {
    effect(t, outcome).map_or_else(|| "?".to_owned(), |effect| effect.code.clone())
}

fn toll(t: &Table, fight: &Fight, outcome: &Outcome) -> Toll {
    let Some(effect) = effect(t, outcome) else {
        return Toll::default();
    };
    Toll {
        attacker: men_lost(t, &fight.attackers, &effect.attacker),
        defender: men_lost(t, &fight.defenders, &effect.defender),
        yields: effect.defender.eliminated || effect.defender.retreat > 0,
    }
}

/// The column of these odds, in favour of the defender: the last whose odds are not better than those.
#[must_use]
pub fn odds_column(columns: &[Column<(u8, u8)>], attackers: u16, defenders: u16) -> i16 {
    let reached = |column: &&Column<(u8, u8)>| {
        let (a, d) = column.head;
        u32::from(attackers) * u32::from(d) >= u32::from(defenders) * u32::from(a)
    };
    let count = columns.iter().take_while(reached).count();
    count as i16 - 1
}

/// The number of the column of even odds, from which columns are counted for people.
fn even(columns: &[Column<(u8, u8)>]) -> i16 {
    odds_column(columns, 1, 1).max(0)
}

impl Combat for Odds {
    fn name(&self) -> &'static str {
        "odds"
    }

    fn needs(&self) -> Needs {
        needs().role("assault")
    }

    /// The sum is the column, counted from that of even odds.
    fn modifiers(&self, t: &Table, fight: &Fight) -> Modifiers {
        let field = Field::new(t);
        let Ok(assault) = assault(t) else {
            return Modifiers::new();
        };
        let (attackers, defenders) = (field.sum(&fight.attackers), field.sum(&fight.defenders));
        let columns = &assault.odds;
        let column = odds_column(columns, attackers, defenders).max(0);
        let head = columns
            .get(column as usize)
            .map_or((1, 1), |column| column.head);
        let label = format!("{attackers} against {defenders}: {}", ratio(head));
        let m = Modifiers::new().add(rules(t).cite(Section::Odds), label, column - even(columns));
        t.ride(self.name(), fight, shifts(t, &field, fight, m))
    }

    fn takes_riders(&self) -> bool {
        true
    }

    fn resolve(&self, t: &Table, fight: &Fight, dice: &mut dyn Dice) -> Result<Outcome, Fault> {
        let columns = &assault(t)?.odds;
        let at = self.modifiers(t, fight).sum() + even(columns);
        read(columns, at, fight, dice)
    }

    fn reckon(&self, t: &Table, fight: &Fight) -> Option<Vec<i16>> {
        Some(vec![self.modifiers(t, fight).sum()])
    }

    fn describe(&self, t: &Table, outcome: &Outcome) -> String {
        describe(t, outcome)
    }

    fn toll(&self, t: &Table, fight: &Fight, outcome: &Outcome) -> Toll {
        toll(t, fight, outcome)
    }
}

/// Odds as people write them: `3:2`.
#[must_use]
pub fn ratio((a, d): (u8, u8)) -> String {
    format!("{a}:{d}")
}

impl Combat for Differential {
    fn name(&self) -> &'static str {
        "differential"
    }

    fn needs(&self) -> Needs {
        needs().role("assault")
    }

    fn modifiers(&self, t: &Table, fight: &Fight) -> Modifiers {
        let field = Field::new(t);
        let odds = rules(t).cite(Section::Odds);
        let each = |m: Modifiers, &unit: &UnitId, sign: i16| {
            let strength = i16::from(field.strength(unit));
            m.add(odds.clone(), t.info(unit).name.clone(), sign * strength)
        };
        let m = fight
            .attackers
            .iter()
            .fold(Modifiers::new(), |m, unit| each(m, unit, 1));
        let m = fight.defenders.iter().fold(m, |m, unit| each(m, unit, -1));
        t.ride(self.name(), fight, shifts(t, &field, fight, m))
    }

    fn takes_riders(&self) -> bool {
        true
    }

    fn resolve(&self, t: &Table, fight: &Fight, dice: &mut dyn Dice) -> Result<Outcome, Fault> {
        let columns = &assault(t)?.differential;
        let lowest = columns.first().map_or(0, |column| i16::from(column.head));
        read(
            columns,
            self.modifiers(t, fight).sum() - lowest,
            fight,
            dice,
        )
    }

    fn reckon(&self, t: &Table, fight: &Fight) -> Option<Vec<i16>> {
        Some(vec![self.modifiers(t, fight).sum()])
    }

    fn describe(&self, t: &Table, outcome: &Outcome) -> String {
        describe(t, outcome)
    }

    fn toll(&self, t: &Table, fight: &Fight, outcome: &Outcome) -> Toll {
        toll(t, fight, outcome)
    }
}
