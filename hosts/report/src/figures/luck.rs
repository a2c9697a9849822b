//! The luck index: dice against skill.

use super::intervals::{LEFT, WIDTH, name};
use crate::svg::{Scale, Shape, Svg, hue};
use crate::view::{About, Section, View};
use crate::words::{list, percent, sentence, some};
use cupola_lab::model::{Findings, Luck, Topic};

const RIGHT: f64 = 150.0;
const ROW: f64 = 40.0;

/// The section.
pub fn section(view: View) -> Section {
    Section {
        id: "luck",
        title: "Dice or skill",
        claim: claim(view),
        figure: bars(view),
        reading: "A better and a weaker player play many games, on both sides. A win counts one and a draw a half. At 0 the dice decide nothing, and the better one comes out ahead; at 1 it \
                  makes no difference who plays, the dice decide. The bar is the interval in which the index lies nineteen times in twenty, by Wilson's intervals of the scores: even where the \
                  better player won every game, it is no point. It depends on the two players: compare it between rulesets."
            .into(),
        about: About::Games(Topic::Luck),
    }
}

/// Fewer games than this rank nobody.
const ENOUGH: u32 = 40;

/// An interval as wide as this leaves nothing to say of the index itself.
const OPEN: f64 = 0.9;

/// Whether so few games were played that the index may be nearly anything.
pub fn is_open(luck: &Luck) -> bool {
    luck.high - luck.low >= OPEN
}

/// What the section says: an order only where the intervals are apart.
pub fn claim(view: View) -> String {
    let mut known: Vec<(Luck, &str)> = view
        .contests()
        .iter()
        .filter_map(|found| Some((found.luck?, found.name.as_str())))
        .collect();
    known.sort_by(|a, b| b.0.index.total_cmp(&a.0.index));
    let silent = [open(&known), silent(view)];
    let silent = silent.map(|said| said.trim().to_owned()).join(" ");
    let silent = silent.trim();
    known.retain(|(luck, _)| !is_open(luck));
    if known.is_empty() && silent.is_empty() {
        return "The luck index was not measured in this run.".into();
    }
    if known.is_empty() {
        return silent.to_owned();
    }
    let words: Vec<String> = known
        .iter()
        .map(|(luck, name)| {
            format!(
                "{:.2} in {name} ({:.2} to {:.2}; the better player scores {} of {})",
                luck.index,
                luck.low,
                luck.high,
                percent(luck.better_wins),
                some(luck.games as usize, "game", "games")
            )
        })
        .collect();
    let said = format!("The index is {}. {silent}", list(&words));
    let said = said.trim_end();
    if known.len() < 2 {
        return said.to_owned();
    }
    if known.iter().any(|(luck, _)| luck.games < ENOUGH) {
        return format!("{said} By so few games no ruleset is put before another.");
    }
    let pairs = known.iter().enumerate();
    let apart: Vec<String> = pairs
        .flat_map(|(i, (more, name))| {
            let rest = known[i + 1..].iter();
            let less = rest.filter(|(less, _)| more.low > less.high);
            less.map(move |(_, other)| format!("{name} has more luck in it than {other}"))
        })
        .collect();
    if apart.is_empty() {
        return format!("{said} The intervals meet: which has more luck in it is not known.");
    }
    format!("{said} {}.", sentence(&list(&apart)))
}

/// Rulesets of which the games leave nearly everything open.
fn open(known: &[(Luck, &str)]) -> String {
    let open = known.iter().filter(|(luck, _)| is_open(luck));
    let names: Vec<String> = open
        .map(|(luck, name)| {
            let games = some(luck.games as usize, "game", "games");
            format!("{name} ({games})")
        })
        .collect();
    if names.is_empty() {
        return String::new();
    }
    format!(
        " Of {} the games are too few to tell dice from skill.",
        list(&names)
    )
}

/// Rulesets in which the result was the same whoever played, which says nothing about dice or skill.
fn silent(view: View) -> String {
    let contests = view.contests().iter().filter(|found| found.luck.is_none());
    let played = contests.filter(|found| {
        let mut all = found.witnesses.iter();
        all.any(|witness| witness.topics.contains(&Topic::Luck))
    });
    let names: Vec<String> = played.map(|found| found.name.clone()).collect();
    if names.is_empty() {
        return String::new();
    }
    format!(
        "In {} every game was drawn, or one side won whoever played it: that tells nothing of dice or skill.",
        list(&names)
    )
}

fn bars(view: View) -> String {
    let contests = view.contests();
    let height = contests.len() as f64 * ROW + 34.0;
    let mut svg = Svg::new(WIDTH, height, "Luck index between skill and dice");
    let x = Scale::new((0.0, 1.0), (LEFT, WIDTH - RIGHT));
    svg.text("tick", (LEFT, 16.0), "start", "0: skill decides");
    svg.text("tick", (WIDTH - RIGHT, 16.0), "end", "1: dice decide");
    for (i, found) in contests.iter().enumerate() {
        let y = 28.0 + ROW * (i as f64 + 0.5);
        name(&mut svg, y, &found.name, i);
        svg.rect("track", (LEFT, y - 9.0), WIDTH - RIGHT - LEFT, 18.0);
        for quarter in [0.25, 0.5, 0.75] {
            svg.line("grid", (x.at(quarter), y - 9.0), (x.at(quarter), y + 9.0));
        }
        let Some(luck) = found.luck else {
            svg.text(
                "says",
                (WIDTH - RIGHT + 14.0, y + 5.0),
                "start",
                unknown(found),
            );
            continue;
        };
        svg.open(&format!(
            "{}: between {:.2} and {:.2}, by {} games",
            found.name, luck.low, luck.high, luck.games
        ));
        svg.rect(
            &format!("stretch-r{}", hue(i)),
            (x.at(luck.low), y - 9.0),
            x.at(luck.high) - x.at(luck.low),
            18.0,
        );
        // Where it may be nearly anything the index itself is not told.
        let mut index = "–".to_owned();
        if !is_open(&luck) {
            let fill = format!("fill-r{}", hue(i));
            svg.mark(&fill, Shape::ruleset(i), (x.at(luck.index), y), 7.0);
            index = format!("{:.2}", luck.index);
        }
        svg.close();
        let says = format!("{index} ({:.2}–{:.2})", luck.low, luck.high);
        svg.text("says", (WIDTH - RIGHT + 14.0, y + 5.0), "start", &says);
    }
    svg.finish()
}

/// Why there is no index.
fn unknown(found: &Findings) -> &'static str {
    let played = found.witnesses.iter();
    let mut played = played.filter(|witness| witness.topics.contains(&Topic::Luck));
    if played.next().is_some() {
        "none: not the players"
    } else {
        "not measured"
    }
}
