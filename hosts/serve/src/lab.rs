//! The lab beside the table: reports to read, and a run that the keeper starts.
//!
//! A run is another process of this program, so that it holds up nobody who plays; one at a time.

use crate::wrong::Wrong;
use cupola_library::Library;
use serde_json::{Value, json};
use std::fs::{self, File};
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};

/// The page of a report.
const PAGE: &str = "index.html";
/// What a run says meanwhile.
const SAYS: &str = "run.log";
/// No run has more games of each ruleset.
const MOST: u32 = 2000;

/// Where reports are and who makes them.
pub(crate) struct Lab {
    folder: PathBuf,
    program: PathBuf,
    data: PathBuf,
    run: Mutex<Option<(String, Child)>>,
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
        let says = running
            .as_ref()
            .map(|name| last_line(&self.folder.join(name).join(SAYS)));
        json!({
            "reports": reports,
            "running": running,
            "says": says,
            "scenarios": scenarios(library),
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

    /// Starts a run.
    ///
    /// # Errors
    /// If one goes on, or there is no such scenario.
    pub fn start(&self, library: &Library, scenario: &str, games: u32) -> Result<(), Wrong> {
        if !scenarios(library).iter().any(|known| known == scenario) {
            return Err(Wrong::missing("scenario"));
        }
        if !(1..=MOST).contains(&games) {
            return Err(Wrong::bad(format!("A run has 1 to {MOST} games.")));
        }
        // Held until it has begun, so that two who start together do not both.
        let mut run = self.run.lock().unwrap_or_else(PoisonError::into_inner);
        if alive(&mut run).is_some() {
            return Err(Wrong::forbidden("One run at a time."));
        }
        let name = format!("{scenario}-{games}");
        let folder = self.folder.join(&name);
        let failed = |error: std::io::Error| Wrong::not_stored(error);
        fs::create_dir_all(&folder).map_err(failed)?;
        let log = File::create(folder.join(SAYS)).map_err(failed)?;
        let child = Command::new(&self.program)
            .arg("--data")
            .arg(&self.data)
            .args(["lab", "compare", scenario, "--games", &games.to_string()])
            .arg("--out")
            .arg(&folder)
            .stdin(Stdio::null())
            .stdout(Stdio::from(log.try_clone().map_err(failed)?))
            .stderr(Stdio::from(log))
            .spawn()
            .map_err(failed)?;
        *run = Some((name, child));
        Ok(())
    }

    /// Ends the run; what it has played is kept, and the same run goes on from there.
    pub fn stop(&self) {
        let run = self
            .run
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if let Some((_, mut child)) = run {
            // It may have ended by itself.
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    fn running(&self) -> Option<String> {
        alive(&mut self.run.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The run that goes on; one that has ended is let go.
fn alive(run: &mut Option<(String, Child)>) -> Option<String> {
    let (name, child) = run.as_mut()?;
    if matches!(child.try_wait(), Ok(None)) {
        return Some(name.clone());
    }
    *run = None;
    None
}

/// The hours of battles that the lab can compare.
fn scenarios(library: &Library) -> Vec<String> {
    let folder = library.root().join("scenarios");
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = files
        .filter_map(|entry| {
            let path = entry.path();
            let ron = path.extension().is_some_and(|end| end == "ron");
            ron.then(|| path.file_stem()?.to_str().map(str::to_owned))?
        })
        .collect();
    names.sort();
    names
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

fn last_line(log: &Path) -> String {
    let read = || -> std::io::Result<String> {
        let mut file = File::open(log)?;
        let size = file.metadata()?.len();
        file.seek(SeekFrom::Start(size.saturating_sub(2000)))?;
        let mut bytes = vec![];
        file.read_to_end(&mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    let text = read().unwrap_or_default();
    let mut lines = text.split(['\n', '\r']).map(str::trim);
    let last = lines.rfind(|line| !line.is_empty()).unwrap_or_default();
    last.chars()
        .filter(|letter| !letter.is_control())
        .take(200)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::is_plain;

    #[test]
    fn a_report_is_named_and_no_path_leads_out() {
        assert!(is_plain("gettysburg-july1-100") && is_plain("games.csv"));
        for bad in ["..", ".", "a/b", "a\\b", "", "\u{e9}"] {
            assert!(!is_plain(bad), "{bad}");
        }
    }
}
