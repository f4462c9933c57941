//! Reports as JSON.
use crate::record::{Call, Visit};
use crate::{CaseReport, CaseRun, Difference, SuiteReport};
use asl_model::Position;
use serde_json::{Map, Value, json};

/// Returns a report as one JSON object: counts, and everything of each case.
pub fn json(report: &SuiteReport) -> Value {
    let refused = report.refused.iter().flat_map(|error| {
        let file = error.path.as_deref();
        error.faults.iter().map(move |fault| {
            let mut object = Map::new();
            put(
                &mut object,
                "file",
                file.map(|file| file.display().to_string().into()),
            );
            put_position(&mut object, fault.position);
            object.insert("message".to_owned(), fault.message.clone().into());
            Value::Object(object)
        })
    });
    json!({
        "version": 1,
        "passed": report.cases.len() - report.failed(),
        "failed": report.failed(),
        "leftOut": report.left_out,
        "seconds": report.elapsed.as_secs_f64(),
        "refused": refused.collect::<Vec<_>>(),
        "cases": report.cases.iter().map(case).collect::<Vec<_>>(),
    })
}

fn case(report: &CaseReport) -> Value {
    let mut object = Map::new();
    object.insert("name".to_owned(), report.name.clone().into());
    let file = report.file.as_deref();
    put(
        &mut object,
        "file",
        file.map(|file| file.display().to_string().into()),
    );
    put_position(&mut object, report.position);
    object.insert("passed".to_owned(), report.has_passed().into());
    object.insert("seconds".to_owned(), report.elapsed.as_secs_f64().into());
    let differences: Value = report.differences.iter().map(difference).collect();
    object.insert("differences".to_owned(), differences);
    put(&mut object, "run", report.run.as_ref().map(run));
    Value::Object(object)
}

fn difference(difference: &Difference) -> Value {
    let mut object = Map::new();
    object.insert("subject".to_owned(), difference.subject.into());
    object.insert("message".to_owned(), difference.message.clone().into());
    put(
        &mut object,
        "state",
        difference.state.clone().map(Value::from),
    );
    if let Some(values) = &difference.values {
        object.insert("pointer".to_owned(), values.pointer.clone().into());
        put(&mut object, "expected", values.expected.clone());
        put(&mut object, "found", values.found.clone());
    }
    put_position(&mut object, difference.position);
    Value::Object(object)
}

fn run(run: &CaseRun) -> Value {
    let mut object = Map::new();
    object.insert("status".to_owned(), run.outcome.status().into());
    put(
        &mut object,
        "output",
        run.outcome.output().map(|output| Value::clone(output)),
    );
    let failure = run.outcome.failure();
    let (error, cause) = failure.map_or((None, None), |it| (it.error, it.cause));
    put(&mut object, "error", error.map(Value::from));
    put(&mut object, "cause", cause.map(Value::from));
    object.insert("startDate".to_owned(), run.start_date.to_string().into());
    object.insert("stopDate".to_owned(), run.stop_date.to_string().into());
    object.insert("transitions".to_owned(), run.transitions.into());
    object.insert("variables".to_owned(), run.variables.clone().into());
    object.insert("visits".to_owned(), run.visits.iter().map(visit).collect());
    object.insert("calls".to_owned(), run.calls.iter().map(call).collect());
    Value::Object(object)
}

fn visit(visit: &Visit) -> Value {
    let mut object = json!({
        "state": &*visit.state,
        "depth": visit.depth,
        "entered": visit.entered.to_string(),
        "input": &*visit.input,
    });
    if let Some((left, output)) = &visit.left {
        object["left"] = left.to_string().into();
        object["output"] = Value::clone(output);
    }
    with_items(object, &visit.place.iterations)
}

fn call(call: &Call) -> Value {
    let object = json!({
        "state": &*call.state,
        "resource": call.resource,
        "retryCount": call.retry_count,
        "at": call.at.to_string(),
        "payload": &*call.payload,
    });
    with_items(object, &call.place.iterations)
}

fn with_items(mut object: Value, iterations: &[(std::sync::Arc<str>, u64)]) -> Value {
    if !iterations.is_empty() {
        let items = iterations
            .iter()
            .map(|(map, index)| json!({"map": &**map, "item": index}));
        object["items"] = items.collect();
    }
    object
}

fn put(object: &mut Map<String, Value>, name: &str, value: Option<Value>) {
    if let Some(value) = value {
        object.insert(name.to_owned(), value);
    }
}

fn put_position(object: &mut Map<String, Value>, position: Option<Position>) {
    put(object, "line", position.map(|it| it.line.into()));
    put(object, "column", position.map(|it| it.column.into()));
}
