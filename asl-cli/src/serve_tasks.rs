//! Who does the tasks of the executions that are served: commands, servers, a folder as an object store.
use crate::arguments::ServeArguments;
use crate::exit::Failure;
use asl_engine::runtime::{
    Answered, BoxFuture, Performer, Request, Storage, Task, TaskHandler, TaskHandlers,
};
use asl_engine::{Answer, ProgramTask, StorageRequest, TaskAnswer, TaskError};
use asl_host::{DirectoryStorage, ExternalHandlers};
use std::future::ready;
use std::sync::Arc;

/// All that the arguments name, as one.
pub(crate) fn performer(arguments: &ServeArguments) -> Result<Arc<dyn Performer>, Failure> {
    let external = ExternalHandlers::new(arguments.max_concurrent_tasks.into());
    let mut tasks = TaskHandlers::new();
    for task in &arguments.tasks {
        let (resource, handler) = split(task)?;
        let handler = external.handler(handler);
        let handler = handler.map_err(|error| Failure::new(format!("--task '{task}': {error}")))?;
        tasks = tasks.route(resource, handler);
    }
    Ok(Arc::new(Served {
        tasks: tasks.otherwise(Nobody),
        storage: arguments.s3_root.as_ref().map(DirectoryStorage::new),
    }))
}

/// `RESOURCE=HANDLER`; a resource may itself hold `=`.
fn split(task: &str) -> Result<(&str, &str), Failure> {
    let handlers = ["=exec:", "=http://", "=https://"];
    let at = handlers.iter().filter_map(|sign| task.find(sign)).min();
    let parts = at
        .and_then(|at| task.split_at_checked(at))
        .filter(|(resource, _)| !resource.is_empty());
    match parts {
        Some((resource, handler)) => Ok((resource, handler.trim_start_matches('='))),
        None => Err(Failure::new(format!(
            "--task '{task}': expected RESOURCE=exec:COMMAND or RESOURCE=http://HOST/PATH"
        ))),
    }
}

struct Served {
    tasks: TaskHandlers,
    storage: Option<DirectoryStorage>,
}

impl Performer for Served {
    fn perform(&self, request: Request) -> BoxFuture<'static, Answered> {
        let task = match request {
            Request::Storage(task) => task,
            task => return self.tasks.perform(task),
        };
        let StorageRequest {
            bucket, operation, ..
        } = task.request().clone();
        let Some(storage) = &self.storage else {
            let cause = format!(
                "nothing stands in for Amazon S3 and its bucket '{bucket}': start asl serve with --s3-root DIR"
            );
            return Box::pin(ready(Err(TaskError::failed(cause))));
        };
        let performed = storage.perform(bucket, operation);
        Box::pin(async {
            let result = performed.await;
            result.map(Answer::Storage).map_err(TaskError::failed)
        })
    }

    fn can_perform(&self, task: &ProgramTask<'_>) -> bool {
        self.tasks.can_perform(task)
    }
}

/// Says how a task would be done that nothing does.
struct Nobody;

impl TaskHandler for Nobody {
    fn invoke(&self, task: Task) -> BoxFuture<'static, Result<TaskAnswer, TaskError>> {
        let resource = task.resource();
        let name = resource.function_name().unwrap_or(&resource.uri);
        let cause = format!(
            "nothing does the task of state '{}': start asl serve with --task '{name}=exec:COMMAND' or \
             --task '{name}=http://HOST/PATH'",
            task.state_name()
        );
        Box::pin(ready(Err(TaskError::failed(cause))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_resource_is_before_its_handler() {
        let told = |task| split(task).map_err(|failure| failure.0);
        assert_eq!(told("a=exec:b"), Ok(("a", "exec:b")));
        assert_eq!(told("a=b=https://c=d"), Ok(("a=b", "https://c=d")));
        for task in ["a", "=exec:b", "a=b", ""] {
            assert!(
                told(task).unwrap_err().contains("expected RESOURCE="),
                "{task}"
            );
        }
    }
}
