//! The page has everything, is well-formed, and loads nothing.

#[path = "../common/mod.rs"]
mod common;
mod marks;
mod sentences;

use common::comparison;
use cupola_lab::grid::{Band, Cell, Grid, Measure, PlanPair};
use cupola_lab::model::{Comparison, GameFigures, HistoryFindings, Luck, Moment, Story};
use cupola_lab::stats::{Blur, Estimate};
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
        "in the mean the Union side loses most from 14:00 to 16:00",
        // The interval of a mean of 400 games with an error of a hundredth.
        "pushes it 800 m (780 m to 820 m) and is pushed back 200 m, most",
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

/// Only one of the rulesets tells prisoners from the fallen.
#[test]
fn prisoners_have_a_row_where_somebody_tells_them() {
    let page = made(&comparison());
    let row = page.split("of them captured or missing, Union").nth(1);
    let row = row
        .and_then(|rest| rest.split("</tr>").next())
        .expect("a row");
    assert!(row.contains("<b>800 ±"), "{row}");
    assert!(row.contains("not told apart"), "{row}");
    assert!(row.contains("3,655"), "{row}");
}

/// A cell of a ruleset by its place on the page: decisions hold; men turn round with the plans; fights are as long as turns are.
fn cell(c: usize, contest: &str, plans: &str, bot: &str) -> Cell {
    let estimate = |mean: f64| Estimate {
        mean,
        low: mean * 0.95,
        high: mean * 1.05,
        error: mean * 0.025,
        games: 20,
    };
    let (more, turn) = (c as f64 + 1.0, [60.0, 150.0][c.min(1)]);
    let values = Measure::ALL.map(|measure| match measure {
        Measure::Decisions => estimate(1000.0 / more),
        Measure::MenFirst if plans == "own" => estimate(1000.0 * more),
        Measure::MenFirst => estimate(9000.0 / more),
        Measure::Contact => estimate(turn),
        Measure::LossShare => estimate(0.5),
        Measure::Wins => estimate(0.95),
        _ => estimate(0.6),
    });
    let blurs = Measure::ALL.map(|measure| Blur {
        below: if measure == Measure::Contact {
            turn
        } else {
            0.0
        },
        above: 0.0,
    });
    Cell {
        contest: contest.into(),
        plans: plans.into(),
        bot: bot.into(),
        values: values.to_vec(),
        blurs: blurs.to_vec(),
        begins: 0.0,
        lasts: 960.0,
        games: vec![],
    }
}

/// Grids in which some things hold, some turn round, and some are lost in the length of turns.
fn with_grid() -> Comparison {
    let mut all = comparison();
    let contests: Vec<String> = all
        .contests
        .iter()
        .map(|found| found.name.clone())
        .collect();
    let mut cells = vec![];
    for (c, contest) in contests.iter().enumerate() {
        for plans in ["own", "free"] {
            cells.extend(["steady", "search"].map(|bot| cell(c, contest, plans, bot)));
        }
    }
    let plans = ["own", "free"].map(|name| PlanPair {
        name: name.into(),
        titles: vec![format!("Hold: {name}"), format!("Take: {name}")],
        from_record: name == "own",
    });
    let band = Band {
        low: 990,
        high: 1010,
        why: "a test".into(),
    };
    let grid = Grid {
        bands: vec![band; contests.len()],
        contests,
        plans: plans.to_vec(),
        bots: vec!["steady".into(), "search".into()],
        cells,
        ..Grid::default()
    };
    all.grid = Some(grid.judged());
    all
}

