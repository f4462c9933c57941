//! "ItemBatcher": items in groups, one group for each child execution (2024 specification, Map State item batching).
use serde_json::{Map, Value, json};
use std::io;

/// "MaxItemsPerBatch" and "MaxInputBytesPerBatch", evaluated. With both, a batch ends where either would be exceeded.
///
/// If payloads are limited, a host's limit is an upper bound of `max_input_bytes` too: the service never makes an
/// input of more than 256 KiB.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct BatchLimits {
    /// Items in one batch, at least 1.
    pub(crate) max_items: Option<u64>,
    /// Bytes of one input as JSON text: all of it, "BatchInput" and names included.
    pub(crate) max_input_bytes: Option<u64>,
}

/// A batch.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Batch {
    /// The input of its child execution without "BatchInput", which is copied when the child starts: `{"Items": […]}`.
    pub(crate) items: Value,
    /// Number of items in the batch.
    pub(crate) item_count: u64,
}

/// An item that fits into no batch.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the item at index {index} makes a batch of {bytes} bytes by itself, more than the {max_input_bytes} bytes \
     that MaxInputBytesPerBatch and the limit on payloads allow"
)]
pub(crate) struct ItemBatcherError {
    /// Index of the item, from 0.
    pub(crate) index: u64,
    /// Bytes of a batch of this item alone.
    pub(crate) bytes: u64,
    /// The limit.
    pub(crate) max_input_bytes: u64,
}

/// Groups items, in their order, into as few batches as a first fit gives. It takes time in proportion to the items.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Batcher {
    limits: BatchLimits,
    /// Bytes of a batch without items.
    empty_bytes: u64,
    /// The items of the next batch.
    current: Vec<Value>,
    current_bytes: u64,
    /// Items of the batches before.
    items_before: u64,
}

impl Batcher {
    pub(crate) fn new(limits: BatchLimits, batch_input: Option<&Value>) -> Self {
        let empty_bytes = empty_batch_bytes(batch_input);
        Self {
            limits,
            empty_bytes,
            current: Vec::new(),
            current_bytes: empty_bytes,
            items_before: 0,
        }
    }

    /// Creates a batcher that has made batches of `items_before` items, and begun one with `current`.
    pub(crate) fn restored(
        limits: BatchLimits,
        batch_input: Option<&Value>,
        current: Vec<Value>,
        items_before: u64,
    ) -> Self {
        let mut batcher = Self::new(limits, batch_input);
        let commas = (current.len() as u64).saturating_sub(1);
        let bytes = current.iter().map(|item| batcher.item_bytes(item));
        batcher.current_bytes += bytes.sum::<u64>() + commas;
        batcher.current = current;
        batcher.items_before = items_before;
        batcher
    }

    /// Returns the limits of a batch.
    pub(crate) fn limits(&self) -> BatchLimits {
        self.limits
    }

    /// Returns the items of the next batch so far.
    pub(crate) fn current(&self) -> &[Value] {
        &self.current
    }

    /// Adds an item. Returns the batch before it, if the item begins another.
    ///
    /// # Errors
    /// An item that is too large to be in a batch even alone.
    pub(crate) fn add(&mut self, item: Value) -> Result<Option<Batch>, ItemBatcherError> {
        let max_items = self.limits.max_items.unwrap_or(u64::MAX).max(1);
        let item_bytes = self.item_bytes(&item);
        let over = |bytes| self.limits.max_input_bytes.is_some_and(|max| bytes > max);
        let with_item = self.current_bytes + self.comma() + item_bytes;
        let is_full = self.current.len() as u64 >= max_items || over(with_item);
        let full = if is_full { self.end() } else { None };
        let alone = self.empty_bytes + item_bytes;
        if let Some(max_input_bytes) = self.limits.max_input_bytes
            && alone > max_input_bytes
        {
            return Err(ItemBatcherError {
                index: self.items_before,
                bytes: alone,
                max_input_bytes,
            });
        }
        self.current_bytes += item_bytes + self.comma();
        self.current.push(item);
        Ok(full)
    }

