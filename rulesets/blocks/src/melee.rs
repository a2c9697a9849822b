//! §7 The melee phase: rounds of combat turns, retreats, regrouping.

use crate::field::{
    count, eliminate, friendly, hostile, label, leave_board, name, overstacked, put, room, rules,
    show, stack, steps, tell,
};
use crate::fire::{hits_text, roll};
use crate::hits;
use crate::rules::{Kind, NOWHERE, terrain};
use crate::state::{Army, Attack, Chosen, Melees, Wounds, flag};
use cupola_kernel::{
    Act, Acts, Ask, Combat, Dice, Event, Fault, Fight, HexId, Modifiers, Options, Outcome, Phase,
    Place, Refusal, Side, Step, Table, Toll, UnitId, acts, rule,
};
use std::sync::Arc;

acts! {
    /// Answers in the melee phase.
    pub enum Do {
        /// Resolve the melee in this hex (§7.1).
        Fight(hex: HexId) = "fight",
        /// This block strikes (§7.2).
        Strike(unit: UnitId) = "strike",
        /// This block retreats there (§7.7).
        Retreat(unit: UnitId, hex: HexId) = "retreat",
        /// This block retreats off the map (§7.7, §2.4).
        Leave(unit: UnitId) = "leave",
        /// This block changes from column to line (§6.0).
        Form(unit: UnitId) = "form",
        /// This block takes the hit.
        Hit(unit: UnitId) = "hit",
        /// This block goes back to a friendly hex after a won melee (§7.9).
        Withdraw(unit: UnitId, hex: HexId) = "withdraw",
        /// This block joins the winners (§7.9).
        Reinforce(unit: UnitId) = "reinforce",
        /// This block is over the stacking limit and lost (§6.2).
        Lose(unit: UnitId) = "lose",
        /// Nothing more.
        Done = "done",
    }
}

/// The attack of a block in the melee at hand.
fn attack_of(t: &Table, unit: UnitId) -> Option<Attack> {
    let attacks = &t.res::<Melees>().attacks;
    attacks.iter().copied().find(|attack| attack.unit == unit)
}

/// Hexes with melees to be resolved, in order.
fn pending(t: &Table) -> Vec<HexId> {
    let attacks = &t.res::<Melees>().attacks;
    let mut hexes: Vec<HexId> = attacks.iter().map(|attack| attack.hex).collect();
    hexes.sort_unstable();
    hexes.dedup();
    hexes
}

/// Begins a melee: everybody in the hex is revealed (§7.1).
fn begin(t: &mut Table, hex: HexId) {
    let all: Vec<UnitId> = t.stacks().units(hex).collect();
    for unit in all {
        show(t, unit);
    }
    let melees = t.res_mut::<Melees>();
    let mut there = melees.attacks.iter().filter(|attack| attack.hex == hex);
    let unsupported = there.any(|attack| attack.unsupported);
    melees.hex = Some(hex);
    melees.round = 1;
    melees.last = if unsupported { 2 } else { 3 };
    melees.acted.clear();
    melees.used = 0;
    t.say(|t| Event::new("melee", rule!("7.1"), format!("melee at {}", label(t, hex))).hex(hex));
}

/// The blocks whose combat turn it is: defenders before attackers, A before B, C and D (§7.2).
fn group(t: &Table, hex: HexId) -> Option<(Side, Vec<UnitId>)> {
    let (acted, rules) = (&t.res::<Melees>().acted, rules(t));
    let attacker = t.active();
    for letter in 0..4 {
        for side in [attacker.other(), attacker] {
            let ready = |unit: &UnitId| rules.card(*unit).letter == letter && !acted.contains(unit);
            let units: Vec<UnitId> = stack(t, side, hex).filter(ready).collect();
            if !units.is_empty() {
                return Some((side, units));
            }
        }
    }
    None
}

