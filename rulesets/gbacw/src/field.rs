//! Questions about the map that every chapter asks, and the few ways of changing it.

use crate::facing::Facing;
use crate::rules::{Card, Kind, NONE, Rules};
use crate::state::{Activation, Brigades, Deed, Guests, Land, Order, Status, Wear, boxes};
use cupola_kernel::{HexId, Place, Side, Table, TokenId, UnitId};
use std::borrow::Cow;

/// The ruleset's own tables.
#[must_use]
#[inline]
pub fn rules(t: &Table) -> &Rules {
    t.rules::<Rules>()
}

/// A unit's name.
#[must_use]
pub fn name(t: &Table, unit: UnitId) -> &str {
    &t.info(unit).name
}

/// A hex's label.
#[must_use]
pub fn label(t: &Table, hex: HexId) -> &str {
    t.board().label(hex)
}

/// The map as rules look at it.
#[derive(Clone, Copy)]
pub struct Field<'a> {
    /// The game.
    pub t: &'a Table,
    /// Its rules.
    pub rules: &'a Rules,
}

impl<'a> Field<'a> {
    /// Looks at a game.
    #[must_use]
    #[inline]
    pub fn new(t: &'a Table) -> Field<'a> {
        Field { t, rules: rules(t) }
    }

    /// A counter.
    #[must_use]
    #[inline]
    pub fn card(self, unit: UnitId) -> &'a Card {
        self.rules.card(unit)
    }

