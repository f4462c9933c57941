//! Expressions that fail, and values that fields do not accept (2024 specification, JSONata Runtime Errors).
use crate::case::{Case, Run, fail, ok, on_large_stack};
use crate::jsonata::{passing, state, task, with};
use serde_json::{Value, json};

const ERROR: &str = "States.QueryEvaluationError";

/// Returns the cause after the place, and the location that the EvaluationFailed event names.
fn detail(run: &Run) -> (String, String) {
    let failed = run
        .events
        .iter()
        .find(|event| event.event_type() == "EvaluationFailed")
        .unwrap_or_else(|| panic!("no evaluation failed: {:?}", run.outcome))
        .to_json();
    let details = &failed["evaluationFailedEventDetails"];
    assert_eq!(details["error"], ERROR);
    let text = |name: &str| details[name].as_str().unwrap_or_default().to_owned();
    let cause = text("cause");
    let place = format!(
        "An error occurred while executing the state '{}' (entered at the event id #",
        text("state")
    );
    assert!(cause.starts_with(&place), "{cause}");
    let detail = cause.split_once("). ").map(|(_, detail)| detail.to_owned());
    (detail.unwrap_or_default(), text("location"))
}

/// Holds a state to what it says of its field `location`.
fn fails(case: Case, location: &str, says: &str) {
    let run = case.run().fails_with(ERROR);
    assert_eq!(detail(&run), (says.to_owned(), location.to_owned()));
}

/// Holds a state to failing since its field `location` is undefined.
fn is_undefined(case: Case, location: &str) {
    let says = format!(
        "The JSONata expression '$nothing' specified for the field '{location}' returned nothing (undefined)."
    );
    fails(case, location, &says);
}

const NOTHING: &str = "{% $nothing %}";

/// Returns a state that would give the variable a value, so that a definition may name it.
fn later(case: Case) -> Case {
    case.state(
        "Later",
        json!({"Type": "Pass", "Assign": {"nothing": 1}, "End": true}),
    )
}

fn undefined_in(fields: Value) -> Case {
    later(state(with(fields, json!({"Next": "Later"}))))
}

#[test]
fn what_is_undefined_has_no_json() {
    let pass = |fields: Value| undefined_in(with(json!({"Type": "Pass"}), fields));
    is_undefined(pass(json!({"Output": NOTHING})), "Output");
    is_undefined(pass(json!({"Output": {"a": {"b": NOTHING}}})), "Output/a/b");
    is_undefined(pass(json!({"Output": {"a": [1, NOTHING]}})), "Output/a[1]");
    is_undefined(
        pass(json!({"Output": [[{"a": NOTHING}]]})),
        "Output[0][0]/a",
    );
    is_undefined(pass(json!({"Assign": {"x": NOTHING}})), "Assign/x");
    is_undefined(pass(json!({"Assign": {"x": {"y": NOTHING}}})), "Assign/x/y");
}

#[test]
fn every_field_is_named_by_where_it_is() {
    let of_task = |fields: Value| {
        let resource = json!({"Type": "Task", "Resource": "arn:aws:states:::sns:publish"});
        undefined_in(with(resource, fields))
    };
    is_undefined(of_task(json!({"Arguments": {"a": NOTHING}})), "Arguments/a");
    is_undefined(
        of_task(json!({"Credentials": {"RoleArn": NOTHING}})),
        "Credentials/RoleArn",
    );
    is_undefined(
        of_task(json!({"TimeoutSeconds": NOTHING})),
        "TimeoutSeconds",
    );
    is_undefined(
        of_task(json!({"HeartbeatSeconds": NOTHING})),
        "HeartbeatSeconds",
    );
    is_undefined(
        undefined_in(json!({"Type": "Wait", "Seconds": NOTHING})),
        "Seconds",
    );
    is_undefined(
        undefined_in(json!({"Type": "Wait", "Timestamp": NOTHING})),
        "Timestamp",
    );
    is_undefined(
        undefined_in(json!({"Type": "Parallel", "Branches": [passing()], "Arguments": [NOTHING]})),
        "Arguments[0]",
    );
    let of_map = |fields: Value| {
        undefined_in(with(
            json!({"Type": "Map", "ItemProcessor": passing()}),
            fields,
        ))
        .input(json!([1]))
    };
    is_undefined(of_map(json!({"Items": NOTHING})), "Items");
    is_undefined(of_map(json!({"Items": [1, NOTHING]})), "Items[1]");
    is_undefined(
        of_map(json!({"ItemSelector": {"a": NOTHING}})),
        "ItemSelector/a",
    );
    is_undefined(of_map(json!({"MaxConcurrency": NOTHING})), "MaxConcurrency");
    is_undefined(
        of_map(json!({"ToleratedFailurePercentage": NOTHING})),
        "ToleratedFailurePercentage",
    );
}

