//! Identity: rules know who they are. Any byte that the ruleset reads changes their hash, their code is part of it, the same
//! files come to the same game, and a journal that was altered is refused or leads to the same game, never to another.

use crate::conformity::Tally;
use crate::replay::digest;
use crate::settings::Settings;
use crate::suite::message;
use crate::walk::{Walk, below};
use cupola_data::Source;
use cupola_kernel::{Journal, Loose, Play, Seed, Session};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Choices of a game whose journal is altered.
const LONG: u32 = 40;
/// What a byte becomes: numbers, names and signs of the files.
const BYTES: &[u8] = b"0123456789abcdefgxyz-_(){}[]:,.\" ";

pub(crate) fn run(
    play: &Play,
    make: &(dyn Fn() -> Play + Sync),
    settings: &Settings,
    tally: &mut Tally,
) -> Result<(), String> {
    if let Some(name) = play.unstamped().next() {
        return Err(format!(
            "the code of “{name}” is no part of the rules: its contribution wants `code: stamp!()`"
        ));
    }
    let again = make();
    if again.identity() != play.identity() {
        return Err("the same files, loaded twice, come to different rules".to_owned());
    }
    if digest(&again, settings.seed, 1)? != digest(play, settings.seed, 1)? {
        return Err("the same files, loaded twice, come to different games".to_owned());
    }
    let mut dice = Loose::new(settings.seed.nth(17));
    files(play, settings, &mut dice, tally)?;
    journals(play, settings, &mut dice, tally)
}

/// Changes single bytes of every file: that is refused, or the rules are others and say which file it is.
fn files(
    play: &Play,
    settings: &Settings,
    dice: &mut Loose,
    tally: &mut Tally,
) -> Result<(), String> {
    for (name, file) in play.files() {
        for _ in 0..settings.bytes {
            let Some((at, text)) = altered(&file.text, dice) else {
                continue;
            };
            let wrong = |why: &str| format!("byte {at} of {name} changed: {why}");
            let read = catch_unwind(AssertUnwindSafe(|| play.reread(name, &text)));
            match read {
                Err(panic) => return Err(wrong(&format!("it panics: {}", message(&*panic)))),
                Ok(Err(problems)) if problems.is_empty() => {
                    return Err(wrong("it is refused without a reason"));
                }
                Ok(Err(_)) => tally.add("bytes refused", 1),
                Ok(Ok(other)) => {
                    let differences = other.identity().differences(play.identity());
                    if other.resolved() == play.resolved() || differences.is_empty() {
                        return Err(wrong("the rules are still the same"));
                    }
                    tally.add("bytes that make other rules", 1);
                }
            }
        }
    }
    Ok(())
}

/// The text with another byte somewhere, if it is still a text.
fn altered(text: &str, dice: &mut Loose) -> Option<(usize, String)> {
    let mut bytes = text.as_bytes().to_vec();
    // Dice have at most so many sides.
    let block = usize::from(u16::MAX);
    let at = match bytes.len() {
        0 => return None,
        length if length <= block => below(dice, length),
        length => {
            (below(dice, length.div_ceil(block)) * block + below(dice, block)).min(length - 1)
        }
    };
    let now = BYTES[below(dice, BYTES.len())];
    if !bytes[at].is_ascii_graphic() || bytes[at] == now {
        return None;
    }
    bytes[at] = now;
    String::from_utf8(bytes).ok().map(|text| (at, text))
}

/// Alters journals: in any byte, and by another choice under hashes that say otherwise.
fn journals(
    play: &Play,
    settings: &Settings,
    dice: &mut Loose,
    tally: &mut Tally,
) -> Result<(), String> {
    let (journal, end) = played(play, settings.seed)?;
    let text = journal.write();
    for _ in 0..settings.bytes * 8 {
        let Some((at, text)) = altered(&text, dice) else {
            continue;
        };
        let read = Journal::read(&Source::new("altered.cupola", text));
        let other = read.ok().filter(|other| *other != journal);
        judge(play, other, &end).map_err(|why| format!("byte {at} of a journal: {why}"))?;
        tally.add("bytes of journals", 1);
    }
    // Whoever makes the seal anew: the states decide.
    for _ in 0..settings.bytes.min(journal.steps.len() as u64) {
        let (mut other, at) = (journal.clone(), below(dice, journal.steps.len()));
        let mut game = play.game(journal.seed).map_err(|fault| fault.to_string())?;
        for step in &journal.steps[..at] {
            let act = game.parse(&step.act).map_err(|error| error.to_string())?;
            game.apply_unchecked(act)
                .map_err(|fault| fault.to_string())?;
        }
        let options = game.decision().map_or(&[][..], |decision| decision.options);
        let Some(&act) = options.get(below(dice, options.len().max(1))) else {
            continue;
        };
        other.steps[at].act = game.name(act);
        let other = Some(other).filter(|other| *other != journal);
        judge(play, other, &end).map_err(|why| format!("choice {at} of a journal: {why}"))?;
        tally.add("choices of journals", 1);
    }
    Ok(())
}

/// A journal that is another must be refused, or come to the same end.
fn judge(play: &Play, other: Option<Journal>, end: &str) -> Result<(), String> {
    let Some(other) = other else { return Ok(()) };
    match Session::replay(play, &other, "altered.cupola") {
        Ok(session) if session.game().hash().to_string() != end => {
            Err("it was altered, and verifies to another game".to_owned())
        }
        _ => Ok(()),
    }
}

/// The beginning of a random game, and the hash of where it ends.
fn played(play: &Play, seed: Seed) -> Result<(Journal, String), String> {
    let mut walk = Walk::start(play, seed)?;
    let mut session = Session::begin(play, seed).map_err(|fault| fault.to_string())?;
    while let Some((side, act)) = walk.choice()?.filter(|_| walk.ply < LONG) {
        session
            .apply(side, act)
            .map_err(|error| walk.at(error.to_string()))?;
        walk.apply(side, act)?;
    }
    let end = session.game().hash().to_string();
    Ok((session.journal().clone(), end))
}
