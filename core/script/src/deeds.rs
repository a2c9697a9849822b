//! What a phase wants changed: noted while its script runs, carried out when it has ended.

use crate::limits;
use crate::world::{Hex, Unit, Wrong, look, side, wrong};
use cupola_kernel::{Arg, Cite, Event, Fault, Place, Side, Table, UnitId, Verdict};
use rhai::{Dynamic, Engine};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// One thing to be done.
#[derive(Clone, Debug)]
pub(crate) enum Deed {
    /// Put a unit into a hex or a box.
    Place(UnitId, Place),
    /// Change something in the ruleset's own words.
    Set(String, Vec<Arg>, i64),
    /// Tell everybody.
    Say(String, Option<UnitId>),
    /// End the game.
    End(Option<Side>, String),
    /// Keep a number.
    Remember(String, i64),
}

/// What is noted while a script runs; nothing where nothing may be changed.
#[derive(Default)]
struct Notes {
    deeds: Option<Vec<Deed>>,
    memory: BTreeMap<String, i64>,
}

thread_local! {
    static NOTES: RefCell<Notes> = RefCell::default();
}

/// Runs `f` with a memory to read, and deeds to note if `open`; gives back what was noted.
pub(crate) fn noting<R>(
    memory: BTreeMap<String, i64>,
    open: bool,
    f: impl FnOnce() -> R,
) -> (Vec<Deed>, R) {
    let outer = NOTES.replace(Notes {
        deeds: open.then(Vec::new),
        memory,
    });
    let result = f();
    let notes = NOTES.replace(outer);
    (notes.deeds.unwrap_or_default(), result)
}

/// Forgets what was noted: the script begins again.
pub(crate) fn again() {
    NOTES.with_borrow_mut(|notes| {
        if let Some(deeds) = &mut notes.deeds {
            deeds.clear();
        }
    });
}

fn note(deed: Deed) -> Result<(), Wrong> {
    NOTES.with_borrow_mut(|notes| match &mut notes.deeds {
        None => Err(wrong(
            "nothing may be changed here: only `enter`, `next` and `take` of a phase do",
        )),
        Some(deeds) if deeds.len() >= limits::THINGS => Err(wrong("too many changes in one go")),
        Some(deeds) => {
            deeds.push(deed);
            Ok(())
        }
    })
}

/// Teaches an engine what a phase can do.
pub(crate) fn teach(engine: &mut Engine) {
    crate::script::teach(engine);
    engine.register_fn("place", |unit: Unit, hex: Hex| {
        note(Deed::Place(unit.0, Place::Hex(hex.0)))
    });
    engine.register_fn("put_in_box", |unit: Unit, number: i64| {
        let number = u8::try_from(number).map_err(|_| wrong("no such box"))?;
        note(Deed::Place(unit.0, Place::Box(number)))
    });
    engine.register_fn("set", |unit: Unit, what: &str, value: i64| {
        note(Deed::Set(what.to_owned(), vec![Arg::Unit(unit.0)], value))
    });
    engine.register_fn("set", |unit: Unit, what: &str, value: bool| {
        note(Deed::Set(
            what.to_owned(),
            vec![Arg::Unit(unit.0)],
            value.into(),
        ))
    });
    engine.register_fn("say", |text: &str| note(Deed::Say(text.to_owned(), None)));
    engine.register_fn("say", |unit: Unit, text: &str| {
        note(Deed::Say(text.to_owned(), Some(unit.0)))
    });
    engine.register_fn("win", |id: &str, how: &str| {
        let winner = look(|t| side(t, id))?;
        note(Deed::End(Some(winner), how.to_owned()))
    });
    engine.register_fn("draw", |how: &str| note(Deed::End(None, how.to_owned())));
    engine.register_fn("remember", |key: &str, value: i64| {
        note(Deed::Remember(key.to_owned(), value))
    });
    engine.register_fn("recall", |key: &str| -> Dynamic {
        NOTES.with_borrow(|notes| {
            let noted = notes
                .deeds
                .iter()
                .flatten()
                .rev()
                .find_map(|deed| match deed {
                    Deed::Remember(own, value) if own == key => Some(*value),
                    _ => None,
                });
            noted
                .or_else(|| notes.memory.get(key).copied())
                .unwrap_or(0)
                .into()
        })
    });
}

/// Carries out what was noted; what a script keeps is kept by the caller.
pub(crate) fn carry_out(
    t: &mut Table,
    script: &str,
    cite: &Cite,
    deeds: Vec<Deed>,
) -> Result<BTreeMap<String, i64>, Fault> {
    let mut kept = BTreeMap::new();
    for deed in deeds {
        match deed {
            Deed::Place(unit, at) => t.place(unit, at),
            Deed::Set(what, about, value) => {
                let rules = t.env().answers.clone();
                rules
                    .change(t, &what, &about, value)
                    .map_err(|why| Fault::Broken(format!("{script}: {why}")))?;
            }
            Deed::Say(text, unit) => {
                t.say(|_| Event::new("script", cite.clone(), text).units(unit))
            }
            Deed::End(winner, how) => t.end(Verdict {
                winner,
                how: how.into(),
                rule: cite.clone(),
            }),
            Deed::Remember(key, value) => {
                kept.insert(key, value);
            }
        }
    }
    Ok(kept)
}
