//! Detection of changed code.
use std::path::Path;
use std::time::SystemTime;

/// Files that are looked at at most.
const MOST_FILES: usize = 5_000;
/// Folders of installed modules and compiled files.
const PASSED_OVER: [&str; 4] = ["node_modules", "__pycache__", "venv", "target"];

/// The files of a folder, as they are now: two are equal while nothing changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CodeStamp {
    files: usize,
    bytes: u64,
    newest: Option<SystemTime>,
}

impl CodeStamp {
    /// Looks at the files of a folder, without those that were installed and hidden ones.
    pub(crate) fn of(folder: &Path) -> Self {
        let mut stamp = Self {
            files: 0,
            bytes: 0,
            newest: None,
        };
        let mut open = vec![folder.to_owned()];
        while let Some(folder) = open.pop() {
            let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
            for entry in entries {
                let name = entry.file_name();
                let name = name.to_string_lossy();
                let is_passed_over = name.starts_with('.') || PASSED_OVER.contains(&&*name);
                // Links are not followed: they may lead anywhere.
                let Ok(metadata) = entry.metadata() else {
                    continue;
                };
                if is_passed_over || stamp.files >= MOST_FILES {
                    continue;
                }
                if metadata.is_dir() {
                    open.push(entry.path());
                }
                stamp.files += 1;
                stamp.bytes = stamp.bytes.wrapping_add(metadata.len());
                stamp.newest = stamp.newest.max(metadata.modified().ok());
            }
        }
        stamp
    }
}
