//! States that TestState read lately: tests of one state with different inputs read its definition once.
use crate::definition::check_json;
use crate::protocol::ApiError;
use asl_backend::RecentCache;
use asl_test_state::{TestStateRequest, TestedState};
use std::sync::Arc;

/// Number of cached states.
const MOST_STATES: usize = 64;
/// Total bytes of their definitions. A state takes some times the bytes of its definition.
const MOST_BYTES: usize = 256 << 10;

/// The states by definition and name.
pub(crate) struct TestedStates(RecentCache<StateKey, CachedState>);

struct StateKey {
    definition: String,
    name: Option<String>,
}

#[derive(Clone)]
struct CachedState {
    state: Arc<TestedState>,
    /// Bytes of the definition.
    bytes: usize,
}

impl Default for TestedStates {
    fn default() -> Self {
        let size = |cached: &CachedState| cached.bytes;
        Self(RecentCache::new(MOST_STATES, MOST_BYTES, size))
    }
}

impl TestedStates {
    /// Returns the state of a request, read if it is not cached.
    ///
    /// # Errors
    /// As [`TestedState::from_request`]; a definition that is not JSON is refused first.
    pub(crate) fn of(&self, request: &TestStateRequest) -> Result<Arc<TestedState>, ApiError> {
        let is_same =
            |key: &StateKey| key.definition == request.definition && key.name == request.state_name;
        if let Some(cached) = self.0.get(is_same) {
            return Ok(cached.state);
        }
        check_json(&request.definition)?;
        let state = Arc::new(TestedState::from_request(request)?);
        let key = StateKey {
            definition: request.definition.clone(),
            name: request.state_name.clone(),
        };
        let cached = CachedState {
            state: Arc::clone(&state),
            bytes: request.definition.len(),
        };
        self.0.put(key, cached, is_same);
        Ok(state)
    }
}

#[cfg(test)]
mod tests {
    use super::TestedStates;
    use asl_test_state::TestStateRequest;
    use serde_json::json;
    use std::sync::Arc;

    #[test]
    fn a_state_is_read_once_for_each_definition_and_name() {
        let machine = json!({"StartAt": "A", "States": {"A": {"Type": "Pass", "Next": "B"}, "B": {"Type": "Succeed"}}});
        let request = |name: &str, input: u64| {
            TestStateRequest::from_value(
                &json!({"definition": machine, "stateName": name, "input": input}),
            )
            .unwrap()
        };
        let states = TestedStates::default();
        let first = states.of(&request("A", 1)).unwrap();
        assert!(Arc::ptr_eq(&first, &states.of(&request("A", 2)).unwrap()));
        assert!(!Arc::ptr_eq(&first, &states.of(&request("B", 1)).unwrap()));
        assert!(states.of(&request("C", 1)).is_err());
    }
}
