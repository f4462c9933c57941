//! Counts of wording that readers must read twice, for each crate. The counts may only fall.
mod counts;
mod source;
mod words;

use crate::workspace;
use counts::Counts;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Table of the counts of each crate, in the folder of this program.
const TABLE: &str = "prose.txt";

/// First lines of the table.
const HEADER: &str = "\
# Wording of each crate: doc blocks, those that open with a relative clause, words of the stop list in comments and texts,
# types, and those whose name is a bare participle. `cargo xtask prose` fails if the second, third or fifth number grows.
";

/// Counts the wording of each crate and compares it with the table; returns true if no count grew.
/// `UPDATE_EXPECT=1` writes the table.
pub(crate) fn run() -> Result<bool, String> {
    let path = workspace::root().join("xtask").join(TABLE);
    let counted = count_crates()?;
    if workspace::updates_expectations() {
        write(&path, &counted)?;
        return Ok(true);
    }
    let recorded = read(&path)?;
    let mut held = true;
    for (name, now) in &counted {
        let before = recorded.get(name).copied().unwrap_or_default();
        for growth in now.growth_since(before) {
            held = false;
            println!("{name}: {growth}");
        }
        println!("{name:16} {now}");
    }
    let total = counted
        .values()
        .copied()
        .fold(Counts::default(), Counts::add);
    println!("{:16} {total}", "all");
    if !held {
        eprintln!("\nreword what was added: CONTRIBUTING.md has the rules");
    } else if counted != recorded {
        eprintln!("\ncounts fell: record them with UPDATE_EXPECT=1 cargo xtask prose");
    }
    Ok(held)
}

/// Counts the wording of every crate of the workspace.
fn count_crates() -> Result<BTreeMap<String, Counts>, String> {
    let root = workspace::root();
    let entries = fs::read_dir(&root).map_err(|error| format!("{}: {error}", root.display()))?;
    let mut counted = BTreeMap::new();
    for entry in entries.flatten() {
        let folder = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        if folder.join("Cargo.toml").is_file() && folder.join("src").is_dir() {
            counted.insert(name, count_crate(&folder)?);
        }
    }
    Ok(counted)
}

/// Folders of a crate's source files.
const SOURCES: [&str; 4] = ["src", "tests", "benches", "examples"];

/// Counts the wording of one crate: its source files and tests, its README and its texts.
fn count_crate(folder: &Path) -> Result<Counts, String> {
    let mut counts = Counts::default();
    for sources in SOURCES.map(|name| folder.join(name)) {
        if sources.is_dir() {
            for file in files(&sources, &["rs"])? {
                counts = counts.add(Counts::of_source(&read_file(&file)?));
            }
        }
    }
    for texts in [
        folder.to_owned(),
        folder.join("texts"),
        folder.join("explanations"),
    ] {
        for file in files_of(&texts, &["md", "txt"])? {
            // Lists of names are not prose.
            if !file.ends_with("public-api.txt") && !file.ends_with(TABLE) {
                counts = counts.add(Counts::of_text(&read_file(&file)?));
            }
        }
    }
    Ok(counts)
}

/// Lists the files of a folder and of its subfolders that have one of the extensions.
fn files(folder: &Path, extensions: &[&str]) -> Result<Vec<PathBuf>, String> {
    let mut found = files_of(folder, extensions)?;
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for entry in entries.flatten() {
        if entry.path().is_dir() {
            found.extend(files(&entry.path(), extensions)?);
        }
    }
    Ok(found)
}

/// Lists the files of a folder, if it exists, that have one of the extensions.
fn files_of(folder: &Path, extensions: &[&str]) -> Result<Vec<PathBuf>, String> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let paths = entries.flatten().map(|entry| entry.path());
    Ok(paths
        .filter(|path| {
            path.extension()
                .is_some_and(|it| extensions.iter().any(|extension| it == *extension))
        })
        .collect())
}

fn read_file(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// Reads the table of recorded counts.
fn read(path: &Path) -> Result<BTreeMap<String, Counts>, String> {
    let text = read_file(path)?;
    let rows = text.lines().filter(|line| !line.starts_with('#'));
    rows.map(|row| {
        let (name, numbers) = row
            .split_once(' ')
            .ok_or_else(|| format!("{}: not a row: {row:?}", path.display()))?;
        Ok((name.to_owned(), Counts::parse(numbers)?))
    })
    .collect()
}

/// Writes the table of recorded counts.
fn write(path: &Path, counted: &BTreeMap<String, Counts>) -> Result<(), String> {
    let rows = counted
        .iter()
        .map(|(name, counts)| format!("{name} {}\n", counts.row()));
    let table: String = [HEADER.to_owned()].into_iter().chain(rows).collect();
    fs::write(path, table).map_err(|error| format!("{}: {error}", path.display()))
}
