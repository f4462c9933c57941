//! Logging, tracing and encryption of state machines, as they are kept and shown. Nothing follows from them here.
use crate::protocol::{ApiError, ErrorCode};
use serde_json::{Value, json};

/// The service's default.
const REUSE_SECONDS: u64 = 300;

/// Returns a logging configuration with its defaults; "destinations" only if they were given (recorded).
///
/// # Errors
/// InvalidLoggingConfiguration, where something is to be logged and not to one place, or the place is no log group.
pub(crate) fn logging(given: Option<&Value>) -> Result<Value, ApiError> {
    let member = |name: &str| given.and_then(|given| given.get(name));
    let level = member("level").and_then(Value::as_str).unwrap_or("OFF");
    let includes_data = member("includeExecutionData").and_then(Value::as_bool);
    let mut kept = json!({
        "includeExecutionData": includes_data.unwrap_or(false),
        "level": level,
    });
    let destinations = member("destinations").filter(|it| !it.is_null());
    let count = destinations.and_then(Value::as_array).map_or(0, Vec::len);
    if count > 1 || (level != "OFF" && count == 0) {
        return Err(invalid_logging("Must specify exactly one Log Destination."));
    }
    let groups = destinations.and_then(Value::as_array).into_iter().flatten();
    for destination in groups {
        check_log_group(destination)?;
    }
    if let Some(destinations) = destinations {
        kept["destinations"] = destinations.clone();
    }
    Ok(kept)
}

/// Refuses a destination that is no log group of CloudWatch Logs, in the service's words.
fn check_log_group(destination: &Value) -> Result<(), ApiError> {
    let arn = destination
        .pointer("/cloudWatchLogsLogGroup/logGroupArn")
        .and_then(Value::as_str)
        .filter(|arn| !arn.is_empty());
    let Some(arn) = arn else {
        return Err(invalid_logging("Must set valid CloudWatch Log Group ARN."));
    };
    match arn.split(':').collect::<Vec<_>>()[..] {
        ["arn", _, "logs", _, _, "log-group", _, "*"] => Ok(()),
        ["arn", _, "logs", _, _, "log-group", ..] => Err(invalid_logging(
            "Log Group ARN must be provided with '*' qualifier.",
        )),
        _ => Err(invalid_logging(
            "Provided ARN is not CloudWatch Logs Log Group ARN.",
        )),
    }
}

fn invalid_logging(fault: &str) -> ApiError {
    let message = format!("Invalid Logging Configuration: {fault}");
    ApiError::new(ErrorCode::InvalidLoggingConfiguration, message)
}

/// Refuses the name of a state machine that the delivery of its logs does not take: only if something is logged.
///
/// # Errors
/// ValidationException.
pub(crate) fn check_logged_name(name: &str, logging: &Value) -> Result<(), ApiError> {
    let is_taken = |byte: u8| byte.is_ascii_alphanumeric() || b"./-_:".contains(&byte);
    if logging["level"] == "OFF" || name.bytes().all(is_taken) {
        return Ok(());
    }
    Err(ApiError::new(
        ErrorCode::Validation,
        format!(
            "1 validation error detected: Value '{name}' at 'resourceId' failed to satisfy constraint: Member must satisfy regular \
             expression pattern: ^[0-9A-Za-z.\\/\\-_:]+$"
        ),
    ))
}

/// Returns a tracing configuration with its default.
pub(crate) fn tracing(given: Option<&Value>) -> Value {
    let enabled = given.and_then(|given| given.get("enabled")?.as_bool());
    json!({ "enabled": enabled.unwrap_or(false) })
}

