//! What people type at the table.

use cupola_data::nearest;
use rustyline::history::MemHistory;
use rustyline::{Config, Editor, error::ReadlineError};
use std::io::{self, BufRead, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

/// Something said at the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Say {
    /// The option of this number.
    Number(usize),
    /// The odds of an option, by number or id.
    Odds(String),
    /// Why something is not offered.
    Why(String),
    /// Take the last choice back.
    Undo,
    /// Keep the journal in a file.
    Save(String),
    /// The map; with the labels of all hexes.
    Map(bool),
    /// Units, those with this text in them.
    Units(String),
    /// What happened: so many lines of it.
    Log(usize),
    /// All about a hex.
    Hex(String),
    /// A table, a card, a chit, an entry: those with this text in their names.
    Rules(String),
    /// The next page of options.
    More,
    /// All options again.
    All,
    /// What can be typed.
    Help,
    /// Leave the table.
    Quit,
    /// An option's id, or part of one.
    Text(String),
}

/// The commands, for help and for suggestions.
pub const COMMANDS: &[(&str, &str)] = &[
    ("NUMBER", "choose that option"),
    (
        "text",
        "show only the options with that text in them; Enter takes the only option left, `all` shows all again",
    ),
    (
        "odds N",
        "the exact odds of option N, if it leads to a fight",
    ),
    (
        "why ID",
        "why something is not offered: `why move heth 19.04`",
    ),
    (
        "undo",
        "take back your last choice, unless a die was rolled since",
    ),
    ("map", "the whole map; `map labels` names every hex"),
    (
        "hex LABEL",
        "all about a hex and who is in it; a place's name, a part of one or an entry's code will do",
    ),
    (
        "units [text]",
        "the units with their states; `units gone` those that are out of the game",
    ),
    (
        "rules [text]",
        "tables, cards, chits, terrain, entries: all of them by name, or those with that text explained",
    ),
    (
        "log [N]",
        "the last N things that happened, with dice, sums and rules",
    ),
    (
        "save FILE",
        "keep the game; `cupola play --load FILE` goes on with it",
    ),
    ("more", "the next page of options (Enter does the same)"),
    ("help", "this"),
    ("quit", "leave; you are asked whether to save"),
];

impl Say {
    /// Understands a line. Commands win over texts; a number is always an option.
    pub fn parse(line: &str) -> Say {
        let line = line.trim();
        if let Ok(number) = line.parse() {
            return Say::Number(number);
        }
        let (word, rest) = line
            .split_once(char::is_whitespace)
            .map_or((line, ""), |(word, rest)| (word, rest.trim()));
        let rest = rest.to_owned();
        match word.to_lowercase().as_str() {
            "" | "more" => Say::More,
            "all" => Say::All,
            "odds" => Say::Odds(rest),
            "why" => Say::Why(rest),
            "undo" | "u" => Say::Undo,
            "save" => Say::Save(rest),
            "map" | "m" => Say::Map(rest.starts_with("label")),
            "units" => Say::Units(rest),
            "log" => Say::Log(rest.parse().unwrap_or(20)),
            "hex" => Say::Hex(rest),
            "rules" | "rule" | "card" | "cards" | "table" | "tables" | "terrain" | "chart" => {
                let named = matches!(word, "terrain") && rest.is_empty();
                Say::Rules(if named { word.to_owned() } else { rest })
            }
            "help" | "h" | "?" => Say::Help,
            "quit" | "q" | "exit" => Say::Quit,
            _ => Say::Text(line.to_owned()),
        }
    }
}

/// The nearest command to a word that is none.
pub fn near_command(word: &str) -> Option<&'static str> {
    let words = COMMANDS
        .iter()
        .filter_map(|(usage, _)| usage.split(' ').next())
        .filter(|word| *word != "NUMBER");
    nearest(word, words)
}

/// Lines from stdin. They are read on a thread of their own, so that Ctrl-C is heard while nobody types.
pub struct Input {
    /// Whether somebody sits there.
    pub terminal: bool,
    /// Arrow keys, corrections and what was typed before; for somebody who sits there.
    editor: Option<Editor<(), MemHistory>>,
    /// What is read of anything else, on a thread of its own, so that Ctrl-C is heard while nobody types.
    lines: Option<Receiver<io::Result<Option<Vec<u8>>>>>,
    interrupted: Arc<AtomicBool>,
}

