//! Map States (2024 specification, Map State).
use super::machine::Surroundings;
use super::{Fields, Moment, Object, Pair, Place, Read, Reader};
use crate::rules::placeholders::is_placeholder;
use crate::{
    DiagnosticRule, ItemProcessor, Items, ItemsPath, Map, MapSpelling, PayloadTemplate, Percentage,
    ProcessorMode, TemplateNode,
};
use asl_path::{Path, ReferencePath, Root};
use serde_json::Value;

pub(super) const FIELDS: Fields = Fields {
    common: &[
        "ItemProcessor",
        "Iterator",
        "ItemSelector",
        "ItemReader",
        "ItemBatcher",
        "ResultWriter",
        "MaxConcurrency",
        "ToleratedFailureCount",
        "ToleratedFailurePercentage",
        "Label",
        "Assign",
        "Retry",
        "Catch",
        "Next",
        "End",
    ],
    json_path: &[
        "InputPath",
        "OutputPath",
        "Parameters",
        "ResultSelector",
        "ResultPath",
        "ItemsPath",
        "MaxConcurrencyPath",
        "ToleratedFailureCountPath",
        "ToleratedFailurePercentagePath",
    ],
    jsonata: &["Items", "Output"],
};
/// Fields of a distributed Map. The service accepts tolerated failures in any Map.
const DISTRIBUTED: &[&str] = &["ItemReader", "ResultWriter"];
const MAX_CONCURRENCY: Pair = Pair::without_context("MaxConcurrency", "MaxConcurrencyPath");
const FAILURE_COUNT: Pair =
    Pair::without_context("ToleratedFailureCount", "ToleratedFailureCountPath");
const FAILURE_PERCENTAGE: Pair = Pair::without_context(
    "ToleratedFailurePercentage",
    "ToleratedFailurePercentagePath",
);

impl<'v> Reader<'v> {
    /// Reads the fields of a Map State.
    pub(crate) fn map(&mut self, state: Object<'v, '_>, surroundings: Surroundings) -> Read<Map> {
        let item_processor = self.item_processor(state, surroundings);
        let inline = self.not_distributed(state, item_processor.as_ref().ok());
        let items = self.items(state);
        let item_selector = self.item_selector(state);
        let item_reader = self.item_reader(state);
        let item_batcher = self.item_batcher(state);
        let result_writer = self.result_writer(state);
        let max_concurrency = self.whole_field(state, MAX_CONCURRENCY, 0..=u64::MAX);
        let tolerated_failure_count = self.whole_field(state, FAILURE_COUNT, 0..=u64::MAX);
        let tolerated_failure_percentage = self.percentage(state);
        let label = self.label(state);
        inline?;
        Ok(Map {
            item_processor: item_processor?,
            items: items?,
            item_selector: item_selector?,
            spelling: MapSpelling {
                iterator: state.has("Iterator"),
                parameters: state.has("Parameters"),
            },
            item_reader: item_reader?,
            item_batcher: item_batcher?,
            result_writer: result_writer?,
            max_concurrency: max_concurrency?,
            tolerated_failure_count: tolerated_failure_count?,
            tolerated_failure_percentage: tolerated_failure_percentage?,
            label: label?,
        })
    }

    /// An inline Map has nothing of a distributed one.
    fn not_distributed(
        &mut self,
        state: Object<'v, '_>,
        processor: Option<&ItemProcessor>,
    ) -> Read<()> {
        let config = processor.and_then(|processor| processor.processor_config);
        let mode = config.and_then(|config| config.mode).unwrap_or_default();
        if processor.is_none()
            || mode == ProcessorMode::Distributed
            || !self.options.profile.requires_a_distributed_map()
        {
            return Ok(());
        }
        let mut inline = Ok(());
        for name in DISTRIBUTED.iter().filter(|name| state.has(name)) {
            let hint = "add the ProcessorConfig {\"Mode\": \"DISTRIBUTED\", \"ExecutionType\": …}";
            inline = Err(self.unknown_field(state, name).with_hint(self, hint));
        }
        if state.has("Label") {
            self.warn(
                &state.at("Label"),
                DiagnosticRule::LABEL_OF_INLINE_MAP,
                "the label of an inline Map has no effect",
                "only a distributed Map uses a label",
            );
        }
        inline
    }

