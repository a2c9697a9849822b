//! Where a scenario's `stand`, `arrive` and `absent` are written in the files of a game of common parts: in the scenario itself.

use cupola_kernel::{Change, Posting, Whereabouts};

/// Who stands somewhere does not come, and the other way about.
pub fn changes(order: &Posting) -> Vec<Change> {
    // The scenario calls a unit by its counter's id without the side.
    let side = order.word(&format!("counters/{}/side", order.unit));
    let prefix = format!("{}-", side.unwrap_or_default());
    let unit = order.unit.strip_prefix(&prefix).unwrap_or(order.unit);
    let (stands, comes) = (
        format!("scenario/start/{unit}"),
        format!("scenario/arrivals/unit={unit}"),
    );
    let gone = |path: &String| order.has(path).then(|| Change::remove(path.clone()));
    let mut changes: Vec<Change> = vec![];
    match order.whereabouts {
        Whereabouts::Absent => changes.extend([gone(&stands), gone(&comes)].into_iter().flatten()),
        Whereabouts::Stands(at) => {
            let place = format!("{at:?}");
            changes.extend(gone(&comes));
            changes.push(match order.has(&stands) {
                true => Change::set(stands, place),
                false => Change::add("scenario/start".to_owned(), Some(unit.to_owned()), place),
            });
        }
        Whereabouts::Arrives(by) => {
            let line = format!("(unit: {unit:?}, turn: {:?}, at: {:?})", by.turn, by.at);
            changes.extend(gone(&stands));
            changes.push(match (order.has(&comes), order.has("scenario/arrivals")) {
                (true, _) => Change::set(comes, line),
                (false, true) => Change::add("scenario/arrivals".to_owned(), None, line),
                (false, false) => Change::add(
                    "scenario".to_owned(),
                    Some("arrivals".to_owned()),
                    format!("[{line}]"),
                ),
            });
        }
    }
    changes
}
