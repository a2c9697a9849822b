//! What all games of one ruleset, scenario and variant share.

use crate::picture::Picture;
use crate::prototype::Rules;
use crate::store::Meta;
use crate::wrong::Wrong;
use cupola_bots::Brief;
use cupola_data::{Problem, Problems, Source};
use cupola_ground::Battlefield;
use cupola_kernel::{Journal, Play, Side, StateHash, hash_bytes};
use cupola_library::Library;
use cupola_look::{Faces, Look};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// What all games of one ruleset, scenario and variant share.
pub(crate) struct Scenery {
    pub play: Play,
    /// The ruleset's own name, without variants.
    pub ruleset: String,
    /// The text of the variants, if there are any.
    pub variant: Option<String>,
    pub faces: Faces,
    /// For each unit the formations it belongs to, the smallest first.
    pub formations: Vec<Vec<String>>,
    /// The look as JSON, and its hash.
    pub look: Arc<str>,
    pub look_name: String,
    /// What bots of either side are about, and what they take the other to be about.
    pub briefs: [Arc<Brief>; 2],
    pub guesses: [Arc<Brief>; 2],
}

/// Ruleset, scenario and variants.
type Key = (String, String, Option<String>);

/// Everything that was opened so far.
pub(crate) struct Sceneries {
    library: Arc<Library>,
    cache: Option<PathBuf>,
    open: Mutex<BTreeMap<Key, Arc<Scenery>>>,
    /// Of games that bring their scenario along, as long as one of them is awake: anybody can bring any number.
    guests: Mutex<BTreeMap<StateHash, Weak<Scenery>>>,
    pictures: Mutex<BTreeMap<String, Arc<Picture>>>,
}

impl Sceneries {
    pub fn new(library: Arc<Library>, cache: Option<PathBuf>) -> Sceneries {
        Sceneries {
            library,
            cache,
            open: Mutex::default(),
            guests: Mutex::default(),
            pictures: Mutex::default(),
        }
    }

    /// The scenery of a game; opened if it was not yet.
    ///
    /// # Errors
    /// Everything that is wrong with the ruleset's files.
    pub fn get(
        &self,
        ruleset: &str,
        scenario: &str,
        variant: Option<&str>,
    ) -> Result<Arc<Scenery>, Wrong> {
        let key = (
            ruleset.to_owned(),
            scenario.to_owned(),
            variant.map(str::to_owned),
        );
        // Held while it is opened, so that two who come together do not open it twice.
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(scenery) = open.get(&key) {
            return Ok(scenery.clone());
        }
        let bad = |problems: Problems| Wrong::bad(problems.to_string());
        let library = &*self.library;
        let variant = crate::variants::read(library, variant).map_err(bad)?;
        let play = library.play_with(ruleset, scenario, variant.as_ref());
        let scenery = play.and_then(|play| self.load(library, (ruleset, scenario), variant, play));
        let scenery = Arc::new(scenery.map_err(bad)?);
        open.insert(key, scenery.clone());
        Ok(scenery)
    }

    /// The scenery of a game.
    ///
    /// # Errors
    /// Everything that is wrong with the ruleset's files, or with what the game brings along.
    pub fn of(&self, meta: &Meta) -> Result<Arc<Scenery>, Wrong> {
        if !meta.brought {
            return self.get(&meta.ruleset, &meta.scenario, meta.variant.as_deref());
        }
        let head = Journal::read(&Source::new("journal", meta.head.clone()));
        self.of_journal(&head.map_err(|problems| Wrong::bad(problems.to_string()))?)
    }

    /// The scenery of a journal that brings its scenario or its position along.
    ///
    /// # Errors
    /// Everything that is wrong with them.
    pub fn of_journal(&self, journal: &Journal) -> Result<Arc<Scenery>, Wrong> {
        let Journal {
            ruleset, scenario, ..
        } = journal;
        let texts = [&journal.scenario_text, &journal.position, &journal.variant];
        let texts = texts.map(|text| text.as_deref().unwrap_or_default());
        let key = hash_bytes(
            [ruleset, scenario, texts[0], texts[1], texts[2]]
                .join("\0")
                .as_bytes(),
        );
        let mut guests = self.guests.lock().unwrap_or_else(PoisonError::into_inner);
        guests.retain(|_, scenery| scenery.strong_count() > 0);
        if let Some(known) = guests.get(&key).and_then(Weak::upgrade) {
            return Ok(known);
        }
        let library = self.library.with_guest_of(journal);
        let variant = journal.variant.clone();
        let variant = variant.map(|text| Source::new("the journal's variant", text));
        let play = self.library.play_of(journal);
        let scenery = play.and_then(|play| self.load(&library, (ruleset, scenario), variant, play));
        let scenery = scenery.map_err(|problems| Wrong::bad(problems.to_string()))?;
        let scenery = Arc::new(scenery);
        guests.insert(key, Arc::downgrade(&scenery));
        Ok(scenery)
    }

