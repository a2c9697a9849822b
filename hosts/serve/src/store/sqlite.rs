//! The club in one file.

use super::{GameRecord, LinkRecord, Note, Person, Shelf, StepRecord, StoreError, Stored};
use rusqlite::{Connection, OpenFlags, OptionalExtension as _, Row, params};
use std::path::Path;

/// A file with everything in it.
pub(crate) struct Sqlite {
    db: Connection,
}

const TABLES: &str = "
    CREATE TABLE IF NOT EXISTS person (id TEXT PRIMARY KEY, about TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS link (hash TEXT PRIMARY KEY, person TEXT NOT NULL, once INTEGER NOT NULL);
    CREATE TABLE IF NOT EXISTS game (
        id TEXT PRIMARY KEY, meta TEXT NOT NULL, undone INTEGER NOT NULL, verdict TEXT NOT NULL,
        asked INTEGER, turn TEXT NOT NULL, moved INTEGER NOT NULL, version INTEGER NOT NULL DEFAULT 0);
    CREATE TABLE IF NOT EXISTS step (
        game TEXT NOT NULL, number INTEGER NOT NULL, side TEXT NOT NULL, act TEXT NOT NULL, hash TEXT NOT NULL,
        at INTEGER NOT NULL, PRIMARY KEY (game, number)) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS note (
        game TEXT NOT NULL, person TEXT NOT NULL, private INTEGER NOT NULL, text TEXT NOT NULL, at INTEGER NOT NULL,
        side INTEGER);
    CREATE INDEX IF NOT EXISTS note_game ON note (game);
";

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> StoreError {
        StoreError::Failed(error.to_string())
    }
}

impl From<serde_json::Error> for StoreError {
    fn from(error: serde_json::Error) -> StoreError {
        StoreError::Failed(format!("a record cannot be read: {error}"))
    }
}

impl Sqlite {
    /// Opens a file, or makes it.
    ///
    /// # Errors
    /// If it is no such file or cannot be written.
    pub fn open(path: &Path) -> Stored<Sqlite> {
        let db = Connection::open(path)?;
        db.busy_timeout(std::time::Duration::from_secs(5))?;
        db.pragma_update(None, "journal_mode", "WAL")?;
        // Every commit waits for the disk: what is acknowledged survives a power cut.
        db.pragma_update(None, "synchronous", "FULL")?;
        db.execute_batch(TABLES)?;
        // Files of earlier programs have games without versions, and all could hear what was said.
        add_column(&db, "game", "version", "INTEGER NOT NULL DEFAULT 0")?;
        add_column(&db, "note", "side", "INTEGER")?;
        Ok(Sqlite { db })
    }
}

fn add_column(db: &Connection, table: &str, name: &str, kind: &str) -> Stored<()> {
    let sql = "SELECT count(*) FROM pragma_table_info(?) WHERE name = ?";
    let known: i64 = db.query_row(sql, [table, name], |row| row.get(0))?;
    if known == 0 {
        db.execute_batch(&format!("ALTER TABLE {table} ADD COLUMN {name} {kind}"))?;
    }
    Ok(())
}

fn person(text: &str) -> Stored<Person> {
    Ok(serde_json::from_str(text)?)
}

const GAME: &str = "SELECT id, meta, undone, verdict, asked, turn, moved, version FROM game";

type GameRow = (String, String, i64, String, Option<i64>, String, i64, i64);

fn row(row: &Row<'_>) -> rusqlite::Result<GameRow> {
    Ok((
        row.get(0)?,
        row.get(1)?,
        row.get(2)?,
        row.get(3)?,
        row.get(4)?,
        row.get(5)?,
        row.get(6)?,
        row.get(7)?,
    ))
}

fn game((id, meta, undone, verdict, asked, turn, moved, version): GameRow) -> Stored<GameRecord> {
    Ok(GameRecord {
        id,
        meta: serde_json::from_str(&meta)?,
        undone: undone.unsigned_abs(),
        verdict,
        asked: asked.map(|side| usize::from(side != 0)),
        turn,
        moved,
        version,
    })
}

