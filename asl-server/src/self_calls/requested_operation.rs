//! The API operation that a resource requests, and the form of its response.
use asl_backend::NestedForm;
use asl_engine::{IntegrationPattern, Resource};

/// An operation that a task requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RequestedOperation {
    pub(super) integration: Integration,
    /// As the resource names it: `startExecution`.
    pub(super) operation: String,
    pub(super) form: Form,
}

/// Integrations, which determine names and texts of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Integration {
    /// `states:`
    Optimized,
    /// `aws-sdk:sfn:`
    Sdk,
}

/// The time at which the task completes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// By the operation's answer.
    RequestResponse,
    /// The response follows the end of the started execution.
    Nested(NestedForm),
    /// The response follows the return of the task token.
    Callback,
}

impl RequestedOperation {
    /// None if the resource is another's.
    pub(super) fn from_resource(resource: &Resource) -> Option<Self> {
        let named = resource.integration()?;
        let (operation, suffix) = match named.action.split_once('.') {
            Some((operation, suffix)) => (operation, Some(suffix)),
            None => (named.action.as_str(), None),
        };
        let integration = match named.service.as_str() {
            "states" if operation == "startExecution" => Integration::Optimized,
            "aws-sdk:sfn" => Integration::Sdk,
            _ => return None,
        };
        let form = match (named.pattern, integration) {
            (IntegrationPattern::RequestResponse, _) => Form::RequestResponse,
            (IntegrationPattern::WaitForTaskToken, _) => Form::Callback,
            (IntegrationPattern::Sync, Integration::Optimized) => match suffix {
                Some("sync:2") => Form::Nested(NestedForm::Json),
                _ => Form::Nested(NestedForm::Text),
            },
            (IntegrationPattern::Sync, Integration::Sdk) => return None,
        };
        Some(Self {
            integration,
            operation: operation.to_owned(),
            form,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_action(action: &str) -> Option<(Integration, String, Form)> {
        let resource = Resource::parse(&format!("arn:aws:states:::{action}"));
        let asked = RequestedOperation::from_resource(&resource)?;
        Some((asked.integration, asked.operation, asked.form))
    }

    #[test]
    fn executions_start_in_four_forms() {
        for (suffix, form) in [
            ("", Form::RequestResponse),
            (".sync", Form::Nested(NestedForm::Text)),
            (".sync:2", Form::Nested(NestedForm::Json)),
            (".waitForTaskToken", Form::Callback),
        ] {
            let expected = (Integration::Optimized, "startExecution".to_owned(), form);
            assert_eq!(
                parse_action(&format!("states:startExecution{suffix}")),
                Some(expected)
            );
        }
    }

    #[test]
    fn actions_of_the_sdk_are_asked_for_at_once_or_with_a_token() {
        let sdk = |operation: &str, form| Some((Integration::Sdk, operation.to_owned(), form));
        assert_eq!(
            parse_action("aws-sdk:sfn:sendTaskSuccess"),
            sdk("sendTaskSuccess", Form::RequestResponse)
        );
        assert_eq!(
            parse_action("aws-sdk:sfn:startExecution.waitForTaskToken"),
            sdk("startExecution", Form::Callback)
        );
        assert_eq!(parse_action("aws-sdk:sfn:startExecution.sync"), None);
    }

    #[test]
    fn other_resources_are_anothers() {
        assert_eq!(parse_action("lambda:invoke"), None);
        assert_eq!(parse_action("aws-sdk:sqs:sendMessage"), None);
        let activity = "arn:aws:states:us-east-1:000000000000:activity:a";
        assert_eq!(
            RequestedOperation::from_resource(&Resource::parse(activity)),
            None
        );
    }
}
