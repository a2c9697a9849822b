//! Games of bots, and what became of them.
//!
//! * `bout games RULESET SCENARIO FIRST SECOND GAMES [PLANS]` prints one line: who won, what was lost, how the players behaved. Under
//!   `valgrind --tool=callgrind` it counts what a game costs.
//! * `bout tell RULESET SCENARIO FIRST SECOND GAME [PLANS [WORD]]` follows one game: every choice that was one (and has the word in it), beside
//!   the four options that a steady player likes best, and what they seem worth to him in tenths of a man.
//! * `bout rung RULESET SCENARIO BETTER WEAKER PAIRS [FROM [FILE]]` measures a rung of the ladder. Each number is played twice, with the
//!   seats exchanged and the same dice; nobody has a plan. The seconds are those of the processor in which the better player chose where
//!   there was a choice. Games are added to the file one by one, and those of this rung that stand there are counted and not played again:
//!   so a rung can be cut off, and measured further.
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
use std::io::{ErrorKind, Write};
use std::path::PathBuf;

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
            let tally = Tally::read(who, rest.get(1).map(PathBuf::from))?;
            rung(contest, skills, tally, from..from + number)?;
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
    mut tally: Tally,
    numbers: std::ops::Range<u32>,
) -> Result<(), Box<dyn Error>> {
    for number in numbers {
        for side in Side::BOTH {
            let seat = |i: usize| if i == side as usize { better } else { weaker };
            contest.skills = [seat(0), seat(1)];
            if !tally.knows(number, side) {
                tally.add(bout(&contest, number, side)?)?;
            }
        }
        tally.tell();
    }
    Ok(())
}

/// A game of a rung, as the better player sees it.
struct Bout {
    number: u32,
    side: Side,
    /// 1 if he won, 0 if he lost.
    score: f64,
    lead: f64,
    /// His choices where there was one, the seconds that they took, and the longest of them.
    choices: u32,
    spent: f64,
    longest: f64,
}

fn bout(contest: &Contest, number: u32, side: Side) -> Result<Bout, Fault> {
    let seed = contest.seed_of(number);
    let mut players = [0, 1].map(|i| {
        let (own, other) = (&contest.briefs[i], &contest.guesses[1 - i]);
        Player::new(contest.skills[i], own, other, seed.nth(100 + i as u64))
    });
    let mut game = contest.play.game(seed)?;
    let (mut choices, mut spent, mut longest) = (0, 0.0, 0.0_f64);
    while let Some(decision) = game.decision() {
        let (mover, choice) = (decision.ask.side, decision.options.len() > 1);
        let start = processor();
        let Some(act) = players[mover as usize].choose(&game)? else {
            break;
        };
        if mover == side && choice {
            let took = processor() - start;
            choices += 1;
            spent += took;
            longest = longest.max(took);
        }
        game.apply_unchecked(act)?;
    }
    let way = if side == Side::First { 1.0 } else { -1.0 };
    let winner = game.verdict().and_then(|verdict| verdict.winner);
    Ok(Bout {
        number,
        side,
        score: winner.map_or(0.5, |winner| f64::from(u8::from(winner == side))),
        lead: way * f64::from(game.margin()),
        choices,
        spent,
        longest,
    })
}

/// The games of a rung, and where they are kept.
struct Tally {
    who: String,
    file: Option<PathBuf>,
    bouts: Vec<Bout>,
}

impl Tally {
    fn read(who: String, file: Option<PathBuf>) -> Result<Tally, Box<dyn Error>> {
        let text = match file.as_ref().map(std::fs::read_to_string) {
            Some(Err(error)) if error.kind() != ErrorKind::NotFound => return Err(error.into()),
            Some(Ok(text)) => text,
            _ => String::new(),
        };
        let own = text.lines();
        let own = own.filter_map(|line| line.strip_prefix(&who)?.strip_prefix('\t'));
        let bouts = own.map(|line| {
            let bad = || format!("not a game of a rung: {line}");
            let numbers: Result<Vec<f64>, _> = line.split_whitespace().map(str::parse).collect();
            let [number, side, score, lead, choices, spent, longest] =
                numbers?.try_into().map_err(|_| bad())?;
            Ok(Bout {
                number: number as u32,
                side: Side::BOTH[usize::from(side != 0.0)],
                score,
                lead,
                choices: choices as u32,
                spent,
                longest,
            })
        });
        let bouts = bouts.collect::<Result<_, Box<dyn Error>>>()?;
        Ok(Tally { who, file, bouts })
    }

    fn knows(&self, number: u32, side: Side) -> bool {
        let mut all = self.bouts.iter();
        all.any(|bout| (bout.number, bout.side) == (number, side))
    }

    fn add(&mut self, bout: Bout) -> Result<(), std::io::Error> {
        if let Some(file) = &self.file {
            let mut file = std::fs::File::options()
                .create(true)
                .append(true)
                .open(file)?;
            writeln!(
                file,
                "{}\t{} {} {} {} {} {} {}",
                self.who,
                bout.number,
                bout.side as u8,
                bout.score,
                bout.lead,
                bout.choices,
                bout.spent,
                bout.longest
            )?;
        }
        self.bouts.push(bout);
        Ok(())
    }

    fn tell(&self) {
        let n = self.bouts.len() as f64;
        let sum = |of: &dyn Fn(&Bout) -> f64| self.bouts.iter().map(of).sum::<f64>();
        let many = |score: f64| self.bouts.iter().filter(|b| b.score == score).count();
        let mean = sum(&|bout| bout.lead) / n;
        // By pairs: what one seat is better off cancels.
        let firsts = self.bouts.iter().filter(|bout| bout.side == Side::First);
        let pairs = firsts.filter_map(|first| {
            let same = |bout: &&Bout| bout.number == first.number && bout.side != first.side;
            Some((first.lead + self.bouts.iter().find(same)?.lead) / 2.0)
        });
        let pairs: Vec<f64> = pairs.collect();
        let squares: f64 = pairs.iter().map(|x| (x - mean) * (x - mean)).sum();
        let count = pairs.len() as f64;
        let half = 1.96 * (squares / (count - 1.0).max(1.0) / count).sqrt();
        println!(
            "{}: {}-{}-{} {:.0} % | lead {mean:+.0} ± {half:.0} | {:.0} choices a game, {:.3} s each, {:.2} at most",
            self.who,
            many(1.0),
            many(0.5),
            many(0.0),
            sum(&|bout| bout.score) / n * 100.0,
            sum(&|bout| f64::from(bout.choices)) / n,
            sum(&|bout| bout.spent) / sum(&|bout| f64::from(bout.choices)).max(1.0),
            self.bouts.iter().map(|b| b.longest).fold(0.0, f64::max),
        );
    }
}

/// Seconds of the processor that this thread has used, where the system tells.
fn processor() -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanos = told.split(' ').next().and_then(|text| text.parse().ok());
    nanos.unwrap_or(0.0) / 1e9
}
