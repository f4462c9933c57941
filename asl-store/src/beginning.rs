//! How an execution that somebody starts begins in the core.
use crate::Options;
use asl_engine::model::StateMachineType;
use asl_engine::{Identity, Limits, Program, Start, Timestamp};
use asl_host::engine::StartExecution;
use serde_json::{Map, Value};
use std::sync::Arc;

/// How an execution begins in the core.
pub(crate) fn core_start(
    start: &StartExecution,
    input: Arc<Value>,
    now: Timestamp,
    program: &Program,
    options: &Options,
) -> Start {
    let (machine, name) = (Arc::clone(&start.state_machine), Arc::clone(&start.name));
    let identity = Identity::from_state_machine(machine, name);
    let identity = match &start.express_arn {
        Some(arn) => identity.with_express_id(arn.rsplit(':').next().unwrap_or_default()),
        None => identity,
    };
    let mut limits = Limits::from_profile(program.profile());
    if let Some(bytes) = options.max_execution_bytes {
        limits.max_execution_bytes = Some(bytes);
    }
    Start {
        input,
        input_text: Some(Arc::clone(&start.input)),
        now,
        identity: Arc::new(identity),
        seed: None,
        limits,
        state_machine_type: match start.express_arn {
            Some(_) => StateMachineType::Express,
            None => StateMachineType::Standard,
        },
        record_history: false,
        context: Map::new(),
        at: None,
    }
}
