//! What the figures of the grid go with: the rules, the plans, the players, the scale of losses, the dice.

use super::intervals::titled;
use super::measures::{title, value};
use crate::svg::{Scale, Svg, round_up};
use crate::view::View;
use crate::words::{list, percent};
use cupola_lab::grid::{Grid, Measure, Shares};

/// How much of what differs goes with the rules, and with what else; nothing to be seen if no two rulesets can be compared.
pub fn shares(view: View, grid: &Grid) -> String {
    // With one pair of plans and one player all that is not dice would be called the rules'.
    let alone = [grid.plans.len(), grid.bots.len()].map(|many| many < 2);
    if grid.complete().len() < 2 || alone == [true, true] {
        return String::new();
    }
    let names = Measure::ALL.map(|measure| title(view, measure));
    let (left, right) = (270.0, 20.0);
    let width = 820.0;
    let height = ROW * grid.shares.len() as f64 + 40.0;
    let mut svg = Svg::new(width, height, "What the differences between cells go with");
    let x = Scale::new((0.0, 1.0), (left, width - right));
    let mut at = left;
    for (name, class) in PARTS {
        svg.rect(class, (at, 4.0), 16.0, 14.0);
        svg.text("tick", (at + 22.0, 16.0), "start", name);
        at += 40.0 + 7.5 * name.len() as f64;
    }
    for (i, parts) in grid.shares.iter().enumerate() {
        let y = 30.0 + ROW * i as f64;
        let name = names.get(i).map_or("", String::as_str);
        svg.text("name", (left - 10.0, y + 16.0), "end", name);
        bar(&mut svg, &x, y, parts);
    }
    let whole = grid.complete();
    let of = if whole.len() == grid.contests.len() {
        String::new()
    } else {
        let names: Vec<String> = whole.into_iter().cloned().collect();
        format!(
            " ({}: the others were not played by every player)",
            list(&names)
        )
    };
    let one = match alone {
        [true, _] => "; one pair of plans was tried, and may have a part in all of it",
        [_, true] => "; one player was tried, and may have a part in all of it",
        _ => "",
    };
    titled(
        &format!(
            "What the differences between cells go with, as shares of their variance{of}{one}"
        ),
        &svg.finish(),
    )
}

/// What the differences can go with, and how it is drawn.
const PARTS: [(&str, &str); 6] = [
    ("rules", "part-0"),
    ("plans", "part-1"),
    ("players", "part-2"),
    ("scale of losses", "part-3"),
    ("two together", "part-4"),
    ("dice", "part-5"),
];

/// How a choice is drawn.
fn part(choice: &str) -> &'static str {
    let known = PARTS.iter().find(|(name, _)| *name == choice);
    known.map_or("part-4", |(_, class)| class)
}

/// The height of a bar with the space below it.
const ROW: f64 = 30.0;

/// The shares of one measure, side by side.
fn bar(svg: &mut Svg, x: &Scale, y: f64, parts: &Shares) {
    let Shares {
        rulesets,
        plans,
        bots,
        scale,
        rest,
        dice,
    } = *parts;
    let shares = [rulesets, plans, bots, scale, rest, dice];
    let mut from = 0.0;
    for (share, (name, class)) in shares.into_iter().zip(PARTS) {
        svg.open(&format!("{name}: {}", percent(share)));
        let wide = x.at(from + share) - x.at(from);
        svg.rect(class, (x.at(from), y + 2.0), wide, ROW - 8.0);
        let named = format!("{name} {}", percent(share));
        let says = if wide > 12.0 + 7.2 * named.chars().count() as f64 {
            named
        } else {
            percent(share)
        };
        if wide > 40.0 {
            let middle = (x.at(from) + wide / 2.0, y + 18.0);
            svg.text("inside", middle, "middle", &says);
        }
        svg.close();
        from += share;
    }
}

/// How far the men lost move with plans, players and the scale of losses: a panel for each ruleset.
pub fn tornadoes(view: View, grid: &Grid) -> String {
    let panels = grid.contests.iter().flat_map(|contest| {
        [Measure::MenFirst, Measure::MenSecond].map(|measure| {
            let name = format!("{contest}: {}", title(view, measure));
            titled(&name, &tornado(grid, contest, measure))
        })
    });
    let panels: String = panels.collect();
    format!("<h3>What moves the losses</h3><div class=\"multiples\">{panels}</div>")
}

fn tornado(grid: &Grid, contest: &str, measure: Measure) -> String {
    let swings = grid.tornado(contest, measure);
    let (width, left, row) = (350.0, 100.0, 40.0);
    let height = row * swings.len() as f64 + 30.0;
    let mut svg = Svg::new(width, height, "How far the men lost move with each choice");
    let all = grid
        .contests
        .iter()
        .flat_map(|contest| grid.tornado(contest, measure));
    let most = all.map(|swing| swing.high.1).fold(1.0, f64::max);
    let x = Scale::new((0.0, round_up(most)), (left, width - 28.0));
    for at in [0.0, 0.5, 1.0] {
        let at = at * round_up(most);
        svg.line("grid", (x.at(at), 2.0), (x.at(at), height - 22.0));
        svg.text(
            "tick",
            (x.at(at), height - 6.0),
            "middle",
            &value(measure, at),
        );
    }
    for (i, swing) in swings.iter().enumerate() {
        let y = 4.0 + row * i as f64;
        svg.text("tick", (left - 8.0, y + 18.0), "end", swing.choice);
        let (low, high) = (x.at(swing.low.1), x.at(swing.high.1));
        svg.open(&format!(
            "{}: from {} ({}) to {} ({})",
            swing.choice,
            value(measure, swing.low.1),
            swing.low.0,
            value(measure, swing.high.1),
            swing.high.0
        ));
        let class = part(swing.choice);
        svg.rect(class, (low, y + 6.0), (high - low).max(2.0), 16.0);
        svg.close();
        let ends = if swing.low.0 == swing.high.0 {
            swing.low.0.clone()
        } else {
            format!("{} … {}", swing.low.0, swing.high.0)
        };
        let middle = ((low + high) / 2.0).clamp(left + 60.0, width - 70.0);
        svg.text("tick", (middle, y + 35.0), "middle", &ends);
    }
    svg.finish()
}
