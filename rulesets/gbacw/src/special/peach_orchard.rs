//! *Longstreet's Assault*: L3, L4 the Union is released as the enemy comes, L5 what may not be done to those who
//! wait, L6 brigades that move before their time, L7 Mahone, and how it ends.

use super::{Drive, Special, goes, note, remember};
use crate::field::{Field, rules, wear_mut};
use crate::load::Names;
use crate::orders;
use crate::rules::{Kind, NONE};
use crate::state::Activation;
use crate::victory::holds;
use cupola_kernel::{Check, Fight, HexId, Side, Table, UnitId, Verdict, forbid, rule};
use serde::Deserialize;

/// L3, L4 in a scenario file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReleasesFile {
    /// Whose brigades and batteries are released as the enemy comes.
    pub side: String,
    /// How near he must come to a battery.
    pub guns_within: u32,
    /// Batteries that only infantry releases, this near.
    pub stubborn: (Vec<String>, u32),
    /// Batteries with a turn of their own.
    #[serde(default)]
    pub early: Vec<(String, String)>,
}

/// L3: infantry is released with its brigade once an enemy is next to it; L4: a battery by itself, once it is fired at
/// or an enemy is near.
pub struct Releases {
    number: usize,
    side: Side,
    guns_within: u32,
    stubborn: (Vec<u16>, u32),
    early: Vec<(UnitId, u16)>,
    /// The batteries, a bit each.
    batteries: Vec<UnitId>,
}

impl ReleasesFile {
    /// Makes the rule.
    pub fn build(&self, names: &mut Names, field: &str, number: usize) -> Releases {
        let side = names.side(&format!("{field}.side"), &self.side);
        let stubborn = self.stubborn.0.iter();
        let stubborn = stubborn.map(|name| names.brigade(&format!("{field}.stubborn"), name));
        let stubborn = stubborn.collect();
        let early = self.early.iter();
        let early = early.map(|(unit, turn)| {
            let field = format!("{field}.early");
            (names.unit(&field, unit), names.turn(&field, turn))
        });
        Releases {
            number,
            side,
            guns_within: self.guns_within,
            stubborn: (stubborn, self.stubborn.1),
            early: early.collect(),
            batteries: names.batteries(side),
        }
    }
}

impl Releases {
    fn release(&self, t: &mut Table, unit: UnitId) {
        if let Some(place) = self.batteries.iter().position(|&other| other == unit)
            && !orders::free(t, unit)
        {
            let bits = note(t, self.number) | 1 << place;
            remember(t, self.number, bits);
        }
    }

    /// Whether an enemy there releases a battery.
    fn disturbs(&self, t: &Table, enemy: UnitId, hex: HexId, unit: UnitId) -> bool {
        let Some(at) = t.hex(unit) else { return false };
        let far = t.board().distance(hex, at);
        let field = Field::new(t);
        if self.stubborn.0.contains(&field.card(unit).brigade) {
            far <= self.stubborn.1 && field.card(enemy).kind == Kind::Foot
        } else {
            far <= self.guns_within
        }
    }
}

impl Special for Releases {
    fn frees_unit(&self, t: &Table, unit: UnitId) -> bool {
        let early = self.early.iter().find(|(other, _)| *other == unit);
        if early.is_some_and(|(_, turn)| *turn <= t.turn()) {
            return true;
        }
        let place = self.batteries.iter().position(|&other| other == unit);
        place.is_some_and(|place| note(t, self.number) >> place & 1 == 1)
    }

    /// Division leaders move once somebody of theirs is released.
    fn may_move(&self, t: &Table, unit: UnitId) -> Check {
        let mut formations = rules(t).formations.iter();
        let led = formations.find(|formation| formation.leader == Some(unit));
        let waits = led.is_some_and(|formation| {
            let mut brigades = formation.brigades.iter();
            brigades.all(|&brigade| !orders::released(t, brigade))
        });
        forbid(waits, rule!("L3"), "waits with his brigades")
    }

