//! Errors of states: retried, caught, or passed on (2024 specification, Errors). The one place where this is decided.
use super::phase::Phase;
use super::timers::TimerOwner;
use super::turn::{Next, StepResult, Turn};
use crate::data::{Data, measure, weigh};
use crate::error_names;
use crate::error_output::ErrorOutput;
use crate::execution::departure::Departure;
use crate::execution::error::StateError;
use crate::execution::evaluate::{EvaluationFault, InspectionEvent};
use crate::history::EventDetails;
use crate::history::StateType;
use crate::program::{Catcher, Retrier};
use asl_model::{JitterStrategy, Profile, Timestamp};
use serde_json::{Map, Value};
use std::time::Duration;

/// Retriers first, then catchers, else the flow fails.
pub(crate) fn handle_error(turn: &mut Turn<'_>, mut error: Box<StateError>) -> StepResult {
    let state = turn.state;
    if turn.machine.inspector.is_some() {
        report_error(turn, &mut error);
    }
    // Of an error that is retried or caught, nobody requests the place.
    retry_or_catch(turn, error).map_err(|mut error| {
        error.place_in(&state.name, None);
        error
    })
}

#[cold]
fn report_error(turn: &mut Turn<'_>, error: &mut StateError) {
    error.place_in(&turn.state.name, None);
    turn.inspect(|| InspectionEvent::Error {
        error: error.error_output.error.as_deref(),
        cause: error.error_output.cause.as_deref(),
        place: error.place.as_deref(),
    });
}

fn retry_or_catch(turn: &mut Turn<'_>, error: Box<StateError>) -> StepResult {
    let state = turn.state;
    let Some(errors) = state.error_handling() else {
        record_failure(turn, &error);
        return Err(error);
    };
    if let Some(delay) = retry_delay(turn, &errors.retriers, &error) {
        return retry_after(turn, delay);
    }
    record_failure(turn, &error);
    let catcher = errors
        .catchers
        .iter()
        .enumerate()
        .find(|(_, catcher)| matches(&catcher.error_equals, &error));
    match catcher {
        // Recorded: it fails again with a catcher that fails.
        Some(catcher) => catch_or_undo(turn, catcher, error).inspect_err(|error| {
            record_failure(turn, error);
        }),
        None => Err(error),
    }
}

/// The event of a state that failed for good: after its retriers, before its catchers. States.Runtime ends the execution
/// at once.
fn record_failure(turn: &mut Turn<'_>, error: &StateError) {
    match turn.state.state_type {
        _ if !error.is_catchable() => {}
        StateType::Parallel => {
            turn.record(|| EventDetails::ParallelStateFailed);
        }
        StateType::Map => {
            turn.record(|| EventDetails::MapStateFailed);
        }
        _ => {}
    }
}

/// Returns the time before the next attempt, where a retrier allows one (2024 specification, Retrying after error).
fn retry_delay(turn: &mut Turn<'_>, retriers: &[Retrier], error: &StateError) -> Option<Duration> {
    let index = retriers
        .iter()
        .position(|retrier| matches(&retrier.error_equals, error))?;
    let retrier = retriers.get(index)?;
    let flow = &mut turn.flow;
    // Without a retry nothing changes: a catcher that is abandoned leaves no trace.
    let attempt = flow.retrier_counts.get(index).copied().unwrap_or(0);
    if attempt >= retrier.max_attempts {
        turn.inspect(|| InspectionEvent::RetriesExhausted { index });
        return None;
    }
    flow.retrier_counts.resize(retriers.len(), 0);
    *flow.retrier_counts.get_mut(index)? += 1;
    flow.retry_count += 1;
    let fraction = if retrier.jitter == JitterStrategy::Full {
        turn.machine.random.fraction()
    } else {
        1.0
    };
    let delay = delay(retrier, attempt, fraction);
    turn.inspect(|| InspectionEvent::Retry {
        index,
        delay_seconds: delay.as_secs_f64(),
    });
    Some(delay)
}

fn retry_after(turn: &mut Turn<'_>, delay: Duration) -> StepResult {
    if delay.is_zero() {
        return Ok(Next::Again(Phase::Attempting));
    }
    let machine = &mut *turn.machine;
    let Some(due) = machine.now.checked_add(delay) else {
        let last = Timestamp::MAX;
        return Err(turn.fault(EvaluationFault::runtime(format!(
            "the delay before the next attempt is too long: it would end after {last}"
        ))));
    };
    let timer = machine.timers.set(due, TimerOwner::Flow(turn.id));
    Ok(Next::Wait(Phase::Retrying(timer)))
}

