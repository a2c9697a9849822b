//! `cupola lab ladder`: which bot beats which, both sides, with intervals.

use super::progress::interrupted;
use super::{Plans, Work, parse_skill, played};
use crate::answer::Answer;
use crate::context::Context;
use crate::tell::json_out;
use anyhow::Context as _;
use cupola_bots::Skill;
use cupola_kernel::Side;
use cupola_lab::stats::{Estimate, mean, sign, variance, wilson};
use cupola_lab::{Contest, Setting};
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

/// Arguments of `cupola lab ladder`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cupola lab ladder gettysburg-july1 --games 40 --out ladder

Every bot plays the next weaker one, as many games on either side, without a plan unless one is given:
both seek the enemy. A win counts one, a draw a half. The lead is how far the better one is ahead at the end, in
thousandths of a clear win: it tells them apart where most games are drawn. One beats the other, or loses to it, if the whole
interval says so, of the lead where most games are drawn and of the score elsewhere, and so many games would not fall one way
by chance; else it says \"v\".

JSON keys: rungs [ruleset, better, weaker, games, wins, draws, losses, score, low, high, lead, lead_low, lead_high]")]
pub struct Args {
    /// The hours of the battle: a scenario of data/scenarios, or a file.
    scenario: String,
    /// A ruleset or variant; may be given several times. All that cover these hours if left out.
    #[arg(long = "ruleset", value_name = "NAME|FILE")]
    rulesets: Vec<String>,
    /// The bots, weakest first.
    #[arg(long = "bot", value_name = "BOT", value_parser = parse_skill, default_values = ["random", "steady", "search"])]
    bots: Vec<Skill>,
    /// Games on either side.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    games: u32,
    /// The folder in which games are kept, so that the same command can go on.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// As JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    plans: Plans,
    #[command(flatten)]
    work: Work,
}

/// One bot against the next.
#[derive(Debug, Serialize)]
struct Rung {
    ruleset: String,
    better: String,
    weaker: String,
    games: u32,
    wins: u32,
    draws: u32,
    losses: u32,
    score: f64,
    low: f64,
    high: f64,
    /// How far the better one is ahead at the end, in thousandths of a clear win, with its interval.
    lead: f64,
    lead_low: f64,
    lead_high: f64,
}

impl Rung {
    /// What can be said of the two, by the whole interval: of the score, or, where most games are drawn, of the lead.
    fn said(&self) -> &'static str {
        let (low, high) = if self.draws * 2 > self.games {
            (self.lead_low, self.lead_high)
        } else {
            (self.low - 0.5, self.high - 0.5)
        };
        // An interval of few games is narrower than it ought to be: four won of four, or five of six, are no proof.
        let by_score = self.draws * 2 <= self.games;
        let chance = by_score && sign(self.wins, self.losses) > 0.025;
        match (self.games, low, high) {
            // One game has no interval.
            (0 | 1, ..) => "v",
            _ if chance => "v",
            (_, low, _) if low > 0.0 => "beats",
            (_, _, high) if high < 0.0 => "loses to",
            _ => "v",
        }
    }
}

/// Plays the ladder.
pub fn run(args: &Args, context: &mut Context, out: &mut dyn Write) -> anyhow::Result<Answer> {
    let mut setting = Setting::read(&context.library, &args.scenario)?;
    // A plan ties both players' hands alike; what is measured here is the player.
    setting.plans = [None, None];
    args.plans.put_into(&mut setting, context)?;
    std::fs::create_dir_all(&args.out)
        .with_context(|| format!("{}: cannot be made", args.out.display()))?;
    let all: Vec<String> = if args.rulesets.is_empty() {
        setting.scenario.played_as.keys().cloned().collect()
    } else {
        args.rulesets.clone()
    };
    let stop = interrupted()?;
    let mut rungs = vec![];
    for what in &all {
        for pair in args.bots.windows(2) {
            let &[weaker, better] = pair else { continue };
            let Some(played) = played(context, &setting, what)? else {
                anyhow::bail!("{what} has no scenario that covers {}", args.scenario);
            };
            let contest = setting.contest(what, played, [better, weaker], args.work.seed);
            let Some(rung) = climb(args, &contest, better, weaker, &stop)? else {
                writeln!(out, "Stopped; the same command goes on where it was.")?;
                return Ok(Answer::No);
            };
            rungs.push(rung);
        }
    }
    if args.json {
        json_out(out, &serde_json::json!({ "rungs": rungs }))?;
    } else {
        print(&rungs, out)?;
    }
    Ok(Answer::Yes)
}

/// Plays both halves of a rung; none if interrupted.
fn climb(
    args: &Args,
    contest: &Contest,
    better: Skill,
    weaker: Skill,
    stop: &AtomicBool,
) -> anyhow::Result<Option<Rung>> {
    let (mut scores, mut leads) = (vec![], [vec![], vec![]]);
    for side in Side::BOTH {
        let mut skills = [weaker; 2];
        skills[side as usize] = better;
        let who = &contest.play.env().sides[side].id;
        let name = format!("{}-{better}-{weaker}-{who}", contest.name).replace(':', "_");
        let contest = Contest {
            name,
            skills,
            ..contest.clone()
        };
        let records = args.work.play(&args.out, &contest, args.games, stop)?;
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        for record in records.iter().filter(|record| record.fault.is_none()) {
            let winner = record
                .kept
                .verdict
                .as_ref()
                .and_then(|verdict| verdict.winner);
            scores.push(winner.map_or(0.5, |winner| f64::from(u8::from(winner == side))));
            let way = if side == Side::First { 1.0 } else { -1.0 };
            leads[side as usize].push(way * f64::from(record.kept.margin));
        }
    }
    let count = |wanted: f64| scores.iter().filter(|score| **score == wanted).count() as u32;
    let (low, high) = interval(&scores);
    let lead = lead(&leads);
    Ok(Some(Rung {
        ruleset: contest.name.clone(),
        better: better.to_string(),
        weaker: weaker.to_string(),
        games: scores.len() as u32,
        wins: count(1.0),
        draws: count(0.5),
        losses: count(0.0),
        score: mean(&scores),
        low,
        high,
        lead: lead.mean,
        lead_low: lead.low,
        lead_high: lead.high,
    }))
}

