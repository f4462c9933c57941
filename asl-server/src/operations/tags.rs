//! Tags.
use super::{nothing, read};
use crate::api::{Api, Call};
use crate::arn::{Arn, Resource};
use crate::catalogue::{ActivityRecord, Change, Key, StateMachineRecord, Tag, Tags};
use crate::protocol::ApiError;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TagResource {
    resource_arn: String,
    tags: Vec<Tag>,
}

pub(super) async fn tag(api: &Arc<Api>, call: Call) -> Result<Value, ApiError> {
    let request: TagResource = read(call.request)?;
    let arn = &request.resource_arn;
    change(api, arn, |tags| tags.with(&request.tags, arn)).await?;
    Ok(nothing())
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct UntagResource {
    resource_arn: String,
    tag_keys: Vec<String>,
}

pub(super) async fn untag(api: &Arc<Api>, call: Call) -> Result<Value, ApiError> {
    let request: UntagResource = read(call.request)?;
    let untagged = |tags: Tags| Ok(tags.without(&request.tag_keys));
    change(api, &request.resource_arn, untagged).await?;
    Ok(nothing())
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ListTags {
    resource_arn: String,
}

pub(super) async fn list(api: &Arc<Api>, call: Call) -> Result<Value, ApiError> {
    let request: ListTags = read(call.request)?;
    let tags = match tagged(&request.resource_arn)? {
        Tagged::StateMachine(key) => {
            let record: Option<StateMachineRecord> = api.catalogue.read(&key).await?;
            record.map(|record| record.tags)
        }
        Tagged::Activity(key) => {
            let record: Option<ActivityRecord> = api.catalogue.read(&key).await?;
            record.map(|record| record.tags)
        }
    };
    let tags = tags.ok_or_else(|| ApiError::no_resource(&request.resource_arn))?;
    Ok(json!({ "tags": tags }))
}

/// What has tags.
enum Tagged {
    StateMachine(Key),
    Activity(Key),
}

/// Recorded: a version has none.
fn tagged(text: &str) -> Result<Tagged, ApiError> {
    let arn = Arn::parse(text)?;
    match arn.resource {
        Resource::StateMachine {
            name,
            qualifier: None,
        } => Ok(Tagged::StateMachine(Key::new(&arn.scope, &name))),
        Resource::Activity(name) => Ok(Tagged::Activity(Key::new(&arn.scope, &name))),
        _ => Err(ApiError::no_resource(text)),
    }
}

async fn change(
    api: &Arc<Api>,
    arn: &str,
    changed: impl Fn(Tags) -> Result<Tags, ApiError>,
) -> Result<(), ApiError> {
    let missing = || ApiError::no_resource(arn);
    match tagged(arn)? {
        Tagged::StateMachine(key) => {
            let change = |record: Option<StateMachineRecord>| {
                let record = record.ok_or_else(missing)?;
                let tags = changed(record.tags.clone())?;
                Ok(Change::Write(StateMachineRecord { tags, ..record }, ()))
            };
            api.catalogue.change(&key, change).await
        }
        Tagged::Activity(key) => {
            let change = |record: Option<ActivityRecord>| {
                let record = record.ok_or_else(missing)?;
                let tags = changed(record.tags.clone())?;
                Ok(Change::Write(ActivityRecord { tags, ..record }, ()))
            };
            api.catalogue.change(&key, change).await
        }
    }
}
