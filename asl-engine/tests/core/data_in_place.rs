//! Templates of the fields that the data has already: what is read is what was there before.
use crate::case::{Case, with_fields};
use serde_json::{Value, json};

/// Data of its own, as only a state before can make it, and then a Pass State of these fields.
fn after_another(fields: Value) -> Case {
    let state = with_fields(json!({"Type": "Pass", "End": true}), &fields);
    let first = json!({"Type": "Pass", "Result": {"a": 1, "b": [2]}, "Next": "State"});
    Case::new(json!({"StartAt": "First", "States": {"First": first, "State": state}}))
}

#[test]
fn fields_can_change_places() {
    after_another(json!({"Parameters": {"a.$": "$.b", "b.$": "$.a"}}))
        .run()
        .succeeds(json!({"a": [2], "b": 1}));
    let output = json!({"a": "{% $states.input.b %}", "b": "{% $states.input.a %}"});
    after_another(json!({"QueryLanguage": "JSONata", "Output": output}))
        .run()
        .succeeds(json!({"a": [2], "b": 1}));
}

#[test]
fn fields_that_are_no_expressions_are_set_too() {
    after_another(json!({"Parameters": {"a": {"n": null}, "b.$": "$.a"}}))
        .run()
        .succeeds(json!({"a": {"n": null}, "b": 1}));
    after_another(json!({"QueryLanguage": "JSONata", "Output": {"a": 0, "b": "{% 1 + 1 %}"}}))
        .run()
        .succeeds(json!({"a": 0, "b": 2}));
}

#[test]
fn other_fields_or_another_order_make_other_data() {
    after_another(json!({"Parameters": {"b.$": "$.a", "a.$": "$.b"}}))
        .run()
        .succeeds(json!({"b": 1, "a": [2]}));
    after_another(json!({"Parameters": {"a.$": "$.b", "c.$": "$.a"}}))
        .run()
        .succeeds(json!({"a": [2], "c": 1}));
}

#[test]
fn a_fault_finds_the_data_as_it_was() {
    let run = after_another(json!({"Parameters": {"a.$": "$.b", "b.$": "$.c"}})).run();
    run.fails(
        "States.Runtime",
        "An error occurred while executing the state 'State' (entered at the event id #4). \
            The JSONPath '$.c' specified for the field 'b.$' could not be found in the input '{\"a\":1,\"b\":[2]}'",
    );
}

#[test]
fn an_object_of_other_fields_takes_the_memory_over() {
    for fields in [
        json!({"c.$": "$.a"}),
        json!({"a": 1, "name of many letters.$": "$.b", "c.$": "$.a", "d": {"e": []}}),
        json!({}),
    ] {
        let expected = match fields.as_object().map_or(0, |fields| fields.len()) {
            1 => json!({"c": 1}),
            4 => json!({"a": 1, "name of many letters": [2], "c": 1, "d": {"e": []}}),
            _ => json!({}),
        };
        let run = after_another(json!({"Parameters": fields})).run();
        run.succeeds(expected);
    }
}

#[test]
fn many_fields_replace_few_and_few_replace_many() {
    let many: Value = (0..40)
        .map(|n| (format!("field {n}"), Value::from(n)))
        .collect();
    after_another(json!({"Parameters": many}))
        .run()
        .succeeds(many.clone());
    let few = json!({"Type": "Pass", "Parameters": {"a.$": "$['field 39']"}, "End": true});
    let first = json!({"Type": "Pass", "Result": many, "Next": "Few"});
    Case::new(json!({"StartAt": "Many", "States": {"Many": first, "Few": few}}))
        .run()
        .succeeds(json!({"a": 39}));
}

#[test]
fn an_iteration_that_writes_into_its_item_leaves_the_items_as_they_are() {
    let write = json!({"Type": "Pass", "Result": 0, "ResultPath": "$.a", "Next": "More"});
    let more = json!({"Type": "Pass", "Parameters": {"all.$": "$$.Execution.Input", "own.$": "$"}, "End": true});
    let processor = json!({"StartAt": "Write", "States": {"Write": write, "More": more}});
    let map =
        json!({"Type": "Map", "ItemsPath": "$.items", "ItemProcessor": processor, "End": true});
    let input = json!({"items": [{"a": 1}, {"a": 2, "b": [3]}]});
    Case::new(json!({"StartAt": "Map", "States": {"Map": map}}))
        .input(input.clone())
        .run()
        .succeeds(json!([
            {"all": input, "own": {"a": 0}},
            {"all": input, "own": {"a": 0, "b": [3]}},
        ]));
}