fn number(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

impl Shelf for Sqlite {
    fn begin(&mut self) -> Stored<()> {
        Ok(self.db.execute_batch("BEGIN IMMEDIATE")?)
    }

    fn commit(&mut self) -> Stored<()> {
        Ok(self.db.execute_batch("COMMIT")?)
    }

    fn roll_back(&mut self) {
        // If this fails too, the next `begin` will say so.
        let _ = self.db.execute_batch("ROLLBACK");
    }

    fn mark(&mut self) -> Stored<()> {
        Ok(self.db.execute_batch("SAVEPOINT one")?)
    }

    fn back_to_mark(&mut self) -> Stored<()> {
        Ok(self.db.execute_batch("ROLLBACK TO one")?)
    }

    fn add_person(&mut self, person: &Person) -> Stored<()> {
        let about = serde_json::to_string(person)?;
        self.db
            .prepare_cached("INSERT INTO person (id, about) VALUES (?, ?)")?
            .execute(params![person.id, about])?;
        Ok(())
    }

    fn person(&mut self, id: &str) -> Stored<Option<Person>> {
        let mut query = self
            .db
            .prepare_cached("SELECT about FROM person WHERE id = ?")?;
        let about: Option<String> = query.query_row([id], |row| row.get(0)).optional()?;
        about.map(|text| person(&text)).transpose()
    }

    fn people(&mut self) -> Stored<Vec<Person>> {
        let mut query = self.db.prepare_cached("SELECT about FROM person")?;
        let rows = query.query_map([], |row| row.get::<_, String>(0))?;
        rows.map(|text| person(&text?)).collect()
    }

    fn change_person(&mut self, person: &Person) -> Stored<()> {
        let about = serde_json::to_string(person)?;
        self.db.execute(
            "UPDATE person SET about = ? WHERE id = ?",
            params![about, person.id],
        )?;
        Ok(())
    }

    fn add_link(&mut self, hash: &str, person: &str, once: bool) -> Stored<()> {
        self.db.execute(
            "INSERT INTO link (hash, person, once) VALUES (?, ?, ?)",
            params![hash, person, once],
        )?;
        Ok(())
    }

    fn link(&mut self, hash: &str) -> Stored<Option<(String, bool)>> {
        let mut query = self
            .db
            .prepare_cached("SELECT person, once FROM link WHERE hash = ?")?;
        Ok(query
            .query_row([hash], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?)
    }

    fn links(&mut self) -> Stored<Vec<LinkRecord>> {
        let mut query = self.db.prepare("SELECT hash, person, once FROM link")?;
        let rows = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    fn drop_link(&mut self, hash: &str) -> Stored<()> {
        self.db.execute("DELETE FROM link WHERE hash = ?", [hash])?;
        Ok(())
    }

    fn drop_links_of(&mut self, person: &str) -> Stored<()> {
        self.db
            .execute("DELETE FROM link WHERE person = ?", [person])?;
        Ok(())
    }

    fn add_game(&mut self, game: &GameRecord) -> Stored<()> {
        self.db.execute(
            "INSERT INTO game (id, meta, undone, verdict, asked, turn, moved, version) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            params![
                game.id,
                serde_json::to_string(&game.meta)?,
                number(game.undone),
                game.verdict,
                game.asked.map(|side| side as i64),
                game.turn,
                game.moved,
                game.version
            ],
        )?;
        Ok(())
    }

    fn game(&mut self, id: &str) -> Stored<Option<GameRecord>> {
        let mut query = self.db.prepare_cached(&format!("{GAME} WHERE id = ?"))?;
        let found = query.query_row([id], row).optional()?;
        found.map(game).transpose()
    }

    fn games(&mut self) -> Stored<Vec<GameRecord>> {
        let mut query = self
            .db
            .prepare_cached(&format!("{GAME} ORDER BY moved DESC"))?;
        let rows = query.query_map([], row)?;
        rows.map(|found| game(found?)).collect()
    }

    fn games_for(&mut self, person: &str, newest: usize, most: usize) -> Stored<Vec<GameRecord>> {
        let mut query = self.db.prepare_cached(&format!(
            "{GAME} WHERE id IN (SELECT id FROM game ORDER BY moved DESC LIMIT ?) OR meta LIKE ? \
             ORDER BY moved DESC LIMIT ?"
        ))?;
        let (newest, named, most) = (newest as i64, format!("%\"{person}\"%"), most as i64);
        let rows = query.query_map(params![newest, named, most], row)?;
        rows.map(|found| game(found?)).collect()
    }

    fn change_game(&mut self, game: &GameRecord) -> Stored<()> {
        let changed = self
            .db
            .prepare_cached(
                "UPDATE game SET meta = ?, undone = ?, verdict = ?, asked = ?, turn = ?, moved = ?, \
                 version = version + 1 WHERE id = ? AND version = ?",
            )?
            .execute(params![
                serde_json::to_string(&game.meta)?,
                number(game.undone),
                game.verdict,
                game.asked.map(|side| side as i64),
                game.turn,
                game.moved,
                game.id,
                game.version
            ])?;
        match changed {
            0 => Err(StoreError::Overtaken),
            _ => Ok(()),
        }
    }

    fn steps(&mut self, game: &str, after: usize) -> Stored<Vec<StepRecord>> {
        let mut query = self.db.prepare_cached(
            "SELECT number, side, act, hash, at FROM step WHERE game = ? AND number > ? ORDER BY number",
        )?;
        let rows = query.query_map(params![game, after as i64], |row| {
            Ok(StepRecord {
                number: usize::try_from(row.get::<_, i64>(0)?).unwrap_or_default(),
                side: row.get(1)?,
                act: row.get(2)?,
                hash: row.get(3)?,
                at: row.get(4)?,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    fn add_step(&mut self, game: &str, step: &StepRecord) -> Stored<()> {
        self.db
            .prepare_cached(
                "INSERT INTO step (game, number, side, act, hash, at) VALUES (?, ?, ?, ?, ?, ?)",
            )?
            .execute(params![
                game,
                step.number as i64,
                step.side,
                step.act,
                step.hash,
                step.at
            ])?;
        Ok(())
    }

    fn cut_steps(&mut self, game: &str, keep: usize) -> Stored<()> {
        self.db.execute(
            "DELETE FROM step WHERE game = ? AND number > ?",
            params![game, keep as i64],
        )?;
        Ok(())
    }

    fn add_note(&mut self, game: &str, note: &Note) -> Stored<()> {
        self.db.execute(
            "INSERT INTO note (game, person, private, text, at, side) VALUES (?, ?, ?, ?, ?, ?)",
            params![
                game,
                note.person,
                note.private,
                note.text,
                note.at,
                note.side.map(|side| side as i64)
            ],
        )?;
        Ok(())
    }

    fn notes(&mut self, game: &str) -> Stored<Vec<Note>> {
        let mut query = self.db.prepare_cached(
            "SELECT person, private, text, at, side FROM note WHERE game = ? ORDER BY rowid",
        )?;
        let rows = query.query_map([game], |row| {
            Ok(Note {
                person: row.get(0)?,
                private: row.get(1)?,
                text: row.get(2)?,
                at: row.get(3)?,
                side: row
                    .get::<_, Option<i64>>(4)?
                    .map(|side| usize::from(side != 0)),
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    fn waiting_since(&mut self, then: i64) -> Stored<Vec<GameRecord>> {
        let text = format!("{GAME} WHERE asked IS NOT NULL AND moved <= ?");
        let mut query = self.db.prepare_cached(&text)?;
        let rows = query.query_map([then], row)?;
        rows.map(|found| game(found?)).collect()
    }

    fn waiting_for_bots(&mut self) -> Stored<Vec<String>> {
        // Thousands of games that wait for people are not read for it; see `GameRecord::waits_for_bot`.
        let mut query = self.db.prepare_cached(
            "SELECT id FROM game WHERE asked IS NOT NULL \
             AND json_extract(meta, '$.seats[' || asked || '].bot') IS NOT NULL \
             AND coalesce(json_extract(meta, '$.paused'), 0) = 0",
        )?;
        let rows = query.query_map([], |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

/// Copies a store while others go on with it.
///
/// # Errors
/// If either file cannot be opened.
pub(crate) fn copy_file(from: &Path, to: &Path) -> Stored<()> {
    let source = Connection::open_with_flags(from, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let mut copy = Connection::open(to)?;
    let backup = rusqlite::backup::Backup::new(&source, &mut copy)?;
    backup.run_to_completion(1000, std::time::Duration::from_millis(5), None)?;
    Ok(())
}
