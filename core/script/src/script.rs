//! A script, and how it is called: with a table to look at, and dice to roll.

use crate::engine::engine;
use crate::limits;
use crate::trace::noted;
use crate::world::{Hex, Unit, Wrong, look, to_arg, with, wrong};
use cupola_data::{Problem, Problems, Source};
use cupola_kernel::{About, Arg, Dice, Fault, Fight, Seat, Table, word};
use rhai::{
    AST, Array, CallFnOptions, Dynamic, Engine, EvalAltResult, Map, ParseError, Position, Scope,
};
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};

/// A script that was read and is sound in form.
///
/// ```
/// use cupola_data::Source;
/// use cupola_script::Script;
///
/// let script = Script::read(&Source::new("twice.rhai", "fn twice(n) { n * 2 }")).unwrap();
/// assert!(script.has("twice", 1));
/// let broken = Script::read(&Source::new("broken.rhai", "fn twice(n) {\n n * ; }")).err().unwrap();
/// assert!(broken.to_string().starts_with("broken.rhai:2:"), "{broken}");
/// ```
pub struct Script {
    name: &'static str,
    file: String,
    ast: AST,
    /// Its text, and where its functions begin, for what has no line of its own.
    text: String,
    lines: Vec<(String, u32)>,
    /// Words that it has brought: purposes of dice, questions. There is an end to them.
    words: Mutex<Vec<&'static str>>,
}

/// The dice of one call.
#[derive(Default)]
struct Rolls {
    given: Vec<u16>,
    used: usize,
    /// Whether it may roll.
    open: bool,
    /// The die that it wants next.
    wanted: Option<(u16, String, About)>,
}

thread_local! {
    static ROLLS: RefCell<Rolls> = RefCell::default();
    /// Where a script is that notes its lines.
    static LINE: Cell<u32> = const { Cell::new(0) };
}

/// By what a script notes its line; no name that anybody would give to a function.
const NOTE: &str = "note_line_0";

/// Teaches an engine to roll.
pub(crate) fn teach(engine: &mut Engine) {
    engine.register_fn("roll", |sides: i64, purpose: &str, about: Dynamic| {
        roll(sides, purpose, &about)
    });
    engine.register_fn("roll", |sides: i64, purpose: &str| {
        roll(sides, purpose, &Dynamic::UNIT)
    });
    engine.register_fn("d6", |purpose: &str, about: Dynamic| {
        roll(6, purpose, &about)
    });
    engine.register_fn("d6", |purpose: &str| roll(6, purpose, &Dynamic::UNIT));
    engine.register_fn(NOTE, |line: i64| LINE.set(u32::try_from(line).unwrap_or(0)));
}

/// A die that fell already, or a halt until the kernel has rolled it.
fn roll(sides: i64, purpose: &str, about: &Dynamic) -> Result<i64, Wrong> {
    let sides = u16::try_from(sides)
        .ok()
        .filter(|sides| (1..=1000).contains(sides));
    let sides = sides.ok_or_else(|| wrong("a die has 1 to 1000 faces"))?;
    if purpose.is_empty() || purpose.len() > 40 {
        return Err(wrong("a roll has a purpose of 1 to 40 letters"));
    }
    let about = if about.is_unit() {
        About::Game
    } else {
        look(|t| about_of(t, about))?
    };
    ROLLS.with_borrow_mut(|rolls| {
        if !rolls.open {
            return Err(wrong("no dice may be rolled here"));
        }
        if let Some(&value) = rolls.given.get(rolls.used) {
            rolls.used += 1;
            return Ok(i64::from(value));
        }
        if rolls.used >= limits::DICE {
            return Err(wrong(format!("more than {} dice in one go", limits::DICE)));
        }
        rolls.wanted = Some((sides, purpose.to_owned(), about));
        Err(EvalAltResult::ErrorTerminated(Dynamic::UNIT, Position::NONE).into())
    })
}

