//! Functions as the performers of tasks.
use crate::{Functions, Invocation};
use asl_engine::TaskError;
use asl_engine::runtime::{BoxFuture, Task};
use asl_performers::{FunctionInvoker, InvokeRequest};
use hyper::Response;
use std::time::Duration;

impl FunctionInvoker for Functions {
    fn invoke<'t>(
        &'t self,
        request: InvokeRequest,
        task: &'t Task,
    ) -> BoxFuture<'t, Result<Response<Vec<u8>>, TaskError>> {
        let identity = &task.execution().identity;
        let seconds = task.invocation().timeout_seconds;
        let invocation = Invocation::default()
            .with_request_id(request.request_id.clone())
            .with_time_limit(seconds.map(Duration::from_secs))
            .with_execution(identity.execution_name().to_owned())
            .with_state(task.state_name().to_owned());
        Box::pin(async move { Ok(self.respond(request, invocation).await) })
    }

    fn has(&self, function: Option<&str>) -> bool {
        match function {
            Some(function) => Self::has(self, function),
            // Which one, only the execution knows.
            None => !self.is_empty(),
        }
    }
}
