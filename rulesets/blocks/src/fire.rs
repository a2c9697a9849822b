//! §5 The fire phase: volleys, cones of fire, guns in the open.

use crate::chain;
use crate::field::{label, name, rules, show, stack, steps};
use crate::hits;
use crate::rules::{NOWHERE, Rules, terrain};
use crate::state::{Block, Chosen, Hexes, Wounds, army, flag, forget};
use cupola_kernel::{
    Act, Acts, Ask, Check, Combat, Dice, Fault, Fight, HexId, Modifiers, Needs, Options, Outcome,
    Phase, Preview, Refusal, Side, Step, Table, Toll, UnitId, acts, forbid, require, rule,
};
use std::sync::Arc;

acts! {
    /// Answers in the fire phase.
    pub enum Do {
        /// This block fires next.
        Pick(unit: UnitId) = "unit",
        /// Fire through the hexside of this neighbour at that hex.
        Fire(unit: UnitId, through: HexId, target: HexId) = "fire",
        /// Fire through the hexside of this neighbour at guns that stand face up (§5.31).
        Aim(unit: UnitId, through: HexId, gun: UnitId) = "aim",
        /// This block takes the hit (§5.23).
        Hit(unit: UnitId) = "hit",
        /// This block falls back there (§5.32).
        FallBack(unit: UnitId, hex: HexId) = "fall-back",
        /// No more fire.
        Done = "done",
    }
}

/// Whether a block may fire at all this phase (§5.1).
pub fn may_fire(t: &Table, unit: UnitId) -> Check {
    let (card, block) = (rules(t).card(unit), t.get::<Block>(unit));
    require(card.side == t.active(), rule!("5.1"), "is not yours")?;
    forbid(card.is_hq(), rule!("3.21"), "a headquarters does not fire")?;
    require(t.hex(unit).is_some(), rule!("5.1"), "is not on the map")?;
    forbid(block.has(flag::FIRED), rule!("5.21"), "has fired")?;
    forbid(
        block.has(flag::COLUMN),
        rule!("6.0"),
        "a block in column cannot fire",
    )?;
    require(
        block.has(flag::COMMANDED) || card.free,
        rule!("5.1"),
        "is not under command",
    )
}

/// The firepower of a block through a hexside: at one hex less terrain, farther off the long one (§5.22,
/// §5.31).
fn power(rules: &Rules, unit: UnitId, from: HexId, direction: usize, long: bool) -> i8 {
    let card = rules.card(unit);
    if long {
        card.long
    } else {
        card.fire + rules.around(from)[direction].fire
    }
}

/// What lines of variants add to a volley before it is fired.
fn ridden(t: &Table, unit: UnitId, cone: &[u16], place: usize) -> i16 {
    if !t.is_ridden(Volley.name()) {
        return 0;
    }
    let fight = volley(t, unit, HexId(cone[0]), HexId(cone[place]), None);
    fight.map_or(0, |fight| {
        t.ride(Volley.name(), &fight, Modifiers::new()).sum()
    })
}

/// Whether a block may fire through a hexside at one place of its cone.
fn may_target(
    (t, rules, field): (&Table, &Rules, &Hexes),
    unit: UnitId,
    from: HexId,
    direction: usize,
    place: usize,
    enemy: Side,
) -> Check {
    let at = usize::from(from.0);
    let target = rules.cones[at][direction][place];
    require(
        target != NOWHERE && field.count[enemy as usize][usize::from(target)] > 0,
        rule!("5.1"),
        "no enemy is there",
    )?;
    require(
        place == 0 || rules.card(unit).is_guns(),
        rule!("5.1"),
        "only artillery fires farther than one hex",
    )?;
    forbid(
        field.fired[at] & 1 << direction != 0,
        rule!("5.21"),
        "a block has fired through that hexside",
    )?;
    require(
        rules.sight[at][direction] & 1 << place != 0,
        rule!("5.33"),
        "there is no line of sight",
    )?;
    let more = ridden(t, unit, &rules.cones[at][direction], place);
    require(
        i16::from(power(rules, unit, from, direction, place > 0)) + more > 0,
        rule!("5.22"),
        "terrain leaves no firepower",
    )
}

