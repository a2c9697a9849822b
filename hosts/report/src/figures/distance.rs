//! How far play is from history.

use super::intervals::{LEFT, WIDTH, name, titled};
use crate::svg::{Scale, Shape, Svg, clock_axis, hue, lower_axis, round_up, values_axis};
use crate::view::{About, Section, View, swatch};
use crate::words::{count, distance, escape, list, percent, sentence, some};
use cupola_lab::model::{Distance, Findings, Floor, Topic};
use cupola_lab::stats::Estimate;

const RIGHT: f64 = 150.0;

/// The section.
pub fn section(view: View) -> Section {
    if !is_known(view) {
        return Section {
            id: "distance",
            title: "How far from history",
            claim: claim(view),
            ..Section::default()
        };
    }
    let losses = bars(view, "Losses by corps, off the record", |d| d.losses);
    let places = bars(view, "Places and hours held as recorded", |d| d.places);
    let figure = [
        titled(
            "Losses by corps: difference, as a share of the recorded losses (less is nearer)",
            &losses,
        ),
        titled(
            "Places and hours in the recorded hands (more is nearer)",
            &places,
        ),
        titled(
            "Brigades: distance from where they are recorded, by the hour",
            &lines(view),
        ),
    ];
    Section {
        id: "distance",
        title: "How far from history",
        claim: claim(view),
        figure: yardsticks(view) + &format!("<div class=\"plots\">{}</div>", figure.join("")),
        reading: "Nearness to history is no mark for a game: plans and players differ from those of 1863. It tells where a ruleset lets \
                  the same intentions lead elsewhere. Units are compared only where both the game and the record know their place, a regiment with its \
                  brigade's. The best on a board is every unit in the hex nearest to its place, and no two places in different hands that are held from the same hexes; who is no nearer than random play has no merit by it. \
                  Intervals hold the mean nineteen times in twenty."
            .into(),
        about: About::Games(Topic::Distance),
    }
}

/// What the section says: who is nearest only where that is clear, of the same hours and beyond random play, and nothing of the kind for
/// plans that were made from the record; and who is no nearer than random play.
pub fn claim(view: View) -> String {
    if !is_known(view) {
        return "Nothing is recorded that play could be compared with.".into();
    }
    if view.contests().iter().any(|found| found.plans.from_record) {
        return "The plans of these games were made from the record itself, so that to come near it is no merit of a ruleset: the figures \
                below tell where rules lead the same intentions elsewhere, and rank nobody."
            .to_owned()
            + &no_nearer(view);
    }
    let mut hours = view.contests().iter().map(|found| view.covered(found));
    let first_hours = hours.next();
    if !hours.all(|other| Some(other) == first_hours) {
        return "Each ruleset is held against the record of its own hours, which are not those of the others: none is put before another."
            .to_owned()
            + &no_nearer(view);
    }
    let [(_, stands), (_, holds)] = NEARNESS;
    let (stand, hold) = (first(view, stands), first(view, holds));
    let nearest = match (stand, hold) {
        (Some(stand), Some(hold)) => {
            format!("{stand} is nearest in where the units stand and {hold} in who holds what")
        }
        (Some(stand), None) => format!("{stand} is nearest in where the units stand"),
        (None, Some(hold)) => format!("{hold} is nearest in who holds what"),
        (None, None) => {
            "by none of the measures is one ruleset clearly nearer to the record than the others"
                .into()
        }
    };
    format!("{}.", sentence(&nearest)) + &no_nearer(view)
}

/// A measure of nearness, of which more is nearer: what games come to, and random play.
type Nearness = fn(&Distance) -> Option<(Estimate, Option<f64>)>;

/// What it is called, and how it is measured.
const NEARNESS: [(&str, Nearness); 2] = [
    ("in where the units stand", |d| {
        let random = d.random.and_then(|floor| floor.position);
        Some((negative(d.position?), random.map(|metres| -metres)))
    }),
    ("in who holds what", |d| {
        Some((d.places?, d.random.and_then(|floor| floor.places)))
    }),
];

/// Who is not clearly nearer to the record than random play, and so has no merit by being near.
fn no_nearer(view: View) -> String {
    let all = NEARNESS.iter().flat_map(|(what, of)| {
        let contests = view.contests().iter();
        contests.filter_map(move |found| {
            let (own, random) = of(&found.distance)?;
            (own.low <= random?).then(|| format!("{} {what}", found.name))
        })
    });
    let all: Vec<String> = all.collect();
    if all.is_empty() {
        return String::new();
    }
    format!(
        " No nearer to the record than random play comes {}.",
        list(&all)
    )
}

