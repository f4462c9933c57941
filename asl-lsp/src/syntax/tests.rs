//! Trees of texts, whole and broken.
use super::cursor::Cursor;
use super::{Kind, NodeId, Spot, Style, Syntax};
use crate::testing::CARET;
use proptest::prelude::*;
use serde_json::Value;

/// Returns a tree similar to JSON: `~` for missing parts, `?` after a name without a value.
fn shown(syntax: &Syntax, id: NodeId) -> String {
    let node = syntax.node(id).unwrap();
    let name = match &node.name {
        Some(_) if node.kind == Kind::NameAlone => return format!("{}?", syntax.name(id)),
        Some(_) => format!("{}: ", syntax.name(id)),
        None => String::new(),
    };
    let children: Vec<String> = syntax.children(id).map(|it| shown(syntax, it)).collect();
    let value = match node.kind {
        Kind::Object => format!("{{{}}}", children.join(", ")),
        Kind::Array => format!("[{}]", children.join(", ")),
        Kind::Scalar(_) => syntax.value(id).unwrap().into_owned(),
        Kind::Missing | Kind::NameAlone => "~".to_owned(),
    };
    format!("{name}{value}")
}

fn tree(text: &str) -> String {
    let syntax = Syntax::new(text, true);
    let roots = (0..syntax.nodes().len()).filter(|id| syntax.node(*id).unwrap().parent.is_none());
    roots
        .map(|id| shown(&syntax, id))
        .collect::<Vec<_>>()
        .join(" | ")
}

