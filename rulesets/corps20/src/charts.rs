//! The tables that lie beside the map, made from what the game reads.

use crate::rules::Rules;
use cupola_kernel::{Chart, Env, Side};

/// All charts of a game.
pub fn charts(env: &Env, rules: &Rules) -> Vec<Chart> {
    vec![combat(rules), cards(env, rules), rain(env, rules)]
}

/// §7.4 Differentials across, dice down.
fn combat(rules: &Rules) -> Chart {
    let columns = &rules.crt.0;
    let heads = columns.iter().map(|column| format!("{:+}", column.at));
    let chart = Chart::new(
        "Combat results",
        "7.10",
        std::iter::once("die".to_owned()).chain(heads),
    );
    let chart = (0..6).fold(chart, |chart, die| {
        let cells = columns
            .iter()
            .map(|column| column.rolls[die].code().to_owned());
        chart.row(std::iter::once((die + 1).to_string()).chain(cells))
    });
    chart.note(
        "Attackers minus defenders and terrain; beyond the last column the last one is read. The results are \
         explained by their letters.",
    )
}

/// §4 Both sides of every card.
fn cards(env: &Env, rules: &Rules) -> Chart {
    let sides = Side::BOTH.map(|side| env.sides[side].name.clone());
    let head = std::iter::once("card".to_owned()).chain(sides);
    let chart = Chart::new("Event cards", "4", head);
    rules.deck.iter().fold(chart, |chart, card| {
        let names = Side::BOTH.map(|side| card.sides[side].0.clone());
        chart.row(std::iter::once(card.number.to_string()).chain(names))
    })
}

/// §3.2 When rain may end the battle.
fn rain(env: &Env, rules: &Rules) -> Chart {
    let chart = Chart::new("Rain", "3.2", ["round", "ends the game on"]);
    rules.rain.iter().fold(chart, |chart, &(turn, up_to)| {
        let label = env.track.turns[usize::from(turn)].label.clone();
        chart.row([label, format!("1 to {up_to}")])
    })
}
