//! What each rule system says about the same battle, in one table.

use super::distance::{beside, claim as distance_to, compared, within};
use super::{balance, contact, decisions, luck, moved, orders, robust, tempo};
use crate::view::{About, Section, View, caption, cite, last};
use crate::words::{
    clock, count, distance, duration, escape, list, moment, percent, quoted, short, some, some_of,
};
use cupola_lab::grid::Measure;
use cupola_lab::model::{Counted, Findings, Onset, Share, Spread, Topic};

/// What a cell says, large and small.
type Cell = (String, String);

/// A row: its name, a cell for each contest, and what is recorded.
struct Row {
    /// Whether it is one of those that everybody asks for first; the others are folded.
    first: bool,
    name: String,
    cells: Vec<Cell>,
    recorded: String,
    /// For each contest what is recorded of its hours, where that is not the same.
    own: Vec<String>,
    /// Whose that is: `in its hours`, or `of its own` where it is that of its own units, too.
    whose: &'static str,
}

impl Row {
    /// With what is recorded: in all, and of the hours that a contest plays.
    fn recorded(
        mut self,
        view: View,
        all: Option<String>,
        own: impl Fn(&Findings) -> Option<String>,
    ) -> Row {
        self.recorded = all.unwrap_or_default();
        let other = |own: String| {
            if own == self.recorded {
                String::new()
            } else {
                own
            }
        };
        let contests = view.contests().iter();
        self.own = contests
            .map(|found| own(found).map_or_else(String::new, other))
            .collect();
        self
    }

    /// What is recorded of a contest is that of its own hours and units.
    fn of_its_own(mut self) -> Row {
        self.whose = "of its own";
        self
    }
}

/// The section.
pub fn section(view: View) -> Section {
    Section {
        id: "headline",
        title: "What each rule system says about the same battle",
        claim: String::new(),
        figure: played_by(view) + &findings(view) + &table(view),
        reading: "Large figures are means over all games, ± as far as the mean may be off nineteen times in twenty, or both ends where that would be less than none; in small type the stretch that \
                  eight games in ten lie in. For shares of games, the luck index and the distances from the record the small type is the \
                  interval in which the truth lies nineteen times in twenty. Times are whole turns. Where a ruleset does not play all hours of \
                  the page, or has not everybody who fought in them, the record of its hours, and for men of its units too, stands with its figure."
            .into(),
        about: About::Games(Topic::Headline),
    }
}

/// By whom and by which plans the games of the table were played: once where that is the same for all.
fn played_by(view: View) -> String {
    let mut groups: Vec<([String; 2], Vec<String>)> = vec![];
    for found in view.contests() {
        let said = [players(view, found), plans(found)];
        match groups.iter_mut().find(|(known, _)| *known == said) {
            Some((_, names)) => names.push(found.name.clone()),
            None => groups.push((said, vec![found.name.clone()])),
        }
    }
    let by = match &groups[..] {
        [] => return String::new(),
        [([players, plans], _)] => format!("by {players}. Plans: {plans}"),
        several => {
            let each = several.iter().map(|([players, plans], names)| {
                format!("in {} by {players}, plans: {plans}", list(names))
            });
            each.collect::<Vec<String>>().join("; ")
        }
    };
    let held = match &view.all.grid {
        Some(grid) => {
            "What is said first holds by every plan and player that was tried; the rest, and the table, is of these plans and players alone."
                .to_owned()
                + &robust::fewer_players(grid)
        }
        None => "No other plans or players were tried: what is said holds for these.".to_owned(),
    };
    let hours = robust::hours(view);
    format!(
        "<p class=\"claim\">Played {}. {}{}</p>",
        escape(&by),
        escape(&held),
        escape(&hours)
    )
}

/// Who plays a contest.
fn players(view: View, found: &Findings) -> String {
    match &found.players {
        [one, other] if one == other => format!("{one} on both sides"),
        [one, other] => format!(
            "{one} for the {}, {other} for the {}",
            view.name(0),
            view.name(1)
        ),
    }
}

/// The plans of a contest. Those of people are not known.
fn plans(found: &Findings) -> String {
    match quoted(&found.plans.titles) {
        none if none.is_empty() && found.plans.name.is_empty() => "not known".into(),
        none if none.is_empty() => "none".into(),
        titles => titles,
    }
}

