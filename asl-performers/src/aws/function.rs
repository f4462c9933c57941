//! Lambda functions, invoked through the caller of AWS services: signed, and at the endpoint of the service `lambda`.
use super::{failure, names::ServiceNames};
use crate::external::{Lambda, event, function_error, invocation, parse_answer};
use asl_aws::{CallOptions, Caller, HttpResponse, ResultForm};
use asl_engine::runtime::Task;
use asl_engine::{IntegrationPattern, OrError as _, TaskAnswer, TaskError};
use hyper::Response;
use serde_json::{Map, Value, json};

/// The service of functions.
pub(super) const SERVICE: &str = "lambda";

/// Parameters of `lambda:invoke` besides the function and its event.
const OTHERS: [&str; 4] = ["InvocationType", "LogType", "ClientContext", "Qualifier"];

/// Invokes the function of a task.
pub(super) async fn invoke(caller: &Caller, task: &Task) -> Result<TaskAnswer, TaskError> {
    let parameters = parameters(task)?;
    let options = CallOptions::default().with_form(ResultForm::OPTIMIZED);
    let called = caller.call(SERVICE, "invoke", &parameters, &options).await;
    let response = match called {
        Ok(answer) => hyper_response(answer.response)?,
        Err(failure) => {
            let model = caller.service(SERVICE, "invoke");
            let names = model.map(|model| ServiceNames::of_service(SERVICE, &model));
            return Err(failure::task_error(&failure, names.as_ref()));
        }
    };
    if let Some(error) = function_error(&response) {
        return Err(error);
    }
    let (parts, body) = response.into_parts();
    let result = parse_answer("the function", body)?;
    let Some(integration) = task.resource().integration() else {
        return Ok(TaskAnswer::Completed(result));
    };
    let answer = invocation(&parts, task.payload(), result);
    Ok(match integration.pattern {
        IntegrationPattern::WaitForTaskToken => TaskAnswer::Submitted(answer),
        _ => TaskAnswer::Completed(answer),
    })
}

fn parameters(task: &Task) -> Result<Value, TaskError> {
    let given = task.payload();
    let is_integrated = task.resource().function_name().is_none();
    let function = Lambda::function(task);
    let function = function.ok_or_else(|| TaskError::failed("expected a FunctionName"))?;
    let event = match is_integrated {
        true => event(given.get("Payload")),
        false => serde_json::to_vec(given),
    };
    let event = String::from_utf8(event.or_failed()?).or_failed()?;
    let mut parameters = Map::new();
    parameters.insert("FunctionName".to_owned(), function.into());
    parameters.insert("Payload".to_owned(), json!(event));
    if is_integrated {
        for name in OTHERS {
            let value = given.get(name).cloned().unwrap_or_default();
            parameters.insert(name.to_owned(), value);
        }
    }
    Ok(Value::Object(parameters))
}

fn hyper_response(response: HttpResponse) -> Result<Response<Vec<u8>>, TaskError> {
    let mut built = Response::builder().status(response.status);
    for (name, value) in &response.headers {
        built = built.header(name, value);
    }
    built.body(response.body).or_failed()
}
