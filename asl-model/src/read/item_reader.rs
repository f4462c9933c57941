//! The item reader of a distributed Map State (2024 specification, Map State: Reading Items).
use super::{ErrorReported, Fields, Moment, Object, Pair, Place, Read, Reader};
use crate::DiagnosticRule;
use crate::rules::placeholders::is_placeholder;
use crate::{ItemReader, PayloadTemplate, ReaderConfig, Resource};
use serde_json::Value;

pub(super) const READER: Fields = Fields {
    common: &["Resource", "ReaderConfig"],
    json_path: &["Parameters"],
    jsonata: &["Arguments"],
};
pub(super) const READER_CONFIG: Fields = Fields {
    common: &[
        "InputType",
        "CSVHeaderLocation",
        "CSVHeaders",
        "CSVDelimiter",
        "MaxItems",
        "ManifestType",
        "Transformation",
        "ItemsPointer",
    ],
    json_path: &["MaxItemsPath"],
    jsonata: &[],
};
const MAX_ITEMS: Pair = Pair::new("MaxItems", "MaxItemsPath");

const MOST_ITEMS: u64 = 100_000_000;
/// Fields of a single "InputType", with the types that refuse them (recorded, and extended to similar fields). A manifest
/// can list files of any type.
const FIELDS_OF_TYPES: &[(&str, &[&str])] = &[
    ("CSVHeaderLocation", &["JSON", "JSONL", "PARQUET"]),
    ("CSVHeaders", &["JSON", "JSONL", "PARQUET"]),
    ("CSVDelimiter", &["JSON", "JSONL", "PARQUET"]),
    ("ManifestType", &["JSON"]),
    ("ItemsPointer", &["CSV", "JSONL", "PARQUET", "MANIFEST"]),
];

impl<'v> Reader<'v> {
    /// Returns an object that a field holds, if the field is there.
    pub(crate) fn part<T>(
        &mut self,
        object: Object<'v, '_>,
        name: &str,
        read: impl FnOnce(&mut Self, Object<'v, '_>) -> Read<T>,
    ) -> Read<Option<T>> {
        let Some(value) = object.get(name) else {
            return Ok(None);
        };
        let place: Place<'_> = object.place.field(name);
        let part = self.object(value, &place)?;
        read(self, part).map(Some)
    }

    /// "ItemReader".
    pub(crate) fn item_reader(&mut self, state: Object<'v, '_>) -> Read<Option<ItemReader>> {
        self.part(state, "ItemReader", |reader, object| {
            let known = reader.check_fields_of(object, &READER);
            let resource = reader.required(object, &["Resource"]);
            let resource =
                resource.and_then(|()| reader.s3_resource(object, &["getObject", "listObjectsV2"]));
            let parameters = reader.arguments(object);
            let reader_config = reader.part(object, "ReaderConfig", Self::reader_config);
            known?;
            Ok(ItemReader {
                resource: resource?.ok_or(ErrorReported)?,
                parameters: parameters?,
                reader_config: reader_config?,
            })
        })
    }

    /// "Resource" that is one of these actions of S3.
    pub(crate) fn s3_resource(
        &mut self,
        object: Object<'v, '_>,
        actions: &[&str],
    ) -> Read<Option<Resource>> {
        let Some(text) = self.text(object, "Resource")? else {
            return Ok(None);
        };
        let resource = Resource::parse(text);
        let known = resource
            .integration()
            .is_some_and(|it| it.service == "s3" && actions.contains(&it.action.as_str()));
        if is_placeholder(text) || known {
            self.check_left_placeholder(&object.place.field("Resource"), text);
            return Ok(Some(resource));
        }
        let expected: Vec<String> = actions
            .iter()
            .map(|action| format!("arn:aws:states:::s3:{action}"))
            .collect();
        Err(self.fault_with_hint(
            &object.place.field("Resource"),
            DiagnosticRule::INVALID_RESOURCE,
            "The field 'Resource' does not match any of the allowed values",
            format!("use {}", expected.join(" or ")),
        ))
    }

    fn reader_config(&mut self, config: Object<'v, '_>) -> Read<ReaderConfig> {
        let known = self.check_fields_of(config, &READER_CONFIG);
        let input_type = self.word(config, "InputType");
        let csv_header_location = self.word(config, "CSVHeaderLocation");
        let fields = self.fields_of_type(config);
        let csv_headers = self.csv_headers(config);
        let csv_delimiter = self.word(config, "CSVDelimiter");
        let least = self.options.profile.least_maximum();
        let max_items = self.whole_field(config, MAX_ITEMS, least..=MOST_ITEMS);
        let manifest_type = self.word(config, "ManifestType");
        let transformation = self.word(config, "Transformation");
        let items_pointer = self.items_pointer(config);
        known?;
        fields?;
        Ok(ReaderConfig {
            input_type: input_type?,
            csv_header_location: csv_header_location?,
            csv_headers: csv_headers?,
            csv_delimiter: csv_delimiter?,
            max_items: max_items?,
            manifest_type: manifest_type?,
            transformation: transformation?,
            items_pointer: items_pointer?,
        })
    }

