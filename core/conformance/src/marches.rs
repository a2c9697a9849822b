//! Movement: what the fast search finds is what walking every way finds.

use crate::conformity::Tally;
use crate::settings::Settings;
use crate::walk::Walk;
use cupola_kernel::{Game, HexId, Play};
use std::collections::BTreeMap;

/// What can be reached, each hex with its cost.
pub type Reached = BTreeMap<HexId, u16>;

type Search = dyn Fn(&Game) -> Vec<(String, Reached)> + Send + Sync;

/// The same movement found twice: as the ruleset finds it in play, and by walking every way as the rulebook
/// has it (`cupola_kit::plain` does).
pub struct Marches {
    fast: Box<Search>,
    plain: Box<Search>,
}

impl Marches {
    /// Both give, for a position, what each of some units can reach; the text says which unit it is.
    /// Positions without movement give nothing.
    pub fn new(
        fast: impl Fn(&Game) -> Vec<(String, Reached)> + Send + Sync + 'static,
        plain: impl Fn(&Game) -> Vec<(String, Reached)> + Send + Sync + 'static,
    ) -> Marches {
        Marches {
            fast: Box::new(fast),
            plain: Box::new(plain),
        }
    }
}

pub(crate) fn run(play: &Play, settings: &Settings, tally: &mut Tally) -> Result<(), String> {
    let Some(marches) = &settings.marches else {
        return Ok(());
    };
    settings.series(1, |number| {
        let mut walk = Walk::nth(play, settings, number)?;
        while let Some((side, act)) = walk.choice()? {
            if settings.looks_at(walk.ply) {
                let (fast, plain) = ((marches.fast)(&walk.game), (marches.plain)(&walk.game));
                same(&walk.game, &fast, &plain).map_err(|why| walk.at(why))?;
                tally.add("marches", fast.len() as u64);
                let hexes: usize = fast.iter().map(|(_, reached)| reached.len()).sum();
                tally.add("hexes", hexes as u64);
            }
            walk.apply(side, act)?;
        }
        Ok(walk.ply)
    })
}

fn same(
    game: &Game,
    fast: &[(String, Reached)],
    plain: &[(String, Reached)],
) -> Result<(), String> {
    if fast.len() != plain.len() {
        let (fast, plain) = (fast.len(), plain.len());
        return Err(format!(
            "{fast} units move by the search, {plain} by walking"
        ));
    }
    let say =
        |cost: Option<&u16>| cost.map_or("not at all".to_owned(), |cost| format!("for {cost}"));
    for ((who, fast), (_, plain)) in fast.iter().zip(plain) {
        let mut hexes = fast.keys().chain(plain.keys());
        if let Some(hex) = hexes.find(|hex| fast.get(hex) != plain.get(hex)) {
            return Err(format!(
                "{who} reaches {} {} by the search, {} by walking every way",
                game.table().board().label(*hex),
                say(fast.get(hex)),
                say(plain.get(hex))
            ));
        }
    }
    Ok(())
}
