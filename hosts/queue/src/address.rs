//! Where the queue is, and how to get in: without a password on the command line, which everybody on a machine
//! can read.

use crate::QueueError;
use postgres::Config;
use postgres::config::Host;
use std::path::{Path, PathBuf};

/// The variable that holds the queue's address if none is named.
pub const VARIABLE: &str = "CUPOLA_QUEUE";

/// Understands an address: `postgres://user@host/database`, or `@FILE` for a file that holds it; none for the
/// variable `CUPOLA_QUEUE`. A password that it does not have comes from `PGPASSWORD`, or from the file that
/// `PGPASSFILE` names, or `~/.pgpass`.
///
/// # Errors
/// If there is no address, or it is none. The message does not repeat it: it may have a password in it.
pub fn address(named: Option<&str>) -> Result<Config, QueueError> {
    let wrong = |why: String| QueueError::Address(why);
    let variable = std::env::var(VARIABLE).ok();
    let named = named.map(str::to_owned).or(variable);
    let named = named.ok_or_else(|| {
        wrong(format!(
            "no address: name it with --queue, or in {VARIABLE}"
        ))
    })?;
    config(&named).map_err(wrong)
}

/// Understands the address of a database, as [`address`] does.
///
/// # Errors
/// If it is none, in words that do not repeat it.
pub fn config(named: &str) -> Result<Config, String> {
    let text = match named.strip_prefix('@') {
        Some(file) => std::fs::read_to_string(file).map_err(|why| format!("{file}: {why}"))?,
        None => named.to_owned(),
    };
    let mut config: Config = text
        .trim()
        .parse()
        .map_err(|_| "expected an address such as postgres://user@host/database".to_owned())?;
    if config.get_password().is_none()
        && let Some(password) = password(&config)
    {
        config.password(password);
    }
    config.application_name("cupola");
    Ok(config)
}

fn password(config: &Config) -> Option<String> {
    let var = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    if let Some(password) = var("PGPASSWORD") {
        return password.into_string().ok();
    }
    let file = var("PGPASSFILE").map(PathBuf::from);
    let file = file.or_else(|| Some(Path::new(&var("HOME")?).join(".pgpass")))?;
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
    use super::{address, entry};

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
        let Err(why) = address(Some("postgres://me:secret@[host/db")) else {
            panic!("it was taken");
        };
        assert!(!why.to_string().contains("secret"), "{why}");
        let config = address(Some("postgres://me:secret@host/db")).expect("an address");
        assert_eq!(config.get_password(), Some(&b"secret"[..]));
        assert!(address(Some("@/no/such/file")).is_err());
    }
}
