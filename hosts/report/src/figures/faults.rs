//! Games that went wrong.

use crate::view::{Section, View};
use crate::words::{count, escape, some};

/// The section.
pub fn section(view: View) -> Section {
    let bad: usize = view.contests().iter().map(|found| found.bad.len()).sum();
    let played: f64 = view
        .contests()
        .iter()
        .map(|found| f64::from(found.games))
        .sum();
    let claim = if bad == 0 {
        format!("All {} games were played to their end.", count(played))
    } else {
        format!(
            "{} went wrong, in no figure above; {} were played to their end.",
            some(bad, "game", "games"),
            count(played)
        )
    };
    Section {
        id: "faults",
        title: "Games that went wrong",
        claim,
        figure: table(view),
        ..Section::default()
    }
}

/// No page needs more than so many of a ruleset; the rest are in `games.csv`.
const SHOWN: usize = 20;

fn table(view: View) -> String {
    let mut rows = String::new();
    for found in view.contests() {
        for (number, seed, what) in found.bad.iter().take(SHOWN) {
            rows += &format!(
                "<tr><td>{}</td><td>{number}</td><td><code>{}</code></td><td>{}</td></tr>",
                escape(&found.name),
                escape(seed),
                escape(what)
            );
        }
        if found.bad.len() > SHOWN {
            rows += &format!(
                "<tr><td>{}</td><td colspan=\"3\">and {} more, see games.csv</td></tr>",
                escape(&found.name),
                found.bad.len() - SHOWN
            );
        }
    }
    if rows.is_empty() {
        return String::new();
    }
    format!(
        "<div class=\"scroll\"><table><thead><tr><th>Ruleset</th><th>Game</th><th>Seed</th><th>What happened</th></tr></thead><tbody>{rows}</tbody></table></div>"
    )
}
