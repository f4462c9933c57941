//! State machines: how they are made, changed and deleted.
use super::{Alias, Change, Publication, Revision, Tag, Tags, Version};
use crate::protocol::{ApiError, ErrorCode};
use asl_engine::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::borrow::Borrow;

/// A state machine with all that belongs to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StateMachineRecord {
    pub(crate) creation_date: Timestamp,
    pub(crate) current: Revision,
    /// The request that created it: the same request gets the same response.
    pub(crate) created_with: Publication,
    /// By their numbers.
    #[serde(default)]
    pub(crate) versions: Vec<Version>,
    /// The highest number that a version ever had.
    #[serde(default)]
    pub(crate) last_version: u64,
    /// By their creation.
    #[serde(default)]
    pub(crate) aliases: Vec<Alias>,
    #[serde(default)]
    pub(crate) tags: Tags,
    /// It goes when its last execution has ended.
    #[serde(default)]
    pub(crate) is_deleting: bool,
}

/// CreateStateMachine, as far as the record decides on it.
#[derive(Debug, Clone)]
pub(crate) struct CreateRequest {
    pub(crate) arn: String,
    pub(crate) revision: Revision,
    pub(crate) publication: Publication,
    pub(crate) tags: Vec<Tag>,
}

/// The response of CreateStateMachine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CreateOutcome {
    pub(crate) creation_date: Timestamp,
    pub(crate) version: Option<u64>,
}

/// UpdateStateMachine, as far as the record decides on it; None stays.
#[derive(Debug, Clone, Default)]
pub(crate) struct UpdateRequest {
    pub(crate) arn: String,
    pub(crate) definition: Option<String>,
    /// ARNs of the activities that the definition invokes, if there is a definition.
    pub(crate) activities: Vec<String>,
    pub(crate) role_arn: Option<String>,
    pub(crate) logging: Option<Value>,
    pub(crate) tracing: Option<Value>,
    pub(crate) encryption: Option<Value>,
    pub(crate) publication: Publication,
    pub(crate) now: Timestamp,
    /// Id of the revision, if it is new.
    pub(crate) new_id: String,
}

/// The response of UpdateStateMachine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct UpdateOutcome {
    pub(crate) update_date: Timestamp,
    pub(crate) revision_id: Option<String>,
    pub(crate) version: Option<u64>,
}

impl StateMachineRecord {
    /// Creates the record. The same request gets the same response, regardless of its role and tags (API Reference,
    /// CreateStateMachine).
    pub(crate) fn create(
        record: Option<Self>,
        request: &CreateRequest,
    ) -> Result<Change<Self, CreateOutcome>, ApiError> {
        if let Some(record) = record {
            return record.create_again(request).map(Change::None);
        }
        let creation_date = request.revision.update_date;
        let mut record = Self {
            creation_date,
            current: request.revision.clone(),
            created_with: request.publication.clone(),
            versions: Vec::new(),
            last_version: 0,
            aliases: Vec::new(),
            tags: Tags::default().with(&request.tags, &request.arn)?,
            is_deleting: false,
        };
        let version = record.publish_if_asked(&request.publication, creation_date)?;
        let created = CreateOutcome {
            creation_date,
            version,
        };
        Ok(Change::Write(record, created))
    }

    fn create_again(&self, request: &CreateRequest) -> Result<CreateOutcome, ApiError> {
        if self.is_deleting {
            return Err(ApiError::deleting(&request.arn));
        }
        let same_role = Revision {
            role_arn: self.current.role_arn.clone(),
            ..request.revision.clone()
        };
        if !self.current.is_same_as(&same_role) || self.created_with != request.publication {
            return Err(ApiError::new(
                ErrorCode::StateMachineAlreadyExists,
                format!("State Machine Already Exists: '{}'", request.arn),
            ));
        }
        Ok(CreateOutcome {
            creation_date: self.creation_date,
            version: self.created_with.publish.then_some(1),
        })
    }

    /// Changes it: a new revision where something is another than before.
    pub(crate) fn update(
        record: Option<Self>,
        request: &UpdateRequest,
    ) -> Result<Change<Self, UpdateOutcome>, ApiError> {
        let mut record = Self::active(record, &request.arn)?;
        let revision = request.applied_to(&record.current);
        let is_changed = !revision.is_same_as(&record.current);
        if is_changed {
            record.current = Revision {
                id: Some(request.new_id.clone()),
                update_date: request.now,
                ..revision
            };
        }
        let published = record.versions.len();
        let version = record.publish_if_asked(&request.publication, request.now)?;
        let updated = UpdateOutcome {
            update_date: request.now,
            revision_id: record.current.id.clone(),
            version,
        };
        let is_changed = is_changed || record.versions.len() > published;
        Ok(Change::written_if(is_changed, record, updated))
    }

