//! Questions about the field that many rules ask: strength, cohesion, support, who stands next to whom.

use crate::rules::{Card, Kind, Rules};
use crate::state::{Affairs, Frame, Stack, Status, boxes};
use crate::units::Units;
use cupola_kernel::{Event, HexId, Place, Side, Table, UnitId, rule};
use std::borrow::Cow;

/// The tables of this ruleset.
#[must_use]
pub fn rules(t: &Table) -> &Rules {
    t.rules()
}

/// The field with everything at hand that its questions need.
#[derive(Clone, Copy)]
pub struct Field<'a> {
    /// The table.
    pub t: &'a Table,
    /// The rules.
    pub rules: &'a Rules,
    /// The units' conditions by number, where they lie side by side.
    troops: Option<&'a [Status]>,
}

impl<'a> Field<'a> {
    /// The field as it is.
    #[must_use]
    pub fn new(t: &'a Table) -> Field<'a> {
        let troops = match t.column::<Status>() {
            Cow::Borrowed(troops) => Some(troops),
            Cow::Owned(_) => None,
        };
        Field {
            t,
            rules: rules(t),
            troops,
        }
    }

    /// A unit's counter.
    #[must_use]
    #[inline]
    pub fn card(self, unit: UnitId) -> &'a Card {
        self.rules.card(unit)
    }

    /// A unit's condition.
    #[must_use]
    #[inline]
    pub fn status(self, unit: UnitId) -> &'a Status {
        match self.troops {
            Some(troops) => &troops[usize::from(unit.0)],
            // A plugin has put components of its own on some units only.
            None => self.t.get(unit),
        }
    }

    /// The side that holds a hex.
    #[must_use]
    #[inline]
    pub fn holder(self, hex: HexId) -> Option<Side> {
        self.t.stacks().first(hex).map(|unit| self.card(unit).side)
    }

    /// The units of a hex.
    #[must_use]
    pub fn units(self, hex: HexId) -> Units {
        self.t.stacks().units(hex).collect()
    }

    /// Whether an enemy of `side` in a hex counts for engagement: chaos makes it count for nothing (§F-2).
    #[must_use]
    #[inline]
    pub fn threat(self, side: Side, hex: HexId) -> bool {
        self.t
            .stacks()
            .units(hex)
            .any(|unit| self.card(unit).side != side && !self.status(unit).frozen)
    }

    /// Whether a hex is next to an enemy of `side` (§J-3).
    #[must_use]
    #[inline]
    pub fn engaged(self, side: Side, hex: HexId) -> bool {
        self.rules.around(hex).any(|next| self.threat(side, next))
    }

    /// Whether a hex is next to an enemy of `side`, be he in chaos or not.
    #[must_use]
    pub fn beside_enemy(self, side: Side, hex: HexId) -> bool {
        let enemy = |next: HexId| self.holder(next) == Some(side.other());
        self.rules.around(hex).any(enemy)
    }

    /// Whether a cavalry unit is in the saddle.
    #[must_use]
    pub fn mounted(self, unit: UnitId) -> bool {
        self.card(unit).kind == Kind::Horse && self.status(unit).mounted
    }

    /// Whether a unit is infantry or fights as such (§J-3-f).
    #[must_use]
    pub fn on_foot(self, unit: UnitId) -> bool {
        match self.card(unit).kind {
            Kind::Foot => true,
            Kind::Horse => !self.status(unit).mounted,
            Kind::Guns => false,
        }
    }

    fn face(self, unit: UnitId) -> usize {
        let status = self.status(unit);
        usize::from(match self.card(unit).kind {
            Kind::Horse => !status.mounted,
            _ => status.worn,
        })
    }

    /// The strength of cavalry in the saddle or on foot.
    #[must_use]
    pub fn sp_if(self, unit: UnitId, mounted: bool) -> i16 {
        let printed = self.card(unit).sp[usize::from(!mounted)];
        i16::from((printed - i8::from(self.status(unit).shaken)).max(0))
    }

    /// Strength: less one if shaken (§A-d).
    #[must_use]
    pub fn sp(self, unit: UnitId) -> i16 {
        let printed = self.card(unit).sp[self.face(unit)];
        i16::from((printed - i8::from(self.status(unit).shaken)).max(0))
    }

    /// The strength of some units.
    #[must_use]
    pub fn strength(self, units: Units) -> i16 {
        units.map(|unit| self.sp(unit)).sum()
    }

    /// Strength in a hex.
    #[must_use]
    pub fn sp_in(self, hex: HexId) -> i16 {
        self.t.stacks().units(hex).map(|unit| self.sp(unit)).sum()
    }

    /// Cohesion now, with support (§A-e).
    #[must_use]
    pub fn cr(self, unit: UnitId) -> i8 {
        self.cohesion(
            unit,
            self.t.hex(unit).is_none_or(|hex| self.supported(unit, hex)),
        )
    }

    /// Cohesion, supported or not.
    #[must_use]
    pub fn cohesion(self, unit: UnitId, supported: bool) -> i8 {
        let status = self.status(unit);
        let printed = self.card(unit).cr[self.face(unit)];
        let raised = i8::from(status.cheered) + i8::from(status.yelling);
        (printed + raised - i8::from(status.shaken) - i8::from(!supported)).clamp(0, 6)
    }

    fn cover(self, hex: HexId) -> bool {
        self.rules.ground.woods[hex.index()] || self.rules.ground.town[hex.index()]
    }

    /// Unit Support (§A-e).
    #[must_use]
    pub fn supported(self, unit: UnitId, hex: HexId) -> bool {
        let card = self.card(unit);
        let brigade = |other: UnitId| other != unit && self.card(other).brigade == card.brigade;
        let stacks = self.t.stacks();
        // The exception: the brigade's own always support each other.
        if stacks.units(hex).any(brigade)
            || self
                .rules
                .around(hex)
                .any(|next| stacks.units(next).any(brigade))
        {
            return true;
        }
        if self.cover(hex) {
            return false;
        }
        let lends = |other: UnitId| {
            let helper = self.card(other);
            let kin = match card.kind {
                Kind::Guns => helper.side == card.side && self.on_foot(other),
                _ => helper.division == card.division && helper.kind != Kind::Guns,
            };
            other != unit && kin && !self.status(other).shaken
        };
        let beside = self
            .rules
            .around(hex)
            .any(|next| !self.cover(next) && stacks.units(next).any(lends));
        beside || (self.rules.switches.stacked_support && stacks.units(hex).any(lends))
    }

    /// How much may stand in a hex (§J-2).
    #[must_use]
    #[inline]
    pub fn room(self, hex: HexId) -> i16 {
        if self.rules.ground.town[hex.index()] {
            self.rules.charts.stacking.town
        } else {
            self.rules.charts.stacking.open
        }
    }

    /// Whether a unit may end in a hex: within the limit, or alone (§J-2).
    #[must_use]
    pub fn fits(self, unit: UnitId, hex: HexId) -> bool {
        let others = self.t.stacks().units(hex).filter(|&other| other != unit);
        let mut total = 0;
        let mut alone = true;
        for other in others {
            total += self.sp(other);
            alone = false;
        }
        alone || total + self.sp(unit) <= self.room(hex)
    }

    /// The units of a side on the map.
    pub fn on_map(self, side: Side) -> impl Iterator<Item = (UnitId, HexId)> + 'a {
        let t = self.t;
        self.rules.sides[side].filter_map(move |unit| Some((unit, t.hex(unit)?)))
    }

    /// The hexes that a side holds, in order.
    #[must_use]
    pub fn held(self, side: Side) -> Vec<HexId> {
        let mut hexes: Vec<HexId> = self.on_map(side).map(|(_, hex)| hex).collect();
        hexes.sort_unstable();
        hexes.dedup();
        hexes
    }
}

