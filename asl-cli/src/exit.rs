//! The end of the process. Only this module knows exit codes.
use crate::terminal::{self, ERROR};
use serde_json::Value;
use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::process::{ExitCode, Termination};

/// The outcome of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Success.
    Success,
    /// An execution or an expression failed.
    Failed,
    /// Bad usage, an unreadable file, an invalid definition or input.
    Refused,
    /// The user would not wait.
    Interrupted,
}

impl Exit {
    fn code(self) -> u8 {
        match self {
            Self::Success => 0,
            Self::Failed => 1,
            Self::Refused => 2,
            // As shells have it.
            Self::Interrupted => 130,
        }
    }

    /// Ends the process immediately.
    pub(crate) fn leave(self) -> ! {
        std::process::exit(self.code().into())
    }
}

impl Termination for Exit {
    fn report(self) -> ExitCode {
        ExitCode::from(self.code())
    }
}

/// The reason why a command failed: one line, or more with a piece of a file.
#[derive(Debug)]
pub(crate) struct Failure(pub(crate) String);

impl Failure {
    /// Creates a failure with a message.
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }

    /// Reports the failure on stderr.
    pub(crate) fn report(self) -> Exit {
        terminal::error_line(&format!("{ERROR}error:{ERROR:#} {}", self.0));
        Exit::Refused
    }
}

/// Writes `text` and a line feed to stdout.
pub(crate) fn print(text: impl fmt::Display) -> Result<(), Failure> {
    match io::stdout().is_terminal() {
        true => write_line(terminal::escape_controls(&text.to_string())),
        false => write_line(text),
    }
}

/// Writes a text with our own colours and a line feed to stdout.
pub(crate) fn print_styled(text: &str) -> Result<(), Failure> {
    flushed(terminal::print_lines(&[text]))
}

/// The stream for reports that people read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stream {
    /// As any result.
    Stdout,
    /// Used when a report for programs takes stdout.
    Stderr,
}

impl Stream {
    /// Writes a text with our own colours and a line feed.
    pub(crate) fn print(self, text: &str) -> Result<(), Failure> {
        match self {
            Self::Stdout => print_styled(text),
            Self::Stderr => {
                terminal::error_line(text);
                Ok(())
            }
        }
    }
}

/// Writes bytes to stdout, which are none for a terminal.
#[cfg(feature = "png")]
pub(crate) fn write_bytes(bytes: &[u8]) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    if stdout.is_terminal() {
        let way =
            "cannot print a PNG image to a terminal: redirect it to a file, such as '> graph.png'";
        return Err(Failure::new(way));
    }
    flushed(stdout.write_all(bytes).and_then(|()| stdout.flush()))
}

/// Writes a text of lines to stdout, as it is.
pub(crate) fn write_as_it_is(text: &str) -> Result<(), Failure> {
    match io::stdout().is_terminal() {
        true => write_line(terminal::escape_controls(text.trim_end_matches('\n'))),
        false => write(format_args!("{text}")),
    }
}

/// Writes the text of some JSON and a line feed to stdout.
pub(crate) fn print_json(text: impl fmt::Display) -> Result<(), Failure> {
    match io::stdout().is_terminal() {
        true => write_line(terminal::escape_json(&text.to_string())),
        false => write_line(text),
    }
}

/// Writes a value to stdout: on one line, or indented where a person reads it.
pub(crate) fn print_value(value: &Value) -> Result<(), Failure> {
    match io::stdout().is_terminal() {
        true => print_json(format_args!("{value:#}")),
        false => print_json(value),
    }
}

fn write_line(text: impl fmt::Display) -> Result<(), Failure> {
    write(format_args!("{text}\n"))
}

fn write(text: fmt::Arguments<'_>) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    flushed(stdout.write_fmt(text).and_then(|()| stdout.flush()))
}

/// Treats a closed pipe as success: the reader has read enough.
fn flushed(written: io::Result<()>) -> Result<(), Failure> {
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::new(format!("cannot write to stdout: {error}")))
        }
        _ => Ok(()),
    }
}
