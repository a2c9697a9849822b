//! Tidy tables: one row per observation, for people who bring pandas or DuckDB.

use csv::Writer;
use cupola_army::Army;
use cupola_data::cell;
use cupola_kernel::{Side, UnitInfo};
use cupola_lab::grid::Measure;
use cupola_lab::model::{Comparison, Spread};
use cupola_lab::{At, Contest, Record, Snapshot, measure};
use std::collections::BTreeSet;

/// The games of a contest, with what is needed to count men.
pub struct Games<'a> {
    /// The contest's name.
    pub name: &'a str,
    /// Which side of the game each side of the scenario is.
    pub sides: [Side; 2],
    /// Per unit its side, men and guns.
    pub units: Vec<(Side, u32, u32)>,
    /// Per unit its corps; empty if it is of none.
    pub corps: Vec<String>,
    /// The games.
    pub records: &'a [Record],
}

impl<'a> Games<'a> {
    /// The games of a contest; `sides` are the ids of the scenario's sides.
    #[must_use]
    pub fn new(
        contest: &'a Contest,
        army: &Army,
        sides: [&str; 2],
        records: &'a [Record],
    ) -> Games<'a> {
        let corps = |unit: &UnitInfo| measure::corps(army, unit).unwrap_or_default().to_owned();
        let env = contest.play.env();
        Games {
            name: &contest.name,
            sides: [0, 1].map(|i| env.side(sides[i]).unwrap_or(Side::BOTH[i])),
            units: env
                .units
                .iter()
                .map(|unit| (unit.side, unit.men, unit.guns))
                .collect(),
            corps: env.units.iter().map(corps).collect(),
            records,
        }
    }

    /// Men, or guns, that a side had lost.
    fn lost(&self, snapshot: Option<&Snapshot>, side: Side, guns: bool) -> u64 {
        let units = snapshot.map_or(&[][..], |snapshot| &snapshot.units);
        let own = units.iter().zip(&self.units);
        let own = own.filter(|(_, unit)| unit.0 == side);
        thousandths(own.map(|(at, unit)| (at, *unit)), guns)
    }
}

fn table(head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut writer = Writer::from_writer(vec![]);
    // Writing to memory cannot fail, and every row is as long as the head.
    let _ = writer.write_record(head);
    for row in rows {
        let _ = writer.write_record(row.iter().map(|text| cell(text).into_owned()));
    }
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}

/// A minute of the calendar as time of day, or nothing.
fn minute(minute: Option<i32>) -> String {
    minute.map_or_else(String::new, |minute| minute.to_string())
}

fn fixed(value: f64) -> String {
    format!("{value:.3}")
}

/// `grid.csv`: a row for every cell and measure of the grid. The exchange of losses is a logarithm.
#[must_use]
pub fn grid(comparison: &Comparison) -> String {
    let head = [
        "contest", "plans", "bot", "measure", "mean", "low", "high", "error", "games",
    ];
    let cells = comparison.grid.iter().flat_map(|grid| &grid.cells);
    let rows = cells.flat_map(|cell| {
        Measure::ALL.into_iter().map(move |measure| {
            let value = cell.value(measure);
            vec![
                cell.contest.clone(),
                cell.plans.clone(),
                cell.bot.clone(),
                measure.name().to_owned(),
                fixed(value.mean),
                fixed(value.low),
                fixed(value.high),
                fixed(value.error),
                value.games.to_string(),
            ]
        })
    });
    table(&head, rows)
}

/// `claims.csv`: what could be said of the rules, and what became of it.
#[must_use]
pub fn claims(comparison: &Comparison) -> String {
    let head = [
        "measure", "more", "less", "above", "standing", "agree", "against", "of", "not_with",
    ];
    let claims = comparison.grid.iter().flat_map(|grid| &grid.claims);
    let rows = claims.map(|claim| {
        vec![
            claim.measure.name().to_owned(),
            claim.more.clone(),
            claim.less.clone().unwrap_or_default(),
            claim.above.to_string(),
            claim.standing.name().to_owned(),
            claim.agree.to_string(),
            claim.against.to_string(),
            claim.of.to_string(),
            claim.where_not.first().cloned().unwrap_or_default(),
        ]
    });
    table(&head, rows)
}

/// `game-figures.csv`: every game by the measures that look at the ground.
#[must_use]
pub fn game_figures(comparison: &Comparison) -> String {
    let head = [
        "contest",
        "game",
        "metres_off",
        "places",
        "losses_off",
        "pushed_1",
        "pushed_2",
    ];
    let known = |value: Option<f64>| value.map_or_else(String::new, fixed);
    let rows = comparison.contests.iter().flat_map(|found| {
        found.by_game.iter().map(move |game| {
            vec![
                found.name.clone(),
                game.game.to_string(),
                known(game.astray),
                known(game.places),
                known(game.losses),
                fixed(game.pushed[0]),
                fixed(game.pushed[1]),
            ]
        })
    });
    table(&head, rows)
}

