//! The smallest host: one execution on the bare core, with tasks that are stubs.
use super::stubs::Stubs;
use asl_engine::{
    EffectId, ErrorOutput, Execution, Input, Outcome, Output, Program, Start, TaskInvocation,
};
use std::sync::Arc;

/// Runs one execution to its end on a clock that jumps; its outcome and the transitions it made.
pub(super) fn run(program: &Arc<Program>, start: Start) -> (Outcome, u64) {
    let mut now = start.now;
    let mut execution = Execution::start(Arc::clone(program), start);
    let mut stubs = Stubs::default();
    loop {
        match execution.poll_output() {
            // An answer that is there is told at once: fewer flows are under way at a time.
            Output::InvokeTask(task) => execution.handle_input(now, answer(&mut stubs, &task)),
            Output::Wait { until } => {
                let Some(until) = until else {
                    let cause = Some("nothing is due and no task is at work".to_owned());
                    return (
                        Outcome::Failed(ErrorOutput { error: None, cause }),
                        execution.transitions(),
                    );
                };
                now = now.max(until);
                execution.handle_input(now, Input::TimePassed);
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
        Ok(output) => Input::TaskSucceeded { id, output },
        Err((error, cause)) => Input::TaskFailed {
            id,
            error_output: ErrorOutput {
                error: Some(error.to_owned()),
                cause: Some(cause.to_owned()),
            },
        },
    }
}