#[test]
fn the_fields_of_a_map_run_are_named_by_where_they_are() {
    let of_map = |fields: Value| {
        let config =
            json!({"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"}});
        let processor = with(passing(), config);
        undefined_in(with(
            json!({"Type": "Map", "ItemProcessor": processor}),
            fields,
        ))
        .input(json!([1]))
    };
    let reader = |fields: Value| {
        let reader = json!({"Resource": "arn:aws:states:::s3:getObject", "ReaderConfig": {"InputType": "JSON"},
            "Arguments": {"Bucket": "b", "Key": "k"}});
        json!({"ItemReader": with(reader, fields)})
    };
    is_undefined(
        of_map(reader(
            json!({"Arguments": {"Bucket": NOTHING, "Key": "k"}}),
        )),
        "ItemReader/Arguments/Bucket",
    );
    is_undefined(
        of_map(reader(
            json!({"ReaderConfig": {"InputType": "JSON", "MaxItems": NOTHING}}),
        )),
        "ItemReader/ReaderConfig/MaxItems",
    );
    is_undefined(
        of_map(json!({"ItemBatcher": {"MaxItemsPerBatch": NOTHING}})),
        "ItemBatcher/MaxItemsPerBatch",
    );
    let batcher = json!({"MaxItemsPerBatch": 1, "BatchInput": {"b": NOTHING}});
    is_undefined(
        of_map(json!({"ItemBatcher": batcher})),
        "ItemBatcher/BatchInput/b",
    );
    let writer = json!({"Resource": "arn:aws:states:::s3:putObject", "Arguments": {"Bucket": NOTHING, "Prefix": "p"}});
    is_undefined(
        of_map(json!({"ResultWriter": writer})),
        "ResultWriter/Arguments/Bucket",
    );
}

#[test]
fn a_rule_and_a_catcher_are_named_by_their_number() {
    let rules = |second: Value| {
        let second = with(json!({"Condition": true, "Next": "Later"}), second);
        later(state(
            json!({"Type": "Choice", "Choices": [{"Condition": false, "Next": "Later"}, second]}),
        ))
    };
    is_undefined(rules(json!({"Condition": NOTHING})), "Choices[1]/Condition");
    is_undefined(
        rules(json!({"Output": {"v": NOTHING}})),
        "Choices[1]/Output/v",
    );
    is_undefined(
        rules(json!({"Assign": {"x": NOTHING}})),
        "Choices[1]/Assign/x",
    );
    let catcher = |fields: Value| {
        let catcher = with(
            json!({"ErrorEquals": ["States.ALL"], "Next": "Later"}),
            fields,
        );
        later(task(
            json!({"Catch": [{"ErrorEquals": ["Other"], "Next": "Later"}, catcher]}),
        ))
        .task("State", fail("E", ""))
    };
    is_undefined(
        catcher(json!({"Output": {"v": NOTHING}})),
        "Catch[1]/Output/v",
    );
    is_undefined(
        catcher(json!({"Assign": {"x": NOTHING}})),
        "Catch[1]/Assign/x",
    );
}

#[test]
fn a_fail_state_whose_expressions_fail_fails_otherwise() {
    is_undefined(later_fail(json!({"Error": NOTHING})), "Error");
    is_undefined(later_fail(json!({"Error": "E", "Cause": NOTHING})), "Cause");
}

fn later_fail(fields: Value) -> Case {
    let choice = json!({"Type": "Choice", "Choices": [{"Condition": false, "Next": "Later"}], "Default": "Fail"});
    let fail = with(json!({"Type": "Fail", "QueryLanguage": "JSONata"}), fields);
    later(state(choice)).state("Fail", fail)
}

