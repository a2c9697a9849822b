//! Turn notices from a choice to whoever is told: over a webhook that speaks TLS, and as a letter over SMTP.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[allow(dead_code, reason = "other tests use more of it")]
mod program;

use program::{Member, Program};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// What came: where to, and what it says.
type Came = Arc<Mutex<Vec<(String, String)>>>;

/// A folder of a test's own, empty.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Somebody who takes what is posted to him, at a port of his own. `/hang` is never answered, `/refuse` is refused.
fn chat(folder: &Path, came: &Came) -> u16 {
    let file = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let made = Command::new("openssl")
        .args("req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost".split(' '))
        .args(["-addext", "subjectAltName=DNS:localhost"])
        .args(["-keyout", &file("key.pem"), "-out", &file("cert.pem")])
        .stderr(Stdio::null())
        .status();
    assert!(made.unwrap().success(), "no certificate");
    let cert = CertificateDer::from_pem_file(file("cert.pem")).unwrap();
    let key = PrivateKeyDer::from_pem_file(file("key.pem")).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![cert], key)
        .unwrap();
    let config = Arc::new(config);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let came = came.clone();
    std::thread::spawn(move || {
        for line in listener.incoming().map_while(Result::ok) {
            let (config, came) = (config.clone(), came.clone());
            std::thread::spawn(move || posted(line, config, &came));
        }
    });
    port
}

fn posted(line: TcpStream, config: Arc<ServerConfig>, came: &Came) -> Option<()> {
    let mut line = BufReader::new(StreamOwned::new(ServerConnection::new(config).ok()?, line));
    let (mut path, mut size) = (String::new(), 0);
    loop {
        let mut head = String::new();
        line.read_line(&mut head).ok()?;
        if let Some(rest) = head.strip_prefix("POST ") {
            path = rest.split(' ').next()?.to_owned();
        }
        let lower = head.to_lowercase();
        if let Some(length) = lower.strip_prefix("content-length: ") {
            size = length.trim().parse().ok()?;
        }
        if head.trim().is_empty() {
            break;
        }
    }
    let mut body = vec![0; size];
    line.read_exact(&mut body).ok()?;
    let body = String::from_utf8(body).ok()?;
    came.lock().unwrap().push((path.clone(), body));
    if path == "/hang" {
        std::thread::sleep(Duration::from_secs(600));
    }
    let status = if path == "/refuse" {
        "500 No"
    } else {
        "200 OK"
    };
    let answer = format!("HTTP/1.1 {status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    line.get_mut().write_all(answer.as_bytes()).ok()
}

/// A house that takes letters, at a port of its own.
fn post_office(came: &Came) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let came = came.clone();
    std::thread::spawn(move || {
        for line in listener.incoming().map_while(Result::ok) {
            let came = came.clone();
            std::thread::spawn(move || letter(line, &came));
        }
    });
    port
}

fn letter(line: TcpStream, came: &Came) -> Option<()> {
    let mut said = line.try_clone().ok()?;
    let mut say = |text: &str| said.write_all(format!("{text}\r\n").as_bytes()).ok();
    say("220 here")?;
    let (mut to, mut text, mut within) = (String::new(), String::new(), false);
    for heard in BufReader::new(line).lines().map_while(Result::ok) {
        if within && heard == "." {
            came.lock().unwrap().push((to.clone(), text.clone()));
            within = false;
            say("250 taken")?;
        } else if within {
            text += &format!("{heard}\n");
        } else if let Some(whom) = heard.strip_prefix("RCPT TO:") {
            to = whom.trim_matches(['<', '>']).to_owned();
            say("250 known")?;
        } else if heard == "DATA" {
            within = true;
            say("354 go on")?;
        } else if heard == "QUIT" {
            say("221 done")?;
            return Some(());
        } else {
            say("250 well")?;
        }
    }
    None
}

