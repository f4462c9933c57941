//! Versions of state machines.
use super::{Change, Revision, StateMachineRecord};
use crate::protocol::{ApiError, ErrorCode};
use asl_engine::Timestamp;
use serde::{Deserialize, Serialize};

/// Id of the first revision (API Reference, PublishStateMachineVersion).
pub(crate) const INITIAL: &str = "INITIAL";
/// As the service's quotas have it.
const MOST: usize = 1_000;

/// A version: a revision that stays.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Version {
    pub(crate) number: u64,
    pub(crate) creation_date: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) description: Option<String>,
    pub(crate) revision: Revision,
}

/// True if a version was requested.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Publication {
    pub(crate) publish: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) description: Option<String>,
}

impl Publication {
    pub(crate) fn new(
        publish: Option<bool>,
        description: Option<String>,
    ) -> Result<Self, ApiError> {
        let publish = publish.unwrap_or(false);
        match description {
            Some(_) if !publish => Err(ApiError::validation(
                // Recorded.
                "Version description can only be set when publish is true",
            )),
            description => Ok(Self {
                publish,
                description,
            }),
        }
    }
}

impl StateMachineRecord {
    pub(crate) fn version(&self, number: u64) -> Option<&Version> {
        self.versions
            .iter()
            .find(|version| version.number == number)
    }

    /// Returns the version of the current revision: the one that there is, or a new one.
    fn publish_current(
        &mut self,
        description: Option<String>,
        now: Timestamp,
    ) -> Result<Version, ApiError> {
        match self.version_of_current() {
            Some(version) => Ok(version.clone()),
            None => self.add_version(description, now),
        }
    }

    /// Returns the version that CreateStateMachine and UpdateStateMachine publish. Measured of an update that changes
    /// nothing: with another description it makes another version of the same revision.
    pub(super) fn publish_described(
        &mut self,
        description: Option<String>,
        now: Timestamp,
    ) -> Result<Version, ApiError> {
        let is_known =
            |version: &&Version| description.is_none() || version.description == description;
        match self.version_of_current().filter(is_known) {
            Some(version) => Ok(version.clone()),
            None => self.add_version(description, now),
        }
    }

    fn version_of_current(&self) -> Option<&Version> {
        let mut known = self.versions.iter().rev();
        known.find(|version| version.revision.id == self.current.id)
    }

    fn add_version(
        &mut self,
        description: Option<String>,
        now: Timestamp,
    ) -> Result<Version, ApiError> {
        if self.versions.len() >= MOST {
            return Err(ApiError::new(
                ErrorCode::ServiceQuotaExceeded,
                format!(
                    "The state machine has {MOST} versions, the most that are possible: delete some first."
                ),
            ));
        }
        self.last_version += 1;
        let version = Version {
            number: self.last_version,
            creation_date: now,
            description,
            revision: self.current.clone(),
        };
        self.versions.push(version.clone());
        Ok(version)
    }

    /// Publishes the current revision, which must be the one that is named.
    pub(crate) fn publish(
        record: Option<Self>,
        arn: &str,
        revision_id: Option<&str>,
        description: Option<String>,
        now: Timestamp,
    ) -> Result<Change<Self, Version>, ApiError> {
        let mut record = Self::active(record, arn)?;
        let current = record.current.id.as_deref().unwrap_or(INITIAL);
        if let Some(wanted) = revision_id.filter(|id| *id != current) {
            // Recorded.
            return Err(ApiError::new(
                ErrorCode::Conflict,
                format!(
                    "Failed to publish the State Machine version for revision {wanted}. The current State Machine revision \
                     is {current}."
                ),
            ));
        }
        let published = record.versions.len();
        let version = record.publish_current(description, now)?;
        let is_new = record.versions.len() > published;
        Ok(Change::written_if(is_new, record, version))
    }

