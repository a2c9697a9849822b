//! What can be found wrong in a `board.ron` without the board.

use std::collections::BTreeSet;
use std::fmt::Display;

use cupola_data::{Problems, Source};

use super::{
    AreaPlan, Change, Correction, CountsAs, HeightRule, Levels, LinkPlan, Recipe, Slopes, When,
};

pub(super) fn recipe(source: &Source, recipe: &Recipe, problems: &mut Problems) {
    let mut share = |field: String, value: f64| {
        if !(0.0..=1.0).contains(&value) {
            problems.push(source.problem(&field, format!("{value} is no share, expected 0 to 1")));
        }
    };
    for (index, rule) in recipe.cover.iter().enumerate() {
        if let When::Share(value) = &rule.when {
            share(format!("recipe.cover[{index}].when.share[0]"), value.0);
        }
    }
    for (index, rule) in recipe.side_cover.iter().enumerate() {
        share(format!("recipe.side_cover[{index}].share[0]"), rule.share.0);
    }
    if let Some(clip) = &recipe.clip {
        share("recipe.clip[0]".to_owned(), clip.0);
    }
    for (field, rule) in [
        ("height", Some(&recipe.height)),
        ("level_height", recipe.level_height.as_ref()),
    ] {
        if let Some(HeightRule::Upper(value)) = rule {
            share(format!("recipe.{field}.upper[0]"), value.0);
        }
    }
    if let Some(sloping) = &recipe.sloping
        && !(0.1..=1000.0).contains(&sloping.0)
    {
        let message = format!("{} m, expected 0.1 to 1000 metres", sloping.0);
        problems.push(source.problem("recipe.sloping[0]", message));
    }
    if let Some(crest) = &recipe.crest
        && !(0.1..=1000.0).contains(&crest.0)
    {
        let message = format!("{} m is no crest, expected 0.1 to 1000 metres", crest.0);
        problems.push(source.problem("recipe.crest[0]", message));
    }
    levels(source, "recipe.levels", &recipe.levels, problems);
}

/// Cuts that do not rise, steps that are none.
pub(super) fn levels(source: &Source, field: &str, levels: &Levels, problems: &mut Problems) {
    match levels {
        Levels::Cuts { at, .. } if !at.0.is_sorted_by(|a, b| a < b) => {
            problems.push(source.problem(&format!("{field}.cuts.at"), "cut heights must rise"));
        }
        Levels::Every { step, .. } if !(0.1..=1000.0).contains(&step.0) => {
            let message = "expected 0.1 to 1000 metres per level";
            problems.push(source.problem(&format!("{field}.every.step[0]"), message));
        }
        _ => {}
    }
}

/// Rules that a rule before them leaves nothing for, and rules that are limited twice.
pub(super) fn order<Kind: Copy + PartialEq + Display>(
    source: &Source,
    list: &str,
    rules: &[CountsAs<Kind>],
    problems: &mut Problems,
) {
    for (index, rule) in rules.iter().enumerate() {
        let field = format!("{list}[{index}]");
        if rule.name.is_some() && !rule.names.is_empty() {
            problems.push(source.problem(&field, "expected name or names, not both"));
        }
        let before = |other: &CountsAs<Kind>| other.kind == rule.kind && other.is_general();
        if let Some(general) = rules[..index].iter().position(before) {
            let message = format!(
                "never asked: {list}[{general}] decides for every {} before it",
                rule.kind
            );
            problems.push(source.problem(&field, message));
        }
    }
}

pub(super) fn slopes(source: &Source, recipe: &Recipe, problems: &mut Problems) {
    let (field, gentle, steep) = match &recipe.slopes {
        Slopes::None => return,
        Slopes::Metres { gentle, steep } => ("recipe.slopes.metres", gentle.0, steep.0),
        Slopes::Contours { steep } => ("recipe.slopes.contours", steep.0, steep.0),
        Slopes::Levels { gentle, steep } => (
            "recipe.slopes.levels",
            f64::from(gentle.0),
            f64::from(steep.0),
        ),
    };
    // Zero would make every hexside a slope, and the steep ones must be among the gentle.
    let fine = gentle > 0.0 && gentle <= steep && steep <= 1000.0;
    if !fine {
        let message = format!("gentle {gentle}, steep {steep}: expected 0 < gentle <= steep");
        problems.push(source.problem(field, message));
    }
}

/// A correction of a `board.ron`: a fact, and who says so.
pub(super) fn correction(
    source: &Source,
    index: usize,
    correction: &Correction,
    problems: &mut Problems,
) {
    let field = format!("corrections[{index}]");
    fact(source, &field, correction, problems);
    if correction.cite.trim().is_empty() {
        let message = "a correction must cite the seed and section that say so";
        problems.push(source.problem(&format!("{field}.cite"), message));
    }
}

/// What a correction says, wherever it stands.
pub(crate) fn fact(source: &Source, field: &str, correction: &Correction, problems: &mut Problems) {
    let named = [
        correction.hex.is_some(),
        !correction.hexes.is_empty(),
        correction.side.is_some(),
        !correction.sides.is_empty(),
        !correction.path.is_empty(),
    ];
    let about_hexes = named[0] || named[1];
    if named.iter().filter(|named| **named).count() != 1 {
        let message = "expected exactly one of hex, hexes, side, sides and path";
        problems.push(source.problem(field, message));
    } else if about_hexes == correction.set.is_for_hexside() {
        let (has, needs) = match about_hexes {
            false => ("a hexside", "hex or hexes"),
            true => ("a hex", "side, sides or path"),
        };
        let message = format!("this cannot be set for {has}; expected {needs}");
        problems.push(source.problem(&format!("{field}.set"), message));
    }
    let named = correction.name.is_some();
    if named && !matches!(correction.set, Change::Road(_) | Change::Water(_)) {
        let message = "only a road or a watercourse has a name here";
        problems.push(source.problem(&format!("{field}.name"), message));
    }
    if correction.path.len() == 1 {
        let message = "a path has two hexes or more";
        problems.push(source.problem(&format!("{field}.path"), message));
    }
    if let Change::Height(metres) = correction.set
        && !(-500.0..=3200.0).contains(&metres)
    {
        let message = format!("{metres} m is no height, expected -500 to 3200");
        problems.push(source.problem(&format!("{field}.set.height"), message));
    }
}

/// Areas without hexes or citation, two of one name, and ways of no length.
pub(super) fn areas(
    source: &Source,
    areas: &[AreaPlan],
    links: &[LinkPlan],
    problems: &mut Problems,
) {
    let mut ids = BTreeSet::new();
    for (index, area) in areas.iter().enumerate() {
        let field = format!("areas[{index}]");
        if !ids.insert(area.id.as_str()) {
            let message = format!("a second area \"{}\"", area.id);
            problems.push(source.problem(&format!("{field}.id"), message));
        }
        if area.hexes.is_empty() && area.blocks.is_empty() {
            problems.push(source.problem(&field, "expected hexes or blocks, or both"));
        }
        cited(source, &field, &area.cite, problems);
    }
    for (index, link) in links.iter().enumerate() {
        let field = format!("links[{index}]");
        if !(1..=1000).contains(&link.hexes) {
            let message = format!("{} hexes, expected 1 to 1000", link.hexes);
            problems.push(source.problem(&format!("{field}.hexes"), message));
        }
        cited(source, &field, &link.cite, problems);
    }
}

fn cited(source: &Source, field: &str, cite: &str, problems: &mut Problems) {
    if cite.trim().is_empty() {
        let message = "expected the seed and section that say so, or why it is house";
        problems.push(source.problem(&format!("{field}.cite"), message));
    }
}
