//! Versions.
use super::{date, members, nothing, read, text};
use crate::api::{Api, Call};
use crate::arn::Arn;
use crate::catalogue::{Key, StateMachineRecord, Version};
use crate::page::{Pages, cut, page_size};
use crate::protocol::ApiError;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Publish {
    state_machine_arn: String,
    revision_id: Option<String>,
    description: Option<String>,
}

pub(super) async fn publish(api: &Arc<Api>, call: Call) -> Result<Value, ApiError> {
    let request: Publish = read(call.request)?;
    let arn = Arn::state_machine(&request.state_machine_arn)?;
    if arn.qualifier.is_some() {
        return Err(ApiError::no_state_machine(&request.state_machine_arn));
    }
    let now = api.backend.now();
    let publish = |record| {
        let id = request.revision_id.as_deref();
        let description = request.description.clone();
        StateMachineRecord::publish(record, &request.state_machine_arn, id, description, now)
    };
    let key = Key::new(&arn.scope, &arn.name);
    let version: Version = api.catalogue.change(&key, publish).await?;
    Ok(json!({
        "creationDate": date(version.creation_date),
        "stateMachineVersionArn": format!("{}:{}", arn.unqualified(), version.number),
    }))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct List {
    state_machine_arn: String,
    max_results: Option<usize>,
    next_token: Option<String>,
}

pub(super) async fn list(api: &Arc<Api>, call: Call) -> Result<Value, ApiError> {
    let request: List = read(call.request)?;
    let arn = Arn::state_machine(&request.state_machine_arn)?;
    let machine = arn.unqualified();
    let pages = Pages {
        list: &["ListStateMachineVersions", &machine],
        now: api.backend.now(),
    };
    let before = pages.cursor(request.next_token.as_deref())?;
    let before: u64 = before.and_then(|it| it.parse().ok()).unwrap_or(u64::MAX);
    let size = page_size(request.max_results);
    let record = api.machine(&arn.scope, &arn.name).await?;
    let versions = record.as_ref().map_or(&[][..], |record| &record.versions);
    let newest_first = versions.iter().rev();
    let mut listed: Vec<&Version> = newest_first
        .filter(|version| version.number < before)
        .take(size + 1)
        .collect();
    let next = cut(&mut listed, size).map(|last| pages.token(&last.number.to_string()));
    let entry = |version: &&Version| {
        json!({
            "creationDate": date(version.creation_date),
            "stateMachineVersionArn": format!("{machine}:{}", version.number),
        })
    };
    let entries: Vec<Value> = listed.iter().map(entry).collect();
    Ok(members([
        ("stateMachineVersions", Some(entries.into())),
        ("nextToken", text(next)),
    ]))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Delete {
    state_machine_version_arn: String,
}

pub(super) async fn delete(api: &Arc<Api>, call: Call) -> Result<Value, ApiError> {
    let request: Delete = read(call.request)?;
    let arn = Arn::state_machine(&request.state_machine_version_arn)?;
    let Some(number) = arn.version() else {
        return Err(ApiError::validation(format!(
            "expected the ARN of a version of a state machine, found '{arn}'"
        )));
    };
    let key = Key::new(&arn.scope, &arn.name);
    let delete = |record| StateMachineRecord::delete_version(record, number);
    api.catalogue.change(&key, delete).await?;
    Ok(nothing())
}
