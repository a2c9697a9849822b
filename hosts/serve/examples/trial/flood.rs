//! Requests that are none, by the million: every one that has an end is answered, nothing panics, nothing grows.

use crate::Chance;
use crate::club::Running;
use crate::wire::{Heard, Line, Person, address};
use serde_json::json;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Lines that are open at once.
const LINES: usize = 48;
/// People who misbehave; one alone would only hear that he is too hasty.
const PEOPLE: usize = 150;
/// Lines on which nothing more is said in the middle of a request.
const STALLED: usize = 20;

/// How far a request is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Shape {
    /// Its head can be read and its body is all there: it must be answered.
    Whole,
    /// Its head can be read, its body ends too early or is no body.
    Short,
    /// It has an end, and its head cannot be read.
    Garbled,
    /// It ends in the middle of its head.
    Cut,
}

/// A request, and whether anything was said behind its end.
struct Request {
    bytes: Vec<u8>,
    shape: Shape,
    exact: bool,
    bare: bool,
}

/// What is used to make them.
struct Wrongs {
    host: String,
    game: String,
    cookies: Vec<String>,
}

const METHODS: [&str; 9] = [
    "GET", "GET", "POST", "POST", "POST", "PUT", "DELETE", "HEAD", "BREW",
];
const KINDS: [&str; 4] = ["application/json", "application/json", "text/plain", ""];
const MORE: [&str; 9] = [
    "",
    "",
    "",
    "origin: https://evil.example\r\n",
    "upgrade: websocket\r\nconnection: upgrade\r\n",
    "upgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: 13\r\nsec-websocket-key: x\r\n",
    "sec-fetch-site: cross-site\r\n",
    "connection: close\r\n",
    "accept-encoding: gzip\r\nrange: bytes=5-1\r\nif-none-match: *\r\n",
];

impl Wrongs {
    fn path(&self, chance: &mut Chance) -> String {
        let game = &self.game;
        match chance.below(20) {
            0 => "/".into(),
            1 => "/api/me".into(),
            2 => "/api/games".into(),
            3 => format!("/api/games/{game}"),
            4 => format!("/api/games/{game}/choose"),
            5 => format!("/api/games/{game}/film?seat=cs&from=9&to=1"),
            6 => format!(
                "/api/games/{game}/film?seat=union&from=18446744073709551615&to=18446744073709551615"
            ),
            7 => format!("/api/games/{game}/undo"),
            8 => format!("/api/games/{game}/notes"),
            9 => format!("/api/games/{game}/appoint"),
            10 => format!("/api/games/{game}/share"),
            11 => format!("/api/games/{game}/live?seat=cs&ply=0"),
            12 => format!("/api/games/{game}/hex/%ff%00"),
            13 => "/api/journals".into(),
            14 => "/map/x/1-2-3.png".into(),
            15 => "/book/../../etc/passwd".into(),
            16 => "/api/people/x/retire".into(),
            17 => format!("/{}", "x".repeat(chance.below(6000))),
            18 => "http://evil.example/api/me".into(),
            _ => format!("/api/games/{}/odds", "%2e".repeat(chance.below(40))),
        }
    }

    fn body(chance: &mut Chance) -> Vec<u8> {
        let text = match chance.below(10) {
            0 => String::new(),
            1 => "{".into(),
            2 => "[".repeat(chance.below(4000)),
            3 => "{\"ply\":-1}".into(),
            4 => "{\"ply\":99999999999999999999,\"seat\":\"cs\"}".into(),
            5 => format!(
                "{{\"ply\":0,\"seat\":\"cs\",\"option\":\"{}\"}}",
                "x".repeat(chance.below(300))
            ),
            6 => "{\"seat\":\"\\u0000\",\"to\":18446744073709551615,\"ply\":0}".into(),
            7 => "cupola journal 2\nruleset ../..\n".into(),
            8 => "x".repeat(chance.below(200_000)),
            _ => {
                return (0..chance.below(60))
                    .map(|_| chance.below(256) as u8)
                    .collect();
            }
        };
        text.into_bytes()
    }

