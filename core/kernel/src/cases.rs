//! Cases: worked examples as data.
//!
//! A case sets up a position, lets sides choose with scripted dice, and says what must come of it.
//! Rulebook examples are cases, and an arbiter's question at the table can become one.

use crate::act::Act;
use crate::combat::Preview;
use crate::dice;
use crate::game::{ApplyError, Game};
use crate::ids::Seat;
use crate::play::Play;
use crate::ruleset::{Case, CaseStep, PositionFile};
use crate::view::{At, UnitView};
use cupola_data::{Problems, Source};
use std::collections::BTreeMap;

/// What a case says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseReport {
    /// The sections it proves.
    pub proves: Vec<String>,
    /// What it is about.
    pub about: String,
    /// How many steps were checked.
    pub steps: usize,
}

/// The ruleset and the scenario that a case wants.
///
/// # Errors
/// Where the file is not as it should be.
pub fn wants(source: &Source) -> Result<(String, String), Problems> {
    let case = source.ron::<Case>().map_err(Problems::from)?;
    Ok((case.position.ruleset, case.position.scenario))
}

/// Runs a case.
///
/// # Errors
/// The first step that does not hold, or everything that is wrong with the position.
pub fn run(play: &Play, source: &Source) -> Result<CaseReport, Problems> {
    let case = source.ron::<Case>().map_err(Problems::from)?;
    let play = play.at(&PositionFile {
        source: source.clone(),
        in_case: true,
    })?;
    let scripted = |values: &[u16]| dice::Shaker::Scripted {
        values: values.to_vec(),
        used: 0,
    };
    let wrong = |field: &str, message: String| Problems::from(source.problem(field, message));
    let mut game = play
        .game_with(scripted(&case.dice))
        .map_err(|fault| wrong("position", fault.to_string()))?;
    if game.dice_left() > 0 {
        return Err(wrong(
            "dice",
            format!("{} of the dice were not rolled", game.dice_left()),
        ));
    }
    for (i, step) in case.script.iter().enumerate() {
        if let CaseStep::Choose { dice, .. } = step {
            game.set_dice(scripted(dice));
        }
        check(&mut game, step).map_err(|message| wrong(&format!("script[{i}]"), message))?;
    }
    Ok(CaseReport {
        proves: case.proves,
        about: case.about,
        steps: case.script.len(),
    })
}

fn check(game: &mut Game, step: &CaseStep) -> Result<(), String> {
    match step {
        CaseStep::Choose { side, act, .. } => choose(game, side, act),
        CaseStep::Asks { side, question } => {
            let decision = game.view(Seat::Umpire).decision;
            let open = decision.ok_or("the game is over, nobody is asked")?;
            let asked = format!("{} {}", open.side, open.question);
            same("the question", &asked, &format!("{side} {question}"))
        }
        CaseStep::Offers(wanted) => offers(&offered(game), wanted),
        CaseStep::OffersOnly(wanted) => {
            let (mut offered, mut wanted) = (offered(game), wanted.clone());
            offered.sort();
            wanted.sort();
            same("the options", &offered.join(", "), &wanted.join(", "))
        }
        CaseStep::Refuses { act, rule } => refuses(game, act, rule),
        CaseStep::At { unit, place } => {
            let (At::Hex(at) | At::Box(at)) = unit_view(game, unit)?.at;
            same(&format!("the place of {unit}"), &at, place)
        }
        CaseStep::State { unit, is } => {
            let view = unit_view(game, unit)?;
            is.iter().try_for_each(|(key, wanted)| {
                let known = view.state.iter().find(|(name, _)| name == key);
                let known = known.map(|(_, value)| value);
                let ratings = || (key == "ratings").then_some(&view.ratings);
                let found = known.or_else(ratings).ok_or_else(|| no_state(&view, key))?;
                same(&format!("{key} of {unit}"), found, wanted)
            })
        }
        CaseStep::Track { name, value } => track(game, name, *value),
        CaseStep::Sum { act, value } => {
            let sum = preview(game, act)?.modifiers.sum().to_string();
            same("the sum of the modifiers", &sum, &value.to_string())
        }
        CaseStep::Odds { act, outcomes, of } => odds(&preview(game, act)?, outcomes, *of),
        CaseStep::Costs { act, spent, left } => costs(game, act, spent, left.as_deref()),
        CaseStep::Mark { hex, text } => mark(game, hex, text),
        CaseStep::Holding {
            name,
            side,
            count,
            known,
        } => holding(game, (name, side.as_deref()), *count, known.as_deref()),
        CaseStep::Verdict { winner, how } => {
            let verdict = game.view(Seat::Umpire).verdict;
            let verdict = verdict.ok_or("the game is not over")?;
            let (found, wanted) = (format!("{:?}", verdict.winner), format!("{winner:?}"));
            same("the winner", &found, &wanted)?;
            same("the verdict", &verdict.how, how)
        }
    }
}

