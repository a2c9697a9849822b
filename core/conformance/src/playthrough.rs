//! A stored game in readable text, with every answer of the contract at chosen plies.

use crate::golden::wrapped;
use crate::settings::is_landmark;
use crate::walk::{Walk, wrong_answers};
use cupola_kernel::view::{At, View};
use cupola_kernel::{Event, Game, Loose, Play, Preview, Seat, Seed, Side};
use std::fmt::Write as _;

/// Renders the random game of this seed: each choice with what came of it, and at early plies and
/// powers of two the decision, every option with its odds, some refusals, and every seat's view.
#[must_use]
pub fn playthrough(play: &Play, seed: Seed) -> String {
    let mut out = format!("{} {}\nseed {seed}\n", play.env().ruleset, play.scenario());
    if let Err(why) = write(play, seed, &mut out) {
        line(&mut out, 0, &format!("broken off: {why}"));
    }
    out
}

fn write(play: &Play, seed: Seed, out: &mut String) -> Result<(), String> {
    let mut walk = Walk::start(play, seed)?;
    walk.game.listen(true);
    let mut known = vec![];
    while let Some((side, act)) = walk.choice()? {
        if is_landmark(walk.ply) {
            position(&walk.game, walk.ply, seed, &mut known, out);
        }
        let name = walk.game.name(act);
        walk.apply(side, act)?;
        let side = &play.env().sides[side].id;
        line(out, 0, &format!("{} {side} {name}", walk.ply));
        let (events, rolls) = walk.game.take_events();
        for roll in rolls {
            let text = format!("die for {}: {} of {}", roll.purpose, roll.value, roll.sides);
            line(out, 1, &text);
        }
        events.iter().for_each(|e| line(out, 1, &event(play, e)));
    }
    position(&walk.game, walk.ply, seed, &mut known, out);
    Ok(())
}

fn line(out: &mut String, depth: usize, text: &str) {
    // Writing to a String cannot fail.
    let _ = writeln!(out, "{:1$}{text}", "", depth * 2);
}

/// One position. Of the umpire's view only what is not `known` from the position before.
fn position(game: &Game, ply: u32, seed: Seed, known: &mut Vec<String>, out: &mut String) {
    line(out, 0, "");
    line(out, 0, &format!("== after {ply} choices"));
    decision(game, ply, seed, out);
    let all = view(&game.view(Seat::Umpire));
    let first = known.is_empty();
    line(
        out,
        0,
        if first {
            "the umpire sees"
        } else {
            "the umpire sees, new"
        },
    );
    let new = all.iter().filter(|text| !known.contains(text));
    new.for_each(|text| line(out, 1, text));
    let sides = &game.table().env().sides;
    for seat in [
        Seat::Player(Side::First),
        Seat::Player(Side::Second),
        Seat::Observer,
    ] {
        let who = match seat {
            Seat::Player(side) => &sides[side].id,
            _ => "an observer",
        };
        fog(who, &all, &view(&game.view(seat)), out);
    }
    line(out, 0, "");
    *known = all;
}

/// Of long lists of options, those beyond this many are given by their ids alone.
const IN_WORDS: usize = 24;

fn decision(game: &Game, ply: u32, seed: Seed, out: &mut String) {
    let Some(decision) = game.view(Seat::Umpire).decision else {
        return;
    };
    let head = format!(
        "{} is asked “{}” ({}): {}",
        decision.side, decision.question, decision.rule, decision.prompt
    );
    line(out, 0, &head);
    let acts = game.decision().map_or(&[][..], |decision| decision.options);
    for (option, &act) in decision.options.iter().zip(acts).take(IN_WORDS) {
        line(out, 1, &format!("{:<20} {}", option.id, option.text));
        if let Some(preview) = game.preview(act) {
            line(out, 2, &odds(&preview));
        }
    }
    let rest = decision.options.iter().skip(IN_WORDS);
    let ids: Vec<String> = rest.map(|option| format!("{},", option.id)).collect();
    for text in wrapped(&ids) {
        line(out, 1, &text);
    }
    let mut dice = Loose::new(seed.nth(u64::from(ply)));
    let wrong = wrong_answers(game, &mut dice, 6).into_iter();
    for (act, _) in wrong.filter(|(_, shaped)| *shaped).take(3) {
        let refusal = game.why_not(act);
        line(
            out,
            1,
            &format!("{:<20} refused: {refusal}", game.name(act)),
        );
    }
}

fn odds(preview: &Preview) -> String {
    let modifiers: Vec<String> = preview
        .modifiers
        .0
        .iter()
        .map(|m| format!("{} {:+} ({})", m.label, m.value, m.rule))
        .collect();
    let outcomes: Vec<String> = preview
        .outcomes
        .iter()
        .map(|(text, weight)| format!("{text} {weight}/{}", preview.total))
        .collect();
    format!("{}: {}", modifiers.join(", "), outcomes.join(", "))
}

fn event(play: &Play, event: &Event) -> String {
    let env = play.env();
    let mut text = format!("{} {} ({})", event.kind, event.text, event.rule);
    for unit in &event.units {
        let id = env.units.get(usize::from(unit.0)).map_or("?", |u| &u.id);
        let _ = write!(text, " {id}");
    }
    for hex in &event.hexes {
        let _ = write!(text, " {}", env.board.label(*hex));
    }
    if !event.numbers.is_empty() {
        let _ = write!(text, " {:?}", event.numbers);
    }
    if let cupola_kernel::Audience::Only(side) = event.audience {
        let _ = write!(text, " [only {}]", env.sides[side].id);
    }
    text
}

/// A view in lines, without its decision.
fn view(view: &View) -> Vec<String> {
    let mut lines = vec![format!(
        "turn {} ({}), phase {}, {} to play",
        view.turn.label,
        view.turn.light,
        view.phase,
        view.active.as_deref().unwrap_or("nobody")
    )];
    for unit in &view.units {
        let at = match &unit.at {
            At::Hex(label) => format!("in {label}"),
            At::Box(name) => format!("in box {name}"),
        };
        let state: Vec<String> = unit.state.iter().map(|(k, v)| format!("{k} {v}")).collect();
        lines.push(format!(
            "unit {} {} {} {} [{}] {at}: {}",
            unit.id.as_deref().unwrap_or("?"),
            unit.name,
            unit.side,
            unit.kind,
            unit.ratings,
            state.join(", ")
        ));
    }
    for track in &view.tracks {
        lines.push(format!("track {}: {}", track.name, track.value));
    }
    for mark in &view.marks {
        lines.push(format!("mark {} in {}: {}", mark.kind, mark.hex, mark.text));
    }
    for held in &view.holdings {
        lines.push(format!(
            "{} of {}: {} ({})",
            held.name,
            held.side.as_deref().unwrap_or("nobody"),
            held.count,
            held.known.join(", ")
        ));
    }
    if let Some(verdict) = &view.verdict {
        let winner = verdict.winner.as_deref().unwrap_or("nobody");
        lines.push(format!(
            "verdict: {winner}, {} ({})",
            verdict.how, verdict.rule
        ));
    }
    lines
}

/// What a seat sees otherwise than the umpire.
fn fog(who: &str, all: &[String], own: &[String], out: &mut String) {
    if all == own {
        return line(out, 0, &format!("{who} sees the same"));
    }
    line(out, 0, &format!("{who} sees, instead"));
    for text in own.iter().filter(|text| !all.contains(text)) {
        line(out, 1, text);
    }
    if own.len() != all.len() {
        line(
            out,
            1,
            &format!("({} lines instead of {})", own.len(), all.len()),
        );
    }
}
