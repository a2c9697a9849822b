//! What all figures need: names of sides and hours, sections, and games that bear a claim out.

use crate::svg::{Shape, Svg, hue};
use crate::words::{clock, day, escape, moment, ranged};
use cupola_lab::model::{Comparison, Findings, Spread, Topic, Witness};

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

    /// A turn by its hours, with its date where the span is longer than a day.
    pub fn turn(&self, (from, to): (i32, i32)) -> String {
        format!("{}–{}", self.time(from), clock(to))
    }

    /// Hours that an axis names, by index: the days where the span is longer than one, or some hours of the day.
    pub fn ticks(&self) -> Vec<(usize, String)> {
        let hours = self.hours();
        let every = (hours.len() / 5).max(1);
        let named = hours.into_iter().enumerate();
        if self.days() {
            let days = named.filter(|(_, hour)| hour.rem_euclid(24 * 60) == 0);
            return days.map(|(i, hour)| (i, day(hour))).collect();
        }
        named
            .step_by(every)
            .map(|(i, hour)| (i, clock(hour)))
            .collect()
    }

    /// From when to when, with the dates where they differ.
    pub fn stretch(&self, (from, to): (i32, i32)) -> String {
        let (first, last) = (crate::words::day(from), crate::words::day(to));
        if first == last && !self.days() {
            return format!("{} to {}", clock(from), clock(to));
        }
        if first == last {
            return format!("{first}, {} to {}", clock(from), clock(to));
        }
        format!("{first}, {} to {last}, {}", clock(from), clock(to))
    }

    /// The hours that a contest covers, as indices: outside them its figures only repeat its first or last state.
    pub fn covered(&self, found: &Findings) -> std::ops::Range<usize> {
        let (from, to) = found.covers;
        let hours = &self.all.hours;
        let start = hours.partition_point(|hour| hour.0 < from);
        let end = hours.partition_point(|hour| hour.0 <= to);
        start.min(end)..end
    }

    /// Men that a side is recorded to have lost in the hours that a contest plays.
    pub fn recorded_of(&self, found: &Findings, side: usize) -> Option<f64> {
        let own = found.recorded[side].men.map(f64::from);
        own.or_else(|| self.recorded(side))
    }

    /// How far a side is recorded to have pushed the front in the hours that a contest plays.
    pub fn pushed_in(&self, found: &Findings, side: usize) -> Option<f64> {
        let moved = &self.all.history.front_moved[side];
        let covered = self.covered(found);
        // An hour's push stands at its end: that of the first hour was made before it.
        let from = if covered.start == 0 {
            0
        } else {
            covered.start + 1
        };
        let own = moved.get(from..covered.end.min(moved.len()))?;
        (!moved.is_empty()).then(|| own.iter().sum())
    }

    /// How far a side is recorded to have pushed the front in all hours of the page.
    pub fn pushed_in_all(&self, side: usize) -> Option<f64> {
        let moved = &self.all.history.front_moved[side];
        (!moved.is_empty()).then(|| moved.iter().sum())
    }

    /// Whether anything is recorded of the battle: some were never fought.
    pub fn has_record(&self) -> bool {
        let history = &self.all.history;
        !(history.corps.is_empty() && history.fronts.is_empty() && history.places.is_empty())
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

/// Means from the least to the most, and whether the least and the most are clear of all others: only then are they called so.
pub struct Ranked {
    /// The means, and what they are of.
    pub all: Vec<(Spread, String)>,
    /// Whether the interval of the least lies below all others.
    pub least: bool,
    /// Whether the interval of the most lies above all others.
    pub most: bool,
}

impl Ranked {
    /// Of what was seen in some game.
    pub fn of(all: impl IntoIterator<Item = (Spread, String)>) -> Ranked {
        let seen = all.into_iter().filter(|(spread, _)| spread.games > 0);
        let mut all: Vec<(Spread, String)> = seen.collect();
        all.sort_by(|a, b| a.0.mean.total_cmp(&b.0.mean));
        let clear = |one: Option<&(Spread, String)>, above: bool| {
            let Some((one, name)) = one else { return false };
            let mut others = all.iter().filter(|(_, other)| other != name);
            others.all(|(other, _)| one.estimate().apart(&other.estimate()) == Some(above))
        };
        Ranked {
            least: clear(all.first(), false),
            most: clear(all.last(), true),
            all,
        }
    }

    /// Every mean in words with its interval, from the least to the most.
    pub fn means(&self, say: impl Fn(f64) -> String) -> String {
        let all = self.all.iter();
        let all: Vec<String> = all
            .map(|(spread, of)| format!("{} {of}", ranged(&spread.estimate(), &say)))
            .collect();
        crate::words::list(&all)
    }
}

/// What a section is about, and so what it must show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum About {
    /// Claims about games: each is borne out by games that can be opened.
    Games(Topic),
    /// The page itself: what was played and how.
    #[default]
    Scope,
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
    /// What it is about.
    pub about: About,
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
        let games = match self.about {
            About::Games(topic) => see(view, topic),
            About::Scope => String::new(),
        };
        let figure = format!("<div class=\"figure\">{}</div>", self.figure);
        // Games stand with the claim; where the figure makes the claims, after it.
        out += &if self.claim.is_empty() {
            figure + &games
        } else {
            games + &figure
        };
        if !self.reading.is_empty() {
            out += &format!("<p class=\"reading\">{}</p>", escape(&self.reading));
        }
        out + "</section>\n"
    }
}

