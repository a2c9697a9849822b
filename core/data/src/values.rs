//! All values of a text, and in what two texts differ.

use crate::select::call;
use crate::tree::{Entry, Node, What, plain};
use std::collections::BTreeMap;

/// A value of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// The names on the way to it.
    pub crumbs: Vec<String>,
    /// The value, in one line.
    pub text: String,
    /// Where it comes from, in words: its own origin, or that of what it stands in.
    pub origin: Option<String>,
    /// Where it stands.
    pub at: usize,
}

/// A value in which two files differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    /// The names on the way to it.
    pub crumbs: Vec<String>,
    /// What it is in the first; none if it is not there.
    pub was: Option<String>,
    /// What it is in the second; none if it is not there.
    pub to: Option<String>,
    /// The origins, if they differ.
    pub origins: Option<(String, String)>,
}

/// All values of a text; a list of words is one value.
///
/// ```
/// let text = r#"(crt: [(at: 1, rolls: (A, B), origin: printed("7"))], rain: (3, house("wet")))"#;
/// let told: Vec<String> = cupola_data::values(text).iter()
///     .map(|value| format!("{} {} {}", value.crumbs.join("/"), value.text, value.origin.as_deref().unwrap_or("-"))).collect();
/// assert_eq!(told, ["crt/1/at 1 printed: 7", "crt/1/rolls (A, B) printed: 7", "rain 3 house: wet"]);
/// ```
#[must_use]
pub fn values(text: &str) -> Vec<Value> {
    let mut found = vec![];
    if let Some(root) = Node::parse(text) {
        let mut walk = Walk {
            text,
            found: &mut found,
            crumbs: vec![],
        };
        walk.node(&root, None);
    }
    found
}

struct Walk<'a> {
    text: &'a str,
    found: &'a mut Vec<Value>,
    crumbs: Vec<String>,
}

impl Walk<'_> {
    fn node(&mut self, node: &Node, origin: Option<&str>) {
        if let Some((value, own)) = node.sourced() {
            return self.node(value, own.origin(self.text).as_deref());
        }
        let words = |entries: &[Entry]| entries.iter().all(|entry| entry.node.what == What::Plain);
        match &node.what {
            What::Listed(entries) if !words(entries) => {
                for (i, entry) in entries.iter().enumerate() {
                    self.inside(call(entries, i, self.text), &entry.node, origin);
                }
            }
            What::Named(entries) => {
                let own = node.get("origin").and_then(|own| own.origin(self.text));
                let cite = || {
                    let cite = node.get("cite")?.word(self.text)?;
                    Some(format!("cited: {cite}"))
                };
                let own = own.or_else(cite);
                let certificate = |entry: &&Entry| {
                    own.is_some() && (entry.node.is_origin() || entry.key == "cite")
                };
                for entry in entries.iter().filter(|entry| !certificate(entry)) {
                    self.inside(entry.key.clone(), &entry.node, own.as_deref().or(origin));
                }
            }
            _ => self.found.push(Value {
                crumbs: self.crumbs.clone(),
                text: plain(node.text(self.text)),
                origin: origin.map(str::to_owned),
                at: node.span.start,
            }),
        }
    }

    fn inside(&mut self, name: String, node: &Node, origin: Option<&str>) {
        self.crumbs.push(name);
        self.node(node, origin);
        self.crumbs.pop();
    }
}

/// In what two texts differ: layout and comments aside.
///
/// ```
/// let differ = cupola_data::compare(
///     r#"(units: [(id: "a", men: (3, house("x"))), (id: "b", men: (4, house("x")))])"#,
///     r#"(units: [(id: "b", men: (5, printed("y"))), (id: "c", men: (6, house("x")))])"#,
/// );
/// let told: Vec<String> = differ.iter().map(|changed| changed.crumbs.join("/")).collect();
/// assert_eq!(told, ["units/a", "units/b/men", "units/c"]);
/// assert_eq!((differ[1].was.as_deref(), differ[1].to.as_deref()), (Some("4"), Some("5")));
/// ```
#[must_use]
pub fn compare(first: &str, second: &str) -> Vec<Changed> {
    let mut found = vec![];
    match (Node::parse(first), Node::parse(second)) {
        (Some(a), Some(b)) => {
            let mut both = Both {
                first,
                second,
                found: &mut found,
                crumbs: vec![],
            };
            both.nodes(&a, &b);
        }
        _ if plain(first) == plain(second) => {}
        _ => found.push(Changed {
            crumbs: vec![],
            was: Some(plain(first)),
            to: Some(plain(second)),
            origins: None,
        }),
    }
    found
}

