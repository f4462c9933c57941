//! Members of the inspection data of a state.
//!
//! Recorded: a JSONPath state shows every step of its input and output processing, even without a field for it. A JSONata
//! state shows only the fields that it has.
use crate::definition::TestedState;
use crate::http_task::{is_http_task, request, response};
use crate::request::InspectionLevel;
use crate::response::{InspectionData, InspectionErrorDetails};
use crate::state_record::StateRecord;
use serde_json::{Map, Value};

/// Context of a test, in addition to its events.
pub(crate) struct TestContext<'r> {
    pub(crate) input: &'r Value,
    pub(crate) variables: &'r Map<String, Value>,
    pub(crate) item_reader_data: Option<&'r str>,
    pub(crate) level: InspectionLevel,
}

/// Returns the members, of a state that was reported.
pub(crate) fn inspection_data(
    state: &TestedState,
    told: &StateRecord,
    given: &TestContext<'_>,
) -> InspectionData {
    let mut data = InspectionData {
        input: Some(given.input.clone()),
        variables: variables(told, given),
        error_details: error_details(told),
        ..InspectionData::default()
    };
    // Recorded: a Parallel State shows nothing of its input.
    if state.is_jsonata && state.state_type() != "Parallel" {
        data.after_arguments = told.field("Arguments").cloned();
    } else if !state.is_jsonata {
        json_path_members(&mut data, state, told, given.input);
    }
    if state.state_type() == "Task" {
        data.result = told.field("Result").cloned();
        http_members(&mut data, state, given.level);
    }
    if state.state_type() == "Map" {
        map_members(&mut data, state, told, given);
    }
    data
}

/// Returns all given or assigned variables; None if there are none.
fn variables(told: &StateRecord, given: &TestContext<'_>) -> Option<Map<String, Value>> {
    let mut variables = given.variables.clone();
    variables.extend(told.variables.clone());
    (!variables.is_empty()).then_some(variables)
}

fn error_details(told: &StateRecord) -> Option<InspectionErrorDetails> {
    let details = InspectionErrorDetails {
        retry_index: told.retrier,
        retry_backoff_interval_seconds: told.retry_delay.map(|seconds| seconds as u64),
        catch_index: told.catcher,
    };
    (details != InspectionErrorDetails::default()).then_some(details)
}

fn json_path_members(
    data: &mut InspectionData,
    state: &TestedState,
    told: &StateRecord,
    input: &Value,
) {
    let state_type = state.state_type();
    let literal = state
        .fields
        .get("Result")
        .filter(|_| state_type == "Pass")
        .cloned();
    if literal.is_none() && state_type != "Parallel" {
        data.after_input_path = step(state, told, "InputPath", Some(input));
    }
    if literal.is_none() && matches!(state_type, "Pass" | "Task") {
        let before = data.after_input_path.as_ref();
        data.after_parameters = step(state, told, "Parameters", before);
    }
    let result = match state_type {
        "Pass" => literal.clone().or_else(|| data.after_parameters.clone()),
        "Task" | "Parallel" | "Map" => told.field("Result").cloned(),
        _ => return,
    };
    data.result = literal;
    data.after_result_selector = step(state, told, "ResultSelector", result.as_ref());
    if told.catcher.is_none() {
        let is_left = told.is_left.then_some(input);
        let combined = told.field("ResultPath").or(is_left).cloned();
        data.after_result_path = combined;
    }
}

/// Of an HTTP Task, at the level that shows its calls.
fn http_members(data: &mut InspectionData, state: &TestedState, level: InspectionLevel) {
    if level != InspectionLevel::Trace || !is_http_task(state.text("Resource")) {
        return;
    }
    let arguments = data
        .after_arguments
        .as_ref()
        .or(data.after_parameters.as_ref());
    data.request = arguments.map(request);
    data.response = data.result.as_ref().map(response);
}

/// Returns the data after a field; without the field, the data before it.
fn step(
    state: &TestedState,
    told: &StateRecord,
    field: &'static str,
    before: Option<&Value>,
) -> Option<Value> {
    let made = told.field(field);
    let unchanged = before.filter(|_| !state.has(field) || state.text(field) == "$");
    made.or(unchanged).cloned()
}

fn map_members(
    data: &mut InspectionData,
    state: &TestedState,
    told: &StateRecord,
    given: &TestContext<'_>,
) {
    if !state.is_jsonata {
        let items = data.after_input_path.clone();
        // Its limits are told once its items are known.
        let has_items = told.field("MaxConcurrency").is_some() && !state.has("ItemReader");
        let items = items.filter(|_| has_items);
        data.after_items_path = step(state, told, "ItemsPath", items.as_ref());
    }
    if !told.selected_items.is_empty() {
        data.after_item_selector = Some(told.selected_items.clone().into());
    }
    data.after_item_batcher = told.field("ItemBatcher").cloned();
    data.after_items_pointer = pointed(state, given.item_reader_data);
    let number = |field| told.field(field).and_then(Value::as_u64);
    data.max_concurrency = number("MaxConcurrency");
    data.tolerated_failure_count = number("ToleratedFailureCount");
    data.tolerated_failure_percentage = told
        .field("ToleratedFailurePercentage")
        .and_then(Value::as_f64);
}

/// Returns the part of the item reader's data that "ItemsPointer" selects.
fn pointed(state: &TestedState, item_reader_data: Option<&str>) -> Option<Value> {
    let config = state.fields.get("ItemReader")?.get("ReaderConfig")?;
    let pointer = config.get("ItemsPointer")?.as_str()?;
    let data = asl_path::json::parse(item_reader_data?, asl_path::json::DEFAULT_MAX_DEPTH).ok()?;
    data.pointer(pointer).cloned()
}
