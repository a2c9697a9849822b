//! What players measure on the map: §F-4 generals are chits and have no range, but a brigade acts with those of its own.

use crate::command::commands_brigade;
use crate::field::{Field, rules};
use crate::rules::{Meaning, Span};
use crate::state::Chits;
use crate::tables::RATINGS;
use cupola_cup::{Chit, Spot};
use cupola_kernel::{CommandRange, Table, UnitId, rule};

/// The generals in the game with whose chits a unit acts, and everybody who acts with the nearest of them.
#[must_use]
pub fn command_range(t: &Table, unit: UnitId) -> Option<CommandRange> {
    let (field, at) = (Field::new(t), t.hex(unit)?);
    let cards = &rules(t).chits;
    let cup = &t.res::<Chits>().cup;
    let brigade = |unit: UnitId| rules(t).brigades.get(usize::from(field.card(unit).brigade));
    let own = brigade(unit)?;
    let obeyed = (0..cards.len()).map(|i| Chit(i as u8)).filter_map(|chit| {
        let card = rules(t).chit(chit);
        match card.meaning {
            Meaning::General { span, rating, .. }
                if card.side == Some(own.side)
                    && cup.spot(chit) != Spot::Out
                    && commands_brigade(field, span, own) =>
            {
                Some((
                    span,
                    format!(
                        "{} ({})",
                        card.name,
                        RATINGS[usize::from(rating.clamp(0, 4) as u8)]
                    ),
                ))
            }
            _ => None,
        }
    });
    let mut obeyed: Vec<(Span, String)> = obeyed.collect();
    // The division's general is nearer than the corps'.
    obeyed.sort_by_key(|(span, _)| matches!(span, Span::Corps(_)));
    let nearest = obeyed.first()?.0;
    let with = |unit: &UnitId| {
        let there = t.hex(*unit).is_some();
        there
            && brigade(*unit)
                .is_some_and(|one| one.side == own.side && commands_brigade(field, nearest, one))
    };
    let names: Vec<String> = obeyed.into_iter().map(|(_, name)| name).collect();
    Some(CommandRange {
        rule: rule!("F-4"),
        about: format!("acts when a chit of its own is drawn: {}", names.join(", ")),
        hexes: vec![at],
        units: t.units().filter(with).collect(),
    })
}
