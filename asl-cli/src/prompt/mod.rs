//! Lines that a person types: edited, completed and remembered where the feature `prompt` is on, else as the terminal gives them.

#[cfg(all(feature = "prompt", unix))]
mod editor;
#[cfg(not(all(feature = "prompt", unix)))]
#[path = "plain.rs"]
mod editor;

use crate::exit::Failure;
use crate::terminal;
use editor::Editor;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// A line from the user.
pub(crate) enum Line {
    Text(String),
    /// Ctrl-C, if it does not end the process.
    #[cfg_attr(not(all(feature = "prompt", unix)), allow(dead_code))]
    Interrupted,
    /// Ctrl-D.
    End,
}

/// Completes the text before the cursor.
pub(crate) trait Completer {
    /// Returns the start of the text to complete before `position`, and its completions.
    fn complete(&self, line: &str, position: usize) -> (usize, Vec<String>);
}

impl<C: Completer> Completer for Arc<Mutex<C>> {
    fn complete(&self, line: &str, position: usize) -> (usize, Vec<String>) {
        self.lock()
            .unwrap_or_else(PoisonError::into_inner)
            .complete(line, position)
    }
}

/// Reads one line after another.
pub(crate) struct Prompt<C: Completer> {
    editor: Editor<C>,
}

impl<C: Completer> Prompt<C> {
    /// Remembers lines in the file of that name among the program's, where the system has a place for such.
    pub(crate) fn new(history: &str, completer: C) -> Result<Self, Failure> {
        let editor = Editor::new(history_file(history), completer)?;
        Ok(Self { editor })
    }

    /// Reads the next line.
    pub(crate) fn read(&mut self, prompt: &str) -> Result<Line, Failure> {
        self.editor.read(&terminal::escape_controls(prompt))
    }
}

/// `$XDG_STATE_HOME/asl/NAME`, or `~/.local/state/asl/NAME` (XDG Base Directory Specification).
fn history_file(name: &str) -> Option<PathBuf> {
    let folder = |variable| {
        let path = std::env::var_os(variable).map(PathBuf::from);
        path.filter(|path| path.is_absolute())
    };
    let state =
        folder("XDG_STATE_HOME").or_else(|| folder("HOME").map(|home| home.join(".local/state")));
    state.map(|folder| folder.join("asl").join(name))
}

fn cannot_read(error: impl std::fmt::Display) -> Failure {
    Failure::new(format!("cannot read from the terminal: {error}"))
}
