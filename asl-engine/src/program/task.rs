//! Tasks of a program, known before it runs.
use super::state::{Processing, StateAction, StateProgram};
use super::template::{CompiledNode, CompiledTemplate};
use crate::Resource;

/// A Task State of a program, as far as it is known before it runs.
#[derive(Debug, Clone, Copy)]
pub struct ProgramTask<'p> {
    state: &'p StateProgram,
    resource: &'p Resource,
}

impl<'p> ProgramTask<'p> {
    pub(super) fn from_state(state: &'p StateProgram) -> Option<Self> {
        match &state.action {
            StateAction::Task(task) => Some(Self {
                state,
                resource: &task.resource,
            }),
            _ => None,
        }
    }

    /// Returns the state's name.
    pub fn state_name(&self) -> &'p str {
        &self.state.name
    }

    /// Returns the value of "Resource".
    pub fn resource(&self) -> &'p Resource {
        self.resource
    }

    /// Returns "FunctionName" of "Parameters" or "Arguments", if it is a literal.
    pub fn function_name(&self) -> Option<&'p str> {
        let fields = match &self.template()?.root {
            CompiledNode::Object(object) => &object.shape,
            CompiledNode::Literal(literal) => literal.value.as_object()?,
            _ => return None,
        };
        fields.get("FunctionName")?.as_str()
    }

    fn template(&self) -> Option<&'p CompiledTemplate> {
        match &self.state.processing {
            Processing::JsonPath(processing) => processing.parameters.as_ref(),
            Processing::Jsonata(processing) => processing.arguments.as_ref(),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Program;
    use serde_json::{Value, json};

    #[test]
    fn tasks_of_all_scopes_are_told_with_what_is_written_of_them() {
        const INVOKE: &str = "arn:aws:states:::lambda:invoke";
        let branch = |name: &str, fields: Value| {
            let mut state = json!({"Type": "Task", "Resource": INVOKE, "End": true});
            let state = state.as_object_mut().expect("an object");
            state.extend(fields.as_object().expect("an object").clone());
            json!({"StartAt": name, "States": {name: state}})
        };
        let function = |name: &str| json!({"FunctionName": name, "Payload": {}});
        let jsonata = |name| json!({"QueryLanguage": "JSONata", "Arguments": function(name)});
        let reference = json!({"FunctionName.$": "$.name", "Payload": {}});
        let definition = json!({"StartAt": "P", "States": {"P": {"Type": "Parallel", "End": true, "Branches": [
            branch("A", json!({"Parameters": function("written")})),
            branch("B", json!({"Parameters": reference})),
            branch("C", jsonata("as well")),
            branch("D", jsonata("{% 'worked' & 'out' %}")),
            branch("E", json!({})),
        ]}}});
        let options = asl_model::Options::embedded();
        let (machine, _warnings) =
            asl_model::parse_value(&definition, options).expect("a definition");
        let program = Program::compile(&machine).expect("a program");
        let told: Vec<_> = program
            .tasks()
            .map(|task| (task.state_name(), task.function_name()))
            .collect();
        assert_eq!(
            told,
            [
                ("A", Some("written")),
                ("B", None),
                ("C", Some("as well")),
                ("D", None),
                ("E", None)
            ]
        );
        assert!(program.tasks().all(|task| task.resource().uri == INVOKE));
    }
}
