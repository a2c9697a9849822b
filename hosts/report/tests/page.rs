//! The page has everything, is well-formed, and loads nothing.

mod common;

use common::comparison;
use cupola_lab::model::{Comparison, HistoryFindings};
use cupola_report::{Ground, page};
use roxmltree::{Document, ParsingOptions};

fn made(comparison: &Comparison) -> String {
    let ground = Ground {
        png: vec![1, 2, 3],
        names: vec![("Gettysburg".into(), 0, 1000)],
    };
    page(comparison, &ground)
}

fn parse(page: &str) -> Document<'_> {
    let options = ParsingOptions {
        allow_dtd: true,
        ..ParsingOptions::default()
    };
    Document::parse_with_options(page, options).unwrap_or_else(|why| panic!("{why}"))
}

const SECTIONS: [&str; 14] = [
    "headline",
    "fronts",
    "balance",
    "losses",
    "corps",
    "places",
    "tempo",
    "contact",
    "orders",
    "decisions",
    "luck",
    "distance",
    "faults",
    "scope",
];

#[test]
fn every_section_is_there_and_linked() {
    let page = made(&comparison());
    let tree = parse(&page);
    for id in SECTIONS {
        let section = tree
            .descendants()
            .find(|node| node.attribute("id") == Some(id));
        let section = section.unwrap_or_else(|| panic!("no section {id}"));
        assert!(
            section.descendants().any(|node| node.has_tag_name("h2")),
            "{id}"
        );
        let link = format!("#{id}");
        assert!(
            tree.descendants()
                .any(|node| node.attribute("href") == Some(&link)),
            "{id}"
        );
        let claim = section
            .descendants()
            .find(|node| node.attribute("class") == Some("claim"));
        let claim = claim.and_then(|node| node.text()).unwrap_or_default();
        assert!(claim.ends_with('.') && claim.len() > 20, "{id}: {claim:?}");
    }
}

#[test]
fn nothing_is_loaded() {
    let page = made(&comparison());
    for load in [
        "http:", "https:", "@import", "<link", "src=\"/", "url(\"", "fetch(",
    ] {
        assert!(!page.contains(load), "{load}");
    }
    let tree = parse(&page);
    for node in tree.descendants() {
        for name in ["src", "href"] {
            let Some(value) = node.attribute(name) else {
                continue;
            };
            assert!(
                value.starts_with('#') || value.starts_with("data:"),
                "{value}"
            );
        }
    }
}

#[test]
fn numbers_are_numbers() {
    let page = made(&comparison());
    for bad in ["NaN", "inf\"", "-inf", "null,null,null,null"] {
        assert!(!page.contains(bad), "{bad}");
    }
    // Recorded: 5,750 + 2,950 + 130.
    assert!(page.contains("8,830"), "thousands are set apart");
    assert!(page.contains("30\u{a0}%"), "shares are percentages");
}

#[test]
fn ids_are_unique_and_charts_are_named() {
    let page = made(&comparison());
    let tree = parse(&page);
    let mut ids: Vec<&str> = tree
        .descendants()
        .filter_map(|node| node.attribute("id"))
        .collect();
    ids.sort_unstable();
    let all = ids.len();
    ids.dedup();
    assert_eq!(ids.len(), all);
    for node in tree
        .descendants()
        .filter(|node| node.attribute("class") == Some("chart"))
    {
        assert!(
            node.attribute("aria-label")
                .is_some_and(|label| label.len() > 4)
        );
    }
}

#[test]
fn claims_name_games_that_can_be_opened() {
    let page = made(&comparison());
    assert!(page.contains("<code>cupola replay games/blocks-19.journal</code>"));
    assert!(page.contains("seed 00000000000000000000000018630701"));
}

#[test]
fn sentences_come_from_the_numbers() {
    let page = made(&comparison());
    let said = [
        "In blocks the Confederate side wins 45\u{a0}% of 400 games (40\u{a0}% to 50\u{a0}%)",
        "most of them between 14:00 and 16:00",
        "1 game went wrong",
    ];
    for text in said {
        assert!(page.contains(text), "{text}");
    }
}

#[test]
fn a_comparison_of_nothing_is_a_page() {
    let mut nothing = comparison();
    nothing.contests.clear();
    nothing.hours.clear();
    nothing.history = HistoryFindings::default();
    parse(&made(&nothing));
    let mut unplayed = comparison();
    for found in &mut unplayed.contests {
        found.games = 0;
        found.fronts.clear();
        found.men_lost = Default::default();
        found.corps.clear();
        found.places.clear();
        found.tempo = Default::default();
        found.decisions = Default::default();
        found.covers = (0, 0);
    }
    parse(&made(&unplayed));
}

#[test]
fn names_cannot_break_the_page() {
    let mut odd = comparison();
    odd.title = "<b>\"Lee & Meade\"</b>".into();
    odd.contests[0].title = "a<script>".into();
    odd.sides[0].1 = "U&S".into();
    let page = made(&odd);
    parse(&page);
    assert!(!page.contains("a<script>"));
}
