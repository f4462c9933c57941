//! Expectations, and the messages of their violations.
mod common;

use asl_test::{Answer, Bounds, Case, Expectations, ExpectedCalls, Predicate};
use common::*;
use serde_json::{Map, Value, json};

/// Charge, then ship what was paid, an hour later.
fn order() -> Case {
    case(json!({"StartAt": "Charge", "QueryLanguage": "JSONata", "States": {
        "Charge": {"Type": "Task", "Resource": FUNCTION, "Arguments": "{% $states.input.amount %}",
            "Assign": {"paid": "{% $states.result.paid %}", "note": null},
            "Catch": [{"ErrorEquals": ["Refused"], "Next": "Refused"}], "Next": "Wait"},
        "Wait": {"Type": "Wait", "Seconds": 3600, "Next": "Pack"},
        "Pack": {"Type": "Pass", "Output": {"shipped": true, "paid": "{% $paid %}", "note": null}, "End": true},
        "Refused": {"Type": "Fail", "Error": "OrderRefused", "Cause": "the card has expired"}}}))
    .input(json!({"amount": 21}))
    .mock("Charge", [Answer::returns(json!({"paid": 21}))])
}

fn refused() -> Case {
    order().mock("Charge", [Answer::throws("Refused", "expired")])
}

fn found(case: &Case, expected: Expectations) -> Vec<String> {
    told(&case.clone().expect(expected).run())
}

fn none() -> Expectations {
    Expectations::default()
}

fn names(names: &[&str]) -> Option<Vec<String>> {
    Some(names.iter().map(|name| (*name).to_owned()).collect())
}

#[test]
fn an_execution_is_to_succeed_unless_a_failure_is_expected() {
    assert_eq!(found(&order(), none()), [""; 0]);
    let failed = "status: expected SUCCEEDED, found FAILED: the execution failed: OrderRefused: the card has expired (in state `Refused`)";
    let machine = order().definition().clone();
    let refused = Case::new("refused", &machine)
        .input(json!({"amount": 21}))
        .mock("Charge", [Answer::throws("Refused", "expired")]);
    assert_eq!(found(&refused, none()), [failed]);
    let error = Some(Some("OrderRefused".to_owned()));
    assert_eq!(found(&refused, none().with_error(error.clone())), [""; 0]);
    let unexpected = found(&order(), none().with_error(error));
    assert_eq!(
        unexpected,
        [
            "status: expected a failure, found SUCCEEDED",
            "error: expected \"OrderRefused\", found none"
        ]
    );
    let aborted = none().with_status("ABORTED".to_owned());
    assert!(found(&refused, aborted)[0].starts_with("status: expected ABORTED, found FAILED: "));
    let cause = |text: &str| none().with_cause_contains(text.to_owned());
    assert_eq!(found(&refused, cause("expired")), [""; 0]);
    assert_eq!(
        found(&refused, cause("stolen")),
        [
            "causeContains: expected a cause that contains \"stolen\", found \"the card has expired\" (in state `Refused`)"
        ]
    );
}

#[test]
fn a_later_mock_of_a_state_takes_the_place_of_an_earlier_one() {
    assert_eq!(refused().run().run.unwrap().outcome.status(), "FAILED");
}

#[test]
fn outputs_are_compared_whole_in_part_and_by_predicates() {
    let whole = json!({"note": null, "paid": 21, "shipped": true});
    let output = |output| none().with_output(output);
    assert_eq!(found(&order(), output(whole)), [""; 0]);
    assert_eq!(
        found(
            &order(),
            output(json!({"paid": 21, "shipped": false, "note": null}))
        ),
        ["output: at /shipped expected false, found true (in state `Pack`)"]
    );
    assert_eq!(
        found(&order(), output(json!({"paid": 21, "shipped": true}))),
        ["output: at /note expected nothing, found null (in state `Pack`)"]
    );
    let part = |part| none().with_output_contains(part);
    assert_eq!(found(&order(), part(json!({"note": null}))), [""; 0]);
    assert_eq!(
        found(&order(), part(json!({"reason": null}))),
        ["outputContains: at /reason expected null, found nothing (in state `Pack`)"]
    );
    let holds = |text: &str| none().with_output_where(vec![Predicate::parse(text).unwrap()]);
    assert_eq!(
        found(&order(), holds("{% paid > 20 and shipped %}")),
        [""; 0]
    );
    assert!(
        found(&order(), holds("{% paid > 21 %}"))[0]
            .starts_with("outputWhere: {% paid > 21 %} is not true for {")
    );
}

#[test]
fn the_state_that_made_a_part_of_the_output_is_named() {
    let machine = json!({"StartAt": "A", "States": {
        "A": {"Type": "Pass", "Result": 1, "ResultPath": "$.a", "Next": "B"},
        "B": {"Type": "Pass", "Result": 2, "ResultPath": "$.b", "Next": "C"},
        "C": {"Type": "Pass", "Result": 3, "ResultPath": "$.c", "End": true}}});
    for (name, state) in [("a", "A"), ("b", "B"), ("c", "C")] {
        let wrong = none().with_output_contains(json!({name: 7}));
        let report = case(machine.clone()).expect(wrong).run();
        assert_eq!(report.differences[0].state.as_deref(), Some(state));
    }
}

