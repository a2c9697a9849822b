//! Plays steady games and tells what each brigade lost beside what the army list records: calibration.
use cupola_bots::{Brief, Player, Skill};
use cupola_gbacw as _;
use cupola_gbacw::field::Field;
use cupola_gbacw::state::boxes;
use cupola_kernel::{Place, Registry, Seed, Side, Table};
use cupola_library::Library;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Strength points that a brigade has lost since the set-up: on its track, routed, eliminated.
fn lost(t: &Table, brigade: usize) -> (i32, i32) {
    let field = Field::new(t);
    let this = &field.rules.brigades[brigade];
    let before = i32::from(field.rules.worn[brigade].losses);
    let (mut gone, mut whole) = (i32::from(field.wear(brigade as u16).losses) - before, 0);
    for &unit in &this.units {
        let (card, start) = (field.card(unit), &field.rules.starts[usize::from(unit.0)]);
        if card.counts_own() || start.eliminated {
            continue;
        }
        whole += i32::from(card.sp);
        let place = t.stacks().place(unit);
        if matches!(place, Place::Box(boxes::ROUTED | boxes::ELIMINATED)) {
            gone += i32::from(card.sp);
        }
    }
    (gone, whole)
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let scenario = arguments.next().unwrap_or_else(|| "picketts-charge".into());
    let games: u64 = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(10);
    let root = Library::find_root().expect("data");
    let library = Library::new(root, None, Registry::linked().expect("registry"));
    let play = library
        .play("gbacw", &scenario, None)
        .unwrap_or_else(|problems| panic!("{problems}"));
    let briefs = Side::BOTH.map(|side| Arc::new(Brief::free(&play, side)));
    let skill = Skill::parse("steady").expect("a skill");
    let mut sums = BTreeMap::<(usize, String), (Vec<i32>, i32)>::new();
    let mut ends = BTreeMap::<String, u64>::new();
    for number in 0..games {
        let seed = Seed(1863).nth(number);
        let mut players = [0usize, 1]
            .map(|i| Player::new(skill, &briefs[i], &briefs[1 - i], seed.nth(100 + i as u64)));
        let mut game = play.game(seed).expect("a game");
        while let Some(decision) = game.decision() {
            let side = decision.ask.side;
            let Some(act) = players[side as usize].choose(&game).expect("a choice") else {
                break;
            };
            game.apply_unchecked(act).expect("a legal choice");
        }
        let verdict = game.verdict().expect("over");
        let winner = verdict
            .winner
            .map(|side| &game.table().env().sides[side].id);
        *ends
            .entry(format!("{winner:?} {}", verdict.how))
            .or_default() += 1;
        let brigades = &Field::new(game.table()).rules.brigades;
        for (place, brigade) in brigades.iter().enumerate().filter(|(_, b)| !b.guns) {
            let (gone, whole) = lost(game.table(), place);
            let side = &game.table().env().sides[brigade.side].id;
            let sum = sums.entry((place, format!("{side} {}", brigade.name)));
            let sum = sum.or_insert((vec![], whole));
            sum.0.push(gone);
        }
    }
    for (end, count) in ends {
        println!("{count:5} {end}");
    }
    println!("brigade, strength points, lost on average, tenth, ninetieth of a hundred");
    for ((_, name), (mut lost, whole)) in sums {
        lost.sort_unstable();
        let mean = f64::from(lost.iter().sum::<i32>()) / lost.len() as f64;
        let at = |share: usize| lost[(lost.len() - 1) * share / 100];
        println!("{name}, {whole}, {mean:.1}, {}, {}", at(10), at(90));
    }
}
