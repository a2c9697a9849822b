//! What is kept.

use crate::clock::now;
use serde::{Deserialize, Serialize};

/// Somebody of the club.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Person {
    pub id: String,
    pub name: String,
    /// May invite, retire and back up.
    pub keeper: bool,
    /// The links no longer work.
    pub retired: bool,
    /// Where turn notices go: an `https://` address that takes what chat services take.
    #[serde(default)]
    pub webhook: String,
    /// An address for turn notices by e-mail.
    #[serde(default)]
    pub email: String,
    /// The name by which the web server before the club knows this person, if it does.
    #[serde(default)]
    pub user: String,
}

impl Person {
    /// Somebody new.
    pub fn new(id: String, name: String) -> Person {
        Person {
            id,
            name,
            keeper: false,
            retired: false,
            webhook: String::new(),
            email: String::new(),
            user: String::new(),
        }
    }

    /// What stands among the hashes of links for somebody whom the web server knows: it cannot be one.
    pub fn user_link(user: &str) -> String {
        format!("user {user}")
    }
}

/// Who has a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Holder {
    /// Nobody yet.
    Open,
    /// A person, by id.
    Person(String),
    /// A bot, by its skill.
    Bot(String),
}

/// What a table allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Aids {
    /// Odds before a fight.
    pub odds: bool,
    /// What is lit, with costs.
    pub reach: bool,
    /// Lines of sight over the ground.
    #[serde(default = "yes")]
    pub sight: bool,
}

fn yes() -> bool {
    true
}

impl Default for Aids {
    fn default() -> Aids {
        Aids {
            odds: true,
            reach: true,
            sight: true,
        }
    }
}

/// Somebody who has formations of a side under its leader.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Commander {
    pub person: String,
    pub side: usize,
    /// Nodes of the army list.
    pub formations: Vec<String>,
}

/// An invitation to command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Call {
    /// The hashed secret.
    pub hash: String,
    pub side: usize,
    pub formations: Vec<String>,
}

/// What the seed follows from: shares in hexadecimal digits, secret until the game is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Shares {
    pub house: String,
    /// By the id of the side.
    pub sides: Vec<(String, String)>,
}

/// What a prototype follows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Follows {
    /// The files, as they were named.
    pub what: String,
    /// Why the choices that wait cannot be played under the rules in force.
    pub lost: Option<String>,
    /// Sides and choices from there on. They come back when the files allow them again, until somebody chooses otherwise.
    pub waiting: Vec<(String, String)>,
    /// How often it was played again under other rules.
    pub turned: u64,
}

/// What a game is, apart from its choices.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Meta {
    pub title: String,
    pub ruleset: String,
    pub scenario: String,
    pub variant: Option<String>,
    /// The journal before the first choice: rules, set-up and seed. It leaves the server only when the game is over.
    pub head: String,
    /// Whether the head brings the scenario or the position along: then nobody else knows it by its name.
    #[serde(default)]
    pub brought: bool,
    /// If it is a prototype.
    #[serde(default)]
    pub follows: Option<Follows>,
    /// If several have a hand in the seed.
    #[serde(default)]
    pub shares: Option<Shares>,
    /// The seats of the first and the second side.
    pub seats: [Holder; 2],
    /// Who set it up.
    pub by: String,
    #[serde(default)]
    pub aids: Aids,
    /// Whether people type in the dice that they roll.
    #[serde(default)]
    pub typed: bool,
    /// Whether others of the club may watch.
    pub watched: bool,
    /// Invitations to a seat: hashed secret and side.
    #[serde(default)]
    pub invitations: Vec<(String, usize)>,
    /// Those who share a side with its leader.
    #[serde(default)]
    pub commanders: Vec<Commander>,
    #[serde(default)]
    pub calls: Vec<Call>,
    /// Days a player may take over a turn; none for any pace.
    #[serde(default)]
    pub days: Option<u16>,
    /// Nobody's clock runs.
    #[serde(default)]
    pub paused: bool,
    /// Since when it is paused, and how many seconds it was since the last choice: they are on nobody's clock.
    #[serde(default)]
    pub paused_at: i64,
    #[serde(default)]
    pub held: i64,
    /// A take-back that one side has asked for: who, and back to which step.
    #[serde(default)]
    pub take_back: Option<(usize, usize)>,
    /// Who sees all and settles what is disputed; plays no side.
    #[serde(default)]
    pub umpire: Option<String>,
    /// The game this is a rematch of, or that is the rematch of this.
    #[serde(default)]
    pub rematch: Option<String>,
    /// When the last choice was made at which somebody was reminded of his turn.
    #[serde(default)]
    pub reminded: i64,
    pub made: i64,
}

impl Meta {
    /// A game that somebody sets up: of a ruleset and a scenario, with the journal before its first choice.
    pub fn new(
        [ruleset, scenario]: [String; 2],
        head: String,
        seats: [Holder; 2],
        by: &Person,
    ) -> Meta {
        Meta {
            title: String::new(),
            ruleset,
            scenario,
            variant: None,
            head,
            brought: false,
            follows: None,
            shares: None,
            seats,
            by: by.id.clone(),
            aids: Aids::default(),
            typed: false,
            watched: false,
            invitations: vec![],
            commanders: vec![],
            calls: vec![],
            days: None,
            paused: false,
            paused_at: 0,
            held: 0,
            take_back: None,
            umpire: None,
            rematch: None,
            reminded: 0,
            made: now(),
        }
    }

