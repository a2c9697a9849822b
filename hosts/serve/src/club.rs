//! The club: its data, its store, and the games that are being played.

use crate::bell::Bells;
use crate::bots::Bench;
use crate::lab::Lab;
use crate::name;
use crate::notice::Notices;
use crate::opening::Openings;
use crate::prototype::Prototype;
use crate::reopen::TOLD;
use crate::scenery::{Sceneries, Scenery};
use crate::secret::{Secret, fresh_id};
use crate::settings::{Place, Settings};
use crate::shares;
use crate::sitting::{Room, Sitting};
use crate::store::{self, Aids, GameRecord, Holder, Meta, News, Person, Store, copy_file};
use crate::variants;
use crate::wrong::Wrong;
use anyhow::Context as _;
use cupola_bots::Skill;
use cupola_data::Source;
use cupola_kernel::{Journal, Seed, Session, Side};
use cupola_library::Library;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A club.
pub struct Club {
    pub(crate) settings: Settings,
    pub(crate) library: Arc<Library>,
    pub(crate) store: Store,
    pub(crate) sceneries: Sceneries,
    pub(crate) openings: Openings,
    pub(crate) lab: Option<Lab>,
    /// Those that are awake.
    games: Mutex<BTreeMap<String, Arc<Sitting>>>,
    pub(crate) bells: Bells,
    bench: Bench,
    pub(crate) notices: Notices,
    /// The game that follows files, if one does.
    pub(crate) prototype: OnceLock<Prototype>,
}

/// A game that somebody wants to play.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewGame {
    #[serde(default)]
    pub title: String,
    pub ruleset: String,
    pub scenario: String,
    /// Variants, one upon the other.
    #[serde(default)]
    pub variants: Vec<String>,
    /// For each side: `me`, `open`, or a bot's name.
    pub seats: [String; 2],
    #[serde(default)]
    pub aids: Aids,
    #[serde(default)]
    pub watched: bool,
    #[serde(default)]
    pub days: Option<u16>,
    /// Whether everybody who plays has a hand in the seed.
    #[serde(default)]
    pub drawn: bool,
    /// Whether people type in the dice that they roll.
    #[serde(default)]
    pub typed: bool,
}

impl Club {
    /// Opens a club on a data folder.
    ///
    /// # Errors
    /// If its file cannot be opened or threads cannot be started.
    pub fn open(library: Library, settings: Settings) -> anyhow::Result<Arc<Club>> {
        let me = fresh_id()?;
        if let Place::File(path) = &settings.place
            && let Some(folder) = path.parent().filter(|path| !path.as_os_str().is_empty())
        {
            std::fs::create_dir_all(folder)
                .with_context(|| format!("{}: cannot be made", folder.display()))?;
        }
        let shelf = store::open(&settings.place, &me)
            .with_context(|| format!("{}: cannot be opened", settings.place))?;
        let shared = matches!(settings.place, Place::Database(_));
        let store = Store::new(shelf, shared)?;
        let notices = Notices::new()?;
        let library = Arc::new(library);
        let mut failed = None;
        let club = Arc::new_cyclic(|weak| {
            let bench = Bench::new(weak, settings.bots);
            Club {
                sceneries: Sceneries::new(library.clone(), settings.cache.clone()),
                openings: Openings::new(library.clone(), settings.cache.clone()),
                lab: settings
                    .lab
                    .clone()
                    .map(|(folder, program)| Lab::new(folder, program, library.root().to_owned())),
                library,
                store,
                games: Mutex::default(),
                bells: Bells::default(),
                notices,
                prototype: OnceLock::new(),
                bench: bench.unwrap_or_else(|error| {
                    failed = Some(error);
                    Bench::idle()
                }),
                settings,
            }
        });
        match failed {
            Some(error) => Err(error).context("no threads for bots"),
            None => {
                club.wake_bots()?;
                club.follow_others(me)?;
                Ok(club)
            }
        }
    }

    /// Games in which a bot was to choose when the club was closed go on.
    fn wake_bots(self: &Arc<Club>) -> anyhow::Result<()> {
        let club = self.clone();
        std::thread::Builder::new()
            .name("wake".into())
            .spawn(move || club.take_over(&mut BTreeSet::new()))?;
        Ok(())
    }

    /// Games in which a bot must choose and for which nobody has it think: those of a program that died included.
    /// What cannot be opened says so to whoever opens it, and is not tried again.
    fn take_over(&self, hopeless: &mut BTreeSet<String>) {
        if self.settings.bots == 0 {
            return;
        }
        let waiting = self.store.run(|shelf| shelf.waiting_for_bots());
        for id in waiting.unwrap_or_default() {
            let known = self.lock().get(&id).cloned();
            let busy = known.is_some_and(|sitting| sitting.lock().thinking);
            if busy || hopeless.contains(&id) || !self.store.claim(&id) {
                continue;
            }
            match self.sitting(&id) {
                Ok(sitting) => self.bench.nudge(&sitting),
                Err(_) => {
                    hopeless.insert(id.clone());
                }
            }
            // The bench has a claim of its own now.
            self.store.release(&id);
        }
    }