    /// Ends the batch that was begun. Returns None if it has no items.
    pub(crate) fn end(&mut self) -> Option<Batch> {
        if self.current.is_empty() {
            return None;
        }
        self.current_bytes = self.empty_bytes;
        self.items_before += self.current.len() as u64;
        Some(Batch::new(std::mem::take(&mut self.current)))
    }

    /// Returns the bytes of an item; nothing is measured where nothing is limited.
    fn item_bytes(&self, item: &Value) -> u64 {
        self.limits.max_input_bytes.map_or(0, |_| json_bytes(item))
    }

    fn comma(&self) -> u64 {
        u64::from(!self.current.is_empty())
    }
}

impl Batch {
    fn new(items: Vec<Value>) -> Self {
        Self {
            item_count: items.len() as u64,
            items: json!({ "Items": items }),
        }
    }

    /// Takes the input of its child execution: `{"BatchInput": …, "Items": […]}`.
    pub(crate) fn take_input(&mut self, batch_input: Option<&Value>) -> Value {
        let items = std::mem::take(&mut self.items);
        match (batch_input, items) {
            (Some(batch_input), Value::Object(items)) => {
                let mut input = Map::new();
                input.insert("BatchInput".to_owned(), batch_input.clone());
                input.extend(items);
                Value::Object(input)
            }
            (_, items) => items,
        }
    }
}

/// Bytes of an input without items.
fn empty_batch_bytes(batch_input: Option<&Value>) -> u64 {
    let names = r#"{"Items":[]}"#.len() as u64;
    let of_batch_input = |input| r#""BatchInput":,"#.len() as u64 + json_bytes(input);
    names + batch_input.map_or(0, of_batch_input)
}

/// Bytes of the compact JSON text of `value`, without making it.
fn json_bytes(value: &Value) -> u64 {
    let mut count = ByteCount(0);
    // Counting never fails, and every value has a text.
    let _ = serde_json::to_writer(&mut count, value);
    count.0
}

struct ByteCount(u64);

impl io::Write for ByteCount {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn by_items(max_items: u64) -> BatchLimits {
        BatchLimits {
            max_items: Some(max_items),
            max_input_bytes: None,
        }
    }

    fn by_bytes(max_input_bytes: u64) -> BatchLimits {
        BatchLimits {
            max_items: None,
            max_input_bytes: Some(max_input_bytes),
        }
    }

    fn batch(
        items: Vec<Value>,
        batch_input: Option<&Value>,
        limits: BatchLimits,
    ) -> Result<Vec<Batch>, ItemBatcherError> {
        let mut batcher = Batcher::new(limits, batch_input);
        let mut batches = Vec::new();
        for item in items {
            batches.extend(batcher.add(item)?);
            // A save in between changes nothing.
            let current = batcher.current().to_vec();
            let before = batcher.items_before;
            let restored = Batcher::restored(limits, batch_input, current, before);
            assert_eq!(restored, batcher);
        }
        batches.extend(batcher.end());
        Ok(batches)
    }

    fn inputs(items: Vec<Value>, limits: BatchLimits) -> Vec<Value> {
        let batches = batch(items, None, limits).expect("every item fits");
        batches.into_iter().map(|batch| batch.items).collect()
    }

    #[test]
    fn the_last_batch_may_be_smaller() {
        let items = (1..=5).map(Value::from).collect();
        assert_eq!(
            inputs(items, by_items(2)),
            [
                json!({"Items": [1, 2]}),
                json!({"Items": [3, 4]}),
                json!({"Items": [5]})
            ]
        );
    }

    #[test]
    fn no_items_are_no_batches() {
        assert_eq!(batch(Vec::new(), Some(&json!(1)), by_items(2)), Ok(vec![]));
    }

    #[test]
    fn without_limits_there_is_one_batch() {
        let items = vec![json!("a"), json!("b")];
        assert_eq!(
            inputs(items, BatchLimits::default()),
            [json!({"Items": ["a", "b"]})]
        );
    }

    #[test]
    fn batch_input_comes_first_and_is_in_every_batch() {
        let batch_input = json!({"x": 9});
        let batches = batch(vec![json!(1), json!(2)], Some(&batch_input), by_items(1));
        let texts: Vec<_> = batches
            .expect("they fit")
            .iter_mut()
            .map(|batch| batch.take_input(Some(&batch_input)).to_string())
            .collect();
        assert_eq!(
            texts,
            [
                r#"{"BatchInput":{"x":9},"Items":[1]}"#,
                r#"{"BatchInput":{"x":9},"Items":[2]}"#
            ]
        );
    }