    /// Checks the fields of the input type: only CSV files have a header location, and loaded files need a type.
    fn fields_of_type(&mut self, config: Object<'v, '_>) -> Read<()> {
        let text = |name| config.get(name).and_then(Value::as_str);
        let mut sound = Ok(());
        if text("InputType") == Some("CSV") && !config.has("CSVHeaderLocation") {
            let message = "The field 'CSVHeaderLocation' is required";
            let hint = "FIRST_ROW if the file has a header, otherwise GIVEN with CSVHeaders";
            let rule = DiagnosticRule::MISSING_FIELD;
            sound = Err(self.fault_with_hint(config.place, rule, message, hint));
        }
        if text("Transformation") == Some("LOAD_AND_FLATTEN") && !config.has("InputType") {
            let message = "The field 'InputType' is required";
            let hint = "LOAD_AND_FLATTEN needs the type of the files, such as JSON or CSV";
            let rule = DiagnosticRule::MISSING_FIELD;
            sound = Err(self.fault_with_hint(config.place, rule, message, hint));
        }
        // The service reports nothing else if a CSV file lacks a field.
        if let Some(input_type) = text("InputType").filter(|_| sound.is_ok()) {
            for (name, refused) in FIELDS_OF_TYPES {
                if config.has(name) && refused.contains(&input_type) {
                    let hint = format!("it has no effect for the InputType {input_type}");
                    sound = Err(self.unknown_field(config, name).with_hint(self, hint));
                }
            }
        }
        sound?;
        if text("CSVHeaderLocation") == Some("GIVEN") {
            self.required(config, &["CSVHeaders"])?;
        }
        Ok(())
    }

    /// "ItemsPointer": a JSON pointer.
    fn items_pointer(&mut self, config: Object<'v, '_>) -> Read<Option<String>> {
        const NAME: &str = "ItemsPointer";
        let pointer = self.owned_text(config, NAME)?;
        match &pointer {
            Some(text) if !text.is_empty() && !text.starts_with('/') && !is_placeholder(text) => {
                let text = Value::from(text.as_str());
                let message =
                    format!("Invalid input: JSON Pointer expression must start with '/': {text}");
                let rule = DiagnosticRule::INVALID_ITEMS_POINTER;
                let hint = "a JSON Pointer has a slash before each name: \"/order/items\"";
                Err(self.fault_with_hint(&config.at(NAME), rule, message, hint))
            }
            Some(text) => {
                self.check_left_placeholder(&config.at(NAME), text);
                Ok(pointer)
            }
            None => Ok(None),
        }
    }

    fn csv_headers(&mut self, config: Object<'v, '_>) -> Read<Option<Vec<String>>> {
        let Some(value) = config.get("CSVHeaders") else {
            return Ok(None);
        };
        let place = config.place.field("CSVHeaders");
        let elements = self.array(value, &place)?;
        let mut headers = Vec::with_capacity(elements.len());
        for (index, element) in elements.iter().enumerate() {
            headers.push(self.text_value(element, &place.element(index))?.to_owned());
        }
        Ok(Some(headers))
    }

