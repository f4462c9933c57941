//! How a distributed Map State batches its items (2024 specification, Map State: Batching Items).
use super::{Fields, Moment, Object, Pair, Read, Reader};
use crate::ItemBatcher;

const BATCHER: Fields = Fields {
    common: &["BatchInput", "MaxItemsPerBatch", "MaxInputBytesPerBatch"],
    json_path: &["MaxItemsPerBatchPath", "MaxInputBytesPerBatchPath"],
    jsonata: &[],
};
const LIMITS: &[&str] = &[
    "MaxItemsPerBatch",
    "MaxItemsPerBatchPath",
    "MaxInputBytesPerBatch",
    "MaxInputBytesPerBatchPath",
];
const JSONATA_LIMITS: &[&str] = &["MaxItemsPerBatch", "MaxInputBytesPerBatch"];
const ITEMS_PER_BATCH: Pair = Pair {
    direct: "MaxItemsPerBatch",
    path: "MaxItemsPerBatchPath",
};
const BYTES_PER_BATCH: Pair = Pair {
    direct: "MaxInputBytesPerBatch",
    path: "MaxInputBytesPerBatchPath",
};

impl<'v> Reader<'v> {
    /// "ItemBatcher": at least one of its limits is there.
    pub(crate) fn item_batcher(&mut self, state: Object<'v, '_>) -> Read<Option<ItemBatcher>> {
        self.part(state, "ItemBatcher", |reader, object| {
            let known = reader.known_fields_of(object, &BATCHER);
            let batch_input = reader.template(object, "BatchInput", Moment::Entry);
            let max_items_per_batch = reader.whole_field(object, ITEMS_PER_BATCH, 1..=u64::MAX);
            let max_input_bytes_per_batch =
                reader.whole_field(object, BYTES_PER_BATCH, 1..=u64::MAX);
            let limited = reader.batches_are_limited(object);
            known?;
            limited?;
            Ok(ItemBatcher {
                batch_input: batch_input?,
                max_items_per_batch: max_items_per_batch?,
                max_input_bytes_per_batch: max_input_bytes_per_batch?,
            })
        })
    }

    fn batches_are_limited(&mut self, batcher: Object<'v, '_>) -> Read<()> {
        let limits = match self.is_jsonata() {
            true => JSONATA_LIMITS,
            false => LIMITS,
        };
        if limits.iter().any(|name| batcher.has(name)) {
            return Ok(());
        }
        let message = format!(
            "At least one of these fields is required: [{}]",
            limits.join(", ")
        );
        Err(self.schema(batcher.place, message))
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{accepted, distributed_map, jsonata_map, refused};
    use serde_json::json;

    #[test]
    fn a_batcher_has_a_limit() {
        let place = "at /States/A/ItemBatcher";
        let none = distributed_map("ItemBatcher", json!({"BatchInput": {}}));
        refused(
            &none,
            &format!(
                "At least one of these fields is required: [MaxItemsPerBatch, MaxItemsPerBatchPath, MaxInputBytesPerBatch, MaxInputBytesPerBatchPath] {place}"
            ),
        );
        let zero = distributed_map("ItemBatcher", json!({"MaxItemsPerBatch": 0}));
        refused(
            &zero,
            &format!("Minimum value is 1 {place}/MaxItemsPerBatch"),
        );
        accepted(&distributed_map(
            "ItemBatcher",
            json!({"MaxInputBytesPerBatchPath": "$.n"}),
        ));
    }

    #[test]
    fn limits_of_a_jsonata_state_may_be_worked_out() {
        let place = "at /States/A/ItemBatcher";
        accepted(&jsonata_map(
            "ItemBatcher",
            json!({"MaxItemsPerBatch": "{% $n %}", "BatchInput": {"a": "{% $a %}"}}),
        ));
        refused(
            &jsonata_map("ItemBatcher", json!({"BatchInput": 1})),
            &format!(
                "At least one of these fields is required: [MaxItemsPerBatch, MaxInputBytesPerBatch] {place}"
            ),
        );
        let path = json!({"MaxItemsPerBatch": 2, "MaxInputBytesPerBatchPath": "$.n"});
        refused(
            &jsonata_map("ItemBatcher", path),
            &format!(
                "The QueryLanguage is set to 'JSONata', but field 'MaxInputBytesPerBatchPath' is only supported for the 'JSONPath' QueryLanguage {place}"
            ),
        );
    }
}
