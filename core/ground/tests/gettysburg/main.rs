//! The ground of Gettysburg and its four boards, held against what the rulebooks say.
//!
//! The data is read from the repository, so these tests fail when a hex, a road or a height is
//! edited into something that a rulebook contradicts. Expectations are tables: hex, what is
//! expected, and where it is written.

mod blindswords;
mod blocks;
mod corps20;
mod fit;
mod gbacw;
mod gbacw_facts;
mod ground;

use std::path::PathBuf;
use std::sync::LazyLock;

use cupola_data::Problems;
use cupola_ground::BoardFiles;
use cupola_ground::battlefield::Battlefield;
use cupola_ground::board::{Board, HexId, Hexside};
use cupola_ground::grid::Grid;
use cupola_ground::recipe::BoardPlan;

/// The four rulesets that have a board.
const RULESETS: [&str; 4] = ["corps20", "blindswords", "blocks", "gbacw"];

static FIELD: LazyLock<Battlefield> =
    LazyLock::new(|| loaded(Battlefield::read(&data().join("battlefields/gettysburg"))));
static CORPS20: LazyLock<Board> = LazyLock::new(|| board("corps20"));
static BLINDSWORDS: LazyLock<Board> = LazyLock::new(|| board("blindswords"));
static BLOCKS: LazyLock<Board> = LazyLock::new(|| board("blocks"));
static GBACW: LazyLock<Board> = LazyLock::new(|| board("gbacw"));

fn data() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../data")
}

/// The value, or a panic with every message that the loader has.
fn loaded<T>(result: Result<T, Problems>) -> T {
    result.unwrap_or_else(|problems| panic!("{problems}"))
}

fn grid(ruleset: &str) -> Grid {
    grid_and_plan(ruleset).0
}

fn plan(ruleset: &str) -> BoardPlan {
    grid_and_plan(ruleset).1
}

fn grid_and_plan(ruleset: &str) -> (Grid, BoardPlan) {
    let field = data().join("battlefields/gettysburg");
    let files = loaded(BoardFiles::read(
        &field,
        &data().join("rulesets").join(ruleset),
    ));
    loaded(files.grid_and_plan())
}

fn board(ruleset: &str) -> Board {
    loaded(Board::compile(&FIELD, &grid(ruleset), &plan(ruleset)))
}

fn hex(board: &Board, label: &str) -> HexId {
    board.hex(label).unwrap_or_else(|none| panic!("{none}"))
}

/// The hexside between two neighbours, seen from the first.
fn side(board: &Board, from: &str, to: &str) -> Hexside {
    let (a, b) = (hex(board, from), hex(board, to));
    let direction = board
        .direction(a, b)
        .unwrap_or_else(|| panic!("{from} and {to} are not neighbours"));
    *board.side(a, direction)
}

/// The hex of an entry, by the code that the ruleset gives it.
fn entry<'a>(board: &'a Board, code: &str) -> Option<&'a str> {
    let entry = board
        .entries()
        .iter()
        .find(|entry| entry.code.as_deref() == Some(code))
        .unwrap_or_else(|| panic!("no entry with the code {code}"));
    entry.hex.map(|hex| board.label(hex))
}

/// The names of the roads and streams that go through a hex.
fn threads<'a>(board: &'a Board, label: &str) -> Vec<&'a str> {
    board.threads(hex(board, label)).collect()
}
