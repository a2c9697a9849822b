//! §6.1, §6.3 One fire as a combat system: what counts, and what the die comes to.
//!
//! The fight's terms are, in this order: how the fire is meant ([`Aim`] bits), the strength that fires, the row of
//! the range chart. The phase works them out from what was declared; everything else is read from the table.

use crate::facing::{Arc, arc_of_fire, entries};
use crate::field::Field;
use crate::files::Weapon;
use crate::orders::in_column;
use crate::state::{Deed, Land, Order};
use cupola_army::Light;
use cupola_ground::board::Mark;
use cupola_ground::{Board, Cover, Direction, Grade, Rise, WaterKind};
use cupola_kernel::{
    Cite, Combat, Dice, Fault, Fight, HexId, Modifiers, Needs, Outcome, Table, Toll, UnitId,
};

/// How a fire is meant.
pub struct Aim;

impl Aim {
    /// The charge counts (§6.36).
    pub const CHARGE: i16 = 1;
    /// The firers themselves charge.
    pub const CHARGERS: i16 = 2;
    /// The bare die (§5.18 of scenarios: fire from off the map).
    pub const BARE: i16 = 4;
}

/// The combat system.
pub struct Volley;

/// One line: section, what, how much.
type Line<'a> = &'a mut dyn FnMut(&'static str, &'static str, i16);

/// A fire with everything at hand.
struct Shooting<'a> {
    field: Field<'a>,
    fight: &'a Fight,
    from: HexId,
    at: HexId,
    range: u32,
    weapon: Weapon,
}

