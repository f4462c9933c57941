//! The result writer of a distributed Map State (2024 specification, Map State: Writing Results).
use super::{Fields, Object, Read, Reader};
use crate::{Resource, ResultWriter, WriterConfig};

pub(super) const WRITER: Fields = Fields {
    common: &["Resource", "WriterConfig"],
    json_path: &["Parameters"],
    jsonata: &["Arguments"],
};
pub(super) const WRITER_CONFIG: &[&str] = &["Transformation", "OutputType"];

impl<'v> Reader<'v> {
    /// "ResultWriter".
    pub(crate) fn result_writer(&mut self, state: Object<'v, '_>) -> Read<Option<ResultWriter>> {
        self.part(state, "ResultWriter", |reader, object| {
            let known = reader.check_fields_of(object, &WRITER);
            let resource = reader.writer_resource(object);
            let parameters = reader.arguments(object);
            let writer_config = reader.part(object, "WriterConfig", Self::writer_config);
            known?;
            Ok(ResultWriter {
                resource: resource?,
                parameters: parameters?,
                writer_config: writer_config?,
            })
        })
    }

    /// Reads the "Resource", which only a writer that just formats the result can omit.
    fn writer_resource(&mut self, writer: Object<'v, '_>) -> Read<Option<Resource>> {
        if writer.has("Parameters") || writer.has("Arguments") || !writer.has("WriterConfig") {
            self.required(writer, &["Resource"])?;
        }
        self.s3_resource(writer, &["putObject"])
    }

    fn writer_config(&mut self, config: Object<'v, '_>) -> Read<WriterConfig> {
        let known = self.check_known_fields(config, WRITER_CONFIG);
        let required = self.required(config, &["OutputType"]);
        let transformation = self.word(config, "Transformation");
        let output_type = self.word(config, "OutputType");
        known?;
        required?;
        Ok(WriterConfig {
            transformation: transformation?,
            output_type: output_type?,
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{accepted, distributed_map, jsonata_map, refused};
    use serde_json::json;

    #[test]
    fn a_writer_says_what_it_writes() {
        let config = json!({"WriterConfig": {"Transformation": "FLATTEN"}});
        let message =
            "These fields are required: [OutputType] at /States/A/ResultWriter/WriterConfig";
        refused(&distributed_map("ResultWriter", config), message);
        let writer =
            json!({"Resource": "arn:aws:states:::s3:putObject", "Parameters": {"Bucket.$": "$.b"}});
        accepted(&distributed_map("ResultWriter", writer));
        accepted(&distributed_map(
            "ResultWriter",
            json!({"WriterConfig": {"OutputType": "JSON"}}),
        ));
        let message = "These fields are required: [Resource] at /States/A/ResultWriter";
        let nowhere =
            json!({"Parameters": {"Bucket": "b"}, "WriterConfig": {"OutputType": "JSON"}});
        refused(&distributed_map("ResultWriter", nowhere), message);
        refused(&distributed_map("ResultWriter", json!({})), message);
    }

    #[test]
    fn a_jsonata_state_writes_by_arguments() {
        let resource = "arn:aws:states:::s3:putObject";
        let writer = json!({"Resource": resource, "Arguments": "{% $where %}"});
        accepted(&jsonata_map("ResultWriter", writer));
        let nowhere = json!({"Arguments": {"Bucket": "b"}, "WriterConfig": {"OutputType": "JSON"}});
        refused(
            &jsonata_map("ResultWriter", nowhere),
            "These fields are required: [Resource] at /States/A/ResultWriter",
        );
    }
}
