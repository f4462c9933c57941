//! Values of "Resource". Only this module parses Amazon Resource Names.

/// A parsed "Resource".
///
/// ```
/// use asl_model::{IntegrationPattern, Resource, ResourceKind};
/// let resource = Resource::parse("arn:aws:states:::sqs:sendMessage.waitForTaskToken");
/// let integration = resource.integration().unwrap();
/// assert_eq!((integration.service.as_str(), integration.pattern), ("sqs", IntegrationPattern::WaitForTaskToken));
/// assert_eq!(Resource::parse("charge-card").kind, ResourceKind::Other);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub struct Resource {
    /// The resource, as written.
    pub uri: String,
    /// The kind of the resource.
    pub kind: ResourceKind,
}

/// Writes the resource as it was written in the definition.
impl std::fmt::Display for Resource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.uri)
    }
}

/// Kinds of resources.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum ResourceKind {
    /// A Lambda function's ARN: invoked with the effective input as payload.
    LambdaFunction,
    /// An activity's ARN: workers poll for it.
    Activity,
    /// A service integration, `arn:aws:states:::service:action`.
    Integration(Integration),
    /// Any other URI, or a plain name.
    Other,
}

/// A service integration.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub struct Integration {
    /// `resourceType` of events: `lambda`, `sqs`, `aws-sdk:s3` …
    pub service: String,
    /// `resource` of events, with the pattern's suffix: `invoke`, `sendMessage.waitForTaskToken` …
    pub action: String,
    /// The integration pattern.
    pub pattern: IntegrationPattern,
}

/// Integration patterns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum IntegrationPattern {
    /// Request and response: the task ends with the response.
    RequestResponse,
    /// `.sync` and `.sync:2`: when the job is done.
    Sync,
    /// `.waitForTaskToken`: when someone returns the token.
    WaitForTaskToken,
}

impl Resource {
    /// Reads an ARN, another URI or a name.
    pub fn parse(uri: &str) -> Self {
        Self {
            uri: uri.to_owned(),
            kind: ResourceKind::from_uri(uri),
        }
    }

    /// Returns the integration that it names.
    pub fn integration(&self) -> Option<&Integration> {
        match &self.kind {
            ResourceKind::Integration(integration) => Some(integration),
            ResourceKind::LambdaFunction | ResourceKind::Activity | ResourceKind::Other => None,
        }
    }

    /// Returns true if the task's token is part of the protocol.
    pub fn waits_for_task_token(&self) -> bool {
        self.integration()
            .is_some_and(|it| it.pattern == IntegrationPattern::WaitForTaskToken)
    }

    /// Returns true if the Context Object of the tasks has a token. The service refuses one to TestState "when state is not
    /// a Task state with a '.sync' or '.waitForTaskToken' service integration pattern", and functions have none (recorded
    /// from the service). A task of an unknown resource may be completed by token.
    ///
    /// ```
    /// use asl_model::Resource;
    /// assert!(Resource::parse("arn:aws:states:::ecs:runTask.sync").has_task_token());
    /// assert!(!Resource::parse("arn:aws:states:::ecs:runTask").has_task_token());
    /// ```
    pub fn has_task_token(&self) -> bool {
        match &self.kind {
            ResourceKind::LambdaFunction | ResourceKind::Activity => false,
            ResourceKind::Integration(integration) => {
                integration.pattern != IntegrationPattern::RequestResponse
            }
            ResourceKind::Other => true,
        }
    }

    /// Returns the name of the Lambda function in the resource.
    pub fn function_name(&self) -> Option<&str> {
        match self.kind {
            ResourceKind::LambdaFunction => function_name(&self.uri),
            _ => None,
        }
    }

    /// Returns the part after the last colon or slash, as a short name; a placeholder stays whole.
    ///
    /// ```
    /// use asl_model::Resource;
    /// let activity = Resource::parse("arn:aws:states:us-east-1:123456789012:activity:approve");
    /// assert_eq!(activity.last_part(), "approve");
    /// ```
    pub fn last_part(&self) -> &str {
        match self.uri.starts_with("${") {
            true => &self.uri,
            false => self.uri.rsplit([':', '/']).next().unwrap_or(&self.uri),
        }
    }
}

impl ResourceKind {
    fn from_uri(uri: &str) -> Self {
        let Some(arn) = Arn::parse(uri) else {
            return Self::Other;
        };
        match arn.service {
            "lambda" if arn.resource.starts_with("function:") => Self::LambdaFunction,
            "states" if arn.is_activity() => Self::Activity,
            "states" if arn.is_integration() => {
                Integration::parse(arn.resource).map_or(Self::Other, Self::Integration)
            }
            _ => Self::Other,
        }
    }
}

impl Integration {
    /// `service:action`, where `aws-sdk:service:action` is of the AWS SDK.
    fn parse(text: &str) -> Option<Self> {
        const SDK: &str = "aws-sdk:";
        let at = match text.strip_prefix(SDK) {
            Some(action) => action.find(':')? + SDK.len(),
            None => text.find(':')?,
        };
        let (service, action) = (&text[..at], &text[at + 1..]);
        Some(Self {
            service: service.to_owned(),
            action: action.to_owned(),
            pattern: IntegrationPattern::from_action(action),
        })
    }

    /// Returns true if it is `lambda:invoke`, which names a function in "FunctionName".
    pub fn invokes_function(&self) -> bool {
        let suffix = self.action.strip_prefix("invoke");
        self.service == "lambda"
            && suffix.is_some_and(|suffix| suffix.is_empty() || suffix.starts_with('.'))
    }
}

