//! Games of bots, and what became of them.
//!
//! * `bout games RULESET SCENARIO FIRST SECOND GAMES [PLANS]` prints one line: who won, what was lost, how the players behaved. Under
//!   `valgrind --tool=callgrind` it counts what a game costs.
//! * `bout tell RULESET SCENARIO FIRST SECOND GAME [PLANS [WORD]]` follows one game: every choice that was one (and has the word in it), beside
//!   the four options that a steady player likes best, and what they seem worth to him in tenths of a man.
//! * `bout rung RULESET SCENARIO BETTER WEAKER GAMES [FROM]` measures a rung of the ladder. Each number is played twice, with the seats
//!   exchanged and the same dice; nobody has a plan. The seconds are those of the processor in which the better player chose where there
//!   was a choice.
//!
//! SCENARIO is one of the lab's, such as `gettysburg-july1`. PLANS is `own`, `free`, `bold` or `cautious` (everybody seeks the enemy in that
//! temper), or a pair of plans of the scenario.

use cupola_blindswords as _;
use cupola_blocks as _;
use cupola_bots::{Order, Plan, Player, Sight, Skill, Steady, Task, Temper};
use cupola_common as _;
use cupola_corps20 as _;
use cupola_gbacw as _;
use cupola_kernel::{Act, Fault, Game, Prize, Registry, Seed, Side};
use cupola_lab::{Contest, Played, Record, Setting, Snapshot};
use cupola_library::Library;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let [
        what @ ("games" | "tell" | "rung"),
        ruleset,
        scenario,
        first,
        second,
        number,
        rest @ ..,
    ] = &args[..]
    else {
        return Err("games|tell|rung RULESET SCENARIO FIRST SECOND NUMBER […]".into());
    };
    let skills = [Skill::parse(first)?, Skill::parse(second)?];
    let library = Library::new(Library::find_root()?, None, Registry::linked()?);
    let mut setting = Setting::read(&library, scenario)?;
    let plans = match *what {
        "rung" => "free",
        _ => rest.first().copied().unwrap_or("own"),
    };
    put_plans(&mut setting, &library, plans)?;
    let contest = contest(&library, &setting, ruleset, skills)?;
    let number: u32 = number.parse()?;
    match *what {
        "games" => games(&contest, &setting, number),
        "tell" => tell(&contest, number, rest.get(1).copied().unwrap_or(""))?,
        _ => {
            let from = rest.first().map_or(Ok(0), |from| from.parse())?;
            let who = format!("{ruleset}/{scenario} {first} v {second}");
            rung(contest, skills, &who, from..from + number)?;
        }
    }
    Ok(())
}

fn contest(
    library: &Library,
    setting: &Setting,
    ruleset: &str,
    skills: [Skill; 2],
) -> Result<Contest, Box<dyn Error>> {
    let played_as = setting.scenario.played_as.get(ruleset);
    let played_as = played_as.ok_or_else(|| format!("{ruleset} does not cover these hours"))?;
    let played = Played {
        title: String::new(),
        ruleset: ruleset.to_owned(),
        variant: None,
        play: library.play(ruleset, played_as, None)?,
    };
    Ok(setting.contest(ruleset, played, skills, Seed(0x1863)))
}

