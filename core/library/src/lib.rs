//! The data folder: what is in it, and how it becomes something to play.
//!
//! ```text
//! data/battlefields/<battle>/   the ground
//! data/armies/<battle>/         the order of battle
//! data/rulesets/<ruleset>/      the series: composition, tables, terrain
//! data/rulesets/<ruleset>/battles/<battle>/      grid, board, turns, counters, what the map shows
//! data/rulesets/<ruleset>/battles/<battle>/scenarios/<scenario>.ron
//! data/variants/<variant>.ron
//! ```
#![forbid(unsafe_code)]

mod battles;
mod derive;
mod derived;
mod guests;
mod orders;
mod resolve;
mod scaffold;
mod scripts;
mod since;
mod stack;
mod tell;
mod terrain;
mod whatif;
mod which;

pub use battles::BattlePlan;
pub use derived::derived;
pub use orders::Orders;
pub use resolve::Resolved;
pub use scaffold::Scaffold;
pub use scripts::{read_variant, with_scripts};
pub use since::Since;
pub use stack::{stack, unstack};
pub use tell::{Told, differences};
pub use terrain::displaced;
pub use whatif::{Changed, Opening};

use crate::guests::Guests;
use cupola_army::{Battle, Turns};
use cupola_data::{Problem, Problems, Source};
use cupola_ground::{Board, BoardFiles};
use cupola_kernel::{Composition, Identity, Journal, Play, PositionFile, Registry};
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A data folder and the rulesets that are linked or loaded.
#[derive(Clone)]
pub struct Library {
    root: PathBuf,
    cache: Option<PathBuf>,
    /// The user's own folder, with variants and printed numbers of his.
    user: Option<PathBuf>,
    registry: Registry,
    /// Scenarios that lie in none of these folders.
    guests: Guests,
}

/// What every file about something playable says.
#[derive(Debug, Deserialize)]
struct Title {
    title: String,
}

/// A scenario on the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioInfo {
    /// Its name: the file's, without the ending.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// The battle it belongs to.
    pub battle: String,
}

impl Library {
    /// A library on a data folder. Compiled boards are kept in `cache`, if one is given.
    #[must_use]
    pub fn new(root: PathBuf, cache: Option<PathBuf>, registry: Registry) -> Library {
        Library {
            root,
            cache,
            user: None,
            registry,
            guests: Guests::default(),
        }
    }

    /// The same, with a folder of the user's own: `variants` in it are known by name like those of the data folder,
    /// and `owner/<ruleset>.ron` holds the printed numbers of a game that he has.
    #[must_use]
    pub fn with_user(mut self, folder: Option<PathBuf>) -> Library {
        self.user = folder;
        self
    }

    /// The user's own folder.
    #[must_use]
    pub fn user(&self) -> Option<&Path> {
        self.user.as_deref()
    }

    /// Looks for a data folder: `CUPOLA_DATA`, then `data` in this folder or one above it.
    ///
    /// # Errors
    /// If there is none.
    pub fn find_root() -> Result<PathBuf, Problem> {
        if let Some(path) = std::env::var_os("CUPOLA_DATA") {
            return Ok(path.into());
        }
        let here = std::env::current_dir().unwrap_or_default();
        let found = here
            .ancestors()
            .map(|folder| folder.join("data"))
            .find(|data| data.join("rulesets").is_dir());
        found.ok_or_else(|| {
            Problem::file("data", "no data folder here or above")
                .with_hint("run inside a checkout of Cupola, or set CUPOLA_DATA")
        })
    }

    /// The data folder.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// What is linked or loaded.
    #[must_use]
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// What is linked or loaded, to add a plugin.
    pub fn registry_mut(&mut self) -> &mut Registry {
        &mut self.registry
    }

    /// The rulesets that have a board, played or not: those of the data folder and of the user's own.
    #[must_use]
    pub fn rulesets(&self) -> Vec<String> {
        let folders = self.ruleset_folders().into_iter();
        let mut all: Vec<String> = folders.flat_map(|folder| names(&folder, "")).collect();
        all.sort();
        all.dedup();
        all.retain(|name| !self.battles(name).is_empty());
        all
    }

    /// Where rulesets lie, those of the data folder first.
    fn ruleset_folders(&self) -> Vec<PathBuf> {
        let folders = [Some(&self.root), self.user.as_ref()].into_iter().flatten();
        folders.map(|folder| folder.join("rulesets")).collect()
    }