    fn may_withdraw(&self, _: &Table, _: UnitId) -> Check {
        Ok(())
    }

    fn entered(&self, t: &mut Table, unit: UnitId, hex: HexId) {
        if rules(t).card(unit).side == self.side || !rules(t).fights(unit) {
            return;
        }
        let field = Field::new(t);
        let beside: Vec<u16> = t
            .board()
            .neighbours(hex)
            .filter(|&(way, _)| !t.board().side(hex, way).closed)
            .flat_map(|(_, next)| field.fighters(next))
            .filter(|&other| field.card(other).side == self.side && !field.card(other).is_guns())
            .map(|other| field.card(other).brigade)
            .collect();
        for brigade in beside {
            orders::set_free(t, brigade, "L3");
        }
        // A battery is released by a move or an advance, not by those who fall back to it.
        let near: Vec<UnitId> = self
            .batteries
            .iter()
            .copied()
            .filter(|_| goes(t, unit))
            .filter(|&battery| self.disturbs(t, unit, hex, battery))
            .collect();
        for battery in near {
            self.release(t, battery);
        }
    }

    fn fired(&self, t: &mut Table, fight: &Fight) {
        for &unit in &fight.defenders {
            let card = rules(t).card(unit);
            let ours = card.side == self.side && card.is_guns();
            if ours && !self.stubborn.0.contains(&card.brigade) {
                self.release(t, unit);
            }
        }
    }
}

/// L5 in a scenario file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HiddenFile {
    /// Whose brigades wait.
    pub side: String,
    /// How far the enemy keeps from them.
    pub apart: u32,
    /// L6: brigades that move before their time, and at the end of which turn.
    pub early: Vec<(String, String)>,
    /// The marker with which they do.
    pub with: String,
    /// The turn from which on commanders ride (L1).
    pub commanders: String,
}

/// L5: infantry that waits is not fired at, and the enemy keeps away from it; L6: some of it moves once, before its
/// time, at the end of a turn.
pub struct Hidden {
    number: usize,
    side: Side,
    apart: u32,
    early: Vec<(u16, u16)>,
    with: u16,
    commanders: u16,
}

impl HiddenFile {
    /// Makes the rule.
    pub fn build(&self, names: &mut Names, field: &str, number: usize) -> Hidden {
        let early = self.early.iter();
        let early = early.map(|(brigade, turn)| {
            let field = format!("{field}.early");
            (names.brigade(&field, brigade), names.turn(&field, turn))
        });
        Hidden {
            number,
            early: early.collect(),
            side: names.side(&format!("{field}.side"), &self.side),
            apart: self.apart,
            with: names.formation(&format!("{field}.with"), &self.with),
            commanders: names.turn(&format!("{field}.commanders"), &self.commanders),
        }
    }
}

/// Bits of its note that tell a turn.
const TURN_BITS: u32 = 16;
const TURNS: u64 = (1 << TURN_BITS) - 1;

impl Hidden {
    /// Whether it is their early move that is under way.
    fn moving(&self, t: &Table) -> bool {
        let activation = t.res::<Activation>();
        activation.side.is_some() && activation.formation == self.with
    }

    /// The bit of a brigade that has begun to move, early or in its time; the early moves of which turn have been is in the
    /// bits below.
    fn bit(&self, t: &Table, brigade: u16) -> u64 {
        let all = (0u16..).zip(&rules(t).brigades);
        let mut ours = all.filter(|(_, other)| other.side == self.side);
        let place = ours.position(|(other, _)| other == brigade);
        place.map_or(0, |place| 1 << (TURN_BITS as usize + place).min(63))
    }

    /// Notes that a brigade has begun to act.
    fn begin(&self, t: &mut Table, brigade: u16) {
        if orders::released(t, brigade) {
            let bits = note(t, self.number) | self.bit(t, brigade);
            remember(t, self.number, bits);
        }
    }