/// Holds a field to the type of its value.
fn has_wrong_type(case: Case, field: &str, expression: &str, expected: &str, found: &str) {
    let says = format!(
        "The JSONata expression '{expression}' specified for the field '{field}' returned an unexpected result type. Expected '{expected}', but was {found}"
    );
    fails(case, field, &says);
}

#[test]
fn a_field_accepts_one_type() {
    let choice =
        json!({"Type": "Choice", "Choices": [{"Condition": "{% 'yes' %}", "Next": "Later"}]});
    has_wrong_type(
        later(state(choice)),
        "Choices[0]/Condition",
        "'yes'",
        "boolean",
        "'string' for value: \"yes\"",
    );
    let map = |fields: Value| {
        state(with(
            json!({"Type": "Map", "ItemProcessor": passing()}),
            fields,
        ))
        .input(json!([]))
    };
    let items = map(json!({"Items": "{% {'a': 1} %}"}));
    has_wrong_type(
        items,
        "Items",
        "{'a': 1}",
        "array",
        "'object' for value: {\"a\":1}",
    );
    let concurrency = map(json!({"MaxConcurrency": "{% true %}"}));
    has_wrong_type(
        concurrency,
        "MaxConcurrency",
        "true",
        "number",
        "'boolean' for value: true",
    );
    let seconds = state(json!({"Type": "Wait", "Seconds": "{% null %}"}));
    has_wrong_type(
        seconds,
        "Seconds",
        "null",
        "number",
        "'null' for value: null",
    );
    let timestamp = state(json!({"Type": "Wait", "Timestamp": "{% [1] %}"}));
    has_wrong_type(
        timestamp,
        "Timestamp",
        "[1]",
        "string",
        "'array' for value: [1]",
    );
    let cause = state(json!({"Type": "Fail", "Cause": "{% 1 %}"}));
    has_wrong_type(cause, "Cause", "1", "string", "'number' for value: 1");
}

#[test]
fn a_field_accepts_some_values() {
    let wait = |field: &str, value: Value| {
        state(json!({"Type": "Wait", field: "{% $states.input %}"})).input(value)
    };
    fails(
        wait("Seconds", json!(-1)),
        "Seconds",
        "The Seconds field references a negative value: -1",
    );
    fails(
        wait("Seconds", json!(1.5)),
        "Seconds",
        "The Seconds field cannot be parsed as a long value: 1.5",
    );
    fails(
        wait("Timestamp", json!("2016-13-05T21:29:29Z")),
        "Timestamp",
        "The Timestamp field cannot be parsed as an ISO-8601 extended offset date-time format string: 2016-13-05T21:29:29Z",
    );
    let of_task =
        |field: &str, value: Value| task(json!({field: "{% $states.input %}"})).input(value);
    fails(
        of_task("TimeoutSeconds", json!(0)),
        "TimeoutSeconds",
        "TimeoutSeconds must be a positive integer, but was 0.",
    );
    // Recorded from the service.
    for seconds in [json!(-1), json!(100_000_000)] {
        for field in ["TimeoutSeconds", "HeartbeatSeconds"] {
            let says = format!("{field} must be between 0 and 99999999 but was: {seconds}");
            fails(of_task(field, seconds.clone()), field, &says);
        }
    }
    fails(
        of_task("TimeoutSeconds", json!(1.5)),
        "TimeoutSeconds",
        "The TimeoutSeconds field cannot be parsed as an integer: 1.5",
    );
    let map = |field: &str, value: Value| {
        let fields = json!({"Type": "Map", "ItemProcessor": passing(), "Items": [], field: "{% $states.input %}"});
        state(fields).input(value)
    };
    fails(
        map("MaxConcurrency", json!(-1)),
        "MaxConcurrency",
        "MaxConcurrency cannot be negative.",
    );
    let percentage = "ToleratedFailurePercentage";
    fails(
        map(percentage, json!(100.5)),
        percentage,
        "ToleratedFailurePercentage must be between 0 and 100.",
    );
}

