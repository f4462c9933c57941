//! The reading of a dataset, one call at a time: whole if its items can be held, else twice. The first reading then counts the
//! items and checks them, and the second gives them to the children that start.
use super::error::{FileFault, ItemReaderError};
use super::file_format::{FileFormat, FileProgress};
use super::file_text::{FileText, ItemLimits};
use super::item_reader::ItemReaderLimits;
use super::partial_object::PartialObject;
use super::room::Room;
use super::s3_object::{S3Object, StorageCall};
use super::{athena, gzip, inventory, listing};
use crate::data::weigh;
use crate::{StorageOperation, StorageResult, StoredObject};
use serde_json::Value;
use std::collections::VecDeque;

/// The state of reading a dataset: the items so far, and the next request. It can be serialized between any two calls.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ItemReading {
    /// None if there are no files to read: the listing itself is the dataset.
    pub(crate) format: Option<FileFormat>,
    pub(crate) max_items: Option<u64>,
    /// Items that were read and not taken.
    pub(crate) items: Vec<Value>,
    /// Total weight of `items`.
    pub(crate) weight: u64,
    /// Number of all items so far.
    pub(crate) found: u64,
    /// True once the items weigh more than can be held: they are only counted.
    pub(crate) counts_only: bool,
    pub(crate) step: ReadingStep,
    /// The object that is being read.
    pub(crate) object: PartialObject,
    /// Progress in it; None at its beginning.
    pub(crate) progress: Option<FileProgress>,
    /// Files that were read.
    pub(crate) files: Vec<S3Object>,
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

/// Progress after a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReadingProgress {
    /// There is a next call to make.
    Continues,
    /// The reading is over.
    Complete,
}

impl ReadingStep {
    /// Returns the object that is being read; None of a listing.
    fn object(&self) -> Option<&S3Object> {
        match self {
            Self::Listing { .. } => None,
            Self::Inventory(object) | Self::AthenaManifest(object) => Some(object),
            Self::Files { current, .. } => Some(current),
        }
    }
}

impl ItemReading {
    pub(super) fn new(
        step: ReadingStep,
        format: Option<FileFormat>,
        max_items: Option<u64>,
    ) -> Self {
        Self {
            format,
            max_items,
            items: Vec::new(),
            weight: 0,
            found: 0,
            counts_only: false,
            step,
            object: PartialObject::default(),
            progress: None,
            files: Vec::new(),
        }
    }

    /// Returns the second reading of a dataset, of the same files; None if there are no files.
    pub(crate) fn again(self) -> Option<Self> {
        let mut later = VecDeque::from(self.files);
        let current = later.pop_front()?;
        let object = PartialObject::new(current.etag.clone());
        let step = ReadingStep::Files { current, later };
        Some(Self {
            object,
            ..Self::new(step, self.format, self.max_items)
        })
    }

    /// Takes the items that were read.
    pub(crate) fn take_items(&mut self) -> Vec<Value> {
        self.weight = 0;
        std::mem::take(&mut self.items)
    }

