//! How a club is run.

use axum::http::HeaderName;
use cupola_database::Database;
use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

/// Where people and games are kept.
#[derive(Clone, Debug)]
pub enum Place {
    /// In one file.
    File(PathBuf),
    /// In a PostgreSQL database, which several programs may share.
    Database(Box<Database>),
}

impl fmt::Display for Place {
    /// Without a password that an address may have in it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::File(path) => path.display().fmt(f),
            Place::Database(database) => write!(f, "the database {}", database.name()),
        }
    }
}

/// A web server before the club that knows its users and names them in a header.
#[derive(Clone, Debug)]
pub struct Trust {
    /// The header's name.
    pub header: HeaderName,
    /// Besides this machine itself, the addresses from which it is believed.
    pub proxies: Vec<IpAddr>,
}

impl Trust {
    /// Whether what comes from an address is believed.
    #[must_use]
    pub fn believes(&self, from: IpAddr) -> bool {
        from.to_canonical().is_loopback() || self.proxies.contains(&from.to_canonical())
    }
}

/// How a club is run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where it listens.
    pub address: SocketAddr,
    /// Where people and games are kept.
    pub place: Place,
    /// The address by which people reach it, if it stands behind a web server: `https://club.example`.
    pub public: Option<String>,
    /// The web server before it that says who somebody is.
    pub trust: Option<Trust>,
    /// After so many hours whoever must choose is told once more; none if never.
    pub remind: Option<u16>,
    /// Pictures of maps are kept here.
    pub cache: Option<PathBuf>,
    /// Where the lab's reports are, and the program that makes them.
    pub lab: Option<(PathBuf, PathBuf)>,
    /// Threads on which bots think; none if they think in other programs on the same database.
    pub bots: usize,
}

impl Settings {
    /// Whether somebody without a link may come in and say a name: only on a machine's own address, and only if
    /// the club is not behind a web server that would let anybody through, or knows who they are.
    #[must_use]
    pub fn walk_in(&self) -> bool {
        self.public.is_none() && self.trust.is_none() && self.address.ip().is_loopback()
    }

    /// The address as people type it.
    #[must_use]
    pub fn base(&self) -> String {
        match &self.public {
            Some(address) => address.trim_end_matches('/').to_owned(),
            None => format!("http://{}", self.address),
        }
    }
}
