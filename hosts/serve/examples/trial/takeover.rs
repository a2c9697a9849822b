//! Of two programs that are one club one is killed: how long until its games go on at the other.

use crate::club::Running;
use crate::wire::Person;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Games that bots play at the one that is killed, and games of people there.
const GAMES: usize = 12;
/// No game may stand still for longer.
const LONGEST: Duration = Duration::from_secs(5);

async fn table(person: &mut Person, game: &str) -> Value {
    let answer = person.ask(&format!("/games/{game}"), None).await;
    answer.map(|(_, table)| table).unwrap_or_default()
}

/// One choice of somebody who plays both sides; true if it was acknowledged.
async fn choose(person: &mut Person, game: &str) -> bool {
    let table = table(person, game).await;
    let option = &table["frame"]["decision"]["options"][0]["id"];
    let wish = json!({"ply": table["ply"], "seat": table["seat"], "option": option});
    let path = format!("/games/{game}/choose");
    let chosen = person.ask(&path, Some(&wish)).await;
    chosen.is_some_and(|(status, _)| status == 200)
}

/// Kills one of two programs so many times; true if every game went on at the other soon enough, from where it was.
pub async fn take_over(times: usize, database: &String) -> bool {
    let mut fine = true;
    let (mut bots, mut people) = (vec![], vec![]);
    for number in 0..times {
        let mut first = Running::named("first", Some(database));
        let second = Running::named("second", Some(database));
        let mut host = Person::enter(first.address, number).await;
        let (mut played, mut held) = (vec![], vec![]);
        for _ in 0..GAMES {
            let seats = ["steady", "steady"];
            played.push(host.new_game_of("gettysburg", seats).await);
            held.push(host.new_game(["me", "me"]).await);
        }
        for game in &held {
            fine &= choose(&mut host, game).await;
        }
        tokio::time::sleep(Duration::from_millis(700 + 130 * number as u64)).await;
        first.kill();
        let start = Instant::now();
        host.at(second.address);
        // What was stored before it died can be read at the other; from there they must go on.
        let mut waiting = vec![];
        for game in played {
            let step = table(&mut host, &game).await["step"].as_u64();
            waiting.push((game, step.expect("a game")));
        }
        for game in &held {
            // Each comes by himself.
            let came = Instant::now();
            fine &= table(&mut host, game).await["step"] == 1 && choose(&mut host, game).await;
            people.push(came.elapsed().as_secs_f64());
        }
        while !waiting.is_empty() && start.elapsed() < LONGEST * 4 {
            let mut still = vec![];
            for (game, step) in waiting {
                let table = table(&mut host, &game).await;
                let on = table["step"].as_u64() > Some(step) || table["table"]["over"] == true;
                match on {
                    true => bots.push(start.elapsed().as_secs_f64()),
                    false => still.push((game, step)),
                }
            }
            waiting = still;
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        fine &= waiting.is_empty() && second.panics() == 0;
    }
    let [bot, person] =
        [&mut bots, &mut people].map(|all| [0.5, 1.0].map(|part| crate::share(all, part)));
    println!(
        "killed {times} times: {} games of bots go on at the other after {:.1} s (half), {:.1} s (all); {} choices of people \
         after {:.1} s (half), {:.1} s (all)",
        bots.len(),
        bot[0],
        bot[1],
        people.len(),
        person[0],
        person[1]
    );
    fine && bot[1] < LONGEST.as_secs_f64() && person[1] < LONGEST.as_secs_f64()
}