    /// "ItemsPath" or "Items".
    fn items(&mut self, state: Object<'v, '_>) -> Read<Option<Items>> {
        if !self.is_jsonata() {
            return Ok(self.single_path(state, "ItemsPath")?.map(items_path));
        }
        let Some(template) = self.template(state, "Items", Moment::Entry)? else {
            return Ok(None);
        };
        let objects = self.options.profile.takes_objects_as_items();
        let sound = match &template.root {
            TemplateNode::Expression(_) | TemplateNode::Array(_) => true,
            TemplateNode::Literal(Value::Array(_)) => true,
            TemplateNode::Literal(Value::String(text)) => is_placeholder(text),
            TemplateNode::Object(_) | TemplateNode::Literal(Value::Object(_)) => objects,
            _ => false,
        };
        if let TemplateNode::Literal(Value::String(text)) = &template.root {
            self.check_left_placeholder(&state.at("Items"), text);
        }
        match sound {
            true => Ok(Some(Items::Template(template))),
            false => Err(self.fault_with_hint(
                &state.at("Items"),
                DiagnosticRule::WRONG_TYPE,
                "Expected value of type Array",
                "Items is an array, or a JSONata string that returns an array",
            )),
        }
    }

    /// "ItemSelector", or the deprecated "Parameters" of a JSONPath state, which makes no input here.
    fn item_selector(&mut self, state: Object<'v, '_>) -> Read<Option<PayloadTemplate>> {
        let selector = self.template(state, "ItemSelector", Moment::Entry);
        if self.is_jsonata() {
            return selector;
        }
        let one = self.at_most_one(state, &["ItemSelector", "Parameters"]);
        let parameters = self.template(state, "Parameters", Moment::Entry);
        one?;
        Ok(selector?.or(parameters?))
    }

    fn percentage(&mut self, state: Object<'v, '_>) -> Read<Option<Percentage>> {
        let Pair { direct, path, .. } = FAILURE_PERCENTAGE;
        if let Some(expression) = self.expression(state, direct)? {
            return Ok(Some(Percentage::Expression(expression)));
        }
        let one = match self.is_jsonata() {
            true => Ok(()),
            false => self.at_most_one(state, &[direct, path]),
        };
        let number = self.number(state, direct, "Number");
        let number = number.and_then(|number| {
            if let Some(number) = number {
                self.percentage_in_range(number, &state.at(direct))?;
            }
            Ok(number)
        });
        let path = match self.is_jsonata() {
            true => Ok(None),
            false => self.data_reference(state, path),
        };
        one?;
        let (number, path) = (number?, path?);
        Ok(number
            .map(Percentage::Number)
            .or(path.map(|path| Percentage::Path(Box::new(path)))))
    }

    /// Returns the service writes these bounds as fractions.
    fn percentage_in_range(&mut self, number: f64, place: &Place<'_>) -> Read<()> {
        match number {
            ..0.0 => Err(self.fault(place, DiagnosticRule::OUT_OF_RANGE, "Minimum value is 0.0")),
            0.0..=100.0 => Ok(()),
            _ => Err(self.fault(
                place,
                DiagnosticRule::OUT_OF_RANGE,
                "Maximum value is 100.0",
            )),
        }
    }
}

fn items_path(path: Path) -> Items {
    let into_input = match path.root() {
        Root::Input => ReferencePath::parse(path.json_path().source()).ok(),
        Root::Context | Root::Variable(_) => None,
    };
    Items::Path(ItemsPath { path, into_input })
}

#[cfg(test)]
mod tests {
    use crate::testing::{accepted, machine, refused, spec_errors, warnings};
    use serde_json::{Value, json};

    fn with_config(config: Value, fields: Value) -> Value {
        let mut state = json!({
            "Type": "Map",
            "ItemProcessor": {"ProcessorConfig": config, "StartAt": "I", "States": {"I": {"Type": "Succeed"}}},
            "End": true,
        });
        if let (Some(state), Value::Object(fields)) = (state.as_object_mut(), fields) {
            state.extend(fields);
        }
        machine(state)
    }

    fn distributed(fields: Value) -> Value {
        with_config(
            json!({"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"}),
            fields,
        )
    }

    fn inline(fields: Value) -> Value {
        with_config(json!({"Mode": "INLINE"}), fields)
    }

    #[test]
    fn an_inline_map_reads_and_writes_nothing() {
        let reader = json!({"ItemReader": {"Resource": "arn:aws:states:::s3:getObject"}});
        accepted(&distributed(reader.clone()));
        let definition = inline(reader);
        refused(
            &definition,
            "Field 'ItemReader' is not supported at /States/A",
        );
        assert_eq!(spec_errors(&definition), [""; 0]);
        accepted(&inline(
            json!({"ToleratedFailureCount": 1, "ToleratedFailurePercentagePath": "$.p"}),
        ));
    }

    /// Definitions that run in production have one.
    #[test]
    fn the_label_of_an_inline_map_is_pointed_out() {
        let labelled = inline(json!({"Label": "a"}));
        accepted(&labelled);
        assert_eq!(
            warnings(&labelled),
            [
                "SCHEMA_VALIDATION_FAILED: the label of an inline Map has no effect at /States/A/Label"
            ]
        );
        assert_eq!(warnings(&distributed(json!({"Label": "a"}))), [""; 0]);
    }

