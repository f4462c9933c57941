//! How the process ends: the only place that knows exit codes.
use crate::terminal::{self, ERROR};
use serde_json::Value;
use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::process::{ExitCode, Termination};

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// It did what was asked.
    Success,
    /// An execution or an expression failed.
    Failed,
    /// Bad usage, an unreadable file, an invalid definition or input.
    Refused,
    /// The user would not wait.
    Interrupted,
}

impl Termination for Exit {
    fn report(self) -> ExitCode {
        ExitCode::from(match self {
            Self::Success => 0,
            Self::Failed => 1,
            Self::Refused => 2,
            // As shells have it.
            Self::Interrupted => 130,
        })
    }
}

/// Why a command could not do its work.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Something to tell: one line, or more where a piece of a file is shown.
    Message(String),
    /// The reader of the output went away.
    BrokenPipe,
}

impl Failure {
    /// A failure with something to tell.
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self::Message(message.into())
    }

    /// Tells it on stderr.
    pub(crate) fn report(self) -> Exit {
        match self {
            Self::Message(message) => {
                terminal::error_line(&format!("{ERROR}error:{ERROR:#} {message}"));
                Exit::Refused
            }
            Self::BrokenPipe => Exit::Failed,
        }
    }
}

/// Writes `text` and a line feed to stdout.
pub(crate) fn print(text: impl fmt::Display) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    writeln!(stdout, "{text}")
        .and_then(|()| stdout.flush())
        .map_err(|error| output_failure(&error))
}

/// Writes a value to stdout: on one line, or indented where a person reads it.
pub(crate) fn print_value(value: &Value) -> Result<(), Failure> {
    match io::stdout().is_terminal() {
        true => print(format_args!("{value:#}")),
        false => print(value),
    }
}

fn output_failure(error: &io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Failure::BrokenPipe,
        _ => Failure::new(format!("cannot write to stdout: {error}")),
    }
}
