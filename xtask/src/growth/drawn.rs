//! Calls of every built-in function with random arguments of growing size.
//!
//! Each JSONata call is evaluated as many times as its arguments are long, so that an uncharged cost outgrows the charged
//! ones. Each intrinsic function is called once: its bytes and those of its path are charged per call.
use super::families::{Family, family, machine};
use crate::random::Random;
use asl_intrinsics::Function;
use asl_jsonata::Dialect;
use serde_json::{Map, Value, json};

/// Arguments in JSONata. `$i` is the state's input, see [`data`].
const ARGUMENTS: [&str; 46] = [
    "$i.letters",
    "$i.mixed",
    "$i.digits",
    "$i.spaces",
    "$i.picture",
    "$i.hashes",
    "$i.percent",
    "$i.json",
    "$i.base64",
    "$i.numbers",
    "$i.texts",
    "$i.nested",
    "$i.objects",
    "$i.fields",
    "$i.deep",
    "$i.count",
    "'a'",
    "''",
    "','",
    "'SHA-256'",
    "'[Y0001]-[M01]'",
    "'#,##0.00'",
    "'w'",
    "0",
    "-1",
    "2",
    "1.5",
    "1e300",
    "1e15",
    "16",
    "true",
    "null",
    "$i.none",
    "[]",
    "{}",
    "/a/",
    "/(a|b)(c)?/",
    "/a*b/",
    "/(.)(.)(.)/",
    "/[a-z]+$/i",
    "function($x) {$x}",
    "function($a, $b) {$a}",
    "function($a, $b) {$a > $b}",
    "function($m) {'y'}",
    "$string",
    "$uppercase",
];

/// Arguments of intrinsic functions, over the same data.
const INTRINSIC_ARGUMENTS: [&str; 20] = [
    "$.letters",
    "$.mixed",
    "$.digits",
    "$.json",
    "$.base64",
    "$.numbers",
    "$.texts",
    "$.nested",
    "$.objects",
    "$.fields",
    "$.deep",
    "$.count",
    "'a,b'",
    "'{} {}'",
    "'SHA-512'",
    "1",
    "2",
    "5",
    "false",
    "null",
];

/// The most arguments of a drawn call.
const MOST_ARGUMENTS: usize = 4;

/// Calls drawn of each function, most of which it refuses.
const DRAWS: usize = 4_000;

/// Data whose texts and arrays have a length in proportion to `size`.
fn data(size: usize) -> Value {
    let numbers: Vec<usize> = (0..size * 10).map(|n| (n * 7_919) % (size * 10)).collect();
    let texts: Vec<String> = numbers.iter().map(|n| format!("k{n}")).collect();
    let fields: Map<String, Value> = texts.iter().map(|text| (text.clone(), json!(1))).collect();
    let deep = (0..size.min(60)).fold(json!(1), |deep, _| json!([deep]));
    json!({"count": size, "letters": "a".repeat(size * 100), "mixed": "ab,c Ä-".repeat(size * 10), "digits": "1".repeat(size * 100),
        "spaces": " ".repeat(size * 100), "picture": format!("[Y]{}", "-".repeat(size * 10)), "hashes": "#".repeat(size * 10),
        "percent": "%41".repeat(size * 30), "json": json!(numbers).to_string(), "base64": "QUJD".repeat(size * 20),
        "objects": texts.iter().map(|text| json!({"name": text, "tags": [1]})).collect::<Vec<_>>(),
        "nested": vec![json!([1, 2, [3]]); size * 10], "numbers": numbers, "texts": texts, "fields": fields, "deep": deep})
}

fn arguments<'a>(random: &mut Random, from: &[&'a str]) -> Vec<&'a str> {
    let count = random.below(MOST_ARGUMENTS + 1);
    (0..count).map(|_| *random.pick(from)).collect()
}

/// Families of calls, `per_function` that succeed of each function, as far as draws find so many.
pub(super) fn calls(
    seed: u64,
    per_function: usize,
    succeeds: impl Fn(&Family) -> bool,
) -> Vec<Family> {
    let mut random = Random::new(seed);
    let mut calls = Vec::new();
    let mut draw = |make: &dyn Fn(&mut Random) -> Family| {
        let mut found: Vec<Family> = Vec::new();
        for _ in 0..DRAWS {
            let family = make(&mut random);
            let is_new = found.iter().all(|other| other.name != family.name);
            if is_new && succeeds(&family) {
                found.push(family);
            }
            if found.len() == per_function {
                break;
            }
        }
        calls.append(&mut found);
    };
    for function in Dialect::StatesLanguage.functions() {
        draw(&|random| jsonata_call(function, &arguments(random, &ARGUMENTS)));
    }
    for function in Function::ALL {
        draw(&|random| intrinsic_call(function, &arguments(random, &INTRINSIC_ARGUMENTS)));
    }
    calls
}

fn jsonata_call(function: &str, arguments: &[&str]) -> Family {
    let call = format!("${function}({})", arguments.join(", "));
    family(call.clone(), 10, move |size| {
        let text = format!(
            "{{% ($i := $states.input; $count($map([1..{size}], function($k) {{$exists({call})}}))) %}}"
        );
        let state = json!({"Type": "Pass", "QueryLanguage": "JSONata", "Output": text});
        (machine(state), data(size))
    })
}

fn intrinsic_call(function: Function, arguments: &[&str]) -> Family {
    let call = format!("{}({})", function.name(), arguments.join(", "));
    // The data of the largest size is below the cache.
    family(call.clone(), 3, move |size| {
        let state = json!({"Type": "Pass", "Parameters": {"x.$": call}, "ResultPath": "$.r", "OutputPath": "$.count"});
        (machine(state), data(size))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_function_has_calls_that_succeed() {
        let calls = calls(1, 1, |family| super::super::check(family).is_ok());
        let called: BTreeSet<&str> = calls
            .iter()
            .filter_map(|it| it.name.split('(').next())
            .collect();
        let jsonata = Dialect::StatesLanguage
            .functions()
            .map(|name| format!("${name}"));
        let intrinsics = Function::ALL
            .iter()
            .map(|function| function.name().to_owned());
        let missing: Vec<String> = jsonata
            .chain(intrinsics)
            .filter(|name| !called.contains(name.as_str()) && name != "$error" && name != "$assert")
            .collect();
        assert_eq!(missing, Vec::<String>::new());
    }
}
