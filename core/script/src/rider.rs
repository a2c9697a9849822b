//! The shortest script: one line of a variant that adds to a fight.

use crate::engine::engine;
use crate::script::{guarded, malformed, told};
use crate::world::{Hex, PROPERTIES, Unit, eyes_of, with};
use cupola_data::nearest;
use cupola_ground::{Cover, Named};
use cupola_kernel::{Cite, Fault, Fight, Modifiers, Rider, Table};
use rhai::{AST, Array, Dynamic, Scope};

/// Kinds of units that may stand in a line without quotes.
const KINDS: [&str; 7] = [
    "infantry",
    "cavalry",
    "artillery",
    "horse_artillery",
    "cadre",
    "leader",
    "headquarters",
];
/// What a fight has, by name.
const NAMES: [&str; 8] = [
    "attackers",
    "defenders",
    "attacker",
    "firer",
    "defender",
    "target",
    "hex",
    "terms",
];
/// Those of them that are whom it is about.
const AIMED: [&str; 2] = ["defender", "target"];
/// What lists, texts and numbers have.
const OF_VALUES: &[&str] = &[
    "len", "is_empty", "is_odd", "is_even", "is_zero", "bits", "chars",
];
/// Words of the language.
const WORDS: [&str; 8] = ["true", "false", "this", "if", "else", "let", "in", "is"];

/// A line such as `-1 in fire when target.cover is woods and firer.kind is cavalry`.
///
/// ```
/// use cupola_script::Line;
/// let line = Line::read("-1 in fire when target.cover is woods and firer.kind is cavalry").unwrap();
/// assert_eq!(line.role(), "fire");
/// let typo = Line::read("-1 in fire when targett.cover is woods").map(|_| ()).unwrap_err();
/// assert_eq!(typo, "no \"targett\" in a fight; did you mean \"target\"?");
/// ```
pub struct Line {
    value: i16,
    role: String,
    when: String,
    ast: AST,
    /// Names of [`NAMES`] and constants that it uses.
    used: Vec<&'static str>,
    constants: Vec<&'static str>,
    /// What it asks of them: names behind a dot.
    asked: Vec<String>,
}

impl Line {
    /// Reads a line.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(line: &str) -> Result<Line, String> {
        let form = "expected a number, the role of a combat system and a condition: \
                    \"-1 in fire when target.cover is woods\"";
        let (head, when) = line.split_once(" when ").ok_or(form)?;
        let (value, role) = head.split_once(" in ").ok_or(form)?;
        let value = value.trim().replace('−', "-");
        let value = value
            .strip_prefix('+')
            .unwrap_or(&value)
            .parse()
            .map_err(|_| form)?;
        let text = plain_words(when);
        let (mut used, mut constants) = (vec![], vec![]);
        for name in names_in(&text) {
            if let Some(known) = NAMES.iter().find(|known| **known == name) {
                used.push(*known);
            } else if let Some(known) = constant(&name) {
                constants.push(known);
            } else if !WORDS.contains(&&*name) {
                return Err(unknown(&name));
            }
        }
        let ast = engine().compile_expression(&text).map_err(|error| {
            let at = error.position().position().map_or_else(String::new, |at| {
                format!(" at letter {at} of the condition")
            });
            format!("{}{at}", malformed(&text, &error))
        })?;
        Ok(Line {
            value,
            role: role.trim().to_owned(),
            when: when.trim().to_owned(),
            ast,
            used,
            constants,
            asked: asked_in(&text),
        })
    }

    /// The role of the combat system that it is about.
    #[must_use]
    pub fn role(&self) -> &str {
        &self.role
    }

    fn holds(&self, table: &Table, fight: &Fight) -> Result<bool, Fault> {
        let mut scope = Scope::new();
        for &name in &self.constants {
            scope.push_constant_dynamic(name, name.into());
        }
        let list = |units: &[cupola_kernel::UnitId]| -> Dynamic {
            units
                .iter()
                .map(|&unit| Dynamic::from(Unit(unit)))
                .collect::<Array>()
                .into()
        };
        let hex = || fight.hex.map(|hex| Dynamic::from(Hex(hex)));
        let first = |units: &[cupola_kernel::UnitId]| {
            let unit = units.first();
            unit.map(|&unit| Dynamic::from(Unit(unit)))
        };
        for &name in &self.used {
            let value = match name {
                "attackers" => Some(list(&fight.attackers)),
                "defenders" => Some(list(&fight.defenders)),
                "attacker" | "firer" => first(&fight.attackers),
                // Who fires at a hex, and does not know at whom, has the hex for a target.
                "defender" | "target" => first(&fight.defenders).or_else(hex),
                "hex" => hex(),
                _ => {
                    let terms = fight.terms.iter();
                    let terms = terms.map(|&term| Dynamic::from(i64::from(term)));
                    Some(terms.collect::<Array>().into())
                }
            };
            // A fight that has no such thing is not meant: horsemen on a field of their own have no hex.
            let Some(value) = value else {
                return Ok(false);
            };
            scope.push_constant_dynamic(name, value);
        }
        let result = guarded(|| {
            with(table, eyes_of(table, fight), || {
                engine().eval_ast_with_scope::<Dynamic>(&mut scope, &self.ast)
            })
        });
        let result = result.map_err(|error| {
            let unseen =
                fight.defenders.is_empty() && self.used.iter().any(|name| AIMED.contains(name));
            let hint = if unseen {
                "; who stands there is not known, so that the target is the hex"
            } else {
                ""
            };
            Fault::Broken(format!("“{}”: {}{hint}", self.when, told(&error).0))
        })?;
        let expected = || Fault::Broken(format!("“{}” is neither true nor false", self.when));
        result.as_bool().map_err(|_| expected())
    }
}

