//! What saving a file has changed, for whoever follows the files of some rules.

use crate::{Resolved, Told, differences, displaced};
use cupola_kernel::{Game, Play, UnitId};

/// Rules that are looked at again and again: what the last look that found something new has found.
#[derive(Default)]
pub struct Since {
    last: Option<Look>,
    told: Vec<Told>,
}

/// What a look has found.
struct Look {
    rules: Resolved,
    position: Option<String>,
    game: Game,
}

impl Since {
    /// Takes in the rules as they are now, with the play that they come to and a game of it, and says what the last change
    /// was. A look that finds nothing new leaves that as it was.
    pub fn look(&mut self, rules: Resolved, play: &Play, game: &Game) -> &[Told] {
        let position = play.position().map(str::to_owned);
        if let Some(before) = &self.last {
            let mut told = differences(&before.rules, &rules);
            told.extend(displaced(&before.game, game));
            if before.position != position {
                told.extend(moved(&before.game, game));
            }
            if !told.is_empty() {
                self.told = told;
            }
        }
        self.last = Some(Look {
            rules,
            position,
            game: game.fork(),
        });
        &self.told
    }

    /// The last change.
    #[must_use]
    pub fn told(&self) -> &[Told] {
        &self.told
    }
}

/// The counters that another position has put elsewhere.
fn moved(first: &Game, second: &Game) -> Vec<Told> {
    let at = |game: &Game, unit: Option<UnitId>| {
        let hex = unit.and_then(|unit| game.table().hex(unit));
        hex.map(|hex| game.table().board().label(hex).to_owned())
    };
    let units = second.table().units();
    let told = units.filter_map(|unit| {
        let info = second.table().info(unit);
        let before = first.table().env().unit(&info.id);
        let (was, to) = (at(first, before), at(second, Some(unit)));
        (was != to).then(|| Told {
            file: "position".to_owned(),
            subject: info.name.clone(),
            field: String::new(),
            was: Some(was.unwrap_or_else(|| "off the map".to_owned())),
            to: Some(to.unwrap_or_else(|| "off the map".to_owned())),
            origins: None,
        })
    });
    told.collect()
}