    /// "Parameters", or "Arguments" of a JSONata state.
    pub(crate) fn arguments(&mut self, object: Object<'v, '_>) -> Read<Option<PayloadTemplate>> {
        match self.is_jsonata() {
            true => self.object_template(object, "Arguments"),
            false => self.template(object, "Parameters", Moment::Entry),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{accepted, distributed_map, errors, jsonata_map, refused, spec_errors};
    use serde_json::{Value, json};

    fn reader(config: Value) -> Value {
        distributed_map(
            "ItemReader",
            json!({"Resource": "arn:aws:states:::s3:getObject", "ReaderConfig": config}),
        )
    }

    #[test]
    fn items_are_read_by_two_resources() {
        let resource = json!({"Resource": "arn:aws:states:::s3:putObject"});
        let message = "The field 'Resource' does not match any of the allowed values at /States/A/ItemReader/Resource";
        refused(&distributed_map("ItemReader", resource), message);
        let message = "These fields are required: [Resource] at /States/A/ItemReader";
        refused(&distributed_map("ItemReader", json!({})), message);
        accepted(&distributed_map(
            "ItemReader",
            json!({"Resource": "arn:aws-us-gov:states:::s3:listObjectsV2"}),
        ));
    }

    #[test]
    fn a_csv_file_says_where_its_header_is() {
        let place = "at /States/A/ItemReader/ReaderConfig";
        let csv = reader(json!({"InputType": "CSV"}));
        refused(
            &csv,
            &format!("The field 'CSVHeaderLocation' is required {place}"),
        );
        let given = reader(json!({"InputType": "CSV", "CSVHeaderLocation": "GIVEN"}));
        refused(
            &given,
            &format!("These fields are required: [CSVHeaders] {place}"),
        );
        let json = reader(json!({"InputType": "JSON", "CSVHeaderLocation": "FIRST_ROW"}));
        refused(
            &json,
            &format!("Field 'CSVHeaderLocation' is not supported {place}"),
        );
        let header = json!({"InputType": "CSV", "CSVHeaderLocation": "GIVEN", "CSVHeaders": ["a"], "CSVDelimiter": "TAB"});
        accepted(&reader(header));
        let items = |number: i64| reader(json!({"InputType": "JSON", "MaxItems": number}));
        refused(&items(-1), &format!("Minimum value is 0 {place}/MaxItems"));
        refused(
            &items(100_000_001),
            &format!("Maximum value is 100000000 {place}/MaxItems"),
        );
        accepted(&items(0));
        assert_eq!(
            spec_errors(&items(0)),
            [format!(
                "SCHEMA_VALIDATION_FAILED: Minimum value is 1 {place}/MaxItems"
            )]
        );
        accepted(&items(100_000_000));
        let both = reader(json!({"InputType": "JSON", "MaxItems": 1, "MaxItemsPath": "$.n"}));
        refused(
            &both,
            &format!(
                "There should only be one of the following fields: [MaxItems, MaxItemsPath] {place}"
            ),
        );
    }

    /// Recorded from the service, and their siblings.
    #[test]
    fn some_fields_belong_to_one_type_of_file() {
        let place = "at /States/A/ItemReader/ReaderConfig";
        let fault = |name: &str| {
            format!("SCHEMA_VALIDATION_FAILED: Field '{name}' is not supported {place}")
        };
        let header =
            json!({"InputType": "JSONL", "CSVHeaderLocation": "GIVEN", "CSVHeaders": ["a"]});
        let expected = ["CSVHeaderLocation", "CSVHeaders"].map(fault);
        assert_eq!(errors(&reader(header)), expected);
        for (input_type, name, value) in [
            ("JSON", "ManifestType", "ATHENA_DATA"),
            ("PARQUET", "CSVDelimiter", "TAB"),
            ("JSONL", "ItemsPointer", "/a"),
        ] {
            let config = json!({"InputType": input_type, name: value});
            assert_eq!(errors(&reader(config)), [fault(name)]);
        }
        let config = json!({"InputType": "JSONL", "ManifestType": "ATHENA_DATA"});
        accepted(&reader(config));
    }

    /// Recorded from the service.
    #[test]
    fn what_is_loaded_from_a_listing_has_a_type() {
        let config = json!({"Transformation": "LOAD_AND_FLATTEN"});
        refused(
            &reader(config),
            "The field 'InputType' is required at /States/A/ItemReader/ReaderConfig",
        );
        accepted(&reader(json!({"Transformation": "NONE"})));
    }

    /// Recorded from the service.
    #[test]
    fn items_are_pointed_to_by_a_json_pointer() {
        let pointer = |text: &str| reader(json!({"InputType": "JSON", "ItemsPointer": text}));
        refused(
            &pointer("data/items"),
            "Invalid input: JSON Pointer expression must start with '/': \"data/items\" at /States/A/ItemReader/ReaderConfig/ItemsPointer",
        );
        for text in ["", "/data/items", "${Pointer}"] {
            accepted(&pointer(text));
        }
    }

    #[test]
    fn a_jsonata_state_reads_by_arguments() {
        let reader = |arguments: Value| {
            let config = json!({"InputType": "JSON", "MaxItems": "{% $n %}"});
            let resource = "arn:aws:states:::s3:getObject";
            jsonata_map(
                "ItemReader",
                json!({"Resource": resource, "Arguments": arguments, "ReaderConfig": config}),
            )
        };
        for arguments in [
            json!({"Bucket": "{% $b %}"}),
            json!("{% $where %}"),
            json!("${Where}"),
        ] {
            accepted(&reader(arguments));
        }
        for arguments in [json!("bucket"), json!(["{% $b %}"]), json!(1)] {
            refused(
                &reader(arguments),
                "Expected value of type Object at /States/A/ItemReader/Arguments",
            );
        }
    }

    #[test]
    fn fields_of_the_other_language_are_refused() {
        let reader = json!({"Resource": "arn:aws:states:::s3:getObject", "Parameters": {}});
        refused(
            &jsonata_map("ItemReader", reader),
            "The QueryLanguage is set to 'JSONata', but field 'Parameters' is only supported for the 'JSONPath' QueryLanguage at /States/A/ItemReader",
        );
    }
}