    /// Whether a brigade has begun to act.
    fn has_moved(&self, t: &Table, brigade: u16) -> bool {
        note(t, self.number) & self.bit(t, brigade) != 0
    }

    /// How near a hex is to troops that have not been released, or to infantry of them; none beyond the distance that
    /// is kept.
    fn closeness(&self, t: &Table, hex: HexId, foot: bool) -> Option<u32> {
        let field = Field::new(t);
        let waits = |unit: UnitId| {
            let card = field.card(unit);
            (card.kind == Kind::Foot || !foot) && !orders::released(t, card.brigade)
        };
        // Most stand far off: to look how far is cheaper than to look who waits.
        let far = field.on_map(self.side);
        let far = far.map(|(unit, at)| (unit, t.board().distance(at, hex)));
        let near = far.filter(|(_, far)| *far <= self.apart);
        near.filter(|(unit, _)| waits(*unit))
            .map(|(_, far)| far)
            .min()
    }
}

impl Special for Hidden {
    fn closing(&self, t: &mut Table) -> Option<u16> {
        let (turn, done) = (t.turn(), u64::from(t.turn()) + 1);
        let due: Vec<u16> = self
            .early
            .iter()
            .filter(|(_, when)| *when == turn)
            .map(|(brigade, _)| *brigade)
            .collect();
        let noted = note(t, self.number);
        if due.is_empty() || noted & TURNS == done {
            return None;
        }
        remember(t, self.number, noted & !TURNS | done);
        for brigade in due {
            let wear = wear_mut(t, brigade);
            (wear.with, wear.uses, wear.commanded) = (Some(self.with), 1, true);
        }
        Some(self.with)
    }

    fn brigade_begins(&self, t: &mut Table, brigade: u16) {
        self.begin(t, brigade);
    }

    /// L5: on the turn of its release everybody of a brigade is in command, and not its leader alone.
    fn in_command(&self, t: &Table, unit: UnitId) -> bool {
        let card = rules(t).card(unit);
        let brigade = rules(t).brigades.get(usize::from(card.brigade));
        card.side == self.side && brigade.is_some_and(|brigade| brigade.released == t.turn())
    }

    /// Who fires has given himself away.
    fn aimed(&self, t: &mut Table, unit: UnitId, _: HexId) {
        self.begin(t, rules(t).card(unit).brigade);
    }

    fn activation_over(&self, t: &mut Table) {
        if self.moving(t) {
            for &(brigade, _) in &self.early {
                wear_mut(t, brigade).with = None;
            }
        }
    }

    fn frees(&self, t: &Table, brigade: u16) -> bool {
        let early = self
            .early
            .iter()
            .any(|(other, when)| *other == brigade && *when == t.turn());
        early && self.moving(t)
    }

    fn may_move(&self, t: &Table, unit: UnitId) -> Check {
        let early = t.turn() < self.commanders && !self.moving(t);
        let rides = rules(t).card(unit).is_leader() && rules(t).card(unit).brigade == NONE;
        forbid(early && rides, rule!("L1"), "does not ride yet")
    }

    fn may_withdraw(&self, _: &Table, _: UnitId) -> Check {
        Ok(())
    }

    fn may_fire_at(&self, t: &Table, unit: UnitId, hex: HexId) -> Check {
        let field = Field::new(t);
        if field.card(unit).side == self.side {
            return Ok(());
        }
        let hidden = |other: UnitId| {
            let card = field.card(other);
            card.kind == Kind::Foot && !self.has_moved(t, card.brigade)
        };
        forbid(
            field.fighters(hex).any(hidden),
            rule!("L5"),
            "holds infantry that has not moved yet",
        )
    }

    fn bounds(&self, t: &Table, unit: UnitId) -> bool {
        rules(t).card(unit).side != self.side && rules(t).fights(unit)
    }

    /// Moves, advances and retreats alike.
    fn may_retreat(&self, t: &Table, unit: UnitId, hex: HexId) -> Check {
        self.may_end(t, unit, hex)
    }

