//! Running the program as people do.
#![allow(dead_code, reason = "each test file uses some of it")]

use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The program, with a cache that the tests share and no colours.
pub fn cupola() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cupola"));
    command
        .current_dir(root())
        .env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR"))
        .env("NO_COLOR", "1");
    command
        .env("CUPOLA_DATA", root().join("data"))
        .env("COLUMNS", "100")
        .env("LINES", "40");
    command
}

/// The checkout.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A file of this test's own.
pub fn temporary(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{name}", std::process::id()))
}

/// What came of a run.
pub struct Ran {
    /// The exit code.
    pub code: i32,
    /// What it said.
    pub out: String,
    /// What it complained about.
    pub err: String,
}

impl Ran {
    /// From what a program left behind.
    pub fn of(output: Output) -> Ran {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Ran {
            code: output.status.code().unwrap_or(-1),
            out: text(output.stdout),
            err: text(output.stderr),
        }
    }

    /// Checks the exit code and goes on.
    #[track_caller]
    pub fn code(self, code: i32) -> Ran {
        assert_eq!(
            self.code, code,
            "stdout:\n{}\nstderr:\n{}",
            self.out, self.err
        );
        self
    }

    /// What it said, as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}", self.out))
    }

    /// Checks that it complained about something.
    #[track_caller]
    pub fn complains(self, text: &str) -> Ran {
        assert!(
            self.err.contains(text),
            "expected \"{text}\" in:\n{}",
            self.err
        );
        self
    }
}

/// Runs the program with arguments.
pub fn run(args: &[&str]) -> Ran {
    Ran::of(cupola().args(args).stdin(Stdio::null()).output().unwrap())
}

/// Runs the program with something to read.
pub fn feed(args: &[&str], input: &str) -> Ran {
    let mut child = cupola()
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    // The program may end before it has read everything.
    let writer = std::thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    Ran::of(output)
}
