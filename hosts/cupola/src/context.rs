//! What every command starts from: the data folder, the cache, the plugins, the terminal.

use crate::cli::Cli;
use crate::paint::Paint;
use anyhow::Context as _;
// Linked for what they register; without this line the linker drops them.
use cupola_blindswords as _;
use cupola_blocks as _;
use cupola_common as _;
use cupola_corps20 as _;
use cupola_data::{Problem, Source};
use cupola_gbacw as _;
use cupola_kernel::pledge::Share;
use cupola_kernel::{Play, Registry, Seed, Variant};
use cupola_library::{Library, stack, unstack};
use cupola_plugin::Plugin;
use cupola_script as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What every command starts from.
pub struct Context {
    /// The data folder with the rulesets.
    pub library: Library,
    /// Plugins that were loaded from shared libraries.
    pub plugins: Vec<Plugin>,
    /// Folders whose libraries the user trusts: variants may load them by name.
    pub trusted: Vec<PathBuf>,
    /// Whether the printed numbers that the user keeps are played.
    pub owner: bool,
    /// Colours, if the terminal has them and the user wants them.
    pub paint: Paint,
}

impl Context {
    /// Opens the data folder and loads the plugins that the command line names.
    ///
    /// # Errors
    /// If there is no data folder, or a plugin is refused.
    pub fn open(cli: &Cli) -> anyhow::Result<Context> {
        let root = match &cli.data {
            Some(path) => path.clone(),
            None => Library::find_root().or_else(|_| bundled())?,
        };
        if !root.join("rulesets").is_dir() {
            let problem = Problem::file(
                root.display().to_string(),
                "this is no data folder: it has no `rulesets` in it",
            );
            return Err(problem
                .with_hint("name one with --data or CUPOLA_DATA")
                .into());
        }
        let cache = if cli.no_cache { None } else { cache_folder() };
        let library = Library::new(root, cache, Registry::linked()?).with_user(user_folder());
        let mut context = Context {
            library,
            plugins: vec![],
            trusted: trusted_folders(),
            owner: cli.owner,
            paint: Paint::detect(),
        };
        for path in &cli.plugin {
            if path.is_dir() {
                context.trusted.push(path.clone());
            } else {
                context.load_plugin(path)?;
            }
        }
        Ok(context)
    }

    fn load_plugin(&mut self, path: &Path) -> anyhow::Result<()> {
        if self.plugins.iter().any(|plugin| plugin.path() == path) {
            return Ok(());
        }
        let plugin = cupola_plugin::load(path)?;
        plugin.register(self.library.registry_mut())?;
        self.plugins.push(plugin);
        Ok(())
    }

