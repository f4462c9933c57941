//! The rules that every backend keeps, as cases that any implementation runs in its tests.
//!
//! ```no_run
//! use asl_backend::Backend;
//! use asl_backend::contract::{Excuse, Subject, check};
//! use asl_engine::runtime::BoxFuture;
//! use std::sync::Arc;
//!
//! struct Mine(Arc<dyn Backend>);
//!
//! impl Subject for Mine {
//!     fn open(&self) -> BoxFuture<'_, Arc<dyn Backend>> {
//!         Box::pin(async { Arc::clone(&self.0) })
//!     }
//! }
//!
//! # async fn example(backend: Arc<dyn Backend>) {
//! let failures = check(&Mine(backend), &[Excuse::Restart]).await;
//! assert!(failures.is_empty(), "{failures:?}");
//! # }
//! ```
mod executions;
mod following;
mod histories;
mod map_runs;
mod tasks;

use crate::{
    Backend, Definition, ExecutionDescription, ExecutionFilter, ExecutionStatus, ExecutionSummary,
    Payload, StartError, StartExecution, StartedExecution, milliseconds,
};
use asl_engine::StateMachineIdentity;
use asl_engine::Timestamp;
use asl_engine::model::{Profile, StateMachineType};
use asl_engine::runtime::BoxFuture;
use serde_json::{Value, json};
use std::fmt::{Debug, Display};
use std::sync::Arc;
use std::time::Duration;

/// The longest wait for anything that must happen.
const PATIENCE: Duration = Duration::from_secs(60);

/// An implementation that is checked.
pub trait Subject: Send + Sync {
    /// Opens the backend, or returns the open one.
    fn open(&self) -> BoxFuture<'_, Arc<dyn Backend>>;

    /// Closes the backend and opens it again with its data. Not called with [`Excuse::Restart`].
    fn restart(&self) -> BoxFuture<'_, Arc<dyn Backend>> {
        self.open()
    }
}

/// Abilities that an implementation may lack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Excuse {
    /// Its data does not survive a restart.
    Restart,
    /// It cannot redrive executions.
    Redrive,
    /// It does not report Map Runs.
    MapRuns,
}

/// A case that an implementation fails.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Failure {
    /// Name of the case.
    pub case: &'static str,
    /// The reason.
    pub reason: String,
}

/// The result of a case: the reason why it failed.
type Outcome = Result<(), String>;

/// A case: its name, the ability that it needs, and the check.
struct Case {
    name: &'static str,
    needs: Option<Excuse>,
    run: for<'c> fn(&'c Context<'c>) -> BoxFuture<'c, Outcome>,
}

/// Declares cases by the names of their functions.
macro_rules! cases {
    ($($module:ident::$name:ident $(needs $need:ident)?),* $(,)?) => {
        [$(Case {
            name: stringify!($name),
            needs: [$(Some(Excuse::$need),)? None][0],
            run: |context| Box::pin($module::$name(context)),
        }),*]
    };
}

/// Runs all cases that an implementation is not excused from, and returns those that fail. Each case has a minute for
/// anything that it waits for.
pub async fn check(subject: &dyn Subject, excuses: &[Excuse]) -> Vec<Failure> {
    let cases = cases![
        executions::a_start_is_idempotent,
        executions::an_execution_is_described,
        executions::executions_are_listed_in_pages,
        executions::a_stopped_execution_keeps_its_end,
        executions::unknown_executions_are_refused,
        executions::a_failed_execution_is_redriven needs Redrive,
        executions::executions_continue_after_a_restart needs Restart,
        histories::a_history_is_read_in_both_directions,
        tasks::a_task_is_answered_by_its_token,
        tasks::an_answered_token_is_refused,
        map_runs::a_map_run_is_described needs MapRuns,
        following::an_end_is_waited_for,
        following::events_are_followed_in_order,
        following::status_changes_are_followed_in_order,
        following::a_repeat_has_the_same_id,
        following::an_unknown_cursor_is_refused,
        following::a_redrive_is_followed needs Redrive,
        following::a_cursor_survives_a_restart needs Restart,
    ];
    let mut failures = Vec::new();
    for case in cases {
        if case.needs.is_some_and(|need| excuses.contains(&need)) {
            continue;
        }
        let context = Context {
            subject,
            backend: subject.open().await,
            case: case.name,
        };
        if let Err(reason) = (case.run)(&context).await {
            let case = case.name;
            failures.push(Failure { case, reason });
        }
    }
    failures
}

/// The backend of a case, and what cases do with it.
struct Context<'c> {
    subject: &'c dyn Subject,
    backend: Arc<dyn Backend>,
    case: &'static str,
}