/// What holds of some measures by every plan and player, or what these games say where no others were tried.
fn robustly(view: View, measures: &[Measure], else_said: String) -> String {
    if view.all.grid.is_none() {
        return else_said;
    }
    let held = robust::holding(view, measures);
    if held.is_empty() {
        let why = match robust::turning(view, measures) {
            0 => "the games are too few, or it is too close".to_owned(),
            1 => "one claim turns round".to_owned(),
            some => format!("{some} claims turn round"),
        };
        let scales = if measures.iter().any(|measure| measure.scales()) {
            "every plan, player and scale of losses"
        } else {
            "every plan and player"
        };
        return format!("Nothing holds by {scales} that was tried: {why}.");
    }
    format!("{}.", crate::words::sentence(&held.join("; ")))
}

/// What was found in plain words, each with the section that shows it and games that bear it out: first what the grid was
/// asked about, then what is known of these plans and players alone.
fn findings(view: View) -> String {
    let judged = |name, measures: &[Measure], else_said, section, topic| {
        (name, robustly(view, measures, else_said), section, topic)
    };
    let men = [Measure::MenFirst, Measure::MenSecond, Measure::LossShare];
    let start = [Measure::FirstAttack, Measure::Attacks];
    let everywhere = [
        judged("Losses.", &men, losses(view), "robust", Topic::Losses),
        judged(
            "Who wins.",
            &[Measure::Wins],
            balance::claim(view),
            "robust",
            Topic::Balance,
        ),
        judged("Tempo.", &start, tempo::claim(view), "tempo", Topic::Tempo),
        judged(
            "A fight.",
            &[Measure::Contact],
            contact::claim(view),
            "contact",
            Topic::Contact,
        ),
        judged(
            "Command.",
            &[Measure::Idle],
            orders::claim(view),
            "orders",
            Topic::Orders,
        ),
        judged(
            "Playing time.",
            &[Measure::Decisions],
            decisions::claim(view),
            "decisions",
            Topic::Decisions,
        ),
    ];
    let here = [
        ("The front.", moved::claim(view), "moved", Topic::Moved),
        ("Luck.", luck::claim(view), "luck", Topic::Luck),
        ("History.", distance_to(view), "distance", Topic::Distance),
    ];
    let first = listed(view, &everywhere, 1);
    let apart = if view.all.grid.is_some() {
        "<p class=\"claim\">By these plans and players alone; others were not tried for it:</p>"
    } else {
        ""
    };
    first + apart + &listed(view, &here, everywhere.len() + 1)
}

/// A finding: its name, what is said, the section that shows it, and what it is about.
type Finding = (&'static str, String, &'static str, Topic);

fn listed(view: View, found: &[Finding], from: usize) -> String {
    let mut out = format!("<ol class=\"findings\" start=\"{from}\">");
    for (name, said, section, topic) in found {
        out += &format!(
            "<li><b>{name}</b> {} <span class=\"more\"><a href=\"#{section}\">figure</a>{}</span></li>",
            escape(said),
            games(view, *topic)
        );
    }
    out + "</ol>"
}

/// A game of each ruleset that bears a finding out.
fn games(view: View, topic: Topic) -> String {
    let first = view.contests().iter().filter_map(|found| {
        let mut about = found.witnesses.iter();
        about.find(|witness| witness.topics.contains(&topic))
    });
    let links: Vec<String> = first
        .map(|witness| cite(witness, &format!("{} {}", witness.contest, witness.game)))
        .collect();
    if links.is_empty() {
        return String::new();
    }
    format!(" · games {}", links.join(", "))
}

/// Men lost by each side under every ruleset, each with the interval of its mean, and what is recorded.
fn losses(view: View) -> String {
    let played = || view.contests().iter().filter(|found| found.games > 0);
    if played().next().is_none() {
        return "No game was played to its end.".into();
    }
    let said = [0, 1].map(|side| {
        let recorded = view.recorded(side).map(count);
        let own = |found: &Findings| {
            let own = view.recorded_of(found, side).map(count);
            own.filter(|own| recorded.as_ref() != Some(own))
        };
        let men = played().map(|found| {
            let of = last(&found.men_lost[side]).estimate();
            let mut notes = vec![];
            if of.games > 1 {
                notes.push(format!("{} to {}", count(of.low.max(0.0)), count(of.high)));
            }
            notes.extend(own(found).map(|men| format!("{men} recorded of its own")));
            let notes = match notes.join("; ") {
                none if none.is_empty() => none,
                notes => format!(" ({notes})"),
            };
            format!("{}{notes} in {}", count(of.mean), found.name)
        });
        let men = list(&men.collect::<Vec<String>>());
        let in_all = if played().any(|found| own(found).is_some()) {
            " in all"
        } else {
            ""
        };
        let recorded = recorded
            .as_ref()
            .map_or_else(String::new, |men| format!("; {men} are recorded{in_all}"));
        format!("Men lost by {}: {men}{recorded}.", view.side(side))
    });
    said.join(" ")
}