/// Calls `found` with hexside and place of every target of a block.
fn targets(t: &Table, unit: UnitId, mut found: impl FnMut(usize, usize)) {
    let Some(from) = t.hex(unit) else { return };
    let enemy = t.active().other();
    let (rules, field) = (rules(t), t.res::<Hexes>());
    let places = if rules.card(unit).is_guns() { 7 } else { 1 };
    let enemies = &field.count[enemy as usize];
    for (direction, cone) in rules.cones[from.index()].iter().enumerate() {
        for (place, target) in cone.iter().enumerate().take(places) {
            // Most hexes hold nobody: no need to ask further.
            if enemies
                .get(usize::from(*target))
                .is_none_or(|&count| count == 0)
            {
                continue;
            }
            if may_target((t, rules, field), unit, from, direction, place, enemy).is_ok() {
                found(direction, place);
            }
        }
    }
}

/// Calls `found` with the hexside, the hex and the firepower of every target that a block would have under command.
pub fn each_target(t: &Table, unit: UnitId, mut found: impl FnMut(usize, HexId, i8)) {
    let Some(from) = t.hex(unit) else { return };
    let rules = rules(t);
    let near = t.res::<Hexes>().near[t.active().other() as usize][usize::from(from.0)] > 0;
    if !near && !rules.card(unit).is_guns() || t.get::<Block>(unit).has(flag::COLUMN) {
        return;
    }
    targets(t, unit, |direction, place| {
        let target = HexId(rules.cones[usize::from(from.0)][direction][place]);
        found(
            direction,
            target,
            power(rules, unit, from, direction, place > 0),
        );
    });
}

fn has_target(t: &Table, unit: UnitId) -> bool {
    let Some(from) = t.hex(unit) else {
        return false;
    };
    // Out of reach of every enemy: the common case.
    let near = t.res::<Hexes>().near[t.active().other() as usize][usize::from(from.0)] > 0;
    if !near && !rules(t).card(unit).is_guns() {
        return false;
    }
    let mut any = false;
    targets(t, unit, |_, _| any = true);
    any
}

/// The fight of a volley: firepower, long range and hexside in its terms.
fn volley(
    t: &Table,
    unit: UnitId,
    through: HexId,
    target: HexId,
    gun: Option<UnitId>,
) -> Option<Fight> {
    let from = t.hex(unit)?;
    let direction = rules(t).direction(from, through)?;
    let long = through != target;
    Some(Fight {
        attackers: vec![unit],
        defenders: gun.into_iter().collect(),
        hex: Some(target),
        terms: vec![direction as i16, i16::from(long)],
    })
}

/// The volley of a block in which its dice are worth most; of equals the first.
fn best_volley(t: &Table, unit: UnitId) -> Option<Fight> {
    let (rules, from) = (rules(t), t.hex(unit)?);
    let mut best: Option<(i16, usize, usize)> = None;
    targets(t, unit, |direction, place| {
        let cone = &rules.cones[usize::from(from.0)][direction];
        let power = i16::from(power(rules, unit, from, direction, place > 0));
        let power = power + ridden(t, unit, cone, place);
        if best.is_none_or(|(most, ..)| power > most) {
            best = Some((power, direction, place));
        }
    });
    let (_, direction, place) = best?;
    let cone = &rules.cones[usize::from(from.0)][direction];
    volley(t, unit, HexId(cone[0]), HexId(cone[place]), None)
}

/// Carries out a volley.
fn fire(t: &mut Table, fight: &Fight) -> Result<(), Fault> {
    let (&[unit], Some(target)) = (&fight.attackers[..], fight.hex) else {
        return Err(Fault::Broken(
            "a volley has one firer and one target".into(),
        ));
    };
    let from = t.hex(unit).unwrap_or(target);
    show(t, unit);
    let combat = t.combat("fire")?;
    let outcome = t.fight(&*combat, fight)?;
    let hits = outcome.among(&*combat, crate::hits::HITS)? as u8;
    t.get_mut::<Block>(unit).flags |= flag::FIRED;
    let direction = fight.terms.first().copied().unwrap_or(0);
    t.res_mut::<Hexes>().fired[usize::from(from.0)] |= 1 << direction;
    hits::announce(t, "fire", unit, Some(target), hits);
    let (side, double) = (t.active().other(), rules(t).double[usize::from(target.0)]);
    *t.res_mut::<Wounds>() = Wounds {
        hex: Some(target),
        side,
        left: hits,
        long: fight.terms.get(1) == Some(&1),
        double,
        open: false,
        aimed: fight.defenders.first().copied(),
        repulsed: None,
    };
    t.res_mut::<Chosen>().unit = None;
    Ok(())
}

/// The combat system of fire: as many dice as steps, a hit for each that is not above the firepower (§5.2).
pub struct Volley;

