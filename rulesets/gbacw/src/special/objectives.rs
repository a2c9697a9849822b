//! How the large scenarios end: places that the Confederates must hold, and whose brigades are worn out.

use super::Special;
use crate::field::rules;
use crate::load::Names;
use crate::recovery::is_spent;
use crate::rules::Kind;
use crate::victory::holds;
use cupola_kernel::{HexId, Side, Table, Verdict, rule};
use serde::Deserialize;

/// Victory by places and brigades, in a scenario file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ObjectivesFile {
    /// The places: all hexes of one are needed; from a turn on, if it is said.
    pub places: Vec<PlaceFile>,
    /// How many of them are needed.
    pub needs: usize,
    /// What the Confederates' worn brigades may come to.
    pub brigades: Limit,
    /// Whose cavalry brigades count twice.
    pub cavalry_twice: Vec<String>,
    /// Whether the game ends at the end of any turn on which they have won.
    #[serde(default)]
    pub early: bool,
    /// D5: who holds all of these needs one place less.
    #[serde(default)]
    pub crossroads: Vec<String>,
}

/// A place that counts.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlaceFile {
    /// Its hexes.
    pub hexes: Vec<String>,
    /// The first turn at whose end it counts.
    #[serde(default)]
    pub from: Option<String>,
}

/// What worn brigades may come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    /// Fewer than the Union's win, as many are a draw.
    Fewer,
    /// At most so many in a hundred of the Union's; none counts as one.
    Share(u32),
}

/// Victory by places and brigades.
pub struct Objectives {
    places: Vec<(Vec<HexId>, u16)>,
    needs: usize,
    limit: Limit,
    twice: Vec<Side>,
    early: bool,
    crossroads: Vec<HexId>,
}

impl ObjectivesFile {
    /// Makes the rule.
    pub fn build(&self, names: &mut Names, field: &str) -> Objectives {
        let places = self.places.iter().enumerate().map(|(i, place)| {
            let at = format!("{field}.places[{i}]");
            let from = place.from.as_ref();
            (
                names.hexes(&at, &place.hexes),
                from.map_or(0, |turn| names.turn(&at, turn)),
            )
        });
        let places = places.collect();
        let twice = self.cavalry_twice.iter();
        Objectives {
            places,
            needs: self.needs,
            limit: self.brigades,
            twice: twice
                .map(|side| names.side(&format!("{field}.cavalry_twice"), side))
                .collect(),
            early: self.early,
            crossroads: names.hexes(&format!("{field}.crossroads"), &self.crossroads),
        }
    }
}

impl Objectives {
    /// Worn brigades of a side (§7.61).
    fn worn(&self, t: &Table, side: Side) -> u32 {
        let brigades = (0u16..).zip(&rules(t).brigades);
        brigades
            .filter(|(number, brigade)| brigade.side == side && is_spent(t, *number))
            .map(|(_, brigade)| {
                let first = brigade.units.first();
                let horse = first.is_some_and(|&unit| rules(t).card(unit).kind == Kind::Horse);
                1 + u32::from(horse && self.twice.contains(&side))
            })
            .sum()
    }

    /// Whether the Confederates hold what they need.
    fn held(&self, t: &Table) -> bool {
        let all = |hexes: &[HexId]| hexes.iter().all(|&hex| holds(t, Side::Second, hex));
        let places = self.places.iter();
        let counted = places.filter(|(hexes, from)| *from <= t.turn() && all(hexes));
        let shift = usize::from(!self.crossroads.is_empty() && all(&self.crossroads));
        counted.count() + shift >= self.needs
    }

    fn winner(&self, t: &Table) -> Option<Side> {
        if !self.held(t) {
            return Some(Side::First);
        }
        let (union, south) = (self.worn(t, Side::First), self.worn(t, Side::Second));
        match self.limit {
            Limit::Fewer => match south.cmp(&union) {
                std::cmp::Ordering::Less => Some(Side::Second),
                std::cmp::Ordering::Equal => None,
                std::cmp::Ordering::Greater => Some(Side::First),
            },
            Limit::Share(most) => {
                let enough = 100 * south.max(1) <= most * union.max(1);
                Some(if enough { Side::Second } else { Side::First })
            }
        }
    }

    fn told(winner: Option<Side>) -> Verdict {
        let how = if winner.is_some() { "victory" } else { "draw" };
        Verdict {
            winner,
            how: how.into(),
            rule: rule!("13.0"),
        }
    }
}

impl Special for Objectives {
    fn turn_ends(&self, t: &mut Table) {
        if self.early && self.winner(t) == Some(Side::Second) {
            t.end(Objectives::told(Some(Side::Second)));
        }
    }

    fn verdict(&self, t: &Table) -> Option<Verdict> {
        Some(Objectives::told(self.winner(t)))
    }
}
