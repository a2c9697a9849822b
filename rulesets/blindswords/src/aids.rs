//! The player aids that lie beside the map, made from the tables that the game reads.

use crate::rules::Rules;
use crate::tables::RATINGS;
use cupola_kernel::Chart;

/// The tests of the combat table, mildest first.
const TESTS: [&str; 6] = ["NE", "E", "R", "T", "S", "C"];

/// All charts of a game.
pub fn charts(rules: &Rules) -> Vec<Chart> {
    vec![
        combat(rules),
        cohesion(rules),
        matrix(rules),
        command(rules),
    ]
}

/// §I-4 The two dice down, columns across.
fn combat(rules: &Rules) -> Chart {
    let columns = rules.charts.crt.cells.len() as i16;
    let heads = (0..columns).map(|column| rules.charts.crt.heading(column));
    let head = std::iter::once("dice".to_owned()).chain(heads);
    let mut chart = Chart::new("Combat results", "I-4", head);
    for black in 1..=6 {
        for white in 1..=6 {
            let cells = (0..columns).map(|column| {
                let test = rules.charts.crt.read(column, black, white);
                test.code().to_owned()
            });
            chart = chart.row(std::iter::once(format!("{black}{white}")).chain(cells));
        }
    }
    let doubles =
        (1..=6).map(|face| format!("{face}{face} {:+}", rules.charts.crt.modifier(face, face)));
    let doubles: Vec<String> = doubles.collect();
    chart.note(format!(
        "Black die, then white. Doubles change the test that follows: {}.",
        doubles.join(", ")
    ))
}

/// §I-6 The score of a test down, the kind of test across.
fn cohesion(rules: &Rules) -> Chart {
    let head = std::iter::once("score").chain(TESTS);
    let chart = Chart::new("Cohesion tests", "I-6", head);
    let rows = rules.charts.cohesion.iter().enumerate();
    rows.fold(chart, |chart, (nth, row)| {
        let score = match nth {
            0 => "1 and less".to_owned(),
            11 => "12 and more".to_owned(),
            _ => (nth + 1).to_string(),
        };
        chart.row(std::iter::once(score).chain(row.iter().map(ToString::to_string)))
    })
}

/// §K-8 The defender's result down, the attacker's across.
fn matrix(rules: &Rules) -> Chart {
    let head = std::iter::once("defender").chain(TESTS);
    let chart = Chart::new("Assault results", "K-8", head);
    let rows = rules.charts.matrix.iter().zip(TESTS);
    rows.fold(chart, |chart, (row, test)| {
        chart.row(std::iter::once(test.to_owned()).chain(row.iter().map(ToString::to_string)))
    })
    .note("The attacker's result across.")
}

/// §F-4 Ratings down, dice across.
fn command(rules: &Rules) -> Chart {
    let heads = (1..=6).map(|die| die.to_string());
    let head = std::iter::once("rating".to_owned()).chain(heads);
    let chart = Chart::new("Command", "F-4", head);
    let rows = rules.charts.command.iter().zip(RATINGS);
    rows.fold(chart, |chart, (row, rating)| {
        let cells = row.iter().map(|level| level.name().to_owned());
        chart.row(std::iter::once(rating.to_owned()).chain(cells))
    })
}
