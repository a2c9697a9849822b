//! §8 Night: rally, cut communications, the field held, morale recovered; and §3.2 the end of a round.

use crate::events::turn_begins;
use crate::field::{change_morale, check_sudden_death, name, on_map, rules};
use crate::leaders;
use crate::rally::{self, Do};
use crate::rules::{Kind, Lifeline};
use crate::state::Armies;
use cupola_army::Light;
use cupola_kernel::{
    Act, Acts, Ask, Event, Fault, HexId, Needs, Options, Phase, Refusal, Side, Step, Table, UnitId,
    Verdict, rule,
};

/// The Morale Phase; nothing happens by day (§3.1).
pub struct Morale;

/// Units of a side that are not cavalry, on the map.
fn foot(t: &Table, side: Side) -> impl Iterator<Item = (UnitId, HexId)> + '_ {
    on_map(t, side).filter(|&(unit, _)| rules(t).card(unit).kind != Kind::Cavalry)
}

/// Enemy units that cut a pike: nearer to its communications than every friend beside it (§8.3).
fn cutters(t: &Table, line: &Lifeline) -> Vec<UnitId> {
    let beside = |&(_, hex): &(UnitId, HexId)| line.near[usize::from(hex.0)];
    let away = |hex| t.board().distance(hex, line.hex);
    let friend = foot(t, line.side)
        .filter(beside)
        .map(|(_, hex)| away(hex))
        .min();
    let cuts = |hex| friend.is_none_or(|friend| away(hex) < friend);
    foot(t, line.side.other())
        .filter(beside)
        .filter(|&(_, hex)| cuts(hex))
        .map(|(unit, _)| unit)
        .collect()
}

/// §8.3 One morale point for each enemy that cuts a pike, however many pikes it cuts.
fn cut_communications(t: &mut Table, side: Side) {
    let lines = rules(t)
        .communications
        .pikes
        .iter()
        .filter(|line| line.side == side);
    let mut found: Vec<UnitId> = lines.flat_map(|line| cutters(t, line)).collect();
    found.sort_unstable();
    found.dedup();
    for unit in found {
        t.say(|t| {
            Event::new(
                "cut",
                rule!("8.3"),
                format!("{} cuts communications", name(t, unit)),
            )
            .unit(unit)
        });
        change_morale(t, side, -1, rule!("8.3"));
    }
}

/// §8.4 An army that has nobody near the prize while the enemy has loses a point.
fn hold_the_field(t: &mut Table, side: Side) {
    let near = |t: &Table, side| {
        foot(t, side).any(|(_, hex)| {
            rules(t)
                .prize
                .iter()
                .any(|&town| t.board().distance(hex, town) <= 3)
        })
    };
    if near(t, side.other()) && !near(t, side) {
        change_morale(t, side, -1, rule!("8.4"));
    }
}

impl Phase for Morale {
    fn name(&self) -> &'static str {
        "morale"
    }

    fn verbs(&self) -> &'static [&'static str] {
        Do::VERBS
    }

    fn needs(&self) -> Needs {
        crate::ruleset::needs().player_turn()
    }

    fn enter(&self, t: &mut Table) -> Result<(), Fault> {
        turn_begins(t);
        if t.is_night() {
            rally::open(t);
        }
        Ok(())
    }

    fn next(&self, t: &mut Table) -> Result<Step, Fault> {
        if !t.is_night() {
            return Ok(Step::Done);
        }
        let side = t.active();
        // A unit that returned may have left an enemy leader alone (§9.1).
        if let Some((side, question, rule)) = leaders::question(t) {
            return Ok(Step::ask(side, question, rule));
        }
        if let Some(question) = rally::question(t, side) {
            return Ok(Step::ask(side, question, "8.2"));
        }
        // §8.5 comes last: an army whose morale has reached zero is beaten before (§10.1).
        for lose in [cut_communications as fn(&mut Table, Side), hold_the_field] {
            lose(t, side);
            check_sudden_death(t);
            if t.verdict().is_some() {
                return Ok(Step::Done);
            }
        }
        change_morale(t, side, 1, rule!("8.5"));
        Ok(Step::Done)
    }

    fn options(&self, t: &Table, ask: Ask, out: &mut Options) -> Result<(), Fault> {
        if ask.question == leaders::QUESTION {
            leaders::options(t, |leader, hex| out.push(Do::Step(leader, hex)));
        } else {
            rally::options(t, t.active(), out);
        }
        Ok(())
    }

    fn take(&self, t: &mut Table, _: Ask, act: Act) -> Result<(), Fault> {
        let answer = Do::from_act(act)
            .ok_or_else(|| Fault::Broken("not an answer of the Morale Phase".into()))?;
        rally::take(t, t.active(), answer);
        Ok(())
    }

    fn why_not(&self, t: &Table, _: Ask, act: Act) -> Refusal {
        rally::why_not(t, Do::from_act(act))
    }

    fn text(&self, t: &Table, _: Ask, act: Act) -> String {
        rally::text(t, Do::from_act(act))
    }

    fn prompt(&self, _: &Table, ask: Ask) -> String {
        rally::prompt(ask.question).into()
    }
}

/// The end of a round: the deck is shuffled after a night (§4), and rain may end the battle (§3.2).
pub struct RoundEnd;

impl Phase for RoundEnd {
    fn name(&self) -> &'static str {
        "round-end"
    }

    fn needs(&self) -> Needs {
        crate::ruleset::needs().once()
    }

    fn enter(&self, t: &mut Table) -> Result<(), Fault> {
        turn_begins(t);
        Ok(())
    }

    fn next(&self, t: &mut Table) -> Result<Step, Fault> {
        if t.turn_info().light == Light::Night {
            t.res_mut::<Armies>().discard = 0;
        }
        let turn = t.turn();
        if let Some(&(_, highest)) = rules(t).rain.iter().find(|(round, _)| *round == turn) {
            let roll = t.roll(6, "rain", cupola_kernel::About::Game) as u8;
            let rains = roll <= highest;
            t.say(|_| {
                let text = if rains {
                    "it rains: the battle is over"
                } else {
                    "no rain yet"
                };
                Event::new(
                    "rain",
                    rule!("3.2"),
                    format!("rolled {roll}, rain on {highest} or less: {text}"),
                )
                .number(roll)
            });
            if rains {
                morale_victory(t);
            }
        }
        Ok(Step::Done)
    }
}

/// §10.2 More than double the other's morale wins; otherwise it is a draw.
pub fn morale_victory(t: &mut Table) {
    let morale = t.res::<Armies>().morale;
    let winner = Side::BOTH
        .into_iter()
        .find(|&side| morale[side] > 2 * morale[side.other()]);
    let how = if winner.is_some() {
        "morale victory"
    } else {
        "draw"
    };
    t.end(Verdict {
        winner,
        how: how.into(),
        rule: rule!("10.2"),
    });
}
