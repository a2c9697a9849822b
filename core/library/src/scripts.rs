//! A variant with its scripts: what lies beside it as files comes into its text, and travels with it.

use crate::plain_name;
use cupola_data::{Node, Problem, Source};
use cupola_kernel::{SCRIPT, Scripts};
use serde::Deserialize;
use std::path::Path;

/// What of a variant matters here.
#[derive(Deserialize)]
struct Head {
    #[serde(default)]
    scripts: Scripts,
}

/// Reads a variant. The scripts that it lists lie beside it; their texts take the place of their names, so that the
/// variant is whole wherever it goes: into a journal, into a lab's store, to another machine.
///
/// # Errors
/// If it or one of its scripts cannot be read.
pub fn read_variant(path: &Path) -> Result<Source, Problem> {
    let source = Source::read(path)?;
    with_scripts(source, path)
}

/// The same for a variant that was read already.
///
/// # Errors
/// If one of its scripts cannot be read.
pub fn with_scripts(source: Source, path: &Path) -> Result<Source, Problem> {
    // What is no variant is told so later, by those who want one.
    let Ok(head) = source.ron::<Head>() else {
        return Ok(source);
    };
    if head.scripts.files.is_empty() {
        return Ok(source);
    }
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut map = String::from("{");
    for (i, name) in head.scripts.files.iter().enumerate() {
        let field = format!("scripts[{i}]");
        if plain_name(name).is_err() || !name.ends_with(SCRIPT) {
            let message = format!(
                "\"{name}\", expected the name of a file in the same folder that ends with {SCRIPT}"
            );
            return Err(source.problem(&field, message));
        }
        let script = Source::read(&folder.join(name)).map_err(|problem| {
            source.problem(
                &field,
                format!(
                    "the script \"{name}\" beside the variant: {}",
                    problem.message
                ),
            )
        })?;
        map.push_str(&format!("\n{name:?}: {},", raw(&script.text)));
    }
    map.push_str("\n}");
    let whole = with_map(&source.text, &map);
    let whole = whole.map(|text| Source::new(&*source.name, text));
    whole.ok_or_else(|| source.problem("scripts", "expected a list of script files"))
}

/// The text with the scripts as its last field, so that everything else keeps its line.
fn with_map(text: &str, map: &str) -> Option<String> {
    let root = Node::parse(text)?;
    let list = root.get("scripts")?.span.clone();
    let entries = root.entries();
    let last = entries.last()?.node.span.clone();
    if last == list {
        return Some(format!("{}{map}{}", &text[..list.start], &text[list.end..]));
    }
    let own = entries.iter().find(|entry| entry.node.span == list)?;
    let whole = own.whole.clone();
    let lines = "\n".repeat(text[whole.clone()].matches('\n').count());
    let (before, between, after) = (
        &text[..whole.start],
        &text[whole.end..last.end],
        &text[last.end..],
    );
    Some(format!("{before}{lines}{between}, scripts: {map}{after}"))
}

/// A text between marks that do not occur in it.
fn raw(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let text = lines.join("\n");
    let mut marks = "#".to_owned();
    while text.contains(&format!("\"{marks}")) {
        marks.push('#');
    }
    format!("r{marks}\"{text}\"{marks}")
}

#[cfg(test)]
mod tests {
    use super::{raw, with_map};

    #[test]
    fn marks_are_as_many_as_the_text_needs() {
        assert_eq!(raw("fn a() {}\r\n"), "r#\"fn a() {}\"#");
        assert_eq!(raw("a\"#b"), "r##\"a\"#b\"##");
    }

    /// What was wrong with a change was told so many lines below it as its scripts have.
    #[test]
    fn what_stands_below_the_scripts_keeps_its_line() {
        let text =
            "(\n  name: \"a\",\n  scripts: [\n    \"a.rhai\",\n  ],\n  change: [], // none\n)\n";
        let whole = with_map(text, "{\n\"a.rhai\": r#\"1\n2\"#,\n}").unwrap();
        let line = |text: &str, what: &str| text.lines().position(|line| line.contains(what));
        assert_eq!(line(&whole, "change"), line(text, "change"), "{whole}");
        assert_eq!(line(&whole, "name"), line(text, "name"), "{whole}");
        assert!(whole.contains("change: [], scripts: {\n"), "{whole}");
        let last = with_map("(scripts: [\"a.rhai\"])", "{}").unwrap();
        assert_eq!(last, "(scripts: {})");
    }
}
