//! The Context Object (2024 specification, The Context Object; the service's guide).

/// The fields with their descriptions, each by its path.
const FIELDS: &[(&str, &str)] = &[
    (
        "",
        "The execution, the state machine, the state and the task, as the service knows them.",
    ),
    (
        "Execution",
        "The execution: Id, Name, Input, StartTime, RoleArn.",
    ),
    ("Execution.Id", "The ARN of the execution."),
    (
        "Execution.Input",
        "The input of the execution, as it was sent.",
    ),
    ("Execution.Name", "The name of the execution."),
    (
        "Execution.RoleArn",
        "The ARN of the role that the execution assumes.",
    ),
    (
        "Execution.StartTime",
        "The time at which the execution started, in ISO 8601.",
    ),
    (
        "Execution.RedriveCount",
        "The number of times that the execution was redriven.",
    ),
    (
        "Execution.RedriveTime",
        "The time of the last redrive, in ISO 8601.",
    ),
    ("Map", "The iteration: Item."),
    (
        "Map.Item",
        "The item of the iteration: Index, Value, and of objects Key.",
    ),
    (
        "Map.Item.Index",
        "The index of the item in the array, from 0.",
    ),
    ("Map.Item.Value", "The item of the iteration."),
    (
        "Map.Item.Key",
        "The key of the item, if the items come from an object.",
    ),
    (
        "Map.Item.Source",
        "The source of the item, if an ItemReader reads it.",
    ),
    ("State", "The state: Name, EnteredTime, RetryCount."),
    (
        "State.EnteredTime",
        "The time at which the state was entered, in ISO 8601.",
    ),
    ("State.Name", "The name of the state."),
    (
        "State.RetryCount",
        "The number of retries of the state so far.",
    ),
    ("StateMachine", "The state machine: Id, Name."),
    ("StateMachine.Id", "The ARN of the state machine."),
    ("StateMachine.Name", "The name of the state machine."),
    ("Task", "The task: Token."),
    (
        "Task.Token",
        "The token that returns the result of a task with .waitForTaskToken, by SendTaskSuccess or SendTaskFailure.",
    ),
];

/// Returns the description of the field at a path such as `Task.Token`.
pub(crate) fn described(path: &str) -> Option<&'static str> {
    let field = FIELDS.iter().find(|(known, _)| *known == path);
    field.map(|(_, description)| *description)
}

/// Returns the names of the fields right below a path.
pub(crate) fn names_below(path: &str) -> impl Iterator<Item = &'static str> {
    FIELDS.iter().filter_map(move |(known, _)| {
        let (parent, name) = known.rsplit_once('.').unwrap_or(("", known));
        (parent == path && !name.is_empty()).then_some(name)
    })
}
