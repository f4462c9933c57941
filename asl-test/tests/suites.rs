//! Many cases at a time, and what programs are reported them.
mod common;

use asl_test::{SCHEMA, Suite, SuiteReport, find_test_files, format};
use common::*;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::num::NonZeroUsize;

fn jobs(count: usize) -> NonZeroUsize {
    NonZeroUsize::new(count).unwrap()
}

/// Returns a folder with tests of which one passes, one fails and one file is none.
fn folder() -> Folder {
    let folder = Folder::new();
    folder
        .write("m.asl.json", &charge(json!({})).to_string())
        .write("below/m.asl.json", &charge(json!({})).to_string())
        .write("m.test.yaml", "version: 1\nmocks: {Charge: {return: 1}}\ncases:\n  good: {expect: {output: 1}}\n  'bad <&>': {expect: {output: {a: 2}}}\n")
        .write("below/m.test.json", r#"{"version": 1, "cases": {"a": {"inptu": 1}}}"#)
        .write("node_modules/other.test.yaml", "version: 1")
        .write(".hidden/other.test.yaml", "version: 1");
    folder
}

fn report(folder: &Folder, count: usize) -> SuiteReport {
    let files = find_test_files(std::slice::from_ref(&folder.0)).unwrap();
    Suite::read(&files).run(jobs(count), false, |_| {})
}

#[test]
fn test_files_are_found_below_folders() {
    let folder = folder();
    let files = find_test_files(std::slice::from_ref(&folder.0)).unwrap();
    let names: Vec<_> = files
        .iter()
        .map(|file| file.strip_prefix(&folder.0).unwrap())
        .collect();
    assert_eq!(
        names,
        [
            "below/m.test.json".as_ref(),
            std::path::Path::new("m.test.yaml")
        ]
    );
    let error = find_test_files(&[folder.0.join("none")]).unwrap_err();
    assert!(error.to_string().contains("none"), "{error}");
}

#[test]
fn programs_are_told_of_every_case_and_of_files_that_are_none() {
    let folder = folder();
    let report = report(&folder, 2);
    assert!(!report.has_passed());
    let json = format::json(&report);
    assert_eq!((&json["passed"], &json["failed"]), (&json!(1), &json!(1)));
    assert_eq!(
        json["refused"][0]["message"],
        "unknown field `inptu`; did you mean `input`?"
    );
    let difference = &json["cases"][1]["differences"][0];
    assert_eq!(
        (&difference["expected"], &difference["found"]),
        (&json!({"a": 2}), &json!(1))
    );
    assert_eq!(
        (&difference["line"], &difference["state"]),
        (&json!(5), &json!("Charge"))
    );
    let call = &json["cases"][0]["run"]["calls"][0];
    assert_eq!(
        (&call["state"], &call["payload"]),
        (&json!("Charge"), &json!({}))
    );
    let junit = format::junit(&report);
    assert!(
        junit.contains(" tests=\"3\" failures=\"1\" errors=\"1\""),
        "{junit}"
    );
    assert!(
        junit.contains("<testcase name=\"bad &lt;&amp;&gt;\""),
        "{junit}"
    );
    assert!(junit.contains("<failure type=\"output\" message=\"output: expected {&quot;a&quot;:2}, found 1 (in state `Charge`)\">"), "{junit}");
    let tap = format::tap(&report);
    assert!(
        tap.starts_with("TAP version 14\n1..3\nnot ok 1 - "),
        "{tap}"
    );
    assert!(
        tap.contains("\nok 2 - ")
            && tap.contains(": bad <&>\n  ---\n  differences:\n    - \"output: "),
        "{tap}"
    );
}

#[test]
fn how_many_run_at_a_time_changes_nothing() {
    let folder = folder();
    let mut all = String::from("version: 1\nmocks: {Charge: [{return: 1}, {throw: E}]}\ncases:\n");
    for number in 0..50 {
        all.push_str(&format!(
            "  case {number}: {{input: {number}, expect: {{calls: {{Charge: [{number}]}}}}}}\n"
        ));
    }
    folder.write("m.test.yaml", &all);
    let told = |count| {
        let files = [folder.0.join("m.test.yaml")];
        let mut names = Vec::new();
        let report =
            Suite::read(&files).run(jobs(count), false, |case| names.push(case.name.clone()));
        assert!(report.has_passed());
        names
    };
    assert_eq!(told(1), told(8));
    assert_eq!(told(8).len(), 50);
}

#[test]
fn after_a_failure_no_case_begins() {
    let folder = folder();
    folder.write("m.test.yaml", "version: 1\nmocks: {Charge: {return: 1}}\ncases:\n  a: {expect: {output: 2}}\n  b: {}\n  c: {}\n");
    let report = Suite::read(&[folder.0.join("m.test.yaml")]).run(jobs(1), true, |_| {});
    assert_eq!((report.failed(), report.left_out), (1, 2));
}

#[test]
fn outputs_are_recorded_in_files() {
    let folder = folder();
    let text = "version: 1\nmocks: {Charge: {return: {b: 1, a: null}}}\ncases: {one: {expect: {outputFile: one.json}}}";
    let file = folder.tests(text).unwrap();
    let report = file.run().remove(0);
    assert!(
        told(&report)[0]
            .ends_with("one.json does not exist: asl test --update writes the output to it")
    );
    let written = file.cases()[0].record_output(&report.run.unwrap()).unwrap();
    assert_eq!(
        std::fs::read_to_string(written.unwrap()).unwrap(),
        "{\n  \"b\": 1,\n  \"a\": null\n}\n"
    );
    let file = folder.tests(text).unwrap();
    let run = file.run().remove(0).into_result().unwrap();
    assert_eq!(file.cases()[0].record_output(&run).unwrap(), None);
    folder.write("one.json", "{\"a\": null}");
    let report = folder.tests(text).unwrap().run().remove(0);
    assert_eq!(
        told(&report),
        ["output: at /b expected nothing, found 1 (in state `Charge`)"]
    );
}

/// Returns the fields that the reader requests at some place, as it reports them of one that is unknown.
fn known_fields(text: &str) -> BTreeSet<String> {
    let error = folder().tests(text).unwrap_err();
    let lists = error
        .faults
        .iter()
        .filter_map(|fault| fault.message.split_once("expected one of "));
    let list = lists
        .map(|(_, list)| list)
        .next()
        .unwrap_or_else(|| panic!("{error}"));
    list.split(", ").map(str::to_owned).collect()
}

#[test]
fn the_schema_has_the_fields_that_the_reader_knows() {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    let of_schema = |pointer: &str| -> BTreeSet<String> {
        let properties = schema.pointer(&format!("{pointer}/properties")).unwrap();
        properties.as_object().unwrap().keys().cloned().collect()
    };
    let case = |case: &str| format!("version: 1\ncases: {{a: {case}}}");
    let answer = |answer: &str| case(&format!("{{mocks: {{Charge: {answer}}}}}"));
    let expect = |field: &str| case(&format!("{{expect: {field}}}"));
    for (pointer, text) in [
        ("", "version: 1\ncases: {}\nqqqqqqqq: 1".to_owned()),
        ("/$defs/case", case("{qqqqqqqq: 1}")),
        ("/$defs/answer", answer("{return: 1, qqqqqqqq: 1}")),
        (
            "/$defs/mockWithDefault",
            answer("{default: {return: 1}, qqqqqqqq: 1}"),
        ),
        ("/$defs/error", answer("{throw: {qqqqqqqq: 1}}")),
        ("/$defs/expect", expect("{qqqqqqqq: 1}")),
        ("/$defs/leastAndMost", expect("{duration: {qqqqqqqq: 1}}")),
        ("/$defs/calls", expect("{calls: {Charge: {qqqqqqqq: 1}}}")),
    ] {
        assert_eq!(of_schema(pointer), known_fields(&text), "{pointer}");
    }
}

/// Returns a small machine with a retry, a choice, a day's wait and a catcher, and a thousand cases of it.
fn thousand() -> Folder {
    let machine = json!({"StartAt": "Charge", "States": {
        "Charge": {"Type": "Task", "Resource": FUNCTION, "ResultPath": "$.receipt", "Next": "Large?",
            "Retry": [{"ErrorEquals": ["Busy"], "IntervalSeconds": 60}],
            "Catch": [{"ErrorEquals": ["Declined"], "Next": "Refused"}]},
        "Large?": {"Type": "Choice", "Default": "Done", "Choices": [
            {"Variable": "$.price", "NumericGreaterThan": 500, "Next": "Wait"}]},
        "Wait": {"Type": "Wait", "Seconds": 86400, "Next": "Done"},
        "Done": {"Type": "Succeed"},
        "Refused": {"Type": "Fail", "Error": "Refused"}}});
    let case = |price: u64| {
        let wait = if price > 500 { 86_400 } else { 0 };
        match price % 7 {
            0 => {
                json!({"mocks": {"Charge": {"throw": "Declined"}}, "expect": {"error": "Refused"}})
            }
            _ => json!({
                "mocks": {"Charge": [{"throw": "Busy"}, {"return": price}]},
                "expect": {"output": {"price": price, "receipt": price}, "calls": {"Charge": 2}, "duration": 60 + wait}}),
        }
    };
    let cases = (0..1_000).map(|price| {
        let mut case = case(price);
        case["input"] = json!({"price": price});
        (format!("case {price}"), case)
    });
    let cases: serde_json::Map<String, Value> = cases.collect();
    let folder = Folder::new();
    folder.write("m.asl.json", &machine.to_string()).write(
        "m.test.json",
        &json!({"version": 1, "cases": cases}).to_string(),
    );
    folder
}

/// Two jobs on two cores take well below a second of an optimized build; this one is none, and others may be at work.
#[test]
fn a_thousand_cases_take_little_time() {
    let folder = thousand();
    let begun = std::time::Instant::now();
    let report = report(&folder, 2);
    let took = begun.elapsed();
    assert!(
        report.has_passed(),
        "{:?}",
        report.cases.iter().find(|case| !case.has_passed())
    );
    assert_eq!(report.cases.len(), 1_000);
    assert!(took < std::time::Duration::from_secs(30), "{took:?}");
}

#[test]
fn an_express_machine_that_loops_ends() {
    let folder = Folder::new();
    let machine = json!({"StartAt": "A", "States": {
        "A": {"Type": "Pass", "Next": "C"},
        "C": {"Type": "Choice", "Choices": [{"Variable": "$.stop", "IsPresent": true, "Next": "Z"}], "Default": "A"},
        "Z": {"Type": "Succeed"}}});
    folder.write("m.asl.json", &machine.to_string()).write(
        "m.test.yaml",
        "version: 1\ntype: express\ncases:\n  a: {maxTransitions: 1000}\n",
    );
    let json = format::json(&report(&folder, 1));
    let text = json.to_string();
    assert_eq!(json["failed"], json!(1));
    assert!(text.contains("made more than 1000 transitions"), "{text}");
}