#[test]
fn data_that_others_have_too_stays() {
    let branch = |name: &str, state: Value| json!({"StartAt": name, "States": {name: state}});
    let changing = json!({"Type": "Pass", "Parameters": {"a": 0, "b": 0}, "End": true});
    let passing = json!({"Type": "Pass", "End": true});
    let parallel = json!({"Type": "Parallel", "Branches": [branch("Changes", changing), branch("Passes", passing)], "End": true});
    let first = json!({"Type": "Pass", "Result": {"a": 1, "b": 2}, "Next": "Both"});
    Case::new(json!({"StartAt": "First", "States": {"First": first, "Both": parallel}}))
        .run()
        .succeeds(json!([{"a": 0, "b": 0}, {"a": 1, "b": 2}]));
}

#[test]
fn data_that_grows_in_place_ends_at_the_limit_of_bytes() {
    let double = json!({"Type": "Pass", "Parameters": {"text.$": "States.Format('{}{}', $.text, $.text)"}, "Next": "More"});
    let more = json!({"Type": "Choice", "Default": "Double",
        "Choices": [{"Variable": "$.text", "StringEquals": "end", "Next": "End"}]});
    let states = json!({"Double": double, "More": more, "End": {"Type": "Succeed"}});
    Case::new(json!({"StartAt": "Double", "States": states}))
        .input(json!({"text": "x"}))
        .run()
        .fails_with("States.DataLimitExceeded");
}

/// Selections of a state's data: parts of each other, the same ones, and others.
const SELECTIONS: [&str; 9] = [
    "$",
    "$.a",
    "$.b",
    "$.b[0]",
    "$.b[-1]",
    "$.b[0].c",
    "$..c",
    "$$.State.Name",
    "States.Array($.b[0], $.a)",
];

#[test]
fn fields_that_select_parts_of_each_other_have_what_was_there() {
    let data = json!({"a": "text", "b": [{"c": [1, 2]}], "d": 4});
    for first in SELECTIONS {
        for second in SELECTIONS {
            for third in SELECTIONS {
                let select = json!({"Type": "Pass", "End": true,
                    "Parameters": {"x.$": first, "a.$": second, "y": {"z.$": third}, "w.$": third}});
                let own = json!({"Type": "Pass", "Result": data, "Next": "Select"});
                let own = json!({"StartAt": "Own", "States": {"Own": own, "Select": select}});
                let shared = json!({"StartAt": "Select", "States": {"Select": select}});
                let expected = Case::new(shared).input(data.clone()).run().output();
                assert_eq!(Case::new(own).run().output(), expected);
            }
        }
    }
}

/// The same in JSONata, with names that a path would have to escape.
const EXPRESSIONS: [&str; 7] = [
    "$states.input",
    "$states.input.a",
    "$states.input.b",
    "$states.input.b.c",
    "$states.input.`it's`",
    "$states.context.State.Name",
    "[$states.input.b, $states.input.a]",
];

#[test]
fn expressions_that_select_parts_of_each_other_have_what_was_there() {
    let data = json!({"a": "text", "b": {"c": [1, 2]}, "it's": 4});
    let expression = |expression: &str| format!("{{% {expression} %}}");
    for first in EXPRESSIONS {
        for second in EXPRESSIONS {
            let output =
                json!({"x": expression(first), "a": expression(second), "y": [expression(second)]});
            let select =
                json!({"Type": "Pass", "QueryLanguage": "JSONata", "Output": output, "End": true});
            let own = json!({"Type": "Pass", "Result": data, "Next": "Select"});
            let own = json!({"StartAt": "Own", "States": {"Own": own, "Select": select}});
            let shared = json!({"StartAt": "Select", "States": {"Select": select}});
            let expected = Case::new(shared).input(data.clone()).run().output();
            assert_eq!(Case::new(own).run().output(), expected);
        }
    }
}

#[test]
fn a_payload_of_moved_values_is_held_against_the_limit() {
    let first = json!({"Type": "Pass", "Next": "Select",
        "Parameters": {"a.$": "States.Format('{}{}{}', $.a, $.a, $.a)"}});
    let select = json!({"Type": "Pass", "Parameters": {"x.$": "$.a", "y.$": "$.a"}, "End": true});
    let case = Case::new(json!({"StartAt": "First", "States": {"First": first, "Select": select}}));
    let run = case.input(json!({"a": "x".repeat(60_000)})).run();
    run.fails_with("States.DataLimitExceeded");
}
