//! The files that a template may name: those of its own repository.
use crate::plain_path;
use std::path::{Path, PathBuf};

/// Returns true if a file lies in the repository of a template, links followed: below the nearest folder with `.git`, without one below the
/// working directory if the template lies there too, else below the template's own folder.
///
/// ```
/// use asl_template::is_of_repository;
/// assert!(is_of_repository("app/template.yaml".as_ref(), "app/order.asl.json".as_ref()));
/// assert!(!is_of_repository("app/template.yaml".as_ref(), "/etc/passwd".as_ref()));
/// ```
pub fn is_of_repository(template: &Path, file: &Path) -> bool {
    let folder = resolved(template.parent().unwrap_or(Path::new("")));
    resolved(file).starts_with(root_of(&folder))
}

fn root_of(folder: &Path) -> PathBuf {
    let mut above = folder.ancestors();
    if let Some(root) = above.find(|folder| folder.join(".git").exists()) {
        return root.to_owned();
    }
    let working = std::env::current_dir().map(|folder| resolved(&folder));
    match working {
        Ok(working) if folder.starts_with(&working) => working,
        _ => folder.to_owned(),
    }
}

/// Returns a path without links, or without `..` if nothing is there.
fn resolved(path: &Path) -> PathBuf {
    let path = match path.as_os_str().is_empty() {
        true => Path::new("."),
        false => path,
    };
    std::fs::canonicalize(path).unwrap_or_else(|_| {
        let absolute = std::path::absolute(path);
        plain_path(&absolute.unwrap_or_else(|_| path.to_owned()))
    })
}
