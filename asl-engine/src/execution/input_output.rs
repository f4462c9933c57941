//! Input and output processing (2022 specification): InputPath, Parameters, ResultSelector, ResultPath, OutputPath.
use super::data::Data;
use super::error::{EvaluationFault, names};
use super::flow::FlowId;
use super::machine::{Machine, Step};
use super::measure::{Measure, measure};
use super::random::Random;
use super::roots::StateRoots;
use super::template;
use crate::Limits;
use crate::history::EventDetails;
use crate::program::{CompiledTemplate, DataPath, ResultPath, ResultProcessing, StateProgram};
use asl_model::Profile;
use asl_path::{Path, ReferencePath};
use serde_json::Value;
use std::borrow::Cow;
use std::sync::Arc;

/// What evaluating a state's fields needs besides the data.
pub(super) struct Evaluation<'e> {
    pub(super) context: &'e Value,
    pub(super) random: &'e mut Random,
    pub(super) limits: &'e Limits,
    pub(super) profile: Profile,
}

impl Evaluation<'_> {
    /// InputPath or OutputPath: None where the data stays as it is.
    pub(super) fn select(
        &self,
        path: &DataPath,
        data: &Data,
    ) -> Result<Option<Data>, EvaluationFault> {
        match path {
            DataPath::Whole => Ok(None),
            // Specification, Input and Output Processing: null stands for an empty object.
            DataPath::Null => Ok(Some(Data::empty_object())),
            DataPath::Path(_) if data.is_null() => Err(EvaluationFault::runtime(
                "Unable to apply Path transformation to null or empty input.",
            )),
            DataPath::Path(path) => self
                .find(path, data)
                .map(|found| Some(self.selected(found, data))),
        }
    }

    /// What is selected from the data is at most as large; what is gathered, or of the Context Object, is measured.
    fn selected(&self, found: Cow<'_, Value>, data: &Data) -> Data {
        match found {
            Cow::Borrowed(part) if !self.context.is_object() => data.part(part.clone()),
            found => Data::measured(found.into_owned(), self.limits),
        }
    }

    /// The documents of the state's paths.
    pub(super) fn roots<'d>(&'d self, input: &'d Value) -> StateRoots<'d> {
        StateRoots {
            input,
            context: self.context,
        }
    }

    /// The value of a path that must have one.
    pub(super) fn find<'d>(
        &'d self,
        path: &Path,
        input: &'d Value,
    ) -> Result<Cow<'d, Value>, EvaluationFault> {
        let document = self.roots(input).document(path);
        path.json_path().evaluate(document).map_err(|error| {
            EvaluationFault::runtime(format!("Invalid path '{}' : {error}", path.source()))
        })
    }

    /// The value of a "…Path" field that holds a reference path.
    pub(super) fn find_reference<'d>(&'d self, path: &Path, input: &'d Value) -> Option<&'d Value> {
        path.json_path().node(self.roots(input).document(path))
    }

    /// A Payload Template's payload.
    pub(super) fn payload(
        &mut self,
        template: &CompiledTemplate,
        input: &Value,
    ) -> Result<Data, EvaluationFault> {
        let roots = StateRoots {
            input,
            context: self.context,
        };
        let payload = template::payload(template, &roots, self.random, self.profile)?;
        Ok(Data::measured(payload, self.limits))
    }

    /// InputPath, then Parameters: the effective input, sharing the raw input where it is the same.
    pub(super) fn effective_input(
        &mut self,
        state: &StateProgram,
        parameters: Option<&CompiledTemplate>,
        raw: &mut Data,
    ) -> Result<Data, EvaluationFault> {
        let selected = self.select(&state.input_path, raw)?;
        match (parameters, selected) {
            (Some(template), Some(selected)) => self.payload(template, &selected),
            (Some(template), None) => self.payload(template, raw),
            (None, Some(selected)) => Ok(selected),
            (None, None) => Ok(raw.duplicate()),
        }
    }

    /// A Pass State's output: of its Result, or of its effective input.
    pub(super) fn pass_output(
        &mut self,
        state: &StateProgram,
        parameters: Option<&CompiledTemplate>,
        result: Option<Data>,
        result_path: &ResultPath,
        raw: Data,
    ) -> Result<Data, EvaluationFault> {
        let mut own = self.select(&state.input_path, &raw)?;
        if let Some(template) = parameters {
            own = Some(self.payload(template, own.as_ref().unwrap_or(&raw))?);
        }
        let output = match (result_path, result.or(own)) {
            (ResultPath::Discard, _) | (ResultPath::Replace, None) => raw,
            (ResultPath::Replace, Some(result)) => result,
            (ResultPath::Write(path), Some(result)) => write(path, raw, result)?,
            (ResultPath::Write(path), None) => {
                let copy = Data::new((*raw).clone(), raw.measure);
                write(path, raw, copy)?
            }
        };
        self.output(state, output)
    }

    /// ResultSelector, ResultPath and OutputPath: the effective output of a Task, Parallel or Map State.
    pub(super) fn effective_output(
        &mut self,
        state: &StateProgram,
        processing: &ResultProcessing,
        raw: Data,
        result: Data,
    ) -> Result<Data, EvaluationFault> {
        let result = match &processing.selector {
            Some(template) => self.payload(template, &result)?,
            None => result,
        };
        let output = combine(&processing.path, raw, result)?;
        self.output(state, output)
    }

    /// OutputPath.
    pub(super) fn output(&self, state: &StateProgram, data: Data) -> Result<Data, EvaluationFault> {
        Ok(self.select(&state.output_path, &data)?.unwrap_or(data))
    }

    /// InputPath and OutputPath of a state that has no result: Wait, Choice, Succeed.
    pub(super) fn passed_through(
        &self,
        state: &StateProgram,
        raw: Data,
    ) -> Result<Data, EvaluationFault> {
        let effective = self.select(&state.input_path, &raw)?.unwrap_or(raw);
        self.output(state, effective)
    }

    /// InputPath alone, borrowing where it selects nothing.
    pub(super) fn input<'d>(
        &self,
        state: &StateProgram,
        raw: &'d Data,
    ) -> Result<Cow<'d, Data>, EvaluationFault> {
        Ok(self
            .select(&state.input_path, raw)?
            .map_or(Cow::Borrowed(raw), Cow::Owned))
    }
}

