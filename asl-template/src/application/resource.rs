//! Other resources of a template.
use serde_json::Value;

/// A resource of a template that is neither a state machine nor a function.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ResourceSource {
    /// The name in the template.
    pub id: String,
    /// Its type as CloudFormation names it, or as Terraform does where CloudFormation's is not known here.
    pub resource_type: String,
    /// The name that it has.
    pub name: String,
    /// Its properties as CloudFormation names them.
    pub properties: Value,
}

/// An event that invokes a function, or starts a state machine.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct EventSource {
    /// The name in the template of the function or state machine.
    pub target: String,
    /// The name of the event in the template.
    pub id: String,
    /// Its type as SAM names it: `Api`, `HttpApi`, `Schedule`, `EventBridgeRule`, `SQS` …
    pub event_type: String,
    /// Its properties as SAM names them.
    pub properties: Value,
}
