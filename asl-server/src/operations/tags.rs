//! Tags.
use super::{nothing, read};
use crate::api::{Api, Call};
use crate::arn::{Arn, Resource};
use crate::catalogue::{ActivityRecord, Change, Key, Record, StateMachineRecord, Tag, Tags};
use crate::protocol::ApiError;
use serde::Deserialize;
use serde_json::{Value, json};
use std::mem::take;
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
        TaggedResource::StateMachine(key) => tags_of::<StateMachineRecord>(api, &key).await?,
        TaggedResource::Activity(key) => tags_of::<ActivityRecord>(api, &key).await?,
    };
    let tags = tags.ok_or_else(|| ApiError::no_resource(&request.resource_arn))?;
    Ok(json!({ "tags": tags }))
}

async fn tags_of<R: Record>(api: &Api, key: &Key) -> Result<Option<Tags>, ApiError> {
    let record: Option<R> = api.catalogue.read(key).await?;
    Ok(record.map(|mut record| take(record.tags())))
}

/// Resources with tags.
enum TaggedResource {
    StateMachine(Key),
    Activity(Key),
}

/// Recorded: a version has none.
fn tagged(text: &str) -> Result<TaggedResource, ApiError> {
    let arn = Arn::parse(text)?;
    match arn.resource {
        Resource::StateMachine {
            name,
            qualifier: None,
        } => Ok(TaggedResource::StateMachine(Key::new(&arn.scope, &name))),
        Resource::Activity(name) => Ok(TaggedResource::Activity(Key::new(&arn.scope, &name))),
        _ => Err(ApiError::no_resource(text)),
    }
}

async fn change(
    api: &Arc<Api>,
    arn: &str,
    changed: impl Fn(Tags) -> Result<Tags, ApiError>,
) -> Result<(), ApiError> {
    match tagged(arn)? {
        TaggedResource::StateMachine(key) => {
            change_of::<StateMachineRecord>(api, &key, arn, changed).await
        }
        TaggedResource::Activity(key) => change_of::<ActivityRecord>(api, &key, arn, changed).await,
    }
}

async fn change_of<R: Record>(
    api: &Api,
    key: &Key,
    arn: &str,
    changed: impl Fn(Tags) -> Result<Tags, ApiError>,
) -> Result<(), ApiError> {
    let change = |record: Option<R>| {
        let mut record = record.ok_or_else(|| ApiError::no_resource(arn))?;
        let tags = record.tags();
        *tags = changed(take(tags))?;
        Ok(Change::Write(record, ()))
    };
    api.catalogue.change(key, change).await
}
