//! Laws of parsing, reading and writing.
use asl_path::{
    JsonPath, ParseLimits, Path, ReferencePath, Root, Roots, Step, json, variable_name,
};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Map, Value};

/// Texts made of what paths are made of, so that many of them nearly parse.
fn near_paths() -> impl Strategy<Value = String> {
    let parts = prop::sample::select(vec![
        "$", "@", ".", "..", "*", "[", "]", "['a']", "[\"b\"]", "[0]", "[-1:]", "[?(", ")]", "(",
        ")", "@.a", "==", "=~", " in ", "&&", "||", "!", "'x'", "/y/i", "1.5", "null", " ", ",",
        "a", "length()", "\\", "\\u00e9", "é", "😀", "{", "}", ":", "'",
    ]);
    vec(parts, 0..12).prop_map(|parts| parts.concat())
}

fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::String),
    ];
    leaf.prop_recursive(4, 32, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::Array),
            vec((any::<String>(), inner), 0..4)
                .prop_map(|fields| Value::Object(fields.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

fn field_names() -> impl Strategy<Value = String> {
    prop_oneof!["[a-c]", any::<String>(), r#"['"\\ .]{1,3}"#]
}

fn quoted(name: &str) -> String {
    format!("['{}']", name.replace('\\', "\\\\").replace('\'', "\\'"))
}

/// `.name`, with a backslash before all that is no letter or digit; between quotes where it is empty.
fn escaped(name: &str) -> String {
    if name.is_empty() {
        return quoted(name);
    }
    let mut text = String::from(".");
    for character in name.chars() {
        if !character.is_alphanumeric() {
            text.push('\\');
        }
        text.push(character);
    }
    text
}

/// Only a variable has a value.
struct OneVariable(Value);

impl Roots for OneVariable {
    fn input(&self) -> &Value {
        &Value::Null
    }
    fn context(&self) -> &Value {
        &Value::Null
    }
    fn variable(&self, name: &str) -> Option<&Value> {
        (name == "größe_1").then_some(&self.0)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn a_path_finds_in_a_variable_what_it_finds_in_the_input(text in near_paths(), value in values()) {
        let of_input = format!("${}", text.trim_start_matches('$'));
        let of_variable = of_input.replacen('$', "$größe_1", 1);
        // What continues with a letter or a mark would be a part of the name.
        if let Ok(path) = JsonPath::parse(&of_input)
            && variable_name(&of_variable[1..]) == Some(("größe_1", &of_input[1..]))
        {
            let found = Path::parse(&of_variable).unwrap();
            let roots = OneVariable(value);
            prop_assert_eq!(found.evaluate(&roots), path.evaluate(&roots.0));
        }
    }

    #[test]
    fn no_text_panics(text in prop_oneof![any::<String>(), near_paths(), near_paths().prop_map(|text| format!("${text}"))]) {
        let document = serde_json::json!({"a": [1, {"b": "x"}], "length": 2});
        for limits in [ParseLimits::default(), ParseLimits::default().with_max_nesting(1)] {
            match JsonPath::parse_with(&text, limits) {
                Ok(path) => drop(path.evaluate(&document)),
                Err(error) => prop_assert!(error.position() <= text.len() && !error.message().is_empty()),
            }
        }
        if let Err(error) = ReferencePath::parse(&text) {
            prop_assert!(error.position() <= text.len());
        }
        if let Err(error) = Path::parse(&text) {
            prop_assert!(error.position() <= text.len());
        }
        let _ = json::parse(&text, 10);
    }

    #[test]
    fn display_is_the_source(text in near_paths().prop_map(|text| format!("$.a{text}"))) {
        if let Ok(path) = JsonPath::parse(&text) {
            prop_assert_eq!(path.to_string(), text.clone());
            prop_assert_eq!(JsonPath::parse(&path.to_string()).unwrap(), path);
        }
        let in_context = format!("${text}");
        if let Ok(path) = Path::parse(&in_context) {
            prop_assert_eq!(path.root(), &Root::Context);
            prop_assert_eq!(path.to_string(), in_context);
        }
    }

    #[test]
    fn the_normalized_form_of_a_definite_path_is_that_path(text in near_paths().prop_map(|text| format!("$.a{text}"))) {
        if let Ok(path) = JsonPath::parse(&text)
            && path.is_definite()
            && !text.contains('(')
        {
            prop_assert_eq!(JsonPath::parse(&path.normalized()).unwrap(), path);
        }
    }

    #[test]
    fn the_path_of_a_node_leads_to_it(parts in vec(prop::sample::select(vec!["..", ".*", ".a", "[0]", "[-1]", "[?(@)]", "['a','b']"]), 0..4), value in values()) {
        let Ok(path) = JsonPath::parse(&format!("${}", parts.concat())) else {
            return Ok(());
        };
        let found = path.query(&value);
        let located = path.query_located(&value);
        prop_assert_eq!(found.is_ok(), located.is_ok());
        for (node, expected) in located.into_iter().flatten().zip(found.into_iter().flatten()) {
            prop_assert_eq!(node.value(), &*expected);
            let Some(text) = node.path() else {
                prop_assert!(matches!(node.into_value(), std::borrow::Cow::Owned(_)));
                continue;
            };
            let led = JsonPath::parse(&text).expect("a normalized path").node(&value);
            let led = led.expect("the path leads to a node");
            prop_assert!(std::ptr::eq(led, node.value()), "{} leads elsewhere", text);
        }
    }

    #[test]
    fn equal_paths_have_equal_hashes(text in near_paths()) {
        let path = |text: &str| JsonPath::parse(text);
        if let (Ok(one), Ok(other)) = (path(&format!("${text}")), path(&format!("${text} "))) {
            prop_assert_eq!(&one, &other);
            prop_assert_eq!(std::collections::HashSet::from([one, other]).len(), 1);
        }
    }

    #[test]
    fn what_is_written_can_be_got(names in vec(field_names(), 0..4), start in values(), value in values()) {
        let source = format!("${}", names.iter().map(|name| quoted(name)).collect::<String>());
        let path = ReferencePath::parse(&source).unwrap();
        let dotted = format!("${}", names.iter().map(|name| escaped(name)).collect::<String>());
        let steps: Vec<Step> = names.into_iter().map(Step::Field).collect();
        prop_assert_eq!(path.steps(), steps.as_slice());
        let mut document = start.clone();
        match path.write(&mut document, value.clone()) {
            Ok(()) => {
                prop_assert_eq!(path.get(&document), Some(&value));
                prop_assert_eq!(&*JsonPath::parse(&source).unwrap().evaluate(&document).unwrap(), &value);
                let read = Path::parse_reference(&dotted).unwrap();
                prop_assert_eq!(&*read.json_path().evaluate(&document).unwrap(), &value);
            }
            Err(_) => prop_assert_eq!(document, start),
        }
    }

    #[test]
    fn a_write_changes_nothing_else(fields in vec(("[a-e]", values()), 0..5), name in "[a-e]", value in values()) {
        let mut document = Value::Object(fields.into_iter().collect::<Map<_, _>>());
        let before = document.clone();
        ReferencePath::parse(&format!("$.{name}")).unwrap().write(&mut document, value.clone()).unwrap();
        let names = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        let mut expected = names(&before);
        if !expected.contains(&name) {
            expected.push(name.clone());
        }
        prop_assert_eq!(names(&document), expected, "fields keep their order, a new one is the last");
        for (other, old) in before.as_object().unwrap() {
            let new = if *other == name { &value } else { old };
            prop_assert_eq!(&document[other], new);
        }
    }

    #[test]
    fn values_are_read_as_they_were_printed(value in values()) {
        prop_assert_eq!(&json::parse(&value.to_string(), 10).unwrap(), &value);
        prop_assert_eq!(&json::parse(&format!("{value:#}"), 10).unwrap(), &value);
    }

    #[test]
    fn texts_are_json_where_serde_json_says_so(parts in vec(prop::sample::select(vec![
        "{", "}", "[", "]", ",", ":", "\"a\"", "\"\\u00e9\\n\"", "1", "-2", "0", "1.5", "e3", "true", "nul", "null", " ", "\n", "\"",
    ]), 0..8)) {
        let text = parts.concat();
        match (json::parse(&text, 10), serde_json::from_str::<Value>(&text)) {
            (Ok(ours), Ok(theirs)) => prop_assert_eq!(ours, theirs),
            (Err(_), Err(_)) => {}
            (ours, theirs) => prop_assert!(false, "{text}: {ours:?} {theirs:?}"),
        }
    }
}