/// Catches an error, and keeps it where that is undone.
fn catch_or_undo(
    turn: &mut Turn<'_>,
    catcher: (usize, &Catcher),
    error: Box<StateError>,
) -> StepResult {
    let kept = turn.machine.turn.abandons().then(|| error.clone());
    let caught = catch(turn, catcher, *error);
    if turn.is_abandoned() {
        turn.undone_phase = kept.map(Phase::Failed);
    }
    caught
}

/// Applies a catcher: the Error Output goes where the catcher says (2024 specification, Fallback states). Errors in the
/// catcher itself cannot be caught.
fn catch(
    turn: &mut Turn<'_>,
    (index, catcher): (usize, &Catcher),
    error: StateError,
) -> StepResult {
    turn.inspect(|| InspectionEvent::Catch { index });
    note_departures(turn, &catcher.error_equals, &error);
    let output = error_output(error, turn.program.profile());
    turn.charge(weigh(&output))?;
    let size = measure(&output, true);
    let caught = turn.evaluate(|evaluation, raw| {
        evaluation
            .caught(catcher, raw, Data::new(output, size))
            .map_err(|fault| fault.at(format_args!("Catch[{index}]/")))
    })?;
    turn.leave_to(caught, Some(catcher.next))
}

fn note_departures(turn: &mut Turn<'_>, error_equals: &[String], error: &StateError) {
    let profile = turn.program.profile();
    let departures = &mut turn.machine.departures;
    let ErrorOutput { error: name, cause } = &error.error_output;
    if profile.fills_error_outputs() && (name.is_none() || cause.is_none()) {
        departures.note(Departure::FilledErrorOutput);
    }
    let is_data_limit = name.as_deref() == Some(error_names::DATA_LIMIT_EXCEEDED);
    if is_data_limit
        && !error_equals
            .iter()
            .any(|it| it == error_names::DATA_LIMIT_EXCEEDED)
    {
        departures.note(Departure::DataLimitByWildcard);
    }
}

/// Builds the Error Output (2024 specification). Missing fields are null, and "" is the cause of a timeout (recorded from
/// the service).
fn error_output(error: StateError, profile: Profile) -> Value {
    let fills = profile.fills_error_outputs();
    let no_cause = match error.is_timeout() {
        true => Value::from(""),
        false => Value::Null,
    };
    let ErrorOutput { error, cause } = error.error_output;
    let missing = |value: Value| Some(value).filter(|_| fills);
    let error = error.map(Value::from).or_else(|| missing(Value::Null));
    let cause = cause.map(Value::from).or_else(|| missing(no_cause));
    let mut fields = Map::with_capacity(2);
    for (name, value) in [("Error", error), ("Cause", cause)] {
        if let Some(value) = value {
            fields.insert(name.to_owned(), value);
        }
    }
    Value::Object(fields)
}

fn matches(error_equals: &[String], error: &StateError) -> bool {
    error_equals.iter().any(|name| error.matches(name))
}

/// Returns the interval grows by the backoff rate with each attempt, up to the maximum; jitter draws below it.
fn delay(retrier: &Retrier, attempt: u64, fraction: f64) -> Duration {
    let exponent = i32::try_from(attempt).unwrap_or(i32::MAX);
    let grown = retrier.interval_seconds as f64 * retrier.backoff_rate.powi(exponent);
    let limited = retrier
        .max_delay_seconds
        .map_or(grown, |max| grown.min(max as f64));
    let nanoseconds = limited * fraction * 1e9;
    if nanoseconds < i64::MAX as f64 {
        return Duration::from_nanos(nanoseconds as u64);
    }
    Duration::try_from_secs_f64(limited * fraction).unwrap_or(Duration::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn retrier(
        interval_seconds: u64,
        backoff_rate: f64,
        max_delay_seconds: Option<u64>,
    ) -> Retrier {
        Retrier {
            error_equals: vec![],
            interval_seconds,
            max_attempts: 3,
            backoff_rate,
            max_delay_seconds,
            jitter: JitterStrategy::None,
        }
    }

    fn seconds(retrier: &Retrier) -> Vec<f64> {
        (0..3)
            .map(|attempt| delay(retrier, attempt, 1.0).as_secs_f64())
            .collect()
    }

    #[test]
    fn intervals_grow_by_the_backoff_rate() {
        assert_eq!(seconds(&retrier(3, 1.5, None)), [3.0, 4.5, 6.75]);
        assert_eq!(seconds(&retrier(3, 2.0, Some(5))), [3.0, 5.0, 5.0]);
    }

    #[test]
    fn huge_intervals_are_kept_and_infinite_ones_saturate() {
        let doubled = retrier(1, 2.0, None);
        assert_eq!(delay(&doubled, 40, 1.0), Duration::from_secs(1 << 40));
        let huge = retrier(99_999_999, 1e300, None);
        assert_eq!(delay(&huge, 3, 1.0), Duration::MAX);
    }
}
