//! Activities.
use super::{Change, Tags};
use crate::protocol::{ApiError, ErrorCode};
use asl_engine::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// An activity.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ActivityRecord {
    pub(crate) creation_date: Timestamp,
    pub(crate) encryption: Value,
    #[serde(default)]
    pub(crate) tags: Tags,
}

impl ActivityRecord {
    /// One of the same name is answered as at first (recorded), unless it is encrypted otherwise.
    pub(crate) fn create(
        record: Option<Self>,
        new: Self,
        arn: &str,
    ) -> Result<Change<Self, Timestamp>, ApiError> {
        match record {
            None => {
                let date = new.creation_date;
                Ok(Change::Write(new, date))
            }
            Some(known) if known.encryption == new.encryption => {
                Ok(Change::None(known.creation_date))
            }
            Some(_) => Err(ApiError::new(
                ErrorCode::Conflict,
                format!("Activity already exists with another encryption configuration: '{arn}'"),
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn activity(milliseconds: i64, encryption: &str) -> ActivityRecord {
        ActivityRecord {
            creation_date: Timestamp::from_milliseconds(milliseconds),
            encryption: json!({ "type": encryption }),
            tags: Tags::default(),
        }
    }

    #[test]
    fn creating_it_again_changes_nothing() {
        let first = activity(1, "AWS_OWNED_KEY");
        let date = first.creation_date;
        let created = ActivityRecord::create(None, first.clone(), "arn");
        assert_eq!(created, Ok(Change::Write(first.clone(), date)));
        let again = activity(2, "AWS_OWNED_KEY");
        let created = ActivityRecord::create(Some(first.clone()), again, "arn");
        assert_eq!(created, Ok(Change::None(date)));
        let other = activity(2, "CUSTOMER_MANAGED_KMS_KEY");
        let refused = ActivityRecord::create(Some(first), other, "arn");
        assert_eq!(refused.unwrap_err().code, ErrorCode::Conflict);
    }
}
