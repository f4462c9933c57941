//! Calls of intrinsic functions.
use super::{DEEP, feature, kind_of_message, nested};
use crate::random::Random;
use asl_intrinsics::Intrinsic;
use asl_path::Roots;
use serde_json::{Value, json};
use std::sync::LazyLock;

pub(super) const WORDS: &[&str] = &[
    "States.Format(",
    "States.StringToJson(",
    "States.JsonToString(",
    "States.Array(",
    "States.ArrayPartition(",
    "States.ArrayContains(",
    "States.ArrayRange(",
    "States.ArrayGetItem(",
    "States.ArrayLength(",
    "States.ArrayUnique(",
    "States.Base64Encode(",
    "States.Base64Decode(",
    "States.Hash(",
    "States.JsonMerge(",
    "States.MathRandom(",
    "States.MathAdd(",
    "States.StringSplit(",
    "States.UUID()",
    "$.text",
    "$.numbers",
    "$.object",
    "$.base64",
    "$.json",
    "$$.Execution.Id",
    "'{}'",
    "'\\''",
    "'\\{\\}'",
    "'\\\\'",
    "'SHA-256'",
    ", ",
    ")",
    "true",
    "null",
    "-1.5",
    "false",
];

/// Documents for calls.
struct Documents;

static INPUT: LazyLock<Value> = LazyLock::new(|| {
    json!({"text": "a,b,é", "numbers": [3, 1, 2, 2], "object": {"a": {"b": 1}, "c": 2}, "base64": "aGVsbG8=",
        "json": "{\"k\": [1, 2]}", "mixed": [1, "1", null, [1], {"a": 1}], "n": 2.5})
});

static CONTEXT: LazyLock<Value> = LazyLock::new(|| json!({"Execution": {"Id": "x"}}));

impl Roots for Documents {
    fn input(&self) -> &Value {
        &INPUT
    }
    fn context(&self) -> &Value {
        &CONTEXT
    }
}

pub(super) fn run(bytes: &[u8]) -> u64 {
    let text = String::from_utf8_lossy(bytes);
    let call = match Intrinsic::parse(&text) {
        Ok(call) => call,
        Err(error) => {
            assert!(!error.message().is_empty(), "an error has a message");
            assert!(
                text.is_char_boundary(error.position()),
                "position {} is of a character",
                error.position()
            );
            return feature((0, kind_of_message(error.message())));
        }
    };
    assert_eq!(call.source(), text, "a call keeps its source");
    let value = call.evaluate(&Documents, &mut Random::new(1));
    let again = call.evaluate(&Documents, &mut Random::new(1));
    assert_eq!(
        value.is_ok(),
        again.is_ok(),
        "the same random numbers give the same"
    );
    match (value, again) {
        (Ok(value), Ok(again)) => {
            assert_eq!(value, again, "the same random numbers give the same");
            feature((
                1,
                call.depth(),
                call.call().function().name(),
                std::mem::discriminant(&value),
            ))
        }
        (Err(error), _) => {
            assert!(!error.to_string().is_empty(), "an error has a message");
            feature((
                2,
                call.call().function().name(),
                kind_of_message(error.detail()),
            ))
        }
        (Ok(_), Err(_)) => 0,
    }
}

pub(super) fn deep() -> Vec<Vec<u8>> {
    vec![
        nested("States.Array(", "1", ")"),
        nested("States.Format('{}', ", "1", ")"),
        format!("States.Array({}1)", "1, ".repeat(DEEP)).into_bytes(),
        format!("States.Format('{}', 1)", "{}".repeat(DEEP)).into_bytes(),
        format!("States.Array('{}')", "\\'".repeat(DEEP)).into_bytes(),
        [
            b"States.Array($".to_vec(),
            nested("[", "0", "]"),
            b")".to_vec(),
        ]
        .concat(),
        [
            b"States.StringToJson('".to_vec(),
            nested("[", "", "]"),
            b"')".to_vec(),
        ]
        .concat(),
        "(".repeat(DEEP).into_bytes(),
        "States.Array(".repeat(DEEP).into_bytes(),
    ]
}
