//! Every command of the book and the README is one that the program takes; those that are quick are run,
//! with the files that the book speaks of.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;
use clap::Parser;
use common::{Ran, cupola, root};
use cupola_kernel::{Case, Registry};
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// Commands that end by themselves in a moment.
const QUICK: &[&str] = &[
    "list",
    "board",
    "roster",
    "play",
    "print",
    "replay",
    "moves",
    "odds",
    "los",
    "check",
    "derive",
    "completions",
    "resolve",
    "diff",
    "new",
    "watch",
];

/// The command lines of all shell blocks, each with the page it stands on.
fn commands() -> Vec<(String, String)> {
    let mut pages = vec![root().join("README.md")];
    collect(&root().join("book/src"), &mut pages);
    pages.sort();
    let mut found = vec![];
    for page in pages {
        // A command that goes on in the next line is one command.
        let text = std::fs::read_to_string(&page).unwrap().replace("\\\n", " ");
        let mut shell = false;
        for line in text.lines() {
            if line.trim_start().starts_with("```") {
                shell = line.trim() == "```sh";
            } else if shell && let Some(command) = command(line) {
                found.push((page.display().to_string(), command));
            }
        }
    }
    found
}

fn collect(folder: &Path, pages: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, pages);
        } else if path.extension().is_some_and(|end| end == "md") {
            pages.push(path);
        }
    }
}

/// A call of the program, without what the shell makes of the rest.
fn command(line: &str) -> Option<String> {
    let line = line.trim().trim_start_matches("$ ");
    let line = line.split(" | ").last()?.split(" > ").next()?;
    let line = line.split(" #").next()?.trim();
    let plain = line
        .strip_prefix("cargo run --release --bin cupola -- ")
        .or_else(|| line.strip_prefix("cargo run --release -- "))
        .or_else(|| line.strip_prefix("cupola "))?;
    Some(plain.to_owned())
}

/// Words as a shell cuts them: double quotes keep blanks.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![];
    for (nth, part) in line.split('"').enumerate() {
        if nth % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

/// A folder with the files that the book speaks of.
fn workshop() -> PathBuf {
    let folder = common::temporary("book");
    std::fs::create_dir_all(&folder).unwrap();
    let position = include_str!("shelf/river.ron");
    std::fs::write(folder.join("river.ron"), position).unwrap();
    let variant = std::fs::read(root().join("data/variants/early-recovery.ron")).unwrap();
    std::fs::write(folder.join("my-variant.ron"), variant).unwrap();
    for name in ["data", "tests"] {
        let _ = std::os::unix::fs::symlink(root().join(name), folder.join(name));
    }
    let game = "play corps20/july1 --seat cs=random --seat us=random --seed 1863 --quiet --autosave game.cupola";
    run_in(&folder, &words(game)).code(0);
    run_in(&folder, &words("roster --csv army.csv")).code(0);
    folder
}

fn run_in(folder: &Path, args: &[String]) -> Ran {
    let output = cupola()
        .current_dir(folder)
        .args(args)
        .stdin(Stdio::null())
        .output();
    Ran::of(output.unwrap())
}

#[test]
fn every_command_of_the_book_is_one() {
    let all = commands();
    assert!(all.len() > 30, "{}", all.len());
    for (page, line) in all {
        let args = std::iter::once("cupola".to_owned()).chain(words(&line));
        if let Err(error) = cupola::Cli::try_parse_from(args) {
            assert!(!error.use_stderr(), "{page}: cupola {line}\n{error}");
        }
    }
}

#[test]
fn the_quick_commands_of_the_book_run() {
    let folder = workshop();
    let game = std::fs::read(folder.join("game.cupola")).unwrap();
    for (page, line) in commands() {
        let args = words(&line);
        let slow = [
            "--conformance",
            "--plugin",
            "games/",
            "early/",
            "data/",
            "tests/cases",
        ];
        let quick = args
            .first()
            .is_some_and(|verb| QUICK.contains(&verb.as_str()));
        if !quick
            || args
                .iter()
                .any(|arg| slow.iter().any(|part| arg.contains(part)))
        {
            continue;
        }
        // A game that somebody begins in the book is kept where the finished one lay.
        std::fs::write(folder.join("game.cupola"), &game).unwrap();
        let ran = run_in(&folder, &args);
        // A question may be answered with no; bad input is never what the book shows.
        assert!(
            ran.code < 2,
            "{page}: cupola {line}\n{}\n{}",
            ran.out,
            ran.err
        );
    }
    std::fs::remove_dir_all(folder).unwrap();
}

/// Whatever a position or a case may say stands in the book: the readers' own types are asked for it.
#[test]
fn every_key_of_positions_and_cases_is_in_the_book() {
    let page = |name: &str| {
        let path = root().join("book/src").join(name);
        std::fs::read_to_string(path).unwrap_or_default()
    };
    let (cases, boards) = (page("cases.md"), page("ground/boards.md"));
    let variants = page("variants.md");
    let mut missing = vec![];
    let mut look = |keys: Vec<String>, pages: &[&str]| {
        for key in keys {
            let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
            let named = |word: &str| {
                let mut words = pages.iter().flat_map(|text| text.split(|c| !is_word(c)));
                words.any(|known| known == word)
            };
            let last = key.rsplit(|letter| !is_word(letter));
            if let Some(word) = last.into_iter().find(|word| !word.is_empty())
                && !named(word)
            {
                missing.push(key);
            }
        }
    };
    look(cupola_data::shape::<Case>(), &[&cases, &boards, &variants]);
    let registry = Registry::linked().unwrap();
    for (_, name) in registry.names().filter(|(kind, _)| *kind == "ruleset") {
        let keys = registry
            .ruleset(name)
            .map(|ruleset| ruleset.position_keys());
        let chapter = page(&format!("rulesets/{name}.md"));
        look(keys.unwrap_or_default(), &[&cases, &chapter]);
    }
    assert!(missing.is_empty(), "the book does not tell of {missing:#?}");
}
