//! Output processing of a state in both query languages: its output, and its assigned variables.
//!
//! "Output" and "Assign" do not see each other: both are evaluated on the data from the entry of the state. The raw input is
//! unchanged until the output is applied to it, so that Retry, Catch and Redrive can use it after an error.
use super::documents::Documents;
use super::evaluation::Evaluation;
use super::fault::EvaluationFault;
use super::output_data::OutputData;
use super::variables::Assignments;
use crate::data::{Data, weigh};
use crate::program::{
    Catcher, CatcherOutput, ChoiceRule, CompiledAssign, CompiledTemplate, JsonPathProcessing,
    Literal, Processing, ResultPath, StateProgram,
};

/// A state's output and the variables that it assigns.
pub(crate) struct StateOutput<'p> {
    pub(crate) data: OutputData<'p>,
    pub(crate) assigned: Assignments,
}

impl Evaluation<'_> {
    /// Returns the selection of InputPath; None if the state's input is its raw input.
    pub(super) fn selected_input(
        &mut self,
        processing: &Processing,
        raw: &Data,
    ) -> Result<Option<Data>, EvaluationFault> {
        match processing {
            Processing::JsonPath(processing) => {
                self.select(&processing.input_path, "InputPath", raw)
            }
            Processing::Jsonata(_) => Ok(None),
        }
    }

    /// Returns the arguments of a Task or Parallel State: from InputPath and Parameters, or from Arguments. They share the
    /// raw input if they are equal.
    pub(super) fn arguments(
        &mut self,
        processing: &Processing,
        selected: Option<Data>,
        raw: &mut Data,
    ) -> Result<Data, EvaluationFault> {
        match processing {
            Processing::JsonPath(processing) => match (&processing.parameters, selected) {
                (Some(template), selected) => {
                    self.payload(template, "Parameters", selected.as_ref().unwrap_or(raw))
                }
                (None, Some(selected)) => Ok(selected),
                (None, None) => Ok(raw.duplicate()),
            },
            Processing::Jsonata(processing) => match &processing.arguments {
                None => Ok(raw.duplicate()),
                Some(arguments) => {
                    let made = self
                        .shared(&arguments.root, "", &mut Documents::from_input(raw))
                        .map_err(|fault| fault.at("Arguments"))?;
                    self.report_field("Arguments", &made);
                    Ok(made)
                }
            },
        }
    }

    /// Returns the input of each branch of a Parallel State.
    pub(crate) fn effective_input(
        &mut self,
        processing: &Processing,
        raw: &mut Data,
    ) -> Result<Data, EvaluationFault> {
        let selected = self.selected_input(processing, raw)?;
        self.arguments(processing, selected, raw)
    }

    /// Of a Pass State.
    pub(crate) fn pass_output<'p>(
        &mut self,
        state: &'p StateProgram,
        result: Option<&Literal>,
        raw: &mut Data,
    ) -> Result<StateOutput<'p>, EvaluationFault> {
        let Processing::JsonPath(processing) = &state.processing else {
            return self.unchanged_output(state, raw);
        };
        let mut result = self.pass_result(processing, result, raw)?;
        // 2024 specification, Using Assign: "$" is the result, whatever it was made of.
        let assigned = self.assign(
            state.assign.as_ref(),
            &mut Documents::from_input(result.as_mut().unwrap_or(raw)),
        )?;
        let data = match (&processing.result_path, result) {
            (ResultPath::Write(path), None) => {
                self.charge(weigh(raw))?;
                OutputData::Written(path, (*raw).clone())
            }
            (_, None) => OutputData::Unchanged,
            (path, Some(result)) => combined(path, result),
        };
        let data = self.output_path(processing, raw, data)?;
        Ok(StateOutput { data, assigned })
    }

    /// Of a Task, Parallel or Map State that has a result.
    pub(crate) fn result_output<'p>(
        &mut self,
        state: &'p StateProgram,
        raw: &mut Data,
        result: &mut Data,
    ) -> Result<StateOutput<'p>, EvaluationFault> {
        self.report_field("Result", result);
        let assign = state.assign.as_ref();
        match &state.processing {
            Processing::JsonPath(processing) => {
                let assigned = self.assign(assign, &mut Documents::from_input(result))?;
                let result = match &processing.result_selector {
                    Some(template) => self.payload(template, "ResultSelector", result)?,
                    // It is wanted again where evaluating a path takes too long.
                    None if processing.output_path.takes_steps() => result.duplicate(),
                    None => std::mem::take(result),
                };
                let data = combined(&processing.result_path, result);
                let data = self.output_path(processing, raw, data)?;
                Ok(StateOutput { data, assigned })
            }
            Processing::Jsonata(processing) => {
                let mut documents = Documents {
                    result: Some(&mut *result),
                    ..Documents::from_input(raw)
                };
                let assigned = self.assign(assign, &mut documents)?;
                let data = match &processing.output {
                    Some(output) => self.moved(output, "Output", documents)?,
                    None => OutputData::Replaced(std::mem::take(result)),
                };
                Ok(StateOutput { data, assigned })
            }
        }
    }

    /// Of a state that has no result: Wait, Succeed, a JSONata Pass, and a Choice where no rule matches.
    pub(crate) fn unchanged_output<'p>(
        &mut self,
        state: &'p StateProgram,
        raw: &mut Data,
    ) -> Result<StateOutput<'p>, EvaluationFault> {
        let (output, assign) = (state.output(), state.assign.as_ref());
        self.unchanged_output_with(&state.processing, output, assign, raw)
    }

    /// Of a Choice State where `rule` matches: its "Output" and "Assign" replace the state's.
    pub(super) fn chosen<'p>(
        &mut self,
        state: &'p StateProgram,
        rule: &'p ChoiceRule,
        raw: &mut Data,
    ) -> Result<StateOutput<'p>, EvaluationFault> {
        let (output, assign) = (rule.output.as_ref(), rule.assign.as_ref());
        self.unchanged_output_with(&state.processing, output, assign, raw)
    }

    fn unchanged_output_with<'p>(
        &mut self,
        processing: &'p Processing,
        output: Option<&'p CompiledTemplate>,
        assign: Option<&CompiledAssign>,
        raw: &mut Data,
    ) -> Result<StateOutput<'p>, EvaluationFault> {
        match processing {
            Processing::JsonPath(processing) => self.selected_through(processing, assign, raw),
            Processing::Jsonata(_) => {
                let mut documents = Documents::from_input(raw);
                let assigned = self.assign(assign, &mut documents)?;
                let data = match output {
                    Some(output) => self.moved(output, "Output", documents)?,
                    None => OutputData::Unchanged,
                };
                Ok(StateOutput { data, assigned })
            }
        }
    }

    /// InputPath and OutputPath; "$" of Assign is what InputPath selects (2024 specification, Using Assign).
    fn selected_through<'p>(
        &mut self,
        processing: &'p JsonPathProcessing,
        assign: Option<&CompiledAssign>,
        raw: &mut Data,
    ) -> Result<StateOutput<'p>, EvaluationFault> {
        let mut effective = self.select(&processing.input_path, "InputPath", raw)?;
        let assigned = self.assign(
            assign,
            &mut Documents::from_input(effective.as_mut().unwrap_or(raw)),
        )?;
        let data = effective.map_or(OutputData::Unchanged, OutputData::Replaced);
        let data = self.output_path(processing, raw, data)?;
        Ok(StateOutput { data, assigned })
    }

    /// Of a state whose error a catcher took (2024 specification, Fallback states).
    pub(crate) fn caught<'p>(
        &mut self,
        catcher: &'p Catcher,
        raw: &mut Data,
        mut error_output: Data,
    ) -> Result<StateOutput<'p>, EvaluationFault> {
        let assign = catcher.assign.as_ref();
        match &catcher.output {
            CatcherOutput::JsonPath(path) => {
                let assigned =
                    self.assign(assign, &mut Documents::from_input(&mut error_output))?;
                let data = combined(path, error_output);
                Ok(StateOutput { data, assigned })
            }
            CatcherOutput::Jsonata(output) => {
                let mut documents = Documents {
                    error_output: Some(&mut error_output),
                    ..Documents::from_input(raw)
                };
                let assigned = self.assign(assign, &mut documents)?;
                let data = match output {
                    Some(output) => self.moved(output, "Output", documents)?,
                    None => OutputData::Replaced(error_output),
                };
                Ok(StateOutput { data, assigned })
            }
        }
    }
}

/// ResultPath: the raw input combined with, or replaced by, the result.
fn combined(path: &ResultPath, result: Data) -> OutputData<'_> {
    match path {
        ResultPath::Replace => OutputData::Replaced(result),
        ResultPath::Discard => OutputData::Unchanged,
        ResultPath::Write(path) => OutputData::Written(path, result),
    }
}
