//! A club on a port of its own, and somebody who speaks plain HTTP with it.

use cupola_corps20 as _;
use cupola_kernel::Registry;
use cupola_library::Library;
use cupola_serve::{Club, Settings};
use serde_json::Value;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::Duration;

/// A folder of a test's own, empty.
pub fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Opens a club on a file and comes back with its address; it is served until the test's process ends.
pub fn open(file: &Path) -> SocketAddr {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
    let library = Library::new(root, None, Registry::linked().unwrap());
    let settings = Settings {
        address: SocketAddr::from(([127, 0, 0, 1], 0)),
        file: file.to_owned(),
        public: None,
        cache: None,
        bots: 1,
    };
    let club = Club::open(library, settings).unwrap();
    let (told, ready) = mpsc::channel();
    std::thread::spawn(move || {
        cupola_serve::run(&club, |serving| told.send(serving.address).unwrap()).unwrap();
    });
    ready.recv_timeout(Duration::from_secs(60)).unwrap()
}

/// An answer.
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or(Value::Null)
    }
}

/// Sends bytes and reads what comes until the line is closed.
pub fn raw(address: SocketAddr, bytes: &[u8]) -> Option<Answer> {
    let mut line = TcpStream::connect(address).unwrap();
    line.set_read_timeout(Some(Duration::from_secs(20)))
        .unwrap();
    line.write_all(bytes).ok()?;
    let mut all = vec![];
    line.read_to_end(&mut all).ok()?;
    let split = all.windows(4).position(|four| four == b"\r\n\r\n")?;
    let head = String::from_utf8_lossy(&all[..split]).into_owned();
    let status = head.split(' ').nth(1)?.parse().ok()?;
    Some(Answer {
        status,
        head,
        body: all[split + 4..].to_vec(),
    })
}

/// Somebody with a cookie.
pub struct Person {
    pub address: SocketAddr,
    pub cookie: String,
}

impl Person {
    /// Comes in by name.
    pub fn enter(address: SocketAddr, name: &str) -> Person {
        let mut person = Person {
            address,
            cookie: String::new(),
        };
        let answer = person.post("/enter", &serde_json::json!({ "name": name }));
        assert_eq!(answer.status, 200, "{}", answer.json());
        let cookie = answer.head.split("set-cookie: ").nth(1).unwrap();
        person.cookie = cookie.split(';').next().unwrap().to_owned();
        person
    }

    pub fn get(&self, path: &str) -> Answer {
        self.send("GET", path, &[], "")
    }

    pub fn post(&self, path: &str, body: &Value) -> Answer {
        self.send(
            "POST",
            path,
            &["content-type: application/json"],
            &body.to_string(),
        )
    }

    pub fn send(&self, method: &str, path: &str, headers: &[&str], body: &str) -> Answer {
        let mut text = format!(
            "{method} /api{path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\ncontent-length: {}\r\n",
            self.address,
            body.len()
        );
        if !self.cookie.is_empty() {
            text.push_str(&format!("cookie: {}\r\n", self.cookie));
        }
        for header in headers {
            text.push_str(&format!("{header}\r\n"));
        }
        text.push_str(&format!("\r\n{body}"));
        raw(self.address, text.as_bytes()).expect("an answer")
    }

    /// A game of the shortest scenario against a bot; its id.
    pub fn new_game(&self, seats: [&str; 2]) -> String {
        let answer = self.post(
            "/games",
            &serde_json::json!({"ruleset": "corps20", "scenario": "july1", "seats": seats, "watched": true}),
        );
        assert_eq!(answer.status, 200, "{}", answer.json());
        answer.json()["id"].as_str().unwrap().to_owned()
    }

    /// The table as a seat sees it.
    pub fn table(&self, game: &str) -> Value {
        self.get(&format!("/games/{game}")).json()
    }

    /// Chooses the first option of the open decision; true if there was one.
    pub fn choose(&self, game: &str) -> bool {
        let table = self.table(game);
        let Some(option) = table["frame"]["decision"]["options"][0]["id"].as_str() else {
            return false;
        };
        let body =
            serde_json::json!({"ply": table["ply"], "seat": table["seat"], "option": option});
        self.post(&format!("/games/{game}/choose"), &body).status == 200
    }
}
