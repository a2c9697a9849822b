//! Plays steady games and tells what each brigade lost beside what the record says it lost in those hours: calibration.
//!
//! `cargo run --release -p cupola-gbacw --example losses -- picketts-charge 400 charge-union charge-confederate`; plans are
//! those of `data/plans`, and a side without one seeks the enemy. With `TELL` in the environment every choice is told.

use cupola_army::{Battle, History, Moment, NodeId};
use cupola_bots::{Brief, Plan, Player, Skill};
use cupola_data::Source;
use cupola_gbacw as _;
use cupola_gbacw::field::Field;
use cupola_gbacw::state::boxes;
use cupola_kernel::{Game, Place, Play, Registry, Seed, Side, Table, UnitId};
use cupola_library::Library;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Men a strength point stands for.
const MEN: f64 = 50.0;

/// Units of a brigade that share its losses and are in the game.
fn shares(t: &Table, brigade: usize) -> impl Iterator<Item = UnitId> + '_ {
    let field = Field::new(t);
    let units = field.rules.brigades[brigade].units.iter().copied();
    units.filter(move |&unit| {
        let start = &field.rules.starts[usize::from(unit.0)];
        !field.card(unit).counts_own() && !start.eliminated
    })
}

/// Strength points that a brigade has lost since the set-up: on its track, routed, eliminated; and what it had.
fn lost(t: &Table, brigade: usize) -> (i32, i32) {
    let field = Field::new(t);
    let before = i32::from(field.rules.worn[brigade].losses);
    let (mut gone, mut whole) = (i32::from(field.wear(brigade as u16).losses) - before, 0);
    for unit in shares(t, brigade) {
        let sp = i32::from(field.card(unit).sp);
        whole += sp;
        let place = t.stacks().place(unit);
        if matches!(
            place,
            Place::Box(boxes::ROUTED | boxes::ELIMINATED | boxes::SURRENDERED)
        ) {
            gone += sp;
        }
    }
    (gone, whole)
}

/// What the record says that a brigade lost between two moments, and the least and most it may have been.
fn recorded(
    t: &Table,
    brigade: usize,
    battle: &Battle,
    history: &History,
    (from, to): (Moment, Moment),
) -> Option<(u32, u32, u32)> {
    let unit = shares(t, brigade).next()?;
    let regiment = t.info(unit).nodes.first()?;
    let mut node: NodeId = battle.army.get(regiment)?;
    // Losses are recorded for brigades: the regiment's, or of a unit that fights with another the one it came from.
    loop {
        if let Some(men) = history.losses(node, from, to) {
            let (low, high) = history.losses_band(node, from, to)?;
            return Some((men, low, high));
        }
        node = battle.army.parent(node)?;
    }
}

/// The briefs of both sides: plans by name, and who has none seeks the enemy.
fn briefs(library: &Library, play: &Play, battle: &Battle, plans: &[String]) -> [Arc<Brief>; 2] {
    let board = &play.env().board;
    let places: Vec<&str> = board.places().iter().map(|p| p.id.as_str()).collect();
    let mut briefs = Side::BOTH.map(|side| Arc::new(Brief::free(play, side)));
    for name in plans {
        let path = library
            .root()
            .join("plans/gettysburg")
            .join(format!("{name}.ron"));
        let source = Source::read(&path).unwrap_or_else(|problem| panic!("{problem}"));
        let plan = Plan::read(&source, &battle.army, &places);
        let plan = plan.unwrap_or_else(|problems| panic!("{problems}"));
        let brief = Brief::new(&plan, play, &battle.army).expect("a side of this play");
        let side = brief.side();
        briefs[side as usize] = Arc::new(brief);
    }
    briefs
}

/// A game of two steady players.
fn played(play: &Play, briefs: &[Arc<Brief>; 2], seed: Seed) -> Game {
    let tells = std::env::var_os("TELL").is_some();
    let skill = Skill::parse("steady").expect("a skill");
    let mut players = [0usize, 1]
        .map(|i| Player::new(skill, &briefs[i], &briefs[1 - i], seed.nth(100 + i as u64)));
    let mut game = play.game(seed).expect("a game");
    while let Some(decision) = game.decision() {
        let side = decision.ask.side;
        let chosen = players[side as usize].choose(&game).expect("a choice");
        let Some(act) = chosen else { break };
        if tells {
            let (turn, ask) = (game.table().turn(), decision.ask);
            println!("{turn} {side:?} {}: {}", ask.question, game.text(act));
        }
        game.apply_unchecked(act).expect("a legal choice");
    }
    game
}

/// Tells what each brigade lost by play, and by the record.
fn tell(
    t: &Table,
    sums: BTreeMap<usize, (Vec<i32>, i32)>,
    recorded: impl Fn(usize, (Moment, Moment)) -> Option<(u32, u32, u32)>,
) {
    let turns = &t.env().track.turns;
    let hours = (
        turns[usize::from(t.turn())].start,
        turns[usize::from(t.env().last_turn)].end,
    );
    println!(
        "brigade, men, lost by play (tenth, ninetieth of a hundred), lost by the record (least, most)"
    );
    for (place, (mut lost, whole)) in sums {
        lost.sort_unstable();
        let mean = MEN * f64::from(lost.iter().sum::<i32>()) / lost.len() as f64;
        let at = |share: usize| MEN as i32 * lost[(lost.len() - 1) * share / 100];
        let brigade = &Field::new(t).rules.brigades[place];
        let side = &t.env().sides[brigade.side].id;
        let told = recorded(place, hours);
        let told = told.map_or("?".to_owned(), |(men, low, high)| {
            format!("{men} ({low}, {high})")
        });
        println!(
            "{side} {}, {}, {mean:.0} ({}, {}), {told}",
            brigade.name,
            MEN as i32 * whole,
            at(10),
            at(90)
        );
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let scenario = arguments.next().unwrap_or_else(|| "picketts-charge".into());
    let games: u64 = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(10);
    let plans: Vec<String> = arguments.collect();
    let root = Library::find_root().expect("data");
    let library = Library::new(root, None, Registry::linked().expect("registry"));
    let play = library
        .play("gbacw", &scenario, None)
        .unwrap_or_else(|problems| panic!("{problems}"));
    let battle = library
        .battle("gettysburg")
        .unwrap_or_else(|p| panic!("{p}"));
    let places: Vec<&str> = play
        .env()
        .board
        .places()
        .iter()
        .map(|p| p.id.as_str())
        .collect();
    let record = library.root().join("history/gettysburg");
    let history = History::read(&record, &battle.army, &places).unwrap_or_else(|p| panic!("{p}"));
    let briefs = briefs(&library, &play, &battle, &plans);
    let mut sums = BTreeMap::<usize, (Vec<i32>, i32)>::new();
    let mut ends = BTreeMap::<String, u64>::new();
    for number in 0..games {
        let game = played(&play, &briefs, Seed(1863).nth(number));
        let (t, verdict) = (game.table(), game.verdict().expect("over"));
        let winner = verdict.winner.map(|side| &t.env().sides[side].id);
        let end = format!("{winner:?} {}", verdict.how);
        *ends.entry(end).or_default() += 1;
        let brigades = &Field::new(t).rules.brigades;
        for (place, _) in brigades.iter().enumerate().filter(|(_, b)| !b.guns) {
            let (gone, whole) = lost(t, place);
            let sum = sums.entry(place).or_insert((vec![], whole));
            sum.0.push(gone);
        }
    }
    for (end, count) in ends {
        println!("{count:5} {end}");
    }
    tell(play.start(), sums, |place, hours| {
        recorded(play.start(), place, &battle, &history, hours)
    });
}