fn put_plans(setting: &mut Setting, library: &Library, name: &str) -> Result<(), Box<dyn Error>> {
    match name {
        "own" => {}
        "free" => setting.plans = [None, None],
        "bold" => everybody(setting, Temper::Bold),
        "cautious" => everybody(setting, Temper::Cautious),
        name => {
            let plans = setting.scenario.other_plans.get(name).cloned();
            let plans = plans.ok_or_else(|| format!("no plans {name} for these hours"))?;
            setting.put_plans(library, &plans)?;
        }
    }
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

/// Some games, on one thread, in one line.
fn games(contest: &Contest, setting: &Setting, games: u32) {
    let records: Vec<Record> = (0..games).map(|n| contest.play(n)).collect();
    for record in &records {
        if let Some(fault) = &record.fault {
            println!("game {}: {fault}", record.number);
        }
    }
    let env = contest.play.env();
    let sides = [0, 1].map(|i| {
        let side = env.side(&setting.scenario.sides[i].side);
        side.unwrap_or(Side::BOTH[i])
    });
    let way = if sides[0] == Side::First { 1.0 } else { -1.0 };
    let won = |side: Option<Side>| {
        let winner = |r: &&Record| r.kept.verdict.as_ref().is_some_and(|v| v.winner == side);
        records.iter().filter(winner).count()
    };
    let mean = |of: &dyn Fn(&Record) -> f64| {
        records.iter().map(of).sum::<f64>() / records.len().max(1) as f64
    };
    let men = |snapshot: &Snapshot, sides: &[Side]| -> f64 {
        let units = snapshot.units.iter().zip(&env.units);
        let own = units.filter(|(_, info)| sides.contains(&info.side));
        own.map(|(at, info)| f64::from(info.men) * f64::from(at.lost) / 1000.0)
            .sum()
    };
    let lost = |side: Side| {
        mean(&|record| {
            let last = record.kept.snapshots.last();
            last.map_or(0.0, |snapshot| men(snapshot, &[side]))
        })
    };
    let late = mean(&|record| {
        let turns = record.kept.snapshots.windows(2);
        let evening = turns.filter(|pair| pair[0].minute.rem_euclid(1440) >= 18 * 60);
        let lost = evening.map(|pair| men(&pair[1], &Side::BOTH) - men(&pair[0], &Side::BOTH));
        lost.sum()
    });
    let tally = |of: &dyn Fn(&cupola_lab::Tally) -> u32| {
        mean(&|record| {
            let all = record.kept.snapshots.iter().flat_map(|s| &s.tally);
            f64::from(all.map(of).sum::<u32>())
        })
    };
    println!(
        "{} {}-{}: won {} lost {} drawn {} | margin {:.0} | men lost {:.0} {:.0}, {late:.0} after six | attacks {:.1} decisions {:.0}",
        contest.name,
        contest.skills[0],
        contest.skills[1],
        won(Some(sides[0])),
        won(Some(sides[1])),
        won(None),
        mean(&|record| way * f64::from(record.kept.margin)),
        lost(sides[0]),
        lost(sides[1]),
        tally(&|tally| tally.attacks),
        tally(&|tally| tally.decisions),
    );
}

/// Every choice of a game that was one, what a steady player thinks of the best, and the stakes of those that lead to a fight.
fn tell(contest: &Contest, number: u32, word: &str) -> Result<(), Fault> {
    let (mut prizes, mut turn, mut fault) = (vec![], u16::MAX, None);
    let mut critics = [0, 1].map(|i| Steady::new(contest.briefs[i].clone()));
    contest.retrace(number, |game, side, act| {
        if turn != game.table().turn() {
            turn = game.table().turn();
            tell_turn(game, &mut prizes);
        }
        let told = tell_choice(game, side, act, &mut critics[side as usize], word);
        fault = told.err();
        fault.is_some()
    })?;
    fault.map_or(Ok(()), Err)
}

/// What a turn begins with: how far ahead the first side is, men lost, and who holds what counts.
fn tell_turn(game: &Game, prizes: &mut Vec<Prize>) {
    let (table, mut standings) = (game.table(), vec![]);
    let env = table.env();
    game.standings(&mut standings);
    let lost = Side::BOTH.map(|side| {
        let units = env.units.iter().zip(&standings);
        let own = units.filter(|(unit, _)| unit.side == side);
        let men = own.map(|(unit, now)| u64::from(unit.men) * u64::from(now.lost) / 1000);
        format!("{} lost {}", env.sides[side].id, men.sum::<u64>())
    });
    game.prizes(prizes);
    let held = prizes.iter().map(|prize| {
        let by = prize.held.map_or("-", |side| &env.sides[side].id);
        format!("{} {by} {}", table.board().label(prize.hex), prize.worth)
    });
    println!(
        "== {} {}: {}; {}",
        table.turn_info().id,
        game.margin(),
        lost.join(", "),
        held.collect::<Vec<_>>().join(", ")
    );
}

fn tell_choice(
    game: &Game,
    side: Side,
    act: Act,
    critic: &mut Steady,
    word: &str,
) -> Result<(), Fault> {
    let Some(sight) = Sight::new(game, Seed(0)).filter(|sight| sight.options().len() > 1) else {
        return Ok(());
    };
    let ranked = critic.rank(&sight)?.iter();
    let ranked = ranked.map(|(worth, act)| format!("{} {worth}", game.text(*act)));
    let ranked: Vec<String> = ranked.take(4).collect();
    let table = game.table();
    let line = format!(
        "{} {} {}: {} → {} (of {}) [{}]{}",
        table.turn_info().id,
        table.env().sides[side].id,
        game.margin(),
        game.prompt().unwrap_or_default(),
        game.text(act),
        sight.options().len(),
        ranked.join(" | "),
        game.stakes(act)
            .map_or(String::new(), |stakes| format!(" {stakes:?}")),
    );
    if line.contains(word) {
        println!("{line}");
    }
    Ok(())
}

/// A rung of the ladder.
fn rung(
    mut contest: Contest,
    [better, weaker]: [Skill; 2],
    who: &str,
    numbers: std::ops::Range<u32>,
) -> Result<(), Fault> {
    let mut tally = Tally::default();
    for number in numbers {
        for side in Side::BOTH {
            let seat = |i: usize| if i == side as usize { better } else { weaker };
            contest.skills = [seat(0), seat(1)];
            tally.play(&contest, side, contest.seed_of(number))?;
        }
        tally.tell(who);
    }
    Ok(())
}

#[derive(Default)]
struct Tally {
    leads: Vec<f64>,
    won: usize,
    drawn: usize,
    choices: u64,
    spent: f64,
    longest: f64,
}

impl Tally {
    fn play(&mut self, contest: &Contest, side: Side, seed: Seed) -> Result<(), Fault> {
        let mut players = [0, 1].map(|i| {
            let (own, other) = (&contest.briefs[i], &contest.guesses[1 - i]);
            Player::new(contest.skills[i], own, other, seed.nth(100 + i as u64))
        });
        let mut game = contest.play.game(seed)?;
        while let Some(decision) = game.decision() {
            let (mover, choice) = (decision.ask.side, decision.options.len() > 1);
            let start = processor();
            let Some(act) = players[mover as usize].choose(&game)? else {
                break;
            };
            if mover == side && choice {
                let took = processor() - start;
                self.choices += 1;
                self.spent += took;
                self.longest = self.longest.max(took);
            }
            game.apply_unchecked(act)?;
        }
        let way = if side == Side::First { 1.0 } else { -1.0 };
        self.leads.push(way * f64::from(game.margin()));
        match game.verdict().and_then(|verdict| verdict.winner) {
            Some(winner) => self.won += usize::from(winner == side),
            None => self.drawn += 1,
        }
        Ok(())
    }

    fn tell(&self, who: &str) {
        let games = self.leads.len();
        let n = games as f64;
        let mean = self.leads.iter().sum::<f64>() / n;
        // By pairs: what one seat is better off cancels.
        let pairs: Vec<f64> = self.leads.chunks(2).map(|x| (x[0] + x[1]) / 2.0).collect();
        let squares: f64 = pairs.iter().map(|x| (x - mean) * (x - mean)).sum();
        let many = pairs.len() as f64;
        let half = 1.96 * (squares / (many - 1.0).max(1.0) / many).sqrt();
        let score = (self.won as f64 + self.drawn as f64 / 2.0) / n;
        println!(
            "{who}: {}-{}-{} {:.0} % | lead {mean:+.0} ± {half:.0} | {} choices a game, {:.3} s each, {:.2} at most",
            self.won,
            self.drawn,
            games - self.won - self.drawn,
            score * 100.0,
            self.choices / games as u64,
            self.spent / self.choices.max(1) as f64,
            self.longest,
        );
    }
}

/// Seconds of the processor that this thread has used, where the system tells.
fn processor() -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanos = told.split(' ').next().and_then(|text| text.parse().ok());
    nanos.unwrap_or(0.0) / 1e9
}
