//! Every game as a stroke: how the men lost are spread, not only their mean.

use super::intervals::{LEFT, WIDTH, name, titled};
use crate::svg::{Scale, Shape, Svg, lower_axis, round_up};
use crate::view::{View, class};
use crate::words::count;
use cupola_lab::model::Findings;

const ROW: f64 = 30.0;
const RIGHT: f64 = 30.0;

/// Men lost in every game, a row for each ruleset, a plot for each side; nothing where single games are not known.
pub fn strips(view: View) -> String {
    if view.contests().iter().all(|found| found.by_game.is_empty()) {
        return String::new();
    }
    let plots = [0, 1].map(|side| {
        let title = format!("Men lost in every game, {}", view.name(side));
        titled(&title, &strip(view, side))
    });
    format!("<div class=\"plots\">{}</div>", plots.concat())
}

fn strip(view: View, side: usize) -> String {
    let contests = view.contests();
    let height = contests.len() as f64 * ROW + 44.0;
    let bottom = height - 32.0;
    let label = format!("A stroke for every game: men lost, {}", view.name(side));
    let mut svg = Svg::new(WIDTH, height, &label);
    let recorded = |found: &Findings| view.recorded_of(found, side);
    let most = contests.iter().flat_map(|found| lost(found, side));
    let most = most.chain(contests.iter().filter_map(recorded));
    let most = most.fold(100.0, f64::max);
    let x = Scale::new((0.0, round_up(most)), (LEFT, WIDTH - RIGHT));
    lower_axis(&mut svg, &x, 6.0, bottom, 5, count);
    for (i, found) in contests.iter().enumerate() {
        let y = 8.0 + ROW * (i as f64 + 0.5);
        name(&mut svg, y, &found.name, i);
        for (game, men) in found.by_game.iter().zip(lost(found, side)) {
            svg.open(&format!("game {}: {} men", game.game, count(men)));
            svg.line(
                &format!("stroke ink-{}", class(side)),
                (x.at(men), y - 9.0),
                (x.at(men), y + 9.0),
            );
            svg.close();
        }
        if let Some(men) = recorded(found) {
            svg.open(&format!("recorded: {} men", count(men)));
            svg.mark("hollow", Shape::Diamond, (x.at(men), y), 6.0);
            svg.close();
        }
    }
    svg.finish()
}

fn lost(found: &Findings, side: usize) -> impl Iterator<Item = f64> + '_ {
    found.by_game.iter().map(move |game| game.men_lost[side])
}
