//! Input and output processing (2024 specification, Input and Output Processing with JSONata, with JSONPath).
use super::state::{fields_of, output_moment};
use super::{Fields, Moment, Object, Read, Reader};
use crate::{
    JsonPathProcessing, JsonataProcessing, PayloadTemplate, Processing, ResultPath, StateType,
};

impl<'v> Reader<'v> {
    /// Returns the fields of a state, of those that its type can have, that make its output.
    pub(crate) fn processing(
        &mut self,
        state: Object<'v, '_>,
        state_type: StateType,
    ) -> Read<Processing> {
        if state_type == StateType::Fail {
            return Ok(Processing::absent(self.query_language));
        }
        if self.is_jsonata() {
            return self.jsonata_processing(state, state_type);
        }
        let known = fields_of(state_type);
        let input_path = self.data_path(state, "InputPath");
        // "Parameters" of a Map State make no input of it: they are its ItemSelector.
        let parameters = match state_type {
            StateType::Map => Ok(None),
            _ => self.template_if_known(state, known, "Parameters"),
        };
        let result_selector = self.template_if_known(state, known, "ResultSelector");
        let result_path = match state.has("ResultPath") && known.has("ResultPath") {
            true => self.result_path(state),
            false => Ok(ResultPath::Absent),
        };
        let output_path = self.data_path(state, "OutputPath");
        Ok(Processing::JsonPath(Box::new(JsonPathProcessing {
            input_path: input_path?,
            parameters: parameters?,
            result_selector: result_selector?,
            result_path: result_path?,
            output_path: output_path?,
        })))
    }

    fn jsonata_processing(
        &mut self,
        state: Object<'v, '_>,
        state_type: StateType,
    ) -> Read<Processing> {
        let arguments = self.template_if_known(state, fields_of(state_type), "Arguments");
        let output = self.template(state, "Output", output_moment(state_type));
        Ok(Processing::Jsonata(Box::new(JsonataProcessing {
            arguments: arguments?,
            output: output?,
        })))
    }

    /// Returns a field that some types of states have; of the others it is reported with all that they cannot have.
    fn template_if_known(
        &mut self,
        state: Object<'v, '_>,
        known: &Fields,
        name: &str,
    ) -> Read<Option<PayloadTemplate>> {
        match state.has(name) && known.has(name) {
            true => self.template(state, name, Moment::Entry),
            false => Ok(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{accepted, jsonata, jsonata_task, machine, refused};
    use crate::{Options, Processing, TemplateNode, parse_value};
    use serde_json::json;

    #[test]
    fn a_jsonata_state_has_arguments_and_output() {
        let definition = jsonata_task(json!({
            "Arguments": {"a": "{% $states.input %}", "b": ["c"]},
            "Output": "{% $states.result %}",
        }));
        let (machine, _) = parse_value(&definition, Options::default()).unwrap();
        let (_, state) = &machine.states.states[0];
        let Processing::Jsonata(processing) = &state.processing else {
            panic!("no JSONata")
        };
        let TemplateNode::Object(fields) = &processing.arguments.as_ref().unwrap().root else {
            panic!("no object")
        };
        assert!(matches!(fields[0].value, TemplateNode::Expression(_)));
        assert_eq!(fields[1].value, TemplateNode::Literal(json!(["c"])));
        let output = &processing.output.as_ref().unwrap().root;
        assert!(matches!(output, TemplateNode::Expression(_)));
    }

    /// 2024 specification, Table of State Types and Fields.
    #[test]
    fn fields_belong_to_one_language() {
        let message = |language: &str, name: &str, other: &str| {
            format!(
                "The QueryLanguage is set to '{language}', but field '{name}' is only supported for the '{other}' QueryLanguage at /States/A"
            )
        };
        for name in [
            "InputPath",
            "OutputPath",
            "ResultPath",
            "ResultSelector",
            "Parameters",
        ] {
            let definition = jsonata_task(json!({name: "$.a"}));
            refused(&definition, &message("JSONata", name, "JSONPath"));
        }
        let pass = jsonata(json!({"Type": "Pass", "Result": 1, "End": true}));
        refused(&pass, &message("JSONata", "Result", "JSONPath"));
        let pass = machine(json!({"Type": "Pass", "Output": 1, "End": true}));
        refused(&pass, &message("JSONPath", "Output", "JSONata"));
    }

    #[test]
    fn only_tasks_and_parallel_states_have_arguments() {
        let pass = jsonata(json!({"Type": "Pass", "Arguments": 1, "End": true}));
        refused(&pass, "Field 'Arguments' is not supported at /States/A");
        let fail = jsonata(json!({"Type": "Fail", "Output": 1}));
        refused(&fail, "Field 'Output' is not supported at /States/A");
        accepted(&jsonata(json!({"Type": "Succeed", "Output": 1})));
    }
}
