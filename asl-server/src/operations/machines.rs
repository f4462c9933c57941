//! State machines.
use super::computed::computed;
use super::list_by_name::list_by_name;
use super::variable_references::show;
use super::{IncludedData, date, members, nothing, read, text};
use crate::api::{Api, Call};
use crate::arn::{Arn, Qualifier};
use crate::catalogue::{
    self, CreateRequest, Key, Publication, Revision, StateMachineRecord, Tag, UpdateRequest,
};
use crate::names::{check_name, new_uuid};
use crate::protocol::{ApiError, ErrorCode};
use crate::scope::Scope;
use crate::{definition, deletion};
use asl_backend::{Definition, DefinitionId};
use asl_model::{Profile, StateMachineType};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CreateStateMachine {
    name: String,
    definition: String,
    role_arn: String,
    #[serde(rename = "type")]
    machine_type: Option<StateMachineType>,
    logging_configuration: Option<Value>,
    tracing_configuration: Option<Value>,
    encryption_configuration: Option<Value>,
    tags: Option<Vec<Tag>>,
    publish: Option<bool>,
    version_description: Option<String>,
}

pub(super) async fn create(api: &Arc<Api>, call: Call) -> Result<Value, ApiError> {
    let request: CreateStateMachine = read(call.request)?;
    check_name(&request.name)?;
    check_role(&request.role_arn)?;
    let publication = Publication::new(request.publish, request.version_description)?;
    let machine_type = request.machine_type.unwrap_or_default();
    let logging = logging_of(&request.name, request.logging_configuration.as_ref())?;
    let encryption = catalogue::encryption(request.encryption_configuration.as_ref())?;
    let (definition, activities) = store(api, request.definition, machine_type).await?;
    let key = Key::new(&call.scope, &request.name);
    let arn = call
        .scope
        .arn(format_args!("stateMachine:{}", request.name));
    let request = CreateRequest {
        arn,
        revision: Revision {
            id: None,
            definition: catalogue::digits(definition),
            activities,
            machine_type,
            role_arn: request.role_arn,
            logging,
            tracing: catalogue::tracing(request.tracing_configuration.as_ref()),
            encryption,
            update_date: api.backend.now(),
        },
        publication,
        tags: request.tags.unwrap_or_default(),
    };
    let created = api
        .catalogue
        .change(&key, |record| StateMachineRecord::create(record, &request))
        .await?;
    let version = created.version;
    Ok(members([
        ("creationDate", Some(date(created.creation_date))),
        (
            "stateMachineVersionArn",
            text(version.map(|number| format!("{}:{number}", request.arn))),
        ),
        ("stateMachineArn", Some(request.arn.into())),
    ]))
}