/// Where a block may retreat to this round (§7.7).
fn retreats(t: &Table, unit: UnitId) -> Vec<HexId> {
    let (rules, melees) = (rules(t), t.res::<Melees>());
    let (side, Some(hex)) = (rules.card(unit).side, melees.hex) else {
        return vec![];
    };
    let open = |to: HexId| {
        let direction = rules.direction(hex, to);
        direction.is_some_and(|direction| melees.used & 1 << direction == 0)
    };
    if let Some(attack) = attack_of(t, unit) {
        return attack.from.filter(|&from| open(from)).into_iter().collect();
    }
    let around = || {
        let edges = rules.around(hex).iter().filter(|edge| edge.to != NOWHERE);
        edges.map(|edge| HexId(edge.to)).filter(|&to| {
            let clear = count(t, side.other(), to) == 0;
            let melee = melees.attacks.iter().any(|attack| attack.hex == to);
            clear && !melee && open(to) && room(t, side, to)
        })
    };
    let mut found: Vec<HexId> = around().filter(|&to| friendly(t, side, to)).collect();
    if found.is_empty() {
        found = around().filter(|&to| !hostile(t, side, to)).collect();
    }
    found.sort_unstable();
    found
}

/// Whether a block may retreat off the map (§7.7): attackers if they came that way.
fn may_leave(t: &Table, unit: UnitId) -> bool {
    match attack_of(t, unit) {
        Some(attack) => attack.from.is_none(),
        None => t
            .hex(unit)
            .is_some_and(|hex| rules(t).rim[usize::from(hex.0)]),
    }
}

/// Whether a block must retreat: an attacker in the last round (§7.2, §7.8).
fn must_retreat(t: &Table, unit: UnitId) -> bool {
    let melees = t.res::<Melees>();
    melees.round >= melees.last && rules(t).card(unit).side == t.active()
}

fn must_form(t: &Table, unit: UnitId) -> bool {
    t.res::<Army>().has(unit, flag::COLUMN)
}

/// The fight of one block's combat turn: round and hexside crossed in its terms.
fn turn(t: &Table, unit: UnitId) -> Option<Fight> {
    let melees = t.res::<Melees>();
    let hex = melees.hex?;
    let from = attack_of(t, unit).and_then(|attack| attack.from);
    let side = from.and_then(|from| rules(t).direction(from, hex));
    Some(Fight {
        attackers: vec![unit],
        defenders: vec![],
        hex: Some(hex),
        terms: vec![
            i16::from(melees.round),
            from.map_or(-1, |from| from.0 as i16),
            side.map_or(-1, |side| side as i16),
        ],
    })
}

/// The combat system of melee: dice as for fire, with the first round's advantages (§7.2 to §7.6).
pub struct Round;

impl Combat for Round {
    fn name(&self) -> &'static str {
        "round"
    }

    fn modifiers(&self, t: &Table, fight: &Fight) -> Modifiers {
        let (&[unit], &[round, from, side]) = (&fight.attackers[..], &fight.terms[..]) else {
            return Modifiers::new();
        };
        let (rules, card) = (rules(t), rules(t).card(unit));
        if card.is_guns() && round > 1 {
            return Modifiers::new().add(rule!("7.4"), "guns after the first round", 1);
        }
        let mut sum = Modifiers::new().add(rule!("3.12"), "firepower", card.melee.into());
        if round > 1 {
            return sum;
        }
        let attacks = card.side == t.active();
        if card.kind == Kind::Cavalry {
            let by = if attacks { -1 } else { 1 };
            sum = sum.add(rule!("7.6"), "cavalry in the first round", by);
        }
        if let (Ok(from), Ok(side)) = (usize::try_from(from), usize::try_from(side)) {
            let bits = rules.edges[from][side % 6].terrain;
            for (bit, name) in terrain::NAMES.iter().enumerate() {
                let effect = rules.effects[bit].melee;
                let counts = bits & 1 << bit != 0 && effect != 0;
                sum = sum.add_if(counts, rule!("7.3"), *name, effect.into());
            }
        }
        sum
    }

    fn resolve(&self, t: &Table, fight: &Fight, dice: &mut dyn Dice) -> Result<Outcome, Fault> {
        let Some(&unit) = fight.attackers.first() else {
            return Err(Fault::Broken("nobody strikes".into()));
        };
        let power = self.modifiers(t, fight).sum();
        Ok(Outcome::code(roll(
            dice,
            unit,
            steps(t, unit),
            power,
            "melee",
        )))
    }

    fn describe(&self, _: &Table, outcome: &Outcome) -> String {
        hits_text(outcome.code)
    }

    fn toll(&self, t: &Table, fight: &Fight, outcome: &Outcome) -> Toll {
        crate::common_terms::toll(t, fight, outcome)
    }
}

