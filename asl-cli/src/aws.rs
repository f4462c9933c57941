//! Tasks that call AWS services: `--aws`.
use crate::arguments::TaskArguments;
use crate::chosen_performers::{NamedPerformers, PerformerName};
use crate::exit::Failure;
use crate::source::Source;
use crate::terminal::{self, STRONG};
use asl_aws::{CallOptions, Caller, Settings, Target};
use asl_engine::runtime::{BoxFuture, ExecutionId, PerformResult, Performer, Request};
use asl_engine::{ProgramTask, Resource, StorageRequest, TaskInvocation};
use asl_performers::{AwsTasks, ConnectionBook, HttpTasks, Lambda, RunningJobs, S3Storage};
use serde_json::{Value, json};
#[cfg(feature = "serve")]
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// Maximum time for the identity of the caller.
const IDENTITY_TIMEOUT: Duration = Duration::from_secs(20);
/// Maximum time for the account of an endpoint, which may not have one.
#[cfg(feature = "serve")]
const ACCOUNT_TIMEOUT: Duration = Duration::from_secs(2);

/// Returns the performer of tasks that call AWS services.
pub(crate) fn tasks(caller: Arc<Caller>, arguments: &TaskArguments) -> AwsTasks {
    let tasks = AwsTasks::new(caller);
    match arguments.assume_roles {
        true => tasks.assuming_roles(),
        false => tasks,
    }
}

/// Returns the performer of tasks that call HTTP APIs.
pub(crate) fn http_tasks(arguments: &TaskArguments, region: &str) -> Result<HttpTasks, Failure> {
    let tasks = HttpTasks::new(region).with_hosts(arguments.allow_http.iter().cloned());
    let Some(path) = &arguments.connections else {
        return Ok(tasks);
    };
    let source = Source::read(path)?;
    let book = ConnectionBook::from_value(&source.json_or_yaml()?);
    let book = book.map_err(|error| Failure::new(format!("--connections {path}: {error}")))?;
    Ok(tasks.with_connections(book))
}

/// Returns what calls AWS services; None if neither an option nor a variable names an endpoint.
pub(crate) fn caller(arguments: &TaskArguments) -> Result<Option<Arc<Caller>>, Failure> {
    let target = match arguments.aws.as_deref() {
        None => Target::Named,
        Some("real") => Target::Aws,
        Some(url) => Target::Url(url.to_owned()),
    };
    let settings = Settings::of_process().with_target(target);
    if !settings.has_endpoints() {
        return Ok(None);
    }
    check_endpoint(&settings)?;
    let is_real = *settings.target() == Target::Aws;
    let mut caller = Caller::new(settings);
    if arguments.aws_read_only {
        caller = caller.only_reading();
    }
    let caller = Arc::new(caller);
    if is_real {
        report_identity(&caller)?;
    }
    Ok(Some(caller))
}

/// Returns the account of the caller at its endpoint; None if it is unknown.
#[cfg(feature = "serve")]
pub(crate) fn account(caller: &Arc<Caller>) -> Option<String> {
    let identity = identity_in_thread(caller, ACCOUNT_TIMEOUT).ok()?;
    Some(identity["Account"].as_str()?.to_owned())
}

/// Returns the variables by which functions find the services that tasks call: the endpoints of this process, with its
/// credentials only if AWS itself is called.
#[cfg(feature = "serve")]
pub(crate) fn function_environment(aws: Option<&str>) -> BTreeMap<String, String> {
    let prefix = match aws {
        Some("real") => "AWS_",
        _ => "AWS_ENDPOINT_URL",
    };
    let variables = std::env::vars_os().filter_map(|(name, value)| {
        let name = name.into_string().ok()?;
        let value = value.into_string().ok()?;
        name.starts_with(prefix).then_some((name, value))
    });
    let mut all: BTreeMap<String, String> = variables.collect();
    if let Some(url) = aws.filter(|url| *url != "real") {
        all.insert("AWS_ENDPOINT_URL".to_owned(), url.to_owned());
    }
    all
}

/// A wrong URL is reported before anything is started.
fn check_endpoint(settings: &Settings) -> Result<(), Failure> {
    match settings.target() {
        Target::Url(url) => asl_aws::Endpoint::parse(url, settings.region())
            .map(drop)
            .map_err(|error| Failure::new(format!("--aws: {error}, or real"))),
        _ => Ok(()),
    }
}

/// Reports on stderr which account is called, as whom.
fn report_identity(caller: &Arc<Caller>) -> Result<(), Failure> {
    let refused = |reason: String| Failure::new(format!("--aws real: {reason}"));
    let identity = identity_in_thread(caller, IDENTITY_TIMEOUT).map_err(refused)?;
    let text = |name: &str| identity[name].as_str().unwrap_or_default().to_owned();
    terminal::error_line(&format!(
        "tasks call AWS: account {STRONG}{}{STRONG:#}, region {STRONG}{}{STRONG:#}, as {}",
        text("Account"),
        caller.settings().region(),
        text("Arn"),
    ));
    Ok(())
}

