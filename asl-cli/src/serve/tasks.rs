//! Handlers of the tasks of served executions: commands, servers, a folder as an object store.
use super::task_log::LoggedTasks;
use super::waiting_tasks::UntilTheToken;
use crate::arguments::{ServeArguments, ServeLog};
use crate::aws::{self, http_tasks};
use crate::chosen_performers::{Choice, ChosenPerformers, NamedPerformers, PerformerName};
use crate::exit::Failure;
use crate::run::tasks::routes;
use asl_aws::{Caller, Target};
use asl_engine::Resource;
use asl_engine::runtime::{
    BoxFuture, PerformResult, Performer, Request, Storage, Task, TaskHandler, TaskHandlers,
    with_storage,
};
use asl_engine::{
    ProgramTask, StorageOperation, StorageResult, TaskAnswer, TaskError, TaskInvocation,
};
use asl_lambda::{FunctionName, Functions};
use asl_performers::{
    AwsTasks, DirectoryStorage, ExternalHandlers, HttpTasks, Lambda, ObjectTasks,
};
use std::future::ready;
use std::path::Path;
use std::sync::Arc;

/// The performers of served executions. The first that fits performs a task: `--task`, the one that `asl.toml` chooses, functions of the application, `--lambda-endpoint`,
/// the folder of objects, AWS services.
pub(super) struct Performers {
    /// `--task` alone, to describe the performer of a task.
    routes: TaskHandlers,
    /// The choices of `asl.toml`, to describe it.
    chosen: ChosenPerformers,
    stand_ins: Arc<StandIns>,
    /// All of them.
    tasks: Arc<dyn Performer>,
    storage: Option<DirectoryStorage>,
    log: ServeLog,
}

impl Performers {
    /// Reads the arguments, and the settings for the files of a folder. `functions` are those of an application.
    pub(super) fn new(
        arguments: &ServeArguments,
        folder: &Path,
        external: &ExternalHandlers,
        functions: Option<&Functions>,
        caller: Option<Arc<Caller>>,
    ) -> Result<Self, Failure> {
        let http = http_tasks(&arguments.tasks, &arguments.region)?;
        let storage = arguments.tasks.s3_root.as_ref().map(DirectoryStorage::new);
        let endpoint = arguments.lambda_endpoint.as_deref();
        let functions = functions.cloned();
        let stand_ins = StandIns {
            functions: functions.map(|it| Lambda::new(Arc::new(it), external)),
            lambda: endpoint.map(|url| lambda(url, external)).transpose()?,
            objects: storage.clone().map(ObjectTasks::new),
            aws: caller.clone().map(|it| aws::tasks(it, &arguments.tasks)),
            caller,
            http,
        };
        let stand_ins = Arc::new(stand_ins);
        let handlers = &arguments.tasks.handlers;
        let chosen = || ChosenPerformers::read(&folder.join("definition"), external);
        let others = chosen()?.before(Arc::clone(&stand_ins));
        let tasks = routes(handlers, external)?.otherwise(others);
        Ok(Self {
            routes: routes(handlers, external)?,
            chosen: chosen()?,
            stand_ins,
            tasks: Arc::new(tasks),
            storage,
            log: arguments.log,
        })
    }

    /// Returns what calls AWS services.
    pub(super) fn caller(&self) -> Option<Arc<Caller>> {
        self.stand_ins.caller.clone()
    }

    /// Returns what calls HTTP APIs.
    pub(super) fn http(&self) -> &HttpTasks {
        &self.stand_ins.http
    }

    /// Returns all as one.
    pub(super) fn performer(&self) -> Arc<dyn Performer> {
        let tasks: Arc<dyn Performer> = Arc::new(UntilTheToken(Arc::clone(&self.tasks)));
        let tasks: Arc<dyn Performer> = Arc::new(LoggedTasks {
            performer: tasks,
            how: self.log,
        });
        let objects = self.stand_ins.aws.as_ref().and_then(AwsTasks::storage);
        match (self.storage.clone(), objects) {
            (Some(storage), _) => Arc::new(with_storage(tasks, storage)),
            (None, Some(objects)) => Arc::new(with_storage(tasks, objects)),
            (None, None) => Arc::new(with_storage(tasks, NoStorage)),
        }
    }

