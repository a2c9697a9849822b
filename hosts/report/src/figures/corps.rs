//! Men lost by corps, played and recorded.

use crate::svg::{Scale, Shape, Svg, lower_axis, round_up};
use crate::view::{About, Section, View, caption, class, last, panels, side_key};
use crate::words::{count, fit, list, percent};
use cupola_lab::model::{Findings, Topic};

const WIDTH: f64 = 400.0;
const LEFT: f64 = 150.0;
const ROW: f64 = 26.0;

/// A corps in the order of all panels: side, node, name, recorded loss.
pub struct Corps<'a> {
    /// Whose.
    pub side: usize,
    /// Its node.
    pub id: &'a str,
    /// For people.
    pub name: &'a str,
    /// Men it is recorded to have lost.
    pub recorded: Option<u32>,
}

/// The section.
pub fn section(view: View) -> Section {
    let corps = corps(view);
    let most = most(view);
    let drawn = view.contests().iter().enumerate();
    let drawn = drawn.map(|(i, found)| (caption(view, i), panel(found, &corps, most)));
    Section {
        id: "corps",
        title: "Men lost, corps by corps",
        claim: claim(view, &corps),
        figure: side_key(view, view.has_record()) + &panels(drawn),
        reading: "At the end of the span. The filled mark is the mean of all games, the bar holds eight in ten, the \
                  diamond is what is recorded of the hours and bodies that the ruleset plays. A row without marks: the corps is not in that game. Corps that nobody fought are left out."
            .into(),
        about: About::Games(Topic::Losses),
    }
}

/// Every corps that is played or recorded, by side, in the record's order and then by name.
pub fn corps<'a>(view: View<'a>) -> Vec<Corps<'a>> {
    let recorded = view.all.history.corps.iter();
    let mut all: Vec<Corps> = recorded
        .map(|(side, id, name, men)| Corps {
            side: *side,
            id,
            name,
            recorded: Some(*men),
        })
        .collect();
    for corps in view.contests().iter().flat_map(|found| &found.corps) {
        let lost = corps.lost.iter().any(|spread| spread.high > 0.0);
        if lost && !all.iter().any(|known| known.id == corps.id) {
            all.push(Corps {
                side: corps.side,
                id: &corps.id,
                name: &corps.name,
                recorded: None,
            });
        }
    }
    let played = |id: &str| {
        let corps = view.contests().iter().flat_map(|found| &found.corps);
        let mut of = corps.filter(|corps| corps.id == id);
        of.any(|corps| last(&corps.lost).high > 0.0)
    };
    // Most of an army is elsewhere in most hours.
    all.retain(|corps| corps.recorded.is_some_and(|men| men > 0) || played(corps.id));
    all.sort_by_key(|corps| corps.side);
    all
}

fn most(view: View) -> f64 {
    let corps = view.contests().iter().flat_map(|found| &found.corps);
    let played = corps
        .map(|corps| last(&corps.lost).high)
        .fold(0.0, f64::max);
    let recorded = view
        .all
        .history
        .corps
        .iter()
        .map(|corps| f64::from(corps.3));
    round_up(recorded.fold(played, f64::max).max(100.0))
}

fn claim(view: View, corps: &[Corps]) -> String {
    let said = view.contests().iter().filter_map(|found| {
        let (name, played, men, beyond) = furthest(found, corps)?;
        if beyond <= 0.0 {
            let title = &found.name;
            return Some(format!(
                "in {title} no corps is clearly off the record, whatever a loss stands for"
            ));
        }
        let more = if played > men { "more" } else { "fewer" };
        Some(format!(
            "in {} {name} is furthest from the record ({} for {}, {} {more} at least, whatever a loss stands for)",
            found.name,
            count(played),
            count(men),
            count(beyond)
        ))
    });
    let said: Vec<String> = said.collect();
    let begin = lost_most(view);
    if said.is_empty() {
        return begin.trim_end().to_owned();
    }
    format!("{begin}{}.", crate::words::sentence(&list(&said)))
}

