//! Input and output processing, in both query languages (2024 specification, Input and Output Processing).
use super::QueryLanguage;
use crate::PayloadTemplate;
use asl_path::{Path, ReferencePath};

/// Input and output processing of a state.
#[derive(Debug, Clone, PartialEq)]
pub enum Processing {
    /// Processing of a JSONPath state.
    JsonPath(Box<JsonPathProcessing>),
    /// Processing of a JSONata state.
    Jsonata(Box<JsonataProcessing>),
}

impl Processing {
    /// Returns the processing of a state of this language that omits all fields.
    pub fn absent(query_language: QueryLanguage) -> Self {
        match query_language {
            QueryLanguage::JSONPath => Self::JsonPath(Box::default()),
            QueryLanguage::JSONata => Self::Jsonata(Box::default()),
        }
    }

    /// "Parameters" or "Arguments".
    pub fn payload(&self) -> Option<&PayloadTemplate> {
        match self {
            Self::JsonPath(processing) => processing.parameters.as_ref(),
            Self::Jsonata(processing) => processing.arguments.as_ref(),
        }
    }

    /// Returns the state's query language.
    pub fn query_language(&self) -> QueryLanguage {
        match self {
            Self::JsonPath(_) => QueryLanguage::JSONPath,
            Self::Jsonata(_) => QueryLanguage::JSONata,
        }
    }
}

/// Input and output processing with JSONPath; a state has those of the fields that its type allows.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct JsonPathProcessing {
    /// "InputPath".
    pub input_path: DataPath,
    /// "Parameters" of a Pass, Task or Parallel State.
    pub parameters: Option<PayloadTemplate>,
    /// "ResultSelector" of a Task, Parallel or Map State.
    pub result_selector: Option<PayloadTemplate>,
    /// "ResultPath" of a Pass, Task, Parallel or Map State.
    pub result_path: ResultPath,
    /// "OutputPath".
    pub output_path: DataPath,
}

/// Input and output processing with JSONata.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct JsonataProcessing {
    /// "Arguments" of a Task or Parallel State.
    pub arguments: Option<PayloadTemplate>,
    /// "Output".
    pub output: Option<PayloadTemplate>,
}

/// "InputPath" and "OutputPath".
#[derive(Debug, Clone, PartialEq, Default)]
pub enum DataPath {
    /// Absent: the same as `$`.
    #[default]
    Absent,
    /// null: the data is replaced by `{}`.
    Null,
    /// A path.
    Path(Path),
}

/// "ResultPath".
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum ResultPath {
    /// Absent: the same as `$`.
    #[default]
    Absent,
    /// null: the result is discarded.
    Null,
    /// A reference path.
    Path(ReferencePath),
}
