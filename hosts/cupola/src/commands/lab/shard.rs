//! A shard: every N-th game of a run, for machines that share nothing but a folder, or not even that.

/// Part K of N.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    k: u32,
    n: u32,
}

impl Default for Shard {
    /// All games.
    fn default() -> Shard {
        Shard { k: 1, n: 1 }
    }
}

impl Shard {
    /// Reads `3/16`.
    ///
    /// # Errors
    /// If it is not that.
    pub fn parse(text: &str) -> Result<Shard, String> {
        let pair = text
            .split_once('/')
            .and_then(|(k, n)| Some((k.parse::<u32>().ok()?, n.parse::<u32>().ok()?)));
        match pair {
            Some((k, n)) if (1..=n).contains(&k) && n <= 100_000 => Ok(Shard { k, n }),
            _ => Err("expected K/N with K from 1 to N, such as 3/16".to_owned()),
        }
    }

    /// The numbers of its games.
    pub fn of(self, games: u32) -> impl Iterator<Item = u32> {
        (self.k - 1..games).step_by(self.n as usize)
    }

    /// The file of a contest's records.
    pub fn file(self, contest: &str) -> String {
        match self.n {
            1 => format!("{contest}.games"),
            n => format!("{contest}.{}-of-{n}.games", self.k),
        }
    }

    /// The file into which a shard's file is merged; none if it is no file of games.
    pub fn merged(file: &str) -> Option<String> {
        let name = file.strip_suffix(".games")?;
        let part = name.rsplit_once('.').filter(|(_, part)| {
            let pair = part.split_once("-of-");
            pair.is_some_and(|(k, n)| k.parse::<u32>().is_ok() && n.parse::<u32>().is_ok())
        });
        Some(format!("{}.games", part.map_or(name, |(name, _)| name)))
    }
}

#[cfg(test)]
mod tests {
    use super::Shard;

    #[test]
    fn shards_cover_every_game_once() {
        for (games, n) in [(0, 3), (7, 3), (3, 7), (16, 16)] {
            let shards = (1..=n).map(|k| Shard::parse(&format!("{k}/{n}")).expect("a shard"));
            let mut all: Vec<u32> = shards.flat_map(|shard| shard.of(games)).collect();
            all.sort_unstable();
            assert_eq!(all, (0..games).collect::<Vec<_>>());
        }
        for wrong in ["", "0/3", "4/3", "1/0", "a/b", "1", "-1/2"] {
            assert!(Shard::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn files_of_shards_are_known_by_their_names() {
        let shard = Shard::parse("2/16").expect("a shard");
        assert_eq!(shard.file("corps20"), "corps20.2-of-16.games");
        let merged = |file| Shard::merged(file);
        assert_eq!(
            merged("corps20.2-of-16.games").as_deref(),
            Some("corps20.games")
        );
        assert_eq!(merged("a.b.games").as_deref(), Some("a.b.games"));
        assert_eq!(merged("corps20.csv"), None);
    }
}
