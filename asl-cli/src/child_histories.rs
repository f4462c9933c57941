//! The histories of the children of distributed Maps, in a folder: `STATE/MAP RUN/INDEX.json`, and those of a child's own children in
//! `STATE/MAP RUN/INDEX/`.
use crate::exit::Failure;
use crate::source::Source;
use asl_engine::HistoryEvent;
use asl_engine::runtime::{ExecutionId, RunningExecution};
use asl_trace::{ChildHistory, History};
use std::collections::HashMap;
use std::fs::{File, OpenOptions, create_dir_all};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Writes them as their events come.
pub(crate) struct ChildHistories {
    root: PathBuf,
    /// Bytes that may still be written, of all of them.
    left_bytes: u64,
    running: HashMap<ExecutionId, OpenHistory>,
    /// Number of children with this index, by state and folder.
    counts: HashMap<(PathBuf, u64), usize>,
    error: Option<Failure>,
}

struct OpenHistory {
    /// Without `.json`.
    path: PathBuf,
    /// Text that is not in the file yet.
    text: Vec<u8>,
    is_begun: bool,
}

/// Bytes of a child that are gathered before they are written.
const GATHERED: usize = 16 << 10;

impl ChildHistories {
    /// Creates the writer for a folder, which is created if it does not exist, with a limit in bytes.
    pub(crate) fn new(root: &Path, max_bytes: u64) -> Self {
        Self {
            root: root.to_owned(),
            left_bytes: max_bytes,
            running: HashMap::new(),
            counts: HashMap::new(),
            error: None,
        }
    }

    /// Adds an event of a child. An error is reported at the [end](Self::finish), and nothing is written after it.
    pub(crate) fn push(&mut self, execution: &RunningExecution, event: &HistoryEvent) {
        if self.error.is_none()
            && let Err(error) = self.try_push(execution, event)
        {
            self.error = Some(error);
        }
    }

    fn try_push(
        &mut self,
        execution: &RunningExecution,
        event: &HistoryEvent,
    ) -> Result<(), Failure> {
        self.assign_file(execution);
        let Some(running) = self.running.get_mut(&execution.id) else {
            return Ok(());
        };
        let before = running.text.len();
        let separator: &[u8] = match (before, running.is_begun) {
            (0, false) => br#"{"events":["#,
            _ => b",",
        };
        running.text.extend_from_slice(separator);
        let written = event.write_to(&mut running.text);
        written.map_err(|error| cannot_write(&running.path, &error))?;
        let bytes = (running.text.len() - before) as u64;
        let Some(left_bytes) = self.left_bytes.checked_sub(bytes) else {
            running.text.truncate(before);
            return Err(Failure::new(format!(
                "cannot write {}: all histories together would be longer than --max-history-bytes allows",
                running.path.with_extension("json").display()
            )));
        };
        self.left_bytes = left_bytes;
        match running.text.len() {
            GATHERED.. => running.flush(),
            _ => Ok(()),
        }
    }

    /// Decides where a child's history is.
    fn assign_file(&mut self, execution: &RunningExecution) {
        let Some(child) = &execution.child else {
            return;
        };
        if self.running.contains_key(&execution.id) {
            return;
        }
        let parent = self.running.get(&child.parent);
        let folder = parent.map_or(&self.root, |parent| &parent.path);
        let folder = folder.join(file_name(&child.state));
        let count = self
            .counts
            .entry((folder.clone(), child.index))
            .or_default();
        let path = folder.join(count.to_string()).join(child.index.to_string());
        *count += 1;
        let running = OpenHistory {
            path,
            text: Vec::new(),
            is_begun: false,
        };
        self.running.insert(execution.id, running);
    }

    /// A child ended: its file.
    pub(crate) fn end(&mut self, execution: ExecutionId) {
        if let Some(running) = self.running.remove(&execution)
            && let Err(error) = running.finish()
        {
            self.error.get_or_insert(error);
        }
    }

    /// Ends all files; the error is the first that occurred while writing.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        let left: Vec<ExecutionId> = self.running.keys().copied().collect();
        for execution in left {
            self.end(execution);
        }
        self.error.map_or(Ok(()), Err)
    }
}

