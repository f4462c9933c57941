//! The resources of a definition's tasks.
use asl_model::{Integration, Resource, StateKind, StateMachine};
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
    let states = machine.all_states().into_iter();
    let tasks = states.filter_map(|(name, state)| match &state.kind {
        StateKind::Task(task) => Some(TaskResource {
            state: name.as_str().to_owned(),
            resource: task.resource.clone(),
            function: state.parameter("FunctionName").map(str::to_owned),
        }),
        _ => None,
    });
    tasks.collect()
}
