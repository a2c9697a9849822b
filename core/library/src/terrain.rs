//! What is otherwise on the ground of two boards, hex by hex; and which counters stand elsewhere on a board of another grid.

use crate::{Resolved, Told};
use cupola_ground::{Board, Direction, Hexside};
use cupola_kernel::Game;

/// More hexes are told by their number.
const LISTED: usize = 24;

/// The same point of the ground within so many metres: the rounding of a label's centre.
const NEAR: i64 = 25;

/// In what the ground that is played on differs. Boards are compiled only if their files differ.
pub(crate) fn grounds(first: &Resolved, second: &Resolved) -> Vec<Told> {
    if first.board_texts() == second.board_texts() {
        return vec![];
    }
    let (Ok(one), Ok(other)) = (first.board(), second.board()) else {
        return vec![];
    };
    hexes(&one, &other)
}

/// The hexes of two boards of one grid that differ.
fn hexes(first: &Board, second: &Board) -> Vec<Told> {
    let line = |subject: String, field: &str, was: Option<String>, to: Option<String>| Told {
        file: "ground".to_owned(),
        subject,
        field: field.to_owned(),
        was,
        to,
        origins: None,
    };
    let mut told = vec![];
    if first.len() != second.len() {
        let size = |board: &Board| Some(format!("{} hexes", board.len()));
        told.push(line("the board".to_owned(), "", size(first), size(second)));
    }
    for hex in second.hexes() {
        let label = second.label(hex);
        let Ok(old) = first.hex(label) else { continue };
        // A label that means another place says nothing about the ground.
        if apart(first, old, second, hex) > NEAR {
            continue;
        }
        let subject = || format!("hex {label}");
        let (was, to) = (first.cover(old), second.cover(hex));
        if was != to {
            told.push(line(
                subject(),
                "",
                Some(was.to_string()),
                Some(to.to_string()),
            ));
        }
        let (was, to) = (first.level(old), second.level(hex));
        if was != to {
            told.push(line(
                subject(),
                "level",
                Some(was.to_string()),
                Some(to.to_string()),
            ));
        }
        for way in Direction::ALL {
            let (was, to) = (first.side(old, way), second.side(hex, way));
            // Slopes follow from levels, which are told; each hexside is told once.
            let beyond = second.neighbour(hex, way);
            let first_seen = beyond.is_none_or(|beyond| beyond.0 > hex.0);
            if first_seen && edge(was) != edge(to) {
                let towards = beyond.map_or("the edge", |beyond| second.label(beyond));
                let field = format!("towards {towards}");
                told.push(line(subject(), &field, Some(edge(was)), Some(edge(to))));
            }
        }
    }
    if told.len() > LISTED {
        let more = told.len() - LISTED;
        told.truncate(LISTED);
        let field = format!("{more} more hexes and hexsides differ");
        told.push(line("the ground".to_owned(), &field, None, None));
    }
    told
}

/// What a hexside has, in words.
fn edge(side: &Hexside) -> String {
    let mut words: Vec<String> = vec![];
    words.extend(side.road.map(|road| road.to_string()));
    words.extend(side.water.map(|water| water.to_string()));
    words.extend(side.crossing.map(|crossing| crossing.to_string()));
    words.extend(side.cover.map(|cover| cover.to_string()));
    let marks = [
        (side.wall, "wall"),
        (side.cut, "cut"),
        (side.crest, "crest"),
        (side.closed, "closed"),
    ];
    words.extend(
        marks
            .iter()
            .filter(|(on, _)| *on)
            .map(|(_, word)| (*word).to_owned()),
    );
    match words.is_empty() {
        true => "nothing".to_owned(),
        false => words.join(", "),
    }
}

/// How far two hexes of two boards lie apart, in metres.
fn apart(
    first: &Board,
    old: cupola_ground::HexId,
    second: &Board,
    new: cupola_ground::HexId,
) -> i64 {
    let (a, b) = (first.centre(old), second.centre(new));
    let (x, y) = (i64::from(a.x - b.x) / 100, i64::from(a.y - b.y) / 100);
    (x * x + y * y).isqrt()
}

/// The counters that stand elsewhere on the ground in the second game, though their hex has the same name: a board of
/// another hex size, or one that was moved.
#[must_use]
pub fn displaced(first: &Game, second: &Game) -> Vec<Told> {
    let (one, other) = (first.table(), second.table());
    let mut told = vec![];
    for unit in other.units() {
        let info = other.info(unit);
        let Some(before) = one.env().unit(&info.id) else {
            continue;
        };
        let (Some(old), Some(new)) = (one.hex(before), other.hex(unit)) else {
            continue;
        };
        let far = apart(one.board(), old, other.board(), new);
        if far > NEAR && one.board().label(old) == other.board().label(new) {
            let label = other.board().label(new);
            told.push(Told {
                file: "ground".to_owned(),
                subject: info.name.clone(),
                field: String::new(),
                was: Some(label.to_owned()),
                to: Some(format!("{label}, which lies {far} m from there now")),
                origins: None,
            });
        }
    }
    told
}
