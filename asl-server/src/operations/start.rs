//! Starting executions: by a state machine, a version of it, or an alias.
use super::activities::activity_exists;
use super::{date, read};
use crate::api::{Api, Call};
use crate::arn::{Arn, Qualifier};
use crate::catalogue::{Revision, StateMachineRecord};
use crate::input::read_input;
use crate::names::{check_name, new_uuid};
use crate::protocol::{ApiError, ErrorCode};
use crate::scope::Scope;
use asl_backend::{NestedTask, Payload, StartError, StartExecution};
use asl_engine::{StateMachineIdentity, Timestamp};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Request {
    pub(super) state_machine_arn: String,
    pub(super) name: Option<String>,
    pub(super) input: Option<String>,
    pub(super) trace_header: Option<String>,
}

/// The definition to start.
pub(super) struct Target {
    scope: Scope,
    pub(super) machine_name: String,
    pub(super) machine_arn: String,
    pub(super) revision: Revision,
    version_arn: Option<String>,
    alias_arn: Option<String>,
    mock_test_case: Option<String>,
}

/// A task of another execution, as what starts one.
pub(crate) struct StartedBy {
    /// The execution's name where the task gives none: of this task and no other.
    pub(crate) name: String,
    /// The response when the execution has ended.
    pub(crate) nested: Option<NestedTask>,
}

pub(super) async fn start(api: &Arc<Api>, call: Call) -> Result<Value, ApiError> {
    let request: Request = read(call.request)?;
    let (arn, start) = prepare(api, request, None).await?;
    let started = api.backend.start(start).await;
    let started = started.map_err(|error| refused(error, &arn))?;
    Ok(answer(&started.arn, started.start_date))
}

/// Starts an execution for a task. If the task runs again after a crash and has no name, the execution started before is the
/// result, even if it has ended.
pub(crate) async fn start_by_task(
    api: &Arc<Api>,
    call: Call,
    by: StartedBy,
) -> Result<Value, ApiError> {
    let mut request: Request = read(call.request)?;
    let is_of_the_task = request.name.is_none();
    request.name.get_or_insert(by.name);
    let (arn, start) = prepare(api, request, by.nested).await?;
    let start = start.with_by_task(true);
    let error = match api.backend.start(start).await {
        Ok(started) => return Ok(answer(&started.arn, started.start_date)),
        Err(error) => error,
    };
    if error == StartError::AlreadyExists && is_of_the_task {
        let known = api.backend.describe(arn.as_str().into()).await?;
        if let Some(known) = known {
            return Ok(answer(&known.summary.arn, known.summary.start_date));
        }
    }
    Err(refused(error, &arn))
}

/// Returns the ARN of a Standard execution, and the start as the backend takes it.
async fn prepare(
    api: &Arc<Api>,
    request: Request,
    nested: Option<NestedTask>,
) -> Result<(String, StartExecution), ApiError> {
    let name = name(&request)?;
    let target = target(api, &request.state_machine_arn, &name).await?;
    let input = input(request.input)?;
    let express_arn = match target.revision.is_express() {
        // Its end is told to nobody.
        true if nested.is_some() => return Err(type_not_supported()),
        true => Some(target.express_arn(&name)?),
        false => None,
    };
    let arn = target.execution_arn(&name);
    let absent_activities = target.absent_activities(api).await?;
    let start = target.start(name, input, request.trace_header, express_arn)?;
    let start = start
        .with_nested(nested)
        .with_absent_activities(absent_activities);
    Ok((arn, start))
}

fn answer(arn: &str, start_date: Timestamp) -> Value {
    json!({
        "executionArn": arn,
        "startDate": date(start_date),
    })
}

/// Returns the execution's name: the given one, or a UUID.
pub(super) fn name(request: &Request) -> Result<String, ApiError> {
    match &request.name {
        None => new_uuid(),
        Some(name) => check_name(name).map(|()| name.clone()),
    }
}

/// Returns the execution's input: the given text, or `{}`.
pub(super) fn input(given: Option<String>) -> Result<Payload, ApiError> {
    read_input(given.unwrap_or_else(|| "{}".to_owned()))
}

