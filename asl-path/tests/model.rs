//! The evaluator agrees with a slow and obvious model.
use asl_path::JsonPath;
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// A segment of the model.
#[derive(Debug, Clone)]
enum Part {
    Field(&'static str),
    Several(Vec<&'static str>),
    Index(i32),
    Indexes(Vec<i32>),
    Slice(Option<i32>, Option<i32>),
    Wildcard,
    Scan(Box<Self>),
    Filter(&'static str, &'static str, i64),
    Exists(&'static str),
}

const NAMES: [&str; 3] = ["a", "b", "c"];

fn names() -> impl Strategy<Value = &'static str> {
    prop::sample::select(&NAMES[..])
}

fn parts() -> impl Strategy<Value = Part> {
    let index = -4..4_i32;
    let single = prop_oneof![
        4 => names().prop_map(Part::Field),
        1 => vec(names(), 2..3).prop_map(Part::Several),
        2 => index.clone().prop_map(Part::Index),
        1 => vec(index.clone(), 2..4).prop_map(Part::Indexes),
        1 => (index.clone(), prop::option::of(index.clone())).prop_map(|(from, to)| Part::Slice(Some(from), to)),
        1 => index.prop_map(|to| Part::Slice(None, Some(to))),
        2 => Just(Part::Wildcard),
        1 => (names(), prop::sample::select(vec!["==", "<", ">="]), -2..3_i64).prop_map(|(name, operator, number)| Part::Filter(name, operator, number)),
        1 => names().prop_map(Part::Exists),
    ];
    (prop::bool::weighted(0.2), single).prop_map(|(scan, part)| {
        if scan {
            Part::Scan(Box::new(part))
        } else {
            part
        }
    })
}

fn text(parts: &[Part]) -> String {
    parts
        .iter()
        .fold("$".to_owned(), |path, part| path + &part_text(part))
}

fn part_text(part: &Part) -> String {
    let bound = |index: &Option<i32>| index.map(|index| index.to_string()).unwrap_or_default();
    match part {
        Part::Field(name) => format!(".{name}"),
        Part::Several(names) => format!("['{}']", names.join("', '")),
        Part::Index(index) => format!("[{index}]"),
        Part::Indexes(indexes) => format!(
            "[{}]",
            indexes
                .iter()
                .map(i32::to_string)
                .collect::<Vec<_>>()
                .join(",")
        ),
        Part::Slice(from, to) => format!("[{}:{}]", bound(from), bound(to)),
        Part::Wildcard => ".*".to_owned(),
        Part::Scan(inner) => format!("..{}", part_text(inner).trim_start_matches('.')),
        Part::Filter(name, operator, number) => format!("[?(@.{name} {operator} {number})]"),
        Part::Exists(name) => format!("[?(@['{name}'])]"),
    }
}

/// Returns all nodes, by making each list of nodes from the one before it. None if a definite path, or the definite
/// beginning of another, does not lead on.
fn nodes(parts: &[Part], document: &Value) -> Option<Vec<Value>> {
    let mut definite = true;
    let mut nodes = vec![document.clone()];
    for (at, part) in parts.iter().enumerate() {
        let last = at + 1 == parts.len();
        let mut next = Vec::new();
        for node in &nodes {
            if definite && !fits(part, node, last) {
                return None;
            }
            apply(part, node, last, &mut next);
        }
        definite &= matches!(part, Part::Field(_) | Part::Index(_))
            || (last && matches!(part, Part::Several(_)));
        nodes = next;
    }
    (!definite || !nodes.is_empty()).then_some(nodes)
}

/// Returns true if Jayway continues from a node that a definite path leads to.
fn fits(part: &Part, node: &Value, last: bool) -> bool {
    match part {
        Part::Field(name) => node.is_object() && (last || node.get(name).is_some()),
        Part::Several(_) => node.is_object(),
        Part::Index(_) | Part::Indexes(_) | Part::Slice(..) => node.is_array(),
        Part::Wildcard | Part::Scan(_) => true,
        Part::Filter(..) | Part::Exists(_) => node.is_object() || node.is_array(),
    }
}

fn apply(part: &Part, node: &Value, last: bool, out: &mut Vec<Value>) {
    match (part, node) {
        (Part::Field(name), Value::Object(fields)) => out.extend(fields.get(*name).cloned()),
        (Part::Several(names), Value::Object(fields)) => {
            let present = names
                .iter()
                .filter_map(|name| Some((*name, fields.get(*name)?)));
            if last {
                out.push(Value::Object(
                    present
                        .map(|(name, value)| (name.to_owned(), value.clone()))
                        .collect::<Map<_, _>>(),
                ));
            } else {
                out.extend(present.map(|(_, value)| value.clone()));
            }
        }
        (Part::Index(index), Value::Array(elements)) => out.extend(element(elements, *index)),
        (Part::Indexes(indexes), Value::Array(elements)) => {
            out.extend(indexes.iter().filter_map(|index| element(elements, *index)));
        }
        (Part::Slice(from, to), Value::Array(elements)) => slice(*from, *to, elements, out),
        (Part::Wildcard, _) => out.extend(children(node)),
        (Part::Scan(inner), _) => scan(inner, node, last, out),
        (Part::Filter(..) | Part::Exists(_), Value::Object(_)) if accepts(part, node) => {
            out.push(node.clone())
        }
        (Part::Filter(..) | Part::Exists(_), Value::Array(elements)) => {
            out.extend(
                elements
                    .iter()
                    .filter(|element| accepts(part, element))
                    .cloned(),
            );
        }
        _ => {}
    }
}

fn scan(inner: &Part, node: &Value, last: bool, out: &mut Vec<Value>) {
    let applies = match inner {
        Part::Several(names) => !last || names.iter().all(|name| node.get(name).is_some()),
        Part::Filter(..) | Part::Exists(_) => accepts(inner, node),
        _ => true,
    };
    if applies {
        apply(inner, node, last, out);
    }
    children(node)
        .iter()
        .for_each(|child| scan(inner, child, last, out));
}

fn children(node: &Value) -> Vec<Value> {
    match node {
        Value::Array(elements) => elements.clone(),
        Value::Object(fields) => fields.values().cloned().collect(),
        _ => Vec::new(),
    }
}

fn element(elements: &[Value], index: i32) -> Option<Value> {
    let length = i32::try_from(elements.len()).unwrap();
    let position = if index < 0 { length + index } else { index };
    elements.get(usize::try_from(position).ok()?).cloned()
}

/// Jayway's loops over the indexes.
fn slice(from: Option<i32>, to: Option<i32>, elements: &[Value], out: &mut Vec<Value>) {
    let length = i32::try_from(elements.len()).unwrap();
    let range = match (from, to) {
        (Some(from), Some(to)) => from..to.min(length),
        (Some(from), None) => (if from < 0 { length + from } else { from }).max(0)..length,
        (None, Some(to)) => 0..(if to < 0 { length + to } else { to }).min(length),
        (None, None) => 0..length,
    };
    out.extend(range.filter_map(|index| element(elements, index)));
}

fn accepts(part: &Part, node: &Value) -> bool {
    match part {
        Part::Exists(name) => node.get(name).is_some(),
        Part::Filter(name, operator, number) => {
            match (node.get(name).and_then(Value::as_i64), *operator) {
                (Some(value), "==") => value == *number,
                (Some(value), "<") => value < *number,
                (Some(value), _) => value >= *number,
                (None, _) => false,
            }
        }
        _ => false,
    }
}

fn documents() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        (-3..4_i64).prop_map(Value::from)
    ];
    leaf.prop_recursive(5, 40, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..5).prop_map(Value::Array),
            vec((names(), inner), 0..4).prop_map(|fields| {
                Value::Object(
                    fields
                        .into_iter()
                        .map(|(name, value)| (name.to_owned(), value))
                        .collect::<Map<_, _>>(),
                )
            }),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn the_evaluator_agrees_with_the_model(parts in vec(parts(), 0..5), document in documents()) {
        let text = text(&parts);
        let path = JsonPath::parse(&text).unwrap();
        let expected = nodes(&parts, &document);
        let found = path.query(&document).ok().map(|nodes| nodes.into_iter().map(std::borrow::Cow::into_owned).collect::<Vec<_>>());
        prop_assert_eq!(&found, &expected, "{}", text);
        let value = path.evaluate(&document).ok().map(std::borrow::Cow::into_owned);
        let expected = expected.map(|nodes| if path.is_definite() { nodes[0].clone() } else { json!(nodes) });
        prop_assert_eq!(value, expected, "{}", text);
    }
}
