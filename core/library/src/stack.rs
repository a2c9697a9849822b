//! Several variants as one text, so that whatever carries one can carry more: a journal, a lab's job, a request.
//!
//! A stack is a RON list of variants. Before each stands its name, so that messages still name the file and the
//! line in it.

use cupola_data::{Node, Source, What};

/// Begins the line that names a variant of a stack.
const MARK: &str = "//@ ";

/// Several variants as one; none of none, and a single one as it is.
///
/// ```
/// use cupola_data::Source;
/// use cupola_library::{stack, unstack};
///
/// let files = ["a", "b"].map(|name| Source::new(format!("{name}.ron"), format!("// {name}\n(name: \"{name}\")\n")));
/// let both = stack(&files).unwrap();
/// assert_eq!(unstack(&both), files);
/// assert_eq!(unstack(&files[0]), files[..1]);
/// ```
#[must_use]
pub fn stack(files: &[Source]) -> Option<Source> {
    let files: Vec<Source> = files.iter().flat_map(unstack).collect();
    match files.as_slice() {
        [] => None,
        [one] => Some(one.clone()),
        several => {
            let each = several.iter().map(|file| {
                let name = file.name.replace(['\n', '\r'], " ");
                format!("{MARK}{name}\n{}\n,\n", file.text.trim_end_matches('\n'))
            });
            let names: Vec<&str> = several.iter().map(|file| file.name.as_str()).collect();
            let text = format!("[\n{}]\n", each.collect::<String>());
            Some(Source::new(names.join(" + "), text))
        }
    }
}

/// The variants of a stack, in order; a variant that is no stack alone.
#[must_use]
pub fn unstack(file: &Source) -> Vec<Source> {
    let alone = || vec![file.clone()];
    let Some(root) = Node::parse(&file.text) else {
        return alone();
    };
    if !matches!(root.what, What::Listed(_)) || !root.text(&file.text).starts_with('[') {
        return alone();
    }
    let mut from = root.span.start + 1;
    let mut found = vec![];
    for (i, entry) in root.entries().iter().enumerate() {
        let all = &file.text[from..entry.whole.end];
        from = entry.whole.end;
        let marked = all.find(MARK).map(|at| &all[at + MARK.len()..]);
        let own = marked.and_then(|rest| rest.split_once('\n'));
        let (name, text) = match own {
            Some((name, text)) => (name.to_owned(), text),
            None => (format!("{} #{}", file.name, i + 1), all),
        };
        let end = text.trim_end();
        let end = end.strip_suffix(',').unwrap_or(end).trim_end();
        found.push(Source::new(name, format!("{end}\n")));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stacks_are_flat_and_keep_lines() {
        let file = |name: &str, text: &str| Source::new(name, text);
        let a = file("a.ron", "// what, if (\n(base: \"x\", change: [])\n");
        let b = file("b.ron", "(\n  wrong: \"],\",\n)\n");
        let two = stack(&[a.clone(), b.clone()]).unwrap();
        let three = stack(&[two, a.clone()]).unwrap();
        assert_eq!(unstack(&three), [a.clone(), b.clone(), a]);
        assert_eq!(unstack(&three)[1].locate("wrong"), (2, 10));
        assert_eq!(stack(&[]), None);
        let broken = file("c.ron", "(((");
        assert_eq!(unstack(&broken), [broken]);
    }
}
