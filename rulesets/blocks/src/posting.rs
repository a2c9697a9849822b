//! Where a scenario's `stand`, `arrive` and `absent` are written in the files of the block game.

use cupola_kernel::{Change, Posting, Whereabouts};

/// In a campaign `campaign.ron` says where a block begins; for a day, its counter.
pub fn changes(order: &Posting) -> Vec<Change> {
    let unit = order.unit;
    let path = match order.word("scenario/setup").as_deref() {
        Some("campaign") => format!("campaign/starts/{unit}/start"),
        Some(day) => format!("counters/{unit}/{day}"),
        None => return vec![],
    };
    // A headquarters has no steps of its own.
    let steps = order.word(&format!("counters/{unit}/max"));
    let steps = steps.unwrap_or_else(|| "0".to_owned());
    let start = match order.whereabouts {
        Whereabouts::Stands(at) => format!("at({at:?}, {steps})"),
        Whereabouts::Arrives(by) => format!("arrives({:?}, {:?})", by.at, by.turn),
        Whereabouts::Absent => "off".to_owned(),
    };
    match order.has(&path) {
        true => vec![Change::set(path, start)],
        // Who has no start is not there.
        false if *order.whereabouts == Whereabouts::Absent => vec![],
        false if path.starts_with("campaign") => {
            let line = format!("(id: {unit:?}, start: {start}, origin: house(\"scenario\"))");
            vec![Change::add("campaign/starts".to_owned(), None, line)]
        }
        false => vec![],
    }
}
