//! Named places and entry roads.

use crate::battlefield::Battlefield;
use crate::board::{Board, BoardEntry, BoardPlace, Mark};
use crate::kinds::PlaceKind;

/// The mark that a place of this kind gives to its hex.
fn mark_of(kind: PlaceKind) -> Option<Mark> {
    match kind {
        PlaceKind::Farm => Some(Mark::Farm),
        PlaceKind::Cemetery => Some(Mark::Cemetery),
        PlaceKind::Building
        | PlaceKind::Church
        | PlaceKind::School
        | PlaceKind::Tavern
        | PlaceKind::Mill => Some(Mark::Building),
        _ => None,
    }
}

/// Stands every place in the hex of its true position, and lists the entry roads.
///
/// The ground is larger than most boards, and one board's edge is the middle of another: an entry
/// that lies on the board is one of its own only if the ruleset has a code for it, or if it lies
/// on the edge.
pub(super) fn stand(field: &Battlefield, board: &mut Board) {
    for place in &field.places {
        let hex = board.hex_at(place.point);
        board.places.push(BoardPlace {
            id: place.id.clone(),
            name: place.name.clone(),
            kind: place.kind,
            sure: place.sure,
            point: place.point,
            hex,
        });
    }
    for entry in &field.entries {
        // `*` is the code in every ruleset that has none of its own.
        let code_for = |who: &str| entry.codes.iter().find(|(ruleset, _)| ruleset == who);
        let code = code_for(&board.name).or_else(|| code_for("*"));
        board.entries.push(BoardEntry {
            id: entry.id.clone(),
            name: entry.name.clone(),
            edge: entry.edge,
            point: entry.point,
            code: code.map(|(_, code)| code.clone()),
            hex: board
                .hex_at(entry.point)
                .filter(|hex| code.is_some() || board.is_edge(*hex)),
        });
    }
}

/// Marks the hexes in which places stand.
pub(super) fn mark(board: &mut Board) {
    for place in &board.places {
        if let (Some(hex), Some(mark)) = (place.hex, mark_of(place.kind)) {
            board.marks[hex.index()].insert(mark);
        }
    }
}

/// Finds where entry roads reach the board: the hex of the entry itself if it lies on the board,
/// otherwise the hex where the road of that name leaves it nearest to the entry.
pub(super) fn enter(field: &Battlefield, board: &mut Board) {
    for (index, entry) in field.entries.iter().enumerate() {
        if board.entries[index].hex.is_none() {
            let exits = board
                .exits
                .iter()
                .filter(|exit| exit.name.as_ref() == Some(&entry.name));
            let nearest =
                exits.min_by_key(|exit| board.centre(exit.hex).distance_squared(entry.point));
            board.entries[index].hex = nearest.map(|exit| exit.hex);
        }
        if let Some(hex) = board.entries[index].hex {
            board.marks[hex.index()].insert(Mark::Entry);
        }
    }
}
