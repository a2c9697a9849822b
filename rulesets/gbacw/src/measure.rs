//! What players measure on the map: §4.2 how far a leader reaches, §6.2 who sees whom and why not.

use crate::aim::along_the_bed;
use crate::command;
use crate::common_terms::is_under;
use crate::field::{Field, label, rules};
use crate::rules::Kind;
use crate::sight::{covered, stands};
use cupola_ground::{Mark, Touch};
use cupola_kernel::{Cite, CommandRange, Height, HexId, LineOfSight, Points, Table, UnitId, rule};

/// How far a leader reaches now, and who of his is there.
#[must_use]
pub fn command_range(t: &Table, leader: UnitId) -> Option<CommandRange> {
    let field = Field::new(t);
    if !matches!(field.card(leader).kind, Kind::Leader(_)) {
        return None;
    }
    let hexes = command::range(t, leader);
    let near = |unit: &UnitId| {
        let hex = t.hex(*unit);
        hex.is_some_and(|hex| hexes.binary_search(&hex).is_ok())
    };
    let half = if t.is_night() { 2 } else { 1 };
    let points = Points {
        parts: u32::from(field.rules.reach(leader) / half),
        of: 2,
    };
    let dark = if t.is_night() {
        ", halved by night"
    } else {
        ""
    };
    let of_his = t.units().filter(|unit| is_under(t, leader, *unit));
    Some(CommandRange {
        rule: rule!("4.22"),
        about: format!("{points} points of a leader on horseback{dark}, not past the enemy"),
        units: of_his.filter(near).collect(),
        hexes,
    })
}

/// The line between two hexes.
#[must_use]
pub fn line_of_sight(t: &Table, from: HexId, to: HexId) -> LineOfSight {
    let (board, sight) = (t.board(), &rules(t).sight);
    let mut line = vec![];
    board.line_touching(from, to, &mut line);
    let on_it = line.iter().filter(|(_, touch)| *touch != Touch::Corner);
    // A cut is as deep as one stands in it, and hides nobody else.
    let ground = |hex: HexId| match hex == from || hex == to {
        true => stands(board, hex),
        false => board.level(hex),
    };
    let along = on_it.map(|&(hex, _)| Height {
        hex,
        ground: ground(hex),
        top: sight.height(board, hex),
    });
    let (rule, blocked, why) = verdict(t, from, to);
    LineOfSight {
        clear: why.is_none(),
        why: why.unwrap_or_else(|| "nothing on the line hides one from the other".to_owned()),
        along: along.collect(),
        rule,
        blocked,
    }
}

/// What is in the way, if anything is.
fn verdict(t: &Table, from: HexId, to: HexId) -> (Cite, Option<HexId>, Option<String>) {
    let (board, sight) = (t.board(), &rules(t).sight);
    let far = board.distance(from, to);
    if far <= 1 {
        let shut =
            (!sight.sees(board, from, to)).then(|| "the hexside between them is closed".to_owned());
        return (rule!("5.19"), None, shut);
    }
    let cut = |hex: HexId| board.marks(hex).contains(Mark::Cut);
    if (cut(from) || cut(to)) && !along_the_bed(Field::new(t), from, to) {
        let why = "who is in the railroad cut is seen from beside it and along its bed only";
        return (rule!("5.18"), None, Some(why.to_owned()));
    }
    let Some(hex) = sight.obstacle(board, from, to) else {
        return (rule!("6.21"), None, None);
    };
    let name = label(t, hex);
    let (top, high) = (
        sight.height(board, hex),
        stands(board, from).max(stands(board, to)),
    );
    let (rule, why) = if covered(board, hex) {
        let what = board.cover(hex);
        let how = if top >= high {
            "as high as the higher end"
        } else {
            "and is nearer to the lower end"
        };
        (
            rule!("6.23"),
            format!("{what} in {name} reaches level {top}, {how}"),
        )
    } else if top > high {
        (
            rule!("6.23"),
            format!("{name} rises to level {top}, above both ends"),
        )
    } else {
        (
            rule!("6.24"),
            format!("the slope of {name} hides what lies at its foot"),
        )
    };
    (rule, Some(hex), Some(why))
}