impl Input {
    /// Stdin, whatever it is. From now on Ctrl-C ends a question and not the program; a second one, while the
    /// first is not yet heard, ends it at once.
    pub fn stdin() -> Input {
        let terminal = io::stdin().is_terminal();
        let both = terminal && io::stdout().is_terminal();
        let config = Config::builder().auto_add_history(true).build();
        // A terminal that the editor cannot handle is still one that lines can be read from.
        let editor = || Editor::with_history(config, MemHistory::new()).ok();
        let editor = both.then(editor).flatten();
        let interrupted = Arc::new(AtomicBool::new(false));
        let seen = interrupted.clone();
        // Without a handler the program ends at Ctrl-C, as it does anyway.
        let _ = ctrlc::set_handler(move || {
            if seen.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
        });
        let lines = editor.is_none().then(|| {
            // One line at a time: who asks no more leaves the rest unread.
            let (sender, lines) = sync_channel(0);
            std::thread::spawn(move || read_lines(&sender, terminal));
            lines
        });
        Input {
            terminal,
            editor,
            lines,
            interrupted,
        }
    }

    /// Whether Ctrl-C was pressed since the last call; it is heard now.
    pub fn was_interrupted(&self) -> bool {
        self.interrupted.swap(false, Ordering::Relaxed)
    }

    /// Whether Ctrl-C was pressed and nobody has heard it yet.
    pub fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    /// Asks and reads one line; none at the end of input or at Ctrl-C. What is not text is read as well
    /// as it can be.
    pub fn line(&mut self, out: &mut dyn Write, prompt: &str) -> io::Result<Option<String>> {
        if let Some(editor) = &mut self.editor {
            out.flush()?;
            return match editor.readline(prompt) {
                Ok(line) => Ok(Some(line.trim().to_owned())),
                Err(ReadlineError::Eof) => Ok(None),
                Err(ReadlineError::Interrupted) => {
                    self.interrupted.store(true, Ordering::Relaxed);
                    Ok(None)
                }
                Err(ReadlineError::Io(error)) => Err(error),
                Err(error) => Err(io::Error::other(error)),
            };
        }
        write!(out, "{prompt}")?;
        out.flush()?;
        let bytes = loop {
            let Some(lines) = &self.lines else {
                break None;
            };
            match lines.recv_timeout(Duration::from_millis(50)) {
                Ok(line) => break line?,
                Err(RecvTimeoutError::Disconnected) => break None,
                Err(RecvTimeoutError::Timeout) if self.is_interrupted() => break None,
                Err(RecvTimeoutError::Timeout) => {}
            }
        };
        let Some(bytes) = bytes else {
            writeln!(out)?;
            return Ok(None);
        };
        let line = String::from_utf8_lossy(&bytes).trim().to_owned();
        if !self.terminal {
            // Nobody's typing is seen: a transcript should still read like a session.
            writeln!(out, "{line}")?;
        }
        Ok(Some(line))
    }
}

/// Hands over line after line; none at the end. A terminal goes on after Ctrl-D.
fn read_lines(lines: &SyncSender<io::Result<Option<Vec<u8>>>>, terminal: bool) {
    loop {
        let mut bytes = Vec::new();
        let read = io::stdin().lock().read_until(b'\n', &mut bytes);
        let over = !matches!(read, Ok(count) if count > 0);
        let line = read.map(|count| (count > 0).then_some(bytes));
        if lines.send(line).is_err() || (over && !terminal) {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_understood() {
        assert_eq!(Say::parse(" 12 "), Say::Number(12));
        assert_eq!(Say::parse("odds 3"), Say::Odds("3".into()));
        assert_eq!(
            Say::parse("WHY move heth 19.04"),
            Say::Why("move heth 19.04".into())
        );
        assert_eq!(
            Say::parse("move heth 19.04"),
            Say::Text("move heth 19.04".into())
        );
        assert_eq!(Say::parse(""), Say::More);
        assert_eq!(Say::parse("map labels"), Say::Map(true));
        assert_eq!(Say::parse("card yell"), Say::Rules("yell".into()));
        assert_eq!(Say::parse("terrain"), Say::Rules("terrain".into()));
        assert_eq!(near_command("unist"), Some("units"));
    }
}
