//! The sentences of types: what stands above a field in the source, what kind of value it is, whether it may be left out.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What the source says of a field or a choice.
#[derive(Clone, PartialEq, Eq)]
pub struct Told {
    /// The comment above it.
    pub sentence: String,
    /// What is to be written: `whole number`, `text`, `list`.
    pub kind: String,
    /// Whether it may be left out.
    pub optional: bool,
}

/// What a type says of its fields; of each several times, if several choices have it.
type Fields = BTreeMap<String, Vec<(Option<String>, Told)>>;

/// The sentences of all types of a folder; several, if there are several types of a name.
pub struct Sentences(BTreeMap<String, Vec<Fields>>);

impl Sentences {
    /// Reads all sources of a folder.
    pub fn of(folder: &Path) -> Sentences {
        let mut found = Sentences(BTreeMap::new());
        let mut files = vec![];
        collect(folder, &mut files);
        files.sort();
        for file in files {
            found.read(&std::fs::read_to_string(file).unwrap());
        }
        found
    }

    /// What is told of a field of a type; of one that means several things, by the choice that has it.
    ///
    /// # Panics
    /// If two types of that name say different things of it.
    pub fn get(&self, of: &str, field: &str) -> Option<Told> {
        let types = self.0.get(of)?.iter();
        let mut found = types.filter_map(|fields| fields.get(&plainly(field)));
        let told = found.next()?;
        assert!(
            found.all(|other| other == told),
            "two types {of} with a field {field}: give one of them another name"
        );
        let mut first = told[0].1.clone();
        if told.iter().any(|(_, told)| told.sentence != first.sentence) {
            let each = told.iter().map(|(choice, told)| {
                let choice = choice.as_deref().unwrap_or_default();
                format!("`{}`: {}", snake(choice), told.sentence)
            });
            first.sentence = each.collect::<Vec<_>>().join(" ");
        }
        Some(first)
    }

    fn read(&mut self, text: &str) {
        let mut lines = text.lines();
        let (mut above, mut list) = (String::new(), false);
        while let Some(line) = lines.next() {
            let plain = line.trim();
            // `guns! {`: a list of fields of the type `Guns`, which the macro writes.
            list = plain.ends_with("! {") || list && line.starts_with(' ');
            let macro_type = plain.strip_suffix("! {").map(capital);
            let name = type_name(line, list).or(macro_type.as_deref());
            let Some(name) = name.filter(|_| plain.ends_with('{')) else {
                above = match plain.starts_with("#[") {
                    true => above + plain,
                    false if plain.starts_with("///") => above,
                    false => String::new(),
                };
                continue;
            };
            if plain.ends_with("! {") && !has_fields(&mut lines.clone()) {
                continue;
            }
            // What a macro lists are numbers of things, of which there may be none.
            let all_optional =
                std::mem::take(&mut above).contains("default") || macro_type.is_some();
            let end = format!("{}}}", &line[..line.len() - line.trim_start().len()]);
            let own = self.0.entry(name.to_owned()).or_default();
            let number = macro_type.as_ref().map_or("", |_| "u32");
            own.push(body(lines.by_ref(), &end, all_optional, number));
        }
    }
}

/// Whether a macro's list has fields right below it: documented, with `=` behind the name and nothing that opens a type.
fn has_fields<'t>(lines: &mut impl Iterator<Item = &'t str>) -> bool {
    let first = lines.find(|line| !line.trim_start().starts_with("//"));
    first.is_some_and(|line| line.contains(" = ") && line.ends_with(','))
}

/// All fields or choices up to a line; what has no type of its own written behind it is such a number, or a choice.
fn body<'t>(
    lines: impl Iterator<Item = &'t str>,
    end: &str,
    all_optional: bool,
    number: &str,
) -> Fields {
    let (mut own, mut choice) = (Fields::new(), None);
    let (mut sentence, mut attributes, mut inside) = (vec![], String::new(), false);
    for line in lines {
        if line == end {
            break;
        }
        let plain = line.trim();
        if let Some(words) = plain.strip_prefix("///") {
            sentence.push(words.trim());
        } else if inside || plain.starts_with("#[") {
            attributes += plain;
            inside = !plain.ends_with(']');
        } else {
            if let Some(field) = field_name(plain) {
                let renamed = attributes.split_once("rename = \"");
                let renamed = renamed.and_then(|(_, rest)| rest.split('"').next());
                let written = plain
                    .split_once(": ")
                    .map_or(number, |(_, written)| written);
                let written = written.trim_end_matches(',');
                let told = !attributes.contains("deserialize_with");
                let optional = attributes.contains("default") || written.starts_with("Option<");
                let entry = Told {
                    sentence: paragraph(&sentence),
                    kind: kind(written),
                    optional: all_optional || optional && told,
                };
                if !sentence.is_empty() {
                    let known = own.entry(plainly(renamed.unwrap_or(field))).or_default();
                    known.push((choice.clone(), entry));
                }
                if plain.ends_with('{') {
                    choice = Some(field.to_owned());
                }
            } else if plain.starts_with('}') {
                choice = None;
            }
            (sentence, attributes) = (vec![], String::new());
        }
    }
    own
}

