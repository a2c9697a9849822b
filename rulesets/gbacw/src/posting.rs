//! Where a scenario's `stand`, `arrive` and `absent` are written in the files of this game: in the lines of the set-up.

use cupola_kernel::{Change, Posting, Whereabouts};

/// A line of a unit's own goes before the one of its brigade, and before those of the files that scenarios share.
pub fn changes(order: &Posting) -> Vec<Change> {
    let unit = order.unit;
    // A leader has a list of his own.
    let (list, key) = match order.has(&format!("counters/leaders/id={unit}")) {
        true => ("leaders", "leader"),
        false => ("setup", "unit"),
    };
    let own = format!("scenario/{list}/{key}={unit}");
    let line = match order.whereabouts {
        Whereabouts::Stands(at) => format!("({key}: {unit:?}, at: {at:?})"),
        Whereabouts::Arrives(by) => {
            format!("({key}: {unit:?}, arrives: ({:?}, {:?}))", by.turn, by.at)
        }
        Whereabouts::Absent => return vec![listed(order, "left_out", format!("{unit:?}"))],
    };
    match order.has(&own) {
        true => vec![Change::set(own, line)],
        false => vec![listed(order, list, line)],
    }
}

/// One more line of a list, which may be left out as yet.
fn listed(order: &Posting, list: &str, line: String) -> Change {
    let path = format!("scenario/{list}");
    match order.has(&path) {
        true => Change::add(path, None, line),
        false => Change::add(
            "scenario".to_owned(),
            Some(list.to_owned()),
            format!("[{line}]"),
        ),
    }
}
