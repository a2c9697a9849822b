//! What can be wrong with a request, in words for people.

use crate::store::StoreError;
use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use cupola_kernel::{ApplyError, Fault, Refusal};
use serde::Serialize;
use std::fmt;

/// Why a request was not carried out.
#[derive(Debug, Clone, Serialize)]
pub struct Wrong {
    #[serde(skip)]
    status: StatusCode,
    /// A short name for programs.
    kind: &'static str,
    /// For people.
    error: String,
    /// The section that forbids it.
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<String>,
    /// Where the game stands, if the request named another ply.
    #[serde(skip_serializing_if = "Option::is_none")]
    ply: Option<u64>,
    /// The die that is to be rolled before the choice can be carried out.
    #[serde(skip_serializing_if = "Option::is_none")]
    die: Option<Die>,
}

/// A die that somebody is to roll.
#[derive(Debug, Clone, Serialize)]
struct Die {
    sides: u16,
    purpose: &'static str,
}

impl Wrong {
    fn new(status: StatusCode, kind: &'static str, error: impl Into<String>) -> Wrong {
        Wrong {
            status,
            kind,
            error: error.into(),
            rule: None,
            ply: None,
            die: None,
        }
    }

    /// The request makes no sense.
    pub fn bad(error: impl Into<String>) -> Wrong {
        Wrong::new(StatusCode::BAD_REQUEST, "bad", error)
    }

    /// There is no such thing, or it is not for this person: both sound the same.
    pub fn missing(what: &str) -> Wrong {
        Wrong::new(
            StatusCode::NOT_FOUND,
            "missing",
            format!("There is no such {what}."),
        )
    }

    /// Nobody is known by this cookie.
    pub fn stranger() -> Wrong {
        Wrong::new(
            StatusCode::UNAUTHORIZED,
            "stranger",
            "Open the link that you were given, or ask the club's keeper for one.",
        )
    }

    /// The person may not do this.
    pub fn forbidden(error: impl Into<String>) -> Wrong {
        Wrong::new(StatusCode::FORBIDDEN, "forbidden", error)
    }

    /// The game has gone on since.
    pub fn stale(ply: u64) -> Wrong {
        Wrong {
            ply: Some(ply),
            ..Wrong::new(
                StatusCode::CONFLICT,
                "stale",
                "The game has gone on since; here is how it stands now.",
            )
        }
    }

    /// Too many requests.
    pub fn hasty() -> Wrong {
        Wrong::new(
            StatusCode::TOO_MANY_REQUESTS,
            "hasty",
            "Too many requests at once; wait a moment.",
        )
    }

    /// The club cannot do it now.
    pub fn broken(error: impl Into<String>) -> Wrong {
        Wrong::new(StatusCode::INTERNAL_SERVER_ERROR, "broken", error)
    }

    /// The store failed while a game was changed that stands at this ply.
    pub(crate) fn of_store(error: StoreError, ply: u64) -> Wrong {
        match error {
            StoreError::Overtaken => Wrong::stale(ply),
            StoreError::Unsure(why) => Wrong::broken(format!(
                "The line to the database broke; the table shows what was kept. ({why})"
            )),
            StoreError::Failed(why) => Wrong::not_stored(why),
        }
    }

    /// It could not be stored.
    pub fn not_stored(error: impl fmt::Display) -> Wrong {
        Wrong::new(
            StatusCode::INSUFFICIENT_STORAGE,
            "store",
            format!("It could not be stored, so it did not happen: {error}"),
        )
    }
}

impl From<Refusal> for Wrong {
    fn from(refusal: Refusal) -> Wrong {
        Wrong {
            rule: Some(refusal.rule.to_string()),
            ..Wrong::new(
                StatusCode::UNPROCESSABLE_ENTITY,
                "refused",
                refusal.why.to_string(),
            )
        }
    }
}

impl From<ApplyError> for Wrong {
    fn from(error: ApplyError) -> Wrong {
        match error {
            ApplyError::Refused(refusal) => refusal.into(),
            ApplyError::Fault(Fault::Wanted { sides, purpose }) => Wrong {
                die: Some(Die { sides, purpose }),
                ..Wrong::new(
                    StatusCode::UNPROCESSABLE_ENTITY,
                    "dice",
                    format!("Roll a die for it: {purpose}, 1 to {sides}."),
                )
            },
            ApplyError::Fault(Fault::Dice(why)) => {
                Wrong::bad(format!("These dice do not fit: {why}."))
            }
            ApplyError::Fault(fault) => Wrong::broken(format!(
                "The ruleset failed, and nothing was changed: {fault}"
            )),
            other => Wrong::new(
                StatusCode::UNPROCESSABLE_ENTITY,
                "refused",
                other.to_string(),
            ),
        }
    }
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.error)
    }
}
impl std::error::Error for Wrong {}

impl IntoResponse for Wrong {
    fn into_response(self) -> Response {
        (self.status, Json(self)).into_response()
    }
}
