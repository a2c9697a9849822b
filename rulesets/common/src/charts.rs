//! The tables that lie beside the map, made from what the game reads.

use crate::rules::{Assault, Column, Fate, Fire, Rules};
use crate::sections::Section;
use crate::tables::ratio;
use cupola_kernel::{Chart, Env};

/// All charts of a game.
#[must_use]
pub fn charts(env: &Env, rules: &Rules) -> Vec<Chart> {
    let plays = |system: &str| {
        env.combats
            .iter()
            .any(|(_, combat)| combat.name() == system)
    };
    let mut all = vec![];
    if let Some(assault) = &rules.assault {
        if plays("odds") {
            all.push(table(rules, assault, &assault.odds, |&head| ratio(head)));
        }
        if plays("differential") {
            all.push(table(rules, assault, &assault.differential, |head| {
                format!("{head:+}")
            }));
        }
        all.push(results(rules, assault));
        all.push(ground(rules, assault));
    }
    if let Some(fire) = rules.fire.as_ref().filter(|_| plays("volley")) {
        all.push(volley(rules, fire));
    }
    all.push(places(env, rules));
    all
}

/// Columns across, dice down.
fn table<H>(
    rules: &Rules,
    assault: &Assault,
    columns: &[Column<H>],
    head: impl Fn(&H) -> String,
) -> Chart {
    let heads = columns.iter().map(|column| head(&column.head));
    let heads = std::iter::once("die".to_owned()).chain(heads);
    let chart = Chart::new("Assault", rules.section(Section::Odds), heads);
    let faces = columns.first().map_or(0, |column| column.rolls.len());
    let chart = (0..faces).fold(chart, |chart, die| {
        let code =
            |column: &Column<H>| assault.results[usize::from(column.rolls[die])].code.clone();
        let cells = columns.iter().map(code);
        chart.row(std::iter::once((die + 1).to_string()).chain(cells))
    });
    chart.note("Attackers to defenders; what falls between two columns counts as the left one, and beyond the table as its last.")
}

fn fate(fate: &Fate) -> String {
    let mut words = vec![];
    if fate.eliminated {
        words.push("eliminated".to_owned());
    }
    if fate.steps > 0 {
        words.push(format!("loses {}", count(fate.steps, "step")));
    }
    if fate.shaken {
        words.push("shaken".to_owned());
    }
    if fate.retreat > 0 {
        words.push(format!("goes back {}", count(fate.retreat, "hex")));
    }
    if words.is_empty() {
        "–".to_owned()
    } else {
        words.join(", ")
    }
}

fn count(number: u8, word: &str) -> String {
    let plural = if word.ends_with('x') { "es" } else { "s" };
    format!("{number} {word}{}", if number == 1 { "" } else { plural })
}

fn results(rules: &Rules, assault: &Assault) -> Chart {
    let chart = Chart::new(
        "Results",
        rules.section(Section::Results),
        ["result", "attacker", "defender"],
    );
    assault.results.iter().fold(chart, |chart, effect| {
        chart.row([
            effect.code.clone(),
            fate(&effect.attacker),
            fate(&effect.defender),
        ])
    })
}

fn ground(rules: &Rules, assault: &Assault) -> Chart {
    let chart = Chart::new(
        "Ground in an assault",
        rules.section(Section::Ground),
        ["defender", "columns"],
    );
    let covers = assault
        .ground
        .iter()
        .map(|(cover, shift)| (format!("in {cover}"), *shift));
    let sides = assault
        .hexsides
        .iter()
        .map(|(side, shift)| (format!("assaulted {}", side.name()), *shift));
    let shaken = std::iter::once(("shaken".to_owned(), assault.shaken_defender));
    let chart = covers
        .chain(sides)
        .chain(shaken)
        .fold(chart, |chart, (what, shift)| {
            chart.row([what, format!("{shift:+}")])
        });
    chart.note("A hexside counts if all attackers come across one like it.")
}

fn volley(rules: &Rules, fire: &Fire) -> Chart {
    let chart = Chart::new("Fire", rules.section(Section::Volley), ["range", "hits on"]);
    let chart = fire
        .hits_on
        .iter()
        .enumerate()
        .fold(chart, |chart, (i, on)| {
            chart.row([(i + 1).to_string(), format!("{on} or more")])
        });
    let effects = fire
        .effects
        .iter()
        .enumerate()
        .map(|(i, effect)| format!("{} hits: {}", i + 1, fate(effect)));
    let ground = fire
        .ground
        .iter()
        .map(|(cover, added)| format!("{added:+} in {cover}"));
    let dice = format!(
        "A die for every {} of strength, at most {}",
        fire.per_die, fire.most
    );
    let note: Vec<String> = std::iter::once(dice).chain(ground).chain(effects).collect();
    chart.note(format!("{}.", note.join("; ")))
}

fn places(env: &Env, rules: &Rules) -> Chart {
    let chart = Chart::new(
        "Places",
        rules.section(Section::Places),
        ["place", "hex", "points"],
    );
    rules.victory.places.iter().fold(chart, |chart, place| {
        let hex = env.board.label(place.hex).to_owned();
        chart.row([place.name.clone(), hex, place.points.to_string()])
    })
}
