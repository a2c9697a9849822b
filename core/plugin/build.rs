//! Writes the fingerprint of this build: everything that must be equal in a program and in a library
//! before a Rust type may cross from one to the other, as far as it is known before compiling.
//!
//! Each line is `field value`. The program and the library each get theirs from their own run of this
//! script, so nothing here may depend on the target directory or on the time.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The crates whose types and code are compiled into both sides, by their folder in `core/`.
const CRATES: [&str; 5] = ["kernel", "ground", "army", "data", "plugin"];

fn main() -> Result<(), Box<dyn Error>> {
    let here = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    // The lock file of whoever builds: above the folder that he builds in, and ours if there is none.
    let builder = PathBuf::from(env::var("OUT_DIR")?);
    let lock = Lock::above(&builder)?;
    let known = lock.packages.contains_key("cupola-kernel");
    let lock = if known { lock } else { Lock::above(&here)? };
    let mut out = String::new();
    let mut field = |name: &str, value: &str| {
        let value = if value.is_empty() { "none" } else { value };
        writeln!(out, "{name} {value}")
    };
    for (name, value) in compiler()? {
        field(name, &value)?;
    }
    field("target", &env::var("TARGET")?)?;
    field("target-features", &var("CARGO_CFG_TARGET_FEATURE"))?;
    field("opt-level", &var("OPT_LEVEL"))?;
    field("debug-info", &var("DEBUG"))?;
    field("panic", &var("CARGO_CFG_PANIC"))?;
    field(
        "rustflags",
        &var("CARGO_ENCODED_RUSTFLAGS").replace('\u{1f}', " "),
    )?;
    field("features", &features())?;
    for folder in CRATES {
        let name = format!("cupola-{folder}");
        let sources = hash_sources(&here.join("..").join(folder))?;
        field(&name, &format!("{} {sources}", lock.version(&name)))?;
    }
    field("bevy_ecs", lock.version("bevy_ecs"))?;
    field("dependencies", &lock.closure("cupola-kernel"))?;
    fs::write(
        Path::new(&env::var("OUT_DIR")?).join("fingerprint.txt"),
        out,
    )?;
    Ok(())
}

fn var(name: &str) -> String {
    env::var(name).unwrap_or_default()
}

/// The compiler's version and commit, as it tells them itself.
fn compiler() -> Result<Vec<(&'static str, String)>, Box<dyn Error>> {
    let told = Command::new(env::var("RUSTC")?).arg("-vV").output()?.stdout;
    let told = String::from_utf8(told)?;
    let commit = told
        .lines()
        .find_map(|line| line.strip_prefix("commit-hash: "));
    Ok(vec![
        ("compiler", told.lines().next().unwrap_or_default().into()),
        ("commit", commit.unwrap_or_default().into()),
    ])
}

/// The features of this crate that are on.
fn features() -> String {
    let on: BTreeSet<String> = env::vars()
        .filter_map(|(name, _)| Some(name.strip_prefix("CARGO_FEATURE_")?.to_lowercase()))
        .collect();
    on.into_iter().collect::<Vec<_>>().join(",")
}

/// A hash of a crate's manifest and sources, file by file in the order of their names.
fn hash_sources(folder: &Path) -> Result<String, Box<dyn Error>> {
    let mut files = vec![folder.join("Cargo.toml")];
    for maybe in ["build.rs", "src"] {
        collect(&folder.join(maybe), &mut files)?;
    }
    files.sort();
    let mut hash = Fnv::new();
    for file in &files {
        let name = file.strip_prefix(folder)?.to_string_lossy();
        hash.add(name.replace('\\', "/").as_bytes());
        hash.add(&fs::read(file).map_err(|why| format!("{}: {why}", file.display()))?);
    }
    println!("cargo::rerun-if-changed={}", folder.join("src").display());
    println!(
        "cargo::rerun-if-changed={}",
        folder.join("Cargo.toml").display()
    );
    Ok(hash.hex())
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), Box<dyn Error>> {
    if path.is_file() {
        files.push(path.to_owned());
    } else if path.is_dir() {
        for entry in fs::read_dir(path)? {
            collect(&entry?.path(), files)?;
        }
    }
    Ok(())
}

/// What `Cargo.lock` says: for each package its version and what it depends on.
struct Lock {
    packages: BTreeMap<String, Vec<Package>>,
}

#[derive(Default)]
struct Package {
    version: String,
    checksum: String,
    needs: Vec<String>,
}

impl Lock {
    /// Reads the nearest `Cargo.lock` above a folder; without one nothing is known.
    fn above(folder: &Path) -> Result<Lock, Box<dyn Error>> {
        let found = folder
            .ancestors()
            .map(|folder| folder.join("Cargo.lock"))
            .find(|file| file.is_file());
        let text = found.as_ref().map(fs::read_to_string).transpose()?;
        if let Some(file) = found {
            println!("cargo::rerun-if-changed={}", file.display());
        }
        let mut packages: BTreeMap<String, Vec<Package>> = BTreeMap::new();
        for block in text.unwrap_or_default().split("[[package]]").skip(1) {
            let value = |key: &str| {
                let line = block
                    .lines()
                    .find_map(|l| l.strip_prefix(key)?.strip_prefix(" = "));
                line.unwrap_or_default().trim_matches('"').to_owned()
            };
            let needs = block
                .lines()
                .filter_map(|line| line.strip_prefix(" \"")?.strip_suffix("\","))
                .map(str::to_owned);
            packages.entry(value("name")).or_default().push(Package {
                version: value("version"),
                checksum: value("checksum"),
                needs: needs.collect(),
            });
        }
        Ok(Lock { packages })
    }

    fn version(&self, name: &str) -> &str {
        let found = self.packages.get(name).and_then(|all| all.first());
        found.map_or("unlocked", |package| &package.version)
    }

    /// How many packages one is built from, and a hash of which these are.
    fn closure(&self, name: &str) -> String {
        let mut seen = BTreeSet::new();
        let mut todo = vec![name.to_owned()];
        while let Some(need) = todo.pop() {
            // `name`, or `name version` where there are several.
            let mut words = need.split(' ');
            let (name, version) = (words.next().unwrap_or_default(), words.next());
            for package in self.packages.get(name).into_iter().flatten() {
                let wanted = version.is_none_or(|version| version == package.version);
                if wanted && seen.insert((name.to_owned(), &package.version, &package.checksum)) {
                    todo.extend(package.needs.iter().cloned());
                }
            }
        }
        let mut hash = Fnv::new();
        for (name, version, checksum) in &seen {
            hash.add(name.as_bytes());
            hash.add(version.as_bytes());
            hash.add(checksum.as_bytes());
        }
        format!("{} packages {}", seen.len(), hash.hex())
    }
}

/// FNV-1a of 128 bits: a few lines, the same everywhere. It guards against accidents, not malice.
struct Fnv(u128);

impl Fnv {
    fn new() -> Fnv {
        Fnv(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }

    fn add(&mut self, bytes: &[u8]) {
        // The length first, so that what stands in two files cannot pass for one.
        let length = (bytes.len() as u64).to_le_bytes();
        for byte in length.iter().chain(bytes) {
            self.0 = (self.0 ^ u128::from(*byte)).wrapping_mul(0x0100_0000_0000_0000_0000_013b);
        }
    }

    fn hex(&self) -> String {
        format!("{:032x}", self.0)
    }
}
