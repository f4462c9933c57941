//! Answering tasks as a test case says.
use super::configuration::{Responses, TestCase};
use asl_engine::runtime::{
    BoxFuture, ExecutionId, PerformResult, Performer, Request, Task, TaskHandlers,
};
use asl_engine::{Answer, ProgramTask, StorageRequest, TaskAnswer, TaskError, TaskInvocation};
use serde_json::Value;
use std::collections::HashMap;
use std::fmt;
use std::future::ready;
use std::sync::{Arc, Mutex, PoisonError};

/// Answers tasks as a test case of a [`MockConfiguration`](super::MockConfiguration) says, by the name of their state.
///
/// Each state has one count of attempts in each execution that someone started, children of a distributed Map
/// included: every invocation, be it the first, a retry or the next turn of a loop, takes the next answer. Where a
/// listed state has no answer left the execution is stopped, so that no Catch hides a gap in the mocks. States that are
/// not listed, and what concerns object stores, go to the performer given to [`otherwise`](Self::otherwise).
pub struct MockHandler {
    states: TestCase,
    responses: Arc<Responses>,
    otherwise: Arc<dyn Performer>,
    attempts: Mutex<HashMap<ExecutionId, Attempts>>,
}

/// Of each state, how many invocations there were.
type Attempts = HashMap<Arc<str>, u64>;

/// The error that stops an execution whose mocks do not suffice.
const NO_ANSWER: &str = "States.Runtime";

impl MockHandler {
    pub(super) fn new(states: TestCase, responses: Arc<Responses>) -> Self {
        Self {
            states,
            responses,
            otherwise: Arc::new(TaskHandlers::new()),
            attempts: Mutex::default(),
        }
    }

    /// Sets the performer of states that the test case does not list.
    #[must_use]
    pub fn otherwise(mut self, performer: impl Performer) -> Self {
        self.otherwise = Arc::new(performer);
        self
    }

    /// Returns the states that the test case lists.
    pub fn states(&self) -> impl Iterator<Item = &str> {
        self.states.keys().map(String::as_str)
    }

    /// The states that name a response which is not there, each with its name: their tasks stop the execution.
    pub fn missing_responses(&self) -> impl Iterator<Item = (&str, &str)> {
        let missing = |(_, response): &(&String, &String)| !self.responses.contains_key(*response);
        let missing = self.states.iter().filter(missing);
        missing.map(|(state, response)| (state.as_str(), response.as_str()))
    }

    /// Returns true if the test case lists a state.
    pub fn mocks(&self, state_name: &str) -> bool {
        self.states.contains_key(state_name)
    }

    /// Counts an attempt, from 0.
    fn next_attempt(&self, task: &Task) -> u64 {
        let mut attempts = self.attempts.lock().unwrap_or_else(PoisonError::into_inner);
        let attempts = attempts.entry(task.execution().root).or_default();
        let count = attempts
            .entry(Arc::clone(&task.invocation().state_name))
            .or_insert(0);
        let attempt = *count;
        *count += 1;
        attempt
    }

    /// Returns the answer to an attempt that the host counted, from 0; None if the test case does not list the state.
    pub fn answer_attempt(
        &self,
        task: &Task,
        attempt: u64,
    ) -> Option<Result<TaskAnswer, TaskError>> {
        let response = self.states.get(task.state_name())?;
        Some(self.answer(response, task, attempt))
    }

    fn answer(&self, response: &str, task: &Task, attempt: u64) -> Result<TaskAnswer, TaskError> {
        let state = task.state_name();
        let stop = |cause| Err(TaskError::new(NO_ANSWER, cause).failing_the_execution());
        let Some(answers) = self.responses.get(response) else {
            return stop(format!(
                "state `{state}` is mocked by the response `{response}`, which is not among the \"MockedResponses\""
            ));
        };
        let answer = answers.answer(attempt).map(|answer| result(task, answer));
        answer.unwrap_or_else(|| {
            stop(format!(
                "no mocked answer to attempt {attempt} of state `{state}`: the response `{response}` covers {}",
                match answers.attempts() {
                    attempts if attempts.is_empty() => "none".to_owned(),
                    attempts => attempts,
                }
            ))
        })
    }
}

/// Recorded from the service: what a mock of a function returns may be all that Lambda's Invoke answers, of which the task's
/// result is the "Payload".
fn result(task: &Task, answer: Result<TaskAnswer, TaskError>) -> Result<TaskAnswer, TaskError> {
    match answer {
        Ok(TaskAnswer::Completed(Value::Object(mut invocation)))
            if task.resource().function_name().is_some()
                && invocation.get("StatusCode").is_some_and(Value::is_number)
                && invocation.contains_key("Payload") =>
        {
            let payload = invocation.remove("Payload").unwrap_or_default();
            Ok(TaskAnswer::Completed(payload))
        }
        other => other,
    }
}

impl fmt::Debug for MockHandler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MockHandler")
            .field("states", &self.states)
            .finish_non_exhaustive()
    }
}

impl Performer for MockHandler {
    fn perform(&self, request: Request) -> BoxFuture<'static, PerformResult> {
        if let Request::Task(task) = &request
            && let Some(response) = self.states.get(task.state_name())
        {
            let answer = self.answer(response, task, self.next_attempt(task));
            return Box::pin(ready(answer.map(Answer::Task)));
        }
        self.otherwise.perform(request)
    }

    fn can_perform(&self, task: &ProgramTask<'_>) -> bool {
        self.mocks(task.state_name()) || self.otherwise.can_perform(task)
    }

    fn can_perform_storage(&self, request: &StorageRequest) -> bool {
        self.otherwise.can_perform_storage(request)
    }

    fn follows(&self, task: &TaskInvocation) -> bool {
        !self.mocks(&task.state_name) && self.otherwise.follows(task)
    }

    fn execution_ended(&self, root: ExecutionId) {
        self.attempts
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(&root);
        self.otherwise.execution_ended(root);
    }
}
