//! A compiled board from its files, or from a cache of it.
//!
//! Compiling takes a fraction of a second, which is too long for a command that only answers a
//! question about one hex. A cached board is keyed by a fingerprint of every text it was made of
//! and of the code that made it: nothing can be stale, and a broken or foreign file is simply
//! compiled again. The cache is a convenience: that it cannot be written is no error.

use std::fs;
use std::hash::Hasher;
use std::path::{Path, PathBuf};

use cupola_data::{Problems, Source};
use siphasher::sip128::{Hasher128, SipHasher13};

use crate::battlefield::{Battlefield, BattlefieldFiles};
use crate::board::Board;
use crate::grid::Grid;
use crate::recipe::BoardPlan;
use crate::terrain::Terrain;

/// First bytes of a cache file.
const MAGIC: &[u8; 8] = b"cupola\x00\x01";

/// Everything that a board is made of, as text.
#[derive(Debug, Clone)]
pub struct BoardFiles {
    /// The battlefield's files.
    pub battlefield: BattlefieldFiles,
    /// `terrain.ron` of the series, if the ruleset is one.
    pub series: Option<Source>,
    /// `grid.ron`.
    pub grid: Source,
    /// `board.ron`.
    pub plan: Source,
}

impl BoardFiles {
    /// Reads the files of a battlefield's folder and of a ruleset's folder: what belongs to the battle lies in
    /// `battles/<name of the battlefield>` there, or beside the rest in a ruleset that has no such folder.
    pub fn read(battlefield: &Path, ruleset: &Path) -> Result<BoardFiles, Problems> {
        let mut problems = Problems::new();
        let name = battlefield.file_name().unwrap_or_default();
        let own = ruleset.join("battles").join(name);
        let folder = if own.is_dir() { &*own } else { ruleset };
        let battlefield = problems.keep_all(BattlefieldFiles::read(battlefield));
        let series = Some(ruleset.join("terrain.ron")).filter(|path| path.is_file());
        let series = series.and_then(|path| problems.keep(Source::read(&path)));
        let grid = problems.keep(Source::read(&folder.join("grid.ron")));
        let plan = problems.keep(Source::read(&folder.join("board.ron")));
        match (battlefield, grid, plan) {
            (Some(battlefield), Some(grid), Some(plan)) => problems.check(BoardFiles {
                battlefield,
                series,
                grid,
                plan,
            }),
            _ => Err(problems.sorted()),
        }
    }

    /// The fingerprint of all texts and of the code that compiles them.
    pub fn key(&self) -> u128 {
        let parts = self.battlefield.parts.iter();
        let all = [&self.battlefield.main, &self.grid, &self.plan].into_iter();
        let series = self.series.iter();
        let texts = all.chain(parts).chain(series);
        let texts = texts.map(|source| source.text.as_str());
        fingerprint(std::iter::once(env!("CUPOLA_GROUND_CODE")).chain(texts))
    }

    /// Compiles the board, whatever the cache may hold; all problems of all files at once.
    pub fn compile(&self) -> Result<Board, Problems> {
        let mut problems = Problems::new();
        let field = problems.keep_all(Battlefield::parse(&self.battlefield));
        let plan = problems.keep_all(self.grid_and_plan());
        match (field, plan) {
            (Some(field), Some((grid, plan))) => {
                problems.check(())?;
                Board::compile(&field, &grid, &plan)
            }
            _ => Err(problems.sorted()),
        }
    }

    /// The grid and the plan, as the series and the battle have them.
    pub fn grid_and_plan(&self) -> Result<(Grid, BoardPlan), Problems> {
        let mut problems = Problems::new();
        let series = self.series.clone().map(Terrain::parse);
        // What the series says and cannot be read is missed by the battle's files: that is told once, where it stands.
        let series = series.transpose()?;
        let grid = problems.keep_all(Grid::parse_in(&self.grid, series.as_ref()));
        let plan = BoardPlan::parse_in(self.plan.clone(), series.as_ref());
        match (grid, problems.keep_all(plan)) {
            (Some(grid), Some(plan)) => problems.check((grid, plan)),
            _ => Err(problems.sorted()),
        }
    }

    /// The board from the cache in this folder, or compiled and then put there.
    pub fn load(&self, cache: &Path) -> Result<Board, Problems> {
        let file = self.cache_file(cache);
        if let Some(board) = fs::read(&file)
            .ok()
            .and_then(|bytes| unpack(&bytes, self.key()))
        {
            return Ok(board);
        }
        let board = self.compile()?;
        store(&file, &pack(&board, self.key()));
        Ok(board)
    }

