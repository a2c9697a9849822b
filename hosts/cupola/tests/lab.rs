//! The lab as people run it: the page and the games it cites, verdicts, interruptions, names that are not there.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::{Ran, cupola, temporary};
use cupola_data::Source;
use cupola_kernel::Journal;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A folder of its own for a test, not there yet.
fn folder(name: &str) -> PathBuf {
    let path = temporary(name);
    let _ = std::fs::remove_dir_all(&path);
    path
}

/// Runs a command of the lab that keeps its games in a folder.
fn lab(args: &[&str], out: &Path) -> Ran {
    let mut command = cupola();
    command.arg("lab").args(args).arg("--out").arg(out);
    Ran::of(command.stdin(Stdio::null()).output().unwrap())
}

/// Whether something stands behind the head of a file of games.
fn has_games(file: &Path) -> bool {
    let bytes = std::fs::read(file).unwrap_or_default();
    let head = bytes.windows(2).position(|two| two == b"\n\n");
    head.is_some_and(|end| bytes.len() > end + 1000)
}

/// Runs it, presses Ctrl-C as soon as some games are kept, and returns what it said.
fn interrupted(args: &[&str], out: &Path, games: &str) -> Ran {
    let mut command = cupola();
    command.arg("lab").args(args).arg("--out").arg(out);
    command.args(["--threads", "1"]).stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    let file = out.join(games);
    let start = Instant::now();
    // The head alone is no game.
    while !has_games(&file) {
        assert!(
            start.elapsed() < Duration::from_secs(120),
            "no game is kept"
        );
        std::thread::sleep(Duration::from_millis(5));
    }
    let pid = child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-INT", &pid])
            .status()
            .unwrap()
            .success()
    );
    let stopped = Ran::of(child.wait_with_output().unwrap()).code(1);
    let goes_on = stopped.out.contains("the same command goes on");
    assert!(goes_on, "{}", stopped.out);
    stopped
}

const TEST: [&str; 10] = [
    "test",
    "corps20",
    "early-recovery",
    "--metric",
    "men-lost-us",
    "--margin",
    "20",
    "--max-pairs",
    "24",
    "--json",
];

#[test]
fn few_pairs_and_a_narrow_margin_leave_it_undecided() {
    let ran = lab(&TEST, &folder("undecided")).code(1);
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(report["verdict"], "undecided", "{report:#}");
    assert_eq!(
        (&report["pairs"], &report["games"]),
        (&24.into(), &48.into())
    );
    let said = lab(&TEST[..9], &folder("undecided-words")).code(1);
    assert!(
        said.out.contains("UNDECIDED: the pairs are spent."),
        "{}",
        said.out
    );
}

#[test]
fn a_test_that_was_interrupted_goes_on_and_comes_to_the_same() {
    let whole = lab(&TEST, &folder("whole")).code(1).out;
    let out = folder("broken-off");
    let stopped = interrupted(&TEST, &out, "corps20.games");
    assert!(
        stopped.err.contains("Finishing the games at hand"),
        "{}",
        stopped.err
    );
    let kept = std::fs::metadata(out.join("corps20.games")).unwrap().len();
    let resumed = lab(&TEST, &out).code(1).out;
    assert!(std::fs::metadata(out.join("corps20.games")).unwrap().len() > kept);
    let journals = |text: &str| -> Value {
        let mut value: Value = serde_json::from_str(text).unwrap();
        // The paths of the journals name the folder.
        value.as_object_mut().unwrap().remove("journals").unwrap();
        value
    };
    assert_eq!(journals(&whole), journals(&resumed));
}

#[test]
fn unequal_players_exchange_their_sides() {
    let mut args = TEST.to_vec();
    args.extend(["--bot", "steady", "--against", "random"]);
    let out = folder("against");
    let ran = lab(&args, &out);
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    // Two rules, two ways to seat the players.
    let (pairs, games) = (report["pairs"].as_u64(), report["games"].as_u64());
    assert_eq!(games, pairs.map(|pairs| 4 * pairs), "{report:#}");
    let files = std::fs::read_dir(&out).unwrap();
    let games = files.filter(|file| {
        let path = file.as_ref().unwrap().path();
        path.extension().is_some_and(|ending| ending == "games")
    });
    assert_eq!(games.count(), 4);
    for journal in report["journals"].as_array().unwrap() {
        let mut replay = cupola();
        replay.args(["replay", "--verify", journal.as_str().unwrap()]);
        Ran::of(replay.output().unwrap()).code(0);
    }
}

