//! The grid: its games, its cells, and what could be said by them.

use super::{
    Column, DataTable,
    Kind::{Real, Text, Whole},
    Value, row,
};
use cupola_lab::grid::Measure;
use cupola_lab::model::Comparison;

/// `grid`: a row for every cell and measure of the grid. Below and above are how far a mean
/// may be off because games know no time within their turns; begins is when the games begin, in minutes of the scenario, and lasts
/// how long they are.
#[must_use]
pub fn grid(comparison: &Comparison) -> DataTable {
    let head = [
        ("contest", Text),
        ("plans", Text),
        ("bot", Text),
        ("measure", Text),
        ("mean", Real),
        ("low", Real),
        ("high", Real),
        ("error", Real),
        ("below", Real),
        ("above", Real),
        ("begins", Real),
        ("lasts", Real),
        ("games", Whole),
    ];
    let cells = comparison.grid.iter().flat_map(|grid| &grid.cells);
    let rows = cells.flat_map(|cell| {
        Measure::ALL.into_iter().map(move |measure| {
            let (value, blur) = (cell.value(measure), cell.blur(measure));
            row![
                cell.contest.as_str(),
                cell.plans.as_str(),
                cell.bot.as_str(),
                measure.name(),
                value.mean,
                value.low,
                value.high,
                value.error,
                blur.below,
                blur.above,
                cell.begins,
                cell.lasts,
                value.games,
            ]
        })
    });
    DataTable::new(&head, rows)
}

/// `grid-games`: a row for every game of the grid, a column for every measure; empty where a game has none.
#[must_use]
pub fn grid_games(comparison: &Comparison) -> DataTable {
    let names = [
        ("contest", Text),
        ("plans", Text),
        ("bot", Text),
        ("game", Whole),
    ];
    let measures = Measure::ALL.map(|measure| (measure.name(), Real));
    let head: Vec<Column> = names.into_iter().chain(measures).collect();
    let cells = comparison.grid.iter().flat_map(|grid| &grid.cells);
    let rows = cells.flat_map(|cell| {
        cell.games.iter().map(move |(game, values)| {
            let mut row = row![
                cell.contest.as_str(),
                cell.plans.as_str(),
                cell.bot.as_str(),
                *game
            ];
            row.extend(values.iter().map(|value| Value::from(*value)));
            row
        })
    });
    DataTable::new(&head, rows)
}

/// `claims`: what could be said of the rules, and what became of it.
#[must_use]
pub fn claims(comparison: &Comparison) -> DataTable {
    let head = [
        ("measure", Text),
        ("more", Text),
        ("less", Text),
        ("above", Text),
        ("standing", Text),
        ("agree", Whole),
        ("against", Whole),
        ("of", Whole),
        ("not_with", Text),
    ];
    let claims = comparison.grid.iter().flat_map(|grid| &grid.claims);
    let rows = claims.map(|claim| {
        row![
            claim.measure.name(),
            claim.more.as_str(),
            claim.less.as_deref(),
            claim.above.to_string(),
            claim.standing.name(),
            claim.agree,
            claim.against,
            claim.of,
            claim.where_not.first().map(String::as_str),
        ]
    });
    DataTable::new(&head, rows)
}
