//! "InputType": how a file holds items (developer guide, ItemReader).
use super::csv::{self, CsvFormat, CsvProgress, Header};
use super::error::{FileFault, ItemReaderError, not_understood};
use super::file_text::{FileText, ItemLimits, ReadItems};
use super::json_parts::{self, JsonProgress};
use super::{json_array, json_lines};
use asl_model::{CsvHeaderLocation, InputType, ReaderConfig};

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

    /// Returns the progress at the beginning of a file.
    pub(crate) fn progress(&self) -> FileProgress {
        match self {
            Self::Csv(_) => FileProgress::Csv(CsvProgress::default()),
            Self::Json { .. } => FileProgress::Json(JsonProgress::default()),
            Self::JsonLines => FileProgress::JsonLines { lines: 0 },
        }
    }

    /// Returns the items that are complete in the next text of a file.
    pub(super) fn read(
        &self,
        file: FileText<'_>,
        progress: &mut FileProgress,
        limits: &mut ItemLimits,
    ) -> Result<ReadItems, FileFault> {
        match (self, progress) {
            (Self::Csv(format), FileProgress::Csv(progress)) => {
                Ok(csv::read(file, format, progress, limits)?)
            }
            (Self::Json { items_pointer }, FileProgress::Json(progress)) => {
                let pointer = items_pointer.as_deref();
                // A file that is there at once is read as one document.
                if file.is_last && *progress == JsonProgress::default() {
                    let items = json_array::read(file.text, pointer, limits)?;
                    let bytes = file.text.len();
                    return Ok(ReadItems { items, bytes });
                }
                json_parts::read(file, pointer, progress, limits)
            }
            (Self::JsonLines, FileProgress::JsonLines { lines }) => {
                json_lines::read(file, lines, limits)
            }
            (format, progress) => {
                *progress = format.progress();
                format.read(file, progress, limits)
            }
        }
    }
}

/// Progress in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum FileProgress {
    Csv(CsvProgress),
    Json(JsonProgress),
    JsonLines { lines: u64 },
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
