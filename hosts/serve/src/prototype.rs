//! A prototype: a game that follows a designer's files. Whenever one of them is saved, its choices are played again under
//! the rules that the files have then, as far as they go.
//!
//! Which files is said by whoever starts the program, and by nobody else: no request names a path. All other games keep the
//! rules that they began with.

use crate::club::Club;
use crate::reopen::{Again, again};
use crate::scenery::Scenery;
use crate::secret::Secret;
use crate::sitting::Sitting;
use crate::store::{Follows, GameRecord, Holder, Meta, Person, StepRecord};
use crate::variants::told_value;
use crate::wrong::Wrong;
use anyhow::Context as _;
use cupola_data::Source;
use cupola_kernel::{Entry, Journal, Play, Seed, Session, StateHash};
use cupola_library::{Library, Resolved, Since};
use serde_json::{Value, json};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};
use std::time::Duration;

/// Rules as the files have them now.
pub struct Rules {
    /// The data folder, with a scenario that lies elsewhere.
    pub library: Library,
    /// File by file.
    pub resolved: Resolved,
    /// The variants, as one.
    pub variant: Option<Source>,
    /// Ready to be played.
    pub play: Play,
}

/// Files that a game follows.
pub trait Files: Send {
    /// What they are called together.
    fn name(&self) -> &str;
    /// The rules, or what is wrong with them; none if no file was saved since this was last asked.
    fn saved(&mut self) -> Option<Result<Rules, String>>;
    /// The last verdict of the lab about them, if one is wanted.
    fn verdict(&self) -> Option<String>;
}

/// How often the files are looked at.
const EVERY: Duration = Duration::from_millis(100);
/// So many changes are told; nobody reads more at a glance.
const MOST: usize = 40;
/// Among so many of the keeper's last games the one is looked for that followed the same files before.
const LAST: usize = 40;

/// The game that follows files in this program.
pub(crate) struct Prototype {
    pub game: String,
    /// The rules in force. Whoever opens the game holds them still meanwhile.
    rules: RwLock<Arc<Scenery>>,
    news: Mutex<News>,
}

/// What the last save has brought.
#[derive(Default)]
struct News {
    saves: u32,
    changed: Vec<Value>,
    more: usize,
    wrong: Option<String>,
    verdict: Option<String>,
}