/// A mean with half of its interval, and the stretch that eight games in ten lie in.
fn with(spread: &Spread, name: impl Fn(f64) -> String) -> Cell {
    if spread.games == 0 {
        return ("–".into(), String::new());
    }
    let of = spread.estimate();
    if of.games > 1 && of.error == 0.0 {
        // The same in all of them: that is no proof that it could not be otherwise.
        let mean = some_of(of.mean, &name).unwrap_or_else(|| name(of.mean));
        return (mean, "in every game".into());
    }
    if let Some(few) = some_of(of.high, &name) {
        return (few, String::new());
    }
    let mean = match (of.games, of.low < 0.0) {
        (0 | 1, _) => name(of.mean),
        // Nothing that is counted here can be less than none.
        (_, true) => format!("{} (none to {})", name(of.mean), name(of.high)),
        (_, false) => format!("{} ± {}", name(of.mean), name(of.high - of.mean)),
    };
    // Of fewer than ten games no tenth can be told.
    let stretch = if of.games < 10 {
        String::new()
    } else {
        format!("{} to {}", name(spread.low), name(spread.high))
    };
    (mean, stretch)
}

/// Men lost at both ends of what a loss may stand for.
fn banded(found: &Findings, side: usize) -> Cell {
    let [low, _, high] = found.band.factors();
    let men = last(&found.men_lost[side]);
    if men.games == 0 || found.band.high == 0 {
        return ("–".into(), String::new());
    }
    let words = format!("{} to {}", count(men.mean * low), count(men.mean * high));
    (words, String::new())
}

/// What the rules count themselves: means of the counters at the end.
fn counted(of: &Counted) -> Cell {
    if of.removed.games == 0 {
        return ("–".into(), String::new());
    }
    let means = [of.worn.mean, of.routed.mean, of.removed.mean].map(short);
    (means.join(" · "), String::new())
}

fn share(share: &Share) -> Cell {
    if share.of == 0 {
        return ("–".into(), String::new());
    }
    (
        percent(f64::from(share.count) / f64::from(share.of)),
        format!("{} to {}", percent(share.low), percent(share.high)),
    )
}

/// The turn by which half of the games have come so far, and those of the first tenth and the last.
fn onset(view: View, onset: &Onset) -> Cell {
    if onset.games == 0 {
        return ("never".into(), String::new());
    }
    (
        view.turn(onset.usual),
        view.stretch((onset.early.0, onset.late.1)),
    )
}

fn plain(text: Option<String>) -> Cell {
    (text.unwrap_or_else(|| "–".into()), String::new())
}

/// What everybody asks for first: the rows that are not folded have one of these in their names.
const FIRST: [&str; 12] = [
    "Games played",
    " wins",
    "Drawn",
    "Men lost, ",
    "captured or missing",
    "as a loss may stand for",
    "Front pushed",
    "First attack",
    "Decisions in a game",
    "Luck index",
    "off the record",
    "as recorded",
];

/// A row: a cell for each contest. Nothing is recorded of it.
fn row(view: View, name: &str, cell: impl Fn(&Findings) -> Cell) -> Row {
    Row {
        first: FIRST.iter().any(|known| name.contains(known)),
        name: name.to_owned(),
        cells: view.contests().iter().map(cell).collect(),
        recorded: String::new(),
        own: vec![],
        whose: "in its hours",
    }
}

