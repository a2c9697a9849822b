//! Against real servers: what is encrypted, what is refused, and in which words.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../../cupola/tests/server/mod.rs"]
#[allow(dead_code, reason = "the queue's tests use more of it")]
mod server;

use cupola_database::{Database, why};
use server::Server;

/// Whether the line is encrypted, by the server's own word, or why there is none.
fn encrypted(address: &str) -> Result<bool, String> {
    let mut line = Database::at(address)?
        .connect()
        .map_err(|error| why(&error))?;
    let own = "select ssl from pg_stat_ssl where pid = pg_backend_pid()";
    Ok(line.query_one(own, &[]).unwrap().get(0))
}

#[test]
fn a_line_is_encrypted_where_the_server_offers_it() {
    let server = Server::start_with_tls();
    let at = |words: &str| encrypted(&server.url_by("127.0.0.1", words));
    assert_eq!(at(""), Ok(true));
    assert_eq!(at("sslmode=prefer"), Ok(true));
    assert_eq!(at("sslmode=require"), Ok(true));
    assert_eq!(at("sslmode=disable"), Ok(false));
    // On the socket there is nothing to encrypt.
    assert_eq!(encrypted(&server.url()), Ok(false));
    assert_eq!(
        encrypted(&format!("{}?sslmode=require", server.url())),
        Ok(false)
    );
}

#[test]
fn a_server_without_encryption_is_taken_unless_it_is_required() {
    let server = Server::start_on_a_port();
    let at = |words: &str| encrypted(&server.url_by("127.0.0.1", words));
    assert_eq!(at(""), Ok(false));
    assert_eq!(at("sslmode=prefer"), Ok(false));
    let refused = at("sslmode=require").unwrap_err();
    assert!(refused.contains("server does not support TLS"), "{refused}");
}

#[test]
fn a_server_that_must_show_who_it_is_is_refused_if_it_cannot() {
    let server = Server::start_with_tls();
    let at = |name: &str, mode: &str, roots: &str| {
        let words = format!("sslmode={mode}&sslrootcert={}", server.file(roots));
        encrypted(&server.url_by(name, &words))
    };
    assert_eq!(at("localhost", "verify-full", "ca.crt"), Ok(true));
    // Its certificate is for `localhost`.
    assert_eq!(at("127.0.0.1", "verify-ca", "ca.crt"), Ok(true));
    let other_name = at("127.0.0.1", "verify-full", "ca.crt").unwrap_err();
    assert!(other_name.contains("not valid for name"), "{other_name}");
    // Somebody else's issuer; `require` looks at the issuer too if one is named.
    for mode in ["require", "verify-ca", "verify-full"] {
        let refused = at("localhost", mode, "other.crt").unwrap_err();
        assert!(refused.contains("invalid peer certificate"), "{refused}");
    }
    // The server's own certificate is enough, whatever names it has.
    assert_eq!(at("127.0.0.1", "verify-full", "server.crt"), Ok(true));
}

#[test]
fn a_password_is_proved_over_an_encrypted_line() {
    let server = Server::start_with_tls();
    server.execute("create user club password 'secret'");
    let rules = server.file("data/pg_hba.conf");
    let known = std::fs::read_to_string(&rules).unwrap();
    let strict = "hostssl all club 127.0.0.1/32 scram-sha-256\nhost all club 127.0.0.1/32 reject\n";
    std::fs::write(&rules, format!("{strict}{known}")).unwrap();
    server.execute("select pg_reload_conf()");
    let by = |password: &str, words: &str| {
        let address = server.url_by("127.0.0.1", words);
        encrypted(&address.replace("lab@", &format!("club:{password}@")))
    };
    assert_eq!(by("secret", "channel_binding=require"), Ok(true));
    assert!(
        by("wrong", "")
            .unwrap_err()
            .contains("password authentication failed")
    );
    assert!(
        by("secret", "sslmode=disable")
            .unwrap_err()
            .contains("rejects")
    );
}
