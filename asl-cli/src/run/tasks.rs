//! Handlers of tasks: mocks, commands, servers.

use super::mocks::Mocks;
use crate::arguments::RunArguments;
use crate::aws::Calls;
use crate::chosen_performers::{Choice, ChosenPerformers, PerformerName};
use crate::definition::Definition;
use crate::exit::Failure;
use crate::terminal::{self, FAINT, HINT, STRONG, listed, text_width, warn};
use asl_engine::runtime::{BoxFuture, Performer, Task, TaskHandler, TaskHandlers};
use asl_engine::{Integration, Program, ProgramTask, Resource, TaskAnswer, TaskError};
use asl_model::did_you_mean;
use asl_model::placeholder_names;
use asl_performers::{
    AwsTasks, CommandError, ExternalHandlers, HandlerError, HttpTasks, MockHandler,
    RunningCommands, RunningJobs, S3Storage,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

/// The handlers that the arguments name.
pub(crate) struct Handlers {
    mocks: Option<MockHandler>,
    routes: TaskHandlers,
    chosen: ChosenPerformers,
    calls: Calls,
    commands: Arc<RunningCommands>,
    unhandled: UnhandledTask,
}

/// The first task that was reached and that has no handler, in words.
#[derive(Debug, Clone, Default)]
pub(crate) struct UnhandledTask(Arc<OnceLock<String>>);

impl UnhandledTask {
    /// Returns the name of the task, and the option that would handle it.
    pub(crate) fn message(&self) -> Option<&str> {
        self.0.get().map(String::as_str)
    }
}

impl Handlers {
    /// Reads every `--task`, and prepares the functions of the template that no other handler performs.
    pub(crate) fn new(
        arguments: &RunArguments,
        mocks: Option<Mocks>,
        definition: &Definition,
        program: &Program,
    ) -> Result<Self, Failure> {
        let external = ExternalHandlers::new(arguments.tasks.max_concurrent_tasks.into());
        let mocks = mocks.map(|mocks| mocks.handler);
        let routes = routes(&arguments.tasks.handlers, &external)?;
        let chosen = ChosenPerformers::read(definition.source().file(), &external)?;
        let others = program.tasks().filter(|task| {
            let is_mocked = mocks.as_ref().is_some_and(|it| it.mocks(task.state_name()));
            let by_function = Choice::Named(PerformerName::Function);
            let is_chosen = chosen.choice(task).is_some_and(|it| it != by_function);
            !is_mocked && !routes.can_perform(task) && !is_chosen
        });
        let others: Vec<ProgramTask<'_>> = others.collect();
        Ok(Self {
            calls: Calls::new(
                &arguments.tasks,
                functions_of(arguments, definition, &others, &external)?,
            )?,
            mocks,
            routes,
            chosen,
            commands: Arc::clone(external.commands()),
            unhandled: UnhandledTask::default(),
        })
    }

    /// Refuses a task whose resource holds a placeholder that was left, and that nothing performs.
    pub(crate) fn check_placeholders(&self, program: &Program) -> Result<(), Failure> {
        let mut unhandled = program.tasks().filter(|task| !self.can_perform(task));
        let left = unhandled.find_map(|task| {
            let resource = &task.resource().uri;
            let name = placeholder_names(resource).next()?;
            Some(format!(
                "the placeholder '${{{name}}}' in the Resource of state '{}', {resource}, was not replaced, and nothing else does its task: \
                 replace it with --substitute {name}=VALUE, or {}",
                task.state_name(),
                describe_handlers(resource)
            ))
        });
        left.map_or(Ok(()), |message| Err(Failure::new(message)))
    }

    /// Reports on stderr what the arguments name that the definition does not have.
    pub(crate) fn warn_of_unmatched(&self, program: &Program) {
        let states: BTreeSet<&str> = program.tasks().map(|task| task.state_name()).collect();
        if let Some(mocks) = &self.mocks {
            for state in mocks.states().filter(|state| !states.contains(state)) {
                let hint = did_you_mean(state, states.iter().copied());
                warn(&format!(
                    "the mocks name the state '{state}', which is not a Task state of the definition{hint}"
                ));
            }
            for (state, response) in mocks.missing_responses() {
                warn(&format!(
                    "the mocks of state '{state}' name the response '{response}', which is not among the MockedResponses: its task stops the execution"
                ));
            }
        }
        let resources = || program.tasks().map(|task| task.resource());
        let names = || {
            let functions = resources().filter_map(|resource| resource.function_name());
            functions.chain(resources().map(|resource| resource.uri.as_str()))
        };
        for pattern in self.routes.unmatched_patterns(program) {
            let hint = did_you_mean(pattern, names());
            warn(&format!("--task '{pattern}' matches no task{hint}"));
        }
    }

    /// Returns the commands that its handlers run.
    pub(crate) fn commands(&self) -> Arc<RunningCommands> {
        Arc::clone(&self.commands)
    }

    /// Returns the objects of Amazon S3, if its endpoint is known.
    pub(crate) fn storage(&self) -> Option<S3Storage> {
        self.calls.storage()
    }

    /// Returns the jobs of AWS services that are followed, if any can be.
    pub(crate) fn jobs(&self) -> Option<Arc<RunningJobs>> {
        self.calls.jobs()
    }

    /// Returns the record of the task that ended the run because it has no handler.
    pub(crate) fn unhandled(&self) -> UnhandledTask {
        self.unhandled.clone()
    }

    /// Reports on stderr which tasks have no handler.
    pub(crate) fn hint(&self, program: &Program) {
        let tasks = program.tasks().filter(|task| !self.can_perform(task));
        let tasks: Vec<ProgramTask<'_>> = tasks.collect();
        match &self.mocks {
            _ if tasks.is_empty() => {}
            // A test case answers the tasks of one way through the machine.
            Some(_) => hint_of_unmocked(&tasks),
            None => hint_of_unhandled(&tasks),
        }
    }

    fn can_perform(&self, task: &ProgramTask<'_>) -> bool {
        let mocks = self.mocks.as_ref();
        mocks.is_some_and(|mocks| mocks.mocks(task.state_name()))
            || self.routes.can_perform(task)
            || match self.chosen.choice(task) {
                Some(Choice::Handler) => true,
                Some(Choice::Named(name)) => self.calls.named(name, task.resource()).is_some(),
                None => self.calls.performs_for(task),
            }
    }

    /// Returns all as one: mocks before routes before refusal.
    pub(crate) fn into_performer(self) -> Arc<dyn Performer> {
        match self.mocks {
            Some(mocks) => {
                let others = self
                    .chosen
                    .before(Arc::new(self.calls.before(UnmockedTasks)));
                Arc::new(mocks.otherwise(self.routes.otherwise(others)))
            }
            None => {
                let others = self
                    .chosen
                    .before(Arc::new(self.calls.before(self.unhandled)));
                Arc::new(self.routes.otherwise(others))
            }
        }
    }
}

#[cfg(feature = "serve")]
use super::functions::functions as functions_of;

#[cfg(not(feature = "serve"))]
fn functions_of(
    _: &RunArguments,
    _: &Definition,
    _: &[ProgramTask<'_>],
    _: &ExternalHandlers,
) -> Result<Option<asl_performers::Lambda>, Failure> {
    Ok(None)
}

fn hint_of_unmocked(tasks: &[ProgramTask<'_>]) {
    let states: Vec<&str> = tasks.iter().map(ProgramTask::state_name).collect();
    let words = text_width("hint:") + text_width(UNMOCKED) + text_width(IF_REACHED);
    // Two lines.
    let states = listed(&states, (2 * terminal::width()).saturating_sub(words));
    terminal::error_line(&format!(
        "{HINT}hint:{HINT:#}{UNMOCKED}{STRONG}{states}{STRONG:#}{IF_REACHED}"
    ));
}

const UNMOCKED: &str = " not mocked, and no other handler for their tasks: ";
const IF_REACHED: &str = " — they fail if the run reaches them";

fn hint_of_unhandled(tasks: &[ProgramTask<'_>]) {
    let mut resources: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for task in tasks {
        let named = shown(task.resource(), task.function_name());
        resources.entry(named).or_default().push(task.state_name());
    }
    let Some(example) = resources.keys().next() else {
        return;
    };
    terminal::error_line(&format!("{HINT}hint:{HINT:#} no handler for the tasks of"));
    for (resource, states) in &resources {
        let states = listed(states, terminal::width());
        terminal::error_line(&format!(
            "        {STRONG}{resource}{STRONG:#} {FAINT}({states}){FAINT:#}"
        ));
    }
    terminal::error_line(&format!(
        "      the run ends at the first of these states that it reaches: {}",
        describe_handlers(example)
    ));
}

/// Returns the name for `--task`: the invoked function, or the resource.
fn shown(resource: &Resource, function: Option<&str>) -> String {
    let integration = resource.integration();
    let invokes = integration.is_some_and(Integration::invokes_function);
    let function = function.filter(|_| invokes);
    function.unwrap_or(&resource.uri).to_owned()
}

/// Returns the ways to give a handler.
fn describe_handlers(resource: &str) -> String {
    let parsed = Resource::parse(resource);
    let endpoint = match () {
        () if HttpTasks::is_call(&parsed) => "allow its host with --allow-http HOST, ",
        () if AwsTasks::is_call(&parsed) => "an endpoint of the service with --aws URL, ",
        () => "",
    };
    format!(
        "add a handler with --task '{resource}=exec:COMMAND' or --task '{resource}=http://HOST/PATH', \
         {endpoint}or answers with --mocks FILE --test-case NAME"
    )
}

/// Returns the handlers of every `--task`.
pub(crate) fn routes(
    tasks: &[String],
    external: &ExternalHandlers,
) -> Result<TaskHandlers, Failure> {
    let mut routes = TaskHandlers::new();
    for task in tasks {
        let (resource, handler) = split(task)?;
        let handler = external.handler(handler);
        routes = routes.route(resource, handler.map_err(|error| refused(task, &error))?);
    }
    Ok(routes)
}

/// `RESOURCE=HANDLER`; a resource may itself hold `=`.
fn split(task: &str) -> Result<(&str, &str), Failure> {
    let at = ["=exec:", "=http://", "=https://"]
        .iter()
        .filter_map(|sign| task.find(sign))
        .min();
    match at {
        Some(at) if at > 0 => Ok((&task[..at], &task[at + 1..])),
        Some(_) => Err(Failure::new(format!(
            "--task '{task}' has no resource: expected RESOURCE=exec:COMMAND or RESOURCE=http://HOST/PATH"
        ))),
        None => Err(Failure::new(format!(
            "--task '{task}' has no handler: expected RESOURCE=exec:COMMAND or RESOURCE=http://HOST/PATH"
        ))),
    }
}

/// Returns the reason why the handler of a `--task` is invalid.
fn refused(task: &str, error: &HandlerError) -> Failure {
    Failure::new(match error {
        HandlerError::Command {
            source: CommandError::Empty,
            ..
        } => format!("--task '{task}' has no command: expected RESOURCE=exec:COMMAND"),
        HandlerError::Command { source, .. } => format!("--task '{task}': {source}"),
        other => format!("--task '{task}': {other}"),
    })
}

/// Fails every task that the mocks leave out and that has no other handler: a test case may want that.
struct UnmockedTasks;

impl TaskHandler for UnmockedTasks {
    fn invoke(&self, task: Task) -> BoxFuture<'static, Result<TaskAnswer, TaskError>> {
        let error = TaskError::failed(no_handler(&task));
        Box::pin(std::future::ready(Err(error)))
    }
}

/// Ends the execution at a task that has no handler: no Retry waits for what does not come, and no Catch hides it.
impl TaskHandler for UnhandledTask {
    fn invoke(&self, task: Task) -> BoxFuture<'static, Result<TaskAnswer, TaskError>> {
        let message = no_handler(&task);
        let error = TaskError::failed(message.as_str()).failing_the_execution();
        // The first one counts.
        let _ = self.0.set(message);
        Box::pin(std::future::ready(Err(error)))
    }
}

fn no_handler(task: &Task) -> String {
    let function = task.payload().get("FunctionName");
    let function = function.and_then(|name| name.as_str());
    let named = shown(task.resource(), function);
    let state = task.state_name();
    format!(
        "no handler for the task of state '{state}', {named}: {}",
        describe_handlers(&named)
    )
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