/// Returns the logging configuration of the state machine of this name.
fn logging_of(name: &str, given: Option<&Value>) -> Result<Value, ApiError> {
    let logging = catalogue::logging(given)?;
    catalogue::check_logged_name(name, &logging)?;
    Ok(logging)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct UpdateStateMachine {
    state_machine_arn: String,
    definition: Option<String>,
    role_arn: Option<String>,
    logging_configuration: Option<Value>,
    tracing_configuration: Option<Value>,
    encryption_configuration: Option<Value>,
    publish: Option<bool>,
    version_description: Option<String>,
}

pub(super) async fn update(api: &Arc<Api>, call: Call) -> Result<Value, ApiError> {
    let request: UpdateStateMachine = read(call.request)?;
    let text_of_arn = request.state_machine_arn;
    let arn = Arn::state_machine(&text_of_arn)?;
    let logging = request.logging_configuration.as_ref();
    let encryption = request.encryption_configuration.as_ref();
    let mut update = UpdateRequest {
        arn: text_of_arn.clone(),
        // Kept below, once it is known that there is something to change.
        definition: None,
        activities: Vec::new(),
        role_arn: request.role_arn,
        logging: logging
            .map(|it| logging_of(&arn.name, Some(it)))
            .transpose()?,
        tracing: request
            .tracing_configuration
            .map(|it| catalogue::tracing(Some(&it))),
        encryption: encryption
            .map(|it| catalogue::encryption(Some(it)))
            .transpose()?,
        publication: Publication::new(request.publish, request.version_description)?,
        now: api.backend.now(),
        new_id: new_uuid()?,
    };
    if request.definition.is_none() {
        update.check()?;
    }
    update.role_arn.as_deref().map_or(Ok(()), check_role)?;
    let record = api.machine(&arn.scope, &arn.name).await?;
    let record = record.filter(|_| arn.qualifier.is_none());
    let record = StateMachineRecord::active(record, &text_of_arn)?;
    if let Some(definition) = request.definition {
        let (id, activities) = store(api, definition, record.current.machine_type).await?;
        update.activities = activities;
        update.definition = Some(catalogue::digits(id));
    }
    let key = Key::new(&arn.scope, &arn.name);
    let updated = api
        .catalogue
        .change(&key, |record| StateMachineRecord::update(record, &update))
        .await?;
    let version = updated.version;
    Ok(members([
        ("updateDate", Some(date(updated.update_date))),
        ("revisionId", text(updated.revision_id)),
        (
            "stateMachineVersionArn",
            text(version.map(|number| format!("{}:{number}", arn.unqualified()))),
        ),
    ]))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct DescribeStateMachine {
    state_machine_arn: String,
    #[serde(default)]
    included_data: IncludedData,
}

pub(super) async fn describe(api: &Arc<Api>, call: Call) -> Result<Value, ApiError> {
    let request: DescribeStateMachine = read(call.request)?;
    let arn = Arn::state_machine(&request.state_machine_arn)?;
    let missing = || ApiError::no_state_machine(&request.state_machine_arn);
    let record = api.machine(&arn.scope, &arn.name).await?;
    let record = record.ok_or_else(missing)?;
    let version = match &arn.qualifier {
        Some(Qualifier::Version(number)) => Some(record.version(*number).ok_or_else(missing)?),
        Some(Qualifier::Alias(_)) => return Err(missing()),
        Some(Qualifier::Label(_)) | None => None,
    };
    let revision = version.map_or(&record.current, |version| &version.revision);
    let creation_date = version.map_or(record.creation_date, |version| version.creation_date);
    let status = if record.is_deleting {
        "DELETING"
    } else {
        "ACTIVE"
    };
    let (definition, references) = show(api, revision, request.included_data).await?;
    Ok(members([
        ("creationDate", Some(date(creation_date))),
        ("definition", definition),
        (
            "description",
            text(version.and_then(|version| version.description.as_ref())),
        ),
        ("encryptionConfiguration", Some(revision.encryption.clone())),
        ("label", text(arn.label())),
        ("loggingConfiguration", Some(revision.logging.clone())),
        ("name", Some(arn.name.clone().into())),
        ("revisionId", text(revision.id.as_ref())),
        ("roleArn", Some(revision.role_arn.clone().into())),
        ("stateMachineArn", Some(arn.to_string().into())),
        ("status", Some(status.into())),
        ("tracingConfiguration", Some(revision.tracing.clone())),
        ("type", Some(json!(revision.machine_type))),
        ("variableReferences", references),
    ]))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct DeleteStateMachine {
    state_machine_arn: String,
}

pub(super) async fn delete(api: &Arc<Api>, call: Call) -> Result<Value, ApiError> {
    let request: DeleteStateMachine = read(call.request)?;
    let arn = Arn::state_machine(&request.state_machine_arn)?;
    if arn.qualifier.is_some() {
        return Err(ApiError::validation(format!(
            "expected the ARN of a state machine without version, alias or label, found '{arn}': delete versions with \
             DeleteStateMachineVersion, aliases with DeleteStateMachineAlias"
        )));
    }
    let key = Key::new(&arn.scope, &arn.name);
    let running = api.backend.running_executions(arn.unqualified().into());
    let runs = running.await? > 0;
    api.catalogue
        .change(&key, |record| Ok(StateMachineRecord::delete(record, runs)))
        .await?;
    if runs {
        deletion::delete_in_background(api, key);
    }
    Ok(nothing())
}

pub(super) async fn list(api: &Arc<Api>, call: Call) -> Result<Value, ApiError> {
    let entry = |scope: &Scope, name: &str, record: &StateMachineRecord| {
        json!({
            "creationDate": date(record.creation_date),
            "name": name,
            "stateMachineArn": scope.arn(format_args!("stateMachine:{name}")),
            "type": record.current.machine_type,
        })
    };
    list_by_name(api, call, "stateMachines", entry).await
}

/// Checks a definition and stores it. Returns its id, and the ARNs of the activities that it invokes.
async fn store(
    api: &Arc<Api>,
    definition: String,
    machine_type: StateMachineType,
) -> Result<(DefinitionId, Vec<String>), ApiError> {
    let definition: Arc<str> = definition.into();
    let checked = Arc::clone(&definition);
    let bytes = checked.len();
    let activities = computed(api, bytes, move || {
        definition::check(&checked, machine_type)
    });
    let activities = activities.await??;
    let definition = Definition {
        text: definition,
        profile: Profile::Aws,
        state_machine_type: machine_type,
    };
    Ok((api.backend.store_definition(definition).await?, activities))
}

fn check_role(arn: &str) -> Result<(), ApiError> {
    match arn.starts_with("arn:") {
        true => Ok(()),
        false => Err(ApiError::new(
            ErrorCode::InvalidArn,
            format!("Invalid Role Arn: '{arn}'"),
        )),
    }
}

/// DescribeStateMachineForExecution, of what the state machine was when the execution started.
pub(super) async fn describe_revision(
    api: &Arc<Api>,
    revision: &Revision,
    included_data: IncludedData,
) -> Result<[(&'static str, Option<Value>); 7], ApiError> {
    let (definition, references) = show(api, revision, included_data).await?;
    Ok([
        ("definition", definition),
        ("encryptionConfiguration", Some(revision.encryption.clone())),
        ("loggingConfiguration", Some(revision.logging.clone())),
        ("revisionId", text(revision.id.as_ref())),
        ("roleArn", Some(revision.role_arn.clone().into())),
        ("tracingConfiguration", Some(revision.tracing.clone())),
        ("variableReferences", references),
    ])
}
