//! The value of a text.
use super::{Event, Events, JsonError};
use serde_json::{Map, Value};

/// An array or an object that is not closed.
enum Open {
    Array(Vec<Value>),
    /// With the name of the field whose value comes next.
    Object(Map<String, Value>, String),
}

/// Makes a value of all events.
pub(super) fn read(events: Events<'_>) -> Result<Value, JsonError> {
    let mut open: Vec<Open> = Vec::new();
    let mut whole = Value::Null;
    for event in events {
        let value = match event? {
            Event::Scalar(scalar) => scalar.into(),
            Event::ArrayStart => {
                open.push(Open::Array(Vec::new()));
                continue;
            }
            Event::ObjectStart => {
                open.push(Open::Object(Map::new(), String::new()));
                continue;
            }
            Event::Name(text) => {
                if let Some(Open::Object(_, name)) = open.last_mut() {
                    *name = text.into_owned();
                }
                continue;
            }
            Event::ArrayEnd | Event::ObjectEnd => match open.pop() {
                Some(Open::Array(elements)) => Value::Array(elements),
                Some(Open::Object(fields, _)) => Value::Object(fields),
                None => continue,
            },
        };
        match open.last_mut() {
            Some(Open::Array(elements)) => elements.push(value),
            Some(Open::Object(fields, name)) => {
                fields.insert(std::mem::take(name), value);
            }
            None => whole = value,
        }
    }
    Ok(whole)
}

#[cfg(test)]
mod tests {
    use super::super::{DEFAULT_MAX_DEPTH, depth_within, parse};
    use serde_json::{Value, json};

    fn nested(open: &str, close: &str, levels: usize) -> String {
        open.repeat(levels) + "1" + &close.repeat(levels)
    }

    /// Returns a thread with the stack of a worker of an async runtime.
    fn on_small_stack<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> T {
        std::thread::Builder::new()
            .stack_size(2 << 20)
            .spawn(run)
            .unwrap()
            .join()
            .unwrap()
    }

    #[test]
    fn every_kind_of_value_is_as_serde_json_has_it() {
        let text = r#" {"z":[1,-1,18446744073709551615,1.5,1e3,"é\n\u00e9"],"a":{"b":null,"c":true},"a2":"","e":[ ],"f":{ }} "#;
        let expected: Value = serde_json::from_str(text).unwrap();
        let value = parse(text, 10).unwrap();
        assert_eq!(value, expected);
        assert_eq!(
            value.to_string(),
            expected.to_string(),
            "fields keep their order"
        );
    }

    #[test]
    fn the_last_of_equal_names_counts() {
        assert_eq!(parse(r#"{"a":1,"a":2}"#, 1).unwrap(), json!({"a": 2}));
    }

    #[test]
    fn a_thousand_levels_fit_a_small_stack() {
        on_small_stack(|| {
            for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
                let value =
                    parse(&nested(open, close, DEFAULT_MAX_DEPTH), DEFAULT_MAX_DEPTH).unwrap();
                assert_eq!(
                    depth_within(&value, DEFAULT_MAX_DEPTH),
                    Some(DEFAULT_MAX_DEPTH)
                );
                assert_eq!(depth_within(&value, DEFAULT_MAX_DEPTH - 1), None);
            }
        });
    }

    #[test]
    fn more_levels_are_a_fault_however_many() {
        on_small_stack(|| {
            for (open, levels) in [("[", 1_001), ("[", 10_000_000), ("{\"a\":", 100_000)] {
                let error = parse(&open.repeat(levels), DEFAULT_MAX_DEPTH).unwrap_err();
                assert_eq!(error.message, "nested deeper than the limit of 1000 levels");
                assert_eq!(
                    (error.line, error.column),
                    (1, open.len() * DEFAULT_MAX_DEPTH + 1)
                );
            }
        });
    }

    #[test]
    fn an_empty_array_is_a_level_too() {
        assert!(parse("[]", 0).is_err());
        assert!(parse("1", 0).is_ok());
    }
}
