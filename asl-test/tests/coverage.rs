//! Coverage counts, compared with counts by hand, and their reports.
mod common;

use asl_test::coverage::{Coverage, CoveredFile, PointKind, Threshold, format, overlay_from_json};
use asl_test::{Answer, Case, Suite, TestFile};
use common::*;
use serde_json::{Value, json};
use std::num::NonZeroUsize;

fn examples() -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples")
}

/// Returns the coverage of cases of a `MockConfigFile.json` of the examples.
fn of_example(definition: &str, input: &str, cases: &[&str]) -> Coverage {
    let folder = definition.split('/').next().unwrap();
    let names: Vec<String> = cases
        .iter()
        .map(|name| format!("{name}: {{expect: {{visits: {{}}}}}}"))
        .collect();
    let text = format!(
        "version: 1\ndefinition: {definition}\nmockConfigFile: {folder}/MockConfigFile.json\ninput: {input}\ncases: {{{}}}\n",
        names.join(", ")
    );
    let file = TestFile::parse(&text, &examples()).unwrap();
    let reports: Vec<_> = file
        .cases()
        .iter()
        .map(|case| case.clone().with_coverage().run())
        .collect();
    Coverage::from_reports(&reports)
}

/// Of each kind, what was reached, as `states 6/7`.
fn tallies(coverage: &Coverage) -> Vec<String> {
    let kinds = PointKind::ALL.iter();
    let told = kinds.map(|kind| format!("{} {}", kind.plural(), coverage.tally_of(*kind)));
    told.collect()
}

/// Returns the count of a point, selected by its pointer or by a suffix of it.
#[track_caller]
fn count(file: &CoveredFile, pointer: &str) -> u64 {
    let mut found = file
        .points
        .iter()
        .filter(|it| it.point.pointer.ends_with(pointer));
    found.next().unwrap_or_else(|| panic!("no {pointer}")).count
}

const CART: &str = "{customer: {name: Ada, member: true}, lines: [{sku: book, price: 30, quantity: 3}, {sku: lamp, price: 40, quantity: 1}]}";

/// By hand, of checkout.asl.yaml. States: ReadCart, WhichDiscount, Charge, ShipLines, Ship, Confirmed, Declined. "Next" of
/// ReadCart, Charge, ShipLines, "End" of Ship. WhichDiscount has one rule and Default; Charge one Retrier and one Catcher;
/// ShipLines one processor. 16 in all. `Paid` goes by the rule and ships two lines: not Declined, Default, Retrier, Catcher.
#[test]
fn the_checkout_agrees_with_a_count_by_hand() {
    let coverage = of_example("checkout/checkout.asl.yaml", CART, &["Paid"]);
    assert_eq!(
        tallies(&coverage),
        [
            "states 6/7",
            "transitions 4/4",
            "choices 1/2",
            "retriers 0/1",
            "catchers 0/1",
            "branches 1/1"
        ]
    );
    assert_eq!(
        (coverage.tally().to_string(), coverage.tally().percent()),
        ("12/16".to_owned(), 75.0)
    );
    let file = &coverage.files[0];
    assert_eq!(file.name, "examples/checkout/checkout.asl.yaml");
    assert_eq!(
        [
            count(file, "/Ship"),
            count(file, "/Ship/End"),
            count(file, "/ShipLines")
        ],
        [2, 2, 1]
    );
    let missing: Vec<String> = file
        .not_reached()
        .iter()
        .map(|it| format!("{}: {}", it.line().unwrap(), it.point))
        .collect();
    assert_eq!(
        missing,
        [
            "21: WhichDiscount, Default → Charge",
            "29: Charge, Retry[0]: Busy",
            "32: Charge, Catch[0]: CardDeclined → Declined",
            "69: Declined"
        ]
    );
    // The busy one adds the Retrier, the declined one the Catcher and its state.
    let coverage = of_example(
        "checkout/checkout.asl.yaml",
        CART,
        &["Paid", "BusyAtFirst", "Declined"],
    );
    assert_eq!(coverage.tally().to_string(), "15/16");
    let file = &coverage.files[0];
    assert_eq!(
        [
            count(file, "/ReadCart"),
            count(file, "/Charge"),
            count(file, "/Charge/Next")
        ],
        [3, 3, 2]
    );
    assert_eq!(
        [
            count(file, "/Charge/Retry/0"),
            count(file, "/Charge/Catch/0")
        ],
        [1, 1]
    );
    assert_eq!(file.ways.len(), 3);
}