/// Returns an encryption configuration with its defaults.
///
/// # Errors
/// InvalidEncryptionConfiguration, where a key of the customer's is wanted and not named, or the other way round.
pub(crate) fn encryption(given: Option<&Value>) -> Result<Value, ApiError> {
    let member = |name: &str| {
        given
            .and_then(|given| given.get(name))
            .filter(|it| !it.is_null())
    };
    let kind = member("type")
        .and_then(Value::as_str)
        .unwrap_or("AWS_OWNED_KEY");
    let (key, reuse) = (member("kmsKeyId"), member("kmsDataKeyReusePeriodSeconds"));
    let invalid = |fault: &str| {
        Err(ApiError::new(
            ErrorCode::InvalidEncryptionConfiguration,
            format!("Invalid Encryption Configuration: {fault}"),
        ))
    };
    match (kind, key) {
        ("AWS_OWNED_KEY", None) if reuse.is_none() => Ok(json!({ "type": kind })),
        ("AWS_OWNED_KEY", Some(_)) => {
            invalid("Custom kmsKeyId is not allowed when selecting AWS_OWNED_KEY.")
        }
        ("AWS_OWNED_KEY", None) => invalid(
            "Custom kmsDataKeyReusePeriodSeconds is not allowed when selecting AWS_OWNED_KEY.",
        ),
        (_, None) => invalid("Must set a valid kmsKeyId."),
        (_, Some(key)) => Ok(json!({
            "kmsDataKeyReusePeriodSeconds": reuse.cloned().unwrap_or_else(|| REUSE_SECONDS.into()),
            "kmsKeyId": key,
            "type": kind,
        })),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logging_is_off_unless_asked_for() {
        let off = json!({"includeExecutionData": false, "level": "OFF"});
        assert_eq!(logging(None), Ok(off.clone()));
        assert_eq!(logging(Some(&json!({}))), Ok(off.clone()));
        let empty = json!({"includeExecutionData": false, "level": "OFF", "destinations": []});
        assert_eq!(logging(Some(&json!({"destinations": []}))), Ok(empty));
    }

    #[test]
    fn what_is_logged_goes_to_one_place() {
        let group = json!({"cloudWatchLogsLogGroup": {"logGroupArn": "arn:aws:logs:us-east-1:111111111111:log-group:/a/b:*"}});
        let one = json!({"level": "ALL", "destinations": [group]});
        assert_eq!(logging(Some(&one)).unwrap()["destinations"], json!([group]));
        for given in [
            json!({"level": "ALL"}),
            json!({"level": "ERROR", "destinations": []}),
            json!({"level": "ALL", "destinations": [group, group]}),
        ] {
            let error = logging(Some(&given)).unwrap_err();
            assert_eq!(error.code, ErrorCode::InvalidLoggingConfiguration);
        }
    }

    /// Recorded from the service.
    #[test]
    fn a_destination_is_a_log_group() {
        let message = |destination: Value| {
            let given = json!({"level": "ALL", "destinations": [destination]});
            logging(Some(&given)).unwrap_err().message
        };
        let group = |arn: &str| json!({"cloudWatchLogsLogGroup": {"logGroupArn": arn}});
        for (destination, fault) in [
            (json!({}), "Must set valid CloudWatch Log Group ARN."),
            (
                group("arn:aws:s3:::bucket"),
                "Provided ARN is not CloudWatch Logs Log Group ARN.",
            ),
            (
                group("arn:aws:logs:us-east-1:111111111111:log-group:g"),
                "Log Group ARN must be provided with '*' qualifier.",
            ),
        ] {
            let expected = format!("Invalid Logging Configuration: {fault}");
            assert_eq!(message(destination), expected);
        }
    }

    /// Recorded from the service.
    #[test]
    fn a_machine_that_logs_has_a_plain_name() {
        let on = json!({"level": "ALL"});
        assert_eq!(
            check_logged_name("テスト", &json!({"level": "OFF"})),
            Ok(())
        );
        assert_eq!(check_logged_name("a-b_c.1", &on), Ok(()));
        let refused = check_logged_name("テスト", &on).unwrap_err();
        assert!(
            refused.message.contains("at 'resourceId' failed"),
            "{}",
            refused.message
        );
    }

    #[test]
    fn a_key_is_named_where_it_is_the_customers() {
        assert_eq!(encryption(None), Ok(json!({"type": "AWS_OWNED_KEY"})));
        let own = json!({"type": "CUSTOMER_MANAGED_KMS_KEY", "kmsKeyId": "k"});
        let kept = encryption(Some(&own)).unwrap();
        assert_eq!(kept["kmsDataKeyReusePeriodSeconds"], 300);
        for given in [
            json!({"type": "CUSTOMER_MANAGED_KMS_KEY"}),
            json!({"type": "AWS_OWNED_KEY", "kmsKeyId": "k"}),
        ] {
            let error = encryption(Some(&given)).unwrap_err();
            assert_eq!(error.code, ErrorCode::InvalidEncryptionConfiguration);
        }
        assert_eq!(
            tracing(Some(&json!({"enabled": true}))),
            json!({"enabled": true})
        );
        assert_eq!(tracing(None), json!({"enabled": false}));
    }
}
