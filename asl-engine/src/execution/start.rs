//! How an execution begins.
use crate::{Identity, Limits};
use asl_model::{StateMachineType, Timestamp};
use serde_json::{Map, Value};
use std::sync::Arc;

/// How an execution begins: everything it will ever know that is neither in its program nor in its inputs.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
pub struct Start {
    /// The execution's input.
    pub input: Arc<Value>,
    /// When it starts.
    pub now: Timestamp,
    /// Names and ARNs.
    pub identity: Arc<Identity>,
    /// Seed of `States.UUID`, `States.MathRandom`, task tokens and retry jitter.
    pub seed: u64,
    /// Bounds.
    pub limits: Limits,
    /// Standard or Express.
    pub state_machine_type: StateMachineType,
    /// Whether to output events.
    pub record_history: bool,
    /// Merged over the Context Object, field by field.
    pub context: Map<String, Value>,
}

impl Start {
    /// A start with `input` at `now`; everything else as by default.
    pub fn new(input: Value, now: Timestamp) -> Self {
        Self {
            input: Arc::new(input),
            now,
            identity: Arc::new(Identity::new("StateMachine", "execution")),
            seed: 0,
            limits: Limits::default(),
            state_machine_type: StateMachineType::Standard,
            record_history: false,
            context: Map::new(),
        }
    }
}
