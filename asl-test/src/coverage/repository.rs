//! Names of files in reports.
use std::path::{Path, PathBuf};

/// Returns a path relative to the root of its repository, the nearest parent folder with a `.git`, or else to the current
/// folder, with slashes on every system. A path outside both is unchanged.
pub(super) fn path_in_repository(path: &Path) -> String {
    let Ok(path) = path.canonicalize() else {
        return with_slashes(path);
    };
    let mut folders = path.ancestors().skip(1);
    let root = folders.find(|folder| folder.join(".git").exists());
    let root = root.map(Path::to_owned).or_else(current_folder);
    let below = root.and_then(|root| path.strip_prefix(root).map(Path::to_owned).ok());
    with_slashes(&below.unwrap_or(path))
}

fn current_folder() -> Option<PathBuf> {
    std::env::current_dir().ok()?.canonicalize().ok()
}

fn with_slashes(path: &Path) -> String {
    let text = path.to_string_lossy();
    match std::path::MAIN_SEPARATOR {
        '/' => text.into_owned(),
        separator => text.replace(separator, "/"),
    }
}
