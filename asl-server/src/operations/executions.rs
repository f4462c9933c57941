//! Executions that were started.
use super::machines::describe_revision;
use super::start::type_not_supported;
use super::{IncludedData, date, members, read, text};
use crate::api::{Api, Call};
use crate::arn::{Arn, Qualifier};
use crate::catalogue::Revision;
use crate::page::{Pages, page_size};
use crate::protocol::{ApiError, ErrorCode};
use crate::redrive::Redrive;
use asl_backend::{
    ExecutionDescription, ExecutionFilter, ExecutionParent, ExecutionStatus, ExecutionSummary,
    RedriveError, StopError,
};
use asl_engine::ErrorOutput;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ExecutionRequest {
    execution_arn: String,
    #[serde(default)]
    included_data: IncludedData,
}

pub(super) async fn describe(api: &Arc<Api>, call: Call) -> Result<Value, ApiError> {
    let request: ExecutionRequest = read(call.request)?;
    let execution = find(api, &request.execution_arn).await?;
    let redrive = Redrive::new(&execution, api.backend.now());
    let includes_data = request.included_data == IncludedData::AllData;
    let data = |data: Option<&Arc<str>>| text(data.filter(|_| includes_data));
    let details = Some(json!({ "included": includes_data }));
    let summary = &execution.summary;
    Ok(members([
        ("cause", text(execution.error_output.cause.as_ref())),
        ("error", text(execution.error_output.error.as_ref())),
        ("executionArn", text(Some(&summary.arn))),
        ("input", data(Some(&execution.input))),
        ("inputDetails", details.clone()),
        ("mapRunArn", text(summary.map_run_arn.as_ref())),
        ("name", text(Some(&summary.name))),
        ("output", data(execution.output.as_ref())),
        (
            "outputDetails",
            details.filter(|_| execution.output.is_some()),
        ),
        ("redriveCount", Some(summary.redrive_count.into())),
        ("redriveDate", summary.redrive_date.map(date)),
        ("redriveStatus", Some(redrive.word().into())),
        ("redriveStatusReason", text(redrive.reason())),
        ("startDate", Some(date(summary.start_date))),
        ("stateMachineAliasArn", text(summary.alias_arn.as_ref())),
        ("stateMachineArn", text(Some(&summary.state_machine_arn))),
        ("stateMachineVersionArn", text(summary.version_arn.as_ref())),
        ("status", Some(summary.status.word().into())),
        ("stopDate", summary.stop_date.map(date)),
        ("traceHeader", text(execution.trace_header.as_ref())),
    ]))
}

