//! Judges executions: outcome, cause, sequence of events, every field of them.
use super::case::Case;
use super::history::{Agreement, compare};
use super::matching::difference;
use super::subject::Subject;
use super::verdict::{Verdict, cut};
use super::visits::VisitObserver;
use asl_engine::runtime::{Clock, HistoryRecorder, Runtime};
use asl_engine::{HistoryEvent, Identity, Limits, Outcome, Program, Start};
use asl_model::Options;
use asl_performers::{MockConfiguration, MockHandler};
use asl_trace::{DataRetention, Recorder};
use serde_json::{Map, Value, json};
use std::sync::Arc;
use std::time::Duration;

/// Name of the state machine of a case.
const MACHINE: &str = "Case";
const EXECUTION: &str = "9a1b2c3d-0000-4000-8000-000000000000";

/// No case takes so long, unless nothing wakes it.
pub(super) const LONGEST: Duration = Duration::from_secs(30);

/// Result of an execution of a case.
pub(super) struct CaseRun {
    pub(super) outcome: Outcome,
    /// Events as GetExecutionHistory shows them; None for an interpreter that has no history.
    pub(super) events: Option<Vec<Value>>,
    /// A difference between the readers of the execution.
    pub(super) difference: Option<String>,
}

/// Judges one case.
pub(super) fn judge(case: &Case, subject: &mut dyn Subject) -> Verdict {
    match subject.execute(case) {
        Ok(finished) => judge_outcome(case, &finished)
            .or_else(|| judge_cause(case, &finished))
            .or_else(|| {
                let difference = finished.difference.clone()?;
                Some(Verdict::failed(2, difference))
            })
            .unwrap_or_else(|| match finished.events {
                Some(events) => judge_history(case, events),
                None => Verdict::passed(),
            }),
        Err(reason) => Verdict::failed(0, reason),
    }
}

/// As `asl run` does it with mocks: through the tokio runtime, on a virtual clock.
pub(super) fn run(case: &Case) -> Result<CaseRun, String> {
    let options = Options::default()
        .with_profile(case.profile)
        .with_state_machine_type(case.state_machine_type());
    let (machine, _warnings) = asl_model::parse(&case.definition_text(), options)
        .map_err(|found| crate::definition::refused(&found))?;
    let program = Program::compile(&machine).map_err(|error| error.to_string())?;
    let start = start(case, options)?;
    let host = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .map_err(|error| error.to_string())?;
    host.block_on(async {
        let histories = Arc::new(HistoryRecorder::default());
        let visits = Arc::new(VisitObserver::new(&machine));
        let recorder = Recorder::new(&machine, DataRetention::Path);
        let runtime = Runtime::builder()
            .clock(Clock::virtual_from(start.now))
            .handlers(mocks(case)?)
            .observer((
                Arc::clone(&histories),
                (Arc::clone(&visits), recorder.clone()),
            ))
            .build();
        let mut execution = runtime.start_execution(program, start).await;
        let ended = tokio::time::timeout(LONGEST, execution.ended())
            .await
            .map_err(|_| format!("no end within {} s", LONGEST.as_secs()))?;
        let events = histories.take(execution.id());
        let account = recorder.take(execution.id(), &ended);
        Ok(CaseRun {
            difference: visits.difference(&machine, &account, &events),
            outcome: ended.outcome,
            events: Some(events.iter().map(HistoryEvent::to_json).collect()),
        })
    })
}

fn start(case: &Case, options: Options) -> Result<Start, String> {
    let now = case.start_time()?;
    let input = case
        .input
        .clone()
        .unwrap_or_else(|| Value::Object(Map::new()));
    let context = match &case.context {
        None => Map::new(),
        Some(Value::Object(context)) => context.clone(),
        Some(_) => return Err("the context is not an object".to_owned()),
    };
    Ok(Start::new(EXECUTION, input, now)
        .with_identity(Arc::new(Identity::new(MACHINE, EXECUTION)))
        .with_limits(Limits::from_profile(case.profile))
        .with_state_machine_type(options.state_machine_type)
        .with_context(context))
}

/// Returns the tasks of a case as a MockConfigFile.json.
fn mocks(case: &Case) -> Result<MockHandler, String> {
    let (mut responses, mut states) = (Map::new(), Map::new());
    for (state, replies) in case.tasks.iter().flatten() {
        let name = format!("r{}", responses.len());
        let replies = replies.as_array().into_iter().flatten().enumerate();
        let response: Map<String, Value> = replies
            .map(|(attempt, reply)| (attempt.to_string(), reply.clone()))
            .collect();
        responses.insert(name.clone(), response.into());
        states.insert(state.clone(), name.into());
    }
    let file = json!({"StateMachines": {MACHINE: {"TestCases": {"Case": states}}}, "MockedResponses": responses});
    MockConfiguration::parse(&file.to_string())
        .and_then(|file| file.test_case(Some(MACHINE), "Case"))
        .map_err(|error| error.to_string())
}

fn judge_outcome(case: &Case, finished: &CaseRun) -> Option<Verdict> {
    let succeeds = expected(case, "status") == "SUCCEEDED";
    let field = if succeeds { "output" } else { "error" };
    let found = ["status", field].into_iter().find_map(|field| {
        let actual = actual(&finished.outcome, field);
        if !case.expect.contains_key(field) && actual.is_none() {
            return None;
        }
        let actual = actual.unwrap_or_default();
        difference(&expected(case, field), &actual, &format!("/{field}"))
            .filter(|found| !case.ignores(&found.location))
    })?;
    let text = |field| match actual(&finished.outcome, field) {
        Some(Value::String(text)) => text,
        _ => "none".to_owned(),
    };
    Some(Verdict::failed(
        0,
        format!(
            "{} [error {}: {}]",
            found.describe(300),
            text("error"),
            cut(&text("cause"), 200)
        ),
    ))
}

fn judge_cause(case: &Case, finished: &CaseRun) -> Option<Verdict> {
    if expected(case, "status") == "SUCCEEDED" || case.ignores("/cause") {
        return None;
    }
    let actual = actual(&finished.outcome, "cause").unwrap_or_default();
    let found = difference(&expected(case, "cause"), &actual, "/cause")?;
    Some(Verdict::failed(1, found.describe(400)))
}

fn judge_history(case: &Case, events: Vec<Value>) -> Verdict {
    let Some(recorded) = case.history.as_ref().filter(|events| !events.is_empty()) else {
        return Verdict::passed();
    };
    match compare(recorded, events) {
        Agreement::Fields => Verdict::passed(),
        Agreement::Types(found) => Verdict::failed(3, format!("history {}", found.describe(300))),
        Agreement::None { expected, actual } => {
            Verdict::failed(2, format!("events: expected {expected:?}, got {actual:?}"))
        }
    }
}

fn expected(case: &Case, field: &str) -> Value {
    case.expect.get(field).cloned().unwrap_or_default()
}

/// Returns a field of the report of `asl run`; None if it would be left out.
fn actual(outcome: &Outcome, field: &str) -> Option<Value> {
    let failure = || outcome.failure();
    match field {
        "status" => Some(outcome.status().into()),
        "output" => outcome.output().map(|output| Value::clone(output)),
        "error" => failure()?.error.map(Value::from),
        "cause" => failure()?.cause.map(Value::from),
        _ => None,
    }
}
