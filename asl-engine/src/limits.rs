//! Bounds on what an execution may do; the service's values by default.

/// Limits of an execution. `None` means no limit.
///
/// A missing field in the serialized form has its default, or none where that is what releases without the field did.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of a state's input or output, and of a task's result, as JSON text: 256 KiB on the service.
    pub max_payload_bytes: Option<u64>,
    /// Bytes of the value of one variable, as JSON text: 256 KiB on the service.
    pub max_variable_bytes: Option<u64>,
    /// Bytes of all values that one "Assign" gives, together: 256 KiB on the service.
    pub max_assign_bytes: Option<u64>,
    /// Bytes of all variables that an execution has at a time: 10 MiB on the service.
    pub max_variables_bytes: Option<u64>,
    /// Events of one execution's history: 25,000 on the service (Standard only).
    pub max_history_events: Option<u64>,
    /// Levels of arrays and objects in data, wherever it arises. What nests deeper than 2,000 levels cannot be read from a
    /// save or a journal.
    pub max_data_depth: usize,
    /// Steps of one evaluation of a JSONata expression, as [`asl_jsonata::Limits`] counts them, or of a JSONPath, as
    /// [`asl_path::EvaluationLimits`] does; or of all Choice Rules of a state: one for each, and one for 32 bytes of texts compared.
    pub max_expression_steps: u64,
    /// Steps of all evaluations of one state together, which may be as many as those of one expression in any case; of a Map
    /// State, those of each item are counted apart.
    pub max_state_steps: u64,
    /// Maximum nesting of one evaluation of a JSONata expression: 100 on the service.
    pub max_expression_depth: usize,
    /// Bytes of memory that one evaluation of a JSONata expression or of a JSONPath may take.
    pub max_expression_memory: usize,
    /// Items of one array that a JSONata expression makes: 873,782 on the service.
    pub max_expression_array: usize,
    /// Items of one call of `$range` in a JSONata expression: 360,145 on the service.
    pub max_expression_range: usize,
    /// Characters of one text that a JSONata expression makes: less than 2^23 on the service.
    pub max_expression_text: usize,
    /// Maximum concurrent iterations of one inline Map: 40 on the service, even if "MaxConcurrency" is larger.
    pub max_inline_iterations: Option<u64>,
    /// Maximum concurrent children of one distributed Map: 10,000 on the service, even if "MaxConcurrency" is larger. The
    /// distributed Maps of these children share the limit, so that as many run in each generation. The service has other
    /// quotas for that.
    pub max_child_executions: Option<u64>,
    /// Bytes of all data that an execution holds at a time, as they weigh in memory; with more it fails with
    /// States.Runtime. Not a limit of the service. Hosts hold an execution to it together with all its child executions, see
    /// [`ExecutionTree`](crate::ExecutionTree).
    ///
    /// The weight follows from the data alone: 80 bytes for each value, 80 more for each field of an object, and the bytes
    /// of texts and names. Data that several branches or iterations have counts for each of them.
    pub max_execution_bytes: Option<u64>,
    /// Transitions of one execution, after which it fails with States.Runtime; not a limit of the service.
    /// Hosts count those of its child executions as its own.
    pub max_transitions: Option<u64>,
    /// Cost of one call of the core before it yields to its host, unless the host sets other
    /// [`TurnLimits`](crate::TurnLimits).
    #[serde(alias = "transition_budget")]
    pub turn_cost: u32,
    /// Weight of the items of a dataset that a distributed Map holds, as they weigh in memory. A dataset that weighs more is
    /// read twice: first to check and count its items, and then part by part while children run. The next part is read once
    /// the inputs of running children weigh less. None if all items are held.
    #[serde(default)]
    pub max_held_items_bytes: Option<u64>,
}

asl_path::with_methods! {
    impl Limits {
        with_max_payload_bytes(max_payload_bytes: Option<u64>),
        with_max_variable_bytes(max_variable_bytes: Option<u64>),
        with_max_assign_bytes(max_assign_bytes: Option<u64>),
        with_max_variables_bytes(max_variables_bytes: Option<u64>),
        with_max_history_events(max_history_events: Option<u64>),
        with_max_data_depth(max_data_depth: usize),
        with_max_expression_steps(max_expression_steps: u64),
        with_max_state_steps(max_state_steps: u64),
        with_max_expression_depth(max_expression_depth: usize),
        with_max_expression_memory(max_expression_memory: usize),
        with_max_expression_array(max_expression_array: usize),
        with_max_expression_range(max_expression_range: usize),
        with_max_expression_text(max_expression_text: usize),
        with_max_inline_iterations(max_inline_iterations: Option<u64>),
        with_max_child_executions(max_child_executions: Option<u64>),
        with_max_execution_bytes(max_execution_bytes: Option<u64>),
        with_max_transitions(max_transitions: Option<u64>),
        with_turn_cost(turn_cost: u32),
        with_max_held_items_bytes(max_held_items_bytes: Option<u64>),
    }
}

impl Default for Limits {
    fn default() -> Self {
        let expressions = asl_jsonata::Limits::states_language();
        Self {
            max_payload_bytes: Some(262_144),
            max_variable_bytes: Some(262_144),
            max_assign_bytes: Some(262_144),
            max_variables_bytes: Some(10 << 20),
            max_history_events: Some(25_000),
            max_data_depth: asl_path::json::DEFAULT_MAX_DEPTH,
            max_expression_steps: expressions.max_steps,
            max_state_steps: 2 * expressions.max_steps,
            max_expression_depth: expressions.max_depth,
            max_expression_memory: expressions.max_memory,
            max_expression_array: expressions.max_array_items,
            max_expression_range: expressions.max_range_items,
            max_expression_text: expressions.max_text_characters,
            max_inline_iterations: Some(40),
            max_child_executions: Some(10_000),
            max_execution_bytes: Some(256 << 20),
            max_transitions: None,
            turn_cost: 10_000,
            max_held_items_bytes: Some(32 << 20),
        }
    }
}

impl Limits {
    /// Returns the limits of the service if the profile follows it; the specification has none.
    pub fn from_profile(profile: asl_model::Profile) -> Self {
        match profile {
            asl_model::Profile::Aws => Self::default(),
            asl_model::Profile::Spec => Self::unlimited(),
        }
    }

    /// Returns limits that bound only the depth and the weight of data, concurrent children, expressions (widely), and the
    /// turn budget.
    pub fn unlimited() -> Self {
        Self {
            max_payload_bytes: None,
            max_variable_bytes: None,
            max_assign_bytes: None,
            max_variables_bytes: None,
            max_history_events: None,
            max_inline_iterations: None,
            max_expression_depth: asl_jsonata::Limits::default().max_depth,
            max_expression_array: asl_jsonata::Limits::default().max_array_items,
            max_expression_range: asl_jsonata::Limits::default().max_range_items,
            max_expression_text: asl_jsonata::Limits::default().max_text_characters,
            ..Self::default()
        }
    }

    /// Those of one evaluation of an expression.
    pub(crate) fn expressions(&self) -> asl_jsonata::Limits {
        asl_jsonata::Limits::default()
            .with_max_steps(self.max_expression_steps)
            .with_max_depth(self.max_expression_depth)
            .with_max_data_depth(self.max_data_depth)
            .with_max_memory(self.max_expression_memory)
            .with_max_array_items(self.max_expression_array)
            .with_max_range_items(self.max_expression_range)
            .with_max_text_characters(self.max_expression_text)
    }
}
