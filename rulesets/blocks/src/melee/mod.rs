//! §7 The melee phase: rounds of combat turns, retreats, regrouping.

mod retreat;
mod round;

pub use round::{Round, combat_turn, next_turn};

use crate::field::{count, eliminate, label, name, overstacked, rules, show, show_guns, stack};
use crate::hits;
use crate::state::{Attack, Block, Chosen, Melees, Wounds, army, flag};
use cupola_kernel::{
    Act, Acts, Ask, Combat, Event, Fault, Fight, HexId, Needs, Options, Phase, Refusal, Side, Step,
    Table, UnitId, acts, rule,
};
use retreat::{may_leave, must_retreat, regroupings, retreats};
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

/// The blocks whose combat turn it is in the melee of a hex.
fn group(t: &Table, hex: HexId) -> Option<(Side, Vec<UnitId>)> {
    let acted = &t.res::<Melees>().acted;
    next_turn(t, t.active(), acted, |side| stack(t, side, hex).collect())
}

/// The fight of a block's combat turn.
fn turn(t: &Table, unit: UnitId) -> Option<Fight> {
    let melees = t.res::<Melees>();
    let hex = melees.hex?;
    let from = attack_of(t, unit).and_then(|attack| attack.from);
    Some(combat_turn(t, unit, melees.round, Some(hex), from))
}

/// A block in column forms line or retreats before it can strike (§6.0).
fn must_form(t: &Table, unit: UnitId) -> bool {
    t.get::<Block>(unit).has(flag::COLUMN)
}

