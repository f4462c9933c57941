use super::testing::{found, jsonata, machine};
use serde_json::{Value, json};

fn text(path: &str, known: &str, what: &str, place: &str) -> String {
    format!(
        "impossible-path: '{path}' selects nothing: '{known}' is always {what} at /States/{place}"
    )
}

/// Returns a machine whose state A makes `{"order": {"id": …, "lines": […]}}` of its input; then comes B.
fn after_order(state: Value) -> Value {
    let order = json!({"id.$": "$.id", "lines": [{"price": 1}]});
    machine(json!({
        "A": {"Type": "Pass", "Parameters": {"order": order}, "Next": "B"},
        "B": state,
    }))
}

fn after_order_in_jsonata(state: Value) -> Value {
    let order = json!({"id": "{% $states.input.id %}", "lines": [{"price": 1}]});
    jsonata(json!({
        "A": {"Type": "Pass", "Output": {"order": order}, "Next": "B"},
        "B": state,
    }))
}

#[test]
fn every_field_that_holds_a_path() {
    let what = "an object of 'id', 'lines'";
    for (field, value, place) in [
        ("InputPath", json!("$.order.idd"), "InputPath"),
        ("OutputPath", json!("$.order.idd"), "OutputPath"),
        (
            "Parameters",
            json!({"a": [{"b.$": "$.order.idd"}]}),
            "Parameters/a[0]/b.$",
        ),
        (
            "Parameters",
            json!({"b.$": "States.Format('{}', $.order.idd)"}),
            "Parameters/b.$",
        ),
    ] {
        let mut state = json!({"Type": "Pass", "Next": "C"});
        state[field] = value;
        let text = text("$.order.idd", "$.order", what, &format!("B/{place}"));
        assert_eq!(found(&after_order(state)), [text]);
    }
    let wait = json!({"Type": "Wait", "SecondsPath": "$.order.idd", "Next": "C"});
    assert_eq!(
        found(&after_order(wait)),
        [text("$.order.idd", "$.order", what, "B/SecondsPath")]
    );
    let fail = json!({"Type": "Fail", "ErrorPath": "$.order.idd"});
    assert_eq!(
        found(&after_order(fail)),
        [text("$.order.idd", "$.order", what, "B/ErrorPath")]
    );
}

#[test]
fn it_is_said_where_and_what_may_be_meant() {
    let told = |definition: &Value| {
        let options = asl_model::Options::default();
        let (machine, _) = asl_model::parse_value(definition, options).unwrap();
        let found = crate::lint(&machine, options).remove(0);
        (found.offset, found.hint.unwrap())
    };
    let path = |field: &str, path: &str| {
        let mut state = json!({"Type": "Pass", "Next": "C"});
        state[field] = path.into();
        state
    };
    let meant = "did you mean 'id'?".to_owned();
    let definition = after_order(path("InputPath", "$.order.idd"));
    assert_eq!(told(&definition), (Some("$.order".len()), meant.clone()));
    let definition = after_order_in_jsonata(path("Output", "{%  $states.input.order.idd %}"));
    assert_eq!(
        told(&definition),
        (Some("{%  $states.input.order".len()), meant)
    );
    let definition = after_order(
        json!({"Type": "Pass", "Parameters": {"a.$": "States.Array($.order.other)"}, "Next": "C"}),
    );
    let hint = "select an existing field, or create it in an earlier state".to_owned();
    assert_eq!(told(&definition), (None, hint));
}

