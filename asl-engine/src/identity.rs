//! What an execution is called: names and ARNs of the Context Object and of events.

/// Names and ARNs of an execution and its state machine. Cheap to share behind an `Arc`.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Identity {
    /// `$$.Execution.Name`.
    pub execution_name: String,
    /// `$$.Execution.Id`.
    pub execution_arn: String,
    /// `$$.Execution.RoleArn`.
    pub role_arn: String,
    /// `$$.StateMachine.Name`.
    pub state_machine_name: String,
    /// `$$.StateMachine.Id`.
    pub state_machine_arn: String,
    /// The region named in events.
    pub region: String,
}

impl Identity {
    /// ARNs as the service would form them, of a placeholder account in us-east-1.
    pub fn new(state_machine_name: &str, execution_name: &str) -> Self {
        let prefix = "arn:aws:states:us-east-1:111111111111";
        Self {
            execution_name: execution_name.to_owned(),
            execution_arn: format!("{prefix}:execution:{state_machine_name}:{execution_name}"),
            role_arn: format!("arn:aws:iam::111111111111:role/{state_machine_name}"),
            state_machine_name: state_machine_name.to_owned(),
            state_machine_arn: format!("{prefix}:stateMachine:{state_machine_name}"),
            region: "us-east-1".to_owned(),
        }
    }
}
