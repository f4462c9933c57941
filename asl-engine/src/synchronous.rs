//! The smallest host: one thread, a virtual clock, and a closure for tasks.
//!
//! [`drive`] shows the duties of every host: poll an execution, perform its requests, and apply the results. It needs no
//! async runtime, and runs tests and benchmarks of the core.
use crate::error_output::ErrorOutput;
use crate::tree::{ExecutionTree, TreeAction, TreeShare};
use crate::{
    Answer, Effect, EffectId, Execution, Input, Outcome, Output, PendingEffect, Program, Start,
    StorageRequest, StorageResult, TaskAnswer, TaskError, TaskInvocation,
};
use asl_model::Timestamp;
use serde_json::Value;
use std::collections::BTreeMap;

/// Performs effects for [`drive_with`].
pub trait SynchronousHost {
    /// Does a task.
    ///
    /// # Errors
    /// The failure of the task.
    fn invoke_task(&mut self, invocation: &TaskInvocation) -> Result<Value, TaskError>;

    /// Reads from or writes to an object store.
    ///
    /// # Errors
    /// Why it could not: the cause of States.ItemReaderFailed or States.ResultWriterFailed. So it is where this method
    /// is not written.
    fn perform_storage(&mut self, request: &StorageRequest) -> Result<StorageResult, String> {
        Err(format!(
            "bucket `{}` cannot be reached: this host has no object store",
            request.bucket
        ))
    }
}

impl<F> SynchronousHost for F
where
    F: FnMut(&TaskInvocation) -> Result<Value, TaskError>,
{
    fn invoke_task(&mut self, invocation: &TaskInvocation) -> Result<Value, TaskError> {
        self(invocation)
    }
}

/// Runs an execution to its end. Tasks are done and answered at once, in the order in which they are requested; time passes
/// only if everything waits, and then by a jump. Children of a distributed Map run one after the other.
///
/// An execution that waits for something that never comes (it cannot, with this host) is stopped.
///
/// ```
/// use asl_engine::{Outcome, Program, Start, drive};
/// use asl_model::Timestamp;
/// use serde_json::json;
///
/// let definition = json!({"StartAt": "Wait", "States": {
///     "Wait": {"Type": "Wait", "Seconds": 2_592_000, "Next": "Double"},
///     "Double": {"Type": "Task", "Resource": "arn:aws:lambda:us-east-1:123456789012:function:Double", "End": true},
/// }});
/// let (machine, _warnings) = asl_model::parse_value(&definition, asl_model::Options::default()).map_err(|_| "faults")?;
/// let program = Program::compile(&machine)?;
/// let start = Start::new("first", json!({"n": 21}), Timestamp::from_milliseconds(0));
/// let outcome = drive(program, start, |task: &asl_engine::TaskInvocation| {
///     Ok(json!(task.payload["n"].as_i64().unwrap_or(0) * 2))
/// });
/// assert_eq!(outcome, Outcome::Succeeded(json!(42).into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn drive(
    program: impl Into<Program>,
    start: Start,
    task: impl FnMut(&TaskInvocation) -> Result<Value, TaskError>,
) -> Outcome {
    drive_with(program, start, task)
}

/// Runs an execution to its end as [`drive`] does, with an object store.
pub fn drive_with(
    program: impl Into<Program>,
    start: Start,
    mut host: impl SynchronousHost,
) -> Outcome {
    let now = start.now;
    let mut driver = Driver {
        now,
        tree: ExecutionTree::new(&start.limits),
        running: RunningExecution::new(Execution::start(program, start)),
        parents: Vec::new(),
    };
    loop {
        match driver.running.execution.poll_output() {
            Output::Wait { until } => driver.wait(until),
            Output::Done(outcome) if driver.parents.is_empty() => return outcome,
            Output::Done(outcome) => driver.end_child(outcome),
            effect => driver.perform(effect, &mut host),
        }
    }
}

struct Driver {
    now: Timestamp,
    tree: ExecutionTree,
    running: RunningExecution,
    /// Those that wait for the running child, outermost first: a stack of its own, so that nesting costs no other.
    parents: Vec<(RunningExecution, EffectId)>,
}