    /// Describes the performer of a task.
    pub(super) fn describe(&self, task: &ProgramTask<'_>) -> Option<String> {
        if self.routes.can_perform(task) {
            return Some("--task".to_owned());
        }
        let (resource, stand_ins) = (task.resource(), &self.stand_ins);
        match self.chosen.choice(task) {
            Some(Choice::Handler) => Some("asl.toml".to_owned()),
            Some(Choice::Named(name)) => {
                let stand_in = stand_ins.of_name(name, resource)?;
                let described = stand_ins.describe(&stand_in, task);
                Some(format!("{described}, which asl.toml chooses"))
            }
            None => {
                let stand_in = stand_ins.of(resource, |it| it.can_invoke_for(task))?;
                Some(stand_ins.describe(&stand_in, task))
            }
        }
    }
}

fn lambda(url: &str, external: &ExternalHandlers) -> Result<Lambda, Failure> {
    let lambda = match url.starts_with("http://") {
        true => Lambda::parse(url, external).map_err(|error| error.to_string()),
        false => Err("expected http://HOST:PORT".to_owned()),
    };
    lambda.map_err(|error| Failure::new(format!("--lambda-endpoint '{url}': {error}")))
}

/// Local replacements of services: functions at a server, and objects in a folder.
struct StandIns {
    /// Functions of the application.
    functions: Option<Lambda>,
    lambda: Option<Lambda>,
    objects: Option<ObjectTasks>,
    /// Services with an endpoint.
    aws: Option<AwsTasks>,
    caller: Option<Arc<Caller>>,
    http: HttpTasks,
}

/// The one that performs a task.
enum StandIn<'s> {
    Function(&'s Lambda),
    Endpoint(&'s Lambda),
    Objects(&'s ObjectTasks),
    Service(&'s AwsTasks),
    Http(&'s HttpTasks),
}

impl<'s> StandIn<'s> {
    fn performer(self) -> &'s dyn Performer {
        match self {
            Self::Function(lambda) | Self::Endpoint(lambda) => lambda,
            Self::Objects(objects) => objects,
            Self::Service(aws) => aws,
            Self::Http(http) => http,
        }
    }
}

impl StandIns {
    fn of(&self, resource: &Resource, can_invoke: impl Fn(&Lambda) -> bool) -> Option<StandIn<'_>> {
        let invokes = Lambda::does(resource);
        if let Some(functions) = self
            .functions
            .as_ref()
            .filter(|it| invokes && can_invoke(it))
        {
            return Some(StandIn::Function(functions));
        }
        if let Some(lambda) = self.lambda.as_ref().filter(|_| invokes) {
            return Some(StandIn::Endpoint(lambda));
        }
        let objects = self.objects.as_ref();
        if let Some(objects) = objects.filter(|_| ObjectTasks::does(resource)) {
            return Some(StandIn::Objects(objects));
        }
        if self.http.performs(resource) {
            return Some(StandIn::Http(&self.http));
        }
        let aws = self.aws.as_ref().filter(|aws| aws.performs(resource));
        aws.map(StandIn::Service)
    }

    /// Returns the one of a name, if it performs the tasks of a resource.
    fn of_name(&self, name: PerformerName, resource: &Resource) -> Option<StandIn<'_>> {
        let invokes = Lambda::does(resource);
        match name {
            PerformerName::Function => {
                let functions = self.functions.as_ref();
                functions.filter(|_| invokes).map(StandIn::Function)
            }
            PerformerName::LambdaEndpoint => {
                let lambda = self.lambda.as_ref();
                lambda.filter(|_| invokes).map(StandIn::Endpoint)
            }
            PerformerName::Objects => {
                let objects = self.objects.as_ref();
                let objects = objects.filter(|_| ObjectTasks::does(resource));
                objects.map(StandIn::Objects)
            }
            PerformerName::Http => {
                let http = Some(&self.http);
                http.filter(|http| http.performs(resource))
                    .map(StandIn::Http)
            }
            PerformerName::Aws => {
                let aws = self.aws.as_ref();
                aws.filter(|aws| aws.performs(resource))
                    .map(StandIn::Service)
            }
        }
    }

    fn describe(&self, stand_in: &StandIn<'_>, task: &ProgramTask<'_>) -> String {
        match stand_in {
            StandIn::Function(_) => {
                match task.resource().function_name().or(task.function_name()) {
                    Some(name) => format!("function {}", FunctionName::parse(name).name),
                    None => "the function that its input names".to_owned(),
                }
            }
            StandIn::Endpoint(_) => "--lambda-endpoint".to_owned(),
            StandIn::Objects(_) => "--s3-root".to_owned(),
            StandIn::Http(_) => "HTTP".to_owned(),
            StandIn::Service(_) => match self.caller.as_ref().map(|it| it.settings().target()) {
                Some(Target::Aws) => "AWS".to_owned(),
                Some(Target::Url(url)) => url.clone(),
                _ => "the endpoint of AWS_ENDPOINT_URL".to_owned(),
            },
        }
    }
}

impl NamedPerformers for StandIns {
    fn named(&self, name: PerformerName, resource: &Resource) -> Option<&dyn Performer> {
        self.of_name(name, resource).map(StandIn::performer)
    }
}

impl Performer for StandIns {
    fn perform(&self, request: Request) -> BoxFuture<'static, PerformResult> {
        let Request::Task(task) = &request else {
            return Nobody.perform(request);
        };
        let stand_in = self.of(task.resource(), |it| it.can_invoke(task));
        stand_in
            .map_or(&Nobody as _, StandIn::performer)
            .perform(request)
    }

    fn can_perform(&self, task: &ProgramTask<'_>) -> bool {
        self.of(task.resource(), |it| it.can_invoke_for(task))
            .is_some()
    }

    fn follows(&self, task: &TaskInvocation) -> bool {
        let stand_in = self.of(&task.resource, |_| false);
        stand_in.is_some_and(|it| it.performer().follows(task))
    }
}

