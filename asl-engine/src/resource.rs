//! What a Task State's "Resource" names.

/// A parsed "Resource".
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Resource {
    /// As written.
    pub uri: String,
    /// What it names.
    pub kind: ResourceKind,
}

/// What a resource is.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum ResourceKind {
    /// A Lambda function's ARN: invoked with the effective input as payload.
    LambdaFunction,
    /// An activity's ARN: workers poll for it.
    Activity,
    /// A service integration, `arn:aws:states:::service:action`.
    Integration(Integration),
    /// Any other URI.
    Other,
}

/// A service integration.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Integration {
    /// `resourceType` of events: `lambda`, `sqs`, `aws-sdk:s3` …
    pub service: String,
    /// `resource` of events, with the pattern's suffix: `invoke`, `sendMessage.waitForTaskToken` …
    pub action: String,
    /// How the service answers.
    pub pattern: IntegrationPattern,
}

/// How an integration answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum IntegrationPattern {
    /// At once.
    RequestResponse,
    /// `.sync` and `.sync:2`: when the job is done.
    Sync,
    /// `.waitForTaskToken`: when someone returns the token.
    WaitForTaskToken,
}

impl Resource {
    /// Reads an ARN or other URI.
    pub fn parse(uri: &str) -> Self {
        Self {
            uri: uri.to_owned(),
            kind: ResourceKind::of(uri),
        }
    }

    /// Whether the task's token is part of the protocol.
    pub fn waits_for_task_token(&self) -> bool {
        matches!(&self.kind, ResourceKind::Integration(i) if i.pattern == IntegrationPattern::WaitForTaskToken)
    }
}

impl ResourceKind {
    fn of(uri: &str) -> Self {
        let mut parts = uri.splitn(6, ':');
        let (arn, _partition, service) = (parts.next(), parts.next(), parts.next());
        let (region, account, rest) = (parts.next(), parts.next(), parts.next());
        let (Some("arn"), Some(service), Some(region), Some(account), Some(rest)) =
            (arn, service, region, account, rest)
        else {
            return Self::Other;
        };
        match service {
            "lambda" if rest.starts_with("function:") => Self::LambdaFunction,
            "states" if rest.starts_with("activity:") => Self::Activity,
            "states" if region.is_empty() && account.is_empty() => Self::integration(rest),
            _ => Self::Other,
        }
    }

    /// `service:action`, where `aws-sdk:service:action` is of the AWS SDK.
    fn integration(rest: &str) -> Self {
        let split = match rest.strip_prefix("aws-sdk:") {
            Some(sdk) => sdk.find(':').map(|at| at + "aws-sdk:".len()),
            None => rest.find(':'),
        };
        let Some(at) = split else { return Self::Other };
        let (service, action) = (&rest[..at], &rest[at + 1..]);
        let pattern = if action.ends_with(".waitForTaskToken") {
            IntegrationPattern::WaitForTaskToken
        } else if action.ends_with(".sync") || action.ends_with(".sync:2") {
            IntegrationPattern::Sync
        } else {
            IntegrationPattern::RequestResponse
        };
        Self::Integration(Integration {
            service: service.to_owned(),
            action: action.to_owned(),
            pattern,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn integration(uri: &str) -> Integration {
        match Resource::parse(uri).kind {
            ResourceKind::Integration(integration) => integration,
            other => panic!("{uri} is {other:?}"),
        }
    }

    #[test]
    fn integrations_are_split_into_service_and_action() {
        let sqs = integration("arn:aws:states:::sqs:sendMessage.waitForTaskToken");
        assert_eq!(
            (sqs.service.as_str(), sqs.action.as_str()),
            ("sqs", "sendMessage.waitForTaskToken")
        );
        assert_eq!(sqs.pattern, IntegrationPattern::WaitForTaskToken);
        let sdk = integration("arn:aws:states:::aws-sdk:s3:getObject");
        assert_eq!(
            (sdk.service.as_str(), sdk.action.as_str()),
            ("aws-sdk:s3", "getObject")
        );
        assert_eq!(
            integration("arn:aws:states:::states:startExecution.sync:2").pattern,
            IntegrationPattern::Sync
        );
    }

    #[test]
    fn functions_activities_and_others_are_told_apart() {
        let kind = |uri| Resource::parse(uri).kind;
        assert_eq!(
            kind("arn:aws:lambda:us-east-1:123456789012:function:f:$LATEST"),
            ResourceKind::LambdaFunction
        );
        assert_eq!(
            kind("arn:aws:states:us-east-1:123456789012:activity:a"),
            ResourceKind::Activity
        );
        assert_eq!(kind("https://example.org/x"), ResourceKind::Other);
        assert_eq!(
            kind("arn:aws:states:us-east-1:123456789012:task:X"),
            ResourceKind::Other
        );
    }
}