impl Combat for Volley {
    fn name(&self) -> &'static str {
        "volley"
    }

    fn needs(&self) -> Needs {
        crate::ruleset::needs().role("fire")
    }

    fn modifiers(&self, t: &Table, fight: &Fight) -> Modifiers {
        let Some(&unit) = fight.attackers.first() else {
            return Modifiers::new();
        };
        let (rules, card) = (rules(t), rules(t).card(unit));
        if fight.terms.get(1) == Some(&1) {
            let sum = Modifiers::new().add(rule!("5.31"), "long range", card.long.into());
            return t.ride(self.name(), fight, sum);
        }
        let mut sum = Modifiers::new().add(rule!("3.12"), "firepower", card.fire.into());
        let direction = fight.terms.first().map_or(0, |&d| d as usize % 6);
        if let Some(from) = t.hex(unit) {
            let bits = rules.around(from)[direction].terrain;
            for (bit, name) in terrain::NAMES.iter().enumerate() {
                let effect = rules.effects[bit].fire;
                sum = sum.add_if(
                    bits & 1 << bit != 0 && effect != 0,
                    rule!("5.22"),
                    *name,
                    effect.into(),
                );
            }
        }
        t.ride(self.name(), fight, sum)
    }

    fn takes_riders(&self) -> bool {
        true
    }

    fn resolve(&self, t: &Table, fight: &Fight, dice: &mut dyn Dice) -> Result<Outcome, Fault> {
        let Some(&unit) = fight.attackers.first() else {
            return Err(Fault::Broken("nobody fires".into()));
        };
        let power = self.modifiers(t, fight).sum();
        let hits = roll(dice, unit, steps(t, unit), power, "fire");
        Ok(Outcome::code(hits))
    }

    fn reckon(&self, t: &Table, fight: &Fight) -> Option<Vec<i16>> {
        let dice = steps(t, *fight.attackers.first()?);
        Some(vec![i16::from(dice), self.modifiers(t, fight).sum()])
    }

    fn describe(&self, _: &Table, outcome: &Outcome) -> String {
        hits_text(outcome.code)
    }

    fn toll(&self, t: &Table, fight: &Fight, outcome: &Outcome) -> Toll {
        crate::common_terms::toll(t, fight, outcome, true)
    }

    fn swing(&self, t: &Table, fight: &Fight, outcome: &Outcome) -> i32 {
        crate::common_terms::swing(t, fight, outcome, true)
    }
}

/// Rolls as many dice as steps (§3.11); without firepower none (§5.22).
pub fn roll(
    dice: &mut dyn Dice,
    unit: UnitId,
    steps: u8,
    power: i16,
    purpose: &'static str,
) -> u16 {
    if power <= 0 {
        return 0;
    }
    let hits = (0..steps).filter(|_| i16::from(dice.d6(purpose, unit)) <= power);
    hits.count() as u16
}

/// So many hits, in words.
#[must_use]
pub fn hits_text(hits: u16) -> String {
    match hits {
        0 => "no hit".into(),
        1 => "1 hit".into(),
        n => format!("{n} hits"),
    }
}

/// The fire phase; there is none at night (§9.71).
pub struct FirePhase;

impl FirePhase {
    fn answer(t: &Table, act: Act) -> Option<Fight> {
        match Do::from_act(act)? {
            Do::Fire(unit, through, target) => volley(t, unit, through, target, None),
            Do::Aim(unit, through, gun) => volley(t, unit, through, t.hex(gun)?, Some(gun)),
            _ => None,
        }
    }
}

