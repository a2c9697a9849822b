//! Tables at which people roll their own dice.

use super::{Answer, Home, Person};
use serde_json::{Value, json};

/// The first option with these dice.
fn choose(person: &Person, game: &str, dice: &[u16]) -> Answer {
    let table = person.table(game);
    let option = &table["frame"]["decision"]["options"][0]["id"];
    let body = json!({"ply": table["ply"], "seat": table["seat"], "option": option, "dice": dice});
    person.post(&format!("/games/{game}/choose"), &body)
}

/// Chooses until a die is wanted, and comes back with it.
fn until_a_die_is_wanted(person: &Person, game: &str) -> Value {
    for _ in 0..150 {
        let answer = choose(person, game, &[]);
        match answer.status {
            200 => {}
            422 => return answer.json()["die"].clone(),
            429 => std::thread::sleep(std::time::Duration::from_secs(1)),
            other => panic!("{other}: {}", answer.json()),
        }
    }
    panic!("no die is ever rolled");
}

pub fn dice_of_a_real_table_are_asked_for_one_by_one_and_kept(home: &Home) {
    let ada = Person::enter(home.open(), "Ada");
    let wish = json!({"ruleset": "corps20", "scenario": "july1", "seats": ["me", "me"], "watched": true, "typed": true});
    let game = ada.post("/games", &wish).json()["id"]
        .as_str()
        .unwrap()
        .to_owned();
    assert_eq!(ada.table(&game)["table"]["typed"], true);
    let die = until_a_die_is_wanted(&ada, &game);
    let sides = die["sides"].as_u64().unwrap() as u16;
    assert!(die["purpose"].is_string(), "{die}");
    let before = ada.table(&game);
    // What did not fall so changes nothing: a seven, a zero, more dice than are rolled.
    assert_eq!(choose(&ada, &game, &[sides + 1]).status, 400);
    assert_eq!(choose(&ada, &game, &[0]).status, 400);
    assert_eq!(choose(&ada, &game, &[1; 60]).status, 400);
    assert_eq!(ada.table(&game)["frame"], before["frame"]);
    assert_eq!(ada.table(&game)["step"], before["step"]);
    // One die after another, until all have fallen.
    let mut dice = vec![];
    loop {
        dice.push(1 + dice.len() as u16 % sides);
        let answer = choose(&ada, &game, &dice);
        match answer.status {
            200 => break,
            _ => assert_eq!(answer.json()["kind"], "dice", "{}", answer.json()),
        }
    }
    let after = ada.table(&game);
    assert_eq!(after["step"], before["step"].as_u64().unwrap() + 1);
    let log = after["log"].as_array().unwrap();
    let told = log.iter().filter(|event| event["step"] == after["step"]);
    let told = told.flat_map(|event| event["dice"].as_array().cloned().unwrap_or_default());
    let told: Vec<u64> = told.map(|die| die["value"].as_u64().unwrap()).collect();
    let fell: Vec<u64> = dice.iter().copied().map(u64::from).collect();
    assert!(
        told.iter().all(|die| fell.contains(die)),
        "{told:?} of {fell:?}"
    );
    // They are in the store, and every look back has them.
    let again = ada.at(home.open());
    let stored = again.table(&game);
    assert_eq!(stored["frame"], after["frame"]);
    assert_eq!(stored["log"], after["log"]);
    let film = again.get(&format!("/games/{game}/film?seat=observer&from=0&to=999"));
    assert_eq!(film.status, 200, "{}", film.json());
    // The other program goes on from there, with dice.
    until_a_die_is_wanted(&again, &game);
    // At other tables nobody types.
    let plain = ada.new_game(["me", "me"]);
    assert_eq!(choose(&ada, &plain, &[3]).status, 400);
    assert_eq!(choose(&ada, &plain, &[]).status, 200);
}
