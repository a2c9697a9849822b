//! Two programs on one database are one club: when one is killed, its games go on at the other.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[allow(dead_code, reason = "the queue's tests use more of it")]
mod server;

use serde_json::{Value, json};
use server::Server;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A program that serves the club; killed when it is dropped.
struct Program {
    child: Child,
    port: u16,
}

impl Program {
    fn start(url: &str) -> Program {
        let port = TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap()
            .port();
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
        let mut child = Command::new(env!("CARGO_BIN_EXE_cupola"))
            .args([
                "serve",
                "--address",
                &format!("127.0.0.1:{port}"),
                "--database",
                url,
            ])
            .env("CUPOLA_DATA", data)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let told = lines
            .map_while(Result::ok)
            .find(|line| line.contains("Stop with"));
        assert!(told.is_some(), "the club does not open");
        Program { child, port }
    }

    /// As a power cut would.
    fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    fn ask(&self, cookie: &str, path: &str, body: Option<&Value>) -> (String, Value) {
        let method = if body.is_some() { "POST" } else { "GET" };
        let body = body.map(Value::to_string).unwrap_or_default();
        let mut line = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        line.set_read_timeout(Some(Duration::from_secs(240)))
            .unwrap();
        let request = format!(
            "{method} /api{path} HTTP/1.1\r\nhost: 127.0.0.1:{}\r\ncookie: {cookie}\r\ncontent-type: application/json\r\n\
             content-length: {}\r\nconnection: close\r\n\r\n{body}",
            self.port,
            body.len()
        );
        line.write_all(request.as_bytes()).unwrap();
        let mut all = String::new();
        line.read_to_string(&mut all).unwrap();
        let (head, body) = all.split_once("\r\n\r\n").unwrap();
        (
            head.to_owned(),
            serde_json::from_str(body).unwrap_or(Value::Null),
        )
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn when_a_program_is_killed_its_games_go_on_at_the_other() {
    let server = Server::start();
    let (mut first, second) = (Program::start(&server.url()), Program::start(&server.url()));
    let (head, _) = first.ask("", "/enter", Some(&json!({"name": "Ada"})));
    let cookie = head.split("set-cookie: ").nth(1).unwrap();
    let cookie = cookie.split(';').next().unwrap().to_owned();
    let wish = json!({"ruleset": "corps20", "scenario": "july1", "seats": ["me", "steady"]});
    let (_, made) = first.ask(&cookie, "/games", Some(&wish));
    let game = format!("/games/{}", made["id"].as_str().unwrap());
    let mut acknowledged = 0;
    // Until it is the bot's turn, which is thinking when the power goes.
    let end = Instant::now() + Duration::from_secs(240);
    while Instant::now() < end {
        let (_, table) = first.ask(&cookie, &game, None);
        let options = &table["frame"]["decision"]["options"];
        let Some(option) = options.as_array().and_then(|all| all.last()) else {
            break;
        };
        let choice = json!({"ply": table["ply"], "seat": "cs", "option": option["id"]});
        let (head, done) = first.ask(&cookie, &format!("{game}/choose"), Some(&choice));
        assert!(head.contains(" 200 "), "{head} {done}");
        acknowledged = table["step"].as_u64().unwrap() + 1;
    }
    first.kill();
    let (_, table) = second.ask(&cookie, &game, None);
    assert!(
        table["step"].as_u64() >= Some(acknowledged),
        "{acknowledged} were acknowledged: {table}"
    );
    // The bot goes on there, until it is Ada's turn again.
    let end = Instant::now() + Duration::from_secs(240);
    loop {
        let (_, table) = second.ask(&cookie, &game, None);
        if table["frame"]["decision"]["mine"] == true && table["step"].as_u64() > Some(acknowledged)
        {
            return;
        }
        assert!(
            Instant::now() < end,
            "nobody goes on: {}",
            table["frame"]["decision"]
        );
        std::thread::sleep(Duration::from_millis(50));
    }
}
