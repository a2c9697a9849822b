//! The journal is the game: rules, set-up, seed and choices, with a hash at every step.
//!
//! A journal is a text that people can read and compare line by line:
//!
//! ```text
//! cupola journal 2
//! ruleset corps20
//! scenario gettysburg
//! seed 00000000000000000000000000001863
//! seats cs=human us=steady
//! variant 0
//! position 0
//! rules 2
//! 5c2f… crt=1a2b3c4d,rain=99ab01cd tables.ron
//! 77de… - code of cupola-kernel
//! pledges 0
//! 0 9a41…
//! 1 cs b0c7… move heth 19.04
//! shares 0
//! end 1 e3b0…
//! ```
//!
//! Nothing in it names a file to be read: a variant and a position stand in it word for word, and so does a scenario that lies
//! in no data folder (`text 12` and its lines, below its name). The hash of step 0
//! covers everything above it and the state in which the game starts; the hash of every other step is that of
//! the state it leads to; dice that a club typed in, since they fell on a real table, stand before the choice they were
//! rolled for (`1 cs b0c7… [4,2] attack heth`); the last line has the hash of all lines above it. So nothing can be altered, added
//! or cut without its being seen. Whoever makes all hashes anew has made another journal: what he cannot make
//! is one whose pledges ([`crate::pledge`]) are those that were shown before the game.

mod read;

use crate::dice::Seed;
use crate::hash::{StateHash, digest};
use crate::identity::Identity;
use crate::play::Play;
use crate::pledge::Draw;
use cupola_data::{Problems, Source};
use read::Reader;
use std::fmt::Write as _;

/// The first line of every journal; the number is the format's version.
const MAGIC: &str = "cupola journal 2";

/// The block with the scenario's own text, which most journals do not have.
const TEXT: &str = "text";

/// A game as it was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Journal {
    /// The ruleset's name.
    pub ruleset: String,
    /// The scenario's name.
    pub scenario: String,
    /// The text of the scenario's file, if it lies in no data folder.
    pub scenario_text: Option<String>,
    /// The seed.
    pub seed: Seed,
    /// Who sat where: a side's id and a player's name, in words of the host.
    pub seats: Vec<(String, String)>,
    /// The text of the variant, if one was played.
    pub variant: Option<String>,
    /// The text of the position file it started from, if any.
    pub position: Option<String>,
    /// The rules it was played by.
    pub rules: Identity,
    /// How the seed was drawn, if several had a hand in it.
    pub draw: Option<Draw>,
    /// The hash of all this and of the state before the first choice.
    pub start: StateHash,
    /// The choices.
    pub steps: Vec<Entry>,
}

/// One choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Who chose, by the side's id.
    pub side: String,
    /// The dice that were typed in, if they fell on somebody's table; none if they follow from the seed.
    pub dice: Vec<u16>,
    /// The option's id.
    pub act: String,
    /// The hash of the state it led to.
    pub hash: StateHash,
}

impl Entry {
    /// A choice as a journal has it: the option's id, behind the dice that were typed in, `[4,2] attack …`.
    ///
    /// # Errors
    /// If the dice are no list of numbers.
    pub fn read(side: &str, text: &str, hash: StateHash) -> Result<Entry, &'static str> {
        let (dice, act) = match text.strip_prefix('[') {
            None => (vec![], text),
            Some(typed) => {
                let wrong = "expected typed dice such as \"[4,2] \" before the choice";
                let (list, act) = typed.split_once("] ").ok_or(wrong)?;
                let dice: Result<_, _> = list.split(',').map(str::parse).collect();
                (dice.map_err(|_| wrong)?, act)
            }
        };
        Ok(Entry {
            side: side.to_owned(),
            dice,
            act: act.to_owned(),
            hash,
        })
    }

    /// The choice as [`Entry::read`] reads it.
    #[must_use]
    pub fn text(&self) -> String {
        let dice: Vec<String> = self.dice.iter().map(ToString::to_string).collect();
        match dice.is_empty() {
            true => self.act.clone(),
            false => format!("[{}] {}", dice.join(","), self.act),
        }
    }
}

impl Journal {
    /// A journal without choices. Variant and position are their texts, not their files; a play that starts from a
    /// position brings it along.
    #[must_use]
    pub fn new(
        play: &Play,
        ruleset: &str,
        variant: Option<String>,
        seed: Seed,
        position: Option<String>,
    ) -> Journal {
        let plain = |text: String| text.lines().collect::<Vec<_>>().join("\n");
        let filled = |text: &String| !text.is_empty();
        Journal {
            ruleset: ruleset.to_owned(),
            scenario: play.scenario().to_owned(),
            scenario_text: play
                .scenario_text()
                .map(|text| plain(text.to_owned()))
                .filter(filled),
            seed,
            seats: vec![],
            variant: variant.map(plain).filter(filled),
            position: position
                .or_else(|| play.position().map(str::to_owned))
                .map(plain)
                .filter(filled),
            rules: play.identity().clone(),
            draw: None,
            start: StateHash(0),
            steps: vec![],
        }
    }

