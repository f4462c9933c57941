//! Performers that `asl.toml` chooses for states and resources.
use crate::exit::Failure;
use crate::settings::settings_of;
use asl_engine::runtime::{
    BoxFuture, ExecutionId, PerformResult, Performer, Request, TaskHandlers, matches_pattern,
};
use asl_engine::{ProgramTask, Resource, StorageRequest, TaskError, TaskInvocation};
use asl_lint::{SettingsOfFolders, TaskPerformers};
use asl_performers::{ExternalHandlers, HandlerError};
use std::collections::BTreeMap;
use std::future::ready;
use std::path::Path;
use std::sync::Arc;

/// A performer that options and templates give.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PerformerName {
    /// The functions of the template.
    Function,
    /// The server of `--lambda-endpoint`.
    LambdaEndpoint,
    /// The folder of `--s3-root`.
    Objects,
    /// HTTP APIs.
    Http,
    /// AWS services.
    Aws,
}

const NAMES: [(&str, PerformerName, &str); 5] = [
    (
        "function",
        PerformerName::Function,
        "a template with functions",
    ),
    (
        "lambda-endpoint",
        PerformerName::LambdaEndpoint,
        "--lambda-endpoint URL",
    ),
    ("s3-root", PerformerName::Objects, "--s3-root DIR"),
    ("http", PerformerName::Http, "--allow-http HOST"),
    ("aws", PerformerName::Aws, "--aws URL"),
];

impl PerformerName {
    fn parse(text: &str) -> Option<Self> {
        let known = NAMES.iter().find(|(name, ..)| *name == text);
        known.map(|(_, performer, _)| *performer)
    }

    /// Returns the name, and the option that gives such a performer.
    fn with_option(self) -> (&'static str, &'static str) {
        let known = NAMES.iter().find(|(_, performer, _)| *performer == self);
        known.map_or(("", ""), |(name, _, option)| (name, option))
    }
}

/// Performers that have names.
pub(crate) trait NamedPerformers: Performer {
    /// Returns the performer of a name, if there is one that performs the tasks of a resource.
    fn named(&self, name: PerformerName, resource: &Resource) -> Option<&dyn Performer>;
}

/// The choices of an `asl.toml`.
#[derive(Debug, Default)]
pub(crate) struct ChosenPerformers {
    states: BTreeMap<String, ChosenPerformer>,
    /// Resources with a command or a server.
    handlers: TaskHandlers,
    /// Patterns of resources with the name of a performer; the first that matches counts.
    resources: Vec<(String, PerformerName)>,
}

enum ChosenPerformer {
    Handler(Arc<dyn Performer>),
    Named(PerformerName),
}

impl std::fmt::Debug for ChosenPerformer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Handler(_) => f.write_str("Handler"),
            Self::Named(name) => name.fmt(f),
        }
    }
}

/// The choice for a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Choice {
    /// A command or a server.
    Handler,
    /// A performer that is named.
    Named(PerformerName),
}

impl ChosenPerformers {
    /// Reads the nearest `asl.toml` of a file.
    pub(crate) fn read(file: &Path, external: &ExternalHandlers) -> Result<Self, Failure> {
        let settings = settings_of(file, &mut SettingsOfFolders::default())?;
        Self::new(settings.performers(), external)
    }

    fn new(performers: &TaskPerformers, external: &ExternalHandlers) -> Result<Self, Failure> {
        let mut chosen = Self::default();
        for (state, performer) in &performers.states {
            let performer =
                read(performer, external).map_err(|reason| refused("states", state, &reason))?;
            chosen.states.insert(state.clone(), performer);
        }
        let mut resources: Vec<_> = performers.resources.iter().collect();
        // A pattern that says more comes first.
        resources.sort_by_key(|(pattern, _)| std::cmp::Reverse(pattern.len()));
        for (pattern, performer) in resources {
            let performer = read(performer, external)
                .map_err(|reason| refused("resources", pattern, &reason))?;
            match performer {
                ChosenPerformer::Handler(handler) => {
                    chosen.handlers = chosen.handlers.route(pattern, handler);
                }
                ChosenPerformer::Named(name) => chosen.resources.push((pattern.clone(), name)),
            }
        }
        Ok(chosen)
    }

    /// Returns the choice for a task, if there is one.
    pub(crate) fn choice(&self, task: &ProgramTask<'_>) -> Option<Choice> {
        match self.states.get(task.state_name()) {
            Some(ChosenPerformer::Handler(_)) => return Some(Choice::Handler),
            Some(ChosenPerformer::Named(name)) => return Some(Choice::Named(*name)),
            None => {}
        }
        if self.handlers.can_perform(task) {
            return Some(Choice::Handler);
        }
        let named = find(&self.resources, task.resource(), task.function_name());
        named.map(Choice::Named)
    }

    /// Returns these performers before others.
    pub(crate) fn before<P: NamedPerformers>(self, others: Arc<P>) -> impl Performer {
        let rest = NamedResources {
            resources: self.resources,
            performers: Arc::clone(&others),
        };
        ChosenTasks {
            states: self.states,
            resources: self.handlers.otherwise(rest),
            performers: others,
        }
    }
}

