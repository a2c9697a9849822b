//! The same seen choice by choice: which fights are opened, and what is thrown into them.

use super::{ALL, library, whole_army};
use cupola_bots::{Brief, Player, Skill, Task, Temper};
use cupola_kernel::{Act, Arg, Fights, Game, Play, Seed, Side, Stakes};
use std::sync::Arc;

/// Follows games in which everybody seeks the enemy in this temper: every choice before it is made, and the end.
fn follow(play: &Play, temper: Temper, games: u128, mut seen: impl FnMut(&Game, Option<Act>)) {
    let battle = library().battle("gettysburg").unwrap();
    let brief = |id: &str| {
        let plan = whole_army(id, Task::Seek, temper);
        Arc::new(Brief::new(&plan, play, &battle.army).unwrap())
    };
    let briefs = [brief("us"), brief("cs")];
    let of = |side: Side| briefs.iter().find(|brief| brief.side() == side).unwrap();
    for seed in (0..games).map(Seed) {
        let player = |side: Side| Player::new(Skill::Steady, of(side), of(side.other()), seed);
        let mut players = Side::BOTH.map(player);
        let mut game = play.game(seed).unwrap();
        while let Some(decision) = game.decision() {
            let side = decision.ask.side;
            let act = players[side as usize].choose(&game).unwrap().unwrap();
            seen(&game, Some(act));
            game.apply_unchecked(act).unwrap();
        }
        seen(&game, None);
    }
}

/// Who is told to be careful seeks fights that cost the enemy more than himself: of all that he opens he stands to lose four men for
/// five of theirs at the most, and in eight of ten no more than they. Where whoever stands beside an enemy must attack, who is
/// stuck there has no choice, and the enemy answers with his reserves: there it is man for man, and nine of twenty, in more games, since
/// fights are few.
#[test]
fn the_careful_fight_with_the_odds() {
    for what in ALL {
        let play = library().play(what.0, what.1, None).unwrap();
        let forced = play.forces_fights();
        let (mut all, mut bad, mut ours, mut theirs) = (0, 0, 0, 0);
        let mut last: Option<(Stakes, Fights)> = None;
        let games = if forced { 60 } else { 6 };
        follow(&play, Temper::Cautious, games, |game, act| {
            // A fight counts as it is fought, with all who have joined.
            if let Some((stakes, before)) = last
                && game.table().fights() != before
            {
                all += 1;
                bad += u32::from(stakes.attacker > stakes.defender.max(1));
                ours += stakes.attacker;
                theirs += stakes.defender;
            }
            let stakes = act.and_then(|act| game.stakes(act));
            last = stakes.map(|stakes| (stakes, game.table().fights()));
        });
        println!(
            "{}: {bad} of {all} fights of the careful are against the odds, {ours} men for {theirs}",
            what.0
        );
        let (men, most) = if forced { (5, 11) } else { (4, 4) };
        assert!(ours * 5 <= theirs * men, "{}: {ours} for {theirs}", what.0);
        assert!(bad * 20 <= all * most, "{}: {bad} of {all}", what.0);
    }
}

/// What somebody throws into a fight, guns or reserves, makes it better for himself: for the attacker if he attacks, for the defender if
/// he is attacked. Where it changes nothing it is kept.
#[test]
fn nobody_throws_away_his_reserves() {
    let mut thrown = [0, 0];
    for what in ALL {
        let play = library().play(what.0, what.1, None).unwrap();
        let games = if play.forces_fights() { 60 } else { 2 };
        follow(&play, Temper::Steady, games, |game, act| {
            let Some((with, without, attacks)) = act.and_then(|act| thrown_in(game, act)) else {
                return;
            };
            let more = |with: u32, without: u32| i64::from(with) - i64::from(without);
            let theirs = more(with.defender, without.defender);
            let ours = more(with.attacker, without.attacker);
            let by = theirs - ours + i64::from(with.ahead - without.ahead);
            let by = if attacks { by } else { -by };
            assert!(by > 0, "{}: {without:?} becomes {with:?}", what.0);
            thrown[usize::from(!attacks)] += 1;
        });
    }
    println!(
        "attackers throw in something {} times, defenders {}",
        thrown[0], thrown[1]
    );
    assert!(thrown[0] >= 20 && thrown[1] >= 20, "{thrown:?}");
}

/// What a fight comes to with something that is thrown into it, and without; and whether by those who attack.
fn thrown_in(game: &Game, act: Act) -> Option<(Stakes, Stakes, bool)> {
    let named = matches!(act.args[0], Arg::Token(_)) && game.fight(act).is_none();
    let (_, fight) = named.then(|| game.prospect(act))??;
    let decision = game.decision()?;
    let mut options = decision.options.iter();
    let pass = *options.find(|act| act.args[0] == Arg::None)?;
    let attacks = game.table().info(*fight.attackers.first()?).side == decision.ask.side;
    Some((game.stakes(act)?, game.stakes(pass)?, attacks))
}