impl IntegrationPattern {
    /// By the suffix of an action.
    fn from_action(action: &str) -> Self {
        if action.ends_with(".waitForTaskToken") {
            Self::WaitForTaskToken
        } else if action.ends_with(".sync") || action.ends_with(".sync:2") {
            Self::Sync
        } else {
            Self::RequestResponse
        }
    }
}

/// The bare name of a Lambda function that is given as `name`, `name:qualifier`, `account:function:name` or an ARN
/// (AWS Lambda API Reference, Invoke, FunctionName). None of the ARN of anything else; a placeholder stays whole.
///
/// ```
/// use asl_model::function_name;
/// assert_eq!(function_name("arn:aws:lambda:us-east-1:123456789012:function:charge:7"), Some("charge"));
/// assert_eq!(function_name("charge:live"), Some("charge"));
/// assert_eq!(function_name("arn:aws:states:::sqs:sendMessage"), None);
/// ```
pub fn function_name(text: &str) -> Option<&str> {
    let name = match text.split_once(":function:") {
        Some((_, name)) => name,
        None if text.starts_with("arn:") => return None,
        None => text.strip_prefix("function:").unwrap_or(text),
    };
    match name.starts_with("${") {
        true => Some(name),
        false => name.split(':').next(),
    }
}

/// The parts of an Amazon Resource Name, `arn:PARTITION:SERVICE:REGION:ACCOUNT:RESOURCE`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Arn<'t> {
    pub(crate) service: &'t str,
    pub(crate) region: &'t str,
    pub(crate) account: &'t str,
    pub(crate) resource: &'t str,
}

impl<'t> Arn<'t> {
    pub(crate) fn parse(text: &'t str) -> Option<Self> {
        let rest = text.strip_prefix("arn:")?;
        // The partition may be a placeholder with colons of its own, `${AWS::Partition}`.
        let placeholder = rest.strip_prefix("${").and_then(|it| it.split_once("}:"));
        let (_partition, rest) = placeholder.or_else(|| rest.split_once(':'))?;
        let mut parts = rest.splitn(4, ':');
        Some(Self {
            service: parts.next()?,
            region: parts.next()?,
            account: parts.next()?,
            resource: parts.next()?,
        })
    }

    /// Returns true if the parts are those of `arn:aws:states:::…`.
    pub(crate) fn is_integration(&self) -> bool {
        self.service == "states" && self.region.is_empty() && self.account.is_empty()
    }

    /// Returns true if the parts are those of an activity.
    pub(crate) fn is_activity(&self) -> bool {
        self.service == "states" && self.resource.starts_with("activity:")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn integration(uri: &str) -> Integration {
        let resource = Resource::parse(uri);
        let integration = resource.integration().cloned();
        integration.unwrap_or_else(|| panic!("{uri} is {:?}", resource.kind))
    }

    #[test]
    fn integrations_are_split_into_service_and_action() {
        let sqs = integration("arn:aws:states:::sqs:sendMessage.waitForTaskToken");
        assert_eq!(
            (sqs.service.as_str(), sqs.action.as_str()),
            ("sqs", "sendMessage.waitForTaskToken")
        );
        assert_eq!(sqs.pattern, IntegrationPattern::WaitForTaskToken);
        let placeholder = integration("arn:${AWS::Partition}:states:::dynamodb:getItem");
        assert_eq!(placeholder.service, "dynamodb");
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
        for uri in [
            "https://example.org/x",
            "charge-card",
            "",
            "arn:aws:lambda:us-east-1:123456789012",
            "arn:aws:lambda:us-east-1:123456789012:layer:activity:a",
            "arn:aws:states:us-east-1:123456789012:task:X",
            "arn:aws:states:::aws-sdk:s3",
        ] {
            assert_eq!(kind(uri), ResourceKind::Other, "{uri}");
        }
    }

    #[test]
    fn invocations_of_functions_are_known() {
        for (uri, invokes) in [
            ("arn:aws:states:::lambda:invoke", true),
            ("arn:aws:states:::lambda:invoke.waitForTaskToken", true),
            ("arn:aws:states:::lambda:invokeAsync", false),
            ("arn:aws:states:::bedrock:invokeModel", false),
            ("arn:aws:states:::http:invoke", false),
        ] {
            assert_eq!(integration(uri).invokes_function(), invokes, "{uri}");
        }
    }

    #[test]
    fn functions_have_names() {
        for (text, name) in [
            ("charge", Some("charge")),
            ("charge:live", Some("charge")),
            ("charge-function:live", Some("charge-function")),
            ("function:charge", Some("charge")),
            ("123456789012:function:charge:7", Some("charge")),
            ("arn:aws:lambda:r:1:function:charge:$LATEST", Some("charge")),
            ("arn:aws:lambda:r:1:layer:charge", None),
            ("${Charge::Arn}", Some("${Charge::Arn}")),
            ("arn:aws:lambda:r:1:function:${A::B}", Some("${A::B}")),
        ] {
            assert_eq!(function_name(text), name, "{text}");
        }
        let named = |uri| Resource::parse(uri).function_name().map(str::to_owned);
        let charge = named("arn:aws:lambda:r:1:function:charge");
        assert_eq!(charge.as_deref(), Some("charge"));
        assert_eq!(named("charge"), None);
        assert_eq!(named("arn:aws:states:::lambda:invoke"), None);
    }

    #[test]
    fn people_know_a_resource_by_its_last_part() {
        for (uri, part) in [
            ("https://example.org/charge", "charge"),
            ("charge", "charge"),
            ("${Charge::Arn}", "${Charge::Arn}"),
        ] {
            assert_eq!(Resource::parse(uri).last_part(), part);
        }
    }
}
