//! Events of tasks, of whichever of the three kinds: integrations, functions and activities.
use super::EventDetails;
use crate::error_output::ErrorOutput;
use serde_json::Value;
use std::sync::Arc;

impl EventDetails {
    /// Returns true for an event that schedules a task.
    pub fn schedules_task(&self) -> bool {
        matches!(
            self,
            Self::TaskScheduled { .. }
                | Self::LambdaFunctionScheduled { .. }
                | Self::ActivityScheduled { .. }
        )
    }

    /// Returns the result or the error of an event that ends a task.
    ///
    /// ```
    /// use asl_engine::ErrorOutput;
    /// use asl_engine::history::EventDetails;
    ///
    /// let error_output = ErrorOutput::new("CardRefused", "expired");
    /// let failed = EventDetails::LambdaFunctionFailed(error_output.clone());
    /// assert_eq!(failed.task_answer(), Some(Err(error_output.clone())));
    /// assert_eq!(EventDetails::ExecutionFailed(error_output).task_answer(), None);
    /// ```
    pub fn task_answer(&self) -> Option<Result<&Arc<Value>, ErrorOutput>> {
        match self {
            Self::TaskSucceeded { output, .. }
            | Self::LambdaFunctionSucceeded { output }
            | Self::ActivitySucceeded { output } => Some(Ok(output)),
            Self::ExecutionFailed(_)
            | Self::ExecutionTimedOut(_)
            | Self::ExecutionAborted(_)
            | Self::MapRunFailed(_)
            | Self::EvaluationFailed { .. } => None,
            details => details.error_output().map(Err),
        }
    }

    /// Returns true for an event of a task that timed out.
    pub fn is_task_timeout(&self) -> bool {
        matches!(
            self,
            Self::TaskTimedOut { .. } | Self::LambdaFunctionTimedOut(_) | Self::ActivityTimedOut(_)
        )
    }
}
