//! Carries out a plan, one decision at a time.
//!
//! Options are tried on a fork that could be the real game, and judged by what they change. Not every option is worth
//! a fork: of the hexes that a unit can go to, those that look best on the map are tried; which unit moves next is
//! seen from the map alone; a choice that leads to a fight counts by the fight's exact odds, and one that only opens the
//! next question by the best that question offers.

use crate::brief::Brief;
use crate::sight::{Bot, Sight};
use crate::worth::Worth;
use cupola_kernel::{Act, Arg, Fault, Game, HexId, Side, UnitId};
use std::sync::Arc;

/// How many options of a follow-up question are looked at.
const GLANCE: usize = 48;
/// How many hexes are tried of those that a unit can go to, and how many of those who can be picked are looked at before the best of
/// them is taken, if it is any good.
const TRIES: usize = 8;
/// The same of somebody in haste.
const HASTY: usize = 2;
/// How many choices ahead a fight is that cannot be declined.
const AHEAD: usize = 8;
/// How many blows are looked at that a side cannot decline.
const BLOWS: usize = 12;

/// The question which way somebody looks who has come to where he goes: it belongs to his move.
const FRONT: &str = "facing";

/// The player with a plan.
pub struct Steady {
    brief: Arc<Brief>,
    worth: Worth,
    now: Option<Game>,
    then: Option<Game>,
    scores: Vec<(i64, Act)>,
    ways: Vec<(i64, Act)>,
    stand: Option<Game>,
    blows: Option<Game>,
    /// Units that have to fight where they stand, and what that costs them.
    forced: Vec<(UnitId, i64)>,
    /// How many of many options are tried.
    tries: usize,
    nodes: u32,
}

/// What an option is about, as far as its arguments tell.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// It names nobody and nothing.
    Bare,
    /// It names a unit.
    Unit(UnitId),
    /// It names where a unit goes.
    Way(UnitId, HexId),
    /// It names a hex.
    Hex(HexId),
    /// Anything else.
    Other,
}

fn kind(act: Act) -> Kind {
    match act.args {
        [Arg::None, ..] => Kind::Bare,
        [Arg::Unit(unit), Arg::None, _] => Kind::Unit(unit),
        [Arg::Unit(unit), Arg::Hex(_), Arg::Hex(hex)] => Kind::Way(unit, hex),
        [Arg::Unit(unit), Arg::Hex(hex), Arg::None] => Kind::Way(unit, hex),
        [Arg::Hex(hex), Arg::None, _] => Kind::Hex(hex),
        _ => Kind::Other,
    }
}

impl Steady {
    /// A player who carries out this plan.
    #[must_use]
    pub fn new(brief: Arc<Brief>) -> Steady {
        Steady {
            brief,
            worth: Worth::default(),
            now: None,
            then: None,
            stand: None,
            blows: None,
            scores: vec![],
            ways: vec![],
            forced: vec![],
            tries: TRIES,
            nodes: 0,
        }
    }

    /// One who tries only what looks best: for those who play many games on in their heads.
    #[must_use]
    pub(crate) fn hasty(brief: Arc<Brief>) -> Steady {
        Steady {
            tries: HASTY,
            ..Steady::new(brief)
        }
    }

    /// The plan.
    pub(crate) fn brief(&self) -> &Arc<Brief> {
        &self.brief
    }

    /// Options with what they seem worth, best first; of equals the first on the list. Those that do not look worth a
    /// try come last, or not at all.
    ///
    /// # Errors
    /// If the ruleset fails.
    pub fn rank(&mut self, sight: &Sight) -> Result<&[(i64, Act)], Fault> {
        let mut now = self.now.take();
        sight.imagine(&mut now, 0)?;
        if let Some(now) = &now {
            self.rank_in(now)?;
        }
        self.now = now;
        Ok(&self.scores)
    }

    /// The same in a world that is taken for real. Returns how many forks it took.
    pub(crate) fn rank_in(&mut self, now: &Game) -> Result<u32, Fault> {
        self.scores.clear();
        self.ways.clear();
        self.nodes = 0;
        let Some(decision) = now.decision() else {
            return Ok(0);
        };
        self.worth.of(&self.brief, now);
        let options = decision.options;
        let picks = options
            .iter()
            .any(|&act| matches!(kind(act), Kind::Unit(_)));
        let mut from = 0;
        while let Some(&first) = options.get(from) {
            // Options of one verb stand together.
            let many = options[from..].partition_point(|act| act.verb == first.verb);
            let group = &options[from..from + many];
            from += many;
            if self.is_plain(now, first) && self.picks_movers(now, group)? {
                self.pick_mover(now, group)?;
                continue;
            }
            self.weigh(now, group, picks)?;
        }
        self.try_ways(now)?;
        self.scores
            .sort_by_key(|(score, act)| (std::cmp::Reverse(*score), *act));
        Ok(self.nodes)
    }

