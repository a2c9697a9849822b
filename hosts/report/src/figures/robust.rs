//! What holds whoever plays, by whatever plan, and however a loss is counted: and what does not.

use super::intervals::titled;
use crate::svg::{Scale, Shape, Svg, round_up};
use crate::view::{About, Section, View, swatch};
use crate::words::{brief, count, escape, list, percent, quoted, sentence, short};
use cupola_lab::grid::{Claim, Fate, Grid, Measure, Seat, Shares};
use cupola_lab::model::Topic;
use cupola_lab::stats::{Blur, Estimate};

/// The section.
pub fn section(view: View) -> Section {
    let figure = view.all.grid.as_ref().map_or_else(String::new, |grid| {
        said(view, grid)
            + &shares(view, grid)
            + &multiples(view, grid)
            + &tornadoes(view, grid)
            + &plans(view, grid)
    });
    if figure.is_empty() {
        return Section {
            id: "robust",
            title: "What holds, and what does not",
            claim: claim(view),
            ..Section::default()
        };
    }
    Section {
        id: "robust",
        title: "What holds, and what does not",
        claim: claim(view),
        figure,
        reading: "A mark is the mean of the games of one player by one pair of plans, its line the interval in which the mean lies nineteen times \
                  in twenty. Where the marks of a ruleset lie apart, it is plans and players that speak. A claim holds if every mark says the same, \
                  for men at both ends of what a loss may stand for; it is not known if some say the contrary, or if the games are too few. \
                  A dotted line is what whole turns leave open: nobody knows when in a turn something happened, nor that a fight lasted for all of it. \
                  The dice have as much of a bar as the games of a cell differ among themselves; with more games it shrinks."
            .into(),
        about: About::Games(Topic::Headline),
    }
}

/// What the section says.
pub fn claim(view: View) -> String {
    let Some(grid) = &view.all.grid else {
        return "Only one pair of plans and one player were tried: every figure of this page is about them as much as about the \
                rules. Play a grid to see what is not."
            .into();
    };
    let of = |standing: Fate| {
        grid.claims
            .iter()
            .filter(|c| c.standing == standing)
            .count()
    };
    let games: u32 = grid
        .cells
        .iter()
        .map(|cell| cell.value(Measure::Attacks).games)
        .sum();
    format!(
        "Of {} things that could be said of these rules, {} hold by every plan, player and scale of losses that was tried ({} games), {} turn \
         round with one of them, and of {} nothing is known.",
        grid.claims.len(),
        of(Fate::Holds),
        count(f64::from(games)),
        of(Fate::Flips),
        of(Fate::Unknown)
    ) + &hours(view)
}

/// That rulesets do not cover the same hours, where they do not.
fn hours(view: View) -> String {
    let mut covers = view.contests().iter().map(|found| found.covers);
    let first = covers.next();
    if covers.all(|other| Some(other) == first) {
        return String::new();
    }
    let said = view.contests().iter().map(|found| {
        let hours = view.stretch(found.covers);
        format!("{} {hours}", found.name)
    });
    let said: Vec<String> = said.collect();
    format!(
        " They do not play the same hours ({}): what is counted over a game is counted over those.",
        list(&said)
    )
}

/// What holds of one topic, as sentences for other sections; nothing where no grid was played.
pub fn holding(view: View, measures: &[Measure]) -> Vec<String> {
    let claims = view.all.grid.iter().flat_map(|grid| &grid.claims);
    let held = claims.filter(|claim| claim.standing == Fate::Holds);
    let about: Vec<&Claim> = held.filter(|c| measures.contains(&c.measure)).collect();
    // One sentence for all that one ruleset has more of something than; one for all that lie on a side of the middle.
    let mut groups: Vec<(&Claim, Vec<String>)> = vec![];
    for &claim in &about {
        let same = |(first, _): &&mut (&Claim, Vec<String>)| {
            let of = |c: &Claim| (c.measure, c.less.is_some());
            let alike = match claim.less {
                Some(_) => first.more == claim.more,
                None => first.above == claim.above,
            };
            of(first) == of(claim) && alike
        };
        let name = claim.less.as_ref().unwrap_or(&claim.more).clone();
        match groups.iter_mut().find(same) {
            Some((_, names)) => names.push(name),
            None => groups.push((claim, vec![name])),
        }
    }
    let said = groups.iter().map(|(claim, names)| {
        let (more, less) = match &claim.less {
            Some(_) => (claim.more.clone(), Some(list(names))),
            None => (list(names), None),
        };
        phrase(view, claim, &more, less.as_deref())
    });
    said.collect()
}

/// A claim in words.
fn words(view: View, claim: &Claim) -> String {
    phrase(view, claim, &claim.more, claim.less.as_deref())
}

