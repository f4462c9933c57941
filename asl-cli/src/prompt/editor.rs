//! Lines that are edited as readline does.
use super::{Completer, Line, cannot_read};
use crate::exit::Failure;
use rustyline::completion::Completer as Completion;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::Validator;
use rustyline::{Behavior, CompletionType, Config, Context, Helper};
use std::io::{self, IsTerminal};
use std::path::PathBuf;

pub(super) struct Editor<C: Completer> {
    editor: rustyline::Editor<Assistant<C>, FileHistory>,
    history: Option<PathBuf>,
}

impl<C: Completer> Editor<C> {
    pub(super) fn new(history: Option<PathBuf>, completer: C) -> Result<Self, Failure> {
        let behavior = match io::stdout().is_terminal() {
            true => Behavior::Stdio,
            // What a command prints may go to a file: the prompt does not.
            false => Behavior::PreferTerm,
        };
        let config = Config::builder()
            .behavior(behavior)
            .completion_type(CompletionType::List)
            .history_ignore_space(true)
            .build();
        let mut editor = rustyline::Editor::with_config(config).map_err(cannot_read)?;
        editor.set_helper(Some(Assistant(completer)));
        // A history that cannot be read or written is none.
        let history = history.filter(|file| {
            let folder = file.parent();
            folder.is_some_and(|folder| std::fs::create_dir_all(folder).is_ok())
        });
        if let Some(file) = &history {
            let _ = editor.load_history(file);
        }
        Ok(Self { editor, history })
    }

    pub(super) fn read(&mut self, prompt: &str) -> Result<Line, Failure> {
        match self.editor.readline(prompt) {
            Ok(line) => {
                self.remember(&line);
                Ok(Line::Text(line))
            }
            Err(ReadlineError::Interrupted) => Ok(Line::Interrupted),
            Err(ReadlineError::Eof) => Ok(Line::End),
            Err(error) => Err(cannot_read(error)),
        }
    }

    fn remember(&mut self, line: &str) {
        let is_new = self.editor.add_history_entry(line).unwrap_or(false);
        if let Some(file) = self.history.as_ref().filter(|_| is_new) {
            let _ = self.editor.append_history(file);
        }
    }
}

/// Completes, and does nothing else of what an editor may request.
struct Assistant<C>(C);

impl<C: Completer> Completion for Assistant<C> {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        position: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(self.0.complete(line, position))
    }
}

impl<C: Completer> Helper for Assistant<C> {}
impl<C: Completer> Validator for Assistant<C> {}
impl<C: Completer> Highlighter for Assistant<C> {}
impl<C: Completer> Hinter for Assistant<C> {
    type Hint = String;
}
