//! Fights: nobody fights his own side, in what is shown and in what is fought.

use crate::conformity::Tally;
use crate::settings::Settings;
use crate::walk::{Walk, some};
use cupola_kernel::{Fight, Play, Table};

pub(crate) fn run(play: &Play, settings: &Settings, tally: &mut Tally) -> Result<(), String> {
    settings.series(1, |number| {
        let mut walk = Walk::nth(play, settings, number)?;
        walk.game.listen(true);
        while let Some((side, act)) = walk.choice()? {
            let options = walk.game.decision().map_or(&[][..], |d| d.options);
            let looks = settings.looks_at(walk.ply);
            for &option in some(options, settings.tries).filter(|_| looks) {
                if let Some((_, fight)) = walk.game.fight(option) {
                    between_enemies(walk.game.table(), &fight)
                        .map_err(|why| walk.at(format!("“{}”: {why}", walk.game.name(option))))?;
                    tally.add("fights shown", 1);
                }
            }
            let name = walk.game.name(act);
            walk.apply(side, act)?;
            walk.game.take_events();
            for fight in walk.game.take_fights() {
                between_enemies(walk.game.table(), &fight)
                    .map_err(|why| walk.at(format!("“{name}”: {why}")))?;
                tally.add("fights fought", 1);
            }
        }
        Ok(walk.ply)
    })
}

/// All attackers are of one side, all defenders of the other.
fn between_enemies(table: &Table, fight: &Fight) -> Result<(), String> {
    let Some(&first) = fight.attackers.first() else {
        return Ok(());
    };
    let side = table.info(first).side;
    let traitor = fight
        .attackers
        .iter()
        .find(|&&unit| table.info(unit).side != side);
    let friend = fight
        .defenders
        .iter()
        .find(|&&unit| table.info(unit).side == side);
    match (traitor, friend) {
        (None, None) => Ok(()),
        (Some(&unit), _) => Err(format!(
            "{} attacks beside {}, its enemy",
            table.info(unit).id,
            table.info(first).id
        )),
        (_, Some(&unit)) => Err(format!(
            "{} fights {}, which is of its own side",
            table.info(first).id,
            table.info(unit).id
        )),
    }
}