/// By hand, of retry-loop.asl.json: 24 states; "Next" of all but 3 Choice, 2 Succeed and 1 Fail States, 18; rules and Defaults
/// 2 + 1, 2 + 1 and 1 + 1, 8. 50 in all. `FailsTwiceThenSucceeds` enters 17 states, leaves 13 of them by "Next", and goes by
/// "proceed" three times, by "FAILED" twice, by "SUCCEEDED" once and by "retryable" twice. `NotReadyTwice` adds the other
/// loop: WaitReadiness, its "Next", and "not_ready", twice each.
#[test]
fn the_retry_loop_agrees_with_a_count_by_hand() {
    let input = "{pipelineID: daily-orders, scheduleID: h06}";
    let coverage = of_example(
        "retry-loop/retry-loop.asl.json",
        input,
        &["FailsTwiceThenSucceeds"],
    );
    let none = ["retriers 0/0", "catchers 0/0", "branches 0/0"];
    assert_eq!(
        tallies(&coverage)[..3],
        ["states 17/24", "transitions 13/18", "choices 4/8"]
    );
    assert_eq!(tallies(&coverage)[3..], none);
    let file = &coverage.files[0];
    for (pointer, times) in [
        ("/AcquireLock", 3),
        ("/IsReady/Choices/0", 3),
        ("/IsReady/Choices/1", 0),
        ("/JobStatus/Choices/0", 1),
        ("/JobStatus/Choices/1", 2),
        ("/JobStatus/Default", 0),
        ("/IsRetryable/Choices/0", 2),
        ("/WaitRetryBackoff/Next", 2),
        ("/Completed", 1),
    ] {
        assert_eq!(count(file, pointer), times, "{pointer}");
    }
    let coverage = of_example(
        "retry-loop/retry-loop.asl.json",
        input,
        &["FailsTwiceThenSucceeds", "NotReadyTwice"],
    );
    assert_eq!(
        tallies(&coverage)[..3],
        ["states 18/24", "transitions 14/18", "choices 5/8"]
    );
    assert_eq!(count(&coverage.files[0], "/WaitReadiness"), 2);
}

/// A Parallel State that is retried, whose branches begin anew each time, and a Map with children.
fn branches(mode: &str) -> Value {
    let mut processor = json!({"StartAt": "Item", "States": {
        "Item": {"Type": "Task", "Resource": "item", "End": true, "Catch": [{"ErrorEquals": ["Bad"], "Next": "Set aside"}]},
        "Set aside": {"Type": "Pass", "End": true}}});
    processor["ProcessorConfig"] = match mode {
        "INLINE" => json!({"Mode": mode}),
        _ => json!({"Mode": mode, "ExecutionType": "STANDARD"}),
    };
    json!({"StartAt": "Both", "States": {
        "Both": {"Type": "Parallel", "Next": "Each",
            "Branches": [
                {"StartAt": "Left", "States": {"Left": {"Type": "Task", "Resource": "left", "End": true}}},
                {"StartAt": "Right", "States": {"Right": {"Type": "Pass", "Next": "Again"}, "Again": {"Type": "Pass", "End": true}}}],
            "ResultPath": "$.both",
            "Retry": [{"ErrorEquals": ["Busy"], "IntervalSeconds": 1}, {"ErrorEquals": ["States.ALL"], "MaxAttempts": 0}],
            "Catch": [{"ErrorEquals": ["Broken"], "Next": "Broken"}]},
        "Each": {"Type": "Map", "ItemsPath": "$.items", "ItemProcessor": processor, "End": true},
        "Broken": {"Type": "Fail"}}})
}