/// A state that a unit does not have, with those it has.
fn no_state(view: &UnitView, key: &str) -> String {
    let known: Vec<&str> = view.state.iter().map(|(name, _)| *name).collect();
    let unit = view.id.as_deref().unwrap_or(&view.name);
    format!(
        "{unit} has no state \"{key}\", but ratings, {}",
        known.join(", ")
    )
}

fn mark(game: &Game, hex: &str, text: &str) -> Result<(), String> {
    let marks = game.view(Seat::Umpire).marks.into_iter();
    let here = marks.filter(|mark| mark.hex == hex).map(|mark| mark.text);
    let here: Vec<String> = here.collect();
    if here.iter().any(|mark| mark == text) {
        return Ok(());
    }
    same(&format!("the marks of {hex}"), &here.join(", "), text)
}

fn offers(offered: &[String], wanted: &[String]) -> Result<(), String> {
    match wanted.iter().find(|id| !offered.contains(id)) {
        None => Ok(()),
        Some(missing) => Err(format!(
            "\"{missing}\" is not offered; offered are: {}",
            offered.join(", ")
        )),
    }
}

fn costs(game: &Game, act: &str, spent: &str, left: Option<&str>) -> Result<(), String> {
    let outlook = game.outlook(open(game, act)?);
    let cost = outlook
        .cost
        .ok_or_else(|| format!("\"{act}\" costs no points"))?;
    same(
        &format!("what \"{act}\" costs"),
        &cost.spent.to_string(),
        spent,
    )?;
    match left {
        Some(left) => same("what is left", &cost.left.to_string(), left),
        None => Ok(()),
    }
}

fn holding(
    game: &Game,
    (name, side): (&str, Option<&str>),
    count: Option<usize>,
    known: Option<&[String]>,
) -> Result<(), String> {
    let holdings = game.view(Seat::Umpire).holdings;
    let mut found = holdings.iter();
    let found = found.find(|held| held.name == name && held.side.as_deref() == side);
    let found = found.ok_or_else(|| {
        let names = holdings.iter().map(|held| match &held.side {
            Some(side) => format!("{} of {side}", held.name),
            None => held.name.clone(),
        });
        let names: Vec<String> = names.collect();
        format!("no holding \"{name}\"; there are: {}", names.join(", "))
    })?;
    if let Some(count) = count {
        same(name, &found.count.to_string(), &count.to_string())?;
    }
    let Some(known) = known else { return Ok(()) };
    let (mut has, mut wanted) = (found.known.clone(), known.to_vec());
    has.sort();
    wanted.sort();
    same(name, &has.join(", "), &wanted.join(", "))
}

fn track(game: &Game, name: &str, value: i32) -> Result<(), String> {
    let tracks = game.view(Seat::Umpire).tracks;
    let track = tracks.iter().find(|track| track.name == name);
    let track = track.ok_or_else(|| {
        let known: Vec<_> = tracks.iter().map(|track| track.name.as_str()).collect();
        format!("no track \"{name}\"; there are: {}", known.join(", "))
    })?;
    same(name, &track.value.to_string(), &value.to_string())
}

