//! Error texts of Jayway for paths that select nothing.
//!
//! They describe where a definite path ended. The service adds them after `Invalid path '…' : `.
use crate::QueryError;
use crate::ast::Segment;
use crate::display::jayway_text;
use crate::error::QueryErrorKind;
use serde_json::{Number, Value};

const PROVIDER: &str = "com.jayway.jsonpath.spi.json.JacksonJsonNodeJsonProvider";

/// `segments[at]` finds nothing in `node`, which the segments before it led to.
#[cold]
pub(super) fn nothing_there(segments: &[Segment], at: usize, node: &Value) -> QueryError {
    let before = segments.get(..at).unwrap_or_default();
    let from_here = segments.get(at..).unwrap_or_default();
    match (from_here.first(), node) {
        (Some(Segment::Field { .. }), Value::Object(_)) if from_here.len() > 1 => {
            let path = jayway_text(segments.get(..=at).unwrap_or_default());
            not_found(format!("Missing property in path ${path}"))
        }
        (Some(Segment::Field { .. } | Segment::Fields { .. }), _) if !node.is_object() => {
            not_found(format!(
                "Expected to find an object with property {} in path ${} but found '{}'. This is not a json object according to \
             the JsonProvider: '{PROVIDER}'.",
                jayway_text(from_here.get(..1).unwrap_or_default()),
                jayway_text(before),
                class_name(node, matches!(before.last(), Some(Segment::Field { .. }))),
            ))
        }
        (Some(Segment::Index(_) | Segment::Indexes(_) | Segment::Slice { .. }), Value::Null) => {
            not_found(format!("The path ${} is null", jayway_text(before)))
        }
        (Some(Segment::Index(_) | Segment::Indexes(_) | Segment::Slice { .. }), _)
            if !node.is_array() =>
        {
            QueryError::new(
                QueryErrorKind::NoArray,
                format!(
                    "Filter: {} can only be applied to arrays. Current context is: {}",
                    jayway_text(from_here),
                    show(node)
                ),
            )
        }
        (Some(Segment::Index(_)), Value::Array(_)) => {
            QueryError::new(QueryErrorKind::PastTheEnd, no_results_text(segments))
        }
        (Some(Segment::Filter(_)), _) => QueryError::new(
            QueryErrorKind::NotApplicable,
            format!(
                "Filter: {} can not be applied to primitives. Current context is: {}",
                jayway_text(from_here),
                show(node)
            ),
        ),
        _ => no_results(segments),
    }
}

/// A definite path ended without a value.
#[cold]
pub(super) fn no_results(segments: &[Segment]) -> QueryError {
    not_found(no_results_text(segments))
}

fn no_results_text(segments: &[Segment]) -> String {
    format!("No results for path: ${}", jayway_text(segments))
}

fn not_found(message: String) -> QueryError {
    QueryError::new(QueryErrorKind::NotFound, message)
}

/// Returns a value within a text: strings bare, the rest as JSON.
fn show(node: &Value) -> String {
    match node {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Returns the Java class that Jayway sees: it takes simple values out of their nodes when it reads a field, not otherwise.
fn class_name(node: &Value, of_field: bool) -> &'static str {
    match (node, of_field) {
        (Value::Null, true) => "null",
        (Value::Bool(_), true) => "java.lang.Boolean",
        (Value::String(_), true) => "java.lang.String",
        (Value::Number(number), true) => number_class(number),
        (Value::Null, false) => "com.fasterxml.jackson.databind.node.NullNode",
        (Value::Bool(_), false) => "com.fasterxml.jackson.databind.node.BooleanNode",
        (Value::String(_), false) => "com.fasterxml.jackson.databind.node.TextNode",
        (Value::Number(number), false) => number_node_class(number),
        (Value::Array(_), _) => "com.fasterxml.jackson.databind.node.ArrayNode",
        (Value::Object(_), _) => "com.fasterxml.jackson.databind.node.ObjectNode",
    }
}

fn number_class(number: &Number) -> &'static str {
    match number.as_i64() {
        Some(value) if i32::try_from(value).is_ok() => "java.lang.Integer",
        Some(_) => "java.lang.Long",
        None if number.is_u64() => "java.math.BigInteger",
        None => "java.lang.Double",
    }
}

fn number_node_class(number: &Number) -> &'static str {
    match number_class(number) {
        "java.lang.Integer" => "com.fasterxml.jackson.databind.node.IntNode",
        "java.lang.Long" => "com.fasterxml.jackson.databind.node.LongNode",
        "java.math.BigInteger" => "com.fasterxml.jackson.databind.node.BigIntegerNode",
        _ => "com.fasterxml.jackson.databind.node.DoubleNode",
    }
}

#[cfg(test)]
mod tests {
    use crate::JsonPath;
    use serde_json::{Value, json};

