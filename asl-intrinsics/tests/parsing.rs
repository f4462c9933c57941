//! Properties of the parser: it is the inverse of printing, never panics, and its cost is linear.
mod common;

use asl_intrinsics::random::SplitMix64;
use asl_intrinsics::{Argument, Function, Intrinsic};
use common::Documents;
use proptest::prelude::*;
use serde_json::json;
use std::time::{Duration, Instant};

/// A call as a test makes it up.
#[derive(Debug, Clone)]
enum Node {
    Text(String),
    Number(serde_json::Number),
    Word(&'static str),
    Path(&'static str),
    Call(Function, Vec<Self>),
}

/// Writes a node as source text, with `space` wherever white space is allowed.
fn written(node: &Node, space: &str) -> String {
    match node {
        Node::Text(text) => {
            let escaped: String = text
                .chars()
                .flat_map(|c| {
                    matches!(c, '\'' | '{' | '}' | '\\')
                        .then_some('\\')
                        .into_iter()
                        .chain([c])
                })
                .collect();
            format!("'{escaped}'")
        }
        Node::Number(number) => number.to_string(),
        Node::Word(word) => (*word).to_owned(),
        Node::Path(path) => (*path).to_owned(),
        Node::Call(function, arguments) => {
            let arguments: Vec<String> = arguments
                .iter()
                .map(|argument| written(argument, space))
                .collect();
            let comma = if space.is_empty() {
                ", ".to_owned()
            } else {
                format!("{space},{space}")
            };
            format!("{function}({space}{}{space})", arguments.join(&comma))
        }
    }
}

fn string_node() -> impl Strategy<Value = Node> {
    prop_oneof![
        any::<String>().prop_map(Node::Text),
        r"['{}\\ ,()$a]{0,8}".prop_map(Node::Text),
        path_node()
    ]
}

fn number_node() -> impl Strategy<Value = Node> {
    let float = any::<f64>().prop_filter_map("finite", serde_json::Number::from_f64);
    prop_oneof![
        any::<i64>().prop_map(|whole| Node::Number(whole.into())),
        float.prop_map(Node::Number),
        path_node()
    ]
}

fn path_node() -> impl Strategy<Value = Node> {
    prop::sample::select(vec![
        "$",
        "$.a",
        "$$.b.c",
        "$['x, y']",
        "$.a[0]",
        "$..d",
        "$.e[?(@.f == ')')]",
        "$.g.length()",
    ])
    .prop_map(Node::Path)
}

/// Returns a call of any function but `States.Format`, with arguments that suit it.
fn node() -> impl Strategy<Value = Node> {
    let words = prop::sample::select(vec!["true", "false", "null"]).prop_map(Node::Word);
    let leaf = prop_oneof![string_node(), number_node(), words];
    leaf.prop_recursive(6, 24, 4, |inner| {
        let any = || inner.clone();
        prop_oneof![
            prop::collection::vec(any(), 0..4).prop_map(|nodes| Node::Call(Function::Array, nodes)),
            (path_node(), any()).prop_map(|(a, b)| Node::Call(Function::ArrayContains, vec![a, b])),
            (path_node(), number_node())
                .prop_map(|(a, b)| Node::Call(Function::ArrayGetItem, vec![a, b])),
            any().prop_map(|a| Node::Call(Function::JsonToString, vec![a])),
            (string_node(), string_node())
                .prop_map(|(a, b)| Node::Call(Function::Hash, vec![a, b])),
            (number_node(), number_node())
                .prop_map(|(a, b)| Node::Call(Function::MathRandom, vec![a, b])),
            Just(Node::Call(Function::Uuid, Vec::new())),
        ]
    })
}

fn call_node() -> impl Strategy<Value = Node> {
    prop::collection::vec(node(), 0..4).prop_map(|nodes| Node::Call(Function::Array, nodes))
}

/// True if `argument` is what `node` stands for.
fn stands_for(argument: &Argument, node: &Node) -> bool {
    match (argument, node) {
        (Argument::Literal(value), Node::Text(text)) => value == text.as_str(),
        (Argument::Literal(value), Node::Number(number)) => value.as_f64() == number.as_f64(),
        (Argument::Literal(value), Node::Word(word)) => {
            serde_json::from_str::<serde_json::Value>(word).is_ok_and(|word| word == *value)
        }
        (Argument::Path(path), Node::Path(text)) => path.source() == *text,
        (Argument::Call(call), Node::Call(function, nodes)) => {
            call.function() == *function
                && call.arguments().len() == nodes.len()
                && call
                    .arguments()
                    .iter()
                    .zip(nodes)
                    .all(|(argument, node)| stands_for(argument, node))
        }
        _ => false,
    }
}

proptest! {
    #[test]
    fn parsing_undoes_printing(node in call_node(), space in "[ \t\r\n]{0,2}") {
        let source = written(&node, &space);
        let parsed = Intrinsic::parse(&source).unwrap_or_else(|error| panic!("{source}: {error}"));
        prop_assert!(stands_for(&Argument::Call(parsed.call().clone()), &node));
        prop_assert_eq!(parsed.to_string(), &source[..]);
        let printed = parsed.call().to_string();
        prop_assert_eq!(&printed, &written(&node, ""));
        let again = Intrinsic::parse(&printed).expect("canonical text parses");
        prop_assert_eq!(again.call(), parsed.call());
    }

    #[test]
    fn templates_print_as_they_parse(template in r"([a{}' ]|\\[{}'\\]|\{\}){0,12}") {
        let literal = template.replace('\'', r"\'").replace(r"\\'", r"\'");
        let source = format!("States.Format('{literal}')");
        if let Ok(parsed) = Intrinsic::parse(&source) {
            let again = Intrinsic::parse(&parsed.call().to_string()).expect("canonical text parses");
            prop_assert_eq!(again.call(), parsed.call());
        }
    }

    #[test]
    fn no_text_panics(text in any::<String>()) {
        let error = Intrinsic::parse(&text).expect_err("no call by chance");
        prop_assert!(error.position() <= text.len());
        prop_assert!(!error.message().is_empty());
    }

    #[test]
    fn no_tokens_panic(tokens in prop::collection::vec(prop::sample::select(vec![
        "States.Format(", "States.Array(", "States.MathAdd(", "States.", "'", "\\", "{}", "{", ",", ")", "(", "$", "$.a",
        "$$.b", "[", "]", "[?(@.c == ", "'d'", "/", "=~", "1", "-", ".5", "e9", "true", "null", " ", "\n", "é", "\"",
    ]), 0..16)) {
        let text = format!("States.Array({}", tokens.concat());
        match Intrinsic::parse(&text) {
            Err(error) => {
                prop_assert!(error.position() <= text.len());
                prop_assert!(text.is_char_boundary(error.position()));
                prop_assert!(!error.message().is_empty());
            }
            Ok(call) => {
                let documents = Documents { input: json!({"a": 1}), context: json!({"b": [2]}) };
                let _ = call.evaluate(&documents, &mut SplitMix64::new(0));
            }
        }
    }
}

/// Generous, yet far below what anything quadratic would take.
fn soon(work: impl FnOnce()) {
    let start = Instant::now();
    work();
    assert!(
        start.elapsed() < Duration::from_secs(20),
        "took {:?}",
        start.elapsed()
    );
}

#[test]
fn deep_texts_are_refused_soon() {
    const MANY: usize = 100_000;
    for piece in [
        "States.Array(",
        "(",
        "$(",
        "$[",
        "$[?(",
        "$['",
        "States.Array($[(",
        "'",
        "\\",
        "States.Array('\\'",
    ] {
        let source = format!("States.Array({}", piece.repeat(MANY));
        soon(|| assert!(Intrinsic::parse(&source).is_err(), "{piece}"));
    }
    soon(|| assert!(Intrinsic::parse(&"a".repeat(MANY)).is_err()));
}

#[test]
fn long_calls_are_parsed_soon() {
    const MANY: usize = 100_000;
    for piece in [
        "1,",
        "'',",
        "$.a,",
        "$['b, c'],",
        "States.UUID(),",
        " \n1 ,",
        "States.Format('{}', 1),",
    ] {
        let source = format!("States.Array({}0)", piece.repeat(MANY));
        soon(|| {
            assert_eq!(
                Intrinsic::parse(&source)
                    .expect(piece)
                    .call()
                    .arguments()
                    .len(),
                MANY + 1
            )
        });
    }
    let escapes = format!("States.Format('{}')", r"\{\}{}".repeat(MANY));
    soon(|| assert!(Intrinsic::parse(&escapes).is_ok()));
}