    /// Whether a ruleset can be played, not only looked at.
    #[must_use]
    pub fn is_played(&self, ruleset: &str) -> bool {
        self.has_rules(ruleset).unwrap_or(false)
    }

    /// The same for those who want to know why not: a ruleset that has no rules yet, or none in this program, is one thing, and
    /// another is one whose file cannot be read.
    ///
    /// # Errors
    /// If it cannot.
    pub fn has_rules(&self, ruleset: &str) -> Result<bool, Problem> {
        let file = self.ruleset_dir(ruleset).join("ruleset.ron");
        let known = |base: &str| self.registry.ruleset(base).is_some();
        // One of its own name needs no look into the file.
        if !file.is_file() || known(ruleset) {
            return Ok(file.is_file());
        }
        let composition: Composition = Source::read(&file)?.ron()?;
        Ok(known(composition.base()))
    }

    /// The variants of the data folder and of the user's own.
    #[must_use]
    pub fn variants(&self) -> Vec<String> {
        let folders = self.variant_folders().into_iter();
        let mut all: Vec<String> = folders.flat_map(|folder| names(&folder, ".ron")).collect();
        all.sort();
        all.dedup();
        all
    }

    /// Where variants lie, those of the data folder first.
    fn variant_folders(&self) -> Vec<PathBuf> {
        let own = self.user.as_ref().map(|user| user.join("variants"));
        [self.root.join("variants")]
            .into_iter()
            .chain(own)
            .collect()
    }

    /// The file of a variant by its name; where it would lie, if there is none.
    #[must_use]
    pub fn variant_path(&self, name: &str) -> PathBuf {
        let places = self.variant_folders().into_iter();
        let mut places = places.map(|folder| folder.join(format!("{name}.ron")));
        let first = places.next().unwrap_or_default();
        if first.is_file() {
            return first;
        }
        places.find(|path| path.is_file()).unwrap_or(first)
    }

    /// A ruleset's name for people, or those of the variants.
    ///
    /// # Errors
    /// What is wrong with the file.
    pub fn title(&self, ruleset: &str, variant: Option<&Source>) -> Result<String, Problems> {
        let files = match variant {
            Some(variant) => unstack(variant),
            None => vec![Source::read(
                &self.known_ruleset(ruleset)?.join("ruleset.ron"),
            )?],
        };
        let titles: Result<Vec<String>, Problem> = files
            .iter()
            .map(|file| Ok(file.ron::<Title>()?.title))
            .collect();
        Ok(titles?.join(" + "))
    }

    /// The folder of a ruleset; where it would lie in the data folder, if there is none.
    #[must_use]
    pub fn ruleset_dir(&self, ruleset: &str) -> PathBuf {
        let places = self.ruleset_folders().into_iter();
        let mut places = places.map(|folder| folder.join(ruleset));
        let first = places.next().unwrap_or_default();
        if first.is_dir() {
            return first;
        }
        places.find(|path| path.is_dir()).unwrap_or(first)
    }

    fn known_ruleset(&self, ruleset: &str) -> Result<PathBuf, Problems> {
        let all = self.rulesets();
        if all.iter().any(|name| name == ruleset) {
            return Ok(self.ruleset_dir(ruleset));
        }
        let problem = Problem::file("ruleset", format!("no ruleset \"{ruleset}\""));
        Err(problem
            .with_nearest(ruleset, all.iter().map(String::as_str))
            .into())
    }

    /// The turns of a battle under a ruleset.
    ///
    /// # Errors
    /// What is wrong with the file.
    pub fn turns(&self, ruleset: &str, battle: &str) -> Result<Turns, Problems> {
        let folder = self.battle_dir(ruleset, battle)?;
        Turns::read(&Source::read(&folder.join("turns.ron"))?)
    }

    /// The board of a ruleset on the battlefield of a battle, and what it was made of.
    ///
    /// # Errors
    /// What is wrong with the ground, the grid or the recipe.
    pub fn board(&self, ruleset: &str, battle: &str) -> Result<(Arc<Board>, Identity), Problems> {
        self.battle_dir(ruleset, battle)?;
        let files = BoardFiles::read(
            &self.root.join("battlefields").join(battle),
            &self.known_ruleset(ruleset)?,
        )?;
        let board = match &self.cache {
            Some(cache) => files.load(cache)?,
            None => files.compile()?,
        };
        let mut identity = Identity::default();
        let all = self.board_parts(&files);
        all.for_each(|file| self.count(file, &mut identity));
        Ok((Arc::new(board), identity))
    }

