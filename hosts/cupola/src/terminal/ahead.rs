//! Answers to questions that have not been asked yet: `move heth 16.08` at "Which unit?".

use cupola_kernel::{Act, Game, Side};

/// How many questions ahead somebody may think.
const DEPTH: usize = 3;

/// The answers that lead, without a die or anything shown on the way, to the one that was typed.
pub fn ahead(game: &Game, side: Side, text: &str) -> Option<Vec<Act>> {
    let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
    if words.len() < 2 {
        return None;
    }
    let mut way = vec![];
    search(game, side, &words, DEPTH, &mut way).then_some(way)
}

fn search(game: &Game, side: Side, words: &[String], depth: usize, way: &mut Vec<Act>) -> bool {
    let Some(decision) = game.decision().filter(|decision| decision.ask.side == side) else {
        return false;
    };
    let named = |act: Act| -> Vec<String> {
        let name = game.name(act).to_lowercase();
        name.split(' ').map(str::to_owned).collect()
    };
    // The first question was looked at before anybody came here.
    let found = decision
        .options
        .iter()
        .find(|act| !way.is_empty() && named(**act) == words);
    if let Some(&act) = found {
        way.push(act);
        return true;
    }
    if depth == 0 {
        return false;
    }
    // Only answers all of whose names were typed can be on the way.
    let leads = |act: &&Act| {
        let name = named(**act);
        name.len() > 1 && name[1..].iter().all(|word| words.contains(word))
    };
    for &act in decision.options.iter().filter(leads) {
        let mut next = game.fork();
        if next.apply(side, act).is_err() || next.luck() != game.luck() {
            continue;
        }
        way.push(act);
        if search(&next, side, words, depth - 1, way) {
            return true;
        }
        way.pop();
    }
    false
}