#[test]
fn a_variant_of_nothing_is_told_with_file_line_and_the_nearest_name() {
    let file = temporary("odd.ron");
    let text =
        "(\n    base: \"corps2O\",\n    name: \"odd\",\n    title: \"Odd\",\n    change: [],\n)\n";
    std::fs::write(&file, text).unwrap();
    let path = file.to_str().unwrap();
    let ran = lab(&["test", "corps20", path], &folder("odd")).code(2);
    for words in [
        "odd.ron:2:",
        "base: no ruleset \"corps2O\"",
        "did you mean \"corps20\"?",
    ] {
        assert!(ran.err.contains(words), "{}", ran.err);
    }
    let ran = lab(
        &["compare", "gettysburg-july1", "--plan", "july1-onion"],
        &folder("onion"),
    );
    assert!(ran.code(2).err.contains("did you mean \"july1-union\"?"));
}

/// Every command that the page prints works as it is printed, in the folder the page lies in.
#[test]
fn every_game_that_the_page_cites_opens() {
    let out = folder("page");
    let args = [
        "compare",
        "gettysburg-july1",
        "--ruleset",
        "corps20",
        "--games",
        "5",
        "--luck",
        "3",
    ];
    let ran = lab(&args, &out).code(0);
    let page = out.join("index.html");
    assert!(
        ran.out
            .contains(&format!("The page lies at {}", page.display()))
    );
    let page = std::fs::read_to_string(page).unwrap();
    let commands: Vec<&str> = page
        .split("<code>cupola ")
        .skip(1)
        .filter_map(|rest| rest.split("</code>").next())
        .filter(|command| command.starts_with("replay games/"))
        .collect();
    assert!(commands.len() >= 3, "{commands:?}");
    for command in commands {
        let mut replay = cupola();
        replay.current_dir(&out).args(command.split(' '));
        let ran = Ran::of(replay.output().unwrap()).code(0);
        assert!(ran.out.contains("every hash as written"), "{command}");
    }
    for table in ["games", "game-hours", "hours", "places", "positions"] {
        let text = std::fs::read_to_string(out.join(format!("{table}.csv"))).unwrap();
        assert!(text.lines().count() > 5, "{table}");
    }
}

/// On the second day an army is as strong as the first has left it, and that is what the page sets beside its losses.
#[test]
fn the_page_counts_the_men_with_whom_a_game_begins() {
    let out = folder("later-day");
    let rest = "--ruleset blocks --games 1 --luck 0 --grid 0 --floor 0 --bot random";
    let rest: Vec<&str> = rest.split(' ').collect();
    let men = |hours: &str| {
        let out = out.join(hours);
        lab(&[&["compare", hours], &rest[..]].concat(), &out).code(0);
        let text = std::fs::read_to_string(out.join("comparison.json")).unwrap();
        let found: Value = serde_json::from_str(&text).unwrap();
        found["contests"][0]["men"][0].as_u64().unwrap()
    };
    let (first, second) = (men("gettysburg-july1"), men("gettysburg-july2"));
    assert!(second + 5000 < first, "{second} of {first}");
}

/// Makes a club's journals of some games: one of bots alone, one of a person against a bot, others of people, which is told; and one that is
/// cut short, and one that is none. How many people have played to their end.
fn club_of(games: &Path, club: &Path) -> usize {
    std::fs::create_dir_all(club).unwrap();
    let seats = [vec!["steady", "steady"], vec!["steady", "person"], vec![]];
    let mut made = 0;
    for entry in std::fs::read_dir(games).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|end| end != "journal") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let mut journal = Journal::read(&Source::new("game", text)).unwrap();
        let who = seats[made.min(2)].iter().map(|who| (*who).to_owned());
        let sides = ["cs", "us"].map(str::to_owned).into_iter();
        journal.seats = sides.zip(who).collect();
        let text = journal.write();
        std::fs::write(club.join(path.file_name().unwrap()), &text).unwrap();
        made += 1;
        if made == 2 {
            let lines: Vec<&str> = text.lines().collect();
            let short = lines[..lines.len() - 4].join("\n") + "\n";
            std::fs::write(club.join("cut.journal"), short).unwrap();
        }
    }
    std::fs::write(club.join("none.journal"), "not a journal").unwrap();
    made - 1
}