/// What a claim says of a ruleset and those that have less.
fn phrase(view: View, claim: &Claim, more: &str, less: Option<&str>) -> String {
    let (us, cs) = (view.name(0), view.name(1));
    match (claim.measure, less) {
        (Measure::Wins, None) => {
            let side = if claim.above { us } else { cs };
            format!("in {more} the {side} side wins more often than it loses")
        }
        (Measure::Exchange, None) => {
            let side = if claim.above { us } else { cs };
            format!("in {more} the {side} side loses more men than the other")
        }
        (measure, Some(less)) => match measure {
            Measure::Wins => format!("the {us} side wins more often in {more} than in {less}"),
            Measure::MenFirst => format!("the {us} side loses more men in {more} than in {less}"),
            Measure::MenSecond => format!("the {cs} side loses more men in {more} than in {less}"),
            Measure::Exchange => {
                format!("the {us} share of the losses is larger in {more} than in {less}")
            }
            Measure::Attacks => {
                format!("more attacks are counted in an hour of {more} than of {less}")
            }
            Measure::FirstAttack => {
                format!("the first attack comes later in {more} than in {less}")
            }
            Measure::Contact => format!("a fight lasts longer in {more} than in {less}"),
            Measure::Idle => format!("more orders do nothing in {more} than in {less}"),
            Measure::Decisions => {
                format!("a game of {more} asks for more decisions than one of {less}")
            }
        },
        (_, None) => String::new(),
    }
}

/// The claims, by what became of them.
fn said(view: View, grid: &Grid) -> String {
    let mut out = String::from("<div class=\"claims\">");
    let kinds = [
        (Fate::Holds, "holds", "Holds in every cell"),
        (Fate::Flips, "flips", "Not known: it turns round"),
        (
            Fate::Unknown,
            "open",
            "Not known: too few games, or too close",
        ),
    ];
    for (standing, class, title) in kinds {
        let claims = grid
            .claims
            .iter()
            .filter(|claim| claim.standing == standing);
        let items: String = claims
            .map(|claim| {
                let mut more = format!("{} of {} say so", claim.agree, claim.of);
                if let Some(first) = claim.where_not.first() {
                    more += &format!("; not so with {first}");
                }
                let said = sentence(&words(view, claim));
                format!(
                    "<li>{} <small>{}</small></li>",
                    escape(&said),
                    escape(&more)
                )
            })
            .collect();
        if !items.is_empty() {
            out += &format!("<div class=\"{class}\"><h3>{title}</h3><ul>{items}</ul></div>");
        }
    }
    out + "</div>"
}

/// The name of a measure.
fn title(view: View, measure: Measure) -> String {
    match measure {
        Measure::Wins => format!("{} wins", view.name(0)),
        Measure::MenFirst => format!("Men lost, {}", view.name(0)),
        Measure::MenSecond => format!("Men lost, {}", view.name(1)),
        Measure::Exchange => format!("{} men lost for each {}", view.name(0), view.name(1)),
        Measure::Attacks => "Attacks per hour".into(),
        Measure::FirstAttack => "Hours to the first attack".into(),
        Measure::Contact => "A fight lasts".into(),
        Measure::Idle => "Orders that did nothing".into(),
        Measure::Decisions => "Decisions in a game".into(),
    }
}

/// A value as people read it.
fn value(measure: Measure, value: f64) -> String {
    match measure {
        Measure::Wins => percent(value),
        Measure::MenFirst | Measure::MenSecond => count(value),
        // Kept as a logarithm, so that twice and half are as far apart.
        Measure::Exchange => format!("{:.2}", value.exp()),
        Measure::Attacks => short(value),
        Measure::FirstAttack | Measure::Contact => brief(value),
        Measure::Idle => percent(value),
        Measure::Decisions => count(value),
    }
}

