//! Test files: what they may say, and what is said where they are wrong.
mod common;

use common::*;
use serde_json::json;

/// Returns a folder with `m.asl.json`, a machine of one Task State `Charge`.
fn folder() -> Folder {
    let folder = Folder::new();
    let retry = json!({"Retry": [{"ErrorEquals": ["Busy"], "IntervalSeconds": 60}]});
    folder.write("m.asl.json", &charge(retry).to_string());
    folder
}

fn faults(text: &str) -> Vec<String> {
    let error = folder().tests(text).unwrap_err();
    error.faults.iter().map(ToString::to_string).collect()
}

fn reports(folder: &Folder, text: &str) -> Vec<(String, Vec<String>)> {
    let file = folder.tests(text).unwrap();
    let reports = file.run().into_iter();
    reports
        .map(|report| (report.name.clone(), told(&report)))
        .collect()
}

#[test]
fn a_file_says_all_that_a_case_can() {
    let text = r#"
version: 1
x-answers:
  busy: &busy {throw: {error: Busy, cause: later}, times: 2}
seed: 7
startTime: 2026-05-01T12:00:00Z
mocks:
  Charge:
    - *busy
    - {return: {paid: true}, delay: 5}
cases:
  busy at first:
    input: {amount: 21}
    expect:
      status: SUCCEEDED
      output: {paid: true}
      path: [Charge]
      visits: {Charge: 1}
      calls:
        Charge: {times: 3, withSome: [{amount: 21}]}
      duration: 185
  refused:
    mocks:
      Charge:
        answers:
          - {when: "{% amount > 100 %}", throw: Dear}
          - {when: "$.urgent", item: 0, return: 1}
        default: {throw: Refused}
    expect: {error: Refused, cause: null, duration: {max: 1}}
"#;
    let nothing: Vec<String> = Vec::new();
    assert_eq!(
        reports(&folder(), text),
        [
            ("busy at first".to_owned(), nothing.clone()),
            ("refused".to_owned(), nothing)
        ]
    );
}

#[test]
fn what_is_not_as_expected_has_its_place_in_the_file() {
    let text =
        "version: 1\nmocks: {Charge: {return: 1}}\ncases:\n  a:\n    expect:\n      output: 2\n";
    let report = folder().tests(text).unwrap().run().remove(0);
    assert_eq!(
        told(&report),
        ["output: expected 2, found 1 (in state `Charge`)"]
    );
    let position = report.differences[0].position.unwrap();
    assert_eq!((position.line, position.column), (6, 7));
    assert_eq!(report.position.map(|it| (it.line, it.column)), Some((4, 3)));
}

