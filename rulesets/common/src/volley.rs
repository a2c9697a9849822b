//! §5.3 Fire by dice for strength.

use crate::field::{Field, men_lost, rules};
use crate::rules::{Fate, Fire};
use crate::ruleset::needs;
use crate::sections::Section;
use cupola_kernel::{
    Combat, Dice, Fault, Fight, Height, HexId, LineOfSight, Modifiers, Needs, Outcome, Table, Toll,
    UnitId,
};

/// A die for so many points of strength; each that shows enough hits.
pub struct Volley;

/// The two units of a volley.
fn pair(fight: &Fight) -> Option<(UnitId, UnitId)> {
    Some((*fight.attackers.first()?, *fight.defenders.first()?))
}

/// How far apart two units are.
#[must_use]
pub fn range(t: &Table, unit: UnitId, target: UnitId) -> Option<u32> {
    Some(t.board().distance(t.hex(unit)?, t.hex(target)?))
}

/// §5.2 Whether nothing between two hexes blocks the view: no cover that does, no ground higher than both ends.
#[must_use]
pub fn sees(t: &Table, fire: &Fire, from: HexId, to: HexId) -> bool {
    obstacle(t, fire, from, to).is_none()
}

/// The first hex between two others that blocks the view.
fn obstacle(t: &Table, fire: &Fire, from: HexId, to: HexId) -> Option<HexId> {
    let board = t.board();
    let top = board.level(from).max(board.level(to));
    let mut between = board
        .line(from, to)
        .into_iter()
        .filter(|&hex| hex != from && hex != to);
    between.find(|&hex| board.level(hex) > top || fire.blocks_sight.contains(&board.cover(hex)))
}

/// The line between two hexes in words; none if nobody fires.
#[must_use]
pub fn line_of_sight(t: &Table, from: HexId, to: HexId) -> Option<LineOfSight> {
    let (board, rules) = (t.board(), rules(t));
    let fire = rules.fire.as_ref()?;
    let blocked = obstacle(t, fire, from, to);
    let hides = |hex: HexId| fire.blocks_sight.contains(&board.cover(hex));
    let why = match blocked {
        Some(hex) if hides(hex) => format!(
            "{} in {} blocks the view",
            board.cover(hex),
            board.label(hex)
        ),
        Some(hex) => format!("{} is higher than both ends", board.label(hex)),
        None => "nothing on the line blocks the view".to_owned(),
    };
    let height = |hex: HexId| Height {
        hex,
        ground: board.level(hex),
        top: board.level(hex) + i8::from(hides(hex)),
    };
    Some(LineOfSight {
        rule: rules.cite(Section::Range),
        clear: blocked.is_none(),
        blocked,
        why,
        along: board.line(from, to).into_iter().map(height).collect(),
    })
}

/// How many dice a unit rolls.
#[must_use]
pub fn dice_of(fire: &Fire, strength: u8) -> u8 {
    strength
        .div_ceil(fire.per_die.max(1))
        .clamp(1, fire.most.max(1))
}

/// What a die must show at a range.
#[must_use]
pub fn needed(fire: &Fire, range: u32) -> i16 {
    let at = range.saturating_sub(1) as usize;
    let shown = fire.hits_on.get(at).or(fire.hits_on.last());
    shown.map_or(7, |&shown| shown.into())
}

/// What so many hits do.
#[must_use]
pub fn fate(fire: &Fire, hits: u16) -> Fate {
    let at = usize::from(hits).min(fire.effects.len());
    at.checked_sub(1)
        .and_then(|i| fire.effects.get(i))
        .copied()
        .unwrap_or_default()
}

impl Combat for Volley {
    fn name(&self) -> &'static str {
        "volley"
    }

    fn needs(&self) -> Needs {
        needs().role("fire")
    }

    /// The sum is what is added to each die.
    fn modifiers(&self, t: &Table, fight: &Fight) -> Modifiers {
        let rules = rules(t);
        let (Some(fire), Some((_, target))) = (&rules.fire, pair(fight)) else {
            return Modifiers::new();
        };
        let cover = t.hex(target).map(|hex| t.board().cover(hex));
        let added = cover.and_then(|cover| Some((cover, *fire.ground.get(&cover)?)));
        let m = match added {
            Some((cover, added)) if added != 0 => {
                let label = format!("target in {cover}");
                Modifiers::new().add(rules.cite(Section::Volley), label, added.into())
            }
            _ => Modifiers::new(),
        };
        t.ride(self.name(), fight, m)
    }

    fn takes_riders(&self) -> bool {
        true
    }

    fn resolve(&self, t: &Table, fight: &Fight, dice: &mut dyn Dice) -> Result<Outcome, Fault> {
        let missing = || Fault::Broken("the game has no `fire` in its rules.ron".into());
        let fire = rules(t).fire.as_ref().ok_or_else(missing)?;
        let Some((unit, target)) = pair(fight) else {
            return Ok(Outcome::code(0));
        };
        let strength = Field::new(t).strength(unit);
        let need =
            needed(fire, range(t, unit, target).unwrap_or(0)) - self.modifiers(t, fight).sum();
        let shots = 0..dice_of(fire, strength);
        let hit =
            |_: &u8| i16::from(dice.roll(fire.die.into(), "volley", unit.into()) as u8) >= need;
        Ok(Outcome::code(shots.filter(hit).count() as u16))
    }

    fn describe(&self, _: &Table, outcome: &Outcome) -> String {
        match outcome.code {
            0 => "no hit".into(),
            1 => "1 hit".into(),
            hits => format!("{hits} hits"),
        }
    }

    fn toll(&self, t: &Table, fight: &Fight, outcome: &Outcome) -> Toll {
        let Some(fire) = &rules(t).fire else {
            return Toll::default();
        };
        Toll {
            attacker: 0,
            defender: men_lost(t, &fight.defenders, &fate(fire, outcome.code)),
            yields: false,
        }
    }
}