    /// Hears what other programs on the same database do.
    fn follow_others(self: &Arc<Club>, me: String) -> anyhow::Result<()> {
        let Place::Database(database) = self.settings.place.clone() else {
            return Ok(());
        };
        let (club, mut hopeless) = (Arc::downgrade(self), BTreeSet::new());
        let told = move |news: News| {
            let Some(club) = club.upgrade() else {
                return false;
            };
            match news {
                News::Game(id) => {
                    let known = club.lock().get(&id).cloned();
                    match known {
                        Some(sitting) => sitting.catch_up(),
                        // Whoever is at the table wakes it.
                        None => club.bells.of(&id).ring(),
                    }
                }
                News::Missed => {
                    let all: Vec<Arc<Sitting>> = club.lock().values().cloned().collect();
                    all.iter().for_each(|sitting| sitting.catch_up());
                    club.bells.heard().iter().for_each(|(_, bell)| bell.ring());
                }
                News::Quiet => club.take_over(&mut hopeless),
            }
            true
        };
        std::thread::Builder::new()
            .name("news".into())
            .spawn(move || store::listen(&database, &me, told))?;
        Ok(())
    }

    /// Makes a link for the keeper that works once; a keeper is made if there is none. It leads to the game that follows
    /// files, if one does.
    ///
    /// # Errors
    /// If it cannot be stored.
    pub fn keeper_link(&self) -> anyhow::Result<String> {
        let keeper = self.keeper()?;
        let secret = Secret::fresh()?;
        let hash = secret.hashed();
        self.store
            .run(move |shelf| shelf.add_link(&hash, &keeper.id, true))?;
        let table = self.prototype.get().map(|one| format!("t/{}", one.game));
        Ok(format!(
            "{}/{}#enter={}",
            self.settings.base(),
            table.unwrap_or_default(),
            secret.reveal()
        ))
    }

    /// The keeper, made if there is none.
    ///
    /// # Errors
    /// If it cannot be stored.
    pub(crate) fn keeper(&self) -> anyhow::Result<Person> {
        let new = Person {
            keeper: true,
            ..Person::new(fresh_id()?, "Keeper".into())
        };
        Ok(self.store.run(move |shelf| {
            let keeper = shelf.people()?.into_iter().find(|person| person.keeper);
            match keeper {
                Some(keeper) => Ok(keeper),
                None => shelf.add_person(&new).map(|()| new),
            }
        })?)
    }