fn about_of(t: &Table, value: &Dynamic) -> Result<About, Wrong> {
    Ok(match to_arg(t, value)? {
        Arg::Unit(unit) => About::Unit(unit),
        Arg::Hex(hex) => About::Hex(hex),
        Arg::Side(side) => About::Side(side),
        _ => About::Game,
    })
}

impl Script {
    /// Reads a script.
    ///
    /// # Errors
    /// Where its form is wrong.
    pub fn read(source: &Source) -> Result<Script, Problems> {
        if source.text.len() > limits::TEXT {
            let message = format!("a script of more than {} letters", limits::TEXT);
            return Err(Problem::file(&source.name, message).into());
        }
        let ast = engine().compile(&source.text).map_err(|error| {
            let mut problem = Problem::file(&source.name, malformed(&source.text, &error));
            place(&mut problem, error.position());
            Problems::from(problem)
        })?;
        let name = source
            .name
            .rsplit(['/', '\\'])
            .next()
            .unwrap_or(&source.name);
        Ok(Script {
            name: word(name),
            file: source.name.clone(),
            ast,
            lines: functions(&source.text),
            text: source.text.clone(),
            words: Mutex::default(),
        })
    }

    /// The name by which it is composed: its file's.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Whether it has a function of this name with so many arguments.
    #[must_use]
    pub fn has(&self, function: &str, arguments: usize) -> bool {
        let mut functions = self.ast.iter_functions();
        functions.any(|f| f.name == function && f.params.len() == arguments)
    }

    /// A complaint unless it has a function.
    pub(crate) fn must_have(&self, function: &str, arguments: &[&str]) -> Result<(), Problems> {
        if self.has(function, arguments.len()) {
            return Ok(());
        }
        let message = format!(
            "a script of this kind has a function `fn {function}({})`",
            arguments.join(", ")
        );
        Err(Problem::file(&self.file, message).into())
    }

