//! Dice keep their address when an unrelated rule changes.
//!
//! A play and its twin, a variant that touches only rolls for certain purposes, are played side by
//! side with the same seed and the same choices. As long as both ask the same, every other roll must
//! fall the same. Rolls that all share one address are a stream in disguise, and show here: one more
//! roll about the one thing shifts all the rest.

use crate::conformity::Tally;
use crate::settings::{Settings, Twin};
use crate::walk::Walk;
use cupola_kernel::{Game, Play, RollRecord};

pub(crate) fn run(play: &Play, settings: &Settings, tally: &mut Tally) -> Result<(), String> {
    let Some(twin) = &settings.twin else {
        return Ok(());
    };
    let variant = (twin.play)();
    settings.series(1, |number| {
        side_by_side(play, &variant, twin, settings, number, tally)
    })?;
    if tally.get("rolls about it") == 0 {
        return Err("no roll was about what the variant touches: nothing is proved".to_owned());
    }
    if tally.get("rolls compared") == 0 {
        return Err("no other roll was made before play diverged: nothing is proved".to_owned());
    }
    Ok(())
}

fn side_by_side(
    play: &Play,
    variant: &Play,
    twin: &Twin,
    settings: &Settings,
    number: u64,
    tally: &mut Tally,
) -> Result<u32, String> {
    let mut walk = Walk::nth(play, settings, number)?;
    let mut other = variant
        .game(walk.seed)
        .map_err(|fault| format!("the variant's game {} cannot begin: {fault}", walk.seed))?;
    walk.game.listen(true);
    other.listen(true);
    while let Some((side, act)) = walk.choice()? {
        if !asks_the_same(&walk.game, &other) {
            break;
        }
        walk.apply(side, act)?;
        other
            .apply(side, act)
            .map_err(|error| walk.at(format!("in the variant: {error}")))?;
        let (own, theirs) = (walk.game.take_events().1, other.take_events().1);
        let about =
            |rolls: &[RollRecord]| rolls.iter().filter(|r| (twin.touches)(r.purpose)).count();
        tally.add("rolls about it", (about(&own) + about(&theirs)) as u64);
        compare(&own, &theirs, twin, tally).map_err(|why| walk.at(why))?;
        tally.add("decisions", 1);
    }
    Ok(walk.ply)
}

fn asks_the_same(one: &Game, other: &Game) -> bool {
    let asked = |game: &Game| game.decision().map(|d| (d.ask, d.options.to_vec()));
    asked(one) == asked(other)
}

/// Rolls of one step, by their address without regard to how many came before: the variant may
/// roll more or fewer of them, but those that both roll are equal.
fn compare(
    own: &[RollRecord],
    theirs: &[RollRecord],
    twin: &Twin,
    tally: &mut Tally,
) -> Result<(), String> {
    let unrelated = |rolls: &[RollRecord]| -> Vec<RollRecord> {
        let kept = rolls.iter().filter(|roll| !(twin.touches)(roll.purpose));
        kept.cloned().collect()
    };
    let mut theirs = unrelated(theirs);
    for roll in unrelated(own) {
        let Some(at) = theirs.iter().position(|r| r.address == roll.address) else {
            continue;
        };
        let found = theirs.remove(at);
        if found.value != roll.value {
            return Err(format!(
                "the roll for “{}” is {}, and {} in a variant that does not touch it",
                roll.purpose, roll.value, found.value
            ));
        }
        tally.add("rolls compared", 1);
    }
    Ok(())
}