/// Says that a bucket would be served from a folder.
struct NoStorage;

impl Storage for NoStorage {
    fn perform(
        &self,
        bucket: String,
        _operation: StorageOperation,
    ) -> BoxFuture<'static, Result<StorageResult, String>> {
        Box::pin(ready(Err(format!(
            "no source for objects of the Amazon S3 bucket '{bucket}': give --s3-root DIR, or --aws URL"
        ))))
    }

    fn serves(&self, _bucket: &str) -> bool {
        false
    }
}

/// Says how a task would be done that nothing does.
struct Nobody;

impl TaskHandler for Nobody {
    fn invoke(&self, task: Task) -> BoxFuture<'static, Result<TaskAnswer, TaskError>> {
        let resource = task.resource();
        let name = resource.function_name().unwrap_or(&resource.uri);
        let others = match ObjectTasks::does(resource) {
            true => "or, for objects, --s3-root DIR",
            false if HttpTasks::is_call(resource) => "or --allow-http HOST",
            false if AwsTasks::is_call(resource) => "or, for AWS services, --aws URL",
            false => "and for functions --lambda-endpoint URL",
        };
        let cause = format!(
            "no handler for the task of state '{}': add --task '{name}=exec:COMMAND' or \
             --task '{name}=http://HOST/PATH', {others}",
            task.state_name()
        );
        Box::pin(ready(Err(TaskError::failed(cause))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use asl_engine::{EffectId, StorageRequest};
    use asl_server::SelfCalls;
    use clap::Parser as _;

    #[derive(Debug, clap::Parser)]
    struct Serve {
        #[command(flatten)]
        arguments: ServeArguments,
    }

    #[test]
    fn buckets_are_served_where_there_is_a_folder_for_them() {
        for (arguments, serves) in [(&["asl"][..], false), (&["asl", "--s3-root", "s3"], true)] {
            let arguments = Serve::parse_from(arguments).arguments;
            let external = ExternalHandlers::new(1);
            let made = Performers::new(&arguments, Path::new("."), &external, None, None);
            let made = made.unwrap().performer();
            let request = StorageRequest {
                id: EffectId(1),
                bucket: "b".into(),
                operation: StorageOperation::ListObjects {
                    prefix: None,
                    max_items: None,
                },
            };
            // As it is given to the store.
            let made = SelfCalls::new().performer(made);
            assert_eq!(made.can_perform_storage(&request), serves);
        }
    }
}
