//! Starting, stopping and describing executions.
use crate::messages::{
    Began, CommandAnswer, CommandReply, ExecutionDetails, ExecutionStart, MockedTestCase,
    StartMetadata,
};
use crate::node::Node;
use crate::services::names::{EXECUTION, EXPRESS};
use asl_backend::{
    BackendError, CoreStart, DefinitionId, ExecutionDescription, ExecutionSummary, RedriveError,
    StartError, StartExecution, StartedExecution, StopError,
};
use asl_engine::{CORE_VERSION, ErrorOutput, Program, Start, Timestamp};
use std::sync::Arc;

/// Returns the program of a start, and how it begins in the core.
pub(super) async fn core_start(
    node: &Node,
    start: &StartExecution,
    max_execution_bytes: Option<u64>,
) -> Result<(Program, Start), StartError> {
    let program = node.program(&start.definition.digits()).await;
    let program = program.map_err(BackendError::from)?;
    let core = start.begin(node.now(), &program, max_execution_bytes);
    Ok((program, core))
}

pub(super) async fn start(
    node: &Node,
    start: StartExecution,
    max_execution_bytes: Option<u64>,
) -> Result<StartedExecution, StartError> {
    let (_, core) = core_start(node, &start, max_execution_bytes).await?;
    let arn: Arc<str> = core.identity.execution_arn().into();
    let beginning = ExecutionStart {
        nonce: nonce()?,
        core_version: CORE_VERSION,
        definition: start.definition.digits(),
        about: StartMetadata {
            mocked: mocked(node, &start, &arn),
            is_followed: node.is_followed().await.map_err(BackendError::from)?,
            ..StartMetadata::from_start(&start)
        },
        start: CoreStart::Root(Box::new(core)),
    };
    if beginning.is_express() {
        let sent = node.client.send(EXPRESS, "run", &beginning).await;
        sent.map_err(BackendError::from)?;
        return Ok(StartedExecution {
            arn,
            start_date: beginning.start.start().now,
            is_new: true,
        });
    }
    let place = (EXECUTION, &*arn, "begin");
    let began = node.client.call(place, &beginning).await;
    let began: Began = began.map_err(BackendError::from)?;
    let is_new = began.nonce == beginning.nonce;
    if !is_new && (began.has_ended || began.input != *start.input.text()) {
        return Err(StartError::AlreadyExists);
    }
    Ok(StartedExecution {
        arn,
        start_date: began.start_date,
        is_new,
    })
}

/// Returns the test case of an execution and its children.
fn mocked(node: &Node, start: &StartExecution, arn: &Arc<str>) -> Option<Arc<MockedTestCase>> {
    let handler = start.test_case(node.mocks.as_ref())?;
    Some(Arc::new(MockedTestCase {
        root: Arc::clone(arn),
        state_machine: start.state_machine.name.as_str().into(),
        test_case: start.mock_test_case.clone()?,
        states: handler.states().map(Arc::from).collect(),
    }))
}

/// Returns a random id that distinguishes a start from all others.
fn nonce() -> Result<String, BackendError> {
    let number = getrandom::u64();
    let number = number.map_err(|error| {
        BackendError::Unavailable(format!("no random numbers are available: {error}"))
    })?;
    Ok(format!("{number:016x}"))
}

pub(super) async fn stop(
    node: &Node,
    arn: Arc<str>,
    error_output: ErrorOutput,
) -> Result<Timestamp, StopError> {
    let answer = node.command(&arn, CommandReply::Stop(error_output)).await?;
    match answer.ok_or(StopError::NoExecution)? {
        CommandAnswer::Ended(stop_date) => Ok(stop_date),
        other => Err(unexpected(&other).into()),
    }
}

pub(super) async fn redrive(
    node: &Node,
    arn: Arc<str>,
    client_token: Option<Arc<str>>,
) -> Result<Timestamp, RedriveError> {
    let answer = node.command(&arn, CommandReply::Redrive { client_token });
    match answer.await?.ok_or(RedriveError::NoExecution)? {
        CommandAnswer::Redriven(date) => Ok(date),
        CommandAnswer::NotRedrivable(why) => Err(RedriveError::NotRedrivable(why)),
        other => Err(unexpected(&other).into()),
    }
}

/// No execution answers a command like this.
fn unexpected(answer: &CommandAnswer) -> BackendError {
    let what = match answer {
        CommandAnswer::Ended(_) => "that it has ended",
        CommandAnswer::Updated(_) => "of a Map Run",
        CommandAnswer::Redriven(_) | CommandAnswer::NotRedrivable(_) => "of a redrive",
    };
    BackendError::Broken(format!("the execution answered {what}, which nobody asked"))
}

pub(super) async fn describe(
    node: &Node,
    arn: Arc<str>,
) -> Result<Option<ExecutionDescription>, BackendError> {
    let place = (EXECUTION, &*arn, "describe");
    let found: Option<ExecutionDetails> = node.client.query(place).await?;
    found.map(description).transpose()
}

fn description(described: ExecutionDetails) -> Result<ExecutionDescription, BackendError> {
    let definition = definition_id(&described.definition)?;
    let about = described.about;
    let (output, error_output, event_count) = match described.ending {
        Some(ending) => (ending.output, ending.error_output, ending.event_count),
        None => (None, ErrorOutput::default(), 0),
    };
    Ok(ExecutionDescription {
        summary: ExecutionSummary::from(described.listed),
        input: described.input,
        output,
        error_output,
        trace_header: about.trace_header,
        definition,
        revision: about.revision,
        event_count,
        held: None,
    })
}

/// Returns the id of these digits.
fn definition_id(digits: &str) -> Result<DefinitionId, BackendError> {
    let broken = || BackendError::Broken(format!("'{digits}' is not the key of a definition"));
    let mut id = DefinitionId([0; 32]);
    for (place, byte) in id.0.iter_mut().enumerate() {
        let pair = digits.get(2 * place..2 * place + 2).ok_or_else(broken)?;
        *byte = u8::from_str_radix(pair, 16).map_err(|_| broken())?;
    }
    Ok(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_name_the_definition_that_they_were_made_of() {
        let id = DefinitionId(std::array::from_fn(|place| place as u8 * 8));
        assert_eq!(definition_id(&id.digits()), Ok(id));
        let refused = definition_id("0é").unwrap_err().to_string();
        assert_eq!(refused, "'0é' is not the key of a definition");
    }
}
