//! Lines as they come.

use super::{Home, Person};
use cupola_serve::Trust;
use serde_json::Value;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};

/// A request, after which nothing more is said.
fn last_words(person: &Person, head: &str) -> String {
    let mut line = TcpStream::connect(person.address).unwrap();
    let text = format!(
        "{head} HTTP/1.1\r\nhost: {}\r\ncookie: {}\r\nconnection: close\r\n\r\n",
        person.address, person.cookie
    );
    line.write_all(text.as_bytes()).unwrap();
    line.shutdown(Shutdown::Write).unwrap();
    let mut all = vec![];
    line.read_to_end(&mut all).unwrap();
    String::from_utf8_lossy(&all).into_owned()
}

/// One request in eight got no answer: whoever closed his end after it was taken to have left.
pub fn whoever_says_no_more_is_still_answered(home: &Home) {
    let ada = Person::enter(home.open(), "Ada");
    let game = ada.new_game(["me", "me"]);
    for path in [
        "/api/me",
        "/api/games",
        "/api/catalogue",
        &format!("/api/games/{game}"),
    ] {
        for _ in 0..20 {
            let answer = last_words(&ada, &format!("GET {path}"));
            assert!(answer.starts_with("HTTP/1.1 200"), "{path}: {answer:?}");
        }
    }
}

/// Asks who he is, with headers of a web server's.
fn who_am_i(person: &Person, headers: &[&str]) -> Value {
    person.send("GET", "/me", headers, "").json()["me"].clone()
}

pub fn a_web_server_that_knows_its_users_names_them(home: &Home) {
    let header = "x-remote-user: ada@club.example";
    let nobody = |address| Person {
        address,
        cookie: String::new(),
    };
    // A club that was not told to believes no header.
    let plain = nobody(home.open());
    assert_eq!(who_am_i(&plain, &[header]), Value::Null);
    let trusting = Home {
        name: home.name.clone(),
        place: home.place.clone(),
        trust: Some(Trust {
            header: "x-remote-user".parse().unwrap(),
            proxies: vec![],
        }),
        lab: None,
        _server: home._server.clone(),
    };
    let (address, keeper) = trusting.open_as_keeper();
    let web = nobody(address);
    let ada = who_am_i(&web, &[header]);
    assert_eq!(ada["name"], "ada@club.example");
    assert_eq!(ada["keeper"], false);
    // The same person every time, another one under another name, nobody without, and nobody under two.
    assert_eq!(who_am_i(&web, &[header])["id"], ada["id"]);
    let bob = "x-remote-user: bob";
    assert_ne!(who_am_i(&web, &[bob])["id"], ada["id"]);
    assert_eq!(who_am_i(&web, &[]), Value::Null);
    assert_eq!(who_am_i(&web, &[header, bob]), Value::Null);
    assert_eq!(who_am_i(&web, &["x-remote-user:  "]), Value::Null);
    // Nobody walks in by saying a name.
    let enter = web.send(
        "POST",
        "/enter",
        &["content-type: application/json"],
        "{\"name\":\"Eve\"}",
    );
    assert_eq!(enter.status, 401);
    // A link works as it did, and the header counts more.
    assert_eq!(who_am_i(&keeper, &[])["keeper"], true);
    assert_eq!(who_am_i(&keeper, &[header])["id"], ada["id"]);
    // Whoever is retired stays so, though the web server still sends him.
    let retire = format!("/people/{}/retire", ada["id"].as_str().unwrap());
    assert_eq!(keeper.post(&retire, &serde_json::json!({})).status, 200);
    assert_eq!(who_am_i(&web, &[header]), Value::Null);
    assert_eq!(who_am_i(&web, &[header]), Value::Null);
}

#[test]
fn a_header_is_believed_from_this_machine_and_from_those_that_are_listed() {
    let trust = Trust {
        header: "x-remote-user".parse().unwrap(),
        proxies: vec!["10.0.0.7".parse().unwrap()],
    };
    for (from, believed) in [
        ("127.0.0.1", true),
        ("::1", true),
        ("::ffff:127.0.0.1", true),
        ("10.0.0.7", true),
        ("::ffff:10.0.0.7", true),
        ("10.0.0.8", false),
        ("::ffff:10.0.0.8", false),
        ("2001:db8::1", false),
    ] {
        assert_eq!(trust.believes(from.parse().unwrap()), believed, "{from}");
    }
}
