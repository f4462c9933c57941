//! Spans and events of executions and tasks for the crate tracing (feature `tracing`).
//!
//! The target of all is `asl_engine`. The span `execution` has the caller's span as its parent, or that of the parent execution;
//! the span `task` is within it, and a handler runs in it. Events are the start and the end of both. Without the feature,
//! the functions here are empty.
use super::RunningExecution;
use super::performer::PerformResult;
use crate::{Effect, Outcome};
use futures::future::BoxFuture;

#[cfg(feature = "tracing")]
mod recorded {
    use super::*;
    use crate::{Answer, TaskAnswer, TaskError};
    use futures::FutureExt;
    use tracing::field::Empty;
    use tracing::{Instrument, Span, debug, info, info_span, warn};

    const TARGET: &str = "asl_engine";

    /// The span of an execution.
    #[derive(Debug)]
    pub(in crate::runtime) struct ExecutionSpan(Span);

    impl ExecutionSpan {
        /// Creates a span within the current one, which is that of the caller.
        pub(in crate::runtime) fn of_caller(execution: &RunningExecution) -> Self {
            Self::within(&Span::current(), execution)
        }

        /// Creates the span of a child execution.
        pub(in crate::runtime) fn child(&self, execution: &RunningExecution) -> Self {
            Self::within(&self.0, execution)
        }

        fn within(parent: &Span, execution: &RunningExecution) -> Self {
            let identity = &execution.identity;
            Self(info_span!(
                target: TARGET,
                parent: parent,
                "execution",
                name = identity.execution_name(),
                state_machine = identity.state_machine_name(),
                status = Empty,
            ))
        }

        pub(in crate::runtime) fn started(&self) {
            debug!(target: TARGET, parent: &self.0, "the execution started");
        }

        pub(in crate::runtime) fn ended(&self, outcome: &Outcome) {
            let status = outcome.status();
            self.0.record("status", status);
            match outcome.failure() {
                None => info!(target: TARGET, parent: &self.0, status, "the execution ended"),
                Some(failed) => warn!(
                    target: TARGET,
                    parent: &self.0,
                    status,
                    error = failed.error,
                    cause = failed.cause,
                    "the execution ended"
                ),
            }
        }

        /// Creates the span of a task, or of a request to an object store.
        pub(in crate::runtime) fn effect(&self, effect: &Effect) -> EffectSpan {
            EffectSpan(match effect {
                Effect::Task(task) => info_span!(
                    target: TARGET,
                    parent: &self.0,
                    "task",
                    state = &*task.state_name,
                    resource = &*task.resource.uri,
                    retry_count = task.retry_count,
                ),
                Effect::Storage(request) => {
                    info_span!(target: TARGET, parent: &self.0, "storage", bucket = request.bucket)
                }
                Effect::Child(_) => Span::none(),
            })
        }
    }

    /// The span of a task.
    #[derive(Debug, Clone)]
    pub(in crate::runtime) struct EffectSpan(Span);

    impl EffectSpan {
        /// Lets a performer begin and work in the span.
        pub(in crate::runtime) fn perform(
            self,
            begin: impl FnOnce() -> BoxFuture<'static, PerformResult>,
        ) -> BoxFuture<'static, PerformResult> {
            let work = self.0.in_scope(|| {
                debug!(target: TARGET, "the task was given to its handler");
                begin()
            });
            let answered = async {
                let answer = work.await;
                report(&answer);
                answer
            };
            answered.instrument(self.0).boxed()
        }
    }

    fn report(answer: &PerformResult) {
        match answer {
            Ok(Answer::Task(TaskAnswer::Submitted(_))) => {
                debug!(target: TARGET, "the task was submitted")
            }
            Ok(_) => debug!(target: TARGET, "the task succeeded"),
            Err(TaskError { error_output, .. }) => info!(
                target: TARGET,
                error = error_output.error,
                cause = error_output.cause,
                "the task failed"
            ),
        }
    }
}

#[cfg(not(feature = "tracing"))]
mod absent {
    use super::*;

    /// No span.
    #[derive(Debug)]
    pub(in crate::runtime) struct ExecutionSpan;

    impl ExecutionSpan {
        pub(in crate::runtime) fn of_caller(_: &RunningExecution) -> Self {
            Self
        }

        pub(in crate::runtime) fn child(&self, _: &RunningExecution) -> Self {
            Self
        }

        pub(in crate::runtime) fn started(&self) {}

        pub(in crate::runtime) fn ended(&self, _: &Outcome) {}

        pub(in crate::runtime) fn effect(&self, _: &Effect) -> EffectSpan {
            EffectSpan
        }
    }

    /// No span.
    #[derive(Debug, Clone)]
    pub(in crate::runtime) struct EffectSpan;

    impl EffectSpan {
        pub(in crate::runtime) fn perform(
            self,
            begin: impl FnOnce() -> BoxFuture<'static, PerformResult>,
        ) -> BoxFuture<'static, PerformResult> {
            begin()
        }
    }
}

#[cfg(not(feature = "tracing"))]
pub(super) use absent::{EffectSpan, ExecutionSpan};
#[cfg(feature = "tracing")]
pub(super) use recorded::{EffectSpan, ExecutionSpan};
