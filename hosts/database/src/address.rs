//! What an address means, and how to get in: without a password on the command line, which everybody on a machine can
//! read.

use crate::{Database, trust};
use postgres::Config;
use postgres::config::{Host, SslMode};
use std::path::PathBuf;

/// Understands an address, as [`Database::at`] says.
pub(crate) fn understand(named: &str) -> Result<Database, String> {
    let text = match named.strip_prefix('@') {
        Some(file) => std::fs::read_to_string(file).map_err(|why| format!("{file}: {why}"))?,
        None => named.to_owned(),
    };
    let words = Words::of(text.trim());
    let mut config: Config = words
        .rest
        .parse()
        .map_err(|_| "expected an address such as postgres://user@host/database".to_owned())?;
    if config.get_password().is_none()
        && let Some(password) = password(&config)
    {
        config.password(password);
    }
    config.application_name("cupola");
    let (mode, tls) = trust::tls(
        words.mode.or_else(|| var("PGSSLMODE")).as_deref(),
        words.roots.or_else(|| var("PGSSLROOTCERT")).as_deref(),
        home()
            .map(|home| home.join(".postgresql/root.crt"))
            .as_deref(),
    )?;
    // On a socket of this machine there is nothing to encrypt, and the server does not offer it there.
    let local = |host: &Host| matches!(host, Host::Unix(_));
    let local = !config.get_hosts().is_empty() && config.get_hosts().iter().all(local);
    config.ssl_mode(if local { SslMode::Disable } else { mode });
    Ok(Database { config, tls })
}

fn var(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

fn home() -> Option<PathBuf> {
    var("HOME").map(PathBuf::from)
}

/// An address without the words about encryption, of which the connection's own reader does not know all.
#[derive(Debug, Default, PartialEq, Eq)]
struct Words {
    rest: String,
    mode: Option<String>,
    roots: Option<String>,
}

impl Words {
    fn of(text: &str) -> Words {
        match text.split_once("://") {
            Some(_) => Words::of_url(text),
            None => Words::of_pairs(text),
        }
    }

    /// Keeps a word about encryption; false if it is about something else.
    fn takes(&mut self, name: &str, value: impl FnOnce() -> String) -> bool {
        match name {
            "sslmode" => self.mode = Some(value()),
            "sslrootcert" => self.roots = Some(value()),
            _ => return false,
        }
        true
    }

    /// `postgres://…?name=value&…`
    fn of_url(text: &str) -> Words {
        // A password may have a question mark in it.
        let user = text.find('@').unwrap_or(0);
        let Some(query) = text[user..].find('?').map(|at| user + at) else {
            return Words {
                rest: text.to_owned(),
                ..Words::default()
            };
        };
        let mut words = Words::default();
        let mut kept = vec![];
        for pair in text[query + 1..].split('&') {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            if !words.takes(name, || decoded(value)) {
                kept.push(pair);
            }
        }
        words.rest = text[..query].to_owned();
        if !kept.is_empty() {
            words.rest.push('?');
            words.rest.push_str(&kept.join("&"));
        }
        words
    }

    /// `name=value name='a value'`, with `\` before a letter that is only itself.
    fn of_pairs(text: &str) -> Words {
        let (mut words, mut kept, mut left) = (Words::default(), vec![], text);
        while let Some((name, behind)) = left.split_once('=') {
            let before = &left[..name.len() + 1];
            let behind_blank = behind.trim_start();
            let (value, size) = value(behind_blank);
            let end = before.len() + (behind.len() - behind_blank.len()) + size;
            if !words.takes(name.trim(), || value) {
                kept.push(left[..end].trim());
            }
            left = &left[end..];
        }
        kept.push(left.trim());
        words.rest = kept.join(" ").trim().to_owned();
        words
    }
}

/// The value at the beginning of a text, and how long it is there.
fn value(text: &str) -> (String, usize) {
    let quoted = text.starts_with('\'');
    let (mut value, mut letters) = (String::new(), text.char_indices());
    if quoted {
        letters.next();
    }
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => value.extend(letters.next().map(|(_, letter)| letter)),
            '\'' if quoted => return (value, at + 1),
            blank if blank.is_whitespace() && !quoted => return (value, at),
            letter => value.push(letter),
        }
    }
    (value, text.len())
}