/// Resolves an ARN for an execution with this name. The test case of a MockConfigFile follows `#`.
pub(super) async fn target(
    api: &Arc<Api>,
    given: &str,
    execution_name: &str,
) -> Result<Target, ApiError> {
    let (text, mock_test_case) = match given.split_once('#') {
        Some((arn, case)) => (arn, Some(case.to_owned())),
        None => (given, None),
    };
    let arn = Arn::state_machine(text)?;
    let record = api.machine(&arn.scope, &arn.name).await?;
    let record = StateMachineRecord::active(record, text)?;
    let missing = || ApiError::no_state_machine(text);
    let (version, alias) = match &arn.qualifier {
        None => (None, None),
        Some(Qualifier::Version(number)) => (Some(*number), None),
        Some(Qualifier::Alias(name)) => {
            let alias = record.alias(name).ok_or_else(missing)?;
            (alias.version_for(execution_name), Some(name))
        }
        Some(Qualifier::Label(_)) => {
            return Err(ApiError {
                reason: Some("API_DOES_NOT_SUPPORT_LABELED_ARNS"),
                ..ApiError::validation(format!(
                    "This operation does not support labeled ARNs: '{text}'"
                ))
            });
        }
    };
    let revision = match version {
        None => record.current.clone(),
        Some(number) => record.version(number).ok_or_else(missing)?.revision.clone(),
    };
    let machine_arn = arn.unqualified();
    Ok(Target {
        version_arn: version.map(|number| format!("{machine_arn}:{number}")),
        alias_arn: alias.map(|name| format!("{machine_arn}:{name}")),
        scope: arn.scope,
        machine_name: arn.name,
        machine_arn,
        revision,
        mock_test_case,
    })
}

impl Target {
    fn execution_arn(&self, name: &str) -> String {
        self.scope
            .arn(format_args!("execution:{}:{name}", self.machine_name))
    }

    pub(super) fn express_arn(&self, name: &str) -> Result<String, ApiError> {
        let id = new_uuid()?;
        Ok(self
            .scope
            .arn(format_args!("express:{}:{name}:{id}", self.machine_name)))
    }

    /// Returns the ARNs of activities of the definition that do not exist. A test case may mock them all.
    async fn absent_activities(&self, api: &Api) -> Result<Vec<Arc<str>>, ApiError> {
        let mut absent = Vec::new();
        if self.mock_test_case.is_some() {
            return Ok(absent);
        }
        for arn in &self.revision.activities {
            if !activity_exists(api, arn).await? {
                absent.push(arn.as_str().into());
            }
        }
        Ok(absent)
    }

    /// As a backend takes it.
    pub(super) fn start(
        self,
        name: String,
        input: Payload,
        trace_header: Option<String>,
        express_arn: Option<String>,
    ) -> Result<StartExecution, ApiError> {
        let broken = |fault: String| ApiError::new(ErrorCode::InternalServerError, fault);
        let revision = serde_json::to_string(&self.revision);
        let definition = self.revision.definition_id().ok_or_else(|| {
            broken(format!(
                "the name of the definition of '{}' cannot be read",
                self.machine_arn
            ))
        })?;
        let state_machine = StateMachineIdentity {
            name: self.machine_name,
            arn: self.machine_arn,
            role_arn: self.revision.role_arn,
            region: self.scope.region.to_string(),
        };
        Ok(StartExecution::new(state_machine, name, definition, input)
            .with_express_arn(express_arn.map(Arc::from))
            .with_version_arn(self.version_arn.map(Arc::from))
            .with_alias_arn(self.alias_arn.map(Arc::from))
            .with_trace_header(trace_header.map(Arc::from))
            .with_mock_test_case(self.mock_test_case.map(Arc::from))
            .with_revision(revision.map_err(|error| broken(error.to_string()))?.into()))
    }
}

/// Converts the reason why an execution did not start.
pub(super) fn refused(error: StartError, arn: &str) -> ApiError {
    match error {
        StartError::AlreadyExists => ApiError::new(
            ErrorCode::ExecutionAlreadyExists,
            format!("Execution Already Exists: '{arn}'"),
        ),
        StartError::Backend(error) => error.into(),
        other => ApiError::new(ErrorCode::ExecutionLimitExceeded, other.to_string()),
    }
}

/// Recorded.
pub(super) fn type_not_supported() -> ApiError {
    ApiError::new(
        ErrorCode::StateMachineTypeNotSupported,
        "This operation is not supported by this type of state machine",
    )
}