    /// Whether all that an option does is seen on the map, or most of it.
    fn is_plain(&self, now: &Game, act: Act) -> bool {
        now.prospect(act).is_none() && now.promise(act).is_none_or(|promise| promise.besides)
    }

    /// What an option promises on top of what is seen on the map.
    fn besides(&self, now: &Game, act: Act) -> Option<i64> {
        let promise = now.promise(act)?;
        Some(self.worth.promise(&self.brief, now, &promise))
    }

    /// Weighs who goes next: whoever wants to be elsewhere, must not stay, or has something else to do.
    fn pick_mover(&mut self, now: &Game, group: &[Act]) -> Result<(), Fault> {
        self.look_through(now)?;
        for &act in group {
            let Kind::Unit(unit) = kind(act) else {
                continue;
            };
            let promise = self.besides(now, act);
            if promise.is_some_and(|promise| promise < -1) {
                // Where it takes something to be picked, wishes are not enough: where can he go?
                let score = self.try_out(now, act)?;
                self.scores.push((score, act));
                continue;
            }
            let held = self.forced.iter().find(|(other, _)| *other == unit);
            let cost = held.map_or(0, |(_, cost)| -cost);
            let urge = self.worth.urge(&self.brief, now, unit);
            let urge = match promise {
                Some(promise) => urge.max(cost).max(0) + promise,
                // Who gains nothing by it stays where he is.
                None => urge.max(cost) - 1,
            };
            self.scores.push((self.after_his_men(unit, urge), act));
        }
        Ok(())
    }

    /// A leader who is to go somewhere goes when his men have gone.
    fn after_his_men(&self, unit: UnitId, urge: i64) -> i64 {
        match self.brief.lead_of(usize::from(unit.0)) {
            Some(_) => urge.min(1),
            None => urge,
        }
    }

    /// Weighs options of one verb.
    fn weigh(&mut self, now: &Game, group: &[Act], picks: bool) -> Result<(), Fault> {
        let every = group.len().div_ceil(self.tries).max(1);
        let mut good = false;
        // First some that are spread over the list, then, if none of them is any good, the others.
        let looks = |late: bool| {
            let all = group.iter().enumerate();
            all.filter(move |(i, _)| i.is_multiple_of(every) != late)
        };
        let mover = self.mover(now, group)?;
        for late in [false, true] {
            for (_, &act) in looks(late) {
                if let Some((unit, hex)) = self.way_of(now, act, mover) {
                    let more = self.besides(now, act).unwrap_or(0);
                    let score = self.worth.step(&self.brief, now, unit, hex);
                    self.ways.push((score + more, act));
                    continue;
                }
                let score = match kind(act) {
                    Kind::Bare if picks => 0,
                    Kind::Unit(_) if late && good => continue,
                    _ => self.try_out(now, act)?,
                };
                good |= score > 0;
                self.scores.push((score, act));
            }
        }
        Ok(())
    }

    /// Which unit of ours an option takes to which hex, if it leads to no fight.
    fn way_of(&self, now: &Game, act: Act, mover: Option<UnitId>) -> Option<(UnitId, HexId)> {
        let way = match (kind(act), mover) {
            (Kind::Way(unit, hex), _) => (unit, hex),
            (Kind::Hex(hex), Some(mover)) => (mover, hex),
            _ => return None,
        };
        let own = now.table().info(way.0).side == self.brief.side();
        (own && self.is_plain(now, act)).then_some(way)
    }

    /// Who moves when options name hexes only: whoever the first of them puts there.
    fn mover(&mut self, now: &Game, group: &[Act]) -> Result<Option<UnitId>, Fault> {
        let Some(Kind::Hex(hex)) = group.first().map(|act| kind(*act)) else {
            return Ok(None);
        };
        if group.len() <= self.tries {
            return Ok(None);
        }
        self.nodes += 1;
        let then = after(&mut self.then, now, group[0])?;
        let moved = |unit: &UnitId| then.table().hex(*unit) != now.table().hex(*unit);
        let mut there = then.table().stacks().units(hex).filter(moved);
        Ok(there.next())
    }