    fn make(&self, chance: &mut Chance) -> Request {
        let (method, body) = (chance.pick(&METHODS), Wrongs::body(chance));
        let version = chance.pick(&["1.1", "1.1", "1.1", "1.1", "1.1", "1.0"]);
        let cookie = match chance.below(6) {
            0 => "=;;=\u{e9}".into(),
            1 => "cupola=zz".into(),
            _ => self.cookies[chance.below(self.cookies.len())].clone(),
        };
        let host = if chance.below(12) == 0 {
            "evil.example"
        } else {
            &self.host
        };
        let (path, kind, more) = (self.path(chance), chance.pick(&KINDS), chance.pick(&MORE));
        let head = format!(
            "{method} {path} HTTP/{version}\r\nhost: {host}\r\ncookie: {cookie}\r\ncontent-type: {kind}\r\n{more}"
        );
        let mut bytes = head.into_bytes();
        match chance.below(8) {
            0 if version == "1.1" => {
                bytes.extend(b"transfer-encoding: chunked\r\n\r\n");
                if !body.is_empty() {
                    bytes.extend(format!("{:x}\r\n", body.len()).bytes());
                    bytes.extend(&body);
                    bytes.extend(b"\r\n");
                }
                bytes.extend(b"0\r\n\r\n");
            }
            1 => {
                let size = chance.pick(&["-1", "x", "18446744073709551616", "5, 5", "0"]);
                bytes.extend(format!("content-length: {size}\r\n\r\n").bytes());
                bytes.extend(&body);
            }
            _ => {
                bytes.extend(format!("content-length: {}\r\n\r\n", body.len()).bytes());
                bytes.extend(&body);
            }
        }
        spoil(&mut bytes, chance);
        let (shape, size) = judge(&bytes);
        let exact = shape == Shape::Whole && size == bytes.len();
        let bare = bytes.starts_with(b"HEAD ");
        Request {
            bytes,
            shape,
            exact,
            bare,
        }
    }
}

/// In three of ten something happens to it on the way.
fn spoil(bytes: &mut Vec<u8>, chance: &mut Chance) {
    let near = bytes.len().min(400);
    match chance.below(10) {
        0 | 1 => {
            for _ in 0..=chance.below(3) {
                let at = chance.below(near);
                bytes[at] = chance.below(256) as u8;
            }
        }
        2 => bytes.truncate(chance.below(bytes.len())),
        _ => {}
    }
}

/// How far something is a request, by another reader than the club's; and where it ends if it is one.
fn judge(bytes: &[u8]) -> (Shape, usize) {
    let mut headers = [httparse::EMPTY_HEADER; 100];
    let mut request = httparse::Request::new(&mut headers);
    let head = match request.parse(bytes) {
        Ok(httparse::Status::Complete(size)) => size,
        Ok(httparse::Status::Partial) => return (Shape::Cut, 0),
        Err(_) => {
            let ends = bytes.windows(4).any(|four| four == b"\r\n\r\n");
            return (if ends { Shape::Garbled } else { Shape::Cut }, 0);
        }
    };
    let values = |name: &'static str| {
        let fits = move |header: &&httparse::Header<'_>| header.name.eq_ignore_ascii_case(name);
        request
            .headers
            .iter()
            .filter(fits)
            .map(|header| header.value)
    };
    let body = &bytes[head..];
    if values("transfer-encoding").next().is_some() {
        return match httparse_chunks(body) {
            Some(size) => (Shape::Whole, head + size),
            None => (Shape::Short, 0),
        };
    }
    let mut size = 0;
    for value in values("content-length") {
        match std::str::from_utf8(value)
            .ok()
            .and_then(|text| text.parse().ok())
        {
            Some(said) => size = said,
            None => return (Shape::Short, 0),
        }
    }
    match body.len() >= size {
        true => (Shape::Whole, head + size),
        false => (Shape::Short, 0),
    }
}

/// How long a body in chunks is, if it is one.
fn httparse_chunks(mut body: &[u8]) -> Option<usize> {
    let all = body.len();
    loop {
        let Ok(httparse::Status::Complete((start, size))) = httparse::parse_chunk_size(body) else {
            return None;
        };
        let end = start
            .checked_add(usize::try_from(size).ok()?)?
            .checked_add(2)?;
        if body.get(end - 2..end)? != b"\r\n" {
            return None;
        }
        body = &body[end..];
        if size == 0 {
            return Some(all - body.len());
        }
    }
}

/// What happened, and to how many.
type Tally = BTreeMap<(Shape, String), usize>;

struct Flood {
    to: SocketAddr,
    wrongs: Wrongs,
    left: Cell<usize>,
    tally: RefCell<Tally>,
    again: Cell<usize>,
}

impl Flood {
    /// One line after another, each for as long as it stays open.
    async fn pour(&self, seed: usize) {
        let mut chance = Chance::new(seed as u64 + 1);
        let mut line = None;
        while self.left.get() > 0 {
            self.left.set(self.left.get() - 1);
            let request = self.wrongs.make(&mut chance);
            let from = address(1000 + chance.below(4000));
            let known = line.take();
            let old = known.is_some();
            let mut heard = self.one(known, from, &request).await;
            if old && matches!(heard.0, Heard::Closed) {
                // It was closed after the answer before this one, as lines may be.
                self.again.set(self.again.get() + 1);
                heard = self.one(None, from, &request).await;
            }
            let told = match &heard.0 {
                Heard::Answer(answer) => answer.status.to_string(),
                Heard::Closed => "closed".to_owned(),
                Heard::Nothing => "nothing".to_owned(),
            };
            if request.shape == Shape::Whole && !matches!(heard.0, Heard::Answer(_)) {
                println!(
                    "no answer to {:?}",
                    String::from_utf8_lossy(&request.bytes[..request.bytes.len().min(600)])
                );
            }
            *self
                .tally
                .borrow_mut()
                .entry((request.shape, told))
                .or_default() += 1;
            if let (Heard::Answer(answer), Some(open)) = heard
                && answer.open
                && request.exact
            {
                line = Some(open);
            }
        }
    }

