//! Checks of a runtime before it runs an execution.
use super::performer::{Performer, no_handler};
use crate::error_output::ErrorOutput;
use crate::{Execution, Input, Program, Start};
use asl_model::Timestamp;
use std::fmt;
use std::sync::Weak;

/// The Error Name of an execution that was refused.
const REFUSED: &str = "States.Runtime";

/// Data for the checks before an execution runs.
pub(super) struct Admission {
    /// The performer may hold the runtime's handle, and is dropped with the event loops.
    pub(super) performer: Weak<dyn Performer>,
    /// True if an observer wants every history.
    pub(super) records_history: bool,
    /// True if an execution of a program with unhandled tasks fails at once.
    pub(super) refuses_unhandled_tasks: bool,
}

/// Tasks of a program that no handler of a runtime would do. It is printed for people, and `{:?}` prints the same, so that
/// an error that leaves `main` can be read.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
pub struct UnhandledTasks(Vec<UnhandledTask>);

/// A task that no handler of a runtime would do.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnhandledTask {
    /// The state's name.
    pub state_name: String,
    /// Value of "Resource", as written.
    pub resource: String,
    /// "FunctionName", where the resource invokes a function that the definition names.
    pub function_name: Option<String>,
}

impl Admission {
    /// Checks that all tasks have a handler; the error lists those without one.
    pub(super) fn check(&self, program: &Program) -> Result<(), UnhandledTasks> {
        let Some(performer) = self.performer.upgrade() else {
            return Ok(());
        };
        let unhandled = program.tasks().filter(|task| !performer.can_perform(task));
        let unhandled: Vec<_> = unhandled
            .map(|task| UnhandledTask {
                state_name: task.state_name().to_owned(),
                resource: task.resource().uri.clone(),
                function_name: task.function_name().map(str::to_owned),
            })
            .collect();
        match unhandled.is_empty() {
            true => Ok(()),
            false => Err(UnhandledTasks(unhandled)),
        }
    }

    /// Returns the start of an execution at `now`.
    pub(super) fn start(&self, start: Start, now: Timestamp) -> Start {
        Start {
            now,
            record_history: start.record_history || self.records_history,
            ..start
        }
    }

    /// Ends an execution before it runs, if it must not run.
    pub(super) fn refuse(&self, execution: &mut Execution) {
        if !self.refuses_unhandled_tasks {
            return;
        }
        if let Err(unhandled) = self.check(execution.program()) {
            let error_output = ErrorOutput::new(REFUSED, unhandled.to_string());
            execution.handle_input(execution.now(), Input::Fail(error_output));
        }
    }
}

impl UnhandledTasks {
    /// Iterates over the tasks in the order of the definition. There is at least one.
    pub fn iter(&self) -> impl Iterator<Item = &UnhandledTask> {
        self.0.iter()
    }
}

impl fmt::Display for UnhandledTasks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, task) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{task}")?;
        }
        Ok(())
    }
}

impl fmt::Display for UnhandledTask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let function = self.function_name.as_deref();
        f.write_str(&no_handler(&self.state_name, &self.resource, function))
    }
}

debug_as_display!(UnhandledTasks);