    /// Marks it as going, or removes it where nothing of it runs. One that is not there is gone already (recorded).
    pub(crate) fn delete(record: Option<Self>, runs: bool) -> Change<Self, ()> {
        match record {
            None => Change::None(()),
            Some(_) if !runs => Change::Remove(()),
            Some(record) if record.is_deleting => Change::None(()),
            Some(record) => Change::Write(
                Self {
                    is_deleting: true,
                    ..record
                },
                (),
            ),
        }
    }

    /// The record of a state machine that is there and stays.
    ///
    /// # Errors
    /// StateMachineDoesNotExist or StateMachineDeleting.
    pub(crate) fn active<R: Borrow<Self>>(record: Option<R>, arn: &str) -> Result<R, ApiError> {
        match record {
            None => Err(ApiError::no_state_machine(arn)),
            Some(record) if record.borrow().is_deleting => Err(ApiError::deleting(arn)),
            Some(record) => Ok(record),
        }
    }

    fn publish_if_asked(
        &mut self,
        publication: &Publication,
        now: Timestamp,
    ) -> Result<Option<u64>, ApiError> {
        match publication.publish {
            false => Ok(None),
            true => {
                let version = self.publish_described(publication.description.clone(), now)?;
                Ok(Some(version.number))
            }
        }
    }
}

impl UpdateRequest {
    /// Recorded: something must be there to change.
    pub(crate) fn check(&self) -> Result<(), ApiError> {
        let is_empty = self.definition.is_none()
            && self.role_arn.is_none()
            && self.logging.is_none()
            && self.tracing.is_none()
            && self.encryption.is_none();
        match is_empty {
            true => Err(ApiError::new(
                ErrorCode::MissingRequiredParameter,
                "Either the definition, the role ARN, the LoggingConfiguration, or the TracingConfiguration must be specified",
            )),
            false => Ok(()),
        }
    }

