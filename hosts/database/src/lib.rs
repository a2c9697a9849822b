//! The way to a PostgreSQL database, for everything here that keeps something in one.
//!
//! An address, a password and the certificates mean what PostgreSQL's own programs mean by the same words:
//!
//! ```no_run
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use cupola_database::Database;
//!
//! let database = Database::at("postgres://club@db.example/club?sslmode=verify-full&sslrootcert=/etc/club/ca.crt")?;
//! let mut line = database.connect()?;
//! line.batch_execute("select 1")?;
//! # Ok(())
//! # }
//! ```
//!
//! **Where the server offers TLS the line is encrypted**, without a word in the address. Whether the server must offer it,
//! and whether it must show who it is, says `sslmode`.
#![forbid(unsafe_code)]

mod address;
mod trust;

use postgres::{Client, Config, Error};
use std::error::Error as _;
use std::fmt;
use tokio_postgres_rustls::MakeRustlsConnect;

/// A database: where it is, who one is there, and whom one believes on the way.
#[derive(Clone)]
pub struct Database {
    config: Config,
    tls: MakeRustlsConnect,
}

impl Database {
    /// Understands an address: `postgres://user@host/database`, or `@FILE` for a file that holds it. A password that it
    /// does not have comes from `PGPASSWORD`, or from the file that `PGPASSFILE` names, or `~/.pgpass`.
    ///
    /// # Errors
    /// If it is none, or the certificates that it names cannot be read; in words that do not repeat the address, which
    /// may have a password in it.
    pub fn at(address: &str) -> Result<Database, String> {
        address::understand(address)
    }

    /// Makes a connection, encrypted if the server offers that or the address wants it.
    ///
    /// # Errors
    /// If the server cannot be reached, refuses, or is not who it should be.
    pub fn connect(&self) -> Result<Client, Error> {
        self.config.connect(self.tls.clone())
    }

    /// The database's name on its server.
    #[must_use]
    pub fn name(&self) -> &str {
        let name = self.config.get_dbname().or(self.config.get_user());
        name.unwrap_or_default()
    }

    /// Another database of the same server.
    #[must_use]
    pub fn named(mut self, name: &str) -> Database {
        self.config.dbname(name);
        self
    }
}

impl fmt::Debug for Database {
    /// Without the password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Database").field(&self.config).finish()
    }
}

/// What went wrong with a connection, with its causes: an error of the server in the server's words.
#[must_use]
pub fn why(error: &Error) -> String {
    if let Some(server) = error.as_db_error() {
        return server.message().to_owned();
    }
    let mut told = error.to_string();
    let mut cause = error.source();
    while let Some(deeper) = cause {
        let text = deeper.to_string();
        if !told.contains(&text) {
            told = format!("{told}: {text}");
        }
        cause = deeper.source();
    }
    told
}
