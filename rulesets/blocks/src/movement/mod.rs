//! §6 The move phase, and the attacks that lead into melee (§7.1, §7.8).

mod attack;
mod entry;
mod mover;
mod offers;
mod reach;
pub mod walked;
mod why;

use crate::assault::Assault;
use crate::field::{
    count, eliminate, frontline, label, leave_board, lower_guns, name, overstacked, put, room,
    rules, show_guns, stack, tell,
};
use crate::melee::combat_turn;
use crate::rules::NOWHERE;
use crate::state::{Block, Chosen, Hexes, army, boxes, flag, forget};
pub use attack::may_attack;
use attack::{attack, why_not_attack};
use cupola_kernel::{
    Act, Acts, Ask, Check, Combat, Fault, Fight, HexId, Needs, Options, Outlook, Phase, Place,
    Preview, Refusal, Step, Table, UnitId, acts, forbid, require, rule,
};
use mover::Mover;
use offers::destinations;
use reach::{Found, Origin, trace, usual};
use std::sync::Arc;
use why::{why_not_halt, why_not_leave, why_not_march, why_not_there, why_not_via};

acts! {
    /// Answers in the move phase.
    pub enum Do {
        /// Move this block next.
        Pick(unit: UnitId) = "unit",
        /// It comes by the entry road of this hex (§6.7).
        By(unit: UnitId, entry: HexId) = "by",
        /// It comes in column by the entry road of this hex (§6.0).
        March(unit: UnitId, entry: HexId) = "march",
        /// It moves there.
        To(unit: UnitId, hex: HexId) = "move",
        /// It moves through this hexside of the frontline: by its last step if it enters the frontline
        /// there, else by its first (§6.62).
        Via(unit: UnitId, through: HexId, hex: HexId) = "via",
        /// It moves there with half its points and changes between column and line (§6.0).
        Halt(unit: UnitId, hex: HexId) = "halt",
        /// It attacks into that hex (§7.1).
        Attack(unit: UnitId, hex: HexId) = "attack",
        /// It attacks into that hex without command (§7.8).
        Raid(unit: UnitId, hex: HexId) = "raid",
        /// It moves there and leaves the map (§2.4).
        Leave(unit: UnitId, hex: HexId) = "leave",
        /// It changes between column and line (§6.0).
        Form(unit: UnitId) = "form",
        /// It stays.
        Stay(unit: UnitId) = "stay",
        /// This block is over the stacking limit and lost (§6.2).
        Lose(unit: UnitId) = "lose",
        /// Nobody else moves.
        Done = "done",
    }
}

/// Whether a block may be picked to move (§6.1).
pub fn may_move(t: &Table, unit: UnitId) -> Check {
    let (card, block) = (rules(t).card(unit), t.get::<Block>(unit));
    require(card.side == t.active(), rule!("6.1"), "is not yours")?;
    forbid(block.has(flag::MOVED), rule!("6.1"), "has had its move")?;
    forbid(block.has(flag::ACTIVE), rule!("6.1"), "has commanded")?;
    forbid(block.has(flag::FIRED), rule!("6.1"), "has fired")?;
    if t.hex(unit).is_some() {
        Ok(())
    } else {
        entry::may_come(t, unit)
    }
}

/// Every block that may be picked, in order: [`may_move`] without the words, because this list is made after every move.
fn movers(t: &Table) -> impl Iterator<Item = UnitId> {
    let (army, stacks, turn) = (army(t), t.stacks(), t.turn());
    let returns = entry::may_return(t);
    let spent = flag::MOVED | flag::ACTIVE | flag::FIRED;
    let own = rules(t).own[t.active()].iter().copied();
    own.filter(move |&unit| {
        let block = army.of(unit);
        let free = !block.has(spent)
            && match stacks.place(unit) {
                Place::Hex(_) => true,
                Place::Box(boxes::TRACK) => block.due <= turn,
                Place::Box(boxes::OFF_BOARD) => returns,
                Place::Box(_) => false,
            };
        debug_assert_eq!(free, may_move(t, unit).is_ok());
        free
    })
}

/// The points of a block (§6.3): half of them once it has changed formation (§6.0).
fn points(t: &Table, unit: UnitId) -> u8 {
    let moves = rules(t).card(unit).moves;
    if t.res::<Chosen>().formed {
        moves / 2
    } else {
        moves
    }
}

