//! How an execution began, as engines keep it.
use asl_engine::{ChildExecution, Execution, Program, Start, TaskTokens};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// How an execution began.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum CoreStart {
    /// Somebody started it.
    Root(Box<Start>),
    /// A distributed Map did.
    Child(Box<ChildExecution>),
}

impl CoreStart {
    /// How it begins in the core.
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

    /// The input, as it was sent or as it is printed.
    pub fn input_text(&self) -> Arc<str> {
        input_text(self.start())
    }

    /// The execution, not yet run.
    pub fn begin(self, program: impl Into<Program>, tokens: Arc<dyn TaskTokens>) -> Execution {
        match self {
            Self::Root(start) => Execution::start_with_tokens(program, *start, tokens),
            Self::Child(child) => Execution::start_child(program, *child, Some(tokens)),
        }
    }
}

/// The input of a start, as it was sent or as it is printed.
pub fn input_text(start: &Start) -> Arc<str> {
    match &start.input_text {
        Some(text) => Arc::clone(text),
        None => asl_path::json::printed(&start.input).into(),
    }
}
