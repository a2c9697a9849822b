//! Reading the record of a battle, and saying everything that is wrong with it at once.

use std::collections::BTreeMap;
use std::path::Path;
use std::str::FromStr;

use csv::{ReaderBuilder, StringRecord};
use cupola_data::{Origin, Problem, Problems, Source};
use serde::Deserialize;

use super::{Held, History, Omitted, Stand, Toll};
use crate::battle::Reference;
use crate::clock::{Moment, Span};
use crate::node::{Kind, Sure};
use crate::tree::{Army, NodeId};

const COLUMNS: [&str; 6] = ["who", "at", "lat", "lon", "men", "sure"];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HistoryFile {
    /// The battle whose record it is.
    battle: String,
    /// The hours that the record covers: from, to.
    span: Span,
    /// Where the facts come from.
    sources: Vec<Reference>,
    /// What the sources have and the record has not, and why.
    left_out: Vec<Omitted>,
    /// Who held the named places, and when.
    places: Vec<PlaceFile>,
    /// Who lost how many men, and when.
    losses: Vec<TollFile>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlaceFile {
    /// The place, by its id on the battlefield.
    place: String,
    /// The times at which one side held it; between them it was empty or in dispute.
    held: Vec<Held>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TollFile {
    /// The body, by its node in the army list.
    who: String,
    /// The beginning of the hours.
    from: Moment,
    /// The end of the hours.
    to: Moment,
    /// Killed, wounded, captured and missing in these hours.
    men: u32,
    /// The least and the most, where that is doubtful.
    #[serde(default)]
    band: Option<(u32, u32)>,
    /// How that is known.
    origin: Origin,
    /// Whether its sum is doubtful, too.
    #[serde(default)]
    open: bool,
}

type Tracks = BTreeMap<NodeId, Vec<Stand>>;

impl History {
    /// Reads `history.ron` and `positions.csv` in a folder and checks them against the army list and the
    /// names of the battlefield's places.
    pub fn read(folder: &Path, army: &Army, places: &[&str]) -> Result<History, Problems> {
        let mut problems = Problems::new();
        let head = problems.keep(Source::read(&folder.join("history.ron")));
        let rows = problems.keep(Source::read(&folder.join("positions.csv")));
        match (head, rows) {
            (Some(head), Some(rows)) => History::parse(&head, &rows, army, places),
            _ => Err(problems.sorted()),
        }
    }

    /// The same from texts at hand.
    pub fn parse(
        head: &Source,
        rows: &Source,
        army: &Army,
        places: &[&str],
    ) -> Result<History, Problems> {
        let mut problems = Problems::new();
        let tracks = problems.keep_all(tracks(rows, army));
        let Some(file) = problems.keep(head.ron::<HistoryFile>()) else {
            return Err(problems.sorted());
        };
        check_head(head, &file, army, places, &mut problems);
        let Some(tracks) = tracks else {
            return Err(problems.sorted());
        };
        let tolls = file.losses.into_iter();
        let tolls = tolls.filter_map(|toll| full(toll, army, &tracks)).collect();
        let held = file.places.into_iter();
        problems.check(History {
            span: file.span,
            sources: file.sources,
            left_out: file.left_out,
            tracks,
            places: held.map(|place| (place.place, place.held)).collect(),
            tolls,
        })
    }
}

fn check_head(
    head: &Source,
    file: &HistoryFile,
    army: &Army,
    places: &[&str],
    problems: &mut Problems,
) {
    if file.battle.is_empty() {
        problems.push(head.problem("battle", "must not be empty"));
    }
    if file.span.minutes() <= 0 {
        problems.push(head.problem("span.to", "the record ends before it begins"));
    }
    for (index, place) in file.places.iter().enumerate() {
        let path = format!("places[{index}]");
        let name = place.place.as_str();
        if !places.contains(&name) {
            let problem = head.problem(&format!("{path}.place"), format!("no place \"{name}\""));
            problems.push(problem.with_nearest(name, places.iter().copied()));
        }
        if file.places[..index].iter().any(|other| other.place == name) {
            let message = format!("\"{name}\" has an entry already");
            problems.push(head.problem(&format!("{path}.place"), message));
        }
        check_held(head, &path, place, file.span, army, problems);
    }
    for (index, toll) in file.losses.iter().enumerate() {
        check_toll(head, &format!("losses[{index}]"), toll, army, problems);
    }
    check_sums(head, &file.losses, army, problems);
}

/// A place is held by an army, one at a time, within the record.
fn check_held(
    head: &Source,
    path: &str,
    place: &PlaceFile,
    span: Span,
    army: &Army,
    problems: &mut Problems,
) {
    let mut free = span.from;
    for (index, held) in place.held.iter().enumerate() {
        let path = format!("{path}.held[{index}]");
        let armies = || army.armies().map(|id| army.node(id).id.as_str());
        if !armies().any(|id| id == held.by) {
            let problem = head.problem(&format!("{path}.by"), format!("no army \"{}\"", held.by));
            problems.push(problem.with_nearest(&held.by, armies()));
        }
        let to = held.to.unwrap_or(span.to);
        if held.from < free {
            let message = format!("begins before {free}, when the place was not free");
            problems.push(head.problem(&format!("{path}.from"), message));
        }
        if to <= held.from || to > span.to {
            let message = format!("\"{to}\" is not between its beginning and {}", span.to);
            problems.push(head.problem(&format!("{path}.to"), message));
        }
        free = free.max(to);
    }
}

fn check_toll(head: &Source, path: &str, toll: &TollFile, army: &Army, problems: &mut Problems) {
    if army.get(&toll.who).is_none() {
        let message = format!("no node \"{}\" in the army list", toll.who);
        let problem = head.problem(&format!("{path}.who"), message);
        problems.push(problem.with_nearest(&toll.who, army.names()));
    }
    if toll.to <= toll.from {
        problems.push(head.problem(&format!("{path}.to"), "the hours end before they begin"));
    }
    if let Some((low, high)) = toll.band
        && !(low..=high).contains(&toll.men)
    {
        let message = format!("{} is not within {low} to {high}", toll.men);
        problems.push(head.problem(&format!("{path}.band"), message));
    }
}

/// What a body lost in all its hours is what the army list says, and nobody's loss is counted twice.
fn check_sums(head: &Source, losses: &[TollFile], army: &Army, problems: &mut Problems) {
    let mut sums: BTreeMap<NodeId, (usize, u32)> = BTreeMap::new();
    for (index, toll) in losses.iter().enumerate() {
        if let Some(node) = army.get(&toll.who) {
            sums.entry(node).or_insert((index, 0)).1 += toll.men;
        }
    }
    for (node, (index, sum)) in &sums {
        let (id, listed) = (&army.node(*node).id, army.losses(*node).total());
        if *sum != listed {
            let message = format!("\"{id}\" loses {sum} in all, the army list has {listed}");
            problems.push(head.problem(&format!("losses[{index}].men"), message));
        }
        check_bands(head, losses, id, listed, problems);
        let above = army.ancestors(*node).skip(1);
        if let Some(whole) = above.into_iter().find(|whole| sums.contains_key(whole)) {
            let message = format!(
                "\"{id}\" is counted with \"{}\" already",
                army.node(whole).id
            );
            problems.push(head.problem(&format!("losses[{index}].who"), message));
        }
    }
}

/// No band of a body reaches further than what its other bands leave of all that it lost.
fn check_bands(head: &Source, losses: &[TollFile], id: &str, lost: u32, problems: &mut Problems) {
    let own = || losses.iter().enumerate().filter(|(_, toll)| toll.who == id);
    let least = |toll: &TollFile| toll.band.map_or(toll.men, |band| band.0);
    let all: u32 = own().map(|(_, toll)| least(toll)).sum();
    for (index, toll) in own().filter(|(_, toll)| !toll.open) {
        let left = (lost + least(toll)).saturating_sub(all);
        if let Some((_, high)) = toll.band.filter(|band| band.1 > left) {
            let message = format!("{high} is more than the others leave of {lost}: {left}");
            problems.push(head.problem(&format!("losses[{index}].band"), message));
        }
    }
}

/// A toll with the shape of its fall; none if its node is not known.
fn full(toll: TollFile, army: &Army, tracks: &Tracks) -> Option<Toll> {
    let who = army.get(&toll.who)?;
    let span = Span {
        from: toll.from,
        to: toll.to,
    };
    let own = tracks.get(&who).into_iter();
    // A brigade of guns has no track of its own; its batteries have.
    let parts = army.descendants(who).into_iter().skip(1);
    let parts = parts.filter_map(|part| tracks.get(&part));
    let tracks: Vec<&Vec<Stand>> = if own.len() > 0 {
        own.collect()
    } else {
        parts.collect()
    };
    let pairs = tracks.iter().flat_map(|track| track.windows(2));
    let fall = |pair: &[Stand]| {
        let [before, after] = pair else { return None };
        let (from, to) = (before.at, after.at);
        let inside = span.from <= from && to <= span.to;
        (inside && after.men < before.men).then(|| (Span { from, to }, before.men - after.men))
    };
    let mut falls: Vec<(Span, u32)> = pairs.filter_map(fall).collect();
    if falls.is_empty() {
        falls.push((span, 1));
    }
    Some(Toll {
        who,
        span,
        men: toll.men,
        band: toll.band.unwrap_or((toll.men, toll.men)),
        origin: toll.origin,
        open: toll.open,
        within: army.ancestors(who).collect(),
        falls,
    })
}

fn tracks(source: &Source, army: &Army) -> Result<Tracks, Problems> {
    let mut problems = Problems::new();
    let mut reader = ReaderBuilder::new().from_reader(source.text.as_bytes());
    let head = match reader.headers() {
        Ok(head) => head.clone(),
        Err(error) => return Err(Problem::file(&*source.name, error.to_string()).into()),
    };
    if head.iter().ne(COLUMNS) {
        let message = format!("the columns must be {}", COLUMNS.join(","));
        return Err(at(source, 1, "", message).into());
    }
    let mut tracks = Tracks::new();
    for record in reader.records() {
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                let line = error.position().map_or(0, |place| place.line() as u32);
                problems.push(at(source, line, "", error.to_string()));
                continue;
            }
        };
        let line = record.position().map_or(0, |place| place.line() as u32);
        let row = Row {
            source,
            line,
            record: &record,
        };
        if let Some((who, stand)) = row.stand(army, &mut problems) {
            let track = tracks.entry(who).or_default();
            if let Some(last) = track.last() {
                row.follows(last, &stand, &mut problems);
            }
            track.push(stand);
        }
    }
    problems.check(tracks)
}

