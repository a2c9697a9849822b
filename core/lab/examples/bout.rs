//! Some games of a ruleset, and what became of them: `cargo run --release -p cupola-lab --example bout -- blocks 20 steady steady`.
//!
//! `bout RULESET GAMES FIRST SECOND [SCENARIO] [own|free|bold|cautious|PLANS] [tell]` plays on one thread and prints one line: who won,
//! what was lost, how the players behaved. `bold` and `cautious` let everybody seek the enemy in that temper, PLANS is a pair of
//! plans of the scenario. Under `valgrind --tool=callgrind` it counts what a game costs.

use cupola_blindswords as _;
use cupola_blocks as _;
use cupola_bots::{Order, Plan, Skill, Task, Temper};
use cupola_common as _;
use cupola_corps20 as _;
use cupola_gbacw as _;
use cupola_kernel::{Registry, Seed, Side};
use cupola_lab::{Contest, Played, Record, Setting};
use cupola_library::Library;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [ruleset, games, first, second, rest @ ..] = &args[..] else {
        return Err("RULESET GAMES FIRST SECOND [SCENARIO] [PLANS] [tell]".into());
    };
    let scenario = rest.first().map_or("gettysburg-july1", String::as_str);
    let library = Library::new(Library::find_root()?, None, Registry::linked()?);
    let mut setting = Setting::read(&library, scenario)?;
    match rest.get(1).map(String::as_str) {
        None | Some("own") => {}
        Some("free") => setting.plans = [None, None],
        Some("bold") => everybody(&mut setting, Temper::Bold),
        Some("cautious") => everybody(&mut setting, Temper::Cautious),
        Some(name) => {
            let plans = setting.scenario.other_plans.get(name).cloned();
            let plans = plans.ok_or_else(|| format!("no plans {name} for these hours"))?;
            setting.put_plans(&library, &plans)?;
        }
    }
    let played_as = setting.scenario.played_as.get(ruleset);
    let played_as = played_as.ok_or_else(|| format!("{ruleset} does not cover these hours"))?;
    let play = library.play(ruleset, played_as, None)?;
    let played = Played {
        title: String::new(),
        ruleset: ruleset.clone(),
        variant: None,
        play,
    };
    let skills = [Skill::parse(first)?, Skill::parse(second)?];
    let contest = setting.contest(ruleset, played, skills, Seed(0x1863));
    if rest.get(2).is_some_and(|word| word == "tell") {
        return tell(&contest, games.parse()?);
    }
    let records: Vec<Record> = (0..games.parse()?).map(|n| contest.play(n)).collect();
    for record in &records {
        if let Some(fault) = &record.fault {
            println!("game {}: {fault}", record.number);
        }
    }
    let env = contest.play.env();
    let sides = [0, 1].map(|i| {
        env.side(&setting.scenario.sides[i].side)
            .unwrap_or(Side::BOTH[i])
    });
    let way = if sides[0] == Side::First { 1.0 } else { -1.0 };
    let won = |side: Option<Side>| {
        let winner = |r: &&Record| r.kept.verdict.as_ref().is_some_and(|v| v.winner == side);
        records.iter().filter(winner).count()
    };
    let mean = |of: &dyn Fn(&Record) -> f64| {
        records.iter().map(of).sum::<f64>() / records.len().max(1) as f64
    };
    let lost = |side: Side| {
        mean(&|record| {
            let last = record.kept.snapshots.last();
            let units = last.map_or(&[][..], |snapshot| &snapshot.units);
            let men = units.iter().zip(&contest.play.env().units);
            let own = men.filter(|(_, info)| info.side == side);
            own.map(|(at, info)| f64::from(info.men) * f64::from(at.lost) / 1000.0)
                .sum()
        })
    };
    let tally = |of: &dyn Fn(&cupola_lab::Tally) -> u32| {
        mean(&|record| {
            let all = record.kept.snapshots.iter().flat_map(|s| &s.tally);
            f64::from(all.map(of).sum::<u32>())
        })
    };
    let late = mean(&|record| {
        let men = |snapshot: &cupola_lab::Snapshot| -> f64 {
            let units = snapshot.units.iter().zip(&contest.play.env().units);
            units
                .map(|(at, info)| f64::from(info.men) * f64::from(at.lost) / 1000.0)
                .sum()
        };
        let turns = record.kept.snapshots.windows(2);
        let evening = turns.filter(|pair| pair[0].minute.rem_euclid(1440) >= 18 * 60);
        evening.map(|pair| men(&pair[1]) - men(&pair[0])).sum()
    });
    println!(
        "{ruleset} {first}-{second}: won {} lost {} drawn {} | margin {:.0} | men lost {:.0} {:.0}, {late:.0} after six | attacks {:.1} decisions {:.0}",
        won(Some(sides[0])),
        won(Some(sides[1])),
        won(None),
        mean(&|record| way * f64::from(record.kept.margin)),
        lost(sides[0]),
        lost(sides[1]),
        tally(&|tally| tally.attacks),
        tally(&|tally| tally.decisions),
    );
    Ok(())
}

/// Everybody seeks the enemy, in this temper.
fn everybody(setting: &mut Setting, temper: Temper) {
    for (plan, side) in setting.plans.iter_mut().zip(&setting.scenario.sides) {
        *plan = Some(Plan {
            title: String::new(),
            battle: setting.scenario.battle.clone(),
            side: side.side.clone(),
            source: String::new(),
            from_record: false,
            orders: vec![Order {
                who: side.side.clone(),
                from: None,
                until: None,
                task: Task::Seek,
                temper,
            }],
        });
    }
}

/// Every choice of a game that was one, with the stakes of those that lead to a fight.
fn tell(contest: &Contest, game: u32) -> Result<(), Box<dyn Error>> {
    let mut prizes = vec![];
    let mut turn = u16::MAX;
    contest.retrace(game, |game, side, act| {
        if turn != game.table().turn() {
            turn = game.table().turn();
            game.prizes(&mut prizes);
            let board = game.table().board();
            let held = prizes.iter().map(|prize| {
                let by = prize
                    .held
                    .map_or("-", |side| &game.table().env().sides[side].id);
                format!("{} {by} {}", board.label(prize.hex), prize.worth)
            });
            println!("== {}", held.collect::<Vec<_>>().join(", "));
        }
        let options = game.decision().map_or(0, |decision| decision.options.len());
        let table = game.table();
        if options > 1 {
            let stakes = game.stakes(act).map(|stakes| format!(" {stakes:?}"));
            println!(
                "{} {} {}: {} (of {options}){}",
                table.turn_info().id,
                table.env().sides[side].id,
                game.margin(),
                game.text(act),
                stakes.unwrap_or_default()
            );
        }
        false
    })?;
    Ok(())
}