/// By hand. States: Both, Left, Right, Again, Each, Item, Set aside, Broken. "Next" or "End" of all but Broken. Two Retriers, two
/// Catchers (of Both, of Item), three branches (two of Both, the processor). 22 in all. The left branch is busy once, so that
/// both begin twice, and Both is entered once; of three items the second is bad: it is caught and set aside.
#[test]
fn branches_and_iterations_agree_with_a_count_by_hand() {
    for mode in ["INLINE", "DISTRIBUTED"] {
        let case = case(branches(mode))
            .input(json!({"items": [1, 2, 3]}))
            .mock("Left", [Answer::throws("Busy", ""), Answer::returns(1)])
            .mock(
                "Item",
                [
                    Answer::throws("Bad", "").for_item(1),
                    Answer::returns(1).times(2),
                ],
            );
        let report = case.with_coverage().run();
        assert!(report.has_passed(), "{mode}: {:?}", told(&report));
        let coverage = Coverage::from_reports(&[report]);
        assert_eq!(
            tallies(&coverage),
            [
                "states 7/8",
                "transitions 7/7",
                "choices 0/0",
                "retriers 1/2",
                "catchers 1/2",
                "branches 3/3"
            ],
            "{mode}"
        );
        let file = &coverage.files[0];
        for (pointer, times) in [
            ("/States/Both", 1),
            ("/States/Both/Next", 1),
            ("/States/Both/Branches/0", 2),
            ("/States/Both/Branches/1", 2),
            ("/States/Left", 2),
            ("/States/Left/End", 1),
            ("/States/Right", 2),
            ("/States/Both/Retry/0", 1),
            ("/States/Each/ItemProcessor", 3),
            ("/States/Item", 3),
            ("/States/Item/End", 2),
            ("/States/Item/Catch/0", 1),
            ("/States/Set aside", 1),
        ] {
            assert_eq!(count(file, pointer), times, "{mode} {pointer}");
        }
        assert_eq!(file.name, "StateMachine");
    }
}

/// Inspection and history agree: in every case of the examples, both count the same entries of each state.
#[test]
fn states_are_reached_as_often_as_they_are_entered() {
    let files = asl_test::find_test_files(&[examples()]).unwrap();
    let suite = Suite::read(&files).with_coverage();
    let report = suite.run(NonZeroUsize::MIN, false, |_| {});
    assert!(report.has_passed() && report.cases.len() > 30);
    for case in &report.cases {
        let visits = &case.run.as_ref().unwrap().visits;
        let covered = case.covered.first().unwrap();
        for (point, count) in covered
            .points()
            .filter(|(point, _)| point.kind == PointKind::State)
        {
            let entered = visits
                .iter()
                .filter(|visit| visit.state == point.state)
                .count();
            assert_eq!(count, entered as u64, "{}: {point}", case.name);
        }
    }
}

#[test]
fn nothing_is_counted_where_nobody_asks() {
    let case = case(charge(json!({}))).mock("Charge", [Answer::returns(1)]);
    assert!(case.run().covered.is_empty());
}

#[test]
fn files_and_nested_machines_are_told_apart_and_cases_merge() {
    let folder = Folder::new();
    let bill = json!({"StartAt": "Bill", "States": {"Bill": {"Type": "Task", "End": true, "Resource": "bill"}}});
    let child = charge(json!({"Retry": [{"ErrorEquals": ["Busy"], "IntervalSeconds": 1}]}));
    folder
        .write(".git/HEAD", "")
        .write("below/child.asl.json", &child.to_string())
        .write("below/m.asl.json", &bill.to_string().replace("\"bill\"", &format!("\"{FUNCTION}\"")))
        .write("below/m.test.yaml", "version: 1\nmocks: {Bill: {machine: child.asl.json}, Bill/Charge: {return: 1}}\ncases: {a: {}, b: {}}\n")
        .write("below/child.test.yaml", "version: 1\nmocks: {Charge: [{throw: Busy}, {return: 1}]}\ncases: {c: {}}\n");
    let files = asl_test::find_test_files(std::slice::from_ref(&folder.0)).unwrap();
    let suite = Suite::read(&files).with_coverage();
    let reports = |jobs| {
        suite
            .run(NonZeroUsize::new(jobs).unwrap(), false, |_| {})
            .cases
    };
    let coverage = Coverage::from_reports(&reports(1));
    let names: Vec<&str> = coverage.files.iter().map(|file| &*file.name).collect();
    assert_eq!(names, ["below/child.asl.json", "below/m.asl.json"]);
    let child = &coverage.files[0];
    assert_eq!([count(child, "/Charge"), count(child, "/Retry/0")], [3, 1]);
    let ways: Vec<(&str, &str)> = child
        .ways
        .iter()
        .map(|way| (&*way.case, way.file.as_deref().unwrap()))
        .collect();
    assert_eq!(
        ways,
        [
            ("c", "below/child.test.yaml"),
            ("a", "below/m.test.yaml"),
            ("b", "below/m.test.yaml")
        ]
    );
    assert_eq!(child.ways[0].path, ["Charge".into()]);
    let many = Coverage::from_reports(&reports(4));
    assert_eq!(format::json(&many), format::json(&coverage));
    assert_eq!(format::html(&many), format::html(&coverage));
}

