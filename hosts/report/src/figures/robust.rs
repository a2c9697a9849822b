//! What holds whoever plays, by whatever plan, and however a loss is counted: and what does not.

use super::cells::multiples;
use super::measures::{phrase, words};
use super::scope::{at, half_over};
use super::swings::{shares, tornadoes};
use crate::view::{About, Section, View, swatch};
use crate::words::{count, escape, list, percent, quoted, sentence, some};
use cupola_lab::grid::{Cell, Claim, Fate, Grid, Measure, Seat};
use cupola_lab::model::{Findings, Topic};

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
        "Of {} things that could be said of these rules, {} by every plan, player and scale of losses that was tried ({} games), {} \
         round with one of them, and of {} nothing is known.",
        grid.claims.len(),
        some(of(Fate::Holds), "holds", "hold"),
        count(f64::from(games)),
        some(of(Fate::Flips), "turns", "turn"),
        of(Fate::Unknown)
    ) + &fewer_players(grid)
}

/// Of which rulesets not every player's games count: what is said of these is said of fewer; and that one was tried, if it was one.
pub fn fewer_players(grid: &Grid) -> String {
    match (&grid.plans[..], &grid.bots[..]) {
        ([_], [bot]) => {
            return format!(
                " One pair of plans and one player, {bot}, were tried: what others come to is not known."
            );
        }
        (_, [bot]) => {
            return format!(" One player was tried, {bot}: what others come to is not known.");
        }
        _ => {}
    }
    let plans = match &grid.plans[..] {
        [_] => " One pair of plans was tried: what others come to is not known.",
        _ => "",
    };
    let mut groups: Vec<(Vec<String>, Vec<String>)> = vec![];
    for contest in &grid.contests {
        let counts = |bot: &&String| {
            let mut cells = grid.cells.iter();
            cells.any(|cell| (&cell.contest, &cell.bot) == (contest, *bot))
        };
        let bots: Vec<String> = grid.bots.iter().filter(counts).cloned().collect();
        match groups.iter_mut().find(|(known, _)| *known == bots) {
            _ if bots.len() == grid.bots.len() => {}
            Some((_, contests)) => contests.push(contest.clone()),
            None => groups.push((bots, vec![contest.clone()])),
        }
    }
    let said = groups.iter().map(|(bots, contests)| {
        let bots = list(bots);
        let them = if contests.len() == 1 { "it" } else { "them" };
        format!(
            " Of {} the games of {bots} alone count, and what is said of {them} is said of {bots}.",
            list(contests)
        )
    });
    plans.to_owned() + &said.collect::<String>()
}

/// That rulesets do not cover the same hours, where they do not.
pub fn hours(view: View) -> String {
    let mut covers = view.contests().iter().map(|found| found.covers);
    let first = covers.next();
    // Hours are those of the longest game; a battle may be decided long before.
    let early = |found: &Findings| half_over(found).filter(|minute| *minute < found.covers.1);
    let lead = match covers.all(|other| Some(other) == first) {
        true if view.contests().iter().all(|found| early(found).is_none()) => return String::new(),
        true => "Not all games last as long",
        false => "They do not play the same hours",
    };
    let said = view.contests().iter().map(|found| {
        let hours = view.stretch(found.covers);
        let early = early(found).map_or_else(String::new, |minute| {
            format!(", half of the games no longer than to {}", at(view, minute))
        });
        format!("{} {hours}{early}", found.name)
    });
    let said: Vec<String> = said.collect();
    format!(
        " {lead} ({}): what is counted over a game is counted over those.",
        list(&said)
    )
}

/// That a section tells of the page's own plans and players, and what became of such claims by others; nothing where no others were tried.
pub fn standing(view: View, measures: &[Measure]) -> String {
    let claims = view.all.grid.iter().flat_map(|grid| &grid.claims);
    let about: Vec<&Claim> = claims.filter(|c| measures.contains(&c.measure)).collect();
    let of = |fate: Fate| about.iter().filter(|c| c.standing == fate).count();
    if about.is_empty() {
        return String::new();
    }
    let known = match of(Fate::Unknown) {
        0 => String::new(),
        open => format!(", and of {open} nothing is known"),
    };
    format!(
        " So it is by the plans and players of the first table: of {} that could be made of it by all plans and players of the grid, {} and {} round{known}.",
        some(about.len(), "claim", "claims"),
        some(of(Fate::Holds), "holds", "hold"),
        some(of(Fate::Flips), "turns", "turn"),
    )
}

