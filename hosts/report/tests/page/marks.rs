//! What is drawn has a colour of its own by day and by night.

use super::{made, with_grid};
use std::collections::BTreeSet;

/// The classes that the page's drawings name.
fn named(page: &str) -> BTreeSet<&str> {
    let body = page.split("</style>").nth(1).expect("a body");
    let lists = body.split("class=\"").skip(1);
    let lists = lists.filter_map(|rest| rest.split('"').next());
    lists.flat_map(str::split_whitespace).collect()
}

/// A mark without a rule would be black, and so not be seen on a dark page.
#[test]
fn every_colour_that_is_named_is_there() {
    let page = made(&with_grid());
    let style = page.split("</style>").next().expect("a style");
    let ways = [
        "fill-", "hollow-", "line-", "bar-", "band-", "ink-", "stretch-",
    ];
    let colours = named(&page);
    let colours = colours
        .iter()
        .filter(|name| ways.iter().any(|way| name.starts_with(way)));
    let lost: Vec<_> = colours
        .filter(|name| {
            let rule = |end: &str| style.contains(&format!(".{name}{end}"));
            !["{", ",", " ", ":"].iter().any(|end| rule(end))
        })
        .collect();
    assert!(lost.is_empty(), "{lost:?}");
}
