//! A request in, a response out.
use crate::checks::check_state;
use crate::context::{Caller, context};
use crate::definition::{STATE_NAME, TestedState};
use crate::error::{TestStateError, TestStateErrorCode};
use crate::inspection::{TestContext, inspection_data};
use crate::request::{InspectionLevel, TestStateRequest};
use crate::request_checks::check_request;
use crate::response::{TestStateResponse, TestStatus};
use crate::run::{Begin, Perform, StateOutcome};
use crate::state_record::StateRecord;
use asl_engine::{ErrorOutput, TaskInvocation};
use asl_model::Timestamp;
use asl_path::json;
use serde_json::{Map, Value};
use std::sync::Arc;

/// Answers requests, with a current time and a function that runs tasks without a mock.
///
/// ```
/// use asl_model::Timestamp;
/// use asl_test_state::{TestStateRequest, Tester};
/// use serde_json::json;
///
/// let request = TestStateRequest::from_value(&json!({
///     "definition": {"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke", "End": true,
///         "Parameters": {"FunctionName": "charge"}, "Retry": [{"ErrorEquals": ["Busy"], "IntervalSeconds": 2}]},
///     "mock": {"errorOutput": {"error": "Busy"}},
///     "stateConfiguration": {"retrierRetryCount": 1},
///     "inspectionLevel": "DEBUG"}))?;
/// let response = Tester::new(Timestamp::from_milliseconds(0)).test(&request)?.to_value();
/// assert_eq!(response["status"], "RETRIABLE");
/// assert_eq!(response["inspectionData"]["errorDetails"], json!({"retryIndex": 0, "retryBackoffIntervalSeconds": 4}));
/// # Ok::<(), asl_test_state::TestStateError>(())
/// ```
pub struct Tester<'p> {
    now: Timestamp,
    caller: Caller,
    state: Option<Arc<TestedState>>,
    perform: Box<Perform<'p>>,
    performs: bool,
    #[cfg(feature = "services")]
    services: Option<&'p asl_services::Services>,
}

impl std::fmt::Debug for Tester<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tester")
            .field("now", &self.now)
            .field("performs", &self.performs)
            .finish_non_exhaustive()
    }
}

impl<'p> Tester<'p> {
    /// Creates a tester for the time `now` that runs no tasks.
    pub fn new(now: Timestamp) -> Self {
        Self {
            now,
            caller: Caller::default(),
            state: None,
            perform: Box::new(|_| Err(ErrorOutput::default())),
            performs: false,
            #[cfg(feature = "services")]
            services: None,
        }
    }

    /// Sets the caller's partition, region and account, which the Context Object shows if the role belongs to no other
    /// account. The default is a placeholder account in us-east-1.
    ///
    /// ```
    /// use asl_model::Timestamp;
    /// use asl_test_state::{TestStateRequest, Tester};
    /// use serde_json::json;
    ///
    /// let request = TestStateRequest::from_value(&json!({
    ///     "definition": {"Type": "Pass", "Parameters": {"id.$": "$$.StateMachine.Id"}, "End": true}}))?;
    /// let mut tester = Tester::new(Timestamp::from_milliseconds(0)).with_caller("aws", "eu-west-1", "000000000000");
    /// let output = tester.test(&request)?.output.unwrap();
    /// assert_eq!(output["id"], "arn:aws:states:eu-west-1:000000000000:stateMachine:TestState");
    /// # Ok::<(), asl_test_state::TestStateError>(())
    /// ```
    #[must_use]
    pub fn with_caller(mut self, partition: &str, region: &str, account: &str) -> Self {
        self.caller = Caller {
            partition: partition.to_owned(),
            region: region.to_owned(),
            account: account.to_owned(),
        };
        self
    }

    /// Sets the state of all requests, so that their definitions are not read again.
    #[must_use]
    pub fn with_state(mut self, state: Arc<TestedState>) -> Self {
        self.state = Some(state);
        self
    }

    /// Sets the services whose shapes validate mocked results. Without them, fields of results are not validated.
    #[cfg(feature = "services")]
    #[must_use]
    pub fn with_services(mut self, services: &'p asl_services::Services) -> Self {
        self.services = Some(services);
        self
    }

    /// Sets the performer of tasks without a mock.
    #[must_use]
    pub fn with_tasks(
        mut self,
        perform: impl FnMut(&TaskInvocation) -> Result<Value, ErrorOutput> + 'p,
    ) -> Self {
        self.perform = Box::new(perform);
        self.performs = true;
        self
    }

    /// Tests a state.
    ///
    /// # Errors
    /// What the service refuses the request with. A state that fails is no error: its response says so.
    pub fn test(
        &mut self,
        request: &TestStateRequest,
    ) -> Result<TestStateResponse, TestStateError> {
        let tested = self.test_with(request, None)?;
        // Without a bound nothing is given up.
        tested.ok_or_else(|| TestStateError::validation("the test was given up"))
    }

    /// Tests a state if its evaluations take at most about so many steps, as counted by
    /// [`TurnLimits`](asl_engine::TurnLimits). Returns None if they take more: then call [`test`](Self::test) in a place
    /// where it does not delay other work.
    ///
    /// # Errors
    /// As [`test`](Self::test).
    pub fn test_within(
        &mut self,
        request: &TestStateRequest,
        evaluation_steps: u64,
    ) -> Result<Option<TestStateResponse>, TestStateError> {
        self.test_with(request, Some(evaluation_steps))
    }

