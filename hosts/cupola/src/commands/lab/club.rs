//! The club's own finished games beside those of the bots.

use crate::commands::serve;
use crate::keep::write_file;
use anyhow::Context as _;
use cupola_bots::Skill;
use cupola_data::Source;
use cupola_kernel::{Journal, Side};
use cupola_lab::model::Comparison;
use cupola_lab::{Contest, Record};
use std::collections::BTreeMap;
use std::path::Path;

/// What people have played of a contest.
pub struct ClubGames {
    /// The same rules and hours under a name of its own.
    pub contest: Contest,
    /// Their games.
    pub records: Vec<Record>,
    journals: Vec<Journal>,
    /// Game by game the bots that some of them played against, by side.
    bots: Vec<[Option<Skill>; 2]>,
}

impl ClubGames {
    /// Who plays each of these sides: people, and in how many games a bot.
    pub fn players(&self, sides: [Side; 2]) -> [String; 2] {
        let all = self.bots.len();
        sides.map(|side| {
            let mut games: BTreeMap<String, usize> = BTreeMap::new();
            for bot in self.bots.iter().filter_map(|bots| bots[side as usize]) {
                *games.entry(bot.to_string()).or_default() += 1;
            }
            let bots: Vec<String> = games
                .iter()
                .map(|(bot, games)| format!("{bot} in {games} of {all} games"))
                .collect();
            match games.values().sum::<usize>() {
                0 => "people".to_owned(),
                some if some == all => bots.join(", "),
                _ => format!("people, {}", bots.join(", ")),
            }
        })
    }
}

/// Finds the games of the contests among those of a club, and says what became of the others.
///
/// # Errors
/// If the club cannot be read.
pub fn read(
    from: Option<&str>,
    contests: &[Contest],
) -> anyhow::Result<(Vec<ClubGames>, Vec<String>)> {
    let mut found: Vec<ClubGames> = vec![];
    let mut notes = vec![];
    let (mut elsewhere, mut alone, mut lost) = (0, 0, vec![]);
    for (name, text) in texts(from)? {
        let journal = match Journal::read(&Source::new(name.clone(), text)) {
            Ok(journal) => journal,
            Err(why) => {
                lost.push(format!("{name}: {}", first_line(&why.to_string())));
                continue;
            }
        };
        let Some(contest) = contests.iter().find(|contest| contest.is_of(&journal)) else {
            elsewhere += 1;
            continue;
        };
        let bots = contest.bots_of(&journal);
        if bots.iter().all(Option::is_some) {
            alone += 1;
            continue;
        }
        let club = of_club(contest, &mut found);
        match contest.record_of(&journal, club.records.len() as u32) {
            Ok((record, journal)) => {
                club.records.push(record);
                club.journals.push(journal);
                club.bots.push(bots);
            }
            Err(why) => lost.push(format!("{name}: {}", first_line(&why))),
        }
    }
    found.retain(|club| !club.records.is_empty());
    let count: usize = found.iter().map(|club| club.records.len()).sum();
    notes.push(format!(
        "Of the club's finished games {count} are of these hours and rules and stand beside the bots'; {elsewhere} are of others."
    ));
    match alone {
        0 => {}
        1 => notes.push(
            "1 game of these hours and rules was played by bots alone and is left out.".into(),
        ),
        some => notes.push(format!(
            "{some} games of these hours and rules were played by bots alone and are left out."
        )),
    }
    notes.extend(
        lost.into_iter()
            .map(|why| format!("A game of the club is left out: {why}.")),
    );
    Ok((found, notes))
}

fn of_club<'a>(contest: &Contest, found: &'a mut Vec<ClubGames>) -> &'a mut ClubGames {
    let name = format!("{}-club", contest.name);
    let at = found.iter().position(|club| club.contest.name == name);
    let at = at.unwrap_or_else(|| {
        found.push(ClubGames {
            contest: Contest {
                title: format!("{}, as the club plays it", contest.title),
                name,
                ..contest.clone()
            },
            records: vec![],
            journals: vec![],
            bots: vec![],
        });
        found.len() - 1
    });
    &mut found[at]
}

fn first_line(text: &str) -> &str {
    text.lines()
        .next()
        .unwrap_or_default()
        .trim_end_matches('.')
}

/// Names and texts of journals: of a folder, or of a club's file or database.
fn texts(from: Option<&str>) -> anyhow::Result<Vec<(String, String)>> {
    let folder = from.map(Path::new).filter(|path| path.is_dir());
    let Some(folder) = folder else {
        let database = from.filter(|from| from.contains("://") || from.starts_with('@'));
        let file = from.filter(|_| database.is_none()).map(Into::into);
        let place = serve::place(file.as_ref(), database)?;
        return cupola_serve::journals(&place);
    };
    let mut all = vec![];
    let entries = folder
        .read_dir()
        .with_context(|| format!("{}: cannot be read", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if name.ends_with(".journal") || name.ends_with(".cupola") {
            all.push((name, Source::read(&path)?.text));
        }
    }
    all.sort();
    Ok(all)
}

/// Writes the journals of those games that the page cites.
///
/// # Errors
/// If a file cannot be written.
pub fn write_games(
    folder: &Path,
    club: &[ClubGames],
    comparison: &Comparison,
) -> anyhow::Result<()> {
    for own in club {
        let found = comparison
            .contests
            .iter()
            .find(|found| found.name == own.contest.name);
        for witness in found.into_iter().flat_map(|found| &found.witnesses) {
            if let Some(journal) = own.journals.get(witness.game as usize) {
                let file = format!("{}-{}.journal", own.contest.name, witness.game);
                write_file(&folder.join(file), journal.write().as_bytes())?;
            }
        }
    }
    Ok(())
}