/// An execution, and the children that it requested.
struct RunningExecution {
    execution: Execution,
    share: TreeShare,
    children: BTreeMap<EffectId, Box<crate::ChildExecution>>,
}

impl RunningExecution {
    fn new(execution: Execution) -> Self {
        Self {
            execution,
            share: TreeShare::default(),
            children: BTreeMap::new(),
        }
    }
}

impl Driver {
    /// Continues with an available input, a child, or a later time.
    fn wait(&mut self, until: Option<Timestamp>) {
        if let Some(input) = self.excess() {
            return self.fail(input);
        }
        if let Some((_, child)) = self.running.children.pop_first() {
            return self.enter(*child);
        }
        let input = match until {
            Some(until) => {
                self.now = self.now.max(until);
                Input::TimePassed
            }
            None => Input::Stop(ErrorOutput::without_name(
                "nothing is left that it could wait for",
            )),
        };
        self.apply_input(input);
    }

    fn enter(&mut self, mut child: crate::ChildExecution) {
        let id = child.id;
        child.start.now = self.now;
        let program = self.running.execution.program().clone();
        let child = RunningExecution::new(Execution::start_child(program, child, None));
        self.parents
            .push((std::mem::replace(&mut self.running, child), id));
    }

    /// Returns the input that fails the host's execution if it and its parents use too much together.
    fn excess(&mut self) -> Option<Input> {
        let running = &mut self.running;
        if self.parents.is_empty() && running.children.is_empty() {
            return None;
        }
        let mut noted = self.tree.note(&mut running.share, &running.execution, 1);
        if noted == TreeAction::ToBeCounted {
            let parents = self.parents.iter_mut().map(|(parent, _)| parent);
            for one in parents.chain([running]) {
                self.tree.count(&mut one.share, &one.execution);
            }
            noted = self.tree.record_count();
        }
        match noted {
            TreeAction::Exceeded(input) => Some(input),
            TreeAction::Within | TreeAction::ToBeCounted => None,
        }
    }

    fn end_child(&mut self, outcome: Outcome) {
        // It may have come to its end without ever having waited.
        if let Some(input) = self.excess() {
            return self.fail(input);
        }
        let Some((parent, id)) = self.parents.pop() else {
            return;
        };
        self.tree.leave(&mut self.running.share);
        self.running = parent;
        self.apply_input(Input::ChildExecutionEnded { id, outcome });
    }

    fn apply_input(&mut self, input: Input) {
        self.running.execution.handle_input(self.now, input);
    }

    fn apply_answer(&mut self, effect: Effect, answer: Result<Answer, TaskError>) {
        if let Err(error) = &answer
            && let Some(input) = error.failing_input()
        {
            return self.fail(input);
        }
        let mut pending = PendingEffect::new(effect);
        if let Some(input) = pending.record_start() {
            self.apply_input(input);
        }
        for input in pending.record_answer(answer) {
            self.apply_input(input);
        }
    }

    /// Ends the outermost execution, and with it all others.
    fn fail(&mut self, input: Input) {
        if let Some((outermost, _)) = self.parents.drain(..).next() {
            self.running = outermost;
        }
        self.apply_input(input);
    }

    fn perform(&mut self, effect: Output, host: &mut impl SynchronousHost) {
        match effect {
            Output::InvokeTask(invocation) => {
                let answer = host.invoke_task(&invocation);
                let answer = answer.map(|output| TaskAnswer::Completed(output).into());
                self.apply_answer(Effect::Task(invocation), answer);
            }
            Output::Storage(request) => {
                let answer = host.perform_storage(&request);
                let answer = answer.map(Answer::Storage).map_err(TaskError::failed);
                self.apply_answer(Effect::Storage(request), answer);
            }
            Output::StartChildExecution(child) => {
                self.running.children.insert(child.id, child);
            }
            Output::StopChildExecution { id } => {
                self.running.children.remove(&id);
            }
            // A cancelled task's answer is stale, which the execution sees itself; events are for others.
            Output::CancelTask { .. }
            | Output::Event(_)
            | Output::Wait { .. }
            | Output::Done(_) => {}
        }
    }
}