#[test]
fn the_club_s_own_games_stand_beside_the_bots() {
    let (bots, out, club) = (
        folder("club-bots"),
        folder("club-report"),
        folder("club-games"),
    );
    let few = ["--games", "6", "--luck", "0", "--grid", "0", "--floor", "0"];
    let compare = |more: &[&str], out: &Path| {
        let args = [&["compare", "gettysburg-july1"], &few[..], more].concat();
        lab(&args, out).code(0)
    };
    compare(&["--ruleset", "corps20"], &bots);
    let by_people = club_of(&bots.join("games"), &club);
    compare(
        &[
            "--ruleset",
            "corps20",
            "--ruleset",
            "blocks",
            "--club",
            club.to_str().unwrap(),
        ],
        &out,
    );
    let json = std::fs::read_to_string(out.join("comparison.json")).unwrap();
    let json: Value = serde_json::from_str(&json).unwrap();
    let found = json["contests"].as_array().unwrap();
    let names: Vec<&str> = found
        .iter()
        .filter_map(|one| one["name"].as_str())
        .collect();
    assert_eq!(names, ["corps20", "blocks", "corps20-club"]);
    assert_eq!(found[2]["games"], by_people);
    let against = format!("people, steady in 1 of {by_people} games");
    assert_eq!(found[2]["players"], serde_json::json!(["people", against]));
    let notes = json["notes"].to_string();
    for told in [
        format!("{by_people} are of these hours and rules"),
        "1 game of these hours and rules was played by bots alone and is left out".to_owned(),
    ] {
        assert!(notes.contains(&told), "{notes}");
    }
    assert!(
        notes.contains("cut.journal") && notes.contains("none.journal"),
        "{notes}"
    );
    for witness in found[2]["witnesses"].as_array().unwrap() {
        let file = format!("corps20-club-{}.journal", witness["game"]);
        let ran = Ran::of(
            cupola()
                .arg("replay")
                .arg(out.join("games").join(&file))
                .output()
                .unwrap(),
        )
        .code(0);
        assert!(ran.out.contains("every hash as written"), "{file}");
    }
    let page = std::fs::read_to_string(out.join("index.html")).unwrap();
    assert!(page.contains("as the club plays it"));
    let played = format!(
        "in corps20-club by people for the Union, {against} for the Confederate, plans: not known"
    );
    assert!(page.contains(&played));
}

/// Blocks plays the third day from noon on: what the XII Corps lost on Culp's Hill in the morning is not held against it.
#[test]
fn what_fell_before_a_ruleset_begins_is_not_held_against_it() {
    let out = folder("lab-noon");
    let args = [
        "compare",
        "gettysburg-july3",
        "--games",
        "2",
        "--ruleset",
        "blocks",
        "--bot",
        "random",
        "--grid",
        "0",
        "--luck",
        "0",
        "--floor",
        "0",
    ];
    lab(&args, &out).code(0);
    let text = std::fs::read_to_string(out.join("comparison.json")).unwrap();
    let page: serde_json::Value = serde_json::from_str(&text).unwrap();
    let all = page["history"]["corps"].as_array().unwrap().iter();
    let all = all.clone().find(|corps| corps[1] == "us-xii").unwrap()[3].as_u64();
    let own = page["contests"][0]["corps"].as_array().unwrap().iter();
    let own = own.clone().find(|corps| corps["id"] == "us-xii").unwrap();
    let own = own["recorded"].as_u64();
    assert!(own.unwrap() * 2 < all.unwrap(), "{own:?} of {all:?}");
}

/// A ruleset beside itself would be called as different as any other; one game of a cell has no interval.
#[test]
fn what_a_comparison_cannot_tell_is_refused() {
    let out = folder("lab-refused");
    let two = [
        "compare",
        "training",
        "--games",
        "2",
        "--ruleset",
        "corps20",
    ];
    let twice = lab(&[&two[..], &["--ruleset", "corps20"]].concat(), &out).code(2);
    assert!(
        twice.err.contains("corps20 is named twice"),
        "{}",
        twice.err
    );
    let one = lab(&[&two[..], &["--grid", "1"]].concat(), &out).code(2);
    assert!(one.err.contains("0 leaves it out"), "{}", one.err);
}

#[test]
fn a_comparison_that_was_interrupted_goes_on() {
    let args = [
        "compare",
        "gettysburg-july1",
        "--ruleset",
        "corps20",
        "--games",
        "40",
        "--luck",
        "2",
        "--grid",
        "4",
        "--grid-bot",
        "steady",
        "--grid-bot",
        "random",
    ];
    let whole = folder("compared");
    lab(&args, &whole).code(0);
    let out = folder("compared-in-two");
    interrupted(&args, &out, "games/corps20.games");
    lab(&args, &out).code(0);
    for name in ["index.html", "games.csv", "game-hours.csv", "hours.csv"] {
        let read = |folder: &Path| std::fs::read_to_string(folder.join(name)).unwrap();
        assert!(read(&whole) == read(&out), "{name}");
    }
}

