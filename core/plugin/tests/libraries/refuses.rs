//! What is not a plugin for this very program is refused, with the reason, before anything of it runs.

use crate::workshop;
use cupola_plugin::{Fingerprint, PluginError, Reason, inspect, load};
use cupola_plugin_harness::Job;
use std::fs;
use std::path::{Path, PathBuf};

/// A file of this name with these bytes.
fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, bytes).unwrap();
    path
}

fn refusal(path: &Path) -> PluginError {
    load(path).err().expect("it should be refused")
}

/// A copy of a library with one value in its fingerprint changed to another of the same length.
fn doctored(library: &Path, field: &str, to: impl Fn(&str) -> String) -> (PathBuf, String, String) {
    let mut bytes = fs::read(library).unwrap();
    let value = Fingerprint::own().field(field).unwrap().to_owned();
    let (was, now) = (format!("\n{field} {value}\n"), to(&value));
    let new = format!("\n{field} {now}\n");
    assert_eq!(was.len(), new.len());
    let at = bytes
        .windows(was.len())
        .position(|part| part == was.as_bytes())
        .unwrap();
    bytes[at..at + was.len()].copy_from_slice(new.as_bytes());
    (file(&format!("doctored-{field}.so"), &bytes), value, now)
}

/// Changes the last character: a hash that is another, a word that is none.
fn other(value: &str) -> String {
    let last = if value.ends_with('0') { "1" } else { "0" };
    format!("{}{last}", &value[..value.len() - 1])
}

#[test]
fn a_library_that_differs_is_refused_before_anything_of_it_runs() {
    let witness = Path::new(env!("CARGO_TARGET_TMPDIR")).join("opened");
    let job = Job {
        package: "stumble",
        example: "witness",
        env: &[("CUPOLA_WITNESS", &witness)],
        ..Job::default()
    };
    let library = workshop().build(&job).unwrap();
    let _ = fs::remove_file(&witness);

    for field in [
        "compiler",
        "commit",
        "cupola-kernel",
        "cupola-ground",
        "opt-level",
        "dependencies",
    ] {
        let (copy, value, now) = doctored(&library, field, other);
        let error = refusal(&copy);
        let expected = format!("\n  {field}: {now} in the library, {value} in the program\n");
        assert!(error.to_string().contains(&expected), "{error}");
        assert!(matches!(error.reason, Reason::Build(all) if all.len() == 1));
    }
    assert!(!witness.exists(), "a refused library was opened");

    // The control: the library as it was built leaves its trace.
    load(&library).unwrap();
    assert_eq!(witness.exists(), cfg!(target_os = "linux"));
}

#[test]
fn a_library_of_another_profile_is_refused_before_anything_of_it_runs() {
    let witness = Path::new(env!("CARGO_TARGET_TMPDIR")).join("opened-other-profile");
    let own = Fingerprint::own();
    // Another optimisation of our own crates; what they depend on stays as it is, which saves the time to
    // compile it.
    let here = own.field("opt-level").unwrap();
    let there = if here == "0" { "1" } else { "0" };
    let crates = ["kernel", "ground", "army", "data", "plugin"];
    let settings = ["dev", "release"].map(|name| {
        crates.map(|part| format!("profile.{name}.package.cupola-{part}.opt-level={there}"))
    });
    let settings: Vec<&str> = settings.iter().flatten().map(String::as_str).collect();
    let job = Job {
        package: "stumble",
        example: "witness",
        settings: Some(("other-profile", &settings)),
        env: &[("CUPOLA_WITNESS", &witness)],
    };
    let library = workshop().build(&job).unwrap();
    let _ = fs::remove_file(&witness);
    let told = refusal(&library).to_string();
    let expected = format!("opt-level: {there} in the library, {here} in the program");
    assert!(told.contains("was not built for this program"), "{told}");
    assert!(told.contains(&expected), "{told}");
    assert!(!witness.exists(), "a refused library was opened");
}

#[test]
fn what_is_no_plugin_is_refused() {
    let empty = refusal(&file("empty.so", b""));
    assert_eq!(empty.reason, Reason::NotALibrary);
    let text = refusal(&file("text.so", b"It was the best of times"));
    assert!(
        text.to_string().ends_with("text.so: not a shared library"),
        "{text}"
    );
    let head = refusal(&file("head.so", b"MZ and nothing else"));
    assert_eq!(head.reason, Reason::NoFingerprint);
}

#[test]
fn an_ordinary_library_is_refused() {
    // This very program: the record stands in libraries only.
    let own = refusal(&std::env::current_exe().unwrap());
    assert_eq!(own.reason, Reason::NoFingerprint, "{own}");
    // The C library, wherever this process has it.
    let Ok(maps) = fs::read_to_string("/proc/self/maps") else {
        return;
    };
    let mut paths = maps
        .lines()
        .filter_map(|line| line.split_whitespace().last());
    let libc = paths.find(|path| path.contains("libc.so") || path.contains("libc-"));
    let error = refusal(Path::new(libc.expect("the C library")));
    assert_eq!(error.reason, Reason::NoFingerprint);
    assert!(error.to_string().contains("not a Cupola plugin"), "{error}");
}

#[test]
fn a_truncated_library_is_refused() {
    let library = workshop().library("stumble", "stumble").unwrap();
    let bytes = fs::read(library).unwrap();
    for keep in [5, 63, 64, bytes.len() / 2, bytes.len() - 1] {
        let error = refusal(&file("truncated.so", &bytes[..keep]));
        let expected = if keep < 6 {
            Reason::NoFingerprint
        } else {
            Reason::Truncated
        };
        assert_eq!(error.reason, expected, "{keep}");
    }
}

#[test]
fn a_fingerprint_without_an_entry_point_is_refused() {
    let library = workshop().library("stumble", "stumble").unwrap();
    let mut bytes = fs::read(library).unwrap();
    let name = b"cupola_plugin_1\0";
    while let Some(at) = bytes.windows(name.len()).position(|part| part == name) {
        bytes[at..at + 6].copy_from_slice(b"gazebo");
    }
    let error = refusal(&file("no-entry.so", &bytes));
    assert_eq!(error.reason, Reason::NoEntry, "{error}");
    assert!(error.to_string().contains("`cupola_plugin_1`"), "{error}");
}

#[test]
fn two_fingerprints_that_differ_are_refused() {
    let library = workshop().library("stumble", "stumble").unwrap();
    let (copy, ..) = doctored(&library, "bevy_ecs", other);
    let mut bytes = fs::read(library).unwrap();
    bytes.extend(fs::read(copy).unwrap());
    assert_eq!(
        refusal(&file("two.so", &bytes)).reason,
        Reason::ManyFingerprints
    );
}

#[test]
fn a_missing_library_is_told_with_the_nearest_name() {
    let library = workshop().library("rehearsal", "rehearsal").unwrap();
    let folder = library.parent().unwrap().to_owned();
    let error = refusal(&folder.join("librehersal.so"));
    assert!(
        error
            .to_string()
            .ends_with("no such file; did you mean \"librehearsal.so\"?"),
        "{error}"
    );
    let found = cupola_plugin::find("rehearsal", &[folder.join("nowhere"), folder.clone()]);
    assert_eq!(found, Ok(library));
    assert!(
        cupola_plugin::find("rehersal", &[folder])
            .unwrap_err()
            .to_string()
            .contains("did you mean")
    );
}

#[test]
fn a_library_can_be_inspected_without_opening_it() {
    let library = workshop().library("rehearsal", "rehearsal").unwrap();
    assert_eq!(inspect(&library), Ok(Fingerprint::own()));
}