    /// Tries the hexes that look best on the map.
    fn try_ways(&mut self, now: &Game) -> Result<(), Fault> {
        let mut ways = std::mem::take(&mut self.ways);
        ways.sort_unstable_by_key(|(score, act)| (std::cmp::Reverse(*score), *act));
        for &(_, act) in ways.iter().take(self.tries) {
            let score = self.try_out(now, act)?;
            self.scores.push((score, act));
        }
        // Those that were not tried are no better than the last that was.
        let worst = self
            .scores
            .iter()
            .map(|(score, _)| *score)
            .min()
            .unwrap_or(0);
        let rest = ways
            .iter()
            .skip(self.tries)
            .map(|(_, act)| (worst.saturating_sub(1), *act));
        self.scores.extend(rest);
        ways.clear();
        self.ways = ways;
        Ok(())
    }

    /// Whether options of one verb pick units that are then asked where they go: the first tells for all.
    fn picks_movers(&mut self, now: &Game, group: &[Act]) -> Result<bool, Fault> {
        let [first, _, ..] = group else {
            return Ok(false);
        };
        let Kind::Unit(picked) = kind(*first) else {
            return Ok(false);
        };
        let side = self.brief.side();
        if now.table().info(picked).side != side {
            return Ok(false);
        }
        self.nodes += 1;
        let then = after(&mut self.then, now, *first)?;
        if then.asked().is_none_or(|ask| ask.side != side) {
            return Ok(false);
        }
        then.list()?;
        let options = then.decision().map_or(&[][..], |decision| decision.options);
        let goes = |act: &&Act| goes(**act, picked).is_some() && then.prospect(**act).is_none();
        Ok(options.iter().filter(goes).count() * 2 > options.len())
    }

    /// What an option seems worth.
    fn try_out(&mut self, now: &Game, act: Act) -> Result<i64, Fault> {
        if let Some(worth) = self.worth.of_fight(&self.brief, now, act) {
            return Ok(worth + self.cost_of_help(now, act)?);
        }
        let promise = now.promise(act);
        let more = promise.map_or(0, |promise| self.worth.promise(&self.brief, now, &promise));
        if promise.is_some_and(|promise| !promise.besides) {
            let there = match kind(act) {
                Kind::Way(unit, hex) => self.worth.step(&self.brief, now, unit, hex),
                _ => 0,
            };
            return Ok(more + there);
        }
        self.nodes += 1;
        let then = after(&mut self.then, now, act)?;
        let mut score = self.worth.change(&self.brief, then) + more;
        let side = self.brief.side();
        let own = then.asked().is_some_and(|ask| ask.side == side);
        match kind(act) {
            Kind::Unit(picked) if own => {
                then.list()?;
                score += follow_up(&self.worth, &self.brief, then, picked);
                let goes = on_its_way(then, picked);
                if self.brief.forces && self.worth.meets(then, picked) && !goes {
                    score += self.cost_of_standing(picked)?;
                } else if goes {
                    score = self.after_his_men(picked, score);
                }
            }
            // A road was chosen, and the unit has not come yet: the best that the next question offers.
            Kind::Way(unit, _) if own && then.table().hex(unit).is_none() => {
                then.list()?;
                score += follow_up(&self.worth, &self.brief, then, unit);
            }
            Kind::Way(unit, _) if own && self.brief.forces && self.worth.meets(then, unit) => {
                score += self.cost_of_standing(unit)?;
            }
            Kind::Way(..) | Kind::Hex(_) if own && asks(then, FRONT) => {
                then.list()?;
                score += fronts(&self.worth, &self.brief, then);
            }
            _ => {}
        }
        Ok(score)
    }

    /// What it costs to throw something into a fight that goes on, whatever comes of it; of no use it is not thrown in.
    fn cost_of_help(&mut self, now: &Game, act: Act) -> Result<i64, Fault> {
        if !matches!(act.args[0], Arg::Token(_)) || now.fight(act).is_some() {
            return Ok(0);
        }
        self.nodes += 1;
        let then = after(&mut self.then, now, act)?;
        Ok(self.worth.change(&self.brief, then) - 1)
    }

    /// By how much it is worse for the side that a unit stands where it does in the position that was tried last, if it comes to
    /// blows that cannot be declined; better, if it spares friends more than that. The careful reckon with an enemy who gets away if he
    /// can, and with one who does not.
    fn cost_of_standing(&mut self, unit: UnitId) -> Result<i64, Fault> {
        let cost = self.cost_if(unit, false)?;
        if self.worth.is_careful(&self.brief, unit) {
            return Ok(cost.min(self.cost_if(unit, true)?));
        }
        Ok(cost)
    }

