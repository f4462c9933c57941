//! intrinsics: twenty functions, a thousand times.
use super::{field, object};
use crate::random::Random;
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use std::fmt::Write;

pub(super) fn run(input: &Value) -> Value {
    let mut random = Random::new(1);
    let mut data = input.clone();
    while let Some(i) = field(&data, "i").as_i64()
        && i < 1000
    {
        data = round(i, &data, &mut random);
    }
    data
}

fn round(i: i64, data: &Value, random: &mut Random) -> Value {
    let src = field(data, "src");
    let s = field(src, "s").as_str().unwrap_or("");
    let arr = field(src, "arr").as_array().map_or(&[][..], Vec::as_slice);
    let dup = field(src, "dup").as_array().map_or(&[][..], Vec::as_slice);
    let parts = split(s);
    object([
        ("i", (i + 1).into()),
        ("src", src.clone()),
        ("fmt", format!("Hello {s}, you are {i}").into()),
        (
            "s2j",
            serde_json::from_str(field(src, "js").as_str().unwrap_or("")).unwrap_or_default(),
        ),
        ("j2s", serde_json::to_string(arr).unwrap_or_default().into()),
        ("arr", Value::Array(vec![i.into(), "x".into(), true.into()])),
        (
            "part",
            arr.chunks(3)
                .map(|part| Value::Array(part.to_vec()))
                .collect(),
        ),
        ("cont", arr.contains(&5.into()).into()),
        ("range", (1..=20).step_by(3).map(Value::from).collect()),
        ("get", arr.get(4).cloned().unwrap_or_default()),
        ("len", arr.len().into()),
        ("uniq", unique(dup)),
        ("b64", BASE64.encode(s).into()),
        (
            "unb64",
            decoded(field(src, "b64").as_str().unwrap_or("")).into(),
        ),
        ("hash", hash(s).into()),
        ("merge", merged(field(src, "o1"), field(src, "o2"))),
        ("rnd", (1 + random.below(99)).into()),
        ("split", parts),
        ("uuid", uuid(random).into()),
        ("nest1", split(s).as_array().map_or(0, Vec::len).into()),
        (
            "nest2",
            arr.first().map(Value::to_string).unwrap_or_default().into(),
        ),
    ])
}

fn split(text: &str) -> Value {
    text.split(',')
        .filter(|part| !part.is_empty())
        .map(Value::from)
        .collect()
}

fn unique(elements: &[Value]) -> Value {
    let mut kept: Vec<Value> = Vec::with_capacity(elements.len());
    for element in elements {
        if !kept.contains(element) {
            kept.push(element.clone());
        }
    }
    kept.into()
}

fn decoded(text: &str) -> String {
    let bytes = BASE64.decode(text).unwrap_or_default();
    String::from_utf8(bytes).unwrap_or_default()
}

fn hash(text: &str) -> String {
    let mut hexadecimal = String::with_capacity(64);
    for byte in Sha256::digest(text) {
        let _ = write!(hexadecimal, "{byte:02x}");
    }
    hexadecimal
}

fn merged(first: &Value, second: &Value) -> Value {
    let mut merged = first.as_object().cloned().unwrap_or_else(Map::new);
    for (name, value) in second.as_object().into_iter().flatten() {
        merged.insert(name.clone(), value.clone());
    }
    merged.into()
}

/// Formats a UUID by hand, because the floor must not depend on measured code.
fn uuid(random: &mut Random) -> String {
    let (high, low) = (random.next(), random.next());
    format!(
        "{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}",
        high >> 32,
        (high >> 16) & 0xffff,
        high & 0xfff,
        0x8000 | ((low >> 48) & 0x3fff),
        low & 0xffff_ffff_ffff
    )
}
