//! What a script can ask: the table, read-only.
//!
//! A unit and a hex are values of their own; a side is its id, such as `"us"`. What every ruleset knows of them is
//! there by name: `unit.kind`, `unit.hex`, `hex.cover`, `distance(a, b)`. What only one ruleset knows is asked in its own
//! words: `unit.strength`, `ask("result", [2, 5])`; which words it knows, [`Ruleset::questions`] lists.
//!
//! A script that answers for a player sees with his eyes: a unit that he may not know ([`Ruleset::knows`]) is on no list and in no
//! hex, and has no strength, kind or name. So odds and options tell nobody more than the table does.
//!
//! [`Ruleset::questions`]: cupola_kernel::Ruleset::questions
//! [`Ruleset::knows`]: cupola_kernel::Ruleset::knows

use cupola_data::nearest;
use cupola_ground::{Grade, Hexside, Rise};
use cupola_kernel::{Arg, Fact, Fight, HexId, Seat, Side, Table, UnitId, UnitInfo};
use rhai::{Array, Dynamic, Engine, EvalAltResult, ImmutableString};
use std::fmt::Display;

scoped_tls::scoped_thread_local!(static TABLE: Table);
scoped_tls::scoped_thread_local!(static EYES: Seat);

/// What went wrong, for the engine to add the line.
pub(crate) type Wrong = Box<EvalAltResult>;

/// A complaint of ours.
pub(crate) fn wrong(why: impl Display) -> Wrong {
    why.to_string().into()
}

/// Lets a script look at a table while `f` runs, with the eyes of a seat.
pub(crate) fn with<R>(table: &Table, eyes: Seat, f: impl FnOnce() -> R) -> R {
    EYES.set(&eyes, || TABLE.set(table, f))
}

/// Whose eyes a fight is seen with: its odds are shown to those who attack.
pub(crate) fn eyes_of(table: &Table, fight: &Fight) -> Seat {
    let first = fight.attackers.first();
    first.map_or(Seat::Observer, |&unit| Seat::Player(table.info(unit).side))
}

/// Whether whoever looks may know a unit.
fn knows(t: &Table, unit: UnitId) -> bool {
    let eyes = if EYES.is_set() {
        EYES.with(|eyes| *eyes)
    } else {
        Seat::Umpire
    };
    eyes == Seat::Umpire || t.env().answers.knows(t, eyes, unit)
}

/// The hex of a unit, as far as it may be known.
fn hex_of(t: &Table, unit: UnitId) -> Option<HexId> {
    t.hex(unit).filter(|_| knows(t, unit))
}

/// Looks at the table on behalf of a script.
pub(crate) fn look<R>(f: impl FnOnce(&Table) -> Result<R, Wrong>) -> Result<R, Wrong> {
    if TABLE.is_set() {
        TABLE.with(f)
    } else {
        Err(wrong("there is no table to look at now"))
    }
}

/// What every ruleset knows of units and hexes.
pub(crate) const PROPERTIES: &[&str] = &[
    "id",
    "name",
    "kind",
    "side",
    "hex",
    "on_map",
    "men",
    "guns",
    "cover",
    "label",
    "level",
    "neighbours",
    "units",
];

/// A unit, for scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unit(pub UnitId);

/// A hex, for scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hex(pub HexId);

/// A fact as a script sees it.
pub(crate) fn to_script(t: &Table, fact: Fact) -> Dynamic {
    match fact {
        Fact::Nothing => Dynamic::UNIT,
        Fact::Number(number) => number.into(),
        Fact::Yes(yes) => yes.into(),
        Fact::Text(text) => text.into(),
        Fact::Unit(unit) => Dynamic::from(Unit(unit)),
        Fact::Hex(hex) => Dynamic::from(Hex(hex)),
        Fact::Side(side) => t.env().sides[side].id.clone().into(),
        Fact::List(facts) => facts
            .into_iter()
            .map(|fact| to_script(t, fact))
            .collect::<Array>()
            .into(),
    }
}

/// What a script names, as an argument of a question or an answer.
pub(crate) fn to_arg(t: &Table, value: &Dynamic) -> Result<Arg, Wrong> {
    if let Some(unit) = value.clone().try_cast::<Unit>() {
        return Ok(Arg::Unit(unit.0));
    }
    if let Some(hex) = value.clone().try_cast::<Hex>() {
        return Ok(Arg::Hex(hex.0));
    }
    if let Ok(number) = value.as_int() {
        let number = i16::try_from(number);
        return number
            .map(Arg::Number)
            .map_err(|_| wrong("a number beyond 32767"));
    }
    if let Ok(yes) = value.as_bool() {
        return Ok(Arg::Number(yes.into()));
    }
    if let Ok(text) = value.clone().into_immutable_string() {
        return side(t, &text).map(Arg::Side);
    }
    Err(wrong(format!(
        "expected a unit, a hex, a side or a number, found {}",
        value.type_name()
    )))
}

