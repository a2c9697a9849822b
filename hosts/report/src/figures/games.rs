//! The games that the page cites: their seeds, and how to open them.

use super::onegame::told;
use crate::view::{Section, View, anchor, swatch};
use crate::words::{count, escape};
use cupola_lab::model::Witness;

/// The section.
pub fn section(view: View) -> Section {
    let games = games(view);
    Section {
        id: "games",
        title: "The games that were cited",
        claim: format!(
            "{} games bear out what is said above; each opens with its command, from the folder this page lies in.",
            count(games.len() as f64)
        ),
        figure: table(view, &games),
        reading: "A game follows from its seed and the rules: the journal holds every choice, and cupola replay plays it again, step by step, \
                  and checks every hash on the way."
            .into(),
        ..Section::default()
    }
}

/// A game, which ruleset it is of, and all that it shows.
struct Cited<'a> {
    ruleset: usize,
    witness: &'a Witness,
    shows: Vec<&'a str>,
}

/// Every game that is cited once, by contest and number.
fn games<'a>(view: View<'a>) -> Vec<Cited<'a>> {
    let mut games: Vec<Cited> = vec![];
    for (ruleset, found) in view.contests().iter().enumerate() {
        for witness in &found.witnesses {
            let same = |known: &&mut Cited| {
                known.witness.contest == witness.contest && known.witness.game == witness.game
            };
            match games.iter_mut().find(same) {
                Some(known) => known.shows.push(&witness.shows),
                None => games.push(Cited {
                    ruleset,
                    witness,
                    shows: vec![&witness.shows],
                }),
            }
        }
    }
    games.sort_by_key(|cited| (cited.ruleset, &cited.witness.contest, cited.witness.game));
    games
}

/// What happened in a game, to be unfolded; nothing where that is not told.
fn story(view: View, ruleset: usize, witness: &Witness) -> String {
    let found = view.contests().get(ruleset);
    let found = found.filter(|found| found.name == witness.contest);
    let story = found.and_then(|found| found.stories.iter().find(|s| s.game == witness.game));
    story.map_or_else(String::new, |story| {
        let told = told(view, &story.told);
        format!("<details class=\"happened\"><summary>What happened</summary>{told}</details>")
    })
}

fn table(view: View, games: &[Cited]) -> String {
    let mut rows = String::new();
    for Cited {
        ruleset,
        witness,
        shows,
    } in games
    {
        let story = story(view, *ruleset, witness);
        rows += &format!(
            "<li id=\"{}\">{}<b>{} {}</b> {} <span class=\"seed\">seed {}</span><span class=\"copy\"><code>cupola replay games/{}-{}.journal</code></span>{story}</li>",
            escape(&anchor(witness)),
            swatch(*ruleset),
            escape(&witness.contest),
            witness.game,
            escape(&shows.join("; ")),
            escape(&witness.seed),
            escape(&witness.contest),
            witness.game,
        );
    }
    format!("<ul class=\"games\">{rows}</ul>")
}
