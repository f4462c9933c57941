//! Selection of the handler of a task.
use super::invocation::{invoke_function, invoked_function};
use super::pattern::matches_pattern;
use super::{
    PerformResult, Performer, Request, Task, blocking_fn, handler_fn, storage, task_fn,
    uncancelled_task_fn, value_fn,
};
use crate::runtime::ExecutionId;
use crate::{
    Integration, IntoTaskError, Program, ProgramTask, Resource, StorageRequest, TaskAnswer,
    TaskError, TaskInvocation,
};
use asl_model::function_name;
use futures::FutureExt;
use futures::future::BoxFuture;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::fmt;
use std::future::ready;
use std::sync::Arc;

/// Handlers by resource: one handler of many.
///
/// A route is a "Resource" as written, a pattern of it in which `*` stands for any text, or the name or ARN of a
/// Lambda function. A route of a function stands for the function itself, however it is invoked: by its ARN as the
/// Resource, or by `arn:aws:states:::lambda:invoke` with a "FunctionName". It gets the event ("Payload") and gives the
/// function's result, to which the runtime adds what the integration reports besides. A route of
/// `arn:aws:states:::lambda:invoke` stands for the integration: it gets "FunctionName" and "Payload" and gives all.
///
/// Routes of a resource go before routes of a function, and exact ones before patterns; of several that match, the one
/// given first is taken.
///
/// ```
/// use asl_engine::runtime::TaskHandlers;
/// use serde_json::json;
///
/// let handlers = TaskHandlers::new()
///     .on_value("arn:aws:lambda:us-east-1:123456789012:function:Double", |input| async move {
///         Ok(json!(input["n"].as_i64().unwrap_or(0) * 2))
///     })
///     .on_value("Greet", |input| async move { Ok(json!(format!("hello {}", input["name"]))) })
///     .on_value("arn:aws:states:::sqs:*", |_| async { Ok(json!({"MessageId": "1"})) });
/// ```
#[derive(Default)]
pub struct TaskHandlers {
    routes: Vec<Route>,
    otherwise: Option<Arc<dyn Performer>>,
}

struct Route {
    pattern: String,
    performer: Arc<dyn Performer>,
}

/// The part of a task that a route matched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Subject {
    Resource,
    /// A function that an integration is to invoke.
    InvokedFunction,
}