fn read(text: &str, external: &ExternalHandlers) -> Result<ChosenPerformer, String> {
    if let Some(name) = PerformerName::parse(text) {
        return Ok(ChosenPerformer::Named(name));
    }
    match external.handler(text) {
        Ok(handler) => Ok(ChosenPerformer::Handler(handler)),
        Err(HandlerError::Unknown(_)) => {
            let names: Vec<&str> = NAMES.iter().map(|(name, ..)| *name).collect();
            Err(format!(
                "expected exec:COMMAND, http://HOST/PATH or one of {}, found '{text}'",
                names.join(", ")
            ))
        }
        Err(error) => Err(error.to_string()),
    }
}

fn refused(table: &str, key: &str, reason: &str) -> Failure {
    Failure::new(format!("asl.toml: performers.{table} of '{key}': {reason}"))
}

/// Returns the performer that is named for a resource, or for the function that it invokes.
fn find(
    resources: &[(String, PerformerName)],
    resource: &Resource,
    function: Option<&str>,
) -> Option<PerformerName> {
    let function = function.or_else(|| resource.function_name());
    let name = function.map(|function| {
        let (_, name) = function.rsplit_once(":function:").unwrap_or(("", function));
        name
    });
    let subjects = [Some(resource.uri.as_str()), function, name];
    let mut all = resources.iter();
    let found = all.find(|(pattern, _)| {
        let mut subjects = subjects.iter().flatten();
        subjects.any(|subject| matches_pattern(pattern, subject))
    });
    found.map(|(_, name)| *name)
}

struct ChosenTasks<P> {
    states: BTreeMap<String, ChosenPerformer>,
    resources: TaskHandlers,
    performers: Arc<P>,
}

/// Resources for which a performer is named.
struct NamedResources<P> {
    resources: Vec<(String, PerformerName)>,
    performers: Arc<P>,
}

/// Performs a task by the performer of a name, which there may not be.
fn perform_by<P: NamedPerformers>(
    performers: &P,
    name: PerformerName,
    request: Request,
) -> BoxFuture<'static, PerformResult> {
    let Request::Task(task) = &request else {
        return performers.perform(request);
    };
    if let Some(performer) = performers.named(name, task.resource()) {
        return performer.perform(request);
    }
    let (name, option) = name.with_option();
    let cause = format!(
        "asl.toml chooses '{name}' for the task of state '{}', and nothing of that name performs {}: add {option}",
        task.state_name(),
        task.resource().uri
    );
    let error = TaskError::failed(cause).failing_the_execution();
    Box::pin(ready(Err(error)))
}

impl<P: NamedPerformers> Performer for ChosenTasks<P> {
    fn perform(&self, request: Request) -> BoxFuture<'static, PerformResult> {
        let chosen = match &request {
            Request::Task(task) => self.states.get(task.state_name()),
            Request::Storage(_) => None,
        };
        match chosen {
            None => self.resources.perform(request),
            Some(ChosenPerformer::Handler(handler)) => handler.perform(request),
            Some(ChosenPerformer::Named(name)) => perform_by(&*self.performers, *name, request),
        }
    }

    fn can_perform(&self, task: &ProgramTask<'_>) -> bool {
        match self.states.get(task.state_name()) {
            None => self.resources.can_perform(task),
            Some(ChosenPerformer::Handler(handler)) => handler.can_perform(task),
            Some(ChosenPerformer::Named(name)) => {
                self.performers.named(*name, task.resource()).is_some()
            }
        }
    }

    fn can_perform_storage(&self, request: &StorageRequest) -> bool {
        self.performers.can_perform_storage(request)
    }

    fn follows(&self, task: &TaskInvocation) -> bool {
        match self.states.get(&*task.state_name) {
            None => self.resources.follows(task),
            Some(ChosenPerformer::Handler(handler)) => handler.follows(task),
            Some(ChosenPerformer::Named(name)) => {
                let named = self.performers.named(*name, &task.resource);
                named.is_some_and(|performer| performer.follows(task))
            }
        }
    }

    fn execution_ended(&self, root: ExecutionId) {
        for chosen in self.states.values() {
            if let ChosenPerformer::Handler(handler) = chosen {
                handler.execution_ended(root);
            }
        }
        self.resources.execution_ended(root);
    }
}

impl<P: NamedPerformers> NamedResources<P> {
    fn find(&self, resource: &Resource, function: Option<&str>) -> Option<PerformerName> {
        find(&self.resources, resource, function)
    }
}

impl<P: NamedPerformers> Performer for NamedResources<P> {
    fn perform(&self, request: Request) -> BoxFuture<'static, PerformResult> {
        let named = match &request {
            Request::Task(task) => {
                let function = task.payload().get("FunctionName");
                self.find(task.resource(), function.and_then(|name| name.as_str()))
            }
            Request::Storage(_) => None,
        };
        match named {
            Some(name) => perform_by(&*self.performers, name, request),
            None => self.performers.perform(request),
        }
    }

    fn can_perform(&self, task: &ProgramTask<'_>) -> bool {
        match self.find(task.resource(), task.function_name()) {
            Some(name) => self.performers.named(name, task.resource()).is_some(),
            None => self.performers.can_perform(task),
        }
    }

    fn can_perform_storage(&self, request: &StorageRequest) -> bool {
        self.performers.can_perform_storage(request)
    }

    fn follows(&self, task: &TaskInvocation) -> bool {
        let function = task.payload.get("FunctionName");
        match self.find(&task.resource, function.and_then(|name| name.as_str())) {
            Some(name) => {
                let named = self.performers.named(name, &task.resource);
                named.is_some_and(|performer| performer.follows(task))
            }
            None => self.performers.follows(task),
        }
    }

    fn execution_ended(&self, root: ExecutionId) {
        self.performers.execution_ended(root);
    }
}
