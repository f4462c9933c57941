//! Results that have the shape of what an API returns, to be filled in.
use crate::field_validation::find_api;
use asl_engine::Resource;
use asl_services::{Kind, Services, Shape};
use serde_json::{Map, Value};

/// Levels of structures that are written. Shapes may contain themselves.
const MOST_DEPTH: usize = 8;

/// Maximum length to which a string with a minimum length is filled.
const MOST_CHARACTERS: i64 = 64;

/// Returns a sample result of a task of this resource: the required members, and those whose names `is_read` accepts, each with
/// the least value that it may have. None of a task whose result is not known: one that no API of a service answers, or that a
/// token answers.
///
/// ```
/// use asl_engine::Resource;
/// use asl_services::Services;
///
/// let resource = Resource::parse("arn:aws:states:::sqs:sendMessage");
/// let sample = asl_test_state::sample_result(&Services::new(), &resource, &|name| name == "MessageId").unwrap();
/// assert_eq!(sample, serde_json::json!({"MessageId": ""}));
/// ```
pub fn sample_result(
    services: &Services,
    resource: &Resource,
    is_read: &dyn Fn(&str) -> bool,
) -> Option<Value> {
    let integration = resource.integration()?;
    let (service, action) = find_api(services, integration)?;
    let writer = Writer {
        is_sdk: integration.service.starts_with("aws-sdk:"),
        is_read,
    };
    let output = service.operation(&action)?.output();
    Some(output.map_or_else(|| Map::new().into(), |output| writer.sample(output, 0)))
}

struct Writer<'r> {
    /// Accepts the names of members that the definition reads.
    is_read: &'r dyn Fn(&str) -> bool,
    /// True for `aws-sdk:` resources, whose members differ in acronyms.
    is_sdk: bool,
}

impl Writer<'_> {
    fn sample(&self, shape: Shape<'_>, depth: usize) -> Value {
        match shape.kind() {
            Kind::Structure => self.structure(shape, depth),
            Kind::List(member) => {
                let least = shape
                    .minimum()
                    .unwrap_or_default()
                    .clamp(0, MOST_CHARACTERS);
                let item = || self.sample(member, depth + 1);
                (0..least).map(|_| item()).collect()
            }
            Kind::Map { .. } | Kind::Document => Map::new().into(),
            Kind::String | Kind::Blob => text(shape).into(),
            Kind::Timestamp => "2024-01-01T00:00:00.000Z".into(),
            Kind::Boolean => false.into(),
            Kind::Integer | Kind::Long | Kind::Float | Kind::Double => {
                shape.minimum().unwrap_or_default().max(0).into()
            }
        }
    }

    fn structure(&self, shape: Shape<'_>, depth: usize) -> Value {
        let named = shape.members().filter_map(|member| {
            let [plain, of_sdk] = member.step_functions_names();
            let name = if self.is_sdk { of_sdk } else { plain };
            let is_wanted = depth < MOST_DEPTH && (member.is_required() || (self.is_read)(&name));
            is_wanted.then(|| (name, self.sample(member.shape(), depth + 1)))
        });
        Value::Object(named.collect())
    }
}

/// Returns the first of the values that it may have, or as little as it may hold.
fn text(shape: Shape<'_>) -> String {
    match shape.values().first() {
        Some(value) => value.clone(),
        None => {
            let least = shape
                .minimum()
                .unwrap_or_default()
                .clamp(0, MOST_CHARACTERS);
            "x".repeat(usize::try_from(least).unwrap_or_default())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::sample_result;
    use crate::mocked_call::test_mocked_call;
    use asl_engine::Resource;
    use asl_services::Services;
    use serde_json::Value;

    fn sample(services: &Services, resource: &str) -> Option<Value> {
        let resource = format!("arn:aws:states:::{resource}");
        sample_result(services, &Resource::parse(&resource), &|_| true)
    }

    #[test]
    fn samples_have_the_shape_of_their_api() {
        let services = Services::new();
        for resource in [
            "sqs:sendMessage",
            "dynamodb:getItem",
            "events:putEvents",
            "ecs:runTask.sync",
            "glue:startJobRun.sync",
            "batch:submitJob.sync",
            "aws-sdk:s3:getObject",
            "aws-sdk:kms:encrypt",
            "aws-sdk:ec2:describeInstances",
        ] {
            let result = sample(&services, resource).unwrap();
            assert!(
                result.as_object().is_some_and(|it| !it.is_empty()),
                "{resource}"
            );
            let tested = test_mocked_call(&services, resource, "STRICT", &result);
            assert!(tested.is_ok(), "{resource}: {result}");
        }
    }

    #[test]
    fn what_is_not_known_has_no_sample() {
        let services = Services::new();
        for resource in [
            "http:invoke",
            "sqs:sendMessage.waitForTaskToken",
            "aws-sdk:none:doIt",
        ] {
            assert_eq!(sample(&services, resource), None, "{resource}");
        }
    }
}