    /// Deletes a version, which no alias may lead to. One that is not there is gone already (recorded).
    pub(crate) fn delete_version(
        record: Option<Self>,
        number: u64,
    ) -> Result<Change<Self, ()>, ApiError> {
        let Some(mut record) = record else {
            return Ok(Change::None(()));
        };
        let leading = record.aliases.iter();
        let leading: Vec<&str> = leading
            .filter(|alias| alias.routes.iter().any(|route| route.version == number))
            .map(|alias| alias.name.as_str())
            .collect();
        if !leading.is_empty() {
            // Recorded.
            return Err(ApiError::new(
                ErrorCode::Conflict,
                format!(
                    "Version to be deleted must not be referenced by an alias. Current list of aliases referencing this \
                     version: [{}]",
                    leading.join(", ")
                ),
            ));
        }
        let before = record.versions.len();
        record.versions.retain(|version| version.number != number);
        let is_gone = record.versions.len() < before;
        Ok(Change::written_if(is_gone, record, ()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::machine::tests::{created, update};
    use super::*;

    fn now() -> Timestamp {
        Timestamp::from_milliseconds(9)
    }

    fn publish(
        record: &StateMachineRecord,
        id: Option<&str>,
    ) -> Result<Change<StateMachineRecord, Version>, ApiError> {
        StateMachineRecord::publish(Some(record.clone()), "arn:m", id, None, now())
    }

    fn changed(
        change: Result<Change<StateMachineRecord, impl std::fmt::Debug>, ApiError>,
    ) -> StateMachineRecord {
        match change {
            Ok(Change::Write(record, _)) => record,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_revision_has_one_version() {
        let record = created("a", true);
        let Ok(Change::None(version)) = publish(&record, None) else {
            panic!("published again")
        };
        assert_eq!(version.number, 1);
        let record = changed(StateMachineRecord::update(
            Some(record),
            &update("b", "r", false),
        ));
        let record = changed(publish(&record, Some("r")));
        assert_eq!(record.version(2).unwrap().revision.definition, "b");
        assert_eq!(record.version(1).unwrap().revision.definition, "a");
    }

    #[test]
    fn numbers_only_grow() {
        let record = created("a", true);
        let record = changed(StateMachineRecord::delete_version(Some(record), 1));
        assert!(record.version(1).is_none());
        let record = changed(publish(&record, None));
        assert_eq!(record.versions[0].number, 2);
        let again = StateMachineRecord::delete_version(Some(record), 1).unwrap();
        assert_eq!(again, Change::None(()));
        let missing = StateMachineRecord::delete_version(None, 1).unwrap();
        assert_eq!(missing, Change::None(()));
    }

    #[test]
    fn the_revision_that_is_named_must_be_the_current_one() {
        let record = created("a", false);
        assert!(publish(&record, Some(INITIAL)).is_ok());
        let record = changed(StateMachineRecord::update(
            Some(record),
            &update("b", "r2", false),
        ));
        let error = publish(&record, Some("r1")).unwrap_err();
        assert_eq!(
            error.message,
            "Failed to publish the State Machine version for revision r1. The current State Machine revision is r2."
        );
        assert_eq!(error.code, ErrorCode::Conflict);
    }

    #[test]
    fn what_is_not_published_has_no_description() {
        let error = Publication::new(Some(false), Some("d".into())).unwrap_err();
        assert_eq!(
            error.message,
            "Version description can only be set when publish is true"
        );
        assert!(Publication::new(Some(true), Some("d".into())).is_ok());
    }

    #[test]
    fn there_are_1000_at_most() {
        let mut record = created("a", true);
        for number in 2..=1000 {
            let update = update(&number.to_string(), &number.to_string(), true);
            record = changed(StateMachineRecord::update(Some(record), &update));
        }
        let update = update("one more", "r", true);
        let error = StateMachineRecord::update(Some(record), &update).unwrap_err();
        assert_eq!(error.code, ErrorCode::ServiceQuotaExceeded);
    }
}
