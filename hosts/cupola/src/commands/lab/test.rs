//! `cupola lab test`: did the change do anything?

use super::progress::interrupted;
use super::terms::Terms;
use super::{Plans, TOLD, Work, parse_skill, played};
use crate::answer::Answer;
use crate::commands::diff::between;
use crate::context::Context;
use crate::keep::write_file;
use crate::tell::json_out;
use crate::thing::Thing;
use anyhow::{Context as _, bail};
use cupola_army::Moment;
use cupola_bots::Skill;
use cupola_lab::sequential::{Design, Finding, Test};
use cupola_lab::{Choice, Contest, Figure, Metric, PairTest, Pairs, Setting, Telling};
use cupola_library::Told;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

/// Arguments of `cupola lab test`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cupola lab test corps20 no-rain --metric length --out rain
  cupola lab test corps20/july1 corps20/july1+no-rain+my-variant.ron --out both
  cupola lab test blocks my-variant.ron --metric men-lost-us --margin 100 --max-pairs 2000 --out mine

Plays pairs that share seed, start and plan until it is clear that the two differ, or that they are equivalent
within the margin, or until the pairs are spent (undecided). Both error rates hold over all looks together.

Metrics: winner, margin, loss-share, attacks, decisions, marched, idle, first-contact, first-attack, length,
men-lost-SIDE, guns-lost-SIDE, attacks-SIDE, place:ID (minutes held by the first side), place:ID:SIDE.

Exit code 0 if they differ or are equivalent, 1 if undecided or stopped, 2 if something is wrong.
DIR keeps all games, so that the same command goes on where it was, and the journals of the most telling pair.

