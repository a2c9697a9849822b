//! Many games in the lobby, and long ones in the store.

use super::{Home, Person};
use cupola_serve::Place;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::time::Duration;

/// A game that two bots play at once, with so many choices in it: some end early, then another is begun.
fn played_by_bots(person: &Person, scenario: &str, enough: u64) -> String {
    let wish = json!({"ruleset": "corps20", "scenario": scenario, "seats": ["random", "random"], "watched": true});
    for _ in 0..60 {
        let game = person.post("/games", &wish).json()["id"].clone();
        let game = game.as_str().expect("a game").to_owned();
        if steps_when_over(person, &game) >= enough {
            return game;
        }
    }
    panic!("no game has {enough} steps");
}

fn steps_when_over(person: &Person, game: &str) -> u64 {
    for _ in 0..2400 {
        let table = person.table(game);
        if table["table"]["over"] == true {
            return table["step"].as_u64().unwrap();
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    panic!("the bots do not come to an end");
}

/// All pages of a part of the lobby.
fn pages(person: &Person, first: &Value, part: &str, words: &str) -> Vec<Vec<String>> {
    let ids = |games: &Value| -> Vec<String> {
        let games = games.as_array().unwrap().iter();
        games
            .map(|game| game["id"].as_str().unwrap().to_owned())
            .collect()
    };
    let mut all = vec![];
    let mut next = match first.is_null() {
        true => String::new(),
        false => first["more"][part].as_str().unwrap_or("none").to_owned(),
    };
    while next != "none" {
        let path = format!("/games?part={part}&after={next}{words}");
        let page = person.get(&path).json();
        all.push(ids(&page["games"]));
        next = page["more"].as_str().unwrap_or("none").to_owned();
    }
    all
}

pub fn the_lobby_comes_page_by_page(home: &Home) {
    let address = home.open();
    let (ada, bob) = (Person::enter(address, "Ada"), Person::enter(address, "Bob"));
    let short = played_by_bots(&ada, "training", 1);
    let journal = ada.get(&format!("/games/{short}/journal")).body;
    let journal = String::from_utf8(journal).unwrap();
    let mut over = BTreeSet::from([short]);
    for _ in 0..54 {
        let taken = ada.send("POST", "/journals", &["content-type: text/plain"], &journal);
        assert_eq!(taken.status, 200, "{}", taken.json());
        over.insert(taken.json()["id"].as_str().unwrap().to_owned());
    }
    let mine = bob.new_game(["me", "me"]);
    let open = ada.new_game(["me", "open"]);
    let secret = json!({"ruleset": "corps20", "scenario": "july1", "seats": ["me", "me"]});
    let secret = ada.post("/games", &secret).json()["id"].clone();
    let running: BTreeSet<String> = (0..30).map(|_| ada.new_game(["me", "me"])).collect();
    let lobby = bob.get("/games").json();
    let games = lobby["games"].as_array().unwrap();
    let ids: Vec<&str> = games
        .iter()
        .map(|game| game["id"].as_str().unwrap())
        .collect();
    assert!(ids.len() < 60, "{} games at once", ids.len());
    assert_eq!(ids[0], mine, "mine is not the first");
    assert!(ids.contains(&open.as_str()));
    assert!(!ids.contains(&secret.as_str().unwrap()), "a private game");
    let all_of = |part: &str, wanted: &BTreeSet<String>| {
        let first = ids.iter().filter(|id| wanted.contains(**id));
        let mut seen: Vec<String> = first.map(|id| (*id).to_owned()).collect();
        let shown = seen.len();
        assert_eq!(shown, 24, "{part}");
        for page in pages(&bob, &lobby, part, "") {
            assert!(page.len() <= 24);
            seen.extend(page);
        }
        let all: BTreeSet<String> = seen.iter().cloned().collect();
        assert_eq!(seen.len(), all.len(), "{part}: some come twice");
        assert!(wanted.is_subset(&all), "{part}: some never come");
        assert!(!all.contains(secret.as_str().unwrap()));
    };
    all_of("over", &over);
    // Bob's own stands above, and would be counted with the others.
    let others: BTreeSet<String> = running.iter().cloned().collect();
    let shown = ids.iter().filter(|id| others.contains(**id)).count();
    assert!(shown >= 23, "{shown}");
    let mut seen: BTreeSet<String> = ids.iter().map(|id| (*id).to_owned()).collect();
    seen.extend(pages(&bob, &lobby, "running", "").concat());
    assert!(others.is_subset(&seen), "some never come");
    // Those in which one had a hand: all of Ada's, none of Bob's.
    let own = |person: &Person| pages(person, &Value::Null, "over", "&mine=true").concat();
    assert_eq!(own(&ada).len(), over.len());
    assert!(own(&bob).is_empty());
    // What is no page is told so.
    assert_eq!(bob.get("/games?part=secret").status, 404);
    assert_eq!(bob.get("/games?part=over&after=x.y").status, 400);
    assert_eq!(bob.get("/games?part=over&what=1").status, 400);
}

/// Changes what is stored behind the club's back; `#` before the name of a table.
fn alter(home: &Home, statement: &str) -> u64 {
    match &home.place {
        Place::File(path) => {
            let file = rusqlite::Connection::open(path).unwrap();
            file.busy_timeout(Duration::from_secs(60)).unwrap();
            let statement = statement.replace('#', "");
            file.execute(&statement, []).unwrap() as u64
        }
        Place::Database(database) => {
            let statement = statement.replace('#', "club_").replace("x'00'", "'\\x00'");
            let mut client = database.connect().unwrap();
            client.execute(statement.as_str(), &[]).unwrap()
        }
    }
}

/// What people can see of a game that is over, but for the log.
fn sights(person: &Person, game: &str) -> [Value; 4] {
    let at = |path: &str| {
        let answer = person.get(&format!("/games/{game}{path}"));
        assert_eq!(answer.status, 200, "{path}: {}", answer.json());
        answer.json()
    };
    let table = person.table(game);
    let last = table["step"].as_u64().unwrap();
    let end = format!("/film?seat=cs&from={}&to={last}", last - 9);
    [
        json!([table["frame"], table["step"], table["ply"]]),
        at("/luck?seat=umpire"),
        at(&end),
        at("/film?seat=umpire&from=3&to=9"),
    ]
}

/// Compares without telling all of it.
fn same(one: &[Value], other: &[Value], what: &str) {
    let differ: Vec<usize> = (0..one.len()).filter(|at| one[*at] != other[*at]).collect();
    assert!(differ.is_empty(), "{what}: {differ:?} differ");
}

/// The log of a game that was opened anew is the end of what it was.
fn same_end(person: &Person, game: &str, before: &Value) {
    let (after, before) = (
        person.table(game)["log"].clone(),
        before.as_array().unwrap(),
    );
    let after = after.as_array().unwrap();
    assert!(after.len() >= 60, "{} lines", after.len());
    assert!(before.ends_with(after), "the log tells something else");
}

/// Long enough for some states to be kept, and one of them far enough back.
const LONG: u64 = 420;

pub fn a_long_game_is_opened_from_a_state_that_was_kept(home: &Home) {
    let ada = Person::enter(home.open(), "Ada");
    let game = played_by_bots(&ada, "gettysburg", LONG);
    let (before, log) = (sights(&ada, &game), ada.table(&game)["log"].clone());
    let again = ada.at(home.open());
    same(&sights(&again, &game), &before, "opened anew");
    same_end(&again, &game, &log);
    let count = format!("UPDATE #state SET step = step WHERE game = '{game}'");
    let kept = alter(home, &count);
    assert!((3..=6).contains(&kept), "{kept} states are kept");
    // Where every state is gone the game is played again, and the next one who opens it has a state.
    assert!(alter(home, "DELETE FROM #state") >= kept);
    same(
        &sights(&ada.at(home.open()), &game),
        &before,
        "without a state",
    );
    assert_eq!(alter(home, &count), 1);
    // Whoever opens it now does not carry out its first choices.
    let first = "UPDATE #step SET act = 'fly' WHERE number = 1";
    assert!(alter(home, first) >= 1);
    let later = ada.at(home.open());
    let table = later.table(&game);
    assert_eq!(table["table"]["closed"], json!(null));
    let shown = json!([table["frame"], table["step"], table["ply"]]);
    same(&[shown], &before[..1], "with a state");
    same_end(&later, &game, &log);
}

pub fn a_state_that_is_not_the_journal_s_is_not_believed(home: &Home) {
    let ada = Person::enter(home.open(), "Ada");
    let game = played_by_bots(&ada, "gettysburg", LONG);
    let before = sights(&ada, &game);
    assert!(alter(home, "UPDATE #state SET state = x'00'") >= 3);
    same(
        &sights(&ada.at(home.open()), &game),
        &before,
        "played again",
    );
    // And it is not in the way of another.
    same(&sights(&ada.at(home.open()), &game), &before, "once more");
}
