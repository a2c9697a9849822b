//! What somebody asks before choosing: odds, and why something is not offered.

use crate::seat_view::modifier_value;
use cupola_kernel::{Act, Arg, Game, Preview};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The odds of an option, if it leads to a fight.
pub(crate) fn odds(game: &Game, act: Act) -> Option<Value> {
    let preview = game.preview(act)?;
    Some(preview_value(&preview))
}

/// Ways of the dice that read the same are one outcome to people.
fn preview_value(preview: &Preview) -> Value {
    let mut merged: Vec<(&str, u128)> = vec![];
    for (text, weight) in &preview.outcomes {
        match merged.iter_mut().find(|(known, _)| known == text) {
            Some((_, sum)) => *sum += weight,
            None => merged.push((text, *weight)),
        }
    }
    let total = preview.total.max(1);
    let outcomes: Vec<Value> = merged
        .iter()
        .map(|(text, weight)| {
            // Thousandths are enough for a bar; the fraction is exact.
            let permille = (weight * 2000 + total) / (2 * total);
            json!({"text": text, "permille": permille as u64, "odds": fraction(*weight, total)})
        })
        .collect();
    json!({
        "sum": preview.modifiers.sum(),
        "modifiers": preview.modifiers.0.iter().map(modifier_value).collect::<Vec<_>>(),
        "outcomes": outcomes,
    })
}

fn fraction(weight: u128, total: u128) -> String {
    let (mut a, mut b) = (weight, total);
    while b > 0 {
        (a, b) = (b, a % b);
    }
    format!("{}/{}", weight / a.max(1), total / a.max(1))
}

/// Why nothing can be done with a hex or a unit: the listed options with it in the place of what they name, each with
/// the rule that forbids it.
pub(crate) fn why_not(game: &Game, thing: Arg) -> Vec<Value> {
    let Some(decision) = game.decision() else {
        return vec![];
    };
    let mut tried = BTreeSet::new();
    let mut said = BTreeSet::new();
    let mut answers = vec![];
    for option in decision.options {
        for place in 0..option.args.len() {
            if std::mem::discriminant(&option.args[place]) != std::mem::discriminant(&thing) {
                continue;
            }
            let mut act = *option;
            act.args[place] = thing;
            if !tried.insert(act) || decision.options.binary_search(&act).is_ok() {
                continue;
            }
            let refusal = game.why_not(act);
            if refusal.rule.0.is_empty()
                || !said.insert((refusal.rule.clone(), refusal.why.clone()))
            {
                continue;
            }
            let verb = game.name(act);
            let verb = verb.split(' ').next().unwrap_or_default().to_owned();
            answers.push(json!({
                "verb": verb, "why": refusal.why, "rule": refusal.rule.to_string(),
            }));
            if answers.len() == 6 {
                return answers;
            }
        }
    }
    answers
}