    /// A word that lives on, such as a die's purpose; not too many of them.
    pub(crate) fn word(&self, text: &str) -> Result<&'static str, Fault> {
        let mut words = self.words.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = words.iter().find(|known| **known == text) {
            return Ok(known);
        }
        if words.len() >= limits::PURPOSES || text.len() > 80 {
            return Err(Fault::Broken(format!(
                "{}: more than {} words for questions and dice",
                self.file,
                limits::PURPOSES
            )));
        }
        words.push(word(text));
        Ok(word(text))
    }

    /// Calls a function that rolls no dice, and sees what a seat may see.
    ///
    /// # Errors
    /// What went wrong, with its line.
    pub fn call(
        &self,
        (table, eyes): (&Table, Seat),
        function: &str,
        arguments: Vec<Dynamic>,
    ) -> Result<Dynamic, Fault> {
        let seen = Some((table, eyes));
        let call = || (arguments.clone(), Rolls::default());
        let (given, rolls) = call();
        let (_, result) = self.once((seen, &self.ast), function, given, rolls);
        result.map_err(|error| self.failed((seen, function), &error, call))
    }

    /// Calls a function that may roll dice: whenever it wants one that has not fallen yet it is stopped, the die is
    /// rolled, and it runs again from the beginning. It is pure, so it comes to the same place. If `most` is given, the dice
    /// may fall in so many ways at most: whoever works out the odds walks them all.
    ///
    /// # Errors
    /// What went wrong, with its line.
    pub fn call_with_dice(
        &self,
        seen: (&Table, Seat),
        dice: &mut dyn Dice,
        function: &str,
        arguments: &[Dynamic],
        most: Option<u64>,
    ) -> Result<Dynamic, Fault> {
        let (mut given, mut ways) = (vec![], 1u64);
        loop {
            crate::deeds::again();
            let rolls = Rolls {
                given,
                open: true,
                ..Rolls::default()
            };
            let call = (Some(seen), &self.ast);
            let (rolls, result) = self.once(call, function, arguments.to_vec(), rolls);
            let Some((sides, purpose, about)) = rolls.wanted else {
                let fallen = || Rolls {
                    given: rolls.given.clone(),
                    open: true,
                    ..Rolls::default()
                };
                let call = || (arguments.to_vec(), fallen());
                return result.map_err(|error| self.failed((Some(seen), function), &error, call));
            };
            given = rolls.given;
            ways = ways.saturating_mul(sides.into());
            if let Some(most) = most.filter(|most| ways > *most) {
                let message = format!(
                    "these dice can fall in {ways} ways, and odds are told of {most} at most: roll fewer, or with fewer faces"
                );
                let mut problem = Problem::file(&self.file, message);
                (problem.line, problem.column) = (self.line_of(function), 1);
                return Err(Fault::Broken(problem.to_string()));
            }
            given.push(dice.roll(sides, self.word(&purpose)?, about));
        }
    }

    /// Calls a function that needs no table, when the script is read.
    pub(crate) fn ask(&self, function: &str) -> Result<Dynamic, Problems> {
        let (_, result) = self.once((None, &self.ast), function, vec![], Rolls::default());
        result.map_err(|error| {
            let (message, position) = told(&error);
            let mut problem = Problem::file(&self.file, message);
            place(&mut problem, position);
            problem.into()
        })
    }

    fn once(
        &self,
        (seen, ast): (Option<(&Table, Seat)>, &AST),
        function: &str,
        arguments: Vec<Dynamic>,
        rolls: Rolls,
    ) -> (Rolls, Result<Dynamic, Wrong>) {
        // A script may lead to another one: what that does with its dice is its own.
        let outer = ROLLS.replace(rolls);
        let run = || {
            let options = CallFnOptions::new().eval_ast(false);
            engine().call_fn_with_options(options, &mut Scope::new(), ast, function, arguments)
        };
        let result = guarded(|| match seen {
            Some((table, eyes)) => with(table, eyes, run),
            None => run(),
        });
        (ROLLS.replace(outer), result)
    }

    /// What went wrong in a function. Of what was stopped from outside the language knows no place: it runs once more,
    /// and notes where it is.
    fn failed(
        &self,
        (seen, function): (Option<(&Table, Seat)>, &str),
        error: &EvalAltResult,
        call: impl Fn() -> (Vec<Dynamic>, Rolls),
    ) -> Fault {
        let (message, position) = told(error);
        let mut problem = Problem::file(&self.file, message);
        place(&mut problem, position);
        if position.is_none() {
            let again = || {
                let ast = engine().compile(noted(&self.text, NOTE)).ok()?;
                LINE.set(0);
                let (arguments, rolls) = call();
                let (_, result) = self.once((seen, &ast), function, arguments, rolls);
                let _stopped = result.err()?;
                Some(LINE.get()).filter(|line| *line > 0)
            };
            problem.line = again().unwrap_or_else(|| self.line_of(function));
        }
        Fault::Broken(problem.to_string())
    }

    /// The line on which a function begins.
    fn line_of(&self, function: &str) -> u32 {
        let known = self.lines.iter().find(|(name, _)| name == function);
        known.map_or(0, |(_, line)| *line)
    }

    /// What went wrong while it ran, with its line.
    pub(crate) fn fault(&self, error: &EvalAltResult) -> Fault {
        let (message, position) = told(error);
        let mut problem = Problem::file(&self.file, message);
        place(&mut problem, position);
        Fault::Broken(problem.to_string())
    }

    /// A complaint about what a function gave back.
    pub(crate) fn expected(&self, function: &str, what: &str, found: &Dynamic) -> Fault {
        let found = match found.as_int() {
            Ok(number) => number.to_string(),
            Err(_) => match found.clone().into_immutable_string() {
                Ok(text) => format!("the text {text:?}"),
                Err(_) if found.is_unit() => "nothing".to_owned(),
                Err(other) => other.to_owned(),
            },
        };
        let message = format!("`{function}` gives back {found}, expected {what}");
        let mut problem = Problem::file(&self.file, message);
        (problem.line, problem.column) = (self.line_of(function), 1);
        Fault::Broken(problem.to_string())
    }
}

