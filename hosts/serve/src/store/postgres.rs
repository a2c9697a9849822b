//! The club in a PostgreSQL database, which several programs may share.
//!
//! Every change of a game names the version that it follows; the database decides which of two came first. Whoever
//! else has the game in memory is told by a notification, and the games in which a bot must choose are claimed by an
//! advisory lock, which the database lets go when its holder dies.

use super::{
    GameRecord, KEPT, LinkRecord, Note, Page, Person, Shelf, StepRecord, StoreError, Stored, naming,
};
use cupola_database::{Database, why};
use postgres::fallible_iterator::FallibleIterator as _;
use postgres::types::ToSql;
use postgres::{Client, Row};
use std::time::{Duration, Instant};

/// A database with everything in it, over one connection that is made again when it breaks.
pub(crate) struct Postgres {
    database: Database,
    client: Client,
    /// A name of this program among those that share the database.
    me: String,
}

/// What games are told on.
const CHANNEL: &str = "cupola_club";
/// Keeps our locks apart from those of others, the lab's queue included.
const LOCKS: i32 = 0x0063_6c75;

const TABLES: &str = "
    create table if not exists club_person (id text primary key, about text not null);
    create table if not exists club_link (hash text primary key, person text not null, once boolean not null);
    create table if not exists club_game (
        id text primary key, meta text not null, undone bigint not null, verdict text not null, asked smallint,
        turn text not null, moved bigint not null, version bigint not null, bot boolean not null);
    create index if not exists club_game_bot on club_game (id) where bot;
    create table if not exists club_step (
        game text not null, number bigint not null, side text not null, act text not null, hash text not null,
        at bigint not null, primary key (game, number));
    create table if not exists club_note (
        number bigserial primary key, game text not null, person text not null, private boolean not null,
        text text not null, at bigint not null, side smallint);
    alter table club_note add column if not exists side smallint;
    create index if not exists club_note_game on club_note (game);
    create table if not exists club_state (
        game text not null, step bigint not null, state bytea not null, primary key (game, step));
";

/// The part of the lobby to which a game belongs, as the number of its [`super::Part`].
const PART: &str = "case when verdict <> '' then 2 \
    when meta::jsonb->'seats'->>0 = 'open' or meta::jsonb->'seats'->>1 = 'open' then 1 else 0 end";

const GAME: &str = "select id, meta, undone, verdict, asked, turn, moved, version from club_game";

impl From<postgres::Error> for StoreError {
    fn from(error: postgres::Error) -> StoreError {
        StoreError::Failed(match error.as_db_error() {
            Some(_) => format!("the database says: {}", why(&error)),
            None => format!("the database cannot be reached: {}", why(&error)),
        })
    }
}

impl Postgres {
    /// Connects, and makes the tables if there are none.
    ///
    /// # Errors
    /// If the server cannot be reached or refuses.
    pub fn open(database: &Database, me: &str) -> Stored<Postgres> {
        let mut client = database.connect()?;
        // Two who come first at the same moment must not trip over each other.
        let mut step = client.transaction()?;
        step.execute("select pg_advisory_xact_lock(1864)", &[])?;
        step.batch_execute(TABLES)?;
        // However many games are over, the lobby reads a page of them.
        step.batch_execute(&format!(
            "create index if not exists club_game_part on club_game (({PART}), moved, id)"
        ))?;
        step.commit()?;
        Ok(Postgres {
            database: database.clone(),
            client,
            me: me.to_owned(),
        })
    }

    fn tell(&mut self, game: &str) -> Stored<()> {
        let text = format!("{} {game}", self.me);
        self.client
            .execute("select pg_notify($1, $2)", &[&CHANNEL, &text])?;
        Ok(())
    }
}

fn person(row: &Row) -> Stored<Person> {
    Ok(serde_json::from_str(row.get(0))?)
}

