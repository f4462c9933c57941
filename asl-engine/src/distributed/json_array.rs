//! JSON files: an array, or an object whose members are the items (developer guide, ItemReader).
use super::error::FileFault;
use super::file_text::ItemLimits;
use crate::data::weigh_text;
use serde_json::{Value, json};

/// Returns the first items of a JSON text.
///
/// `items_pointer` is "ItemsPointer", a JSON pointer to the array or object within the file. An item of an object is
/// `{"Key": …, "Value": …}`.
pub(super) fn read(
    text: &str,
    items_pointer: Option<&str>,
    limits: &mut ItemLimits,
) -> Result<Vec<Value>, FileFault> {
    limits.room.take(weigh_text(text))?;
    let mut document = asl_path::json::parse(text, limits.max_depth)
        .map_err(|error| format!("not JSON: {error}"))?;
    let dataset = match items_pointer {
        None => document,
        Some(pointer) => document
            .pointer_mut(pointer)
            .map(Value::take)
            .ok_or_else(|| pointer_without_target(pointer))?,
    };
    match dataset {
        Value::Array(mut items) => {
            items.truncate(limits.max_items);
            Ok(items)
        }
        Value::Object(members) => {
            let items = members.into_iter().take(limits.max_items);
            Ok(items
                .map(|(key, value)| json!({"Key": key, "Value": value}))
                .collect())
        }
        _ => Err(not_iterable()),
    }
}

/// Returns the fault of a file that has nothing at "ItemsPointer".
pub(super) fn pointer_without_target(pointer: &str) -> FileFault {
    FileFault::File(format!("ItemsPointer {pointer} points to nothing in it"))
}

/// Returns the fault of a file whose items would be those of another value, in the words of the service.
pub(super) fn not_iterable() -> FileFault {
    FileFault::Service("Attempting to map over non-iterable node.".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distributed::room::Room;

    const DEPTH: usize = 10;

    fn read(
        text: &str,
        pointer: Option<&str>,
        max_items: usize,
        max_depth: usize,
    ) -> Result<Vec<Value>, FileFault> {
        let mut limits = ItemLimits {
            max_items,
            max_depth,
            room: Room::new(u64::MAX),
        };
        super::read(text, pointer, &mut limits)
    }

    fn items(text: &str, pointer: Option<&str>) -> Result<Value, FileFault> {
        read(text, pointer, usize::MAX, DEPTH).map(Value::Array)
    }

    #[test]
    fn an_array_is_its_elements() {
        assert_eq!(
            items(r#"[{"a": 1}, null, "x"]"#, None),
            Ok(json!([{"a": 1}, null, "x"]))
        );
        assert_eq!(items("[]", None), Ok(json!([])));
    }

    #[test]
    fn an_object_is_its_members() {
        assert_eq!(
            items(r#"{"b": 1, "a": [2]}"#, None),
            Ok(json!([{"Key": "b", "Value": 1}, {"Key": "a", "Value": [2]}]))
        );
    }

    #[test]
    fn a_pointer_finds_the_array_within() {
        let text = r#"{"pages": [{"items": [1, 2]}, {"a/b": [3]}]}"#;
        assert_eq!(items(text, Some("/pages/0/items")), Ok(json!([1, 2])));
        assert_eq!(items(text, Some("/pages/1/a~1b")), Ok(json!([3])));
        assert_eq!(
            items(text, Some("/other")),
            Err("ItemsPointer /other points to nothing in it"
                .to_owned()
                .into())
        );
    }

    #[test]
    fn max_items_applies_to_elements_and_members() {
        assert_eq!(
            read("[1,2,3]", None, 2, DEPTH),
            Ok(vec![json!(1), json!(2)])
        );
        let members = read(r#"{"a":1,"b":2}"#, None, 1, DEPTH);
        assert_eq!(members, Ok(vec![json!({"Key": "a", "Value": 1})]));
    }

    #[test]
    fn a_scalar_has_no_items() {
        assert_eq!(
            items("42", None),
            Err(FileFault::Service(
                "Attempting to map over non-iterable node.".to_owned()
            ))
        );
    }

    #[test]
    fn what_is_not_json_is_refused() {
        let Err(FileFault::File(error)) = items("[1,", None) else {
            panic!("it is not JSON");
        };
        assert!(error.starts_with("not JSON: "), "{error}");
    }
}