/// `game-places.csv`: who held each place at each hour of each game; `held` are contest, game, place, minute and side.
#[must_use]
pub fn game_places(sides: [&str; 2], held: &[(String, u32, String, i32, usize)]) -> String {
    let rows = held.iter().map(|(contest, game, place, hour, side)| {
        vec![
            contest.clone(),
            game.to_string(),
            place.clone(),
            hour.to_string(),
            sides[(*side).min(1)].to_owned(),
        ]
    });
    table(&["contest", "game", "place", "minute", "side"], rows)
}

/// The columns of `games.csv`.
pub const GAMES: [&str; 25] = [
    "contest",
    "game",
    "seed",
    "winner",
    "how",
    "margin",
    "decisions",
    "forced",
    "attacks_1",
    "attacks_2",
    "men_lost_1",
    "men_lost_2",
    "guns_lost_1",
    "guns_lost_2",
    "orders_1",
    "orders_2",
    "idle_1",
    "idle_2",
    "first_contact_from",
    "first_contact_to",
    "first_attack_from",
    "first_attack_to",
    "first_close_from",
    "first_close_to",
    "fault",
];

/// `games.csv`: a row for every game, bad ones too. Columns ending in 1 and 2 are of the scenario's first and second side; the
/// winner is a side's id, `draw`, or empty; the margin is that of the first side in thousandths of a clear win; times are minutes of
/// the calendar, those of first contact and attack the beginning and the end of the turn.
#[must_use]
pub fn games(sides: [&str; 2], played: &[Games]) -> String {
    let rows = played.iter().flat_map(|played| {
        played
            .records
            .iter()
            .map(move |record| game(sides, played, record))
    });
    table(&GAMES, rows)
}

fn game(ids: [&str; 2], played: &Games, record: &Record) -> Vec<String> {
    let kept = &record.kept;
    let sum = |side: Side, of: fn(&cupola_lab::Tally) -> u32| -> u32 {
        kept.snapshots
            .iter()
            .map(|snapshot| of(&snapshot.tally[side as usize]))
            .sum()
    };
    let both = |of: fn(&cupola_lab::Tally) -> u32| sum(Side::First, of) + sum(Side::Second, of);
    let last = kept.snapshots.last();
    let winner = match &kept.verdict {
        None => "",
        Some(verdict) => verdict
            .winner
            .map_or("draw", |side| ids[usize::from(side == played.sides[1])]),
    };
    let flip = if played.sides[0] == Side::First {
        1
    } else {
        -1
    };
    let [a, b] = played.sides;
    vec![
        played.name.to_owned(),
        record.number.to_string(),
        record.seed.to_string(),
        winner.to_owned(),
        kept.verdict
            .as_ref()
            .map_or_else(String::new, |verdict| verdict.how.clone()),
        (kept.margin * flip).to_string(),
        both(|tally| tally.decisions).to_string(),
        both(|tally| tally.forced).to_string(),
        sum(a, |tally| tally.attacks).to_string(),
        sum(b, |tally| tally.attacks).to_string(),
        played.lost(last, a, false).to_string(),
        played.lost(last, b, false).to_string(),
        played.lost(last, a, true).to_string(),
        played.lost(last, b, true).to_string(),
        sum(a, |tally| tally.ordered).to_string(),
        sum(b, |tally| tally.ordered).to_string(),
        sum(a, |tally| tally.idle).to_string(),
        sum(b, |tally| tally.idle).to_string(),
        minute(kept.first_contact.map(|turn| turn.from)),
        minute(kept.first_contact.map(|turn| turn.to)),
        minute(kept.first_attack.map(|turn| turn.from)),
        minute(kept.first_attack.map(|turn| turn.to)),
        minute(kept.first_close.map(|turn| turn.from)),
        minute(kept.first_close.map(|turn| turn.to)),
        record.fault.clone().unwrap_or_default(),
    ]
}

/// The columns of `game-hours.csv`.
pub const GAME_HOURS: [&str; 8] = [
    "contest",
    "game",
    "minute",
    "hour",
    "side",
    "corps",
    "men_lost",
    "guns_lost",
];

