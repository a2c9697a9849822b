//! People: what they may be called, how they come back, what they hear of what happened.

use super::{Home, Person};
use serde_json::{Value, json};

/// What stands behind the `#enter=` of a link.
fn secret(link: &Value) -> String {
    let link = link["link"].as_str().unwrap();
    link.split("#enter=").nth(1).unwrap().to_owned()
}

fn stranger(address: std::net::SocketAddr) -> Person {
    Person {
        address,
        cookie: String::new(),
    }
}

pub fn whoever_lost_his_link_gets_another_that_works_once(home: &Home) {
    let (address, keeper) = home.open_as_keeper();
    let ada = Person::enter(address, "Ada");
    let game = ada.new_game(["me", "open"]);
    let link = |who: &Person, path: &str| who.post(path, &json!({}));
    // For a telephone: she herself makes one.
    let mine = secret(&link(&ada, "/me/link").json());
    let telephone = Person::enter_with(address, &json!({ "secret": mine }));
    assert_eq!(telephone.id(), ada.id());
    assert_eq!(telephone.table(&game)["seat"], ada.table(&game)["seat"]);
    let again = stranger(address).post("/enter", &json!({ "secret": mine }));
    assert_eq!(again.status, 401, "a link that works once works twice");
    // Lost altogether: the keeper makes one, and nobody else does.
    let path = format!("/people/{}/link", ada.id());
    assert_eq!(link(&ada, &path).status, 403);
    assert_eq!(link(&stranger(address), "/me/link").status, 401);
    let lost = secret(&link(&keeper, &path).json());
    let back = Person::enter_with(address, &json!({ "secret": lost }));
    assert_eq!(back.id(), ada.id());
    // Whoever has left the club stays away.
    let late = secret(&link(&keeper, &path).json());
    let retire = format!("/people/{}/retire", ada.id());
    assert_eq!(keeper.post(&retire, &json!({})).status, 200);
    let late = stranger(address).post("/enter", &json!({ "secret": late }));
    assert_eq!(late.status, 401);
    assert_eq!(link(&keeper, &path).status, 404);
}

pub fn names_can_be_seen_and_what_is_too_long_is_said_to_be(home: &Home) {
    let address = home.open();
    let enter = |name: &str| stranger(address).post("/enter", &json!({ "name": name }));
    for name in ["\u{202E}\u{200B}", " ", "The club", &"x".repeat(81)] {
        let refused = enter(name);
        assert_eq!(refused.status, 400, "{name:?}");
        let why = refused.json()["error"].as_str().unwrap().to_owned();
        assert!(!why.contains("link"), "{name:?}: {why}");
    }
    let ada = enter(" \u{202E}Ada\u{0} ");
    assert_eq!((ada.status, &ada.json()["name"]), (200, &json!("Ada")));
    assert_eq!(ada.json()["namesake"], Value::Null);
    assert_eq!(enter("Ada").json()["namesake"], true);
    let bob = Person::enter(address, "Bob");
    let game = bob.new_game(["me", "me"]);
    let notes = format!("/games/{game}/notes");
    let long = bob.post(&notes, &json!({ "text": "x".repeat(2001) }));
    assert_eq!(long.status, 400);
    assert!(long.json()["error"].to_string().contains("2001"));
    assert_eq!(bob.get(&notes).json()["said"], json!([]));
    let fits = bob.post(&notes, &json!({ "text": "x".repeat(2000) }));
    assert_eq!(fits.status, 200);
}

/// What happened is told with whoever chose and with the turn in which it was, to those who come later as to those who saw it.
pub fn the_log_says_whose_choice_it_was_and_in_which_turn(home: &Home) {
    let ada = Person::enter(home.open(), "Ada");
    let game = ada.new_game(["me", "me"]);
    let turn = |table: &Value| table["frame"]["turn"]["label"].clone();
    let mut turns = vec![turn(&ada.table(&game))];
    while turns.len() < 4 {
        let before = ada.table(&game);
        let asked = before["frame"]["decision"]["side"].as_str().unwrap();
        let seen = ada.get(&format!("/games/{game}?seat={asked}")).json();
        let options = seen["frame"]["decision"]["options"].as_array().unwrap();
        // Something happens first, then the turn goes on.
        let pick = options.len() - 1;
        let pick = if before["step"].as_u64().unwrap().is_multiple_of(3) {
            0
        } else {
            pick
        };
        let choice = json!({"ply": seen["ply"], "seat": asked, "option": options[pick]["id"]});
        let done = ada.post(&format!("/games/{game}/choose"), &choice);
        assert_eq!(done.status, 200, "{}", done.json());
        let now = turn(&ada.table(&game));
        if turns.last() != Some(&now) {
            turns.push(now);
        }
    }
    let table = ada.table(&game);
    assert_eq!(table["earlier"], false);
    let log = table["log"].as_array().unwrap();
    assert!(log.len() > 3, "too little happened: {log:?}");
    let at = |event: &Value| turns.iter().position(|turn| *turn == event["turn"]);
    assert!(log.iter().all(|event| at(event).is_some()), "{log:?}");
    assert!(log.is_sorted_by_key(at), "{log:?}");
    let film = ada.get(&format!("/games/{game}/film?seat=umpire&from=0&to=1"));
    assert_eq!(film.status, 403, "the umpire's view is given to a player");
    let (seat, steps) = (table["seat"].as_str().unwrap(), &table["step"]);
    let film = format!("/games/{game}/film?seat={seat}&from=0&to={steps}");
    let film = ada.get(&film).json();
    let steps = film["steps"].as_array().unwrap().iter();
    let told: Vec<Value> = steps
        .flat_map(|step| {
            let events = step["events"].as_array().unwrap().iter().cloned();
            events.map(|mut event| {
                (event["step"], event["side"]) = (step["step"].clone(), step["side"].clone());
                event
            })
        })
        .collect();
    assert_eq!(&told, log, "the log and the replay tell different things");
}
