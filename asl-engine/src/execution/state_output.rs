//! What a state leaves behind, in both query languages: its output, and the variables that it assigns.
//!
//! "Output" and "Assign" do not see each other: both are evaluated over what was there when the state was entered.
use super::data::Data;
use super::evaluation::{Documents, Evaluation};
use super::fault::EvaluationFault;
use super::input_output::combine;
use super::variables::Assigned;
use crate::program::{
    Catcher, CatcherOutput, ChoiceRule, CompiledAssign, CompiledTemplate, JsonPathProcessing,
    Literal, Processing, StateProgram,
};

/// A state's output and the variables that it assigns.
pub(super) struct StateOutput {
    pub(super) data: Data,
    pub(super) assigned: Assigned,
}

impl From<Data> for StateOutput {
    fn from(data: Data) -> Self {
        Self {
            data,
            assigned: Assigned::new(),
        }
    }
}

impl Evaluation<'_> {
    /// What InputPath selects: None where the state's input is its raw input.
    pub(super) fn selected_input(
        &self,
        processing: &Processing,
        raw: &Data,
    ) -> Result<Option<Data>, EvaluationFault> {
        match processing {
            Processing::JsonPath(processing) => self.select(&processing.input_path, raw),
            Processing::Jsonata(_) => Ok(None),
        }
    }

    /// What a Task or Parallel State hands on: of what InputPath selected and Parameters, or of Arguments. It shares the
    /// raw input where it is the same.
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
                Some(arguments) => self
                    .shared(&arguments.root, "", &mut Documents::of_input(raw))
                    .map_err(|fault| fault.at("Arguments")),
            },
        }
    }

    /// Of a Pass State.
    pub(super) fn pass(
        &mut self,
        state: &StateProgram,
        result: Option<&Literal>,
        mut raw: Data,
    ) -> Result<StateOutput, EvaluationFault> {
        let Processing::JsonPath(processing) = &state.processing else {
            return self.passed_through(state, raw);
        };
        let mut result = self.pass_result(processing, result, &raw)?;
        // 2024 specification, Using Assign: "$" is the result, whatever it was made of.
        let assigned = self.assign(
            state.assign.as_ref(),
            &mut Documents::of_input(result.as_mut().unwrap_or(&mut raw)),
        )?;
        let data = self.pass_output(processing, result, raw)?;
        Ok(StateOutput { data, assigned })
    }

    /// Of a Task, Parallel or Map State that has a result.
    pub(super) fn of_result(
        &mut self,
        state: &StateProgram,
        mut raw: Data,
        mut result: Data,
    ) -> Result<StateOutput, EvaluationFault> {
        let assign = state.assign.as_ref();
        match &state.processing {
            Processing::JsonPath(processing) => {
                let assigned = self.assign(assign, &mut Documents::of_input(&mut result))?;
                let data = self.effective_output(processing, raw, result)?;
                Ok(StateOutput { data, assigned })
            }
            Processing::Jsonata(processing) => {
                let mut documents = Documents {
                    result: Some(&mut result),
                    ..Documents::of_input(&mut raw)
                };
                let assigned = self.assign(assign, &mut documents)?;
                let data = match &processing.output {
                    Some(output) => self.moved(output, "Output", documents)?,
                    None => result,
                };
                Ok(StateOutput { data, assigned })
            }
        }
    }

    /// Of a state that has no result: Wait, Succeed, a JSONata Pass, and a Choice where no rule matches.
    pub(super) fn passed_through(
        &mut self,
        state: &StateProgram,
        raw: Data,
    ) -> Result<StateOutput, EvaluationFault> {
        let output = match &state.processing {
            Processing::JsonPath(_) => None,
            Processing::Jsonata(processing) => processing.output.as_ref(),
        };
        self.passed_through_with(&state.processing, output, state.assign.as_ref(), raw)
    }

    /// Of a Choice State where `rule` matches: its "Output" and "Assign" stand in for the state's.
    pub(super) fn chosen(
        &mut self,
        state: &StateProgram,
        rule: &ChoiceRule,
        raw: Data,
    ) -> Result<StateOutput, EvaluationFault> {
        let (output, assign) = (rule.output.as_ref(), rule.assign.as_ref());
        self.passed_through_with(&state.processing, output, assign, raw)
    }

    fn passed_through_with(
        &mut self,
        processing: &Processing,
        output: Option<&CompiledTemplate>,
        assign: Option<&CompiledAssign>,
        mut raw: Data,
    ) -> Result<StateOutput, EvaluationFault> {
        match processing {
            Processing::JsonPath(processing) => self.selected_through(processing, assign, raw),
            Processing::Jsonata(_) => {
                let mut documents = Documents::of_input(&mut raw);
                let assigned = self.assign(assign, &mut documents)?;
                let data = match output {
                    Some(output) => self.moved(output, "Output", documents)?,
                    None => raw,
                };
                Ok(StateOutput { data, assigned })
            }
        }
    }

    /// InputPath and OutputPath; "$" of Assign is what InputPath selects (2024 specification, Using Assign).
    fn selected_through(
        &mut self,
        processing: &JsonPathProcessing,
        assign: Option<&CompiledAssign>,
        raw: Data,
    ) -> Result<StateOutput, EvaluationFault> {
        let mut effective = self.select_or(&processing.input_path, raw)?;
        let assigned = self.assign(assign, &mut Documents::of_input(&mut effective))?;
        let data = self.output(processing, effective)?;
        Ok(StateOutput { data, assigned })
    }

    /// Of a state whose error a catcher took (2024 specification, Fallback states).
    pub(super) fn caught(
        &mut self,
        catcher: &Catcher,
        mut raw: Data,
        mut error_output: Data,
    ) -> Result<StateOutput, EvaluationFault> {
        let assign = catcher.assign.as_ref();
        match &catcher.output {
            CatcherOutput::JsonPath(path) => {
                let assigned = self.assign(assign, &mut Documents::of_input(&mut error_output))?;
                let data = combine(path, raw, error_output)?;
                Ok(StateOutput { data, assigned })
            }
            CatcherOutput::Jsonata(output) => {
                let mut documents = Documents {
                    error_output: Some(&mut error_output),
                    ..Documents::of_input(&mut raw)
                };
                let assigned = self.assign(assign, &mut documents)?;
                let data = match output {
                    Some(output) => self.moved(output, "Output", documents)?,
                    None => error_output,
                };
                Ok(StateOutput { data, assigned })
            }
        }
    }
}