/// Asks in a thread of its own: this one may belong to an event loop.
fn identity_in_thread(caller: &Arc<Caller>, timeout: Duration) -> Result<Value, String> {
    let caller = Arc::clone(caller);
    let thread = std::thread::spawn(move || identity(&caller, timeout));
    let identity = thread.join();
    identity.unwrap_or_else(|_| Err("the caller is not known".to_owned()))
}

fn identity(caller: &Caller, timeout: Duration) -> Result<Value, String> {
    let tokio = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let tokio = tokio.map_err(|error| error.to_string())?;
    tokio.block_on(async {
        let (none, options) = (json!({}), CallOptions::default());
        let call = caller.call("sts", "getCallerIdentity", &none, &options);
        let answer = tokio::time::timeout(timeout, call).await;
        let answer = answer.map_err(|_| "AWS did not answer in time".to_owned())?;
        answer
            .map(|answer| answer.result)
            .map_err(|error| error.to_string())
    })
}

/// Tasks of `asl run` that leave the process: functions of the definition's template, HTTP APIs, and AWS services.
#[derive(Debug)]
pub(crate) struct Calls {
    functions: Option<Lambda>,
    aws: Option<AwsTasks>,
    http: HttpTasks,
}

impl Calls {
    /// Reads the arguments.
    pub(crate) fn new(
        arguments: &TaskArguments,
        functions: Option<Lambda>,
    ) -> Result<Self, Failure> {
        let caller = caller(arguments)?;
        let region = caller.as_ref().map(|it| it.settings().region().to_owned());
        let region = region.unwrap_or_else(|| "us-east-1".to_owned());
        Ok(Self {
            functions,
            aws: caller.map(|caller| tasks(caller, arguments)),
            http: http_tasks(arguments, &region)?,
        })
    }

    /// Returns true if the task of a state is performed.
    pub(crate) fn performs_for(&self, task: &ProgramTask<'_>) -> bool {
        let can_invoke = |functions: &Lambda| functions.can_invoke_for(task);
        self.of(task.resource(), can_invoke).is_some()
    }

    /// Returns what performs the tasks of a resource.
    fn of(
        &self,
        resource: &Resource,
        can_invoke: impl Fn(&Lambda) -> bool,
    ) -> Option<&dyn Performer> {
        match self {
            Self {
                functions: Some(functions),
                ..
            } if can_invoke(functions) => Some(functions),
            Self { http, .. } if http.performs(resource) => Some(http),
            Self { aws: Some(aws), .. } if aws.performs(resource) => Some(aws),
            _ => None,
        }
    }

    /// Returns the performer of a name, if it performs the tasks of a resource.
    pub(crate) fn named(&self, name: PerformerName, resource: &Resource) -> Option<&dyn Performer> {
        match name {
            PerformerName::Function => {
                let functions = self.functions.as_ref();
                let functions = functions.filter(|_| Lambda::does(resource));
                functions.map(|functions| functions as &dyn Performer)
            }
            PerformerName::Http => Some(&self.http)
                .filter(|http| http.performs(resource))
                .map(|http| http as _),
            PerformerName::Aws => {
                let aws = self.aws.as_ref().filter(|aws| aws.performs(resource));
                aws.map(|aws| aws as _)
            }
            PerformerName::LambdaEndpoint | PerformerName::Objects => None,
        }
    }

    /// Returns the objects of Amazon S3, if its endpoint is known.
    pub(crate) fn storage(&self) -> Option<S3Storage> {
        self.aws.as_ref()?.storage()
    }

    /// Returns the jobs that are followed, if any can be.
    pub(crate) fn jobs(&self) -> Option<Arc<RunningJobs>> {
        Some(Arc::clone(self.aws.as_ref()?.jobs()))
    }

    /// Returns a performer of these tasks, which gives all others to another one.
    pub(crate) fn before(self, other: impl Performer) -> impl NamedPerformers {
        CallsBefore { calls: self, other }
    }
}

impl<P: Performer> NamedPerformers for CallsBefore<P> {
    fn named(&self, name: PerformerName, resource: &Resource) -> Option<&dyn Performer> {
        self.calls.named(name, resource)
    }
}

struct CallsBefore<P> {
    calls: Calls,
    other: P,
}

impl<P: Performer> Performer for CallsBefore<P> {
    fn perform(&self, request: Request) -> BoxFuture<'static, PerformResult> {
        let own = match &request {
            Request::Task(task) => self.calls.of(task.resource(), |it| it.can_invoke(task)),
            Request::Storage(_) => None,
        };
        own.unwrap_or(&self.other).perform(request)
    }

    fn can_perform(&self, task: &ProgramTask<'_>) -> bool {
        self.calls.performs_for(task) || self.other.can_perform(task)
    }

    fn can_perform_storage(&self, request: &StorageRequest) -> bool {
        self.other.can_perform_storage(request)
    }

    fn follows(&self, task: &TaskInvocation) -> bool {
        let own = self.calls.of(&task.resource, |_| false);
        own.unwrap_or(&self.other).follows(task)
    }

    fn execution_ended(&self, root: ExecutionId) {
        self.other.execution_ended(root);
    }
}