impl Context<'_> {
    /// Starts an execution of a machine of this case's own.
    async fn start(
        &self,
        name: &str,
        states: Value,
        input: &str,
    ) -> Result<StartedExecution, String> {
        self.try_start(name, states, input).await?.map_err(text)
    }

    async fn try_start(
        &self,
        name: &str,
        states: Value,
        input: &str,
    ) -> Result<Result<StartedExecution, StartError>, String> {
        let start = self.request(name, states, input).await?;
        Ok(self.backend.start(start).await)
    }

    async fn request(
        &self,
        name: &str,
        definition: Value,
        input: &str,
    ) -> Result<StartExecution, String> {
        let definition = Definition {
            text: definition.to_string().into(),
            profile: Profile::Aws,
            state_machine_type: StateMachineType::Standard,
        };
        let id = self.backend.store_definition(definition).await;
        let input = Payload::parse(input).map_err(text)?;
        let machine = StateMachineIdentity::new(self.case);
        Ok(StartExecution::new(machine, name, id.map_err(text)?, input))
    }

    /// Returns the pages of a list once it has a number of executions, or as it is after the longest wait: a list may lag
    /// behind.
    async fn list(
        &self,
        filter: &ExecutionFilter,
        page_size: usize,
        count: usize,
    ) -> Result<Vec<Vec<ExecutionSummary>>, String> {
        let deadline = tokio::time::Instant::now() + PATIENCE;
        loop {
            let pages = self.list_now(filter, page_size).await?;
            let listed: usize = pages.iter().map(Vec::len).sum();
            if listed == count || tokio::time::Instant::now() > deadline {
                return Ok(pages);
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    async fn list_now(
        &self,
        filter: &ExecutionFilter,
        page_size: usize,
    ) -> Result<Vec<Vec<ExecutionSummary>>, String> {
        let (mut pages, mut after) = (Vec::new(), None);
        loop {
            let page = self.backend.executions(filter.clone(), after, page_size);
            let page = page.await.map_err(text)?;
            pages.push(page.executions);
            match page.next {
                Some(next) => after = Some(next),
                None => return Ok(pages),
            }
        }
    }

    /// Waits for the end of an execution with a status.
    async fn wait(
        &self,
        arn: &Arc<str>,
        status: ExecutionStatus,
    ) -> Result<ExecutionDescription, String> {
        let started = tokio::time::Instant::now();
        let ended = self.backend.wait_for_end(Arc::clone(arn), PATIENCE).await;
        let waited = started.elapsed();
        ensure(
            waited < PATIENCE,
            format!("the end of {arn} is noticed only when the time is over"),
        )?;
        let ended = ended.map_err(text)?;
        let ended = ended.ok_or_else(|| format!("{arn} is not there to wait for"))?;
        equal("the status", &ended.summary.status, &status)?;
        Ok(ended)
    }

    /// Takes the next task of an activity.
    async fn take_task(&self, activity: &str) -> Result<Arc<str>, String> {
        let task = self.backend.take_activity_task(activity.into(), None);
        let task = tokio::time::timeout(PATIENCE, task).await;
        let task = task.map_err(|_| format!("no task of {activity} comes"))?;
        Ok(task.map_err(text)?.token)
    }
}

/// Returns a machine of one state that ends at once.
fn pass() -> Value {
    json!({"StartAt": "Done", "States": {"Done": {"Type": "Pass", "End": true}}})
}

/// Returns a machine that waits for so long.
fn wait(seconds: u64) -> Value {
    json!({"StartAt": "Wait", "States": {"Wait": {"Type": "Wait", "Seconds": seconds, "End": true}}})
}

/// Returns a machine whose task a worker of an activity does.
fn work(activity: &str) -> Value {
    json!({"StartAt": "Work", "States": {"Work": {"Type": "Task", "Resource": activity, "End": true}}})
}

/// Returns the ARN of an activity.
fn activity(name: &str) -> String {
    format!("arn:aws:states:us-east-1:123456789012:activity:{name}")
}

fn text(error: impl Display) -> String {
    error.to_string()
}

/// Compares times to the millisecond, as the API shows them.
fn same_time(what: &str, found: Timestamp, expected: Timestamp) -> Outcome {
    equal(what, &milliseconds(found), &milliseconds(expected))
}

fn ensure(holds: bool, what: impl Display) -> Outcome {
    match holds {
        true => Ok(()),
        false => Err(what.to_string()),
    }
}

fn equal<T: PartialEq + Debug>(what: &str, found: &T, expected: &T) -> Outcome {
    ensure(
        found == expected,
        format!("{what} is {found:?}, expected {expected:?}"),
    )
}