fn strike(t: &mut Table, unit: UnitId) -> Result<(), Fault> {
    let fight = turn(t, unit).ok_or_else(|| Fault::Broken("no melee is fought".into()))?;
    let combat = t.combat("melee")?;
    let outcome = t.with_dice(|t, dice| combat.resolve(t, &fight, dice))?;
    let hex = fight.hex.unwrap_or(HexId(0));
    hits::announce(t, "strike", unit, hex, outcome.code as u8);
    let side = rules(t).card(unit).side.other();
    t.res_mut::<Melees>().acted.push(unit);
    *t.res_mut::<Wounds>() = Wounds {
        hex,
        side,
        left: outcome.code as u8,
        open: true,
        ..Wounds::default()
    };
    Ok(())
}

fn retreat(t: &mut Table, unit: UnitId, to: HexId) {
    let from = t.hex(unit);
    put(t, unit, Place::Hex(to));
    let direction = from.and_then(|from| rules(t).direction(from, to));
    let melees = t.res_mut::<Melees>();
    melees.attacks.retain(|attack| attack.unit != unit);
    melees.used |= direction.map_or(0, |direction| 1 << direction);
    melees.acted.push(unit);
    tell(
        t,
        "retreat",
        rule!("7.7"),
        unit,
        from,
        Some(to),
        "retreats to",
    );
}

fn leave(t: &mut Table, unit: UnitId) {
    // Attackers that came onto the map by the attack go back the way they came.
    let from = t.hex(unit).filter(|_| attack_of(t, unit).is_none());
    leave_board(t, unit, from, rule!("7.7"));
    let melees = t.res_mut::<Melees>();
    melees.attacks.retain(|attack| attack.unit != unit);
    melees.acted.push(unit);
}

/// Whether the melee at hand is over, and who has won it.
fn winner(t: &Table, hex: HexId) -> Option<Side> {
    Side::BOTH
        .into_iter()
        .find(|side| count(t, side.other(), hex) == 0)
}

/// Ends the melee at hand; the winner may regroup (§7.9).
fn conclude(t: &mut Table, hex: HexId, winner: Side) {
    let melees = t.res_mut::<Melees>();
    melees.attacks.retain(|attack| attack.hex != hex);
    melees.used = 0;
    melees.acted.clear();
    melees.regroup = Some(winner);
    t.say(|t| {
        let text = format!("{} holds {}", t.env().sides[winner].name, label(t, hex));
        Event::new("won", rule!("7.2"), text).hex(hex)
    });
}

/// Calls `found` with every way to regroup (§7.9).
fn regroupings(t: &Table, hex: HexId, side: Side, mut found: impl FnMut(Do)) {
    let (rules, melees) = (rules(t), t.res::<Melees>());
    for (direction, edge) in rules.around(hex).iter().enumerate() {
        if edge.to == NOWHERE || melees.used & 1 << direction != 0 {
            continue;
        }
        let beside = HexId(edge.to);
        if melees.attacks.iter().any(|attack| attack.hex == beside) {
            continue;
        }
        let clear = count(t, side.other(), beside) == 0;
        if friendly(t, side, beside) && clear && room(t, side, beside) {
            stack(t, side, hex).for_each(|unit| found(Do::Withdraw(unit, beside)));
        }
        if clear && room(t, side, hex) {
            stack(t, side, beside).for_each(|unit| found(Do::Reinforce(unit)));
        }
    }
}

fn regroup(t: &mut Table, unit: UnitId, to: HexId, what: &'static str) {
    let from = t.hex(unit);
    let hex = t.res::<Melees>().hex.unwrap_or(to);
    let other = if to == hex { from.unwrap_or(to) } else { to };
    let direction = rules(t).direction(hex, other);
    put(t, unit, Place::Hex(to));
    t.res_mut::<Melees>().used |= direction.map_or(0, |direction| 1 << direction);
    tell(t, "regroup", rule!("7.9"), unit, from, Some(to), what);
}

/// After the melees every active headquarters pays a step (§4.3).
fn pay_command(t: &mut Table) {
    for block in &mut t.res_mut::<Army>().0 {
        if block.flags & flag::ACTIVE != 0 {
            block.flags &= !flag::ACTIVE;
            block.steps = block.steps.saturating_sub(1);
        }
    }
}