impl OpenHistory {
    fn finish(mut self) -> Result<(), Failure> {
        if self.text.is_empty() && !self.is_begun {
            self.text.extend_from_slice(br#"{"events":["#);
        }
        self.text.extend_from_slice(b"]}\n");
        self.flush()
    }

    /// Writes the buffered text; no file stays open, because there may be thousands of children.
    fn flush(&mut self) -> Result<(), Failure> {
        let path = self.path.with_extension("json");
        let written = match self.is_begun {
            true => OpenOptions::new().append(true).open(&path),
            false => {
                let folder = path.parent().unwrap_or(&path);
                create_dir_all(folder).and_then(|()| File::create(&path))
            }
        }
        .and_then(|mut file| file.write_all(&self.text));
        self.is_begun = true;
        self.text = Vec::new();
        written.map_err(|error| cannot_write(&self.path, &error))
    }
}

fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    let path = path.with_extension("json");
    Failure::new(format!("cannot write {}: {error}", path.display()))
}

/// Returns a state's name as that of a folder: what no file system takes is written as in a URL.
fn file_name(state: &str) -> String {
    let mut name = String::new();
    for (at, character) in state.char_indices() {
        let is_plain = !matches!(character, '/' | '\\' | ':' | '%' | '\0'..='\x1f');
        match character {
            '.' if at == 0 => name.push_str("%2E"),
            _ if is_plain => name.push(character),
            _ => name.push_str(&format!("%{:02X}", u32::from(character))),
        }
    }
    name
}

/// The state that a folder is named for.
fn state_name(file: &str) -> String {
    let mut parts = file.split('%');
    let mut name = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let code = part
            .get(..2)
            .and_then(|code| u8::from_str_radix(code, 16).ok());
        match code {
            Some(code) => name.push_str(&format!("{}{}", char::from(code), &part[2..])),
            None => name.push_str(&format!("%{part}")),
        }
    }
    name
}

/// Reads those of a folder, if there is one.
pub(crate) fn read_folder(folder: Option<&Path>) -> Result<Vec<ChildHistory>, Failure> {
    folder.map_or_else(|| Ok(Vec::new()), read)
}

fn read(root: &Path) -> Result<Vec<ChildHistory>, Failure> {
    let mut children = Vec::new();
    for (state, folder) in entries(root)? {
        for (map_run, folder) in entries(&folder)? {
            for (name, path) in entries(&folder)? {
                let index = name.strip_suffix(".json").and_then(|it| it.parse().ok());
                let (Some(index), Ok(map_run)) = (index, map_run.parse()) else {
                    continue;
                };
                children.push(child(&path, state_name(&state), map_run, index)?);
            }
        }
    }
    Ok(children)
}

/// Recursion is bounded by the nesting of folders, which is that of the definition.
fn child(path: &Path, state: String, map_run: usize, index: u64) -> Result<ChildHistory, Failure> {
    let own = path.with_extension("");
    let history = History {
        events: Source::read(&path.to_string_lossy())?.json()?,
        children: read_folder(own.is_dir().then_some(own.as_path()))?,
    };
    Ok(ChildHistory {
        state,
        map_run,
        index,
        history,
    })
}

/// Lists the entries of a folder by name.
fn entries(folder: &Path) -> Result<Vec<(String, PathBuf)>, Failure> {
    let listing = std::fs::read_dir(folder)
        .map_err(|error| Failure::new(format!("cannot read {}: {error}", folder.display())))?;
    let mut entries: Vec<(String, PathBuf)> = listing
        .flatten()
        .map(|entry| {
            (
                entry.file_name().to_string_lossy().into_owned(),
                entry.path(),
            )
        })
        .filter(|(name, path)| path.is_dir() || name.ends_with(".json"))
        .collect();
    entries.sort();
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_a_folder_of_its_own() {
        for (state, folder) in [
            ("Größe 1", "Größe 1"),
            ("a/b:c\\d%", "a%2Fb%3Ac%5Cd%25"),
            ("..", "%2E."),
            ("a\nb.c", "a%0Ab.c"),
        ] {
            assert_eq!(file_name(state), folder);
            assert_eq!(state_name(folder), state);
        }
        assert_eq!(state_name("%é"), "%é");
    }
}