    fn may_end(&self, t: &Table, unit: UnitId, hex: HexId) -> Check {
        let field = Field::new(t);
        if field.card(unit).side == self.side || !field.rules.fights(unit) {
            return Ok(());
        }
        let Some(near) = self.closeness(t, hex, false) else {
            return Ok(());
        };
        // Who begins so near may go further off.
        let before = t.hex(unit).and_then(|at| self.closeness(t, at, false));
        forbid(
            before.is_none_or(|before| near <= before),
            rule!("L5"),
            "is too near to troops that have not been released",
        )
    }

    fn drive(&self, t: &Table, unit: UnitId) -> Drive {
        let field = Field::new(t);
        let ours =
            field.card(unit).side != self.side && field.rules.fights(unit) && orders::free(t, unit);
        let near = ours
            && t.hex(unit)
                .is_some_and(|at| self.closeness(t, at, true).is_some());
        if near { Drive::Away } else { Drive::Free }
    }
}

/// L7 in a scenario file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MahoneFile {
    /// The brigade that may be used or not.
    pub brigade: String,
    /// The enemy's brigades that are released if it is, and the turn from which on.
    pub answers: (Vec<String>, String),
}

/// L7: whoever uses a brigade that history left out sets others free.
pub struct Mahone {
    number: usize,
    brigade: u16,
    answers: Vec<u16>,
    from: u16,
}

impl MahoneFile {
    /// Makes the rule.
    pub fn build(&self, names: &mut Names, field: &str, number: usize) -> Mahone {
        let answers = self.answers.0.iter();
        let at = format!("{field}.answers");
        Mahone {
            number,
            brigade: names.brigade(&format!("{field}.brigade"), &self.brigade),
            answers: answers.map(|name| names.brigade(&at, name)).collect(),
            from: names.turn(&at, &self.answers.1),
        }
    }
}

impl Mahone {
    fn answer(&self, t: &mut Table) {
        if note(t, self.number) == 1 && t.turn() >= self.from {
            for &brigade in &self.answers {
                orders::set_free(t, brigade, "L7");
            }
        }
    }
}

impl Special for Mahone {
    fn brigade_begins(&self, t: &mut Table, brigade: u16) {
        if brigade == self.brigade && orders::released(t, brigade) {
            remember(t, self.number, 1);
            self.answer(t);
        }
    }

    fn turn_begins(&self, t: &mut Table) {
        self.answer(t);
    }
}

/// L4 in a scenario file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BatteriesFile {
    /// Whose batteries are in command where they began, while they go with this marker.
    pub marker: String,
}

/// L4: batteries are in command where they began; once they have gone with a division they stay with it.
pub struct Batteries {
    marker: u16,
}

impl BatteriesFile {
    /// Makes the rule.
    pub fn build(&self, names: &mut Names, field: &str) -> Batteries {
        Batteries {
            marker: names.formation(&format!("{field}.marker"), &self.marker),
        }
    }
}

impl Special for Batteries {
    fn in_command(&self, t: &Table, unit: UnitId) -> bool {
        let field = Field::new(t);
        let card = field.card(unit);
        card.is_guns()
            && crate::attach::formation_of(t, card.brigade) == self.marker
            && field.rules.starts[usize::from(unit.0)].at == t.hex(unit)
    }

    fn may_attach(&self, t: &Table, brigade: u16, to: Option<u16>) -> Check {
        let ours = rules(t).formations[usize::from(self.marker)].side
            == rules(t).brigades[usize::from(brigade)].side;
        forbid(ours && to.is_none(), rule!("L4"), "stays with its division")
    }
}