/// Runs a script so that not even a fault of the language itself ends the program.
pub(crate) fn guarded<R>(run: impl FnOnce() -> Result<R, Wrong>) -> Result<R, Wrong> {
    let result = catch_unwind(AssertUnwindSafe(run));
    result.unwrap_or_else(|_| Err(wrong("the language failed on this script")))
}

/// The functions of a script and their lines.
fn functions(text: &str) -> Vec<(String, u32)> {
    let named = |line: &str| {
        let (_, rest) = line.split_once("fn ")?;
        let (name, _) = rest.split_once('(')?;
        Some(name.trim().to_owned())
    };
    let lines = text.lines().zip(1..);
    lines
        .filter_map(|(line, number)| Some((named(line)?, number)))
        .collect()
}

/// What is wrong with the form of a script. There is no number with a point in the language: it takes what stands behind the
/// point for a name.
pub(crate) fn malformed(text: &str, error: &ParseError) -> String {
    let at = error.position();
    let line = at.line().and_then(|line| text.lines().nth(line - 1));
    let letters: Vec<char> = line.unwrap_or_default().chars().collect();
    let here = at.position().unwrap_or(1) - 1;
    let digit = |at: Option<usize>| {
        at.and_then(|at| letters.get(at))
            .is_some_and(char::is_ascii_digit)
    };
    let point = [here.checked_sub(1), Some(here)].into_iter().flatten();
    let broken = point
        .filter(|&at| letters.get(at) == Some(&'.'))
        .any(|at| digit(at.checked_sub(1)) && digit(Some(at + 1)));
    match broken {
        true => "a number with a point in it, expected whole numbers only".to_owned(),
        false => error.err_type().to_string(),
    }
}

fn place(problem: &mut Problem, position: Position) {
    problem.line = position.line().unwrap_or(0) as u32;
    problem.column = position.position().unwrap_or(1) as u32;
}

/// What went wrong in plain words, and where.
pub(crate) fn told(error: &EvalAltResult) -> (String, Position) {
    let here = error.position();
    match error {
        EvalAltResult::ErrorInFunctionCall(_, _, inner, _) => {
            let (message, place) = told(inner);
            (message, if place.is_none() { here } else { place })
        }
        EvalAltResult::ErrorTooManyOperations(_) => (
            format!(
                "the script runs away: stopped after {} steps",
                limits::STEPS
            ),
            here,
        ),
        EvalAltResult::ErrorStackOverflow(_) => (
            format!("the script calls itself more than {} deep", limits::DEPTH),
            here,
        ),
        EvalAltResult::ErrorDataTooLarge(what, _) => {
            (format!("the script makes too much: {what}"), here)
        }
        EvalAltResult::ErrorRuntime(value, _) => (value.to_string(), here),
        other => {
            let mut plain = other.to_string();
            // The place is told in our own way.
            if let Some(at) = plain.rfind(" (line ") {
                plain.truncate(at);
            }
            (plain, here)
        }
    }
}

/// A fight as a script sees it.
pub(crate) fn fight_map(fight: &Fight) -> Dynamic {
    let units = |units: &[cupola_kernel::UnitId]| {
        units
            .iter()
            .map(|&unit| Dynamic::from(Unit(unit)))
            .collect::<Array>()
    };
    let mut map = Map::new();
    map.insert("attackers".into(), units(&fight.attackers).into());
    map.insert("defenders".into(), units(&fight.defenders).into());
    map.insert(
        "hex".into(),
        fight
            .hex
            .map_or(Dynamic::UNIT, |hex| Dynamic::from(Hex(hex))),
    );
    let terms = fight
        .terms
        .iter()
        .map(|&term| Dynamic::from(i64::from(term)));
    map.insert("terms".into(), terms.collect::<Array>().into());
    map.into()
}
