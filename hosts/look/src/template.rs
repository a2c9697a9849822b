//! Texts with holes: `{steps}`, `{ratings.1}`.

use cupola_kernel::view::UnitView;

/// Whether the braces of a text are in order.
pub(crate) fn check(text: &str) -> Result<(), String> {
    let mut open = false;
    for letter in text.chars() {
        match (letter, open) {
            ('{', false) => open = true,
            ('}', true) => open = false,
            ('{', true) => return Err("a brace is opened twice".into()),
            ('}', false) => return Err("a brace is closed that was never opened".into()),
            _ => {}
        }
    }
    if open {
        return Err("a brace is never closed".into());
    }
    Ok(())
}

/// A text for a unit; empty if the view lacks what it names.
pub(crate) fn fill(text: &str, unit: &UnitView) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let Some((key, after)) = after.split_once('}') else {
            return String::new();
        };
        match value(key, unit) {
            Some(found) => out.push_str(&found),
            None => return String::new(),
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

/// What the view says under a name.
pub(crate) fn value(key: &str, unit: &UnitView) -> Option<String> {
    match key {
        "name" => return Some(unit.name.clone()),
        "kind" => return Some(unit.kind.clone()),
        "ratings" => return Some(unit.ratings.clone()).filter(|text| !text.is_empty()),
        _ => {}
    }
    if let Some(index) = key.strip_prefix("ratings.") {
        let index: usize = index.parse().ok()?;
        return unit.ratings.split('-').nth(index).map(str::to_owned);
    }
    state(key, unit).map(str::to_owned)
}

/// A state by its name.
pub(crate) fn state<'a>(name: &str, unit: &'a UnitView) -> Option<&'a str> {
    unit.state
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, value)| value.as_str())
}
