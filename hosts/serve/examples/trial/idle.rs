//! Games at which people sit and nothing happens: what they cost.

use crate::club::Running;
use crate::wire::Person;
use std::time::Duration;

/// Games at each of which somebody has the table open.
const AT_ONCE: usize = 400;

/// Opens tables of a scenario, lets them sleep, and opens as many again; true if an idle one costs less than 100 kB.
pub async fn idle(ruleset: &str, scenario: &str) -> bool {
    let club = Running::open(None);
    let mut lines = vec![];
    let (mut after, mut number) = (vec![], 0);
    // The first few are for what all games share.
    for round in [20, AT_ONCE, AT_ONCE] {
        let before = club.memory();
        for _ in 0..round {
            number += 1;
            let mut host = Person::enter(club.address, number).await;
            let game = host.new_game_in(ruleset, scenario, ["me", "me"]).await;
            lines.push(host.listen(&game).await);
        }
        let awake = club.memory();
        // They sleep when the club has looked twice whether anybody wants anything of them.
        tokio::time::sleep(Duration::from_secs(130)).await;
        let asleep = club.memory();
        println!(
            "{ruleset}/{scenario}: {round} more tables with somebody at them: {} kB each awake, {} kB each after two minutes",
            awake.saturating_sub(before) / round as u64,
            asleep.saturating_sub(before) / round as u64,
        );
        after.push(asleep.saturating_sub(before) / round as u64);
    }
    println!("{} MB in all, {} tables", club.memory() / 1024, lines.len());
    after.last().is_some_and(|each| *each < 100)
}