    /// The scenery of rules that lie in files; kept as long as somebody has it.
    ///
    /// # Errors
    /// Everything that is wrong with the ruleset's files.
    pub fn of_rules(&self, rules: &Rules) -> Result<Arc<Scenery>, Wrong> {
        let named = (&*rules.resolved.ruleset, rules.play.scenario());
        let scenery = self.load(
            &rules.library,
            named,
            rules.variant.clone(),
            rules.play.clone(),
        );
        let scenery = scenery.map_err(|problems| Wrong::bad(problems.to_string()))?;
        let scenery = Arc::new(scenery);
        let mut guests = self.guests.lock().unwrap_or_else(PoisonError::into_inner);
        guests.retain(|_, scenery| scenery.strong_count() > 0);
        guests.insert(rules.play.identity().hash(), Arc::downgrade(&scenery));
        Ok(scenery)
    }

    /// A look by its hash.
    pub fn look(&self, name: &str) -> Option<Arc<str>> {
        let found = |scenery: &Arc<Scenery>| scenery.look_name == name;
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(scenery) = open.values().find(|scenery| found(scenery)) {
            return Some(scenery.look.clone());
        }
        drop(open);
        let guests = self.guests.lock().unwrap_or_else(PoisonError::into_inner);
        let scenery = guests.values().filter_map(Weak::upgrade).find(found);
        scenery.map(|scenery| scenery.look.clone())
    }

    /// A picture by its name.
    pub fn picture(&self, name: &str) -> Option<Arc<Picture>> {
        let all = self.pictures.lock().unwrap_or_else(PoisonError::into_inner);
        all.get(name).cloned()
    }

    fn load(
        &self,
        library: &Library,
        (ruleset, scenario): (&str, &str),
        variant: Option<Source>,
        play: Play,
    ) -> Result<Scenery, Problems> {
        let env = play.env();
        let battle = library.battle_of(ruleset, scenario)?;
        let army = library.battle(&battle)?.army;
        let folder = library.ruleset_dir(ruleset);
        let faces = Faces::of(&folder)?.for_sides(env);
        let picture = self.picture_of(ruleset, &battle, &play)?;
        let title = library.title(ruleset, variant.as_ref())?;
        let scenarios = library.scenarios(ruleset);
        let known = scenarios.into_iter().find(|known| known.name == scenario);
        let scenario_title = known.map_or_else(|| scenario.to_owned(), |known| known.title);
        let look = Look::new(
            (&title, &scenario_title),
            (env, play.reference()),
            &army,
            &faces,
            &picture.scene,
        );
        let look = serde_json::to_string(&look).unwrap_or_default();
        let briefs = cupola_lab::briefs(library, ruleset, &play)?;
        let guesses = Side::BOTH.map(|side| Arc::new(Brief::free(&play, side)));
        let formations = env.units.iter().map(|unit| {
            let node = unit.nodes.first().and_then(|id| army.get(id));
            let above = node.into_iter().flat_map(|node| army.ancestors(node));
            above.map(|id| army.node(id).id.clone()).collect()
        });
        Ok(Scenery {
            formations: formations.collect(),
            look_name: hash_bytes(look.as_bytes()).to_string(),
            look: look.into(),
            variant: variant.map(|file| file.text),
            play,
            ruleset: ruleset.to_owned(),
            faces,
            briefs,
            guesses,
        })
    }

    /// Boards are few, scenarios many: the picture of a board is laid out once.
    fn picture_of(
        &self,
        ruleset: &str,
        battle: &str,
        play: &Play,
    ) -> Result<Arc<Picture>, Problems> {
        let mut all = self.pictures.lock().unwrap_or_else(PoisonError::into_inner);
        let board = &play.env().board;
        let known = all.values().find(|picture| picture.shows(board));
        if let Some(picture) = known {
            return Ok(picture.clone());
        }
        let folder = self.library.root().join("battlefields").join(battle);
        let field = Battlefield::read(&folder)?;
        let picture = Picture::new(field, board.clone(), self.cache.as_deref())
            .map_err(|why| Problem::file(ruleset, why))?;
        let picture = Arc::new(picture);
        all.insert(picture.name.clone(), picture.clone());
        Ok(picture)
    }
}