    /// All files of a board.
    fn board_parts<'f>(&self, files: &'f BoardFiles) -> impl Iterator<Item = &'f Source> {
        let field = [&files.battlefield.main].into_iter();
        field
            .chain(&files.battlefield.parts)
            .chain(&files.series)
            .chain([&files.grid, &files.plan])
    }

    /// Adds a file to what rules are made of, by its name in the data folder.
    fn count(&self, file: &Source, identity: &mut Identity) {
        let path = Path::new(&file.name);
        let own = || {
            self.user
                .as_ref()
                .and_then(|user| path.strip_prefix(user).ok())
        };
        let name = path.strip_prefix(&self.root).ok().or_else(own);
        let name = name.unwrap_or(path);
        identity.text(name.display().to_string().replace('\\', "/"), &file.text);
    }

    /// The order of battle.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn battle(&self, battle: &str) -> Result<Battle, Problems> {
        Battle::read(&self.army_folder(battle)?)
    }

    /// The folder of an order of battle.
    fn army_folder(&self, battle: &str) -> Result<PathBuf, Problems> {
        let folder = self.root.join("armies");
        let all = names(&folder, "");
        if !all.iter().any(|name| name == battle) {
            let problem = Problem::file("battle", format!("no battle \"{battle}\""));
            return Err(problem
                .with_nearest(battle, all.iter().map(String::as_str))
                .into());
        }
        Ok(folder.join(battle))
    }

    /// A ruleset with a scenario, ready to be played, under a variant from a file if one is named.
    ///
    /// # Errors
    /// Everything that is wrong with it, at once.
    pub fn play(
        &self,
        ruleset: &str,
        scenario: &str,
        variant: Option<&Path>,
    ) -> Result<Play, Problems> {
        let variant = variant.map(read_variant).transpose()?;
        self.play_with(ruleset, scenario, variant.as_ref())
    }

    /// A ruleset with a scenario, ready to be played, under a variant that was read already, or a [`stack`] of
    /// several.
    ///
    /// # Errors
    /// Everything that is wrong with it, at once.
    pub fn play_with(
        &self,
        ruleset: &str,
        scenario: &str,
        variant: Option<&Source>,
    ) -> Result<Play, Problems> {
        self.play_resolved(&self.resolve(ruleset, scenario, variant)?)
    }

    /// The play that a position file or a case starts from, under a variant if one is given.
    ///
    /// # Errors
    /// Everything that is wrong with the file or the ruleset, at once.
    pub fn play_at(&self, file: &PositionFile, variant: Option<&Source>) -> Result<Play, Problems> {
        let header = file.header()?;
        self.play_with(&header.ruleset, &header.scenario, variant)?
            .at(file)
    }

    /// The play that a journal was played in; its variant, its position and a scenario that lies in no data folder stand
    /// in it, and no path is followed. Whether its rules are still the same is found out when it is played again.
    ///
    /// # Errors
    /// Everything that is wrong with the journal's ruleset, at once.
    pub fn play_of(&self, journal: &Journal) -> Result<Play, Problems> {
        let variant = journal.variant.clone();
        let variant = variant.map(|text| Source::new("the journal's variant", text));
        let library = self.with_guest_of(journal);
        let play = library.play_with(&journal.ruleset, &journal.scenario, variant.as_ref())?;
        match &journal.position {
            None => Ok(play),
            Some(text) => play.at(&PositionFile {
                source: Source::new("the journal's position", text.clone()),
                in_case: false,
            }),
        }
    }
}

/// A file or folder that data names lies beside the one that names it, and nowhere else.
fn plain_name(name: &str) -> Result<(), Problem> {
    let mut parts = Path::new(name).components();
    match (parts.next(), parts.next()) {
        (Some(std::path::Component::Normal(_)), None) => Ok(()),
        _ => Err(Problem::file(
            name,
            "expected the plain name of a file in the same folder",
        )),
    }
}

/// The names in a folder that end so, without the ending, in order.
fn names(folder: &Path, ending: &str) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let mut found: Vec<String> = names
        .filter_map(|name| name.strip_suffix(ending).map(str::to_owned))
        .collect();
    found.sort();
    found
}
