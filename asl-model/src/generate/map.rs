//! Map States.
use super::scope::Generator;
use super::setting::Setting;
use super::states::without;
use super::{json_path, jsonata};
use serde_json::{Value, json};

/// The item merged with the data of the Map State, so that the states of its processor find their data.
const JSONATA_SELECTOR: &str = "{% $merge([$states.input, {'a': $states.context.Map.Item.Value, \
                                'n': $states.context.Map.Item.Index}]) %}";

impl Generator<'_, '_> {
    pub(super) fn map(&mut self, setting: &Setting<'_>) -> Value {
        let mut processor = self.scope(setting.depth + 1);
        let mut state = json!({});
        let is_distributed = self.tape.one_in(2);
        // "Iterator" and "Parameters" are the names before 2022.
        let is_old = !is_distributed && !setting.is_jsonata() && self.tape.one_in(8);
        if is_distributed {
            let kind = self.tape.pick(&["STANDARD", "EXPRESS"]);
            processor["ProcessorConfig"] = json!({"Mode": "DISTRIBUTED", "ExecutionType": kind});
            self.distribution(&mut state, setting);
        } else if !is_old && self.tape.one_in(8) {
            processor["ProcessorConfig"] = json!({"Mode": "INLINE"});
        }
        state[if is_old { "Iterator" } else { "ItemProcessor" }] = processor;
        self.items(&mut state, setting);
        if self.tape.one_in(2) {
            let names = ["MaxConcurrency", "MaxConcurrencyPath"];
            self.number(&mut state, names, 0..4, setting);
        }
        self.tolerated_failure(&mut state, setting);
        if !self.tape.surprises() {
            let selector = if is_old { "Parameters" } else { "ItemSelector" };
            state[selector] = match setting.is_jsonata() {
                true => JSONATA_SELECTOR.into(),
                false => {
                    json!({"a.$": "$$.Map.Item.Value", "b.$": "$.b", "n.$": "$$.Map.Item.Index", "s.$": "$.s",
                    "t.$": "$.t", "items.$": "$.items", "flag.$": "$.flag"})
                }
            };
        }
        state
    }

    fn items(&mut self, state: &mut Value, setting: &Setting<'_>) {
        if state.get("ItemReader").is_some() {
            return;
        }
        let is_usual = !self.tape.surprises();
        if !setting.is_jsonata() {
            let path = if is_usual {
                "$.items"
            } else {
                json_path::variable(self.tape)
            };
            state["ItemsPath"] = path.into();
            return;
        }
        state["Items"] = match is_usual {
            true if self.tape.one_in(4) => {
                json!([1, jsonata::expression(self.tape), {"a": "{% $states.input.n %}"}])
            }
            true => "{% $states.input.items %}".into(),
            false => jsonata::expression(self.tape),
        };
    }

    fn tolerated_failure(&mut self, state: &mut Value, setting: &Setting<'_>) {
        let count = ["ToleratedFailureCount", "ToleratedFailureCountPath"];
        let percentage = [
            "ToleratedFailurePercentage",
            "ToleratedFailurePercentagePath",
        ];
        match self.tape.below(4) {
            0 | 1 => {}
            2 => self.number(state, count, 0..3, setting),
            _ => self.number(state, percentage, 0..101, setting),
        }
    }

    fn distribution(&mut self, state: &mut Value, setting: &Setting<'_>) {
        if self.tape.one_in(2) {
            state["ItemReader"] = self.item_reader(setting);
        }
        if self.tape.one_in(6) {
            let mut batcher = json!({"MaxItemsPerBatch": 1 + self.tape.below(3)});
            if self.tape.one_in(2) {
                let names = ["MaxInputBytesPerBatch", "MaxInputBytesPerBatchPath"];
                self.number(&mut batcher, names, 100..250, setting);
            }
            batcher["BatchInput"] = match setting.is_jsonata() {
                true => json!({"n": "{% $states.input.n %}"}),
                false => json!({"n.$": "$.n"}),
            };
            state["ItemBatcher"] = batcher;
        }
        if self.tape.one_in(3) {
            let mut writer = json!({"Resource": "arn:aws:states:::s3:putObject"});
            if self.tape.one_in(4) {
                let transformation = self.tape.pick(&["NONE", "COMPACT", "FLATTEN"]);
                let output_type = self.tape.pick(&["JSON", "JSONL"]);
                writer["WriterConfig"] =
                    json!({"Transformation": transformation, "OutputType": output_type});
            }
            self.place(&mut writer, "Prefix", setting);
            state["ResultWriter"] = writer;
        }
        if self.tape.one_in(8) {
            // Unique in the machine, as the names of states are.
            self.names += 1;
            state["Label"] = format!("Label{}", self.names).into();
        }
    }

    fn item_reader(&mut self, setting: &Setting<'_>) -> Value {
        if self.tape.one_in(4) {
            let mut reader = json!({"Resource": "arn:aws:states:::s3:listObjectsV2"});
            if self.tape.one_in(3) {
                reader["ReaderConfig"] =
                    json!({"InputType": "JSON", "Transformation": "LOAD_AND_FLATTEN"});
            }
            self.place(&mut reader, "Prefix", setting);
            return reader;
        }
        let mut config = match self.tape.below(10) {
            0 | 6.. => json!({"InputType": "JSON"}),
            1 => json!({"InputType": "CSV", "CSVHeaderLocation": "FIRST_ROW"}),
            2 => json!({"InputType": "CSV", "CSVHeaderLocation": "GIVEN", "CSVHeaders": ["x", "y"],
                "CSVDelimiter": "PIPE"}),
            3 => json!({"InputType": "JSONL"}),
            4 => json!({"InputType": "JSON", "ItemsPointer": "/a"}),
            5 => json!({"InputType": "MANIFEST", "ManifestType": "S3_INVENTORY"}),
        };
        if self.tape.one_in(3) {
            self.number(&mut config, ["MaxItems", "MaxItemsPath"], 1..4, setting);
        }
        let mut reader =
            json!({"Resource": "arn:aws:states:::s3:getObject", "ReaderConfig": config});
        self.place(&mut reader, "Key", setting);
        reader
    }

    /// Adds a location in an object store, or a prefix.
    fn place(&mut self, holder: &mut Value, name: &str, setting: &Setting<'_>) {
        let (field, value) = match (setting.is_jsonata(), self.tape.one_in(3)) {
            (true, true) => (name.to_owned(), "{% $states.input.s %}"),
            (false, true) => (format!("{name}.$"), "$.s"),
            (_, false) => (name.to_owned(), "key"),
        };
        let parameters = if setting.is_jsonata() {
            "Arguments"
        } else {
            "Parameters"
        };
        holder[parameters] = json!({"Bucket": "bucket", field: value});
        if self.tape.surprises() {
            without(&mut holder[parameters], "Bucket");
        }
    }
}
