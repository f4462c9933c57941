//! Functions of AWS Lambda, or of what replaces it, invoked by its Invoke API.
use super::places::Places;
use super::server::{Server, function_error, percent_encoded, while_awaited};
use super::{ExternalHandlers, FunctionInvoker, InvokeRequest, UrlError, answer, lambda_answer};
use crate::task_uuid::task_uuid;
use asl_engine::runtime::{BoxFuture, Task, TaskHandler};
use asl_engine::{
    Integration, IntegrationPattern, OrError as _, ProgramTask, Resource, TaskAnswer, TaskError,
};
use http_body_util::Full;
use hyper::body::Bytes;
use hyper::{Request, Response};
use serde_json::{Map, Value};
use std::fmt;
use std::future::ready;
use std::sync::Arc;

/// Invokes functions by the Invoke API of AWS Lambda: `POST /2015-03-31/functions/NAME/invocations` (AWS Lambda API
/// Reference, Invoke).
///
/// A task whose Resource is a function has its payload as the event, and the function's result as its own. One of
/// `lambda:invoke` has its "Payload" as the event, and gets all that the Invoke API answers, with the headers of the response;
/// with `.waitForTaskToken` that is its first answer. The error of a function fails the task, and so does that of the API, as
/// `Lambda.ResourceNotFoundException` or the like.
///
/// ```
/// use asl_performers::{ExternalHandlers, Lambda};
///
/// let external = ExternalHandlers::new(64);
/// assert!(Lambda::parse("http://localhost:3001", &external).is_ok());
/// assert!(Lambda::parse("https://lambda.us-east-1.amazonaws.com", &external).is_err());
/// ```
#[derive(Clone)]
pub struct Lambda {
    invoker: Arc<dyn FunctionInvoker>,
    places: Arc<Places>,
}

impl fmt::Debug for Lambda {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lambda").finish_non_exhaustive()
    }
}

impl Lambda {
    /// Reads `http://HOST[:PORT][/PATH]`, where the paths of the API begin.
    ///
    /// # Errors
    /// It is no such URL.
    pub fn parse(url: &str, external: &ExternalHandlers) -> Result<Self, UrlError> {
        Ok(Self::new(Arc::new(Server::parse(url)?), external))
    }

    /// Creates one that invokes functions by `invoker`, as many at a time as the handlers of `external` may work.
    pub fn new(invoker: Arc<dyn FunctionInvoker>, external: &ExternalHandlers) -> Self {
        Self {
            invoker,
            places: Arc::clone(&external.places),
        }
    }

    /// Returns true if a task of a resource invokes a function.
    pub fn does(resource: &Resource) -> bool {
        let integration = resource.integration();
        resource.function_name().is_some() || integration.is_some_and(Integration::invokes_function)
    }

    /// Returns true if it can invoke the function of a task.
    pub fn can_invoke(&self, task: &Task) -> bool {
        Self::function(task).is_some_and(|function| self.invoker.has(Some(function)))
    }

    /// Returns true if it can invoke the function of a state, as far as its definition names it.
    pub fn can_invoke_for(&self, task: &ProgramTask<'_>) -> bool {
        let resource = task.resource();
        let function = match resource.function_name() {
            Some(_) => Some(resource.uri.as_str()),
            None => task.function_name(),
        };
        Self::does(resource) && self.invoker.has(function)
    }

    /// Returns the name or the ARN of the function that a task invokes, if it invokes one.
    pub fn function(task: &Task) -> Option<&str> {
        let resource = task.resource();
        if resource.function_name().is_some() {
            return Some(&resource.uri);
        }
        let integration = resource.integration()?;
        let named = task.payload().get("FunctionName")?;
        named.as_str().filter(|_| integration.invokes_function())
    }
}

impl TaskHandler for Lambda {
    fn invoke(&self, task: Task) -> BoxFuture<'static, Result<TaskAnswer, TaskError>> {
        let Some(function) = Self::function(&task).map(str::to_owned) else {
            let uri = &task.resource().uri;
            let cause = format!("expected a function to invoke, found the resource {uri}");
            return Box::pin(ready(Err(TaskError::failed(cause))));
        };
        let Self { invoker, places } = self.clone();
        Box::pin(async move {
            let invoking = invoked(&*invoker, function, &task);
            while_awaited(&task, &places, invoking).await
        })
    }
}

