//! Looking for files that may hold state machines.

mod pattern;
mod source;

pub use pattern::is_pattern;
pub use source::{SourceTool, sources_below};

use pattern::Pattern;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

/// Folders that hold what others made.
const SKIPPED: [&str; 2] = ["node_modules", "target"];

/// Files that are looked at for one argument: a folder with more is the wrong one.
const MOST_FILES: usize = 100_000;

/// Lists the files in a folder that may contain state machines, sorted by name: `*.json`, `*.yaml` and `*.yml`.
///
/// Left out are hidden folders, `node_modules` and `target`, links, and the assets that CDK copies into `cdk.out`: the templates
/// next to them name those that are definitions.
///
/// # Errors
/// A folder that cannot be read, or more files than anybody means.
pub fn files_below(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    walk(folder, usize::MAX, false, &mut |path| {
        if is_wanted(path) {
            found.push(path.to_owned());
        }
    })?;
    found.sort();
    Ok(found)
}

/// Returns the files that a pattern names, in the order of their names: `*` and `?` are within the name of a file or a
/// folder, `**` is any folders, `{a,b}` either.
///
/// # Errors
/// As [`files_below`].
pub fn files_of_pattern(pattern: &str) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for pattern in Pattern::all(pattern) {
        let base = pattern.base();
        if !base.is_dir() {
            continue;
        }
        walk(base, pattern.depth(), pattern.names_hidden(), &mut |path| {
            let below = path.strip_prefix(base).unwrap_or(path);
            if pattern.matches(below) {
                found.push(path.to_owned());
            }
        })?;
    }
    found.sort();
    found.dedup();
    Ok(found)
}

/// Returns true if a pattern names a path, both from the same folder.
///
/// ```
/// use std::path::Path;
/// assert!(asl_template::pattern_names("legacy/**/*.json", Path::new("legacy/a/b.asl.json")));
/// assert!(!asl_template::pattern_names("legacy/*", Path::new("flows/a.asl.json")));
/// ```
pub fn pattern_names(pattern: &str, path: &Path) -> bool {
    let path = plain_path(path);
    Pattern::all(pattern).iter().any(|pattern| {
        let base = plain_path(pattern.base());
        let below = path.strip_prefix(&base);
        below.is_ok_and(|below| pattern.matches(below))
    })
}

/// Returns true if a file is called a definition by itself: `*.asl.json`, `*.asl.yaml` or `*.asl.yml`, perhaps with `.tftpl`
/// behind, as sources of Terraform's `templatefile` are. What else a folder holds is one only if a template names it.
///
/// ```
/// use std::path::Path;
/// assert!(asl_template::is_called_definition(Path::new("flows/order.asl.yml")));
/// assert!(!asl_template::is_called_definition(Path::new("template.yml")));
/// ```
pub fn is_called_definition(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| {
        let name = name.strip_suffix(".tftpl").unwrap_or(name);
        [".asl.json", ".asl.yaml", ".asl.yml"]
            .iter()
            .any(|ending| name.ends_with(ending))
    })
}

fn is_wanted(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|it| ["json", "yaml", "yml"].contains(&it)) || is_called_definition(path)
}

/// Shows every file below a folder, down to some levels.
fn walk(
    folder: &Path,
    depth: usize,
    with_hidden: bool,
    show: &mut dyn FnMut(&Path),
) -> io::Result<()> {
    let mut open = vec![(folder.to_owned(), depth)];
    let mut seen = 0;
    while let Some((folder, depth)) = open.pop() {
        let within = |error: io::Error| {
            io::Error::new(error.kind(), format!("{}: {error}", folder.display()))
        };
        for entry in fs::read_dir(&folder).map_err(within)? {
            let entry = entry.map_err(within)?;
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let kind = entry.file_type().map_err(within)?;
            if is_asset(&name) || (name.starts_with('.') && !with_hidden) {
                continue;
            }
            let path = entry.path();
            // `./` before a path helps nobody.
            let path = path.strip_prefix(".").map_or(path.clone(), Path::to_owned);
            if kind.is_dir() && depth > 1 && !SKIPPED.contains(&&*name) {
                open.push((path, depth - 1));
            } else if kind.is_file() {
                seen += 1;
                if seen > MOST_FILES {
                    return Err(within(io::Error::other(format!(
                        "more than {MOST_FILES} files"
                    ))));
                }
                show(&path);
            }
        }
    }
    Ok(())
}

/// Returns true for CDK's copy of an asset: `asset.` and its hash.
fn is_asset(name: &str) -> bool {
    let hash = name.strip_prefix("asset.").unwrap_or_default();
    let digits = hash.bytes().take_while(u8::is_ascii_hexdigit).count();
    digits >= 32
}

/// Returns a path without `.`, and without `..` where what comes before is known.
///
/// ```
/// use std::path::Path;
/// assert_eq!(asl_template::plain_path(Path::new("./a/../b")), Path::new("b"));
/// ```
pub fn plain_path(path: &Path) -> PathBuf {
    let mut whole = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if whole.file_name().is_some() => {
                whole.pop();
            }
            other => whole.push(other),
        }
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::{is_asset, plain_path};
    use std::path::Path;

    #[test]
    fn assets_are_known_by_their_hash() {
        assert!(is_asset(
            "asset.0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef.json"
        ));
        assert!(!is_asset("asset.json"));
        assert!(!is_asset("assets"));
    }

    #[test]
    fn paths_are_made_plain() {
        for (path, expected) in [
            ("./a/../b", "b"),
            ("../a/./b", "../a/b"),
            ("a/b/../../../c", "../c"),
        ] {
            assert_eq!(plain_path(Path::new(path)), Path::new(expected));
        }
    }
}
