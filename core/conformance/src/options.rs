//! Options: in order, named apart, and listed exactly if they are accepted.

use crate::conformity::Tally;
use crate::settings::Settings;
use crate::walk::{Walk, some, wrong_answers};
use cupola_kernel::{ApplyError, Game, Loose, Play, Seat};
use std::collections::BTreeMap;

pub(crate) fn run(play: &Play, settings: &Settings, tally: &mut Tally) -> Result<(), String> {
    settings.series(1, |number| {
        let mut walk = Walk::nth(play, settings, number)?;
        let mut dice = Loose::new(walk.seed.nth(1));
        let mut scratch = walk.game.fork();
        while let Some((side, act)) = walk.choice()? {
            in_order(&walk.game).map_err(|why| walk.at(why))?;
            if settings.looks_at(walk.ply) {
                let game = &walk.game;
                let before = game.hash();
                let sound = named_apart(game)
                    .and_then(|()| shown_to_whom_it_concerns(game))
                    .and_then(|()| accepted(game, &mut scratch, settings, tally))
                    .and_then(|()| refused(game, &mut scratch, &mut dice, settings, tally));
                sound.map_err(|why| walk.at(why))?;
                if walk.game.hash() != before {
                    return Err(walk.at("looking at the options changes the state"));
                }
                tally.add("decisions", 1);
            }
            walk.apply(side, act)?;
        }
        Ok(walk.ply)
    })
}

/// Strictly ascending, hence without doubles.
fn in_order(game: &Game) -> Result<(), String> {
    let options = game.decision().map_or(&[][..], |decision| decision.options);
    match options.windows(2).find(|pair| pair[0] >= pair[1]) {
        None => Ok(()),
        Some(pair) if pair[0] == pair[1] => {
            Err(format!("“{}” is listed twice", game.name(pair[0])))
        }
        Some(pair) => Err(format!(
            "the options are not in order: “{}” before “{}”",
            game.name(pair[0]),
            game.name(pair[1])
        )),
    }
}

/// Every id leads back to its act, and no two options read the same.
fn named_apart(game: &Game) -> Result<(), String> {
    let (mut ids, mut texts) = (BTreeMap::new(), BTreeMap::new());
    let options = game.decision().map_or(&[][..], |decision| decision.options);
    for &act in options {
        let (id, text) = (game.name(act), game.text(act));
        if game.parse(&id) != Ok(act) {
            return Err(format!("“{id}” is not read back as the same option"));
        }
        if text.trim().is_empty() {
            return Err(format!("“{id}” has no text"));
        }
        if ids.insert(id.clone(), ()).is_some() {
            return Err(format!("two options have the id “{id}”"));
        }
        if let Some(other) = texts.insert(text.clone(), id.clone()) {
            return Err(format!("“{other}” and “{id}” both read “{text}”"));
        }
    }
    let prompt = game.prompt().unwrap_or_default();
    if prompt.trim().is_empty() {
        return Err("the question has no words".to_owned());
    }
    Ok(())
}

/// The seat to move gets every option; the others are told who is asked, and get none.
fn shown_to_whom_it_concerns(game: &Game) -> Result<(), String> {
    let Some(decision) = game.decision() else {
        return Ok(());
    };
    let all: Vec<String> = decision.options.iter().map(|&act| game.name(act)).collect();
    let other = decision.ask.side.other();
    let seats = [
        (Seat::Player(decision.ask.side), true),
        (Seat::Umpire, true),
        (Seat::Player(other), false),
        (Seat::Observer, false),
    ];
    for (seat, chooses) in seats {
        let view = game.view(seat).decision;
        let shown = view.ok_or_else(|| format!("{seat:?} does not see that a decision is open"))?;
        let ids: Vec<String> = shown.options.into_iter().map(|option| option.id).collect();
        let wanted = if chooses { &all[..] } else { &[] };
        if ids != wanted {
            return Err(format!("{seat:?} is shown the options {ids:?}"));
        }
    }
    Ok(())
}

/// What is listed is accepted.
fn accepted(
    game: &Game,
    scratch: &mut Game,
    settings: &Settings,
    tally: &mut Tally,
) -> Result<(), String> {
    let Some(decision) = game.decision() else {
        return Ok(());
    };
    for &act in some(decision.options, settings.tries) {
        scratch.copy_from(game);
        scratch
            .apply(decision.ask.side, act)
            .map_err(|error| format!("the option “{}” is not accepted: {error}", game.name(act)))?;
        tally.add("options accepted", 1);
    }
    Ok(())
}

/// What is not listed is refused by a rule; the other side is refused whatever it chooses; and
/// nothing has changed.
fn refused(
    game: &Game,
    scratch: &mut Game,
    dice: &mut Loose,
    settings: &Settings,
    tally: &mut Tally,
) -> Result<(), String> {
    let Some(decision) = game.decision() else {
        return Ok(());
    };
    scratch.copy_from(game);
    let (hash, side) = (game.hash(), decision.ask.side);
    for (act, shaped) in wrong_answers(game, dice, settings.tries) {
        let name = game.name(act);
        match scratch.apply(side, act) {
            Err(ApplyError::Refused(refusal)) => {
                if refusal.why.trim().is_empty() {
                    return Err(format!("“{name}” is refused without a word"));
                }
                if shaped && refusal.rule.0.trim().is_empty() {
                    return Err(format!(
                        "“{name}” is not listed, but no rule forbids it: “{refusal}”"
                    ));
                }
            }
            Err(error) => return Err(format!("“{name}” is not refused by a rule: {error}")),
            Ok(()) => return Err(format!("“{name}” is not listed, but accepted")),
        }
        tally.add("answers refused", 1);
    }
    let first = decision.options[0];
    if scratch.apply(side.other(), first) != Err(ApplyError::NotYourDecision { side }) {
        return Err(format!(
            "“{}” is taken from the wrong side",
            game.name(first)
        ));
    }
    if scratch.hash() == hash {
        Ok(())
    } else {
        Err("a refused choice changes the state".to_owned())
    }
}
