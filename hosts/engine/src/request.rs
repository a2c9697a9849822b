//! What a bot asks, and what is wrong with it.

use cupola_data::{Problem, Problems, nearest};
use cupola_kernel::{ApplyError, Fault, Refusal, UnknownName};
use serde::Serialize;
use serde_json::{Map, Value};

/// The commands and the fields that each of them knows, besides `id` and `cmd`.
pub const COMMANDS: &[(&str, &[&str])] = &[
    ("list", &[]),
    (
        "new",
        &[
            "scenario",
            "ruleset",
            "seed",
            "variant",
            "position",
            "position_file",
        ],
    ),
    ("load", &["journal", "file"]),
    ("decision", &["game", "seat"]),
    ("apply", &["game", "side", "option", "index"]),
    ("view", &["game", "seat"]),
    ("undo", &["game", "side"]),
    ("fork", &["game", "seat", "seed", "same_dice"]),
    ("drop", &["game"]),
    ("odds", &["game", "option"]),
    ("why", &["game", "option"]),
    ("moves", &["game"]),
    ("save", &["game", "file"]),
    ("quit", &[]),
];

/// The letters of a message, at most.
const LONGEST: usize = 10_000;

/// Why a request cannot be answered.
#[derive(Debug, Serialize)]
pub struct Wrong {
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
}

impl Wrong {
    /// Something wrong, in a sentence that is never longer than people read, whatever was asked for.
    pub fn new(message: impl Into<String>) -> Wrong {
        let mut message = message.into();
        if let Some((end, _)) = message.char_indices().nth(LONGEST) {
            message.truncate(end);
            message.push('\u{2026}');
        }
        Wrong {
            message,
            rule: None,
            hint: None,
        }
    }

    /// With a suggestion.
    pub fn hint(mut self, hint: impl Into<String>) -> Wrong {
        self.hint = Some(hint.into());
        self
    }

    /// With the nearest of the valid names as the suggestion, or all of them if none is near.
    pub fn near<'a>(self, name: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> Wrong {
        let hint = match nearest(name, known.clone()) {
            Some(near) => format!("did you mean \"{near}\"?"),
            None => format!(
                "there are {}",
                known.into_iter().collect::<Vec<_>>().join(", ")
            ),
        };
        self.hint(hint)
    }
}

impl From<Problem> for Wrong {
    fn from(mut problem: Problem) -> Wrong {
        let hint = problem.hint.take();
        Wrong {
            hint,
            ..Wrong::new(problem.to_string())
        }
    }
}

impl From<Problems> for Wrong {
    fn from(problems: Problems) -> Wrong {
        match problems.iter().len() {
            1 => problems.into_iter().next().map(Wrong::from),
            _ => Some(Wrong::new(problems.to_string())),
        }
        .unwrap_or_else(|| Wrong::new("something is wrong"))
    }
}

impl From<Fault> for Wrong {
    fn from(fault: Fault) -> Wrong {
        Wrong::new(fault.to_string())
    }
}

impl From<UnknownName> for Wrong {
    fn from(unknown: UnknownName) -> Wrong {
        Wrong {
            hint: unknown.hint(),
            ..Wrong::new(unknown.what)
        }
    }
}

impl From<Refusal> for Wrong {
    fn from(refusal: Refusal) -> Wrong {
        Wrong {
            message: refusal.why.to_string(),
            rule: Some(refusal.rule.0.to_string()),
            hint: None,
        }
    }
}

impl From<ApplyError> for Wrong {
    fn from(error: ApplyError) -> Wrong {
        match error {
            ApplyError::Refused(refusal) => refusal.into(),
            other => Wrong::new(other.to_string()),
        }
    }
}

/// One request.
#[derive(Debug)]
pub struct Request {
    /// What the bot wants to know the answer by: any JSON.
    pub id: Value,
    /// The command.
    pub cmd: String,
    fields: Map<String, Value>,
}

impl Request {
    /// Understands a line; what can be known of the request's id comes back with the error.
    pub fn read(line: &str) -> Result<Request, (Value, Wrong)> {
        let value: Value = serde_json::from_str(line)
            .map_err(|error| (Value::Null, Wrong::new(format!("this is no JSON: {error}"))))?;
        let Value::Object(mut fields) = value else {
            return Err((
                Value::Null,
                Wrong::new("a request is a JSON object: {\"id\": 1, \"cmd\": \"list\"}"),
            ));
        };
        let id = fields.remove("id").unwrap_or(Value::Null);
        let Some(Value::String(cmd)) = fields.remove("cmd") else {
            return Err((
                id,
                Wrong::new("a request names its command: {\"id\": 1, \"cmd\": \"list\"}"),
            ));
        };
        let request = Request { id, cmd, fields };
        match request.check() {
            Ok(()) => Ok(request),
            Err(wrong) => Err((request.id, wrong)),
        }
    }

    /// A field that no such command knows is a mistake that would otherwise pass unseen.
    fn check(&self) -> Result<(), Wrong> {
        let Some((_, known)) = COMMANDS.iter().find(|(name, _)| *name == self.cmd) else {
            return Ok(());
        };
        match self
            .fields
            .keys()
            .find(|field| !known.contains(&field.as_str()))
        {
            None => Ok(()),
            Some(field) => {
                let wrong = Wrong::new(format!("\"{}\" knows no field \"{field}\"", self.cmd));
                Err(if known.is_empty() {
                    wrong
                } else {
                    wrong.near(field, known.iter().copied())
                })
            }
        }
    }

    /// A text that must be there.
    pub fn text(&self, field: &str) -> Result<&str, Wrong> {
        self.optional_text(field)?
            .ok_or_else(|| Wrong::new(format!("\"{}\" needs \"{field}\"", self.cmd)))
    }

    /// A text that may be there.
    pub fn optional_text(&self, field: &str) -> Result<Option<&str>, Wrong> {
        match self.fields.get(field) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(Wrong::new(format!("\"{field}\" is expected to be a text"))),
        }
    }

    /// A whole number that may be there.
    pub fn optional_index(&self, field: &str) -> Result<Option<usize>, Wrong> {
        match self.fields.get(field) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => {
                let index = value.as_u64().and_then(|index| usize::try_from(index).ok());
                index.map(Some).ok_or_else(|| {
                    Wrong::new(format!("\"{field}\" is expected to be a whole number"))
                })
            }
        }
    }

    /// Whether a flag is set.
    pub fn flag(&self, field: &str) -> Result<bool, Wrong> {
        match self.fields.get(field) {
            None | Some(Value::Null) => Ok(false),
            Some(Value::Bool(set)) => Ok(*set),
            Some(_) => Err(Wrong::new(format!(
                "\"{field}\" is expected to be true or false"
            ))),
        }
    }
}
