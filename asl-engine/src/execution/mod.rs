//! The sans-IO core: one execution of a program.
//!
//! One way in, [`Execution::handle_input`]; one way out, [`Execution::poll_output`]. No clock, thread, socket or
//! randomness of its own, so the same program, start and inputs give the same outputs, always.

mod assign;
mod choice;
mod context;
mod data;
mod distributed_map;
mod error;
mod error_handling;
mod evaluation;
mod events;
mod fail;
mod fault;
mod flow;
mod input;
mod input_output;
mod items;
mod jsonata;
mod machine;
mod map;
mod map_run;
mod map_run_children;
mod map_run_fields;
pub(crate) mod measure;
mod number_field;
mod output;
mod parallel;
mod pass;
mod random;
mod roots;
mod save;
mod start;
mod state_output;
mod task;
mod task_events;
mod task_request;
mod template;
mod timers;
mod transition;
mod variables;
mod wait;

pub use input::{Input, StorageResult, StoredObject};
pub use output::{
    ChildExecution, EffectId, Output, StorageOperation, StorageRequest, TaskInvocation,
};
pub use save::SavedExecution;
pub use start::Start;

use crate::{Outcome, Program};
use asl_model::Timestamp;
use machine::Machine;
use std::sync::Arc;

/// One execution of a program: pure data and rules.
///
/// Tell it what happened with [`handle_input`](Self::handle_input), then call [`poll_output`](Self::poll_output) and do
/// what it says until it returns [`Output::Wait`] or [`Output::Done`]. Getters may be called at any time.
///
/// ```
/// use asl_engine::{Execution, Outcome, Output, Program, Start};
/// use asl_model::Timestamp;
/// use serde_json::json;
///
/// let definition = json!({"StartAt": "Hello", "States": {"Hello": {"Type": "Pass", "Result": "hello", "End": true}}});
/// let (machine, _warnings) = asl_model::parse_value(&definition, asl_model::Options::default()).map_err(|_| "faults")?;
/// let program = Program::compile(&machine)?;
/// let mut execution = Execution::start(program.into(), Start::new(json!({}), Timestamp::from_milliseconds(0)));
/// assert!(matches!(execution.poll_output(), Output::Done(Outcome::Succeeded(output)) if *output == json!("hello")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Execution {
    program: Arc<Program>,
    machine: Machine,
}

impl Execution {
    /// A new execution, not yet run: poll it.
    pub fn start(program: Arc<Program>, start: Start) -> Self {
        let machine = Machine::new(&program, start, None);
        Self { program, machine }
    }

    /// A child execution of a distributed Map, as [`Output::StartChildExecution`] describes it.
    ///
    /// The program must be that of the parent.
    pub fn start_child(program: Arc<Program>, child: ChildExecution) -> Self {
        let machine = Machine::new(&program, child.start, Some(child.item));
        Self { program, machine }
    }

    /// Tells what happened at `now`; an unknown or stale effect id is ignored, and so is everything after the end.
    pub fn handle_input(&mut self, now: Timestamp, input: Input) {
        self.machine.handle_input(&self.program, now, input);
    }

    /// What the host must do next. Poll until [`Output::Wait`] or [`Output::Done`].
    #[must_use]
    pub fn poll_output(&mut self) -> Output {
        self.machine.poll_output(&self.program)
    }

    /// The program that it runs.
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// How it began.
    pub fn start_parameters(&self) -> &Start {
        self.machine.start()
    }

    /// Transitions made so far: states entered, and retries.
    pub fn transitions(&self) -> u64 {
        self.machine.transitions()
    }

    /// How it ended, once it did.
    pub fn outcome(&self) -> Option<&Outcome> {
        self.machine.outcome()
    }
}
