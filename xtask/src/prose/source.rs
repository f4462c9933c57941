//! Comments and type names of a source file, read line by line.

/// Returns the text of each doc block: of adjacent lines that begin with `///` or `//!`.
pub(super) fn doc_blocks(source: &str) -> Vec<String> {
    let mut blocks: Vec<String> = Vec::new();
    let mut previous = None;
    for line in source.lines() {
        let doc = doc_text(line);
        match (doc, previous) {
            (Some((mark, text)), Some(before)) if mark == before => {
                if let Some(block) = blocks.last_mut() {
                    block.push('\n');
                    block.push_str(text);
                }
            }
            (Some((_, text)), _) => blocks.push(text.to_owned()),
            (None, _) => {}
        }
        previous = doc.map(|(mark, _)| mark);
    }
    blocks
}

/// Returns the mark and the text of a line of documentation.
fn doc_text(line: &str) -> Option<(&'static str, &str)> {
    let line = line.trim_start();
    ["///", "//!"]
        .into_iter()
        .find_map(|mark| Some((mark, line.strip_prefix(mark)?)))
        .filter(|(_, text)| !text.starts_with('/'))
        .map(|(mark, text)| (mark, text.trim_start()))
}

/// Returns the lines of all comments, documentation included.
pub(super) fn comments(source: &str) -> String {
    let lines = source.lines().filter_map(|line| {
        let comment = line.trim_start().strip_prefix("//")?;
        Some(comment.trim_start_matches(['/', '!']))
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns the names of the types that a source file defines.
pub(super) fn type_names(source: &str) -> Vec<&str> {
    source.lines().filter_map(type_name).collect()
}

/// Returns the name of the type that a line defines.
fn type_name(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let item = match line.strip_prefix("pub") {
        None => line,
        Some(rest) => match rest.strip_prefix('(') {
            None => rest.trim_start(),
            Some(scope) => scope.split_once(')')?.1.trim_start(),
        },
    };
    let definition = ["struct ", "enum ", "trait ", "type "]
        .into_iter()
        .find_map(|word| item.strip_prefix(word))?;
    let end = definition.find(|it: char| !it.is_alphanumeric() && it != '_');
    Some(&definition[..end.unwrap_or(definition.len())])
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "\
//! A module.
//! Its second line.

/// A type.
pub(crate) struct Found<T> {
    /// A field.
    field: T, // not a doc
}
// Why not.
enum Told { A }
";

    #[test]
    fn blocks_are_adjacent_lines() {
        let expected = ["A module.\nIts second line.", "A type.", "A field."];
        assert_eq!(doc_blocks(SOURCE), expected);
    }

    #[test]
    fn comments_are_lines_of_their_own() {
        assert!(comments(SOURCE).ends_with("A field.\n Why not."));
    }

    #[test]
    fn types_are_found_by_their_definitions() {
        assert_eq!(type_names(SOURCE), ["Found", "Told"]);
    }
}
