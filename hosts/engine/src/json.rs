//! How things look in JSON.

use cupola_kernel::{Env, Event, Preview};
use serde_json::{Value, json};

/// Odds as JSON: `sum`, `modifiers`, `outcomes` with `weight`, `total`.
#[must_use]
pub fn preview_json(preview: &Preview) -> Value {
    let outcomes: Vec<Value> = preview
        .outcomes
        .iter()
        .map(|(text, weight)| json!({"text": text, "weight": number(*weight)}))
        .collect();
    json!({
        "sum": preview.modifiers.sum(),
        "modifiers": preview.modifiers.0,
        "outcomes": outcomes,
        "total": number(preview.total),
    })
}

/// A weight as a JSON number; as text where it is too large for one.
fn number(weight: u128) -> Value {
    u64::try_from(weight).map_or_else(|_| weight.to_string().into(), Value::from)
}

/// An event as JSON: `kind`, `rule`, `text`, `units`, `hexes`, `numbers`.
#[must_use]
pub fn event_json(env: &Env, event: &Event) -> Value {
    let units = event.units.iter();
    let units: Vec<&str> = units
        .map(|unit| env.units[usize::from(unit.0)].id.as_str())
        .collect();
    let hexes = event.hexes.iter();
    let hexes: Vec<&str> = hexes.map(|hex| env.board.label(*hex)).collect();
    json!({
        "kind": event.kind,
        "rule": event.rule.0,
        "text": event.text,
        "units": units,
        "hexes": hexes,
        "numbers": event.numbers,
        "dice": event.dice,
        "modifiers": event.modifiers,
    })
}
