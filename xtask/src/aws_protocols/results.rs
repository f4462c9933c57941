//! Results that responses have.
use super::{plain, text};
use asl_aws::services::Service;
use asl_aws::{CallError, HttpResponse, ResultForm};
use serde_json::Value;

/// Returns how the result of a case differs.
pub(super) fn check(service: &Service, case: &Value) -> Result<(), String> {
    let given = &case["response"];
    let status = given["status_code"].as_u64().unwrap_or(200);
    let status = u16::try_from(status).map_err(|error| error.to_string())?;
    let mut response = HttpResponse::new(status, text(&given["body"]));
    for (name, value) in given["headers"].as_object().into_iter().flatten() {
        response = response.with_header(name, text(value));
    }
    let name = text(&case["given"]["name"]);
    let found = asl_aws::response(service, &name, &response, ResultForm::API);
    match (found, case["errorCode"].as_str()) {
        (Ok(result), None) => {
            let (found, expected) = (plain(&result), plain(&case["result"]));
            match found == expected {
                true => Ok(()),
                false => Err(format!("expected {expected}, found {found}")),
            }
        }
        (Err(CallError::Service(error)), Some(code)) => {
            let message = case["errorMessage"].as_str();
            let is_same =
                error.code == code && message.is_none_or(|message| error.message == message);
            match is_same {
                true => Ok(()),
                false => Err(format!("expected the error {code}, found {error}")),
            }
        }
        (Ok(result), Some(code)) => Err(format!("expected the error {code}, found {result}")),
        (Err(error), _) => Err(error.to_string()),
    }
}