    /// Returns the weight of the items and bytes that are held.
    pub(crate) fn held_weight(&self) -> u64 {
        self.weight + self.object.unread.len() as u64
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
            ReadingStep::Inventory(object)
            | ReadingStep::AthenaManifest(object)
            | ReadingStep::Files {
                current: object, ..
            } => object.get(self.object.next_part()),
        }
    }

    /// Handles the result of the last [`call`](Self::call). The items in it can be taken then.
    ///
    /// # Errors
    /// A file that is not what the configuration says, or that exceeds a limit.
    pub(crate) fn handle_result(
        &mut self,
        result: StorageResult,
        limits: &ItemReaderLimits,
    ) -> Result<ReadingProgress, ItemReaderError> {
        if let ReadingStep::Listing { bucket, .. } = &self.step {
            let bucket = bucket.clone();
            return match result {
                StorageResult::Listing(objects) => Ok(self.handle_listing(&bucket, objects)),
                _ => Err(ItemReaderError::Failed(
                    "expected a listing of objects as the answer of the object store".to_owned(),
                )),
            };
        }
        let handled = self.handle_part(result, limits);
        handled.map_err(|fault| match self.step.object() {
            Some(object) => object.fault(fault),
            None => S3Object::new("", "").fault(fault),
        })
    }

    fn handle_listing(&mut self, bucket: &str, objects: Vec<StoredObject>) -> ReadingProgress {
        if self.format.is_none() {
            let items = listing::read(objects, self.remaining_items());
            self.add_items(items, u64::MAX);
            return ReadingProgress::Complete;
        }
        // A key that ends in a slash stands for a folder: there is nothing in it to load.
        let loaded = objects.iter().filter(|object| !object.key.ends_with('/'));
        let files = loaded.map(|object| S3Object::new(bucket, &object.key));
        let files = files.collect();
        self.continue_with(files)
    }

    fn handle_part(
        &mut self,
        result: StorageResult,
        limits: &ItemReaderLimits,
    ) -> Result<ReadingProgress, FileFault> {
        self.object.add(result, limits.max_weight)?;
        if !self.object.is_complete && self.reads_whole_object() {
            gzip::check_size(self.object.unread.len(), limits.max_file_bytes)?;
            return Ok(ReadingProgress::Continues);
        }
        // An object of which nothing was read may be compressed.
        if self.object.is_complete && self.object.offset() == 0 {
            let bytes = std::mem::take(&mut self.object.unread);
            self.object.unread = gzip::decompressed(bytes, limits.max_file_bytes)?;
        }
        match &self.step {
            ReadingStep::Inventory(object) => {
                let text = self.object.text()?;
                let inventory = inventory::read(text, &object.bucket, limits.max_data_depth)?;
                self.format = Some(FileFormat::Csv(inventory.format));
                Ok(self.continue_with(inventory.files.into()))
            }
            ReadingStep::AthenaManifest(_) => {
                let files = athena::read(self.object.text()?)?;
                Ok(self.continue_with(files.into()))
            }
            ReadingStep::Files { .. } => self.read_items(limits),
            // Handled before.
            ReadingStep::Listing { .. } => Ok(ReadingProgress::Complete),
        }
    }

    /// Returns true for manifests and compressed files.
    fn reads_whole_object(&self) -> bool {
        let unread = &self.object.unread;
        let is_manifest = !matches!(self.step, ReadingStep::Files { .. });
        let may_be_compressed = unread.len() < 2 || gzip::is_compressed(unread);
        is_manifest || (self.object.offset() == 0 && may_be_compressed)
    }

    /// Reads the items that are complete in the unread bytes.
    fn read_items(&mut self, limits: &ItemReaderLimits) -> Result<ReadingProgress, FileFault> {
        let mut item_limits = ItemLimits {
            max_items: self.remaining_items(),
            max_depth: limits.max_data_depth,
            room: Room::new(limits.max_weight),
        };
        if let Some(format) = &self.format
            && self.object.is_worth_reading()
        {
            let progress = self.progress.get_or_insert_with(|| format.progress());
            let file = FileText {
                text: self.object.text()?,
                offset: self.object.offset(),
                is_last: self.object.is_complete,
            };
            let read = format.read(file, progress, &mut item_limits)?;
            self.object.consume(read.bytes);
            self.add_items(read.items, limits.max_held_weight);
        }
        if self.object.is_complete || self.remaining_items() == 0 {
            return Ok(self.end_file());
        }
        Ok(ReadingProgress::Continues)
    }

    fn add_items(&mut self, items: Vec<Value>, max_weight: u64) {
        self.found += items.len() as u64;
        if self.counts_only {
            return;
        }
        let weight = items.iter().map(weigh).sum::<u64>();
        self.weight = self.weight.saturating_add(weight);
        if self.weight > max_weight {
            self.counts_only = true;
            self.take_items();
            return;
        }
        match self.items.is_empty() {
            true => self.items = items,
            false => self.items.extend(items),
        }
    }

    fn end_file(&mut self) -> ReadingProgress {
        let etag = self.object.etag.take();
        let ReadingStep::Files { current, later } = &mut self.step else {
            return ReadingProgress::Complete;
        };
        let file = S3Object {
            etag,
            ..current.clone()
        };
        let later = std::mem::take(later);
        self.files.push(file);
        self.continue_with(later)
    }

    /// Continues with the next file, if one is left and needed.
    fn continue_with(&mut self, mut files: VecDeque<S3Object>) -> ReadingProgress {
        let next = files.pop_front().filter(|_| self.remaining_items() > 0);
        let etag = next.as_ref().and_then(|next| next.etag.clone());
        self.object = PartialObject::new(etag);
        self.progress = None;
        let Some(current) = next else {
            return ReadingProgress::Complete;
        };
        let later = files;
        self.step = ReadingStep::Files { current, later };
        ReadingProgress::Continues
    }

    /// Returns the number of items that are still wanted.
    fn remaining_items(&self) -> usize {
        let left = self
            .max_items
            .unwrap_or(u64::MAX)
            .saturating_sub(self.found);
        usize::try_from(left).unwrap_or(usize::MAX)
    }
}

#[cfg(test)]
mod parts_tests;
#[cfg(test)]
mod tests;