    #[test]
    fn bytes_are_those_of_the_whole_input() {
        let two = r#"{"Items":["é","é"]}"#;
        let items = || vec![json!("é"), json!("é")];
        assert_eq!(inputs(items(), by_bytes(two.len() as u64)).len(), 1);
        assert_eq!(inputs(items(), by_bytes(two.len() as u64 - 1)).len(), 2);
        let with_input = r#"{"BatchInput":{"a":1},"Items":["é","é"]}"#;
        let batches = |bytes| {
            let batches = batch(items(), Some(&json!({"a": 1})), by_bytes(bytes));
            batches.expect("they fit").len()
        };
        assert_eq!(batches(with_input.len() as u64), 1);
        assert_eq!(batches(with_input.len() as u64 - 1), 2);
    }

    #[test]
    fn the_count_is_reduced_to_keep_the_bytes() {
        let limits = BatchLimits {
            max_items: Some(3),
            max_input_bytes: Some(r#"{"Items":[1,1]}"#.len() as u64),
        };
        let items = vec![json!(1); 4];
        assert_eq!(
            inputs(items, limits),
            [json!({"Items": [1, 1]}), json!({"Items": [1, 1]})]
        );
    }

    #[test]
    fn an_item_as_deep_as_allowed_is_measured() {
        let depth = asl_path::json::DEFAULT_MAX_DEPTH;
        let nested = (0..depth).fold(json!(1), |inner, _| json!([inner]));
        let exact = (r#"{"Items":[1]}"#.len() + 2 * depth) as u64;
        assert_eq!(inputs(vec![nested.clone()], by_bytes(exact)).len(), 1);
        assert!(batch(vec![nested], None, by_bytes(exact - 1)).is_err());
    }

    #[test]
    fn an_item_too_large_for_a_batch_of_its_own_is_an_error() {
        let items = vec![json!(1), json!("too long")];
        let error = batch(items, None, by_bytes(15)).expect_err("it does not fit");
        assert_eq!(error.index, 1);
        assert_eq!(
            error.to_string(),
            "the item at index 1 makes a batch of 22 bytes by itself, more than the 15 bytes that \
             MaxInputBytesPerBatch and the limit on payloads allow"
        );
    }

    proptest! {
        #[test]
        fn batches_keep_every_item_in_order_and_every_limit(
            items in proptest::collection::vec("[a-zé\"]{0,12}", 0..40),
            max_items in proptest::option::of(1u64..6),
            max_input_bytes in proptest::option::of(60u64..120),
        ) {
            let items: Vec<Value> = items.into_iter().map(Value::from).collect();
            let limits = BatchLimits { max_items, max_input_bytes };
            let batch_input = json!({"n": 1});
            let batches = batch(items.clone(), Some(&batch_input), limits).expect("all are small");
            let mut seen = Vec::new();
            for batch in &batches {
                let here = batch.items["Items"].as_array().expect("items");
                prop_assert_eq!(here.len() as u64, batch.item_count);
                prop_assert!(batch.item_count > 0);
                prop_assert!(max_items.is_none_or(|max| batch.item_count <= max));
                let bytes = batch.clone().take_input(Some(&batch_input)).to_string().len() as u64;
                prop_assert!(max_input_bytes.is_none_or(|max| bytes <= max));
                seen.extend(here.iter().cloned());
            }
            prop_assert_eq!(seen, items);
            // As few as a first fit gives: the first item of a batch would not have fitted into the one before.
            for pair in batches.windows(2) {
                let mut longer = pair[0].clone().take_input(Some(&batch_input));
                let first = pair[1].items["Items"][0].clone();
                longer["Items"].as_array_mut().expect("items").push(first);
                let bytes = longer.to_string().len() as u64;
                prop_assert!(
                    max_items == Some(pair[0].item_count) || max_input_bytes.is_some_and(|max| bytes > max)
                );
            }
        }
    }
}
