//! "ItemReader": from where a Map State reads its items, one storage operation at a time (2024 specification, Map State
//! ItemReader; developer guide, ItemReader).
use super::error::{FileFault, ItemReaderError};
use super::file_format::FileFormat;
use super::s3_object::{S3Object, StorageCall};
use super::{athena, gzip, inventory, listing};
use crate::{Integration, Resource, ResourceKind, StorageOperation, StorageResult, StoredObject};
use asl_model::{InputType, ManifestType, ReaderConfig, ReaderTransformation};
use serde_json::Value;
use std::collections::VecDeque;

/// An "ItemReader" with everything evaluated.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ItemReaderRequest {
    /// "Resource".
    pub(crate) resource: String,
    /// "Parameters": "Bucket", and "Key" and "VersionId" or "Prefix".
    pub(crate) parameters: Value,
    /// "ReaderConfig".
    pub(crate) config: ReaderConfig,
    /// "MaxItems" or its Path.
    pub(crate) max_items: Option<u64>,
}

/// Limits of a reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ItemReaderLimits {
    /// Levels of arrays and objects in an item.
    pub(crate) max_data_depth: usize,
    /// Bytes of one file, decompressed.
    pub(crate) max_file_bytes: u64,
    /// Maximum total weight of the items of a file.
    pub(crate) max_weight: u64,
}

impl Default for ItemReaderLimits {
    /// Returns the default depth limit of data, and 1 GiB.
    fn default() -> Self {
        Self {
            max_data_depth: asl_path::json::DEFAULT_MAX_DEPTH,
            max_file_bytes: 1 << 30,
            max_weight: u64::MAX,
        }
    }
}

/// The state of reading a dataset: the items so far, and the next request. It can be serialized between any two calls.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ItemReading {
    /// None if there are no files to read: the listing itself is the dataset.
    pub(crate) format: Option<FileFormat>,
    pub(crate) max_items: Option<u64>,
    pub(crate) items: Vec<Value>,
    pub(crate) step: ReadingStep,
}

/// The current request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ReadingStep {
    Listing {
        bucket: String,
        prefix: Option<String>,
    },
    Inventory(S3Object),
    AthenaManifest(S3Object),
    Files {
        current: S3Object,
        later: VecDeque<S3Object>,
    },
}

impl ItemReading {
    /// Begins to read.
    ///
    /// # Errors
    /// A resource that reads no items, a missing or wrong parameter, and a configuration that is not understood.
    pub(crate) fn start(request: &ItemReaderRequest) -> Result<Self, ItemReaderError> {
        let bucket = required(&request.parameters, "Bucket")?;
        let config = &request.config;
        let (step, format) = match action(&request.resource).as_deref() {
            Some("getObject") => {
                let object = S3Object {
                    bucket,
                    key: required(&request.parameters, "Key")?,
                    version_id: optional(&request.parameters, "VersionId")?,
                };
                Self::open_object(object, config)?
            }
            Some("listObjectsV2") => {
                let prefix = optional(&request.parameters, "Prefix")?;
                (
                    ReadingStep::Listing { bucket, prefix },
                    loaded_format(config)?,
                )
            }
            _ => {
                return Err(ItemReaderError::Failed(format!(
                    "{} reads no items: expected arn:aws:states:::s3:getObject or \
                     arn:aws:states:::s3:listObjectsV2",
                    request.resource
                )));
            }
        };
        Ok(Self {
            format,
            max_items: request.max_items,
            items: Vec::new(),
            step,
        })
    }

    /// Returns a file, or the manifest of files.
    fn open_object(
        object: S3Object,
        config: &ReaderConfig,
    ) -> Result<(ReadingStep, Option<FileFormat>), ItemReaderError> {
        if config.input_type == Some(InputType::Parquet) {
            return Err(ItemReaderError::Failed(unread_parquet(&object)));
        }
        Ok(match (config.manifest_type, config.input_type) {
            (Some(ManifestType::AthenaData), _) => {
                let format = FileFormat::new(config)?;
                (ReadingStep::AthenaManifest(object), Some(format))
            }
            // The inventory itself says how its files are to be read.
            (Some(ManifestType::S3Inventory), _) | (None, Some(InputType::Manifest)) => {
                (ReadingStep::Inventory(object), None)
            }
            (None, _) => {
                let format = FileFormat::new(config)?;
                let files = ReadingStep::Files {
                    current: object,
                    later: VecDeque::new(),
                };
                (files, Some(format))
            }
        })
    }

    /// Returns the next call for the host, whose result goes to [`handle_result`](Self::handle_result). Calling it again
    /// returns the same.
    pub(crate) fn call(&self) -> StorageCall {
        match &self.step {
            ReadingStep::Listing { bucket, prefix } => StorageCall {
                bucket: bucket.clone(),
                operation: StorageOperation::ListObjects {
                    prefix: prefix.clone(),
                    // Of objects that are loaded, their items count.
                    max_items: self.max_items.filter(|_| self.format.is_none()),
                },
            },
            ReadingStep::Inventory(object) | ReadingStep::AthenaManifest(object) => object.get(),
            ReadingStep::Files { current, .. } => current.get(),
        }
    }