fn strike(t: &mut Table, unit: UnitId) -> Result<(), Fault> {
    let fight = turn(t, unit).ok_or_else(|| Fault::Broken("no melee is fought".into()))?;
    let combat = t.combat("melee")?;
    let outcome = t.fight(&*combat, &fight)?;
    let hits = outcome.among(&*combat, crate::hits::HITS)? as u8;
    hits::announce(t, "strike", unit, fight.hex, hits);
    let side = rules(t).card(unit).side.other();
    t.res_mut::<Melees>().acted.push(unit);
    *t.res_mut::<Wounds>() = Wounds {
        hex: fight.hex,
        side,
        left: hits,
        open: true,
        ..Wounds::default()
    };
    Ok(())
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

/// After the melees every active headquarters pays a step (§4.3).
fn pay_command(t: &mut Table) {
    let active: Vec<UnitId> = army(t).with(flag::ACTIVE).collect();
    for hq in active {
        let block = t.get_mut::<Block>(hq);
        block.flags &= !flag::ACTIVE;
        block.steps = block.steps.saturating_sub(1);
    }
}

/// Goes on to the next question; `None` when the phase is over.
fn advance(t: &mut Table) -> Option<hits::Question> {
    loop {
        if let Some(question) = hits::settle(t) {
            return Some(question);
        }
        let Some(hex) = t.res::<Melees>().hex else {
            match pending(t)[..] {
                [] => return overstacked(t).map(|(side, _)| (side, "overstacked", "6.2")),
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
        } else if let Some(winner) = winner(t, hex) {
            conclude(t, hex, winner);
        } else if let Some(question) = fight_on(t, hex) {
            return Some(question);
        }
    }
}

/// The next combat turn of the melee at hand, or its next round (§7.2).
fn fight_on(t: &mut Table, hex: HexId) -> Option<hits::Question> {
    let Some((side, units)) = group(t, hex) else {
        let melees = t.res_mut::<Melees>();
        melees.round += 1;
        melees.acted.clear();
        melees.used = 0;
        return None;
    };
    let stuck = units
        .iter()
        .copied()
        .find(|&unit| must_retreat(t, unit) && retreats(t, unit).is_empty() && !may_leave(t, unit));
    match stuck {
        Some(unit) => {
            retreat::eliminate_attacker(t, unit);
            None
        }
        None => Some((side, "combat-turn", "7.2")),
    }
}

fn end_melee(t: &mut Table) {
    let melees = t.res_mut::<Melees>();
    melees.hex = None;
    melees.regroup = None;
    melees.used = 0;
    melees.round = 0;
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

    fn needs(&self) -> Needs {
        crate::ruleset::needs().player_turn().combat("melee")
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
                // §5.31 Retreats and regrouping may have brought guns next to the enemy.
                show_guns(t);
                Ok(Step::Done)
            }
        }
    }

    fn options(&self, t: &Table, _: Ask, out: &mut Options) -> Result<(), Fault> {
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
        Ok(())
    }

    fn take(&self, t: &mut Table, _: Ask, act: Act) -> Result<(), Fault> {
        match Do::from_act(act) {
            Some(Do::Fight(hex)) => begin(t, hex),
            Some(Do::Strike(unit)) => strike(t, unit)?,
            Some(Do::Retreat(unit, hex)) => retreat::retreat(t, unit, hex),
            Some(Do::Leave(unit)) => retreat::leave(t, unit),
            Some(Do::Form(unit)) => {
                t.get_mut::<Block>(unit).flags &= !flag::COLUMN;
                t.res_mut::<Melees>().acted.push(unit);
            }
            Some(Do::Hit(unit)) => hits::take(t, unit),
            Some(Do::Withdraw(unit, hex)) => retreat::regroup(t, unit, hex, "regroups to"),
            Some(Do::Reinforce(unit)) => {
                let hex = t.res::<Melees>().hex.unwrap_or(HexId(0));
                retreat::regroup(t, unit, hex, "reinforces");
            }
            Some(Do::Lose(unit)) => eliminate(t, unit, rule!("6.2")),
            Some(Do::Done) => end_melee(t),
            None => return Err(Fault::Broken("not an answer of the melee phase".into())),
        }
        Ok(())
    }

    fn why_not(&self, t: &Table, _: Ask, act: Act) -> Refusal {
        let no = |rule, why: &'static str| Refusal::new(rule, why);
        match Do::from_act(act) {
            Some(Do::Hit(_)) => no(rule!("5.23"), "the strongest block takes the hit"),
            _ if hits::open(t) => no(rule!("5.23"), "hits are taken first"),
            Some(Do::Fight(_)) => no(rule!("7.1"), "no melee waits there"),
            Some(Do::Strike(unit)) => {
                why_not_turn(t, unit).unwrap_or_else(|| why_not_strike(t, unit))
            }
            Some(Do::Retreat(unit, to)) => why_not_turn(t, unit)
                .unwrap_or_else(|| Refusal::of(retreat::may_retreat(t, unit, to))),
            Some(Do::Leave(unit)) => why_not_turn(t, unit)
                .unwrap_or_else(|| no(rule!("7.7"), "cannot retreat off the map from here")),
            Some(Do::Form(_)) => no(rule!("6.0"), "is not in column"),
            Some(Do::Withdraw(unit, _) | Do::Reinforce(unit))
                if t.res::<Melees>().regroup != Some(rules(t).card(unit).side) =>
            {
                no(rule!("7.9"), "its side regroups when it has won a melee")
            }
            Some(Do::Withdraw(unit, to)) => Refusal::of(retreat::may_withdraw(t, unit, to)),
            Some(Do::Reinforce(unit)) => Refusal::of(retreat::may_reinforce(t, unit)),
            Some(Do::Lose(_)) => no(rule!("6.2"), "is not over the stacking limit"),
            _ => no(rule!("7.1"), "is not asked now"),
        }
    }

    fn text(&self, t: &Table, _: Ask, act: Act) -> String {
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

    fn fight(&self, t: &Table, _: Ask, act: Act) -> Option<(Arc<dyn Combat>, Fight)> {
        let Do::Strike(unit) = Do::from_act(act)? else {
            return None;
        };
        why_not_turn(t, unit).is_none().then_some(())?;
        Some((t.combat("melee").ok()?, turn(t, unit)?))
    }
}

/// Why a block whose combat turn it is may not strike.
fn why_not_strike(t: &Table, unit: UnitId) -> Refusal {
    if must_form(t, unit) {
        return Refusal::new(rule!("6.0"), "a column forms line or retreats");
    }
    let (rule, why) = match t.res::<Melees>().last {
        2 => (
            rule!("7.8"),
            "without command an attacker must retreat in the second round",
        ),
        _ => (rule!("7.2"), "an attacker must retreat in the third round"),
    };
    Refusal::new(rule, why)
}

/// Why it is not a block's combat turn; nothing if it is.
fn why_not_turn(t: &Table, unit: UnitId) -> Option<Refusal> {
    let hex = t.res::<Melees>().hex;
    let group = hex.and_then(|hex| group(t, hex));
    let turn = group.is_some_and(|(_, units)| units.contains(&unit));
    (!turn).then(|| Refusal::new(rule!("7.2"), "does not have its combat turn now"))
}