    /// What lasts of a unit.
    #[must_use]
    #[inline]
    pub fn status(self, unit: UnitId) -> &'a Status {
        self.t.get::<Status>(unit)
    }

    /// What a unit did.
    #[must_use]
    #[inline]
    pub fn deed(self, unit: UnitId) -> Deed {
        *self.t.get::<Deed>(unit)
    }

    /// A brigade's track.
    #[must_use]
    pub fn wear(self, brigade: u16) -> Wear {
        let wear = self.t.res::<Brigades>().0.get(usize::from(brigade));
        wear.copied().unwrap_or_default()
    }

    /// The brigade with which a unit acts: a battery's may be one that it is attached to by itself (§4.28).
    #[must_use]
    pub fn acts_with(self, unit: UnitId) -> u16 {
        let guests = self.t.res::<Guests>().0.iter();
        let host = guests.clone().find(|(guest, _)| *guest == unit);
        host.map_or(self.card(unit).brigade, |(_, host)| *host)
    }

    /// Those who act with a brigade: its units but for batteries that go with others, and batteries of others that go
    /// with it.
    pub fn members(self, brigade: u16) -> impl Iterator<Item = UnitId> + 'a {
        let guests = &self.t.res::<Guests>().0;
        let away = move |unit: &UnitId| guests.iter().any(|(guest, _)| guest == unit);
        let own = self.rules.brigades.get(usize::from(brigade));
        let own = own.into_iter().flat_map(|own| own.units.iter().copied());
        let visiting = guests.iter().filter(move |(_, host)| *host == brigade);
        own.filter(move |unit| !away(unit))
            .chain(visiting.map(|(guest, _)| *guest))
    }

    /// The orders that a unit is under (§4.3).
    #[must_use]
    pub fn order(self, unit: UnitId) -> Order {
        self.wear(self.acts_with(unit)).order
    }

    /// Strength as it is.
    #[must_use]
    pub fn sp(self, unit: UnitId) -> u8 {
        self.sp_of(self.card(unit), self.status(unit))
    }

    /// Strength of a counter as it is.
    fn sp_of(self, card: &Card, status: &Status) -> u8 {
        let whole = card.sp.saturating_sub(status.lost);
        match card.twin {
            // Half of an extended line stands in each of its hexes (§12.2).
            Some(twin) if self.t.hex(twin).is_some() && card.wing => whole / 2,
            Some(twin) if self.t.hex(twin).is_some() => whole - whole / 2,
            _ => whole,
        }
    }

    /// Combat units in a hex, abandoned guns among them.
    #[inline]
    pub fn troops(self, hex: HexId) -> impl Iterator<Item = UnitId> + 'a {
        let rules = self.rules;
        let units = self.t.stacks().units(hex);
        units.take_while(move |&unit| rules.fights(unit))
    }

    /// Whether it is a battery without crews; nothing else can be (§9.32).
    #[must_use]
    #[inline]
    pub fn is_abandoned(self, unit: UnitId) -> bool {
        self.card(unit).is_guns() && self.status(unit).abandoned
    }

    /// Combat units in a hex that fight.
    #[inline]
    pub fn fighters(self, hex: HexId) -> impl Iterator<Item = UnitId> + 'a {
        self.troops(hex)
            .filter(move |&unit| !self.is_abandoned(unit))
    }

    /// Whose combat units are in a hex; abandoned guns hold nothing (§9.32).
    #[must_use]
    #[inline]
    pub fn holder(self, hex: HexId) -> Option<Side> {
        // Most hexes are empty.
        self.t.stacks().first(hex)?;
        self.fighters(hex).next().map(|unit| self.card(unit).side)
    }

    /// Leaders in a hex.
    pub fn leaders(self, hex: HexId) -> impl Iterator<Item = UnitId> + 'a {
        let rules = self.rules;
        let units = self.t.stacks().units(hex);
        units.skip_while(move |&unit| rules.fights(unit))
    }

    /// Whether an enemy combat unit stands next to a hex.
    #[must_use]
    #[inline]
    pub fn near_enemy(self, side: Side, hex: HexId) -> bool {
        let board = self.t.board();
        let mut around = board.neighbours(hex);
        // §5.19: across a thick black hexside hexes are not adjacent.
        around.any(|(way, next)| {
            self.holder(next) == Some(side.other()) && !board.side(hex, way).closed
        })
    }

    /// All combat units of a side on the map, abandoned guns among them, with their hexes.
    #[inline]
    pub fn stands(self, side: Side) -> impl Iterator<Item = (UnitId, HexId)> + 'a {
        let stacks = self.t.stacks();
        let troops = self.rules.troops_of[side].iter();
        troops.filter_map(move |&unit| Some((unit, stacks.hex(unit)?)))
    }

    /// All combat units of a side on the map that fight, with their hexes.
    #[inline]
    pub fn on_map(self, side: Side) -> impl Iterator<Item = (UnitId, HexId)> + 'a {
        let stands = self.stands(side);
        stands.filter(move |&(unit, _)| !self.is_abandoned(unit))
    }

    /// Whether an enemy combat unit is so near to a hex.
    #[must_use]
    pub fn enemy_within(self, side: Side, hex: HexId, reach: u32) -> bool {
        self.any_held_within(side.other(), hex, reach, |_| true)
    }

    /// Whether there is such a hex among those that a side holds and that are so near to one: each is asked about once, in no
    /// order.
    pub fn any_held_within(
        self,
        side: Side,
        centre: HexId,
        reach: u32,
        mut such: impl FnMut(HexId) -> bool,
    ) -> bool {
        let (board, army) = (self.t.board(), self.rules.troops_of[side].len());
        // Around the hex if that is less than the army.
        if 3 * (reach as usize) * (reach as usize + 1) < army {
            let mut around = board.within(centre, reach);
            return around.any(|near| self.holder(near) == Some(side) && such(near));
        }
        let at = board.axial(centre);
        self.stands(side).any(|(unit, near)| {
            board.axial(near).is_within(reach, at)
                && self.fighters(near).next() == Some(unit)
                && such(near)
        })
    }

    /// The hexes so near to one, itself included.
    pub fn around(self, hex: HexId, reach: u32) -> impl Iterator<Item = HexId> + 'a {
        self.t.board().within(hex, reach)
    }

    /// Whether a unit may end in a hex beside those who stand there (§5.21, §9.15, §9.32).
    #[must_use]
    pub fn fits(self, unit: UnitId, hex: HexId) -> bool {
        // Nobody there: any one unit fits.
        self.t.stacks().first(hex).is_none() || Newcomer::new(self, unit).fits(hex)
    }

    /// Cavalry in the saddle.
    #[must_use]
    pub fn mounted(self, unit: UnitId) -> bool {
        self.status(unit).mounted && self.card(unit).kind == Kind::Horse
    }

    /// The facing of those who stand in a hex.
    #[must_use]
    pub fn facing(self, hex: HexId) -> Facing {
        let first = self.fighters(hex).next();
        first.map_or(Facing::N, |unit| self.status(unit).facing)
    }

    /// A unit's brigade.
    #[must_use]
    pub fn brigade(self, unit: UnitId) -> Option<&'a crate::rules::Brigade> {
        self.rules
            .brigades
            .get(usize::from(self.card(unit).brigade))
    }

    /// Whether a hex is part of the scenario's map.
    #[must_use]
    #[inline]
    pub fn inside(self, hex: HexId) -> bool {
        self.rules.field[hex.index()]
    }

    /// The token of a facing.
    #[must_use]
    pub fn corner(self, facing: Facing) -> TokenId {
        let tokens = self.rules.formations.len() + self.rules.brigades.len();
        TokenId(tokens as u16 + u16::from(facing.index()))
    }

    /// The facing of a token.
    #[must_use]
    pub fn facing_of(self, token: TokenId) -> Facing {
        let tokens = self.rules.formations.len() + self.rules.brigades.len();
        Facing::nth(token.0.saturating_sub(tokens as u16) as u8)
    }

    /// The token of a hand: one is the left, two the right.
    #[must_use]
    pub fn hand(self, hand: u8) -> TokenId {
        let tokens = self.rules.formations.len() + self.rules.brigades.len();
        TokenId(tokens as u16 + 5 + u16::from(hand))
    }

    /// The hand of a token.
    #[must_use]
    pub fn hand_of(self, token: TokenId) -> u8 {
        let tokens = self.rules.formations.len() + self.rules.brigades.len();
        token.0.saturating_sub(tokens as u16 + 5).clamp(1, 2) as u8
    }

    /// The brigade of a token.
    #[must_use]
    pub fn brigade_of(self, token: TokenId) -> u16 {
        let found = self.rules.brigades.iter().position(|b| b.token == token);
        found.map_or(NONE, |brigade| brigade as u16)
    }
}

