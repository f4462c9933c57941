//! The API's constraints on requests: what must be there, and how long, large, or which word it may be.
//!
//! They are data: the API's shapes as `asl-services` has them, and what these leave out (`exceptions`).
mod check;
mod exceptions;
mod shown_values;

use crate::protocol::{ApiError, ErrorCode};
use asl_services::{Service, Services};
use serde_json::Value;

/// The operations of the API, with what each takes.
#[derive(Debug)]
pub(crate) struct Constraints {
    service: Service,
}

impl Constraints {
    /// # Errors
    /// Returns an error if this build has no shapes of the API.
    pub(crate) fn new(services: &Services) -> Result<Self, ApiError> {
        let service = services.service("sfn").ok_or_else(|| {
            ApiError::new(
                ErrorCode::InternalServerError,
                "this build has no description of the API of Step Functions",
            )
        })?;
        Ok(Self { service })
    }

    /// Returns the API's shapes.
    pub(crate) fn service(&self) -> &Service {
        &self.service
    }

    /// Returns the name of an operation that the API has, as it is written.
    pub(crate) fn operation(&self, name: &str) -> Option<String> {
        let operation = self.service.operation(name)?;
        (operation.name() == name).then(|| name.to_owned())
    }

    /// Holds a request against what its operation takes.
    ///
    /// # Errors
    /// A SerializationException where a member is of another type, else a ValidationException with all that is wrong.
    pub(crate) fn check(&self, operation: &str, request: &Value) -> Result<(), ApiError> {
        let input = self.service.operation(operation);
        match input.and_then(|operation| operation.input()) {
            Some(shape) => check::check(operation, shape, request),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn refused(operation: &str, request: Value) -> ApiError {
        let constraints = Constraints::new(&Services::new()).unwrap();
        constraints.check(operation, &request).unwrap_err()
    }

    fn message(operation: &str, request: Value) -> String {
        let error = refused(operation, request);
        assert_eq!(error.code, ErrorCode::Validation);
        error.message
    }

    #[test]
    fn the_api_has_37_operations() {
        let constraints = Constraints::new(&Services::new()).unwrap();
        assert_eq!(constraints.service.operations().count(), 37);
        assert!(constraints.operation("TestState").is_some());
        assert_eq!(constraints.operation("testState"), None);
    }

    #[test]
    fn numbers_have_bounds() {
        assert_eq!(
            message("ListStateMachines", json!({"maxResults": 1001})),
            "1 validation error detected: Value '1001' at 'maxResults' failed to satisfy constraint: Member must have value \
             less than or equal to 1000"
        );
        assert_eq!(
            message("ListStateMachines", json!({"maxResults": -1})),
            "1 validation error detected: Value '-1' at 'maxResults' failed to satisfy constraint: Member must have value \
             greater than or equal to 0"
        );
    }

    #[test]
    fn texts_have_bounds_and_secrets_are_not_shown() {
        let token = "x".repeat(1025);
        assert_eq!(
            message("ListActivities", json!({"nextToken": token})),
            format!(
                "1 validation error detected: Value '{token}' at 'nextToken' failed to satisfy constraint: Member must have \
                 length less than or equal to 1024"
            )
        );
        assert_eq!(
            message("SendTaskHeartbeat", json!({"taskToken": ""})),
            "1 validation error detected: Value at 'taskToken' failed to satisfy constraint: Member must have length greater \
             than or equal to 1"
        );
    }

    #[test]
    fn what_is_missing_is_told_of_all_at_once() {
        assert_eq!(
            message("CreateActivity", json!({})),
            "1 validation error detected: Value null at 'name' failed to satisfy constraint: Member must not be null"
        );
        let two = message("CreateStateMachineAlias", json!({"name": null}));
        assert!(two.starts_with("2 validation errors detected: Value null at 'name' failed"));
        assert!(two.contains("; Value null at 'routingConfiguration' failed to satisfy constraint: Member must not be null"));
    }

    #[test]
    fn words_are_of_a_set() {
        let machine = "arn:aws:states:us-east-1:000000000000:stateMachine:m";
        assert_eq!(
            message(
                "ListExecutions",
                json!({"stateMachineArn": machine, "statusFilter": "succeeded"})
            ),
            "1 validation error detected: Value 'succeeded' at 'statusFilter' failed to satisfy constraint: Member must \
             satisfy enum value set: [SUCCEEDED, TIMED_OUT, PENDING_REDRIVE, ABORTED, FAILED, RUNNING]"
        );
    }

    #[test]
    fn names_of_aliases_have_a_pattern() {
        let route = json!([{"stateMachineVersionArn": "arn:v", "weight": 100}]);
        assert_eq!(
            message(
                "CreateStateMachineAlias",
                json!({"name": "123", "routingConfiguration": route})
            ),
            "1 validation error detected: Value '123' at 'name' failed to satisfy constraint: Member must satisfy regular \
             expression pattern: ^(?=.*[a-zA-Z_\\-\\.])[a-zA-Z0-9_\\-\\.]+$"
        );
    }

    #[test]
    fn members_of_lists_are_named_and_lists_are_shown_as_java_does() {
        let routes = |weights: &[i64]| {
            let routes = weights.iter().enumerate();
            let routes = routes.map(|(n, weight)| json!({"stateMachineVersionArn": format!("arn:{n}"), "weight": weight}));
            json!({"name": "a", "routingConfiguration": routes.collect::<Vec<_>>()})
        };
        assert_eq!(
            message("CreateStateMachineAlias", routes(&[50, 101])),
            "1 validation error detected: Value '101' at 'routingConfiguration.2.member.weight' failed to satisfy constraint: \
             Member must have value less than or equal to 100"
        );
        assert_eq!(
            message("CreateStateMachineAlias", routes(&[50, 30, 20])),
            "1 validation error detected: Value '[RoutingConfigurationListItem(stateMachineVersionArn=arn:0, weight=50), \
             RoutingConfigurationListItem(stateMachineVersionArn=arn:1, weight=30), \
             RoutingConfigurationListItem(stateMachineVersionArn=arn:2, weight=20)]' at 'routingConfiguration' failed to \
             satisfy constraint: Member must have length less than or equal to 2"
        );
    }

    #[test]
    fn a_member_of_another_type_is_no_request() {
        for (request, expected) in [
            (
                json!({"name": 1}),
                "NUMBER_VALUE can not be converted to a String",
            ),
            (
                json!({"name": {}}),
                "START_OBJECT can not be converted to a String",
            ),
            (
                json!({"name": "a", "tags": {}}),
                "START_OBJECT can not be converted to a List",
            ),
            (json!([]), "START_ARRAY can not be converted to a Structure"),
        ] {
            let error = refused("CreateActivity", request);
            assert_eq!(
                (error.code, &*error.message),
                (ErrorCode::Serialization, expected)
            );
        }
        let error = refused("ListActivities", json!({"maxResults": 1.5}));
        assert_eq!(error.code, ErrorCode::Serialization);
    }
}