    async fn one(
        &self,
        line: Option<Line>,
        from: std::net::Ipv4Addr,
        request: &Request,
    ) -> (Heard, Option<Line>) {
        let mut line = match line {
            Some(line) => line,
            None => Line::open(self.to, from).await.expect("a line"),
        };
        // It may be answered and closed before all of it is said.
        let _ = line.say(&request.bytes).await;
        if !request.exact {
            let _ = line.fall_silent().await;
        }
        let heard = line.hear(request.bare).await;
        (heard, Some(line))
    }
}

/// Lines on which somebody stops in the middle and stays: after how many seconds the club ends it, at the latest.
async fn stall(to: SocketAddr) -> u64 {
    let start = Instant::now();
    let mut lines = vec![];
    for n in 0..STALLED {
        let mut line = Line::open(to, address(n)).await.unwrap();
        let text = match n % 2 {
            0 => "GET /api/me HT".to_owned(),
            _ => format!(
                "POST /api/enter HTTP/1.1\r\nhost: {to}\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{{"
            ),
        };
        line.say(text.as_bytes()).await.unwrap();
        lines.push(line);
    }
    for mut line in lines {
        assert!(
            !matches!(line.hear(false).await, Heard::Nothing),
            "a line that says no more is kept"
        );
    }
    start.elapsed().as_secs()
}

/// Whether a game can still be played.
async fn plays(host: &mut Person, game: &str) -> bool {
    let path = format!("/games/{game}");
    let mut chosen = 0;
    for _ in 0..600 {
        let Some((200, table)) = host.ask(&path, None).await else {
            return false;
        };
        let option = &table["frame"]["decision"]["options"][0]["id"];
        if option.is_string() {
            let wish = json!({"ply": table["ply"], "seat": table["seat"], "option": option});
            let done = host.ask(&format!("{path}/choose"), Some(&wish)).await;
            chosen += usize::from(done.is_some_and(|(status, _)| status == 200));
        }
        if chosen == 20 {
            return true;
        }
        tokio::time::sleep(Duration::from_millis(30)).await;
    }
    false
}

/// So many requests over many lines at once.
async fn part(flood: &Rc<Flood>, requests: usize, seed: usize) {
    flood.left.set(requests);
    let lines = (0..LINES).map(|line| {
        let flood = flood.clone();
        tokio::task::spawn_local(async move { flood.pour(seed * LINES + line).await })
    });
    for line in lines.collect::<Vec<_>>() {
        line.await.unwrap();
    }
}

/// Sends so many requests; true if all went well.
pub async fn flood(requests: usize) -> bool {
    tokio::task::LocalSet::new().run_until(run(requests)).await
}

async fn run(requests: usize) -> bool {
    let club = Running::open(None);
    let to = club.address;
    let mut host = Person::enter(to, 0).await;
    let game = host.new_game(["me", "steady"]).await;
    let mut cookies = vec![];
    for n in 0..PEOPLE {
        cookies.push(Person::enter(to, n).await.cookie);
    }
    let flood = Rc::new(Flood {
        to,
        wrongs: Wrongs {
            host: to.to_string(),
            game: game.clone(),
            cookies,
        },
        left: Cell::new(0),
        tally: RefCell::default(),
        again: Cell::new(0),
    });
    let mut memory = vec![club.memory()];
    // In ten parts, to see whether memory grows from one to the next.
    for tenth in 0..10 {
        part(&flood, requests / 10, tenth).await;
        memory.push(club.memory());
    }
    let stalled = stall(to).await;
    let tally = flood.tally.borrow().clone();
    for ((shape, told), count) in &tally {
        println!("{shape:?}: {count} × {told}");
    }
    let count = |fits: fn(Shape, &str) -> bool| {
        let fitting = tally.iter().filter(|((shape, told), _)| fits(*shape, told));
        fitting.map(|(_, count)| count).sum::<usize>()
    };
    let unanswered = count(|shape, told| shape == Shape::Whole && told.parse::<u16>().is_err());
    let broken = count(|_, told| told == "500");
    let (plays, panics) = (plays(&mut host, &game).await, club.panics());
    println!(
        "{requests} malformed requests, {} lines opened again: {unanswered} whole ones without an answer, {broken} × 500, {panics} panics",
        flood.again.get()
    );
    println!(
        "stalled lines ended after {stalled} s; kB before and after each tenth: {memory:?}; {:.0} s of the processors; the game goes on: {plays}",
        club.work()
    );
    unanswered == 0 && broken == 0 && panics == 0 && plays
}
