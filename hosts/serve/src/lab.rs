//! The lab beside the table: reports to read, and a run that the keeper starts.
//!
//! A run is another process of this program, so that it holds up nobody who plays; one at a time.

use crate::wrong::Wrong;
use cupola_army::Scenario;
use cupola_data::Source;
use cupola_library::Library;
use serde_json::{Value, json};
use std::fs::{self, File};
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The page of a report.
const PAGE: &str = "index.html";
/// What a run says meanwhile.
const SAYS: &str = "run.log";
/// The club's own games, beside the report.
const CLUB: &str = "club";
/// No more of what a run said is looked at.
const LONGEST_LOG: u64 = 64 * 1024;
/// No run has more games of each ruleset.
const MOST: u32 = 2000;

/// Where reports are and who makes them.
pub(crate) struct Lab {
    folder: PathBuf,
    program: PathBuf,
    data: PathBuf,
    run: Mutex<Runs>,
}

/// The run that goes on, and how the last one ended.
#[derive(Default)]
struct Runs {
    now: Option<(String, Child)>,
    failed: Option<String>,
}

impl Lab {
    /// A lab with its reports in a folder.
    pub fn new(folder: PathBuf, program: PathBuf, data: PathBuf) -> Lab {
        Lab {
            folder,
            program,
            data,
            run: Mutex::default(),
        }
    }

    /// The reports, and the run that goes on.
    pub fn reports(&self, library: &Library) -> Value {
        let running = self.running();
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        let mut names: Vec<String> = names.filter(|name| is_plain(name)).collect();
        names.sort();
        let reports: Vec<Value> = names
            .iter()
            .filter_map(|name| {
                let page = self.folder.join(name).join(PAGE);
                let title = title(&page).unwrap_or_else(|| name.clone());
                page.is_file()
                    .then(|| json!({"name": name, "title": title}))
            })
            .collect();
        let log = |name: &String| tail(&self.folder.join(name).join(SAYS));
        let failed = self.lock().failed.clone();
        let told = running.as_ref().map(log);
        json!({
            "reports": reports,
            "running": running,
            "says": told.as_deref().map(last_line),
            "progress": told.as_deref().map(progress),
            "failed": failed.map(|name| json!({"name": name, "says": last_line(&log(&name))})),
            "hours": hours(library),
        })
    }

    /// A file of a report.
    ///
    /// # Errors
    /// If there is none; no path leads out of the folder.
    pub fn file(&self, report: &str, file: &str) -> Result<Vec<u8>, Wrong> {
        let missing = || Wrong::missing("report");
        if !is_plain(report) || !is_plain(file) {
            return Err(missing());
        }
        fs::read(self.folder.join(report).join(file)).map_err(|_| missing())
    }

    /// Starts a run, with the club's own games beside those of the bots.
    ///
    /// # Errors
    /// If one goes on, or there is no such scenario.
    pub fn start(
        &self,
        library: &Library,
        (scenario, games): (&str, u32),
        club: &[(String, String)],
    ) -> Result<(), Wrong> {
        if !hours(library).iter().any(|known| known.name == scenario) {
            return Err(Wrong::missing("scenario"));
        }
        if !(1..=MOST).contains(&games) {
            return Err(Wrong::bad(format!("A run has 1 to {MOST} games.")));
        }
        // Held until it has begun, so that two who start together do not both.
        let mut run = self.lock();
        if run.alive().is_some() {
            return Err(Wrong::forbidden("One run at a time."));
        }
        let name = format!("{scenario}-{games}");
        let folder = self.folder.join(&name);
        let failed = |error: std::io::Error| Wrong::not_stored(error);
        fs::create_dir_all(&folder).map_err(failed)?;
        let log = File::create(folder.join(SAYS)).map_err(failed)?;
        let own = folder.join(CLUB);
        write_journals(&own, club).map_err(failed)?;
        let child = Command::new(&self.program)
            .env("CUPOLA_PROGRESS", "1")
            .arg("--data")
            .arg(&self.data)
            .args(["lab", "compare", scenario, "--games", &games.to_string()])
            .arg("--club")
            .arg(&own)
            .arg("--out")
            .arg(&folder)
            .stdin(Stdio::null())
            .stdout(Stdio::from(log.try_clone().map_err(failed)?))
            .stderr(Stdio::from(log))
            .spawn()
            .map_err(failed)?;
        run.failed = None;
        run.now = Some((name, child));
        Ok(())
    }

