//! Men and guns lost, by corps and hour.
//!
//! A square in a grid of corps and hours, its area as the loss: size is read without colour, and small losses
//! do not vanish.

use super::corps::{Corps, corps};
use crate::svg::Svg;
use crate::view::{About, Section, View, broad_panels, caption, class};
use crate::words::{count, escape, fit, list, sentence, short, some_of};
use cupola_lab::model::{CorpsLosses, Findings, Spread, Topic};

const LEFT: f64 = 132.0;
const CELL: f64 = 21.0;
const TOP: f64 = 30.0;

/// What is lost.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Loss {
    Men,
    Guns,
}

impl Loss {
    fn of(self, corps: &CorpsLosses) -> &[Spread] {
        match self {
            Loss::Men => &corps.lost,
            Loss::Guns => &corps.guns_lost,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Loss::Men => "men",
            Loss::Guns => "guns",
        }
    }

    fn words(self, number: f64) -> String {
        match self {
            Loss::Men => count(number),
            Loss::Guns if number == 0.0 => "0".into(),
            Loss::Guns => short(number),
        }
    }
}

/// The section about men.
pub fn men(view: View) -> Section {
    Section {
        id: "hourly",
        title: "Men lost, by corps and hour",
        claim: men_claim(view),
        figure: figure(view, Loss::Men),
        reading: "The area of a square or bar is the number of men lost in the hour before, as the mean of all games; at the right the sum. A \
                  ruleset with long turns has its losses at the hour in which a turn ends. Corps that nobody fought are left out."
            .into(),
        about: About::Games(Topic::Losses),
    }
}

/// The section about guns.
pub fn guns(view: View) -> Section {
    Section {
        id: "guns",
        title: "Guns lost, by corps and hour",
        claim: guns_claim(view),
        figure: figure(view, Loss::Guns),
        reading: format!(
            "As above, with guns for men. A counter loses its guns in the same share as its men. {} Nothing is recorded of guns by the \
             hour.",
            apart(view)
        ),
        about: About::Games(Topic::Guns),
    }
}

/// Where guns have no counters of their own, that is said.
fn apart(view: View) -> String {
    let said = view.contests().iter().filter_map(|found| {
        let (all, own): (u32, u32) = (found.guns.iter().sum(), found.guns_apart.iter().sum());
        let name = &found.name;
        if all == 0 {
            return Some(format!("{name} knows no guns."));
        }
        (own * 10 < all * 9).then(|| {
            format!(
                "In {name} only {} of {} guns have counters of their own: the others stand and fall with the infantry \
                 whose counter they share.",
                count(f64::from(own)),
                count(f64::from(all))
            )
        })
    });
    said.collect::<Vec<_>>().join(" ")
}

fn men_claim(view: View) -> String {
    let hours = view.hours();
    let said = view.contests().iter().filter_map(|found| {
        let (corps, hour, lost) = worst(found, Loss::Men)?;
        let (men, clear) = sure(found, corps, hour, lost);
        // Men who fell in a long turn fell in one of its hours, nobody knows in which.
        let when = if found.turn_minutes.0 > 60 {
            "turn that ended by"
        } else {
            "hour to"
        };
        Some(format!(
            "in {} it is {} in the {when} {} ({men} men{clear})",
            found.name,
            corps.name,
            view.time(*hours.get(hour)?),
        ))
    });
    let said: Vec<String> = said.collect();
    if said.is_empty() {
        return "Nobody is lost in any game.".into();
    }
    format!(
        "The worst time of a corps, in the mean of all games: {}.",
        list(&said)
    )
}

/// The men of the worst time with how far their mean may be off, and whether it is clear of every other time of every corps.
fn sure(found: &Findings, corps: &CorpsLosses, hour: usize, lost: f64) -> (String, &'static str) {
    let Some(of) = corps.lost_in.get(hour).map(Spread::estimate) else {
        return (count(lost), "");
    };
    if of.games < 2 {
        return (count(lost), "");
    }
    let all = found.corps.iter().flat_map(|other| {
        let hours = other.lost_in.iter().enumerate();
        hours.map(move |(i, spread)| ((&other.id, i), spread.estimate()))
    });
    let mut others = all.filter(|(at, _)| *at != (&corps.id, hour));
    let clear = others.all(|(_, other)| of.apart(&other) == Some(true));
    let words = format!("{} ± {}", count(lost), count(of.high - of.mean));
    (words, if clear { "" } else { ", not clear of others" })
}

fn guns_claim(view: View) -> String {
    let mut played = view.contests().iter().filter(|found| found.games > 0);
    // Who has no guns cannot lose any; that is said below.
    let armed = played.clone().filter(|found| found.guns != [0, 0]);
    let said: Vec<String> = armed.map(|found| guns_lost(view, found)).collect();
    if !said.is_empty() {
        return format!("{}.", sentence(&said.join("; ")));
    }
    if played.next().is_some() {
        "None of the rulesets knows guns.".into()
    } else {
        "No game was played to its end.".into()
    }
}

/// Guns that both sides lose in a ruleset.
fn guns_lost(view: View, found: &Findings) -> String {
    let lost = [0, 1].map(|side| crate::view::last(&found.guns_lost[side]).estimate());
    if lost.iter().all(|of| of.high == 0.0) {
        return format!("in {} no guns are lost", found.name);
    }
    let words = lost.map(|of| match some_of(of.high, short) {
        Some(few) => few,
        None if of.games < 2 => short(of.mean),
        None if of.low < 0.0 => format!("{} (none to {})", short(of.mean), short(of.high)),
        None => format!("{} ± {}", short(of.mean), short(of.high - of.mean)),
    });
    // Guns are named with the first figure.
    let first = match &*words[0] {
        "none" => "no guns".to_owned(),
        some => format!("{some} guns"),
    };
    format!(
        "in {} {} loses {first} and {} {}",
        found.name,
        view.side(0),
        view.side(1),
        words[1]
    )
}

