//! A row for every game, or for every hour of every game.

use super::table::{Column, DataTable, Value};
use super::{
    Kind::{Real, Text, Whole},
    row,
};
use cupola_army::Army;
use cupola_kernel::{Side, UnitInfo};
use cupola_lab::model::{Comparison, GameFigures};
use cupola_lab::{At, Contest, Record, Snapshot, measure};
use std::collections::BTreeSet;

/// The games of a contest, with what is needed to count men.
pub struct Games<'a> {
    /// The contest's name.
    pub name: &'a str,
    /// Which side of the game each side of the scenario is.
    pub sides: [Side; 2],
    /// Who played each side of the scenario.
    pub players: [String; 2],
    /// Per unit its side, men and guns.
    pub units: Vec<(Side, u32, u32)>,
    /// Per unit its corps; empty if it is of none.
    pub corps: Vec<String>,
    /// The last hour that is compared: what is lost later is not counted.
    pub until: i32,
    /// The games.
    pub records: &'a [Record],
}

impl<'a> Games<'a> {
    /// The games of a contest; `sides` are the ids of the scenario's sides, `until` is the last hour that is compared.
    #[must_use]
    pub fn new(
        contest: &'a Contest,
        army: &Army,
        (sides, until): ([&str; 2], i32),
        records: &'a [Record],
    ) -> Games<'a> {
        let corps = |unit: &UnitInfo| measure::corps(army, unit).unwrap_or_default().to_owned();
        let env = contest.play.env();
        let sides = [0, 1].map(|i| env.side(sides[i]).unwrap_or(Side::BOTH[i]));
        Games {
            name: &contest.name,
            sides,
            players: sides.map(|side| contest.skills[side as usize].to_string()),
            units: env
                .units
                .iter()
                .map(|unit| (unit.side, unit.men, unit.guns))
                .collect(),
            corps: env.units.iter().map(corps).collect(),
            until,
            records,
        }
    }

    /// Corps that have men, by side.
    fn all_corps(&self) -> BTreeSet<(Side, &str)> {
        let units = self.units.iter().zip(&self.corps);
        let known = units.filter(|(unit, corps)| unit.1 > 0 && !corps.is_empty());
        known
            .map(|(unit, corps)| (unit.0, corps.as_str()))
            .collect()
    }

    /// Men, or guns, that a side had lost.
    fn lost(&self, snapshot: Option<&Snapshot>, side: Side, guns: bool) -> u64 {
        let units = snapshot.map_or(&[][..], |snapshot| &snapshot.units);
        let own = units.iter().zip(&self.units);
        let own = own.filter(|(_, unit)| unit.0 == side);
        thousandths(own.map(|(at, unit)| (at, *unit)), guns)
    }
}

/// The columns of `games.csv`.
pub const GAMES: [Column; 27] = [
    ("contest", Text),
    ("game", Whole),
    ("seed", Text),
    ("player_1", Text),
    ("player_2", Text),
    ("winner", Text),
    ("how", Text),
    ("margin", Whole),
    ("decisions", Whole),
    ("forced", Whole),
    ("attacks_1", Whole),
    ("attacks_2", Whole),
    ("men_lost_1", Whole),
    ("men_lost_2", Whole),
    ("guns_lost_1", Whole),
    ("guns_lost_2", Whole),
    ("orders_1", Whole),
    ("orders_2", Whole),
    ("idle_1", Whole),
    ("idle_2", Whole),
    ("first_contact_from", Whole),
    ("first_contact_to", Whole),
    ("first_attack_from", Whole),
    ("first_attack_to", Whole),
    ("first_close_from", Whole),
    ("first_close_to", Whole),
    ("fault", Text),
];

/// `games`: a row for every game, bad ones too. Columns ending in 1 and 2 are of the scenario's first and second side; the
/// winner is a side's id, `draw`, or empty; the margin is that of the first side in thousandths of a clear win; times are minutes of
/// the calendar, those of first contact and attack the beginning and the end of the turn.
#[must_use]
pub fn games(sides: [&str; 2], played: &[Games]) -> DataTable {
    let rows = played.iter().flat_map(|played| {
        let records = played.records.iter();
        records.map(move |record| game(sides, played, record))
    });
    DataTable::new(&GAMES, rows)
}

fn game(ids: [&str; 2], played: &Games, record: &Record) -> Vec<Value> {
    let kept = &record.kept;
    let sum = |side: Side, of: fn(&cupola_lab::Tally) -> u32| -> u32 {
        let snapshots = kept.snapshots.iter();
        snapshots
            .map(|snapshot| of(&snapshot.tally[side as usize]))
            .sum()
    };
    let both = |of: fn(&cupola_lab::Tally) -> u32| sum(Side::First, of) + sum(Side::Second, of);
    let next = kept
        .snapshots
        .partition_point(|at| at.minute <= played.until);
    let last = kept.snapshots.get(next.saturating_sub(1));
    let verdict = kept.verdict.as_ref();
    let winner = verdict.map(|verdict| {
        let winner = verdict.winner;
        winner.map_or("draw", |side| ids[usize::from(side == played.sides[1])])
    });
    let flip = if played.sides[0] == Side::First {
        1
    } else {
        -1
    };
    let [a, b] = played.sides;
    row![
        played.name,
        record.number,
        record.seed.to_string(),
        played.players[0].as_str(),
        played.players[1].as_str(),
        winner,
        verdict.map(|verdict| verdict.how.as_str()),
        kept.margin * flip,
        both(|tally| tally.decisions),
        both(|tally| tally.forced),
        sum(a, |tally| tally.attacks),
        sum(b, |tally| tally.attacks),
        played.lost(last, a, false),
        played.lost(last, b, false),
        played.lost(last, a, true),
        played.lost(last, b, true),
        sum(a, |tally| tally.ordered),
        sum(b, |tally| tally.ordered),
        sum(a, |tally| tally.idle),
        sum(b, |tally| tally.idle),
        kept.first_contact.map(|turn| turn.from),
        kept.first_contact.map(|turn| turn.to),
        kept.first_attack.map(|turn| turn.from),
        kept.first_attack.map(|turn| turn.to),
        kept.first_close.map(|turn| turn.from),
        kept.first_close.map(|turn| turn.to),
        record.fault.as_deref(),
    ]
}