With several metrics JSON has them in a list, metrics. JSON keys of each: base, variant, scenario, metric, sentence, alpha, beta, margin, verdict (differs, equivalent, undecided),
within_margin, same_rules, base_mean, variant_mean, effect, interval [low, high], inner [low, high], pairs, games,
alike, looks [pairs], saving {ratio, low, high} (null: without end), independent_games, bad [contest, game, seed,
fault], telling {game, seed, base, variant, parting {after, base, variant {turn, time, phase, side, question, option,
options}}}, journals [base, variant], differences [file, subject, field, was, to, origins],
terms {players, plans, scales [ruleset, low, high] (of two rulesets, where the metric counts what is lost), scale_turns_it}")]
pub struct Args {
    /// What to compare with: a ruleset, RULESET/SCENARIO, a variant's name or file, a position; with more variants on
    /// top after +.
    base: String,
    /// What to try: the same.
    variant: String,
    /// What to look at, by name; a name that is not known lists all. May be given several times: then both error rates
    /// are shared out, so that they hold for all answers together.
    #[arg(long = "metric", value_name = "METRIC", default_value = "winner")]
    metrics: Vec<String>,
    /// The hours of the battle; the earliest and shortest that both cover if left out. A name of data/scenarios, or a file.
    #[arg(long, value_name = "NAME|FILE")]
    scenario: Option<String>,
    /// A difference that matters, in units of the metric; every metric has a modest one of its own.
    #[arg(long, value_name = "X")]
    margin: Option<f64>,
    /// The most that the chance may be of saying "differs" when they do not.
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    alpha: f64,
    /// The most that the chance may be of saying "equivalent" when they differ by the margin.
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    beta: f64,
    /// The most pairs to play.
    #[arg(long, value_name = "N", default_value_t = 600, value_parser = clap::value_parser!(u32).range(16..=1_000_000))]
    max_pairs: u32,
    /// Who plays both sides.
    #[arg(long, value_name = "BOT", default_value = "steady", value_parser = parse_skill)]
    bot: Skill,
    /// Who plays against the bot; then each seed is played on both sides.
    #[arg(long, value_name = "BOT", value_parser = parse_skill)]
    against: Option<Skill>,
    /// The folder in which games and journals are kept.
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

/// Plays pairs until the question is answered.
pub fn run(args: &Args, context: &mut Context, out: &mut dyn Write) -> anyhow::Result<Answer> {
    let things = [
        Thing::of(context, &args.base)?,
        Thing::of(context, &args.variant)?,
    ];
    let mut setting = super::hours(context, args.scenario.as_deref(), &[&things[0], &things[1]])?;
    let told = between(context, &args.base, &args.variant)?;
    args.plans.put_into(&mut setting, context)?;
    let (base, variant) = contests(args, context, &setting)?;
    let sides = [0, 1].map(|i| {
        let side = setting.scenario.sides.get(i);
        side.map_or_else(String::new, |side| side.side.clone())
    });
    let parsed = args
        .metrics
        .iter()
        .map(|name| Metric::parse(name, &sides, &base));
    let metrics: Result<Vec<Metric>, String> = parsed.collect();
    let metrics = metrics.map_err(anyhow::Error::msg)?;
    std::fs::create_dir_all(&args.out)
        .with_context(|| format!("{}: cannot be made", args.out.display()))?;
    let stop = interrupted()?;
    let pairs = Pairs::new(base, variant).but_for_origins(only_origins(&told));
    let mut reports = vec![];
    for metric in &metrics {
        let Some(report) = answer(args, &pairs, metric, &stop)? else {
            writeln!(out, "Stopped; the same command goes on where it was.")?;
            return Ok(Answer::No);
        };
        let journals = journals(args, &pairs, report.telling.as_ref())?;
        let terms = Terms::of(&report, &pairs, &setting);
        reports.push((report, terms, journals));
    }
    let mut verdict = vec![];
    print_all(args, &reports, &told, &mut verdict)?;
    if args.json {
        json_all(&reports, &told, out)?;
    } else {
        out.write_all(&verdict)?;
    }
    write_file(&args.out.join("verdict.txt"), &verdict)?;
    let decided = |(report, ..): &Answered| report.verdict != Finding::Undecided;
    Ok(Answer::from(reports.iter().all(decided)))
}

/// The files in which nothing differs but where values come from.
fn only_origins(told: &[Told]) -> Vec<String> {
    let same = |told: &Told| told.was.is_some() && told.was == told.to;
    let mut files: Vec<&String> = told.iter().map(|told| &told.file).collect();
    files.retain(|file| told.iter().filter(|told| told.file == **file).all(same));
    files.dedup();
    files
        .into_iter()
        .map(|file| format!("{file}.ron"))
        .collect()
}

/// A metric's answer, what it rests on, and the journals of its most telling pair.
type Answered = (PairTest, Terms, Vec<PathBuf>);

fn json_all(reports: &[Answered], told: &[Told], out: &mut dyn Write) -> anyhow::Result<()> {
    let mut values = vec![];
    for (report, terms, journals) in reports {
        let mut value = serde_json::to_value(report)?;
        value["terms"] = serde_json::to_value(terms)?;
        value["journals"] = serde_json::to_value(journals)?;
        value["differences"] = serde_json::to_value(told)?;
        values.push(value);
    }
    match &values[..] {
        [one] => json_out(out, one),
        all => json_out(out, &serde_json::json!({ "metrics": all })),
    }
}

fn print_all(
    args: &Args,
    reports: &[Answered],
    told: &[Told],
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    for (i, answered) in reports.iter().enumerate() {
        if i > 0 {
            writeln!(out)?;
        }
        // What differs is told once.
        print(answered, if i == 0 { told } else { &[] }, out)?;
    }
    if reports.len() > 1 && !reports.iter().all(|(report, ..)| report.same_rules) {
        let (alpha, beta, many) = (args.alpha * 100.0, args.beta * 100.0, reports.len());
        writeln!(
            out,
            "\nThe rates of {alpha} % and {beta} % hold for all {many} answers together: each had its share."
        )?;
    }
    Ok(())
}

/// Plays pairs until one metric is decided, with its share of the error rates; none if interrupted.
fn answer(
    args: &Args,
    pairs: &Pairs,
    metric: &Metric,
    stop: &AtomicBool,
) -> anyhow::Result<Option<PairTest>> {
    let many = args.metrics.len().max(1) as f64;
    let play = |contest: &Contest, games: u32| {
        let records = args.work.play(&args.out, contest, games, stop)?;
        anyhow::Ok((!stop.load(Ordering::Relaxed)).then_some(records))
    };
    let (base, _) = pairs.half(0);
    let margin = match args.margin {
        Some(margin) => margin,
        None if pairs.same() => metric.margin(base, &[]),
        None => {
            let Some(pilot) = play(base, PILOT)? else {
                return Ok(None);
            };
            metric.margin(base, &pilot)
        }
    };
    let test = Test::new(Design {
        alpha: args.alpha / many,
        beta: args.beta / many,
        margin,
        first: PILOT,
        most: args.max_pairs,
        reach: metric.reach(base),
    });
    pairs.test(metric, &test.map_err(anyhow::Error::msg)?, play)
}

/// Games of the base by which a margin is chosen, and pairs before the first look.
const PILOT: u32 = 16;

fn contests(
    args: &Args,
    context: &mut Context,
    setting: &Setting,
) -> anyhow::Result<(Contest, Contest)> {
    let skills = [args.bot, args.against.unwrap_or(args.bot)];
    let mut contest = |what: &str| {
        let Some(played) = played(context, setting, what)? else {
            bail!("{what} has no scenario that covers {}", setting.scenario.id);
        };
        let name = super::short_name(what);
        Ok(setting.contest(&name, played, skills, args.work.seed))
    };
    let (base, mut variant) = (contest(&args.base)?, contest(&args.variant)?);
    share_hours(&base, &variant)?;
    // Two files of one name in different folders must not share their records.
    if base.name == variant.name && args.base != args.variant {
        variant.name.push_str("-variant");
    }
    Ok((base, variant))
}

/// Refuses games of different hours: a day against another is no test of rules.
fn share_hours(base: &Contest, variant: &Contest) -> anyhow::Result<()> {
    let hours = |contest: &Contest| -> anyhow::Result<(Moment, Moment)> {
        let env = contest.play.env();
        // A position may begin long after its scenario's first turn.
        let game = contest.play.game(contest.seed_of(0))?;
        let last = &env.track.turns[usize::from(env.last_turn)];
        Ok((game.table().turn_info().start, last.end))
    };
    let ((from, to), (begins, ends)) = (hours(base)?, hours(variant)?);
    if ends <= from || to <= begins {
        let (base, variant) = (&base.name, &variant.name);
        bail!(
            "{base} is played from {from} to {to}, {variant} from {begins} to {ends}: they have no hours in common"
        );
    }
    Ok(())
}

/// Writes the journals of the most telling pair.
fn journals(args: &Args, pairs: &Pairs, telling: Option<&Telling>) -> anyhow::Result<Vec<PathBuf>> {
    let Some(telling) = telling else {
        return Ok(vec![]);
    };
    let (base, variant) = pairs.half(telling.half);
    let mut files = vec![];
    for contest in [base, variant] {
        let name = format!("{}-{}.journal", contest.name, telling.game);
        let path = args.out.join(name);
        let journal = contest.journal(telling.game).map_err(anyhow::Error::msg)?;
        write_file(&path, journal.write().as_bytes())?;
        files.push(path);
    }
    Ok(files)
}

fn print(
    (report, terms, journals): &Answered,
    told: &[Told],
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let PairTest { base, variant, .. } = report;
    for told in told.iter().take(TOLD) {
        writeln!(out, "  {told}")?;
    }
    match told.len().saturating_sub(TOLD) {
        0 => {}
        more => writeln!(out, "  and {more} more: cupola diff {base} {variant}")?,
    }
    writeln!(
        out,
        "{variant} against {base} ({}), by {}: {}.",
        report.scenario, report.metric, report.sentence
    )?;
    writeln!(out, "\n{}\n", verdict(report))?;
    if report.same_rules {
        return Ok(());
    }
    figures(report, out)?;
    write!(out, "{terms}")?;
    for bad in &report.bad {
        writeln!(
            out,
            "  went wrong  {} game {} (seed {}): {}",
            bad.contest, bad.game, bad.seed, bad.fault
        )?;
    }
    if let Some(telling) = &report.telling {
        tell(report, telling, journals, out)?;
    }
    Ok(())
}

/// What the verdict rests on.
fn figures(report: &PairTest, out: &mut dyn Write) -> anyhow::Result<()> {
    let PairTest { base, variant, .. } = report;
    let (low, high) = report.interval;
    writeln!(out, "  {}\n", bar(report))?;
    writeln!(
        out,
        "  mean        {base} {}, {variant} {}",
        figure(report.base_mean),
        figure(report.variant_mean)
    )?;
    writeln!(
        out,
        "  difference  {:+} within {:+} to {:+}; what matters is {}",
        Figure(report.effect),
        Figure(low),
        Figure(high),
        figure(report.margin)
    )?;
    writeln!(
        out,
        "  errors      at most {} to say \"differs\" of two that do not, {} to say \"equivalent\" of two that \
         differ by {}",
        percent(report.alpha),
        percent(report.beta),
        figure(report.margin)
    )?;
    writeln!(
        out,
        "  played      {} pairs, {} games; {} pairs came to exactly the same",
        report.pairs, report.games, report.alike
    )?;
    writeln!(out, "  shared dice {}", saving(report))?;
    Ok(())
}

fn verdict(report: &PairTest) -> String {
    let (effect, margin) = (report.effect, figure(report.margin));
    match report.verdict {
        _ if report.same_rules => {
            "EQUIVALENT: both are the same rules, so every game is the same and none was played."
                .into()
        }
        Finding::Differs if report.within_margin => {
            format!("DIFFERS, but by less than the {margin} that matter.")
        }
        Finding::Differs => {
            let way = if effect > 0.0 { "more" } else { "less" };
            format!("DIFFERS: {} {way} in the mean.", figure(effect.abs()))
        }
        Finding::Equivalent => format!("EQUIVALENT: if they differ, then by less than {margin}."),
        Finding::Undecided => {
            "UNDECIDED: the pairs are spent. More pairs or a wider margin may tell.".into()
        }
    }
}

fn saving(report: &PairTest) -> String {
    let Some(saving) = report.saving else {
        return "nothing to save: all games come to the same".into();
    };
    let Some(ratio) = saving.ratio else {
        return "save without end: the difference is the same in every pair".into();
    };
    let high = saving.high.map_or("any number".into(), figure);
    let needed = report.independent_games.unwrap_or_default();
    format!(
        "independent dice need {} times as many games ({} to {high}), about {needed}",
        figure(ratio),
        figure(saving.low)
    )
}

/// The pair that tells most, where it parts ways, and how to see it.
fn tell(
    report: &PairTest,
    telling: &Telling,
    journals: &[PathBuf],
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    writeln!(
        out,
        "\nThe most telling pair is game {}, seed {}: {} against {}.",
        telling.game,
        telling.seed,
        figure(telling.variant),
        figure(telling.base)
    )?;
    match &telling.parting {
        None => writeln!(out, "Every choice in it is the same.")?,
        Some(parting) => {
            writeln!(out, "After {} like choices it parts ways:", parting.after)?;
            let choices = [
                (&report.base, &parting.base),
                (&report.variant, &parting.variant),
            ];
            for (name, choice) in choices {
                writeln!(
                    out,
                    "  {name}: {}",
                    choice.as_ref().map_or("over".into(), words)
                )?;
            }
        }
    }
    for journal in journals {
        writeln!(out, "  cupola replay {}", journal.display())?;
    }
    Ok(())
}

fn words(choice: &Choice) -> String {
    format!(
        "turn {} ({}), {}, {}: {} (1 of {})",
        choice.turn, choice.time, choice.phase, choice.side, choice.option, choice.options
    )
}

/// The interval as a line: `(` and `)` are the margin, `|` is no difference, `o` what was found.
fn bar(report: &PairTest) -> String {
    const HALF: f64 = 30.0;
    let (low, high) = report.interval;
    let farthest = low.abs().max(high.abs()).min(1e12);
    let scale = (1.25 * report.margin).max(1.05 * farthest);
    let at = |x: f64| (HALF + (x / scale * HALF).clamp(-HALF, HALF)).round() as usize;
    let mut line = vec!['·'; 2 * HALF as usize + 1];
    line[at(0.0)] = '|';
    line[at(low)..=at(high)].fill('━');
    if line[at(0.0)] == '━' {
        line[at(0.0)] = '┿';
    }
    line[at(-report.margin)] = '(';
    line[at(report.margin)] = ')';
    line[at(report.effect)] = 'o';
    let line: String = line.into_iter().collect();
    format!("{:+} {line} {:+}", Figure(-scale), Figure(scale))
}

fn figure(x: f64) -> String {
    Figure(x).to_string()
}

fn percent(p: f64) -> String {
    // To a thousandth, without zeros at the end.
    format!("{} %", (p * 1e5).round() / 1e3)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(effect: f64, interval: (f64, f64)) -> PairTest {
        PairTest {
            base: "base".into(),
            variant: "variant".into(),
            scenario: "july1".into(),
            metric: "winner".into(),
            sentence: "who wins".into(),
            alpha: 0.05,
            beta: 0.05,
            margin: 0.05,
            verdict: Finding::Differs,
            within_margin: false,
            same_rules: false,
            base_mean: 0.5,
            variant_mean: 0.5 + effect,
            effect,
            interval,
            inner: interval,
            pairs: 16,
            games: 32,
            alike: 0,
            looks: vec![16],
            saving: None,
            independent_games: None,
            bad: vec![],
            telling: None,
        }
    }

    #[test]
    fn the_bar_shows_margin_interval_and_what_was_found() {
        let line = bar(&report(0.1, (0.06, 0.14)));
        let marks: String = line
            .chars()
            .filter(|mark| "(|)o━".contains(*mark))
            .collect();
        assert!(marks.starts_with("(|)━") && marks.contains('o'), "{line}");
        assert_eq!(
            line.chars()
                .filter(|mark| "·(|)o━┿".contains(*mark))
                .count(),
            61
        );
        // An interval across nothing, and one without ends.
        assert!(bar(&report(0.01, (-0.02, 0.04))).contains('┿'));
        bar(&report(0.0, (f64::NEG_INFINITY, f64::INFINITY)));
    }

    #[test]
    fn figures_keep_three_digits() {
        assert_eq!(figure(1234.4), "1234");
        assert_eq!(figure(0.0512), "0.051");
        assert_eq!(figure(0.0), "0");
        assert_eq!(percent(0.05), "5 %");
        assert_eq!(format!("{:+}", Figure(2.5)), "+2.50");
    }
}
