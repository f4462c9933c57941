//! Inspection events of all executions of a runtime.
#![cfg(feature = "runtime")]
mod runtime_support;

use asl_engine::runtime::{Observer, RunningExecution};
use asl_engine::{InspectedPlace, InspectionEvent, Inspector, Program};
use runtime_support::{start, virtual_time};
use serde_json::json;
use std::sync::{Arc, Mutex};

/// Keeps what every execution reports, by its name; panics at each Choice State.
#[derive(Default)]
struct Teller(Arc<Mutex<Vec<String>>>);

impl Observer for Teller {
    fn inspector(&self, execution: &RunningExecution) -> Option<Box<dyn Inspector>> {
        let told = Arc::clone(&self.0);
        let child = execution.child.clone();
        let teller = move |place: InspectedPlace<'_>, inspected: InspectionEvent<'_>| {
            let of = match &child {
                Some(child) => format!("child {} of {}", child.index, child.state),
                None => "root".to_owned(),
            };
            let index = place.parent.map(|parent| parent.index);
            let what = match inspected {
                InspectionEvent::Attempt { input, .. } => format!("begins with {input}"),
                InspectionEvent::Left { output, .. } => format!("leaves {output}"),
                InspectionEvent::Default => "takes its Default".to_owned(),
                _ => return,
            };
            let line = format!("{of} {index:?} {} {what}", place.state);
            told.lock().unwrap().push(line);
            if place.state.as_ref() == "Choose" {
                panic!("told of a Choice State");
            }
        };
        Some(Box::new(teller))
    }
}

fn program() -> Program {
    let iteration = json!({"StartAt": "Choose", "States": {
        "Choose": {"Type": "Choice", "Choices": [{"Variable": "$", "NumericLessThan": 0, "Next": "Pass"}], "Default": "Pass"},
        "Pass": {"Type": "Pass", "End": true}}});
    let branches =
        json!({"StartAt": "Left", "States": {"Left": {"Type": "Pass", "Result": 1, "End": true}}});
    let mut processor = iteration;
    processor["ProcessorConfig"] = json!({"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"});
    let definition = json!({"StartAt": "Both", "States": {
        "Both": {"Type": "Parallel", "Branches": [branches], "Next": "Each"},
        "Each": {"Type": "Map", "ItemProcessor": processor, "End": true}}});
    Program::parse(&definition.to_string()).unwrap()
}

#[tokio::test]
async fn children_and_branches_are_told_with_their_places_whatever_an_inspector_does() {
    let teller = Teller::default();
    let told = Arc::clone(&teller.0);
    let runtime = virtual_time().observer(teller).build();
    let outcome = runtime.run(program(), start(json!(7))).await;
    assert_eq!(outcome.status(), "SUCCEEDED");
    assert_eq!(
        *told.lock().unwrap(),
        [
            "root None Both begins with 7",
            "root Some(0) Left begins with 7",
            "root Some(0) Left leaves 1",
            "root None Both leaves [1]",
            "root None Each begins with [1]",
            "child 0 of Each None Choose begins with 1",
            "child 0 of Each None Choose takes its Default",
            "child 0 of Each None Choose leaves 1",
            "child 0 of Each None Pass begins with 1",
            "child 0 of Each None Pass leaves 1",
            "root None Each leaves [1]",
        ]
    );
}
