//! Tasks that call AWS services, made from the models of their APIs.
mod cluster_calls;
mod failure;
mod function;
mod jobs;
mod names;
mod result;
mod roles;
mod service_calls;
mod storage;

pub use jobs::RunningJobs;
pub use storage::S3Storage;

use crate::external::{Lambda, invoked, out_of_time};
use asl_aws::Caller;
use asl_aws::signature::Credentials;
use asl_engine::runtime::{
    BoxFuture, ExecutionId, PerformResult, Performer, Request, Task, TaskHandler,
};
use asl_engine::{ProgramTask, Resource, StorageRequest, TaskAnswer, TaskError, TaskInvocation};
use function::FunctionCaller;
use jobs::JobKind;
use roles::Roles;
use serde_json::Value;
use service_calls::{CalledOperation, ServiceCalls};
use std::future::ready;
use std::sync::Arc;

/// Calls the AWS service of a task: optimized integrations (`arn:aws:states:::sqs:sendMessage`) and those of the SDK
/// (`arn:aws:states:::aws-sdk:sqs:sendMessage`), with their results and errors as Step Functions shows them.
///
/// Functions are invoked through the same endpoints. Tasks with `.waitForTaskToken` continue with the token. Jobs (`.sync`)
/// are submitted, followed until they are over, and stopped where the task is over before. Calls of other APIs
/// (`http:invoke`, `apigateway:invoke`) are not performed.
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
    jobs: Arc<RunningJobs>,
}

impl AwsTasks {
    /// Creates the performer.
    pub fn new(caller: Arc<Caller>) -> Self {
        Self {
            caller,
            roles: None,
            jobs: Arc::default(),
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
        let service = called.callable(&self.caller);
        service.is_some_and(|service| self.caller.reaches(&service))
    }

    /// Returns the objects of Amazon S3, if its endpoint is known.
    pub fn storage(&self) -> Option<S3Storage> {
        let service = self.caller.service(storage::SERVICE, "getObject")?;
        let is_reached = self.caller.reaches(&service);
        is_reached.then(|| S3Storage::new(Arc::clone(&self.caller)))
    }

    /// Returns the jobs that are followed.
    pub fn jobs(&self) -> &Arc<RunningJobs> {
        &self.jobs
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

    fn follows(&self, task: &TaskInvocation) -> bool {
        match self.aws.performs(&task.resource) {
            true => self.aws.follows(task),
            false => self.other.follows(task),
        }
    }

    fn execution_ended(&self, root: ExecutionId) {
        self.other.execution_ended(root);
    }
}

impl TaskHandler for AwsTasks {
    fn invoke(&self, task: Task) -> BoxFuture<'static, Result<TaskAnswer, TaskError>> {
        let (caller, roles) = (Arc::clone(&self.caller), self.roles.clone());
        if Lambda::does(task.resource()) {
            return Box::pin(async move {
                let working = invoke(caller, roles.as_deref(), &task);
                while_needed(&task, working).await
            });
        }
        let Some(called) = CalledOperation::from_resource(task.resource()) else {
            let uri = &task.resource().uri;
            let cause =
                format!("expected an operation of an AWS service, found the resource {uri}");
            return Box::pin(ready(Err(TaskError::failed(cause))));
        };
        let jobs = Arc::clone(&self.jobs);
        Box::pin(async move {
            let calls = ServiceCalls {
                caller: &caller,
                roles: roles.as_deref(),
                called: &called,
                task: &task,
            };
            match called.job {
                Some(job) => run_job(job, &calls, &jobs).await,
                None => while_needed(&task, answer(&calls)).await,
            }
        })
    }

    fn follows(&self, task: &TaskInvocation) -> bool {
        let called = CalledOperation::from_resource(&task.resource);
        called.is_some_and(|called| called.job.is_some())
    }
}

async fn invoke(
    caller: Arc<Caller>,
    roles: Option<&Roles>,
    task: &Task,
) -> Result<TaskAnswer, TaskError> {
    let credentials: Option<Credentials> = match roles {
        Some(roles) => roles.credentials(&caller, task).await?,
        None => None,
    };
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

/// Calls the operation of a task.
async fn answer(calls: &ServiceCalls<'_>) -> Result<TaskAnswer, TaskError> {
    let result = call(calls, calls.task.payload()).await?;
    Ok(match calls.called.waits_for_token {
        true => TaskAnswer::Submitted(result),
        false => TaskAnswer::Completed(result),
    })
}

/// Submits a job, or follows the one that was submitted.
async fn run_job(
    job: &'static JobKind,
    calls: &ServiceCalls<'_>,
    jobs: &RunningJobs,
) -> Result<TaskAnswer, TaskError> {
    let _running = jobs.add();
    match calls.task.submission() {
        Some(submission) => jobs::follow(job, calls, submission).await,
        None => {
            let parameters = job.parameters(calls.task.payload());
            jobs::submitted(job, calls, call(calls, &parameters)).await
        }
    }
}

/// Calls the operation of a task with these parameters, and returns its result as Step Functions shows it.
async fn call(calls: &ServiceCalls<'_>, parameters: &Value) -> Result<Value, TaskError> {
    let called = calls.called;
    let answer = calls.call(&called.operation, parameters).await?;
    let answer = answer.map_err(|failure| calls.error(&called.operation, &failure))?;
    result::of_task(called, answer)
}