fn game(row: &Row) -> Stored<GameRecord> {
    Ok(GameRecord {
        id: row.get(0),
        meta: serde_json::from_str(row.get(1))?,
        undone: row.get::<_, i64>(2).unsigned_abs(),
        verdict: row.get(3),
        asked: row
            .get::<_, Option<i16>>(4)
            .map(|side| usize::from(side != 0)),
        turn: row.get(5),
        moved: row.get(6),
        version: row.get(7),
    })
}

fn number(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

impl Shelf for Postgres {
    fn begin(&mut self) -> Stored<()> {
        if self.client.batch_execute("begin").is_ok() {
            return Ok(());
        }
        // The server was started anew, or the line broke.
        self.client = self.database.connect()?;
        Ok(self.client.batch_execute("begin")?)
    }

    fn commit(&mut self) -> Stored<()> {
        match self.client.batch_execute("commit") {
            Ok(()) => Ok(()),
            Err(error) if error.as_db_error().is_some() => Err(error.into()),
            // The line broke on the way: the server may have done it or not.
            Err(error) => Err(StoreError::Unsure(why(&error))),
        }
    }

    fn roll_back(&mut self) {
        // If this fails too, the next `begin` connects anew.
        let _ = self.client.batch_execute("rollback");
    }

    fn mark(&mut self) -> Stored<()> {
        Ok(self.client.batch_execute("savepoint one")?)
    }

    fn back_to_mark(&mut self) -> Stored<()> {
        Ok(self.client.batch_execute("rollback to savepoint one")?)
    }

    fn add_person(&mut self, person: &Person) -> Stored<()> {
        let about = serde_json::to_string(person)?;
        self.client.execute(
            "insert into club_person (id, about) values ($1, $2)",
            &[&person.id, &about],
        )?;
        Ok(())
    }

    fn person(&mut self, id: &str) -> Stored<Option<Person>> {
        let found = self
            .client
            .query_opt("select about from club_person where id = $1", &[&id])?;
        found.as_ref().map(person).transpose()
    }

    fn people(&mut self) -> Stored<Vec<Person>> {
        let rows = self.client.query("select about from club_person", &[])?;
        rows.iter().map(person).collect()
    }

    fn change_person(&mut self, person: &Person) -> Stored<()> {
        let about = serde_json::to_string(person)?;
        self.client.execute(
            "update club_person set about = $1 where id = $2",
            &[&about, &person.id],
        )?;
        Ok(())
    }

    fn add_link(&mut self, hash: &str, person: &str, once: bool) -> Stored<()> {
        self.client.execute(
            "insert into club_link (hash, person, once) values ($1, $2, $3)",
            &[&hash, &person, &once],
        )?;
        Ok(())
    }

    fn link(&mut self, hash: &str) -> Stored<Option<(String, bool)>> {
        let found = self.client.query_opt(
            "select person, once from club_link where hash = $1",
            &[&hash],
        )?;
        Ok(found.map(|row| (row.get(0), row.get(1))))
    }

    fn links(&mut self) -> Stored<Vec<LinkRecord>> {
        let rows = self
            .client
            .query("select hash, person, once from club_link", &[])?;
        let link = |row: &Row| (row.get(0), row.get(1), row.get(2));
        Ok(rows.iter().map(link).collect())
    }

    fn drop_link(&mut self, hash: &str) -> Stored<()> {
        self.client
            .execute("delete from club_link where hash = $1", &[&hash])?;
        Ok(())
    }

    fn drop_links_of(&mut self, person: &str) -> Stored<()> {
        self.client
            .execute("delete from club_link where person = $1", &[&person])?;
        Ok(())
    }

    fn add_game(&mut self, game: &GameRecord) -> Stored<()> {
        self.client.execute(
            "insert into club_game (id, meta, undone, verdict, asked, turn, moved, version, bot) \
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
            &[
                &game.id,
                &serde_json::to_string(&game.meta)?,
                &number(game.undone),
                &game.verdict,
                &game.asked.map(|side| side as i16),
                &game.turn,
                &game.moved,
                &game.version,
                &game.waits_for_bot(),
            ],
        )?;
        Ok(())
    }

    fn game(&mut self, id: &str) -> Stored<Option<GameRecord>> {
        let found = self
            .client
            .query_opt(&format!("{GAME} where id = $1"), &[&id])?;
        found.as_ref().map(game).transpose()
    }

    fn games(&mut self) -> Stored<Vec<GameRecord>> {
        let rows = self
            .client
            .query(&format!("{GAME} order by moved desc"), &[])?;
        rows.iter().map(game).collect()
    }

    fn games_of(&mut self, person: &str, most: usize) -> Stored<Vec<GameRecord>> {
        let text = format!(
            "{GAME} where ({PART}) in (0, 1) and meta like $1 order by moved desc limit $2"
        );
        let rows = self
            .client
            .query(&text, &[&naming(person), &(most as i64)])?;
        rows.iter().map(game).collect()
    }

    fn page(&mut self, page: &Page) -> Stored<Vec<GameRecord>> {
        let text = format!(
            "{GAME} where ({PART}) = $1 and (moved, id) < ($2, $3) and meta like $4 \
             order by moved desc, id desc limit $5"
        );
        let (moved, id) = page.before();
        let (part, most) = (page.part as i32, page.most as i64);
        let wanted: [&(dyn ToSql + Sync); 5] = [&part, &moved, &id, &page.pattern(), &most];
        let rows = self.client.query(&text, &wanted)?;
        rows.iter().map(game).collect()
    }

    fn change_game(&mut self, game: &GameRecord) -> Stored<()> {
        let changed = self.client.execute(
            "update club_game set meta = $1, undone = $2, verdict = $3, asked = $4, turn = $5, moved = $6, \
             bot = $7, version = version + 1 where id = $8 and version = $9",
            &[
                &serde_json::to_string(&game.meta)?,
                &number(game.undone),
                &game.verdict,
                &game.asked.map(|side| side as i16),
                &game.turn,
                &game.moved,
                &game.waits_for_bot(),
                &game.id,
                &game.version,
            ],
        )?;
        if changed == 0 {
            return Err(StoreError::Overtaken);
        }
        self.tell(&game.id)
    }

    fn steps(&mut self, game: &str, after: usize) -> Stored<Vec<StepRecord>> {
        let rows = self.client.query(
            "select number, side, act, hash, at from club_step where game = $1 and number > $2 order by number",
            &[&game, &(after as i64)],
        )?;
        let step = |row: &Row| StepRecord {
            number: usize::try_from(row.get::<_, i64>(0)).unwrap_or_default(),
            side: row.get(1),
            act: row.get(2),
            hash: row.get(3),
            at: row.get(4),
        };
        Ok(rows.iter().map(step).collect())
    }

    fn add_step(&mut self, game: &str, step: &StepRecord) -> Stored<()> {
        self.client.execute(
            "insert into club_step (game, number, side, act, hash, at) values ($1, $2, $3, $4, $5, $6)",
            &[
                &game,
                &(step.number as i64),
                &step.side,
                &step.act,
                &step.hash,
                &step.at,
            ],
        )?;
        Ok(())
    }

    fn cut_steps(&mut self, game: &str, keep: usize) -> Stored<()> {
        self.client.execute(
            "delete from club_step where game = $1 and number > $2",
            &[&game, &(keep as i64)],
        )?;
        self.client.execute(
            "delete from club_state where game = $1 and step > $2",
            &[&game, &(keep as i64)],
        )?;
        Ok(())
    }

    fn keep_state(&mut self, game: &str, step: usize, state: &[u8]) -> Stored<()> {
        self.client.execute(
            "insert into club_state (game, step, state) values ($1, $2, $3) \
             on conflict (game, step) do update set state = excluded.state",
            &[&game, &(step as i64), &state],
        )?;
        let older = format!(
            "delete from club_state where game = $1 and step not in \
             (select step from club_state where game = $1 order by step desc limit {KEPT})"
        );
        self.client.execute(&older, &[&game])?;
        Ok(())
    }

    fn state(&mut self, game: &str, until: usize) -> Stored<Option<(usize, Vec<u8>)>> {
        let found = self.client.query_opt(
            "select step, state from club_state where game = $1 and step <= $2 order by step desc limit 1",
            &[&game, &(until as i64)],
        )?;
        Ok(found.map(|row| {
            let step = row.get::<_, i64>(0);
            (usize::try_from(step).unwrap_or_default(), row.get(1))
        }))
    }

    fn add_note(&mut self, game: &str, note: &Note) -> Stored<()> {
        self.client.execute(
            "insert into club_note (game, person, private, text, at, side) values ($1, $2, $3, $4, $5, $6)",
            &[
                &game,
                &note.person,
                &note.private,
                &note.text,
                &note.at,
                &note.side.map(|side| side as i16),
            ],
        )?;
        self.tell(game)
    }

    fn notes(&mut self, game: &str) -> Stored<Vec<Note>> {
        let rows = self.client.query(
            "select person, private, text, at, side from club_note where game = $1 order by number",
            &[&game],
        )?;
        let note = |row: &Row| Note {
            person: row.get(0),
            private: row.get(1),
            text: row.get(2),
            at: row.get(3),
            side: row
                .get::<_, Option<i16>>(4)
                .map(|side| usize::from(side != 0)),
        };
        Ok(rows.iter().map(note).collect())
    }

    fn claim(&mut self, game: &str) -> Stored<bool> {
        let row = self.client.query_one(
            "select pg_try_advisory_lock($1, hashtext($2))",
            &[&LOCKS, &game],
        )?;
        Ok(row.get(0))
    }

    fn release(&mut self, game: &str) -> Stored<()> {
        self.client.execute(
            "select pg_advisory_unlock($1, hashtext($2))",
            &[&LOCKS, &game],
        )?;
        Ok(())
    }

    fn waiting_since(&mut self, then: i64) -> Stored<Vec<GameRecord>> {
        let text = format!("{GAME} where asked is not null and moved <= $1");
        let rows = self.client.query(&text, &[&then])?;
        rows.iter().map(game).collect()
    }

    fn waiting_for_bots(&mut self) -> Stored<Vec<String>> {
        let rows = self
            .client
            .query("select id from club_game where bot", &[])?;
        Ok(rows.iter().map(|row| row.get(0)).collect())
    }
}

/// What one program hears of the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum News {
    /// Another has changed a game.
    Game(String),
    /// The line was made anew: anything may have been missed.
    Missed,
    /// Some time has passed.
    Quiet,
}

