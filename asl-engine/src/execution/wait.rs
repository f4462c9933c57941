//! Wait States (2022 specification, Wait State).
use super::error::EvaluationFault;
use super::flow::{FlowId, Phase};
use super::input_output::Evaluation;
use super::machine::{Machine, Step};
use super::timers::TimerOwner;
use crate::Program;
use crate::program::{StateProgram, WaitDuration};
use asl_model::Timestamp;
use asl_path::Path;
use serde_json::Value;

/// The longest wait that the service takes: recorded, one second more is "too long".
const MAX_SECONDS: i64 = i32::MAX as i64;

impl Machine {
    pub(super) fn wait(
        &mut self,
        program: &Program,
        id: FlowId,
        state: &StateProgram,
        duration: &WaitDuration,
    ) -> Step {
        let raw = self.take_input(id);
        let context = self.take_context(id, state);
        let now = self.now;
        let evaluation = self.evaluation(program, &context);
        let until = evaluation
            .input(state, &raw)
            .and_then(|input| until(&evaluation, duration, &input, now));
        self.return_context(context);
        let Some(flow) = self.flows.get_mut(id) else {
            return Step::Stop;
        };
        flow.input = raw;
        match until {
            Ok(until) => {
                flow.phase = Phase::Waiting(self.timers.set(until, TimerOwner::Flow(id)));
                self.wake_if_due(id, until)
            }
            Err(fault) => self.fail_state_with(program, id, state, fault),
        }
    }

    /// A wait that is over at once needs no input of the host.
    fn wake_if_due(&mut self, id: FlowId, until: Timestamp) -> Step {
        if until <= self.now
            && let Some(flow) = self.flows.get_mut(id)
            && let Phase::Waiting(timer) = flow.phase
        {
            self.timers.cancel(timer);
            return self.finish_wait(id);
        }
        Step::Stop
    }

    /// The wait is over: the state's input goes on.
    pub(super) fn finish_wait(&mut self, id: FlowId) -> Step {
        let raw = self.take_input(id);
        if let Some(flow) = self.flows.get_mut(id) {
            flow.phase = Phase::Settled(Box::new(Ok(raw)));
        }
        Step::Continue
    }
}

fn until(
    evaluation: &Evaluation<'_>,
    duration: &WaitDuration,
    input: &Value,
    now: Timestamp,
) -> Result<Timestamp, EvaluationFault> {
    let until = match duration {
        WaitDuration::Seconds(seconds) => now.plus_seconds(*seconds),
        WaitDuration::Timestamp(moment) => *moment,
        WaitDuration::SecondsPath(path) => now.plus_seconds(seconds(evaluation, path, input)?),
        WaitDuration::TimestampPath(path) => timestamp(evaluation, path, input)?,
    };
    if until > now.plus_seconds(MAX_SECONDS as u64) {
        return Err(EvaluationFault::runtime("Wait state delay is too long."));
    }
    Ok(until)
}

fn seconds(
    evaluation: &Evaluation<'_>,
    path: &Path,
    input: &Value,
) -> Result<u64, EvaluationFault> {
    let value = evaluation.find(path, input)?;
    let source = path.source();
    match (value.as_u64(), value.as_i64()) {
        (Some(seconds), _) => Ok(seconds),
        (None, Some(_)) => Err(EvaluationFault::runtime(format!(
            "The SecondsPath parameter references a negative value: {source} == {value}"
        ))),
        (None, None) => {
            let shown = shown(&value);
            Err(EvaluationFault::runtime(format!(
                "The SecondsPath parameter cannot be parsed as a long value: {source} == {shown}"
            )))
        }
    }
}

fn timestamp(
    evaluation: &Evaluation<'_>,
    path: &Path,
    input: &Value,
) -> Result<Timestamp, EvaluationFault> {
    let value = evaluation.find(path, input)?;
    value.as_str().and_then(Timestamp::parse).ok_or_else(|| {
        let (source, shown) = (path.source(), shown(&value));
        EvaluationFault::runtime(format!(
            "The TimestampPath parameter cannot be parsed as an ISO-8601 extended offset date-time format string: {source} == {shown}"
        ))
    })
}

/// A string without its quotes, anything else as JSON.
fn shown(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}
