//! Where a scenario's `stand`, `arrive` and `absent` are written in the files of this game: in the lines of the set-up.

use cupola_kernel::{Change, Posting, Whereabouts};

/// A line of a unit's own goes before the one of its brigade.
pub fn changes(order: &Posting) -> Vec<Change> {
    let unit = order.unit;
    let own = format!("scenario/setup/unit={unit}");
    let listed = order.has(&own);
    let line = match order.whereabouts {
        Whereabouts::Stands(at) => format!("(unit: {unit:?}, at: {at:?})"),
        Whereabouts::Arrives(by) => {
            format!("(unit: {unit:?}, arrives: ({:?}, {:?}))", by.turn, by.at)
        }
        // Without its line it is not there, unless its whole brigade comes by one: that names whom it leaves out.
        Whereabouts::Absent if listed && !comes_with_brigade(order) => {
            return vec![Change::remove(own)];
        }
        Whereabouts::Absent => return vec![],
    };
    match listed {
        true => vec![Change::set(own, line)],
        false => vec![Change::add("scenario/setup".to_owned(), None, line)],
    }
}

/// Whether a line of the scenario, or of the files that it shares with others, may bring its whole brigade.
fn comes_with_brigade(order: &Posting) -> bool {
    let brigade = order.word(&format!("counters/{}/brigade", order.unit));
    let brigade = brigade.unwrap_or_default();
    order.has("scenario/parts") || order.has(&format!("scenario/commands/'brigade={brigade}'"))
}