/// Whether anything is recorded that play can be compared with.
fn is_known(view: View) -> bool {
    let known = |found: &Findings| found.distance.losses.or(found.distance.position).is_some();
    view.contests().iter().any(known)
}

fn negative(estimate: Estimate) -> Estimate {
    Estimate {
        mean: -estimate.mean,
        low: -estimate.high,
        high: -estimate.low,
        ..estimate
    }
}

/// The ruleset whose whole interval lies above those of all others, and above what random play comes to.
fn first(view: View<'_>, of: Nearness) -> Option<&str> {
    let contests = view.contests().iter();
    let known: Vec<(Estimate, Option<f64>, &str)> = contests
        .filter_map(|found| {
            let (own, random) = of(&found.distance)?;
            Some((own, random, found.name.as_str()))
        })
        .collect();
    let (best, random, name) = known.iter().max_by(|a, b| a.0.mean.total_cmp(&b.0.mean))?;
    let clear = known
        .iter()
        .all(|(other, _, of)| of == name || best.apart(other) == Some(true));
    let beyond = random.is_none_or(|random| best.low > random);
    (clear && beyond && known.len() > 1).then_some(*name)
}

/// What stands beside every distance: how much was compared, the best that the board allows, what random play comes to.
fn yardsticks(view: View) -> String {
    let mut out = String::from(
        "<div class=\"scroll\"><table class=\"headline\"><thead><tr><th scope=\"col\">Distance</th>",
    );
    for (i, found) in view.contests().iter().enumerate() {
        out += &format!(
            "<th scope=\"col\">{}{}</th>",
            swatch(i),
            escape(&found.name)
        );
    }
    out += "</tr></thead><tbody>";
    for (name, of) in ROWS {
        out += &format!("<tr><th scope=\"row\">{name}</th>");
        for found in view.contests() {
            let (value, range) = of(found);
            out += &format!("<td><b>{}</b>", escape(&value));
            if !range.is_empty() {
                out += &format!(" <small>{}</small>", escape(&range));
            }
            out += "</td>";
        }
        out += "</tr>";
    }
    out + "</tbody></table></div>"
}

