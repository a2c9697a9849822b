//! Plugins outside the house: the workspace that `cupola new plugin` makes builds, plays and loads.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;
use common::{Ran, cupola, root, temporary};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A new workspace in a folder of this test's own, outside ours.
fn workshop(name: &str) -> PathBuf {
    let folder = temporary(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let made = cupola()
        .args(["new", "plugin", "my-rules", "--to"])
        .arg(&folder)
        .output();
    Ran::of(made.unwrap()).code(0);
    folder.join("my-rules")
}

fn cargo(folder: &Path, args: &[&str]) -> Ran {
    let output = Command::new(env!("CARGO"))
        .args(args)
        .current_dir(folder)
        .output();
    Ran::of(output.unwrap())
}

#[test]
fn the_workspace_is_whole() {
    let folder = workshop("whole");
    let told = cargo(
        &folder,
        &[
            "metadata",
            "--offline",
            "--no-deps",
            "--format-version",
            "1",
        ],
    );
    let told = told.code(0).json();
    let packages = told["packages"].as_array().unwrap();
    let names: Vec<&str> = packages
        .iter()
        .map(|p| p["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["my-rules", "my-rules-plugin", "my-rules-cupola"]);
    // What was tested together is built together: no version is chosen anew.
    let read = |path: &Path| std::fs::read_to_string(path).unwrap();
    let ours = read(&root().join("Cargo.lock"));
    assert_eq!(read(&folder.join("Cargo.lock")), ours);
    // Profiles are part of what must be equal.
    let profiles = |text: String| text[text.find("[profile.").unwrap()..].to_owned();
    assert_eq!(
        profiles(read(&folder.join("Cargo.toml"))),
        profiles(read(&root().join("Cargo.toml")))
    );
    std::fs::remove_dir_all(folder.parent().unwrap()).unwrap();
}

#[test]
fn a_name_that_rust_has_is_refused() {
    for name in ["match", "std", "cupola", "cupola-kernel"] {
        let made = cupola().args(["new", "plugin", name]).output();
        Ran::of(made.unwrap())
            .code(2)
            .complains("has this name already");
    }
}

/// Minutes of compiling: with the full tests only.
#[test]
fn the_workspace_builds_plays_and_loads() {
    if std::env::var_os("CUPOLA_FULL").is_none() {
        return;
    }
    let folder = workshop("builds");
    let target = folder.join("target");
    cargo(&folder, &["build", "--offline"]).code(0);
    let program = |name: &str, args: &[&str]| {
        let output = Command::new(target.join("debug").join(name))
            .args(args)
            .current_dir(&folder)
            .env("CUPOLA_DATA", root().join("data"))
            .env("NO_COLOR", "1")
            .stdin(Stdio::null())
            .output();
        Ran::of(output.unwrap())
    };
    let play = |variant: &'static str, game: &'static str| {
        let seats = ["--seat", "cs=random", "--seat", "us=random", "--seed", "7"];
        [
            &["play", variant][..],
            &seats[..],
            &["--quiet", "--autosave", game],
        ]
        .concat()
    };
    // It lists them among its parts.
    let told = program("my-rules-cupola", &["list"]).code(0).out;
    assert!(told.contains("my_rules.halt"), "{told}");
    let told = program("bare", &["list"]).code(0).out;
    assert!(!told.contains("my_rules.halt"), "{told}");
    // Linked, and loaded: the same games.
    program("my-rules-cupola", &play("variant.ron", "linked.cupola")).code(0);
    let plugins = target.join("debug");
    let allowed = ["--plugin", plugins.to_str().unwrap()];
    let loaded = [&allowed[..], &play("loaded.ron", "loaded.cupola")].concat();
    program("bare", &loaded).code(0);
    let choices = |game: &str| {
        let text = std::fs::read_to_string(folder.join(game)).unwrap();
        let side = |line: &&str| matches!(line.split(' ').nth(1), Some("cs" | "us"));
        let lines = text.lines().filter(side);
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let linked = choices("linked.cupola");
    assert!(linked.len() > 50, "{} choices", linked.len());
    assert_eq!(linked, choices("loaded.cupola"));
    // Without leave nothing is loaded; another build is refused.
    program("bare", &play("loaded.ron", "none.cupola"))
        .code(2)
        .complains("my_rules_plugin");
    let library = plugins.join("libmy_rules_plugin.so");
    let other = cupola().arg("--plugin").arg(&library).arg("list").output();
    // By its fingerprint, or where that is the same, as for our own debug build of the same sources, by its types.
    Ran::of(other.unwrap())
        .code(2)
        .complains("build the plugin");
    // A program that has the rules in it has no use for the library.
    program("my-rules-cupola", &loaded)
        .code(2)
        .complains("my_rules.halt");
    std::fs::remove_dir_all(folder.parent().unwrap()).unwrap();
}