impl Phase for FirePhase {
    fn name(&self) -> &'static str {
        "fire"
    }

    fn verbs(&self) -> &'static [&'static str] {
        Do::VERBS
    }

    fn needs(&self) -> Needs {
        crate::ruleset::needs().player_turn().combat("fire")
    }

    fn enter(&self, t: &mut Table) -> Result<(), Fault> {
        *t.res_mut::<Chosen>() = Chosen::default();
        *t.res_mut::<Wounds>() = Wounds::default();
        t.res_mut::<Hexes>().fired.fill(0);
        if !t.is_night() {
            chain::mark_commanded(t);
        }
        Ok(())
    }

    fn next(&self, t: &mut Table) -> Result<Step, Fault> {
        if t.is_night() {
            return Ok(Step::Done);
        }
        if let Some((side, question, rule)) = hits::settle(t) {
            return Ok(Step::ask(side, question, rule));
        }
        let chosen = *t.res::<Chosen>();
        if chosen.closing {
            // §5.24 Half hits are recovered when the phase ends.
            forget(t, flag::HALF);
            return Ok(Step::Done);
        }
        let question = if chosen.unit.is_some() {
            "target"
        } else {
            "fire"
        };
        Ok(Step::ask(t.active(), question, "5.1"))
    }

    fn options(&self, t: &Table, _: Ask, out: &mut Options) -> Result<(), Fault> {
        let wounds = t.res::<Wounds>();
        if let Some(unit) = wounds.repulsed {
            hits::refuges(t, unit)
                .into_iter()
                .for_each(|hex| out.push(Do::FallBack(unit, hex)));
            return Ok(());
        }
        if wounds.left > 0 {
            hits::candidates(t, wounds)
                .into_iter()
                .for_each(|unit| out.push(Do::Hit(unit)));
            return Ok(());
        }
        let Some(unit) = t.res::<Chosen>().unit else {
            let (army, rules) = (army(t), rules(t));
            for &unit in &rules.own[t.active()] {
                // Most blocks have no command: no need to ask further.
                let might = army.has(unit, flag::COMMANDED) || rules.card(unit).free;
                if might && may_fire(t, unit).is_ok() && has_target(t, unit) {
                    out.push(Do::Pick(unit));
                }
            }
            out.push(Do::Done);
            return Ok(());
        };
        let enemy = t.active().other();
        let Some(from) = t.hex(unit) else {
            return Ok(());
        };
        let cones = &rules(t).cones[usize::from(from.0)];
        targets(t, unit, |direction, place| {
            let (through, target) = (HexId(cones[direction][0]), HexId(cones[direction][place]));
            out.push(Do::Fire(unit, through, target));
            // §5.31 Guns that stand face up may be aimed at.
            let up = |gun: UnitId| t.get::<Block>(gun).has(flag::UP);
            stack(t, enemy, target)
                .filter(|&gun| rules(t).card(gun).is_guns() && up(gun))
                .for_each(|gun| out.push(Do::Aim(unit, through, gun)));
        });
        Ok(())
    }

    fn take(&self, t: &mut Table, _: Ask, act: Act) -> Result<(), Fault> {
        match Do::from_act(act) {
            Some(Do::Pick(unit)) => t.res_mut::<Chosen>().unit = Some(unit),
            Some(Do::Fire(..) | Do::Aim(..)) => {
                let fight = FirePhase::answer(t, act)
                    .ok_or_else(|| Fault::Broken("that is no target".into()))?;
                fire(t, &fight)?;
            }
            Some(Do::Hit(unit)) => hits::take(t, unit),
            Some(Do::FallBack(unit, hex)) => hits::fall_back(t, unit, hex),
            Some(Do::Done) => t.res_mut::<Chosen>().closing = true,
            None => return Err(Fault::Broken("not an answer of the fire phase".into())),
        }
        Ok(())
    }

    fn why_not(&self, t: &Table, _: Ask, act: Act) -> Refusal {
        let other = || Refusal::new(rule!("5.1"), "is not asked now");
        match Do::from_act(act) {
            // Who takes hits learns nothing about the firer's blocks.
            Some(Do::Pick(_) | Do::Fire(..) | Do::Aim(..)) if hits::open(t) => other(),
            Some(Do::Pick(unit)) => match may_fire(t, unit) {
                Err(refusal) => refusal,
                Ok(()) if has_target(t, unit) => other(),
                Ok(()) => why_no_target(t, unit),
            },
            Some(Do::Fire(unit, through, target)) => why_not_fire(t, unit, through, target),
            Some(Do::Aim(unit, through, gun)) => {
                // Nothing may be told about an enemy that stands upright.
                let seen = t.get::<Block>(gun).has(flag::UP) && rules(t).card(gun).is_guns();
                match t.hex(gun).filter(|_| seen) {
                    Some(target) => why_not_fire(t, unit, through, target),
                    None => Refusal::new(rule!("5.31"), "is no gun that stands face up"),
                }
            }
            Some(Do::Hit(_)) => Refusal::new(rule!("5.23"), "the strongest block takes the hit"),
            Some(Do::FallBack(..)) => Refusal::new(
                rule!("5.32"),
                "a repulsed block falls back to an adjacent friendly hex with room",
            ),
            _ => other(),
        }
    }

    fn text(&self, t: &Table, _: Ask, act: Act) -> String {
        match Do::from_act(act) {
            Some(Do::Pick(unit)) => format!("fire {}", name(t, unit)),
            Some(Do::Fire(unit, through, target)) if through == target => {
                format!("{} fires at {}", name(t, unit), label(t, target))
            }
            Some(Do::Fire(unit, through, target)) => format!(
                "{} fires at {} over {}",
                name(t, unit),
                label(t, target),
                label(t, through)
            ),
            Some(Do::Aim(unit, through, gun)) => format!(
                "{} aims at {} over {}",
                name(t, unit),
                name(t, gun),
                label(t, through)
            ),
            Some(Do::Hit(unit)) => format!("{} takes the hit", name(t, unit)),
            Some(Do::FallBack(unit, hex)) => {
                format!("{} falls back to {}", name(t, unit), label(t, hex))
            }
            Some(Do::Done) => "no more fire".into(),
            None => "?".into(),
        }
    }

    fn prompt(&self, t: &Table, ask: Ask) -> String {
        match (ask.question, t.res::<Chosen>().unit) {
            ("hit", _) => "Who takes the hit?".into(),
            ("fall-back", _) => "Where does the repulsed block fall back to?".into(),
            ("target", Some(unit)) => format!("At what does {} fire?", name(t, unit)),
            _ => "Which block fires?".into(),
        }
    }

    /// A block that is picked shows the volley in which its dice are worth most.
    fn preview(&self, t: &Table, ask: Ask, act: Act) -> Option<Preview> {
        let Some(Do::Pick(unit)) = Do::from_act(act) else {
            let (combat, fight) = self.fight(t, ask, act)?;
            return Preview::of(&*combat, t, &fight).ok();
        };
        may_fire(t, unit).ok().filter(|()| !hits::open(t))?;
        let fight = best_volley(t, unit)?;
        Preview::of(&*t.combat("fire").ok()?, t, &fight).ok()
    }

    fn has_preview(&self, t: &Table, ask: Ask, act: Act) -> bool {
        // Only those are offered who have a target.
        matches!(Do::from_act(act), Some(Do::Pick(_))) || self.fight(t, ask, act).is_some()
    }

    fn fight(&self, t: &Table, _: Ask, act: Act) -> Option<(Arc<dyn Combat>, Fight)> {
        let (Do::Fire(unit, ..) | Do::Aim(unit, ..)) = Do::from_act(act)? else {
            return None;
        };
        // Nobody works out the odds of blocks that are not his.
        (rules(t).card(unit).side == t.active() && !hits::open(t)).then_some(())?;
        Some((t.combat("fire").ok()?, FirePhase::answer(t, act)?))
    }
}

