//! Time of function calls, compared with hand-written Rust for the same data.

use asl_intrinsics::Intrinsic;
use asl_intrinsics::random::{RandomSource, SplitMix64};
use asl_path::Roots;
use base64::{Engine, prelude::BASE64_STANDARD};
use criterion::{Criterion, criterion_group, criterion_main};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::hint::black_box;

struct Documents {
    input: Value,
    context: Value,
}

impl Roots for Documents {
    fn input(&self) -> &Value {
        &self.input
    }
    fn context(&self) -> &Value {
        &self.context
    }
}

type HandWritten = fn(&Value, &mut SplitMix64) -> Option<Value>;

/// A call, and the same by hand.
const CALLS: [(&str, HandWritten); 20] = [
    ("States.MathAdd($.i, 1)", |v, _| {
        Some(json!(v.get("i")?.as_i64()? + 1))
    }),
    (
        "States.Format('Hello {}, you are {}', $.src.s, $.i)",
        |v, _| {
            let (name, age) = (v.get("src")?.get("s")?.as_str()?, v.get("i")?.as_i64()?);
            Some(Value::String(format!("Hello {name}, you are {age}")))
        },
    ),
    ("States.StringToJson($.src.js)", |v, _| {
        serde_json::from_str(v.get("src")?.get("js")?.as_str()?).ok()
    }),
    ("States.JsonToString($.src.arr)", |v, _| {
        Some(Value::String(v.get("src")?.get("arr")?.to_string()))
    }),
    ("States.Array($.i, 'x', true)", |v, _| {
        Some(Value::Array(vec![
            v.get("i")?.clone(),
            Value::String("x".to_owned()),
            Value::Bool(true),
        ]))
    }),
    ("States.ArrayPartition($.src.arr, 3)", |v, _| {
        let items = v.get("src")?.get("arr")?.as_array()?;
        Some(Value::Array(
            items
                .chunks(3)
                .map(|chunk| Value::Array(chunk.to_vec()))
                .collect(),
        ))
    }),
    ("States.ArrayContains($.src.arr, 5)", |v, _| {
        Some(Value::Bool(
            v.get("src")?.get("arr")?.as_array()?.contains(&json!(5)),
        ))
    }),
    ("States.ArrayRange(1, 20, 3)", |_, _| {
        Some(Value::Array((1..=20).step_by(3).map(Value::from).collect()))
    }),
    ("States.ArrayGetItem($.src.arr, 4)", |v, _| {
        v.get("src")?.get("arr")?.get(4).cloned()
    }),
    ("States.ArrayLength($.src.arr)", |v, _| {
        Some(json!(v.get("src")?.get("arr")?.as_array()?.len()))
    }),
    ("States.ArrayUnique($.src.dup)", |v, _| {
        let mut unique: Vec<Value> = Vec::new();
        for item in v.get("src")?.get("dup")?.as_array()? {
            if !unique.contains(item) {
                unique.push(item.clone());
            }
        }
        Some(Value::Array(unique))
    }),
    ("States.Base64Encode($.src.s)", |v, _| {
        Some(Value::String(
            BASE64_STANDARD.encode(v.get("src")?.get("s")?.as_str()?),
        ))
    }),
    ("States.Base64Decode($.src.b64)", |v, _| {
        let bytes = BASE64_STANDARD
            .decode(v.get("src")?.get("b64")?.as_str()?)
            .ok()?;
        Some(Value::String(String::from_utf8(bytes).ok()?))
    }),
    ("States.Hash($.src.s, 'SHA-256')", |v, _| {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let mut digits = String::with_capacity(64);
        for byte in Sha256::digest(v.get("src")?.get("s")?.as_str()?.as_bytes()) {
            digits
                .extend([byte >> 4, byte & 15].map(|digit| char::from(DIGITS[usize::from(digit)])));
        }
        Some(Value::String(digits))
    }),
    ("States.JsonMerge($.src.o1, $.src.o2, false)", |v, _| {
        let mut merged = v.get("src")?.get("o1")?.as_object()?.clone();
        let second = v.get("src")?.get("o2")?.as_object()?;
        merged.extend(
            second
                .iter()
                .map(|(name, value)| (name.clone(), value.clone())),
        );
        Some(Value::Object(merged))
    }),
    ("States.MathRandom(1, 100)", |_, random| {
        Some(json!(1 + random.next_u64() % 99))
    }),
    ("States.StringSplit($.src.s, ',')", |v, _| {
        Some(Value::Array(
            v.get("src")?
                .get("s")?
                .as_str()?
                .split(',')
                .map(Value::from)
                .collect(),
        ))
    }),
    ("States.UUID()", |_, random| {
        let (high, low) = (random.next_u64(), random.next_u64());
        Some(Value::String(format!(
            "{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}",
            high >> 32,
            high >> 16 & 0xFFFF,
            high & 0xFFF,
            low >> 48 & 0x3FFF | 0x8000,
            low & 0xFFFF_FFFF_FFFF
        )))
    }),
    (
        "States.ArrayLength(States.StringSplit($.src.s, ','))",
        |v, _| {
            let pieces: Vec<Value> = v
                .get("src")?
                .get("s")?
                .as_str()?
                .split(',')
                .map(Value::from)
                .collect();
            Some(json!(pieces.len()))
        },
    ),
    (
        "States.Format('{}', States.ArrayGetItem($.src.arr, 0))",
        |v, _| Some(Value::String(v.get("src")?.get("arr")?.get(0)?.to_string())),
    ),
];