    /// Ends the run; what it has played is kept, and the same run goes on from there.
    pub fn stop(&self) {
        let run = self.lock().now.take();
        if let Some((_, mut child)) = run {
            // It may have ended by itself.
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Runs> {
        self.run.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn running(&self) -> Option<String> {
        self.lock().alive()
    }
}

impl Runs {
    /// The run that goes on; one that has ended is let go.
    fn alive(&mut self) -> Option<String> {
        let (name, child) = self.now.as_mut()?;
        let ended = match child.try_wait() {
            Ok(None) => return Some(name.clone()),
            Ok(Some(status)) => status.success(),
            Err(_) => false,
        };
        let name = self.now.take().map(|(name, _)| name);
        self.failed = name.filter(|_| !ended);
        None
    }
}

/// The club's games for one run: those of an earlier one are gone.
fn write_journals(folder: &Path, club: &[(String, String)]) -> std::io::Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder)?;
    for (name, text) in club {
        fs::write(folder.join(name), text)?;
    }
    Ok(())
}

/// How far every part of a run is, as its bars say: label, games done and wanted.
fn progress(log: &str) -> Vec<Value> {
    let mut parts: Vec<(String, u64, u64, String)> = vec![];
    for line in log.split(['\n', '\r']) {
        let Some((label, rest)) = line.split_once('[') else {
            continue;
        };
        let Some((_, rest)) = rest.split_once(']') else {
            continue;
        };
        let rest = rest.trim();
        let (count, pace) = rest.split_once(' ').unwrap_or((rest, ""));
        let Some((done, wanted)) = count.split_once('/') else {
            continue;
        };
        let (Ok(done), Ok(wanted)) = (done.parse(), wanted.parse()) else {
            continue;
        };
        let label = label.trim().to_owned();
        parts.retain(|(known, ..)| *known != label);
        parts.push((label, done, wanted, pace.trim().to_owned()));
    }
    let value = |(label, done, wanted, pace): (String, u64, u64, String)| json!({"label": label, "done": done, "wanted": wanted, "pace": pace});
    parts.into_iter().map(value).collect()
}

/// The hours of battles that the lab can compare.
/// Hours of a battle that can be compared.
#[derive(serde::Serialize)]
struct Hours {
    name: String,
    title: String,
    /// Who plays them.
    rulesets: Vec<String>,
}

/// All that there are, those first that most rulesets play.
fn hours(library: &Library) -> Vec<Hours> {
    let folder = library.root().join("scenarios");
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut all: Vec<Hours> = files
        .filter_map(|entry| {
            let path = entry.path();
            let ron = path.extension().is_some_and(|end| end == "ron");
            let name = path.file_stem()?.to_str().filter(|_| ron)?.to_owned();
            let scenario: Option<Scenario> = Source::read(&path).ok()?.ron().ok();
            let scenario = scenario?;
            Some(Hours {
                name,
                title: scenario.title,
                rulesets: scenario.played_as.into_keys().collect(),
            })
        })
        .collect();
    all.sort_by(|a, b| {
        let many = b.rulesets.len().cmp(&a.rulesets.len());
        many.then_with(|| a.name.cmp(&b.name))
    });
    all
}

/// A name that is no path.
fn is_plain(name: &str) -> bool {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
    !name.is_empty() && !name.starts_with('.') && name.len() < 100 && name.chars().all(plain)
}

fn title(page: &Path) -> Option<String> {
    let mut start = String::new();
    File::open(page)
        .ok()?
        .take(4096)
        .read_to_string(&mut start)
        .ok()?;
    let text = start.split("<title>").nth(1)?.split("</title>").next()?;
    Some(text.to_owned())
}

/// The end of what a run said.
fn tail(log: &Path) -> String {
    let read = || -> std::io::Result<String> {
        let mut file = File::open(log)?;
        let size = file.metadata()?.len();
        file.seek(SeekFrom::Start(size.saturating_sub(LONGEST_LOG)))?;
        let mut bytes = vec![];
        file.read_to_end(&mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    read().unwrap_or_default()
}

fn last_line(text: &str) -> String {
    let mut lines = text.split(['\n', '\r']).map(str::trim);
    let last = lines.rfind(|line| !line.is_empty()).unwrap_or_default();
    last.chars()
        .filter(|letter| !letter.is_control())
        .take(200)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{is_plain, progress};
    use serde_json::json;

    #[test]
    fn bars_are_read_from_what_a_run_says() {
        let log = "a note [with brackets]\nblocks         [######----] 3/12  0.5 games/s, 18 s left\r\
                   blocks         [########--] 9/12  0.6 games/s, 5 s left\ncorps20        [] 1/2  1.0 games/s\n";
        let told = progress(log);
        assert_eq!(
            told,
            [
                json!({"label": "blocks", "done": 9, "wanted": 12, "pace": "0.6 games/s, 5 s left"}),
                json!({"label": "corps20", "done": 1, "wanted": 2, "pace": "1.0 games/s"}),
            ]
        );
    }

    #[test]
    fn a_report_is_named_and_no_path_leads_out() {
        assert!(is_plain("gettysburg-july1-100") && is_plain("games.csv"));
        for bad in ["..", ".", "a/b", "a\\b", "", "\u{e9}"] {
            assert!(!is_plain(bad), "{bad}");
        }
    }
}
