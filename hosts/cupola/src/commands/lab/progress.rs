//! Long work behaves: a bar with rate and time left, and Ctrl-C that keeps what is done.

use std::io::{IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A bar on a terminal; a line now and then elsewhere.
pub struct Bar {
    label: String,
    start: Instant,
    first: Option<u32>,
    shown: Option<Instant>,
    terminal: bool,
    /// Somebody watches from another program and wants to know soon.
    watched: bool,
}

impl Bar {
    /// A bar that has not moved yet.
    pub fn new(label: impl Into<String>) -> Bar {
        Bar {
            label: label.into(),
            start: Instant::now(),
            first: None,
            shown: None,
            terminal: std::io::stderr().is_terminal(),
            watched: std::env::var_os("CUPOLA_PROGRESS").is_some(),
        }
    }

    /// Shows how far the work is.
    pub fn show(&mut self, done: u32, wanted: u32, bad: u32) {
        if wanted == 0 {
            return;
        }
        let first = *self.first.get_or_insert(done);
        let pause = Duration::from_millis(match (self.terminal, self.watched) {
            (true, _) => 100,
            (false, true) => 1_000,
            (false, false) => 10_000,
        });
        let last = done >= wanted;
        if !last && self.shown.is_some_and(|shown| shown.elapsed() < pause) {
            return;
        }
        // Without a terminal the first look tells nothing.
        let quiet = !self.terminal && !self.watched && self.shown.is_none() && !last;
        self.shown = Some(Instant::now());
        if quiet {
            return;
        }
        let line = self.line(done - first, done, wanted, bad);
        let mut error = std::io::stderr().lock();
        // Nobody reads it any more: not a reason to stop working.
        let _ = if self.terminal {
            let end = if last { "\n" } else { "" };
            write!(error, "\r\x1b[K{line}{end}").and_then(|()| error.flush())
        } else {
            writeln!(error, "{line}")
        };
    }

    fn line(&self, fresh: u32, done: u32, wanted: u32, bad: u32) -> String {
        let filled = (done * 24 / wanted.max(1)) as usize;
        let bar: String = "#".repeat(filled) + "-".repeat(24 - filled.min(24)).as_str();
        let seconds = self.start.elapsed().as_secs_f64();
        let rate = f64::from(fresh) / seconds.max(0.001);
        let left = if fresh == 0 || done >= wanted {
            String::new()
        } else {
            let seconds = f64::from(wanted - done) / rate;
            format!(", {} left", time(seconds))
        };
        let wrong = if bad > 0 {
            format!(", {bad} went wrong")
        } else {
            String::new()
        };
        format!(
            "{:<14} [{bar}] {done}/{wanted}  {rate:.1} games/s{left}{wrong}",
            self.label
        )
    }
}

/// A length of time in words.
pub fn time(seconds: f64) -> String {
    let seconds = seconds.round() as u64;
    if seconds < 90 {
        format!("{seconds} s")
    } else {
        format!("{} min", seconds.div_ceil(60))
    }
}

/// Set once Ctrl-C was pressed; a second one ends the program at once.
///
/// # Errors
/// If the system does not let us listen.
pub fn interrupted() -> anyhow::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let seen = stop.clone();
    ctrlc::set_handler(move || {
        if seen.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        eprintln!("\nFinishing the games at hand; press again to stop at once.");
    })?;
    Ok(stop)
}
