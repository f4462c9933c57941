//! The item processor of a Map State (2024 specification, Map State: Map State ItemProcessor definition).
use super::machine::Surroundings;
use super::{Object, Place, Read, Reader};
use crate::DiagnosticRule;
use crate::rules::placeholders::is_placeholder;
use crate::{ItemProcessor, ProcessorConfig, ProcessorMode, StateMachineType};
use serde_json::Value;

pub(super) const PROCESSOR: &[&str] = &["ProcessorConfig", "Comment", "StartAt", "States"];
pub(super) const PROCESSOR_CONFIG: &[&str] = &["Mode", "ExecutionType"];
const ITERATOR: &[&str] = &["ItemProcessor", "Iterator"];

impl<'v> Reader<'v> {
    /// "ItemProcessor", or the deprecated "Iterator".
    pub(crate) fn item_processor(
        &mut self,
        state: Object<'v, '_>,
        surroundings: Surroundings,
    ) -> Read<ItemProcessor> {
        let one = self.exactly_one(state, ITERATOR);
        let mut processor = Err(super::ErrorReported);
        for name in ITERATOR {
            if let Some(value) = state.get(name) {
                processor = self.processor(value, &state.at(name), surroundings);
            }
        }
        one?;
        processor
    }

    fn processor(
        &mut self,
        value: &'v Value,
        place: &Place<'_>,
        surroundings: Surroundings,
    ) -> Read<ItemProcessor> {
        let processor = self.object(value, place)?;
        let known = self.check_known_fields(processor, PROCESSOR);
        let processor_config = self.processor_config(processor);
        let mode = match &processor_config {
            Ok(Some(config)) => config.mode.unwrap_or_default(),
            _ => ProcessorMode::default(),
        };
        let surroundings = Surroundings {
            is_isolated: mode == ProcessorMode::Distributed,
            ..surroundings
        };
        let states = self.states(processor, surroundings);
        known?;
        Ok(ItemProcessor {
            processor_config: processor_config?,
            states: states?,
        })
    }

    /// "ProcessorConfig": a distributed Map has an "ExecutionType", an inline one has not.
    fn processor_config(&mut self, processor: Object<'v, '_>) -> Read<Option<ProcessorConfig>> {
        const NAME: &str = "ProcessorConfig";
        let Some(value) = processor.get(NAME) else {
            return Ok(None);
        };
        let place = processor.place.field(NAME);
        let config = self.object(value, &place)?;
        let known = self.check_known_fields(config, PROCESSOR_CONFIG);
        let mode = self.word(config, "Mode");
        let execution_type = self.word(config, "ExecutionType");
        known?;
        let (mode, execution_type) = (mode?, execution_type?);
        let written = config.get("Mode").and_then(Value::as_str);
        if mode == Some(ProcessorMode::Distributed) {
            self.required(config, &["ExecutionType"])?;
            self.not_in_express(config)?;
        } else if execution_type.is_some() && !written.is_some_and(is_placeholder) {
            let hint = "only a distributed Map supports it: set \"Mode\": \"DISTRIBUTED\", or remove the field";
            let reported = self.unknown_field(config, "ExecutionType");
            return Err(reported.with_hint(self, hint));
        }
        Ok(Some(ProcessorConfig {
            mode,
            execution_type,
        }))
    }

    fn not_in_express(&mut self, config: Object<'v, '_>) -> Read<()> {
        if self.options.state_machine_type != StateMachineType::Express {
            return Ok(());
        }
        let message = "The field 'Mode' with value 'DISTRIBUTED' is not supported inside 'EXPRESS' state machines";
        let hint = "use an inline Map in an Express state machine: a distributed Map starts child executions";
        let rule = DiagnosticRule::NOT_IN_EXPRESS;
        Err(self.fault_with_hint(&config.at("Mode"), rule, message, hint))
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{accepted, express_errors, machine, refused};
    use serde_json::{Value, json};

    fn with_config(config: Value) -> Value {
        machine(json!({
            "Type": "Map",
            "ItemProcessor": {"ProcessorConfig": config, "StartAt": "I", "States": {"I": {"Type": "Succeed"}}},
            "End": true,
        }))
    }

    fn distributed() -> Value {
        json!({"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"})
    }

    #[test]
    fn the_execution_type_belongs_to_distributed_maps() {
        accepted(&with_config(distributed()));
        accepted(&with_config(json!({})));
        let place = "at /States/A/ItemProcessor/ProcessorConfig";
        let missing = with_config(json!({"Mode": "DISTRIBUTED"}));
        refused(
            &missing,
            &format!("These fields are required: [ExecutionType] {place}"),
        );
        for config in [
            json!({"Mode": "INLINE", "ExecutionType": "EXPRESS"}),
            json!({"ExecutionType": "EXPRESS"}),
        ] {
            let extra = with_config(config);
            refused(
                &extra,
                &format!("Field 'ExecutionType' is not supported {place}"),
            );
        }
        let wrong = with_config(json!({"Mode": "REMOTE"}));
        refused(
            &wrong,
            &format!("Value should be one of the following: [INLINE, DISTRIBUTED] {place}/Mode"),
        );
    }

    #[test]
    fn an_express_machine_has_no_distributed_maps() {
        assert_eq!(
            express_errors(&with_config(json!({"Mode": "INLINE"}))),
            [""; 0]
        );
        assert_eq!(
            express_errors(&with_config(distributed())),
            [
                "SCHEMA_VALIDATION_FAILED: The field 'Mode' with value 'DISTRIBUTED' is not supported inside 'EXPRESS' state machines at /States/A/ItemProcessor/ProcessorConfig/Mode",
            ]
        );
    }
}
