//! What stands in for the children of a state that is run again.
use crate::account::{Finding, Step, Strand};
use asl_engine::{ErrorOutput, MockedChildren, MockedOutcome};
use asl_model::Timestamp;
use serde_json::Value;
use std::sync::Arc;

/// What one of the runs of a step begins with.
pub(crate) struct Attempt {
    pub(crate) retry_count: u64,
    pub(crate) began: Timestamp,
    pub(crate) children: Option<MockedChildren>,
}

impl Attempt {
    /// Of a state without children, all of whose attempts are one run.
    pub(crate) fn only(step: &Step) -> Self {
        Self {
            retry_count: 0,
            began: step.entered,
            children: None,
        }
    }

    /// With the outputs of the branches and iterations of this attempt, or what one of them failed with.
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
            children: Some(MockedChildren {
                outcome,
                failed_iterations: 0,
                reads_items: false,
            }),
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