#[test]
fn every_field_that_names_something_in_jsonata() {
    let what = "an object of 'id', 'lines'";
    for (state, place) in [
        (
            json!({"Type": "Pass", "Output": {"a": "{% $states.input.order.idd %}"}, "Next": "C"}),
            "Output/a",
        ),
        (
            json!({"Type": "Wait", "Seconds": "{% $states.input.order.idd %}", "Next": "C"}),
            "Seconds",
        ),
        (
            json!({"Type": "Fail", "Error": "{% $states.input.order.idd %}"}),
            "Error",
        ),
        (
            json!({
                "Type": "Choice", "Default": "C",
                "Choices": [{"Condition": "{% $states.input.order.idd %}", "Next": "C"}],
            }),
            "Choices[0]/Condition",
        ),
    ] {
        let text = text(
            "$states.input.order.idd",
            "$states.input.order",
            what,
            &format!("B/{place}"),
        );
        assert_eq!(found(&after_order_in_jsonata(state)), [text]);
    }
    // What is part of more may be missed there.
    let more =
        json!({"Type": "Pass", "Output": "{% $exists($states.input.order.idd) %}", "Next": "C"});
    assert_eq!(found(&after_order_in_jsonata(more)), [""; 0]);
}

#[test]
fn what_may_be_there_is_left_alone() {
    for path in [
        "$.order.id",
        "$.order.id.any",
        "$.order.lines[0].price",
        "$.order.lines[5]",
        "$..idd",
        "$.order[*].idd",
        "$$.Any.thing",
    ] {
        let state = json!({"Type": "Pass", "Parameters": {"b.$": path}, "Next": "C"});
        assert_eq!(found(&after_order(state)), [""; 0], "{path}");
    }
    for path in [
        "$states.input.order.lines.price",
        "$states.context.Any",
        "$states.input.order.id.any",
    ] {
        let state = json!({"Type": "Pass", "Output": format!("{{% {path} %}}"), "Next": "C"});
        assert_eq!(found(&after_order_in_jsonata(state)), [""; 0], "{path}");
    }
}

#[test]
fn a_field_must_be_missing_on_all_ways() {
    let rule = json!({"Variable": "$.n", "IsNull": true, "Next": "One"});
    let definition = |path: &str| {
        machine(json!({
            "A": {"Type": "Choice", "Choices": [rule], "Default": "Other"},
            "One": {"Type": "Pass", "Result": {"a": 1}, "Next": "B"},
            "Other": {"Type": "Pass", "Result": {"b": 1}, "Next": "B"},
            "B": {"Type": "Pass", "InputPath": path, "Next": "C"},
        }))
    };
    assert_eq!(found(&definition("$.a")), [""; 0]);
    let text = text("$.c", "$", "an object of 'a', 'b'", "B/InputPath");
    assert_eq!(found(&definition("$.c")), [text]);
}

#[test]
fn a_loop_brings_back_what_is_made_in_it() {
    let rule = json!({"Variable": "$.n", "NumericLessThan": 3, "Next": "More"});
    let definition = machine(json!({
        "A": {"Type": "Pass", "Result": {"n": 0}, "Next": "Which"},
        "Which": {"Type": "Choice", "Choices": [rule], "Default": "B"},
        "More": {"Type": "Pass", "Parameters": {"n.$": "States.MathAdd($.n, 1)", "last.$": "$"}, "Next": "Which"},
        "B": {"Type": "Pass", "Parameters": {"a.$": "$.last.n", "b.$": "$.other"}, "Next": "C"},
    }));
    let text = text(
        "$.other",
        "$",
        "an object of 'last', 'n'",
        "B/Parameters/b.$",
    );
    assert_eq!(found(&definition), [text]);
}

#[test]
fn a_result_beside_an_unknown_input() {
    let definition = |path: &str| {
        machine(json!({
            "A": {"Type": "Pass", "Result": {"url": "u"}, "ResultPath": "$.config.api", "Next": "B"},
            "B": {"Type": "Pass", "InputPath": path, "Next": "C"},
        }))
    };
    assert_eq!(found(&definition("$.config.other")), [""; 0]);
    assert_eq!(found(&definition("$.any")), [""; 0]);
    let text = text(
        "$.config.api.key",
        "$.config.api",
        "an object of 'url'",
        "B/InputPath",
    );
    assert_eq!(found(&definition("$.config.api.key")), [text]);
}

