//! Games that sleep while somebody is at the table, and those that bring their scenario along.

use super::{Home, Person, data, folder};
use cupola_data::Source;
use cupola_kernel::{Journal, Play, PositionFile, Registry, Seed, Session};
use cupola_library::Library;
use cupola_serve::Club;
use serde_json::json;
use std::time::Duration;

/// Waits until no game is awake: nobody wants anything, so the second look at the latest finds them idle.
fn all_asleep(club: &Club) {
    for _ in 0..600 {
        club.let_go();
        if club.awake() == 0 {
            return;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    panic!("{} games never sleep", club.awake());
}

pub fn a_game_sleeps_and_whoever_is_at_the_table_stays(home: &Home) {
    let (club, address) = home.open_club();
    let (ada, bob) = (Person::enter(address, "Ada"), Person::enter(address, "Bob"));
    let game = ada.new_game(["me", "me"]);
    assert!(ada.choose(&game));
    let mut line = bob.listen(&game, "observer", 1);
    let mut late = bob.listen(&game, "observer", 0);
    assert!(late.next().unwrap()["steps"].is_null(), "all of it is told");
    all_asleep(&club);
    assert!(ada.choose(&game));
    // As if it had never slept: the step, not everything anew.
    for line in [&mut line, &mut late] {
        let heard = line.next().unwrap();
        assert_eq!(heard["steps"][0]["ply"], 2, "{heard}");
    }
    assert_eq!(club.awake(), 1);
    all_asleep(&club);
    // Somebody says something while it sleeps; nobody has to come again.
    let said = json!({"text": "Good morning."});
    let answer = ada.post(&format!("/games/{game}/notes"), &said);
    assert_eq!(answer.status, 200, "{}", answer.json());
    assert!(line.next().unwrap()["table"].is_object());
}

/// A bot that moved while a page fetched its look and its map had the page fetch everything once more.
pub fn what_happens_while_a_line_is_opened_is_told_step_by_step(home: &Home) {
    let (club, address) = home.open_club();
    let (ada, bob) = (Person::enter(address, "Ada"), Person::enter(address, "Bob"));
    let game = ada.new_game(["me", "me"]);
    let ply = bob.table(&game)["ply"].as_u64().unwrap();
    for _ in 0..3 {
        assert!(ada.choose(&game));
    }
    let heard = bob.listen(&game, "observer", ply).next().unwrap();
    assert!(heard["frame"].is_null(), "everything comes once more");
    assert_eq!(heard["steps"].as_array().unwrap().len(), 3);
    // Whoever never opens a line is not waited for.
    let carl = Person::enter(address, "Carl");
    let ply = carl.table(&game)["ply"].as_u64().unwrap();
    all_asleep(&club);
    assert!(ada.choose(&game));
    let heard = carl.listen(&game, "observer", ply).next().unwrap();
    assert!(heard["frame"].is_object());
}

/// Of many games that are awake at once, those sleep first that nobody has used for longest.
#[test]
fn a_crowd_is_thinned_out_and_whoever_plays_is_spared() {
    let (club, address) = Home::file("crowd").open_club();
    let games: Vec<String> = (0..12)
        .map(|number| Person::enter(address, &format!("Ada {number}")))
        .map(|ada| ada.new_game(["me", "me"]))
        .collect();
    let bob = Person::enter(address, "Bob");
    let look = |room: usize| {
        club.thin_out(room);
        assert_eq!(bob.table(&games[0])["step"], 0);
    };
    // There is room for all.
    (0..3).for_each(|_| look(100_000));
    assert_eq!(club.awake(), 12);
    // Bob looks at one between two times: it is spared.
    (0..3).for_each(|_| look(1));
    assert_eq!(club.awake(), 1);
    assert_eq!(bob.table(&games[1])["step"], 0);
}

/// Only a shared store tells of others.
pub fn what_others_do_wakes_a_game(home: &Home) {
    let (club, address) = home.open_club();
    let ada = Person::enter(address, "Ada");
    let game = ada.new_game(["me", "me"]);
    let mut line = ada.listen(&game, "cs", 0);
    all_asleep(&club);
    let elsewhere = ada.at(home.open());
    assert!(elsewhere.choose(&game));
    loop {
        let heard = line.next().expect("the line stays open");
        if heard["ply"] == 1 || heard["steps"][0]["ply"] == 1 {
            return;
        }
    }
}

/// A journal of a play, with one choice in it.
fn journal_of(play: &Play) -> String {
    let seed = Seed::parse("1863").unwrap();
    let mut session = Session::new(play, Journal::new(play, "corps20", None, seed, None)).unwrap();
    let decision = session.game().decision().unwrap();
    let (side, act) = (decision.ask.side, decision.options[0]);
    session.apply(side, act).unwrap();
    session.journal().write()
}

/// What lies in no data folder of the club comes with the journal, and is there again after the game has slept and after
/// the club was opened anew.
pub fn a_journal_brings_its_own_scenario_and_its_position(home: &Home) {
    let folder = folder(&format!("brought_{}", home.name()));
    let mut library = Library::new(data(), None, Registry::linked().unwrap());
    let own = data().join("rulesets/corps20/battles/gettysburg/scenarios/july1.ron");
    let own = std::fs::read_to_string(own).unwrap();
    let path = folder.join("a-morning-of-ours.ron");
    std::fs::write(&path, own.replace("title: \"", "title: \"Ours: ")).unwrap();
    let name = library.bring_scenario("corps20", &path).unwrap();
    let scenario = journal_of(&library.play_with("corps20", &name, None).unwrap());
    let position = PositionFile {
        source: Source::new(
            "position",
            r#"(ruleset: "corps20", scenario: "july1", turn: "july1-noon", phase: "movement", side: "cs")"#,
        ),
        in_case: false,
    };
    let position = journal_of(&library.play_at(&position, None).unwrap());
    let (club, address) = home.open_club();
    let ada = Person::enter(address, "Ada");
    for (text, said) in [(scenario, "Ours: "), (position, "")] {
        let taken = ada.send("POST", "/journals", &["content-type: text/plain"], &text);
        assert_eq!(taken.status, 200, "{}", taken.json());
        let game = taken.json()["id"].as_str().unwrap().to_owned();
        assert_eq!(ada.table(&game)["step"], 1);
        let look = ada.table(&game)["table"]["look"]
            .as_str()
            .unwrap()
            .to_owned();
        let look = ada.get(&format!("/look/{look}"));
        let look: serde_json::Value = serde_json::from_slice(&look.body).unwrap();
        assert!(
            look["scenario"].as_str().unwrap().starts_with(said),
            "{}",
            look["scenario"]
        );
        assert!(ada.choose(&game));
        all_asleep(&club);
        assert_eq!(ada.table(&game)["step"], 2);
        let again = ada.at(home.open());
        assert_eq!(again.table(&game)["step"], 2, "{}", again.table(&game));
        assert!(again.choose(&game));
    }
    let odd = "cupola journal 2\nruleset ../..\n";
    let refused = ada.send("POST", "/journals", &["content-type: text/plain"], odd);
    assert!((400..500).contains(&refused.status));
}
