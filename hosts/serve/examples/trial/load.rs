//! People who watch while others and bots play: how long a choice takes until everybody has seen it.

use crate::club::Running;
use crate::wire::Person;
use crate::{Chance, share};
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// A choice: its game and ply.
type Key = (String, u64);

/// Choices that were sent: when, and how long until they were acknowledged and seen.
#[derive(Default)]
struct Seen {
    sent: BTreeMap<Key, Instant>,
    /// Milliseconds until one watcher had it.
    each: Vec<f64>,
    /// Milliseconds until the last watcher of a game had it.
    last: BTreeMap<Key, (f64, usize)>,
    acknowledged: Vec<f64>,
    messages: usize,
    bytes: usize,
    /// Tables at which a game is over, and another is to begin.
    over: BTreeSet<usize>,
}

impl Seen {
    fn heard(&mut self, (table, game): (usize, &str), text: &[u8]) {
        let now = Instant::now();
        self.messages += 1;
        self.bytes += text.len();
        let message: Value = serde_json::from_slice(text).unwrap_or_default();
        if !message["frame"]["verdict"].is_null() {
            self.over.insert(table);
        }
        for step in message["steps"].as_array().into_iter().flatten() {
            if !step["change"]["verdict"].is_null() {
                self.over.insert(table);
            }
            let key = (game.to_owned(), step["ply"].as_u64().unwrap_or_default());
            if let Some(sent) = self.sent.get(&key) {
                let passed = now.duration_since(*sent).as_secs_f64() * 1000.0;
                self.each.push(passed);
                let (last, watchers) = self.last.entry(key).or_default();
                (*last, *watchers) = (last.max(passed), *watchers + 1);
            }
        }
    }
}

/// Watches whatever is played at a table, one game after another.
async fn watch(
    guest: Rc<Person>,
    table: usize,
    all: Rc<RefCell<Vec<String>>>,
    seen: Rc<RefCell<Seen>>,
) {
    loop {
        let id = all.borrow()[table].clone();
        let mut line = guest.listen(&id).await;
        loop {
            let next = tokio::time::timeout(Duration::from_millis(500), line.message()).await;
            match next {
                Ok(Ok(Some(text))) => seen.borrow_mut().heard((table, &id), &text),
                Ok(_) => return,
                Err(_) if all.borrow()[table] != id => break,
                Err(_) => {}
            }
        }
    }
}

/// A game in which somebody chooses.
struct Game {
    id: String,
    host: Person,
    chance: Chance,
}

impl Game {
    /// One choice, if it is ours.
    async fn choose(&mut self, seen: &RefCell<Seen>) -> Option<()> {
        let path = format!("/games/{}", self.id);
        let (_, table) = self.host.ask(&path, None).await?;
        let options = table["frame"]["decision"]["options"].as_array()?;
        if options.is_empty() || table["frame"]["decision"]["mine"] != true {
            return None;
        }
        let option = &options[self.chance.below(options.len())]["id"];
        let wish = json!({"ply": table["ply"], "seat": table["seat"], "option": option});
        let start = Instant::now();
        let key = (self.id.clone(), table["ply"].as_u64()? + 1);
        seen.borrow_mut().sent.insert(key.clone(), start);
        let (status, _) = self
            .host
            .ask(&format!("{path}/choose"), Some(&wish))
            .await?;
        if status == 200 {
            let passed = start.elapsed().as_secs_f64() * 1000.0;
            seen.borrow_mut().acknowledged.push(passed);
        } else {
            seen.borrow_mut().sent.remove(&key);
        }
        Some(())
    }
}

/// A third of the games is for one person and a bot, a third for one person on both sides, a third for two bots.
const SEATS: [[&str; 2]; 3] = [["me", "steady"], ["me", "me"], ["steady", "steady"]];

/// Tables at which somebody can be found, with what is played there.
struct Tables {
    ids: Rc<RefCell<Vec<String>>>,
    games: Vec<Rc<RefCell<Option<Game>>>>,
    begun: usize,
}

impl Tables {
    async fn set_up(club: &Running, count: usize) -> Tables {
        let (mut ids, mut games) = (vec![], vec![]);
        for number in 0..count {
            let mut host = Person::enter(club.address, number).await;
            let id = host.new_game(SEATS[number % 3]).await;
            ids.push(id.clone());
            let chance = Chance::new(number as u64);
            let game = Game { id, host, chance };
            games.push(Rc::new(RefCell::new(Some(game))));
        }
        let (ids, begun) = (Rc::new(RefCell::new(ids)), count);
        Tables { ids, games, begun }
    }

