//! A dataset that is being read.
use super::damage::{DamageContext as _, Read};
use super::values::JsonText;
use crate::distributed::csv::{CsvFormat, Header};
use crate::distributed::{FileFormat, ItemReading, ReadingStep, S3Object};
use asl_model::CsvDelimiter;
use serde::{Deserialize, Serialize};

/// A dataset that is being read: the items so far, and the next request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct SavedReading {
    format: Option<SavedFormat>,
    max_items: Option<u64>,
    items: Vec<JsonText>,
    step: SavedReadingStep,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum SavedFormat {
    Csv {
        delimiter: SavedDelimiter,
        /// None if it is the first row.
        header: Option<Vec<String>>,
    },
    Json {
        items_pointer: Option<String>,
    },
    JsonLines,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum SavedDelimiter {
    Comma,
    Pipe,
    Semicolon,
    Space,
    Tab,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum SavedReadingStep {
    Listing {
        bucket: String,
        prefix: Option<String>,
    },
    Inventory(SavedObject),
    AthenaManifest(SavedObject),
    Files {
        current: SavedObject,
        later: Vec<SavedObject>,
    },
}

/// Location of an object.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct SavedObject {
    bucket: String,
    key: String,
    version_id: Option<String>,
}

impl SavedReading {
    pub(super) fn new(reading: &ItemReading) -> Self {
        let ItemReading {
            format,
            max_items,
            items,
            step,
        } = reading;
        Self {
            format: format.as_ref().map(SavedFormat::from),
            max_items: *max_items,
            items: items.iter().map(JsonText::new).collect(),
            step: SavedReadingStep::from(step),
        }
    }

    pub(super) fn reading(self) -> Read<ItemReading> {
        let items = self.items.iter().enumerate();
        let items = items.map(|(index, item)| item.value().within(format_args!("items[{index}]")));
        Ok(ItemReading {
            format: self.format.map(FileFormat::from),
            max_items: self.max_items,
            items: items.collect::<Read<_>>()?,
            step: self.step.into(),
        })
    }
}

impl From<&FileFormat> for SavedFormat {
    fn from(format: &FileFormat) -> Self {
        match format.clone() {
            FileFormat::Csv(CsvFormat { delimiter, header }) => Self::Csv {
                delimiter: delimiter.into(),
                header: match header {
                    Header::FirstRow => None,
                    Header::Given(names) => Some(names),
                },
            },
            FileFormat::Json { items_pointer } => Self::Json { items_pointer },
            FileFormat::JsonLines => Self::JsonLines,
        }
    }
}

impl From<SavedFormat> for FileFormat {
    fn from(format: SavedFormat) -> Self {
        match format {
            SavedFormat::Csv { delimiter, header } => Self::Csv(CsvFormat {
                delimiter: delimiter.into(),
                header: header.map_or(Header::FirstRow, Header::Given),
            }),
            SavedFormat::Json { items_pointer } => Self::Json { items_pointer },
            SavedFormat::JsonLines => Self::JsonLines,
        }
    }
}

impl From<CsvDelimiter> for SavedDelimiter {
    fn from(delimiter: CsvDelimiter) -> Self {
        match delimiter {
            CsvDelimiter::Comma => Self::Comma,
            CsvDelimiter::Pipe => Self::Pipe,
            CsvDelimiter::Semicolon => Self::Semicolon,
            CsvDelimiter::Space => Self::Space,
            CsvDelimiter::Tab => Self::Tab,
        }
    }
}

impl From<SavedDelimiter> for CsvDelimiter {
    fn from(delimiter: SavedDelimiter) -> Self {
        match delimiter {
            SavedDelimiter::Comma => Self::Comma,
            SavedDelimiter::Pipe => Self::Pipe,
            SavedDelimiter::Semicolon => Self::Semicolon,
            SavedDelimiter::Space => Self::Space,
            SavedDelimiter::Tab => Self::Tab,
        }
    }
}

impl From<&ReadingStep> for SavedReadingStep {
    fn from(step: &ReadingStep) -> Self {
        match step.clone() {
            ReadingStep::Listing { bucket, prefix } => Self::Listing { bucket, prefix },
            ReadingStep::Inventory(object) => Self::Inventory(object.into()),
            ReadingStep::AthenaManifest(object) => Self::AthenaManifest(object.into()),
            ReadingStep::Files { current, later } => Self::Files {
                current: current.into(),
                later: later.into_iter().map(Into::into).collect(),
            },
        }
    }
}

impl From<SavedReadingStep> for ReadingStep {
    fn from(step: SavedReadingStep) -> Self {
        match step {
            SavedReadingStep::Listing { bucket, prefix } => Self::Listing { bucket, prefix },
            SavedReadingStep::Inventory(object) => Self::Inventory(object.into()),
            SavedReadingStep::AthenaManifest(object) => Self::AthenaManifest(object.into()),
            SavedReadingStep::Files { current, later } => Self::Files {
                current: current.into(),
                later: later.into_iter().map(Into::into).collect(),
            },
        }
    }
}

impl From<S3Object> for SavedObject {
    fn from(object: S3Object) -> Self {
        let S3Object {
            bucket,
            key,
            version_id,
        } = object;
        Self {
            bucket,
            key,
            version_id,
        }
    }
}

impl From<SavedObject> for S3Object {
    fn from(object: SavedObject) -> Self {
        let SavedObject {
            bucket,
            key,
            version_id,
        } = object;
        Self {
            bucket,
            key,
            version_id,
        }
    }
}