/// A unit's condition, to change.
pub fn status_mut(t: &mut Table, unit: UnitId) -> &mut Status {
    t.get_mut(unit)
}

/// Puts a unit into a hex; whoever is last in a hex of note holds it (§N, §O-c).
pub fn occupy(t: &mut Table, unit: UnitId, hex: HexId) {
    t.place(unit, Place::Hex(hex));
    claim(t, rules(t).card(unit).side, hex);
}

/// A side passes through a hex.
pub fn claim(t: &mut Table, side: Side, hex: HexId) {
    let watch = rules(t).watch[hex.index()];
    if watch == crate::rules::NOBODY {
        return;
    }
    let bit = 1u64 << watch;
    let control = &mut t.res_mut::<Affairs>().control;
    match side {
        Side::First => *control &= !bit,
        Side::Second => *control |= bit,
    }
}

/// Takes a broken unit off the map; those who see it break panic (§I-6-d, Panic Test).
pub fn break_unit(t: &mut Table, unit: UnitId, by: HexId) {
    let hex = t.hex(unit);
    t.place(unit, Place::Box(boxes::BROKEN));
    *status_mut(t, unit) = Status {
        worn: true,
        ..Status::default()
    };
    t.say(|t| {
        Event::new(
            "broken",
            rule!("I-6-d"),
            format!("{} breaks", name(t, unit)),
        )
        .unit(unit)
    });
    let Some(hex) = hex else { return };
    let frames = &mut t.res_mut::<Stack>().frames;
    let waiting = frames.iter_mut().rev().find_map(|frame| match frame {
        Frame::Aftermath(at, _, broke) if *at == hex => Some(broke),
        _ => None,
    });
    match waiting {
        Some(broke) => *broke = true,
        None => frames.push(Frame::Aftermath(hex, by, true)),
    }
}

/// The name of a unit, for texts.
#[must_use]
pub fn name(t: &Table, unit: UnitId) -> String {
    let field = Field::new(t);
    let letter = match field.card(unit).arm {
        crate::rules::Arm::Musket => "",
        crate::rules::Arm::Rifled => "R",
        crate::rules::Arm::Smooth => "S",
        crate::rules::Arm::Mixed => "M",
    };
    let info = t.info(unit);
    format!(
        "{} {}{letter}-{} [{}]",
        info.name,
        field.sp(unit),
        field.cohesion(unit, true),
        info.id
    )
}

/// The label of a hex, for texts.
#[must_use]
pub fn label(t: &Table, hex: HexId) -> &str {
    t.board().label(hex)
}

/// Some units by name.
#[must_use]
pub fn names(t: &Table, units: Units) -> String {
    units
        .map(|unit| name(t, unit))
        .collect::<Vec<_>>()
        .join(", ")
}
