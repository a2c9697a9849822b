//! A club on a port of its own, and somebody who speaks plain HTTP with it.

use crate::server::Server;
use cupola_corps20 as _;
use cupola_database::Database;
use cupola_kernel::Registry;
use cupola_library::Library;
use cupola_serve::{Club, Place, Serving, Settings, Trust};
use serde_json::Value;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak, mpsc};
use std::time::Duration;

pub mod cases;
mod dice;
mod follow;
mod many;
mod people;
mod sleep;
mod wire;

/// A folder of a test's own, empty.
pub fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// The data of the house.
pub fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data")
}

/// Where a club is kept: opened several times, it is the same club.
pub struct Home {
    pub name: String,
    pub place: Place,
    /// The web server before it that knows its users.
    pub trust: Option<Trust>,
    /// The lab's folder and program, if it has one.
    pub lab: Option<(PathBuf, PathBuf)>,
    /// Stops when the last test that uses it is over.
    pub _server: Option<Arc<Server>>,
}

impl Home {
    /// In a file of its own.
    pub fn file(name: &str) -> Home {
        Home {
            name: name.to_owned(),
            place: Place::File(folder(name).join("club.db")),
            trust: None,
            lab: None,
            _server: None,
        }
    }

    /// In a database of its own.
    pub fn database(name: &str) -> Home {
        static SERVER: Mutex<Weak<Server>> = Mutex::new(Weak::new());
        let mut known = SERVER.lock().unwrap_or_else(PoisonError::into_inner);
        let server = known.upgrade().unwrap_or_else(|| Arc::new(Server::start()));
        *known = Arc::downgrade(&server);
        drop(known);
        // The server's names have 63 letters at most.
        let short: String = name.chars().take(60).collect();
        server.execute(&format!("create database {short}"));
        let database = Database::at(&server.url()).unwrap().named(&short);
        Home {
            name: short,
            place: Place::Database(Box::new(database)),
            trust: None,
            lab: None,
            _server: Some(server),
        }
    }

    /// What it is called, by the test and the store.
    pub fn name(&self) -> String {
        let kind = if self.is_file() { "file" } else { "database" };
        format!("{}_{kind}", self.name.chars().take(40).collect::<String>())
    }

    pub fn is_file(&self) -> bool {
        matches!(self.place, Place::File(_))
    }

    /// Opens a program on it and comes back with its address; it is served until the test's process ends.
    pub fn open(&self) -> SocketAddr {
        self.open_with(&data())
    }

    /// Opens a program on it in which no bot thinks.
    pub fn open_deaf(&self) -> SocketAddr {
        self.start(&data(), 0)
    }

    /// Opens it on a data folder.
    pub fn open_with(&self, data: &Path) -> SocketAddr {
        self.start(data, 1)
    }

    /// Opens a program on it and comes back with its address and the keeper.
    pub fn open_as_keeper(&self) -> (SocketAddr, Person) {
        let serving = self.serve(&data(), 1);
        let secret = serving.keeper.split("#enter=").nth(1).unwrap().to_owned();
        let wish = serde_json::json!({ "secret": secret });
        (serving.address, Person::enter_with(serving.address, &wish))
    }

    /// Opens a program on it whose club is at hand.
    pub fn open_club(&self) -> (Arc<Club>, SocketAddr) {
        let (club, serving) = self.run(&data(), 1, |_| ());
        (club, serving.address)
    }

    fn start(&self, data: &Path, bots: usize) -> SocketAddr {
        self.serve(data, bots).address
    }

    fn serve(&self, data: &Path, bots: usize) -> Serving {
        self.run(data, bots, |_| ()).1
    }