#[test]
fn what_stands_for_a_task_that_is_never_called_counts_as_not_reached() {
    let folder = Folder::new();
    let machine = json!({"StartAt": "Any?", "States": {
        "Any?": {"Type": "Choice", "Choices": [{"Variable": "$.bill", "IsPresent": true, "Next": "Bill"}], "Default": "No"},
        "Bill": {"Type": "Task", "End": true, "Resource": FUNCTION}, "No": {"Type": "Succeed"}}});
    folder
        .write("child.asl.json", &charge(json!({})).to_string())
        .write("m.asl.json", &machine.to_string());
    let file = folder
        .tests("version: 1\nmocks: {Bill: {machine: child.asl.json}, Bill/Charge: {return: 1}}\ncases: {none: {input: {}}}\n")
        .unwrap();
    let cases = file.cases().iter().cloned();
    let reports: Vec<_> = cases.map(|case| case.with_coverage().run()).collect();
    let coverage = Coverage::from_reports(&reports);
    let told: Vec<_> = coverage
        .files
        .iter()
        .map(|file| (file.tally().to_string(), file.ways.len()))
        .collect();
    assert_eq!(told, [("0/2".to_owned(), 0), ("3/6".to_owned(), 1)]);
    assert!(format::html(&coverage).contains("child.asl.json"));
}

#[test]
fn a_case_that_cannot_begin_reaches_nothing_of_its_definition() {
    let case = case(charge(json!({}))).start_at("Nowhere").with_coverage();
    let coverage = Coverage::from_reports(&[case.run()]);
    assert_eq!(coverage.tally().to_string(), "0/2");
}

#[test]
fn other_substitutions_of_one_file_are_one_file() {
    let folder = Folder::new();
    let machine = json!({"StartAt": "A", "States": {"A": {"Type": "Pass", "Result": "${Name}", "End": true}}});
    folder.write("m.asl.json", &machine.to_string());
    let file = folder
        .tests(
            "version: 1\ncases: {a: {substitutions: {Name: 1}}, b: {substitutions: {Name: 2}}}\n",
        )
        .unwrap();
    let reports: Vec<_> = file
        .cases()
        .iter()
        .map(|case| case.clone().with_coverage().run())
        .collect();
    let coverage = Coverage::from_reports(&reports);
    assert_eq!((coverage.files.len(), coverage.tally().all), (1, 2));
    assert_eq!(count(&coverage.files[0], "/A"), 2);
}

#[test]
fn thresholds_are_of_everything_or_of_a_kind() {
    let coverage = of_example("checkout/checkout.asl.yaml", CART, &["Paid"]);
    let missed = |text: &str| {
        let thresholds: Vec<Threshold> = text.split(' ').map(|it| it.parse().unwrap()).collect();
        coverage
            .missed(&thresholds)
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
    };
    assert_eq!(missed("75 states=85 transitions=100"), [""; 0]);
    assert_eq!(
        missed("75.1 states=86"),
        [
            "expected a coverage of 75.1 %, found 75 % (12/16)",
            "expected a coverage of 86 % of states, found 85.7 % (6/7)"
        ]
    );
}

/// Returns a machine whose names look like markup, of which a part is reached.
fn markup() -> Coverage {
    let machine = json!({"StartAt": "<b>&\"'", "States": {
        "<b>&\"'": {"Type": "Choice", "Default": "</script>", "Choices": [{"Variable": "$.n", "IsPresent": true, "Next": "Fine"}]},
        "Fine": {"Type": "Succeed"}, "</script>": {"Type": "Fail"}}});
    let case = Case::new("<i>case</i>", &definition(machine)).input(json!({"n": 1}));
    Coverage::from_reports(&[case.with_coverage().run()])
}