impl Prototype {
    fn news(&self) -> MutexGuard<'_, News> {
        self.news.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self, change: impl FnOnce(&mut News)) {
        change(&mut self.news());
    }

    /// The rules in force; they stay so until this is let go.
    pub fn rules(&self) -> RwLockReadGuard<'_, Arc<Scenery>> {
        self.rules.read().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Club {
    /// Opens a game for the keeper that follows files, or the one that did when the program was last started, if that is
    /// not over.
    ///
    /// # Errors
    /// If the files do not fit, or the game cannot be stored.
    pub fn follow(self: &Arc<Club>, mut files: Box<dyn Files>) -> anyhow::Result<()> {
        let first = files.saved().context("there is nothing to follow")?;
        let rules = first.map_err(anyhow::Error::msg)?;
        let (what, verdict) = (files.name().to_owned(), files.verdict());
        let scenery = self.sceneries.of_rules(&rules)?;
        let keeper = self.keeper()?;
        let mut since = Since::default();
        let opening = scenery.play.game(Seed(0));
        let opening = opening.with_context(|| format!("{what} cannot begin"))?;
        since.look(rules.resolved, &rules.play, &opening);
        let by = keeper.id.clone();
        let games = self.store.run(move |shelf| shelf.games_of(&by, LAST))?;
        let fits = |game: &&GameRecord| {
            let follows = game.meta.follows.as_ref();
            game.verdict.is_empty() && follows.is_some_and(|follows| follows.what == what)
        };
        let known = games.iter().find(fits).map(|game| game.id.clone());
        let game = match &known {
            Some(id) => id.clone(),
            None => self.new_prototype(&keeper, what, &scenery)?,
        };
        let prototype = self.prototype.get_or_init(|| Prototype {
            game,
            rules: RwLock::new(scenery.clone()),
            news: Mutex::default(),
        });
        prototype.tell(|news| news.verdict = verdict);
        if known.is_some() {
            self.turn_to(prototype, scenery)?;
        }
        let club = Arc::downgrade(self);
        std::thread::Builder::new()
            .name("follow".into())
            .spawn(move || {
                loop {
                    std::thread::sleep(EVERY);
                    let Some(club) = club.upgrade() else { return };
                    // Rules that panic are no reason to follow them no longer.
                    let look = || {
                        if let Some(found) = files.saved() {
                            club.look_again(&*files, found, &mut since);
                        }
                    };
                    if catch_unwind(AssertUnwindSafe(look)).is_err() {
                        club.tell_wrong("The rules fail; the game stays as it was.".into());
                    }
                }
            })?;
        Ok(())
    }

    fn new_prototype(
        &self,
        keeper: &Person,
        what: String,
        scenery: &Arc<Scenery>,
    ) -> anyhow::Result<String> {
        let seed = Secret::fresh()?;
        let seed = Seed::parse(seed.reveal()).context("no seed")?;
        let ruleset = &scenery.ruleset;
        let journal = Journal::new(&scenery.play, ruleset, scenery.variant.clone(), seed, None);
        let session = Session::new(&scenery.play, journal)?;
        let mine = Holder::Person(keeper.id.clone());
        let names = [ruleset.clone(), scenery.play.scenario().to_owned()];
        let head = session.journal().write();
        let meta = Meta {
            title: short(&what),
            // Nobody else knows these rules by a name: the head brings them along.
            brought: true,
            follows: Some(Follows {
                what,
                ..Follows::default()
            }),
            ..Meta::new(names, head, [mine.clone(), mine], keeper)
        };
        Ok(self.sit_down(meta, session, scenery.clone())?.id.clone())
    }

    /// A file was saved.
    fn look_again(&self, files: &dyn Files, found: Result<Rules, String>, since: &mut Since) {
        let Some(prototype) = self.prototype.get() else {
            return;
        };
        let done = found.and_then(|rules| {
            let wrong = |wrong: Wrong| wrong.to_string();
            let scenery = self.sceneries.of_rules(&rules).map_err(wrong)?;
            let opening = scenery.play.game(Seed(0));
            let opening = opening.map_err(|fault| fault.to_string())?;
            self.turn_to(prototype, scenery).map_err(wrong)?;
            let told = since.look(rules.resolved, &rules.play, &opening);
            let mut news = prototype.news();
            news.changed = told.iter().take(MOST).map(told_value).collect();
            news.more = told.len().saturating_sub(MOST);
            Ok(())
        });
        // All of it is told at once.
        prototype.tell(|news| {
            news.saves += 1;
            news.verdict = files.verdict();
            news.wrong = done.err();
        });
        self.bells.of(&prototype.game).ring();
    }

    /// A file does not fit: it is said, and the game stays where it was.
    fn tell_wrong(&self, why: String) {
        if let Some(prototype) = self.prototype.get() {
            prototype.tell(|news| news.wrong = Some(why));
            self.bells.of(&prototype.game).ring();
        }
    }

    /// Plays the game's choices again under other rules, which are in force from then on.
    ///
    /// # Errors
    /// If the game cannot begin under them or cannot be stored; nothing has changed then.
    fn turn_to(&self, prototype: &Prototype, scenery: Arc<Scenery>) -> Result<(), Wrong> {
        // Nobody opens the game meanwhile, and nobody chooses in it.
        let mut now = prototype
            .rules
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        let known = self.known(&prototype.game);
        let mut held = known.as_ref().map(|sitting| sitting.lock());
        let id = prototype.game.clone();
        let found = self.store.run(move |shelf| {
            let steps = shelf.steps(&id, 0)?;
            Ok(shelf.game(&id)?.map(|record| (record, steps)))
        });
        let broken = |error: crate::store::StoreError| Wrong::broken(error.to_string());
        let found = found.map_err(broken)?;
        let (record, steps) = found.ok_or_else(|| Wrong::missing("game"))?;
        let (record, steps) = match replayed(record, &steps, &scenery)? {
            Some((record, session)) => self.noted(record, session, scenery.clone()),
            None => {
                *now = scenery;
                return Ok(());
            }
        };
        let stored = self.store.run(move |shelf| {
            shelf.change_game(&record)?;
            shelf.cut_steps(&record.id, 0)?;
            steps
                .iter()
                .try_for_each(|step| shelf.add_step(&record.id, step))
        });
        stored.map_err(Wrong::not_stored)?;
        *now = scenery;
        if let Some(state) = &mut held {
            state.dropped = true;
        }
        drop((held, now));
        let sitting = self.sitting(&prototype.game)?;
        self.moved(&sitting);
        Ok(())
    }

    /// The record and the steps as they are to be stored.
    fn noted(
        &self,
        record: GameRecord,
        session: Session,
        scenery: Arc<Scenery>,
    ) -> (GameRecord, Vec<StepRecord>) {
        let room = self.room(&record.id, scenery);
        let sitting = Sitting::seat(record, session, room);
        let mut state = sitting.lock();
        state.note();
        let steps = state.step_records(state.record.moved);
        (state.record.clone(), steps)
    }

    /// What a page says of the files that a game follows.
    pub(crate) fn follows(&self, id: &str, meta: &Meta, person: &Person) -> Value {
        let Some(follows) = &meta.follows else {
            return Value::Null;
        };
        let live = self.prototype.get().filter(|live| live.game == id);
        let host = meta.by == person.id;
        let mut value = json!({
            // A path is nobody else's business.
            "what": if host { follows.what.clone() } else { short(&follows.what) },
            "name": short(&follows.what),
            "live": live.is_some(),
            "lost": follows.lost,
            "waiting": follows.waiting.len(),
        });
        if let Some(live) = live {
            let news = live.news();
            // A message may name folders of this machine, too.
            let wrong = news.wrong.as_ref().map(|why| match host {
                true => why.clone(),
                false => "A file does not fit; whoever set up the game is told why.".into(),
            });
            value["saves"] = news.saves.into();
            value["changed"] = news.changed.clone().into();
            value["more"] = news.more.into();
            value["wrong"] = wrong.into();
            value["verdict"] = news.verdict.clone().into();
        }
        value
    }
}