#[test]
fn every_fault_is_told_with_its_place() {
    let text = "version: 1
mocks:
  Chrage: {return: 1}
  Charge: {return: 1, throw: E}
cases:
  a:
    inptu: {}
    expect:
      status: OK
      path: [Chrage]
      calls: {Ship: 1}
      visits: {Charge: x}
  b:
    mocks: {Charge: [{exec: \"sh 'x\"}, {return: 1, item: 3-1}]}
";
    let found = faults(text);
    let expected = [
        "line 7, column 5: unknown field `inptu`; did you mean `input`? (at /cases/a/inptu)",
        "line 4, column 11: expected exactly one of return, throw, never, exec, http, machine (at /mocks/Charge)",
        "line 9, column 15: expected one of SUCCEEDED, FAILED, TIMED_OUT, ABORTED, found \"OK\" (at /cases/a/expect/status)",
        "line 10, column 14: no state `Chrage` in m; did you mean `Charge`? (at /cases/a/expect/path/0)",
        "line 12, column 24: expected a number from 0, found a string (at /cases/a/expect/visits/Charge)",
        "line 11, column 15: `Ship` is neither a Task State of m nor the resource of one (at /cases/a/expect/calls/Ship)",
        "line 3, column 3: `Chrage` is neither a Task State of m nor the resource of one; did you mean `Charge`? (at /mocks/Chrage)",
        "line 14, column 57: expected a number from 0, or a range (\"1-3\", \"2-\"), found a string (at /cases/b/mocks/Charge/1/item)",
        "line 14, column 13: exec:sh 'x: a quote is not closed (at /cases/b/mocks/Charge)",
    ];
    for line in expected {
        assert!(
            found.iter().any(|fault| fault == line),
            "{line}\n{found:#?}"
        );
    }
    assert_eq!(found.len(), expected.len(), "{found:#?}");
}

#[test]
fn a_file_that_is_none_is_refused() {
    assert_eq!(
        faults("version: 2\ncases: {}"),
        ["line 1, column 10: expected version 1, found 2 (at /version)"]
    );
    assert_eq!(
        faults("{}"),
        [
            "line 1, column 1: expected `version: 1`",
            "line 1, column 1: expected `cases`: an object with named cases"
        ]
    );
    assert_eq!(
        faults("version: 1\ncases:\n  a: {}\n  a: {}\n"),
        ["line 4, column 6: Duplicate field 'a' (at /cases/a)"]
    );
    let unreadable = faults("version: 1\ncases: [\nversion: 2]");
    assert!(
        unreadable[0].starts_with("line ") && !unreadable[0].contains(" at line "),
        "{unreadable:?}"
    );
    let missing = faults("version: 1\ndefinition: other.asl.json\ncases: {a: {}}");
    assert!(missing[0].starts_with("line 2, column 13: "), "{missing:?}");
    assert!(
        missing[0].contains("other.asl.json: cannot read "),
        "{missing:?}"
    );
}

#[test]
fn json_will_do_and_definitions_are_found_beside_the_file() {
    let folder = Folder::new();
    folder.write(
        "m.asl.yaml",
        "StartAt: A\nStates:\n  A: {Type: Pass, Result: '${Name}', End: true}\n",
    );
    let text = json!({"version": 1, "substitutions": {"Name": "Ada"}, "profile": "spec", "type": "express",
        "cases": {"a": {"expect": {"output": "Ada"}}, "b": {"substitutions": {"Name": "Bob"}, "expect": {"output": "Bob"}}}});
    for (name, differences) in reports(&folder, &text.to_string()) {
        assert_eq!(differences, [""; 0], "{name}");
    }
    let error = Folder::new()
        .tests("version: 1\ncases: {a: {}}")
        .unwrap_err();
    assert!(
        error
            .to_string()
            .contains("no definition next to the file: expected m.asl.json, m.asl.yaml"),
        "{error}"
    );
}

#[test]
fn the_test_cases_of_a_mock_configuration_are_taken_as_they_are() {
    let folder = folder();
    let configuration = json!({"StateMachines": {"M": {"TestCases": {
            "busy": {"Charge": "BusyThenPaid"}, "wrong": {"Ship": "Nothing"}}}},
        "MockedResponses": {"BusyThenPaid": {"0": {"Throw": {"Error": "Busy", "Cause": "later"}}, "1": {"Return": 1}}}});
    folder.write("MockConfigFile.json", &configuration.to_string());
    let text = "version: 1\nmockConfigFile: MockConfigFile.json\ncases:\n  busy: {expect: {output: 1, duration: 60}}\n";
    assert_eq!(reports(&folder, text)[0].1, [""; 0]);
    let named = text.replace("busy: {", "another name: {testCase: busy, ");
    assert_eq!(reports(&folder, &named)[0].1, [""; 0]);
    let error = folder.tests(&text.replace("busy", "wrong")).unwrap_err();
    let faults: Vec<String> = error.faults.iter().map(ToString::to_string).collect();
    assert_eq!(
        faults,
        [
            "line 2, column 17: the test case `wrong`: `Ship` is neither a Task State of m nor the resource of one (at /mockConfigFile)",
            "line 2, column 17: the test case `wrong` mocks `Ship` with the response `Nothing`, which does not exist (at /mockConfigFile)"
        ]
    );
}

#[test]
fn no_catch_hides_a_task_that_a_mock_configuration_leaves_out() {
    let folder = Folder::new();
    let mut machine = charge(json!({"Catch": [{"ErrorEquals": ["States.ALL"], "Next": "Done"}]}));
    machine["States"]["Done"] = json!({"Type": "Succeed"});
    let configuration =
        json!({"StateMachines": {"m": {"TestCases": {"nothing": {}}}}, "MockedResponses": {}});
    folder
        .write("m.asl.json", &machine.to_string())
        .write("MockConfigFile.json", &configuration.to_string());
    let text = "version: 1\nmockConfigFile: MockConfigFile.json\ncases:\n  nothing: {}\n";
    let differences = &reports(&folder, text)[0].1;
    assert!(
        differences.iter().any(|it| it.contains("has no mock")),
        "{differences:?}"
    );
}

#[test]
fn objects_are_written_in_the_file_or_lie_in_a_folder() {
    let folder = Folder::new();
    let machine = json!({"StartAt": "Each", "States": {"Each": {"Type": "Map", "End": true,
        "ItemReader": {"Resource": "arn:aws:states:::s3:getObject", "ReaderConfig": {"InputType": "JSON"},
            "Parameters": {"Bucket": "in", "Key": "a/items.json"}},
        "ItemProcessor": {"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"},
            "StartAt": "A", "States": {"A": {"Type": "Pass", "End": true}}}}}});
    folder
        .write("m.asl.json", &machine.to_string())
        .write("buckets/in/a/items.json", "[3]");
    let text = "version: 1\ncases:\n  written: {s3: {in: {a/items.json: [1, 2]}}, expect: {output: [1, 2]}}\n  folder: {s3: buckets, expect: {output: [3]}}\n";
    for (name, differences) in reports(&folder, text) {
        assert_eq!(differences, [""; 0], "{name}");
    }
}

#[test]
fn a_state_machine_of_a_file_runs_in_the_place_of_a_task() {
    let folder = Folder::new();
    let start = |resource: &str| {
        json!({"StartAt": "Bill", "States": {"Bill": {"Type": "Task", "End": true,
        "Resource": format!("arn:aws:states:::states:startExecution{resource}"),
        "Parameters": {"StateMachineArn": "arn:aws:states:us-east-1:123456789012:stateMachine:child", "Name": "bill-1", "Input.$": "$"}}}})
    };
    let retry = json!({"Retry": [{"ErrorEquals": ["Busy"], "IntervalSeconds": 600}]});
    folder
        .write("child.asl.json", &charge(retry).to_string())
        .write("m.asl.json", &start(".sync:2").to_string());
    let text = "version: 1
mocks:
  Bill: {machine: child.asl.json}
  Bill/Charge: [{throw: Busy}, {return: {paid: 21}}]
cases:
  paid:
    input: {amount: 21}
    expect:
      outputContains: {Name: bill-1, Status: SUCCEEDED, Output: {paid: 21}, Input: {amount: 21}}
      path: [Bill]
      calls: {Bill: 1, Bill/Charge: [{amount: 21}, {amount: 21}]}
      duration: 600
  refused:
    mocks: {Bill/Charge: {throw: {error: Refused, cause: expired}}}
    expect: {error: States.TaskFailed, causeContains: '{\"Cause\":\"expired\",\"Error\":\"Refused\",\"ExecutionArn\":'}
";
    for (name, differences) in reports(&folder, text) {
        assert_eq!(differences, [""; 0], "{name}");
    }
    folder.write("m.asl.json", &start(".sync").to_string());
    let written = text.replace(
        "Output: {paid: 21}, Input: {amount: 21}",
        "Output: '{\"paid\":21}', Input: '{\"amount\":21}'",
    );
    assert_eq!(reports(&folder, &written)[0].1, [""; 0]);
    folder.write("m.asl.json", &start("").to_string());
    let begun = "version: 1\nmocks: {Bill: {machine: child.asl.json}, Bill/Charge: {return: 1, delay: 60}}\ncases: {a: {expect: {duration: 0, outputWhere: \"{% $exists(ExecutionArn) %}\"}}}\n";
    assert_eq!(reports(&folder, begun)[0].1, [""; 0]);
    let error = folder
        .tests(&begun.replace("Bill/Charge", "Bill/Chrage"))
        .unwrap_err();
    let fault = "line 2, column 42: `Chrage` is neither a Task State of child nor the resource of one; did you mean `Charge`? (at /mocks/Bill~1Chrage)";
    assert_eq!(error.faults[0].to_string(), fault);
}

/// Answers are counted for the whole case: the second bill continues where the first one stopped, at whatever depth.
#[test]
fn answers_of_nested_machines_are_counted_in_the_case() {
    let folder = Folder::new();
    let retry = json!({"Retry": [{"ErrorEquals": ["States.TaskFailed"], "IntervalSeconds": 1}]});
    folder
        .write("m.asl.json", &charge(retry).to_string())
        .write(
            "middle.asl.json",
            &charge(json!({})).to_string().replace("Charge", "Ask"),
        )
        .write("inner.asl.json", &charge(json!({})).to_string());
    let text = "version: 1
mocks:
  Charge: {machine: middle.asl.json}
  Charge/Ask: {machine: inner.asl.json}
cases:
  the second attempt succeeds:
    mocks: {Charge/Ask/Charge: [{throw: Busy}, {return: 2}]}
    expect: {output: 2, calls: {Charge: 2}}
";
    assert_eq!(reports(&folder, text)[0].1, [""; 0]);
    let each = json!({"StartAt": "Each", "States": {"Each": {"Type": "Map", "ItemsPath": "$.items", "MaxConcurrency": 1, "End": true,
        "ItemProcessor": charge(json!({}))}}});
    folder.write("m.asl.json", &each.to_string());
    let text = "version: 1
input: {items: [a, b, c]}
mocks:
  Charge: {machine: middle.asl.json}
  Charge/Ask: {machine: inner.asl.json}
cases:
  one after the other:
    mocks: {Charge/Ask/Charge: [{return: 1}, {return: 2}, {return: 3}]}
    expect: {output: [1, 2, 3]}
  by item of the Map around:
    mocks: {Charge/Ask/Charge: [{return: first, item: 0, attempt: 0}, {return: other, item: 1-, attempt: 0}]}
    expect: {output: [first, other, other]}
  too few:
    mocks: {Charge/Ask/Charge: [{return: 1}, {return: 2}]}
    expect: {error: States.TaskFailed}
";
    let reports = reports(&folder, text);
    assert_eq!(reports[0].1, [""; 0]);
    assert_eq!(reports[1].1, [""; 0]);
    let gap = "the mock `Charge` has 2 answers, and none for call 0 of state `Charge`, item 2 of `Each`: add one, or a default";
    assert!(reports[2].1[0].ends_with(gap), "{:?}", reports[2].1);
}