#[test]
fn a_heartbeat_must_be_shorter_than_the_timeout() {
    let case = task(json!({"TimeoutSeconds": 5, "HeartbeatSeconds": "{% $states.input %}"}))
        .input(json!(5));
    let says = "HeartbeatSeconds must be smaller than TimeoutSeconds, but 5 is not smaller than 5.";
    fails(case, "HeartbeatSeconds", says);
}

#[test]
fn an_expression_that_fails_says_how() {
    let run = state(json!({"Type": "Pass", "Output": {"r": "{% $states.input.a + 1 %}"}}))
        .input(json!({"a": "x"}))
        .run()
        .fails_with(ERROR);
    let (says, location) = detail(&run);
    let begin = "The JSONata expression '$states.input.a + 1' specified for the field 'Output/r' threw an error during evaluation. T2001: ";
    assert!(says.starts_with(begin), "{says}");
    assert_eq!(location, "Output/r");
}

#[test]
fn the_error_is_retried_and_caught_like_any_other() {
    let arguments = json!({"Arguments": "{% $states.context.State.RetryCount = 0 ? $error('not yet') : 1 %}",
        "Retry": [{"ErrorEquals": [ERROR]}]});
    let run = task(arguments)
        .task("State", ok(json!(2)))
        .run()
        .succeeds(json!(2));
    assert_eq!(run.payloads("State"), [json!(1)]);
    for name in [ERROR, "States.TaskFailed", "States.ALL"] {
        let catch = json!([{"ErrorEquals": [name], "Next": "Caught", "Output": "{% $states.errorOutput.Error %}"}]);
        task(json!({"Output": "{% $error('no') %}", "Catch": catch}))
            .caught_by("Caught")
            .task("State", ok(json!(2)))
            .run()
            .succeeds(json!(ERROR));
    }
}

#[test]
fn a_map_and_a_parallel_state_catch_it_too() {
    let catch = json!([{"ErrorEquals": [ERROR], "Next": "Caught"}]);
    let failing = json!({"StartAt": "Item", "States": {
        "Item": {"Type": "Pass", "QueryLanguage": "JSONata", "Output": "{% $error('no') %}", "End": true}}});
    for fields in [
        json!({"Type": "Map", "Items": [1], "ItemProcessor": failing}),
        json!({"Type": "Parallel", "Branches": [failing]}),
        json!({"Type": "Parallel", "Branches": [passing()], "Arguments": "{% $error('no') %}"}),
        json!({"Type": "Map", "Items": "{% 1 %}", "ItemProcessor": passing()}),
        json!({"Type": "Map", "Items": [1], "ItemSelector": "{% $error('no') %}", "ItemProcessor": passing()}),
    ] {
        let run = state(with(fields, json!({"Catch": catch})))
            .caught_by("Caught")
            .run();
        assert!(
            matches!(run.outcome, Some(asl_engine::Outcome::Succeeded(_))),
            "{:?}",
            run.outcome
        );
    }
}

#[test]
fn a_catcher_that_fails_is_not_caught_again() {
    let catch =
        json!([{"ErrorEquals": ["States.ALL"], "Next": "Caught", "Output": "{% $error('no') %}"}]);
    task(json!({"Catch": catch}))
        .caught_by("Caught")
        .task("State", fail("E", ""))
        .run()
        .fails_with(ERROR);
}

/// Recorded: what fails before anything else happened in the state links to what was before the state.
#[test]
fn evaluation_failed_links_to_what_was_before() {
    let run = Case::of_state(json!({"Type": "Pass", "Next": "Fails"}))
        .state("Fails", json!({"Type": "Pass", "QueryLanguage": "JSONata", "Output": "{% $error('no') %}", "End": true}))
        .run();
    let expected = [
        "4 <- 3 PassStateEntered",
        "5 <- 3 EvaluationFailed",
        "6 <- 5 ExecutionFailed",
    ];
    assert_eq!(run.history()[3..], expected);
    let run = state(json!({"Type": "Wait", "Timestamp": "{% 'never' %}"})).run();
    let expected = [
        "2 <- 0 WaitStateEntered",
        "3 <- 2 EvaluationFailed",
        "4 <- 3 ExecutionFailed",
    ];
    assert_eq!(run.history()[1..], expected);
    let run = task(json!({"Output": "{% $error('no') %}"}))
        .task("State", ok(json!(1)))
        .run();
    let expected = [
        "5 <- 4 TaskSucceeded",
        "6 <- 5 EvaluationFailed",
        "7 <- 6 ExecutionFailed",
    ];
    assert_eq!(run.history()[4..], expected);
}

