//! §6 The move phase, and the attacks that lead into melee (§7.1, §7.8).

mod attack;
mod entry;
mod reach;

use crate::field::{
    count, eliminate, frontline, label, leave_board, lower_guns, name, overstacked, put, room,
    rules, show_guns, stack, tell,
};
use crate::rules::NOWHERE;
use crate::state::{Army, Chosen, Field, boxes, flag};
use attack::{attack, may_attack, why_not_attack};
use cupola_kernel::{
    Act, Acts, Ask, Check, Fault, HexId, Needs, Options, Phase, Place, Refusal, Step, Table,
    UnitId, acts, forbid, require, rule,
};
use reach::{Mover, Origin, reach, why_not_step};

acts! {
    /// Answers in the move phase.
    pub enum Do {
        /// Move this block next.
        Pick(unit: UnitId) = "unit",
        /// It comes by the entry road of this hex (§6.7).
        By(unit: UnitId, entry: HexId) = "by",
        /// It moves there.
        To(unit: UnitId, hex: HexId) = "move",
        /// It moves there with half its points and changes between column and line (§6.0).
        Halt(unit: UnitId, hex: HexId) = "halt",
        /// It attacks into that hex (§7.1).
        Attack(unit: UnitId, hex: HexId) = "attack",
        /// It attacks into that hex without command (§7.8).
        Raid(unit: UnitId, hex: HexId) = "raid",
        /// It leaves the map (§2.4).
        Leave(unit: UnitId) = "leave",
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
    let (card, army) = (rules(t).card(unit), t.res::<Army>());
    require(card.side == t.active(), rule!("6.1"), "is not yours")?;
    forbid(
        army.has(unit, flag::MOVED),
        rule!("6.1"),
        "has had its move",
    )?;
    forbid(army.has(unit, flag::ACTIVE), rule!("6.1"), "has commanded")?;
    forbid(army.has(unit, flag::FIRED), rule!("6.1"), "has fired")?;
    if t.hex(unit).is_some() {
        Ok(())
    } else {
        entry::may_come(t, unit)
    }
}

/// Calls `found` with every block that may be picked, in order: [`may_move`] without the words, because
/// this list is made after every move.
fn movers(t: &Table, mut found: impl FnMut(UnitId)) {
    let army = t.res::<Army>();
    let spent = flag::MOVED | flag::ACTIVE | flag::FIRED;
    for &unit in &rules(t).own[t.active()] {
        let free = !army.has(unit, spent)
            && match t.stacks().place(unit) {
                Place::Hex(_) => true,
                Place::Box(boxes::TRACK) => army.of(unit).due <= t.turn(),
                Place::Box(boxes::OFF_BOARD) => entry::may_come(t, unit).is_ok(),
                Place::Box(_) => false,
            };
        debug_assert_eq!(free, may_move(t, unit).is_ok());
        if free {
            found(unit);
        }
    }
}

/// The points of a block: half of them once it has changed formation (§6.0).
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

/// Whether a block may leave the map from where it stands (§2.4).
fn may_leave(t: &Table, unit: UnitId) -> Check {
    let rim = t
        .hex(unit)
        .is_some_and(|hex| rules(t).rim[usize::from(hex.0)]);
    require(rim, rule!("2.4"), "does not stand on the map's edge")
}

/// Whether a block may change its formation now (§6.0). Off the map it may choose to come in column.
fn may_form(t: &Table, unit: UnitId) -> Check {
    require(
        rules(t).switches.column_and_line,
        rule!("6.0"),
        "an optional rule",
    )?;
    let (chosen, column) = (
        t.res::<Chosen>().formed,
        t.res::<Army>().has(unit, flag::COLUMN),
    );
    let came = t.hex(unit).is_none() && column;
    forbid(chosen || came, rule!("6.0"), "has changed formation")?;
    let side = rules(t).card(unit).side;
    let alone = t.hex(unit).is_none_or(|hex| count(t, side, hex) == 1);
    require(
        alone || column,
        rule!("6.0"),
        "a column shares its hex with nobody",
    )
}

/// Whether a block that has marched with half its points may change its formation in a hex: a column
/// shares it with nobody, and in the frontline a change takes all points (§6.0).
fn may_halt(t: &Table, unit: UnitId, hex: HexId) -> bool {
    let side = rules(t).card(unit).side;
    let column = t.res::<Army>().has(unit, flag::COLUMN);
    !frontline(t, side, hex) && (column || count(t, side, hex) == 0)
}

/// Pushes every destination of the block that was picked.
fn destinations(t: &Table, unit: UnitId, out: &mut Options) {
    let chosen = t.res::<Chosen>();
    if let Some(way) = chosen.entry {
        entry::arrivals(t, unit, way, points(t, unit), |hex| {
            out.push(Do::To(unit, hex))
        });
        entry::assaults(t, unit, way, |hex| out.push(Do::Attack(unit, hex)));
        return;
    }
    let Some(from) = t.hex(unit) else { return };
    let mover = Mover::new(t, unit);
    let (rules, field) = (rules(t), t.res::<Field>());
    let (own, over) = (
        &field.count[mover.side as usize],
        rules.switches.transient_overstacking,
    );
    let most = points(t, unit);
    let halts = rules.switches.column_and_line && !chosen.formed;
    reach(t, &mover, Origin::Hex(from), most, |found| {
        for hex in found.hexes() {
            let at = usize::from(hex.0);
            // As `fits` has it, without asking for the field again.
            if own[at] < rules.limit[at] || over {
                out.push(Do::To(unit, hex));
            }
        }
        // One choice for both, so that the next question does not tell how far the block could have gone.
        for hex in found.hexes().filter(|_| halts) {
            let near = found.cost(hex) <= most / 2;
            if near && fits(t, unit, hex) && may_halt(t, unit, hex) {
                out.push(Do::Halt(unit, hex));
            }
        }
    });
    if frontline(t, mover.side, from) && !chosen.formed {
        let mut beside = rules.around(from).map(|edge| edge.to);
        beside.sort_unstable();
        let beside = || {
            beside
                .iter()
                .filter(|&&hex| hex != NOWHERE)
                .map(|&hex| HexId(hex))
        };
        beside()
            .filter(|&hex| may_attack(t, unit, hex, true).is_ok())
            .for_each(|hex| out.push(Do::Attack(unit, hex)));
        beside()
            .filter(|&hex| may_attack(t, unit, hex, false).is_ok())
            .for_each(|hex| out.push(Do::Raid(unit, hex)));
    }
    if may_leave(t, unit).is_ok() {
        out.push(Do::Leave(unit));
    }
}

/// Moves a block along the way that the search found.
fn go(t: &mut Table, unit: UnitId, hex: HexId) {
    let (from, chosen) = (t.hex(unit), *t.res::<Chosen>());
    let side = rules(t).card(unit).side;
    if let Some(from) = from {
        // On its way a block stops at the frontline, so only its first and last step can cross it.
        if frontline(t, side, from) || frontline(t, side, hex) {
            march(t, unit, from, hex);
        }
    } else if let Some(way) = chosen.entry {
        entry::took_road(t, unit, way);
    }
    put(t, unit, Place::Hex(hex));
    lower_guns(t, unit);
    tell(t, "move", rule!("6.1"), unit, from, Some(hex), "moves to");
    moved(t, unit);
}

/// Counts a block through the hexsides of the frontline on its way.
fn march(t: &mut Table, unit: UnitId, from: HexId, to: HexId) {
    let mover = Mover::new(t, unit);
    let mut steps = vec![];
    reach(t, &mover, Origin::Hex(from), points(t, unit), |found| {
        found.path(to, |a, b| steps.push((a, b)));
    });
    for (a, b) in steps {
        if frontline(t, mover.side, a) || frontline(t, mover.side, b) {
            cross(t, a, b);
        }
    }
}

/// Counts a block through a hexside, from both of its hexes (§6.62).
fn cross(t: &mut Table, from: HexId, to: HexId) {
    let ways = [(from, to), (to, from)].map(|(a, b)| (a, rules(t).direction(a, b)));
    let field = t.res_mut::<Field>();
    for (hex, direction) in ways {
        if let Some(direction) = direction {
            let crossed = &mut field.crossed[usize::from(hex.0)];
            if *crossed >> (2 * direction) & 3 < 3 {
                *crossed += 1 << (2 * direction);
            }
        }
    }
}

/// The block that was picked has had its move.
fn moved(t: &mut Table, unit: UnitId) {
    t.res_mut::<Army>().at(unit).flags |= flag::MOVED;
    *t.res_mut::<Chosen>() = Chosen::default();
}

/// Changes between column and line: half a move, a whole one in the frontline, none off the map (§6.0).
fn form(t: &mut Table, unit: UnitId) {
    t.res_mut::<Army>().at(unit).flags ^= flag::COLUMN;
    let side = rules(t).card(unit).side;
    match t.hex(unit) {
        Some(hex) if frontline(t, side, hex) => moved(t, unit),
        Some(_) => t.res_mut::<Chosen>().formed = true,
        None => {}
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
        Needs::nothing().player_turn()
    }

    fn enter(&self, t: &mut Table) -> Result<(), Fault> {
        *t.res_mut::<Chosen>() = Chosen::default();
        t.res_mut::<Field>().crossed.fill(0);
        for block in &mut t.res_mut::<Army>().0 {
            block.flags &= !flag::MOVED;
        }
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
            movers(t, |unit| out.push(Do::Pick(unit)));
            out.push(Do::Done);
            return Ok(());
        };
        if t.hex(unit).is_none() && chosen.entry.is_none() {
            for way in entry::ways(t, unit) {
                out.push(Do::By(unit, rules(t).entries[usize::from(way)].hex));
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
            Some(Do::By(_, hex)) => {
                let way = rules(t).entries.iter().position(|entry| entry.hex == hex);
                t.res_mut::<Chosen>().entry = way.map(|way| way as u8);
            }
            Some(Do::To(unit, hex)) => go(t, unit, hex),
            Some(Do::Halt(unit, hex)) => {
                go(t, unit, hex);
                t.res_mut::<Army>().at(unit).flags ^= flag::COLUMN;
            }
            Some(Do::Attack(unit, hex)) => attack(t, unit, hex, false),
            Some(Do::Raid(unit, hex)) => attack(t, unit, hex, true),
            Some(Do::Leave(unit)) => {
                leave_board(t, unit, rule!("2.4"));
                moved(t, unit);
            }
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
            Some(Do::To(unit, hex)) => why_not_there(t, unit, hex),
            Some(Do::Halt(unit, _)) => why_not_halt(t, unit),
            Some(Do::Attack(unit, hex)) => why_not_attack(t, unit, hex, true),
            Some(Do::Raid(unit, hex)) => why_not_attack(t, unit, hex, false),
            Some(Do::Leave(unit)) => Refusal::of(chosen(t, unit).and_then(|()| may_leave(t, unit))),
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
            Some(Do::To(unit, hex)) => to("moves to", unit, hex),
            Some(Do::Halt(unit, hex)) => to("changes formation at", unit, hex),
            Some(Do::Attack(unit, hex)) => to("attacks into", unit, hex),
            Some(Do::Raid(unit, hex)) => to("attacks without command into", unit, hex),
            Some(Do::Leave(unit)) => format!("{} leaves the map", name(t, unit)),
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
}

fn chosen(t: &Table, unit: UnitId) -> Check {
    may_move(t, unit)?;
    require(
        t.res::<Chosen>().unit == Some(unit),
        rule!("6.1"),
        "was not chosen to move",
    )
}

/// Why a destination is not offered.
fn why_not_there(t: &Table, unit: UnitId, hex: HexId) -> Refusal {
    let side = rules(t).card(unit).side;
    if let Err(refusal) = chosen(t, unit) {
        return refusal;
    }
    if !fits(t, unit, hex) {
        return Refusal::new(rule!("6.2"), "the hex is full");
    }
    if count(t, side.other(), hex) > 0 {
        return Refusal::new(rule!("6.1"), "the hex holds enemies");
    }
    let from = t
        .hex(unit)
        .filter(|&from| rules(t).direction(from, hex).is_some());
    let step = from.and_then(|from| why_not_step(t, &Mover::new(t, unit), from, hex).err());
    step.unwrap_or_else(|| Refusal::new(rule!("6.3"), "cannot be reached with its points"))
}

/// Why a block may not change its formation where it goes.
fn why_not_halt(t: &Table, unit: UnitId) -> Refusal {
    let option = rules(t).switches.column_and_line;
    let why = "half its points must take it there, out of the frontline, and a column stands alone";
    Refusal::of(
        chosen(t, unit)
            .and_then(|()| require(option, rule!("6.0"), "an optional rule"))
            .and(Err(Refusal::new(rule!("6.0"), why))),
    )
}
