//! Laws that hold between functions.
mod common;

use common::{array, called, evaluate, json};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::slice;

fn flattened(chunks: &Value) -> Option<Vec<Value>> {
    let chunks = chunks
        .as_array()?
        .iter()
        .map(|chunk| chunk.as_array().cloned());
    Some(chunks.collect::<Option<Vec<_>>>()?.concat())
}

proptest! {
    #[test]
    fn partitions_join_to_the_whole(items in array(), size in 1_usize..20) {
        let chunks = called("ArrayPartition", &[json!(items), json!(size)]);
        prop_assert_eq!(called("ArrayLength", slice::from_ref(&chunks)), json!(items.len().div_ceil(size)));
        prop_assert_eq!(flattened(&chunks), Some(items));
    }

    #[test]
    fn unique_items_stay_and_are_contained(items in array()) {
        let unique = called("ArrayUnique", &[json!(items)]);
        prop_assert_eq!(called("ArrayUnique", slice::from_ref(&unique)), unique.clone());
        for item in unique.as_array().unwrap() {
            prop_assert!(items.contains(item));
            prop_assert_eq!(called("ArrayContains", &[unique.clone(), item.clone()]), json!(true));
        }
    }

    #[test]
    fn base64_comes_back(text: String) {
        prop_assert_eq!(evaluate("States.Base64Decode(States.Base64Encode($))", json!(text)), Ok(json!(text)));
    }

    #[test]
    fn json_comes_back(value in json()) {
        prop_assert_eq!(evaluate("States.StringToJson(States.JsonToString($))", value.clone()), Ok(value));
    }

    #[test]
    fn json_text_is_that_of_serde_but_for_floats(value in json()) {
        prop_assume!(!has_float(&value));
        prop_assert_eq!(called("JsonToString", slice::from_ref(&value)), json!(value.to_string()));
    }

    #[test]
    fn joined_pieces_split_again(pieces in prop::collection::vec("[a-z]{1,3}", 0..8)) {
        prop_assert_eq!(called("StringSplit", &[json!(pieces.join(",;")), json!(";,")]), json!(pieces));
    }

    #[test]
    fn adding_undoes_subtracting(left: i32, right in -1_000_i32..1_000) {
        prop_assume!(left.checked_add(right).is_some());
        let sum = called("MathAdd", &[json!(left), json!(right)]);
        prop_assert_eq!(called("MathAdd", &[sum, json!(-right)]), json!(left));
    }

    #[test]
    fn ranges_have_the_length_of_their_steps(first in -500_i64..500, count in 1_i64..1_001, step in 1_i64..50) {
        let source = "States.ArrayLength(States.ArrayRange($[0], $[1], $[2]))";
        let last = first + (count - 1) * step;
        prop_assert_eq!(evaluate(source, json!([first, last, step])), Ok(json!(count)));
    }

    #[test]
    fn merging_with_nothing_or_itself_changes_nothing(fields in prop::collection::btree_map("[a-z]{0,3}", json(), 0..6)) {
        let object = json!(fields);
        prop_assert_eq!(called("JsonMerge", &[object.clone(), json!({}), json!(false)]), object.clone());
        prop_assert_eq!(called("JsonMerge", &[json!({}), object.clone(), json!(false)]), object.clone());
        prop_assert_eq!(called("JsonMerge", &[object.clone(), object.clone(), json!(false)]), object);
    }

    #[test]
    fn a_literal_means_what_a_path_hands_over(text in "[^{}\\\\']{0,10}") {
        let literal = evaluate(&format!("States.StringSplit('{text}', ' ')"), json!({}));
        prop_assert_eq!(literal, Ok(called("StringSplit", &[json!(text), json!(" ")])));
    }

    #[test]
    fn owned_and_borrowed_arguments_mean_the_same(items in array(), size in 1_usize..9) {
        for (function, second) in [
            ("ArrayPartition", Some(json!(size))),
            ("ArrayGetItem", Some(json!(0))),
            ("ArrayUnique", None),
            ("ArrayLength", None),
        ] {
            let rest = if second.is_some() { ", $[1]" } else { "" };
            let input = json!([items, second]);
            let borrowed = evaluate(&format!("States.{function}($[0]{rest})"), input.clone());
            let text = "States.StringToJson(States.JsonToString($[0]))";
            let owned = evaluate(&format!("States.{function}({text}{rest})"), input);
            prop_assert_eq!(borrowed.ok(), owned.ok());
        }
    }
}

fn has_float(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.is_f64(),
        Value::Array(items) => items.iter().any(has_float),
        Value::Object(fields) => fields.values().any(has_float),
        _ => false,
    }
}
