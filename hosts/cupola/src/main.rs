//! Parse, run, map the answer to an exit code.
use std::process::ExitCode;

fn main() -> ExitCode {
    cupola::main()
}