/// An argument as a script sees it.
pub(crate) fn from_arg(t: &Table, arg: Arg) -> Dynamic {
    match arg {
        Arg::None => Dynamic::UNIT,
        Arg::Unit(unit) => Dynamic::from(Unit(unit)),
        Arg::Hex(hex) => Dynamic::from(Hex(hex)),
        Arg::Side(side) => t.env().sides[side].id.clone().into(),
        Arg::Token(token) => i64::from(token.0).into(),
        Arg::Number(number) => i64::from(number).into(),
    }
}

/// A side by its id.
pub(crate) fn side(t: &Table, id: &str) -> Result<Side, Wrong> {
    t.env().side(id).ok_or_else(|| {
        let sides = &t.env().sides;
        wrong(format!(
            "no side \"{id}\", there are \"{}\" and \"{}\"",
            sides.first.id, sides.second.id
        ))
    })
}

/// Asks the ruleset in its own words.
fn ask(what: &str, about: &[Dynamic]) -> Result<Dynamic, Wrong> {
    look(|t| {
        let args = about
            .iter()
            .map(|value| to_arg(t, value))
            .collect::<Result<Vec<Arg>, Wrong>>()?;
        let rules = &t.env().answers;
        let hidden = |arg: &Arg| matches!(arg, Arg::Unit(unit) if !knows(t, *unit));
        match rules.ask(t, what, &args) {
            Some(_) if args.iter().any(hidden) => Ok(Dynamic::UNIT),
            Some(fact) => Ok(to_script(t, fact)),
            None => {
                let known = rules.questions();
                let near = nearest(what, known.iter().copied());
                let hint = match near {
                    Some(near) if near != what => format!("; did you mean \"{near}\"?"),
                    Some(_) => " about that".to_owned(),
                    None => format!("; there are {}", known.join(", ")),
                };
                Err(wrong(format!(
                    "{} has no answer to \"{what}\"{hint}",
                    rules.name()
                )))
            }
        }
    })
}

/// Teaches an engine what can be asked.
pub(crate) fn teach(engine: &mut Engine) {
    units(engine);
    hexes(engine);
    sides_and_turns(engine);
    engine.register_fn("ask", |what: &str, about: Array| ask(what, &about));
    engine.register_fn("ask", |what: &str| ask(what, &[]));
    engine.register_fn("sum", |list: Array| -> Result<i64, Wrong> {
        list.iter().try_fold(0i64, |sum, value| {
            let number = match value.read_lock::<Array>() {
                Some(pair) => pair.last().and_then(|last| last.as_int().ok()),
                None => value.as_int().ok(),
            };
            let number =
                number.ok_or_else(|| wrong("sum: expected numbers, or pairs that end with one"))?;
            sum.checked_add(number)
                .ok_or_else(|| wrong("sum: too large"))
        })
    });
}

fn units(engine: &mut Engine) {
    engine.register_type_with_name::<Unit>("Unit");
    engine.register_fn("==", |a: Unit, b: Unit| a == b);
    engine.register_fn("!=", |a: Unit, b: Unit| a != b);
    engine.register_fn("to_string", |unit: Unit| name_of(unit));
    engine.register_fn("units", || {
        look(|t| {
            Ok(t.units()
                .filter(|&unit| knows(t, unit))
                .map(|unit| Dynamic::from(Unit(unit)))
                .collect::<Array>())
        })
    });
    engine.register_fn("unit", |id: &str| {
        look(|t| {
            let found = t.env().unit(id).map(Unit);
            found.ok_or_else(|| {
                let near = nearest(id, t.env().units.iter().map(|unit| unit.id.as_str()));
                wrong(format!(
                    "no unit \"{id}\"{}",
                    near.map_or_else(String::new, |near| format!("; did you mean \"{near}\"?"))
                ))
            })
        })
    });
    let info = |of: fn(&UnitInfo) -> Dynamic| {
        move |unit: &mut Unit| {
            look(|t| {
                let known = knows(t, unit.0).then(|| of(t.info(unit.0)));
                Ok(known.unwrap_or(Dynamic::UNIT))
            })
        }
    };
    engine.register_get("id", info(|info| info.id.clone().into()));
    engine.register_get("name", info(|info| info.name.clone().into()));
    engine.register_get("kind", info(|info| info.kind.clone().into()));
    engine.register_get("men", info(|info| i64::from(info.men).into()));
    engine.register_get("guns", info(|info| i64::from(info.guns).into()));
    engine.register_get("side", |unit: &mut Unit| {
        look(|t| Ok(Dynamic::from(t.env().sides[t.info(unit.0).side].id.clone())))
    });
    engine.register_get("hex", |unit: &mut Unit| {
        look(|t| Ok(hex_of(t, unit.0).map_or(Dynamic::UNIT, |hex| Dynamic::from(Hex(hex)))))
    });
    engine.register_get("on_map", |unit: &mut Unit| {
        look(|t| Ok(hex_of(t, unit.0).is_some()))
    });
    // What covers the hex that it stands in: the most common wish.
    engine.register_get("cover", |unit: &mut Unit| {
        look(|t| {
            Ok(hex_of(t, unit.0)
                .map_or(Dynamic::UNIT, |hex| t.board().cover(hex).to_string().into()))
        })
    });
    // Everything else is asked of the ruleset.
    engine.register_indexer_get(|unit: &mut Unit, what: &str| ask(what, &[Dynamic::from(*unit)]));
}