    /// What the rules came to.
    #[must_use]
    pub fn resolved(&self) -> StateHash {
        self.rules.hash()
    }

    /// The hash of the journal's head and of the state in which the game starts.
    #[must_use]
    pub fn bind(&self, state: StateHash) -> StateHash {
        digest(format!("{}{state}", self.head()).as_bytes())
    }

    /// All that stands above the first step.
    fn head(&self) -> String {
        let seats = self.seats.iter();
        let seats: Vec<String> = seats
            .map(|(side, who)| format!("{side}={}", who.replace(char::is_whitespace, "_")))
            .collect();
        let seats = if seats.is_empty() {
            "-".to_owned()
        } else {
            seats.join(" ")
        };
        let mut out = format!(
            "{MAGIC}\nruleset {}\nscenario {}\n",
            self.ruleset, self.scenario
        );
        let lines = |text: &Option<String>| {
            let lines = text.as_deref().unwrap_or_default().lines();
            lines.map(str::to_owned).collect()
        };
        if self.scenario_text.is_some() {
            block(&mut out, TEXT, lines(&self.scenario_text));
        }
        out += &format!("seed {}\nseats {seats}\n", self.seed);
        block(&mut out, "variant", lines(&self.variant));
        block(&mut out, "position", lines(&self.position));
        block(&mut out, "rules", self.rules.lines().collect());
        let pledges = self.draw.iter().flat_map(Draw::pledges);
        let pledges = pledges.map(|(who, pledge)| format!("{who} {pledge}"));
        block(&mut out, "pledges", pledges.collect());
        out
    }

    /// The line of the text on which the start stands; step `n` is `n` lines below.
    pub(crate) fn first_step_line(&self) -> usize {
        self.head().lines().count() + 1
    }

    /// As text.
    #[must_use]
    pub fn write(&self) -> String {
        let mut out = self.head();
        // Writing to a String cannot fail.
        let _ = writeln!(out, "0 {}", self.start);
        for (i, step) in self.steps.iter().enumerate() {
            let _ = writeln!(out, "{} {} {} {}", i + 1, step.side, step.hash, step.text());
        }
        let shares = self.draw.iter().flat_map(Draw::shares);
        let shares = shares.map(|(who, share)| format!("{who} {share}"));
        block(&mut out, "shares", shares.collect());
        let seal = digest(out.as_bytes());
        let _ = writeln!(out, "end {} {seal}", self.steps.len());
        out
    }

    /// Reads a journal.
    ///
    /// # Errors
    /// The first line that is not as it should be. A journal that was altered anywhere, that goes on behind its
    /// last line or ends before it is refused whole.
    pub fn read(file: &Source) -> Result<Journal, Problems> {
        Reader::new(file).journal().map_err(Problems::from)
    }
}

