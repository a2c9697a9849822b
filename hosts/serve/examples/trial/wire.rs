//! Plain HTTP and what comes over a web socket, as raw as it gets.

use serde_json::Value;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;

/// Nothing takes longer, whatever it is.
const LONGEST: Duration = Duration::from_secs(60);

/// An answer.
pub struct Answer {
    pub status: u16,
    pub body: Vec<u8>,
    pub cookie: String,
    /// Whether the line can be used again.
    pub open: bool,
}

/// What a request gets.
pub enum Heard {
    Answer(Answer),
    /// The line was closed without a word.
    Closed,
    /// Nothing came for a long time, or something that is no answer.
    Nothing,
}

/// A connection.
pub struct Line {
    stream: TcpStream,
    known: Vec<u8>,
}

impl Line {
    /// Connects from one of the machine's own addresses.
    pub async fn open(to: SocketAddr, from: Ipv4Addr) -> io::Result<Line> {
        let socket = TcpSocket::new_v4()?;
        socket.set_reuseaddr(true)?;
        socket.bind(SocketAddr::from((from, 0)))?;
        let stream = socket.connect(to).await?;
        stream.set_nodelay(true)?;
        let known = vec![];
        Ok(Line { stream, known })
    }

    pub async fn say(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.write_all(bytes).await
    }

    /// Says no more, and goes on listening.
    pub async fn fall_silent(&mut self) -> io::Result<()> {
        self.stream.shutdown().await
    }

    /// Hears more bytes; none at the end.
    async fn more(&mut self) -> io::Result<Option<()>> {
        let read = timeout(LONGEST, self.stream.read_buf(&mut self.known)).await??;
        Ok((read > 0).then_some(()))
    }

    async fn take(&mut self, count: usize) -> io::Result<Option<Vec<u8>>> {
        while self.known.len() < count {
            if self.more().await?.is_none() {
                return Ok(None);
            }
        }
        Ok(Some(self.known.drain(..count).collect()))
    }

    /// Hears up to and with an ending.
    async fn until(&mut self, end: &[u8]) -> io::Result<Option<Vec<u8>>> {
        let mut from = 0;
        loop {
            let found = self.known[from..]
                .windows(end.len())
                .position(|here| here == end);
            if let Some(at) = found {
                return self.take(from + at + end.len()).await;
            }
            from = self.known.len().saturating_sub(end.len());
            if self.more().await?.is_none() {
                return Ok(None);
            }
        }
    }

    /// Hears the answer to a request; one to HEAD has no body.
    pub async fn hear(&mut self, bare: bool) -> Heard {
        match self.answer(bare).await {
            Ok(Some(answer)) => Heard::Answer(answer),
            Ok(None) => Heard::Closed,
            Err(error) if error.kind() == io::ErrorKind::ConnectionReset => Heard::Closed,
            Err(_) => Heard::Nothing,
        }
    }

    async fn answer(&mut self, bare: bool) -> io::Result<Option<Answer>> {
        let strange = || io::Error::from(io::ErrorKind::InvalidData);
        loop {
            let Some(head) = self.until(b"\r\n\r\n").await? else {
                return if self.known.is_empty() {
                    Ok(None)
                } else {
                    Err(strange())
                };
            };
            let mut headers = [httparse::EMPTY_HEADER; 64];
            let mut parsed = httparse::Response::new(&mut headers);
            parsed.parse(&head).map_err(|_| strange())?;
            let header = |name: &str| {
                let found = parsed
                    .headers
                    .iter()
                    .find(|known| known.name.eq_ignore_ascii_case(name));
                found.map(|found| String::from_utf8_lossy(found.value).into_owned())
            };
            let status = parsed.code.ok_or_else(strange)?;
            if status == 100 {
                continue;
            }
            let cookie = header("set-cookie").unwrap_or_default();
            let closes =
                header("connection").is_some_and(|text| text.eq_ignore_ascii_case("close"));
            let size = header("content-length").and_then(|text| text.parse().ok());
            let chunked = header("transfer-encoding").is_some();
            let body = match size {
                _ if bare || status < 200 || status == 204 || status == 304 => Some(vec![]),
                Some(size) => self.take(size).await?,
                None if chunked => self.chunks().await?,
                None => Some(self.rest().await?),
            };
            return Ok(Some(Answer {
                status,
                body: body.ok_or_else(strange)?,
                cookie: cookie.split(';').next().unwrap_or_default().to_owned(),
                open: !closes
                    && status != 101
                    && parsed.version == Some(1)
                    && (size.is_some() || chunked),
            }));
        }
    }

    async fn chunks(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut body = vec![];
        loop {
            let Some(line) = self.until(b"\r\n").await? else {
                return Ok(None);
            };
            let text = String::from_utf8_lossy(&line);
            let Ok(size) = usize::from_str_radix(text.trim(), 16) else {
                return Ok(None);
            };
            let Some(chunk) = self.take(size + 2).await? else {
                return Ok(None);
            };
            body.extend(&chunk[..size]);
            if size == 0 {
                return Ok(Some(body));
            }
        }
    }