/// Which corps is recorded to have lost most, if what is doubtful in the record lets that be said.
fn lost_most(view: View) -> String {
    let history = &view.all.history;
    let mut all: Vec<(&str, u32, (u32, u32))> = history
        .corps
        .iter()
        .enumerate()
        .map(|(i, (_, _, name, men))| {
            let band = history.corps_bands.get(i).copied();
            (name.as_str(), *men, band.unwrap_or((*men, *men)))
        })
        .collect();
    all.sort_by_key(|(_, men, _)| std::cmp::Reverse(*men));
    let sum: f64 = all.iter().map(|(_, men, _)| f64::from(*men)).sum();
    let Some(&(name, men, _)) = all.first() else {
        return String::new();
    };
    // Somebody has lost so many at least: who cannot have lost as many has not lost most.
    let least = all.iter().map(|(_, _, (least, _))| *least).max();
    let rivals = all
        .iter()
        .filter(|(_, men, (_, most))| *men > 0 && Some(*most) >= least);
    let doubtful = |(name, men, (low, high)): &(&str, u32, (u32, u32))| {
        let [men, low, high] = [men, low, high].map(|men| count(f64::from(*men)));
        if low == high {
            return format!("{name} {men}");
        }
        format!("{name} {men} ({low} to {high})")
    };
    let rivals: Vec<String> = rivals.map(doubtful).collect();
    if rivals.len() > 1 {
        return format!(
            "Which corps lost most in history is not known, by what is doubtful in the record: {}. ",
            list(&rivals)
        );
    }
    format!(
        "In history {name} lost most, {} men or {} of all losses. ",
        count(f64::from(men)),
        percent(f64::from(men) / sum.max(1.0))
    )
}

/// The corps whose loss is furthest from what is recorded, beyond its interval at both ends of what a loss may stand for and of what is
/// doubtful in the record: its name, the mean, the record, and how far beyond.
fn furthest<'c>(found: &Findings, corps: &[Corps<'c>]) -> Option<(&'c str, f64, f64, f64)> {
    let [low, _, high] = match found.band.high {
        0 => [1.0; 3],
        _ => found.band.factors(),
    };
    let known = corps.iter().filter_map(|corps| {
        let played = found.corps.iter().find(|played| played.id == corps.id)?;
        let men = f64::from(played.recorded?);
        let of = last(&played.lost).estimate();
        let (least, most) = played.recorded_band.unwrap_or((men, men));
        let beyond = (least - of.high * high).max(of.low * low - most);
        Some((corps.name, of.mean, men, beyond))
    });
    known.max_by(|a, b| a.3.total_cmp(&b.3))
}

fn panel(found: &Findings, corps: &[Corps], most: f64) -> String {
    let height = corps.len() as f64 * ROW + 44.0;
    let bottom = height - 32.0;
    let label = format!("{}: men lost by corps, played and recorded", found.name);
    let mut svg = Svg::new(WIDTH, height, &label);
    let x = Scale::new((0.0, most), (LEFT, WIDTH - 16.0));
    lower_axis(&mut svg, &x, 6.0, bottom, 4, count);
    for (i, corps) in corps.iter().enumerate() {
        let y = 8.0 + ROW * (i as f64 + 0.5);
        svg.line("rule", (0.0, y + ROW / 2.0), (WIDTH, y + ROW / 2.0));
        svg.text("name", (0.0, y + 5.0), "start", &fit(corps.name, 20));
        let kind = class(corps.side);
        let played = found.corps.iter().find(|played| played.id == corps.id);
        if let Some(played) = played {
            let lost = last(&played.lost);
            svg.open(&format!(
                "{}: {} men lost on average, eight games in ten between {} and {}",
                corps.name,
                count(lost.mean),
                count(lost.low),
                count(lost.high)
            ));
            let (low, high) = (x.at(lost.low), x.at(lost.high));
            svg.rect(&format!("stretch-{kind}"), (low, y - 3.5), high - low, 7.0);
            svg.mark(
                &format!("fill-{kind}"),
                Shape::side(corps.side),
                (x.at(lost.mean), y),
                5.5,
            );
            svg.close();
        }
        // Of the hours that are played; nothing is held against a game that the corps is not in.
        if let Some(men) = played.and_then(|played| played.recorded) {
            let men = f64::from(men);
            svg.open(&format!("{}: {} men recorded", corps.name, count(men)));
            svg.mark("hollow", Shape::Diamond, (x.at(men), y), 5.5);
            svg.close();
        }
    }
    svg.finish()
}
