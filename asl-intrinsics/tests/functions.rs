//! Each function agrees with a slow, obvious model of it.
mod common;

use asl_intrinsics::Intrinsic;
use asl_intrinsics::random::{RandomSource, SplitMix64};
use common::{Documents, array, call, called, evaluate, json};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

proptest! {
    #[test]
    fn array_holds_its_arguments(items in array()) {
        prop_assert_eq!(called("Array", &items), Value::Array(items));
    }

    #[test]
    fn array_contains_looks_at_every_item(items in array(), wanted in json(), pick in any::<prop::sample::Index>()) {
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let expected = items.iter().any(|item| text(item) == text(&wanted));
        prop_assert_eq!(called("ArrayContains", &[json!(items), wanted]), json!(expected));
        if !items.is_empty() {
            let present = items[pick.index(items.len())].clone();
            prop_assert_eq!(called("ArrayContains", &[json!(items), present]), json!(true));
        }
    }

    #[test]
    fn array_get_item_counts_from_zero(items in array(), index in -2_i64..50) {
        let found = usize::try_from(index).ok().and_then(|at| items.get(at).cloned());
        let expected = if items.is_empty() { Some(Value::Null) } else { found };
        prop_assert_eq!(call("ArrayGetItem", &[json!(items), json!(index)]).ok(), expected);
    }

    #[test]
    fn array_length_counts(items in array()) {
        prop_assert_eq!(called("ArrayLength", &[json!(items)]), json!(items.iter().fold(0, |count, _| count + 1)));
    }

    #[test]
    fn array_partition_fills_one_chunk_after_the_other(items in array(), size in 1_usize..45) {
        let mut chunks: Vec<Vec<Value>> = Vec::new();
        for item in &items {
            match chunks.last_mut() {
                Some(chunk) if chunk.len() < size => chunk.push(item.clone()),
                _ => chunks.push(vec![item.clone()]),
            }
        }
        prop_assert_eq!(called("ArrayPartition", &[json!(items), json!(size)]), json!(chunks));
        let nested = evaluate("States.ArrayPartition(States.Array($.a, $.b), $.c)", json!({"a": 1, "b": 2, "c": size}));
        let expected = if size == 1 { json!([[1], [2]]) } else { json!([[1, 2]]) };
        prop_assert_eq!(nested, Ok(expected));
    }

    #[test]
    fn array_range_steps_from_first_to_last(first in -2_000_i64..2_000, last in -2_000_i64..2_000, step in -9_i64..10) {
        let outcome = call("ArrayRange", &[json!(first), json!(last), json!(step)]);
        if step == 0 {
            prop_assert!(outcome.is_err());
            return Ok(());
        }
        let mut items = Vec::new();
        let mut next = first;
        while if step > 0 { next <= last } else { next >= last } {
            items.push(next);
            next += step;
        }
        prop_assert_eq!(outcome.ok(), (items.len() <= 1_000).then(|| json!(items)));
    }

    #[test]
    fn array_range_takes_any_number(first: i64, last: i64, step: i64) {
        let outcome = call("ArrayRange", &[json!(first), json!(last), json!(step)]);
        if let Ok(Value::Array(items)) = outcome {
            prop_assert!(items.len() <= 1_000);
            prop_assert!(items.is_empty() || items[0] == first);
        }
    }

    #[test]
    fn array_unique_holds_each_item_once(items in array()) {
        let mut expected: Vec<Value> = Vec::new();
        for item in &items {
            if !expected.contains(item) {
                expected.push(item.clone());
            }
        }
        let unique = called("ArrayUnique", &[json!(items)]);
        let unique = unique.as_array().unwrap();
        prop_assert_eq!(unique.len(), expected.len());
        prop_assert!(expected.iter().all(|item| unique.contains(item)));
    }

    #[test]
    fn base64_encode_spells_six_bits_at_a_time(text: String) {
        const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let bits: Vec<bool> = text.bytes().flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1 == 1)).collect();
        let mut expected: String = bits
            .chunks(6)
            .map(|six| (0..6).fold(0, |sum, bit| sum << 1 | usize::from(six.get(bit).copied().unwrap_or(false))))
            .map(|index| char::from(ALPHABET[index]))
            .collect();
        while !expected.len().is_multiple_of(4) {
            expected.push('=');
        }
        prop_assert_eq!(called("Base64Encode", &[json!(text)]), json!(expected));
    }

    #[test]
    fn format_fills_places_in_order(texts in prop::collection::vec("[^{}\\\\]{0,5}", 1..5), value in "\\PC{0,8}") {
        let values = vec![json!(value); texts.len() - 1];
        let arguments = [vec![json!(texts.join("{}"))], values].concat();
        prop_assert_eq!(called("Format", &arguments), json!(texts.join(&value)));
        prop_assert!(call("Format", &[arguments, vec![json!(1)]].concat()).is_err());
    }

    #[test]
    fn json_merge_prefers_the_second(
        first in prop::collection::vec(("[a-d]", 0_i64..9), 0..6),
        second in prop::collection::vec(("[a-d]", 0_i64..9), 0..6),
    ) {
        let object = |fields: &[(String, i64)]| -> Value {
            fields.iter().map(|(name, value)| (name.clone(), json!(value))).collect::<Map<_, _>>().into()
        };
        let mut expected = Map::new();
        for (name, value) in first.iter().chain(&second) {
            expected.insert(name.clone(), json!(value));
        }
        let arguments = [object(&first), object(&second), json!(false)];
        prop_assert_eq!(called("JsonMerge", &arguments), Value::Object(expected));
        prop_assert!(call("JsonMerge", &[object(&first), object(&second), json!(true)]).is_err());
    }

    #[test]
    fn math_add_rounds_then_adds(left in -4_000_000_i64..4_000_000, right in -4_000_000_i64..4_000_000) {
        // Quarters are exact.
        let rounded = |quarters: i64| (quarters + 2).div_euclid(4);
        let arguments = [json!(left as f64 / 4.0), json!(right as f64 / 4.0)];
        prop_assert_eq!(called("MathAdd", &arguments), json!(rounded(left) + rounded(right)));
    }

    #[test]
    fn math_add_takes_32_bits(left: i64, small: i32) {
        let fits = i32::try_from(left).is_ok();
        let sum = i128::from(left) + i128::from(small);
        let outcome = call("MathAdd", &[json!(left), json!(small)]);
        prop_assert_eq!(outcome.ok().and_then(|sum| sum.as_i64()).map(i128::from), fits.then_some(sum));
    }

    #[test]
    fn math_random_stays_below_its_end(start: i64, end: i64, seed: i64) {
        for arguments in [vec![json!(start), json!(end)], vec![json!(start), json!(end), json!(seed)]] {
            let drawn = call("MathRandom", &arguments).ok().and_then(|number| number.as_i64());
            prop_assert_eq!(drawn.is_some(), start < end);
            prop_assert!(drawn.is_none_or(|number| start <= number && number < end));
            prop_assert_eq!(call("MathRandom", &arguments).ok().and_then(|number| number.as_i64()), drawn);
        }
    }

    #[test]
    fn string_split_divides_at_every_delimiter(text in "[ab,;é]{0,12}", delimiters in "[,;é]{0,3}") {
        let mut expected = vec![String::new()];
        for c in text.chars() {
            if delimiters.contains(c) {
                expected.push(String::new());
            } else if let Some(piece) = expected.last_mut() {
                piece.push(c);
            }
        }
        expected.retain(|piece| !piece.is_empty());
        prop_assert_eq!(called("StringSplit", &[json!(text), json!(delimiters)]), json!(expected));
    }

    #[test]
    fn uuid_is_made_of_the_random_bits(seed: u64) {
        let documents = Documents { input: json!(null), context: json!(null) };
        let uuid = Intrinsic::parse("States.UUID()").expect("a call").evaluate(&documents, &mut SplitMix64::new(seed));
        let mut random = SplitMix64::new(seed);
        let digits = format!("{:016x}{:016x}", random.next_u64(), random.next_u64());
        let variant = ['8', '9', 'a', 'b'][usize::from_str_radix(&digits[16..17], 16).expect("a digit") & 3];
        let expected = format!(
            "{}-{}-4{}-{variant}{}-{}",
            &digits[..8], &digits[8..12], &digits[13..16], &digits[17..20], &digits[20..]
        );
        prop_assert_eq!(uuid, Ok(json!(expected)));
    }
}

