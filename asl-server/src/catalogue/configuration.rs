//! Logging, tracing and encryption of state machines, as they are kept and shown. Nothing follows from them here.
use crate::protocol::{ApiError, ErrorCode};
use serde_json::{Value, json};

/// The service's default.
const REUSE_SECONDS: u64 = 300;

/// A logging configuration with its defaults; "destinations" only where they were given (recorded).
///
/// # Errors
/// InvalidLoggingConfiguration, where something is to be logged and not to one place.
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
        return Err(ApiError::new(
            ErrorCode::InvalidLoggingConfiguration,
            "Invalid Logging Configuration: Must specify exactly one Log Destination.",
        ));
    }
    if let Some(destinations) = destinations {
        kept["destinations"] = destinations.clone();
    }
    Ok(kept)
}

/// A tracing configuration with its default.
pub(crate) fn tracing(given: Option<&Value>) -> Value {
    let enabled = given.and_then(|given| given.get("enabled")?.as_bool());
    json!({ "enabled": enabled.unwrap_or(false) })
}

/// An encryption configuration with its defaults.
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
        ("AWS_OWNED_KEY", _) => invalid(
            "kmsKeyId and kmsDataKeyReusePeriodSeconds must not be set with the type AWS_OWNED_KEY",
        ),
        (_, None) => invalid("kmsKeyId must be set with the type CUSTOMER_MANAGED_KMS_KEY"),
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
        let group = json!({"cloudWatchLogsLogGroup": {"logGroupArn": "arn:x"}});
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
