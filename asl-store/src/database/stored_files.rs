//! Identity of the files of a store: detects that they were removed or replaced.
use crate::database::connection::Place;
use std::fs::Metadata;
use std::path::{Path, PathBuf};

/// The database file of a store, as it was when the store was opened; none of a store in memory.
#[derive(Debug, Default)]
pub(crate) struct StoredFiles(Option<(PathBuf, FileId)>);

#[cfg(unix)]
type FileId = (u64, u64);
#[cfg(not(unix))]
type FileId = Option<std::time::SystemTime>;

#[cfg(unix)]
fn id(file: &Metadata) -> FileId {
    use std::os::unix::fs::MetadataExt as _;
    (file.dev(), file.ino())
}

#[cfg(not(unix))]
fn id(file: &Metadata) -> FileId {
    file.created().ok()
}

impl StoredFiles {
    /// Creates the files of a place, which must be open already.
    pub(crate) fn of(place: &Place) -> Self {
        let Place::File(path) = place else {
            return Self(None);
        };
        let known = std::fs::metadata(path).ok();
        Self(known.map(|file| (path.clone(), id(&file))))
    }

    /// Returns the error if the database file was moved or replaced. SQLite continues to write to a deleted file, and the
    /// data is lost when it is closed.
    pub(crate) fn missing(&self) -> Option<String> {
        let (path, known) = self.0.as_ref()?;
        let now = std::fs::metadata(path).ok().as_ref().map(id);
        match now {
            Some(now) if now == *known => None,
            Some(_) => Some(message(path, "was replaced by another file")),
            None => Some(message(path, "was removed")),
        }
    }
}

fn message(path: &Path, what: &str) -> String {
    format!(
        "the database {} {what} while the server was using it: stop the server, and restore the folder",
        path.display()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_gone_or_another_is_noticed() {
        let folder = std::env::temp_dir().join(format!("asl-store-files-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let place = Place::in_folder(&folder);
        let Place::File(path) = &place else {
            panic!("it is a file")
        };
        std::fs::write(path, "first").unwrap();
        let files = StoredFiles::of(&place);
        assert_eq!(files.missing(), None);
        let aside = folder.join("aside");
        std::fs::rename(path, &aside).unwrap();
        assert!(files.missing().unwrap().contains("was removed"));
        std::fs::write(path, "second").unwrap();
        assert!(files.missing().unwrap().contains("was replaced"));
        std::fs::rename(&aside, path).unwrap();
        assert_eq!(files.missing(), None);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
