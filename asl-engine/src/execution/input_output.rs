//! Input and output processing with JSONPath (2024 specification): InputPath, Parameters, ResultSelector, ResultPath,
//! OutputPath.
use super::data::Data;
use super::error::names;
use super::evaluation::Evaluation;
use super::fault::EvaluationFault;
use super::measure::Measure;
use crate::program::{DataPath, JsonPathProcessing, Literal, ResultPath};
use asl_path::{Path, ReferencePath, Root};
use serde_json::Value;
use std::borrow::Cow;

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
            DataPath::Path(path) => self.select_path(path, data).map(Some),
        }
    }

    fn select_path(&self, path: &Path, data: &Data) -> Result<Data, EvaluationFault> {
        if data.is_null() && !is_of_variable(path) {
            return Err(EvaluationFault::runtime(
                "Unable to apply Path transformation to null or empty input.",
            ));
        }
        self.find(path, data)
            .map(|found| self.selected(path, found, data))
    }

    /// What is selected from the data is at most as large; what is gathered, or of another document, is measured.
    fn selected(&self, path: &Path, found: Cow<'_, Value>, data: &Data) -> Data {
        match found {
            Cow::Borrowed(part) if matches!(path.root(), Root::Input) => data.part(part.clone()),
            found => Data::measured(found.into_owned(), self.limits),
        }
    }

    /// The value of a path that must have one.
    pub(super) fn find<'d>(
        &'d self,
        path: &Path,
        input: &'d Value,
    ) -> Result<Cow<'d, Value>, EvaluationFault> {
        let source = path.source();
        let Some(document) = self.roots(input).document(path) else {
            return Err(EvaluationFault::runtime(format!(
                "Invalid path '{source}' : the variable has no value"
            )));
        };
        path.json_path()
            .evaluate(document)
            .map_err(|error| EvaluationFault::runtime(format!("Invalid path '{source}' : {error}")))
    }

    /// The value of a "…Path" field that holds a reference path.
    pub(super) fn find_reference<'d>(&'d self, path: &Path, input: &'d Value) -> Option<&'d Value> {
        path.json_path().node(self.roots(input).document(path)?)
    }

    /// What a Pass State's result is where it has no "Result": None where its effective input is its raw input.
    pub(super) fn pass_result(
        &mut self,
        processing: &JsonPathProcessing,
        result: Option<&Literal>,
        raw: &Data,
    ) -> Result<Option<Data>, EvaluationFault> {
        if let Some(literal) = result {
            return Ok(Some(Data::new(literal.value.clone(), literal.measure)));
        }
        let selected = self.select(&processing.input_path, raw)?;
        match &processing.parameters {
            Some(template) => {
                let input = selected.as_ref().unwrap_or(raw);
                self.payload(template, "Parameters", input).map(Some)
            }
            None => Ok(selected),
        }
    }

    /// A Pass State's output of its result: ResultPath and OutputPath.
    pub(super) fn pass_output(
        &self,
        processing: &JsonPathProcessing,
        result: Option<Data>,
        raw: Data,
    ) -> Result<Data, EvaluationFault> {
        let output = match (&processing.result_path, result) {
            (ResultPath::Discard, _) | (ResultPath::Replace, None) => raw,
            (ResultPath::Replace, Some(result)) => result,
            (ResultPath::Write(path), Some(result)) => write(path, raw, result)?,
            (ResultPath::Write(path), None) => {
                let copy = Data::new((*raw).clone(), raw.measure);
                write(path, raw, copy)?
            }
        };
        self.output(processing, output)
    }

    /// ResultSelector, ResultPath and OutputPath: the effective output of a Task, Parallel or Map State.
    pub(super) fn effective_output(
        &mut self,
        processing: &JsonPathProcessing,
        raw: Data,
        result: Data,
    ) -> Result<Data, EvaluationFault> {
        let result = match &processing.result_selector {
            Some(template) => self.payload(template, "ResultSelector", &result)?,
            None => result,
        };
        let output = combine(&processing.result_path, raw, result)?;
        self.output(processing, output)
    }

    /// OutputPath.
    #[inline]
    pub(super) fn output(
        &self,
        processing: &JsonPathProcessing,
        data: Data,
    ) -> Result<Data, EvaluationFault> {
        self.select_or(&processing.output_path, data)
    }

    /// What a path selects of data that nothing else wants.
    #[inline]
    pub(super) fn select_or(&self, path: &DataPath, data: Data) -> Result<Data, EvaluationFault> {
        // Most states have no path: their data is not even moved.
        if let DataPath::Whole = path {
            return Ok(data);
        }
        Ok(self.select(path, &data)?.unwrap_or(data))
    }
}

fn is_of_variable(path: &Path) -> bool {
    matches!(path.root(), Root::Variable(_))
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