/// `game-figures`: every game by what a record does not count itself: the length in minutes, how long fights lasted, counters, the
/// ground, and how far it was from the record.
#[must_use]
pub fn game_figures(comparison: &Comparison) -> DataTable {
    let head = [
        ("contest", Text),
        ("game", Whole),
        ("minutes", Whole),
        ("contact_minutes", Real),
        ("late", Real),
        ("captured_1", Real),
        ("captured_2", Real),
        ("worn_1", Whole),
        ("routed_1", Whole),
        ("removed_1", Whole),
        ("worn_2", Whole),
        ("routed_2", Whole),
        ("removed_2", Whole),
        ("metres_off", Real),
        ("places", Real),
        ("places_nobody", Real),
        ("losses_off", Real),
        ("pushed_1", Real),
        ("pushed_2", Real),
    ];
    DataTable::new(
        &head,
        each_game(comparison).map(|(contest, game)| {
            let [[a, b, c], [d, e, f]] = game.counted;
            row![
                contest,
                game.game,
                game.minutes,
                game.contact,
                game.late,
                game.captured[0],
                game.captured[1],
                a,
                b,
                c,
                d,
                e,
                f,
                game.astray,
                game.places,
                game.places_nobody,
                game.losses,
                game.pushed[0],
                game.pushed[1],
            ]
        }),
    )
}

fn each_game(comparison: &Comparison) -> impl Iterator<Item = (&str, &GameFigures)> {
    comparison.contests.iter().flat_map(|found| {
        let games = found.by_game.iter();
        games.map(|game| (found.name.as_str(), game))
    })
}

/// `game-ground`: for every game and hour how far each side pushed the front since the hour before, and metres between units and
/// their recorded places.
#[must_use]
pub fn game_ground(comparison: &Comparison) -> DataTable {
    let head = [
        ("contest", Text),
        ("game", Whole),
        ("minute", Whole),
        ("hour", Text),
        ("pushed_1", Real),
        ("pushed_2", Real),
        ("held_2", Real),
        ("metres_off", Real),
    ];
    let rows = each_game(comparison).flat_map(|(contest, game)| {
        let held = game.held.iter().copied().chain(std::iter::repeat(None));
        let hours = comparison.hours.iter().zip(game.hours.iter().zip(held));
        hours.map(move |((minute, hour), ((pushed, off), held))| {
            row![
                contest,
                game.game,
                *minute,
                hour.as_str(),
                pushed[0],
                pushed[1],
                held,
                *off
            ]
        })
    });
    DataTable::new(&head, rows)
}

/// Who held a place: contest, game, place, minute, side.
pub type Held = (String, u32, String, i32, usize);

/// `game-places`: who held each place at each hour of each game.
#[must_use]
pub fn game_places(sides: [&str; 2], held: &[Held]) -> DataTable {
    let head = [
        ("contest", Text),
        ("game", Whole),
        ("place", Text),
        ("minute", Whole),
        ("side", Text),
    ];
    let rows = held.iter().map(|(contest, game, place, hour, side)| {
        row![
            contest.as_str(),
            *game,
            place.as_str(),
            *hour,
            sides[(*side).min(1)]
        ]
    });
    DataTable::new(&head, rows)
}

/// `game-hours`: a row for every game, full hour until it has ended, and corps: men and guns that the corps had lost by then.
#[must_use]
pub fn game_hours(comparison: &Comparison, played: &[Games]) -> DataTable {
    let head = [
        ("contest", Text),
        ("game", Whole),
        ("minute", Whole),
        ("hour", Text),
        ("side", Text),
        ("corps", Text),
        ("men_lost", Whole),
        ("guns_lost", Whole),
    ];
    let mut rows = vec![];
    for played in played {
        let corps = played.all_corps();
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
                    let [men, guns] = [false, true].map(|guns| {
                        let units = snapshot.units.iter().zip(&played.units).zip(&played.corps);
                        let own = units.filter(|((_, unit), of)| unit.0 == side && *of == corps);
                        thousandths(own.map(|((at, unit), _)| (at, *unit)), guns)
                    });
                    let side = &*comparison.sides[usize::from(side == played.sides[1])].0;
                    rows.push(row![
                        played.name,
                        record.number,
                        *minute,
                        hour.as_str(),
                        side,
                        corps,
                        men,
                        guns
                    ]);
                }
            }
        }
    }
    DataTable::new(&head, rows)
}

/// How things stood at a minute, if the game covers it; at the full hour after its end as it ended.
fn covering(record: &Record, minute: i32) -> Option<&Snapshot> {
    let snapshots = &record.kept.snapshots;
    let (first, last) = (snapshots.first()?, snapshots.last()?);
    if minute < first.minute || minute >= last.minute + 60 {
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
