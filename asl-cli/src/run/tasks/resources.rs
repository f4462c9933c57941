//! The resources of a definition's tasks.
use asl_model::{
    Integration, Processing, Resource, StateKind, StateMachine, States, Task, TemplateNode,
};
use serde_json::{Value, json};

/// A Task State's resource, and the Lambda function it invokes where that is written out.
pub(crate) struct TaskResource {
    pub(crate) state: String,
    pub(crate) resource: Resource,
    function: Option<String>,
}

impl TaskResource {
    /// As much of the payload as says where the task goes.
    pub(crate) fn payload(&self) -> Value {
        match &self.function {
            Some(function) => json!({ "FunctionName": function }),
            None => Value::Null,
        }
    }

    /// What to name in `--task`.
    pub(crate) fn shown(&self) -> String {
        shown(&self.resource, self.function.as_deref())
    }
}

/// The name of the function where one is invoked, else the resource.
pub(crate) fn shown(resource: &Resource, function: Option<&str>) -> String {
    let invokes = resource
        .integration()
        .is_some_and(Integration::invokes_function);
    function
        .filter(|_| invokes)
        .unwrap_or(&resource.uri)
        .to_owned()
}

/// Of all Task States, nested ones too.
pub(crate) fn of_machine(machine: &StateMachine) -> Vec<TaskResource> {
    let mut found = Vec::new();
    let mut open = vec![&machine.states];
    while let Some(States { states, .. }) = open.pop() {
        for (name, state) in states {
            match &state.kind {
                StateKind::Task(task) => found.push(TaskResource {
                    state: name.as_str().to_owned(),
                    resource: task.resource.clone(),
                    function: parameter(task, "FunctionName").map(str::to_owned),
                }),
                StateKind::Parallel(parallel) => open.extend(&parallel.branches),
                StateKind::Map(map) => open.push(&map.item_processor.states),
                _ => {}
            }
        }
    }
    found
}

/// A parameter that is written out.
pub(crate) fn parameter<'t>(task: &'t Task, name: &str) -> Option<&'t str> {
    let payload = match &task.processing {
        Processing::JsonPath(processing) => processing.parameters.as_ref()?,
        Processing::Jsonata(processing) => processing.arguments.as_ref()?,
    };
    match &payload.root {
        TemplateNode::Literal(value) => value.get(name)?.as_str(),
        TemplateNode::Object(fields) => {
            let field = fields.iter().find(|field| field.name == name)?;
            match &field.value {
                TemplateNode::Literal(value) => value.as_str(),
                _ => None,
            }
        }
        _ => None,
    }
}