impl<'a> Shooting<'a> {
    fn new(t: &'a Table, fight: &'a Fight) -> Option<Shooting<'a>> {
        let from = t.hex(*fight.attackers.first()?)?;
        let at = fight.hex?;
        let row = fight.terms.get(2).copied().unwrap_or(0);
        Some(Shooting {
            field: Field::new(t),
            fight,
            from,
            at,
            range: t.board().distance(from, at),
            weapon: Weapon::ALL[(row.unsigned_abs() as usize).min(11)],
        })
    }

    fn flag(&self, bit: i16) -> bool {
        self.fight
            .terms
            .first()
            .is_some_and(|terms| terms & bit != 0)
    }

    fn lines(&self, add: Line) {
        let rules = self.field.rules;
        let drms = &rules.drms;
        let mut line = |cite, label, value: i16| {
            if value != 0 {
                add(cite, label, value);
            }
        };
        line(
            "6.31",
            "range",
            rules.range(self.weapon, self.range).unwrap_or(0),
        );
        let sp = self.fight.terms.get(1).copied().unwrap_or(0);
        line("6.32", "strength", rules.strength(sp.clamp(0, 255) as u8));
        let firers = &self.fight.attackers;
        let shaky = firers
            .iter()
            .any(|&unit| self.field.status(unit).disordered);
        line(
            "6.33",
            "disordered",
            if shaky { drms.disordered } else { 0 },
        );
        let refused = firers
            .iter()
            .any(|&unit| self.field.status(unit).refused_side().is_some());
        line(
            "12.1",
            "refused flank",
            if refused { drms.refused } else { 0 },
        );
        self.terrain(&mut line);
        let arc = self.arc();
        let sabres = self.flag(Aim::CHARGERS) && self.field.mounted(firers[0]);
        match arc {
            Arc::Front => line("6.34", "wall or works", self.shelter(sabres)),
            Arc::Flank => line("6.35", "flank", drms.flank),
            Arc::Rear => line("6.35", "rear", drms.rear),
        }
        if self.flag(Aim::CHARGE) {
            line("6.36", "charge", drms.charge);
        }
        self.light(&mut line);
        self.target(&mut line);
        if sabres {
            self.sabres(arc, &mut line);
        }
        for special in &rules.specials {
            if let Some((cite, label, value)) = special.fire(self.field.t, self.fight) {
                line(cite, label, value);
            }
        }
    }

    fn all_guns(&self) -> bool {
        let firers = &self.fight.attackers;
        firers.iter().all(|&unit| self.field.card(unit).is_guns())
    }

    /// §6.34 but walls and works.
    fn terrain(&self, line: Line) {
        let (board, drms) = (self.field.t.board(), &self.field.rules.drms);
        let cover = |hex| board.cover(hex);
        let cut = |hex| board.marks(hex).contains(Mark::Cut);
        if cover(self.at) == Cover::Woods {
            line("5.18", "target in woods", drms.woods);
        }
        if self.through_orchard() {
            line("5.18", "through an orchard", drms.orchard);
        }
        if cover(self.at) == Cover::Town || cover(self.from) == Cover::Town {
            line("5.18", "town", drms.town);
        }
        let (level, target) = (board.level(self.from), board.level(self.at));
        let long_guns = self.all_guns() && self.range >= 4;
        if level < target && !long_guns && self.enters_over(Rise::Down(Grade::Steep)) {
            line("5.18", "up a steep slope", drms.uphill);
        }
        if level > target && self.range == 1 && self.enters_over(Rise::Up(Grade::Steep)) {
            line("5.18", "down a steep slope", drms.downhill);
        }
        if cut(self.at) && !cut(self.from) && self.range == 1 {
            line("5.18", "into a railroad cut", drms.into_cut);
        }
        if cut(self.from) {
            line("5.18", "out of a railroad cut", drms.from_cut);
        }
    }

    /// Whether the fire enters the target hex over such a slope, as seen from there.
    fn enters_over(&self, rise: Rise) -> bool {
        let board = self.field.t.board();
        let (side, other) = entries(board.axial(self.from), board.axial(self.at));
        let is = |side: u8| board.side(self.at, Direction::ALL[usize::from(side)]).rise == rise;
        is(side) && other.is_none_or(is)
    }

    fn through_orchard(&self) -> bool {
        let board = self.field.t.board();
        if self.range < 2 || self.all_guns() && self.range >= 4 {
            return false;
        }
        let low = board.level(self.from).min(board.level(self.at));
        let sight = &self.field.rules.sight;
        sight.passes(board, (self.from, self.at), |hex| {
            board.cover(hex) == Cover::Orchard && board.level(hex) >= low
        })
    }

    /// Where the fire hits (§6.35): a column has flanks only (§4.32).
    fn arc(&self) -> Arc {
        let Some(&first) = self.fight.defenders.first() else {
            return Arc::Front;
        };
        if in_column(self.field, self.field.acts_with(first)) {
            return Arc::Flank;
        }
        let board = self.field.t.board();
        let status = self.field.status(first);
        let (from, at) = (board.axial(self.from), board.axial(self.at));
        arc_of_fire(from, at, |side| status.arc(side))
    }

    /// What stands before the target: works, or a wall it owns (§5.18, §10.2).
    fn shelter(&self, sabres: bool) -> i16 {
        let board = self.field.t.board();
        let (side, other) = entries(board.axial(self.from), board.axial(self.at));
        // A wall stops bullets, not shells; works stop both. What it is to horsemen §9.13 tells.
        let walls = !self.weapon.is_gun() && !sabres;
        let behind = |side: u8| self.behind(side, walls);
        behind(side).min(other.map_or(0, behind))
    }

    fn behind(&self, side: u8, walls: bool) -> i16 {
        let (board, drms) = (self.field.t.board(), &self.field.rules.drms);
        let Some(&first) = self.fight.defenders.first() else {
            return 0;
        };
        if !self.field.status(first).fronts(side) {
            return 0;
        }
        if let Some(work) = self.field.t.res::<Land>().works_at(self.at)
            && work.sides >> side & 1 == 1
        {
            let mine = work.side == self.field.card(first).side;
            return if mine {
                drms.works
            } else {
                drms.captured_works
            };
        }
        let direction = Direction::ALL[usize::from(side)];
        let wall =
            walls && board.side(self.at, direction).wall && on_its_bank(board, self.at, direction);
        if wall && owns_wall(self.field, self.at, direction) {
            drms.wall
        } else {
            0
        }
    }

    /// §6.37, §6.38.
    fn light(&self, line: Line) {
        let (t, drms) = (self.field.t, &self.field.rules.drms);
        match t.turn_info().light {
            Light::Night => line("6.37", "night", drms.night),
            // §11.1
            Light::Dawn | Light::Dusk if self.range >= drms.twilight_from => {
                line("6.37", "twilight", drms.twilight);
            }
            _ => {}
        }
        let board = t.board();
        let above = board.level(self.from) > board.level(self.at);
        let barred = self
            .field
            .rules
            .specials
            .iter()
            .any(|rule| rule.no_high_ground());
        if self.all_guns() && self.range >= 4 && above && !barred {
            line("6.38", "high ground", drms.high_ground);
        }
    }

    /// §6.39: what the target is.
    fn target(&self, line: Line) {
        let (field, drms) = (self.field, &self.field.rules.drms);
        let defenders = &self.fight.defenders;
        let Some(&first) = defenders.first() else {
            return;
        };
        if defenders.iter().all(|&unit| field.mounted(unit)) {
            line("6.39", "mounted target", drms.mounted_target);
        }
        if in_column(field, field.acts_with(first)) {
            line("6.39", "target in column", drms.marching_target);
        }
        if self.range >= 4 && defenders.iter().all(|&unit| field.card(unit).is_guns()) {
            line("6.39", "guns alone", drms.lone_guns);
        }
        // Infantry and guns miss skirmishers; horsemen ride them down.
        let ridden = self.fight.attackers.iter().any(|&unit| field.mounted(unit));
        let alone = defenders.len() == 1 && field.card(first).sharpshooters;
        if self.range < 4 && alone && !ridden {
            line("9.4", "sharpshooters alone", drms.lone_sharpshooters);
        }
    }

    /// §9.13: a mounted charge.
    fn sabres(&self, arc: Arc, line: Line) {
        let (field, drms, defenders) = (self.field, &self.field.rules.drms, &self.fight.defenders);
        let weak = |unit: &UnitId| field.status(*unit).disordered || field.mounted(*unit);
        // Cavalry on foot is infantry (§9.12).
        let stands = |unit: &UnitId| !weak(unit);
        if arc == Arc::Front && defenders.iter().any(stands) {
            line("9.13", "horse against a line", drms.horse_on_front);
        }
        if defenders.iter().any(weak) {
            line("9.13", "horse against the shaken", drms.horse_on_shaken);
        }
        let gallops = |unit: &UnitId| field.deed(*unit).any(Deed::GALLOPS);
        if self.fight.attackers.iter().any(gallops) {
            line("12.51", "at the gallop", drms.gallop);
        }
        let board = field.t.board();
        let side = entries(board.axial(self.from), board.axial(self.at)).0;
        let works = field.t.res::<Land>().works_at(self.at);
        let works = works.is_some_and(|work| work.sides >> side & 1 == 1);
        // Works on a wall take its place; one on the other bank is no help.
        let way = Direction::ALL[usize::from(side)];
        let wall = board.side(self.at, way).wall && !works && on_its_bank(board, self.at, way);
        if wall || board.cover(self.at) == Cover::Orchard {
            line("5.18", "horse over an obstacle", drms.horse_on_obstacle);
        }
    }
}

