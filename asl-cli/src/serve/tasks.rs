//! Handlers of the tasks of served executions: commands, servers, a folder as an object store.
use super::task_log::LoggedTasks;
use super::waiting_tasks::UntilTheToken;
use crate::arguments::ServeArguments;
use crate::aws;
use crate::exit::Failure;
use crate::run::tasks::routes;
use asl_engine::runtime::{
    BoxFuture, PerformResult, Performer, Request, Storage, Task, TaskHandler, with_storage,
};
use asl_engine::{ProgramTask, StorageOperation, StorageResult, TaskAnswer, TaskError};
use asl_performers::{AwsTasks, DirectoryStorage, ExternalHandlers, Lambda, ObjectTasks};
use std::future::ready;
use std::sync::Arc;

/// Returns all that the arguments name, as one.
pub(super) fn performer(
    arguments: &ServeArguments,
    external: &ExternalHandlers,
) -> Result<Arc<dyn Performer>, Failure> {
    let tasks = routes(&arguments.tasks.handlers, external)?;
    let storage = arguments.tasks.s3_root.as_ref().map(DirectoryStorage::new);
    let endpoint = arguments.lambda_endpoint.as_deref();
    let tasks: Arc<dyn Performer> = Arc::new(tasks.otherwise(StandIns {
        lambda: endpoint.map(|url| lambda(url, external)).transpose()?,
        objects: storage.clone().map(ObjectTasks::new),
        aws: aws::tasks(&arguments.tasks)?,
    }));
    let tasks: Arc<dyn Performer> = Arc::new(UntilTheToken(tasks));
    let tasks: Arc<dyn Performer> = Arc::new(LoggedTasks {
        performer: tasks,
        how: arguments.log,
    });
    Ok(match storage {
        Some(storage) => Arc::new(with_storage(tasks, storage)),
        None => Arc::new(with_storage(tasks, NoStorage)),
    })
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
    lambda: Option<Lambda>,
    objects: Option<ObjectTasks>,
    /// Services with an endpoint.
    aws: Option<AwsTasks>,
}

impl Performer for StandIns {
    fn perform(&self, request: Request) -> BoxFuture<'static, PerformResult> {
        match (&self.lambda, &self.objects, &self.aws, &request) {
            (Some(lambda), _, _, Request::Task(task)) if Lambda::function(task).is_some() => {
                lambda.perform(request)
            }
            (_, Some(objects), _, Request::Task(task)) if ObjectTasks::does(task.resource()) => {
                objects.perform(request)
            }
            (_, _, Some(aws), Request::Task(task)) if aws.performs(task.resource()) => {
                aws.perform(request)
            }
            _ => Nobody.perform(request),
        }
    }

    fn can_perform(&self, task: &ProgramTask<'_>) -> bool {
        let resource = task.resource();
        (self.lambda.is_some() && Lambda::does(resource))
            || (self.objects.is_some() && ObjectTasks::does(resource))
            || self.aws.as_ref().is_some_and(|aws| aws.performs(resource))
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
            "no source for objects of the Amazon S3 bucket '{bucket}': start asl serve with --s3-root DIR"
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
            false if AwsTasks::is_call(resource) => "or, for AWS services, --aws URL",
            false => "and for functions --lambda-endpoint URL",
        };
        let cause = format!(
            "no handler for the task of state '{}': start asl serve with --task '{name}=exec:COMMAND' or \
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
            let made = performer(&arguments, &ExternalHandlers::new(1)).unwrap();
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