/// A row of yardsticks: its name, and what a ruleset comes to, large and small.
type Yardstick = (&'static str, fn(&Findings) -> (String, String));

const ROWS: [Yardstick; 13] = [
    ("Units off their recorded place", |f| {
        within(f.distance.position, distance)
    }),
    ("… the best that this board allows", |f| {
        known(f.distance.position_best, distance)
    }),
    ("… random play", |f| {
        random(f, |floor| floor.position, distance)
    }),
    ("… units compared", |f| {
        known(Some(f64::from(f.distance.units)), count)
    }),
    ("Places held as recorded", |f| {
        within(f.distance.places, percent)
    }),
    ("… the best that this board allows", |f| {
        known(f.distance.places_best, percent)
    }),
    ("… random play", |f| {
        random(f, |floor| floor.places, percent)
    }),
    ("… held by nobody", |f| {
        within(f.distance.places_nobody, percent)
    }),
    ("… places and hours compared", |f| {
        known(Some(f64::from(f.distance.place_hours)), count)
    }),
    ("Losses by corps, off the record", |f| {
        within(f.distance.losses, percent)
    }),
    ("… at least, as the bands allow", |f| {
        known(f.distance.losses_least, percent)
    }),
    ("… random play", |f| {
        random(f, |floor| floor.losses, percent)
    }),
    ("… corps compared", corps),
];

/// What random play comes to, and by how many games.
fn random(
    found: &Findings,
    of: fn(Floor) -> Option<f64>,
    name: fn(f64) -> String,
) -> (String, String) {
    let Some(floor) = found.distance.random else {
        return known(None, name);
    };
    let games = some(floor.games as usize, "game", "games");
    (known(of(floor), name).0, games)
}

/// How many corps have recorded losses to be held against, and what these come to.
fn corps(found: &Findings) -> (String, String) {
    let recorded = compared(found);
    let men = format!(
        "{} men recorded",
        count(f64::from(recorded.iter().sum::<u32>()))
    );
    (
        count(recorded.len() as f64),
        if recorded.is_empty() {
            String::new()
        } else {
            men
        },
    )
}

/// The recorded losses of every corps that is compared.
pub fn compared(found: &Findings) -> Vec<u32> {
    let recorded = found.corps.iter().filter_map(|corps| corps.recorded);
    recorded.collect()
}

/// A distance as the first table has it: beside it the best that the board allows and what random play comes to.
pub fn beside(
    (mean, interval): (String, String),
    best: Option<f64>,
    floor: Option<f64>,
    name: fn(f64) -> String,
) -> (String, String) {
    let best = best.map(|best| format!("best on this board {}", name(best)));
    let floor = floor.map(|floor| format!("random play {}", name(floor)));
    let notes = [Some(interval), best, floor].into_iter().flatten();
    let notes: Vec<String> = notes.filter(|note| !note.is_empty()).collect();
    (mean, notes.join("; "))
}

/// A mean with its interval, large and small.
pub fn within(estimate: Option<Estimate>, name: fn(f64) -> String) -> (String, String) {
    let Some(of) = estimate else {
        return known(None, name);
    };
    let range = format!("{} to {}", name(of.low), name(of.high));
    (
        name(of.mean),
        if of.games > 1 { range } else { String::new() },
    )
}

fn known(value: Option<f64>, name: fn(f64) -> String) -> (String, String) {
    (value.map_or_else(|| "–".to_owned(), name), String::new())
}

fn bars(view: View, label: &str, of: impl Fn(&Distance) -> Option<Estimate>) -> String {
    let contests = view.contests();
    let height = contests.len() as f64 * 30.0 + 44.0;
    let bottom = height - 32.0;
    let mut svg = Svg::new(WIDTH, height, label);
    let most = contests
        .iter()
        .filter_map(|found| of(&found.distance))
        .map(|estimate| estimate.high)
        .fold(1.0, f64::max);
    let x = Scale::new((0.0, round_up(most)), (LEFT, WIDTH - RIGHT));
    lower_axis(&mut svg, &x, 6.0, bottom, 5, percent);
    for (i, found) in contests.iter().enumerate() {
        let y = 8.0 + 30.0 * (i as f64 + 0.5);
        name(&mut svg, y, &found.name, i);
        let value = of(&found.distance);
        let says = value.map_or_else(|| "not known".to_owned(), |value| percent(value.mean));
        svg.text("says", (WIDTH - RIGHT + 14.0, y + 5.0), "start", &says);
        svg.rect(
            &format!("stretch-r{}", hue(i)),
            (LEFT, y - 9.0),
            x.at(value.map_or(0.0, |value| value.mean)) - LEFT,
            18.0,
        );
        if let Some(value) = value.filter(|value| value.games > 1) {
            svg.whisker((x.at(value.low.max(0.0)), x.at(value.high)), y);
        }
    }
    svg.finish()
}

fn lines(view: View) -> String {
    let contests = view.contests();
    let (width, height, left) = (WIDTH, 300.0, 62.0);
    let (top, bottom) = (12.0, height - 32.0);
    let mut svg = Svg::new(
        width,
        height,
        "Mean distance of brigades from their recorded places, by hour",
    );
    let known = contests
        .iter()
        .flat_map(|found| found.distance.positions.iter().flatten());
    let most = round_up(known.map(|metres| metres.high).fold(500.0, f64::max));
    let (from, to) = view.span();
    let x = Scale::new((f64::from(from), f64::from(to)), (left, width - 120.0));
    let y = Scale::new((0.0, most), (bottom, top));
    values_axis(&mut svg, &y, (left, width - 120.0), distance);
    clock_axis(&mut svg, &x, top, bottom, 7);
    let hours = view.hours();
    let mut labels: Vec<(f64, usize)> = vec![];
    for (i, found) in contests.iter().enumerate() {
        let covered = view.covered(found);
        let points = hours.iter().zip(&found.distance.positions).enumerate();
        let points = points.filter(|(hour, _)| covered.contains(hour));
        let points: Vec<(f64, Estimate)> = points
            .filter_map(|(_, (hour, metres))| Some((x.at(f64::from(*hour)), (*metres)?)))
            .collect();
        for (at, metres) in points.iter().filter(|(_, metres)| metres.games > 1) {
            let ends = [metres.low.max(0.0), metres.high].map(|end| (*at, y.at(end)));
            svg.line("whisker", ends[0], ends[1]);
        }
        let points = points.iter().map(|(at, metres)| (*at, y.at(metres.mean)));
        let points: Vec<(f64, f64)> = points.collect();
        svg.polyline(&format!("way way-{0} ink-r{0}", hue(i)), &points);
        for point in &points {
            svg.mark(&format!("fill-r{}", hue(i)), Shape::ruleset(i), *point, 4.2);
        }
        if let Some(end) = points.last() {
            labels.push((end.1, i));
        }
    }
    labels.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut free = f64::MIN;
    for (at, i) in labels {
        // Names of lines that end close together stand one below the other.
        let at = at.max(free);
        svg.mark(
            &format!("fill-r{}", hue(i)),
            Shape::ruleset(i),
            (width - 106.0, at),
            5.0,
        );
        svg.text("name", (width - 94.0, at + 5.0), "start", &contests[i].name);
        free = at + 19.0;
    }
    svg.finish()
}