/// How the scenario ends, in its file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AssaultFile {
    /// Hexes of Little Round Top.
    pub round_top: Vec<String>,
    /// Hexes of the Wheat Field.
    pub wheat_field: Vec<String>,
    /// Hexes of the Peach Orchard.
    pub orchard: Vec<String>,
    /// Hexes of Cemetery Ridge: a foothold on it is as good as the Round Top.
    pub ridge: Vec<String>,
    /// How many hexes of the ridge are enough.
    pub foothold: usize,
    /// The turn at whose end the attack must have got somewhere.
    pub halfway: String,
}

/// How the scenario ends: by who holds what, and some of it at once.
pub struct Assault {
    round_top: Vec<HexId>,
    wheat_field: Vec<HexId>,
    orchard: Vec<HexId>,
    ridge: Vec<HexId>,
    foothold: usize,
    halfway: u16,
}

impl AssaultFile {
    /// Makes the rule.
    pub fn build(&self, names: &mut Names, field: &str) -> Assault {
        Assault {
            round_top: names.hexes(&format!("{field}.round_top"), &self.round_top),
            wheat_field: names.hexes(&format!("{field}.wheat_field"), &self.wheat_field),
            orchard: names.hexes(&format!("{field}.orchard"), &self.orchard),
            ridge: names.hexes(&format!("{field}.ridge"), &self.ridge),
            foothold: self.foothold,
            halfway: names.turn(&format!("{field}.halfway"), &self.halfway),
        }
    }
}

/// What a side holds of a place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Grip {
    Nothing,
    Part,
    All,
}

impl Assault {
    /// What the Confederates hold of some hexes.
    fn grip(t: &Table, hexes: &[HexId]) -> Grip {
        let held = hexes.iter().filter(|&&hex| holds(t, Side::Second, hex));
        match held.count() {
            0 => Grip::Nothing,
            all if all == hexes.len() => Grip::All,
            _ => Grip::Part,
        }
    }

    fn on_the_ridge(&self, t: &Table) -> bool {
        let held = self.ridge.iter();
        held.filter(|&&hex| holds(t, Side::Second, hex)).count() >= self.foothold
    }

    fn verdict_of(winner: Option<Side>, how: &'static str) -> Verdict {
        Verdict {
            winner,
            how: how.into(),
            rule: rule!("13.0"),
        }
    }
}

impl Special for Assault {
    fn activation_over(&self, t: &mut Table) {
        if crate::activation::phasing(t) != Side::First {
            return;
        }
        let all = |hexes: &[HexId]| Assault::grip(t, hexes) == Grip::All;
        let through = all(&self.round_top) || self.on_the_ridge(t);
        if all(&self.wheat_field) && all(&self.orchard) && through {
            t.end(Assault::verdict_of(Some(Side::Second), "major victory"));
        }
    }

    fn turn_ends(&self, t: &mut Table) {
        let nothing = Assault::grip(t, &self.orchard) != Grip::All
            && Assault::grip(t, &self.round_top) == Grip::Nothing;
        if t.turn() == self.halfway && nothing {
            t.end(Assault::verdict_of(Some(Side::First), "major victory"));
        }
    }

    fn verdict(&self, t: &Table) -> Option<Verdict> {
        let grip = |hexes: &[HexId]| Assault::grip(t, hexes);
        let (top, wheat, orchard) = (
            grip(&self.round_top),
            grip(&self.wheat_field),
            grip(&self.orchard),
        );
        let (union, south) = (Some(Side::First), Some(Side::Second));
        let (winner, how) = match (top, wheat, orchard) {
            (Grip::All, ..) => (south, "major victory"),
            (Grip::Part, Grip::All, _) => (south, "minor victory"),
            (.., Grip::All) if self.on_the_ridge(t) => (south, "minor victory"),
            (Grip::Nothing, wheat, orchard) if wheat != Grip::All && orchard != Grip::All => {
                (union, "major victory")
            }
            (_, Grip::All, Grip::All) | (Grip::Part, Grip::Part, Grip::All) => (None, "draw"),
            _ => (union, "minor victory"),
        };
        Some(Assault::verdict_of(winner, how))
    }
}
