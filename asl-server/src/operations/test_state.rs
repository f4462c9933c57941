//! TestState.
use super::computed;
use crate::api::{Api, Call};
use crate::protocol::ApiError;
use asl_test_state::{TestStateRequest, Tester};
use serde_json::Value;
use std::sync::Arc;

pub(super) async fn test(api: &Arc<Api>, call: Call) -> Result<Value, ApiError> {
    let services = Arc::clone(&api.services);
    let now = api.engine.now();
    let tested = computed(move || {
        let request = TestStateRequest::from_value(&call.request)?;
        let scope = &call.scope;
        let tester = Tester::new(now).with_caller(&scope.partition, &scope.region, &scope.account);
        tester.with_services(&services).test(&request)
    });
    Ok(tested.await??.to_value())
}
