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

/// Goes on to the next stage that has a question; `None` when the phase is over.
pub fn advance_to_question(t: &mut Table) -> Option<(Side, &'static str, &'static str)> {
    let (active, other) = (t.active(), t.active().other());
    if let Some(asked) = leaders::question(t) {
        return Some(asked);
    }
    loop {
        let stage = t.res::<Battle>().stage;
        match stage {
            Stage::Bombard => {
                if t.res::<Orders>().bombardment && declare::bombarders(t).next().is_some() {
                    return Some((active, "bombard", "4"));
                }
                t.res_mut::<Battle>().stage = Stage::Disengage;
            }
            Stage::Disengage => {
                let mut any = false;
                declare::disengagements(t, |_, _| any = true);
                if any {
                    return Some((other, "disengage", "7.1"));
                }
                t.res_mut::<Battle>().stage = Stage::Declare;
            }
            Stage::Declare => match declare::wanted(t) {
                declare::Wanted::Targets => return Some((active, "attack", "7.3")),
                declare::Wanted::Cover => return Some((active, "also", "7.3")),
                declare::Wanted::Extra => return Some((active, "also-routed", "7.12")),
                declare::Wanted::Nothing => t.res_mut::<Battle>().stage = Stage::Pick,
            },
            Stage::Pick => {
                let open: Vec<u8> = open_fights(t).map(|(number, _)| number).collect();
                match open[..] {
                    [] => return None,
                    [only] => begin_fight(t, only),
                    _ => return Some((active, "fight", "7.4")),
                }
            }
            Stage::Commit => {
                if !commitments(t, active).is_empty() {
                    return Some((active, "commit", "7.4"));
                }
                t.res_mut::<Battle>().stage = Stage::Answer;
            }
            Stage::Answer => {
                if !commitments(t, other).is_empty() {
                    return Some((other, "commit", "7.4"));
                }
                t.res_mut::<Battle>().stage = Stage::HoldBack;
            }
            Stage::HoldBack => return Some((active, "roll", "7.9")),
            Stage::Results => {
                let stuck = retreat::settle(t);
                // Who broke may have left a leader alone (§9.1).
                if let Some(asked) = leaders::question(t) {
                    return Some(asked);
                }
                if let Some(side) = retreat::pending(t) {
                    return Some((
                        side,
                        if stuck {
                            retreat::NOBODY_CAN
                        } else {
                            "retreat"
                        },
                        "7.13",
                    ));
                }
                if !results::debtors(t).is_empty() {
                    return Some((active, "exchange", "7.10"));
                }
                results::tire_attackers(t);
                t.res_mut::<Battle>().stage = Stage::Advance;
            }
            Stage::Advance => {
                let mut any = false;
                retreat::advances(t, |_, _| any = true);
                if any {
                    return t
                        .res::<Battle>()
                        .victor
                        .map(|victor| (victor, "advance", "7.14"));
                }
                let battle = t.res_mut::<Battle>();
                let current = usize::from(battle.current);
                battle.fights[current].done = true;
                battle.stage = Stage::Pick;
            }
        }
    }
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
