//! Tasks that call AWS services, made from the models of their APIs.
mod failure;
mod function;
mod names;
mod result;
mod roles;

use crate::external::{Lambda, invoked, out_of_time};
use crate::task_uuid::task_uuid;
use asl_aws::signature::Credentials;
use asl_aws::{CallOptions, Caller, ResultForm};
use asl_engine::runtime::{
    BoxFuture, ExecutionId, PerformResult, Performer, Request, Task, TaskHandler,
};
use asl_engine::{
    Integration, IntegrationPattern, ProgramTask, Resource, StorageRequest, TaskAnswer, TaskError,
};
use function::FunctionCaller;
use names::ServiceNames;
use roles::Roles;
use std::future::ready;
use std::sync::Arc;

/// Calls the AWS service of a task: optimized integrations (`arn:aws:states:::sqs:sendMessage`) and those of the SDK
/// (`arn:aws:states:::aws-sdk:sqs:sendMessage`), with their results and errors as Step Functions shows them.
///
/// Functions are invoked through the same endpoints. Tasks with `.waitForTaskToken` continue with the token. Jobs (`.sync`)
/// and calls of other APIs (`http:invoke`, `apigateway:invoke`) are not performed.
///
/// ```
/// use asl_aws::{Caller, Settings, Target};
/// use asl_engine::runtime::TaskHandlers;
/// use asl_performers::AwsTasks;
/// use std::sync::Arc;
///
/// let settings = Settings::of_process().with_target(Target::Url("http://localhost:4566".into()));
/// let handlers = TaskHandlers::new().otherwise(AwsTasks::new(Arc::new(Caller::new(settings))));
/// ```
#[derive(Debug)]
pub struct AwsTasks {
    caller: Arc<Caller>,
    /// Roles that tasks assume, if they may.
    roles: Option<Arc<Roles>>,
}

/// An operation that a task calls.
#[derive(Debug)]
struct CalledOperation {
    /// As the resource names it: `sqs`, `aws-sdk:sqs`.
    service: String,
    operation: String,
    waits_for_token: bool,
}

impl CalledOperation {
    /// None if the task is not such a call.
    fn from_resource(resource: &Resource) -> Option<Self> {
        let Integration {
            service,
            action,
            pattern,
            ..
        } = resource.integration()?;
        let is_of_another = matches!(
            service.as_str(),
            "apigateway" | "http" | "lambda" | "states"
        );
        if is_of_another || *pattern == IntegrationPattern::Sync {
            return None;
        }
        let operation = action.split('.').next().unwrap_or(action);
        Some(Self {
            service: service.clone(),
            operation: operation.to_owned(),
            waits_for_token: *pattern == IntegrationPattern::WaitForTaskToken,
        })
    }

    fn is_of_sdk(&self) -> bool {
        self.service.starts_with("aws-sdk:")
    }
}

impl AwsTasks {
    /// Creates the performer.
    pub fn new(caller: Arc<Caller>) -> Self {
        Self {
            caller,
            roles: None,
        }
    }

    /// Assumes the role that a state names in "Credentials", by STS. Otherwise the caller's own keys are used.
    #[must_use]
    pub fn assuming_roles(mut self) -> Self {
        self.roles = Some(Arc::default());
        self
    }

    /// Returns true if a resource is a call of an AWS service, except for functions.
    pub fn is_call(resource: &Resource) -> bool {
        CalledOperation::from_resource(resource).is_some()
    }

    /// Returns true if a resource is an operation that can be called, of a service with an endpoint.
    pub fn performs(&self, resource: &Resource) -> bool {
        if Lambda::does(resource) {
            let service = self.caller.service(function::SERVICE, "invoke");
            return service.is_some_and(|service| self.caller.reaches(&service));
        }
        let Some(called) = CalledOperation::from_resource(resource) else {
            return false;
        };
        let service = self.caller.service(&called.service, &called.operation);
        service.is_some_and(|service| {
            service.operation(&called.operation).is_some() && self.caller.reaches(&service)
        })
    }

