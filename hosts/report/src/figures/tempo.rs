//! When things begin, and how fast they go.

use super::intervals::{Axis, LEFT, ROW, Row, WIDTH, draw, name, titled};
use super::robust::standing;
use crate::svg::{Scale, Shape, Svg, clock_axis, hue};
use crate::view::{About, Section, View, side_key};
use crate::words::{count, distance, list, percent, ranged, short};
use cupola_lab::grid::Measure;
use cupola_lab::model::{Findings, Onset, Spread, Topic};
use cupola_lab::stats::Estimate;

/// The section.
pub fn section(view: View) -> Section {
    Section {
        id: "tempo",
        title: "Tempo: first contact, first attack, marches",
        claim: claim(view) + &standing(view, &[Measure::FirstAttack, Measure::Attacks]),
        figure: plots(view),
        reading:
            "A game knows no time within a turn, so times are whole turns: the dark box is the turn by which half of the \
                  games had come so far, the light bar runs from the turn that one game in ten reaches first to the end of the one that nine in \
                  ten have reached. Contact is an enemy in the next hex, or a shot; an attack is a fight that was fought with dice, each volley, \
                  assault and strike for itself; at close quarters if the enemy was in the next hex or the same. March speed counts only units that marched."
                .into(),
        about: About::Games(Topic::Tempo),
    }
}

/// What the section says.
pub fn claim(view: View) -> String {
    let played = view.contests().iter().filter(|found| found.games > 0);
    let onset = |what: &str, of: fn(&Findings) -> &Onset| {
        let mut known: Vec<(&Findings, &Onset)> = played
            .clone()
            .map(|found| (found, of(found)))
            .filter(|(_, onset)| onset.games > 0)
            .collect();
        known.sort_by_key(|(found, onset)| (onset.usual, &found.name));
        let said: Vec<String> = known
            .iter()
            .map(|(found, onset)| usual(view, found, onset))
            .collect();
        if said.is_empty() {
            return format!("There is no {what}");
        }
        format!("The {what} usually comes {}", list(&said))
    };
    let first = onset("first attack", |found| &found.tempo.first_attack);
    let (same, opens) = (
        played
            .clone()
            .all(|found| found.tempo.first_close.usual == found.tempo.first_attack.usual),
        played
            .clone()
            .all(|found| found.tempo.first_attack.usual.0 == found.covers.0),
    );
    let close = if same {
        "The first one at close quarters usually comes in the same turn".to_owned()
    } else {
        onset("first one at close quarters", |found| {
            &found.tempo.first_close
        })
    };
    let opens = if opens {
        " Each of these is the first turn of its scenario: the armies stand within reach when it opens."
    } else {
        ""
    };
    let rates = played.map(|found| {
        format!(
            "{} in {}",
            ranged(&both(&found.tempo.attacks), short),
            found.name
        )
    });
    let rates: Vec<String> = rates.collect();
    if rates.is_empty() {
        return "No game was played to its end.".into();
    }
    format!(
        "{first}.{opens} {close}. Fights in an hour of battle, both sides together: {}.",
        list(&rates)
    )
}

/// What both sides do together. The games are the same, so that their errors may add up.
fn both(sides: &[Spread; 2]) -> Estimate {
    let [mean, error] =
        [|s: &Spread| s.mean, |s: &Spread| s.error].map(|of| sides.iter().map(of).sum::<f64>());
    Estimate::around(mean, error, sides[0].games.min(sides[1].games))
}

/// In which turn it usually comes, and in how many games at all.
fn usual(view: View, found: &Findings, onset: &Onset) -> String {
    let share = if onset.games < onset.of {
        format!(
            ", if at all, which is in {} of games",
            percent(f64::from(onset.games) / f64::from(onset.of))
        )
    } else {
        String::new()
    };
    format!(
        "in {} in the turn of {}{share}",
        found.name,
        view.turn(onset.usual)
    )
}