/// A run in parts, put together, is the run in one: page, tables and games.
#[test]
fn shards_put_together_make_the_same_page() {
    let run = [
        "compare",
        "gettysburg-july1",
        "--ruleset",
        "corps20",
        "--games",
        "7",
        "--luck",
        "4",
    ];
    let (whole, parts) = (folder("in-one"), folder("in-parts"));
    lab(&run, &whole).code(0);
    for k in ["1/3", "2/3", "3/3"] {
        let told = lab(&[&run[..], &["--shard", k]].concat(), &parts)
            .code(0)
            .out;
        assert!(told.contains("games of this part"), "{told}");
    }
    assert!(!parts.join("index.html").exists());
    let told = lab(&["merge", parts.to_str().unwrap()], &parts).code(0).out;
    assert!(told.contains("corps20.games: 7 games"), "{told}");
    lab(&run, &parts).code(0);
    // In the file of games itself those of several threads stand as they came in.
    for file in ["games.csv", "hours.csv", "places.csv"] {
        let read = |folder: &Path| std::fs::read(folder.join(file)).unwrap();
        assert_eq!(read(&whole), read(&parts), "{file}");
    }
    lab(&[&run[..], &["--shard", "4/3"]].concat(), &parts)
        .code(2)
        .complains("such as 3/16");
    lab(&["merge", "/nowhere"], &parts)
        .code(2)
        .complains("cannot be read");
}

/// What the notebook beside a page says, from the Parquet files where Python can read them, or from the others.
fn computed(out: &Path, parquet: bool) -> String {
    let notebook = std::fs::read_to_string(out.join("headlines.ipynb")).unwrap();
    let notebook: Value = serde_json::from_str(&notebook).unwrap();
    let cells = notebook["cells"].as_array().unwrap().iter();
    let code = cells.filter(|cell| cell["cell_type"] == "code");
    let lines = code.flat_map(|cell| cell["source"].as_array().unwrap());
    let mut code: String = lines.map(|line| line.as_str().unwrap()).collect();
    if !parquet {
        code = code.replace("import pyarrow.parquet as parquet", "raise ImportError");
    }
    let mut python = Command::new("python3");
    python.arg("-c").arg(code).current_dir(out);
    let ran = Ran::of(python.output().unwrap());
    format!("{}{}", ran.out, ran.err)
}

/// Both kinds of tables come to what the page says.
fn agrees(out: &Path) {
    for parquet in [true, false] {
        let told = computed(out, parquet);
        assert!(told.contains("all as on the page"), "{told}");
    }
}

fn spoil(out: &Path, file: &str, was: &str, is: &str) {
    let text = std::fs::read_to_string(out.join(file)).unwrap();
    assert!(text.contains(was), "{file} has no {was}");
    std::fs::write(out.join(file), text.replacen(was, is, 1)).unwrap();
}

/// Regiments by the hundred, prisoners told apart, and turns of other lengths: the notebook comes to the same there, too.
#[test]
fn the_notebook_reads_games_of_regiments() {
    let out = folder("notebook-regiments");
    let args = [
        "compare",
        "gettysburg-july1",
        "--ruleset",
        "corps20",
        "--ruleset",
        "gbacw",
        "--bot",
        "random",
        "--games",
        "3",
        "--luck",
        "0",
        "--floor",
        "1",
        "--grid",
        "2",
        "--grid-bot",
        "random",
    ];
    lab(&args, &out).code(0);
    agrees(&out);
    let page = std::fs::read_to_string(out.join("index.html")).unwrap();
    let row = page.split("of them captured or missing, Union").nth(1);
    let row = row.unwrap().split("</tr>").next().unwrap();
    let cells: Vec<&str> = row.split("<td").collect();
    assert!(cells[1].contains("<small>not told apart"), "corps20: {row}");
    // Who surrenders is told apart by regiments, and nobody else.
    assert!(cells[2].contains("; others not told apart"), "gbacw: {row}");
    // Nobody does better than the board allows.
    let told = std::fs::read_to_string(out.join("comparison.json")).unwrap();
    let told: Value = serde_json::from_str(&told).unwrap();
    for found in told["contests"].as_array().unwrap() {
        let distance = &found["distance"];
        let best = distance["places_best"].as_f64().unwrap();
        let played = distance["places"]["mean"].as_f64().unwrap();
        assert!(played < best && best <= 1.0, "{}: {best}", found["name"]);
    }
    let figures = std::fs::read_to_string(out.join("game-figures.csv")).unwrap();
    assert!(
        figures.starts_with("contest,game,minutes,contact_minutes,late,captured_1,captured_2,")
    );
    // It can fail: a claim that became of another kind is noticed.
    spoil(&out, "claims.csv", ",holds,", ",unknown,");
    let told = computed(&out, false);
    assert!(told.contains("computed again it is holds"), "{told}");
}