/// From the examples of RFC 1321 and FIPS 180.
#[test]
fn hash_knows_five_algorithms() {
    let cases = [
        ("MD5", "900150983cd24fb0d6963f7d28e17f72"),
        ("SHA-1", "a9993e364706816aba3e25717850c26c9cd0d89d"),
        (
            "SHA-256",
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        ),
        (
            "SHA-384",
            "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7",
        ),
        (
            "SHA-512",
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a\
             2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
        ),
    ];
    for (algorithm, expected) in cases {
        assert_eq!(
            called("Hash", &[json!("abc"), json!(algorithm)]),
            json!(expected)
        );
    }
}

#[test]
fn math_random_reaches_every_number_in_its_range() {
    let call = Intrinsic::parse("States.MathRandom(-1.7, 3.9)").expect("a call");
    let documents = Documents {
        input: json!(null),
        context: json!(null),
    };
    let mut random = SplitMix64::new(3);
    let mut seen: Vec<i64> = (0..200)
        .filter_map(|_| call.evaluate(&documents, &mut random).ok()?.as_i64())
        .collect();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen, [-1, 0, 1, 2]);
}

#[test]
fn format_prints_the_natural_text_of_values() {
    let cases = [
        (json!("a \"b\""), "a \"b\""),
        (json!(null), "null"),
        (json!(true), "true"),
        (json!(-7), "-7"),
        (json!(2.0), "2.0"),
        (json!(1e10), "1.0E10"),
        (json!({"a": 1, "b": ["x", {}]}), "{a=1, b=[x, {}]}"),
    ];
    for (value, expected) in cases {
        assert_eq!(
            called("Format", &[json!("<{}>"), value]),
            json!(format!("<{expected}>"))
        );
    }
}

