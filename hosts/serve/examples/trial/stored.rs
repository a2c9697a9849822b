//! Games that nobody opens: what they cost.

use crate::club::Running;
use crate::wire::Person;
use std::time::Instant;

/// Sets up so many games, and opens the club on them; true if they cost nothing.
pub async fn stored(games: usize) -> bool {
    let mut club = Running::open(None);
    let mut hosts = vec![];
    for n in 0..100 {
        hosts.push(Person::enter(club.address, n).await);
    }
    let one = hosts[0].new_game(["me", "me"]).await;
    club.kill();
    club.again();
    let (start, empty) = (club.work(), club.memory());
    for host in &mut hosts {
        host.at(club.address);
        host.new_game(["me", "me"]).await;
    }
    let warm = club.memory();
    for n in 100..600 {
        hosts[n % 100].new_game(["me", "me"]).await;
    }
    println!(
        "{} kB for each of 500 games that are open and idle",
        (club.memory() - warm) / 500
    );
    for n in 601..games {
        if n % 30_000 == 0 {
            tokio::time::sleep(std::time::Duration::from_secs(1)).await;
        }
        hosts[n % 100].new_game(["me", "me"]).await;
    }
    println!("{games} games set up: {} kB", club.memory());
    club.kill();
    club.again();
    let (again, full) = (club.work(), club.memory());
    println!(
        "opened with 1 game: {empty} kB, {start:.2} s of the processors; with {games}: {full} kB, {again:.2} s"
    );
    let host = &mut hosts[0];
    host.at(club.address);
    let now = Instant::now();
    let (status, _) = host.ask(&format!("/games/{one}"), None).await.unwrap();
    println!(
        "one of them opened in {} ms ({status})",
        now.elapsed().as_millis()
    );
    let now = Instant::now();
    let work = club.work();
    let (status, lobby) = host.ask("/games", None).await.unwrap();
    let size = lobby.to_string().len() / 1024;
    println!(
        "the lobby: {} of them, {size} kB, in {} ms, {:.2} s of the processors ({status}); then {} kB",
        lobby["games"].as_array().map_or(0, Vec::len),
        now.elapsed().as_millis(),
        club.work() - work,
        club.memory()
    );
    full < empty + 2000
}