    async fn rest(&mut self) -> io::Result<Vec<u8>> {
        while self.more().await?.is_some() {}
        Ok(std::mem::take(&mut self.known))
    }

    /// The next message on a web socket; none when it is closed. Whoever stops waiting for it loses nothing.
    pub async fn message(&mut self) -> io::Result<Option<Vec<u8>>> {
        loop {
            if let Some((start, end)) = self.framed() {
                let text = self.known[0] & 15 == 1;
                let frame: Vec<u8> = self.known.drain(..end).collect();
                return Ok(text.then(|| frame[start..].to_vec()));
            }
            if self.more().await?.is_none() {
                return Ok(None);
            }
        }
    }

    /// Where the body of a frame begins and ends, if all of it is there.
    fn framed(&self) -> Option<(usize, usize)> {
        let long = match self.known.get(1)? & 127 {
            126 => 2..4,
            127 => 2..10,
            _ => 1..2,
        };
        let bytes = self.known.get(long.clone())?;
        let size = bytes
            .iter()
            .fold(0, |size, byte| size << 8 | usize::from(*byte));
        let end = long.end + size;
        (self.known.len() >= end).then_some((long.end, end))
    }
}

/// Somebody with a cookie, from an address of his own.
pub struct Person {
    to: SocketAddr,
    pub from: Ipv4Addr,
    pub cookie: String,
    line: Option<Line>,
}

/// An address of the machine itself for whoever is the nth.
pub fn address(n: usize) -> Ipv4Addr {
    let [_, a, b, c] = (n as u32 + 257).to_be_bytes();
    Ipv4Addr::new(127, a, b, c)
}

impl Person {
    /// Comes in by name.
    pub async fn enter(to: SocketAddr, n: usize) -> Person {
        let mut person = Person {
            to,
            from: address(n),
            cookie: String::new(),
            line: None,
        };
        let wish = serde_json::json!({"name": format!("Person {n}")});
        let entered = person.say("/enter", Some(&wish)).await.unwrap();
        assert_eq!(entered.status, 200);
        person.cookie = entered.cookie;
        person
    }

    /// The same person after the club was opened again.
    pub fn at(&mut self, to: SocketAddr) {
        self.to = to;
        self.line = None;
    }

    /// Asks for something, or wants something done. None if there is no answer.
    pub async fn ask(&mut self, path: &str, wish: Option<&Value>) -> Option<(u16, Value)> {
        let answer = self.say(path, wish).await?;
        Some((
            answer.status,
            serde_json::from_slice(&answer.body).unwrap_or(Value::Null),
        ))
    }

    async fn say(&mut self, path: &str, wish: Option<&Value>) -> Option<Answer> {
        let body = wish.map(Value::to_string).unwrap_or_default();
        let method = if wish.is_some() { "POST" } else { "GET" };
        let text = format!(
            "{method} /api{path} HTTP/1.1\r\nhost: {}\r\ncookie: {}\r\ncontent-type: application/json\r\n\
             content-length: {}\r\n\r\n{body}",
            self.to,
            self.cookie,
            body.len()
        );
        // A line on which nothing was said for a while may have been closed meanwhile.
        if let Some(old) = self.line.take()
            && let Some(answer) = self.over(old, &text).await
        {
            return Some(answer);
        }
        let fresh = Line::open(self.to, self.from).await.ok()?;
        self.over(fresh, &text).await
    }

    async fn over(&mut self, mut line: Line, text: &str) -> Option<Answer> {
        line.say(text.as_bytes()).await.ok()?;
        match line.hear(false).await {
            Heard::Answer(answer) => {
                self.line = Some(line).filter(|_| answer.open);
                Some(answer)
            }
            _ => None,
        }
    }

    /// Sets up a game of the shortest scenario.
    pub async fn new_game(&mut self, seats: [&str; 2]) -> String {
        self.new_game_of("july1", seats).await
    }

    /// Sets up a game of a scenario.
    pub async fn new_game_of(&mut self, scenario: &str, seats: [&str; 2]) -> String {
        self.new_game_in("corps20", scenario, seats).await
    }

    /// Sets up a game of a ruleset.
    pub async fn new_game_in(&mut self, ruleset: &str, scenario: &str, seats: [&str; 2]) -> String {
        let wish = serde_json::json!({"ruleset": ruleset, "scenario": scenario, "seats": seats, "watched": true});
        let (status, game) = self.ask("/games", Some(&wish)).await.expect("a game");
        assert_eq!(status, 200, "{game}");
        game["id"].as_str().unwrap().to_owned()
    }

    /// Opens a line on which steps come as they happen.
    pub async fn listen(&self, game: &str) -> Line {
        let mut line = Line::open(self.to, self.from).await.unwrap();
        let head = format!(
            "GET /api/games/{game}/live?seat=observer&ply=0 HTTP/1.1\r\nhost: {}\r\ncookie: {}\r\nconnection: upgrade\r\n\
             upgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
            self.to, self.cookie
        );
        line.say(head.as_bytes()).await.unwrap();
        match line.hear(false).await {
            Heard::Answer(answer) => assert_eq!(answer.status, 101),
            _ => panic!("no line"),
        }
        line
    }
}