/// The notebook beside a page computes every headline again, from the tables alone; and the grid's tables are there.
#[test]
fn the_notebook_comes_to_what_the_page_says() {
    let out = folder("notebook");
    let args = [
        "compare",
        "gettysburg-july1",
        "--ruleset",
        "corps20",
        "--ruleset",
        "early-recovery",
        "--games",
        "6",
        "--luck",
        "2",
        "--grid",
        "3",
        "--grid-bot",
        "steady",
        "--grid-bot",
        "random",
    ];
    lab(&args, &out).code(0);
    agrees(&out);
    // It can fail: one game more that the Union won is noticed.
    spoil(&out, "games.csv", ",draw,", ",us,");
    let told = computed(&out, false);
    assert!(told.contains("on the page"), "{told}");
    // Every plan of the scenario and every player are in the grid.
    let grid = std::fs::read_to_string(out.join("grid.csv")).unwrap();
    for plans in ["own", "free", "heights", "town"] {
        for bot in ["steady", "random"] {
            let row = format!("corps20,{plans},{bot},wins,");
            assert!(grid.contains(&row), "{row}\n{grid}");
        }
    }
    let page = std::fs::read_to_string(out.join("index.html")).unwrap();
    assert!(page.contains("What holds, and what does not"));
    assert!(page.contains("Made from the record"));
}

#[test]
fn a_variant_that_changes_nothing_is_the_same_rules() {
    let out = folder("nothing-changed");
    std::fs::create_dir_all(&out).unwrap();
    let file = out.join("nothing.ron");
    let text =
        "(base: \"corps20\", name: \"nothing\", title: \"Nothing\", why: \"a test\", change: [])";
    std::fs::write(&file, text).unwrap();
    let args = ["test", "corps20", file.to_str().unwrap(), "--json"];
    let ran = lab(&args, &out.join("games")).code(0);
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(
        (&report["same_rules"], &report["games"]),
        (&true.into(), &0.into()),
        "{report:#}"
    );
}

/// A value that is set to what it is has another origin and plays as before; one value that is another makes another game of it.
#[test]
fn a_variant_that_says_again_what_is_there_is_the_same_rules() {
    let out = folder("said-again");
    std::fs::create_dir_all(&out).unwrap();
    let told = |name: &str, strength: u32| {
        let file = out.join(format!("{name}.ron"));
        let text = format!(
            "(base: \"corps20\", name: \"{name}\", title: \"Again\", change: [\n\
             set(path: \"counters/cs-heth/quality\", to: 3),\n\
             set(path: \"counters/cs-heth/strength\", to: {strength})])"
        );
        std::fs::write(&file, text).unwrap();
        let file = file.to_str().unwrap();
        let args = ["test", "corps20", file, "--max-pairs", "16", "--json"];
        let ran = lab(&args, &out.join(name));
        let report: Value = serde_json::from_str(&ran.out).unwrap();
        (report["same_rules"].clone(), report["games"].clone())
    };
    assert_eq!(told("again", 2), (true.into(), 0.into()));
    assert_eq!(told("other", 3).0, Value::from(false));
}

/// The third day of corps20 is set up from the files of the whole battle, and is tested in its own hours and by its own plans.
#[test]
fn a_scenario_that_is_based_on_another_is_tested_in_its_own_hours() {
    let args = [
        "test",
        "corps20/july3",
        "early-recovery",
        "--max-pairs",
        "16",
        "--json",
    ];
    let ran = lab(&args, &folder("third-day"));
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    let plan = report["terms"]["plans"][0].as_str().unwrap();
    assert!(plan.starts_with("July 3"), "{plan}");
    let parting = report["telling"]["parting"]["variant"]["time"]
        .as_str()
        .unwrap();
    assert!(parting.starts_with("1863-07-03"), "{parting}");
    // And a day is not held against another.
    let ran = lab(
        &["test", "corps20/july3", "corps20/july1"],
        &folder("two-days"),
    )
    .code(2);
    assert!(ran.err.contains("no hours in common"), "{}", ran.err);
}

#[test]
fn several_metrics_share_the_error_rates() {
    let mut args = TEST.to_vec();
    args.extend(["--metric", "attacks"]);
    let ran = lab(&args, &folder("several"));
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    let metrics = report["metrics"].as_array().unwrap();
    let rates: Vec<f64> = metrics
        .iter()
        .map(|m| m["alpha"].as_f64().unwrap())
        .collect();
    assert_eq!(rates, [0.025, 0.025]);
}