    fn cost_if(&mut self, unit: UnitId, away: bool) -> Result<i64, Fault> {
        let Some(then) = &self.then else {
            return Ok(0);
        };
        let with = copied(&mut self.stand, then);
        if !come_to_blows(with, self.brief.side(), away)? {
            return Ok(0);
        }
        let without = copied(&mut self.blows, with);
        let (worth, brief) = (&self.worth, &self.brief);
        let others = blows(worth, brief, without, Some(unit))?;
        Ok(blows(worth, brief, with, None)? - others)
    }

    /// Finds out who has to fight where he stands, if nobody moves.
    fn look_through(&mut self, now: &Game) -> Result<(), Fault> {
        self.forced.clear();
        let side = self.brief.side();
        let own = self.brief.own().iter();
        let mut units = own.map(|&i| UnitId(i as u16));
        if !self.brief.forces || !units.any(|unit| self.worth.meets(now, unit)) {
            return Ok(());
        }
        let options = now.decision().map_or(&[][..], |decision| decision.options);
        let Some(&pass) = options.iter().find(|act| kind(**act) == Kind::Bare) else {
            return Ok(());
        };
        self.nodes += 1;
        let then = after(&mut self.then, now, pass)?;
        let found = &mut self.forced;
        if come_to_blows(then, side, false)? {
            forced(&self.worth, &self.brief, then, |unit, worth| {
                found.push((unit, worth.min(0)));
            });
        }
        Ok(())
    }

    /// The best of those that were ranked last.
    pub(crate) fn best(&self) -> Option<Act> {
        self.scores.first().map(|(_, act)| *act)
    }
}

/// The game after a choice, in a fork that is used again and again. What can be chosen next is not listed.
fn after<'a>(fork: &'a mut Option<Game>, now: &Game, act: Act) -> Result<&'a mut Game, Fault> {
    let then = match fork {
        Some(then) => then,
        None => fork.insert(now.fork()),
    };
    then.become_after(now, act)?;
    Ok(then)
}

/// A copy of a game, in a fork that is used again and again.
fn copied<'a>(fork: &'a mut Option<Game>, game: &Game) -> &'a mut Game {
    let copy = match fork {
        Some(copy) => copy,
        None => fork.insert(game.fork()),
    };
    copy.copy_from(game);
    copy
}

/// Where an option takes a unit that was picked before.
fn goes(act: Act, picked: UnitId) -> Option<HexId> {
    match kind(act) {
        Kind::Hex(hex) => Some(hex),
        Kind::Way(unit, hex) if unit == picked => Some(hex),
        _ => None,
    }
}

/// The best that the question after a choice offers, if it is only the second half of the same choice:
/// the unit was picked, now where does it go.
fn follow_up(worth: &Worth, brief: &Brief, then: &Game, picked: UnitId) -> i64 {
    let Some(decision) = then.decision() else {
        return 0;
    };
    let about = |option: &&Act| unit_of(**option).is_none_or(|unit| unit == picked);
    // Of a long list some that are spread over it.
    let many = decision.options.iter().filter(about).count();
    let every = many.div_ceil(GLANCE).max(1);
    let options = decision.options.iter().filter(about).step_by(every);
    options
        .map(|&option| {
            worth.of_fight(brief, then, option).unwrap_or_else(|| {
                hex_of(option).map_or(0, |hex| worth.step(brief, then, picked, hex))
            })
        })
        .max()
        .unwrap_or(0)
}

fn asks(then: &Game, question: &str) -> bool {
    then.asked().is_some_and(|ask| ask.question == question)
}

/// What it costs that whoever has come somewhere cannot look there as he would like to: rules may have him look the way he went. That
/// he looks to the enemy at last is not what he went for.
fn fronts(worth: &Worth, brief: &Brief, then: &Game) -> i64 {
    let options = then.decision().map_or(&[][..], |decision| decision.options);
    let mut least = None;
    for promise in options.iter().filter_map(|&act| then.promise(act)) {
        let worth = worth.promise(brief, then, &promise);
        if worth >= -1 {
            return 0;
        }
        least = least.max(Some(worth));
    }
    least.unwrap_or(0)
}