#[test]
fn format_takes_escapes_from_data_and_from_calls() {
    assert_eq!(
        called("Format", &[json!(r"\{\} {} \'\\ \n"), json!(1)]),
        json!(r"{} 1 '\ \n")
    );
    let source = r"States.Format(States.Array('{} and {}'), 1)";
    assert!(evaluate(source, json!({})).is_err());
    let source = r"States.Format(States.ArrayGetItem(States.Array('\{\}-{}'), 0), 1, 2)";
    assert_eq!(evaluate(source, json!({})), Ok(json!("1-2")));
}

#[test]
fn base64_decode_takes_broken_lines_and_missing_padding() {
    assert_eq!(
        called("Base64Decode", &[json!("RGF0\r\nYSB0\nbw==\r\n")]),
        json!("Data to")
    );
    assert_eq!(called("Base64Decode", &[json!("YQ")]), json!("a"));
    assert_eq!(called("Base64Decode", &[json!("")]), json!(""));
}

/// Recorded from the service.
#[test]
fn base64_decode_skips_what_is_no_base64() {
    let cases = [
        ("a", ""),
        ("!!!!", ""),
        ("!aGVs*bG8=", "hello"),
        ("ab==cd", "i"),
        ("/w==", "\u{fffd}"),
        ("Pz8_", "???"),
    ];
    for (text, expected) in cases {
        assert_eq!(
            called("Base64Decode", &[json!(text)]),
            json!(expected),
            "{text}"
        );
    }
}

/// Recorded from the service.
#[test]
fn numbers_are_cut_toward_zero() {
    let cases = [
        ("States.ArrayPartition($, 2.6)", json!([[1, 2], [3]])),
        ("States.ArrayRange(1.6, 1.4, 1)", json!([1])),
        ("States.ArrayRange(5.4, -0.6, -2.4)", json!([5, 3, 1])),
        ("States.ArrayGetItem($, 1.9)", json!(2)),
        ("States.MathAdd(1.5, -1.5)", json!(1)),
        ("States.MathAdd(1e309, 1)", json!(0)),
    ];
    for (source, expected) in cases {
        assert_eq!(evaluate(source, json!([1, 2, 3])), Ok(expected), "{source}");
    }
}

/// Recorded from the service.
#[test]
fn hash_and_merge_take_what_is_no_string_or_boolean() {
    assert_eq!(
        called("Hash", &[json!(123), json!("MD5")]),
        called("Hash", &[json!("123"), json!("MD5")])
    );
    assert_eq!(
        called("Hash", &[json!({"a": 1}), json!("MD5")]),
        called("Hash", &[json!("{a=1}"), json!("MD5")])
    );
    for deep in [json!("false"), json!(0), json!(null)] {
        assert_eq!(
            called("JsonMerge", &[json!({"a": 1}), json!({"b": 2}), deep]),
            json!({"a": 1, "b": 2})
        );
    }
}

/// Recorded from the service.
#[test]
fn array_unique_has_the_order_of_a_hash_set() {
    for (items, expected) in [
        (json!([true, false, true, false]), json!([false, true])),
        (json!([[1, 2], [1, 2], [2, 1]]), json!([[2, 1], [1, 2]])),
        (json!([17, 16, 1]), json!([16, 17, 1])),
        (json!([3, "a", null]), json!([null, "a", 3])),
    ] {
        assert_eq!(called("ArrayUnique", &[items]), expected);
    }
}

/// Recorded from the service.
#[test]
fn array_contains_compares_texts() {
    for (items, wanted, expected) in [
        (json!([{"b": 2, "a": 1}]), json!({"a": 1, "b": 2}), false),
        (json!([{"a": 1, "b": 2}]), json!({"a": 1, "b": 2}), true),
        (
            json!([9_007_199_254_740_991_i64]),
            json!("9007199254740991"),
            true,
        ),
        (json!([true]), json!("true"), true),
        (json!(["1"]), json!(1), true),
        (json!([0, 1, -1, -1.5]), json!(false), false),
        (json!(["ab"]), json!("a"), false),
        (json!([12]), json!(1), false),
    ] {
        let contains = called("ArrayContains", &[items, wanted]);
        assert_eq!(contains, json!(expected));
    }
}

/// Recorded from the service.
#[test]
fn uuid_ignores_its_arguments() {
    for call in ["States.UUID()", "States.UUID('x')", "States.UUID(1, 2)"] {
        let uuid = evaluate(call, json!({})).unwrap();
        assert_eq!(uuid.as_str().map(str::len), Some(36), "{call}");
    }
    assert!(evaluate("States.UUID($.missing)", json!({})).is_err());
}