/// Whether a wall on this side of a hex stands on its bank: beside a stream the higher one has it (§5.18; which one is
/// not told, and nobody builds where the water rises).
fn on_its_bank(board: &Board, hex: HexId, direction: Direction) -> bool {
    let wet = matches!(
        board.side(hex, direction).water,
        Some(WaterKind::Run | WaterKind::Creek)
    );
    let beyond = board.neighbour(hex, direction);
    !wet || beyond.is_none_or(|beyond| board.level(hex) >= board.level(beyond))
}

/// Whether those in a hex were first to the wall on this side of it (§5.18).
#[must_use]
pub fn owns_wall(field: Field, hex: HexId, direction: Direction) -> bool {
    let first = |hex: HexId, direction: Direction| {
        let side = direction.index() as u8;
        field
            .fighters(hex)
            .filter(|&unit| field.order(unit) != Order::March)
            .filter_map(|unit| {
                let status = field.status(unit);
                let place = status
                    .facing
                    .front()
                    .iter()
                    .position(|&front| front == side)?;
                Some((
                    status.since[place],
                    field.card(unit).side,
                    field.mounted(unit),
                ))
            })
            .min_by_key(|(since, ..)| *since)
    };
    let Some((own, side, mounted)) = first(hex, direction) else {
        return false;
    };
    // Horsemen have no use of a wall, but deny it to others.
    if mounted {
        return false;
    }
    let Some(beyond) = field.t.board().neighbour(hex, direction) else {
        return true;
    };
    match first(beyond, direction.opposite()) {
        Some((theirs, other, _)) if other != side => own <= theirs,
        _ => true,
    }
}