#[test]
fn what_a_task_leaves_behind() {
    let definition = |fields: Value, path: &str| {
        let mut task = json!({
            "Type": "Task", "Resource": "arn:aws:states:::lambda:invoke", "Parameters": {"FunctionName": "f"}, "Next": "C",
        });
        for (name, value) in fields.as_object().into_iter().flatten() {
            task[name] = value.clone();
        }
        let mut definition = after_order(task);
        definition["States"]["C"] = json!({"Type": "Pass", "InputPath": path, "Next": "D"});
        definition["States"]["D"] = json!({"Type": "Succeed"});
        found(&definition)
    };
    let selector = json!({"status.$": "$.Payload.status"});
    for (fields, path, may_be) in [
        (json!({"ResultPath": null}), "$.order", true),
        (json!({"ResultPath": null}), "$.any", false),
        (json!({}), "$.any", true),
        (json!({"ResultSelector": selector}), "$.status", true),
        (json!({"ResultSelector": selector}), "$.order", false),
        (json!({"ResultPath": "$.task"}), "$.task.any", true),
        (
            json!({"ResultPath": "$.task", "OutputPath": "$.order"}),
            "$.lines",
            true,
        ),
        (
            json!({"ResultPath": "$.task", "OutputPath": "$.order"}),
            "$.task",
            false,
        ),
    ] {
        assert_eq!(
            definition(fields.clone(), path).is_empty(),
            may_be,
            "{fields} {path}"
        );
    }
}

#[test]
fn a_caught_error_is_all_there_is() {
    let catcher = |result_path: Value| {
        let mut catcher = json!({"ErrorEquals": ["States.ALL"], "Next": "B"});
        if !result_path.is_null() {
            catcher["ResultPath"] = result_path;
        }
        catcher
    };
    let definition = |result_path: Value, path: &str| {
        machine(json!({
            "A": {
                "Type": "Task", "Resource": "arn:aws:states:::lambda:invoke", "Parameters": {"FunctionName": "f"},
                "Catch": [catcher(result_path)], "Next": "C",
            },
            "B": {"Type": "Pass", "InputPath": path, "Next": "D"},
        }))
    };
    let what = "an object of 'Cause', 'Error'";
    assert_eq!(
        found(&definition(Value::Null, "$.id")),
        [text("$.id", "$", what, "B/InputPath")]
    );
    assert_eq!(found(&definition(json!("$.error"), "$.id")), [""; 0]);
    let text = text(
        "$.error.Cause.text",
        "$.error.Cause",
        "a string, number, boolean or null",
        "B/InputPath",
    );
    assert_eq!(
        found(&definition(json!("$.error"), "$.error.Cause.text")),
        [text]
    );
}

#[test]
fn branches_and_items() {
    let processor = |path: &str| json!({"StartAt": "I", "States": {"I": {"Type": "Pass", "InputPath": path, "End": true}}});
    let parallel = |path: &str| {
        after_order(json!({"Type": "Parallel", "Branches": [processor(path)], "Next": "C"}))
    };
    assert_eq!(found(&parallel("$.order.id")), [""; 0]);
    let what = "an object of 'id', 'lines'";
    assert_eq!(
        found(&parallel("$.order.idd")),
        [text(
            "$.order.idd",
            "$.order",
            what,
            "B/Branches[0]/States/I/InputPath"
        )]
    );
    let map = |path: &str| {
        after_order(
            json!({"Type": "Map", "ItemsPath": "$.order.lines", "ItemProcessor": processor(path), "Next": "C"}),
        )
    };
    assert_eq!(found(&map("$.price")), [""; 0]);
    assert_eq!(
        found(&map("$.cost")),
        [text(
            "$.cost",
            "$",
            "an object of 'price'",
            "B/ItemProcessor/States/I/InputPath"
        )]
    );
    let selected = after_order(json!({
        "Type": "Map", "ItemsPath": "$.order.lines", "ItemSelector": {"line.$": "$$.Map.Item.Value"},
        "ItemProcessor": processor("$.line.any"), "Next": "C",
    }));
    assert_eq!(found(&selected), [""; 0]);
}