/// A claim that rests on one player's games says so, and so does the page where it begins.
#[test]
fn where_one_player_played_alone_the_page_says_so() {
    let mut all = with_grid();
    let mut grid = all.grid.take().expect("a grid");
    let (one, two) = (grid.contests[0].clone(), grid.contests[1].clone());
    all.grid = Some(grid.clone());
    assert!(!made(&all).contains(" alone count"));
    grid.cells
        .retain(|cell| cell.contest != one || cell.bot == "steady");
    all.grid = Some(grid.judged());
    let page = made(&all);
    let alone = format!(
        "Of {one} the games of steady alone count, and what is said of it is said of steady."
    );
    // Above the findings, and where it is told what holds.
    assert_eq!(page.matches(&alone).count(), 2);
    let decisions = format!("A game of {one} asks for more decisions than one of {two}");
    let known = format!("{decisions} <small>2 of 2 cells say so, 80 games, steady alone</small>");
    assert!(page.contains(&known));
    // Where nobody else was tried at all, that is said.
    let mut grid = all.grid.take().expect("a grid");
    grid.bots.truncate(1);
    grid.cells.retain(|cell| cell.bot == "steady");
    all.grid = Some(grid.judged());
    let page = made(&all);
    let one = "One player was tried, steady: what others come to is not known.";
    assert_eq!(page.matches(one).count(), 2);
    assert!(!page.contains(", steady alone"));
    // Nor any other plans: what turns round then does so by the scale of losses alone.
    let mut grid = all.grid.take().expect("a grid");
    grid.plans.truncate(1);
    grid.cells.retain(|cell| cell.plans == "own");
    all.grid = Some(grid.judged());
    let page = made(&all);
    let one =
        "One pair of plans and one player, steady, were tried: what others come to is not known.";
    assert_eq!(page.matches(one).count(), 2);
}

#[test]
fn what_a_grid_turns_round_is_listed_as_not_known() {
    let all = with_grid();
    let page = made(&all);
    parse(&page);
    let [one, two, ..] = &all.contests[..] else {
        panic!("two rulesets")
    };
    let (one, two) = (&one.name, &two.name);
    let list = |class: &str| {
        let of = page.split(&format!("<div class=\"{class}\"><h3>")).nth(1);
        of.and_then(|rest| rest.split("</ul>").next()).unwrap_or("")
    };
    let decisions = format!("A game of {one} asks for more decisions than one of {two}");
    assert!(list("holds").contains(&decisions), "{}", list("holds"));
    assert!(!list("holds").contains("loses more men"));
    assert!(
        list("flips").contains("loses more men in"),
        "{}",
        list("flips")
    );
    assert!(list("flips").starts_with("Not known: it turns round"));
    // Each claim tells by how many games it is known.
    let known = format!("{decisions} <small>4 of 4 cells say so, 160 games</small>");
    assert!(list("holds").contains(&known), "{}", list("holds"));
    let folded = page
        .split("<details class=\"open\"><summary>Not known: too few games")
        .nth(1);
    let open = folded.and_then(|rest| rest.split("</ul>").next());
    let open = open.expect("what is not known is folded");
    let fight = format!("A fight lasts longer in {two} than in {one}");
    assert!(open.contains(&fight), "{open}");
    assert!(open.contains("turns are too long to tell"));
    // The first findings of the page say no more than that.
    let first = page.split("class=\"findings\"").nth(1).expect("findings");
    assert!(first.contains("<b>Losses.</b> Nothing holds by every plan"));
    assert!(first.contains("<b>A fight.</b> Nothing holds by every plan"));
    // What holds of both is one sentence.
    let wins = format!("In {one} and {two} the Union side wins more often than it loses.");
    assert!(first.contains(&wins), "{first}");
    // Plans are named, and those from the record are said to be.
    assert!(page.contains("“Hold: own” and “Take: own” <em>Made from the record"));
    assert!(page.contains("“Hold: free” and “Take: free”</td>"));
    // What the differences go with is told by hatching and in words, not by colour alone.
    for class in ["part-0", "part-1", "part-2", "part-3", "part-4", "part-5"] {
        assert!(page.contains(&format!("class=\"{class}\"")), "{class}");
    }
    assert!(page.contains(">rules 100\u{a0}%<"));
}

/// A fight that is as long as a turn is not longer than one of shorter turns.
#[test]
fn the_longest_fight_is_named_only_where_turns_are_shorter_than_the_difference() {
    let mut short = comparison();
    for (i, found) in short.contests.iter_mut().enumerate() {
        found.turn_minutes = (10, 10);
        found.contact_minutes.mean = 100.0 * (i as f64 + 1.0);
    }
    assert!(made(&short).contains("they hold on longest in"));
    for found in &mut short.contests {
        found.turn_minutes = (60, 120);
    }
    assert!(
        made(&short).contains("which is longest is not known, since turns are as long as that")
    );
}

