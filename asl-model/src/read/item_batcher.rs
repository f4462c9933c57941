//! The item batcher of a distributed Map State (2024 specification, Map State: Batching Items).
use super::{Fields, Moment, Object, Pair, Read, Reader};
use crate::{DiagnosticRule, ItemBatcher};

pub(super) const BATCHER: Fields = Fields {
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
const ITEMS_PER_BATCH: Pair = Pair::new("MaxItemsPerBatch", "MaxItemsPerBatchPath");
const BYTES_PER_BATCH: Pair = Pair::new("MaxInputBytesPerBatch", "MaxInputBytesPerBatchPath");

impl<'v> Reader<'v> {
    /// "ItemBatcher". Without a limit the items are one batch, as far as the payload allows.
    pub(crate) fn item_batcher(&mut self, state: Object<'v, '_>) -> Read<Option<ItemBatcher>> {
        self.part(state, "ItemBatcher", |reader, object| {
            let known = reader.check_fields_of(object, &BATCHER);
            let batch_input = reader.template(object, "BatchInput", Moment::Entry);
            let least = reader.options.profile.least_maximum();
            let max_items_per_batch = reader.whole_field(object, ITEMS_PER_BATCH, least..=u64::MAX);
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
        let limits = limits.join(", ");
        if self.options.profile.requires_limits_of_batches() {
            let message = format!("At least one of these fields is required: [{limits}]");
            return Err(self.fault(batcher.place, DiagnosticRule::MISSING_FIELD, message));
        }
        self.warn(
            batcher.place,
            DiagnosticRule::UNLIMITED_BATCHES,
            "the batches have no limit: each batch holds as many items as fit into an input",
            format!("set one of {limits}"),
        );
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{accepted, distributed_map, jsonata_map, refused, spec_errors, warnings};
    use serde_json::json;

    #[test]
    fn a_batcher_without_a_limit_is_pointed_out() {
        let warning = "SCHEMA_VALIDATION_FAILED: the batches have no limit: each batch holds as many items as fit into an input at /States/A/ItemBatcher";
        for fields in [json!({}), json!({"BatchInput": {}})] {
            for definition in [
                distributed_map("ItemBatcher", fields.clone()),
                jsonata_map("ItemBatcher", fields),
            ] {
                accepted(&definition);
                assert_eq!(warnings(&definition), [warning]);
                let refusal = spec_errors(&definition);
                assert!(
                    refusal[0]
                        .contains("At least one of these fields is required: [MaxItemsPerBatch, ")
                );
            }
        }
    }

    /// Recorded from the service.
    #[test]
    fn a_batch_may_have_no_bound_of_items() {
        let batcher = |fields| distributed_map("ItemBatcher", fields);
        accepted(&batcher(json!({"MaxItemsPerBatch": 0})));
        assert_eq!(
            spec_errors(&batcher(json!({"MaxItemsPerBatch": 0}))),
            [
                "SCHEMA_VALIDATION_FAILED: Minimum value is 1 at /States/A/ItemBatcher/MaxItemsPerBatch"
            ]
        );
        refused(
            &batcher(json!({"MaxItemsPerBatch": -1})),
            "Minimum value is 0 at /States/A/ItemBatcher/MaxItemsPerBatch",
        );
        accepted(&batcher(json!({"MaxInputBytesPerBatchPath": "$.n"})));
    }

    #[test]
    fn limits_of_a_jsonata_state_may_be_worked_out() {
        let place = "at /States/A/ItemBatcher";
        accepted(&jsonata_map(
            "ItemBatcher",
            json!({"MaxItemsPerBatch": "{% $n %}", "BatchInput": {"a": "{% $a %}"}}),
        ));
        let path = json!({"MaxItemsPerBatch": 2, "MaxInputBytesPerBatchPath": "$.n"});
        refused(
            &jsonata_map("ItemBatcher", path),
            &format!(
                "The QueryLanguage is set to 'JSONata', but field 'MaxInputBytesPerBatchPath' is only supported for the 'JSONPath' QueryLanguage {place}"
            ),
        );
    }
}
