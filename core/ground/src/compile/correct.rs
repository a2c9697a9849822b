//! Corrections: facts that the seed prints and the ground does not give.

use cupola_data::{Problem, Problems, Source};

use crate::board::{Board, HexId, Note};
use crate::grid::Direction;
use crate::point::centimetres;
use crate::recipe::{self, Change, Correction, Recipe};

use super::{Threads, relief};

/// What a correction is about, found on the board.
#[derive(Debug, Clone, Copy)]
enum Target {
    Hex(HexId),
    Side(HexId, Direction),
}

/// A correction whose names are all known.
pub(super) struct Order<'a> {
    target: Target,
    correction: &'a Correction,
}

/// Finds all that the corrections name; reports all that does not exist.
pub(super) fn resolve<'a>(
    board: &Board,
    corrections: &'a [Correction],
    source: &Source,
    list: &str,
) -> Result<Vec<Order<'a>>, Problems> {
    let mut problems = Problems::new();
    let mut orders = Vec::new();
    for (index, correction) in corrections.iter().enumerate() {
        let path = format!("{list}[{index}]");
        let mut order = |target| orders.push(Order { target, correction });
        for (field, label) in correction.all_hexes() {
            let hex = find_hex(
                board,
                source,
                &format!("{path}.{field}"),
                label,
                &mut problems,
            );
            hex.into_iter().for_each(|hex| order(Target::Hex(hex)));
        }
        for (field, ends) in correction.all_sides() {
            let [a, b] = ends.map(|(field, label)| {
                find_hex(
                    board,
                    source,
                    &format!("{path}.{field}"),
                    label,
                    &mut problems,
                )
            });
            let (Some(a), Some(b)) = (a, b) else {
                continue;
            };
            match board.direction(a, b) {
                Some(direction) => order(Target::Side(a, direction)),
                None => problems.push(apart(board, source, &format!("{path}.{field}"), a, b)),
            }
        }
        check_names(board, source, &path, &correction.set, &mut problems);
    }
    problems.check(orders)
}

/// Two hexes that are not neighbours, and which ones would be.
fn apart(board: &Board, source: &Source, field: &str, a: HexId, b: HexId) -> Problem {
    let (from, to) = (board.label(a), board.label(b));
    let around: Vec<&str> = board
        .neighbours(a)
        .map(|(_, hex)| board.label(hex))
        .collect();
    let message = format!("\"{from}\" and \"{to}\" are not neighbours");
    let hint = format!("{from} touches {}", around.join(", "));
    source.problem(field, message).with_hint(hint)
}

pub(super) fn find_hex(
    board: &Board,
    source: &Source,
    field: &str,
    label: &str,
    problems: &mut Problems,
) -> Option<HexId> {
    match board.hex(label) {
        Ok(hex) => Some(hex),
        Err(none) => {
            let mut problem = source.problem(field, format!("no hex \"{label}\" on this board"));
            problem.hint = none
                .nearest
                .map(|nearest| format!("did you mean \"{nearest}\"?"));
            problems.push(problem);
            None
        }
    }
}

/// Checks the place or entry that a change names.
fn check_names(
    board: &Board,
    source: &Source,
    path: &str,
    change: &Change,
    problems: &mut Problems,
) {
    let (what, id, ids): (_, _, Vec<&str>) = match change {
        Change::Place(id) => (
            "place",
            id,
            board.places.iter().map(|p| p.id.as_str()).collect(),
        ),
        Change::Entry(id) => (
            "entry",
            id,
            board.entries.iter().map(|e| e.id.as_str()).collect(),
        ),
        _ => return,
    };
    if !ids.contains(&id.as_str()) {
        let field = format!("{path}.set.{what}");
        let message = format!("no {what} \"{id}\" on the battlefield");
        problems.push(source.problem(&field, message).with_nearest(id, ids));
    }
}

impl Board {
    /// The same board with some facts otherwise, for a situation that somebody sets up by hand. Nothing
    /// follows from them: who raises a hex says what becomes of its hexsides.
    ///
    /// # Errors
    /// Everything that the facts name and the board does not have, at the field `list` of `source`.
    pub fn corrected(
        &self,
        corrections: &[Correction],
        source: &Source,
        list: &str,
    ) -> Result<Board, Problems> {
        let mut problems = Problems::new();
        for (index, one) in corrections.iter().enumerate() {
            recipe::check_fact(source, &format!("{list}[{index}]"), one, &mut problems);
        }
        let orders = problems.keep_all(resolve(self, corrections, source, list));
        let orders = problems.check(orders.unwrap_or_default())?;
        let mut board = self.clone();
        let mut threads = Threads::of(self);
        first(&orders, None, &mut board);
        rest(&orders, &mut board, &mut threads);
        threads.settle(&mut board);
        Ok(board)
    }
}