/// When something began: a row for each ruleset, in whole turns.
fn onsets(view: View, label: &str, of: impl Fn(&Findings) -> Onset) -> String {
    let contests = view.contests();
    let height = contests.len() as f64 * ROW + 44.0;
    let bottom = height - 32.0;
    let mut svg = Svg::new(WIDTH, height, label);
    let (from, to) = view.span();
    let right = WIDTH - 196.0;
    let x = Scale::new((f64::from(from), f64::from(to)), (LEFT, right));
    clock_axis(&mut svg, &x, 6.0, bottom, 5);
    for (i, found) in contests.iter().enumerate() {
        let (y, onset) = (8.0 + ROW * (i as f64 + 0.5), of(found));
        name(&mut svg, y, &found.name, i);
        let says = says(view, &onset);
        svg.text("says", (right + 14.0, y + 5.0), "start", &says);
        if onset.games == 0 {
            continue;
        }
        let at = |minute: i32| x.at(f64::from(minute));
        let (early, late) = (at(onset.early.0), at(onset.late.1));
        let (start, end) = (at(onset.usual.0), at(onset.usual.1));
        svg.open(&format!("{}: {says}", found.name));
        let r = hue(i);
        svg.rect(
            &format!("stretch-r{r}"),
            (early, y - 4.0),
            late - early,
            8.0,
        );
        svg.rect(&format!("fill-r{r}"), (start, y - 9.0), end - start, 18.0);
        let middle = ((start + end) / 2.0, y);
        svg.mark("lift", Shape::ruleset(i), middle, 4.5);
        svg.close();
    }
    svg.finish()
}

fn says(view: View, onset: &Onset) -> String {
    match onset {
        Onset { games: 0, .. } => "never".to_owned(),
        Onset { games, of, .. } if games < of => {
            let share = f64::from(*games) / f64::from(*of);
            format!("{}, {} of games", view.turn(onset.usual), percent(share))
        }
        _ if view.days() => view.turn(onset.usual),
        _ => format!("turn of {}", view.turn(onset.usual)),
    }
}

/// A row for each side of each contest.
pub fn by_side(
    view: View,
    of: impl Fn(usize, usize) -> Spread,
    words: impl Fn(f64) -> String,
) -> Vec<Row> {
    let mut rows = vec![];
    for (ruleset, found) in view.contests().iter().enumerate() {
        for side in [0, 1] {
            let spread = of(ruleset, side);
            let says = if spread.games == 0 {
                "none".to_owned()
            } else {
                format!("{} {}", view.name(side), words(spread.mean))
            };
            let name = if side == 0 {
                found.name.clone()
            } else {
                String::new()
            };
            rows.push(Row {
                name,
                ruleset,
                side: Some(side),
                spread,
                says,
            });
        }
    }
    rows
}

fn plots(view: View) -> String {
    let contests = view.contests();
    let march = by_side(
        view,
        |i, side| contests[i].tempo.march[side],
        |m| format!("{}/h", distance(m)),
    );
    let attacks = by_side(
        view,
        |i, side| contests[i].tempo.attacks[side],
        |n| format!("{}/h", short(n)),
    );
    let plots = [
        titled(
            "First contact",
            &onsets(view, "The turn in which the armies first met", |found| {
                found.tempo.first_contact
            }),
        ),
        titled(
            "First attack",
            &onsets(view, "The turn of the first fight", |found| {
                found.tempo.first_attack
            }),
        ),
        titled(
            "First attack at close quarters",
            &onsets(
                view,
                "The turn of the first fight at close quarters",
                |found| found.tempo.first_close,
            ),
        ),
        titled(
            "March, metres in an hour",
            &draw("Speed of units on the march", &march, &Axis::Values(count)),
        ),
        titled(
            "Attacks in an hour of battle",
            &draw("Attacks per hour by side", &attacks, &Axis::Values(short)),
        ),
    ];
    format!(
        "{}<div class=\"plots\">{}</div>",
        side_key(view, false),
        plots.join("")
    )
}
