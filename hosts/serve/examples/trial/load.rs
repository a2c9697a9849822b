//! People who watch while others and bots play: how long a choice takes until everybody has seen it.

use crate::club::Running;
use crate::wire::{Line, Person};
use crate::{Chance, share};
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Choices that were sent: when, and how long until they were acknowledged and seen.
#[derive(Default)]
struct Seen {
    sent: BTreeMap<(usize, u64), Instant>,
    /// Milliseconds until one watcher had it.
    each: Vec<f64>,
    /// Milliseconds until the last watcher of a game had it.
    last: BTreeMap<(usize, u64), (f64, usize)>,
    acknowledged: Vec<f64>,
    messages: usize,
    bytes: usize,
}

impl Seen {
    fn heard(&mut self, game: usize, text: &[u8]) {
        let now = Instant::now();
        self.messages += 1;
        self.bytes += text.len();
        let message: Value = serde_json::from_slice(text).unwrap_or_default();
        for step in message["steps"].as_array().into_iter().flatten() {
            let key = (game, step["ply"].as_u64().unwrap_or_default());
            if let Some(sent) = self.sent.get(&key) {
                let passed = now.duration_since(*sent).as_secs_f64() * 1000.0;
                self.each.push(passed);
                let (last, watchers) = self.last.entry(key).or_default();
                (*last, *watchers) = (last.max(passed), *watchers + 1);
            }
        }
    }
}

async fn watch(mut line: Line, game: usize, seen: Rc<RefCell<Seen>>) {
    while let Ok(Some(text)) = line.message().await {
        seen.borrow_mut().heard(game, &text);
    }
}

/// A game in which somebody chooses.
struct Game {
    number: usize,
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
        let key = (self.number, table["ply"].as_u64()? + 1);
        seen.borrow_mut().sent.insert(key, start);
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
async fn set_up(club: &Running, games: usize) -> (Vec<String>, Vec<Game>) {
    let (mut ids, mut own) = (vec![], vec![]);
    for number in 0..games {
        let mut host = Person::enter(club.address, number).await;
        let seats = [["me", "steady"], ["me", "me"], ["steady", "steady"]][number % 3];
        let id = host.new_game(seats).await;
        ids.push(id.clone());
        if number % 3 < 2 {
            let chance = Chance::new(number as u64);
            own.push(Game {
                number,
                id,
                host,
                chance,
            });
        }
    }
    (ids, own)
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
    let (ids, own) = set_up(&club, games).await;
    let mut guests = vec![];
    for n in 0..watchers.div_ceil(10) {
        guests.push(Person::enter(club.address, games + n).await);
    }
    for n in 0..watchers {
        let game = n % games;
        let line = guests[n / 10].listen(&ids[game]).await;
        tokio::task::spawn_local(watch(line, game, seen.clone()));
    }
    tokio::time::sleep(Duration::from_secs(3)).await;
    println!(
        "{games} games, {watchers} watchers: {} MB",
        club.memory() / 1024
    );
    // Choices come at their time, whether the ones before them are done or not.
    let own: Vec<_> = own
        .into_iter()
        .map(|game| Rc::new(RefCell::new(Some(game))))
        .collect();
    let (start, work) = (Instant::now(), club.work());
    seen.borrow_mut().messages = 0;
    let (late, mut chance) = (Rc::new(Cell::new(0)), Chance::new(1863));
    for n in 0..seconds * rate {
        let due = start + Duration::from_secs_f64(n as f64 / rate as f64);
        tokio::time::sleep_until(due.into()).await;
        let (game, seen, late) = (
            own[chance.below(own.len())].clone(),
            seen.clone(),
            late.clone(),
        );
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
    report(&seen.borrow(), late.get(), spent, &club)
}

fn report(seen: &Seen, late: usize, spent: f64, club: &Running) -> bool {
    let (mut each, mut acknowledged) = (seen.each.clone(), seen.acknowledged.clone());
    let mut last: Vec<f64> = seen.last.values().map(|(last, _)| *last).collect();
    let missing: usize = seen
        .sent
        .keys()
        .filter(|key| !seen.last.contains_key(key))
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