    fn fault(path: &str, document: Value) -> String {
        JsonPath::parse(path)
            .unwrap()
            .evaluate(&document)
            .unwrap_err()
            .to_string()
    }

    #[test]
    fn the_last_field_is_missing() {
        assert_eq!(fault("$.a", json!({})), "No results for path: $['a']");
        assert_eq!(
            fault("$.a['b']", json!({"a": {}})),
            "No results for path: $['a']['b']"
        );
        assert_eq!(
            fault("$[\"it's\"]", json!({})),
            "No results for path: $[\"it's\"]"
        );
    }

    #[test]
    fn a_field_on_the_way_is_missing() {
        assert_eq!(fault("$.a.b", json!({})), "Missing property in path $['a']");
        assert_eq!(
            fault("$.a.b.c", json!({"a": {}})),
            "Missing property in path $['a']['b']"
        );
        assert_eq!(
            fault("$.a.b[*]", json!({"a": {}})),
            "Missing property in path $['a']['b']"
        );
    }

    #[test]
    fn an_array_is_too_short() {
        assert_eq!(
            fault("$.a[3].b", json!({"a": [1]})),
            "No results for path: $['a'][3]['b']"
        );
        let past_the_end = |path: &str, document: Value| {
            let path = JsonPath::parse(path).unwrap();
            let error = path.evaluate(&document).unwrap_err();
            error.is_not_found() && error.is_past_the_end()
        };
        assert!(past_the_end("$.a[3].b", json!({"a": [1]})));
        assert!(past_the_end("$[-2]", json!([1])));
        assert!(!past_the_end("$[0].b", json!([{}])));
        assert!(!past_the_end("$[0]", json!({})));
    }

    #[test]
    fn something_else_than_an_object() {
        let provider = "This is not a json object according to the JsonProvider: \
                        'com.jayway.jsonpath.spi.json.JacksonJsonNodeJsonProvider'.";
        let expected = |field: &str, path: &str, class: &str| {
            format!(
                "Expected to find an object with property [{field}] in path {path} but found '{class}'. {provider}"
            )
        };
        assert_eq!(
            fault("$.a.b", json!({"a": "x"})),
            expected("'b'", "$['a']", "java.lang.String")
        );
        assert_eq!(
            fault("$.a.b", json!({"a": null})),
            expected("'b'", "$['a']", "null")
        );
        assert_eq!(
            fault("$.a.b", json!({"a": 1})),
            expected("'b'", "$['a']", "java.lang.Integer")
        );
        assert_eq!(
            fault("$.a.b", json!({"a": 5_000_000_000_i64})),
            expected("'b'", "$['a']", "java.lang.Long")
        );
        assert_eq!(
            fault("$.a.b", json!({"a": 1.5})),
            expected("'b'", "$['a']", "java.lang.Double")
        );
        assert_eq!(
            fault("$.a.b", json!({"a": true})),
            expected("'b'", "$['a']", "java.lang.Boolean")
        );
        let node = |class: &str| format!("com.fasterxml.jackson.databind.node.{class}");
        assert_eq!(
            fault("$.a.b", json!({"a": []})),
            expected("'b'", "$['a']", &node("ArrayNode"))
        );
        assert_eq!(
            fault("$[0].b", json!(["x"])),
            expected("'b'", "$[0]", &node("TextNode"))
        );
        assert_eq!(
            fault("$['b','c']", json!(1)),
            expected("'b','c'", "$", &node("IntNode"))
        );
    }

    #[test]
    fn something_else_than_an_array() {
        assert_eq!(
            fault("$.a[0].b", json!({"a": {"c": 1}})),
            "Filter: [0]['b'] can only be applied to arrays. Current context is: {\"c\":1}"
        );
        assert_eq!(
            fault("$[1:2]", json!({})),
            "Filter: [1:2] can only be applied to arrays. Current context is: {}"
        );
        assert_eq!(
            fault("$.a[0]", json!({"a": null})),
            "The path $['a'] is null"
        );
    }

    #[test]
    fn a_filter_of_a_simple_value() {
        let document = json!({"a": "x"});
        let path = JsonPath::parse("$.a[?(@.b)].c").unwrap();
        let error = path.evaluate(&document).unwrap_err();
        assert_eq!(
            error.to_string(),
            "Filter: [?]['c'] can not be applied to primitives. Current context is: x"
        );
        assert!(!error.is_not_found());
    }

    #[test]
    fn after_an_indefinite_segment_nothing_is_missing() {
        for path in [
            "$[*].a.b",
            "$..a.b",
            "$[*][0]",
            "$[*][?(@.x)]",
            "$[0,1].a.b",
        ] {
            let document = json!([{"c": 1}, "x"]);
            assert_eq!(
                *JsonPath::parse(path).unwrap().evaluate(&document).unwrap(),
                json!([]),
                "{path}"
            );
        }
    }
}
