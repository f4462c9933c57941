//! Errors of states: retried, caught, or passed on (2022 specification, Errors).
use super::data::Data;
use super::error::StateError;
use super::fault::EvaluationFault;
use super::flow::{FlowId, Phase};
use super::machine::{Machine, Step};
use super::measure::measure;
use super::timers::TimerOwner;
use crate::Program;
use crate::program::{Catcher, ErrorHandling, Retrier, StateAction, StateProgram};
use asl_model::JitterStrategy;
use serde_json::{Map, Value};

impl StateProgram {
    /// Of a state that can be retried.
    pub(super) fn error_handling(&self) -> Option<&ErrorHandling> {
        match &self.action {
            StateAction::Task(task) => Some(&task.errors),
            StateAction::Parallel { errors, .. } => Some(errors),
            StateAction::Map(map) => Some(&map.errors),
            _ => None,
        }
    }
}

impl Machine {
    /// A state's work ended: its result is processed, or its error handled.
    pub(super) fn settle(
        &mut self,
        program: &Program,
        id: FlowId,
        state: &StateProgram,
        result: Result<Data, StateError>,
    ) -> Step {
        match result {
            Err(error) => self.handle_error(program, id, state, error),
            Ok(result) => self.process_result(program, id, state, result),
        }
    }

    fn process_result(
        &mut self,
        program: &Program,
        id: FlowId,
        state: &StateProgram,
        result: Data,
    ) -> Step {
        let Some(errors) = state.error_handling() else {
            // A Wait State has no result: what it kept is its raw input.
            let output = self.evaluate(program, id, state, |evaluation| {
                evaluation.passed_through(state, result)
            });
            return match output {
                Ok(output) => self.leave(program, id, state, output),
                Err(fault) => self.fail_state_with(program, id, state, fault),
            };
        };
        // A fault of the processing is an error of the state: its catchers want the raw input.
        let raw = if errors.is_empty() {
            self.take_input(id)
        } else {
            self.share_input(id)
        };
        let output = self.evaluate(program, id, state, |evaluation| {
            evaluation.of_result(state, raw, result)
        });
        match output {
            Ok(mut output) => match self.check_output(id, state, &mut output) {
                Ok(()) => {
                    self.take_input(id);
                    self.leave(program, id, state, output)
                }
                Err(error) => self.handle_error(program, id, state, error),
            },
            Err(fault) => self.fail_state_with(program, id, state, fault),
        }
    }

    /// A fault in evaluating the fields of a state.
    pub(super) fn fail_state_with(
        &mut self,
        program: &Program,
        id: FlowId,
        state: &StateProgram,
        fault: EvaluationFault,
    ) -> Step {
        let error = self.fault(id, &state.name, fault);
        self.handle_error(program, id, state, error)
    }

    /// Retriers first, then catchers, else the flow fails.
    pub(super) fn handle_error(
        &mut self,
        program: &Program,
        id: FlowId,
        state: &StateProgram,
        error: StateError,
    ) -> Step {
        if let Some(errors) = state.error_handling() {
            if let Some(delay) = self.retry_delay(id, &errors.retriers, &error) {
                return self.retry_after(id, delay);
            }
            if let Some(catcher) = errors
                .catchers
                .iter()
                .enumerate()
                .find(|(_, catcher)| matches(&catcher.error_equals, &error))
            {
                return self.catch(program, id, state, catcher, &error);
            }
        }
        self.record_failure(id, state);
        self.fail_flow(program, id, error)
    }

    /// Nanoseconds before the next attempt, where a retrier allows one (specification, Retrying after error).
    fn retry_delay(&mut self, id: FlowId, retriers: &[Retrier], error: &StateError) -> Option<i64> {
        let position = retriers
            .iter()
            .position(|retrier| matches(&retrier.error_equals, error))?;
        let retrier = retriers.get(position)?;
        let flow = self.flows.get_mut(id)?;
        flow.retrier_counts.resize(retriers.len(), 0);
        let count = flow.retrier_counts.get_mut(position)?;
        if *count >= retrier.max_attempts {
            return None;
        }
        let attempt = *count;
        *count += 1;
        flow.retry_count += 1;
        let fraction = if retrier.jitter == JitterStrategy::Full {
            self.random.fraction()
        } else {
            1.0
        };
        Some(delay_nanoseconds(retrier, attempt, fraction))
    }

    fn retry_after(&mut self, id: FlowId, delay: i64) -> Step {
        let timer = self.timers.set(
            self.now.plus_nanoseconds(delay.unsigned_abs()),
            TimerOwner::Flow(id),
        );
        if let Some(flow) = self.flows.get_mut(id) {
            flow.phase = Phase::Retrying(timer);
        }
        if delay == 0
            && let Some(flow) = self.flows.get_mut(id)
        {
            self.timers.cancel(timer);
            flow.phase = Phase::Reattempting;
            return Step::Continue;
        }
        Step::Stop
    }

    /// Specification, Fallback states: the Error Output goes where the catcher says.
    fn catch(
        &mut self,
        program: &Program,
        id: FlowId,
        state: &StateProgram,
        (index, catcher): (usize, &Catcher),
        error: &StateError,
    ) -> Step {
        self.record_failure(id, state);
        let output = error_output(error);
        let size = measure(&output, true);
        let raw = self.take_input(id);
        let caught = self.evaluate(program, id, state, |evaluation| {
            evaluation.caught(catcher, raw, Data::new(output, size))
        });
        match caught {
            Ok(output) => self.leave_to(program, id, state, output, Some(catcher.next)),
            Err(fault) => {
                let fault = fault.at(format_args!("Catch[{index}]/"));
                let error = self.fault(id, &state.name, fault);
                self.fail_flow(program, id, error)
            }
        }
    }
}

/// Specification, Error output.
fn error_output(error: &StateError) -> Value {
    let mut fields = Map::new();
    if let Some(name) = &error.error {
        fields.insert("Error".to_owned(), Value::from(name.as_str()));
    }
    if let Some(cause) = &error.cause {
        fields.insert("Cause".to_owned(), Value::from(cause.as_str()));
    }
    Value::Object(fields)
}

fn matches(error_equals: &[String], error: &StateError) -> bool {
    error_equals.iter().any(|name| error.matches(name))
}

/// The interval grows by the backoff rate with each attempt, up to the maximum; jitter draws below it.
fn delay_nanoseconds(retrier: &Retrier, attempt: u64, fraction: f64) -> i64 {
    let exponent = i32::try_from(attempt).unwrap_or(i32::MAX);
    let grown = retrier.interval_seconds as f64 * retrier.backoff_rate.powi(exponent);
    let limited = retrier
        .max_delay_seconds
        .map_or(grown, |max| grown.min(max as f64));
    // A float that is out of range becomes the nearest integer.
    (limited * fraction * 1e9) as i64
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
            .map(|attempt| delay_nanoseconds(retrier, attempt, 1.0) as f64 / 1e9)
            .collect()
    }

    #[test]
    fn intervals_grow_by_the_backoff_rate() {
        assert_eq!(seconds(&retrier(3, 1.5, None)), [3.0, 4.5, 6.75]);
        assert_eq!(seconds(&retrier(3, 2.0, Some(5))), [3.0, 5.0, 5.0]);
    }

    #[test]
    fn huge_intervals_saturate() {
        assert_eq!(
            delay_nanoseconds(&retrier(99_999_999, 1e300, None), 3, 1.0),
            i64::MAX
        );
    }
}
