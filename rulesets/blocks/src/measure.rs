//! What players measure on the map: §4.5 how far a headquarters reaches, §5.33 who sees whom and why not.

use crate::chain::{commands, range, supplies, within};
use crate::field::{label, rules};
use crate::load::ground::{PATHS, hidden_by, top};
use crate::rules::NOWHERE;
use cupola_kernel::{CommandRange, Height, HexId, LineOfSight, Table, UnitId, rule};

/// How far a headquarters commands, or supplies if it commands nobody in battle, and who is there.
#[must_use]
pub fn command_range(t: &Table, hq: UnitId) -> Option<CommandRange> {
    let card = rules(t).card(hq);
    if !card.is_hq() {
        return None;
    }
    let (fights, reach) = (card.commands(), range(t, hq));
    let hexes: Vec<HexId> = t.hex(hq).map_or(vec![], |from| {
        within(t, card.side, from, reach, |far| {
            let near = t.board().hexes();
            near.filter(|hex| far[hex.index()] != u8::MAX).collect()
        })
    });
    let there = |unit: &UnitId| {
        let hex = t.hex(*unit);
        hex.is_some_and(|hex| hexes.binary_search(&hex).is_ok())
    };
    let obeys = |unit: &UnitId| {
        if fights {
            commands(t, hq, *unit)
        } else {
            supplies(t, hq, *unit)
        }
    };
    let units = t.units().filter(|unit| there(unit) && obeys(unit));
    let does = if fights { "commands" } else { "supplies" };
    Some(CommandRange {
        rule: rule!("4.5"),
        about: format!("{does} within {reach} hexes, around those that the enemy holds"),
        units: units.collect(),
        hexes,
    })
}

/// The line between two hexes; none beyond three hexes, where nobody fires.
#[must_use]
pub fn line_of_sight(t: &Table, from: HexId, to: HexId) -> Option<LineOfSight> {
    let rules = rules(t);
    let cones = rules.cones.get(from.index())?;
    let mut hidden = None;
    for cone in cones {
        let Some(place) = cone.iter().position(|&hex| hex == to.0) else {
            continue;
        };
        if place == 0 {
            let why = "they are next to each other".to_owned();
            return Some(line(t, &[from.0, to.0], None, why));
        }
        for path in PATHS[place] {
            let mut way = vec![from.0];
            way.extend(path.iter().map(|&at| cone[at]));
            way.push(to.0);
            if way.contains(&NOWHERE) {
                continue;
            }
            match hidden_by(t.board(), &way, &rules.switches) {
                None => {
                    let why = "nothing on the path of fire hides one from the other".to_owned();
                    return Some(line(t, &way, None, why));
                }
                Some(screen) => {
                    let hex = HexId(way[screen.gone / 2]);
                    let what = match (screen.covered, screen.gone % 2) {
                        (_, 1) => "the cover along a hexside of",
                        (true, _) => "the cover of",
                        (false, _) => "the ground of",
                    };
                    let why = format!("{what} {} reaches level {}", label(t, hex), screen.height);
                    hidden.get_or_insert((way, hex, why));
                }
            }
        }
    }
    let (way, hex, why) = hidden?;
    Some(line(t, &way, Some(hex), why))
}

fn line(t: &Table, way: &[u16], blocked: Option<HexId>, why: String) -> LineOfSight {
    let board = t.board();
    let height = |&hex: &u16| Height {
        hex: HexId(hex),
        ground: board.level(HexId(hex)),
        top: top(board, HexId(hex)),
    };
    LineOfSight {
        rule: rule!("5.33"),
        clear: blocked.is_none(),
        blocked,
        why,
        along: way.iter().map(height).collect(),
    }
}
