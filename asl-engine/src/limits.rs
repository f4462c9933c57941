//! Bounds on what an execution may do; the service's values by default.

/// Bounds on what an execution may do. `None` is no bound.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Limits {
    /// Bytes of a state's input or output, and of a task's result, as JSON text: 256 KiB on the service.
    pub max_payload_bytes: Option<u64>,
    /// Events of one execution's history: 25,000 on the service (Standard only).
    pub max_history_events: Option<u64>,
    /// Levels of arrays and objects in data, wherever it arises.
    pub max_data_depth: usize,
    /// Transitions of one execution, after which it fails with States.Runtime; not a limit of the service.
    pub max_transitions: Option<u64>,
    /// Transitions made in one call of the core before it yields to its host.
    pub transition_budget: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_payload_bytes: Some(262_144),
            max_history_events: Some(25_000),
            max_data_depth: asl_path::json::DEFAULT_MAX_DEPTH,
            max_transitions: None,
            transition_budget: 10_000,
        }
    }
}

impl Limits {
    /// No bounds but the depth of data and the budget of one call.
    pub fn unlimited() -> Self {
        Self {
            max_payload_bytes: None,
            max_history_events: None,
            ..Self::default()
        }
    }
}