fn input() -> Value {
    json!({
        "i": 999,
        "src": {
            "s": "a,b,c,d", "arr": [1, 2, 3, 4, 5, 6, 7, 8], "dup": [1, 1, 2, 2, 3],
            "o1": {"a": 1, "b": 2}, "o2": {"b": 3, "c": 4}, "js": "{\"k\":[1,2]}", "b64": "aGVsbG8=",
        },
    })
}

fn each_call(criterion: &mut Criterion) {
    let documents = Documents {
        input: input(),
        context: json!({}),
    };
    let mut random = SplitMix64::new(1);
    for (source, by_hand) in CALLS {
        let call = Intrinsic::parse(source).expect(source);
        let mut group = criterion.benchmark_group(source);
        group.bench_function("call", |b| {
            b.iter(|| black_box(&call).evaluate(&documents, &mut random))
        });
        group.bench_function("by hand", |b| {
            b.iter(|| by_hand(black_box(&documents.input), &mut random))
        });
        group.finish();
    }
}

fn all_calls(criterion: &mut Criterion) {
    let documents = Documents {
        input: input(),
        context: json!({}),
    };
    let mut random = SplitMix64::new(1);
    let calls: Vec<Intrinsic> = CALLS
        .iter()
        .map(|(source, _)| Intrinsic::parse(source).expect(source))
        .collect();
    let mut group = criterion.benchmark_group("twenty calls");
    group.bench_function("calls", |b| {
        b.iter(|| {
            for call in &calls {
                black_box(call.evaluate(&documents, &mut random).is_ok());
            }
        });
    });
    group.bench_function("by hand", |b| {
        b.iter(|| {
            for (_, by_hand) in CALLS {
                black_box(by_hand(black_box(&documents.input), &mut random).is_some());
            }
        });
    });
    group.finish();
}

fn parsing(criterion: &mut Criterion) {
    criterion.bench_function("parse twenty calls", |b| {
        b.iter(|| {
            for (source, _) in CALLS {
                black_box(Intrinsic::parse(black_box(source)).is_ok());
            }
        });
    });
}

/// Twice the items must not take more than about twice the time.
fn growth(criterion: &mut Criterion) {
    let call = Intrinsic::parse("States.ArrayUnique($)").expect("a call");
    let mut group = criterion.benchmark_group("ArrayUnique");
    for count in [1_000, 2_000, 4_000] {
        let documents = Documents {
            input: (0..count).map(Value::from).collect(),
            context: json!({}),
        };
        group.bench_function(count.to_string(), |b| {
            b.iter(|| call.evaluate(&documents, &mut SplitMix64::new(1)))
        });
    }
    group.finish();
}

criterion_group!(benches, all_calls, parsing, growth, each_call);
criterion_main!(benches);
