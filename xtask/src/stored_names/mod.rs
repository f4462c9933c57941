//! Names that are stored, sent or registered: they must not change when the code that has them is renamed.
//!
//! Stores, journals and messages hold the names of fields and variants, and Restate the names of services and handlers. They
//! come from the source, and are compared with a list. The names of Rust types are not part of it.
mod shape;

use crate::workspace;
use shape::shapes_of_file;
use similar::TextDiff;
use std::fs;
use std::path::{Path, PathBuf};

/// The list, in the folder of this program.
const LIST: &str = "stored-names.txt";

/// Compares the stored names with the list; returns true if none changed. `UPDATE_EXPECT=1` writes the list.
pub(crate) fn run() -> Result<bool, String> {
    let path = workspace::root().join("xtask").join(LIST);
    let names = list_names()?;
    if workspace::updates_expectations() {
        fs::write(&path, names).map_err(|error| format!("{}: {error}", path.display()))?;
        return Ok(true);
    }
    let expected = read(&path)?;
    if expected == names {
        return Ok(true);
    }
    let difference = TextDiff::from_lines(expected.as_str(), names.as_str());
    let mut printed = difference.unified_diff();
    printed.context_radius(0).header(LIST, "the source");
    println!("{printed}");
    eprintln!(
        "\nstored data and other versions of this program use these names: keep them with #[serde(rename)], or make the format \
         a new version; added names: UPDATE_EXPECT=1 cargo xtask stored-names"
    );
    Ok(false)
}

/// Lists the shapes of all serialized types and of all services, crate by crate.
fn list_names() -> Result<String, String> {
    let mut list = String::new();
    for library in workspace::libraries()? {
        let mut shapes = Vec::new();
        for file in source_files(&workspace::root().join(&library).join("src"))? {
            let shapes_here = shapes_of_file(&read(&file)?);
            shapes.extend(shapes_here.map_err(|error| format!("{}: {error}", file.display()))?);
        }
        shapes.sort();
        if !shapes.is_empty() {
            list.push_str(&format!("# {library}\n"));
            list.extend(shapes.into_iter().map(|shape| shape + "\n"));
        }
    }
    Ok(list)
}

/// Lists the source files of a folder and of its subfolders.
fn source_files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files = Vec::new();
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            files.extend(source_files(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    Ok(files)
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}
