//! Scripted dice: a step rolls what its script holds and nothing else, and says so when the script is too short.

use crate::conformity::Tally;
use crate::settings::Settings;
use crate::walk::Walk;
use cupola_kernel::{Act, ApplyError, Fault, Game, Play, Side};

/// Scripts that are too short, tried for a step.
const SHORT: usize = 5;

pub(crate) fn run(play: &Play, settings: &Settings, tally: &mut Tally) -> Result<(), String> {
    settings.series(1, |number| {
        let mut walk = Walk::nth(play, settings, number)?;
        walk.game.listen(true);
        while let Some((side, act)) = walk.choice()? {
            let (before, name) = (walk.game.fork(), walk.game.name(act));
            walk.apply(side, act)?;
            let (_, rolls) = walk.game.take_events();
            let values: Vec<u16> = rolls.iter().map(|roll| roll.value).collect();
            if !values.is_empty() {
                whole(&before, &walk.game, (side, act), &values)
                    .and_then(|()| short(&before, (side, act), &values))
                    .map_err(|why| walk.at(format!("“{name}”: {why}")))?;
                tally.add("steps with dice", 1);
                tally.add("dice", values.len() as u64);
            }
        }
        Ok(walk.ply)
    })
}

/// With the dice that fell the same comes of it, and none is left over.
fn whole(
    before: &Game,
    after: &Game,
    (side, act): (Side, Act),
    dice: &[u16],
) -> Result<(), String> {
    let mut game = before.fork();
    let (done, left) = game.with_scripted_dice(dice, |game| game.apply(side, act));
    done.map_err(|error| format!("the dice that fell, scripted: {error}"))?;
    if left > 0 {
        let all = dice.len();
        return Err(format!(
            "{all} dice fell; scripted, {left} of them are left over"
        ));
    }
    if game.hash() != after.hash() {
        return Err("the dice that fell, scripted, lead elsewhere".to_owned());
    }
    Ok(())
}

/// With fewer of them it ends, and says that they have run out.
fn short(before: &Game, (side, act): (Side, Act), dice: &[u16]) -> Result<(), String> {
    let step = dice.len().div_ceil(SHORT);
    for some in (0..dice.len()).step_by(step).chain([dice.len() - 1]) {
        let mut game = before.fork();
        let (done, _) = game.with_scripted_dice(&dice[..some], |game| game.apply(side, act));
        match done {
            Err(ApplyError::Fault(Fault::Dice(_))) => {}
            Err(other) => return Err(format!("a script of {some} dice is too short: {other}")),
            Ok(()) => {
                let all = dice.len();
                return Err(format!("{all} dice fell, and a script of {some} is enough"));
            }
        }
    }
    Ok(())
}
