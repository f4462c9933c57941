//! Activities and their workers.
use super::list_by_name::list_by_name;
use super::{date, nothing, read};
use crate::api::{Api, Call};
use crate::arn::Arn;
use crate::catalogue::{self, ActivityRecord, Change, Key, Tag, Tags};
use crate::names::check_name;
use crate::protocol::{ApiError, ErrorCode};
use crate::scope::Scope;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Create {
    name: String,
    tags: Option<Vec<Tag>>,
    encryption_configuration: Option<Value>,
}

pub(super) async fn create(api: &Arc<Api>, call: Call) -> Result<Value, ApiError> {
    let request: Create = read(call.request)?;
    check_name(&request.name)?;
    let arn = call.scope.arn(format_args!("activity:{}", request.name));
    let tags = request.tags.unwrap_or_default();
    let new = ActivityRecord {
        creation_date: api.backend.now(),
        encryption: catalogue::encryption(request.encryption_configuration.as_ref())?,
        tags: Tags::default().with(&tags, &arn)?,
    };
    let key = Key::new(&call.scope, &request.name);
    let create = |record| ActivityRecord::create(record, new.clone(), &arn);
    let creation_date = api.catalogue.change(&key, create).await?;
    Ok(json!({ "activityArn": arn, "creationDate": date(creation_date) }))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ActivityRequest {
    activity_arn: String,
    worker_name: Option<String>,
}

pub(super) async fn describe(api: &Arc<Api>, call: Call) -> Result<Value, ApiError> {
    let request: ActivityRequest = read(call.request)?;
    let (record, name) = find(api, &request.activity_arn).await?;
    Ok(json!({
        "activityArn": request.activity_arn,
        "creationDate": date(record.creation_date),
        "encryptionConfiguration": record.encryption,
        "name": name,
    }))
}

/// Deletes an activity. Deleting an unknown activity succeeds (recorded).
pub(super) async fn delete(api: &Arc<Api>, call: Call) -> Result<Value, ApiError> {
    let request: ActivityRequest = read(call.request)?;
    let (scope, name) = Arn::activity(&request.activity_arn)?;
    let delete = |record: Option<ActivityRecord>| {
        Ok(match record {
            Some(_) => Change::Remove(()),
            None => Change::None(()),
        })
    };
    let key = Key::new(&scope, &name);
    api.catalogue.change(&key, delete).await?;
    Ok(nothing())
}

pub(super) async fn list(api: &Arc<Api>, call: Call) -> Result<Value, ApiError> {
    let entry = |scope: &Scope, name: &str, record: &ActivityRecord| {
        json!({
            "activityArn": scope.arn(format_args!("activity:{name}")),
            "creationDate": date(record.creation_date),
            "name": name,
        })
    };
    list_by_name(api, call, "activities", entry).await
}

/// GetActivityTask: waits for a task as long as the service does, or until the server is to stop. Where the worker leaves
/// meanwhile, this is dropped, and no task was taken.
pub(super) async fn take(api: &Arc<Api>, call: Call) -> Result<Value, ApiError> {
    let request: ActivityRequest = read(call.request)?;
    find(api, &request.activity_arn).await?;
    // Step Functions API Reference, GetActivityTask: ActivityWorkerLimitExceeded.
    let Ok(_place) = api.workers.try_acquire() else {
        return Err(ApiError::new(
            ErrorCode::ActivityWorkerLimitExceeded,
            "The maximum number of workers concurrently polling for activity tasks has been reached.",
        ));
    };
    let worker = request.worker_name.map(Arc::from);
    let task = api
        .backend
        .take_activity_task(request.activity_arn.into(), worker);
    let no_task = || Ok(json!({ "taskToken": null }));
    tokio::select! {
        // A task that is there is given also when the server is to stop.
        biased;
        task = task => {
            let task = task?;
            Ok(json!({ "input": task.input, "taskToken": task.token }))
        }
        () = api.stopped() => no_task(),
        () = tokio::time::sleep(api.options.activity_wait) => no_task(),
    }
}

/// Returns true if an ARN names an activity that exists.
pub(super) async fn activity_exists(api: &Api, arn: &str) -> Result<bool, ApiError> {
    let Ok((scope, name)) = Arn::activity(arn) else {
        return Ok(false);
    };
    let record: Option<ActivityRecord> = api.catalogue.read(&Key::new(&scope, &name)).await?;
    Ok(record.is_some())
}

async fn find(api: &Arc<Api>, arn: &str) -> Result<(ActivityRecord, String), ApiError> {
    let (scope, name) = Arn::activity(arn)?;
    let record = api.catalogue.read(&Key::new(&scope, &name)).await?;
    let record = record.ok_or_else(|| ApiError::no_activity(arn))?;
    Ok((record, name))
}
