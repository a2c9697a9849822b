//! What is compared and what is not.

use crate::view::{Section, View, caption};
use crate::words::{clock, count, day, duration, escape};
use cupola_lab::model::Findings;

/// The section.
pub fn section(view: View) -> Section {
    Section {
        id: "scope",
        title: "What is compared, and what is not",
        claim: claim(view),
        figure: table(view) + &notes(view),
        ..Section::default()
    }
}

fn claim(view: View) -> String {
    let (from, to) = view.span();
    let whole = |found: &&Findings| found.covers.0 <= from && found.covers.1 >= to;
    let all = view.contests().len();
    let covering = view.contests().iter().filter(whole).count();
    let span = format!("{} to {}", view.time(from), view.time(to));
    if covering == all {
        return format!("Every ruleset covers the whole span, {span}.");
    }
    let covering = match covering {
        0 => "none of the rulesets covers".to_owned(),
        1 => format!("one of {all} rulesets covers"),
        n => format!("{n} of {all} rulesets cover"),
    };
    format!(
        "The span is {span}; {covering} all of it. Where one does not, its figures stand for its own hours only."
    )
}

fn table(view: View) -> String {
    type Cell<'a> = Box<dyn Fn(&Findings) -> String + 'a>;
    let turns = |found: &Findings| match found.turn_minutes {
        (a, b) if a == b => duration(f64::from(a)),
        (a, b) => format!("{} to {}", duration(f64::from(a)), duration(f64::from(b))),
    };
    let pair = |of: fn(&Findings) -> [u32; 2]| {
        move |found: &Findings| {
            let both = of(found).map(|n| count(f64::from(n)));
            format!("{} {}, {} {}", view.name(0), both[0], view.name(1), both[1])
        }
    };
    let rows: Vec<(&str, Cell)> = vec![
        ("Its own scenario", Box::new(|f| f.scenario.clone())),
        ("Hours covered", Box::new(|f| view.stretch(f.covers))),
        (
            "Half of the games are over by",
            Box::new(|f| half_over(f).map_or_else(String::new, |minute| at(view, minute))),
        ),
        ("A turn", Box::new(turns)),
        (
            "A hex",
            Box::new(|f| format!("{} m", count(f64::from(f.hex_metres)))),
        ),
        ("Counters", Box::new(pair(|f| f.counters))),
        ("Men at the start", Box::new(pair(|f| f.men))),
        ("Guns at the start", Box::new(pair(|f| f.guns))),
        (
            "Players",
            Box::new(|f| {
                format!(
                    "{} {}, {} {}",
                    view.name(0),
                    f.players[0],
                    view.name(1),
                    f.players[1]
                )
            }),
        ),
    ];
    let mut out =
        String::from("<div class=\"scroll\"><table><thead><tr><th scope=\"col\">Ruleset</th>");
    for i in 0..view.contests().len() {
        out += &format!("<th scope=\"col\">{}</th>", caption(view, i));
    }
    out += "</tr></thead><tbody>";
    for (name, cell) in rows {
        out += &format!("<tr><th scope=\"row\">{name}</th>");
        for found in view.contests() {
            out += &format!("<td>{}</td>", escape(&cell(found)));
        }
        out += "</tr>";
    }
    out + "</tbody></table></div>"
}

/// A time, with its date where that is not the page's first.
pub fn at(view: View, minute: i32) -> String {
    if day(minute) == day(view.span().0) && !view.days() {
        return clock(minute);
    }
    format!("{}, {}", day(minute), clock(minute))
}

/// When half of the games of a contest are over: many end before the hours do.
pub fn half_over(found: &Findings) -> Option<i32> {
    let mut minutes: Vec<i32> = found.by_game.iter().map(|game| game.minutes).collect();
    minutes.sort_unstable();
    let half = minutes.get(minutes.len().checked_sub(1)? / 2)?;
    Some(found.covers.0 + half)
}

fn notes(view: View) -> String {
    let items: String = view
        .all
        .notes
        .iter()
        .map(|note| format!("<li>{}</li>", escape(note)))
        .collect();
    if items.is_empty() {
        String::new()
    } else {
        format!("<ul class=\"notes\">{items}</ul>")
    }
}
