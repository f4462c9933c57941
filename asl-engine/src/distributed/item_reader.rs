//! "ItemReader": from where a Map State reads its items, one storage operation at a time (2024 specification, Map State
//! ItemReader; developer guide, ItemReader).
use super::error::ItemReaderError;
use super::file_format::FileFormat;
use super::item_reading::{ItemReading, ReadingStep};
use super::s3_object::S3Object;
use crate::{Integration, Resource, ResourceKind};
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
    /// Bytes of a file that is read whole, decompressed: of a compressed one, a manifest, or one that comes in one part.
    pub(crate) max_file_bytes: u64,
    /// Maximum total weight of the items of a part of a file.
    pub(crate) max_weight: u64,
    /// Maximum weight of all items together that are held.
    pub(crate) max_held_weight: u64,
}

impl Default for ItemReaderLimits {
    /// Returns the default depth limit of data, and 1 GiB.
    fn default() -> Self {
        Self {
            max_data_depth: asl_path::json::DEFAULT_MAX_DEPTH,
            max_file_bytes: 1 << 30,
            max_weight: u64::MAX,
            max_held_weight: u64::MAX,
        }
    }
}

impl ItemReaderRequest {
    /// Begins to read.
    ///
    /// # Errors
    /// A resource that reads no items, a missing or wrong parameter, and a configuration that is not understood.
    pub(crate) fn start(&self) -> Result<ItemReading, ItemReaderError> {
        let bucket = required(&self.parameters, "Bucket")?;
        let config = &self.config;
        let (step, format) = match action(&self.resource).as_deref() {
            Some("getObject") => {
                let object = S3Object {
                    bucket,
                    key: required(&self.parameters, "Key")?,
                    version_id: optional(&self.parameters, "VersionId")?,
                    etag: None,
                };
                open_object(object, config)?
            }
            Some("listObjectsV2") => {
                let prefix = optional(&self.parameters, "Prefix")?;
                (
                    ReadingStep::Listing { bucket, prefix },
                    loaded_format(config)?,
                )
            }
            _ => {
                return Err(ItemReaderError::Failed(format!(
                    "{} reads no items: expected arn:aws:states:::s3:getObject or \
                     arn:aws:states:::s3:listObjectsV2",
                    self.resource
                )));
            }
        };
        Ok(ItemReading::new(step, format, self.max_items))
    }
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