impl TaskHandlers {
    /// Creates an empty set of handlers.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a route to an async function that takes and returns types of its own, as [`handler_fn`] says.
    ///
    /// ```
    /// use asl_engine::runtime::{TaskError, TaskHandlers};
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Deserialize)]
    /// struct Order { amount: u32 }
    /// #[derive(Serialize)]
    /// struct Receipt { paid: u32 }
    ///
    /// let handlers = TaskHandlers::new().on("charge-card", |order: Order| async move {
    ///     Ok::<_, TaskError>(Receipt { paid: order.amount })
    /// });
    /// ```
    #[must_use]
    pub fn on<F, I, R, O, E>(self, pattern: impl Into<String>, function: F) -> Self
    where
        F: Fn(I) -> R + Send + Sync + 'static,
        I: DeserializeOwned + 'static,
        R: Future<Output = Result<O, E>> + Send + 'static,
        O: Serialize + 'static,
        E: IntoTaskError + 'static,
    {
        self.route(pattern, handler_fn(function))
    }

    /// Adds a route to an async closure from payload to result, both JSON, as [`value_fn`] says. Its parameter needs no type.
    #[must_use]
    pub fn on_value<F, R>(self, pattern: impl Into<String>, closure: F) -> Self
    where
        F: Fn(Value) -> R + Send + Sync + 'static,
        R: Future<Output = Result<Value, TaskError>> + Send + 'static,
    {
        self.route(pattern, value_fn(closure))
    }

    /// Adds a route to a function that computes for long or blocks, as [`blocking_fn`] says.
    ///
    /// ```
    /// use asl_engine::OrError;
    /// use asl_engine::runtime::TaskHandlers;
    ///
    /// let handlers = TaskHandlers::new()
    ///     .on_blocking("read-template", |path: String| std::fs::read_to_string(path).or_error("NoTemplate"));
    /// ```
    #[must_use]
    pub fn on_blocking<F, I, O, E>(self, pattern: impl Into<String>, function: F) -> Self
    where
        F: Fn(I) -> Result<O, E> + Send + Sync + 'static,
        I: DeserializeOwned + 'static,
        O: Serialize + 'static,
        E: IntoTaskError + 'static,
    {
        self.route(pattern, blocking_fn(function))
    }

    /// Adds a route to an async closure that gets the whole task, as [`task_fn`] says.
    #[must_use]
    pub fn on_task<F, R, A>(self, pattern: impl Into<String>, closure: F) -> Self
    where
        F: Fn(Task) -> R + Send + Sync + 'static,
        R: Future<Output = Result<A, TaskError>> + Send + 'static,
        A: Into<TaskAnswer> + 'static,
    {
        self.route(pattern, task_fn(closure))
    }

    /// Adds a route to an async closure that gets the whole task and may clean up once it is cancelled, as
    /// [`uncancelled_task_fn`] says.
    #[must_use]
    pub fn on_task_uncancelled<F, R, A>(self, pattern: impl Into<String>, closure: F) -> Self
    where
        F: Fn(Task) -> R + Send + Sync + 'static,
        R: Future<Output = Result<A, TaskError>> + Send + 'static,
        A: Into<TaskAnswer> + 'static,
    {
        self.route(pattern, uncancelled_task_fn(closure))
    }

    /// Adds a route to a [`TaskHandler`](super::TaskHandler), or to any performer.
    #[must_use]
    pub fn route(mut self, pattern: impl Into<String>, performer: impl Performer) -> Self {
        self.routes.push(Route {
            pattern: pattern.into(),
            performer: Arc::new(performer),
        });
        self
    }

    /// Sets the performer for tasks without a route, and for object stores. Without it, such a task fails with
    /// States.TaskFailed.
    #[must_use]
    pub fn otherwise(mut self, performer: impl Performer) -> Self {
        self.otherwise = Some(Arc::new(performer));
        self
    }

    /// Returns the patterns that no task of a program has: perhaps misspelt. A task whose function is named as it runs may
    /// be any.
    ///
    /// ```
    /// use asl_engine::{Program, runtime::TaskHandlers};
    /// let program = Program::parse(r#"{"StartAt": "A", "States": {"A": {"Type": "Task",
    ///     "Resource": "arn:aws:lambda:us-east-1:123456789012:function:Double", "End": true}}}"#)?;
    /// let handlers = TaskHandlers::new().on_value("Double", |n| async { Ok(n) }).on_value("Duoble", |n| async { Ok(n) });
    /// assert_eq!(handlers.unmatched_patterns(&program), ["Duoble"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn unmatched_patterns(&self, program: &Program) -> Vec<&str> {
        let mut unmatched: Vec<&str> = self.routes.iter().map(|route| &*route.pattern).collect();
        for task in program.tasks() {
            let function = task.function_name();
            let integration = task.resource().integration();
            if function.is_none() && integration.is_some_and(Integration::invokes_function) {
                return Vec::new();
            }
            let function = function.map(|name| [Some(name), function_name(name)]);
            let own = [
                Some(task.resource().uri.as_str()),
                task.resource().function_name(),
            ];
            let names = || own.iter().chain(function.iter().flatten()).flatten();
            unmatched.retain(|pattern| {
                !names().any(|name| pattern == name || matches_pattern(pattern, name))
            });
        }
        unmatched
    }

    fn find(&self, resource: &Resource, payload: &Value) -> Option<(&Route, Subject)> {
        let own = [Some(resource.uri.as_str()), resource.function_name()];
        let invoked = invoked_function(resource, payload);
        let invoked = [invoked, invoked.and_then(function_name)];
        let subjects = [
            (Subject::Resource, own),
            (Subject::InvokedFunction, invoked),
        ];
        let matching = |test: fn(&str, &str) -> bool| {
            subjects.iter().find_map(|(subject, names)| {
                let matches = |route: &&Route| {
                    names
                        .iter()
                        .flatten()
                        .any(|name| test(&route.pattern, name))
                };
                Some((self.routes.iter().find(matches)?, *subject))
            })
        };
        matching(|pattern, name| pattern == name).or_else(|| matching(matches_pattern))
    }
}

impl fmt::Debug for TaskHandlers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let routes = self.routes.iter().map(|route| &route.pattern);
        f.debug_list().entries(routes).finish()
    }
}

