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
        attribution: "Ground: © its <makers>".into(),
    };
    page(comparison, &ground)
}

/// The licence of the ground asks for it.
#[test]
fn whoever_made_the_ground_is_named() {
    let page = made(&comparison());
    assert!(page.contains("<p>Ground: © its &lt;makers&gt;</p></footer>"));
}

fn parse(page: &str) -> Document<'_> {
    let options = ParsingOptions {
        allow_dtd: true,
        ..ParsingOptions::default()
    };
    Document::parse_with_options(page, options).unwrap_or_else(|why| panic!("{why}"))
}

/// Every section, and whether it makes claims about games: then each ruleset's are borne out by games that can be opened.
/// The others are about the page itself.
const SECTIONS: [(&str, bool); 20] = [
    ("headline", true),
    ("robust", false),
    ("fronts", true),
    ("onegame", true),
    ("moved", true),
    ("balance", true),
    ("losses", true),
    ("corps", true),
    ("hourly", true),
    ("guns", true),
    ("places", true),
    ("tempo", true),
    ("contact", true),
    ("orders", true),
    ("decisions", true),
    ("luck", true),
    ("distance", true),
    ("faults", false),
    ("scope", false),
    ("games", false),
];

#[test]
fn every_section_is_there_and_linked() {
    let page = made(&comparison());
    let tree = parse(&page);
    for (id, _) in SECTIONS {
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
        if id == "headline" {
            // Its claims are a list.
            let findings = section.descendants().filter(|node| node.has_tag_name("li"));
            assert!(findings.count() >= 9);
            continue;
        }
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
fn every_claim_cites_games_of_every_ruleset_that_can_be_opened() {
    let comparison = comparison();
    let page = made(&comparison);
    let tree = parse(&page);
    let found: Vec<&str> = tree
        .descendants()
        .filter(|node| node.has_tag_name("section"))
        .filter_map(|node| node.attribute("id"))
        .collect();
    assert_eq!(
        found,
        SECTIONS.map(|(id, _)| id),
        "a section that this test does not know"
    );
    for (id, claims) in SECTIONS {
        let section = tree
            .descendants()
            .find(|node| node.attribute("id") == Some(id))
            .expect(id);
        let cited: Vec<&str> = section
            .descendants()
            .filter(|node| node.attribute("class") == Some("cite"))
            .filter_map(|node| node.attribute("href"))
            .collect();
        for contest in &comparison.contests {
            let prefix = format!("#game-{}-", contest.name);
            let cites = cited.iter().any(|link| link.starts_with(&prefix));
            assert_eq!(cites, claims, "{id} cites a game of {}", contest.name);
        }
        for link in cited {
            let target = tree
                .descendants()
                .find(|node| node.attribute("id") == link.strip_prefix('#'))
                .unwrap_or_else(|| panic!("{link} leads nowhere"));
            let text: String = target
                .descendants()
                .filter_map(|node| node.text())
                .collect();
            assert!(text.contains("seed 0"), "{link}: {text}");
            let game = link.trim_start_matches("#game-");
            assert!(text.contains(&format!("cupola replay games/{game}.journal")));
        }
    }
}

/// Every finding at the top has a game of its own.
#[test]
fn every_headline_cites_a_game() {
    let page = made(&comparison());
    let tree = parse(&page);
    let list = tree
        .descendants()
        .find(|node| node.attribute("class") == Some("findings"));
    for item in list.expect("findings").children() {
        let cites = item
            .descendants()
            .any(|node| node.attribute("class") == Some("cite"));
        let text: String = item.descendants().filter_map(|node| node.text()).collect();
        assert!(cites, "{text}");
    }
}

#[test]
fn without_a_script_there_is_a_map_for_every_ruleset_and_hour() {
    let comparison = comparison();
    let page = made(&comparison);
    let tree = parse(&page);
    let stills = tree
        .descendants()
        .find(|node| node.has_tag_name("noscript"))
        .expect("what is shown without a script");
    let count = |name: &str| {
        let all = stills.descendants();
        all.filter(|node| node.has_tag_name(name)).count()
    };
    assert_eq!(count("input"), comparison.hours.len());
    assert_eq!(count("label"), comparison.hours.len());
    let maps = comparison.hours.len() * (comparison.contests.len() + 1);
    assert_eq!(
        count("svg"),
        maps + comparison.hours.len() * comparison.contests.len()
    );
    assert!(page.contains("not known at this hour"));
}

#[test]
fn rulesets_have_their_titles_and_guns_without_counters_are_told() {
    let page = made(&comparison());
    assert!(page.contains("The game of corps20"));
    assert!(page.contains("In corps20 only 120 of 200 guns have counters of their own"));
    assert!(!page.contains("In blocks only"));
}

#[test]
fn sentences_come_from_the_numbers() {
    let page = made(&comparison());
    let said = [
        "In blocks the Confederate side wins 45\u{a0}% of 400 games (40\u{a0}% to 50\u{a0}%)",
        "blocks the Union side loses more: the Union side 8,7",
        "the worst two hours of the Union side are from 14:00 to 16:00",
        // The interval of a mean of 400 games with an error of a hundredth.
        "pushes it 800 m (780 m to 820 m) and is pushed back 200 m (200 m to 200 m)",
        "Men lost by the Union side: 8,7",
        "1 game went wrong",
    ];
    for text in said {
        assert!(page.contains(text), "{text}");
    }
}

/// One side wins whoever plays it: there is no index, and no ruleset is said to be all skill.
#[test]
fn where_nobody_decides_nothing_is_said_of_luck() {
    let mut one = comparison();
    one.contests.iter_mut().for_each(|found| found.luck = None);
    let page = made(&one);
    assert!(page.contains("one side won whoever played it"), "{page}");
    assert!(!page.contains("The index is"));
}

/// Of means that are not clear of each other no order is told.
#[test]
fn who_loses_more_is_said_only_where_it_is_clear() {
    let mut close = comparison();
    for found in &mut close.contests {
        found.men_lost[1] = found.men_lost[0].clone();
    }
    let page = made(&close);
    assert!(page.contains("who loses more is not clear"));
    assert!(!page.contains("side loses more"));
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