fn preview(game: &Game, act: &str) -> Result<Preview, String> {
    let preview = game.preview(open(game, act)?);
    preview.ok_or_else(|| format!("\"{act}\" leads to no fight"))
}

fn parse(game: &Game, id: &str) -> Result<Act, String> {
    game.parse(id).map_err(|unknown| unknown.to_string())
}

/// An act that is on the list: what another would cost or come to proves nothing.
fn open(game: &Game, id: &str) -> Result<Act, String> {
    let act = parse(game, id)?;
    if is_open(game, act) {
        return Ok(act);
    }
    let refusal = game.why_not(act);
    let why = format!("\"{id}\" is not offered ({})", refusal.rule);
    Err(with_offers(game, why))
}

fn is_open(game: &Game, act: Act) -> bool {
    let decision = game.decision();
    decision.is_some_and(|decision| decision.options.contains(&act))
}

fn odds(preview: &Preview, outcomes: &BTreeMap<String, u64>, of: u64) -> Result<(), String> {
    let (of, total) = (u128::from(of), preview.total);
    let part = total.checked_div(of);
    let part = part.filter(|part| *part > 0 && part * of == total);
    let part = part.ok_or_else(|| format!("`of`: expected a divisor of {total}, found {of}"))?;
    outcomes.iter().try_for_each(|(name, wanted)| {
        let ways = preview.outcomes.iter().filter(|(text, _)| text == name);
        let weight: u128 = ways.map(|(_, weight)| weight).sum();
        let found = match weight % part {
            0 => (weight / part).to_string(),
            _ => format!("{weight} of {total}"),
        };
        same(name, &found, &wanted.to_string())
    })
}

fn choose(game: &mut Game, side: &str, act: &str) -> Result<(), String> {
    let id = game
        .table()
        .env()
        .side(side)
        .ok_or_else(|| format!("no side \"{side}\""))?;
    let act = parse(game, act).map_err(|why| with_offers(game, why))?;
    game.apply(id, act).map_err(|error| match error {
        ApplyError::Refused(_) => with_offers(game, error.to_string()),
        other => other.to_string(),
    })?;
    match game.dice_left() {
        0 => Ok(()),
        left => Err(format!("{left} of the dice were not rolled")),
    }
}

fn refuses(game: &Game, id: &str, rule: &str) -> Result<(), String> {
    let act = parse(game, id)?;
    if is_open(game, act) {
        return Err(format!("\"{id}\" is offered"));
    }
    same("the rule that refuses", &game.why_not(act).rule.0, rule)
}

/// What is wrong, and what could have been chosen: the question and all options, or the first of many.
fn with_offers(game: &Game, why: String) -> String {
    const MANY: usize = 40;
    let Some(decision) = game.decision() else {
        return why;
    };
    let (all, side) = (
        offered(game),
        &game.table().env().sides[decision.ask.side].id,
    );
    let more = match all.len().saturating_sub(MANY) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let shown = all[..all.len().min(MANY)].join(", ");
    format!(
        "{why}; {side} is asked “{}”, offered are: {shown}{more}",
        decision.ask.question
    )
}

fn offered(game: &Game) -> Vec<String> {
    game.decision()
        .map(|decision| decision.options.iter().map(|&act| game.name(act)).collect())
        .unwrap_or_default()
}

fn unit_view(game: &Game, id: &str) -> Result<UnitView, String> {
    let view = game.view(Seat::Umpire);
    let names: Vec<String> = view
        .units
        .iter()
        .filter_map(|unit| unit.id.clone())
        .collect();
    view.units
        .into_iter()
        .find(|unit| unit.id.as_deref() == Some(id))
        .ok_or_else(|| {
            let near = cupola_data::nearest(id, names.iter().map(String::as_str));
            near.map_or_else(
                || format!("no unit \"{id}\""),
                |near| format!("no unit \"{id}\"; did you mean \"{near}\"?"),
            )
        })
}

fn same(what: &str, found: &str, wanted: &str) -> Result<(), String> {
    if found == wanted {
        Ok(())
    } else {
        Err(format!("{what}: expected {wanted}, found {found}"))
    }
}