    /// Recorded from the service, which takes `$$` in the other fields of this kind.
    #[test]
    fn numbers_of_a_map_are_not_in_the_context() {
        for name in [
            "MaxConcurrencyPath",
            "ToleratedFailureCountPath",
            "ToleratedFailurePercentagePath",
        ] {
            let context = inline(json!({name: "$$.Execution.Input.n"}));
            let message = "Value is not a Reference Path: the Context Object cannot be read here";
            refused(&context, &format!("{message} at /States/A/{name}"));
            assert_eq!(spec_errors(&context), [""; 0]);
            accepted(&inline(json!({name: "$n"})));
            accepted(&inline(json!({name: "$.n"})));
        }
    }

    #[test]
    fn there_is_one_processor_and_one_selector() {
        let processor = json!({"StartAt": "J", "States": {"J": {"Type": "Succeed"}}});
        refused(
            &inline(json!({"Iterator": processor})),
            "There should only be one of the following fields: [ItemProcessor, Iterator] at /States/A",
        );
        refused(
            &machine(json!({"Type": "Map", "End": true})),
            "This object should have only one of the following fields: [ItemProcessor, Iterator] at /States/A",
        );
        accepted(&machine(
            json!({"Type": "Map", "Iterator": processor, "Parameters": {"a.$": "$$.Map.Item.Value"}, "End": true}),
        ));
        refused(
            &inline(json!({"Parameters": {}, "ItemSelector": {}})),
            "There should only be one of the following fields: [ItemSelector, Parameters] at /States/A",
        );
    }

    #[test]
    fn numbers_have_limits() {
        for (name, bad, message) in [
            ("MaxConcurrency", json!(-1), "Minimum value is 0"),
            ("ToleratedFailureCount", json!(-1), "Minimum value is 0"),
            (
                "ToleratedFailurePercentage",
                json!(-0.5),
                "Minimum value is 0.0",
            ),
            (
                "ToleratedFailurePercentage",
                json!(100.5),
                "Maximum value is 100.0",
            ),
            (
                "MaxConcurrency",
                json!("1"),
                "Expected value of type Integer",
            ),
        ] {
            let definition = inline(json!({name: bad}));
            refused(&definition, &format!("{message} at /States/A/{name}"));
        }
        accepted(&inline(
            json!({"MaxConcurrency": 0, "ToleratedFailurePercentage": 99.5}),
        ));
        refused(
            &inline(json!({"MaxConcurrency": 1, "MaxConcurrencyPath": "$.c"})),
            "There should only be one of the following fields: [MaxConcurrency, MaxConcurrencyPath] at /States/A",
        );
    }

    fn jsonata_map(fields: Value) -> Value {
        let mut definition = inline(fields);
        definition["QueryLanguage"] = "JSONata".into();
        definition
    }

    #[test]
    fn items_of_a_jsonata_state_are_listed_or_worked_out() {
        let keyed = jsonata_map(json!({"Items": {"a": "{% $states.input %}"}}));
        accepted(&keyed);
        let message = "Expected value of type Array at /States/A/Items";
        let text = format!("SCHEMA_VALIDATION_FAILED: {message}");
        assert_eq!(spec_errors(&keyed), [text]);
        for items in [
            json!("{% $states.input.list %}"),
            json!([1, "{% $x %}"]),
            json!([]),
            json!("${Items}"),
        ] {
            let definition = jsonata_map(json!({"Items": items}));
            accepted(&definition);
            assert_eq!(spec_errors(&definition), [""; 0]);
        }
        for items in [json!("list"), json!(1), json!(null)] {
            refused(&jsonata_map(json!({"Items": items})), message);
        }
    }

    #[test]
    fn numbers_of_a_jsonata_state_may_be_worked_out() {
        for name in [
            "MaxConcurrency",
            "ToleratedFailureCount",
            "ToleratedFailurePercentage",
        ] {
            accepted(&jsonata_map(json!({name: 3})));
            accepted(&jsonata_map(json!({name: "{% $n %}"})));
            refused(
                &jsonata_map(json!({format!("{name}Path"): "$.n"})),
                &format!(
                    "The QueryLanguage is set to 'JSONata', but field '{name}Path' is only supported for the 'JSONPath' QueryLanguage at /States/A"
                ),
            );
        }
        refused(
            &jsonata_map(json!({"ToleratedFailurePercentage": 101})),
            "Maximum value is 100.0 at /States/A/ToleratedFailurePercentage",
        );
    }
}
