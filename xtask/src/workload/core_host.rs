//! The smallest host: one execution on the bare core, with tasks that are stubs.
use super::stubs::Stubs;
use asl_engine::{EffectId, Execution, Input, Outcome, Output, Program, Start, TaskInvocation};
use std::sync::Arc;

/// Runs one execution to its end on a clock that jumps; its outcome and the transitions it made.
pub(super) fn run(program: &Arc<Program>, start: Start) -> (Outcome, u64) {
    let mut now = start.now;
    let mut execution = Execution::start(Arc::clone(program), start);
    let mut stubs = Stubs::default();
    let mut answers = Vec::new();
    loop {
        match execution.poll_output() {
            Output::InvokeTask(task) => answers.push(answer(&mut stubs, &task)),
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

fn answer(stubs: &mut Stubs, task: &TaskInvocation) -> Input {
    let id: EffectId = task.id;
    match stubs.answer(&task.resource, Arc::clone(&task.payload)) {
        Ok(output) => Input::TaskSucceeded {
            id,
            output: output.into(),
        },
        Err((error, cause)) => Input::TaskFailed {
            id,
            error: Some(error.to_owned()),
            cause: Some(cause.to_owned()),
        },
    }
}