/// Games are told in words, by the hour, and every one of them is a stroke in the figure of the losses.
#[test]
fn games_are_told_and_drawn_one_by_one() {
    let mut all = comparison();
    let at = |minute: i32, words: &str| Moment {
        minute,
        words: words.into(),
    };
    let told = vec![
        at(600, "the first attack is made"),
        at(600, "the Union side takes the ridge"),
        at(990, "the Confederate line is broken"),
    ];
    let found = &mut all.contests[0];
    let game = found.witnesses[0].game;
    found.stories = vec![Story { game, told }];
    found.by_game = vec![GameFigures {
        game,
        men_lost: [1234.0, 4321.0],
        ..GameFigures::default()
    }];
    let page = made(&all);
    parse(&page);
    assert!(page.contains(
        "<li><b>10:00</b> The first attack is made; the Union side takes the ridge.</li>"
    ));
    assert!(page.contains("<li><b>16:30</b> The Confederate line is broken.</li>"));
    assert!(page.contains(&format!("game {game}: 1,234 men")));
    assert!(page.contains(&format!("game {game}: 4,321 men")));
}

/// Few games rank nobody by luck, and neither do intervals that meet.
#[test]
fn luck_is_ranked_by_many_games_only() {
    let with = |games: u32, low: f64| {
        let mut all = comparison();
        for (i, found) in all.contests.iter_mut().enumerate() {
            found.luck = Some(Luck {
                index: [0.8, 0.3][i.min(1)],
                low: [low, 0.2][i.min(1)],
                high: [0.9, 0.4][i.min(1)],
                better_wins: 0.7,
                games,
            });
        }
        made(&all)
    };
    let few = with(8, 0.7);
    assert!(few.contains("By so few games no ruleset is put before another."));
    assert!(!few.contains("has more luck in it"));
    assert!(with(400, 0.7).contains("Blocks has more luck in it than corps20"));
    assert!(with(400, 0.3).contains("The intervals meet: which has more luck in it is not known."));
}

/// The maps do not open at an hour of which there is nothing to see.
#[test]
fn maps_open_at_an_hour_that_is_played() {
    let start = |all: &Comparison| {
        let page = made(all);
        let (_, rest) = page.split_once("\"start\":").unwrap();
        rest.split(',').next().unwrap().parse::<usize>().unwrap()
    };
    let mut all = comparison();
    let hours = all.hours.len();
    assert_eq!(start(&all), (hours - 1) * 7 / 10);
    all.history.fronts.clear();
    for found in &mut all.contests {
        found.covers = (all.hours[1].0, all.hours[3].0);
    }
    assert_eq!(start(&all), 3);
}

/// Plans that were made from the record are no proof of rules that come near it.
#[test]
fn nearness_to_the_record_is_ranked_for_plans_only_that_do_not_come_from_it() {
    let near = |from_record: bool| {
        let mut all = comparison();
        let covers = all.contests[0].covers;
        for found in &mut all.contests {
            (found.plans.from_record, found.covers) = (from_record, covers);
        }
        made(&all)
    };
    let (own, free) = (near(true), near(false));
    assert!(own.contains("The plans of these games were made from the record itself"));
    assert!(!own.contains("is nearest in where the units stand"));
    assert!(free.contains("Blocks is nearest in where the units stand"));
    // Whoever is clearly nearer by one measure alone is said to be so in a whole sentence.
    let mut all = comparison();
    let covers = all.contests[0].covers;
    for (found, mean) in all.contests.iter_mut().zip([0.9, 0.5]) {
        (found.plans.from_record, found.distance.position) = (false, None);
        found.covers = covers;
        found.distance.places = found.distance.places.map(|places| Estimate {
            mean,
            low: mean - 0.05,
            high: mean + 0.05,
            ..places
        });
    }
    assert!(made(&all).contains("Blocks is nearest in who holds what."));
    // What was compared, the best that the board allows and what random play comes to stand beside it.
    for row in [
        "units compared",
        "the best that this board allows",
        "random play",
        "corps compared",
    ] {
        assert!(own.contains(row), "{row}");
    }
}
