//! The program as it serves a club, and people who speak plain HTTP with it.

use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A program that serves the club; killed when it is dropped.
pub struct Program {
    child: Child,
    pub port: u16,
}

impl Program {
    /// Starts it with some words more, in an environment with some variables more.
    pub fn start(words: &[&str], variables: &[(&str, &str)]) -> Program {
        let port = TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap()
            .port();
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
        let mut child = Command::new(env!("CARGO_BIN_EXE_cupola"))
            .args(["serve", "--address", &format!("127.0.0.1:{port}")])
            .args(words)
            .env("CUPOLA_DATA", data)
            .envs(variables.iter().copied())
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
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// The head of the answer, and what it says.
    pub fn ask(&self, cookie: &str, path: &str, body: Option<&Value>) -> (String, Value) {
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

/// Somebody of the club.
pub struct Member<'p> {
    program: &'p Program,
    pub cookie: String,
}

impl Program {
    /// Somebody comes in by name.
    pub fn enter(&self, name: &str) -> Member<'_> {
        let (head, _) = self.ask("", "/enter", Some(&serde_json::json!({ "name": name })));
        let cookie = head.split("set-cookie: ").nth(1).unwrap();
        Member {
            program: self,
            cookie: cookie.split(';').next().unwrap().to_owned(),
        }
    }
}

impl Member<'_> {
    pub fn get(&self, path: &str) -> Value {
        self.program.ask(&self.cookie, path, None).1
    }

    /// Asks for a change that is made.
    pub fn post(&self, path: &str, body: &Value) -> Value {
        let (head, said) = self.program.ask(&self.cookie, path, Some(body));
        assert!(head.contains(" 200 "), "{path}: {head} {said}");
        said
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
