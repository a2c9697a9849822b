//! One game of each ruleset on the map, hour by hour, beside the record; and told in plain words.

use crate::ground::Ground;
use crate::svg::num;
use crate::view::{About, RECORDED, Section, View, broad_panels, caption, class};
use crate::words::{count, escape, moment, sentence};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use cupola_lab::model::{Body, Topic, Trace};
use std::fmt::Write as _;

/// The section.
pub fn section(view: View, ground: &Ground) -> Section {
    let traced = view.contests().iter().any(|found| found.trace.is_some());
    Section {
        id: "onegame",
        title: "One game on the map",
        claim: if traced {
            "Of each ruleset the game with middling losses: where its bodies went, and what happened in it. It is one game of many, chosen by \
             its losses alone."
                .into()
        } else {
            "No game was traced, so there is none to show.".into()
        },
        figure: if traced { maps(view, ground) + &stories(view) } else { String::new() },
        reading: "A line is the way of one body of men, a mark where it stands at the hour of the clock under Whose ground: discs and squares \
                  differ by side. On paper the marks are those of the last hour. Recorded are brigades and battalions, as far as the record knows their place."
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
    let mut out = format!(
        "<div class=\"story\"><p>Game {}, seed <span class=\"seed\">{}</span>.</p><ul>",
        count(f64::from(trace.game)),
        escape(&trace.seed)
    );
    let known = |minute: i32| {
        let hours = view.all.hours.iter().rev();
        let day = hours
            .clone()
            .find(|hour| hour.0 <= minute)
            .map(|hour| moment(&hour.1));
        let day = day.and_then(|day| Some(day.split_once(',')?.0.to_owned()));
        match day.filter(|_| view.days()) {
            Some(day) => format!("{day}, {}", crate::words::clock(minute)),
            None => crate::words::clock(minute),
        }
    };
    for told in &trace.story {
        let _ = write!(
            out,
            "<li><b>{}</b> {}.</li>",
            escape(&known(told.minute)),
            escape(&sentence(&told.words))
        );
    }
    out + "</ul></div>"
}
