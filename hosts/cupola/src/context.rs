//! What every command starts from: the data folder, the cache, the plugins, the terminal.

use crate::cli::Cli;
use crate::paint::Paint;
use anyhow::{Context as _, bail};
// Linked for what they register; without this line the linker drops them.
use cupola_blindswords as _;
use cupola_blocks as _;
use cupola_corps20 as _;
use cupola_data::{Problem, Source, nearest};
use cupola_gbacw as _;
use cupola_kernel::{Play, Registry, Seed, Variant};
use cupola_library::Library;
use cupola_plugin::Plugin;
use std::path::{Path, PathBuf};

/// What every command starts from.
pub struct Context {
    /// The data folder with the rulesets.
    pub library: Library,
    /// Plugins that were loaded from shared libraries.
    pub plugins: Vec<Plugin>,
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
            None => Library::find_root().or_else(|missing| bundled().ok_or(missing))?,
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
        let library = Library::new(root, cache, Registry::linked()?);
        let mut context = Context {
            library,
            plugins: vec![],
            paint: Paint::detect(),
        };
        cli.plugin
            .iter()
            .try_for_each(|path| context.load_plugin(path))?;
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

    /// Where plugins are looked for when a variant names them.
    pub fn plugin_folders(&self, variant: Option<&Path>) -> Vec<PathBuf> {
        let beside = variant.and_then(Path::parent).map(Path::to_owned);
        beside
            .into_iter()
            .chain([self.library.root().join("plugins")])
            .collect()
    }

    /// A scenario ready to be played; loads the plugins that its variant names.
    ///
    /// # Errors
    /// Everything that is wrong with it, at once.
    pub fn play(
        &mut self,
        ruleset: &str,
        scenario: &str,
        variant: Option<&Path>,
    ) -> anyhow::Result<Play> {
        self.known_played(ruleset)?;
        if let Some(path) = variant {
            self.load_plugins_of(path)?;
        }
        Ok(self.library.play(ruleset, scenario, variant)?)
    }

    /// Loads what a variant says that it needs, unless it is there already.
    ///
    /// # Errors
    /// If the variant cannot be read or a plugin is missing or refused.
    pub fn load_plugins_of(&mut self, variant: &Path) -> anyhow::Result<()> {
        let file: Variant = Source::read(variant)?.ron()?;
        for name in &file.plugins {
            let space = name.replace('-', "_");
            if self
                .plugins
                .iter()
                .any(|plugin| plugin.space() == name || plugin.space() == space)
            {
                continue;
            }
            let path = cupola_plugin::find(name, &self.plugin_folders(Some(variant)))?;
            self.load_plugin(&path)?;
        }
        Ok(())
    }

    /// Checks that a ruleset exists and can be played.
    ///
    /// # Errors
    /// If not, with what there is instead.
    pub fn known_played(&self, ruleset: &str) -> anyhow::Result<()> {
        if self.library.is_played(ruleset) {
            return Ok(());
        }
        let all = self.library.rulesets();
        let played: Vec<&str> = all
            .iter()
            .map(String::as_str)
            .filter(|name| self.library.is_played(name))
            .collect();
        if all.iter().any(|name| name == ruleset) {
            bail!(
                "{ruleset} has a map but no rules yet, so it cannot be played; to play there is {}",
                played.join(", ")
            );
        }
        match nearest(ruleset, all.iter().map(String::as_str)) {
            Some(near) => bail!("no ruleset \"{ruleset}\"; did you mean \"{near}\"?"),
            None => bail!("no ruleset \"{ruleset}\"; there are {}", all.join(", ")),
        }
    }

    /// The battle that a ruleset's map and turns belong to.
    ///
    /// # Errors
    /// If the ruleset is not known or its turns cannot be read.
    pub fn battle_of(&self, ruleset: &str) -> anyhow::Result<String> {
        Ok(self.library.turns(ruleset)?.battle)
    }

    /// Ruleset and scenario from `corps20/gettysburg`, from two words, or from a scenario that only one
    /// ruleset has.
    ///
    /// # Errors
    /// If that names nothing, or more than one thing.
    pub fn which(&self, first: &str, second: Option<&str>) -> anyhow::Result<(String, String)> {
        if let Some(scenario) = second {
            return Ok((first.to_owned(), scenario.to_owned()));
        }
        if let Some((ruleset, scenario)) = first.split_once('/') {
            return Ok((ruleset.to_owned(), scenario.to_owned()));
        }
        let mut known = vec![];
        for ruleset in self
            .library
            .rulesets()
            .into_iter()
            .filter(|name| self.library.is_played(name))
        {
            known.extend(
                self.library
                    .scenarios(&ruleset)
                    .into_iter()
                    .map(|s| (ruleset.clone(), s.name)),
            );
        }
        let list = |found: &[(String, String)]| {
            found
                .iter()
                .map(|(ruleset, scenario)| format!("{ruleset}/{scenario}"))
                .collect::<Vec<_>>()
                .join(", ")
        };
        let of_ruleset: Vec<_> = known
            .iter()
            .filter(|(ruleset, _)| ruleset == first)
            .cloned()
            .collect();
        if !of_ruleset.is_empty() {
            bail!("which scenario of {first}? there are {}", list(&of_ruleset));
        }
        let found: Vec<_> = known
            .iter()
            .filter(|(_, scenario)| scenario == first)
            .cloned()
            .collect();
        match found.as_slice() {
            [one] => Ok(one.clone()),
            [] => {
                let near = nearest(first, known.iter().map(|(_, scenario)| scenario.as_str()));
                let hint = near.map_or(String::new(), |near| format!("; did you mean \"{near}\"?"));
                bail!("no scenario \"{first}\"{hint} (there are {})", list(&known))
            }
            several => bail!(
                "several rulesets have a scenario \"{first}\": {}",
                list(several)
            ),
        }
    }
}

/// The data folder that is inside the program, written out where compiled boards are kept; in a folder
/// of its own among the temporary ones, if that cannot be.
fn bundled() -> Option<PathBuf> {
    let kept = cache_folder().and_then(|folder| cupola_bundle::folder(&folder).ok());
    kept.or_else(|| cupola_bundle::folder(&std::env::temp_dir().join("cupola")).ok())
}

/// The folder for compiled boards: `XDG_CACHE_HOME/cupola`, or `~/.cache/cupola`.
fn cache_folder() -> Option<PathBuf> {
    let var = |name| {
        std::env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    let base = var("XDG_CACHE_HOME").or_else(|| Some(var("HOME")?.join(".cache")))?;
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
