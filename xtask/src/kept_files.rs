//! Digests of files that earlier versions wrote: such a file never changes.
//!
//! `kept-files.txt` lists them. `UPDATE_SAVES=1` and `UPDATE_STORES=1` add the lines of new files, and change none.
use crate::workspace;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::Path;
use std::{env, fs, io};

/// Folders of such files.
const FOLDERS: [&str; 2] = ["asl-engine/tests/saves", "asl-store/tests/stores"];
const LIST: &str = "xtask/kept-files.txt";

/// Returns the digest of each file below a folder, by its path in the workspace.
fn digests(folder: &str) -> io::Result<BTreeMap<String, String>> {
    let mut all = BTreeMap::new();
    let mut open = vec![workspace::root().join(folder)];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                open.push(path);
                continue;
            }
            let digest = Sha256::digest(fs::read(&path)?);
            let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
            let name = path.strip_prefix(workspace::root()).unwrap_or(&path);
            all.insert(name.display().to_string().replace('\\', "/"), digest);
        }
    }
    Ok(all)
}

fn listed(list: &Path) -> io::Result<BTreeMap<String, String>> {
    let text = fs::read_to_string(list)?;
    let rows = text.lines().filter_map(|line| line.split_once("  "));
    Ok(rows
        .map(|(digest, name)| (name.to_owned(), digest.to_owned()))
        .collect())
}

#[test]
fn kept_files_are_unchanged() {
    let list = workspace::root().join(LIST);
    let mut known = listed(&list).unwrap_or_default();
    let mut files = BTreeMap::new();
    for folder in FOLDERS {
        files.extend(digests(folder).expect("the folder can be read"));
    }
    if ["UPDATE_SAVES", "UPDATE_STORES"]
        .map(env::var_os)
        .iter()
        .any(Option::is_some)
    {
        for (name, digest) in &files {
            known.entry(name.clone()).or_insert_with(|| digest.clone());
        }
        let lines = known
            .iter()
            .map(|(name, digest)| format!("{digest}  {name}\n"));
        fs::write(&list, lines.collect::<String>()).expect("the list can be written");
    }
    for (name, digest) in &known {
        let found = files.get(name).map(String::as_str);
        assert_eq!(
            found,
            Some(digest.as_str()),
            "{name} is kept as an earlier version wrote it: restore it"
        );
    }
    let is_new = |name: &&String| !known.contains_key(*name);
    let new: Vec<&String> = files.keys().filter(is_new).collect();
    assert!(
        new.is_empty(),
        "{new:?}: list new files with UPDATE_SAVES=1 or UPDATE_STORES=1"
    );
}
