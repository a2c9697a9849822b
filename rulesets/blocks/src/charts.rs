//! The tables that lie beside the map, made from what the game reads.

use crate::rules::{Rules, terrain};
use cupola_kernel::{Chart, Env};

/// All charts of a game.
pub fn charts(env: &Env, rules: &Rules) -> Vec<Chart> {
    vec![terrain_effects(rules), victory(env, rules)]
}

/// What each hexside adds, over the two points that any hexside costs.
fn terrain_effects(rules: &Rules) -> Chart {
    let head = [
        "hexside",
        "movement points",
        "fire at one hex",
        "attacker in round one",
    ];
    let chart = Chart::new("Terrain", "6.4", head);
    let rows = terrain::NAMES.iter().zip(&rules.effects);
    rows.fold(chart, |chart, (name, effect)| {
        chart.row([
            (*name).to_owned(),
            format!("+{}", effect.moves),
            format!("{:+}", effect.fire),
            format!("{:+}", effect.melee),
        ])
    })
    .note("What stands on one hexside adds up; a road takes the place of all of it for movement.")
}

/// §9.11 What the Confederates are paid for.
fn victory(env: &Env, rules: &Rules) -> Chart {
    let chart = Chart::new("Victory hexes", "9.11", ["place", "hex", "points"]);
    rules
        .victory
        .iter()
        .fold(chart, |chart, (name, hex, points)| {
            let label = env.board.label(*hex).to_owned();
            chart.row([name.clone(), label, points.to_string()])
        })
}