struct Both<'a> {
    first: &'a str,
    second: &'a str,
    found: &'a mut Vec<Changed>,
    crumbs: Vec<String>,
}

impl Both<'_> {
    fn nodes(&mut self, a: &Node, b: &Node) {
        if plain(a.text(self.first)) == plain(b.text(self.second)) {
            return;
        }
        match (a.sourced(), b.sourced()) {
            (Some((from, x)), Some((to, y))) => {
                let count = self.found.len();
                self.nodes(from, to);
                let origins = (x.origin(self.first), y.origin(self.second));
                let (Some(x), Some(y)) = origins else { return };
                if x == y {
                    return;
                }
                match &mut self.found[count..] {
                    [one] if one.crumbs == self.crumbs => one.origins = Some((x, y)),
                    [] => self.push(Some(from), Some(to), Some((x, y))),
                    _ => {}
                }
            }
            _ => self.plain_nodes(a, b),
        }
    }

    fn plain_nodes(&mut self, a: &Node, b: &Node) {
        match (&a.what, &b.what) {
            (What::Named(from), What::Named(to)) if a.tag == b.tag => {
                let from = from.iter().map(|entry| (entry.key.clone(), &entry.node));
                let to = to.iter().map(|entry| (entry.key.clone(), &entry.node));
                self.entries(from.collect(), to.collect());
            }
            (What::Listed(from), What::Listed(to))
                if a.tag == b.tag && from.len() + to.len() > 0 =>
            {
                let words =
                    |entries: &[Entry]| entries.iter().all(|entry| entry.node.what == What::Plain);
                if words(from) && words(to) {
                    return self.push(Some(a), Some(b), None);
                }
                let from = called(from, self.first);
                let to = called(to, self.second);
                self.entries(from, to);
            }
            _ => self.push(Some(a), Some(b), None),
        }
    }

    fn entries(&mut self, from: Vec<(String, &Node)>, to: Vec<(String, &Node)>) {
        let there: BTreeMap<&str, &Node> = to.iter().map(|(name, node)| (&**name, *node)).collect();
        let here: BTreeMap<&str, &Node> =
            from.iter().map(|(name, node)| (&**name, *node)).collect();
        let certificate = |node: &Node| node.is_origin();
        for (name, node) in &from {
            self.crumbs.push(name.clone());
            match there.get(&**name) {
                Some(other) if certificate(node) && certificate(other) => {}
                Some(other) => self.nodes(node, other),
                None => self.push(Some(node), None, None),
            }
            self.crumbs.pop();
        }
        for (name, node) in to.iter().filter(|(name, _)| !here.contains_key(&**name)) {
            self.crumbs.push(name.clone());
            self.push(None, Some(node), None);
            self.crumbs.pop();
        }
    }

    fn push(&mut self, was: Option<&Node>, to: Option<&Node>, origins: Option<(String, String)>) {
        let (first, second) = (self.first, self.second);
        self.found.push(Changed {
            crumbs: self.crumbs.clone(),
            was: was.map(|node| plain(node.value().text(first))),
            to: to.map(|node| plain(node.value().text(second))),
            origins,
        });
    }
}

/// Entries of a list by what they are called; those that only have a number, by what they say.
fn called<'t>(entries: &'t [Entry], text: &str) -> Vec<(String, &'t Node)> {
    let name = |i: usize| call(entries, i, text);
    entries
        .iter()
        .enumerate()
        .map(|(i, entry)| (name(i), &entry.node))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::compare;

    fn told(first: &str, second: &str) -> Vec<String> {
        let told = compare(first, second).into_iter().map(|changed| {
            let side = |text: Option<String>| text.unwrap_or_else(|| "-".into());
            format!(
                "{}: {} > {}",
                changed.crumbs.join("/"),
                side(changed.was),
                side(changed.to)
            )
        });
        told.collect()
    }

    #[test]
    fn differences_are_told_value_by_value() {
        let first = r#"(a: 1, list: [(at: 1, rolls: (A, B)), (at: 2, rolls: (C,))], gone: x(1), same: (1, house("n")))"#;
        let second = r#"(a: 2, list: [(at: 1, rolls: (A, C)), (at: 2, rolls: (C))], new: "y", same: (1, printed("n")))"#;
        assert_eq!(
            told(first, second),
            [
                "a: 1 > 2",
                "list/1/rolls: (A, B) > (A, C)",
                "gone: x(1) > -",
                "same: 1 > 1",
                "new: - > \"y\"",
            ]
        );
        assert!(told(first, first).is_empty());
        assert!(told("(a: 1)", "( a : 1, ) // x").is_empty());
        assert_eq!(told("(", "((").len(), 1);
    }
}