#[test]
fn json_is_read_whatever_is_missing() {
    for (text, expected) in [
        (
            r#"{"a": [1, {"b": "c\n"}], "d": true}"#,
            "{a: [1, {b: c\n}], d: true}",
        ),
        (r#"{"a": }"#, "{a: ~}"),
        (r#"{"a": , "b": 1}"#, "{a: ~, b: 1}"),
        ("{\"a\":\n \"b\": 1}", "{a: ~, b: 1}"),
        (r#"{"a": 1 "b": 2}"#, "{a: 1, b: 2}"),
        (r#"{"a": 1, "b"}"#, "{a: 1, b?}"),
        (r#"{"a" {"b": 1}}"#, "{a?, {b: 1}}"),
        ("{\"a\": \"unclosed,\n \"b\": 1}", "{a: unclosed, b: 1}"),
        (r#"{"a": [1, "#, "{a: [1]}"),
        (r#"{"a": [1}, "b": 2"#, "{a: [1]}"),
        (r#"{"a": 1]}"#, "{a: 1}"),
        (r#"{"a": ${X}, "b": "${Y}"}"#, "{a: ${X}, b: ${Y}}"),
        (r#"{"a": {"#, "{a: {}}"),
        ("{,,:}", "{}"),
        (r#"{"a": {"b": 1}}}} {"c": 2}"#, "{a: {b: 1}}"),
    ] {
        assert_eq!(tree(text), expected, "{text}");
    }
}

#[test]
fn yaml_is_read_by_its_lines() {
    for (text, expected) in [
        (
            "a:\n  b: 1\n  c: [x, 'y, z']\nd: e # no\n",
            "{a: {b: 1, c: [x, y, z]}, d: e}",
        ),
        (
            "a:\n- b: 1\n  c: 2\n- d\ne: 3",
            "{a: [{b: 1, c: 2}, d], e: 3}",
        ),
        ("a:\n  - - x\n    - y\n", "{a: [[x, y]]}"),
        ("a: |\n  x\n   y\n\nb: >-\n  z\n  w\n", "{a: x\n y, b: z w}"),
        ("a: two\n  lines\nb: \"x\n  y\"\n", "{a: two lines, b: x y}"),
        (
            "a: !Sub 'x'\nb: !GetAtt A.B\nc: &d {e: 1}\nf: *d\n",
            "{a: x, b: A.B, c: {e: 1}, f: *d}",
        ),
        (
            "'a b': 1\n\"c: d\": 2\nurl: http://x\n",
            "{a b: 1, c: d: 2, url: http://x}",
        ),
        ("# why\n---\na: 1\n", "{a: 1}"),
        (
            "a: |\n  {\"b\": [1,\n   {\"c\": \"d\"}]}\ne: 1\n",
            "{a: {b: [1, {c: d}]}, e: 1}",
        ),
        ("a:\n  b:\nc:\n", "{a: {b: ~}, c: ~}"),
        ("a:\n  Ty\n  b: 1\n", "{a: {Ty?, b: 1}}"),
        ("a:\n  b: 1\n  Ty\nc: 2\n", "{a: {b: 1, Ty?}, c: 2}"),
        ("a: {b: [1,\nc: 2\n", "{a: {b: [1]}, c: 2}"),
        ("- a\n-\n- b: 1\n", "[a, ~, {b: 1}]"),
        ("a: 'unclosed\nb: 1\n", "{a: unclosed, b: 1}"),
    ] {
        assert_eq!(tree(text), expected, "{text:?}");
    }
}

/// Returns `name`, `value` or `nothing`, with the text and the name or text of its container.
fn at(text: &str) -> String {
    let offset = text.find(CARET).unwrap();
    let text = text.replace(CARET, "");
    let syntax = Syntax::new(&text, true);
    let Cursor { container, spot } = syntax.cursor(offset);
    let container = container.map_or("-".to_owned(), |id| match syntax.name(id).as_ref() {
        "" => "root".to_owned(),
        name => name.to_owned(),
    });
    match spot {
        Spot::Name(word) => format!("name '{}' in {container}", syntax.slice(word.range)),
        Spot::Value(word) => {
            let of = word
                .node
                .map_or("-".to_owned(), |id| syntax.name(id).into_owned());
            format!(
                "value '{}' of {of} in {container}",
                syntax.slice(word.range)
            )
        }
        Spot::Nothing => "nothing".to_owned(),
    }
}

#[test]
fn a_cursor_knows_where_it_is() {
    for (text, expected) in [
        ("{\"a\": ‸}", "value '' of a in root"),
        ("{\"a\": \"x‸y\"}", "value 'xy' of a in root"),
        ("{\"a\": \"‸\n}", "value '' of a in root"),
        ("{\"a\": {\"b‸\"}}", "name 'b' in a"),
        ("{\"a\": {‸}}", "name '' in a"),
        ("{\"a\": {\"b\": 1,\n ‸}}", "name '' in a"),
        ("{\"a\": {\"b\": 1,\n ‸", "name '' in a"),
        ("{\"a\": [‸]}", "value '' of - in a"),
        ("{\"a\": [\"x\", \"‸\"]}", "value '' of  in a"),
        ("{\"a\": 1}‸", "nothing"),
        ("a: ‸", "value '' of a in root"),
        ("a: x‸y\n", "value 'xy' of a in root"),
        ("a:\n  b: 1\n  ‸\nc: 1\n", "name '' in a"),
        ("a:\n  b: 1\n‸\nc: 1\n", "name '' in root"),
        ("a:\n  b‸\n", "value 'b' of a in root"),
        ("a:\n  b: 1\n  c‸\n", "name 'c' in a"),
        ("a:\n  ‸\n", "value '' of a in root"),
        ("a:\n  - ‸\n", "value '' of  in a"),
        ("a:\n  - b: 1\n    ‸\n", "name '' in root"),
        ("a: |\n  {\"b\": {\"c\": \"‸\"}}\n", "value '' of c in b"),
    ] {
        assert_eq!(at(text), expected, "{text:?}");
    }
}

#[test]
fn hostile_texts_take_linear_time() {
    for piece in [
        "{\"a\":", "[", "]", "}", "\"", "- ", "a:\n ", "{[", "'", "a: \"\n", "a: {\n", "? ", "\\",
        "}]",
    ] {
        let syntax = Syntax::new(&piece.repeat(200_000 / piece.len()), false);
        let yaml = Syntax::new(
            &format!("a:\n{}", piece.repeat(200_000 / piece.len())),
            true,
        );
        assert!(syntax.nodes().len() + yaml.nodes().len() < 800_000);
    }
}

/// Returns the value of a complete tree, like a JSON reader, with all scalars as strings.
fn value(syntax: &Syntax, id: NodeId) -> Value {
    match syntax.node(id).unwrap().kind {
        Kind::Object => syntax
            .children(id)
            .map(|child| (syntax.name(child).into_owned(), value(syntax, child)))
            .collect(),
        Kind::Array => syntax
            .children(id)
            .map(|child| value(syntax, child))
            .collect(),
        Kind::Scalar(_) => syntax.value(id).unwrap().into_owned().into(),
        Kind::Missing | Kind::NameAlone => Value::Null,
    }
}

fn with_texts(value: Value) -> Value {
    match value {
        Value::Object(fields) => fields
            .into_iter()
            .map(|(name, it)| (name, with_texts(it)))
            .collect(),
        Value::Array(elements) => elements.into_iter().map(with_texts).collect(),
        Value::String(text) => text.into(),
        other => other.to_string().into(),
    }
}

fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        "[a-z \\\\\"'#:é😀\n-]{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::btree_map("[a-zA-Z \"]{1,6}", inner, 0..5)
                .prop_map(|map| map.into_iter().collect::<Value>()),
        ]
    })
}

proptest! {
    #[test]
    fn what_is_whole_is_read_as_it_is(value_of in json(), is_pretty: bool) {
        let value_of = serde_json::json!({"root": value_of});
        let text = if is_pretty { format!("{value_of:#}") } else { value_of.to_string() };
        let syntax = Syntax::new(&text, false);
        prop_assert!(!syntax.is_broken(), "{}", text);
        prop_assert_eq!(value(&syntax, 0), with_texts(value_of.clone()));
        // Spans hold what they say.
        for node in syntax.nodes() {
            if let Kind::Scalar(Style::Double) = node.kind {
                prop_assert!(serde_json::from_str::<String>(syntax.slice(node.span.clone())).is_ok());
            }
        }
    }

    #[test]
    fn no_text_is_too_broken(text in "(\\{|\\}|\\[|\\]|\"|'|: |,|\n|  |- |a|\\||>|#|&|!|é|\\\\){0,60}", is_yaml: bool) {
        let syntax = Syntax::new(&text, is_yaml);
        for (id, node) in syntax.nodes().iter().enumerate() {
            prop_assert!(node.span.start <= node.span.end && node.span.end <= text.len());
            prop_assert!(text.is_char_boundary(node.span.start) && text.is_char_boundary(node.span.end));
            prop_assert!(node.parent.is_none_or(|parent| parent < id));
            syntax.value(id);
        }
        let starts: Vec<usize> = syntax.nodes().iter().map(super::Node::start).collect();
        prop_assert!(starts.is_sorted(), "{:?}", starts);
        for offset in 0..=text.len() {
            syntax.cursor(offset);
            syntax.node_at(offset);
        }
    }
}

/// Each bracket is a node: without a bound the tree would take a hundred times the text.
#[test]
fn a_tree_has_a_bound() {
    for (text, is_yaml) in [("[".repeat(3 << 20), false), ("- ".repeat(3 << 20), true)] {
        let syntax = Syntax::new(&text, is_yaml);
        assert!(syntax.is_broken());
        assert!(
            syntax.nodes().len() <= (1 << 20) + 1,
            "{}",
            syntax.nodes().len()
        );
    }
}
