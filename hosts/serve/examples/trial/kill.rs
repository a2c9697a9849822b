//! The club is killed under load, again and again: what was acknowledged must be there.

use crate::Chance;
use crate::club::Running;
use crate::wire::Person;
use serde_json::json;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Games that are played at once.
const GAMES: usize = 12;
/// A game that somebody plays on both sides.
struct Game {
    id: String,
    host: Person,
    chance: Chance,
    /// The last step that was acknowledged, and the last that was sent.
    acknowledged: u64,
    sent: u64,
    choices: usize,
}

impl Game {
    /// Chooses until the club is gone, or all are to stop.
    async fn play(mut self, stop: Arc<AtomicBool>) -> Game {
        while !stop.load(Ordering::Relaxed) && self.choose().await.is_some() {}
        self
    }

    async fn choose(&mut self) -> Option<()> {
        let path = format!("/games/{}", self.id);
        let (status, table) = self.host.ask(&path, None).await?;
        if status == 429 {
            tokio::time::sleep(Duration::from_millis(50)).await;
            return Some(());
        }
        let options = table["frame"]["decision"]["options"].as_array()?;
        let option = &options[self.chance.below(options.len())]["id"];
        let step = table["step"].as_u64()?;
        self.sent = step + 1;
        let wish = json!({"ply": table["ply"], "seat": table["seat"], "option": option});
        let (status, _) = self
            .host
            .ask(&format!("{path}/choose"), Some(&wish))
            .await?;
        if status == 200 {
            self.acknowledged = step + 1;
            self.choices += 1;
        }
        Some(())
    }

    /// Looks where the game is after a restart; true if nothing was lost.
    async fn check(&mut self, to: SocketAddr) -> bool {
        self.host.at(to);
        let (_, table) = self
            .host
            .ask(&format!("/games/{}", self.id), None)
            .await
            .expect("an answer");
        let step = table["step"].as_u64().expect("a step");
        // What was on its way may have arrived; what was acknowledged must have.
        let fine = step >= self.acknowledged && step <= self.acknowledged.max(self.sent);
        if !fine {
            println!(
                "game {}: step {step}, acknowledged {}, sent {}",
                self.id, self.acknowledged, self.sent
            );
        }
        (self.acknowledged, self.sent) = (step, step);
        if !table["frame"]["verdict"].is_null() {
            // It is over, and nobody would choose in it any more.
            self.id = self.host.new_game(["me", "me"]).await;
            (self.acknowledged, self.sent) = (0, 0);
        }
        fine
    }
}

/// Kills a club so many times; true if nothing was lost.
pub async fn kill(times: usize, database: Option<&String>) -> bool {
    let mut club = Running::open(database);
    let mut chance = Chance::new(1863);
    let mut games = vec![];
    for n in 0..GAMES {
        let mut host = Person::enter(club.address, n).await;
        let id = host.new_game(["me", "me"]).await;
        games.push(Game {
            id,
            host,
            chance: Chance::new(n as u64),
            acknowledged: 0,
            sent: 0,
            choices: 0,
        });
    }
    let mut lost = 0;
    for kill in 1..=times {
        let stop = Arc::new(AtomicBool::new(false));
        let playing: Vec<_> = games
            .drain(..)
            .map(|game| tokio::spawn(game.play(stop.clone())))
            .collect();
        tokio::time::sleep(Duration::from_millis(50 + chance.below(400) as u64)).await;
        club.kill();
        stop.store(true, Ordering::Relaxed);
        for game in playing {
            games.push(game.await.unwrap());
        }
        club.again();
        for game in &mut games {
            lost += usize::from(!game.check(club.address).await);
        }
        if kill % 20 == 0 || kill == times {
            let choices: usize = games.iter().map(|game| game.choices).sum();
            println!("{kill} kills under load, {choices} choices acknowledged, {lost} lost");
        }
    }
    lost == 0
}
