//! Drives the execution.
use asl_engine::{Execution, HistoryEvent, Input, Outcome, Output, Program, Start};
use asl_model::Timestamp;
use std::sync::Arc;

/// How the execution went.
pub(crate) struct Ended {
    pub(crate) outcome: Outcome,
    pub(crate) stop_date: Timestamp,
    pub(crate) transitions: u64,
    pub(crate) events: Vec<HistoryEvent>,
}

/// Runs to the end.
pub(crate) fn drive(program: Arc<Program>, start: Start) -> Ended {
    let mut now = start.now;
    let mut execution = Execution::start(program, start);
    let mut events = Vec::new();
    let outcome = loop {
        match execution.poll_output() {
            Output::Event(event) => events.push(*event),
            Output::InvokeTask(invocation) => execution.handle_input(
                now,
                Input::TaskFailed {
                    id: invocation.id,
                    error: Some("States.TaskFailed".to_owned()),
                    cause: Some("nobody does this task".to_owned()),
                },
            ),
            Output::Wait { until } => {
                now = now.max(until.unwrap_or(now));
                execution.handle_input(now, Input::TimePassed);
            }
            Output::Done(outcome) => break outcome,
            _ => {}
        }
    };
    Ended {
        outcome,
        stop_date: now,
        transitions: execution.transitions(),
        events,
    }
}