    /// One file per ruleset's folder: a new version of a board replaces the old one.
    fn cache_file(&self, cache: &Path) -> PathBuf {
        let mut hasher = SipHasher13::new();
        hasher.write(self.battlefield.main.name.as_bytes());
        hasher.write(&[0]);
        hasher.write(self.grid.name.as_bytes());
        cache.join(format!("{:016x}.board", hasher.finish()))
    }
}

impl Board {
    /// The board of a ruleset's folder on a battlefield's folder, cached in a third if one is
    /// given.
    pub fn open(
        battlefield: &Path,
        ruleset: &Path,
        cache: Option<&Path>,
    ) -> Result<Board, Problems> {
        let files = BoardFiles::read(battlefield, ruleset)?;
        match cache {
            Some(cache) => files.load(cache),
            None => files.compile(),
        }
    }
}

/// The fingerprint of some texts, the same on every machine: lengths are hashed as eight bytes in
/// a fixed order, whatever a `usize` is here.
fn fingerprint<'a>(texts: impl IntoIterator<Item = &'a str>) -> u128 {
    let mut hasher = SipHasher13::new();
    for text in texts {
        hasher.write(&(text.len() as u64).to_le_bytes());
        hasher.write(text.as_bytes());
    }
    hasher.finish128().as_u128()
}

fn checksum(bytes: &[u8]) -> u64 {
    let mut hasher = SipHasher13::new();
    hasher.write(bytes);
    Hasher::finish(&hasher)
}

/// Magic, key, checksum, board.
fn pack(board: &Board, key: u128) -> Vec<u8> {
    // Serializing to memory fails for no board; an empty body is a broken file like any other.
    let body = postcard::to_stdvec(board).unwrap_or_default();
    let mut bytes = Vec::with_capacity(body.len() + 32);
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&key.to_le_bytes());
    bytes.extend_from_slice(&checksum(&body).to_le_bytes());
    bytes.extend_from_slice(&body);
    bytes
}

/// The board of a cache file, if the file is whole and of this key.
fn unpack(bytes: &[u8], key: u128) -> Option<Board> {
    let bytes = bytes.strip_prefix(MAGIC)?;
    let bytes = bytes.strip_prefix(&key.to_le_bytes())?;
    let (sum, body) = bytes.split_at_checked(8)?;
    if sum != checksum(body).to_le_bytes() {
        return None;
    }
    let mut board: Board = postcard::from_bytes(body).ok()?;
    board.connect();
    Some(board)
}

/// Writes beside the target and renames, so that no reader ever sees half a file.
fn store(file: &Path, bytes: &[u8]) {
    let Some(folder) = file.parent() else { return };
    let beside = file.with_extension(format!("{}.new", std::process::id()));
    let written = fs::create_dir_all(folder)
        .and_then(|()| fs::write(&beside, bytes))
        .and_then(|()| fs::rename(&beside, file));
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
}

#[cfg(test)]
mod tests {
    use super::{fingerprint, pack, unpack};
    use crate::board::Board;
    use crate::grid::{Hex, Lattice, Orientation};

    #[test]
    fn a_fingerprint_is_the_same_everywhere() {
        assert_eq!(
            fingerprint(["one ground", "", "four grids"]),
            0xbb803409_2b9f60b8_437b6e60_508b230c
        );
        assert_ne!(fingerprint(["ab", "c"]), fingerprint(["a", "bc"]));
    }

    #[test]
    fn a_broken_file_is_no_board() {
        let lattice = Lattice::new(Orientation::Rows, 100.0, 86.6, 0.0, 0.0);
        let hexes = vec![Hex::new(0, 0), Hex::new(1, 0)];
        let board = Board::blank("x", "x", lattice, hexes, vec!["0101".into(), "0102".into()]);
        let bytes = pack(&board, 7);
        assert_eq!(unpack(&bytes, 7), Some(board));
        assert_eq!(unpack(&bytes, 8), None, "another key");
        for end in 0..bytes.len() {
            assert_eq!(unpack(&bytes[..end], 7), None, "cut at {end}");
        }
        for index in 0..bytes.len() {
            let mut broken = bytes.clone();
            broken[index] ^= 1;
            assert_eq!(unpack(&broken, 7), None, "broken at {index}");
        }
    }
}
