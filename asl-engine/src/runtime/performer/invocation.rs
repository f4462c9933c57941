//! Functions that the integration `lambda:invoke` is to invoke: their handlers know only the event and the result.
use super::{EffectHost, PerformResult, Performer, Task};
use crate::runtime::{RunningExecution, RuntimeHandle};
use crate::{Answer, IntegrationPattern, Resource, TaskAnswer};
use asl_model::Timestamp;
use asl_path::json::{self, DEFAULT_MAX_DEPTH};
use futures::FutureExt;
use futures::future::BoxFuture;
use serde_json::{Map, Value, json};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

/// Returns the "FunctionName" of a task of `lambda:invoke`.
pub(super) fn invoked_function<'a>(resource: &Resource, payload: &'a Value) -> Option<&'a str> {
    match resource.integration() {
        Some(integration) if integration.invokes_function() => {
            payload.get("FunctionName")?.as_str()
        }
        _ => None,
    }
}

/// Passes its event to the function, and converts its result to the shape of the integration.
pub(super) fn invoke_function(
    performer: &dyn Performer,
    task: Task,
) -> BoxFuture<'static, PerformResult> {
    let event = event(task.payload().get("Payload"));
    let integration = task.resource().integration();
    let at_once = integration.is_some_and(|it| it.pattern == IntegrationPattern::RequestResponse);
    let task = task.with(event, |host| Arc::new(IntegrationHost(host)));
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

/// Recorded from the service: no "Payload" and null are an empty object, and a string that is JSON goes to the function as it is.
fn event(payload: Option<&Value>) -> Value {
    match payload {
        None | Some(Value::Null) => Value::Object(Map::new()),
        Some(Value::String(text)) => {
            json::parse(text, DEFAULT_MAX_DEPTH).unwrap_or_else(|_| text.as_str().into())
        }
        Some(payload) => payload.clone(),
    }
}

fn invocation_answer(result: Value) -> Value {
    json!({"ExecutedVersion": "$LATEST", "Payload": result, "StatusCode": 200})
}

/// The host of a function's task, which hears the function's first answer as that of the integration.
struct IntegrationHost(Arc<dyn EffectHost>);

impl EffectHost for IntegrationHost {
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

    fn runtime(&self) -> Option<RuntimeHandle> {
        self.0.runtime()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_the_payload_or_what_its_text_says() {
        assert_eq!(event(None), json!({}));
        assert_eq!(event(Some(&Value::Null)), json!({}));
        assert_eq!(event(Some(&json!([1]))), json!([1]));
        assert_eq!(event(Some(&json!("{\"a\": 1}"))), json!({"a": 1}));
        assert_eq!(event(Some(&json!("\"a\""))), json!("a"));
        assert_eq!(event(Some(&json!("a"))), json!("a"));
    }
}
