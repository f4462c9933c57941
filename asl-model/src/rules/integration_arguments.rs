//! "Parameters" or "Arguments" of a service integration: they are there, and hold what the request needs. The service refuses
//! both at creation (measured; no document says so).
use crate::read::{Object, Read, Reader};
use crate::rules::placeholders::is_placeholder;
use crate::{DiagnosticRule, Resource, ResourceNames};
use serde_json::{Map, Value};

/// The fields of requests that the service was measured to require at creation. Of other requests nothing is known.
const REQUIRED: &[(&str, &str, &[&str])] = &[
    ("dynamodb", "getItem", &["TableName", "Key"]),
    ("dynamodb", "putItem", &["TableName", "Item"]),
    ("ecs", "runTask", &["TaskDefinition"]),
    ("events", "putEvents", &["Entries"]),
    ("glue", "startJobRun", &["JobName"]),
    ("lambda", "invoke", &["FunctionName"]),
    ("sns", "publish", &["Message"]),
    ("sqs", "sendMessage", &["QueueUrl", "MessageBody"]),
    ("states", "startExecution", &["StateMachineArn"]),
];

impl<'v> Reader<'v> {
    /// Reports a service integration without arguments, and each measured field that its request lacks.
    pub(crate) fn check_integration_arguments(
        &mut self,
        state: Object<'v, '_>,
        resource: &Resource,
    ) -> Read<()> {
        let is_checked = self.options.profile.requires_integration_arguments()
            && self.options.resources == ResourceNames::Known;
        // `states:::task:NAME` is what the specification's examples call; of its requests nothing is known.
        let integration = resource.integration();
        let Some(integration) = integration.filter(|it| is_checked && it.service != "task") else {
            return Ok(());
        };
        let (name, other) = match self.is_jsonata() {
            true => ("Arguments", "Parameters"),
            false => ("Parameters", "Arguments"),
        };
        match state.get(name) {
            // The field of the other query language is reported already.
            None if state.has(other) => Ok(()),
            None => {
                let message = format!(
                    "{name} field is required for resource ARN: {}",
                    resource.uri
                );
                let rule = DiagnosticRule::MISSING_ARGUMENTS;
                let hint = format!("add {name} with the fields of the request");
                let place = state.at("Resource");
                Err(self.fault_with_hint(&place, rule, message, hint))
            }
            Some(Value::Object(fields)) => {
                let action = integration.action.split('.').next().unwrap_or_default();
                let required = required_fields(&integration.service, action);
                self.check_required_fields(state, name, fields, required)
            }
            Some(_) => Ok(()),
        }
    }

    fn check_required_fields(
        &mut self,
        state: Object<'v, '_>,
        name: &str,
        fields: &Map<String, Value>,
        required: &[&str],
    ) -> Read<()> {
        if fields.keys().any(|field| is_placeholder(field)) {
            return Ok(());
        }
        let mut complete = Ok(());
        for field in required {
            if has_field(fields, field, !self.is_jsonata()) {
                continue;
            }
            let message = format!("The field '{field}' is required but was missing");
            let hint = match self.is_jsonata() {
                true => format!("add {field}"),
                false => format!("add {field}, or {field}.$ with a path"),
            };
            let rule = DiagnosticRule::MISSING_ARGUMENTS;
            complete = Err(self.fault_with_hint(&state.place.field(name), rule, message, hint));
        }
        complete
    }
}

fn required_fields(service: &str, action: &str) -> &'static [&'static str] {
    let mut known = REQUIRED.iter();
    known
        .find(|(of_service, of_action, _)| *of_service == service && *of_action == action)
        .map_or(&[], |(_, _, fields)| fields)
}

/// Returns true if a request has a field, in any case. The lints of arguments report the wrong case. A JSONPath state may
/// give it by a path.
fn has_field(fields: &Map<String, Value>, name: &str, takes_paths: bool) -> bool {
    fields.keys().any(|field| {
        let by_path = field.strip_suffix(".$").filter(|_| takes_paths);
        by_path.unwrap_or(field).eq_ignore_ascii_case(name)
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::{accepted, errors, jsonata, machine, refused, spec_errors};
    use serde_json::{Value, json};

    fn call(action: &str, parameters: Option<Value>) -> Value {
        let resource = format!("arn:aws:states:::{action}");
        let mut state = json!({"Type": "Task", "Resource": resource, "End": true});
        if let Some(parameters) = parameters {
            state["Parameters"] = parameters;
        }
        machine(state)
    }

    #[test]
    fn an_integration_needs_arguments() {
        for action in [
            "lambda:invoke",
            "aws-sdk:neptune:describeDBClusters",
            "ecs:runTask.sync",
        ] {
            let definition = call(action, None);
            refused(
                &definition,
                &format!(
                    "Parameters field is required for resource ARN: arn:aws:states:::{action} at /States/A/Resource"
                ),
            );
            assert_eq!(spec_errors(&definition), [""; 0]);
        }
        let state =
            json!({"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke", "End": true});
        refused(
            &jsonata(state),
            "Arguments field is required for resource ARN: arn:aws:states:::lambda:invoke at /States/A/Resource",
        );
        accepted(&call("aws-sdk:s3:listBuckets", Some(json!({}))));
        accepted(&machine(
            json!({"Type": "Task", "Resource": "arn:aws:lambda:us-east-1:123456789012:function:f", "End": true}),
        ));
    }

    #[test]
    fn a_request_has_its_required_fields() {
        let place = "is required but was missing at /States/A/Parameters";
        assert_eq!(
            errors(&call("sqs:sendMessage.waitForTaskToken", Some(json!({})))),
            [
                format!("SCHEMA_VALIDATION_FAILED: The field 'QueueUrl' {place}"),
                format!("SCHEMA_VALIDATION_FAILED: The field 'MessageBody' {place}"),
            ]
        );
        refused(
            &call("dynamodb:getItem", Some(json!({"TableName.$": "$.t"}))),
            &format!("The field 'Key' {place}"),
        );
        let state = json!({"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke",
            "Arguments": {"FunctionName.$": "$.f"}, "End": true});
        refused(
            &jsonata(state),
            "The field 'FunctionName' is required but was missing at /States/A/Arguments",
        );
    }

    #[test]
    fn paths_placeholders_and_whole_values_may_give_a_field() {
        for parameters in [
            json!({"FunctionName.$": "$.f"}),
            json!({"FunctionName": "${Function}"}),
            json!({"${Name}": "f"}),
            json!("${Parameters}"),
            json!("$.request"),
        ] {
            accepted(&call("lambda:invoke", Some(parameters)));
        }
    }

    #[test]
    fn tasks_of_the_specification_need_no_arguments() {
        accepted(&call("task:Add", None));
    }

    #[test]
    fn handlers_of_a_program_need_no_arguments() {
        let options = crate::Options::default().with_resources(crate::ResourceNames::Any);
        let definition = call("lambda:invoke", None);
        assert!(crate::parse_value(&definition, options).is_ok());
    }
}