impl Rider for Line {
    fn modifiers(&self, table: &Table, fight: &Fight) -> Result<Modifiers, Fault> {
        let applies = self.holds(table, fight)?;
        Ok(Modifiers::new().add_if(applies, Cite::new("variant"), self.when.clone(), self.value))
    }

    fn spelt(&self, ruleset: &str, questions: &[&str]) -> Result<(), Fault> {
        // A ruleset that does not list its words is asked when it comes to it.
        let known = |word: &&String| {
            let all = PROPERTIES.iter().chain(OF_VALUES).chain(questions);
            questions.is_empty() || all.into_iter().any(|known| known == word)
        };
        let Some(word) = self.asked.iter().find(|word| !known(word)) else {
            return Ok(());
        };
        let all = questions.iter().chain(PROPERTIES).copied();
        let hint = match nearest(word, all.clone()) {
            Some(near) => format!("did you mean \"{near}\"?"),
            None => format!("there are {}", all.collect::<Vec<_>>().join(", ")),
        };
        Err(Fault::Broken(format!(
            "“{}”: {ruleset} has no answer to \"{word}\"; {hint}",
            self.when
        )))
    }
}

/// A cover or a kind of unit.
fn constant(name: &str) -> Option<&'static str> {
    let covers = Cover::ALL.iter().map(|cover| cover.name());
    covers.chain(KINDS).find(|known| *known == name)
}

fn unknown(name: &str) -> String {
    let covers = Cover::ALL.iter().map(|cover| cover.name());
    let near = nearest(name, NAMES.into_iter().chain(covers).chain(KINDS));
    let hint = near.map_or_else(
        || {
            let names = NAMES.join(", ");
            format!("; there are {names}; what is called so stands in quotes: \\\"{name}\\\"")
        },
        |near| format!("; did you mean \"{near}\"?"),
    );
    format!("no \"{name}\" in a fight{hint}")
}

/// The condition with its plain words as signs: `and`, `or`, `not`, `is`, `is not`.
fn plain_words(when: &str) -> String {
    let mut out = String::new();
    for (i, part) in when.split('"').enumerate() {
        if i > 0 {
            out.push('"');
        }
        if i % 2 == 1 {
            out.push_str(part);
            continue;
        }
        let spaced = format!(" {part} ");
        let plain = spaced.replace(" is not ", " != ").replace(" is ", " == ");
        let plain = plain
            .replace(" and ", " && ")
            .replace(" or ", " || ")
            .replace(" not ", " !");
        out.push_str(&plain);
    }
    out.trim().to_owned()
}

/// The names in a condition that are neither in quotes, nor behind a dot, nor those of functions or their arguments.
fn names_in(text: &str) -> Vec<String> {
    words_in(text).0
}

/// The names in a condition that stand behind a dot and are no functions.
fn asked_in(text: &str) -> Vec<String> {
    words_in(text).1
}

/// The names in a condition: those that stand for themselves, and those that stand behind a dot.
fn words_in(text: &str) -> (Vec<String>, Vec<String>) {
    let (mut names, mut own, letters) = (vec![], vec![], text.char_indices().collect::<Vec<_>>());
    let mut asked = vec![];
    let (mut i, mut quoted) = (0, false);
    while i < letters.len() {
        let (at, letter) = letters[i];
        if letter == '"' {
            quoted = !quoted;
        }
        if quoted || !(letter.is_ascii_alphabetic() || letter == '_') {
            i += 1;
            continue;
        }
        let end = letters[i..]
            .iter()
            .find(|(_, c)| !(c.is_ascii_alphanumeric() || *c == '_'))
            .map_or(text.len(), |(end, _)| *end);
        let (before, after) = (
            text[..at].trim_end().chars().last(),
            text[end..].trim_start().chars().next(),
        );
        let name = &text[at..end];
        if before == Some('|') && after == Some('|') {
            own.push(name.to_owned());
        } else if before == Some('.') && after != Some('(') {
            asked.push(name.to_owned());
        } else if before != Some('.') && after != Some('(') {
            names.push(name.to_owned());
        }
        while i < letters.len() && letters[i].0 < end {
            i += 1;
        }
    }
    names.retain(|name| !own.contains(name));
    names.sort();
    names.dedup();
    (names, asked)
}
