//! The stages of the Combat Phase, from bombardment to the last advance (§7.1 to §7.14).

use super::commit::commitments;
use super::{declare, results, retreat};
use crate::leaders;
use crate::state::{Battle, Orders, Stage};
use cupola_kernel::{Side, Table, UnitId};

/// Fights that can still be fought.
pub fn open_fights(t: &Table) -> impl Iterator<Item = (u8, UnitId)> + '_ {
    let here = |unit: &&UnitId| t.hex(**unit).is_some();
    t.res::<Battle>()
        .fights
        .iter()
        .enumerate()
        .filter_map(move |(i, fight)| {
            let alive = !fight.done && fight.attackers.iter().any(|unit| here(&unit));
            let defender = fight.defenders.iter().find(here);
            alive.then_some(())?;
            Some((i as u8, *defender?))
        })
}

/// Takes up a fight.
pub fn begin_fight(t: &mut Table, number: u8) {
    let battle = t.res_mut::<Battle>();
    *battle = Battle {
        stage: Stage::Commit,
        current: number,
        fights: std::mem::take(&mut battle.fights),
        ..Battle::default()
    };
}

/// Whom the phase asks, what, and by which section.
type Question = (Side, &'static str, &'static str);

/// What a stage leads to.
enum Next {
    /// A question.
    Ask(Question),
    /// The stage that follows.
    Then(Stage),
    /// The end of the phase.
    Over,
}

/// Goes on to the next stage that has a question; `None` when the phase is over.
pub fn advance_to_question(t: &mut Table) -> Option<Question> {
    if let Some(asked) = leaders::question(t) {
        return Some(asked);
    }
    loop {
        let next = match t.res::<Battle>().stage {
            Stage::Bombard | Stage::Disengage | Stage::Declare => prelude(t),
            Stage::Pick | Stage::Commit | Stage::Answer | Stage::HoldBack => fight(t),
            Stage::Results => results(t),
            Stage::Advance => advance(t),
        };
        match next {
            Next::Ask(question) => return Some(question),
            Next::Then(stage) => t.res_mut::<Battle>().stage = stage,
            Next::Over => return None,
        }
    }
}

/// Before the first fight (§7.1 to §7.3).
fn prelude(t: &Table) -> Next {
    let (active, other) = (t.active(), t.active().other());
    match t.res::<Battle>().stage {
        Stage::Bombard => {
            if t.res::<Orders>().bombardment && declare::bombarders(t).next().is_some() {
                return Next::Ask((active, "bombard", "4"));
            }
            Next::Then(Stage::Disengage)
        }
        Stage::Disengage => {
            let mut any = false;
            declare::disengagements(t, |_, _| any = true);
            if any {
                return Next::Ask((other, "disengage", "7.1"));
            }
            Next::Then(Stage::Declare)
        }
        _ => match declare::wanted(t) {
            declare::Wanted::Targets => Next::Ask((active, "attack", "7.3")),
            declare::Wanted::Cover => Next::Ask((active, "also", "7.3")),
            declare::Wanted::Extra => Next::Ask((active, "also-routed", "7.12")),
            declare::Wanted::Nothing => Next::Then(Stage::Pick),
        },
    }
}

/// A fight up to its dice (§7.4 A to C).
fn fight(t: &mut Table) -> Next {
    let (active, other) = (t.active(), t.active().other());
    match t.res::<Battle>().stage {
        Stage::Pick => {
            let open: Vec<u8> = open_fights(t).map(|(number, _)| number).collect();
            match open[..] {
                [] => Next::Over,
                [only] => {
                    begin_fight(t, only);
                    Next::Then(Stage::Commit)
                }
                _ => Next::Ask((active, "fight", "7.4")),
            }
        }
        Stage::Commit if commitments(t, active).is_empty() => Next::Then(Stage::Answer),
        Stage::Commit => Next::Ask((active, "commit", "7.4")),
        Stage::Answer if commitments(t, other).is_empty() => Next::Then(Stage::HoldBack),
        Stage::Answer => Next::Ask((other, "commit", "7.4")),
        _ => Next::Ask((active, "roll", "7.9")),
    }
}

/// Retreats and what is owed (§7.10, §7.13).
fn results(t: &mut Table) -> Next {
    let stuck = retreat::settle(t);
    // Who broke may have left a leader alone (§9.1).
    if let Some(asked) = leaders::question(t) {
        return Next::Ask(asked);
    }
    if let Some(side) = retreat::pending(t) {
        let question = if stuck {
            retreat::NOBODY_CAN
        } else {
            "retreat"
        };
        return Next::Ask((side, question, "7.13"));
    }
    if !results::debtors(t).is_empty() {
        return Next::Ask((t.active(), "exchange", "7.10"));
    }
    results::tire_attackers(t);
    Next::Then(Stage::Advance)
}

/// The advance, and the end of the fight (§7.14).
fn advance(t: &mut Table) -> Next {
    let mut any = false;
    retreat::advances(t, |_, _| any = true);
    if let Some(victor) = t.res::<Battle>().victor.filter(|_| any) {
        return Next::Ask((victor, "advance", "7.14"));
    }
    let battle = t.res_mut::<Battle>();
    battle.fights[usize::from(battle.current)].done = true;
    Next::Then(Stage::Pick)
}

/// Nothing more of what was asked.
pub fn done(t: &mut Table, stage: Stage) {
    let battle = t.res_mut::<Battle>();
    match stage {
        Stage::Bombard => {
            t.res_mut::<Orders>().bombardment = false;
        }
        Stage::Disengage => battle.stage = Stage::Declare,
        Stage::Declare => battle.stage = Stage::Pick,
        Stage::Commit => battle.stage = Stage::Answer,
        Stage::Answer => battle.stage = Stage::HoldBack,
        Stage::Advance => battle.vacated.clear(),
        Stage::Pick | Stage::HoldBack | Stage::Results => {}
    }
}