/// What is to be written for a type, as far as one can say without looking at it.
fn kind(written: &str) -> String {
    let inside = |of: &str| {
        let rest = written.strip_prefix(of)?.strip_prefix('<')?;
        rest.strip_suffix('>').map(kind)
    };
    let listed = |inside: String| match inside.as_str() {
        "" => "list".to_owned(),
        inside => format!("list of {}", plural(inside)),
    };
    if let Some(inside) = inside("Option").or_else(|| inside("Box")) {
        return inside;
    }
    if let Some(inside) = inside("Sourced") {
        return format!("{inside} with origin").trim_start().to_owned();
    }
    if let Some(inside) = inside("Vec") {
        return listed(inside);
    }
    if let Some(map) = written.strip_prefix("BTreeMap<") {
        let value = map.trim_end_matches('>').split_once(", ");
        let value = value.map_or(String::new(), |(_, value)| kind(value));
        return match value.as_str() {
            "" => "by name".to_owned(),
            value => format!("by name, {value}"),
        };
    }
    let word = match written {
        "u8" | "u16" | "u32" | "u64" | "usize" | "i8" | "i16" | "i32" | "i64" => "whole number",
        "f64" => "number",
        "bool" => "true or false",
        "String" | "Arc<str>" | "Box<str>" | "Cow<'static, str>" => "text",
        "Moment" => "date and time",
        "Hour" => "time of day",
        "Origin" => "origin",
        _ => "",
    };
    word.to_owned()
}

fn plural(kind: &str) -> String {
    match kind {
        "whole number" | "number" | "text" => format!("{kind}s"),
        kind => kind.to_owned(),
    }
}

/// The name of the type that a line begins; in a macro's list a name alone will do.
fn type_name(line: &str, list: bool) -> Option<&str> {
    let rest = line.trim_start();
    // `"kind of road" RoadKind {`: a list of names of the ground.
    if let Some((_, name)) = rest
        .strip_prefix('"')
        .and_then(|rest| rest.split_once("\" "))
    {
        return name.strip_suffix(" {");
    }
    if let Some(name) = rest.strip_suffix(" {").filter(|_| list)
        && name.chars().all(char::is_alphanumeric)
    {
        return Some(name);
    }
    let rest = match rest.strip_prefix("pub") {
        Some(rest) => rest
            .trim_start()
            .trim_start_matches("(crate)")
            .trim_start_matches("(super)")
            .trim_start(),
        None => rest,
    };
    let rest = rest
        .strip_prefix("struct ")
        .or_else(|| rest.strip_prefix("enum "))?;
    rest.split(|c: char| !c.is_alphanumeric() && c != '_')
        .next()
}

/// The name of the field or choice that a line begins.
fn field_name(line: &str) -> Option<&str> {
    let line = match line.strip_prefix("pub") {
        Some(rest) if rest.starts_with([' ', '(']) => rest.split_once(' ')?.1,
        _ => line,
    };
    let name = line
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .next()?;
    (!name.is_empty()).then_some(name)
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// A name as Rust and as files write it alike: `HorseArtillery` and `horse_artillery`.
fn plainly(name: &str) -> String {
    name.replace('_', "").to_lowercase()
}

/// A choice as files write it: `horse_artillery` for `HorseArtillery`.
fn snake(name: &str) -> String {
    let mut out = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !out.is_empty() {
            out.push('_');
        }
        out.extend(letter.to_lowercase());
    }
    out
}

/// The first paragraph of a comment, as it stands in a table.
fn paragraph(lines: &[&str]) -> String {
    let lines = lines.iter().take_while(|line| !line.is_empty());
    let all: Vec<&str> = lines.copied().collect();
    // A link to another type means nothing outside the source.
    let all = all.join(" ").replace("[`", "`").replace("`]", "`");
    all.replace('|', "\\|")
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|end| end == "rs") {
            files.push(path);
        }
    }
}
