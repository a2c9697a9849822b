//! A variant with its scripts: what lies beside it as files comes into its text, and travels with it.

use crate::plain_name;
use cupola_data::{Problem, Source};
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
    source
        .with_value("scripts", &map)
        .ok_or_else(|| source.problem("scripts", "expected a list of script files"))
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
    use super::raw;

    #[test]
    fn marks_are_as_many_as_the_text_needs() {
        assert_eq!(raw("fn a() {}\r\n"), "r#\"fn a() {}\"#");
        assert_eq!(raw("a\"#b"), "r##\"a\"#b\"##");
    }
}
