//! Names in a recipe: a rule that speaks of a road or watercourse must find it on the ground.

use std::fmt::Display;

use cupola_data::{Problems, Source};

use crate::battlefield::Feature;
use crate::recipe::CountsAs;

/// Reports every name that no feature of the rule's kind has.
pub(super) fn check<Kind: Copy + PartialEq + Display, Shape>(
    source: &Source,
    list: &str,
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
            let problem = source.problem(&format!("recipe.{list}[{index}].{field}"), message);
            problems.push(match ground.iter().find(is_it) {
                Some(other) => problem.with_hint(format!("its kind is {}", other.kind)),
                None => problem.with_nearest(name, of_kind().filter_map(|f| f.name.as_deref())),
            });
        }
    }
}