/// Whether a block may end its move in a hex (§6.2).
fn fits(t: &Table, unit: UnitId, hex: HexId) -> bool {
    room(t, rules(t).card(unit).side, hex) || rules(t).switches.transient_overstacking
}

/// Whether a block may change its formation where it stands (§6.0).
fn may_form(t: &Table, unit: UnitId) -> Check {
    let option = rules(t).switches.column_and_line;
    require(option, rule!("6.0"), "an optional rule")?;
    let Some(hex) = t.hex(unit) else {
        let why = "comes by `by` in line or by `march` in column";
        return Err(Refusal::new(rule!("6.0"), why));
    };
    let side = rules(t).card(unit).side;
    let column = t.get::<Block>(unit).has(flag::COLUMN);
    let why = "a column shares its hex with nobody";
    require(column || count(t, side, hex) == 1, rule!("6.0"), why)
}

/// Moves a block along the way that the search found, or by the hexside of its choice.
fn go(t: &mut Table, unit: UnitId, hex: HexId, through: Option<HexId>) {
    let from = t.hex(unit);
    count_way(t, unit, hex, through);
    if let (None, Some(way)) = (from, t.res::<Chosen>().entry) {
        entry::took_road(t, unit, way);
    }
    put(t, unit, Place::Hex(hex));
    lower_guns(t, unit);
    tell(t, "move", rule!("6.1"), unit, from, Some(hex), "moves to");
    moved(t, unit);
}

/// Counts a block through the hexsides of the frontline on its way (§6.62).
fn count_way(t: &mut Table, unit: UnitId, hex: HexId, through: Option<HexId>) {
    let (side, from) = (rules(t).card(unit).side, t.hex(unit));
    let leaves = from.filter(|&from| frontline(t, side, from));
    // On its way a block stops at the frontline, so only its first and last step can cross it.
    match (leaves, frontline(t, side, hex), through) {
        (None, false, _) => return,
        // Who says by which hexside needs no search.
        (None, true, Some(through)) => return cross(t, through, hex),
        (Some(from), false, Some(through)) => return cross(t, from, through),
        _ => {}
    }
    for step in way(t, unit, hex, through).1.windows(2) {
        if frontline(t, side, step[0]) || frontline(t, side, step[1]) {
            cross(t, step[0], step[1]);
        }
    }
}

/// What a block spends on its way to a hex, and the hexes of the way.
fn way(t: &Table, unit: UnitId, hex: HexId, through: Option<HexId>) -> (Option<u8>, Vec<HexId>) {
    let (from, chosen) = (t.hex(unit), *t.res::<Chosen>());
    // §2.4 Who leaves the map from where it stands goes nowhere before.
    if from == Some(hex) {
        return (Some(0), vec![hex]);
    }
    let side = rules(t).card(unit).side;
    let (mover, most) = (Mover::new(t, unit), points(t, unit));
    let front = frontline(t, side, hex);
    let given = through.filter(|&through| front && rules(t).direction(through, hex).is_some());
    let follow = |found: &Found| {
        let usual = || {
            let direction = usual(&found.entrances(hex))?;
            Some(HexId(rules(t).around(hex)[direction].to))
        };
        found.way(hex, given.or_else(|| usual().filter(|_| front)))
    };
    match (from, chosen.entry) {
        (Some(from), _) => {
            let gate = through.filter(|_| given.is_none());
            let gate = gate.and_then(|through| rules(t).direction(from, through));
            let origin = gate.map_or(Origin::Hex(from), |gate| Origin::Gate(from, gate));
            // By which of all its hexsides a hex can be entered matters only to who chooses one.
            let until = given.is_none().then_some(hex);
            trace(t, &mover, origin, most, until, follow)
        }
        (None, Some(way)) => entry::arrivals(t, unit, way, most, follow).unwrap_or_default(),
        (None, None) => (None, vec![]),
    }
}