#[test]
fn paths_and_counts_of_states() {
    let path = |states| none().with_path(names(states));
    assert_eq!(found(&order(), path(&["Charge", "Wait", "Pack"])), [""; 0]);
    assert_eq!(
        found(&order(), path(&["Charge", "Pack"])),
        ["path: expected Charge → Pack, found Charge → Wait → Pack"]
    );
    let each = case(each("INLINE"))
        .input(json!({"items": [1, 2]}))
        .mock("Charge", [Answer::returns(1)]);
    assert_eq!(
        found(&each, path(&["Each"])),
        [""; 0],
        "what is within others is not of the path"
    );
    let contains = |states| none().with_path_contains(names(states));
    assert_eq!(
        found(&each, contains(&["Each", "Each/Charge", "Charge"])),
        [""; 0]
    );
    assert_eq!(
        found(&each, contains(&["Charge", "Each"])),
        [
            "pathContains: expected Charge … Each, but found no `Each` there in Each → Charge → Charge"
        ]
    );
    let visits = |count: Bounds| none().with_visits(vec![("Charge".to_owned(), count)]);
    assert_eq!(found(&each, visits(2.into())), [""; 0]);
    assert_eq!(
        found(&each, visits(1.into())),
        ["visits: expected `Charge` to be entered once, found 2 times"]
    );
}

#[test]
fn calls_their_count_and_their_payloads() {
    let expecting = |calls: ExpectedCalls| none().with_calls(vec![calls]);
    let of = |target: &str| ExpectedCalls::new(target);
    let times = |count| expecting(of("Charge").with_times(Bounds::from(count)));
    assert_eq!(found(&order(), times(1)), [""; 0]);
    assert_eq!(
        found(&order(), times(2)),
        ["calls: expected `Charge` to be called 2 times, found once"]
    );
    let with = |payloads: Vec<Value>| expecting(of("charge").with_payloads(payloads));
    assert_eq!(found(&order(), with(vec![json!(21)])), [""; 0]);
    assert_eq!(
        found(&order(), with(vec![json!(21), json!(22)])),
        ["calls: of `charge`: at /1 expected 22, found nothing (in state `Charge`)"]
    );
    let some = |part| expecting(of("Charge").with_some(vec![part]));
    assert_eq!(found(&order(), some(json!(21))), [""; 0]);
    assert_eq!(
        found(&order(), some(json!({"n": 1}))),
        ["calls: no call of `Charge` has {\"n\":1} in its payload; it was called once"]
    );
}

#[test]
fn time_and_variables() {
    let duration = |bounds: Bounds| none().with_duration(bounds);
    assert_eq!(found(&order(), duration(3600.0.into())), [""; 0]);
    assert_eq!(
        found(&order(), duration(Bounds::new(0.0, 60.0))),
        ["duration: expected at most 60 seconds, found 3600"]
    );
    let variables =
        |name: &str, value| none().with_variables(Map::from_iter([(name.to_owned(), value)]));
    assert_eq!(found(&order(), variables("paid", json!(21))), [""; 0]);
    assert_eq!(found(&order(), variables("note", Value::Null)), [""; 0]);
    assert_eq!(
        found(&order(), variables("other", Value::Null)),
        ["variables: of `other`: expected null, found nothing"]
    );
}

#[test]
fn a_case_may_begin_anywhere_with_variables_and_a_context_of_its_own() {
    let given = Map::from_iter([("paid".to_owned(), json!(5))]);
    let run = passes(&order().start_at("Pack").variables(given.clone()));
    assert_eq!(run.outcome.output().unwrap()["paid"], 5);
    assert_eq!(run.variables, given);
    assert!(
        told(&order().start_at("Nowhere").run())[0]
            .starts_with("run: startAt names the state `Nowhere`")
    );
    let context = json!({"Execution": {"Name": "order-7"}});
    let machine = json!({"StartAt": "A", "States": {"A": {"Type": "Pass", "End": true, "Parameters": {
        "name.$": "$$.Execution.Name", "id.$": "States.UUID()", "time.$": "$$.Execution.StartTime"}}}});
    let one = |seed| {
        passes(
            &case(machine.clone())
                .context(context.as_object().unwrap().clone())
                .seed(seed),
        )
    };
    let output = |seed| Value::clone(one(seed).outcome.output().unwrap());
    assert_eq!(output(1)["name"], "order-7");
    assert_eq!(output(1)["time"], "2024-01-01T00:00:00.000Z");
    assert_eq!(output(1), output(1));
    assert_ne!(output(1), output(2));
}

#[test]
fn objects_are_read_and_each_case_has_its_own() {
    let machine = json!({"StartAt": "Each", "States": {"Each": {"Type": "Map", "End": true,
        "ItemReader": {"Resource": "arn:aws:states:::s3:getObject", "ReaderConfig": {"InputType": "JSON"},
            "Parameters": {"Bucket": "in", "Key": "items.json"}},
        "ItemProcessor": {"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"},
            "StartAt": "A", "States": {"A": {"Type": "Pass", "End": true}}}}}});
    let read = |content: &str| {
        let run = passes(&case(machine.clone()).object("in", "items.json", content));
        Value::clone(run.outcome.output().unwrap())
    };
    assert_eq!(read("[1, 2]"), json!([1, 2]));
    assert_eq!(read("[3]"), json!([3]));
}
