//! Laws of parsing.
use super::{parse, printer};
use crate::syntax::references;
use proptest::prelude::*;

/// Texts of words that mean something.
fn words() -> impl Strategy<Value = String> {
    let words = proptest::sample::select(vec![
        ".",
        "..",
        "[",
        "]",
        "[]",
        "{",
        "}",
        "(",
        ")",
        "^(",
        "@",
        "#",
        "?",
        ":",
        ":=",
        ";",
        ",",
        "|",
        "~>",
        "~",
        "!",
        "!=",
        "<",
        ">",
        "-",
        "*",
        "**",
        "%",
        "/",
        "/*",
        "*/",
        "\"",
        "'",
        "`",
        "\\",
        "$",
        "$$",
        "$x",
        "$states",
        "a",
        "1",
        "1e999",
        "and",
        "in",
        "function($x)",
        "<n>",
        "λ",
        "/a/",
        "é",
        "😀",
        "\\u12",
        "\\ud83d",
        " ",
        "\t",
    ]);
    proptest::collection::vec(words, 0..24).prop_map(|words| words.concat())
}

/// Texts that are expressions, with few exceptions.
fn expression() -> impl Strategy<Value = String> {
    let leaf = proptest::sample::select(vec![
        "a", "b[]", "`c d`", "'e'", "$", "$$", "$x", "$y[]", "1", "2.5", "true", "null", "*", "**",
        "%", "and", "/r+/i",
    ])
    .prop_map(str::to_owned);
    leaf.prop_recursive(5, 40, 4, |inner| {
        let one = inner.clone();
        let two = (inner.clone(), inner.clone());
        let three = (inner.clone(), inner.clone(), inner);
        let operators = proptest::sample::select(vec![
            ".", ".", ".", "+", "-", "*", "%", "&", "=", "<=", " in ", " and ", " or ", "~>",
        ]);
        prop_oneof![
            4 => (two.clone(), operators).prop_map(|((a, b), operator)| format!("{a}{operator}{b}")),
            2 => two.clone().prop_map(|(a, b)| format!("{a}[{b}]")),
            1 => two.clone().prop_map(|(a, b)| format!("({a};{b})")),
            1 => two.clone().prop_map(|(a, b)| format!("[{a},{b}..1]")),
            1 => three.clone().prop_map(|(a, b, c)| format!("{a}{{{b}:{c}}}")),
            1 => two.clone().prop_map(|(a, b)| format!("{{{a}:{b}}}")),
            1 => three.clone().prop_map(|(a, b, c)| format!("{a}?{b}:{c}")),
            1 => three.clone().prop_map(|(a, b, c)| format!("{a}^(<{b},>{c})")),
            1 => two.clone().prop_map(|(a, b)| format!("$f({a},{b})")),
            1 => two.clone().prop_map(|(a, b)| format!("{a}(?,{b})")),
            1 => one.clone().prop_map(|a| format!("function($x,$y){{{a}}}")),
            1 => three.prop_map(|(a, b, c)| format!("|{a}|{b},{c}|")),
            1 => one.clone().prop_map(|a| format!("$z:={a}")),
            1 => one.clone().prop_map(|a| format!("-{a}")),
            1 => one.clone().prop_map(|a| format!("a@$v#$i.{a}")),
            1 => one.prop_map(|a| format!("{a}.%")),
        ]
    })
}

fn positions_lie_within(text: &str) -> Result<(), TestCaseError> {
    match parse(text) {
        Ok(syntax) => {
            let references = references(&syntax);
            for used in references.variables {
                let at = text.get(used.position..).unwrap_or_default();
                prop_assert!(at.starts_with(&format!("${}", used.name)), "{:?}", used);
            }
            for used in references.states {
                let at = text.get(used.position..).unwrap_or_default();
                prop_assert!(at.starts_with("$states"), "{:?}", used);
            }
            for used in references.unsupported {
                prop_assert!(text.get(used.position()..).is_some_and(|at| !at.is_empty()));
            }
        }
        Err(error) => prop_assert!(text.is_char_boundary(error.position), "{:?}", error),
    }
    Ok(())
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused_at_a_place_in_it(text in ".{0,40}") {
        positions_lie_within(&text)?;
    }

    #[test]
    fn any_words_are_read_or_refused_at_a_place_in_them(text in words()) {
        positions_lie_within(&text)?;
    }

    #[test]
    fn a_printed_tree_parses_back_to_itself(text in expression()) {
        let Ok(syntax) = parse(&text) else {
            return Ok(());
        };
        let printed = printer::source(&syntax);
        let again = match parse(&printed) {
            Ok(again) => printer::marked(&again),
            Err(error) => error.to_string(),
        };
        prop_assert_eq!(again, printer::marked(&syntax), "{} printed {}", text, printed);
    }
}