/// Why a block that may fire has no target: what keeps it from the nearest enemy in its cones, if there is one.
fn why_no_target(t: &Table, unit: UnitId) -> Refusal {
    let none = || Refusal::new(rule!("5.1"), "has no target");
    let (rules, field, enemy) = (rules(t), t.res::<Hexes>(), t.active().other());
    let Some(from) = t.hex(unit) else {
        return none();
    };
    let cones = &rules.cones[usize::from(from.0)];
    let places = if rules.card(unit).is_guns() { 7 } else { 1 };
    let aims = (0..places).flat_map(|place| (0..6).map(move |direction| (direction, place)));
    let held = |&(direction, place): &(usize, usize)| {
        let target = usize::from(cones[direction][place]);
        let enemies = field.count[enemy as usize].get(target);
        enemies.is_some_and(|&enemies| enemies > 0)
    };
    let mut barred = aims.filter(held).filter_map(|(direction, place)| {
        may_target((t, rules, field), unit, from, direction, place, enemy).err()
    });
    barred.next().unwrap_or_else(none)
}

fn why_not_fire(t: &Table, unit: UnitId, through: HexId, target: HexId) -> Refusal {
    if let Err(refusal) = may_fire(t, unit) {
        return refusal;
    }
    if t.res::<Chosen>().unit != Some(unit) {
        return Refusal::new(rule!("5.1"), "was not chosen to fire");
    }
    let from = t.hex(unit).unwrap_or(target);
    let rules = rules(t);
    let aim = rules.direction(from, through).and_then(|direction| {
        let cone = rules.cones[usize::from(from.0)][direction];
        let place = cone.iter().position(|&hex| hex == target.0)?;
        Some((direction, place))
    });
    match aim {
        None => Refusal::new(rule!("5.31"), "is not in the cone of fire of that hexside"),
        Some((direction, place)) => {
            let enemy = t.active().other();
            let ground = (t, rules, t.res::<Hexes>());
            match may_target(ground, unit, from, direction, place, enemy) {
                Err(refusal) => refusal,
                Ok(()) => Refusal::new(rule!("5.1"), "is not asked now"),
            }
        }
    }
}
