//! "InputType": how a file holds items (developer guide, ItemReader).
use super::csv::{self, CsvFormat, Header};
use super::error::{FileFault, ItemReaderError, not_understood};
use super::room::Room;
use super::{json_array, json_lines};
use asl_model::{CsvHeaderLocation, InputType, ReaderConfig};
use serde_json::Value;

/// "InputType" of item files, with its options.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum FileFormat {
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

impl FileFormat {
    /// Reads "InputType" and the fields that belong to it.
    ///
    /// # Errors
    /// A type that is missing or of no file of items, and a header that is to be given and is not.
    pub(crate) fn new(config: &ReaderConfig) -> Result<Self, ItemReaderError> {
        match config.input_type {
            Some(InputType::Csv) => csv_format(config).map(Self::Csv),
            Some(InputType::Json) => Ok(Self::Json {
                items_pointer: config.items_pointer.clone(),
            }),
            Some(InputType::JsonLines) => Ok(Self::JsonLines),
            other => Err(not_understood(
                "InputType",
                other.map_or("none", InputType::as_str),
                "CSV, JSON, JSONL or MANIFEST",
            )),
        }
    }

    /// Returns the first `max_items` items of a file.
    pub(super) fn read(
        &self,
        text: &str,
        max_items: usize,
        max_depth: usize,
        max_weight: u64,
    ) -> Result<Vec<Value>, FileFault> {
        let mut room = Room::new(max_weight);
        match self {
            Self::Csv(format) => Ok(csv::read(text, format, max_items, &mut room)?),
            Self::Json { items_pointer } => {
                let pointer = items_pointer.as_deref();
                json_array::read(text, pointer, max_items, max_depth, &mut room)
            }
            Self::JsonLines => json_lines::read(text, max_items, max_depth, &mut room),
        }
    }
}

fn csv_format(config: &ReaderConfig) -> Result<CsvFormat, ItemReaderError> {
    let header = match (config.csv_header_location, &config.csv_headers) {
        (Some(CsvHeaderLocation::Given) | None, Some(names)) => Header::Given(names.clone()),
        (Some(CsvHeaderLocation::Given), None) => {
            let expected = "the names of the columns";
            return Err(not_understood("CSVHeaders", "none", expected));
        }
        (Some(CsvHeaderLocation::FirstRow), _) | (None, None) => Header::FirstRow,
    };
    Ok(CsvFormat {
        delimiter: config.csv_delimiter.unwrap_or_default(),
        header,
    })
}
