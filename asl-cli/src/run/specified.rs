//! Differences between the execution and the specification.
use crate::definition::Definition;
use crate::terminal::{self, HINT};
use asl_engine::runtime::EndedExecution;
use asl_engine::{Departure, Outcome};
use asl_model::{Options, Profile, StateMachine};

/// Says on stderr how the specification has another end than the service.
pub(super) fn hint_at_end(ended: &EndedExecution, machine: &StateMachine, profile: Profile) {
    if profile != Profile::Aws {
        return;
    }
    if let Some(difference) = difference(ended, machine) {
        hint(&difference);
    }
}

/// Returns true if the specification takes a definition.
fn is_specified(source: &Definition, options: Options) -> bool {
    let spec = options.with_profile(Profile::Spec);
    asl_model::parse(source.text().as_str(), spec).is_ok()
}

fn difference(ended: &EndedExecution, machine: &StateMachine) -> Option<String> {
    match &ended.outcome {
        Outcome::Failed(error) => match error.specified_error() {
            Some(name) => Some(format!("the specification calls this {name}")),
            None => error
                .is_limit_of_the_service()
                .then(|| "the specification has no such limit".to_owned()),
        },
        Outcome::TimedOut if !has_timed_out_by_itself(ended, machine) => {
            Some("the specification does not limit how long an execution takes".to_owned())
        }
        Outcome::Succeeded(_) => departure(ended),
        Outcome::TimedOut | Outcome::Aborted(_) => None,
    }
}

/// Describes the point at which the execution did not follow the specification.
fn departure(ended: &EndedExecution) -> Option<String> {
    let first = ended.departures.iter().next()?;
    Some(
        match first {
            Departure::NullPastTheEnd => {
                "a path past the end of an array gave null, which the specification calls States.ParameterPathFailure"
            }
            Departure::ObjectAsItems => "the specification wants an array as the items of a Map",
            Departure::DataLimitByWildcard => {
                "the specification has States.DataLimitExceeded caught by its name alone"
            }
            Departure::FilledErrorOutput => {
                "in the specification, an Error Output lacks what the error did not say, in place of null"
            }
            Departure::TaskBeyondDefaultTimeout => {
                "the specification has a task without TimeoutSeconds time out after 60 seconds"
            }
        }
        .to_owned(),
    )
}

/// By its own "TimeoutSeconds".
fn has_timed_out_by_itself(ended: &EndedExecution, machine: &StateMachine) -> bool {
    machine
        .timeout_seconds
        .is_some_and(|seconds| ended.start_date.plus_seconds(seconds) <= ended.stop_date)
}

/// Says on stderr that the specification takes a definition that was refused.
pub(super) fn hint_at_refusal(source: &Definition, options: Options) {
    if options.profile == Profile::Aws && is_specified(source, options) {
        hint("the specification takes this definition");
    }
}

fn hint(difference: &str) {
    terminal::error_line(&format!("{HINT}hint:{HINT:#} {difference}; --profile spec"));
}
