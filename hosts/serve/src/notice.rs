//! Turn notices: by webhook and by e-mail, through the programs that a machine has for that.
//!
//! `curl` posts to a webhook, `sendmail` takes a letter: both are what an administrator expects, keep their own
//! certificates and queues, and cost the club's program no code.

use crate::clock::now;
use crate::club::Club;
use crate::sitting::Sitting;
use crate::wrong::Wrong;
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// How often it is looked whether such a program is done.
const LOOK: Duration = Duration::from_millis(50);

/// Somebody is to be told that it is his turn.
pub(crate) struct Notice {
    pub webhook: String,
    pub email: String,
    pub text: String,
}

/// So many are sent at once: a receiver that hangs holds up nobody else's.
const THREADS: usize = 4;
/// After this long a program that takes a notice is ended.
const SLOWEST: Duration = Duration::from_secs(20);

/// The threads that send them, and whether somebody waits for one that he tries.
pub(crate) struct Notices(Sender<Notice>, Mutex<()>);

impl Notices {
    /// Starts it.
    ///
    /// # Errors
    /// If the system gives no thread.
    pub fn new() -> std::io::Result<Notices> {
        let (queue, notices) = mpsc::channel::<Notice>();
        let notices = Arc::new(Mutex::new(notices));
        for _ in 0..THREADS {
            let notices = notices.clone();
            let next = move || {
                notices
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .recv()
            };
            thread::Builder::new()
                .name("notices".into())
                .spawn(move || {
                    while let Ok(notice) = next() {
                        // One that cannot be sent is lost: the lobby shows whose turn it is all the same.
                        let _ = send(&notice);
                    }
                })?;
        }
        Ok(Notices(queue, Mutex::default()))
    }

    /// Sends one at once and says what became of it, a sentence for each way. One at a time: it may take a while.
    ///
    /// # Errors
    /// If somebody else tries just now.
    pub fn try_out(&self, notice: &Notice) -> Result<Vec<String>, Wrong> {
        let Ok(_only) = self.1.try_lock() else {
            return Err(Wrong::hasty());
        };
        let said = |(way, sent): (&str, Result<(), String>)| match sent {
            Ok(()) => format!("{way}: sent."),
            Err(why) => format!("{way}: {why}."),
        };
        Ok(send(notice).into_iter().map(said).collect())
    }

    /// Sends one, if there is anywhere to send it.
    pub fn send(&self, notice: Notice) {
        if !notice.webhook.is_empty() || !notice.email.is_empty() {
            // The threads live as long as the club.
            let _ = self.0.send(notice);
        }
    }
}

impl Club {
    /// Tells those who must choose and are not at the table.
    pub(crate) fn tell_asked(&self, sitting: &Sitting, more: &str) {
        let state = sitting.lock();
        let Some(side) = state.asked() else { return };
        let mut away = sitting.asked_people(&state, side);
        away.retain(|person| !sitting.is_present(person));
        let (turn, title) = (state.record.turn.clone(), state.record.meta.title.clone());
        drop(state);
        let side = &sitting.scenery.play.env().sides[side].name;
        let title = if title.is_empty() {
            sitting.scenery.play.scenario()
        } else {
            title.as_str()
        };
        let address = format!("{}/t/{}", self.settings.base(), sitting.id);
        let text = format!("{title}, {turn}: the {side} is yours to move.{more} {address}");
        for id in away {
            if let Ok(Some(person)) = self.store.run(move |shelf| shelf.person(&id)) {
                self.notices.send(Notice {
                    webhook: person.webhook,
                    email: person.email,
                    text: text.clone(),
                });
            }
        }
    }

    /// Tells those once more who have let others wait for so many hours.
    pub(crate) fn remind(&self) {
        let Some(hours) = self.settings.remind else {
            return;
        };
        let now = now();
        let since = now - i64::from(hours) * 3600;
        let waiting = self.store.run(move |shelf| shelf.waiting_since(since));
        // If the store fails, whoever chooses hears of it; a reminder can wait.
        for record in waiting.unwrap_or_default() {
            if !record.to_be_reminded(hours, now) {
                continue;
            }
            let Ok(sitting) = self.sitting(&record.id) else {
                continue;
            };
            let mut state = sitting.lock();
            if !state.record.to_be_reminded(hours, now) {
                continue;
            }
            state.record.meta.reminded = state.record.moved;
            let due = state.record.due();
            // Of several programs on one database the one whose note is kept tells.
            let kept = sitting.keep_record(&mut state);
            drop(state);
            if kept.is_ok() {
                self.tell_asked(
                    &sitting,
                    &waited(now - record.moved, due.map(|due| due - now)),
                );
            }
        }
    }
}

