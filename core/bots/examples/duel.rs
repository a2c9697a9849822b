//! Plays games between two skills and counts who wins: `duel RULESET SCENARIO FIRST SECOND GAMES [PLANS…]`.
//!
//! With `WHY=4` in the environment every choice is told beside the four options that a steady player likes best, and what they seem worth
//! to him, in tenths of a man.

use cupola_blindswords as _;
use cupola_blocks as _;
use cupola_bots::{Brief, Plan, Player, Sight, Skill, Steady};
use cupola_common as _;
use cupola_corps20 as _;
use cupola_data::Source;
use cupola_gbacw as _;
use cupola_kernel::{Act, Game, Registry, Seed, Side};
use cupola_library::Library;
use std::sync::Arc;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [ruleset, scenario, first, second, games, plans @ ..] = &args[..] else {
        return Err("duel RULESET SCENARIO FIRST SECOND GAMES [PLANS…]".into());
    };
    let library = Library::new(
        Library::find_root()?,
        None,
        Registry::linked().map_err(|why| why.to_string())?,
    );
    let play = library
        .play(ruleset, scenario, None)
        .map_err(|why| why.to_string())?;
    let battle = library
        .battle("gettysburg")
        .map_err(|why| why.to_string())?;
    let places: Vec<&str> = play
        .env()
        .board
        .places()
        .iter()
        .map(|p| p.id.as_str())
        .collect();
    let frees = Side::BOTH.map(|side| Arc::new(Brief::free(&play, side)));
    let mut briefs = Side::BOTH.map(|side| Arc::new(Brief::free(&play, side)));
    for path in plans {
        let plan = Plan::read(&Source::read(path.as_ref())?, &battle.army, &places)
            .map_err(|why| why.to_string())?;
        if let Some(brief) = Brief::new(&plan, &play, &battle.army) {
            let side = brief.side();
            briefs[side as usize] = Arc::new(brief);
        }
    }
    let skills = [Skill::parse(first)?, Skill::parse(second)?];
    let (mut wins, mut margins, mut decisions, mut attacks) = ([0; 3], 0_i64, 0, [0; 2]);
    let (start, why) = (std::time::Instant::now(), std::env::var_os("WHY").is_some());
    for n in 0..games.parse::<u64>()? {
        let seed = Seed(1863).nth(n);
        let mut players = [0, 1].map(|i| {
            Player::new(
                skills[i],
                &briefs[i],
                &frees[1 - i],
                seed.nth(100 + i as u64),
            )
        });
        let mut game = play.game(seed)?;
        while let Some(decision) = game.decision() {
            let side = decision.ask.side;
            let Some(act) = players[side as usize].choose(&game)? else {
                break;
            };
            if why {
                tell(&game, act, &briefs[side as usize], seed)?;
            }
            game.apply_unchecked(act)?;
            decisions += 1;
        }
        let winner = game.verdict().and_then(|verdict| verdict.winner);
        wins[winner.map_or(2, |side| side as usize)] += 1;
        margins += i64::from(game.margin());
        for (side, count) in game.table().fights().all.iter() {
            attacks[side as usize] += count;
        }
        let mut standings = vec![];
        game.standings(&mut standings);
        let lost = Side::BOTH.map(|side| {
            let units = game.table().env().units.iter().zip(&standings);
            units
                .filter(|(unit, _)| unit.side == side)
                .map(|(unit, now)| u64::from(unit.men) * u64::from(now.lost) / 1000)
                .sum::<u64>()
        });
        if n < 4 {
            println!(
                "{seed}: {:?} margin {} lost {lost:?}",
                game.verdict().map(|v| v.how.to_string()),
                game.margin()
            );
        }
    }
    println!(
        "{ruleset}/{scenario} {first} v {second}: first {} second {} draws {}; mean margin {}; attacks {attacks:?}; {} decisions per game, {:.2} ms per game",
        wins[0],
        wins[1],
        wins[2],
        margins / games.parse::<i64>()?,
        decisions / games.parse::<u64>()?,
        start.elapsed().as_secs_f64() * 1e3 / games.parse::<f64>()?
    );
    Ok(())
}

/// Tells a choice, and what a steady player thinks of the best.
fn tell(game: &Game, act: Act, brief: &Arc<Brief>, seed: Seed) -> Result<(), cupola_kernel::Fault> {
    let Some(sight) = Sight::new(game, seed).filter(|sight| sight.options().len() > 1) else {
        return Ok(());
    };
    let mut steady = Steady::new(brief.clone());
    let many = std::env::var("WHY")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(4);
    let ranked = steady.rank(&sight)?.iter().take(many);
    let ranked: Vec<String> = ranked
        .map(|(worth, act)| format!("{} {worth}", game.text(*act)))
        .collect();
    println!(
        "{} {:?} {} → {} [{}]",
        game.table().turn_info().label,
        sight.side(),
        game.prompt().unwrap_or_default(),
        game.text(act),
        ranked.join(" | ")
    );
    Ok(())
}
