//! JSONPaths and Reference Paths.
use super::{DEEP, feature, kind_of_message, nested};
use asl_path::{JsonPath, ParseError, Path, ReferencePath};
use serde_json::{Value, json};
use std::sync::LazyLock;

pub(super) const WORDS: &[&str] = &[
    "$",
    "$$",
    "..",
    "[*]",
    ".*",
    "[?(",
    ")]",
    "@.a",
    "&&",
    "||",
    "!",
    "==",
    "!=",
    "<=",
    "=~ /a.*/i",
    " in ",
    " nin ",
    "subsetof",
    "anyof",
    "noneof",
    "contains",
    "size",
    "empty",
    "['a']",
    "[\"b\"]",
    "[-1]",
    "[0:2]",
    "[::-1]",
    "[0,1]",
    "['a','b']",
    "\\'",
    "\\u00e9",
    "true",
    "null",
    "1.5e3",
    ".length()",
    ".sum()",
    "é",
    "\u{1F600}",
];

/// The document for paths.
static DOCUMENT: LazyLock<Value> = LazyLock::new(|| {
    json!({"a": {"b": [1, 2.5, "x", null, true, {"a": "y", "c": []}], "a": 1}, "b": "text", "é": [[1], [2, [3]]],
        "items": [{"id": 1, "price": 5}, {"id": 2, "price": 7.5, "tags": ["p", "q"]}, {"id": 3}], "c'": {}, "": 0})
});

pub(super) fn json_path(bytes: &[u8]) -> u64 {
    let text = String::from_utf8_lossy(bytes);
    if let Err(error) = Path::parse(&text) {
        check_error(&text, &error);
    }
    match JsonPath::parse(&text) {
        Err(error) => {
            check_error(&text, &error);
            feature((0, kind_of_message(error.message())))
        }
        Ok(path) => {
            assert_eq!(path.source(), text, "a path keeps its source");
            let found = path.evaluate(&DOCUMENT).map(std::borrow::Cow::into_owned);
            // A function is normalized as Jayway prints it, which is no path.
            if path.is_definite() && !text.contains('(') {
                let normalized =
                    JsonPath::parse(&path.normalized()).expect("the normalized form is a path");
                let again = normalized
                    .evaluate(&DOCUMENT)
                    .map(std::borrow::Cow::into_owned);
                assert_eq!(
                    found.is_ok(),
                    again.is_ok(),
                    "the normalized form {} finds the same",
                    path.normalized()
                );
                assert!(
                    found.is_err() || found == again,
                    "the normalized form {} finds the same",
                    path.normalized()
                );
            } else if let Ok(value) = &found {
                assert!(
                    value.is_array() || text.contains('('),
                    "an indefinite path gives an array, not {value}"
                );
            }
            let shape = path
                .normalized()
                .chars()
                .filter(|c| !c.is_alphanumeric())
                .take(24)
                .collect::<String>();
            feature((1, shape, found.is_ok()))
        }
    }
}

pub(super) fn reference_path(bytes: &[u8]) -> u64 {
    let text = String::from_utf8_lossy(bytes);
    let path = match ReferencePath::parse(&text) {
        Ok(path) => path,
        Err(error) => {
            check_error(&text, &error);
            return feature((0, kind_of_message(error.message())));
        }
    };
    assert_eq!(path.source(), text, "a path keeps its source");
    let mut document = DOCUMENT.clone();
    let written = path.write(&mut document, json!("written"));
    match &written {
        Ok(()) => assert_eq!(
            path.get(&document),
            Some(&json!("written")),
            "what was written is read back"
        ),
        Err(error) => {
            assert!(!error.to_string().is_empty());
            assert_eq!(document, *DOCUMENT, "a write that fails changes nothing");
        }
    }
    feature((
        1,
        path.steps().len().min(20),
        written.is_ok(),
        path.get(&DOCUMENT).is_some(),
    ))
}

/// An error says something, and where.
fn check_error(text: &str, error: &ParseError) {
    assert!(!error.message().is_empty(), "an error has a message");
    assert!(
        error.position() <= text.len(),
        "position {} is within the text",
        error.position()
    );
    assert!(
        text.is_char_boundary(error.position()),
        "position {} is of a character",
        error.position()
    );
}

pub(super) fn deep_json_paths() -> Vec<Vec<u8>> {
    vec![
        format!("${}", ".a".repeat(DEEP)).into_bytes(),
        format!("${}", "[0]".repeat(DEEP)).into_bytes(),
        format!("${}", "..a".repeat(DEEP)).into_bytes(),
        format!("${}", "[*]".repeat(DEEP)).into_bytes(),
        format!("$[{}0]", "0,".repeat(DEEP)).into_bytes(),
        [b"$".to_vec(), nested("[", "0", "]")].concat(),
        [b"$[?".to_vec(), nested("(", "@.a", ")"), b"]".to_vec()].concat(),
        [b"$[?(".to_vec(), nested("!(", "@.a", ")"), b")]".to_vec()].concat(),
        [b"$".to_vec(), nested("[?(@", ".a", ")]")].concat(),
        [
            b"$[?(@.a == ".to_vec(),
            nested("[", "1", "]"),
            b")]".to_vec(),
        ]
        .concat(),
        format!("$[?({}@.a)]", "@.a && ".repeat(DEEP)).into_bytes(),
        format!("$[?({}@.a)]", "!".repeat(DEEP)).into_bytes(),
        format!("$[?(@.a =~ /{}a{}/)]", "(".repeat(DEEP), ")".repeat(DEEP)).into_bytes(),
    ]
}

pub(super) fn deep_reference_paths() -> Vec<Vec<u8>> {
    vec![
        format!("${}", ".a".repeat(DEEP)).into_bytes(),
        format!("${}", "['a']".repeat(DEEP)).into_bytes(),
        format!("${}", "[0]".repeat(DEEP)).into_bytes(),
        [b"$".to_vec(), nested("[", "0", "]")].concat(),
        format!("$.{}", "\\.".repeat(DEEP)).into_bytes(),
    ]
}
