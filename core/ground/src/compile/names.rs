//! Names in a recipe: a rule that speaks of a road or watercourse must find it on the ground.

use std::fmt::Display;

use cupola_data::{Problems, Source};

use crate::battlefield::{Battlefield, Feature};
use crate::recipe::{BoardPlan, Change, CountsAs};

/// Reports every correction that names a road or watercourse of which there is none.
pub(super) fn check_corrections(plan: &BoardPlan, field: &Battlefield, problems: &mut Problems) {
    for (index, correction) in plan.corrections.iter().enumerate() {
        let Some(name) = correction.name.as_deref() else {
            continue;
        };
        let (what, names): (&str, Vec<&str>) = match correction.set {
            Change::Water(_) => {
                let all = field.water.iter();
                (
                    "watercourse",
                    all.filter_map(|w| w.name.as_deref()).collect(),
                )
            }
            _ => {
                let all = field.roads.iter();
                ("road", all.filter_map(|r| r.name.as_deref()).collect())
            }
        };
        if !names.contains(&name) {
            let message = format!("no {what} is called \"{name}\"");
            let problem = plan
                .source
                .problem(&format!("corrections[{index}].name"), message);
            problems.push(problem.with_nearest(name, names));
        }
    }
}

/// Reports every name that no feature of the rule's kind has.
pub(super) fn check<'s, Kind: Copy + PartialEq + Display, Shape>(
    place: impl Fn(usize) -> (&'s Source, String),
    rules: &[CountsAs<Kind>],
    ground: &[Feature<Kind, Shape>],
    problems: &mut Problems,
) {
    for (index, rule) in rules.iter().enumerate() {
        let of_kind = || ground.iter().filter(|feature| feature.kind == rule.kind);
        for (field, name) in rule.all_names() {
            let is_it = |feature: &&Feature<Kind, Shape>| feature.name.as_deref() == Some(name);
            if of_kind().any(|feature| is_it(&feature)) {
                continue;
            }
            let message = format!("no {} is called \"{name}\"", rule.kind);
            let (source, rule) = place(index);
            let problem = source.problem(&format!("{rule}.{field}"), message);
            problems.push(match ground.iter().find(is_it) {
                Some(other) => problem.with_hint(format!("its kind is {}", other.kind)),
                None => problem.with_nearest(name, of_kind().filter_map(|f| f.name.as_deref())),
            });
        }
    }
}
