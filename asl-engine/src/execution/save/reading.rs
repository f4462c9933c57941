//! A dataset that is being read.
use super::damage::{DamageContext as _, Read, ensure};
use super::values::JsonText;
use crate::data::weigh;
use crate::distributed::csv::{CsvFormat, CsvProgress, Header};
use crate::distributed::{
    FileFormat, FileProgress, ItemReading, JsonLevel, JsonPlace, JsonProgress, PartialObject,
    ReadingStep, S3Object,
};
use asl_model::CsvDelimiter;
use serde::{Deserialize, Serialize};

/// A dataset that is being read: the items so far, and the next request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct SavedReading {
    format: Option<SavedFormat>,
    max_items: Option<u64>,
    items: Vec<JsonText>,
    step: SavedReadingStep,
    /// Number of all items so far; core 3 and before held all.
    #[serde(default)]
    found: Option<u64>,
    #[serde(default)]
    counts_only: bool,
    #[serde(default)]
    object: SavedPartialObject,
    #[serde(default)]
    progress: Option<SavedProgress>,
    #[serde(default)]
    files: Vec<SavedObject>,
}

/// An object of which a part was read.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
struct SavedPartialObject {
    next: u64,
    etag: Option<String>,
    #[serde(with = "crate::saved::bytes")]
    unread: Vec<u8>,
    wanted: u64,
}

/// Progress in a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum SavedProgress {
    Csv {
        header: Option<Vec<String>>,
        lines: u64,
    },
    Json {
        levels: Vec<SavedLevel>,
        place: SavedPlace,
    },
    JsonLines {
        lines: u64,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct SavedLevel {
    is_object: bool,
    index: u64,
    is_found: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum SavedPlace {
    Value,
    First,
    Next,
    End,
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
    #[serde(default)]
    etag: Option<String>,
}

impl SavedReading {
    pub(super) fn new(reading: &ItemReading) -> Self {
        let ItemReading {
            format,
            max_items,
            items,
            // Made of the items.
            weight: _,
            found,
            counts_only,
            step,
            object,
            progress,
            files,
        } = reading;
        Self {
            format: format.as_ref().map(SavedFormat::from),
            max_items: *max_items,
            items: items.iter().map(JsonText::new).collect(),
            step: SavedReadingStep::from(step),
            found: Some(*found),
            counts_only: *counts_only,
            object: SavedPartialObject::from(object),
            progress: progress.as_ref().map(SavedProgress::from),
            files: files.iter().cloned().map(SavedObject::from).collect(),
        }
    }

    pub(super) fn reading(self) -> Read<ItemReading> {
        let items = self.items.iter().enumerate();
        let items = items.map(|(index, item)| item.value().within(format_args!("items[{index}]")));
        let items = items.collect::<Read<Vec<_>>>()?;
        let held = items.len() as u64;
        let found = self.found.unwrap_or(held);
        ensure(found >= held, format_args!("at least {held}"), found).within("found")?;
        let unread = self.object.unread.len() as u64;
        let next = self.object.next;
        ensure(next >= unread, format_args!("at least {unread}"), next).within("object.next")?;
        Ok(ItemReading {
            format: self.format.map(FileFormat::from),
            max_items: self.max_items,
            weight: items.iter().map(weigh).sum(),
            items,
            found,
            counts_only: self.counts_only,
            step: self.step.into(),
            object: self.object.into(),
            progress: self.progress.map(FileProgress::from),
            files: self.files.into_iter().map(S3Object::from).collect(),
        })
    }
}

impl From<&PartialObject> for SavedPartialObject {
    fn from(object: &PartialObject) -> Self {
        let PartialObject {
            next,
            etag,
            unread,
            wanted,
            // Nothing is awaited of a complete object.
            is_complete: _,
        } = object;
        Self {
            next: *next,
            etag: etag.clone(),
            unread: unread.clone(),
            wanted: *wanted,
        }
    }
}

impl From<SavedPartialObject> for PartialObject {
    fn from(object: SavedPartialObject) -> Self {
        let SavedPartialObject {
            next,
            etag,
            unread,
            wanted,
        } = object;
        Self {
            next,
            etag,
            unread,
            wanted,
            is_complete: false,
        }
    }
}

impl From<&FileProgress> for SavedProgress {
    fn from(progress: &FileProgress) -> Self {
        match progress.clone() {
            FileProgress::Csv(CsvProgress { header, lines }) => Self::Csv { header, lines },
            FileProgress::Json(JsonProgress { levels, place }) => Self::Json {
                levels: levels.into_iter().map(SavedLevel::from).collect(),
                place: place.into(),
            },
            FileProgress::JsonLines { lines } => Self::JsonLines { lines },
        }
    }
}

impl From<SavedProgress> for FileProgress {
    fn from(progress: SavedProgress) -> Self {
        match progress {
            SavedProgress::Csv { header, lines } => Self::Csv(CsvProgress { header, lines }),
            SavedProgress::Json { levels, place } => Self::Json(JsonProgress {
                levels: levels.into_iter().map(JsonLevel::from).collect(),
                place: place.into(),
            }),
            SavedProgress::JsonLines { lines } => Self::JsonLines { lines },
        }
    }
}

impl From<JsonLevel> for SavedLevel {
    fn from(level: JsonLevel) -> Self {
        let JsonLevel {
            is_object,
            index,
            is_found,
        } = level;
        Self {
            is_object,
            index,
            is_found,
        }
    }
}

impl From<SavedLevel> for JsonLevel {
    fn from(level: SavedLevel) -> Self {
        let SavedLevel {
            is_object,
            index,
            is_found,
        } = level;
        Self {
            is_object,
            index,
            is_found,
        }
    }
}

impl From<JsonPlace> for SavedPlace {
    fn from(place: JsonPlace) -> Self {
        match place {
            JsonPlace::Value => Self::Value,
            JsonPlace::First => Self::First,
            JsonPlace::Next => Self::Next,
            JsonPlace::End => Self::End,
        }
    }
}

impl From<SavedPlace> for JsonPlace {
    fn from(place: SavedPlace) -> Self {
        match place {
            SavedPlace::Value => Self::Value,
            SavedPlace::First => Self::First,
            SavedPlace::Next => Self::Next,
            SavedPlace::End => Self::End,
        }
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
            etag,
        } = object;
        Self {
            bucket,
            key,
            version_id,
            etag,
        }
    }
}

impl From<SavedObject> for S3Object {
    fn from(object: SavedObject) -> Self {
        let SavedObject {
            bucket,
            key,
            version_id,
            etag,
        } = object;
        Self {
            bucket,
            key,
            version_id,
            etag,
        }
    }
}
