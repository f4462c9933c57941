//! Performing tasks by mocks.
use super::choice::{CountedMock, TaskCall};
use super::plan::Externals;
use super::{Action, Answer, nested};
use crate::record::{Place, Recorder};
use asl_engine::runtime::{
    BoxFuture, ExecutionId, PerformResult, Performer, Request, Task, TaskHandlers,
};
use asl_engine::{Answer as EngineAnswer, ErrorOutput, IntegrationPattern, TaskAnswer, TaskError};
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::fmt;
use std::future::ready;
use std::sync::Arc;
use std::time::Duration;

/// Longer than anything waits.
const NEVER: Duration = Duration::from_secs(300 * 366 * 24 * 60 * 60);

/// Performs the tasks of a case: by mocks of states, then mocks of resources, then the other handlers.
pub(crate) struct Mocks {
    by_state: HashMap<String, Arc<CountedMock>>,
    routes: TaskHandlers,
    external: Externals,
    recorder: Arc<Recorder>,
}

impl Mocks {
    pub(super) fn new(
        by_state: HashMap<String, Arc<CountedMock>>,
        routes: TaskHandlers,
        external: Externals,
        recorder: &Arc<Recorder>,
    ) -> Self {
        Self {
            by_state,
            routes,
            external,
            recorder: Arc::clone(recorder),
        }
    }
}

impl fmt::Debug for Mocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.by_state.keys()).finish()
    }
}

impl Performer for Mocks {
    fn perform(&self, request: Request) -> BoxFuture<'static, PerformResult> {
        let task = match request {
            Request::Task(task) => task,
            request @ Request::Storage(_) => return self.routes.perform(request),
        };
        let place = self.recorder.record_call(&task);
        match self.by_state.get(task.state_name()) {
            Some(mock) => answer(mock, task, &place, &self.external, &self.recorder),
            None => self.routes.perform(task.into()),
        }
    }

    fn execution_ended(&self, root: ExecutionId) {
        self.routes.execution_ended(root);
    }
}

/// A mock of a resource; its payload may be the event of a function.
pub(super) struct ResourceMock {
    mock: Arc<CountedMock>,
    external: Externals,
    recorder: Arc<Recorder>,
}

impl ResourceMock {
    pub(super) fn new(
        mock: Arc<CountedMock>,
        external: &Externals,
        recorder: &Arc<Recorder>,
    ) -> Self {
        Self {
            mock,
            external: Arc::clone(external),
            recorder: Arc::clone(recorder),
        }
    }

    pub(super) fn target(&self) -> String {
        self.mock.target().to_owned()
    }
}

impl Performer for ResourceMock {
    fn perform(&self, request: Request) -> BoxFuture<'static, PerformResult> {
        match request {
            Request::Task(task) => {
                let place = self.recorder.place_of(&task);
                answer(&self.mock, task, &place, &self.external, &self.recorder)
            }
            request @ Request::Storage(_) => TaskHandlers::new().perform(request),
        }
    }
}

/// Fails the execution at a task that has no mock.
pub(super) struct UnmockedTasks(pub(super) Arc<Recorder>);

impl Performer for UnmockedTasks {
    fn perform(&self, request: Request) -> BoxFuture<'static, PerformResult> {
        match request {
            Request::Task(task) => {
                let (state, resource) = (task.state_name(), &task.resource().uri);
                let message = format!(
                    "the task of state `{state}` ({resource}) has no mock: add `{state}` to the mocks"
                );
                Box::pin(ready(Err(gap(&self.0, &message, &Place::default()))))
            }
            request @ Request::Storage(_) => TaskHandlers::new().perform(request),
        }
    }
}

/// Returns the error for a missing result: it fails the item of a Map, or else the execution, so that no Catch hides it. The
/// case fails in both ways.
fn gap(recorder: &Recorder, message: &str, place: &Place) -> TaskError {
    recorder.gap(message);
    match place.item() {
        Some(_) => TaskError::failed(message),
        None => TaskError::new("States.Runtime", message).failing_the_execution(),
    }
}

fn answer(
    mock: &CountedMock,
    task: Task,
    place: &Arc<Place>,
    external: &Externals,
    recorder: &Recorder,
) -> BoxFuture<'static, PerformResult> {
    let called = TaskCall {
        state: &task.invocation().state_name,
        place,
        payload: task.payload(),
    };
    match mock.choose(&called) {
        Ok(answer) => act(answer, task, mock.target(), external),
        Err(message) => Box::pin(ready(Err(gap(recorder, &message, place)))),
    }
}

fn act(
    answer: &Answer,
    task: Task,
    target: &str,
    external: &Externals,
) -> BoxFuture<'static, PerformResult> {
    let delay = answer.delay;
    let answered = match &answer.action {
        Action::Return(value) => Ok(TaskAnswer::Completed(value.clone()).into()),
        Action::Throw { error, cause } => Err(thrown(error.clone(), cause.clone())),
        Action::Never => return Box::pin(never(task)),
        Action::External(text) => return by(external.get(text), task, delay),
        Action::Machine(definition) => {
            let key = nested::key(target, definition);
            return by(external.get(&key), task, delay);
        }
        Action::Handler(handler) => return by(Some(&handler.0), task, delay),
    };
    if delay.is_zero() {
        return Box::pin(ready(answered));
    }
    Box::pin(async move {
        task.sleep(delay).await;
        answered
    })
}

/// Delays the result of another performer.
fn by(
    handler: Option<&Arc<dyn Performer>>,
    task: Task,
    delay: Duration,
) -> BoxFuture<'static, PerformResult> {
    let Some(handler) = handler.map(Arc::clone) else {
        // The plan has one for each.
        return Box::pin(ready(Err(TaskError::failed("the mock has no handler"))));
    };
    Box::pin(async move {
        if !delay.is_zero() {
            task.sleep(delay).await;
        }
        handler.perform(task.into()).await
    })
}

fn thrown(error: Option<String>, cause: Option<String>) -> TaskError {
    let mut thrown = TaskError::without_cause("");
    thrown.error_output = ErrorOutput { error, cause };
    thrown
}

/// A job or a callback was at least begun.
async fn never(task: Task) -> Result<EngineAnswer, TaskError> {
    let pattern = task.resource().integration().map(|it| it.pattern);
    if pattern.is_some_and(|pattern| pattern != IntegrationPattern::RequestResponse) {
        task.submit(Value::Object(Map::new()));
    }
    task.sleep(NEVER).await;
    Err(TaskError::failed(
        "the mock never answers, and the task did not end for 300 years: add a timeout",
    )
    .failing_the_execution())
}
