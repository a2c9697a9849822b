//! What each rule system says about the same battle, in one table.

use crate::view::{Section, View, last};
use crate::words::{clock, count, distance, duration, escape, list, moment, percent, short};
use cupola_lab::model::{Findings, Share, Spread, Topic};

/// A row: its name, a cell for each contest, and what is recorded.
struct Row {
    name: String,
    cells: Vec<(String, String)>,
    recorded: String,
}

/// The section.
pub fn section(view: View) -> Section {
    Section {
        id: "headline",
        title: "What each rule system says about the same battle",
        claim: claim(view),
        figure: table(view),
        reading: "Large figures are means over all games; in small type the stretch that eight games in ten lie in, or for \
                  shares the interval in which the true share lies nineteen times in twenty."
            .into(),
        topic: Some(Topic::Headline),
    }
}

fn claim(view: View) -> String {
    let mut said = vec![];
    for side in [0, 1] {
        let totals = view.contests().iter().filter(|found| found.games > 0);
        let mut totals: Vec<(f64, &str)> = totals
            .map(|found| (last(&found.men_lost[side]).mean, found.title.as_str()))
            .collect();
        totals.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (Some(least), Some(most)) = (totals.first(), totals.last()) else {
            continue;
        };
        let range = if totals.len() == 1 {
            format!("{} men ({})", count(least.0), least.1)
        } else {
            format!(
                "from {} men ({}) to {} ({})",
                count(least.0),
                least.1,
                count(most.0),
                most.1
            )
        };
        let recorded = view
            .recorded(side)
            .map_or_else(String::new, |men| format!("; {} are recorded", count(men)));
        said.push(format!("{} loses {range}{recorded}", view.side(side)));
    }
    if said.is_empty() {
        return "No game was played to its end.".into();
    }
    format!(
        "{}.",
        crate::words::sentence(&said.join(". The ").replace("The the", "The"))
    )
}

fn with(spread: &Spread, name: impl Fn(f64) -> String) -> (String, String) {
    if spread.games == 0 {
        return ("–".into(), String::new());
    }
    (
        name(spread.mean),
        format!("{} to {}", name(spread.low), name(spread.high)),
    )
}

fn share(share: &Share) -> (String, String) {
    if share.of == 0 {
        return ("–".into(), String::new());
    }
    (
        percent(f64::from(share.count) / f64::from(share.of)),
        format!("{} to {}", percent(share.low), percent(share.high)),
    )
}

fn plain(text: Option<String>) -> (String, String) {
    (text.unwrap_or_else(|| "–".into()), String::new())
}

fn rows(view: View) -> Vec<Row> {
    let each = |cell: &dyn Fn(&Findings) -> (String, String)| -> Vec<(String, String)> {
        view.contests().iter().map(cell).collect()
    };
    let row = |name: &str, cells, recorded: String| Row {
        name: name.to_owned(),
        cells,
        recorded,
    };
    let none = String::new;
    let mut rows = vec![row(
        "Games played",
        each(&|f| plain(Some(count(f64::from(f.games))))),
        none(),
    )];
    for side in [0, 1] {
        let name = format!("{} wins", view.name(side));
        rows.push(row(&name, each(&|f| share(&f.balance[side])), none()));
    }
    rows.push(row("Drawn", each(&|f| share(&f.balance[2])), none()));
    for side in [0, 1] {
        let recorded = view.recorded(side).map_or_else(none, count);
        let name = format!("Men lost, {}", view.name(side));
        rows.push(row(
            &name,
            each(&|f| with(&last(&f.men_lost[side]), count)),
            recorded,
        ));
    }
    let moved = |moved: &[f64], covered: std::ops::Range<usize>| {
        let inside: f64 = moved.get(covered).unwrap_or(&[]).iter().sum();
        (!moved.is_empty()).then(|| distance(inside))
    };
    let history = &view.all.history.front_moved;
    rows.push(row(
        "Front moved, all hours",
        each(&|f| plain(moved(&f.front_moved, view.covered(f)))),
        moved(history, 0..history.len()).unwrap_or_default(),
    ));
    rows.extend(times(&each));
    rows
}

/// What a cell says, large and small.
type Cell = (String, String);

/// Makes a cell for every contest.
type Each<'a> = &'a dyn Fn(&dyn Fn(&Findings) -> Cell) -> Vec<Cell>;

fn times(each: Each) -> Vec<Row> {
    let time = |minute: f64| clock(minute.round() as i32);
    let orders = |f: &Findings| {
        let both = f.idle_orders.iter().filter(|spread| spread.games > 0);
        let both: Vec<f64> = both.map(|spread| spread.mean).collect();
        let mean = both.iter().sum::<f64>() / both.len().max(1) as f64;
        plain((!both.is_empty()).then(|| percent(mean)))
    };
    let luck = |f: &Findings| {
        f.luck.map_or_else(
            || plain(None),
            |luck| {
                (
                    format!("{:.2}", luck.index),
                    format!("{:.2} to {:.2}", luck.low, luck.high),
                )
            },
        )
    };
    let rows = [
        (
            "First contact",
            each(&|f| with(&f.tempo.first_contact, time)),
        ),
        ("First attack", each(&|f| with(&f.tempo.first_attack, time))),
        (
            "A fight lasts",
            each(&|f| with(&f.contact_minutes, duration)),
        ),
        ("Orders that did nothing", each(&orders)),
        ("Decisions in a game", each(&|f| with(&f.decisions, count))),
        (
            "Decisions per hour of battle",
            each(&|f| with(&f.decisions_per_hour, short)),
        ),
        ("Luck index: 0 skill, 1 dice", each(&luck)),
        (
            "Losses by corps, off the record by",
            each(&|f| plain(f.distance.losses.map(percent))),
        ),
        (
            "Places held as recorded",
            each(&|f| plain(f.distance.places.map(percent))),
        ),
        (
            "Brigades off their recorded place by",
            each(&|f| plain(f.distance.position.map(distance))),
        ),
    ];
    rows.into_iter()
        .map(|(name, cells)| Row {
            name: name.to_owned(),
            cells,
            recorded: String::new(),
        })
        .collect()
}

fn table(view: View) -> String {
    let mut out = String::from(
        "<div class=\"scroll\"><table class=\"headline\"><thead><tr><th scope=\"col\">Measure</th>",
    );
    for found in view.contests() {
        out += &format!("<th scope=\"col\">{}</th>", escape(&found.title));
    }
    out += "<th scope=\"col\" class=\"rec\">Recorded</th></tr></thead><tbody>";
    for row in rows(view) {
        out += &format!("<tr><th scope=\"row\">{}</th>", escape(&row.name));
        for (value, range) in row.cells {
            out += &format!("<td><b>{}</b>", escape(&value));
            if !range.is_empty() {
                out += &format!(" <small>{}</small>", escape(&range));
            }
            out += "</td>";
        }
        out += &format!("<td class=\"rec\">{}</td></tr>", escape(&row.recorded));
    }
    out + "</tbody></table></div>"
}

/// The line under the page's title: what was played, and how often.
pub fn subtitle(view: View) -> String {
    let played = view.contests().iter();
    let played: Vec<String> = played
        .map(|found| format!("{} games of {}", count(f64::from(found.games)), found.title))
        .collect();
    let hours = &view.all.hours;
    let span = match (hours.first(), hours.last()) {
        (Some(from), Some(to)) if view.days() => {
            format!("{} to {}", moment(&from.1), moment(&to.1))
        }
        (Some(from), Some(to)) => format!("{} to {}", moment(&from.1), clock(to.0)),
        _ => String::new(),
    };
    format!("{span} · {}", list(&played))
}