/// The club's machine: its `sendmail` hands letters to the post office, and never ends for somebody who hangs.
fn machine(name: &str, letters: &Came, posts: &Came) -> (Program, u16) {
    let folder = folder(name);
    let (chat, office) = (chat(&folder, posts), post_office(letters));
    let sendmail = folder.join("sendmail");
    let script = format!(
        "#!/bin/sh\nletter=$(cat)\nto=$(printf '%s\\n' \"$letter\" | sed -n '1s/^To: //p')\n\
         [ \"$to\" = hang@club.example ] && exec sleep 600\n\
         printf '%s\\n' \"$letter\" | exec curl -s --url smtp://127.0.0.1:{office} --mail-from club@club.example --mail-rcpt \"$to\" --upload-file -\n"
    );
    std::fs::write(&sendmail, script).unwrap();
    std::fs::set_permissions(&sendmail, std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
    let file = folder.join("club.db").to_str().unwrap().to_owned();
    let cert = folder.join("cert.pem").to_str().unwrap().to_owned();
    let variables = [("PATH", &*path), ("CURL_CA_BUNDLE", &*cert)];
    (Program::start(&["--file", &file], &variables), chat)
}

/// Says where somebody's notices go.
fn reach(member: &Member<'_>, name: &str, webhook: &str, email: &str) {
    let wish = json!({"name": name, "webhook": webhook, "email": email});
    member.post("/me", &wish);
}

/// A game between two; its address.
fn game(first: &Member<'_>, second: &Member<'_>) -> String {
    let wish = json!({"title": "Of an evening", "ruleset": "corps20", "scenario": "july1", "seats": ["me", "open"], "watched": true});
    let game = first.post("/games", &wish);
    let game = format!("/games/{}", game["id"].as_str().unwrap());
    second.post(&format!("{game}/sit"), &json!({"side": "us"}));
    game
}

/// Chooses until the other side must; says how long the slowest choice took.
fn until_the_other_must(member: &Member<'_>, game: &str) -> Duration {
    let mut slowest = Duration::ZERO;
    for _ in 0..200 {
        let table = member.get(game);
        if table["frame"]["decision"]["mine"] != true {
            return slowest;
        }
        let options = table["frame"]["decision"]["options"].as_array().unwrap();
        let option = &options.last().unwrap()["id"];
        let choice = json!({"ply": table["ply"], "seat": table["seat"], "option": option});
        let start = Instant::now();
        member.post(&format!("{game}/choose"), &choice);
        slowest = slowest.max(start.elapsed());
    }
    panic!("the other side never must choose");
}

/// What came for somebody, when something has.
fn wait_for(came: &Came, whom: &str) -> String {
    let end = Instant::now() + Duration::from_secs(240);
    loop {
        let found = came.lock().unwrap().clone();
        if let Some((_, text)) = found.iter().find(|(to, _)| to == whom) {
            return text.clone();
        }
        assert!(Instant::now() < end, "nothing for {whom}: {found:?}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_choice_tells_whoever_is_to_choose_next_once_and_nobody_else() {
    let (letters, posts) = (Came::default(), Came::default());
    let (club, chat) = machine("notices", &letters, &posts);
    let (ada, bob) = (club.enter("Ada"), club.enter("Bob"));
    for (member, name) in [(&ada, "ada"), (&bob, "bob")] {
        let webhook = format!("https://localhost:{chat}/{name}");
        reach(member, name, &webhook, &format!("{name}@club.example"));
    }
    let game = game(&ada, &bob);
    until_the_other_must(&ada, &game);
    let post = wait_for(&posts, "/bob");
    let letter = wait_for(&letters, "bob@club.example");
    let post: Value = serde_json::from_str(&post).unwrap();
    let link = format!(
        "http://127.0.0.1:{}/t/{}",
        club.port,
        game.rsplit('/').next().unwrap()
    );
    let turn = bob.get(&game)["frame"]["turn"]["label"]
        .as_str()
        .unwrap()
        .to_owned();
    let words = format!("Of an evening, {turn}: the Union is yours to move. {link}");
    assert_eq!(post["text"], *words);
    assert_eq!(post["content"], *words);
    assert!(
        letter.contains("Subject: Your turn at the table\n"),
        "{letter}"
    );
    assert!(letter.trim_end().ends_with(&words), "{letter}");
    // Then it is Ada's turn again; by then everything that Ada's choices have sent has come.
    until_the_other_must(&bob, &game);
    wait_for(&posts, "/ada");
    wait_for(&letters, "ada@club.example");
    let to = |came: &Came| -> Vec<String> {
        came.lock()
            .unwrap()
            .iter()
            .map(|(to, _)| to.clone())
            .collect()
    };
    assert_eq!(to(&posts), ["/bob", "/ada"]);
    assert_eq!(to(&letters), ["bob@club.example", "ada@club.example"]);
    let secret = ada.cookie.split('=').nth(1).unwrap();
    let all = format!("{:?}{:?}", posts.lock().unwrap(), letters.lock().unwrap());
    assert!(
        !all.contains(secret) && !all.contains('#'),
        "a secret in {all}"
    );
}

#[test]
fn a_receiver_that_hangs_or_refuses_holds_nobody_up() {
    let (letters, posts) = (Came::default(), Came::default());
    let (club, chat) = machine("notices_held", &letters, &posts);
    let hook = |path: &str| format!("https://localhost:{chat}/{path}");
    let ada = club.enter("Ada");
    let away = [
        ("Carl", hook("hang"), ""),
        ("Cleo", String::new(), "hang@club.example"),
        ("Cora", hook("refuse"), "cora@club.example"),
        ("Dora", hook("dora"), ""),
    ];
    let start = Instant::now();
    for (name, webhook, email) in &away {
        let member = club.enter(name);
        reach(&member, name, webhook, email);
        let slowest = until_the_other_must(&ada, &game(&ada, &member));
        assert!(slowest < Duration::from_secs(10), "{name}: {slowest:?}");
    }
    wait_for(&posts, "/dora");
    // Whose webhook refuses is told by letter all the same.
    wait_for(&letters, "cora@club.example");
    wait_for(&posts, "/hang");
    // Both that hang are ended after 15 and 20 seconds: nobody has waited for that.
    assert!(
        start.elapsed() < Duration::from_secs(14),
        "{:?}",
        start.elapsed()
    );
}