    /// Opens a program on it; something may be done with its club before it is served.
    fn run(
        &self,
        data: &Path,
        bots: usize,
        first: impl FnOnce(&Arc<Club>),
    ) -> (Arc<Club>, Serving) {
        let library = Library::new(data.to_owned(), None, Registry::linked().unwrap());
        let settings = Settings {
            address: SocketAddr::from(([127, 0, 0, 1], 0)),
            place: self.place.clone(),
            public: None,
            trust: self.trust.clone(),
            remind: None,
            cache: None,
            lab: self.lab.clone(),
            bots,
        };
        let club = Club::open(library, settings).unwrap();
        first(&club);
        let (told, ready) = mpsc::channel();
        let kept = club.clone();
        std::thread::spawn(move || {
            cupola_serve::run(&club, |serving| told.send(serving.clone()).unwrap()).unwrap();
        });
        let serving = ready.recv_timeout(Duration::from_secs(240)).unwrap();
        (kept, serving)
    }
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
    line.set_read_timeout(Some(Duration::from_secs(240)))
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

/// A line on which steps come as they happen.
pub struct Line {
    socket: TcpStream,
}

impl Line {
    fn bytes(&mut self, count: usize) -> Option<Vec<u8>> {
        let mut bytes = vec![0; count];
        self.socket.read_exact(&mut bytes).ok()?;
        Some(bytes)
    }

    /// The next message; none when the line is closed.
    pub fn next(&mut self) -> Option<Value> {
        let head = self.bytes(2)?;
        let size = match head[1] & 127 {
            126 => usize::from(u16::from_be_bytes(self.bytes(2)?.try_into().unwrap())),
            127 => u64::from_be_bytes(self.bytes(8)?.try_into().unwrap()) as usize,
            small => usize::from(small),
        };
        let body = self.bytes(size)?;
        match head[0] & 15 {
            1 => serde_json::from_slice(&body).ok(),
            _ => None,
        }
    }
}

/// Somebody with a cookie.
pub struct Person {
    pub address: SocketAddr,
    pub cookie: String,
}

impl Person {
    /// Comes in by name.
    pub fn enter(address: SocketAddr, name: &str) -> Person {
        Person::enter_with(address, &serde_json::json!({ "name": name }))
    }

    fn enter_with(address: SocketAddr, wish: &Value) -> Person {
        let mut person = Person {
            address,
            cookie: String::new(),
        };
        let answer = person.post("/enter", wish);
        assert_eq!(answer.status, 200, "{}", answer.json());
        let cookie = answer.head.split("set-cookie: ").nth(1).unwrap();
        person.cookie = cookie.split(';').next().unwrap().to_owned();
        person
    }

    /// The same person at another program of the same club.
    pub fn at(&self, address: SocketAddr) -> Person {
        Person {
            address,
            cookie: self.cookie.clone(),
        }
    }

    /// His name for the club.
    pub fn id(&self) -> String {
        self.get("/me").json()["me"]["id"]
            .as_str()
            .unwrap()
            .to_owned()
    }

    /// Opens a line on which steps come as they happen.
    pub fn listen(&self, game: &str, seat: &str, ply: u64) -> Line {
        let (status, line) = self.try_listen(game, seat, ply);
        assert_eq!(status, 101);
        line
    }

    /// Asks for such a line: what the club answers.
    pub fn try_listen(&self, game: &str, seat: &str, ply: u64) -> (u16, Line) {
        let mut socket = TcpStream::connect(self.address).unwrap();
        socket
            .set_read_timeout(Some(Duration::from_secs(240)))
            .unwrap();
        let head = format!(
            "GET /api/games/{game}/live?seat={seat}&ply={ply} HTTP/1.1\r\nhost: {}\r\ncookie: {}\r\nconnection: upgrade\r\n\
             upgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
            self.address, self.cookie
        );
        socket.write_all(head.as_bytes()).unwrap();
        let mut line = Line { socket };
        let mut head = vec![];
        while !head.ends_with(b"\r\n\r\n") {
            head.extend(line.bytes(1).expect("an answer"));
        }
        let head = String::from_utf8_lossy(&head).into_owned();
        let status = head.split(' ').nth(1).and_then(|code| code.parse().ok());
        (status.unwrap_or_default(), line)
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

    /// A page that people see.
    pub fn plain(&self, path: &str) -> Answer {
        let text = format!(
            "GET {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\ncookie: {}\r\n\r\n",
            self.address, self.cookie
        );
        raw(self.address, text.as_bytes()).expect("an answer")
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