/// `%2F` is a slash.
fn decoded(text: &str) -> String {
    let (mut bytes, mut left) = (vec![], text.as_bytes());
    while let [first, rest @ ..] = left {
        let code = rest.get(..2).filter(|_| *first == b'%');
        let code = code.and_then(|digits| std::str::from_utf8(digits).ok());
        match code.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => (bytes.push(byte), left = &rest[2..]),
            None => (bytes.push(*first), left = rest),
        };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn password(config: &Config) -> Option<String> {
    if let Some(password) = var("PGPASSWORD") {
        return Some(password);
    }
    let file = var("PGPASSFILE").map(PathBuf::from);
    let file = file.or_else(|| Some(home()?.join(".pgpass")))?;
    let text = std::fs::read_to_string(file).ok()?;
    let host = match config.get_hosts().first() {
        Some(Host::Tcp(name)) => name.clone(),
        // As the server's own programs have it.
        _ => "localhost".to_owned(),
    };
    let port = config.get_ports().first().unwrap_or(&5432).to_string();
    let user = config.get_user().unwrap_or_default();
    let database = config.get_dbname().unwrap_or(user);
    text.lines()
        .find_map(|line| entry(line, [&host, &port, database, user]))
}

/// The password of a line `host:port:database:user:password`, if it is for these; `*` is for all, and `\` stands
/// before a colon that belongs to a name.
fn entry(line: &str, wanted: [&str; 4]) -> Option<String> {
    if line.starts_with('#') {
        return None;
    }
    let (mut fields, mut letters) = (vec![String::new()], line.chars());
    while let Some(letter) = letters.next() {
        match letter {
            ':' if fields.len() < 5 => fields.push(String::new()),
            '\\' => fields.last_mut()?.extend(letters.next()),
            letter => fields.last_mut()?.push(letter),
        }
    }
    let [host, port, database, user, password] = <[String; 5]>::try_from(fields).ok()?;
    let all = [host, port, database, user];
    let fits = all
        .iter()
        .zip(wanted)
        .all(|(has, wants)| has == "*" || has == wants);
    fits.then_some(password)
}

#[cfg(test)]
mod tests {
    use super::{Database, Words, entry};
    use postgres::config::SslMode;

    #[test]
    fn passwords_are_found_as_the_server_s_own_programs_find_them() {
        let wanted = ["db", "5432", "lab", "me"];
        assert_eq!(
            entry("db:5432:lab:me:se\\:cret", wanted).as_deref(),
            Some("se:cret")
        );
        assert_eq!(entry("*:*:*:me:a:b", wanted).as_deref(), Some("a:b"));
        assert_eq!(entry("#*:*:*:*:x", wanted), None);
        assert_eq!(entry("db:5433:lab:me:x", wanted), None);
        assert_eq!(entry("db:5432:lab", wanted), None);
    }

    #[test]
    fn an_address_that_is_none_is_told_without_repeating_it() {
        let Err(why) = Database::at("postgres://me:secret@[host/db") else {
            panic!("it was taken");
        };
        assert!(!why.contains("secret"), "{why}");
        let database = Database::at("postgres://me:secret@host/db").expect("an address");
        assert_eq!(database.config.get_password(), Some(&b"secret"[..]));
        assert!(!format!("{database:?}").contains("secret"));
        assert!(Database::at("@/no/such/file").is_err());
    }

    fn words(text: &str) -> [Option<String>; 3] {
        let words = Words::of(text);
        [Some(words.rest), words.mode, words.roots]
    }

    #[test]
    fn words_about_encryption_are_found_in_both_kinds_of_address() {
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(
            words(
                "postgres://me:a?b@db/club?sslmode=verify-full&connect_timeout=3&sslrootcert=%2Fetc%2Fa%20b.crt"
            ),
            [
                some("postgres://me:a?b@db/club?connect_timeout=3"),
                some("verify-full"),
                some("/etc/a b.crt")
            ]
        );
        assert_eq!(
            words(
                "host=db password='a sslmode=disable \\' b' sslmode = verify-ca sslrootcert='/a b' user=me"
            ),
            [
                some("host=db password='a sslmode=disable \\' b' user=me"),
                some("verify-ca"),
                some("/a b")
            ]
        );
        assert_eq!(
            words("postgres://db/club"),
            [some("postgres://db/club"), None, None]
        );
    }

    fn mode(words: &str) -> Result<SslMode, String> {
        Database::at(&format!("postgres://me@db/club?{words}"))
            .map(|found| found.config.get_ssl_mode())
    }

    #[test]
    fn modes_mean_what_the_server_s_own_programs_mean() {
        assert_eq!(mode(""), Ok(SslMode::Prefer));
        assert_eq!(mode("sslmode=disable"), Ok(SslMode::Disable));
        assert_eq!(mode("sslmode=require"), Ok(SslMode::Require));
        assert!(mode("sslmode=requires").is_err_and(|why| why.contains("verify-full")));
        assert!(
            mode("sslmode=verify-full&sslrootcert=/no/such/file")
                .is_err_and(|why| why.starts_with("/no/such/file: "))
        );
        assert!(
            mode("sslmode=verify-full&sslrootcert=/dev/null")
                .is_err_and(|why| why.contains("no certificate"))
        );
        assert!(
            mode("sslmode=require&sslrootcert=system")
                .is_err_and(|why| why.contains("verify-full"))
        );
        // On a socket there is nothing to encrypt.
        let socket =
            Database::at("host=/run/postgresql user=me sslmode=require").expect("an address");
        assert_eq!(socket.config.get_ssl_mode(), SslMode::Disable);
    }
}