/// Goes on to the next question; `None` when the phase is over.
fn advance(t: &mut Table) -> Option<hits::Question> {
    loop {
        if let Some(question) = hits::settle(t) {
            return Some(question);
        }
        let Some(hex) = t.res::<Melees>().hex else {
            let open = pending(t);
            match open[..] {
                [] => {
                    if let Some((side, _)) = overstacked(t) {
                        return Some((side, "overstacked", "6.2"));
                    }
                    return None;
                }
                [only] => begin(t, only),
                _ => return Some((t.active(), "melee", "7.1")),
            }
            continue;
        };
        if let Some(side) = t.res::<Melees>().regroup {
            let mut any = false;
            regroupings(t, hex, side, |_| any = true);
            if any {
                return Some((side, "regroup", "7.9"));
            }
            end_melee(t);
            continue;
        }
        if let Some(winner) = winner(t, hex) {
            conclude(t, hex, winner);
            continue;
        }
        match group(t, hex) {
            Some((side, units)) => {
                let stuck = units.iter().copied().find(|&unit| {
                    must_retreat(t, unit) && retreats(t, unit).is_empty() && !may_leave(t, unit)
                });
                match stuck {
                    Some(unit) => eliminate_attacker(t, unit),
                    None => return Some((side, "combat-turn", "7.2")),
                }
            }
            None => {
                let melees = t.res_mut::<Melees>();
                melees.round += 1;
                melees.acted.clear();
                melees.used = 0;
            }
        }
    }
}

fn end_melee(t: &mut Table) {
    let melees = t.res_mut::<Melees>();
    melees.hex = None;
    melees.regroup = None;
    melees.used = 0;
    melees.round = 0;
}

/// An attacker that must retreat and cannot is lost (§7.7).
fn eliminate_attacker(t: &mut Table, unit: UnitId) {
    t.res_mut::<Melees>()
        .attacks
        .retain(|attack| attack.unit != unit);
    eliminate(t, unit, rule!("7.7"));
}

/// The melee phase.
pub struct MeleePhase;

