//! Lambda functions, invoked through the caller of AWS services: signed, and at the endpoint of the service `lambda`.
use super::{failure, names::ServiceNames};
use crate::external::{FunctionInvoker, InvokeRequest};
use asl_aws::signature::Credentials;
use asl_aws::{CallOptions, Caller, HttpResponse, ResultForm};
use asl_engine::runtime::{BoxFuture, Task};
use asl_engine::{OrError as _, TaskError};
use hyper::Response;
use serde_json::{Value, json};
use std::sync::Arc;

/// The service of functions.
pub(super) const SERVICE: &str = "lambda";

/// Invokes functions with the keys of a role, or those of the caller.
pub(super) struct FunctionCaller {
    pub(super) caller: Arc<Caller>,
    pub(super) credentials: Option<Credentials>,
}

impl FunctionInvoker for FunctionCaller {
    fn invoke<'t>(
        &'t self,
        request: InvokeRequest,
        _: &'t Task,
    ) -> BoxFuture<'t, Result<Response<Vec<u8>>, TaskError>> {
        Box::pin(call(&self.caller, self.credentials.clone(), request))
    }
}

async fn call(
    caller: &Caller,
    credentials: Option<Credentials>,
    request: InvokeRequest,
) -> Result<Response<Vec<u8>>, TaskError> {
    let options = CallOptions::default()
        .with_form(ResultForm::OPTIMIZED)
        .with_credentials(credentials);
    let parameters = parameters(request)?;
    match caller.call(SERVICE, "invoke", &parameters, &options).await {
        Ok(answer) => hyper_response(answer.response),
        Err(failure) => {
            let model = caller.service(SERVICE, "invoke");
            let names = model.map(|model| ServiceNames::of_service(SERVICE, &model));
            Err(failure::task_error(&failure, names.as_ref()))
        }
    }
}

fn parameters(request: InvokeRequest) -> Result<Value, TaskError> {
    let event = String::from_utf8(request.event).or_failed()?;
    // Parameters that are null are not sent.
    Ok(json!({
        "FunctionName": request.function,
        "Payload": event,
        "InvocationType": request.invocation_type,
        "LogType": request.log_type,
        "ClientContext": request.client_context,
        "Qualifier": request.qualifier,
    }))
}

fn hyper_response(response: HttpResponse) -> Result<Response<Vec<u8>>, TaskError> {
    let mut built = Response::builder().status(response.status);
    for (name, value) in &response.headers {
        built = built.header(name, value);
    }
    built.body(response.body).or_failed()
}
