//! Playing, saving, loading, replaying, asking about positions.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;
use common::{feed, run, temporary};

/// A journal with the hash of its lines at the end.
fn sealed(text: &str) -> String {
    let end = text.rfind("end ").unwrap();
    let count = text[end..].split(' ').nth(1).unwrap();
    let seal = cupola_kernel::digest(&text.as_bytes()[..end]);
    format!("{}end {count} {seal}\n", &text[..end])
}

/// The journal of the first choices of a game.
fn cut(text: &str, steps: usize) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let last = format!("{steps} ");
    let at = lines
        .iter()
        .rposition(|line| line.starts_with(&last))
        .unwrap();
    sealed(&format!(
        "{}\nshares 0\nend {steps} \n",
        lines[..=at].join("\n")
    ))
}

/// A game of two bots, kept in a file.
fn saved(name: &str, seed: &str) -> String {
    let path = temporary(name).to_str().unwrap().to_owned();
    let args = [
        "play",
        "corps20/july1",
        "--seat",
        "cs=random",
        "--seat",
        "us=random",
        "--seed",
        seed,
        "--autosave",
        &path,
    ];
    let told = run(&args).code(0).out;
    assert!(told.contains("wins") || told.contains("Nobody"), "{told}");
    path
}

#[test]
fn bots_play_to_a_verdict_and_the_journal_holds() {
    let path = saved("bots.cupola", "1863");
    let told = run(&["replay", &path, "--verify"]).code(0).out;
    assert!(told.contains("every hash as written"), "{told}");
    let json = run(&["replay", &path, "--json"]).code(0).json();
    assert_eq!(json["verified"], true);
    let steps = json["steps"].as_array().unwrap();
    assert_eq!(steps.len() as u64, json["decisions"].as_u64().unwrap());
    assert_eq!(steps[steps.len() - 1]["hash"], json["hash"]);
    let told = run(&["replay", &path]).code(0).out;
    assert!(told.contains("§") && told.contains("dice: "), "{told}");
    // Dice, sums and outcomes of fights are told.
    let fights = steps
        .iter()
        .flat_map(|step| step["fights"].as_array().unwrap());
    for fight in fights {
        let modifiers = fight["modifiers"].as_array().unwrap();
        let sum: i64 = modifiers.iter().map(|m| m["value"].as_i64().unwrap()).sum();
        assert_eq!(fight["sum"].as_i64(), Some(sum));
        assert!(!fight["outcome"].as_str().unwrap().is_empty(), "{fight}");
    }
    let told = fights_of_steady_bots();
    assert!(told > 0, "no fight is told of");
    let mut rolls = steps
        .iter()
        .flat_map(|step| step["rolls"].as_array().unwrap());
    let fell = |roll: &serde_json::Value| roll["value"].as_u64() <= roll["sides"].as_u64();
    assert!(rolls.clone().count() > 0 && rolls.all(fell));
    // The same seed and the same bots give the same game.
    let again = std::fs::read_to_string(saved("again.cupola", "1863")).unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), again);
}

/// How many fights a journal of bots who mean it tells of.
fn fights_of_steady_bots() -> usize {
    let path = temporary("steady.cupola").to_str().unwrap().to_owned();
    let seats = [
        "--seat",
        "cs=steady",
        "--seat",
        "us=steady",
        "--seed",
        "5",
        "--quiet",
    ];
    run(&[&["play", "corps20/july1", "--autosave", &path], &seats[..]].concat()).code(0);
    let json = run(&["replay", &path, "--json"]).code(0).json();
    let steps = json["steps"].as_array().unwrap().iter();
    steps
        .map(|step| step["fights"].as_array().unwrap().len())
        .sum()
}

#[test]
fn the_position_after_some_decisions() {
    let path = saved("at.cupola", "a1");
    let told = run(&["replay", &path, "--at", "5"]).code(0).out;
    assert!(told.contains("is asked") && told.contains("Heth"), "{told}");
    let json = run(&["replay", &path, "--at", "5", "--json"])
        .code(0)
        .json();
    assert_eq!(json["decisions"], 5);
    assert!(json["view"]["units"].as_array().unwrap().len() > 20);
    run(&["replay", &path, "--at", "99999"])
        .code(2)
        .complains("there is no number 99999");
}

