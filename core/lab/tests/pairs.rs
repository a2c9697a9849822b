//! Variants against their base, with games that are really played.

use cupola_blindswords as _;
use cupola_blocks as _;
use cupola_bots::Skill;
use cupola_common as _;
use cupola_corps20 as _;
use cupola_gbacw as _;
use cupola_kernel::{Registry, Seed, Variant};
use cupola_lab::sequential::{Design, Finding, Test};
use cupola_lab::{Contest, Metric, PairTest, Pairs, Played, Record, Setting};
use cupola_library::Library;
use cupola_script as _;
use std::convert::Infallible;
use std::path::Path;

fn library() -> Library {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
    Library::new(root, None, Registry::linked().expect("linked rulesets"))
}

/// A ruleset, or a variant by its name.
fn contest(library: &Library, setting: &Setting, name: &str, skills: [Skill; 2]) -> Contest {
    let file = library.root().join("variants").join(format!("{name}.ron"));
    let variant = file.is_file().then_some(file);
    let ruleset = variant.as_ref().map_or(name.to_owned(), |path| {
        let source = cupola_data::Source::read(path).expect("a variant");
        source.ron::<Variant>().expect("a variant").base
    });
    let scenario = &setting.scenario.played_as[&ruleset];
    let play = library.play(&ruleset, scenario, variant.as_deref());
    let played = Played {
        title: String::new(),
        ruleset,
        variant: variant.map(|path| std::fs::read_to_string(path).expect("a variant")),
        play: play.expect("a scenario"),
    };
    setting.contest(name, played, skills, Seed(0x1863))
}

fn sides() -> [String; 2] {
    ["us", "cs"].map(str::to_owned)
}

fn play(contest: &Contest, games: u32) -> Result<Option<Vec<Record>>, Infallible> {
    Ok(Some(
        (0..games).map(|number| contest.play(number)).collect(),
    ))
}

/// Tests a variant over the first day with so many pairs.
fn tested(base: &str, variant: &str, metric: &str, most: u32, skills: [Skill; 2]) -> PairTest {
    let library = library();
    let hours = |name| Setting::read(&library, name).expect("a setting");
    let first_day = hours("gettysburg-july1");
    let ruleset = base.split('+').next().unwrap_or(base);
    let setting = match first_day.scenario.played_as.contains_key(ruleset) {
        true => first_day,
        false => hours("training"),
    };
    let base = contest(&library, &setting, base, skills);
    let variant = contest(&library, &setting, variant, skills);
    let metric = Metric::parse(metric, &sides(), &base).expect("a metric");
    let test = Test::new(Design {
        alpha: 0.05,
        beta: 0.05,
        margin: metric.margin(&base, &[]),
        first: 8,
        most,
        reach: metric.reach(&base),
    });
    let pairs = Pairs::new(base, variant);
    let Ok(report) = pairs.test(&metric, &test.expect("a test"), play);
    report.expect("nobody stopped it")
}

#[test]
fn a_ruleset_is_equivalent_to_itself_at_once() {
    let report = tested("corps20", "corps20", "winner", 64, [Skill::Steady; 2]);
    assert!(report.same_rules);
    assert_eq!(report.verdict, Finding::Equivalent);
    assert_eq!((report.pairs, report.games), (0, 0));
    assert_eq!(report.saving, None);
}

#[test]
fn a_pair_parts_ways_at_a_decision_that_is_told() {
    let report = tested(
        "corps20",
        "early-recovery",
        "decisions",
        8,
        [Skill::Random; 2],
    );
    assert_eq!((report.pairs, report.games), (8, 16));
    assert!(report.bad.is_empty(), "{:?}", report.bad);
    let telling = report.telling.as_ref().expect("random players differ");
    let parting = telling.parting.as_ref().expect("they part ways");
    assert_ne!(parting.base, parting.variant);
    let again = tested(
        "corps20",
        "early-recovery",
        "decisions",
        8,
        [Skill::Random; 2],
    );
    assert_eq!(report, again, "the same everywhere and always");
}

#[test]
fn shared_dice_need_at_most_a_fifth_of_the_games() {
    // A change that touches few moments of a game; examples/savings.rs measures more of them, and larger ones.
    let skills = [Skill::Steady; 2];
    let report = tested("corps20", "terrain-for-each", "margin", 24, skills);
    let saving = report.saving.expect("games differ");
    // Without end if no pair differs at all.
    assert!(saving.ratio.is_none_or(|ratio| ratio > 5.0), "{saving:?}");
}

#[test]
fn unequal_bots_play_every_seed_on_both_sides() {
    let skills = [Skill::Steady, Skill::Random];
    let report = tested("corps20", "no-rain", "winner", 8, skills);
    assert_eq!((report.pairs, report.games), (8, 32));
}

#[test]
fn a_metric_that_is_not_there_is_answered_with_one_that_is() {
    let library = library();
    let setting = Setting::read(&library, "gettysburg-july1").expect("a setting");
    let contest = contest(&library, &setting, "corps20", [Skill::Random; 2]);
    let wrong = |name: &str| Metric::parse(name, &sides(), &contest).expect_err("no such metric");
    assert!(wrong("men-lost-uk").contains("\"men-lost-us\""));
    assert!(wrong("wins").contains("there are winner") || wrong("wins").contains("did you mean"));
    assert!(wrong("place:cemetary-hill").contains("\"cemetery-hill\""));
    assert!(wrong("place:cemetery-hill:uk").contains("us or cs"));
    let record = contest.play(0);
    for (name, _) in Metric::all(&sides()) {
        let name = name.replace("<id>", "cemetery-hill:cs");
        let metric = Metric::parse(&name, &sides(), &contest).expect("listed");
        assert!(!metric.sentence().is_empty());
        let value = metric.of(&contest, &record);
        assert!(value.is_some_and(f64::is_finite), "{name}: {value:?}");
        assert!(metric.margin(&contest, &[]) > 0.0, "{name}");
    }
}

#[test]
fn every_variant_can_be_tested() {
    let library = library();
    for name in library.variants() {
        let file = library.root().join("variants").join(format!("{name}.ron"));
        let source = cupola_data::Source::read(&file).expect("a variant");
        let variant = source.ron::<Variant>().expect("a variant");
        assert!(!variant.why.is_empty(), "{name} says what it is for");
        let report = tested(&variant.base, &name, "decisions", 8, [Skill::Random; 2]);
        assert_eq!(report.pairs, 8, "{name}: {:?}", report.bad);
    }
}