    fn test_with(
        &mut self,
        request: &TestStateRequest,
        evaluation_steps: Option<u64>,
    ) -> Result<Option<TestStateResponse>, TestStateError> {
        let state = match &self.state {
            Some(state) => {
                check_request(request)?;
                Arc::clone(state)
            }
            None => Arc::new(TestedState::from_request(request)?),
        };
        check_state(request, &state)?;
        self.check_performer(request, &state)?;
        #[cfg(feature = "services")]
        if let (Some(services), Some(mock)) = (self.services, &request.mock) {
            crate::field_validation::check(services, &state, mock)?;
        }
        let input_text = request.input.as_deref().unwrap_or("{}");
        let input = Arc::new(parsed_input(input_text)?);
        let variables = variables(request)?;
        let begin = Begin {
            request,
            state: &state,
            input: Arc::clone(&input),
            variables: variables.clone(),
            context: context(request, &state, &input, self.now, &self.caller)?,
            now: self.now,
            evaluation_steps,
        };
        let Some((ended, told)) = begin.run(&mut *self.perform)? else {
            return Ok(None);
        };
        check_failure_count(request, &state, &told)?;
        let given = TestContext {
            input: &input,
            variables: &variables,
            item_reader_data: request.configuration.map_item_reader_data.as_deref(),
            level: request.inspection_level,
        };
        let mut response = response(ended, &told);
        if request.inspection_level != InspectionLevel::Info {
            response.inspection_data = Some(inspection_data(&state, &told, &given));
        }
        Ok(Some(response))
    }

    fn check_performer(
        &self,
        request: &TestStateRequest,
        state: &TestedState,
    ) -> Result<(), TestStateError> {
        match state.state_type() == "Task" && request.mock.is_none() && !self.performs {
            true => Err(TestStateError::validation(
                "no service is called here: a Task state needs a mock, with a result or an errorOutput",
            )),
            false => Ok(()),
        }
    }
}

fn parsed_input(text: &str) -> Result<Value, TestStateError> {
    json::parse(text, json::DEFAULT_MAX_DEPTH).map_err(|error| {
        // What the service says has its place on a second line, which it leaves out here.
        let told = json::service_text(text).unwrap_or(error.message);
        let fault = told.lines().next().unwrap_or_default();
        TestStateError {
            code: TestStateErrorCode::InvalidExecutionInput,
            message: format!("Invalid State Machine Execution Input: '{fault}'"),
        }
    })
}

fn variables(request: &TestStateRequest) -> Result<Map<String, Value>, TestStateError> {
    let Some(text) = &request.variables else {
        return Ok(Map::new());
    };
    // Not recorded: how variables are refused that are no object.
    match json::parse(text, json::DEFAULT_MAX_DEPTH) {
        Ok(Value::Object(variables)) => Ok(variables),
        _ => Err(TestStateError::validation(
            "Variables must be a valid JSON object",
        )),
    }
}

/// Recorded: no more iterations can have failed than there are, by the result where the items are not known.
fn check_failure_count(
    request: &TestStateRequest,
    state: &TestedState,
    told: &StateRecord,
) -> Result<(), TestStateError> {
    let Some(failures) = request.configuration.map_iteration_failure_count else {
        return Ok(());
    };
    let result = request
        .mock
        .as_ref()
        .and_then(|mock| mock.result.as_deref());
    let is_read = state.has("ItemReader") && request.configuration.map_item_reader_data.is_none();
    let iterations = match is_read {
        true => result.and_then(|text| Some(parsed_input(text).ok()?.as_array()?.len() as u64)),
        false => told.iterations,
    };
    match iterations {
        Some(iterations) if failures > iterations => Err(TestStateError::validation(
            "Map iteration failure count must be less than or equal to the number of Map iterations",
        )),
        _ => Ok(()),
    }
}

fn response(ended: StateOutcome, told: &StateRecord) -> TestStateResponse {
    let caught = told.catcher.is_some();
    let (status, output, error_output) = match ended {
        StateOutcome::Left(output) if caught => {
            (TestStatus::CaughtError, Some(output), told.error.clone())
        }
        StateOutcome::Left(output) => (TestStatus::Succeeded, Some(output), None),
        StateOutcome::Failed(error_output) => (TestStatus::Failed, None, Some(error_output)),
        StateOutcome::Retried => (TestStatus::Retriable, None, told.error.clone()),
    };
    TestStateResponse {
        status,
        next_state: output.as_ref().and(told.next.clone()),
        output: output.map(|output| (*output).clone()),
        error_output: error_output.map(without_place),
        inspection_data: None,
    }
}

/// Recorded: a cause does not say which state was executed, as it does in an execution.
fn without_place(error_output: ErrorOutput) -> ErrorOutput {
    let place = format!(
        "An error occurred while executing the state '{STATE_NAME}' (entered at the event id #2). "
    );
    let shorter = |cause: String| match cause.strip_prefix(&place) {
        Some(rest) => rest.to_owned(),
        None => cause,
    };
    ErrorOutput {
        error: error_output.error,
        cause: error_output.cause.map(shorter),
    }
}