/// DescribeStateMachineForExecution: what the state machine was when the execution started.
pub(super) async fn describe_state_machine(api: &Arc<Api>, call: Call) -> Result<Value, ApiError> {
    let request: ExecutionRequest = read(call.request)?;
    let execution = find(api, &request.execution_arn).await?;
    let revision: Revision = serde_json::from_str(&execution.revision).map_err(|error| {
        let fault = format!("the revision that the execution started with cannot be read: {error}");
        ApiError::new(ErrorCode::InternalServerError, fault)
    })?;
    let summary = &execution.summary;
    let arn = Arn::state_machine(&summary.state_machine_arn)?;
    let described = describe_revision(api, &revision, request.included_data).await?;
    let own = [
        ("label", text(arn.label())),
        ("mapRunArn", text(summary.map_run_arn.as_ref())),
        ("name", Some(arn.name.clone().into())),
        ("stateMachineArn", text(Some(&summary.state_machine_arn))),
        ("updateDate", Some(date(revision.update_date))),
    ];
    Ok(members(described.into_iter().chain(own)))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Stop {
    execution_arn: String,
    error: Option<String>,
    cause: Option<String>,
}

pub(super) async fn stop(api: &Arc<Api>, call: Call) -> Result<Value, ApiError> {
    let request: Stop = read(call.request)?;
    let arn = Arn::execution(&request.execution_arn)?;
    let error_output = ErrorOutput {
        error: request.error,
        cause: request.cause,
    };
    match api.backend.stop(arn.into(), error_output).await {
        Ok(stop_date) => Ok(json!({ "stopDate": date(stop_date) })),
        Err(StopError::Backend(error)) => Err(error.into()),
        Err(_) => Err(ApiError::no_execution(arn)),
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RedriveRequest {
    execution_arn: String,
    client_token: Option<String>,
}

pub(super) async fn redrive(api: &Arc<Api>, call: Call) -> Result<Value, ApiError> {
    let request: RedriveRequest = read(call.request)?;
    let arn = request.execution_arn;
    let execution = find(api, &arn).await?;
    let machine = Arn::state_machine(&execution.summary.state_machine_arn)?;
    let record = api.machine(&machine.scope, &machine.name).await?;
    let not_redrivable = |why: &str| ApiError::new(ErrorCode::ExecutionNotRedrivable, why);
    if record.is_none_or(|record| record.is_deleting) {
        return Err(not_redrivable(
            "The state machine of the execution was deleted, and the execution cannot be redriven",
        ));
    }
    // A redrive that is said again by its token finds the execution running: the backend knows.
    if request.client_token.is_none()
        && let Some(why) = Redrive::new(&execution, api.backend.now()).reason()
    {
        return Err(not_redrivable(why));
    }
    let token = request.client_token.map(Arc::from);
    match api.backend.redrive(arn.as_str().into(), token).await {
        Ok(redrive_date) => Ok(json!({ "redriveDate": date(redrive_date) })),
        Err(RedriveError::NotRedrivable(why)) => Err(not_redrivable(&why)),
        Err(RedriveError::Backend(error)) => Err(error.into()),
        Err(_) => Err(ApiError::no_execution(&arn)),
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct List {
    state_machine_arn: Option<String>,
    map_run_arn: Option<String>,
    status_filter: Option<String>,
    redrive_filter: Option<String>,
    max_results: Option<usize>,
    next_token: Option<String>,
}

pub(super) async fn list(api: &Arc<Api>, call: Call) -> Result<Value, ApiError> {
    let request: List = read(call.request)?;
    let parent = parent(api, &request).await?;
    let of = request
        .state_machine_arn
        .as_deref()
        .or(request.map_run_arn.as_deref());
    let (status, redriven) = (&request.status_filter, &request.redrive_filter);
    let pages = Pages {
        list: &[
            "ListExecutions",
            of.unwrap_or_default(),
            status.as_deref().unwrap_or_default(),
            redriven.as_deref().unwrap_or_default(),
        ],
        now: api.backend.now(),
    };
    let after = pages.cursor(request.next_token.as_deref())?;
    let filter = ExecutionFilter {
        parent,
        status: status.as_deref().and_then(ExecutionStatus::from_word),
        is_redriven: redriven.as_deref().map(|filter| filter == "REDRIVEN"),
    };
    let size = page_size(request.max_results);
    let page = api
        .backend
        .executions(filter, after.map(Arc::from), size)
        .await?;
    let entries: Vec<Value> = page.executions.iter().map(entry).collect();
    Ok(members([
        ("executions", Some(entries.into())),
        ("nextToken", text(page.next.map(|next| pages.token(&next)))),
    ]))
}

/// Returns the parent of the listed executions, which must exist.
async fn parent(api: &Arc<Api>, request: &List) -> Result<ExecutionParent, ApiError> {
    match (&request.state_machine_arn, &request.map_run_arn) {
        (Some(machine), None) if request.redrive_filter.is_some() => {
            Err(ApiError::validation(format!(
                "redriveFilter can only be used with mapRunArn, found the state machine '{machine}'"
            )))
        }
        (Some(text), None) => of_machine(api, text).await,
        (None, Some(text)) => {
            let arn = Arn::map_run(text)?;
            match api.backend.map_run(arn.into()).await? {
                Some(_) => Ok(ExecutionParent::MapRun(arn.into())),
                None => Err(ApiError::no_resource(arn)),
            }
        }
        _ => Err(ApiError::validation(
            "Exactly one of stateMachineArn and mapRunArn must be specified",
        )),
    }
}

async fn of_machine(api: &Arc<Api>, text: &str) -> Result<ExecutionParent, ApiError> {
    let arn = Arn::state_machine(text)?;
    let missing = || ApiError::no_state_machine(text);
    let record = api.machine(&arn.scope, &arn.name).await?;
    let record = record.ok_or_else(missing)?;
    if record.current.is_express() {
        return Err(type_not_supported());
    }
    match &arn.qualifier {
        None | Some(Qualifier::Label(_)) => Ok(ExecutionParent::StateMachine(text.into())),
        Some(Qualifier::Version(number)) => match record.version(*number) {
            Some(_) => Ok(ExecutionParent::Version(text.into())),
            None => Err(missing()),
        },
        Some(Qualifier::Alias(name)) => match record.alias(name) {
            Some(_) => Ok(ExecutionParent::Alias(text.into())),
            None => Err(ApiError::no_reference()),
        },
    }
}

fn entry(execution: &ExecutionSummary) -> Value {
    members([
        ("executionArn", text(Some(&execution.arn))),
        ("itemCount", execution.item_count.map(Value::from)),
        ("mapRunArn", text(execution.map_run_arn.as_ref())),
        ("name", text(Some(&execution.name))),
        ("redriveCount", Some(execution.redrive_count.into())),
        ("redriveDate", execution.redrive_date.map(date)),
        ("startDate", Some(date(execution.start_date))),
        ("stateMachineAliasArn", text(execution.alias_arn.as_ref())),
        ("stateMachineArn", text(Some(&execution.state_machine_arn))),
        (
            "stateMachineVersionArn",
            text(execution.version_arn.as_ref()),
        ),
        ("status", Some(execution.status.word().into())),
        ("stopDate", execution.stop_date.map(date)),
    ])
}

async fn find(api: &Arc<Api>, text: &str) -> Result<ExecutionDescription, ApiError> {
    let arn = Arn::execution(text)?;
    let execution = api.backend.describe(arn.into()).await?;
    execution.ok_or_else(|| ApiError::no_execution(arn))
}