#[test]
fn the_result_of_branches_is_an_array() {
    let branch =
        json!({"StartAt": "I", "States": {"I": {"Type": "Pass", "Result": {"a": 1}, "End": true}}});
    let definition = |path: &str| {
        machine(json!({
            "A": {"Type": "Parallel", "Branches": [branch], "Next": "B"},
            "B": {"Type": "Pass", "InputPath": path, "Next": "C"},
        }))
    };
    assert_eq!(found(&definition("$[0].a")), [""; 0]);
    assert_eq!(
        found(&definition("$.a")),
        [text("$.a", "$", "an array", "B/InputPath")]
    );
    let what = "an object of 'a', or a string, number, boolean or null";
    assert_eq!(
        found(&definition("$[0].b")),
        [text("$[0].b", "$[0]", what, "B/InputPath")]
    );
}

#[test]
fn variables_are_what_any_state_assigns() {
    let definition = |path: &str| {
        machine(json!({
            "A": {"Type": "Pass", "Assign": {"config": {"url": "u"}}, "Next": "B"},
            "B": {"Type": "Pass", "InputPath": path, "Next": "C"},
        }))
    };
    assert_eq!(found(&definition("$config.url")), [""; 0]);
    assert_eq!(
        found(&definition("$config.key")),
        [text(
            "$config.key",
            "$config",
            "an object of 'url'",
            "B/InputPath"
        )]
    );
}

#[test]
fn what_is_asked_for_is_no_mistake() {
    let choice =
        |rules: Value| after_order(json!({"Type": "Choice", "Choices": rules, "Default": "C"}));
    let test = json!({"Variable": "$.order.paid", "BooleanEquals": true});
    let present = json!({"Variable": "$.order.paid", "IsPresent": true});
    assert_eq!(
        found(&choice(json!([{"And": [present, test], "Next": "C"}]))),
        [""; 0]
    );
    let mut alone = test.clone();
    alone["Next"] = "C".into();
    let what = "an object of 'id', 'lines'";
    assert_eq!(
        found(&choice(json!([alone]))),
        [text(
            "$.order.paid",
            "$.order",
            what,
            "B/Choices[0]/Variable"
        )]
    );
}

#[test]
fn where_a_way_needs_what_is_not_there_nothing_gets() {
    let rule = json!({"Variable": "$.order.paid", "IsPresent": true, "Next": "Paid"});
    let mut definition = after_order(json!({"Type": "Choice", "Choices": [rule], "Default": "C"}));
    definition["States"]["Paid"] =
        json!({"Type": "Pass", "InputPath": "$.order.paid", "Next": "C"});
    definition["States"]["C"] = json!({"Type": "Succeed"});
    assert_eq!(found(&definition), [""; 0]);
}

#[test]
fn placeholders_may_become_anything() {
    let definition = machine(json!({
        "A": {"Type": "Pass", "Result": {"config": "${Config}"}, "Next": "B"},
        "B": {"Type": "Pass", "Parameters": {"a.$": "$.config.url", "b.$": "$.${Field}"}, "Next": "C"},
    }));
    assert_eq!(found(&definition), [""; 0]);
}

#[test]
fn one_mistake_is_told_once() {
    let definition = machine(json!({
        "A": {"Type": "Pass", "Result": {"a": 1}, "Next": "B"},
        "B": {"Type": "Pass", "Parameters": {"b.$": "$.b"}, "Next": "C"},
        "C": {"Type": "Pass", "InputPath": "$.c", "Next": "D"},
    }));
    assert_eq!(
        found(&definition),
        [text("$.b", "$", "an object of 'a'", "B/Parameters/b.$")]
    );
}
