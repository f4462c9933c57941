//! Result files, their manifest, and results of the state itself.
use super::*;
use crate::error_output::ErrorOutput;

const MAP_RUN: &str = "arn:aws:states:us-east-1:123456789012:mapRun:machine/Map:1f4e";

fn child(name: &str, outcome: Option<Outcome>) -> ChildResult {
    let ended = outcome.is_some();
    ChildResult {
        identity: Arc::new(Identity::new("machine/Map", name)),
        input: Arc::new(json!({"n": 1})),
        outcome,
        started: ended.then(|| Timestamp::from_milliseconds(1_000)),
        stopped: ended.then(|| Timestamp::from_milliseconds(2_000)),
    }
}

fn succeeded(name: &str, output: Value) -> ChildResult {
    child(name, Some(Outcome::Succeeded(Arc::new(output))))
}

fn failed(name: &str) -> ChildResult {
    child(name, Some(Outcome::Failed(ErrorOutput::new("E", "C"))))
}

fn destination() -> Destination {
    Destination::new(&json!({"Bucket": "b", "Prefix": "jobs"})).expect("parameters")
}

fn format(transformation: WriterTransformation, output_type: OutputType) -> ResultFormat {
    ResultFormat {
        transformation,
        output_type,
    }
}

/// Keys and bodies.
fn files(format: ResultFormat, results: &[ChildResult]) -> Vec<(String, String)> {
    let operations = result_files(MAP_RUN, &destination(), format, results);
    let put = |operation| match operation {
        StorageOperation::PutObject { key, body } => {
            (key, String::from_utf8(body.to_vec()).expect("UTF-8"))
        }
        other => panic!("{other:?} writes nothing"),
    };
    operations.into_iter().map(put).collect()
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

#[test]
fn each_status_has_a_file_and_the_manifest_comes_last() {
    let results = [
        succeeded("a", json!(1)),
        failed("b"),
        succeeded("c", json!(2)),
        child("d", None),
        child("e", Some(Outcome::TimedOut)),
    ];
    let files = files(
        format(WriterTransformation::None, OutputType::Json),
        &results,
    );
    let keys: Vec<_> = files.iter().map(|(key, _)| key.as_str()).collect();
    assert_eq!(
        keys,
        [
            "jobs/1f4e/FAILED_0.json",
            "jobs/1f4e/PENDING_0.json",
            "jobs/1f4e/SUCCEEDED_0.json",
            "jobs/1f4e/manifest.json",
        ]
    );
    let names = |file: usize| -> Vec<String> {
        let executions = parsed(&files[file].1);
        let executions = executions.as_array().expect("an array");
        executions.iter().map(|e| e["Name"].to_string()).collect()
    };
    assert_eq!(names(0), [r#""b""#, r#""e""#]);
    assert_eq!(names(1), [r#""d""#]);
    assert_eq!(names(2), [r#""a""#, r#""c""#]);
    assert_eq!(
        parsed(&files[3].1),
        json!({
            "DestinationBucket": "b",
            "MapRunArn": MAP_RUN,
            "ResultFiles": {
                "FAILED": [{"Key": keys[0], "Size": files[0].1.len()}],
                "PENDING": [{"Key": keys[1], "Size": files[1].1.len()}],
                "SUCCEEDED": [{"Key": keys[2], "Size": files[2].1.len()}],
            },
        })
    );
}

#[test]
fn a_status_that_no_execution_has_is_an_empty_list() {
    let files = files(
        format(WriterTransformation::None, OutputType::Json),
        &[succeeded("a", json!(1))],
    );
    assert_eq!(files.len(), 2);
    let manifest = parsed(&files[1].1);
    assert_eq!(manifest["ResultFiles"]["FAILED"], json!([]));
    assert_eq!(manifest["ResultFiles"]["PENDING"], json!([]));
}

#[test]
fn an_execution_is_told_with_its_metadata() {
    let identity = Identity::new("machine/Map", "a");
    let files = files(
        format(WriterTransformation::None, OutputType::Json),
        &[succeeded("a", json!({"o": "x"}))],
    );
    assert_eq!(
        parsed(&files[0].1),
        json!([{
            "ExecutionArn": identity.execution_arn(),
            "Input": r#"{"n":1}"#,
            "InputDetails": {"Included": true},
            "Name": "a",
            "Output": r#"{"o":"x"}"#,
            "OutputDetails": {"Included": true},
            "RedriveCount": 0,
            "RedriveStatus": "NOT_REDRIVABLE",
            "RedriveStatusReason": "Execution is SUCCEEDED and cannot be redriven",
            "StartDate": "1970-01-01T00:00:01.000Z",
            "StateMachineArn": identity.state_machine_arn(),
            "Status": "SUCCEEDED",
            "StopDate": "1970-01-01T00:00:02.000Z",
        }])
    );
}

#[test]
fn a_failure_has_its_error_and_no_output() {
    let files = files(
        format(WriterTransformation::None, OutputType::Json),
        &[failed("a")],
    );
    let execution = &parsed(&files[0].1)[0];
    assert_eq!(execution["Error"], "E");
    assert_eq!(execution["Cause"], "C");
    assert_eq!(execution["Status"], "FAILED");
    assert_eq!(execution["RedriveStatus"], "REDRIVABLE_BY_MAP_RUN");
    assert_eq!(execution.get("Output"), None);
}

#[test]
fn an_execution_that_never_ran_has_no_dates() {
    let files = files(
        format(WriterTransformation::None, OutputType::Json),
        &[child("a", None)],
    );
    let execution = &parsed(&files[0].1)[0];
    assert_eq!(execution["Status"], "PENDING");
    for absent in ["StartDate", "StopDate", "Output", "RedriveStatus"] {
        assert_eq!(execution.get(absent), None, "{absent}");
    }
}

#[test]
fn transformations_tell_less_of_those_that_succeeded() {
    let results = [
        succeeded("a", json!([1, 2])),
        succeeded("b", json!({"x": 3})),
        failed("c"),
    ];
    let bodies = |transformation| {
        let files = files(format(transformation, OutputType::Json), &results);
        (parsed(&files[0].1), parsed(&files[1].1))
    };
    let (failure, _) = bodies(WriterTransformation::None);
    let (failure_compact, compact) = bodies(WriterTransformation::Compact);
    let (failure_flat, flat) = bodies(WriterTransformation::Flatten);
    assert_eq!(compact, json!([[1, 2], {"x": 3}]));
    assert_eq!(flat, json!([1, 2, {"x": 3}]));
    assert_eq!(failure_compact, failure);
    assert_eq!(failure_flat, failure);
}

#[test]
fn json_lines_have_a_value_each() {
    let results = [
        succeeded("a", json!([1, {"x": 2}])),
        succeeded("b", json!("c")),
    ];
    let files = files(
        format(WriterTransformation::Flatten, OutputType::JsonLines),
        &results,
    );
    assert_eq!(
        files[0],
        (
            "jobs/1f4e/SUCCEEDED_0.jsonl".to_owned(),
            "1\n{\"x\":2}\n\"c\"\n".to_owned()
        )
    );
    assert_eq!(files[1].0, "jobs/1f4e/manifest.json");
}

#[test]
fn the_exported_result_points_to_the_manifest() {
    assert_eq!(
        exported_result(MAP_RUN, &destination()),
        json!({
            "MapRunArn": MAP_RUN,
            "ResultWriterDetails": {"Bucket": "b", "Key": "jobs/1f4e/manifest.json"},
        })
    );
}

#[test]
fn a_prefix_may_be_missing_or_end_in_a_slash() {
    let key = |parameters| {
        let destination = Destination::new(&parameters).expect("parameters");
        exported_result(MAP_RUN, &destination)["ResultWriterDetails"]["Key"].clone()
    };
    assert_eq!(key(json!({"Bucket": "b"})), "1f4e/manifest.json");
    assert_eq!(
        key(json!({"Bucket": "b", "Prefix": "x/y/"})),
        "x/y/1f4e/manifest.json"
    );
}

#[test]
fn without_a_destination_the_result_itself_is_transformed() {
    let results = [succeeded("a", json!([1])), succeeded("b", json!(2))];
    let result = |transformation| {
        let config = WriterConfig::default()
            .with_transformation(transformation)
            .with_output_type(None);
        transformed_result(ResultFormat::new(Some(&config), false), &results)
    };
    assert_eq!(result(None), json!([[1], 2]), "COMPACT is the default");
    assert_eq!(result(Some(WriterTransformation::Flatten)), json!([1, 2]));
    assert_eq!(result(Some(WriterTransformation::None))[1]["Output"], "2");
    assert_eq!(
        transformed_result(
            format(WriterTransformation::Compact, OutputType::JsonLines),
            &results
        ),
        json!("[1]\n2\n")
    );
}

#[test]
fn exported_results_have_their_metadata_by_default() {
    let format = ResultFormat::new(None, true);
    assert_eq!(format.transformation, WriterTransformation::None);
    assert_eq!(format.output_type, OutputType::Json);
}

#[test]
fn a_wrong_parameter_is_named() {
    let parameters = |parameters| {
        let error = Destination::new(&parameters).expect_err("not understood");
        error.to_string()
    };
    assert_eq!(
        parameters(json!({"Prefix": "p"})),
        "the parameter \"Bucket\" of the ResultWriter is missing"
    );
    assert_eq!(
        parameters(json!({"Bucket": "b", "Prefix": 1})),
        "the parameter \"Prefix\" of the ResultWriter is not a string"
    );
}