/// How far the better one is ahead, from his games on either side. That one side is better off is the scenario's doing and no luck, since
/// each is played as often: so the spread counts within each half alone.
fn lead(halves: &[Vec<f64>; 2]) -> Estimate {
    let games: usize = halves.iter().map(Vec::len).sum();
    if halves.iter().any(|half| half.len() < 2) {
        let all: Vec<f64> = halves.iter().flatten().copied().collect();
        return Estimate::of(&all, false);
    }
    let squares = halves
        .iter()
        .map(|half| variance(half) / half.len() as f64)
        .sum::<f64>();
    let middle = halves.iter().map(|half| mean(half)).sum::<f64>() / 2.0;
    // Two means were taken from the games, not one.
    Estimate::around(middle, squares.sqrt() / 2.0, games as u32 - 1)
}

/// In which the true score lies nineteen times in twenty; with draws it is wider than need be.
fn interval(scores: &[f64]) -> (f64, f64) {
    if scores.is_empty() {
        return (0.0, 1.0);
    }
    wilson(mean(scores), scores.len() as f64)
}

fn print(rungs: &[Rung], out: &mut dyn Write) -> anyhow::Result<()> {
    writeln!(
        out,
        "{:<14} {:<26} {:>5} {:>5} {:>6} {:>7}  {:<18} {:>6}  19 in 20 within",
        "ruleset", "who", "won", "drawn", "lost", "score", "19 in 20 within", "lead"
    )?;
    for rung in rungs {
        let who = format!("{} {} {}", rung.better, rung.said(), rung.weaker);
        writeln!(
            out,
            "{:<14} {who:<26} {:>5} {:>5} {:>6} {:>6.1}%  {:<18} {:>+6.0}  {:+.0} to {:+.0}",
            rung.ruleset,
            rung.wins,
            rung.draws,
            rung.losses,
            rung.score * 100.0,
            format!("{:.1}% to {:.1}%", rung.low * 100.0, rung.high * 100.0),
            rung.lead,
            rung.lead_low,
            rung.lead_high
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rung(wins: u32, draws: u32, losses: u32, lead: [f64; 2]) -> Rung {
        let many = |n: u32, score: f64| std::iter::repeat_n(score, n as usize);
        let scores: Vec<f64> = many(wins, 1.0)
            .chain(many(draws, 0.5))
            .chain(many(losses, 0.0))
            .collect();
        let (low, high) = interval(&scores);
        Rung {
            ruleset: String::new(),
            better: "steady".into(),
            weaker: "random".into(),
            games: wins + draws + losses,
            wins,
            draws,
            losses,
            score: mean(&scores),
            low,
            high,
            lead: f64::midpoint(lead[0], lead[1]),
            lead_low: lead[0],
            lead_high: lead[1],
        }
    }

    #[test]
    fn a_side_that_is_better_off_does_not_blur_the_lead() {
        let lead = lead(&[vec![1100.0, 1300.0, 1200.0], vec![-900.0, -700.0, -800.0]]);
        assert_eq!((lead.mean, lead.clear_of(0.0)), (200.0, Some(true)));
        // The standard error of either half is 100 / √3; Student's point for four degrees of freedom is 2.776.
        let half = 2.7764 * 100.0 / 6f64.sqrt();
        assert!((lead.high - 200.0 - half).abs() < 0.1, "{lead:?}");
    }

    #[test]
    fn the_word_follows_the_interval_of_the_lead_where_most_are_drawn_and_of_the_score_elsewhere() {
        assert_eq!(rung(3, 17, 1, [20.0, 300.0]).said(), "beats");
        assert_eq!(rung(3, 17, 0, [-20.0, 300.0]).said(), "v");
        assert_eq!(rung(1, 17, 3, [-300.0, -20.0]).said(), "loses to");
        assert_eq!(rung(18, 0, 2, [-20.0, 300.0]).said(), "beats");
        assert_eq!(rung(11, 0, 9, [20.0, 300.0]).said(), "v");
        assert_eq!(rung(2, 0, 18, [-20.0, 300.0]).said(), "loses to");
        assert_eq!(rung(1, 0, 0, [500.0, 500.0]).said(), "v");
        // By chance two who are equal come to these as often as one time in eight, and more than one in five.
        assert_eq!(rung(4, 0, 0, [20.0, 300.0]).said(), "v");
        assert_eq!(rung(5, 0, 1, [20.0, 300.0]).said(), "v");
        assert_eq!(rung(1, 0, 5, [-300.0, -20.0]).said(), "v");
        assert_eq!(rung(6, 0, 0, [20.0, 300.0]).said(), "beats");
    }
}