/// The corps and hour that lost most.
fn worst(found: &Findings, loss: Loss) -> Option<(&CorpsLosses, usize, f64)> {
    let all = found.corps.iter().flat_map(|corps| {
        let hours = lost_in(loss.of(corps)).into_iter().enumerate();
        hours.map(move |(hour, lost)| (corps, hour, lost))
    });
    let worst = all.max_by(|a, b| a.2.total_cmp(&b.2))?;
    (worst.2 > 0.0).then_some(worst)
}

/// What was lost in each hour, from what was lost since the beginning.
fn lost_in(since: &[Spread]) -> Vec<f64> {
    let mut before = 0.0;
    let lost = since.iter().map(|spread| {
        let lost = (spread.mean - before).max(0.0);
        before = spread.mean;
        lost
    });
    lost.collect()
}

fn figure(view: View, loss: Loss) -> String {
    let all = corps(view);
    let most = view
        .contests()
        .iter()
        .filter_map(|found| worst(found, loss));
    let most = most.map(|worst| worst.2).fold(1.0, f64::max);
    let drawn = view.contests().iter().enumerate();
    let drawn = drawn.map(|(i, found)| (caption(view, i), grid(view, found, &all, loss, most)));
    key(view, loss, most) + &broad_panels(drawn)
}

/// The width of an hour.
fn cell_of(view: View) -> f64 {
    match view.hours().len() {
        hours if hours > 24 => 504.0 / hours as f64,
        _ => CELL,
    }
}

/// How wide and how high a loss is drawn: a square, or where hours are narrow a bar as wide as all others. The area tells it.
fn size(lost: f64, most: f64, cell: f64) -> (f64, f64) {
    if cell < CELL {
        return (cell, lost / most * (CELL - 1.0));
    }
    let side = (lost / most).sqrt() * (CELL - 1.0);
    (side, side)
}

fn grid(view: View, found: &Findings, all: &[Corps], loss: Loss, most: f64) -> String {
    let hours = view.hours();
    let cell = cell_of(view);
    let right = LEFT + cell * hours.len() as f64;
    let label = format!("{}: {} lost by corps and hour", found.name, loss.name());
    let height = TOP + CELL * all.len() as f64 + 8.0;
    let mut svg = Svg::new(right + 66.0, height, &label);
    for (i, hour) in view.ticks() {
        let x = LEFT + cell * (i as f64 + 0.5);
        svg.text("tick", (x, TOP - 10.0), "middle", &hour);
        svg.line("grid", (x, TOP - 6.0), (x, height - 8.0));
    }
    for (row, of) in all.iter().enumerate() {
        let y = TOP + CELL * (row as f64 + 0.5);
        svg.line(
            "rule",
            (0.0, y + CELL / 2.0),
            (right + 66.0, y + CELL / 2.0),
        );
        svg.text("name", (0.0, y + 5.0), "start", &fit(of.name, 17));
        let Some(played) = found.corps.iter().find(|played| played.id == of.id) else {
            svg.text("tick", (right + 66.0, y + 5.0), "end", "not in it");
            continue;
        };
        let since = loss.of(played);
        for (hour, lost) in lost_in(since).into_iter().enumerate() {
            let (wide, high) = size(lost, most, cell);
            if wide.min(high) < 0.8 {
                continue;
            }
            let x = LEFT + cell * (hour as f64 + 0.5);
            svg.open(&format!(
                "{}, hour to {}: {} {}",
                of.name,
                view.time(hours[hour]),
                loss.words(lost),
                loss.name()
            ));
            let middle = if cell < CELL {
                y + (CELL - high) / 2.0
            } else {
                y
            };
            let corner = (x - wide / 2.0, middle - high / 2.0);
            svg.rect(&format!("bar-{}", class(of.side)), corner, wide, high);
            svg.close();
        }
        let sum = loss.words(since.last().map_or(0.0, |spread| spread.mean));
        svg.text("says", (right + 66.0, y + 5.0), "end", &sum);
    }
    svg.finish()
}

/// What the squares mean.
fn key(view: View, loss: Loss, most: f64) -> String {
    let steps: &[f64] = match loss {
        Loss::Men => &[50.0, 200.0, 1000.0],
        Loss::Guns => &[0.5, 2.0, 8.0],
    };
    let mut out = String::from("<p class=\"keys\">");
    for army in [0, 1] {
        let mut svg = Svg::new(22.0, 22.0, "");
        svg.rect(&format!("bar-{}", class(army)), (3.0, 3.0), 16.0, 16.0);
        let name = escape(view.name(army));
        out += &format!("<span class=\"key\">{}{name}</span>", svg.small("cellkey"));
    }
    for &step in steps.iter().filter(|step| **step <= most * 1.5) {
        let (wide, high) = size(step, most, cell_of(view));
        let mut svg = Svg::new(28.0, 28.0, "");
        let corner = (14.0 - wide / 2.0, 14.0 - high / 2.0);
        svg.rect("bar-n", corner, wide, high);
        let words = format!("{} {}", loss.words(step), loss.name());
        out += &format!("<span class=\"key\">{}{words}</span>", svg.small("cellkey"));
    }
    out + "</p>"
}