    /// What plays a scenario in another process, for the conformance suite: this program, with the same data and plugins
    /// and nothing else that it could know this one by.
    pub fn digest_command(
        &self,
        ruleset: &str,
        scenario: &str,
    ) -> impl Fn() -> Result<Command, String> + Send + Sync + 'static {
        let whole = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let data = whole(self.library.root());
        let plugins: Vec<PathBuf> = self.plugins.iter().map(|p| whole(p.path())).collect();
        // The user's own rulesets lie where this variable says.
        let own = self.library.user().and_then(Path::parent).map(whole);
        let words = [ruleset.to_owned(), scenario.to_owned()];
        move || {
            let program = std::env::current_exe().map_err(|error| error.to_string())?;
            let mut command = Command::new(program);
            command.arg("--data").arg(&data).arg("--no-cache");
            for plugin in &plugins {
                command.arg("--plugin").arg(plugin);
            }
            command.envs(own.iter().map(|own| ("XDG_CONFIG_HOME", own)));
            let [ruleset, scenario] = &words;
            command.args(["check", "--ruleset", ruleset, "--digest", scenario]);
            Ok(command)
        }
    }

    /// A scenario ready to be played; loads the plugins that its variant names, if they are allowed.
    ///
    /// # Errors
    /// Everything that is wrong with it, at once.
    pub fn play(
        &mut self,
        ruleset: &str,
        scenario: &str,
        variant: Option<&Source>,
    ) -> anyhow::Result<Play> {
        self.known_played(ruleset)?;
        if let Some(variant) = variant {
            self.load_plugins_of(variant)?;
        }
        Ok(self.library.play_with(ruleset, scenario, variant)?)
    }

    /// Variants by their names or from files, as one, and under them the printed numbers of the user, if he wants
    /// them.
    ///
    /// # Errors
    /// If one of them is not there, or cannot be read.
    pub fn variants(&self, ruleset: &str, named: &[PathBuf]) -> anyhow::Result<Option<Source>> {
        let named = self.library.variants_or_files(named)?;
        self.with_owner(ruleset, named)
    }

    /// A variant over the printed numbers of the user, if he wants them.
    ///
    /// # Errors
    /// If there are none.
    pub fn with_owner(
        &self,
        ruleset: &str,
        variant: Option<Source>,
    ) -> anyhow::Result<Option<Source>> {
        let owner = self
            .owner
            .then(|| self.library.owner(ruleset))
            .transpose()?;
        let all: Vec<Source> = owner.into_iter().chain(variant).collect();
        Ok(stack(&all))
    }

    /// Loads what a variant says that it needs, unless it is there already. A library is a program: only those in
    /// folders that the user trusts are loaded, whatever the variant says and wherever it lies.
    ///
    /// # Errors
    /// If the variant cannot be read, or a plugin is not allowed, missing or refused.
    pub fn load_plugins_of(&mut self, variant: &Source) -> anyhow::Result<()> {
        unstack(variant)
            .iter()
            .try_for_each(|variant| self.load_plugins_of_one(variant))
    }

    fn load_plugins_of_one(&mut self, variant: &Source) -> anyhow::Result<()> {
        let file: Variant = variant.ron()?;
        for (i, name) in file.plugins.iter().enumerate() {
            let space = name.replace('-', "_");
            let known = |plugin: &Plugin| plugin.space() == name || plugin.space() == space;
            if self.plugins.iter().any(known) {
                continue;
            }
            let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_".contains(letter);
            let found = cupola_plugin::find(name, &self.trusted).ok();
            let Some(path) = found.filter(|_| name.chars().all(plain)) else {
                return Err(self.not_allowed(variant, i, name).into());
            };
            self.load_plugin(&path)?;
        }
        Ok(())
    }

    fn not_allowed(&self, variant: &Source, i: usize, name: &str) -> Problem {
        let message =
            format!("this needs the plugin \"{name}\", which is not loaded: a plugin is a program");
        let problem = variant.problem(&format!("plugins[{i}]"), message);
        let file = cupola_plugin::file_name(name);
        let folder = self.trusted.last().map_or_else(String::new, |folder| {
            format!(", or lay {file} into {}", folder.display())
        });
        problem.with_hint(format!(
            "if you trust it, allow it with --plugin FILE{folder}"
        ))
    }

    /// Checks that a ruleset exists and can be played.
    ///
    /// # Errors
    /// If not, with what there is instead.
    pub fn known_played(&self, ruleset: &str) -> anyhow::Result<()> {
        Ok(self.library.known_played(ruleset)?)
    }

    /// Ruleset and battle from `blocks/gettysburg`, or from a ruleset alone: then it is the battle that the
    /// ruleset was made for.
    ///
    /// # Errors
    /// If there is no such ruleset or battle.
    pub fn which_battle(&self, name: &str) -> anyhow::Result<(String, String)> {
        if let Some((ruleset, battle)) = name.split_once('/') {
            self.library.battle_dir(ruleset, battle)?;
            return Ok((ruleset.to_owned(), battle.to_owned()));
        }
        Ok((name.to_owned(), self.library.home(name)?))
    }

    /// Ruleset and scenario from `corps20/gettysburg`, from two words, or from a scenario that only one
    /// ruleset has.
    ///
    /// # Errors
    /// If that names nothing, or more than one thing.
    pub fn which(&self, first: &str, second: Option<&str>) -> anyhow::Result<(String, String)> {
        Ok(self.library.which(first, second)?)
    }
}