/// ResultPath: the raw input combined with, or replaced by, the result.
pub(super) fn combine(path: &ResultPath, raw: Data, result: Data) -> Result<Data, EvaluationFault> {
    match path {
        ResultPath::Replace => Ok(result),
        ResultPath::Discard => Ok(raw),
        ResultPath::Write(path) => write(path, raw, result),
    }
}

fn write(path: &ReferencePath, mut raw: Data, result: Data) -> Result<Data, EvaluationFault> {
    let written = result.measure;
    let size = Measure::with_written(
        raw.measure,
        path.steps().len(),
        path.source().len() as u64 + 8,
        written,
    );
    let written = path.write(raw.make_mut(), result.into_value());
    if written.is_err() {
        let detail = format!(
            "Unable to apply ReferencePath {} to input {}",
            path.source(),
            *raw
        );
        return Err(EvaluationFault::new(
            names::RESULT_PATH_MATCH_FAILURE,
            detail,
        ));
    }
    raw.measure = size;
    Ok(raw)
}

impl Machine {
    /// Leaves a state with its effective output: its event, and the transition.
    pub(super) fn leave(
        &mut self,
        program: &crate::Program,
        id: FlowId,
        state: &StateProgram,
        output: Data,
    ) -> Step {
        self.leave_to(program, id, state, output, state.next)
    }

    /// Leaves a state for `next`; None ends the flow.
    pub(super) fn leave_to(
        &mut self,
        program: &crate::Program,
        id: FlowId,
        state: &StateProgram,
        mut output: Data,
        next: Option<crate::program::StateIndex>,
    ) -> Step {
        if let Err(error) = self.check_limits(&mut output, &state.name) {
            return self.fail_flow(program, id, error);
        }
        if self.start.record_history {
            let shared = output.share();
            let name = Arc::clone(&state.name);
            self.record_in(id, || EventDetails::StateExited {
                state_type: state.state_type,
                name,
                output: shared,
            });
        } else {
            let event_id = self.count_event();
            if let Some(flow) = self.flows.get_mut(id) {
                flow.last_event_id = event_id;
            }
        }
        let Some(flow) = self.flows.get_mut(id) else {
            return Step::Stop;
        };
        // Specification, Complex retry scenarios: retriers start anew with the next state.
        flow.retry_count = 0;
        flow.retrier_counts.clear();
        flow.task_token = None;
        match next {
            Some(next) => {
                flow.state = next;
                flow.input = output;
                flow.phase = super::flow::Phase::Entering;
                Step::Continue
            }
            None => {
                self.finish_flow(program, id, output);
                Step::Stop
            }
        }
    }

    /// A state that passes its input on: Succeed.
    pub(super) fn pass_through(
        &mut self,
        program: &crate::Program,
        id: FlowId,
        state: &StateProgram,
    ) -> Step {
        let raw = self.take_input(id);
        let context = self.take_context(id, state);
        let output = self
            .evaluation(program, &context)
            .passed_through(state, raw);
        self.return_context(context);
        match output {
            Ok(output) => self.leave(program, id, state, output),
            Err(fault) => self.fail_state_with(program, id, state, fault),
        }
    }

    pub(super) fn evaluation<'e>(
        &'e mut self,
        program: &crate::Program,
        context: &'e Value,
    ) -> Evaluation<'e> {
        Evaluation {
            context,
            random: &mut self.random,
            limits: &self.start.limits,
            profile: program.profile(),
        }
    }

    /// Takes the raw input of a state that needs it no more.
    pub(super) fn take_input(&mut self, id: FlowId) -> Data {
        self.flows
            .get_mut(id)
            .map(|flow| std::mem::take(&mut flow.input))
            .unwrap_or_default()
    }

    /// A second owner of the raw input of a state that may need it again.
    pub(super) fn share_input(&mut self, id: FlowId) -> Data {
        self.flows
            .get_mut(id)
            .map(|flow| flow.input.duplicate())
            .unwrap_or_default()
    }
}

/// Measures a value that was built from several of known measure.
pub(super) fn measured_array(items: Vec<Value>, limits: &Limits) -> Data {
    let value = Value::Array(items);
    let size = measure(&value, limits.max_payload_bytes.is_some());
    Data::new(value, size)
}
