//! One game of each ruleset on the map, hour by hour, beside the record; and told in plain words.

use crate::ground::Ground;
use crate::svg::num;
use crate::view::{About, RECORDED, Section, View, broad_panels, caption, class};
use crate::words::{count, day, escape, moment, sentence};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use cupola_lab::model::{Body, Moment, Topic, Trace};
use std::fmt::Write as _;

/// The section.
pub fn section(view: View, ground: &Ground) -> Section {
    let traced = view.contests().iter().any(|found| found.trace.is_some());
    Section {
        id: "onegame",
        title: "One game on the map",
        claim: if traced {
            "Of each ruleset one game that ended as most do, and of those the one with middling losses: where its bodies went, and what happened \
             in it. It is one game of many."
                .into()
        } else {
            "No game was traced, so there is none to show.".into()
        },
        figure: if traced { maps(view, ground) + &stories(view) } else { String::new() },
        reading: "A line is the way of one body of men, a mark where it stands at the hour that is named above: discs and squares \
                  differ by side. The hour is that of the clock under Whose ground, and moves with it. Recorded are brigades and battalions, as far as the record knows their place."
            .into(),
        about: About::Games(Topic::Headline),
    }
}

fn maps(view: View, ground: &Ground) -> String {
    let frame = &view.all.frame;
    let mut out = format!(
        "<svg class=\"defs\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs><image id=\"bare\" width=\"{}\" height=\"{}\" \
         preserveAspectRatio=\"none\" href=\"data:image/png;base64,{}\"/></defs></svg>",
        frame.columns,
        frame.rows,
        STANDARD.encode(&ground.png)
    );
    out += &clock(view);
    let mut panels = vec![];
    let past = &view.all.history.bodies;
    if !past.is_empty() {
        panels.push((RECORDED.to_owned(), map(view, past, "as recorded")));
    }
    for (i, found) in view.contests().iter().enumerate() {
        if let Some(trace) = &found.trace {
            let name = format!("{}, game {}", found.name, trace.game);
            panels.push((caption(view, i), map(view, &trace.bodies, &name)));
        }
    }
    out += &broad_panels(panels);
    out
}

/// The hour that the maps show, and how to change it: the same clock as that of the ground. On paper, and without a script, the last.
fn clock(view: View) -> String {
    let last = view.all.hours.last();
    let last = last.map_or_else(String::new, |hour| moment(&hour.1));
    format!(
        "<p class=\"turned\"><button type=\"button\" data-step=\"-1\" aria-label=\"One hour back\">◀</button>\
         <button type=\"button\" data-step=\"1\" aria-label=\"One hour on\">▶</button>\
         Marks show where everybody stands at <output class=\"showing\">{}</output>.</p>",
        escape(&last)
    )
}

fn map(view: View, bodies: &[Body], name: &str) -> String {
    let frame = &view.all.frame;
    let mut out = format!(
        "<svg class=\"chart traced\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"Ways of all bodies, {}\"><use href=\"#bare\" opacity=\".55\"/>",
        frame.columns,
        frame.rows,
        escape(name)
    );
    let cell = |(x, y): (i32, i32)| {
        (
            f64::from(x - frame.west) / f64::from(frame.cell.max(1)),
            f64::from(frame.north - y) / f64::from(frame.cell.max(1)),
        )
    };
    // Many ways hide the map, and each other.
    let faint = if bodies.len() > 150 { ".3" } else { "1" };
    let _ = write!(out, "<g opacity=\"{faint}\">");
    for body in bodies {
        for way in body.at.split(Option::is_none).filter(|way| way.len() > 1) {
            let points: Vec<String> = way
                .iter()
                .flatten()
                .map(|at| cell(*at))
                .map(|(x, y)| format!("{},{}", num(x), num(y)))
                .collect();
            let _ = write!(
                out,
                "<polyline class=\"trace-{}\" points=\"{}\"/>",
                class(body.side),
                points.join(" ")
            );
        }
    }
    out += "</g>";
    let last = view.all.hours.len().saturating_sub(1);
    for hour in 0..view.all.hours.len() {
        let shown = if hour == last { " now" } else { "" };
        let _ = write!(out, "<g class=\"stand{shown}\" data-hour=\"{hour}\">");
        for body in bodies {
            if let Some(at) = body.at.get(hour).copied().flatten() {
                mark(&mut out, body, cell(at));
            }
        }
        out += "</g>";
    }
    out + "</svg>"
}

fn mark(out: &mut String, body: &Body, (x, y): (f64, f64)) {
    let (a, b) = (num(x), num(y));
    let _ = if body.side == 0 {
        write!(
            out,
            "<circle class=\"here-a\" cx=\"{a}\" cy=\"{b}\" r=\".8\"/>"
        )
    } else {
        let (a, b) = (num(x - 0.7), num(y - 0.7));
        write!(
            out,
            "<rect class=\"here-b\" x=\"{a}\" y=\"{b}\" width=\"1.4\" height=\"1.4\"/>"
        )
    };
}

/// What happened in each of the games.
fn stories(view: View) -> String {
    let told = view.contests().iter().enumerate().filter_map(|(i, found)| {
        let trace = found.trace.as_ref()?;
        Some((caption(view, i), story(view, trace)))
    });
    broad_panels(told)
}

fn story(view: View, trace: &Trace) -> String {
    format!(
        "<div class=\"story\"><p>Game {}, seed <span class=\"seed\">{}</span>.</p>{}</div>",
        count(f64::from(trace.game)),
        escape(&trace.seed),
        told(view, &trace.story)
    )
}

/// What happened in a game, as a list by the hour.
pub fn told(view: View, story: &[Moment]) -> String {
    let mut out = String::from("<ul>");
    for hour in story.chunk_by(|a, b| a.minute == b.minute) {
        let words: Vec<&str> = hour.iter().map(|told| told.words.as_str()).collect();
        let _ = write!(
            out,
            "<li><b>{}</b> {}.</li>",
            escape(&when(view, hour.first().map_or(0, |told| told.minute))),
            escape(&sentence(&words.join("; ")))
        );
    }
    out + "</ul>"
}

/// A time, with its date if that is not the first day's.
fn when(view: View, minute: i32) -> String {
    let same = view
        .all
        .hours
        .first()
        .is_none_or(|first| day(first.0) == day(minute));
    if same || view.days() {
        return view.time(minute);
    }
    format!("{}, {}", day(minute), view.time(minute))
}