/// How many claims of one topic turn round.
pub fn turning(view: View, measures: &[Measure]) -> usize {
    let claims = view.all.grid.iter().flat_map(|grid| &grid.claims);
    let flips = claims.filter(|claim| claim.standing == Fate::Flips);
    flips.filter(|c| measures.contains(&c.measure)).count()
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

/// The claims, by what became of them. What is not known for want of games is folded.
fn said(view: View, grid: &Grid) -> String {
    let listed = |standing: Fate, class: &str, title: &str| {
        let claims = grid.claims.iter().filter(|c| c.standing == standing);
        let items: Vec<String> = claims.map(|claim| item(view, grid, claim)).collect();
        match (items.len(), standing) {
            (0, _) => String::new(),
            (all, Fate::Unknown) => format!(
                "<details class=\"{class}\"><summary>{title} ({all})</summary><ul>{}</ul></details>",
                items.concat()
            ),
            _ => format!(
                "<div class=\"{class}\"><h3>{title}</h3><ul>{}</ul></div>",
                items.concat()
            ),
        }
    };
    let holds = listed(Fate::Holds, "holds", "Holds in every cell");
    let flips = listed(Fate::Flips, "flips", "Not known: it turns round");
    let open = listed(
        Fate::Unknown,
        "open",
        "Not known: too few games, or too close",
    );
    format!(
        "<div class=\"claims\">{holds}{flips}</div>{open}<p class=\"reading\">A claim rests on all games of its rulesets that <code>grid-games</code> lists; \
         game 3 of a cell has the seed of game 3 of its ruleset.</p>"
    )
}

/// A claim with the cells and games that it rests on.
fn item(view: View, grid: &Grid, claim: &Claim) -> String {
    let cells = if claim.measure.scales() {
        "cells and scales"
    } else {
        "cells"
    };
    let agree = match claim.agree {
        0 => "none".to_owned(),
        some => some.to_string(),
    };
    let mut more = format!(
        "{agree} of {} {cells} {}, {} games",
        claim.of,
        if claim.agree == 1 {
            "says so"
        } else {
            "say so"
        },
        count(f64::from(games(grid, claim)))
    );
    if let Some(bot) = only_player(grid, claim) {
        more += &format!(", {bot} alone");
    }
    if let Some(first) = claim.where_not.first() {
        let but = if claim.agree == 0 {
            "least so"
        } else {
            "not so"
        };
        more += &format!("; {but} with {first}");
    }
    let said = sentence(&words(view, claim));
    format!(
        "<li>{} <small>{}</small></li>",
        escape(&said),
        escape(&more)
    )
}

/// The cells of a ruleset by the plans and players that another has, too.
fn met<'a>(grid: &'a Grid, contest: &'a str, other: &'a str) -> impl Iterator<Item = &'a Cell> {
    let own = grid
        .cells
        .iter()
        .filter(move |cell| cell.contest == contest);
    own.filter(move |cell| grid.cell(other, &cell.plans, &cell.bot).is_some())
}

/// Games that a claim rests on: those of both rulesets, by the plans and players that both have.
fn games(grid: &Grid, claim: &Claim) -> u32 {
    let of = |contest: &str, other: &str| {
        let games = met(grid, contest, other).map(|cell| cell.value(claim.measure).games);
        games.sum::<u32>()
    };
    match &claim.less {
        Some(less) => of(&claim.more, less) + of(less, &claim.more),
        None => of(&claim.more, &claim.more),
    }
}

/// The player whose games alone a claim rests on, where the grid has several.
fn only_player<'a>(grid: &'a Grid, claim: &'a Claim) -> Option<&'a str> {
    let less = claim.less.as_ref().unwrap_or(&claim.more);
    let mut bots = met(grid, &claim.more, less).map(|cell| &*cell.bot);
    let first = bots.next()?;
    (grid.bots.len() > 1 && bots.all(|bot| bot == first)).then_some(first)
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
