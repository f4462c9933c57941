//! The smallest host: one execution on the bare core, with tasks that are stubs.
use asl_engine::{
    EffectId, Execution, Input, Outcome, Output, Program, Resource, Start, TaskInvocation,
};
use asl_model::Timestamp;
use serde_json::Value;
use std::sync::Arc;

/// A stub's answer: an output, or an Error Name and a cause.
pub(super) type Answer = Result<Value, (&'static str, &'static str)>;

/// The stubs, by the last part of a function's ARN. They live as long as one execution.
#[derive(Debug, Default)]
pub(super) struct Stubs {
    flaky_calls: u32,
}

impl Stubs {
    /// `echo` answers with its payload, `incr` with the number in it one higher, `flaky` fails twice before it echoes,
    /// `boom` always fails.
    pub(super) fn answer(&mut self, resource: &Resource, payload: &Value) -> Answer {
        match resource.uri.rsplit(':').next() {
            Some("flaky") if self.flaky_calls < 2 => {
                self.flaky_calls += 1;
                Err(("Flaky", "not yet"))
            }
            Some("boom") => Err(("Boom", "always")),
            Some("incr") => {
                let mut payload = payload.clone();
                payload["i"] = (payload["i"].as_i64().unwrap_or(0) + 1).into();
                Ok(payload)
            }
            _ => Ok(payload.clone()),
        }
    }
}

/// Runs one execution to its end on a clock that jumps; its outcome and the transitions it made.
pub(super) fn run(program: &Arc<Program>, start: Start) -> (Outcome, u64) {
    let mut now = start.now;
    let mut execution = Execution::start(Arc::clone(program), start);
    let mut stubs = Stubs::default();
    let mut answers = Vec::new();
    loop {
        match execution.poll_output() {
            Output::InvokeTask(task) => answers.push(answer(&mut stubs, *task)),
            Output::Wait { until } if answers.is_empty() => {
                let Some(until) = until else {
                    let cause = Some("nothing is due and no task is at work".to_owned());
                    return (
                        Outcome::Failed { error: None, cause },
                        execution.transitions(),
                    );
                };
                now = now.max(until);
                execution.handle_input(now, Input::TimePassed);
            }
            Output::Wait { .. } => {
                for input in answers.drain(..) {
                    execution.handle_input(now, input);
                }
            }
            Output::Done(outcome) => return (outcome, execution.transitions()),
            Output::CancelTask { .. }
            | Output::Storage(_)
            | Output::StartChildExecution(_)
            | Output::StopChildExecution { .. }
            | Output::Event(_) => {}
        }
    }
}

fn answer(stubs: &mut Stubs, task: TaskInvocation) -> Input {
    let id: EffectId = task.id;
    match stubs.answer(&task.resource, &task.payload) {
        Ok(output) => Input::TaskSucceeded { id, output },
        Err((error, cause)) => Input::TaskFailed {
            id,
            error: Some(error.to_owned()),
            cause: Some(cause.to_owned()),
        },
    }
}

/// How workloads start: without limits and history.
pub(super) fn start(input: &Arc<Value>) -> Start {
    let mut start = Start::new(Value::Null, Timestamp::from_milliseconds(1_700_000_000_000));
    start.input = Arc::clone(input);
    start.limits = asl_engine::Limits::unlimited();
    start
}
