//! Jobs of AWS services, at a server that answers what a test says.
mod common;

use asl_aws::{Caller, Settings, Target};
use asl_engine::runtime::Runtime;
use asl_engine::{ErrorOutput, Outcome, Program};
use asl_performers::AwsTasks;
use common::program;
use common::service::{Service, http};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// The longest wait for what must come.
const PATIENCE: Duration = Duration::from_secs(20);

/// Batch, whose job has these statuses, one a report.
fn batch(statuses: &'static [&'static str]) -> Service {
    let reports = AtomicUsize::new(0);
    Service::answering_by(move |request| {
        let (status, answer) = match request.split_whitespace().nth(1) {
            Some("/v1/submitjob") => ("200 OK", json!({"jobId": "j-1", "jobName": "j"})),
            Some("/v1/describejobs") => {
                let report = reports.fetch_add(1, Ordering::Relaxed);
                match statuses[report.min(statuses.len() - 1)] {
                    "" => ("503 Service Unavailable", json!({"message": "later"})),
                    status => (
                        "200 OK",
                        json!({"jobs": [{"jobId": "j-1", "status": status}]}),
                    ),
                }
            }
            _ => ("200 OK", json!({})),
        };
        let headers = "Content-Type: application/json\r\n";
        http(status, headers, &answer.to_string()).into_bytes()
    })
}

fn job(timeout: Option<u64>) -> Arc<Program> {
    let mut state = json!({"Type": "Task", "Resource": "arn:aws:states:::batch:submitJob.sync", "End": true,
        "Parameters": {"JobName": "j", "JobQueue": "q", "JobDefinition": "d"}});
    if let Some(seconds) = timeout {
        state["TimeoutSeconds"] = seconds.into();
    }
    program(json!({"StartAt": "T", "States": {"T": state}}))
}

fn tasks(service: &Service) -> AwsTasks {
    let keys = [
        ("AWS_ACCESS_KEY_ID", "key"),
        ("AWS_SECRET_ACCESS_KEY", "secret"),
    ];
    let variables = keys.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let target = Target::Url(service.url.clone());
    let settings = Settings::new(variables, |_| None).with_target(target);
    AwsTasks::new(Arc::new(Caller::new(settings)))
}

async fn run(service: &Service, program: Arc<Program>) -> Outcome {
    let runtime = Runtime::builder().handlers(tasks(service)).build();
    runtime.run(program, runtime.unnamed(json!({}))).await
}

/// Waits for the request that stops a job: the server notes a request after it has answered it.
fn termination(service: &Service) -> String {
    loop {
        let request = service.requests.recv_timeout(PATIENCE).unwrap();
        if request.starts_with("POST /v1/terminatejob") {
            return request;
        }
    }
}

/// The paths and bodies of the requests so far.
fn requests(service: &Service) -> Vec<(String, Value)> {
    let requests = service.requests.try_iter().map(|request| {
        let path = request.split_whitespace().nth(1).unwrap().to_owned();
        let (_, body) = request.split_once("\r\n\r\n").unwrap();
        (path, serde_json::from_str(body).unwrap())
    });
    requests.collect()
}

#[tokio::test]
async fn a_job_is_submitted_once_and_followed_to_its_end() {
    let service = batch(&["RUNNING", "SUCCEEDED"]);
    let outcome = run(&service, job(None)).await;
    let result = outcome.into_result().unwrap();
    assert_eq!(*result, json!({"JobId": "j-1", "Status": "SUCCEEDED"}));
    let requests = requests(&service);
    let paths: Vec<&str> = requests.iter().map(|(path, _)| path.as_str()).collect();
    let expected = ["/v1/submitjob", "/v1/describejobs", "/v1/describejobs"];
    assert_eq!(paths, expected);
    assert_eq!(requests[1].1, json!({"jobs": ["j-1"]}));
}

#[tokio::test]
async fn a_job_that_fails_fails_the_task_with_its_report() {
    let service = batch(&["FAILED"]);
    let failure = run(&service, job(None)).await.into_result().unwrap_err();
    assert_eq!(failure.error.as_deref(), Some("States.TaskFailed"));
    let cause: Value = serde_json::from_str(failure.cause.as_deref().unwrap()).unwrap();
    assert_eq!(cause, json!({"JobId": "j-1", "Status": "FAILED"}));
}

#[tokio::test]
async fn a_report_that_fails_for_the_moment_is_asked_for_again() {
    let service = batch(&["", "SUCCEEDED"]);
    let result = run(&service, job(None)).await.into_result().unwrap();
    assert_eq!(result["Status"], "SUCCEEDED");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_is_stopped_with_its_task() {
    let service = batch(&["RUNNING"]);
    let tasks = tasks(&service);
    let jobs = Arc::clone(tasks.jobs());
    let runtime = Runtime::builder().handlers(tasks).build();
    let start = runtime.unnamed(json!({}));
    let mut execution = runtime.start_execution(job(None), start).await;
    let submission = service.requests.recv_timeout(PATIENCE).unwrap();
    assert!(submission.starts_with("POST /v1/submitjob"));
    // A report is requested only of a job whose id is known.
    let report = service.requests.recv_timeout(PATIENCE).unwrap();
    assert!(report.starts_with("POST /v1/describejobs"), "{report}");
    execution.stop(ErrorOutput::default()).await;
    assert!(matches!(execution.outcome().await, Outcome::Aborted(_)));
    assert_eq!(jobs.finish(PATIENCE).await, 0);
    let request = termination(&service);
    assert!(request.contains(r#""jobId":"j-1""#), "{request}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_is_stopped_where_its_task_times_out() {
    let service = batch(&["RUNNING"]);
    let tasks = tasks(&service);
    let jobs = Arc::clone(tasks.jobs());
    let runtime = Runtime::builder().handlers(tasks).build();
    let outcome = runtime.run(job(Some(1)), runtime.unnamed(json!({}))).await;
    let failure = outcome.into_result().unwrap_err();
    assert_eq!(failure.error.as_deref(), Some("States.Timeout"));
    assert_eq!(jobs.finish(PATIENCE).await, 0);
    termination(&service);
}
