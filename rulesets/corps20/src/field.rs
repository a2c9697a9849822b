//! Questions about the field that many rules ask: who stands next to whom.

use crate::rules::{Kind, Rules};
use crate::state::{Armies, Boost, Status};
use cupola_kernel::{Cite, Event, HexId, Side, Stacks, Table, UnitId, Verdict, rule};
use std::borrow::Cow;

/// The tables of this ruleset.
#[must_use]
#[inline]
pub fn rules(t: &Table) -> &Rules {
    t.rules()
}

/// The unit in a hex; leaders do not count (§5.2, §9.1).
#[must_use]
#[inline]
pub fn unit_in(t: &Table, hex: HexId) -> Option<UnitId> {
    t.stacks()
        .first(hex)
        .filter(|&unit| !rules(t).is_leader(unit))
}

/// Whether an enemy unit of `side` is in a hex.
#[must_use]
pub fn enemy_in(t: &Table, side: Side, hex: HexId) -> Option<UnitId> {
    unit_in(t, hex).filter(|&unit| rules(t).card(unit).side != side)
}

/// The field looked up once: what a loop over many units or hexes reads.
pub struct Field<'t> {
    /// The tables.
    pub rules: &'t Rules,
    /// Who stands where.
    pub stacks: &'t Stacks,
    /// The condition of every unit and leader.
    pub status: Cow<'t, [Status]>,
}

impl<'t> Field<'t> {
    /// The field as it is now.
    #[must_use]
    pub fn new(t: &'t Table) -> Field<'t> {
        Field {
            rules: rules(t),
            stacks: t.stacks(),
            status: t.column(),
        }
    }

    /// The units of a side on the map.
    #[inline]
    pub fn on_map(&self, side: Side) -> impl Iterator<Item = (UnitId, HexId)> + '_ {
        let units = self.rules.units_of(side);
        units.filter_map(|unit| Some((unit, self.stacks.hex(unit)?)))
    }

    /// The condition of a unit or leader.
    #[must_use]
    #[inline]
    pub fn status(&self, unit: UnitId) -> &Status {
        &self.status[usize::from(unit.0)]
    }

    /// Those in this condition, to be changed one by one: writing is dearer than looking.
    pub fn those(
        &self,
        units: impl Iterator<Item = UnitId>,
        condition: impl Fn(&Status) -> bool,
    ) -> Vec<UnitId> {
        units.filter(|&unit| condition(self.status(unit))).collect()
    }

    /// Whether any enemy unit is next to a hex.
    #[must_use]
    #[inline]
    pub fn near_enemy(&self, side: Side, hex: HexId) -> bool {
        near(self.rules, self.stacks, side, hex).next().is_some()
    }

    /// Whether an enemy next to a hex pins and stops units there: a routed one does not (§7.12).
    #[must_use]
    #[inline]
    pub fn pinned(&self, side: Side, hex: HexId) -> bool {
        let all = self.rules.switches.routed_enemies_pin;
        near(self.rules, self.stacks, side, hex).any(|enemy| all || !self.status(enemy).routed)
    }
}

/// The enemies next to a hex.
#[inline]
pub fn enemies_near(t: &Table, side: Side, hex: HexId) -> impl Iterator<Item = UnitId> + '_ {
    near(rules(t), t.stacks(), side, hex)
}

/// Whether a leader in this hex would be safe (§9.1): with a friendly unit, or not next to the enemy.
#[must_use]
#[inline]
pub fn safe(rules: &Rules, stacks: &Stacks, side: Side, hex: HexId) -> bool {
    match stacks.first(hex) {
        Some(unit) if !rules.is_leader(unit) => rules.card(unit).side == side,
        _ => near(rules, stacks, side, hex).next().is_none(),
    }
}

/// The enemies of `side` next to a hex, for those who have looked up the field.
#[inline]
pub fn near<'t>(
    rules: &'t Rules,
    stacks: &'t Stacks,
    side: Side,
    hex: HexId,
) -> impl Iterator<Item = UnitId> + 't {
    // Nobody stands beyond the edge of the map.
    rules.around.all(hex).iter().filter_map(move |&next| {
        let unit = stacks.first(HexId(next))?;
        (unit.0 < rules.units && rules.card(unit).side != side).then_some(unit)
    })
}

/// Whether any enemy unit is next to a hex.
#[must_use]
#[inline]
pub fn near_enemy(t: &Table, side: Side, hex: HexId) -> bool {
    enemies_near(t, side, hex).next().is_some()
}

/// The units of a side on the map.
pub fn on_map(t: &Table, side: Side) -> impl Iterator<Item = (UnitId, HexId)> + '_ {
    rules(t)
        .units_of(side)
        .filter_map(|unit| Some((unit, t.hex(unit)?)))
}

/// Strength, quality and movement as they are now, cadre or not, before fatigue and rout.
#[must_use]
pub fn ratings(t: &Table, unit: UnitId) -> (i8, i8, u8) {
    let card = rules(t).card(unit);
    if t.get::<Status>(unit).cadre {
        rules(t).cadre[card.side]
    } else {
        (card.strength, card.quality, card.movement)
    }
}

/// Combat strength: less 1 if weary, less 2 if routed, never below 0 (§6.2, §7.12), and the bonus of
/// Good Leadership if it was not spent on movement.
#[must_use]
pub fn strength(t: &Table, unit: UnitId) -> i8 {
    let status = t.get::<Status>(unit);
    let worn = i8::from(status.weary()) + 2 * i8::from(status.routed);
    (ratings(t, unit).0 - worn).max(0) + i8::from(status.boost == Boost::Open)
}

/// Whether a unit could commit reserves to a fight (§7.8).
#[must_use]
pub fn has_reserves(t: &Table, unit: UnitId) -> bool {
    let status = t.get::<Status>(unit);
    rules(t).card(unit).kind == Kind::Infantry && status.fresh() && !status.routed && !status.halted
}

/// Whether an army can pay a morale point: the last one is never spent.
#[must_use]
pub fn can_pay(t: &Table, side: Side) -> bool {
    t.res::<Armies>().morale[side] > 1
}

/// Changes an army's morale; at zero the game is over (§10.1).
pub fn change_morale(t: &mut Table, side: Side, by: i8, cite: Cite) {
    let top = rules(t).morale.1;
    let morale = &mut t.res_mut::<Armies>().morale[side];
    let before = *morale;
    *morale = (before + by).clamp(0, top);
    let after = *morale;
    if after != before {
        t.say(|t| {
            let name = &t.env().sides[side].name;
            Event::new("morale", cite, format!("{name} morale {before} → {after}")).number(after)
        });
    }
}

/// Ends the game if an army has no morale left (§10.1); both at once is a draw.
pub fn check_sudden_death(t: &mut Table) {
    let morale = t.res::<Armies>().morale;
    let winner = match (morale.first <= 0, morale.second <= 0) {
        (false, false) => return,
        (true, false) => Some(Side::Second),
        (false, true) => Some(Side::First),
        (true, true) => None,
    };
    let how = if winner.is_some() {
        "decisive victory"
    } else {
        "draw"
    };
    t.end(Verdict {
        winner,
        how: how.into(),
        rule: rule!("10.1"),
    });
}

/// The name of a unit, for texts.
#[must_use]
pub fn name(t: &Table, unit: UnitId) -> &str {
    &t.info(unit).name
}

/// The label of a hex, for texts.
#[must_use]
pub fn label(t: &Table, hex: HexId) -> String {
    t.board().label(hex).to_string()
}
