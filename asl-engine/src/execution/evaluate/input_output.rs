//! Input and output processing with JSONPath (2024 specification): InputPath, Parameters, ResultSelector, ResultPath,
//! OutputPath.
use super::evaluation::Evaluation;
use super::fault::EvaluationFault;
use super::output_data::OutputData;
use crate::data::{Data, weigh};
use crate::program::{DataPath, JsonPathProcessing, Literal};
use asl_path::{Path, Root};
use serde_json::Value;
use std::borrow::Cow;

impl<'e> Evaluation<'e> {
    /// InputPath or OutputPath: None if the data stays as it is.
    #[inline]
    pub(super) fn select(
        &mut self,
        path: &DataPath,
        field: &'static str,
        data: &Data,
    ) -> Result<Option<Data>, EvaluationFault> {
        let selected = match path {
            // Most states have no path: nothing is moved for them.
            DataPath::Whole => return Ok(None),
            // 2024 specification, Input and Output Processing: null stands for an empty object.
            DataPath::Null => Data::empty_object(),
            DataPath::Path(path) => self
                .select_path(path, data)
                .map_err(|fault| fault.at(field))?,
        };
        self.report_field(field, &selected);
        Ok(Some(selected))
    }

    fn select_path(&mut self, path: &Path, data: &Data) -> Result<Data, EvaluationFault> {
        if data.is_null() && !is_of_variable(path) {
            return Err(EvaluationFault::runtime(
                "Unable to apply Path transformation to null or empty input.",
            ));
        }
        match self.find(path, data)? {
            // What is selected from the data is at most as large; what is gathered, or of another document, is measured.
            Cow::Borrowed(part) if matches!(path.root(), Root::Input) => {
                Ok(data.part(self.copied(part)?))
            }
            Cow::Borrowed(part) => Ok(Data::measured(self.copied(part)?, self.limits)),
            Cow::Owned(gathered) => {
                self.charge(weigh(&gathered))?;
                Ok(Data::measured(gathered, self.limits))
            }
        }
    }

    /// Returns the value of a path that must have one.
    pub(super) fn find<'d>(
        &self,
        path: &Path,
        input: &'d Value,
    ) -> Result<Cow<'d, Value>, EvaluationFault>
    where
        'e: 'd,
    {
        let source = path.source();
        let Some(document) = self.roots(input).document(path) else {
            return Err(EvaluationFault::runtime(format!(
                "Invalid path '{source}' : the variable has no value"
            )));
        };
        path.json_path()
            .evaluate_counting(document, self.path_limits(), &self.steps)
            .map_err(|error| EvaluationFault::from_path(path, &error))
    }

    /// Returns the value of a "…Path" field that holds a reference path.
    pub(super) fn find_reference<'d>(&'d self, path: &Path, input: &'d Value) -> Option<&'d Value> {
        path.json_path().node(self.roots(input).document(path)?)
    }

    /// Returns the result of a Pass State without "Result"; None if its effective input is its raw input.
    pub(super) fn pass_result(
        &mut self,
        processing: &JsonPathProcessing,
        result: Option<&Literal>,
        raw: &Data,
    ) -> Result<Option<Data>, EvaluationFault> {
        if let Some(literal) = result {
            return self.literal(literal).map(Some);
        }
        let selected = self.select(&processing.input_path, "InputPath", raw)?;
        match &processing.parameters {
            Some(template) => {
                let input = selected.as_ref().unwrap_or(raw);
                self.payload(template, "Parameters", input).map(Some)
            }
            None => Ok(selected),
        }
    }

    /// OutputPath, over what a state's output is without it.
    #[inline]
    pub(super) fn output_path<'p>(
        &mut self,
        processing: &JsonPathProcessing,
        raw: &mut Data,
        output: OutputData<'p>,
    ) -> Result<OutputData<'p>, EvaluationFault> {
        if self.inspector.is_none() && matches!(processing.output_path, DataPath::Whole) {
            return Ok(output);
        }
        self.output_path_of_combined(processing, raw, output)
    }

    /// The combined data is made next to the raw input, which a fault of OutputPath must leave as it is.
    fn output_path_of_combined<'p>(
        &mut self,
        processing: &JsonPathProcessing,
        raw: &mut Data,
        output: OutputData<'p>,
    ) -> Result<OutputData<'p>, EvaluationFault> {
        let combined = match output {
            OutputData::Unchanged => None,
            OutputData::Replaced(data) => Some(data),
            output => {
                let mut copy = raw.duplicate();
                output
                    .apply(&mut copy, self.memory.remaining())
                    .map_err(|fault| fault.at("ResultPath"))?;
                Some(copy)
            }
        };
        if let Some(combined) = &combined {
            self.report_field("ResultPath", combined);
        }
        let selected = self.select(
            &processing.output_path,
            "OutputPath",
            combined.as_ref().unwrap_or(raw),
        )?;
        Ok(selected
            .or(combined)
            .map_or(OutputData::Unchanged, OutputData::Replaced))
    }
}

fn is_of_variable(path: &Path) -> bool {
    matches!(path.root(), Root::Variable(_))
}
