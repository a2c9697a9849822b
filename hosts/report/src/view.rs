//! What all figures need: names of sides and hours, sections, and games that bear a claim out.

use crate::words::{clock, escape, moment};
use cupola_lab::model::{Comparison, Findings, Spread, Topic};

/// A comparison with the names by which the page calls things.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// What was found.
    pub all: &'a Comparison,
}

impl<'a> View<'a> {
    /// Everything that was played.
    pub fn contests(&self) -> &'a [Findings] {
        &self.all.contests
    }

    /// A side as sentences call it.
    pub fn side(&self, side: usize) -> String {
        format!("the {} side", self.name(side))
    }

    /// A side's name.
    pub fn name(&self, side: usize) -> &'a str {
        self.all.sides.get(side).map_or("", |(_, name)| name)
    }

    /// A side's letter for small cells; `1` and `2` where the names begin alike.
    pub fn letter(&self, side: usize) -> char {
        let first = |i: usize| self.name(i).chars().next();
        match (first(0), first(1)) {
            (Some(a), Some(b)) if a != b => [a, b][side.min(1)],
            _ => ['1', '2'][side.min(1)],
        }
    }

    /// The minutes of the hours.
    pub fn hours(&self) -> Vec<i32> {
        self.all.hours.iter().map(|(minute, _)| *minute).collect()
    }

    /// From the first hour to the last.
    pub fn span(&self) -> (i32, i32) {
        let hours = &self.all.hours;
        (
            hours.first().map_or(0, |hour| hour.0),
            hours.last().map_or(60, |hour| hour.0),
        )
    }

    /// Whether the span is longer than a day, so that a time needs its date.
    pub fn days(&self) -> bool {
        let (from, to) = self.span();
        to - from > 24 * 60
    }

    /// A time, with its date where the span is longer than a day.
    pub fn time(&self, minute: i32) -> String {
        if !self.days() {
            return clock(minute);
        }
        let known = self.all.hours.iter().rev().find(|hour| hour.0 <= minute);
        let name = known.map_or_else(String::new, |(_, name)| moment(name));
        match name.split_once(',') {
            Some((day, _)) => format!("{day}, {}", clock(minute)),
            None => clock(minute),
        }
    }

    /// The hours that a contest covers, as indices: outside them its figures only repeat its first or last state.
    pub fn covered(&self, found: &Findings) -> std::ops::Range<usize> {
        let (from, to) = found.covers;
        let hours = &self.all.hours;
        let start = hours.partition_point(|hour| hour.0 < from);
        let end = hours.partition_point(|hour| hour.0 <= to);
        start.min(end)..end
    }

    /// Men that a side is recorded to have lost in the span, if anything is recorded.
    pub fn recorded(&self, side: usize) -> Option<f64> {
        let corps = &self.all.history.corps;
        let of: Vec<u32> = corps.iter().filter(|c| c.0 == side).map(|c| c.3).collect();
        (!of.is_empty()).then(|| of.iter().map(|men| f64::from(*men)).sum())
    }
}

/// The last of a row of spreads.
pub fn last(spreads: &[Spread]) -> Spread {
    spreads.last().copied().unwrap_or_default()
}

/// A figure with its words.
#[derive(Default)]
pub struct Section {
    /// Its name within the page.
    pub id: &'static str,
    /// Its heading.
    pub title: &'static str,
    /// What it shows, said with its numbers.
    pub claim: String,
    /// The figure, as markup.
    pub figure: String,
    /// How to read it.
    pub reading: String,
    /// Which witnesses bear it out.
    pub topic: Option<Topic>,
}

impl Section {
    /// The section as markup.
    pub fn markup(&self, view: View) -> String {
        let (id, title) = (self.id, self.title);
        let mut out = format!(
            "<section id=\"{id}\" aria-labelledby=\"{id}-h\"><h2 id=\"{id}-h\">{title}</h2>"
        );
        if !self.claim.is_empty() {
            out += &format!("<p class=\"claim\">{}</p>", escape(&self.claim));
        }
        out += &format!("<div class=\"figure\">{}</div>", self.figure);
        if !self.reading.is_empty() {
            out += &format!("<p class=\"reading\">{}</p>", escape(&self.reading));
        }
        out += &witnesses(view, self.topic);
        out + "</section>\n"
    }
}

/// Games that show what a section says, and how to open them.
fn witnesses(view: View, topic: Option<Topic>) -> String {
    let mut items = String::new();
    for found in view.contests() {
        for witness in &found.witnesses {
            if !witness.topics.iter().any(|about| Some(*about) == topic) {
                continue;
            }
            items += &format!(
                "<li><b>{}</b>: {} <span class=\"seed\">game {}, seed {}</span><span class=\"copy\"><code>cupola replay games/{}-{}.journal</code></span></li>",
                escape(&found.title),
                escape(&witness.shows),
                witness.game,
                escape(&witness.seed),
                escape(&witness.contest),
                witness.game,
            );
        }
    }
    if items.is_empty() {
        return String::new();
    }
    format!(
        "<details class=\"games\"><summary>Games that show it</summary><ul>{items}</ul></details>"
    )
}

/// Panels side by side, each under its name.
pub fn panels(panels: impl IntoIterator<Item = (String, String)>) -> String {
    beside("panels", panels)
}

/// Panels that need more room, side by side where there is any.
pub fn broad_panels(panels: impl IntoIterator<Item = (String, String)>) -> String {
    beside("panels broad", panels)
}

fn beside(class: &str, panels: impl IntoIterator<Item = (String, String)>) -> String {
    let inside: String = panels
        .into_iter()
        .map(|(name, svg)| {
            let name = escape(&name);
            format!("<figure><figcaption>{name}</figcaption>{svg}</figure>")
        })
        .collect();
    format!("<div class=\"{class}\">{inside}</div>")
}

/// What the marks of the two sides look like.
pub fn side_key(view: View, recorded: bool) -> String {
    let item = |class: &str, shape: &str, name: &str| {
        format!(
            "<span class=\"key\"><svg class=\"swatch\" viewBox=\"0 0 44 18\" aria-hidden=\"true\"><line class=\"line-{class}\" x1=\"2\" y1=\"9\" x2=\"42\" y2=\"9\"/>{shape}</svg>{}</span>",
            escape(name)
        )
    };
    let mut out = String::from("<p class=\"keys\">");
    out += &item(
        "a",
        "<circle class=\"fill-a\" cx=\"22\" cy=\"9\" r=\"5\"/>",
        view.name(0),
    );
    out += &item(
        "b",
        "<rect class=\"fill-b\" x=\"17\" y=\"4\" width=\"10\" height=\"10\"/>",
        view.name(1),
    );
    if recorded {
        out += &item(
            "h",
            "<polygon class=\"hollow\" points=\"22,2 29,9 22,16 15,9\"/>",
            "recorded",
        );
    }
    out + "</p>"
}

/// The class of a side.
pub fn class(side: usize) -> char {
    if side == 0 { 'a' } else { 'b' }
}
