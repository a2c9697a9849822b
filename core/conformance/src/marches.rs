//! Movement: what is offered, and what it is said to cost, is what walking step by step finds.

use crate::conformity::Tally;
use crate::settings::Settings;
use crate::walk::Walk;
use cupola_kernel::{Arg, Game, HexId, Play, Points, Walked};
use std::collections::BTreeMap;

/// The options that go somewhere: their hexes, each with the least that it is said to cost.
type Offered = BTreeMap<HexId, Points>;

pub(crate) fn run(play: &Play, settings: &Settings, tally: &mut Tally) -> Result<(), String> {
    settings.series(1, |number| {
        let mut walk = Walk::nth(play, settings, number)?;
        while let Some((side, act)) = walk.choice()? {
            let looks = walk.ply.is_multiple_of(settings.walks.max(1));
            if let Some(walked) = looks.then(|| walk.game.walked()).flatten() {
                let offered = offered(&walk.game, &walked).map_err(|why| walk.at(why))?;
                same(&walk.game, &offered, &walked).map_err(|why| walk.at(why))?;
                tally.add("marches", 1);
                tally.add("hexes", offered.len() as u64);
            }
            walk.apply(side, act)?;
        }
        Ok(walk.ply)
    })
}

/// Where the unit may go as the game has it.
fn offered(game: &Game, walked: &Walked) -> Result<Offered, String> {
    let options = game.decision().map_or(&[][..], |decision| decision.options);
    let (start, mut found) = (game.table().hex(walked.unit), Offered::new());
    for &act in options.iter().filter(|act| act.verb == walked.verb) {
        let hex = act.args.iter().rev().find(|arg| **arg != Arg::None);
        let (Some(&Arg::Hex(hex)), outlook) = (hex, game.outlook(act)) else {
            continue;
        };
        let Some(cost) = outlook.cost else {
            return Err(format!("“{}” is said to cost nothing", game.name(act)));
        };
        let ends = [outlook.path.first(), outlook.path.last()];
        if let [Some(&from), Some(&to)] = ends
            && (to != hex || start.is_some_and(|start| start != from))
        {
            let label = |hex| game.table().board().label(hex);
            let (from, to) = (label(from), label(to));
            let name = game.name(act);
            return Err(format!("the way of “{name}” leads from {from} to {to}"));
        }
        let less =
            |known: &Points| cost.spent.parts * known.of < known.parts * cost.spent.of.max(1);
        if found.get(&hex).is_none_or(less) {
            found.insert(hex, cost.spent);
        }
    }
    Ok(found)
}

fn same(game: &Game, offered: &Offered, walked: &Walked) -> Result<(), String> {
    let (table, of) = (game.table(), u32::from(walked.of));
    let walking = |hex: &HexId| {
        let parts = u32::from(*walked.reached.get(hex)?);
        Some(Points { parts, of })
    };
    let agree = |hex: &&HexId| match (offered.get(hex), walking(hex)) {
        (Some(fast), Some(plain)) => fast.parts * plain.of == plain.parts * fast.of,
        (fast, plain) => fast.is_none() && plain.is_none(),
    };
    let say =
        |cost: Option<Points>| cost.map_or("not at all".to_owned(), |cost| format!("for {cost}"));
    let mut hexes = offered.keys().chain(walked.reached.keys());
    match hexes.find(|hex| !agree(hex)) {
        None => Ok(()),
        Some(hex) => Err(format!(
            "{} reaches {} {} by the search, {} by walking every way",
            table.info(walked.unit).id,
            table.board().label(*hex),
            say(offered.get(hex).copied()),
            say(walking(hex))
        )),
    }
}
