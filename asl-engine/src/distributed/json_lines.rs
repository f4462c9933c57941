//! JSON Lines files: one value in each line (developer guide, ItemReader).
use super::error::FileFault;
use super::file_text::{FileText, ItemLimits, ReadItems};
use crate::data::weigh_text;

/// Returns the values of the complete lines of a JSON Lines text. Blank lines are none. `lines_before` is the number of lines
/// before the text, and is counted on.
pub(super) fn read(
    file: FileText<'_>,
    lines_before: &mut u64,
    limits: &mut ItemLimits,
) -> Result<ReadItems, FileFault> {
    let end = match file.is_last {
        true => Some(file.text.len()),
        false => file.text.rfind('\n').map(|at| at + 1),
    };
    let text = end.and_then(|end| file.text.get(..end)).unwrap_or_default();
    let mut items = Vec::new();
    for line in text.lines() {
        *lines_before += 1;
        if line.trim().is_empty() {
            continue;
        }
        if items.len() >= limits.max_items {
            break;
        }
        limits.room.take(weigh_text(line))?;
        let item = asl_path::json::parse(line, limits.max_depth).map_err(|error| {
            let (line, column) = (*lines_before, error.column);
            FileFault::File(format!(
                "line {line} is not JSON: {} at column {column}",
                error.message
            ))
        })?;
        items.push(item);
    }
    let bytes = text.len();
    Ok(ReadItems { items, bytes })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distributed::room::Room;
    use serde_json::{Value, json};

    fn read(text: &str, max_items: usize, max_depth: usize) -> Result<Vec<Value>, FileFault> {
        let mut limits = ItemLimits {
            max_items,
            max_depth,
            room: Room::new(u64::MAX),
        };
        super::read(FileText::whole(text), &mut 0, &mut limits).map(|read| read.items)
    }

    #[test]
    fn every_line_is_an_item() {
        assert_eq!(
            read("{\"a\": 1}\r\n\n  [2]\n\"x\"", usize::MAX, 10),
            Ok(vec![json!({"a": 1}), json!([2]), json!("x")])
        );
        assert_eq!(read("", usize::MAX, 10), Ok(vec![]));
    }

    #[test]
    fn lines_beyond_max_items_are_not_read() {
        assert_eq!(
            read("1\n\n2\nnot JSON", 2, 10),
            Ok(vec![json!(1), json!(2)])
        );
    }

    #[test]
    fn a_fault_names_its_line() {
        let fault = read("1\n\n{\"a\" 1}\n", usize::MAX, 10).expect_err("not JSON");
        let FileFault::File(error) = fault else {
            panic!("{fault:?}");
        };
        assert!(error.starts_with("line 3 is not JSON: "), "{error}");
    }
}