/// A pause in which nothing was heard: then it is looked whether games were left behind.
const QUIET: Duration = Duration::from_secs(1);
/// Before a broken line is made again.
const AGAIN: Duration = Duration::from_millis(500);

/// Hears what the others change until nobody wants to know; in a thread of its own.
pub(crate) fn listen(database: &Database, me: &str, mut told: impl FnMut(News) -> bool) {
    loop {
        // While the server is away, whoever chooses is told so by the store.
        let _ = hear(database, me, &mut told);
        if !told(News::Quiet) {
            return;
        }
        std::thread::sleep(AGAIN);
    }
}

fn hear(
    database: &Database,
    me: &str,
    told: &mut impl FnMut(News) -> bool,
) -> Result<(), postgres::Error> {
    let mut client = database.connect()?;
    client.batch_execute(&format!("listen {CHANNEL}"))?;
    if !told(News::Missed) {
        return Ok(());
    }
    loop {
        if !told(News::Quiet) {
            return Ok(());
        }
        let since = Instant::now();
        let mut lines = client.notifications();
        let mut heard = lines.timeout_iter(QUIET);
        // In a busy club it is never quiet, and games may be left behind all the same.
        while since.elapsed() < QUIET
            && let Some(line) = heard.next()?
        {
            let news = match line.payload().split_once(' ') {
                Some((who, game)) if who != me => News::Game(game.to_owned()),
                _ => continue,
            };
            if !told(news) {
                return Ok(());
            }
        }
        drop(heard);
        drop(lines);
        // Nothing is heard of a line that broke while it was quiet.
        client.is_valid(AGAIN)?;
    }
}
