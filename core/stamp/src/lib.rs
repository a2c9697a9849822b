//! The code that a crate is made of, told by hashes of its sources.
//!
//! `stamp!()` stands for a list of names and hashes: of the crate that says it and of every crate that it is
//! built from by a path, each with the hash of its manifest and its sources. It is taken while the crate is
//! compiled, which happens whenever one of these sources has changed, so that it cannot be out of date; an
//! author writes no build script for it.
//!
//! ```
//! const CODE: &[(&str, &str)] = cupola_stamp::stamp!();
//! assert_eq!(CODE[0].0, "cupola-stamp");
//! ```
//!
//! Crates from a registry are left out: what they do differently shows when a game is played again.

use proc_macro::TokenStream;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The names and the hashes of this crate and of all that it is built from by a path, in order of names:
/// `&[("cupola-kernel", "5c2f…"), …]`.
#[proc_macro]
pub fn stamp(_: TokenStream) -> TokenStream {
    let told = std::env::var("CARGO_MANIFEST_DIR")
        .map_err(|_| "CARGO_MANIFEST_DIR is not set: build with cargo".to_owned())
        .and_then(|folder| {
            let mut crates = BTreeMap::new();
            visit(Path::new(&folder), &mut crates)?;
            let pairs = crates
                .iter()
                .map(|(name, hash)| format!("({name:?}, {hash:?})"));
            Ok(format!("&[{}]", pairs.collect::<Vec<_>>().join(", ")))
        })
        .unwrap_or_else(|why| format!("::core::compile_error!({why:?})"));
    told.parse().unwrap_or_default()
}

/// Adds a crate and what it is built from.
fn visit(folder: &Path, crates: &mut BTreeMap<String, String>) -> Result<(), String> {
    let manifest = Manifest::read(&folder.join("Cargo.toml"))?;
    if crates.contains_key(&manifest.name) {
        return Ok(());
    }
    crates.insert(manifest.name.clone(), hash_sources(folder)?);
    for path in manifest.local(folder)? {
        visit(&path, crates)?;
    }
    Ok(())
}

/// What we need to know of a `Cargo.toml`, read line by line: a reader of all of TOML would take longer to
/// build than everything that is hashed here.
struct Manifest {
    name: String,
    /// The tables, each with its keys and values.
    tables: BTreeMap<String, Vec<(String, String)>>,
}

impl Manifest {
    fn read(path: &Path) -> Result<Manifest, String> {
        let text = read(path)?;
        let text = String::from_utf8_lossy(&text);
        let mut tables: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
        let mut table = String::new();
        for line in text.lines().map(str::trim) {
            if let Some(name) = line.strip_prefix('[') {
                table = name.trim_end_matches(']').to_owned();
            } else if let Some((key, value)) = line.split_once('=')
                && !line.starts_with('#')
            {
                let pair = (key.trim().to_owned(), value.trim().to_owned());
                tables.entry(table.clone()).or_default().push(pair);
            }
        }
        let package = tables.get("package").map_or(&[][..], Vec::as_slice);
        let name = package.iter().find(|(key, _)| key == "name");
        let name = name.map_or(String::new(), |(_, value)| {
            value.trim_matches('"').to_owned()
        });
        Ok(Manifest { name, tables })
    }

    /// The folders of the dependencies that are named by a path, here or in the workspace.
    fn local(&self, folder: &Path) -> Result<Vec<PathBuf>, String> {
        let mut found = vec![];
        let own = self.tables.get("dependencies");
        for (key, value) in own.into_iter().flatten() {
            if let Some(path) = path_in(value) {
                found.push(folder.join(path));
            } else if key.ends_with(".workspace") || value.contains("workspace") {
                let name = key.trim_end_matches(".workspace");
                found.extend(in_workspace(folder, name)?);
            }
        }
        Ok(found)
    }
}

/// The folder that a workspace gives to a dependency of this name, if it gives one.
fn in_workspace(folder: &Path, name: &str) -> Result<Option<PathBuf>, String> {
    for above in folder.ancestors().skip(1) {
        let path = above.join("Cargo.toml");
        if !path.is_file() {
            continue;
        }
        let manifest = Manifest::read(&path)?;
        if let Some(shared) = manifest.tables.get("workspace.dependencies") {
            let found = shared.iter().find(|(key, _)| key == name);
            return Ok(found.and_then(|(_, value)| Some(above.join(path_in(value)?))));
        }
    }
    Ok(None)
}

/// The path in `{ path = "../kernel" }`.
fn path_in(value: &str) -> Option<&str> {
    let rest = value.split_once("path")?.1.trim_start().strip_prefix('=')?;
    rest.split('"').nth(1)
}

/// The hash of a crate's manifest, build script and sources, file by file in the order of their names.
fn hash_sources(folder: &Path) -> Result<String, String> {
    let mut files = vec![];
    for part in ["Cargo.toml", "build.rs", "src"] {
        collect(&folder.join(part), &mut files);
    }
    files.sort();
    let mut hash = Fnv::new();
    for file in &files {
        let name = file.strip_prefix(folder).unwrap_or(file).to_string_lossy();
        hash.add(name.replace('\\', "/").as_bytes());
        hash.add(&read(file)?);
    }
    Ok(format!("{:032x}", hash.0))
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    if path.is_file() {
        files.push(path.to_owned());
    }
    for entry in fs::read_dir(path).into_iter().flatten().flatten() {
        collect(&entry.path(), files);
    }
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|why| format!("{}: {why}", path.display()))
}

/// FNV-1a of 128 bits: a few lines, the same everywhere. It tells builds apart; it defends against nobody.
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
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kernel() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../kernel")
    }

    fn names(folder: &Path) -> Vec<String> {
        let mut crates = BTreeMap::new();
        visit(folder, &mut crates).expect("the workspace is there");
        crates.into_keys().collect()
    }

    #[test]
    fn a_crate_counts_with_all_that_it_is_built_from() {
        let names = names(&kernel());
        for wanted in [
            "cupola-army",
            "cupola-data",
            "cupola-ground",
            "cupola-kernel",
        ] {
            assert!(names.iter().any(|name| name == wanted), "{names:?}");
        }
        assert!(!names.iter().any(|name| name == "serde"), "{names:?}");
    }

    #[test]
    fn any_byte_of_any_source_changes_the_hash() {
        let folder = std::env::temp_dir().join(format!("cupola-stamp-{}", std::process::id()));
        let put = |name: &str, text: &str| {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, text).expect("a file");
            hash_sources(&folder).expect("sources")
        };
        let all = [
            put("Cargo.toml", "[package]\nname = \"x\"\n"),
            put("src/lib.rs", "mod a;\n"),
            put("src/a.rs", "fn a() {}\n"),
            put("src/a.rs", "fn a() { }\n"),
            put("src/deep/b.rs", ""),
            put("build.rs", "fn main() {}"),
        ];
        let again = put("build.rs", "fn main() {}");
        let _ = fs::remove_dir_all(&folder);
        for (i, hash) in all.iter().enumerate() {
            assert!(!all[..i].contains(hash), "change {i} goes unseen");
        }
        assert_eq!(all.last(), Some(&again));
    }
}