#[test]
fn a_truncated_save_is_refused() {
    let path = saved("short.cupola", "b2");
    let text = std::fs::read_to_string(&path).unwrap();
    let cut: Vec<&str> = text.lines().take(12).collect();
    std::fs::write(&path, cut.join("\n")).unwrap();
    run(&["play", "--load", &path])
        .code(2)
        .complains("truncated");
    run(&["replay", &path]).code(2).complains("truncated");
    assert!(run(&["check", &path]).code(1).out.contains("truncated"));
}

#[test]
fn a_changed_save_does_not_verify() {
    let path = saved("forged.cupola", "c3");
    let text = std::fs::read_to_string(&path).unwrap();
    let line = text.lines().find(|line| line.starts_with("5 ")).unwrap();
    let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
    words[2] = "0".repeat(32);
    std::fs::write(&path, text.replace(line, &words.join(" "))).unwrap();
    run(&["replay", &path, "--verify"])
        .code(2)
        .complains("the journal was altered");
    // With a new hash at its end it can be read, and does not lead where it says.
    std::fs::write(&path, sealed(&text.replace(line, &words.join(" ")))).unwrap();
    let told = run(&["replay", &path, "--verify"]).code(1).out;
    assert!(
        told.contains(" 5: leads to") && told.contains("not to 0000"),
        "{told}"
    );
    let other = text.replace("ruleset corps20", "ruleset corps21");
    std::fs::write(&path, sealed(&other)).unwrap();
    run(&["replay", &path])
        .code(2)
        .complains("did you mean \"corps20\"?");
    // Another seed, whatever the last line says, is another start.
    let other = text.replace("00000c3\n", "00000c4\n");
    assert_ne!(text, other);
    std::fs::write(&path, sealed(&other)).unwrap();
    let told = run(&["replay", &path, "--verify"]).code(1).out;
    assert!(told.contains("the game does not start so"), "{told}");
}

#[test]
fn a_human_on_a_pipe_plays_to_the_end() {
    let path = temporary("human.cupola").to_str().unwrap().to_owned();
    let answers = "1\n".repeat(5_000);
    let args = [
        "play",
        "corps20/july1",
        "--seat",
        "cs=human",
        "--seat",
        "us=random",
        "--seed",
        "7",
        "--autosave",
        &path,
    ];
    let told = feed(&args, &answers).code(0);
    assert!(
        told.out.contains("decisions, seed"),
        "{}",
        &told.out[told.out.len().saturating_sub(2000)..]
    );
    run(&["replay", &path, "--verify"]).code(0);
}

#[test]
fn the_table_answers_questions_and_survives_nonsense() {
    let path = temporary("questions.cupola").to_str().unwrap().to_owned();
    let input = format!(
        "help\nunits heth\nmap\nlog\nhex 15.09\nwhy\nwhy zzz\nodds 1\nodds 999\n99999\n-1\nzzzz qqqq\nundo\nmore\nall\n\
         \u{0}\u{7f}\nsave\nsave /nowhere/x\nsave {path}\nquit\nno\n"
    );
    let told = feed(&["play", "corps20/july1", "--seed", "7"], &input)
        .code(0)
        .out;
    for text in [
        "choose that option",
        "Heth (heth)",
        "There is no option 99999",
        "No option has \"zzzz qqqq\" in it",
        "That cannot be taken back: nothing has been chosen yet",
        "Lutheran",
        "/nowhere/x: cannot be written",
        "Saved. Go on with",
        "Save the game?",
    ] {
        assert!(told.contains(text), "{text} in:\n{told}");
    }
    // A game saved at the table goes on where it was.
    let told = feed(&["play", "--load", &path], "quit\n\n").code(0).out;
    assert!(told.contains("[1-"), "{told}");
}

#[test]
fn several_answers_are_typed_as_one_and_things_are_found_by_name() {
    let input = "move heth 16.08\nunits heth\nhex seminary\nhex CP\nwhy\nrules combat results\ncard yell\nrules nothing\n\
                 map labels\nlog\nhex hill\nquit\nno\n";
    let told = feed(&["play", "corps20/july1", "--seed", "7"], input)
        .code(0)
        .out;
    for text in [
        "\u{2192} Heth moves to 16.08",
        "Third Corps",
        "15.09: ",
        "20.01: ",
        "This is asked by \u{a7}5.",
        "+2  +3  +4",
        "reserves cost no morale",
        "has \"nothing\" in its name",
        "15.10 15.11",
        "several places have \"hill\" in their names",
    ] {
        assert!(told.contains(text), "{text} in:\n{told}");
    }
    // Labels that look like numbers are labels where no option has that number.
    let told = feed(
        &[
            "play",
            "blindswords/tutorial",
            "--seed",
            "7",
            "--seat",
            "cs=human",
        ],
        "1\n1\n1\n2415\nquit\nno\n",
    );
    assert!(!told.code(0).out.contains("panicked"));
}

