//! Which rules apply where documents and the service differ.

/// Whose behaviour to follow where the service and the specification differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Profile {
    /// AWS Step Functions, as recorded.
    #[default]
    Aws,
    /// The text of the specification.
    Spec,
}

/// The kind of state machine, as CreateStateMachine's `type`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum StateMachineType {
    /// Exactly-once, up to a year.
    #[default]
    Standard,
    /// At-least-once, up to five minutes; no `.sync`, `.waitForTaskToken` nor activities.
    Express,
}
