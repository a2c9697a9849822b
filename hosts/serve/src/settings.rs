//! How a club is run.

use std::net::SocketAddr;
use std::path::PathBuf;

/// How a club is run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where it listens.
    pub address: SocketAddr,
    /// The file with people and games.
    pub file: PathBuf,
    /// The address by which people reach it, if it stands behind a web server: `https://club.example`.
    pub public: Option<String>,
    /// Pictures of maps are kept here.
    pub cache: Option<PathBuf>,
    /// Threads on which bots think.
    pub bots: usize,
}

impl Settings {
    /// Whether somebody without a link may come in and say a name: only on a machine's own address, and only if
    /// the club is not behind a web server that would let anybody through.
    #[must_use]
    pub fn walk_in(&self) -> bool {
        self.public.is_none() && self.address.ip().is_loopback()
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