#[test]
fn the_log_shows_dice_and_sums() {
    let play = |seed: &str| {
        let args = [
            "play",
            "corps20/gettysburg",
            "--seat",
            "cs=random",
            "--seat",
            "us=random",
            "--seed",
            seed,
        ];
        run(&args).code(0).out
    };
    let told: String = ["1", "2", "3"].map(play).concat();
    assert!(told.contains("[rolled "), "{told}");
    assert!(told.contains(" = +") || told.contains(" = -"), "{told}");
}

#[test]
fn a_game_goes_on_after_loading_as_it_would_have() {
    let whole = std::fs::read_to_string(saved("whole.cupola", "d4")).unwrap();
    let path = temporary("half.cupola").to_str().unwrap().to_owned();
    std::fs::write(&path, cut(&whole, 20)).unwrap();
    run(&[
        "play",
        "--load",
        &path,
        "--seat",
        "cs=random",
        "--seat",
        "us=random",
        "--quiet",
        "--autosave",
        &path,
    ])
    .code(0);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), whole);
}

#[test]
fn the_end_of_input_is_no_accident() {
    let told = feed(&["play", "corps20/july1", "--seed", "7"], "1\n")
        .code(0)
        .out;
    assert!(told.contains("The input ends here"), "{told}");
    assert!(
        feed(&["play", "corps20/july1", "--seed", "7"], "")
            .code(0)
            .out
            .contains("The input ends here")
    );
}

#[test]
fn seats_are_named_by_their_sides() {
    run(&["play", "corps20/july1", "--seat", "cs=hooman"])
        .code(2)
        .complains("did you mean \"human\"?");
    run(&["play", "corps20/july1", "--seat", "uss=random"])
        .code(2)
        .complains("did you mean \"us\"?");
    run(&["play"]).code(2).complains("cupola list");
    run(&["play", "corps20"]).code(2).complains("corps20/july1");
    run(&["play", "corps20/july1", "--seed", "xyz"])
        .code(2)
        .complains("hexadecimal");
}

#[test]
fn a_position_answers_what_may_be_done() {
    let path = saved("adjudge.cupola", "e5");
    let at = temporary("adjudge-at.cupola").to_str().unwrap().to_owned();
    let whole = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&at, cut(&whole, 6)).unwrap();
    let moves = run(&["moves", &at, "--json"]).code(0).json();
    let first = moves["options"][0]["id"].as_str().unwrap().to_owned();
    assert!(run(&["moves", &at, &first]).code(0).out.contains(&first));
    run(&["moves", &at, "--choose", &first, "--json"]).code(0);
    run(&["moves", &at, "--why", &first]).code(0);
    run(&["moves", &at, "--choose", "nonsense"])
        .code(2)
        .complains("no answer begins with");
    let odds = run(&["odds", &at, "--json"]);
    assert!(odds.code == 0 || odds.code == 1, "{}", odds.err);
    assert!(odds.json().is_array());
}

#[test]
fn a_bench_counts() {
    let json = run(&[
        "bench",
        "corps20",
        "--scenario",
        "july1",
        "--seconds",
        "1",
        "--json",
    ])
    .code(0)
    .json();
    for key in [
        "games",
        "decisions",
        "decisions_per_cpu_second",
        "microseconds_per_fork",
        "microseconds_per_new_game",
    ] {
        assert!(json[key].as_f64().unwrap() > 0.0, "{key}");
    }
}

/// A situation set up by hand: Rodes in front of Howard.
const POSITION: &str = r#"(
    ruleset: "corps20", scenario: "gettysburg", turn: "july2-noon", phase: "combat", side: "cs",
    state: (
        clear: true,
        units: {"howard": (at: "18.10"), "rodes": (at: "19.10"), "ewell": (at: "20.11")},
        chief: out, artillery: (out, out, out),
    ),
)"#;