/// `game-hours.csv`: a row for every game, full hour that it covers, and corps: men and guns that the corps had lost by then.
#[must_use]
pub fn game_hours(comparison: &Comparison, played: &[Games]) -> String {
    let mut rows = vec![];
    for played in played {
        let corps: BTreeSet<(Side, &str)> = played
            .units
            .iter()
            .zip(&played.corps)
            .filter(|(unit, corps)| unit.1 > 0 && !corps.is_empty())
            .map(|(unit, corps)| (unit.0, corps.as_str()))
            .collect();
        let good = played
            .records
            .iter()
            .filter(|record| record.fault.is_none());
        for record in good {
            for (minute, hour) in &comparison.hours {
                let Some(snapshot) = covering(record, *minute) else {
                    continue;
                };
                for &(side, corps) in &corps {
                    let lost = [false, true].map(|guns| {
                        let units = snapshot.units.iter().zip(&played.units).zip(&played.corps);
                        let own = units.filter(|((_, unit), of)| unit.0 == side && *of == corps);
                        thousandths(own.map(|((at, unit), _)| (at, *unit)), guns)
                    });
                    let side = &comparison.sides[usize::from(side == played.sides[1])].0;
                    let (game, minute) = (record.number.to_string(), minute.to_string());
                    let lost = lost.map(|lost| lost.to_string());
                    let cells: [&str; 8] = [
                        played.name,
                        &game,
                        &minute,
                        hour,
                        side,
                        corps,
                        &lost[0],
                        &lost[1],
                    ];
                    rows.push(cells.map(str::to_owned).into());
                }
            }
        }
    }
    table(&GAME_HOURS, rows)
}

/// How things stood at a minute, if the game covers it.
fn covering(record: &Record, minute: i32) -> Option<&Snapshot> {
    let snapshots = &record.kept.snapshots;
    let (first, last) = (snapshots.first()?, snapshots.last()?);
    if minute < first.minute || minute > last.minute {
        return None;
    }
    let next = snapshots.partition_point(|snapshot| snapshot.minute <= minute);
    snapshots.get(next.checked_sub(1)?)
}

/// Men or guns lost, from thousandths of each unit, rounded.
fn thousandths<'u>(units: impl Iterator<Item = (&'u At, (Side, u32, u32))>, guns: bool) -> u64 {
    let lost = units.map(|(at, unit)| {
        let all = if guns { unit.2 } else { unit.1 };
        u64::from(all) * u64::from(at.lost)
    });
    (lost.sum::<u64>() + 500) / 1000
}

/// The columns of `hours.csv`.
pub const HOURS: [&str; 9] = [
    "contest", "minute", "hour", "side", "corps", "metric", "mean", "low", "high",
];

/// `hours.csv`: what every hour came to, in long form. The metrics are `men_lost` and `guns_lost` (by side, and by corps) and
/// `front_moved` (metres by which the side pushed the front since the hour before).
#[must_use]
pub fn hours(comparison: &Comparison) -> String {
    let mut rows = vec![];
    for found in &comparison.contests {
        let mut add = |side: &str, corps: &str, metric: &str, spreads: &[Spread]| {
            for ((minute, hour), spread) in comparison.hours.iter().zip(spreads) {
                let cells = [&found.name, &minute.to_string(), hour, side, corps, metric];
                let mut row: Vec<String> = cells.map(str::to_owned).into();
                row.extend([spread.mean, spread.low, spread.high].map(fixed));
                rows.push(row);
            }
        };
        for (i, (side, _)) in comparison.sides.iter().enumerate() {
            add(side, "", "men_lost", &found.men_lost[i]);
            add(side, "", "guns_lost", &found.guns_lost[i]);
            add(side, "", "front_moved", &found.front_moved[i]);
        }
        for corps in &found.corps {
            let side = comparison.sides.get(corps.side).map_or("", |side| &side.0);
            add(side, &corps.id, "men_lost", &corps.lost);
            add(side, &corps.id, "guns_lost", &corps.guns_lost);
        }
    }
    table(&HOURS, rows)
}

/// The columns of `places.csv`.
pub const PLACES: [&str; 7] = [
    "contest", "place", "name", "minute", "hour", "side", "share",
];

/// `places.csv`: for every place, hour and side the share of games in which the side held it; the contest `recorded` is history.
#[must_use]
pub fn places(comparison: &Comparison) -> String {
    let mut rows = vec![];
    let mut add = |contest: &str, id: &str, name: &str, hour: usize, held: [f64; 2]| {
        let Some((minute, clock)) = comparison.hours.get(hour) else {
            return;
        };
        for (side, share) in comparison.sides.iter().zip(held) {
            let cells = [
                contest,
                id,
                name,
                &minute.to_string(),
                clock,
                &side.0,
                &fixed(share),
            ];
            rows.push(cells.map(str::to_owned).into());
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
    table(&PLACES, rows)
}

/// The columns of `positions.csv`.
pub const POSITIONS: [&str; 4] = ["contest", "minute", "hour", "metres"];

/// `positions.csv`: how far brigades stand from where they are recorded, by hour; hours of which nothing is known are left out.
#[must_use]
pub fn positions(comparison: &Comparison) -> String {
    let rows = comparison.contests.iter().flat_map(|found| {
        let hours = comparison.hours.iter().zip(&found.distance.positions);
        hours.filter_map(|((minute, hour), metres)| {
            let metres = format!("{:.0}", (*metres)?);
            Some(vec![
                found.name.clone(),
                minute.to_string(),
                hour.clone(),
                metres,
            ])
        })
    });
    table(&POSITIONS, rows)
}
