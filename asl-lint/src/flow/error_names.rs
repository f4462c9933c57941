//! Names in "ErrorEquals" that match nothing: because an earlier name matches their errors, or because nothing raises them
//! (2024 specification, Errors; developer guide, Error names).
use crate::lint::{Lint, LintFinding};
use crate::subject::Subject;
use asl_model::{
    ErrorEquals, IntegrationPattern, QueryLanguage, Resource, ResourceKind, ResourceNames, State,
    StateKind, Task,
};
use std::collections::HashSet;

const ALL: &str = "States.ALL";
const TASK_FAILED: &str = "States.TaskFailed";
const TIMEOUT: &str = "States.Timeout";
const HEARTBEAT_TIMEOUT: &str = "States.HeartbeatTimeout";
const RUNTIME: &str = "States.Runtime";

/// Maximum number of reasons in a message.
const REASONS: usize = 3;

/// The names of the retriers, or the catchers, that come before one.
#[derive(Default)]
struct EarlierNames<'m> {
    names: HashSet<&'m str>,
}

impl<'m> EarlierNames<'m> {
    /// Returns the reasons why no error reaches a retrier or catcher, if none does.
    fn why_nothing_is_left(
        &self,
        names: &ErrorEquals,
        raised: &RaisedErrors<'_>,
    ) -> Option<String> {
        let why = |name: &String| {
            let taken = self.taker(name).map(|taker| match taker == name {
                true => format!("'{name}' is matched by an earlier one"),
                false => format!("an earlier '{taker}' also matches '{name}'"),
            });
            taken.or_else(|| Some(format!("'{name}' {}", raised.why_never(name)?)))
        };
        let ErrorEquals(names) = names;
        let reasons: Option<Vec<String>> = names.iter().map(why).collect();
        let mut reasons = reasons.filter(|reasons| !reasons.is_empty())?;
        let more = reasons.len().saturating_sub(REASONS);
        reasons.truncate(REASONS);
        let mut text = reasons.join(", ");
        if more > 0 {
            text.push_str(&format!(", and the same for {more} more"));
        }
        Some(text)
    }

    /// Adds names whose errors no later handler receives.
    fn add(&mut self, names: &'m ErrorEquals) {
        let ErrorEquals(names) = names;
        self.names.extend(names.iter().map(String::as_str));
    }

    /// The name that takes all errors of that name.
    fn taker<'s>(&'s self, name: &'s str) -> Option<&'s str> {
        let is_taken = |by: &'s str| self.names.contains(by).then_some(by);
        let by_wildcard = match name {
            HEARTBEAT_TIMEOUT => is_taken(TIMEOUT),
            // What these match next to a failure, `States.TaskFailed` does not.
            ALL | TIMEOUT | RUNTIME | "States.BranchFailed" | "States.DataLimitExceeded" => None,
            _ if name.contains("${") => None,
            _ => is_taken(TASK_FAILED),
        };
        is_taken(name).or(by_wildcard)
    }
}

/// Reports the retriers, or the catchers, that no error gets to.
pub(super) fn report_unreached<'m>(
    subject: &Subject<'m>,
    found: &mut LintFinding,
    lint: &Lint,
    field: &str,
    what: &str,
    lists: impl Fn(&'m State) -> Vec<&'m ErrorEquals>,
) {
    let raised = RaisedErrors::of_all(subject);
    for (number, (placed, raised)) in subject.states.iter().zip(&raised).enumerate() {
        let mut taken = EarlierNames::default();
        for (index, names) in lists(placed.state).into_iter().enumerate() {
            if let Some(why) = taken.why_nothing_is_left(names, raised) {
                found.report(
                    lint,
                    subject.location(number).field(field).element(index),
                    format!("no error reaches this {what}: {why}"),
                    "remove it, or move it before those that match its errors",
                );
            }
            taken.add(names);
        }
    }
}

/// Errors that a state can raise.
struct RaisedErrors<'m> {
    /// None if nested states can raise any error.
    task: Option<&'m Task>,
    query_language: QueryLanguage,
    /// True if it is a distributed Map, or one is within it.
    has_map_run: bool,
    any_resource: bool,
}

impl<'m> RaisedErrors<'m> {
    /// Of all states, by their numbers.
    fn of_all(subject: &Subject<'m>) -> Vec<Self> {
        let any_resource = subject.options.resources == ResourceNames::Any;
        let raised = subject.states.iter().map(|placed| Self {
            task: match &placed.state.kind {
                StateKind::Task(task) => Some(task),
                _ => None,
            },
            query_language: placed.query_language,
            has_map_run: false,
            any_resource,
        });
        let mut all: Vec<Self> = raised.collect();
        // Scopes come after those around them: from the last one outward.
        for (number, scope) in subject.scopes.iter().enumerate().rev() {
            let Some(within) = scope.within else { continue };
            let states = all.get(scope.numbers.clone()).unwrap_or_default();
            let is_run =
                subject.is_child_execution(number) || states.iter().any(|state| state.has_map_run);
            if let Some(outer) = all.get_mut(within) {
                outer.has_map_run |= is_run;
            }
        }
        all
    }

    /// Returns the reason why the state never raises errors with this name, if that is certain.
    fn why_never(&self, name: &str) -> Option<&'static str> {
        match name {
            RUNTIME => return Some("ends the execution, and cannot be retried or caught"),
            "States.ItemReaderFailed"
            | "States.ResultWriterFailed"
            | "States.ExceedToleratedFailureThreshold"
                if self.task.is_some() =>
            {
                return Some("is of Map States");
            }
            "States.ItemReaderFailed" | "States.ResultWriterFailed" if !self.has_map_run => {
                return Some("is of distributed Map States");
            }
            _ => {}
        }
        let task = self.task?;
        match (name, self.query_language) {
            (HEARTBEAT_TIMEOUT, _) if task.heartbeat.is_none() => {
                Some("does not arise without a HeartbeatSeconds")
            }
            ("States.BranchFailed", _) => Some("is of Parallel States"),
            ("States.NoChoiceMatched", _) => Some("is of Choice States"),
            ("States.ReferencePathConflict", _) => Some("is of Map States"),
            ("States.QueryEvaluationError", QueryLanguage::JSONPath) => {
                Some("is of states in JSONata")
            }
            (
                "States.ParameterPathFailure"
                | "States.ResultPathMatchFailure"
                | "States.IntrinsicFailure",
                QueryLanguage::JSONata,
            ) => Some("is of states in JSONPath"),
            _ if name.starts_with("Lambda.") && !self.any_resource => {
                (!may_be_lambda(&task.resource)).then_some("is of Lambda functions")
            }
            _ => None,
        }
    }
}

/// Returns true if the task can fail with errors of Lambda: from a function, or from a worker with the task's token.
fn may_be_lambda(resource: &Resource) -> bool {
    match &resource.kind {
        ResourceKind::Integration(integration) => {
            resource.uri.contains("${")
                || integration.service.contains("lambda")
                || integration.pattern == IntegrationPattern::WaitForTaskToken
        }
        _ => true,
    }
}
