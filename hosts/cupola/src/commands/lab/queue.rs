//! `--queue` and `cupola worker`: a run shared out over many machines.

use super::progress::{Bar, interrupted};
use super::{played_by, say};
use crate::answer::Answer;
use crate::context::Context;
use anyhow::Context as _;
use cupola_bots::Skill;
use cupola_data::Source;
use cupola_lab::{Contest, Record, Setting, Store};
use cupola_queue::{Database, Job, Queue, Settings, address, work};
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How long to wait for a server that is away.
const PATIENCE: Duration = Duration::from_secs(120);

/// How many games a run plays itself, so that workers of another build have something to compare with.
const OWN: u32 = 3;

/// Asks the queue for games, waits for them, and keeps them in a folder as if they had been played here.
pub fn gather(
    queue: &Database,
    folder: &Path,
    setting: &Setting,
    contest: &Contest,
    games: u32,
    stop: &AtomicBool,
) -> anyhow::Result<Vec<Record>> {
    let file = folder.join(format!("{}.games", contest.name));
    let (mut store, known) = Store::open(&file, contest, say)?;
    let mut queue = Queue::connect(queue)?;
    let job = job(setting, contest);
    let build = contest.rules().build();
    queue.patiently(PATIENCE, |queue| queue.post(&job, games))?;
    for number in 0..games.min(OWN) {
        let own = known.iter().find(|record| record.number == number);
        let own = own.cloned().unwrap_or_else(|| contest.play(number));
        queue.patiently(PATIENCE, |queue| queue.deliver(&job.key, &own, build))?;
    }
    let mut bar = Bar::new(&*contest.name);
    let records = loop {
        let progress = queue.patiently(PATIENCE, |queue| queue.progress(&job.key, games))?;
        bar.show(progress.done, progress.wanted, progress.bad);
        for (worker, why) in queue.patiently(PATIENCE, |queue| queue.complaints(&job.key))? {
            say(&format!(
                "worker {worker} plays none of {}: {why}",
                contest.name
            ));
        }
        if progress.done >= games || stop.load(Ordering::Relaxed) {
            let (records, bad) =
                queue.patiently(PATIENCE, |queue| queue.collect(&job.key, games))?;
            if bad.is_empty() || stop.load(Ordering::Relaxed) {
                break records;
            }
            say(&format!(
                "the queue held no records of games {bad:?}; they are played again"
            ));
        }
        std::thread::sleep(Duration::from_millis(200));
    };
    for record in &records {
        if !known.iter().any(|known| known.number == record.number) {
            store.add(record)?;
        }
    }
    Ok(records)
}

/// Tells workers of games that will be wanted, all of them at once, so that nobody waits for the last game of one contest while another
/// could be begun.
pub struct Announcer(Queue);

impl Announcer {
    /// Reaches the queue.
    pub fn new(database: &Database) -> anyhow::Result<Announcer> {
        Ok(Announcer(Queue::connect(database)?))
    }

    /// Tells of some games of a contest.
    pub fn tell(&mut self, setting: &Setting, contest: &Contest, games: u32) -> anyhow::Result<()> {
        let job = job(setting, contest);
        Ok(self
            .0
            .patiently(PATIENCE, |queue| queue.post(&job, games))?)
    }
}

fn job(setting: &Setting, contest: &Contest) -> Job {
    let ruleset = &contest.ruleset;
    Job {
        key: contest.key(),
        rules: contest.rules().write(),
        name: contest.name.clone(),
        scenario: setting.scenario.id.clone(),
        ruleset: ruleset.clone(),
        variant: contest.variant.clone(),
        skills: contest.skills.map(|skill| skill.to_string()),
        plans: setting.texts.clone(),
        seed: contest.seed,
    }
}

/// Arguments of `cupola worker`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cupola worker --queue postgres://lab@server/cupola
  CUPOLA_QUEUE=@/etc/cupola/queue cupola worker --threads 8 --leave

Plays the games that a `cupola lab compare … --queue URL` somewhere asks for. Any number of workers and runs may
share a queue; a worker that is killed loses nothing. Data must be the same everywhere: what a worker cannot
play it leaves to others, and says why, here and at the run that wants the games. A worker of another build
first plays some games of the run's own again.

Leave passwords off the command line: put the address into a file (--queue @FILE) or into CUPOLA_QUEUE, the
password into PGPASSWORD or ~/.pgpass.")]
pub struct Args {
    /// The address of the PostgreSQL server, or a file that holds it; CUPOLA_QUEUE if left out.
    #[arg(long, value_name = "URL|@FILE")]
    queue: Option<String>,
    /// Games at the same time; as many as the machine has processors if left out.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: Option<u16>,
    /// Leave when there is nothing to do, instead of waiting for more.
    #[arg(long)]
    leave: bool,
    /// Seconds without a sign of life after which somebody else plays a worker's games.
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=86400))]
    lease: u64,
    /// Milliseconds that each thread rests after a game, to leave time for other work.
    #[arg(long, value_name = "MS", default_value_t = 0, value_parser = clap::value_parser!(u64).range(0..=3_600_000))]
    rest: u64,
}

/// Works.
pub fn run(args: &Args, context: &mut Context, out: &mut dyn Write) -> anyhow::Result<Answer> {
    let mut queue = Queue::connect(&address(args.queue.as_deref())?)?;
    let threads = args.threads.map_or_else(
        || std::thread::available_parallelism().map_or(1, usize::from),
        usize::from,
    );
    let mut name = [0; 8];
    getrandom::fill(&mut name).context("no name for this worker")?;
    let settings = Settings {
        name: format!("{:016x}", u64::from_le_bytes(name)),
        threads,
        lease: Duration::from_secs(args.lease),
        patience: PATIENCE,
        leave_when_empty: args.leave,
        rest: Duration::from_millis(args.rest),
    };
    let stop = interrupted()?;
    let build = |job: &Job| build(context, job).map_err(|why| format!("{}: {why:#}", job.name));
    let tell = |job: &Job, record: &Record| {
        let fault = record
            .fault
            .as_deref()
            .map_or(String::new(), |why| format!("  WENT WRONG: {why}"));
        eprintln!("{} {}{fault}", job.name, record.number);
    };
    let complain = |why: &str| say(&format!("left to others: {why}"));
    let delivered = work(&mut queue, &settings, &stop, build, tell, complain)?;
    writeln!(out, "{delivered} games delivered")?;
    Ok(Answer::Yes)
}

/// Makes a job ready to be played here.
fn build(context: &mut Context, job: &Job) -> anyhow::Result<Contest> {
    let mut setting = Setting::read(&context.library, &job.scenario)?;
    setting.plans = [None, None];
    for text in job.plans.iter().flatten() {
        setting.put_plan(&Source::new("a plan from the queue", text.clone()))?;
    }
    let variant = job.variant.clone();
    let variant = variant.map(|text| Source::new("a variant from the queue", text));
    let played = played_by(context, &setting, job.ruleset.clone(), variant)?;
    let played =
        played.with_context(|| format!("{} does not cover {}", job.ruleset, job.scenario))?;
    let skill = |i: usize| Skill::parse(&job.skills[i]).map_err(anyhow::Error::msg);
    let skills = [skill(0)?, skill(1)?];
    let contest = setting.contest(&job.name, played, skills, job.seed);
    // The job names them in the order of the ruleset's sides, not of the scenario's.
    Ok(Contest { skills, ..contest })
}