/// The name of a cited game within the page.
pub fn anchor(witness: &Witness) -> String {
    format!("game-{}-{}", witness.contest, witness.game)
}

/// A link to a cited game, where its seed and its command stand.
pub fn cite(witness: &Witness, words: &str) -> String {
    format!(
        "<a class=\"cite\" href=\"#{}\">{}</a>",
        escape(&anchor(witness)),
        escape(words)
    )
}

/// Games that show what a section says, as links to their seeds: a line for each ruleset.
pub fn see(view: View, topic: Topic) -> String {
    let mut lines = String::new();
    for (i, found) in view.contests().iter().enumerate() {
        let about = found
            .witnesses
            .iter()
            .filter(|witness| witness.topics.contains(&topic));
        let games: Vec<String> = about
            .map(|witness| {
                let words = format!("game {}", number(found, witness));
                format!("{} {}", cite(witness, &words), escape(&witness.shows))
            })
            .collect();
        if !games.is_empty() {
            let (mark, name) = (swatch(i), escape(&found.name));
            lines += &format!("<li>{mark}<b>{name}</b> {}</li>", games.join(" · "));
        }
    }
    if lines.is_empty() {
        return String::new();
    }
    format!("<div class=\"see\"><p>Games that show it</p><ul>{lines}</ul></div>")
}

/// A game's number, with what its contest is called beyond its ruleset: `12`, or `luck-first 3`.
pub fn number(found: &Findings, witness: &Witness) -> String {
    let more = witness
        .contest
        .strip_prefix(&found.name)
        .unwrap_or(&witness.contest);
    let more = more.trim_start_matches('-');
    format!("{more} {}", witness.game).trim().to_owned()
}

/// The mark of a ruleset: the same shape and colour on the whole page.
pub fn swatch(ruleset: usize) -> String {
    let mut svg = Svg::new(16.0, 16.0, "");
    svg.mark(
        &format!("fill-r{}", hue(ruleset)),
        Shape::ruleset(ruleset),
        (8.0, 8.0),
        6.0,
    );
    svg.small("rs")
}

/// The caption of a ruleset's panel: mark, short name, title.
pub fn caption(view: View, ruleset: usize) -> String {
    let found = &view.contests()[ruleset];
    let title = if found.title == found.name {
        String::new()
    } else {
        format!(" <small>{}</small>", escape(&found.title))
    };
    format!("{}{}{title}", swatch(ruleset), escape(&found.name))
}

/// The caption of what is recorded.
pub const RECORDED: &str = "As recorded <small>what is known of the battle itself</small>";

/// Panels side by side, each under its caption, which is markup.
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
        .map(|(caption, svg)| format!("<figure><figcaption>{caption}</figcaption>{svg}</figure>"))
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
