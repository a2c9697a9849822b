//! What all games of a contest came to, by hour.

use super::{
    DataTable,
    Kind::{Real, Text, Whole},
    row,
};
use cupola_lab::model::{Comparison, Spread};

/// `hours`: what every hour came to, in long form. The metrics are `men_lost` and `guns_lost` (by side, and by corps) and
/// `front_moved` (metres by which the side pushed the front since the hour before). Low and high are the stretch that eight
/// games in ten lie in, the error is that of the mean.
#[must_use]
pub fn hours(comparison: &Comparison) -> DataTable {
    let head = [
        ("contest", Text),
        ("minute", Whole),
        ("hour", Text),
        ("side", Text),
        ("corps", Text),
        ("metric", Text),
        ("mean", Real),
        ("low", Real),
        ("high", Real),
        ("error", Real),
    ];
    let mut rows = vec![];
    for found in &comparison.contests {
        let mut add = |side: &str, corps: Option<&str>, metric: &str, spreads: &[Spread]| {
            for ((minute, hour), spread) in comparison.hours.iter().zip(spreads) {
                rows.push(row![
                    found.name.as_str(),
                    *minute,
                    hour.as_str(),
                    side,
                    corps,
                    metric,
                    spread.mean,
                    spread.low,
                    spread.high,
                    spread.error,
                ]);
            }
        };
        for (i, (side, _)) in comparison.sides.iter().enumerate() {
            add(side, None, "men_lost", &found.men_lost[i]);
            add(side, None, "guns_lost", &found.guns_lost[i]);
            add(side, None, "front_moved", &found.front_moved[i]);
        }
        for corps in &found.corps {
            let side = comparison.sides.get(corps.side).map_or("", |side| &side.0);
            add(side, Some(&corps.id), "men_lost", &corps.lost);
            add(side, Some(&corps.id), "guns_lost", &corps.guns_lost);
        }
    }
    DataTable::new(&head, rows)
}

/// `places`: for every place, hour and side the share of games in which the side held it; the contest `recorded` is history.
#[must_use]
pub fn places(comparison: &Comparison) -> DataTable {
    let head = [
        ("contest", Text),
        ("place", Text),
        ("name", Text),
        ("minute", Whole),
        ("hour", Text),
        ("side", Text),
        ("share", Real),
    ];
    let mut rows = vec![];
    let mut add = |contest: &str, id: &str, name: &str, hour: usize, held: [f64; 2]| {
        let Some((minute, clock)) = comparison.hours.get(hour) else {
            return;
        };
        for (side, share) in comparison.sides.iter().zip(held) {
            rows.push(row![
                contest,
                id,
                name,
                *minute,
                clock.as_str(),
                side.0.as_str(),
                share
            ]);
        }
    };
    for found in &comparison.contests {
        for place in &found.places {
            for (hour, held) in place.held.iter().enumerate() {
                add(&found.name, &place.id, &place.name, hour, *held);
            }
        }
    }
    for (id, name, by_hour) in &comparison.history.places {
        for (hour, holder) in by_hour.iter().enumerate() {
            let held = |side: usize| f64::from(u8::from(*holder == Some(side)));
            if holder.is_some() {
                add("recorded", id, name, hour, [held(0), held(1)]);
            }
        }
    }
    DataTable::new(&head, rows)
}

/// `positions`: how far units stand from where they are recorded, by hour, with the interval of the mean; hours of which nothing is
/// known are left out.
#[must_use]
pub fn positions(comparison: &Comparison) -> DataTable {
    let head = [
        ("contest", Text),
        ("minute", Whole),
        ("hour", Text),
        ("metres", Real),
        ("low", Real),
        ("high", Real),
        ("games", Whole),
    ];
    let rows = comparison.contests.iter().flat_map(|found| {
        let hours = comparison.hours.iter().zip(&found.distance.positions);
        hours.filter_map(|((minute, hour), metres)| {
            let metres = (*metres)?;
            Some(row![
                found.name.as_str(),
                *minute,
                hour.as_str(),
                metres.mean,
                metres.low,
                metres.high,
                metres.games
            ])
        })
    });
    DataTable::new(&head, rows)
}
