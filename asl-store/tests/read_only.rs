//! Folders and files that are only to be read.
#![cfg(unix)]
mod common;

use asl_store::{OpenError, Store, StoreReader, compact};
use common::disk::*;
use common::filled::{close_sealed, filled, performer};
use common::*;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Sets what may be done with a file.
fn set_mode(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

/// A place of a store that nobody can write to.
enum ReadOnly {
    /// A read-only mount, because root ignores file modes.
    Disk(SmallDisk),
    Folder(Folder),
}

impl ReadOnly {
    fn new(store: &Folder) -> Option<Self> {
        let place = Folder::new();
        set_mode(&place.0, 0o555);
        let is_enforced = std::fs::write(place.0.join("probe"), "").is_err();
        set_mode(&place.0, 0o755);
        let place = match is_enforced {
            true => Self::Folder(place),
            false => Self::Disk(SmallDisk::new()?),
        };
        let kept = place.path().join("kept");
        std::fs::create_dir(&kept).unwrap();
        std::fs::copy(store.0.join("asl.db"), kept.join("asl.db")).unwrap();
        match &place {
            Self::Disk(disk) => disk.set_read_only(),
            Self::Folder(folder) => {
                set_mode(&kept, 0o555);
                set_mode(&folder.0, 0o555);
            }
        }
        Some(place)
    }

    fn path(&self) -> &Path {
        match self {
            Self::Disk(disk) => disk.path(),
            Self::Folder(folder) => &folder.0,
        }
    }
}

impl Drop for ReadOnly {
    fn drop(&mut self) {
        if let Self::Folder(folder) = self {
            set_mode(&folder.0, 0o755);
            set_mode(&folder.0.join("kept"), 0o755);
        }
    }
}

fn path_of(refused: Result<(), OpenError>) -> PathBuf {
    match refused {
        Err(error @ OpenError::ReadOnly { .. }) => {
            let text = error.to_string();
            assert!(
                text.ends_with("use a folder that this user can write to"),
                "{text}"
            );
            let OpenError::ReadOnly { path, .. } = error else {
                unreachable!("it was looked at")
            };
            path
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_store_that_is_only_to_be_read_is_read_and_not_opened() {
    let folder = Folder::new();
    close_sealed(filled(&folder, performer()).await, &folder).await;
    let Some(place) = ReadOnly::new(&folder) else {
        return left_out("nothing can be mounted here");
    };
    let kept = place.path().join("kept");
    let refused = Store::open(&kept, no_handlers()).map(drop);
    assert_eq!(path_of(refused), kept.join("lock"));
    let refused = compact(&kept, Duration::ZERO).map(drop);
    assert_eq!(path_of(refused), kept.join("lock"));
    let missing = Store::open(place.path().join("missing"), no_handlers()).map(drop);
    let missing = missing.unwrap_err().to_string();
    assert!(missing.contains("missing: "), "{missing}");
    // Nothing can be made next to it, and nothing need be.
    let checked = StoreReader::open(&kept).unwrap().check(|_| ()).unwrap();
    assert_eq!((checked.executions, checked.faults), (5, 0));
    let copy = folder.0.join("copy.db");
    StoreReader::open(&kept).unwrap().back_up(&copy).unwrap();
    assert!(copy.exists());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_that_is_only_to_be_read_is_named() {
    let folder = Folder::new();
    close_sealed(filled(&folder, performer()).await, &folder).await;
    let database = folder.0.join("asl.db");
    set_mode(&database, 0o444);
    if std::fs::OpenOptions::new()
        .append(true)
        .open(&database)
        .is_ok()
    {
        return left_out("root writes whatever there is");
    }
    let refused = Store::open(&folder.0, no_handlers()).map(drop);
    assert_eq!(path_of(refused), database);
}