impl Performer for TaskHandlers {
    fn perform(&self, request: Request) -> BoxFuture<'static, PerformResult> {
        let task = match (request, &self.otherwise) {
            (Request::Task(task), _) => task,
            (request, Some(performer)) => return performer.perform(request),
            (Request::Storage(task), None) => {
                return ready(Err(storage::refusal(task.request()))).boxed();
            }
        };
        match (self.find(task.resource(), task.payload()), &self.otherwise) {
            (Some((route, Subject::Resource)), _) => route.performer.perform(task.into()),
            (Some((route, Subject::InvokedFunction)), _) => {
                invoke_function(&*route.performer, task)
            }
            (None, Some(performer)) => performer.perform(task.into()),
            (None, None) => {
                let function = invoked_function(task.resource(), task.payload());
                let cause = no_handler(task.state_name(), &task.resource().uri, function);
                ready(Err(TaskError::failed(cause))).boxed()
            }
        }
    }

    fn can_perform(&self, task: &ProgramTask<'_>) -> bool {
        let function = task.function_name();
        let known = function.map_or(Value::Null, |name| json!({"FunctionName": name}));
        if let Some((route, _)) = self.find(task.resource(), &known) {
            return route.performer.can_perform(task);
        }
        // A function that is named as it runs may be any of those that have routes.
        let invokes = task.resource().integration();
        let invokes = invokes.is_some_and(Integration::invokes_function);
        let may_be_found = invokes && function.is_none() && !self.routes.is_empty();
        let otherwise = self.otherwise.as_ref();
        may_be_found || otherwise.is_some_and(|performer| performer.can_perform(task))
    }

    fn can_perform_storage(&self, request: &StorageRequest) -> bool {
        let otherwise = self.otherwise.as_ref();
        otherwise.is_some_and(|performer| performer.can_perform_storage(request))
    }

    fn follows(&self, task: &TaskInvocation) -> bool {
        let otherwise = self.otherwise.as_ref();
        match self.find(&task.resource, &task.payload) {
            Some((route, Subject::Resource)) => route.performer.follows(task),
            Some((_, Subject::InvokedFunction)) => false,
            None => otherwise.is_some_and(|performer| performer.follows(task)),
        }
    }

    fn execution_ended(&self, root: ExecutionId) {
        let performers = self.routes.iter().map(|route| &route.performer);
        for performer in performers.chain(&self.otherwise) {
            performer.execution_ended(root);
        }
    }
}

/// Returns the message for a task without a route.
pub(in crate::runtime) fn no_handler(
    state_name: &str,
    resource: &str,
    function: Option<&str>,
) -> String {
    let route = function.unwrap_or(resource);
    format!(
        "no handler for the resource `{resource}` of state `{state_name}`: give one with `TaskHandlers::on(\"{route}\", …)`"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const FUNCTION: &str = "arn:aws:lambda:us-east-1:123456789012:function:Double";
    const INVOKE: &str = "arn:aws:states:::lambda:invoke";

    fn find(routes: &[&str], uri: &str, payload: Value) -> Option<(String, Subject)> {
        let handlers = routes.iter().fold(TaskHandlers::new(), |handlers, route| {
            handlers.on_value(*route, |_| async { Ok(Value::Null) })
        });
        let (route, subject) = handlers.find(&Resource::parse(uri), &payload)?;
        Some((route.pattern.clone(), subject))
    }

    #[test]
    fn a_function_is_found_by_name_and_arn_however_it_is_invoked() {
        for route in ["Double", FUNCTION, "arn:aws:lambda:*:Double"] {
            let found = find(&[route], FUNCTION, Value::Null);
            assert_eq!(
                found,
                Some((route.to_owned(), Subject::Resource)),
                "{route}"
            );
            let found = find(&[route], INVOKE, json!({"FunctionName": FUNCTION}));
            assert_eq!(
                found,
                Some((route.to_owned(), Subject::InvokedFunction)),
                "{route}"
            );
        }
        let qualified = format!("{FUNCTION}:$LATEST");
        assert!(find(&["Double"], &qualified, Value::Null).is_some());
        assert!(find(&["Double"], INVOKE, json!({"FunctionName": "Double:live"})).is_some());
        assert!(find(&["Double"], INVOKE, json!({"FunctionName": "Triple"})).is_none());
        assert!(
            find(
                &["Double"],
                "arn:aws:states:::sqs:sendMessage",
                json!({"FunctionName": "Double"})
            )
            .is_none()
        );
    }

    #[test]
    fn resources_go_before_functions_and_exact_routes_before_patterns() {
        let payload = json!({"FunctionName": "Double"});
        let found = find(&["Double", "*", INVOKE], INVOKE, payload.clone());
        assert_eq!(found, Some((INVOKE.to_owned(), Subject::Resource)));
        let found = find(&["*", "Double"], INVOKE, payload.clone());
        assert_eq!(found, Some(("Double".to_owned(), Subject::InvokedFunction)));
        let found = find(&["arn:aws:sns:*", "arn:*", "*"], INVOKE, payload);
        assert_eq!(found, Some(("arn:*".to_owned(), Subject::Resource)));
    }
}