fn rows(view: View) -> Vec<Row> {
    let mut rows = outcome(view);
    rows.extend([0, 1].into_iter().flat_map(|side| men(view, side)));
    let late = |f: &Findings| with(&f.late, percent);
    rows.push(row(view, "Men lost after six in the evening", late));
    rows.extend([0, 1].map(|side| {
        let name = format!("Guns lost, {}", view.name(side));
        row(view, &name, |f| with(&last(&f.guns_lost[side]), short))
    }));
    rows.extend([1, 0].map(|side| front(view, side)));
    rows.extend([0, 1].map(|side| {
        let name = format!("Orders that did nothing, {}", view.name(side));
        row(view, &name, |f| with(&f.idle_orders[side], percent))
    }));
    rows.extend(times(view));
    rows.push(row(view, "Luck index: 0 skill, 1 dice", index));
    if view.has_record() {
        rows.extend(nearness(view));
    }
    rows
}

/// Games, and how many of them each side wins.
fn outcome(view: View) -> Vec<Row> {
    let games = |f: &Findings| plain(Some(count(f64::from(f.games))));
    let wins = |side: usize| {
        let name = format!("{} wins", view.name(side));
        row(view, &name, |f| share(&f.balance[side]))
    };
    vec![
        row(view, "Games played", games),
        wins(0),
        wins(1),
        row(view, "Drawn", |f| share(&f.balance[2])),
    ]
}

/// What a side loses: men, prisoners among them, what that may stand for, and counters.
fn men(view: View, side: usize) -> Vec<Row> {
    let name = view.name(side);
    let lost = row(view, &format!("Men lost, {name}"), |f| {
        with(&last(&f.men_lost[side]), count)
    });
    let own = |f: &Findings| view.recorded_of(f, side).map(count);
    let lost = lost.recorded(view, view.recorded(side).map(count), own);
    let mut rows = vec![lost.of_its_own()];
    let recorded = view.all.history.captured[side];
    if recorded > 0 || view.contests().iter().any(|f| f.captured[side].is_some()) {
        // Hardly a ruleset tells prisoners from the fallen; the record does, and counts the missing with them.
        let captured = row(
            view,
            &format!("… of them captured or missing, {name}"),
            |f| match &f.captured[side] {
                // Who surrenders is told apart; who else is missing is not, so that no prisoners are no finding.
                Some(captured) => noted(with(captured, count), "others not told apart".into()),
                None => (String::new(), "not told apart".into()),
            },
        );
        let men = |men: u32| Some(count(f64::from(men)));
        let all = view.recorded(side).and(men(recorded));
        let captured = captured.recorded(view, all, |f| {
            f.recorded[side].men.and(men(f.recorded[side].captured))
        });
        rows.push(captured.of_its_own());
    }
    rows.push(row(
        view,
        &format!("… as a loss may stand for, {name}"),
        |f| banded(f, side),
    ));
    rows.push(row(
        view,
        &format!("Counters worn · routed · removed, {name}"),
        |f| counted(&f.as_counted[side]),
    ));
    rows
}

/// A cell with one more thing in small type.
fn noted((mean, range): Cell, note: String) -> Cell {
    let notes = [range, note].into_iter().filter(|note| !note.is_empty());
    (mean, notes.collect::<Vec<String>>().join("; "))
}

/// How far a side pushes the front.
fn front(view: View, side: usize) -> Row {
    let name = format!("Front pushed forward by {}", view.name(side));
    let history = &view.all.history.front_moved[side];
    row(view, &name, |f| with(&f.front_pushed[side], distance)).recorded(
        view,
        (!history.is_empty()).then(|| distance(history.iter().sum())),
        |f| view.pushed_in(f, side).map(distance),
    )
}

/// When fighting begins, how long it lasts, and what it asks of a player.
fn times(view: View) -> [Row; 6] {
    let tempo = |name: &str, of: fn(&Findings) -> &Onset| row(view, name, |f| onset(view, of(f)));
    let lasts = |f: &Findings| with(&f.contact_minutes, duration);
    let decisions = |f: &Findings| with(&f.decisions, count);
    let hourly = |f: &Findings| with(&f.decisions_per_hour, short);
    [
        tempo("First contact", |f| &f.tempo.first_contact),
        tempo("First attack", |f| &f.tempo.first_attack),
        tempo("First attack at close quarters", |f| &f.tempo.first_close),
        row(view, "A fight lasts", lasts),
        row(view, "Decisions in a game", decisions),
        row(view, "Decisions per hour of battle", hourly),
    ]
}