    /// Copies a club while it goes on: from a file or a database into a new file or an empty database.
    ///
    /// # Errors
    /// If either cannot be opened, or there is a club in the other already.
    pub fn backup(from: &Place, to: &Place) -> anyhow::Result<()> {
        let copied = match (from, to) {
            (Place::File(from), Place::File(to)) => copy_file(from, to),
            _ => store::open(from, "")
                .and_then(|mut from| store::copy(&mut *from, &mut *store::open(to, "")?)),
        };
        copied.with_context(|| format!("{from} to {to}"))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, Arc<Sitting>>> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A game that is awake.
    pub(crate) fn known(&self, id: &str) -> Option<Arc<Sitting>> {
        self.lock().get(id).cloned()
    }

    /// A game, from memory or from the store.
    ///
    /// # Errors
    /// If there is none, or it cannot go on under these rules.
    pub(crate) fn sitting(&self, id: &str) -> Result<Arc<Sitting>, Wrong> {
        // A game that somebody is busy with holds up nobody else: the list is let go first.
        let known = self.known(id);
        if let Some(sitting) = known
            && !sitting.lock().dropped
        {
            sitting.use_it();
            return Ok(sitting);
        }
        // What it follows does not change between the look into the store and the opening.
        let prototype = self.prototype.get().filter(|one| one.game == id);
        let followed = prototype.map(Prototype::rules);
        let name = id.to_owned();
        let found = self.store.run(move |shelf| {
            Ok(match shelf.game(&name)? {
                Some(record) => {
                    let steps = shelf.steps(&name, 0)?;
                    let kept = shelf.state(&name, steps.len().saturating_sub(TOLD))?;
                    Some((record, steps, kept))
                }
                None => None,
            })
        });
        let (record, steps, kept) = found
            .map_err(|error| Wrong::broken(error.to_string()))?
            .ok_or_else(|| Wrong::missing("game"))?;
        let scenery = match &followed {
            Some(rules) => Arc::clone(rules),
            None => self.sceneries.of(&record.meta)?,
        };
        let room = self.room(id, scenery);
        let sitting = Sitting::open((record, steps), kept.as_ref(), room)?;
        let sitting = Arc::new(sitting);
        let mut games = self.lock();
        // Two may have loaded it at once: the first one counts.
        match games.get(id) {
            Some(known) if !known.lock().dropped => Ok(known.clone()),
            _ => {
                sitting.wake();
                games.insert(id.to_owned(), sitting.clone());
                Ok(sitting)
            }
        }
    }

    /// How many games are awake.
    pub fn awake(&self) -> usize {
        self.lock().len()
    }

    pub(crate) fn room(&self, id: &str, scenery: Arc<Scenery>) -> Room {
        Room {
            scenery,
            store: self.store.clone(),
            bell: self.bells.of(id),
        }
    }

    /// Somebody has chosen: perhaps a bot must choose now, or somebody is to be told.
    pub(crate) fn moved(&self, sitting: &Arc<Sitting>) {
        self.bench.nudge(sitting);
        let mut state = sitting.lock();
        let asked = state.asked();
        if asked == state.told {
            return;
        }
        state.told = asked;
        drop(state);
        self.tell_asked(sitting, "");
    }

    /// Lets games sleep in which nothing happens; the store has them, and whoever is at the table stays there.
    pub fn let_go(&self) {
        self.lock().retain(|_, sitting| {
            let awake = Arc::strong_count(sitting) > 1 || !sitting.is_idle();
            if awake {
                sitting.unwatch();
            }
            awake
        });
        self.bells.tidy();
    }

    /// Where games with more than so many units in all are awake, those sleep first that nobody has wanted anything of for
    /// longest. It is asked every few seconds, and spares those that were used between two times.
    pub fn thin_out(&self, room: usize) {
        let mut games = self.lock();
        // What a game takes follows from how many units it has: a third of a kilobyte each.
        let size = |sitting: &Sitting| sitting.scenery.play.env().units.len();
        let mut all: usize = games.values().map(|sitting| size(sitting)).sum();
        let idle = games.iter().filter_map(|(id, sitting)| {
            let looks = sitting.looks_since()?;
            let free = looks > 1 && Arc::strong_count(sitting) == 1;
            free.then(|| (looks, id.clone(), size(sitting)))
        });
        let mut idle: Vec<(u32, String, usize)> = idle.collect();
        idle.sort_unstable_by(|a, b| b.cmp(a));
        for (_, id, size) in idle {
            if all <= room {
                break;
            }
            games.remove(&id);
            all -= size;
        }
    }

    /// Sets up a game.
    ///
    /// # Errors
    /// If there is no such ruleset, scenario, variant or bot, or it cannot be stored.
    pub(crate) fn new_game(&self, person: &Person, new: NewGame) -> Result<Arc<Sitting>, Wrong> {
        let variant = variants::join(&new.variants);
        self.check_names(&new.ruleset, &new.scenario, variant.as_deref())?;
        let seats = [
            holder(&new.seats[0], person)?,
            holder(&new.seats[1], person)?,
        ];
        let scenery = self
            .sceneries
            .get(&new.ruleset, &new.scenario, variant.as_deref())?;
        let shares = new.drawn.then(shares::begin).transpose()?;
        let draw = shares.as_ref().map(shares::draw).transpose()?;
        let seed = match &draw {
            Some(draw) => draw.seed(),
            None => Seed::parse(Secret::fresh().map_err(no_randomness)?.reveal()),
        };
        let seed = seed.ok_or_else(|| Wrong::broken("no seed"))?;
        let journal = Journal::new(
            &scenery.play,
            &new.ruleset,
            scenery.variant.clone(),
            seed,
            None,
        );
        let mut session = Session::new(&scenery.play, journal)
            .map_err(|fault| Wrong::broken(fault.to_string()))?;
        if let Some(draw) = draw {
            session.set_draw(draw);
        }
        let title: String = name::shown(&new.title)
            .chars()
            .take(name::LONGEST)
            .collect();
        let head = session.journal().write();
        let meta = Meta {
            title,
            variant,
            shares,
            aids: new.aids,
            typed: new.typed,
            watched: new.watched,
            days: new.days.filter(|days| *days > 0),
            ..Meta::new([new.ruleset, new.scenario], head, seats, person)
        };
        self.sit_down(meta, session, scenery)
    }

    /// Takes in a journal as a game of its own.
    ///
    /// # Errors
    /// If it cannot be read, or does not lead where it says under the rules that are here.
    pub(crate) fn take_journal(
        &self,
        person: &Person,
        text: String,
    ) -> Result<Arc<Sitting>, Wrong> {
        let bad = |problems: cupola_data::Problems| Wrong::bad(problems.to_string());
        let journal = Journal::read(&Source::new("journal", text)).map_err(bad)?;
        let variant = match &journal.variant {
            None => None,
            Some(text) => Some(variants::known(&self.library, text)?),
        };
        let (ruleset, scenario) = (&journal.ruleset, &journal.scenario);
        let brought = journal.scenario_text.is_some() || journal.position.is_some();
        let scenery = if brought {
            self.check_ruleset(ruleset)?;
            self.sceneries.of_journal(&journal)?
        } else {
            self.check_names(ruleset, scenario, variant.as_deref())?;
            self.sceneries.get(ruleset, scenario, variant.as_deref())?
        };
        let session = Session::replay(&scenery.play, &journal, "journal").map_err(bad)?;
        let mine = Holder::Person(person.id.clone());
        // It goes on under the rules that are here, which lead where it says.
        let head = Journal {
            steps: vec![],
            ..session.journal().clone()
        };
        let meta = Meta {
            title: "From a journal".into(),
            variant,
            brought,
            typed: journal.steps.iter().any(|step| !step.dice.is_empty()),
            ..Meta::new(
                [journal.ruleset, journal.scenario],
                head.write(),
                [mine.clone(), mine],
                person,
            )
        };
        self.sit_down(meta, session, scenery)
    }

    /// Stores a game that begins, or that came in, and opens it.
    pub(crate) fn sit_down(
        &self,
        meta: Meta,
        session: Session,
        scenery: Arc<Scenery>,
    ) -> Result<Arc<Sitting>, Wrong> {
        let id = fresh_id().map_err(no_randomness)?;
        let record = GameRecord {
            id,
            undone: 0,
            verdict: String::new(),
            asked: None,
            turn: String::new(),
            moved: meta.made,
            version: 0,
            meta,
        };
        let room = self.room(&record.id, scenery);
        let sitting = Arc::new(Sitting::seat(record, session, room));
        let (record, steps) = {
            let mut state = sitting.lock();
            state.note();
            (
                state.record.clone(),
                state.step_records(state.record.meta.made),
            )
        };
        self.store
            .run(move |shelf| {
                shelf.add_game(&record)?;
                steps
                    .iter()
                    .try_for_each(|step| shelf.add_step(&record.id, step))
            })
            .map_err(Wrong::not_stored)?;
        sitting.wake();
        self.lock().insert(sitting.id.clone(), sitting.clone());
        self.bench.nudge(&sitting);
        Ok(sitting)
    }

    /// Names come from people and become parts of paths: only those that there are.
    pub(crate) fn check_names(
        &self,
        ruleset: &str,
        scenario: &str,
        variant: Option<&str>,
    ) -> Result<(), Wrong> {
        self.check_ruleset(ruleset)?;
        let scenarios = self.library.scenarios(ruleset);
        if !scenarios.iter().any(|known| known.name == scenario) {
            return Err(Wrong::missing("scenario"));
        }
        variants::check(&self.library, variant)
    }

    fn check_ruleset(&self, ruleset: &str) -> Result<(), Wrong> {
        let known = self.library.rulesets();
        match known.iter().any(|name| name == ruleset) && self.library.is_played(ruleset) {
            true => Ok(()),
            false => Err(Wrong::missing("ruleset")),
        }
    }

    /// The name of a side's holder for people.
    pub(crate) fn holder_name(&self, holder: &Holder, people: &BTreeMap<String, String>) -> String {
        match holder {
            Holder::Open => "open".into(),
            Holder::Person(id) => people.get(id).cloned().unwrap_or_else(|| "somebody".into()),
            Holder::Bot(skill) => format!("{skill} bot"),
        }
    }

    /// Names of everybody, by id.
    pub(crate) fn names(&self) -> Result<BTreeMap<String, String>, Wrong> {
        let people = self
            .store
            .run(|shelf| shelf.people())
            .map_err(|error| Wrong::broken(error.to_string()))?;
        Ok(people
            .into_iter()
            .map(|person| (person.id, person.name))
            .collect())
    }
}

fn no_randomness(_: getrandom::Error) -> Wrong {
    Wrong::broken("The system gives no random numbers.")
}

fn holder(text: &str, person: &Person) -> Result<Holder, Wrong> {
    match text {
        "me" => Ok(Holder::Person(person.id.clone())),
        "open" => Ok(Holder::Open),
        bot => Skill::parse(bot)
            .map(|skill| Holder::Bot(skill.to_string()))
            .map_err(Wrong::bad),
    }
}

/// The two sides of a play, by id and name.
pub(crate) fn sides(scenery: &Scenery) -> [(String, String); 2] {
    Side::BOTH.map(|side| {
        let info = &scenery.play.env().sides[side];
        (info.id.clone(), info.name.clone())
    })
}
