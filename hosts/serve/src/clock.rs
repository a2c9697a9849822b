//! The wall clock of the club: when things happened among people. No game sees it.

#[allow(
    clippy::disallowed_types,
    reason = "people have clocks; games have none"
)]
use std::time::SystemTime;

/// Seconds since 1970.
#[allow(
    clippy::disallowed_types,
    reason = "people have clocks; games have none"
)]
pub(crate) fn now() -> i64 {
    SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .map_or(0, |since| {
            i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
        })
}