#[test]
fn a_container_whose_own_fields_fail_has_a_failed_event() {
    let run = state(
        json!({"Type": "Parallel", "Branches": [passing()], "Arguments": "{% $error('no') %}"}),
    )
    .run();
    let expected = [
        "2 <- 0 ParallelStateEntered",
        "3 <- 0 EvaluationFailed",
        "4 <- 3 ParallelStateFailed",
        "5 <- 4 ExecutionFailed",
    ];
    assert_eq!(run.history()[1..], expected);
}

/// Recorded from the service.
#[test]
fn a_map_that_has_no_items_fails() {
    let map = |fields: Value| {
        let mut map = json!({"Type": "Map", "ItemProcessor": passing()});
        for (name, value) in fields.as_object().expect("fields") {
            map[name] = value.clone();
        }
        state(map).input(json!(true)).run().fails_with(ERROR)
    };
    let expected = [
        "2 <- 0 MapStateEntered",
        "3 <- 0 EvaluationFailed",
        "4 <- 3 MapStateFailed",
        "5 <- 4 ExecutionFailed",
    ];
    let run = map(json!({}));
    assert_eq!(run.history()[1..], expected);
    let says = "Map state input must be an array but was: true";
    assert_eq!(detail(&run), (says.to_owned(), String::new()));
    let run = map(json!({"Items": "{% $f := function($x){$x} %}"}));
    assert_eq!(run.history()[1..], expected);
    let (says, location) = detail(&run);
    assert!(
        says.ends_with("returned an unsupported result type."),
        "{says}"
    );
    assert_eq!(location, "Items");
}

#[test]
fn expressions_are_bounded_in_the_words_of_the_service() {
    type Change = fn(&mut asl_engine::Limits);
    let cases: [(&str, Change, &str); 3] = [
        (
            "$sum([1..100000])",
            |limits| limits.max_expression_steps = 1_000,
            "Expression evaluation timeout: Check for infinite loop",
        ),
        (
            "$sum([1..100000])",
            |limits| limits.max_expression_memory = 1_000,
            "Expression evaluation memory limit exceeded: Check for excessive memory usage",
        ),
        (
            "($f := function($n) { $n = 0 ? 0 : 1 + $f($n - 1) }; $f(900))",
            |limits| limits.max_expression_depth = 100,
            "Stack overflow error: Check for non-terminating recursive function. Consider rewriting as tail-recursive.",
        ),
    ];
    for (expression, change, says) in cases {
        let output = format!("{{% {expression} %}}");
        let case = state(json!({"Type": "Pass", "Output": output})).limits(change);
        let says = format!(
            "The JSONata expression '{expression}' specified for the field 'Output' threw an error during evaluation: {says}"
        );
        fails(case, "Output", &says);
    }
}

#[test]
fn what_an_expression_makes_is_limited_as_any_output() {
    let output = json!({"Type": "Pass", "Output": "{% $join([1..100000].($string($))) %}"});
    state(output).run().fails_with("States.DataLimitExceeded");
}

#[test]
fn a_function_is_no_json() {
    for expression in ["{% $sum %}", "{% function($x) { $x } %}"] {
        state(json!({"Type": "Pass", "Output": {"f": expression}}))
            .run()
            .fails_with(ERROR);
    }
}

#[test]
fn what_an_expression_makes_may_not_be_too_deep() {
    on_large_stack(|| {
        for (levels, status) in [(900, "SUCCEEDED"), (1_100, "FAILED"), (100_000, "FAILED")] {
            let wrap = "function($deep, $n) { {'a': $deep} }";
            let output = format!("{{% $reduce([1..{levels}], {wrap}, 0) %}}");
            let run = state(json!({"Type": "Pass", "Output": output})).run();
            assert_eq!(
                run.outcome.map(|outcome| outcome.status()),
                Some(status),
                "{levels}"
            );
        }
    });
}
