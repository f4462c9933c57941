//! Test cases of mock files, as executions know them.
use super::PerformRequest;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The test case that an execution was started with, for it and its children.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct MockedTestCase {
    /// The root execution: attempts are counted for it and its children together.
    pub(crate) root: Arc<str>,
    pub(crate) state_machine: Arc<str>,
    pub(crate) test_case: Arc<str>,
    /// The states whose tasks it answers, as they were at the start: no file that changes leads a replay another way.
    pub(crate) states: BTreeSet<Arc<str>>,
}

impl MockedTestCase {
    /// Returns true if it answers the tasks of a state.
    pub(crate) fn answers(&self, state_name: &str) -> bool {
        self.states.contains(state_name)
    }

    /// Returns the request for such a task.
    pub(crate) fn request(&self, request: PerformRequest) -> MockedRequest {
        MockedRequest {
            state_machine: Arc::clone(&self.state_machine),
            test_case: Arc::clone(&self.test_case),
            request,
        }
    }
}

/// A task that a test case answers.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct MockedRequest {
    pub(crate) state_machine: Arc<str>,
    pub(crate) test_case: Arc<str>,
    pub(crate) request: PerformRequest,
}
