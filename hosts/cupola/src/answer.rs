//! Yes, no, or no answer at all: exit codes 0, 1 and 2.

use cupola_data::visible;
use std::io;
use std::process::ExitCode;

/// What a command found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It is so, or it was done.
    Yes,
    /// It is not so, or a check failed; what exactly was printed.
    No,
}

impl From<bool> for Answer {
    fn from(holds: bool) -> Answer {
        if holds { Answer::Yes } else { Answer::No }
    }
}

/// The exit code of an answer. Why there is none is told on stderr.
pub fn exit_code(answer: anyhow::Result<Answer>) -> ExitCode {
    match answer {
        Ok(Answer::Yes) => ExitCode::SUCCESS,
        Ok(Answer::No) => ExitCode::from(1),
        // A reader that has seen enough (`cupola roster | head`) is no error.
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("cupola: {}", visible(&format!("{error:#}")));
            ExitCode::from(2)
        }
    }
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let mut causes = error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>());
    causes.any(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