/// What is followed, without the folders of files.
fn short(what: &str) -> String {
    let part = |part: &'_ str| match part.rsplit_once(['/', '\\']) {
        Some((_, file)) if file.contains('.') => file.to_owned(),
        _ => part.to_owned(),
    };
    what.split('+').map(part).collect::<Vec<_>>().join("+")
}

/// The game under other rules; none if they are those that it is played by, and nothing waits.
fn replayed(
    mut record: GameRecord,
    steps: &[StepRecord],
    scenery: &Scenery,
) -> Result<Option<(GameRecord, Session)>, Wrong> {
    let unreadable = || Wrong::broken("The record of this game cannot be read.");
    let head = Source::new(record.id.clone(), record.meta.head.clone());
    let head = Journal::read(&head).map_err(|_| unreadable())?;
    let mut follows = record.meta.follows.take().ok_or_else(unreadable)?;
    let (play, ruleset) = (&scenery.play, &scenery.ruleset);
    let here = Journal::new(play, ruleset, scenery.variant.clone(), head.seed, None);
    let texts = |of: &Journal| {
        let texts = [&of.scenario_text, &of.variant, &of.position];
        texts.map(Clone::clone)
    };
    let same = here.rules.differences(&head.rules).is_empty() && texts(&here) == texts(&head);
    if same && follows.waiting.is_empty() {
        return Ok(None);
    }
    let made = steps.iter().map(|step| (&step.side, &step.act));
    let waits = follows.waiting.iter().map(|(side, act)| (side, act));
    let entry = |(side, act): (&String, &String)| Entry::read(side, act, StateHash(0));
    let choices: Result<Vec<Entry>, _> = made.chain(waits).map(entry).collect();
    let choices = choices.map_err(|_| unreadable())?;
    let Again { session, lost } = again(play, here, &choices)?;
    let reached = session.journal().steps.len();
    let rest = choices[reached..].iter();
    follows.waiting = rest.map(|step| (step.side.clone(), step.text())).collect();
    follows.lost = lost;
    follows.turned += 1;
    // Plies never come twice, and this is another one even if as many choices were made.
    record.undone += steps.len().saturating_sub(reached).max(1) as u64;
    record.meta.take_back = None;
    record.meta.ruleset.clone_from(ruleset);
    record.meta.scenario = play.scenario().to_owned();
    record.meta.head = Journal {
        steps: vec![],
        ..session.journal().clone()
    }
    .write();
    record.meta.follows = Some(follows);
    Ok(Some((record, session)))
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn files_are_called_by_their_names_alone() {
        assert_eq!(
            short("corps20/july1+/home/ada/hard-marching.ron"),
            "corps20/july1+hard-marching.ron"
        );
    }
}