/// A unit that looks for a hex beside others: what they are asked is read once for all hexes.
pub struct Newcomer<'a> {
    field: Field<'a>,
    unit: UnitId,
    /// Of all units.
    statuses: Cow<'a, [Status]>,
}

impl<'a> Newcomer<'a> {
    /// This unit.
    #[must_use]
    pub fn new(field: Field<'a>, unit: UnitId) -> Newcomer<'a> {
        let statuses = field.t.column::<Status>();
        Newcomer {
            field,
            unit,
            statuses,
        }
    }

    /// Whether it may end in a hex beside those who stand there (§5.21, §9.15, §9.32).
    #[must_use]
    #[inline]
    pub fn fits(&self, hex: HexId) -> bool {
        // Nobody there: any one unit fits.
        self.field.t.stacks().first(hex).is_none() || self.fits_in(hex)
    }

    fn fits_in(&self, hex: HexId) -> bool {
        let (field, unit) = (self.field, self.unit);
        if !field.rules.fights(unit) {
            return true;
        }
        if field.rules.switches.extended_lines && !crate::extended::fits(field, unit, hex) {
            return false;
        }
        let own = field.card(unit);
        let rides = own.kind == Kind::Horse && self.status(unit).mounted;
        let walks = own.kind == Kind::Foot;
        let (mut sp, mut guns, mut mixed) = (0u32, 0u32, false);
        let mut count = |strength: u8, of_guns: bool| {
            sp += u32::from(strength);
            guns += if of_guns { u32::from(strength) } else { 0 };
        };
        // Who moves closes up: it comes with its whole strength.
        count(own.sp.saturating_sub(self.status(unit).lost), own.is_guns());
        for other in field.troops(hex).filter(|&other| other != unit) {
            let (card, status) = (field.card(other), self.status(other));
            // §9.32: guns without crews are nobody.
            if card.is_guns() && status.abandoned {
                continue;
            }
            count(field.sp_of(card, status), card.is_guns());
            mixed |= rides && card.kind == Kind::Foot
                || walks && card.kind == Kind::Horse && status.mounted;
        }
        let numbers = &field.rules.numbers;
        // Units that were set up together may stay together.
        !mixed && sp <= u32::from(numbers.stack_sp) && guns <= u32::from(numbers.stack_guns)
    }

    fn status(&self, unit: UnitId) -> &Status {
        &self.statuses[usize::from(unit.0)]
    }
}

/// Notes a deed.
pub fn did(t: &mut Table, unit: UnitId, bits: u32) {
    let deed = t.get_mut::<Deed>(unit);
    let fresh = deed.0 == 0;
    deed.0 |= bits;
    if fresh {
        t.res_mut::<Activation>().touched.push(unit);
    }
}

/// Takes a note back.
pub fn undid(t: &mut Table, unit: UnitId, bits: u32) {
    t.get_mut::<Deed>(unit).0 &= !bits;
}

/// What lasts of a unit, to change.
pub fn status_mut(t: &mut Table, unit: UnitId) -> &mut Status {
    t.get_mut::<Status>(unit)
}

/// A brigade's track, to change.
pub fn wear_mut(t: &mut Table, brigade: u16) -> &mut Wear {
    &mut t.res_mut::<Brigades>().0[usize::from(brigade)]
}

/// Turns a unit, and notes when it came to what is now its front (§5.18 walls).
pub fn turn(t: &mut Table, unit: UnitId, facing: Facing) {
    let land = t.res_mut::<Land>();
    land.clock += 1;
    let now = land.clock;
    let status = t.get_mut::<Status>(unit);
    let (old, new) = (status.facing.front(), facing.front());
    let since = status.since;
    let kept = |side: u8| {
        let known = old.iter().position(|&was| was == side);
        known.map_or(now, |known| since[known])
    };
    status.since = [kept(new[0]), kept(new[1])];
    let turned = status.facing != facing;
    status.facing = facing;
    status.refused = 0;
    if turned {
        crate::extended::fold(t, unit);
    }
}

/// Puts a unit on a hex: it holds what it enters, and comes to walls anew.
pub fn occupy(t: &mut Table, unit: UnitId, hex: HexId) {
    if t.hex(unit) != Some(hex) {
        crate::extended::fold(t, unit);
        t.place(unit, Place::Hex(hex));
    }
    if !rules(t).fights(unit) {
        return;
    }
    let land = t.res_mut::<Land>();
    land.clock += 1;
    let now = land.clock;
    let status = t.get_mut::<Status>(unit);
    (status.since, status.refused) = ([now, now], 0);
    hold(t, unit, hex);
    let field = Field::new(t);
    let (side, left) = (
        field.card(unit).side,
        field.troops(hex).any(|unit| field.status(unit).abandoned),
    );
    if left {
        crate::artillery::taken(t, side, hex);
    }
}

/// Notes that a side holds a watched hex.
pub fn hold(t: &mut Table, unit: UnitId, hex: HexId) {
    let (watch, side) = (rules(t).watch[hex.index()], rules(t).card(unit).side);
    if watch > 0 {
        let bit = 1u128 << (watch - 1);
        let land = t.res_mut::<Land>();
        land.claimed |= bit;
        match side {
            Side::First => land.held &= !bit,
            Side::Second => land.held |= bit,
        }
    }
}

/// Takes a unit off the map for good.
pub fn eliminate(t: &mut Table, unit: UnitId) {
    let unit = crate::extended::whole(t, unit);
    t.place(unit, Place::Box(boxes::ELIMINATED));
}

/// Takes a unit off the map as prisoners: eliminated, but known to live (§5.18).
pub fn surrender(t: &mut Table, unit: UnitId) {
    let unit = crate::extended::whole(t, unit);
    t.place(unit, Place::Box(boxes::SURRENDERED));
}