    /// Somebody has chosen or taken back: what was asked before that is settled.
    pub fn go_on(&mut self) {
        self.take_back = None;
        if let Some(follows) = &mut self.follows {
            follows.waiting.clear();
            follows.lost = None;
        }
    }

    /// Whether this person has a seat or shares one.
    pub fn plays(&self, person: &str) -> bool {
        self.serves(person, 0) || self.serves(person, 1)
    }

    /// Whether this person has the seat of a side.
    pub fn leads(&self, person: &str, side: usize) -> bool {
        matches!(&self.seats[side], Holder::Person(id) if id == person)
    }

    /// Whether this person has the seat of a side or shares it.
    pub fn serves(&self, person: &str, side: usize) -> bool {
        let mut all = self.commanders.iter();
        self.leads(person, side) || all.any(|one| one.side == side && one.person == person)
    }

    /// Whether this person is the umpire.
    pub fn is_umpire(&self, person: &str) -> bool {
        self.umpire.as_deref() == Some(person)
    }
}

/// A part of the lobby. The stores know which by the same rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    /// It goes on.
    Running,
    /// It goes on, and somebody may sit down.
    Open,
    /// It is over.
    Over,
}

impl Part {
    /// Those that the lobby shows page by page.
    pub const ALL: [Part; 3] = [Part::Open, Part::Running, Part::Over];

    /// Its name for the page.
    pub fn name(self) -> &'static str {
        match self {
            Part::Running => "running",
            Part::Open => "open",
            Part::Over => "over",
        }
    }

    /// The part of this name.
    pub fn named(name: &str) -> Option<Part> {
        Part::ALL.into_iter().find(|part| part.name() == name)
    }
}

/// A game in the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GameRecord {
    pub id: String,
    pub meta: Meta,
    /// How many choices were taken back so far; keeps plies from coming twice.
    pub undone: u64,
    /// How it ended, in words; empty while it is played.
    pub verdict: String,
    /// Whose turn it is, 0 or 1; nobody's when it is over.
    pub asked: Option<usize>,
    /// The turn as printed.
    pub turn: String,
    /// When the last choice was made.
    pub moved: i64,
    /// Counts the changes of this record: who changes it names the one that he read.
    pub version: i64,
}

impl GameRecord {
    /// When whoever must choose has to have chosen; none at any pace or in a pause.
    pub fn due(&self) -> Option<i64> {
        let days = self.meta.days.filter(|_| !self.meta.paused)?;
        self.asked?;
        Some(self.moved + i64::from(days) * 86_400 + self.meta.held)
    }

    /// Whether it is time to tell whoever must choose once more: after so many hours on his clock, once a turn.
    pub fn to_be_reminded(&self, hours: u16, now: i64) -> bool {
        let waited = now - self.moved - self.meta.held;
        let person = self.asked.map(|side| &self.meta.seats[side]);
        matches!(person, Some(Holder::Person(_)))
            && !self.meta.paused
            && self.meta.reminded != self.moved
            && waited >= i64::from(hours) * 3600
    }

    /// Whether a bot must choose.
    pub fn waits_for_bot(&self) -> bool {
        let asked = self.asked.map(|side| &self.meta.seats[side]);
        !self.meta.paused && matches!(asked, Some(Holder::Bot(_)))
    }
}

/// A link in the store: its hash, whom it stands for, and whether it works once.
pub(crate) type LinkRecord = (String, String, bool);

/// A choice in the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StepRecord {
    /// From one.
    pub number: usize,
    pub side: String,
    pub act: String,
    pub hash: String,
    pub at: i64,
}

/// Something that somebody said or wrote down.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Note {
    pub person: String,
    /// For oneself alone.
    pub private: bool,
    /// For the people of one side alone.
    pub side: Option<usize>,
    pub text: String,
    pub at: i64,
}

impl Note {
    /// What the club itself has to say.
    pub fn of_the_club(text: String) -> Note {
        Note {
            person: String::new(),
            private: false,
            side: None,
            text,
            at: now(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waiting() -> GameRecord {
        let person = || Holder::Person("ada".into());
        GameRecord {
            id: "game".into(),
            meta: Meta::new(
                [String::new(), String::new()],
                String::new(),
                [person(), Holder::Bot("steady".into())],
                &Person::new("ada".into(), "Ada".into()),
            ),
            undone: 0,
            verdict: String::new(),
            asked: Some(0),
            turn: String::new(),
            moved: 1_000_000,
            version: 0,
        }
    }

    #[test]
    fn somebody_is_reminded_once_a_turn_and_not_of_a_pause() {
        let late = 1_000_000 + 24 * 3600;
        assert!(!waiting().to_be_reminded(24, late - 1));
        assert!(waiting().to_be_reminded(24, late));
        let with = |change: fn(&mut GameRecord)| {
            let mut record = waiting();
            change(&mut record);
            record.to_be_reminded(24, late)
        };
        assert!(!with(|record| record.meta.reminded = record.moved));
        assert!(with(|record| record.meta.reminded = record.moved - 5));
        assert!(!with(|record| record.asked = Some(1)), "a bot");
        assert!(!with(|record| record.asked = None), "the game is over");
        assert!(!with(|record| record.meta.paused = true));
        assert!(
            !with(|record| record.meta.held = 3600),
            "an hour was paused"
        );
    }
}
