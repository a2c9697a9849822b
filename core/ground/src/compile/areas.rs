//! Areas and the ways outside the board.

use cupola_data::{Problems, Source};

use crate::board::{Area, Board, HexId, Link};
use crate::grid::Grid;
use crate::recipe::{AreaPlan, BoardPlan};

use super::correct::find_hex;

/// Finds the hexes of all areas and links; reports all that does not exist.
pub(super) fn find(
    grid: &Grid,
    board: &Board,
    plan: &BoardPlan,
) -> Result<(Vec<Area>, Vec<Link>), Problems> {
    let mut problems = Problems::new();
    let source = &plan.source;
    let mut areas: Vec<Area> = Vec::new();
    for (index, area) in plan.areas.iter().enumerate() {
        let path = format!("areas[{index}]");
        areas.push(Area {
            id: area.id.clone(),
            name: area.name.clone(),
            kind: area.kind,
            hexes: hexes(grid, board, source, &path, area, &mut problems),
            cite: area.cite.clone(),
        });
    }
    areas.sort_by(|a, b| a.id.cmp(&b.id));
    let mut links = Vec::new();
    for (index, link) in plan.links.iter().enumerate() {
        let path = format!("links[{index}].ends");
        let (from, to) = (&link.ends.0, &link.ends.1);
        let from = find_hex(board, source, &format!("{path}[0]"), from, &mut problems);
        let to = find_hex(board, source, &format!("{path}[1]"), to, &mut problems);
        if let (Some(from), Some(to)) = (from, to) {
            links.push(Link {
                ends: [from, to],
                road: link.road,
                hexes: link.hexes,
                cite: link.cite.clone(),
            });
        }
    }
    problems.check((areas, links))
}

/// The hexes of one area, each once, in the order of the file.
fn hexes(
    grid: &Grid,
    board: &Board,
    source: &Source,
    path: &str,
    area: &AreaPlan,
    problems: &mut Problems,
) -> Vec<HexId> {
    let mut found = Vec::new();
    let mut seen = vec![false; board.len()];
    let mut add = |hex: HexId| {
        if !std::mem::replace(&mut seen[hex.index()], true) {
            found.push(hex);
        }
    };
    for (field, label) in area.all_hexes() {
        let hex = find_hex(board, source, &format!("{path}.{field}"), label, problems);
        hex.into_iter().for_each(&mut add);
    }
    for (index, (from, to)) in area.blocks.iter().enumerate() {
        let field = format!("{path}.blocks[{index}]");
        let Some(labels) = grid.labels.block(from, to) else {
            let shape = grid.labels.shape();
            let message = format!("\"{from}\" to \"{to}\" is no block of labels, expected {shape}");
            problems.push(source.problem(&field, message));
            continue;
        };
        for label in labels {
            match board.hex(&label) {
                Ok(hex) => add(hex),
                // One label tells enough about a block that reaches too far.
                Err(_) => {
                    find_hex(board, source, &field, &label, problems);
                    break;
                }
            }
        }
    }
    found
}
