//! `--history FILE`: what GetExecutionHistory returns, written as it happens.
use crate::exit::Failure;
use crate::terminal::{self, WARNING};
use asl_engine::HistoryEvent;
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Refuses, before the run, a history file that cannot be written or that the run reads: each of `arguments` has a
/// description, and `@FILE` or FILE.
pub(crate) fn check(path: &Path, arguments: &[(&str, Option<&str>)]) -> Result<(), Failure> {
    for (what, argument) in arguments {
        let argument = argument.unwrap_or("-");
        let file = Path::new(argument.strip_prefix('@').unwrap_or(argument));
        if argument != "-" && is_same_file(path, file) {
            return Err(Failure::new(format!(
                "--history {} would overwrite {what}: choose another file",
                path.display()
            )));
        }
    }
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let why = match folder {
        _ if path.is_dir() => "it is a directory, not a file".to_owned(),
        Some(folder) if !folder.is_dir() => format!("no such directory: {}", folder.display()),
        _ => return Ok(()),
    };
    Err(Failure::new(format!(
        "cannot write {}: {why}",
        path.display()
    )))
}

/// Returns true if two paths lead to one file that exists.
pub(crate) fn is_same_file(one: &Path, other: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let file = |path: &Path| path.metadata().ok().map(|file| (file.dev(), file.ino()));
        file(one).is_some_and(|one| Some(one) == file(other))
    }
    #[cfg(not(unix))]
    {
        let file = |path: &Path| path.canonicalize().ok();
        file(one).is_some_and(|one| Some(one) == file(other))
    }
}

/// The file of a history. It is valid JSON after each write, so that a killed run leaves a valid file; a pipe is written
/// only at the end.
#[derive(Debug)]
pub(crate) struct HistoryFile {
    path: PathBuf,
    file: File,
    is_regular: bool,
    /// Text to write next, with its offset.
    text: Vec<u8>,
    at: u64,
    /// Number of events.
    events: u64,
    /// Bytes that the file may have, but for its end.
    max_bytes: u64,
    /// The reason why nothing more can be written.
    error: Option<io::Error>,
}

const BEGIN: &[u8] = br#"{"events":["#;
const END: &[u8] = b"]}\n";

/// Bytes that are gathered before they are written.
const GATHERED: usize = 64 << 10;

impl HistoryFile {
    /// Begins a history without events.
    pub(crate) fn create(path: &Path, max_bytes: u64) -> Result<Self, Failure> {
        let created = File::create(path).and_then(|file| {
            let is_regular = file.metadata()?.is_file();
            let mut history = Self {
                path: path.to_owned(),
                file,
                is_regular,
                text: BEGIN.to_vec(),
                at: 0,
                events: 0,
                max_bytes,
                error: None,
            };
            history.flush()?;
            Ok(history)
        });
        created.map_err(|error| cannot_write(path, &error))
    }

    /// Returns true once an event could not be written.
    pub(crate) fn has_failed(&self) -> bool {
        self.error.is_some()
    }

    /// Adds the next event. An error is a warning at once, and ends the command with a failure at the [end](Self::finish).
    pub(crate) fn push(&mut self, event: &HistoryEvent) {
        if self.error.is_none()
            && let Err(error) = self.try_push(event)
        {
            terminal::error_line(&format!(
                "{WARNING}warning:{WARNING:#} {} is incomplete: {error}",
                self.path.display()
            ));
            self.error = Some(error);
        }
    }

    fn try_push(&mut self, event: &HistoryEvent) -> io::Result<()> {
        let before = self.text.len();
        if self.events > 0 {
            self.text.push(b',');
        }
        event.write_to(&mut self.text)?;
        if self.at + self.text.len() as u64 > self.max_bytes {
            self.text.truncate(before);
            self.flush_to_the_end()?;
            return Err(self.too_long());
        }
        self.events += 1;
        match self.text.len() {
            GATHERED.. => self.flush(),
            _ => Ok(()),
        }
    }

    /// Returns the error for a history above the limit; the earlier events are in the file.
    fn too_long(&self) -> io::Error {
        io::Error::other(format!(
            "event {} exceeds the limit of {} bytes: raise it with --max-history-bytes",
            self.events + 1,
            self.max_bytes
        ))
    }

    /// Writes the buffered text, and the end that completes the JSON.
    fn flush(&mut self) -> io::Result<()> {
        let length = self.text.len();
        if self.is_regular {
            self.text.extend_from_slice(END);
            self.file.seek(SeekFrom::Start(self.at))?;
        }
        self.file.write_all(&self.text)?;
        self.at += length as u64;
        self.text = Vec::new();
        Ok(())
    }

    /// Ends the text.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        let finished = match self.error.take() {
            Some(error) => Err(error),
            None => self.flush_to_the_end(),
        };
        finished.map_err(|error| cannot_write(&self.path, &error))
    }

    fn flush_to_the_end(&mut self) -> io::Result<()> {
        if !self.is_regular {
            self.text.extend_from_slice(END);
        }
        self.flush()
    }
}

fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    Failure::new(format!("cannot write {}: {error}", path.display()))
}
