//! Outputs of children, for running a state again.
use crate::account::{Finding, Step, Strand};
use asl_engine::{ErrorOutput, MockedChildren, MockedOutcome};
use asl_model::Timestamp;
use serde_json::Value;
use std::sync::Arc;

/// Data for one run of a step.
pub(crate) struct Attempt {
    pub(crate) retry_count: u64,
    pub(crate) began: Timestamp,
    pub(crate) children: Option<MockedChildren>,
}

impl Attempt {
    /// Creates the data for a state without children, whose attempts are all one run.
    pub(crate) fn only(step: &Step) -> Self {
        Self {
            retry_count: 0,
            began: step.entered,
            children: None,
        }
    }

    /// Creates the data with the outputs of the branches and iterations of this attempt, or with the error of one of them.
    pub(crate) fn with_children(step: &Step, retry_count: u64, began: Timestamp) -> Self {
        let strands = || {
            let strands = step.strands.iter();
            strands.filter(|strand| strand.retry_count == retry_count)
        };
        let outputs: Option<Vec<Value>> = strands().map(output).collect();
        let outcome = match outputs {
            Some(outputs) => MockedOutcome::Succeeded(Arc::new(Value::Array(outputs))),
            None => MockedOutcome::Failed(strands().find_map(failure).unwrap_or_default()),
        };
        Self {
            retry_count,
            began,
            children: Some(MockedChildren::new(outcome)),
        }
    }
}

fn output(strand: &Strand) -> Option<Value> {
    strand.steps.last()?.output.as_deref().cloned()
}

fn failure(strand: &Strand) -> Option<ErrorOutput> {
    match strand.steps.last()?.failure()? {
        Finding::Error { error, cause, .. } => Some(ErrorOutput {
            error: error.clone(),
            cause: cause.clone(),
        }),
        _ => None,
    }
}
