//! All cells of the grid beside each other: a panel for each measure.

use super::intervals::titled;
use super::measures::{title, value};
use crate::svg::{Scale, Shape, Svg, hue, round_up};
use crate::view::View;
use crate::words::escape;
use cupola_lab::grid::{Grid, Measure};
use cupola_lab::stats::{Blur, Estimate};

/// One panel for each measure: a row for each ruleset and pair of plans, a mark for each player.
pub fn multiples(view: View, grid: &Grid) -> String {
    let panels = Measure::ALL.map(|measure| titled(&title(view, measure), &panel(grid, measure)));
    format!(
        "<div class=\"multiples\">{}</div>{}",
        panels.concat(),
        bots_key(grid)
    )
}

fn bots_key(grid: &Grid) -> String {
    let mut out = String::from("<p class=\"keys\">");
    for (i, bot) in grid.bots.iter().enumerate() {
        let mut svg = Svg::new(16.0, 16.0, "");
        svg.mark("fill-h", shape(i), (8.0, 8.0), 6.0);
        out += &format!(
            "<span class=\"key\">{}{}</span>",
            svg.small("rs"),
            escape(bot)
        );
    }
    out + "</p>"
}

fn shape(bot: usize) -> Shape {
    Shape::ruleset(bot)
}

/// How far a measure goes in all cells, with what whole turns leave open.
fn reach(grid: &Grid, measure: Measure) -> f64 {
    let known = || {
        let cells = grid.cells.iter();
        cells.filter(|cell| cell.value(measure).games > 0)
    };
    let far = known().map(|cell| cell.value(measure).blurred(cell.blur(measure)).high);
    let far = far.fold(0.0, f64::max);
    // Of a handful of games an interval may reach far beyond all means: it is cut off there.
    let means = known().map(|cell| cell.value(measure).mean);
    far.min(2.0 * means.fold(0.0, f64::max))
}

fn panel(grid: &Grid, measure: Measure) -> String {
    let (width, left, row) = (350.0, 84.0, 19.0);
    // A line for the name of each ruleset, then one for each of its plans.
    let rows = grid.contests.len() * (grid.plans.len() + 1);
    let height = row * rows as f64 + 8.0 * grid.contests.len() as f64 + 34.0;
    let mut svg = Svg::new(width, height, "The same figure in every cell");
    let ticks = ticks(measure, reach(grid, measure));
    let x = Scale::new((ticks[0].0, ticks[2].0), (left, width - 28.0));
    let bottom = height - 24.0;
    for (at, text) in ticks {
        svg.line("grid", (x.at(at), 4.0), (x.at(at), bottom));
        svg.text("tick", (x.at(at), height - 6.0), "middle", &text);
    }
    if matches!(measure, Measure::Wins | Measure::LossShare) {
        svg.line("even", (x.at(0.5), 4.0), (x.at(0.5), bottom));
    }
    let mut y = 6.0;
    for (c, contest) in grid.contests.iter().enumerate() {
        let colour = format!("fill-r{}", hue(c));
        svg.mark(&colour, Shape::ruleset(c), (9.0, y + 9.0), 5.0);
        svg.text("tick strong", (18.0, y + 13.0), "start", contest);
        y += row;
        for plans in &grid.plans {
            let name = crate::words::fit(&plans.name, 10);
            svg.text("tick", (left - 6.0, y + 13.0), "end", &name);
            for (b, bot) in grid.bots.iter().enumerate() {
                let Some(cell) = grid.cell(contest, &plans.name, bot) else {
                    continue;
                };
                let at = y + 4.0 + 11.0 * (b as f64 + 0.5) / grid.bots.len().max(1) as f64;
                let blur = cell.blur(measure);
                if blur != Blur::default() {
                    let mean = cell.value(measure).mean;
                    let ends = [mean - blur.below, mean + blur.above].map(|end| (x.at(end), at));
                    svg.line("blur", ends[0], ends[1]);
                }
                dot(&mut svg, &x, at, cell.value(measure), (c, b), measure);
            }
            y += row;
        }
        y += 8.0;
    }
    svg.finish()
}

/// The lower end of an axis, its middle and its upper end, in steps that people count in.
fn ticks(measure: Measure, reach: f64) -> [(f64, String); 3] {
    let top = match (measure.most(), measure) {
        (Some(most), _) => most,
        // Minutes: whole hours in the middle, too.
        (None, Measure::FirstAttack | Measure::Contact) => (reach / 120.0).ceil().max(1.0) * 120.0,
        _ => round_up(reach.max(1.0)),
    };
    [0.0, top / 2.0, top].map(|at| (at, value(measure, at)))
}

fn dot(
    svg: &mut Svg,
    x: &Scale,
    y: f64,
    v: Estimate,
    (contest, bot): (usize, usize),
    measure: Measure,
) {
    if v.games == 0 {
        return;
    }
    let words = format!(
        "{} ({} to {}), {} games",
        value(measure, v.mean),
        value(measure, v.low),
        value(measure, v.high),
        v.games
    );
    svg.open(&words);
    let [low, high] = [v.low, v.high].map(|end| x.at(end));
    svg.line("whisker", (low, y), (high, y));
    svg.mark(
        &format!("fill-r{}", hue(contest)),
        shape(bot),
        (x.at(v.mean), y),
        3.6,
    );
    svg.close();
}