impl Phase for MeleePhase {
    fn name(&self) -> &'static str {
        "melee"
    }

    fn verbs(&self) -> &'static [&'static str] {
        Do::VERBS
    }

    fn enter(&self, t: &mut Table) -> Result<(), Fault> {
        *t.res_mut::<Chosen>() = Chosen::default();
        *t.res_mut::<Wounds>() = Wounds::default();
        Ok(())
    }

    fn next(&self, t: &mut Table) -> Result<Step, Fault> {
        match advance(t) {
            Some((side, question, rule)) => Ok(Step::ask(side, question, rule)),
            None => {
                pay_command(t);
                Ok(Step::Done)
            }
        }
    }

    fn options(&self, t: &Table, out: &mut Options) -> Result<(), Fault> {
        let (wounds, melees) = (t.res::<Wounds>(), t.res::<Melees>());
        if wounds.left > 0 {
            hits::candidates(t, wounds)
                .into_iter()
                .for_each(|unit| out.push(Do::Hit(unit)));
            return Ok(());
        }
        let Some(hex) = melees.hex else {
            let open = pending(t);
            open.iter().for_each(|&hex| out.push(Do::Fight(hex)));
            if let Some((side, hex)) = overstacked(t).filter(|_| open.is_empty()) {
                stack(t, side, hex).for_each(|unit| out.push(Do::Lose(unit)));
            }
            return Ok(());
        };
        if let Some(side) = melees.regroup {
            regroupings(t, hex, side, |answer| out.push(answer));
            out.push(Do::Done);
            out.sort();
            return Ok(());
        }
        let Some((_, units)) = group(t, hex) else {
            return Ok(());
        };
        for unit in units {
            if must_form(t, unit) {
                out.push(Do::Form(unit));
            } else if !must_retreat(t, unit) {
                out.push(Do::Strike(unit));
            }
            for to in retreats(t, unit) {
                out.push(Do::Retreat(unit, to));
            }
            if may_leave(t, unit) {
                out.push(Do::Leave(unit));
            }
        }
        out.sort();
        Ok(())
    }

    fn take(&self, t: &mut Table, act: Act) -> Result<(), Fault> {
        match Do::from_act(act) {
            Some(Do::Fight(hex)) => begin(t, hex),
            Some(Do::Strike(unit)) => strike(t, unit)?,
            Some(Do::Retreat(unit, hex)) => retreat(t, unit, hex),
            Some(Do::Leave(unit)) => leave(t, unit),
            Some(Do::Form(unit)) => {
                t.res_mut::<Army>().at(unit).flags &= !flag::COLUMN;
                t.res_mut::<Melees>().acted.push(unit);
            }
            Some(Do::Hit(unit)) => hits::take(t, unit),
            Some(Do::Withdraw(unit, hex)) => regroup(t, unit, hex, "regroups to"),
            Some(Do::Reinforce(unit)) => {
                let hex = t.res::<Melees>().hex.unwrap_or(HexId(0));
                regroup(t, unit, hex, "reinforces");
            }
            Some(Do::Lose(unit)) => eliminate(t, unit, rule!("6.2")),
            Some(Do::Done) => end_melee(t),
            None => return Err(Fault::Broken("not an answer of the melee phase".into())),
        }
        Ok(())
    }

    fn why_not(&self, t: &Table, act: Act) -> Refusal {
        let no = |rule, why: &'static str| Refusal::new(rule, why);
        match Do::from_act(act) {
            Some(Do::Fight(_)) => no(rule!("7.1"), "no melee waits there"),
            Some(Do::Strike(unit)) => why_not_turn(t, unit)
                .unwrap_or_else(|| no(rule!("7.2"), "an attacker must retreat in the last round")),
            Some(Do::Retreat(unit, _) | Do::Leave(unit)) => {
                let why = "attackers go back where they came from, defenders to a friendly hex with \
                           room, one through a hexside in a round";
                why_not_turn(t, unit).unwrap_or_else(|| no(rule!("7.7"), why))
            }
            Some(Do::Form(_)) => no(rule!("6.0"), "is not in column"),
            Some(Do::Hit(_)) => no(rule!("5.23"), "the strongest block takes the hit"),
            Some(Do::Withdraw(..) | Do::Reinforce(_)) => no(
                rule!("7.9"),
                "winners regroup to and from adjacent hexes, one through a hexside",
            ),
            Some(Do::Lose(_)) => no(rule!("6.2"), "is not over the stacking limit"),
            _ => no(rule!("7.1"), "is not asked now"),
        }
    }

    fn text(&self, t: &Table, act: Act) -> String {
        let to = |verb: &str, unit, hex| format!("{} {verb} {}", name(t, unit), label(t, hex));
        match Do::from_act(act) {
            Some(Do::Fight(hex)) => format!("resolve the melee at {}", label(t, hex)),
            Some(Do::Strike(unit)) => format!("{} strikes", name(t, unit)),
            Some(Do::Retreat(unit, hex)) => to("retreats to", unit, hex),
            Some(Do::Leave(unit)) => format!("{} retreats off the map", name(t, unit)),
            Some(Do::Form(unit)) => format!("{} forms line", name(t, unit)),
            Some(Do::Hit(unit)) => format!("{} takes the hit", name(t, unit)),
            Some(Do::Withdraw(unit, hex)) => to("regroups to", unit, hex),
            Some(Do::Reinforce(unit)) => format!("{} reinforces", name(t, unit)),
            Some(Do::Lose(unit)) => format!("{} is lost", name(t, unit)),
            Some(Do::Done) => "no more".into(),
            None => "?".into(),
        }
    }

    fn prompt(&self, t: &Table, ask: Ask) -> String {
        let melees = t.res::<Melees>();
        let place = melees.hex.map_or("?", |hex| label(t, hex));
        match ask.question {
            "hit" => "Who takes the hit?".into(),
            "combat-turn" => format!("{place}, round {}: strike or retreat?", melees.round),
            "regroup" => format!("{place} is won: who regroups?"),
            "overstacked" => "Which block is over the stacking limit?".into(),
            _ => "Which melee is resolved next?".into(),
        }
    }

    fn fight(&self, t: &Table, act: Act) -> Option<(Arc<dyn Combat>, Fight)> {
        let Do::Strike(unit) = Do::from_act(act)? else {
            return None;
        };
        why_not_turn(t, unit).is_none().then_some(())?;
        Some((t.combat("melee").ok()?, turn(t, unit)?))
    }
}

/// Why it is not a block's combat turn; nothing if it is.
fn why_not_turn(t: &Table, unit: UnitId) -> Option<Refusal> {
    let hex = t.res::<Melees>().hex;
    let group = hex.and_then(|hex| group(t, hex));
    let turn = group.is_some_and(|(_, units)| units.contains(&unit));
    (!turn).then(|| Refusal::new(rule!("7.2"), "does not have its combat turn now"))
}