/// What is added to the die.
fn added(t: &Table, fight: &Fight) -> i16 {
    let mut sum = 0;
    if let Some(shooting) = Shooting::new(t, fight).filter(|s| !s.flag(Aim::BARE)) {
        shooting.lines(&mut |_, _, value| sum += value);
        sum += t.ride(Volley.name(), fight, Modifiers::new()).sum();
    }
    sum
}

/// How many results fire has: none, a check, a hit, a hit and a strength point.
pub const RESULTS: usize = 4;

impl Combat for Volley {
    fn name(&self) -> &'static str {
        "volley"
    }

    fn needs(&self) -> Needs {
        crate::ruleset::needs()
    }

    fn modifiers(&self, t: &Table, fight: &Fight) -> Modifiers {
        let mut found = Modifiers::new();
        if let Some(shooting) = Shooting::new(t, fight).filter(|s| !s.flag(Aim::BARE)) {
            shooting.lines(&mut |cite, label, value| {
                let so_far = std::mem::take(&mut found);
                found = so_far.add(Cite::new(cite), label, value);
            });
            return t.ride(self.name(), fight, found);
        }
        found
    }

    fn takes_riders(&self) -> bool {
        true
    }

    fn resolve(&self, t: &Table, fight: &Fight, dice: &mut dyn Dice) -> Result<Outcome, Fault> {
        let at = fight
            .hex
            .ok_or_else(|| Fault::Broken("a fire without a target".into()))?;
        let sum = added(t, fight);
        let die = i16::from(dice.d10("fire", at));
        Ok(Outcome::code(Field::new(t).rules.result(die + sum)))
    }

    fn reckon(&self, t: &Table, fight: &Fight) -> Option<Vec<i16>> {
        fight.hex.map(|_| vec![added(t, fight)])
    }

    fn describe(&self, _: &Table, outcome: &Outcome) -> String {
        match outcome.code {
            0 => "no effect",
            1 => "each unit checks its cohesion",
            2 => "each unit is hit",
            _ => "each unit is hit, and one more strength point is lost",
        }
        .into()
    }

    fn toll(&self, t: &Table, fight: &Fight, outcome: &Outcome) -> Toll {
        let field = Field::new(t);
        let fails = |unit: UnitId| -> u32 {
            let passed = (0..10u8).filter(|&die| crate::cohesion::passes(field, unit, die, 0));
            10 - passed.count() as u32
        };
        let (mut men, mut yields) = (0, false);
        for &unit in &fight.defenders {
            let disordered = field.status(unit).disordered;
            // Tenths of a hit, fifty men a loss; order lost is worth half a loss.
            let tenths = match outcome.code {
                0 => 0,
                1 => fails(unit),
                _ => 10,
            };
            men += tenths * if disordered { 5 } else { 2 };
            yields |= disordered && tenths >= 5;
        }
        if outcome.code == 3 {
            men += 50;
        }
        Toll {
            attacker: 0,
            defender: men,
            yields,
        }
    }
}