    /// Where a game is over, another begins; whoever watched it watches that.
    async fn go_on(&mut self, seen: &RefCell<Seen>) {
        let over = std::mem::take(&mut seen.borrow_mut().over);
        for number in over {
            let Some(mut game) = self.games[number].borrow_mut().take() else {
                // Somebody chooses there now: later.
                seen.borrow_mut().over.insert(number);
                continue;
            };
            game.id = game.host.new_game(SEATS[number % 3]).await;
            self.ids.borrow_mut()[number] = game.id.clone();
            self.begun += 1;
            *self.games[number].borrow_mut() = Some(game);
        }
    }
}

/// Has so many watch so many games; true if it is fast enough.
pub async fn load(games: usize, watchers: usize, seconds: usize, rate: usize) -> bool {
    tokio::task::LocalSet::new()
        .run_until(run(games, watchers, seconds, rate))
        .await
}

async fn run(games: usize, watchers: usize, seconds: usize, rate: usize) -> bool {
    let club = Running::open(None);
    let seen = Rc::new(RefCell::new(Seen::default()));
    let mut tables = Tables::set_up(&club, games).await;
    let mut guest = None;
    for n in 0..watchers {
        if n % 10 == 0 {
            guest = Some(Rc::new(Person::enter(club.address, games + n / 10).await));
        }
        if let Some(guest) = &guest {
            let all = tables.ids.clone();
            tokio::task::spawn_local(watch(guest.clone(), n % games, all, seen.clone()));
        }
    }
    tokio::time::sleep(Duration::from_secs(5)).await;
    println!(
        "{games} games, {watchers} watchers: {} MB",
        club.memory() / 1024
    );
    let (start, work) = (Instant::now(), club.work());
    seen.borrow_mut().messages = 0;
    let (late, mut chance) = (Rc::new(Cell::new(0)), Chance::new(1863));
    let mut memory = vec![];
    // Choices come at their time, whether the ones before them are done or not.
    for n in 0..seconds * rate {
        let due = start + Duration::from_secs_f64(n as f64 / rate as f64);
        tokio::time::sleep_until(due.into()).await;
        if n % (rate * 30) == 0 {
            memory.push(club.memory() / 1024);
        }
        if n % rate == 0 {
            tables.go_on(&seen).await;
        }
        // Two of three tables have somebody who chooses.
        let number = chance.below(games) / 3 * 3 + chance.below(2);
        let Some(game) = tables.games.get(number).cloned() else {
            continue;
        };
        let (seen, late) = (seen.clone(), late.clone());
        tokio::task::spawn_local(async move {
            let taken = game.borrow_mut().take();
            match taken {
                Some(mut taken) => {
                    taken.choose(&seen).await;
                    *game.borrow_mut() = Some(taken);
                }
                None => late.set(late.get() + 1),
            }
        });
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
    let spent = club.work() - work;
    println!(
        "{seconds} s; {} games in all; MB every 30 s: {memory:?}",
        tables.begun
    );
    report(&seen.borrow(), late.get(), spent, &club)
}

fn report(seen: &Seen, late: usize, spent: f64, club: &Running) -> bool {
    let (mut each, mut acknowledged) = (seen.each.clone(), seen.acknowledged.clone());
    let mut last: Vec<f64> = seen.last.values().map(|(last, _)| *last).collect();
    let missing: usize = seen
        .sent
        .keys()
        .filter(|key| !seen.last.contains_key(*key))
        .count();
    let three = |values: &mut [f64]| {
        let [half, most, nearly, all] = [0.5, 0.95, 0.99, 1.0].map(|part| share(values, part));
        format!("{half:.1} ms (half), {most:.1} (95 %), {nearly:.1} (99 %), {all:.1} (all)")
    };
    println!(
        "{} choices; acknowledged after {}",
        acknowledged.len(),
        three(&mut acknowledged)
    );
    println!(
        "{} deliveries; seen by a watcher after {}",
        each.len(),
        three(&mut each)
    );
    println!(
        "seen by every watcher of the game after {}",
        three(&mut last)
    );
    println!(
        "{} messages, {} kB; {missing} choices that nobody saw, {late} not made because the one before was not done; {spent:.1} s of the processors, {} MB, {} panics",
        seen.messages,
        seen.bytes / 1024,
        club.memory() / 1024,
        club.panics()
    );
    share(&mut last, 0.99) < 150.0 && club.panics() == 0
}