fn name_of(unit: Unit) -> ImmutableString {
    look(|t| {
        let known = knows(t, unit.0).then(|| t.info(unit.0).name.clone().into());
        Ok(known.unwrap_or_default())
    })
    .unwrap_or_default()
}

fn hexes(engine: &mut Engine) {
    engine.register_type_with_name::<Hex>("Hex");
    engine.register_fn("==", |a: Hex, b: Hex| a == b);
    engine.register_fn("!=", |a: Hex, b: Hex| a != b);
    engine.register_fn("to_string", |hex: Hex| {
        look(|t| Ok(ImmutableString::from(t.board().label(hex.0)))).unwrap_or_default()
    });
    engine.register_fn("hex", |label: &str| {
        look(|t| t.board().hex(label).map(Hex).map_err(wrong))
    });
    engine.register_fn("hexes", || {
        look(|t| {
            Ok(t.board()
                .hexes()
                .map(|hex| Dynamic::from(Hex(hex)))
                .collect::<Array>())
        })
    });
    engine.register_get("label", |hex: &mut Hex| {
        look(|t| Ok(t.board().label(hex.0).to_owned()))
    });
    engine.register_get("cover", |hex: &mut Hex| {
        look(|t| Ok(t.board().cover(hex.0).to_string()))
    });
    engine.register_get("level", |hex: &mut Hex| {
        look(|t| Ok(i64::from(t.board().level(hex.0))))
    });
    engine.register_get("neighbours", |hex: &mut Hex| {
        look(|t| {
            Ok(t.board()
                .neighbours(hex.0)
                .map(|(_, next)| Dynamic::from(Hex(next)))
                .collect::<Array>())
        })
    });
    engine.register_get("units", |hex: &mut Hex| {
        look(|t| {
            Ok(t.stacks()
                .units(hex.0)
                .filter(|&unit| knows(t, unit))
                .map(|unit| Dynamic::from(Unit(unit)))
                .collect::<Array>())
        })
    });
    engine.register_indexer_get(|hex: &mut Hex, what: &str| ask(what, &[Dynamic::from(*hex)]));
    hexsides(engine);
}

/// What lies between two hexes.
fn hexsides(engine: &mut Engine) {
    engine.register_fn("distance", |a: Hex, b: Hex| {
        look(|t| Ok(i64::from(t.board().distance(a.0, b.0))))
    });
    engine.register_fn("road", |a: Hex, b: Hex| {
        side_of(a, b, |side| {
            side.road
                .map_or(Dynamic::UNIT, |road| road.to_string().into())
        })
    });
    engine.register_fn("water", |a: Hex, b: Hex| {
        side_of(a, b, |side| match (side.water, side.crossing) {
            (Some(water), None) => water.to_string().into(),
            _ => Dynamic::UNIT,
        })
    });
    engine.register_fn("slope", |a: Hex, b: Hex| {
        side_of(a, b, |side| {
            let grade = |grade| if grade == Grade::Steep { 2i64 } else { 1 };
            match side.rise {
                Rise::Level => 0i64.into(),
                Rise::Up(steep) => grade(steep).into(),
                Rise::Down(steep) => (-grade(steep)).into(),
            }
        })
    });
    engine.register_fn("wall", |a: Hex, b: Hex| {
        side_of(a, b, |side| side.wall.into())
    });
    engine.register_fn("crest", |a: Hex, b: Hex| {
        side_of(a, b, |side| side.crest.into())
    });
}

/// Something about the hexside between two neighbours, from the first to the second.
fn side_of(a: Hex, b: Hex, of: impl Fn(&Hexside) -> Dynamic) -> Result<Dynamic, Wrong> {
    look(|t| {
        let board = t.board();
        let direction = board.direction(a.0, b.0);
        let (from, to) = (board.label(a.0), board.label(b.0));
        let direction = direction
            .ok_or_else(|| wrong(format!("{from} and {to} are not next to each other")))?;
        Ok(of(board.side(a.0, direction)))
    })
}

fn sides_and_turns(engine: &mut Engine) {
    engine.register_fn("sides", || {
        look(|t| {
            Ok(t.env()
                .sides
                .iter()
                .map(|(_, side)| Dynamic::from(side.id.clone()))
                .collect::<Array>())
        })
    });
    engine.register_fn("other", |id: &str| {
        look(|t| Ok(t.env().sides[side(t, id)?.other()].id.clone()))
    });
    engine.register_fn("active", || {
        look(|t| {
            Ok(t.player_turn()
                .map_or(Dynamic::UNIT, |side| t.env().sides[side].id.clone().into()))
        })
    });
    engine.register_fn("turn", || look(|t| Ok(i64::from(t.turn()))));
    engine.register_fn("last_turn", || look(|t| Ok(i64::from(t.env().last_turn))));
    engine.register_fn("night", || look(|t| Ok(t.is_night())));
}
