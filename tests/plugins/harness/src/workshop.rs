//! Building shared libraries with cargo, in a target directory of their own.
//!
//! A library shares its types with a test only if cargo resolved the features of all common dependencies
//! alike, and these depend on which packages were asked for. A test cannot know whether it was built by
//! `cargo test -p one` or `cargo test --workspace`. So the workshop tries one with a small plugin, and if the
//! types differ, the other; libraries are examples, which cargo can build by name in either case.

use crate::seed::seed;
use cupola_plugin::{Fingerprint, PluginError, Reason};
use std::env;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A place to build libraries for one test program.
pub struct Workshop {
    root: PathBuf,
    /// The directory in which this program's dependencies lie, unless it was compiled for another machine.
    compiled: Option<PathBuf>,
    target: PathBuf,
    profile: Vec<String>,
    select: Vec<String>,
}

/// What to build.
#[derive(Default)]
pub struct Job<'a> {
    /// The package.
    pub package: &'a str,
    /// Its example that is a `cdylib`.
    pub example: &'a str,
    /// Settings for cargo (`profile.dev.opt-level=0`); each set of settings has a name for its directory.
    pub settings: Option<(&'a str, &'a [&'a str])>,
    /// Variables for the compiler.
    pub env: &'a [(&'a str, &'a Path)],
}

impl Workshop {
    /// A workshop for the tests of a package, which are built in the profile of this very program.
    ///
    /// # Errors
    /// If no library can be built that shares its types with this program.
    pub fn new(package: &str) -> Result<Workshop, String> {
        let own = env::current_exe().map_err(|error| error.to_string())?;
        // …/target[/triple]/profile/deps/test
        let folder = |up| {
            own.ancestors()
                .nth(up)
                .and_then(Path::file_name)
                .and_then(|name| name.to_str())
        };
        let triple = Fingerprint::own()
            .field("target")
            .unwrap_or_default()
            .to_owned();
        let crossed = folder(3) == Some(&triple);
        let target = own
            .ancestors()
            .nth(if crossed { 4 } else { 3 })
            .ok_or("no target directory")?;
        let mut profile = match folder(2) {
            None | Some("debug") => vec![],
            Some(name) => vec!["--profile".to_owned(), name.to_owned()],
        };
        if crossed {
            profile.extend(["--target".to_owned(), triple]);
        }
        let workshop = |select: &[&str]| Workshop {
            root: Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.."),
            compiled: own
                .ancestors()
                .nth(2)
                .filter(|_| !crossed)
                .map(Path::to_owned),
            target: target.join("plugin-test"),
            profile: profile.clone(),
            select: select.iter().map(|&word| word.to_owned()).collect(),
        };
        let mut ways = vec![
            workshop(&["-p", package, "-p", "rehearsal"]),
            workshop(&["--workspace"]),
        ];
        // Cargo names a test program by a hash of how it was built: what fitted it once fits it again.
        let note = target
            .join("plugin-test")
            .join(own.file_name().unwrap_or_default())
            .with_extension("way");
        let whole_first = match fs::read_to_string(&note) {
            Ok(way) => way == ways[1].select.join(" "),
            Err(_) => ways[0].whole_workspace_was_built(),
        };
        if whole_first {
            ways.reverse();
        }
        for way in ways {
            if way.shares_types()? {
                fs::write(&note, way.select.join(" ")).map_err(|error| error.to_string())?;
                return Ok(way);
            }
        }
        Err("no way to build a plugin as this test was built".into())
    }

    /// A guess that saves a cold build: a test of the workspace has compiled the program's tests too.
    fn whole_workspace_was_built(&self) -> bool {
        let entries = |folder: &Path| fs::read_dir(folder).into_iter().flatten().flatten();
        let name = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
        let records = self
            .compiled
            .as_ref()
            .map(|compiled| compiled.join(".fingerprint"));
        records.is_some_and(|records| {
            entries(&records).any(|record| {
                let record_name = name(&record);
                let hash = record_name.strip_prefix("cupola-").unwrap_or("-");
                hash.bytes().all(|byte| byte.is_ascii_hexdigit())
                    && entries(&record.path()).any(|file| name(&file).starts_with("test-"))
            })
        })
    }

    fn shares_types(&self) -> Result<bool, String> {
        let library = self.library("rehearsal", "rehearsal")?;
        match cupola_plugin::load(&library) {
            Ok(_) => Ok(true),
            Err(PluginError {
                reason: Reason::Types(_),
                ..
            }) => Ok(false),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Builds an example of a package as a shared library.
    ///
    /// # Errors
    /// What cargo said.
    pub fn library(&self, package: &str, example: &str) -> Result<PathBuf, String> {
        self.build(&Job {
            package,
            example,
            ..Job::default()
        })
    }

    /// Builds a shared library.
    ///
    /// # Errors
    /// What cargo said.
    pub fn build(&self, job: &Job) -> Result<PathBuf, String> {
        let (name, settings) = job.settings.unwrap_or(("same", &[]));
        let target = self.target.join(name);
        let _lock = self
            .seeded(&target)
            .map_err(|error| format!("{}: {error}", target.display()))?;
        let mut cargo = Command::new(env::var_os("CARGO").unwrap_or("cargo".into()));
        cargo
            .current_dir(&self.root)
            .args(["build", "--offline", "--message-format=json"]);
        cargo
            .args(&self.profile)
            .args(&self.select)
            .args(["--example", job.example]);
        if !self
            .select
            .iter()
            .any(|word| word == "--workspace" || word == job.package)
        {
            cargo.args(["-p", job.package]);
        }
        for setting in settings {
            cargo.args(["--config", setting]);
        }
        cargo
            .env("CARGO_TARGET_DIR", &target)
            .envs(job.env.iter().copied());
        let done = cargo.output().map_err(|error| error.to_string())?;
        let told = String::from_utf8_lossy(&done.stdout);
        if !done.status.success() {
            return Err(format!(
                "{cargo:?}\n{}",
                String::from_utf8_lossy(&done.stderr)
            ));
        }
        let built = told
            .lines()
            .find_map(|line| artifact(line, job.example))
            .ok_or_else(|| format!("{cargo:?} built no library {}", job.example))?;
        self.shelve(&built, &target)
    }

    /// Locks a target directory for this program and puts what is compiled already into it.
    fn seeded(&self, target: &Path) -> io::Result<File> {
        fs::create_dir_all(target)?;
        let lock = File::create(target.join("lock"))?;
        lock.lock()?;
        // Without it a library is built from nothing: slow, and a proof that this changes nothing.
        let cold = env::var_os("CUPOLA_PLUGIN_COLD").is_some();
        if let Some(compiled) = self.compiled.as_ref().filter(|_| !cold) {
            seed(
                compiled,
                &target.join(compiled.file_name().unwrap_or_default()),
            )?;
        }
        Ok(lock)
    }

    /// Puts a library where no later build writes over it while it is open.
    fn shelve(&self, built: &Path, target: &Path) -> Result<PathBuf, String> {
        let shelf = target.join(format!("libraries{}", self.select.join("")));
        let put = || {
            fs::create_dir_all(&shelf)?;
            let file = built.file_name().unwrap_or_default();
            let fresh = shelf.join(format!("{}-{}", std::process::id(), file.display()));
            fs::copy(built, &fresh)?;
            fs::rename(&fresh, shelf.join(file)).map(|()| shelf.join(file))
        };
        put().map_err(|error: std::io::Error| format!("{}: {error}", shelf.display()))
    }
}

/// The library that a line of cargo's report is about, if it is the one that was wanted.
fn artifact(line: &str, example: &str) -> Option<PathBuf> {
    let report: serde_json::Value = serde_json::from_str(line).ok()?;
    let target = report.get("target")?;
    let is_example = target
        .get("kind")?
        .as_array()?
        .iter()
        .any(|kind| kind == "example");
    let wanted = is_example && target.get("name")? == example;
    let file = report.get("filenames")?.get(0)?.as_str()?;
    wanted.then(|| PathBuf::from(file))
}