#[test]
fn a_position_set_up_by_hand() {
    let path = temporary("position.ron").to_str().unwrap().to_owned();
    std::fs::write(&path, POSITION).unwrap();
    let told = run(&["moves", &path]).code(0).out;
    assert!(told.contains("attack rodes howard"), "{told}");
    run(&["moves", &path, "--why", "attack ewell howard"]).code(1);
    let odds = run(&["odds", &path, "--choose", "attack rodes howard", "--json"]);
    let odds = odds.code(0).json();
    let fight = &odds[0];
    let weights = fight["outcomes"].as_array().unwrap().iter();
    let sum: u64 = weights.map(|o| o["weight"].as_u64().unwrap()).sum();
    assert_eq!(Some(sum), fight["total"].as_u64(), "{fight}");
    assert!(
        run(&["odds", &path])
            .code(0)
            .out
            .contains("Rodes attacks Howard")
    );
    assert!(run(&["check", &path]).code(0).out.contains("(position)"));

    // It can be played, kept and replayed: the journal holds the position.
    let save = temporary("position.cupola").to_str().unwrap().to_owned();
    let args = [
        "--seat",
        "cs=random",
        "--seat",
        "us=random",
        "--quiet",
        "--autosave",
        &save,
    ];
    run(&[&["play", "--position", &path], &args[..]].concat()).code(0);
    run(&["replay", &save, "--verify"]).code(0);

    std::fs::write(&path, POSITION.replace("howard", "howrad")).unwrap();
    run(&["moves", &path])
        .code(2)
        .complains("did you mean \"howard\"?");
    std::fs::write(
        &path,
        POSITION.replace("phase: \"combat\"", "phase: \"comabt\""),
    )
    .unwrap();
    run(&["moves", &path])
        .code(2)
        .complains(":2:")
        .complains("did you mean \"combat\"?");
}

/// Bots would answer until somebody pulls the plug.
#[test]
fn rules_that_ask_for_ever_are_told_of() {
    let folder = temporary("asker");
    std::fs::create_dir_all(&folder).unwrap();
    let script = r#"
        fn whose() { "player" }
        fn rule() { "13" }
        fn verbs() { ["more", "again"] }
        fn next() { #{side: active(), question: "again", rule: "13.1"} }
        fn options(question) { [["more"], ["again"]] }
        fn take(question, answer) { }
        fn prompt(question) { "And again?" }
    "#;
    let variant = r#"(
        base: "corps20", name: "asker", title: "Who asks and asks", scripts: ["asker.rhai"],
        change: [add_phase(phase: "asker.rhai", after: "movement")],
    )"#;
    std::fs::write(folder.join("asker.rhai"), script).unwrap();
    let file = folder.join("asker.ron");
    std::fs::write(&file, variant).unwrap();
    let seats = ["--seat", "cs=random", "--seat", "us=random", "--quiet"];
    let play = ["play", "corps20/july1", "--variant", file.to_str().unwrap()];
    run(&[&play, &seats[..]].concat())
        .code(2)
        .complains("no end after 24000 choices of bots; it still asks: And again?");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_variant_is_played_and_replayed() {
    let save = temporary("variant.cupola").to_str().unwrap().to_owned();
    let args = [
        "--seat",
        "cs=random",
        "--seat",
        "us=random",
        "--quiet",
        "--autosave",
        &save,
    ];
    let variant = "data/variants/early-recovery.ron";
    run(&[&["play", "corps20/july1", "--variant", variant], &args[..]].concat()).code(0);
    run(&["replay", &save, "--verify"]).code(0);
    assert!(run(&["check", variant]).code(0).out.contains("(variant)"));
    // Under the rules without the variant it is another game.
    let text = std::fs::read_to_string(&save).unwrap();
    let (head, rest) = text.split_once("\nvariant ").unwrap();
    let rest = rest.split_once("\nposition ").unwrap().1;
    let plain = format!("{head}\nvariant 0\nposition {rest}");
    std::fs::write(&save, sealed(&plain)).unwrap();
    let told = run(&["replay", &save]).code(1).out;
    assert!(told.contains("played under other rules"), "{told}");
}

#[test]
fn cases_are_run_one_line_each() {
    let told = run(&["check", "tests/cases/corps20"]).code(0).out;
    let lines = told.lines().filter(|line| line.starts_with("ok ")).count();
    assert!(told.contains(&format!("{lines} in order, 0 not")), "{told}");
    let json = run(&["check", "tests/cases/corps20", "--json"])
        .code(0)
        .json();
    assert_eq!(json["results"][0]["kind"], "case");
}