    fn applied_to(&self, revision: &Revision) -> Revision {
        let or = |new: &Option<Value>, old: &Value| new.as_ref().unwrap_or(old).clone();
        Revision {
            definition: self
                .definition
                .as_ref()
                .unwrap_or(&revision.definition)
                .clone(),
            activities: match self.definition {
                Some(_) => self.activities.clone(),
                None => revision.activities.clone(),
            },
            role_arn: self.role_arn.as_ref().unwrap_or(&revision.role_arn).clone(),
            logging: or(&self.logging, &revision.logging),
            tracing: or(&self.tracing, &revision.tracing),
            encryption: or(&self.encryption, &revision.encryption),
            ..revision.clone()
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use asl_model::StateMachineType;
    use serde_json::json;

    pub(in super::super) fn revision(definition: &str) -> Revision {
        Revision {
            id: None,
            definition: definition.to_owned(),
            activities: Vec::new(),
            machine_type: StateMachineType::Standard,
            role_arn: "role".into(),
            logging: json!({"level": "OFF"}),
            tracing: json!({"enabled": false}),
            encryption: json!({"type": "AWS_OWNED_KEY"}),
            update_date: Timestamp::from_milliseconds(1),
        }
    }

    fn request(definition: &str, publish: bool) -> CreateRequest {
        CreateRequest {
            arn: "arn:m".into(),
            revision: revision(definition),
            publication: Publication {
                publish,
                description: None,
            },
            tags: Vec::new(),
        }
    }

    pub(in super::super) fn created(definition: &str, publish: bool) -> StateMachineRecord {
        match StateMachineRecord::create(None, &request(definition, publish)).unwrap() {
            Change::Write(record, _) => record,
            other => panic!("{other:?}"),
        }
    }

    pub(in super::super) fn update(definition: &str, id: &str, publish: bool) -> UpdateRequest {
        UpdateRequest {
            arn: "arn:m".into(),
            definition: Some(definition.to_owned()),
            publication: Publication {
                publish,
                description: None,
            },
            now: Timestamp::from_milliseconds(7),
            new_id: id.into(),
            ..UpdateRequest::default()
        }
    }

    #[test]
    fn the_same_request_is_answered_the_same() {
        let record = created("a", true);
        let mut again = request("a", true);
        again.revision.role_arn = "other".into();
        again.revision.update_date = Timestamp::from_milliseconds(99);
        let answer = StateMachineRecord::create(Some(record.clone()), &again).unwrap();
        let first = CreateOutcome {
            creation_date: Timestamp::from_milliseconds(1),
            version: Some(1),
        };
        assert_eq!(answer, Change::None(first));
        for other in [request("b", true), request("a", false)] {
            let error = StateMachineRecord::create(Some(record.clone()), &other).unwrap_err();
            assert_eq!(error.message, "State Machine Already Exists: 'arn:m'");
        }
    }

    #[test]
    fn only_an_update_that_changes_something_makes_a_revision() {
        let record = created("a", false);
        let same = StateMachineRecord::update(Some(record.clone()), &update("a", "r1", false));
        let Ok(Change::None(answer)) = same else {
            panic!("{same:?}")
        };
        assert_eq!((answer.revision_id, answer.version), (None, None));
        let other = StateMachineRecord::update(Some(record), &update("b", "r1", false));
        let Ok(Change::Write(record, answer)) = other else {
            panic!("{other:?}")
        };
        assert_eq!(answer.revision_id.as_deref(), Some("r1"));
        assert_eq!(record.current.update_date, Timestamp::from_milliseconds(7));
        // Recorded: the revision that there is is reported again.
        let again = StateMachineRecord::update(Some(record), &update("b", "r2", false));
        let Ok(Change::None(answer)) = again else {
            panic!("{again:?}")
        };
        assert_eq!(answer.revision_id.as_deref(), Some("r1"));
    }

    #[test]
    fn an_update_may_publish_what_is_there() {
        let record = created("a", false);
        let first = StateMachineRecord::update(Some(record), &update("a", "r1", true));
        let Ok(Change::Write(record, answer)) = first else {
            panic!("{first:?}")
        };
        assert_eq!((answer.version, answer.revision_id), (Some(1), None));
        let again = StateMachineRecord::update(Some(record), &update("a", "r2", true)).unwrap();
        assert!(matches!(
            again,
            Change::None(UpdateOutcome {
                version: Some(1),
                ..
            })
        ));
    }

    /// Measured: a test of another project against the service.
    #[test]
    fn another_description_makes_another_version() {
        let record = created("a", true);
        let mut request = update("a", "r1", true);
        request.publication.description = Some("second version".to_owned());
        let again = StateMachineRecord::update(Some(record), &request);
        let Ok(Change::Write(record, answer)) = again else {
            panic!("{again:?}")
        };
        assert_eq!((answer.version, answer.revision_id), (Some(2), None));
        let described = record.version(2).unwrap().description.as_deref();
        assert_eq!(described, Some("second version"));
        let same = StateMachineRecord::update(Some(record), &request).unwrap();
        assert!(matches!(
            same,
            Change::None(UpdateOutcome {
                version: Some(2),
                ..
            })
        ));
    }

    #[test]
    fn something_must_be_updated() {
        let error = UpdateRequest::default().check().unwrap_err();
        assert_eq!(error.code, ErrorCode::MissingRequiredParameter);
        assert_eq!(update("a", "r", false).check(), Ok(()));
    }

    #[test]
    fn it_goes_when_nothing_runs() {
        assert_eq!(StateMachineRecord::delete(None, false), Change::None(()));
        let record = created("a", false);
        let Change::Write(going, ()) = StateMachineRecord::delete(Some(record.clone()), true)
        else {
            panic!("it runs")
        };
        assert!(going.is_deleting);
        let error = StateMachineRecord::update(Some(going.clone()), &update("b", "r", false));
        assert_eq!(error.unwrap_err().code, ErrorCode::StateMachineDeleting);
        let error = StateMachineRecord::create(Some(going.clone()), &request("a", false));
        assert_eq!(error.unwrap_err().code, ErrorCode::StateMachineDeleting);
        assert_eq!(
            StateMachineRecord::delete(Some(going.clone()), true),
            Change::None(())
        );
        assert_eq!(
            StateMachineRecord::delete(Some(going), false),
            Change::Remove(())
        );
        let error = StateMachineRecord::active::<StateMachineRecord>(None, "arn:m").unwrap_err();
        assert_eq!(error.message, "State Machine Does Not Exist: 'arn:m'");
    }

    #[test]
    fn a_record_is_read_as_it_was_written() {
        let record = created("a", true);
        let text = serde_json::to_string(&record).unwrap();
        assert_eq!(
            serde_json::from_str::<StateMachineRecord>(&text).unwrap(),
            record
        );
    }
}