/// What a way costs and where it goes, for those who choose it.
fn outlook(t: &Table, unit: UnitId, hex: HexId, through: Option<HexId>, more: u8) -> Outlook {
    let (spent, path) = way(t, unit, hex, through);
    let Some(spent) = spent else {
        return Outlook::default();
    };
    let (spent, most) = (spent.saturating_add(more), points(t, unit));
    // Who marches along a road as far as he likes pays nothing; one hex is always free to go (§6.4).
    let spent = u32::from(spent.min(most));
    Outlook::of(spent, u32::from(most) - spent, path)
}

/// Counts a block through a hexside, from both of its hexes (§6.62).
fn cross(t: &mut Table, from: HexId, to: HexId) {
    let ways = [(from, to), (to, from)].map(|(a, b)| (a, rules(t).direction(a, b)));
    let field = t.res_mut::<Hexes>();
    for (hex, direction) in ways {
        if let Some(direction) = direction {
            let crossed = &mut field.crossed[usize::from(hex.0)];
            if *crossed >> (2 * direction) & 3 < 3 {
                *crossed += 1 << (2 * direction);
            }
        }
    }
}

/// A block goes to the map's edge and off it (§2.4).
fn leave(t: &mut Table, unit: UnitId, hex: HexId) {
    count_way(t, unit, hex, None);
    put(t, unit, Place::Hex(hex));
    leave_board(t, unit, rule!("2.4"));
    moved(t, unit);
}

/// The block that was picked has had its move.
fn moved(t: &mut Table, unit: UnitId) {
    t.get_mut::<Block>(unit).flags |= flag::MOVED;
    *t.res_mut::<Chosen>() = Chosen::default();
}

/// Changes between column and line: half a move, and a second change the other half; in the frontline a
/// whole one (§6.0).
fn form(t: &mut Table, unit: UnitId) {
    t.get_mut::<Block>(unit).flags ^= flag::COLUMN;
    let side = rules(t).card(unit).side;
    let front = t.hex(unit).is_none_or(|hex| frontline(t, side, hex));
    if front || t.res::<Chosen>().formed {
        moved(t, unit);
    } else {
        t.res_mut::<Chosen>().formed = true;
    }
}

/// A block begins to come by an entry road, in line or in column (§6.7, §6.0).
fn come_by(t: &mut Table, unit: UnitId, hex: HexId, column: bool) {
    let way = rules(t).entries.iter().position(|entry| entry.hex == hex);
    t.res_mut::<Chosen>().entry = way.map(|way| way as u8);
    let block = t.get_mut::<Block>(unit);
    if column {
        block.flags |= flag::COLUMN;
    } else {
        block.flags &= !flag::COLUMN;
    }
}

/// Whether everybody has moved.
fn done(t: &Table) -> bool {
    t.res::<Chosen>().closing
}

/// The move phase.
pub struct Movement;