/// How long somebody has let others wait, and how long he has.
fn waited(waited: i64, left: Option<i64>) -> String {
    let hours = |seconds: i64| match seconds / 3600 {
        1 => "an hour".to_owned(),
        hours @ 0..48 => format!("{hours} hours"),
        hours => format!("{} days", hours / 24),
    };
    match left {
        Some(left) if left > 0 => format!(
            " The table has waited for {}; {} are left.",
            hours(waited),
            hours(left)
        ),
        Some(_) => format!(
            " The table has waited for {}; your time has run out.",
            hours(waited)
        ),
        None => format!(" The table has waited for {}.", hours(waited)),
    }
}

/// What became of it, for each way that there is.
fn send(notice: &Notice) -> Vec<(&'static str, Result<(), String>)> {
    let mut sent = vec![];
    if notice.webhook.starts_with("https://") {
        // Chat services take `text` or `content`; each ignores the other.
        let body = serde_json::json!({"text": notice.text, "content": notice.text}).to_string();
        let limits = [
            "--silent",
            "--fail",
            "--max-time",
            "15",
            "--proto",
            "=https",
        ];
        let kind = [
            "--header",
            "content-type: application/json",
            "--data-binary",
            "@-",
        ];
        let mut command = Command::new("curl");
        command
            .args(limits)
            .args(kind)
            .args(["--url", &notice.webhook]);
        sent.push(("Webhook", pipe(command, &body)));
    }
    if is_one_address(&notice.email) {
        let letter = format!(
            "To: {}\nSubject: Your turn at the table\nContent-Type: text/plain; charset=utf-8\n\n{}\n",
            notice.email, notice.text
        );
        let mut command = Command::new("sendmail");
        command.args(["-i", "-t"]);
        sent.push(("E-mail", pipe(command, &letter)));
    }
    sent
}

/// A line break would be a header of its own, a comma another letter to somebody else.
fn is_one_address(text: &str) -> bool {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "@.-_+".contains(letter);
    text.matches('@').count() == 1 && text.chars().all(plain)
}

/// Gives a text to a program.
fn pipe(mut command: Command, text: &str) -> Result<(), String> {
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let program = command.get_program().to_string_lossy().into_owned();
    let missing = |_| format!("the club's machine has no {program} that could be started");
    let mut child = command.spawn().map_err(missing)?;
    if let Some(mut input) = child.stdin.take() {
        // A few lines: they fit into the pipe, whether somebody reads them or not.
        let _ = input.write_all(text.as_bytes());
    }
    for _ in 0..SLOWEST.as_millis() / LOOK.as_millis() {
        match child.try_wait() {
            Ok(None) => thread::sleep(LOOK),
            Ok(Some(status)) if status.success() => return Ok(()),
            _ => return Err(format!("{program} could not deliver it")),
        }
    }
    let _ = child.kill();
    let _ = child.wait();
    Err(format!("{program} took too long"))
}

#[cfg(test)]
mod tests {
    use super::{is_one_address, pipe};
    use std::process::Command;

    #[test]
    fn what_became_of_a_notice_is_said() {
        assert_eq!(pipe(Command::new("true"), "x"), Ok(()));
        assert!(pipe(Command::new("false"), "x").is_err());
        let missing = pipe(Command::new("no-such-program"), "x").unwrap_err();
        assert!(missing.contains("has no no-such-program"), "{missing}");
    }

    #[test]
    fn a_letter_goes_to_one_address_and_has_no_other_headers() {
        assert!(is_one_address("ada.l+club@example.org"));
        for bad in [
            "",
            "ada",
            "a@b,c@d",
            "a@b\nBcc: c@d",
            "a@b c@d",
            "<a@b>",
            "a@b\r",
        ] {
            assert!(!is_one_address(bad), "{bad}");
        }
    }
}