/// The index of luck, and its interval.
fn index(found: &Findings) -> Cell {
    let Some(luck) = found.luck else {
        return plain(None);
    };
    let index = if luck::is_open(&luck) {
        "–".to_owned()
    } else {
        format!("{:.2}", luck.index)
    };
    (index, format!("{:.2} to {:.2}", luck.low, luck.high))
}

/// How near games come to the record, with what stands beside it; and whether the plans were made from it.
fn nearness(view: View) -> [Row; 3] {
    let contests = view.contests().iter();
    let note = match contests.filter(|found| found.plans.from_record).count() {
        0 => "",
        _ => " (plans made from the record)",
    };
    let floor = |f: &Findings| f.distance.random.unwrap_or_default();
    let losses = |f: &Findings| {
        let of = within(f.distance.losses, percent);
        let of = noted(of, some(compared(f).len(), "corps", "corps"));
        beside(of, None, floor(f).losses, percent)
    };
    let places = |f: &Findings| {
        let of = within(f.distance.places, percent);
        let hours = f.distance.place_hours as usize;
        let of = noted(of, some(hours, "place and hour", "places and hours"));
        let nobody = f.distance.places_nobody.filter(|of| of.mean >= 0.005);
        let nobody = nobody.map(|of| format!("nobody's {}", percent(of.mean)));
        let of = noted(of, nobody.unwrap_or_default());
        beside(of, f.distance.places_best, floor(f).places, percent)
    };
    let position = |f: &Findings| {
        let of = within(f.distance.position, distance);
        let of = noted(of, some(f.distance.units as usize, "unit", "units"));
        beside(of, f.distance.position_best, floor(f).position, distance)
    };
    let named = |name: &str| format!("{name}{note}");
    [
        row(view, &named("Losses by corps, off the record by"), losses),
        row(view, &named("Places held as recorded"), places),
        row(
            view,
            &named("Brigades off their recorded place by"),
            position,
        ),
    ]
}

fn table(view: View) -> String {
    let (first, more): (Vec<Row>, Vec<Row>) = rows(view).into_iter().partition(|row| row.first);
    format!(
        "{}<details class=\"fold\"><summary>{} more measures</summary>{}</details>",
        table_of(view, &first),
        more.len(),
        table_of(view, &more)
    )
}

fn table_of(view: View, rows: &[Row]) -> String {
    let mut out = String::from(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Measures by ruleset\"><table class=\"headline\"><thead><tr><th scope=\"col\">Measure</th>",
    );
    for i in 0..view.contests().len() {
        out += &format!("<th scope=\"col\">{}</th>", caption(view, i));
    }
    out += "<th scope=\"col\" class=\"rec\">Recorded</th></tr></thead><tbody>";
    for row in rows {
        out += &format!("<tr><th scope=\"row\">{}</th>", escape(&row.name));
        for (i, (value, range)) in row.cells.iter().enumerate() {
            out += "<td>";
            if !value.is_empty() {
                out += &format!("<b>{}</b>", escape(value));
            }
            if !range.is_empty() {
                out += &format!(" <small>{}</small>", escape(range));
            }
            if let Some(own) = row.own.get(i).filter(|own| !own.is_empty()) {
                out += &format!(
                    " <small class=\"own\">{} recorded {}</small>",
                    escape(own),
                    row.whose
                );
            }
            out += "</td>";
        }
        out += &format!("<td class=\"rec\">{}</td></tr>", escape(&row.recorded));
    }
    out + "</tbody></table></div>"
}

/// The line under the page's title: which hours.
pub fn span(view: View) -> String {
    let hours = &view.all.hours;
    match (hours.first(), hours.last()) {
        (Some(from), Some(to)) if view.days() => {
            format!("{} to {}", moment(&from.1), moment(&to.1))
        }
        (Some(from), Some(to)) => format!("{} to {}", moment(&from.1), clock(to.0)),
        _ => String::new(),
    }
}

/// What was played: mark, short name, title and games of every ruleset.
pub fn rulesets(view: View) -> String {
    let mut out = String::from("<ul class=\"rulesets\">");
    for (i, found) in view.contests().iter().enumerate() {
        out += &format!(
            "<li>{} <span class=\"seed\">{} games</span></li>",
            caption(view, i),
            count(f64::from(found.games))
        );
    }
    out + "</ul>"
}