/// Whether a unit that was picked is still asked where it goes.
fn on_its_way(then: &Game, picked: UnitId) -> bool {
    let options = then.decision().map_or(&[][..], |decision| decision.options);
    options.iter().any(|&act| goes(act, picked).is_some())
}

/// Goes on without a word until the side is asked whom to attack and cannot say nobody. Whether it comes to that. The wary reckon with an
/// enemy who gets away if he can: horsemen who were to be ridden down leave those behind them to be fought.
fn come_to_blows(then: &mut Game, side: Side, wary: bool) -> Result<bool, Fault> {
    for _ in 0..AHEAD {
        let Some(ask) = then.asked() else {
            return Ok(false);
        };
        then.list()?;
        let options = then.decision().map_or(&[][..], |decision| decision.options);
        let Some(&pass) = options.iter().find(|act| kind(**act) == Kind::Bare) else {
            return Ok(ask.side == side);
        };
        let mut away = options.iter().filter(|_| wary && ask.side != side);
        let away = away.find(|act| matches!(kind(**act), Kind::Way(..)));
        then.apply_unlisted(*away.unwrap_or(&pass))?;
    }
    Ok(false)
}

/// Calls `found` with every unit that has to fight now, and the best that it is offered.
fn forced(worth: &Worth, brief: &Brief, then: &Game, mut found: impl FnMut(UnitId, i64)) {
    let options = then.decision().map_or(&[][..], |decision| decision.options);
    let mut offers: Vec<(UnitId, Option<i64>)> = vec![];
    for &act in options {
        let Some(unit) = unit_of(act) else { continue };
        offers.push((unit, worth.of_fight(brief, then, act)));
    }
    for (i, &(unit, _)) in offers.iter().enumerate() {
        let own = || offers.iter().filter(|(other, _)| *other == unit);
        let first = offers[..i].iter().all(|(other, _)| *other != unit);
        if first && own().all(|(_, value)| value.is_some()) {
            let best = own().filter_map(|(_, value)| *value).max();
            found(unit, best.unwrap_or(0));
        }
    }
}

/// What the fights come to that a side has to fight now, if each time the best is done that is offered; one unit may be left out.
/// Fights that it would have sought do not count.
fn blows(
    worth: &Worth,
    brief: &Brief,
    then: &mut Game,
    without: Option<UnitId>,
) -> Result<i64, Fault> {
    let Some(asked) = then.asked() else {
        return Ok(0);
    };
    let mut fought: Vec<(Option<HexId>, i64)> = vec![];
    for _ in 0..BLOWS {
        let options = then.decision().map_or(&[][..], |decision| decision.options);
        let mut best: Option<(i64, Option<HexId>, Act)> = None;
        for &act in options {
            let by = unit_of(act);
            if by.is_none() || by == without {
                continue;
            }
            let (hex, value) = match then.prospect(act) {
                Some((_, fight)) => (fight.hex, worth.of_fight(brief, then, act)),
                None => (None, None),
            };
            let value = value.unwrap_or(0);
            if best.is_none_or(|(most, ..)| value > most) {
                best = Some((value, hex, act));
            }
        }
        let Some((value, hex, act)) = best else { break };
        // Who joins in a fight makes it another.
        fought.retain(|(other, _)| hex.is_none() || *other != hex);
        fought.push((hex, value));
        then.apply_unlisted(act)?;
        if then.asked() != Some(asked) {
            break;
        }
        then.list()?;
    }
    Ok(fought.iter().map(|(_, value)| (*value).min(0)).sum())
}

/// The unit that an option names first.
pub(crate) fn unit_of(act: Act) -> Option<UnitId> {
    act.args.into_iter().find_map(|arg| match arg {
        Arg::Unit(unit) => Some(unit),
        _ => None,
    })
}

/// The hex that an option names last: where a path ends.
pub(crate) fn hex_of(act: Act) -> Option<HexId> {
    act.args.into_iter().rev().find_map(|arg| match arg {
        Arg::Hex(hex) => Some(hex),
        _ => None,
    })
}

impl Bot for Steady {
    fn choose(&mut self, sight: &Sight) -> Result<Act, Fault> {
        if let [only] = sight.options() {
            return Ok(*only);
        }
        let ranked = self.rank(sight)?;
        // Who has come back to the same question tries the next best.
        let nth = sight.in_circles().min(ranked.len().saturating_sub(1));
        ranked
            .get(nth)
            .map(|(_, act)| *act)
            .ok_or_else(|| Fault::Broken("a decision without options".into()))
    }
}