fn at(source: &Source, line: u32, field: &str, message: String) -> Problem {
    Problem {
        line,
        column: 1,
        field: field.to_owned(),
        ..Problem::file(&*source.name, message)
    }
}

struct Row<'a> {
    source: &'a Source,
    line: u32,
    record: &'a StringRecord,
}

impl Row<'_> {
    fn cell(&self, column: &str) -> &str {
        let index = COLUMNS.iter().position(|name| *name == column);
        index.and_then(|index| self.record.get(index)).unwrap_or("")
    }

    fn problem(&self, column: &str, message: impl Into<String>) -> Problem {
        at(self.source, self.line, column, message.into())
    }

    fn value<T: FromStr<Err: ToString>>(&self, column: &str, problems: &mut Problems) -> Option<T> {
        let value = self.cell(column).parse::<T>();
        problems.keep(value.map_err(|error| self.problem(column, error.to_string())))
    }

    fn count(&self, column: &str, problems: &mut Problems) -> Option<u32> {
        let text = self.cell(column);
        let count = text.parse().ok();
        if count.is_none() {
            problems.push(self.problem(column, format!("\"{text}\" is no whole number")));
        }
        count
    }

    /// The row as a record; none if anything is wrong with it.
    fn stand(&self, army: &Army, problems: &mut Problems) -> Option<(NodeId, Stand)> {
        let who = self.body(army, problems);
        let moment = self.value("at", problems);
        let lat = self.degrees("lat", 90, problems);
        let lon = self.degrees("lon", 180, problems);
        let men = self.count("men", problems);
        let sure: Option<Sure> = self.value("sure", problems);
        let stand = Stand {
            at: moment?,
            lat: lat?,
            lon: lon?,
            men: men?,
            sure: sure?,
        };
        Some((who?, stand))
    }

    fn body(&self, army: &Army, problems: &mut Problems) -> Option<NodeId> {
        let name = self.cell("who");
        let Some(node) = army.get(name) else {
            let problem = self.problem("who", format!("no node \"{name}\" in the army list"));
            problems.push(problem.with_nearest(name, army.names()));
            return None;
        };
        let kind = army.node(node).kind;
        if matches!(kind, Kind::Brigade | Kind::Battalion | Kind::Battery) {
            return Some(node);
        }
        let message = format!("\"{name}\" is {kind}, expected a brigade, battalion or battery");
        problems.push(self.problem("who", message));
        None
    }

    fn degrees(&self, column: &str, most: i32, problems: &mut Problems) -> Option<i32> {
        let text = self.cell(column);
        let degrees = millionths(text).filter(|value| value.abs() <= most * 1_000_000);
        if degrees.is_none() {
            let message = format!("\"{text}\" is no number of degrees such as 39.83454");
            problems.push(self.problem(column, message));
        }
        degrees
    }

    /// Records of a body are in order of time, and nobody comes back to life.
    fn follows(&self, last: &Stand, stand: &Stand, problems: &mut Problems) {
        if stand.at <= last.at {
            let message = format!(
                "{} is not after {}, the record before it",
                stand.at, last.at
            );
            problems.push(self.problem("at", message));
        }
        if stand.men > last.men {
            let message = format!("{} men are more than {} before", stand.men, last.men);
            problems.push(self.problem("men", message));
        }
    }
}

/// Degrees with at most six decimals as whole millionths.
fn millionths(text: &str) -> Option<i32> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text),
    };
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || whole.len() > 3 || part.len() > 6 || !plain(whole) || !plain(part) {
        return None;
    }
    let part: i32 = format!("{part:0<6}").parse().ok()?;
    Some(sign * (whole.parse::<i32>().ok()? * 1_000_000 + part))
}

#[cfg(test)]
mod tests {
    use super::millionths;

    #[test]
    fn degrees_are_read_exactly() {
        assert_eq!(millionths("39.83454"), Some(39_834_540));
        assert_eq!(millionths("-77.24931"), Some(-77_249_310));
        assert_eq!(millionths("-0.5"), Some(-500_000));
        assert_eq!(millionths("40"), Some(40_000_000));
        for text in ["", "-", "1e3", "39.8345412", "39,8", "+39", "4000.0", "--3"] {
            assert_eq!(millionths(text), None, "{text}");
        }
    }
}
