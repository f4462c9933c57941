//! Starts of executions in the form that backends store.
use asl_engine::{ChildExecution, Execution, Program, Start, TaskTokens};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The start of an execution.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[expect(clippy::exhaustive_enums, reason = "hosts handle each")]
pub enum CoreStart {
    /// A start by a client.
    Root(Box<Start>),
    /// A start by a distributed Map.
    Child(Box<ChildExecution>),
}

impl CoreStart {
    /// Returns the start for the core.
    pub fn start(&self) -> &Start {
        match self {
            Self::Root(start) => start,
            Self::Child(child) => &child.start,
        }
    }

    /// Has the history put out from the first event on.
    pub fn record_history(&mut self) {
        match self {
            Self::Root(start) => start.record_history = true,
            Self::Child(child) => child.start.record_history = true,
        }
    }

    /// Returns the text of the input, as sent or as printed.
    pub fn input_text(&self) -> Arc<str> {
        input_text(self.start())
    }

    /// Creates the execution, which has not run yet.
    pub fn begin(self, program: impl Into<Program>, tokens: Arc<dyn TaskTokens>) -> Execution {
        match self {
            Self::Root(start) => Execution::start_with_tokens(program, *start, tokens),
            Self::Child(child) => Execution::start_child(program, *child, Some(tokens)),
        }
    }
}

/// Returns the text of the input of a start, as sent or as printed.
pub fn input_text(start: &Start) -> Arc<str> {
    match &start.input_text {
        Some(text) => Arc::clone(text),
        None => asl_path::json::printed(&start.input).into(),
    }
}