    /// Takes the result of the last [`call`](Self::call): the items, all of them, or None if there is a next call to make.
    /// After the items the reading is over.
    ///
    /// # Errors
    /// A file that is not what the configuration says, or that exceeds a limit.
    pub(crate) fn handle_result(
        &mut self,
        result: StorageResult,
        limits: &ItemReaderLimits,
    ) -> Result<Option<Vec<Value>>, ItemReaderError> {
        match (&self.step, result) {
            (ReadingStep::Listing { .. }, StorageResult::Listing(objects)) => {
                Ok(self.handle_listing(objects))
            }
            (ReadingStep::Listing { .. }, _) => Err(ItemReaderError::Failed(
                "expected a listing of objects as the answer of the object store".to_owned(),
            )),
            (_, StorageResult::Object(bytes)) => self.handle_object(bytes, limits),
            (_, _) => Err(ItemReaderError::Failed(
                "expected an object as the answer of the object store".to_owned(),
            )),
        }
    }

    fn handle_listing(&mut self, objects: Vec<StoredObject>) -> Option<Vec<Value>> {
        let ReadingStep::Listing { bucket, .. } = &self.step else {
            return None;
        };
        if self.format.is_none() {
            return Some(listing::read(objects, self.remaining_items()));
        }
        // A key that ends in a slash stands for a folder: there is nothing in it to load.
        let loaded = objects.iter().filter(|object| !object.key.ends_with('/'));
        let files = loaded.map(|object| S3Object::new(bucket, &object.key));
        let files = files.collect();
        self.continue_with(files)
    }

    fn handle_object(
        &mut self,
        bytes: Vec<u8>,
        limits: &ItemReaderLimits,
    ) -> Result<Option<Vec<Value>>, ItemReaderError> {
        let depth = limits.max_data_depth;
        let text = gzip::text(bytes, limits.max_file_bytes);
        match &mut self.step {
            ReadingStep::Inventory(object) => {
                let read = text.and_then(|text| inventory::read(&text, &object.bucket, depth));
                let inventory = read.map_err(|fault| object.fault(fault.into()))?;
                self.format = Some(FileFormat::Csv(inventory.format));
                Ok(self.continue_with(inventory.files.into()))
            }
            ReadingStep::AthenaManifest(object) => {
                let read = text.and_then(|text| athena::read(&text));
                let files = read.map_err(|fault| object.fault(fault.into()))?;
                Ok(self.continue_with(files.into()))
            }
            ReadingStep::Files { current, later } => {
                let room = remaining_capacity(self.max_items, self.items.len());
                let read = text
                    .map_err(FileFault::from)
                    .and_then(|text| match &self.format {
                        Some(format) => format.read(&text, room, depth, limits.max_weight),
                        None => Ok(Vec::new()),
                    });
                let items = read.map_err(|fault| current.fault(fault))?;
                let later = std::mem::take(later);
                self.items.extend(items);
                Ok(self.continue_with(later))
            }
            // Answered with a listing.
            ReadingStep::Listing { .. } => Ok(None),
        }
    }

    /// Continues with the next file; returns the items if no file is left or needed.
    fn continue_with(&mut self, mut files: VecDeque<S3Object>) -> Option<Vec<Value>> {
        let next = files.pop_front().filter(|_| self.remaining_items() > 0);
        match next {
            Some(current) => {
                self.step = ReadingStep::Files {
                    current,
                    later: files,
                };
                None
            }
            None => Some(std::mem::take(&mut self.items)),
        }
    }

    fn remaining_items(&self) -> usize {
        remaining_capacity(self.max_items, self.items.len())
    }
}

/// Returns the number of items that are still wanted.
fn remaining_capacity(max_items: Option<u64>, items: usize) -> usize {
    let max_items = max_items.map_or(usize::MAX, |max| usize::try_from(max).unwrap_or(usize::MAX));
    max_items.saturating_sub(items)
}

/// Returns the format of the objects of a listing, if they are to be loaded.
fn loaded_format(config: &ReaderConfig) -> Result<Option<FileFormat>, ItemReaderError> {
    match config.transformation {
        None | Some(ReaderTransformation::None) => Ok(None),
        Some(ReaderTransformation::LoadAndFlatten) => FileFormat::new(config).map(Some),
    }
}

/// Returns the action of S3 that a resource names.
fn action(resource: &str) -> Option<String> {
    match Resource::parse(resource).kind {
        ResourceKind::Integration(Integration {
            service, action, ..
        }) if service == "s3" => Some(action),
        _ => None,
    }
}

fn required(parameters: &Value, name: &str) -> Result<String, ItemReaderError> {
    optional(parameters, name)?.ok_or_else(|| {
        ItemReaderError::Failed(format!(
            "the parameter \"{name}\" of the ItemReader is missing"
        ))
    })
}

fn optional(parameters: &Value, name: &str) -> Result<Option<String>, ItemReaderError> {
    match parameters.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(ItemReaderError::Failed(format!(
            "the parameter \"{name}\" of the ItemReader is not a string"
        ))),
    }
}

/// Returns the cause for a PARQUET file, which is not read here. The service reads one without a version; its text for one with a
/// version is recorded.
fn unread_parquet(object: &S3Object) -> String {
    match object.version_id {
        Some(_) => {
            "S3 Version ID selection is not currently supported for PARQUET files".to_owned()
        }
        None => format!(
            "s3://{}/{}: this interpreter does not read PARQUET files; convert it to CSV, JSON or JSONL",
            object.bucket, object.key
        ),
    }
}

#[cfg(test)]
mod tests;
