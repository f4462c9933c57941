//! "InputType": how a file holds items (developer guide, ItemReader).
use super::csv::{self, CsvFormat, Delimiter, Header};
use super::item_reader::{ItemReaderError, not_understood};
use super::{json_array, json_lines};
use asl_model::ReaderConfig;
use serde_json::Value;

/// "InputType" of the files that hold items, with what it needs.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum FileFormat {
    /// CSV, with "CSVDelimiter", "CSVHeaderLocation" and "CSVHeaders".
    Csv(CsvFormat),
    /// JSON.
    Json {
        /// "ItemsPointer".
        items_pointer: Option<String>,
    },
    /// JSONL.
    JsonLines,
}

/// What is wrong with a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fault {
    /// A whole cause, as the service writes it.
    Service(String),
    /// To be told with the file's name.
    File(String),
}

impl From<String> for Fault {
    fn from(fault: String) -> Self {
        Self::File(fault)
    }
}

impl From<csv::CsvError> for Fault {
    fn from(error: csv::CsvError) -> Self {
        let cause = error.to_string();
        match error {
            csv::CsvError::DuplicateHeader => Self::Service(cause),
            _ => Self::File(cause),
        }
    }
}

impl FileFormat {
    /// Reads "InputType" and the fields that belong to it.
    ///
    /// # Errors
    /// A type that is missing or not understood, and wrong CSV fields.
    pub fn new(config: &ReaderConfig) -> Result<Self, ItemReaderError> {
        match config.input_type.as_deref() {
            Some("CSV") => csv_format(config).map(Self::Csv),
            Some("JSON") => Ok(Self::Json {
                items_pointer: config.items_pointer.clone(),
            }),
            Some("JSONL") => Ok(Self::JsonLines),
            other => Err(not_understood(
                "InputType",
                other.unwrap_or("none"),
                "CSV, JSON, JSONL or MANIFEST",
            )),
        }
    }

    /// The first `max_items` items of a file.
    pub(super) fn read(
        &self,
        text: &str,
        max_items: usize,
        max_depth: usize,
    ) -> Result<Vec<Value>, Fault> {
        match self {
            Self::Csv(format) => Ok(csv::read(text, format, max_items)?),
            Self::Json { items_pointer } => {
                json_array::read(text, items_pointer.as_deref(), max_items, max_depth)
            }
            Self::JsonLines => Ok(json_lines::read(text, max_items, max_depth)?),
        }
    }
}

fn csv_format(config: &ReaderConfig) -> Result<CsvFormat, ItemReaderError> {
    let delimiter = match config.csv_delimiter.as_deref() {
        None => Delimiter::default(),
        Some(word) => Delimiter::from_word(word).ok_or_else(|| {
            let words = "COMMA, PIPE, SEMICOLON, SPACE or TAB";
            not_understood("CSVDelimiter", word, words)
        })?,
    };
    let header = match (config.csv_header_location.as_deref(), &config.csv_headers) {
        (Some("GIVEN") | None, Some(names)) => Header::Given(names.clone()),
        (Some("FIRST_ROW") | None, _) => Header::FirstRow,
        (Some("GIVEN"), None) => {
            return Err(not_understood(
                "CSVHeaders",
                "none",
                "the names of the columns",
            ));
        }
        (Some(other), _) => {
            return Err(not_understood(
                "CSVHeaderLocation",
                other,
                "FIRST_ROW or GIVEN",
            ));
        }
    };
    Ok(CsvFormat { delimiter, header })
}