/// The data folder that is inside the program, written out where compiled boards are kept; in a folder
/// of its own among the temporary ones, if that cannot be.
///
/// # Errors
/// If it can be written nowhere.
pub fn bundled() -> Result<PathBuf, Problem> {
    let temporary = std::env::temp_dir();
    // Another user may have had the same idea, and then the folder is his.
    let others = ["cupola", "cupola-2", "cupola-3"].map(|name| temporary.join(name));
    let mut refused = vec![];
    for folder in cache_folder().into_iter().chain(others) {
        match cupola_bundle::folder(&folder) {
            Ok(data) => return Ok(data),
            Err(error) => refused.push(format!("{} ({error})", folder.display())),
        }
    }
    let message = format!(
        "no data folder here or above, and the one inside the program cannot be written to {}",
        refused.join(" or ")
    );
    let hint = "name a data folder with --data or CUPOLA_DATA, or a folder that can be written with XDG_CACHE_HOME or TMPDIR";
    Err(Problem::file("data", message).with_hint(hint))
}

/// Whether a folder is the data folder that is inside the program, or lies in it.
pub fn is_inside(folder: &Path) -> bool {
    let name = cupola_bundle::folder_name();
    let mut parts = folder.components();
    parts.any(|part| part.as_os_str() == name.as_str())
}

/// Refuses to write into the data folder that is inside the program.
///
/// # Errors
/// If this folder is in it, with how to get one that can be edited.
pub fn editable(folder: &Path) -> anyhow::Result<()> {
    if !is_inside(folder) {
        return Ok(());
    }
    let message = "the data folder is the one inside the program, which nobody edits";
    let hint = "write one out with `cupola data export DIR`, and use it with --data DIR";
    Err(Problem::file(folder.display().to_string(), message)
        .with_hint(hint)
        .into())
}

/// Folders whose libraries may be loaded when a variant names them: those of `CUPOLA_PLUGINS`, and the user's own,
/// `XDG_DATA_HOME/cupola/plugins` or `~/.local/share/cupola/plugins`.
fn trusted_folders() -> Vec<PathBuf> {
    let named = std::env::var_os("CUPOLA_PLUGINS").unwrap_or_default();
    let named = std::env::split_paths(&named).filter(|path| !path.as_os_str().is_empty());
    let own = folder_of("XDG_DATA_HOME", ".local/share");
    named
        .chain(own.map(|folder| folder.join("plugins")))
        .collect()
}

/// The folder for compiled boards: `XDG_CACHE_HOME/cupola`, or `~/.cache/cupola`.
pub fn cache_folder() -> Option<PathBuf> {
    folder_of("XDG_CACHE_HOME", ".cache")
}

/// The user's own folder for what he changes: `XDG_CONFIG_HOME/cupola`, or `~/.config/cupola`.
pub fn user_folder() -> Option<PathBuf> {
    folder_of("XDG_CONFIG_HOME", ".config")
}

/// Our folder in one of the user's own, named by a variable or else by its place below the home folder.
fn folder_of(variable: &str, below_home: &str) -> Option<PathBuf> {
    let var = |name| {
        std::env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    let base = var(variable).or_else(|| Some(var("HOME")?.join(below_home)))?;
    Some(base.join("cupola"))
}

/// A seed that nobody can guess.
///
/// # Errors
/// If the system has no randomness to give.
pub fn fresh_seed() -> anyhow::Result<Seed> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)
        .ok()
        .context("the system gives no random numbers; name a seed with --seed")?;
    Ok(Seed(u128::from_le_bytes(bytes)))
}

/// Reads a seed from the command line.
///
/// # Errors
/// What is wrong with it, for clap to show.
pub fn parse_seed(text: &str) -> Result<Seed, String> {
    Seed::parse(text).ok_or_else(|| "expected up to 32 hexadecimal digits, such as 1863".to_owned())
}

/// A share of a seed that nobody can guess.
///
/// # Errors
/// If the system has no randomness to give.
pub fn fresh_share() -> anyhow::Result<Share> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes)
        .ok()
        .context("the system gives no random numbers")?;
    Ok(Share(bytes))
}
