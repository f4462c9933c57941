//! Runs the executions of cases.
use super::visits::VisitObserver;
use crate::case::LONGEST;
use crate::{Case, Run};
use asl_engine::runtime::{Clock, HistoryRecorder, Runtime};
use asl_engine::{HistoryEvent, Identity, Limits, Program, Start};
use asl_model::Options;
use asl_performers::{MockConfiguration, MockHandler};
use asl_trace::{DataRetention, Recorder};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// Name of the state machine of a case.
const MACHINE: &str = "Case";
const EXECUTION: &str = "9a1b2c3d-0000-4000-8000-000000000000";

/// As `asl run` does it with mocks: through the tokio runtime, on a virtual clock.
pub(super) fn run(case: &Case) -> Result<Run, String> {
    let options = Options::default()
        .with_profile(case.profile)
        .with_state_machine_type(case.state_machine_type());
    let (machine, _warnings) = asl_model::parse(&case.definition_text(), options)
        .map_err(|found| format!("the definition is refused: {found}"))?;
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
        let events_as_json = events.iter().map(HistoryEvent::to_json).collect();
        let mut run = Run::new(ended.outcome.status()).with_events(events_as_json);
        run.output = ended.outcome.output().map(|output| Value::clone(output));
        if let Some(failure) = ended.outcome.failure() {
            run.error = failure.error;
            run.cause = failure.cause;
        }
        run.contradiction = visits.difference(&machine, &account, &events);
        Ok(run)
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
