//! Resources of a case: objects, and a folder for its commands.
use crate::case::refused;
use crate::mock::Mock;
use crate::{Case, Difference};
use asl_engine::runtime::MemoryStorage;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A folder that is removed with all that is in it.
#[derive(Debug)]
pub(crate) struct TemporaryFolder(PathBuf);

/// So many names are tried.
const TRIES: u32 = 100_000;

impl TemporaryFolder {
    /// Returns a new one among the system's temporary files.
    pub(crate) fn new() -> io::Result<Self> {
        let process = std::process::id();
        for number in 0..TRIES {
            let path = std::env::temp_dir().join(format!("asl-test-{process}-{number}"));
            match fs::create_dir(&path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                made => return made.map(|()| Self(path)),
            }
        }
        Err(io::Error::other("no free name"))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        // What a command still writes there stays.
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Case {
    /// Returns the objects of the case, which nothing else writes.
    pub(crate) fn storage(&self) -> MemoryStorage {
        let objects = self.objects.iter();
        objects.fold(
            MemoryStorage::default(),
            |storage, ((bucket, key), content)| storage.with(bucket, key, &**content),
        )
    }

    /// Returns a folder for the commands, if there are some.
    pub(crate) fn temporary_folder(&self) -> Result<Option<TemporaryFolder>, Vec<Difference>> {
        let folder = || {
            TemporaryFolder::new()
                .map_err(|error| refused(format!("cannot create a temporary folder: {error}")))
        };
        let runs_commands = self.mocks.iter().any(Mock::runs_commands);
        runs_commands.then(folder).transpose()
    }
}