/// Lines with their number before them.
fn block(out: &mut String, name: &str, lines: Vec<String>) {
    // Writing to a String cannot fail.
    let _ = writeln!(out, "{name} {}", lines.len());
    for line in lines {
        let _ = writeln!(out, "{line}");
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::pledge::Share;

    fn journal() -> Journal {
        let step = |act: &str| Entry {
            side: "cs".into(),
            dice: if act == "done" { vec![4, 10] } else { vec![] },
            act: act.into(),
            hash: StateHash(act.len() as u128),
        };
        let mut rules = Identity::default();
        rules.text("tables.ron", "(crt: 1)");
        rules.code(crate::identity::CODE);
        let (blue, house) = (Share([1; 32]), Share([2; 32]));
        let mut draw = Draw::among(["us", "house"]);
        draw.pledge("us", blue.pledge("us")).unwrap();
        draw.pledge("house", house.pledge("house")).unwrap();
        draw.reveal("us", blue).unwrap();
        draw.reveal("house", house).unwrap();
        let mut journal = Journal {
            ruleset: "corps20".into(),
            scenario: "gettysburg".into(),
            scenario_text: None,
            seed: Seed(1863),
            seats: vec![
                ("cs".into(), "human".into()),
                ("us".into(), "search:9".into()),
            ],
            variant: Some("(\n  base: \"corps20\",\n)".into()),
            position: Some("(\n  turn: \"July 1\",\n)".into()),
            rules,
            draw: Some(draw),
            start: StateHash(9),
            steps: vec![step("unit heth"), step("move heth 19.04"), step("done")],
        };
        journal.start = journal.bind(StateHash(9));
        journal
    }

    fn read(text: &str) -> Result<Journal, String> {
        Journal::read(&Source::new("game.cupola", text)).map_err(|p| p.to_string())
    }

    #[test]
    fn what_is_written_is_read_back() {
        assert_eq!(read(&journal().write()), Ok(journal()));
        let brought = Journal {
            scenario_text: Some("(\n  title: \"seed 1\",\n)".into()),
            ..journal()
        };
        assert_eq!(read(&brought.write()), Ok(brought));
        let plain = Journal {
            seats: vec![],
            variant: None,
            position: None,
            draw: None,
            rules: Identity::default(),
            steps: vec![],
            ..journal()
        };
        assert_eq!(read(&plain.write()), Ok(plain));
        // Line ends of another system are no alteration.
        assert_eq!(
            read(&journal().write().replace('\n', "\r\n")),
            Ok(journal())
        );
    }

    #[test]
    fn every_truncation_is_noticed() {
        let text = journal().write();
        let lines: Vec<_> = text.lines().collect();
        for keep in 0..lines.len() {
            let error = read(&lines[..keep].join("\n")).unwrap_err();
            assert!(error.contains("truncated"), "{keep}: {error}");
        }
    }

    #[test]
    fn no_byte_can_be_altered_added_or_left_out() {
        let text = journal().write();
        for i in 0..text.len() {
            for other in [b'0', b'1', b'a', b' ', b'\n', b'z'] {
                let mut bytes = text.clone().into_bytes();
                if bytes[i] != other {
                    bytes[i] = other;
                    assert!(
                        read(std::str::from_utf8(&bytes).unwrap()).is_err(),
                        "byte {i}"
                    );
                }
                let mut more = text.clone();
                more.insert(i, char::from(other));
                assert!(read(&more).is_err(), "one more before byte {i}");
            }
            let mut less = text.clone();
            less.remove(i);
            let last = i + 1 == text.len();
            assert_eq!(read(&less).is_err(), !last, "byte {i} left out");
        }
        for more in ["x", "\n", "4 cs 00 done\n", "end 3\n"] {
            assert!(
                read(&format!("{text}{more}")).is_err(),
                "{more:?} behind the end"
            );
        }
    }

    /// An `end` line that fits what was cut does not help: its hash is that of the lines above.
    #[test]
    fn a_cut_journal_with_a_new_count_is_refused() {
        let text = journal().write();
        let cut: Vec<&str> = text.lines().filter(|l| !l.starts_with("3 cs")).collect();
        let cut = cut.join("\n").replace("end 3", "end 2");
        assert!(read(&cut).unwrap_err().contains("was altered"));
    }

    #[test]
    fn the_start_depends_on_all_that_stands_above_it() {
        let base = journal();
        let others = [
            Journal {
                seed: Seed(1864),
                ..journal()
            },
            Journal {
                ruleset: "blocks".into(),
                ..journal()
            },
            Journal {
                scenario: "july1".into(),
                ..journal()
            },
            Journal {
                scenario_text: Some("()".into()),
                ..journal()
            },
            Journal {
                seats: vec![],
                ..journal()
            },
            Journal {
                variant: None,
                ..journal()
            },
            Journal {
                position: None,
                ..journal()
            },
            Journal {
                rules: Identity::default(),
                ..journal()
            },
            Journal {
                draw: None,
                ..journal()
            },
        ];
        for (i, other) in others.iter().enumerate() {
            assert_ne!(base.bind(StateHash(9)), other.bind(StateHash(9)), "{i}");
        }
        assert_ne!(base.bind(StateHash(9)), base.bind(StateHash(8)));
    }

    #[test]
    fn typed_dice_stand_before_the_choice() {
        let text = journal().write();
        assert!(text.contains(" [4,10] done\n"), "{text}");
        for wrong in ["[4,] done", "[] done", "[4, 10] done", "[4,10]done"] {
            let error = read(&text.replace("[4,10] done", wrong)).unwrap_err();
            assert!(error.contains("typed dice"), "{wrong}: {error}");
        }
    }

    #[test]
    fn a_damaged_line_is_named() {
        let error = read(&journal().write().replace("2 cs", "3 cs")).unwrap_err();
        assert!(error.contains(": expected step 2"), "{error}");
        let error = read(&journal().write().replace("seed 0", "seed x")).unwrap_err();
        assert!(
            error.contains(":4:1: seed: expected up to 32 hexadecimal digits"),
            "{error}"
        );
        let error = read("cupola journal 1\nruleset corps20\n").unwrap_err();
        assert!(error.contains("a journal of form 1"), "{error}");
    }
}