    /// Returns a performer that performs these tasks, and gives all others to another one.
    pub fn otherwise(self, other: impl Performer) -> impl Performer {
        AwsTasksOr {
            aws: Arc::new(self),
            other,
        }
    }
}

struct AwsTasksOr<P> {
    aws: Arc<AwsTasks>,
    other: P,
}

impl<P: Performer> Performer for AwsTasksOr<P> {
    fn perform(&self, request: Request) -> BoxFuture<'static, PerformResult> {
        match &request {
            Request::Task(task) if self.aws.performs(task.resource()) => self.aws.perform(request),
            _ => self.other.perform(request),
        }
    }

    fn can_perform(&self, task: &ProgramTask<'_>) -> bool {
        self.aws.performs(task.resource()) || self.other.can_perform(task)
    }

    fn can_perform_storage(&self, request: &StorageRequest) -> bool {
        self.other.can_perform_storage(request)
    }

    fn execution_ended(&self, root: ExecutionId) {
        self.other.execution_ended(root);
    }
}

impl TaskHandler for AwsTasks {
    fn invoke(&self, task: Task) -> BoxFuture<'static, Result<TaskAnswer, TaskError>> {
        let (caller, roles) = (Arc::clone(&self.caller), self.roles.clone());
        let invokes = Lambda::does(task.resource());
        let called = CalledOperation::from_resource(task.resource());
        if !invokes && called.is_none() {
            let uri = &task.resource().uri;
            let cause =
                format!("expected an operation of an AWS service, found the resource {uri}");
            return Box::pin(ready(Err(TaskError::failed(cause))));
        }
        Box::pin(async move {
            let working = async {
                let credentials = match roles {
                    Some(roles) => roles.credentials(&caller, &task).await?,
                    None => None,
                };
                match called.filter(|_| !invokes) {
                    Some(called) => call(&caller, &called, credentials, &task).await,
                    None => invoke(caller, credentials, &task).await,
                }
            };
            while_needed(&task, working).await
        })
    }
}

async fn invoke(
    caller: Arc<Caller>,
    credentials: Option<Credentials>,
    task: &Task,
) -> Result<TaskAnswer, TaskError> {
    let function = Lambda::function(task).map(str::to_owned);
    let function = function.ok_or_else(|| TaskError::failed("expected a FunctionName"))?;
    let invoker = FunctionCaller {
        caller,
        credentials,
    };
    invoked(&invoker, function, task).await
}

/// Works until the time of a task is over, or its result is not needed any more.
async fn while_needed(
    task: &Task,
    working: impl Future<Output = Result<TaskAnswer, TaskError>>,
) -> Result<TaskAnswer, TaskError> {
    tokio::select! {
        answer = working => answer,
        error = out_of_time(task) => Err(error),
        () = task.cancelled() => Err(TaskError::failed("the result is no longer needed")),
    }
}

async fn call(
    caller: &Caller,
    called: &CalledOperation,
    credentials: Option<Credentials>,
    task: &Task,
) -> Result<TaskAnswer, TaskError> {
    let form = match called.is_of_sdk() {
        true => ResultForm::SDK,
        false => ResultForm::OPTIMIZED,
    };
    let options = CallOptions::default()
        .with_form(form)
        .with_idempotency_token(task_uuid(task))
        .with_credentials(credentials);
    let CalledOperation {
        service, operation, ..
    } = called;
    let answer = caller.call(service, operation, task.payload(), &options);
    let answer = answer.await.map_err(|failure| {
        let model = caller.service(service, operation);
        let names = model.map(|model| ServiceNames::of_service(service, &model));
        failure::task_error(&failure, names.as_ref())
    })?;
    let result = result::of_task(called, answer)?;
    Ok(match called.waits_for_token {
        true => TaskAnswer::Submitted(result),
        false => TaskAnswer::Completed(result),
    })
}