/// How much of what differs goes with the rules, and with what else; nothing to be seen if no two rulesets can be compared.
fn shares(view: View, grid: &Grid) -> String {
    if grid.complete().len() < 2 {
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
    titled(
        &format!("What the differences between cells go with, as shares of their variance{of}"),
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
fn tornadoes(view: View, grid: &Grid) -> String {
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

/// One panel for each measure: a row for each ruleset and pair of plans, a mark for each player.
fn multiples(view: View, grid: &Grid) -> String {
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

/// From where to where a measure goes in all cells, with what whole turns leave open.
fn span(grid: &Grid, measure: Measure) -> (f64, f64) {
    let all = grid
        .cells
        .iter()
        .map(|cell| cell.value(measure))
        .filter(|v| v.games > 0);
    let blurs = grid
        .cells
        .iter()
        .map(|cell| cell.value(measure).blurred(cell.blur(measure)));
    let all = all.chain(blurs.filter(|v| v.games > 0));
    let ends: Vec<(f64, f64)> = all.map(|v| (v.low, v.high)).collect();
    let low = ends.iter().map(|end| end.0).fold(f64::INFINITY, f64::min);
    let high = ends
        .iter()
        .map(|end| end.1)
        .fold(f64::NEG_INFINITY, f64::max);
    // Of a handful of games an interval may reach far beyond all means: it is cut off there.
    let means = grid.cells.iter().map(|cell| cell.value(measure).mean);
    let high = match measure {
        Measure::Exchange => high,
        _ => high.min(2.0 * means.fold(0.0, f64::max)),
    };
    (low, high)
}

fn panel(grid: &Grid, measure: Measure) -> String {
    let (width, left, row) = (350.0, 84.0, 19.0);
    // A line for the name of each ruleset, then one for each of its plans.
    let rows = grid.contests.len() * (grid.plans.len() + 1);
    let height = row * rows as f64 + 8.0 * grid.contests.len() as f64 + 34.0;
    let mut svg = Svg::new(width, height, "The same figure in every cell");
    let (low, high) = span(grid, measure);
    let ticks = ticks(measure, low, high);
    let x = Scale::new((ticks[0].0, ticks[2].0), (left, width - 28.0));
    let bottom = height - 24.0;
    for (at, text) in ticks {
        svg.line("grid", (x.at(at), 4.0), (x.at(at), bottom));
        svg.text("tick", (x.at(at), height - 6.0), "middle", &text);
    }
    if let Some(even) = match measure {
        Measure::Wins => Some(0.5),
        Measure::Exchange => Some(0.0),
        _ => None,
    } {
        svg.line("even", (x.at(even), 4.0), (x.at(even), bottom));
    }
    let mut y = 6.0;
    for (c, contest) in grid.contests.iter().enumerate() {
        let colour = format!("fill-r{}", c % 4);
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
fn ticks(measure: Measure, low: f64, high: f64) -> [(f64, String); 3] {
    if measure == Measure::Exchange {
        // Twenty to one says as much as a thousand to one.
        const STEPS: [f64; 5] = [1.5, 2.0, 5.0, 10.0, 20.0];
        let far = low.abs().max(high.abs());
        let far = if far.is_finite() { far.exp() } else { 1.0 };
        let far = STEPS.iter().find(|step| **step >= far).unwrap_or(&20.0);
        let share = format!("1/{far}");
        return [
            (-far.ln(), share),
            (0.0, "1".to_owned()),
            (far.ln(), far.to_string()),
        ];
    }
    let top = match measure {
        Measure::Wins | Measure::Idle => 1.0,
        _ if !high.is_finite() => 1.0,
        // Minutes: whole hours in the middle, too.
        Measure::FirstAttack => (high / 120.0).ceil().max(1.0) * 120.0,
        _ => round_up(high.max(1.0)),
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
        &format!("fill-r{}", contest % 4),
        shape(bot),
        (x.at(v.mean), y),
        3.6,
    );
    svg.close();
}

/// Which plans and players were tried, and what a loss may stand for.
fn plans(view: View, grid: &Grid) -> String {
    let mut out = String::from(
        "<table class=\"small\"><thead><tr><th>Plans</th><th>What they are</th></tr></thead><tbody>",
    );
    for pair in &grid.plans {
        let from = if pair.from_record {
            " <em>Made from the record: nearness to it is no merit of the rules.</em>"
        } else {
            ""
        };
        out += &format!(
            "<tr><th scope=\"row\">{}</th><td>{}{from}</td></tr>",
            escape(&pair.name),
            escape(&quoted(&pair.titles))
        );
    }
    out += "</tbody></table>";
    out += &players(grid);
    out += "<table class=\"small\"><thead><tr><th>Ruleset</th><th>A loss may stand for</th><th>Why</th></tr></thead><tbody>";
    for (i, (contest, band)) in grid.contests.iter().zip(&grid.bands).enumerate() {
        let [low, _, high] = band.factors();
        out += &format!(
            "<tr><th scope=\"row\">{}{}</th><td>{} to {} of the men counted here</td><td>{}</td></tr>",
            swatch(i.min(view.contests().len().saturating_sub(1))),
            escape(contest),
            percent(low),
            percent(high),
            escape(&band.why)
        );
    }
    out + "</tbody></table>"
}

/// Who played as each of the players under each ruleset.
fn players(grid: &Grid) -> String {
    if grid.players.is_empty() {
        return String::new();
    }
    let heads = grid
        .bots
        .iter()
        .map(|bot| format!("<th>{}</th>", escape(bot)));
    let heads: String = heads.collect();
    let mut out =
        format!("<table class=\"small\"><thead><tr><th>Players</th>{heads}</tr></thead><tbody>");
    for (i, (contest, seats)) in grid.contests.iter().zip(&grid.players).enumerate() {
        out += &format!(
            "<tr><th scope=\"row\">{}{}</th>",
            swatch(i),
            escape(contest)
        );
        for seat in seats {
            let words = match seat {
                Seat::Plays(bot) => bot.clone(),
                Seat::TooDear => "not tried: a game would take too long".into(),
                Seat::Like(bot, other) => {
                    format!("{bot}: chose in every game as {other} did, and is not counted")
                }
            };
            out += &format!("<td>{}</td>", escape(&words));
        }
        out += "</tr>";
    }
    out + "</tbody></table>"
}