/// Invokes the function of a task, and returns the response as Step Functions shows it.
pub(crate) async fn invoked(
    invoker: &dyn FunctionInvoker,
    function: String,
    task: &Task,
) -> Result<TaskAnswer, TaskError> {
    let mut request = request(function, task)?;
    request.request_id = task_uuid(task);
    let response = invoker.invoke(request, task).await?;
    if !response.status().is_success() {
        return Err(lambda_answer::refusal(&response));
    }
    if let Some(error) = function_error(&response) {
        return Err(error);
    }
    let (parts, body) = response.into_parts();
    let result = answer::parse("the function", body)?;
    let Some(integration) = task.resource().integration() else {
        return Ok(TaskAnswer::Completed(result));
    };
    let answer = lambda_answer::invocation(&parts, task.payload(), result);
    Ok(match integration.pattern {
        IntegrationPattern::WaitForTaskToken => TaskAnswer::Submitted(answer),
        _ => TaskAnswer::Completed(answer),
    })
}

fn request(function: String, task: &Task) -> Result<InvokeRequest, TaskError> {
    let payload = task.payload();
    if task.resource().function_name().is_some() {
        let event = serde_json::to_vec(payload).or_failed()?;
        return Ok(InvokeRequest::new(function, event));
    }
    let parameter = |name| Some(payload.get(name)?.as_str()?.to_owned());
    let event = event(payload.get("Payload")).or_failed()?;
    let mut request = InvokeRequest::new(function, event);
    request.qualifier = parameter("Qualifier");
    request.log_type = parameter("LogType");
    request.client_context = parameter("ClientContext");
    if let Some(invocation_type) = parameter("InvocationType") {
        request.invocation_type = invocation_type;
    }
    Ok(request)
}

impl FunctionInvoker for Server {
    fn invoke<'t>(
        &'t self,
        request: InvokeRequest,
        task: &'t Task,
    ) -> BoxFuture<'t, Result<Response<Vec<u8>>, TaskError>> {
        Box::pin(async move { self.exchange(http_request(self, request, task)?).await })
    }
}

fn http_request(
    server: &Server,
    invocation: InvokeRequest,
    task: &Task,
) -> Result<Request<Full<Bytes>>, TaskError> {
    let base = server.path().trim_end_matches('/');
    let function = in_path(&invocation.function);
    let mut path = format!("{base}/2015-03-31/functions/{function}/invocations");
    if let Some(qualifier) = &invocation.qualifier {
        path.push_str(&format!("?Qualifier={}", in_path(qualifier)));
    }
    let mut request = server
        .request(&path, task)
        .header("X-Amz-Invocation-Type", invocation.invocation_type);
    if let Some(log_type) = invocation.log_type {
        request = request.header("X-Amz-Log-Type", log_type);
    }
    if let Some(context) = invocation.client_context {
        request = request.header("X-Amz-Client-Context", context);
    }
    let event = Full::new(invocation.event.into());
    request.body(event).or_failed()
}

/// Returns the event of `lambda:invoke`. Recorded from the service: none and null are an empty object, and a string that is
/// JSON goes to the function as it is.
pub(crate) fn event(payload: Option<&Value>) -> serde_json::Result<Vec<u8>> {
    match payload {
        None | Some(Value::Null) => serde_json::to_vec(&Map::new()),
        Some(Value::String(text)) if answer::is_json(text) => Ok(text.clone().into_bytes()),
        Some(payload) => serde_json::to_vec(payload),
    }
}

/// Returns a name as a part of a path (RFC 3986, section 3.3).
fn in_path(name: &str) -> String {
    percent_encoded(name, |byte| {
        byte.is_ascii_alphanumeric() || b"-_.~:$".contains(&byte)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn names_of_functions_are_parts_of_paths() {
        assert_eq!(in_path("f:$LATEST"), "f:$LATEST");
        assert_eq!(in_path("a/b ä"), "a%2Fb%20%C3%A4");
    }

    #[test]
    fn an_event_is_the_payload_or_its_text() {
        let event = |payload: Value| String::from_utf8(event(Some(&payload)).unwrap()).unwrap();
        assert_eq!(event(Value::Null), "{}");
        assert_eq!(event(json!({"a": 1})), r#"{"a":1}"#);
        assert_eq!(event(json!("{\"a\": 1}")), r#"{"a": 1}"#);
        assert_eq!(event(json!("\"a\"")), r#""a""#);
        assert_eq!(event(json!("a")), r#""a""#);
    }
}
