//! JSON Lines files: one value in each line (developer guide, ItemReader).
use super::error::FileFault;
use super::room::Room;
use crate::data::weigh_text;
use serde_json::Value;

/// Returns the first `max_items` values of a JSON Lines text, each nested no deeper than `max_depth`. Blank lines are none.
pub(super) fn read(
    text: &str,
    max_items: usize,
    max_depth: usize,
    room: &mut Room,
) -> Result<Vec<Value>, FileFault> {
    let lines = text.lines().enumerate();
    let values = lines.filter(|(_, line)| !line.trim().is_empty());
    values
        .take(max_items)
        .map(|(index, line)| {
            room.take(weigh_text(line))?;
            asl_path::json::parse(line, max_depth).map_err(|error| {
                let (line, column) = (index + 1, error.column);
                FileFault::File(format!(
                    "line {line} is not JSON: {} at column {column}",
                    error.message
                ))
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(text: &str, max_items: usize, max_depth: usize) -> Result<Vec<Value>, FileFault> {
        super::read(text, max_items, max_depth, &mut Room::new(u64::MAX))
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
