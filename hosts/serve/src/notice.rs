//! Turn notices: by webhook and by e-mail, through the programs that a machine has for that.
//!
//! `curl` posts to a webhook, `sendmail` takes a letter: both are what an administrator expects, keep their own
//! certificates and queues, and cost the club's program no code.

use std::io::Write as _;
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, Sender};
use std::thread;

/// Somebody is to be told that it is his turn.
pub(crate) struct Notice {
    pub webhook: String,
    pub email: String,
    pub text: String,
}

/// The thread that sends them.
pub(crate) struct Notices(Sender<Notice>);

impl Notices {
    /// Starts it.
    ///
    /// # Errors
    /// If the system gives no thread.
    pub fn new() -> std::io::Result<Notices> {
        let (queue, notices) = mpsc::channel::<Notice>();
        thread::Builder::new()
            .name("notices".into())
            .spawn(move || {
                for notice in notices {
                    send(&notice);
                }
            })?;
        Ok(Notices(queue))
    }

    /// Sends one, if there is anywhere to send it.
    pub fn send(&self, notice: Notice) {
        if !notice.webhook.is_empty() || !notice.email.is_empty() {
            // The thread lives as long as the club.
            let _ = self.0.send(notice);
        }
    }
}

fn send(notice: &Notice) {
    if notice.webhook.starts_with("https://") {
        // Chat services take `text` or `content`; each ignores the other.
        let body = serde_json::json!({"text": notice.text, "content": notice.text}).to_string();
        let limits = ["--silent", "--max-time", "15", "--proto", "=https"];
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
        pipe(command, &body);
    }
    if is_one_address(&notice.email) {
        let letter = format!(
            "To: {}\nSubject: Your turn at the table\nContent-Type: text/plain; charset=utf-8\n\n{}\n",
            notice.email, notice.text
        );
        let mut command = Command::new("sendmail");
        command.args(["-i", "-t"]);
        pipe(command, &letter);
    }
}

/// A line break would be a header of its own, a comma another letter to somebody else.
fn is_one_address(text: &str) -> bool {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "@.-_+".contains(letter);
    text.matches('@').count() == 1 && text.chars().all(plain)
}

/// A notice that cannot be sent is lost: the lobby shows whose turn it is all the same.
fn pipe(mut command: Command, text: &str) {
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let Ok(mut child) = command.spawn() else {
        return;
    };
    if let Some(mut input) = child.stdin.take() {
        let _ = input.write_all(text.as_bytes());
    }
    let _ = child.wait();
}

#[cfg(test)]
mod tests {
    use super::is_one_address;

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
