//! Which handler a task goes to.
use super::{Answered, EffectHost, Performer, Request, Task, handler_fn, storage, task_fn};
use crate::runtime::{ExecutionId, RunningExecution};
use crate::{
    Answer, Integration, IntegrationPattern, ProgramTask, Resource, TaskAnswer, TaskError,
};
use asl_model::{Timestamp, function_name};
use futures::FutureExt;
use futures::future::BoxFuture;
use serde_json::{Map, Value, json};
use std::fmt;
use std::future::ready;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

/// Handlers by resource: one handler of many.
///
/// A route is a "Resource" as written, a pattern of it in which `*` stands for any text, or the name or ARN of a
/// Lambda function. A route of a function stands for the function itself, however it is invoked: by its ARN as the
/// Resource, or by `arn:aws:states:::lambda:invoke` with a "FunctionName". It gets the event ("Payload") and gives the
/// function's result, to which the runtime adds what the integration tells besides. A route of
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
///     .on("arn:aws:lambda:us-east-1:123456789012:function:Double", |input| async move {
///         Ok(json!(input["n"].as_i64().unwrap_or(0) * 2))
///     })
///     .on("Greet", |input| async move { Ok(json!(format!("hello {}", input["name"]))) })
///     .on("arn:aws:states:::sqs:*", |_| async { Ok(json!({"MessageId": "1"})) });
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

/// What of a task a route matched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Subject {
    Resource,
    /// A function that an integration is to invoke.
    InvokedFunction,
}

impl TaskHandlers {
    /// No routes.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a route to an async closure from payload to result.
    #[must_use]
    pub fn on<F, R>(self, pattern: impl Into<String>, closure: F) -> Self
    where
        F: Fn(Value) -> R + Send + Sync + 'static,
        R: Future<Output = Result<Value, TaskError>> + Send + 'static,
    {
        self.route(pattern, handler_fn(closure))
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

    /// Adds a route to a [`TaskHandler`](super::TaskHandler), or to any performer.
    #[must_use]
    pub fn route(mut self, pattern: impl Into<String>, performer: impl Performer) -> Self {
        self.routes.push(Route {
            pattern: pattern.into(),
            performer: Arc::new(performer),
        });
        self
    }

    /// What is asked where no route matches, and for what concerns object stores; without it such a task fails with
    /// States.TaskFailed.
    #[must_use]
    pub fn otherwise(mut self, performer: impl Performer) -> Self {
        self.otherwise = Some(Arc::new(performer));
        self
    }

    /// Whether a route matches a task of `resource`; `payload` as far as it is known ("Parameters" or "Arguments" of
    /// the state), for the function's name in it.
    pub fn handles(&self, resource: &Resource, payload: &Value) -> bool {
        self.find(resource, payload).is_some()
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
    fn perform(&self, request: Request) -> BoxFuture<'static, Answered> {
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

    fn execution_ended(&self, root: ExecutionId) {
        let performers = self.routes.iter().map(|route| &route.performer);
        for performer in performers.chain(&self.otherwise) {
            performer.execution_ended(root);
        }
    }
}

/// What to say of a task that no route leads from.
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

/// The "FunctionName" of a task of `lambda:invoke`.
fn invoked_function<'a>(resource: &Resource, payload: &'a Value) -> Option<&'a str> {
    match resource.integration() {
        Some(integration) if integration.invokes_function() => {
            payload.get("FunctionName")?.as_str()
        }
        _ => None,
    }
}

/// Gives the function its event, and what it answers the shape of the integration's answer.
fn invoke_function(performer: &dyn Performer, task: Task) -> BoxFuture<'static, Answered> {
    let event = task.payload().get("Payload").cloned();
    let event = event.unwrap_or_else(|| Value::Object(Map::new()));
    let integration = task.resource().integration();
    let at_once = integration.is_some_and(|it| it.pattern == IntegrationPattern::RequestResponse);
    let task = task.with(event, |host| Arc::new(Integrated(host)));
    let answer = performer.perform(task.into());
    answer
        .map(move |answer| match answer {
            Ok(Answer::Task(TaskAnswer::Completed(result))) if at_once => {
                Ok(TaskAnswer::Completed(invocation_answer(result)).into())
            }
            Ok(Answer::Task(TaskAnswer::Submitted(result))) => {
                Ok(TaskAnswer::Submitted(invocation_answer(result)).into())
            }
            other => other,
        })
        .boxed()
}

fn invocation_answer(result: Value) -> Value {
    json!({"ExecutedVersion": "$LATEST", "Payload": result, "StatusCode": 200})
}

/// The host of a function's task, which hears the function's first answer as that of the integration.
struct Integrated(Arc<dyn EffectHost>);

impl EffectHost for Integrated {
    fn execution(&self) -> &RunningExecution {
        self.0.execution()
    }

    fn now(&self) -> Timestamp {
        self.0.now()
    }

    fn token(&self) -> String {
        self.0.token()
    }

    fn heartbeat(&self) {
        self.0.heartbeat();
    }

    fn submit(&self, output: Value) {
        self.0.submit(invocation_answer(output));
    }

    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }

    fn poll_cancelled(&self, context: &mut Context<'_>) -> Poll<()> {
        self.0.poll_cancelled(context)
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'_, ()> {
        self.0.sleep(duration)
    }
}

/// Whether `text` is `pattern`, each `*` of which stands for any text. Takes at most their lengths' product of steps.
fn matches_pattern(pattern: &str, text: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else {
        return pattern == text;
    };
    let Some(mut text) = text.strip_prefix(start) else {
        return false;
    };
    let mut pieces = rest.split('*').peekable();
    while let Some(piece) = pieces.next() {
        if pieces.peek().is_none() {
            return text.ends_with(piece);
        }
        match text.find(piece) {
            Some(at) => text = &text[at + piece.len()..],
            None => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const FUNCTION: &str = "arn:aws:lambda:us-east-1:123456789012:function:Double";
    const INVOKE: &str = "arn:aws:states:::lambda:invoke";

    fn find(routes: &[&str], uri: &str, payload: Value) -> Option<(String, Subject)> {
        let handlers = routes.iter().fold(TaskHandlers::new(), |handlers, route| {
            handlers.on(*route, |_| async { Ok(Value::Null) })
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

    /// The meaning of a pattern, plainly.
    fn model(pattern: &[char], text: &[char]) -> bool {
        match (pattern.split_first(), text.split_first()) {
            (None, None) => true,
            (Some((&'*', rest)), _) => {
                model(rest, text) || !text.is_empty() && model(pattern, &text[1..])
            }
            (Some((p, pattern)), Some((t, text))) => p == t && model(pattern, text),
            _ => false,
        }
    }

    proptest! {
        #[test]
        fn patterns_match_as_the_model_does(pattern in "[ab*]{0,8}", text in "[ab]{0,10}") {
            let (p, t): (Vec<char>, Vec<char>) = (pattern.chars().collect(), text.chars().collect());
            prop_assert_eq!(matches_pattern(&pattern, &text), model(&p, &t));
        }
    }
}