#[test]
fn the_page_holds_everything_and_nothing_of_it_is_markup() {
    let page = format::html(&markup());
    for part in [
        "&lt;b&gt;&amp;&quot;&#39;",
        "&lt;i&gt;case&lt;/i&gt;",
        "<strong>60 %</strong> of 5 items covered by 1 test<",
        "data-points=\"0",
        "<svg xmlns=",
        "type=\"radio\"",
        "prefers-color-scheme: dark",
    ] {
        assert!(page.contains(part), "no {part}");
    }
    for part in ["<b>", "<i>", "http://", "https://", "src="] {
        let page = page
            .replace("http://www.w3.org/2000/svg", "")
            .replace("src 'unsafe", "");
        assert!(!page.contains(part), "{part}");
    }
    assert_eq!(page.matches("</script>").count(), 2, "data and the script");
}

#[test]
fn a_tracefile_has_states_as_functions_and_the_rest_as_branches() {
    let text = format::lcov(&markup());
    // All of it is on one line; what was never entered has no count.
    assert_eq!(
        text,
        "TN:\nSF:StateMachine\nFN:1,<b>&\"'\nFN:1,Fine\nFN:1,</script>\nFNDA:1,<b>&\"'\nFNDA:1,Fine\nFNDA:0,</script>\n\
         FNF:3\nFNH:2\nBRDA:1,0,0,1\nBRDA:1,0,1,0\nBRF:2\nBRH:1\nDA:1,1\nLF:1\nLH:1\nend_of_record\n"
    );
    let text = format::lcov(&of_example("checkout/checkout.asl.yaml", CART, &["Paid"]));
    for line in [
        "SF:examples/checkout/checkout.asl.yaml",
        "FN:22,Charge",
        "FNDA:2,Ship",
        "DA:21,0",
        "DA:47,2",
        "BRDA:29,2,1,0",
    ] {
        assert!(text.lines().any(|it| it == line), "no {line} in\n{text}");
    }
    // Declined was never entered, and neither the lines of the Catcher.
    assert!(
        text.contains("DA:35,0\nDA:36,1\n") && text.contains("DA:69,0\n"),
        "{text}"
    );
    assert!(!text.contains("DA:4,"), "{text}");
}

#[test]
fn the_table_is_for_people() {
    let text = format::text(&of_example(
        "checkout/checkout.asl.yaml",
        CART,
        &["Paid", "Declined"],
    ));
    let expected = "                                     reached          states  transitions  choices  retriers  catchers  branches
examples/checkout/checkout.asl.yaml    14/16  87.5 %     7/7          4/4      1/2       0/1       1/1       1/1

not reached:
  examples/checkout/checkout.asl.yaml:21: WhichDiscount, Default → Charge
  examples/checkout/checkout.asl.yaml:29: Charge, Retry[0]: Busy
";
    assert_eq!(text, expected);
}

#[test]
fn the_graph_shows_what_was_reached() {
    let coverage = of_example("checkout/checkout.asl.yaml", CART, &["Paid"]);
    let file = &coverage.files[0];
    let overlay = file.overlay();
    let told = asl_graph::mermaid(file.definition.machine(), Some(&overlay));
    for part in [
        "ReadCart (1×)",
        "Ship (2×)",
        ":::partly",
        ":::passed",
        ":::unseen",
        "Declined (0×)",
    ] {
        assert!(told.contains(part), "no {part} in\n{told}");
    }
    let json = format::json(&coverage);
    assert_eq!(
        overlay_from_json(&json, "examples/checkout/checkout.asl.yaml"),
        Ok(overlay.clone())
    );
    assert_eq!(
        overlay_from_json(&json, "../checkout/checkout.asl.yaml"),
        Ok(overlay)
    );
    let error = overlay_from_json(&json, "out/checkout.asl.json").unwrap_err();
    assert_eq!(
        error,
        "the report covers examples/checkout/checkout.asl.yaml, not out/checkout.asl.json"
    );
    assert!(
        overlay_from_json(&json!({}), "a")
            .unwrap_err()
            .contains("--coverage json")
    );
}
