//! Distributed Map: the rules of reading items, batching them, tolerating failures and writing results.
//!
//! Everything here is a pure function or a small piece of serializable state. Nothing opens a file or a connection:
//! what must be done in an object store is *described* as a [`StorageOperation`](crate::StorageOperation), and its
//! [`StorageResult`](crate::StorageResult) is given back.
//!
//! # The life of a distributed Map
//!
//! ```text
//! state's input
//!    │ "ItemReader": ItemReaderRequest::start() ─▶ call() ─▶ host ─▶ handle_result() ─▶ … until there are items
//!    │ no "ItemReader": the array at "ItemsPath"
//!    ▼
//! items ──"ItemSelector"──▶ selected items ──"ItemBatcher": Batcher──▶ inputs of the child executions
//!    ▼
//! Map Run: up to "MaxConcurrency" child executions at a time, each an execution of its own
//!    │ ToleratedFailure::is_exceeded() after each one that fails: the rest is stopped
//!    ▼
//! "ResultWriter" with a "Resource": result_files() ─▶ host writes them; the result is exported_result()
//! "ResultWriter" with a "WriterConfig" only: the result is transformed_result()
//! no "ResultWriter": the outputs, in the order of the items
//! ```
//!
//! 1. **Reading.** [`ItemReading`] is what is known of a dataset so far. It names one [`StorageCall`](s3_object::StorageCall) at a time: a file
//!    needs one, a manifest one more for each data file it lists, a listing with LOAD_AND_FLATTEN one for each
//!    object. A large object comes in several parts. Once `MaxItems` are there it requests no more. What cannot be read is
//!    States.ItemReaderFailed. Items that weigh too much to be held are counted first, and read again while children run.
//! 2. **Batching.** [`Batcher`] groups items into `{"BatchInput": …, "Items": […]}`, by count, by bytes or by both.
//! 3. **Running.** Failures are counted in *items*, so that a failed batch counts as all of its items
//!    ([`Batch::item_count`]); [`ToleratedFailure`] says when there are too many: States.ExceedToleratedFailureThreshold.
//! 4. **Writing.** [`result_files`] makes the files `SUCCEEDED_0.json`, `FAILED_0.json`, `PENDING_0.json` and, last of
//!    all, `manifest.json`, so that whoever sees the manifest finds what it lists. What cannot be written is
//!    States.ResultWriterFailed.

mod athena;
pub(crate) mod csv;
mod error;
mod file_format;
mod file_text;
mod gzip;
mod inventory;
mod item_batcher;
mod item_reader;
mod item_reading;
mod json_array;
mod json_extent;
mod json_lines;
mod json_parts;
mod listing;
mod partial_object;
mod result_writer;
mod room;
mod s3_object;
mod tolerated_failure;

pub(crate) use error::ItemReaderError;
pub(crate) use file_format::{FileFormat, FileProgress};
pub(crate) use item_batcher::{Batch, BatchLimits, Batcher};
pub(crate) use item_reader::{ItemReaderLimits, ItemReaderRequest};
pub(crate) use item_reading::{ItemReading, ReadingProgress, ReadingStep};
pub(crate) use json_parts::{JsonLevel, JsonPlace, JsonProgress};
pub(crate) use partial_object::PartialObject;
pub(crate) use result_writer::{
    ChildResult, Destination, ResultFormat, exported_result, result_files, transformed_result,
};
pub(crate) use s3_object::{S3Object, StorageCall};
pub(crate) use tolerated_failure::ToleratedFailure;