/// Applies the corrections that others follow from: slopes follow from height and level, marks
/// from where places and entries are. With a recipe a hex's level follows from its height.
pub(super) fn first(orders: &[Order<'_>], recipe: Option<&Recipe>, board: &mut Board) {
    for order in orders {
        let Target::Hex(hex) = order.target else {
            continue;
        };
        match &order.correction.set {
            Change::Level(level) => board.levels[hex.index()] = *level,
            Change::Height(metres) => {
                let height = centimetres(*metres);
                board.heights[hex.index()] = (height / 10) as i16;
                if let Some(recipe) = recipe {
                    board.levels[hex.index()] = relief::level(&recipe.levels, height);
                }
            }
            Change::Place(id) => {
                if let Some(place) = board.places.iter_mut().find(|place| place.id == *id) {
                    place.hex = Some(hex);
                }
            }
            Change::Entry(id) => {
                if let Some(entry) = board.entries.iter_mut().find(|entry| entry.id == *id) {
                    entry.hex = Some(hex);
                }
            }
            _ => {}
        }
    }
}

/// Applies all other corrections, last of all, and notes every one.
pub(super) fn rest(orders: &[Order<'_>], board: &mut Board, threads: &mut Threads) {
    for order in orders {
        let what = words(&order.correction.set);
        let note = |board: &mut Board, hex: HexId, what: &str| {
            board.notes.push(Note {
                hex,
                what: what.to_owned(),
                cite: order.correction.cite.clone(),
            });
        };
        match order.target {
            Target::Hex(hex) => {
                change_hex(board, hex, &order.correction.set);
                if let Change::Entry(id) = &order.correction.set {
                    move_exit(board, id, hex);
                }
                note(board, hex, &what);
            }
            Target::Side(hex, direction) => {
                change_side(board, hex, direction, &order.correction.set);
                let Some(other) = board.neighbour(hex, direction) else {
                    continue;
                };
                let what = format!("{}-{}: {what}", board.label(hex), board.label(other));
                note(board, hex, &what);
                note(board, other, &what);
                if let Some(name) = &order.correction.name {
                    let taken = matches!(
                        order.correction.set,
                        Change::Road(None) | Change::Water(None)
                    );
                    for end in [hex, other] {
                        threads.remove(end, name);
                        if !taken {
                            threads.add(end, name);
                        }
                    }
                }
            }
        }
    }
    board.notes.sort();
}

/// Where an entry was moved to, its road leaves the board: the exit of that name that is nearest.
fn move_exit(board: &mut Board, id: &str, hex: HexId) {
    let Some(entry) = board.entries.iter().find(|entry| entry.id == id) else {
        return;
    };
    let of_road = |index: &usize| board.exits[*index].name.as_ref() == Some(&entry.name);
    let mut exits: Vec<usize> = (0..board.exits.len()).filter(of_road).collect();
    exits.sort_by_key(|&index| board.distance(board.exits[index].hex, hex));
    if let Some(&nearest) = exits.first() {
        board.exits[nearest].hex = hex;
        board.exits.sort();
        board.exits.dedup();
    }
}

/// A change in words, as a person would say it.
fn words(change: &Change) -> String {
    let or_no = |what: &str, value: Option<String>| match value {
        Some(value) => value,
        None => format!("no {what}"),
    };
    match change {
        Change::Cover(cover) => cover.to_string(),
        Change::Level(level) => format!("level {level}"),
        Change::Height(metres) => format!("{metres} m"),
        Change::Mark(mark) => mark.to_string(),
        Change::Unmark(mark) => format!("no {mark}"),
        Change::Place(id) => format!("place {id}"),
        Change::Entry(id) => format!("entry {id}"),
        Change::Water(water) => or_no("water", water.map(|water| water.to_string())),
        Change::Crossing(crossing) => or_no("crossing", crossing.map(|c| c.to_string())),
        Change::Road(road) => or_no("road", road.map(|road| road.to_string())),
        Change::Rise(rise) => rise.to_string(),
        Change::Wall(wall) => or_no("wall", wall.then(|| "wall".to_owned())),
        Change::SideCover(cover) => or_no("cover", cover.map(|cover| cover.to_string())),
        Change::Cut(cut) => or_no("cut", cut.then(|| "cut".to_owned())),
        Change::Crest(crest) => or_no("crest", crest.then(|| "crest".to_owned())),
        Change::Closed(true) => "closed".to_owned(),
        Change::Closed(false) => "not closed".to_owned(),
    }
}

fn change_hex(board: &mut Board, hex: HexId, change: &Change) {
    match change {
        Change::Cover(cover) => board.covers[hex.index()] = *cover,
        Change::Mark(mark) => board.marks[hex.index()].insert(*mark),
        Change::Unmark(mark) => board.marks[hex.index()].remove(*mark),
        _ => {}
    }
}

fn change_side(board: &mut Board, hex: HexId, direction: Direction, change: &Change) {
    board.change_side(hex, direction, |side| match change {
        Change::Water(water) => side.water = *water,
        Change::Crossing(crossing) => side.crossing = *crossing,
        Change::Road(road) => side.road = *road,
        Change::Rise(rise) => side.rise = *rise,
        Change::Wall(wall) => side.wall = *wall,
        Change::SideCover(cover) => side.cover = *cover,
        Change::Cut(cut) => side.cut = *cut,
        Change::Crest(crest) => side.crest = *crest,
        Change::Closed(closed) => side.closed = *closed,
        _ => {}
    });
}