impl Phase for Movement {
    fn name(&self) -> &'static str {
        "move"
    }

    fn verbs(&self) -> &'static [&'static str] {
        Do::VERBS
    }

    fn needs(&self) -> Needs {
        crate::ruleset::needs().player_turn()
    }

    fn enter(&self, t: &mut Table) -> Result<(), Fault> {
        *t.res_mut::<Chosen>() = Chosen::default();
        t.res_mut::<Hexes>().crossed.fill(0);
        forget(t, flag::MOVED);
        Ok(())
    }

    fn next(&self, t: &mut Table) -> Result<Step, Fault> {
        if done(t) {
            if let Some((side, _)) = overstacked(t) {
                return Ok(Step::ask(side, "overstacked", "6.2"));
            }
            show_guns(t);
            return Ok(Step::Done);
        }
        // The opponent reads the question: it is the same for blocks on the map and beside it.
        let chosen = t.res::<Chosen>().unit.is_some();
        let question = if chosen { "destination" } else { "move" };
        Ok(Step::ask(t.active(), question, "6.1"))
    }

    fn options(&self, t: &Table, _: Ask, out: &mut Options) -> Result<(), Fault> {
        if done(t) {
            if let Some((side, hex)) = overstacked(t) {
                stack(t, side, hex).for_each(|unit| out.push(Do::Lose(unit)));
            }
            return Ok(());
        }
        let chosen = t.res::<Chosen>();
        let Some(unit) = chosen.unit else {
            out.push_each(Do::Pick(UnitId(0)).act(), 0, movers(t));
            out.push(Do::Done);
            return Ok(());
        };
        if t.hex(unit).is_none() && chosen.entry.is_none() {
            for way in entry::ways(t, unit) {
                let hex = rules(t).entries[usize::from(way)].hex;
                out.push(Do::By(unit, hex));
                if rules(t).switches.column_and_line {
                    out.push(Do::March(unit, hex));
                }
            }
        } else {
            destinations(t, unit, out);
        }
        if may_form(t, unit).is_ok() {
            out.push(Do::Form(unit));
        }
        out.push(Do::Stay(unit));
        Ok(())
    }

    fn take(&self, t: &mut Table, _: Ask, act: Act) -> Result<(), Fault> {
        match Do::from_act(act) {
            Some(Do::Pick(unit)) => {
                let chosen = t.res_mut::<Chosen>();
                (chosen.unit, chosen.anyone) = (Some(unit), true);
            }
            Some(Do::By(unit, hex)) => come_by(t, unit, hex, false),
            Some(Do::March(unit, hex)) => come_by(t, unit, hex, true),
            Some(Do::To(unit, hex)) => go(t, unit, hex, None),
            Some(Do::Via(unit, through, hex)) => go(t, unit, hex, Some(through)),
            Some(Do::Halt(unit, hex)) => {
                go(t, unit, hex, None);
                t.get_mut::<Block>(unit).flags ^= flag::COLUMN;
            }
            Some(Do::Attack(unit, hex)) => attack(t, unit, hex, false),
            Some(Do::Raid(unit, hex)) => attack(t, unit, hex, true),
            Some(Do::Leave(unit, hex)) => leave(t, unit, hex),
            Some(Do::Form(unit)) => form(t, unit),
            Some(Do::Stay(unit)) => moved(t, unit),
            Some(Do::Lose(unit)) => eliminate(t, unit, rule!("6.2")),
            Some(Do::Done) => t.res_mut::<Chosen>().closing = true,
            None => return Err(Fault::Broken("not an answer of the move phase".into())),
        }
        Ok(())
    }

    fn why_not(&self, t: &Table, _: Ask, act: Act) -> Refusal {
        let other = || Refusal::new(rule!("6.1"), "is not asked now");
        match Do::from_act(act) {
            Some(Do::Pick(unit)) => may_move(t, unit).err().unwrap_or_else(other),
            Some(Do::By(unit, _)) => chosen(t, unit)
                .err()
                .unwrap_or_else(|| Refusal::new(rule!("6.7"), "is not one of its entry roads")),
            Some(Do::March(unit, _)) => why_not_march(t, unit),
            Some(Do::To(unit, hex)) => why_not_there(t, unit, hex),
            Some(Do::Via(unit, through, hex)) => why_not_via(t, unit, through, hex),
            Some(Do::Halt(unit, _)) => why_not_halt(t, unit),
            Some(Do::Attack(unit, hex)) => why_not_attack(t, unit, hex, true),
            Some(Do::Raid(unit, hex)) => why_not_attack(t, unit, hex, false),
            Some(Do::Leave(unit, hex)) => why_not_leave(t, unit, hex),
            Some(Do::Form(unit)) => Refusal::of(chosen(t, unit).and_then(|()| may_form(t, unit))),
            Some(Do::Lose(_)) => Refusal::new(rule!("6.2"), "is not over the stacking limit"),
            _ => other(),
        }
    }

    fn text(&self, t: &Table, _: Ask, act: Act) -> String {
        let to = |verb: &str, unit, hex| format!("{} {verb} {}", name(t, unit), label(t, hex));
        match Do::from_act(act) {
            Some(Do::Pick(unit)) => format!("move {}", name(t, unit)),
            Some(Do::By(unit, hex)) => to("comes by", unit, hex),
            Some(Do::March(unit, hex)) => to("comes in column by", unit, hex),
            Some(Do::To(unit, hex)) => to("moves to", unit, hex),
            Some(Do::Via(unit, through, hex)) => {
                let place = label(t, through);
                format!(
                    "{} moves through {place} to {}",
                    name(t, unit),
                    label(t, hex)
                )
            }
            Some(Do::Halt(unit, hex)) => to("changes formation at", unit, hex),
            Some(Do::Attack(unit, hex)) => to("attacks into", unit, hex),
            Some(Do::Raid(unit, hex)) => to("attacks without command into", unit, hex),
            Some(Do::Leave(unit, hex)) => to("leaves the map at", unit, hex),
            Some(Do::Form(unit)) => format!("{} changes formation", name(t, unit)),
            Some(Do::Stay(unit)) => format!("{} stays", name(t, unit)),
            Some(Do::Lose(unit)) => format!("{} is lost", name(t, unit)),
            Some(Do::Done) => "nobody else moves".into(),
            None => "?".into(),
        }
    }

    fn prompt(&self, t: &Table, ask: Ask) -> String {
        let chosen = t.res::<Chosen>();
        match (ask.question, chosen.unit) {
            ("overstacked", _) => "Which block is over the stacking limit?".into(),
            ("destination", Some(unit)) if t.hex(unit).is_none() && chosen.entry.is_none() => {
                format!("By which road does {} come?", name(t, unit))
            }
            ("destination", Some(unit)) => format!("Where does {} go?", name(t, unit)),
            _ => "Which block moves next?".into(),
        }
    }

    /// An attack is fought in the melee phase: until then, the dice of its first round as it stands.
    fn preview(&self, t: &Table, _: Ask, act: Act) -> Option<Preview> {
        let (unit, hex) = attack_of(t, act)?;
        let fight = combat_turn(t, unit, 1, Some(hex), t.hex(unit));
        Preview::of(&*t.combat("melee").ok()?, t, &fight).ok()
    }

    fn has_preview(&self, t: &Table, _: Ask, act: Act) -> bool {
        attack_of(t, act).is_some()
    }

    fn prospect(&self, _: &Table, _: Ask, act: Act) -> Option<(Arc<dyn Combat>, Fight)> {
        let (unit, hex, alone) = match Do::from_act(act)? {
            Do::Attack(unit, hex) => (unit, hex, false),
            Do::Raid(unit, hex) => (unit, hex, true),
            _ => return None,
        };
        Some((Arc::new(Assault), Assault::fight(unit, hex, alone)))
    }

    fn outlook(&self, t: &Table, _: Ask, act: Act) -> Outlook {
        let own = |unit: &UnitId| t.res::<Chosen>().unit == Some(*unit);
        match Do::from_act(act) {
            Some(Do::To(unit, hex)) if own(&unit) => outlook(t, unit, hex, None, 0),
            Some(Do::Via(unit, through, hex)) if own(&unit) => {
                outlook(t, unit, hex, Some(through), 0)
            }
            Some(Do::Halt(unit, hex)) if own(&unit) => {
                outlook(t, unit, hex, None, rules(t).card(unit).moves / 2)
            }
            Some(Do::Leave(unit, hex)) if own(&unit) => {
                let exit = rules(t).exits[usize::from(hex.0)];
                let more = Mover::new(t, unit).rim_cost(rules(t), exit);
                outlook(t, unit, hex, None, more)
            }
            _ => Outlook::default(),
        }
    }
}

/// The attack that an answer makes, or could make: of a block that is picked the one in which its dice are worth
/// most. Who stands in the hex that is attacked plays no part.
fn attack_of(t: &Table, act: Act) -> Option<(UnitId, HexId)> {
    let may = |unit, hex| {
        let may = may_attack(t, unit, hex, true).or_else(|_| may_attack(t, unit, hex, false));
        may.is_ok()
    };
    match Do::from_act(act)? {
        Do::Attack(unit, hex) | Do::Raid(unit, hex) => {
            (rules(t).card(unit).side == t.active()).then_some((unit, hex))
        }
        Do::Pick(unit) if may_move(t, unit).is_ok() => {
            let around = rules(t).around(t.hex(unit)?).iter();
            let open = around.filter(|edge| edge.to != NOWHERE && may(unit, HexId(edge.to)));
            // The last of equals is the first that is met from behind.
            let best = open.rev().max_by_key(|edge| edge.melee)?;
            Some((unit, HexId(best.to)))
        }
        _ => None,
    }
}

fn chosen(t: &Table, unit: UnitId) -> Check {
    may_move(t, unit)?;
    require(
        t.res::<Chosen>().unit == Some(unit),
        rule!("6.1"),
        "was not chosen to move",
    )
}
