//! A case: one execution, and what is expected of it.
use crate::judge::{differences, plain};
use crate::mock::{CountedMock, Mock, Mocks, Plan, PlanError};
use crate::output_file::OutputFile;
use crate::record::Recorder;
use crate::temporary_folder::TemporaryFolder;
use crate::{CaseReport, CaseRun, Definition, Difference, Expectations};
use asl_engine::runtime::{Clock, MemoryStorage, Runtime};
use asl_engine::{Identity, Limits, Start, StartAt, Timestamp};
use asl_host::{ExternalHandlers, MockConfiguration, MockHandler};
use asl_model::Position;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// 2024-01-01T00:00:00Z, in milliseconds.
const NEW_YEAR: i64 = 1_704_067_200_000;

/// Commands and connections of a case at a time.
const MAX_CONCURRENT: usize = 16;

/// One execution with mocks, by a clock of its own, and what is expected of it.
///
/// ```
/// use asl_test::{Answer, Case, Definition, Expectations};
/// use serde_json::json;
///
/// // #[test]
/// fn a_busy_card_is_charged_an_hour_later() -> Result<(), Box<dyn std::error::Error>> {
///     let definition = Definition::parse(r#"{"StartAt": "Charge", "States": {"Charge": {
///         "Type": "Task", "Resource": "charge-card", "End": true,
///         "Retry": [{"ErrorEquals": ["Busy"], "IntervalSeconds": 3600}]}}}"#)?;
///     let run = Case::new("a busy card", &definition)
///         .input(json!({"amount": 21}))
///         .mock("Charge", [Answer::throws("Busy", "later"), Answer::returns(json!({"paid": 21}))])
///         .expect(Expectations {
///             output: Some(json!({"paid": 21})),
///             duration: Some(3600.0.into()),
///             ..Expectations::default()
///         })
///         .run()
///         .into_result()?;
///     assert_eq!(run.calls.len(), 2);
///     Ok(())
/// }
/// # a_busy_card_is_charged_an_hour_later().unwrap();
/// ```
#[derive(Debug, Clone)]
pub struct Case {
    pub(crate) name: String,
    pub(crate) file: Option<PathBuf>,
    pub(crate) position: Option<Position>,
    /// Of what is expected, by the name of the field in the test file.
    pub(crate) positions: BTreeMap<String, Position>,
    pub(crate) definition: Definition,
    pub(crate) input: Value,
    pub(crate) variables: Map<String, Value>,
    pub(crate) context: Map<String, Value>,
    pub(crate) seed: u64,
    pub(crate) now: Timestamp,
    pub(crate) start_at: Option<String>,
    pub(crate) mocks: Vec<Mock>,
    pub(crate) mock_configuration: Option<ConfiguredMocks>,
    /// Objects by bucket and key.
    pub(crate) objects: BTreeMap<(String, String), Arc<[u8]>>,
    pub(crate) expectations: Expectations,
    pub(crate) output_file: Option<OutputFile>,
    /// Where commands run.
    pub(crate) folder: Option<PathBuf>,
}

/// A test case of a MockConfigFile.json.
#[derive(Debug, Clone)]
pub(crate) struct ConfiguredMocks {
    pub(crate) file: Arc<MockConfiguration>,
    pub(crate) state_machine: Option<String>,
    pub(crate) test_case: String,
}

impl Case {
    /// An execution with `{}` as its input, that starts on 2024-01-01, is to succeed, and whose tasks have no mocks yet.
    pub fn new(name: impl Into<String>, definition: &Definition) -> Self {
        Self {
            name: name.into(),
            file: None,
            position: None,
            positions: BTreeMap::new(),
            definition: definition.clone(),
            input: Value::Object(Map::new()),
            variables: Map::new(),
            context: Map::new(),
            seed: 0,
            now: Timestamp::from_milliseconds(NEW_YEAR),
            start_at: None,
            mocks: Vec::new(),
            mock_configuration: None,
            objects: BTreeMap::new(),
            expectations: Expectations::default(),
            output_file: None,
            folder: None,
        }
    }

    /// The execution's input.
    #[must_use]
    pub fn input(mut self, input: Value) -> Self {
        self.input = input;
        self
    }

    /// Variables that have values from the start.
    #[must_use]
    pub fn variables(mut self, variables: Map<String, Value>) -> Self {
        self.variables = variables;
        self
    }

    /// What is merged over the Context Object.
    #[must_use]
    pub fn context(mut self, context: Map<String, Value>) -> Self {
        self.context = context;
        self
    }

    /// What `States.UUID`, `States.MathRandom` and jitter come from.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// When the execution starts.
    #[must_use]
    pub fn start_time(mut self, now: Timestamp) -> Self {
        self.now = now;
        self
    }

    /// Begins at this state in place of `StartAt`.
    #[must_use]
    pub fn start_at(mut self, state: impl Into<String>) -> Self {
        self.start_at = Some(state.into());
        self
    }

    /// An object that ItemReader finds. What ResultWriter writes is kept for the case alone.
    #[must_use]
    pub fn object(mut self, bucket: &str, key: &str, content: impl Into<Vec<u8>>) -> Self {
        let content: Vec<u8> = content.into();
        let place = (bucket.to_owned(), key.to_owned());
        self.objects.insert(place, content.into());
        self
    }

    /// What stands for a state's task, or for a resource, as [`Mock::new`] has it.
    #[must_use]
    pub fn mock(
        mut self,
        target: impl Into<String>,
        answers: impl IntoIterator<Item = crate::Answer>,
    ) -> Self {
        self.mocks.push(Mock::new(target, answers));
        self
    }

    /// What is expected of the execution.
    #[must_use]
    pub fn expect(mut self, expectations: Expectations) -> Self {
        self.expectations = expectations;
        self
    }

    /// The case's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The test file that it is of.
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// The definition that it runs.
    pub fn definition(&self) -> &Definition {
        &self.definition
    }

    /// Runs it, on this thread; where tokio runs already, on one of its own.
    pub fn run(&self) -> CaseReport {
        let begun = Instant::now();
        let report = match tokio::runtime::Handle::try_current() {
            Ok(_) => std::thread::scope(|scope| scope.spawn(|| self.run_here()).join().ok()),
            Err(_) => Some(self.run_here()),
        };
        let report =
            report.unwrap_or_else(|| Err(vec![plain("run", "the case panicked".to_owned())]));
        let (run, differences) = match report {
            Ok((run, differences)) => (Some(run), differences),
            Err(differences) => (None, differences),
        };
        CaseReport {
            name: self.name.clone(),
            file: self.file.clone(),
            position: self.position,
            differences: differences.into_iter().map(|it| self.located(it)).collect(),
            run,
            elapsed: begun.elapsed(),
        }
    }

    fn located(&self, difference: Difference) -> Difference {
        let position = self.positions.get(difference.subject).copied();
        Difference {
            position: difference.position.or(position),
            ..difference
        }
    }

    fn run_here(&self) -> Result<(CaseRun, Vec<Difference>), Vec<Difference>> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        let runtime =
            runtime.map_err(|error| refused(format!("cannot start a runtime: {error}")))?;
        let run = runtime.block_on(self.drive());
        // Commands that are still at work are dropped without waiting for threads.
        runtime.shutdown_background();
        run
    }

    async fn drive(&self) -> Result<(CaseRun, Vec<Difference>), Vec<Difference>> {
        let recorder = Arc::new(Recorder::new(
            self.definition.clone(),
            self.variables.clone(),
        ));
        let storage = Arc::new(self.storage());
        let folder = self.temporary_folder()?;
        let refusals = |errors: Vec<PlanError>| {
            let errors = errors.into_iter();
            errors
                .map(|error| plain("mocks", error.message))
                .collect::<Vec<_>>()
        };
        let mocks = self
            .mocks(&recorder, &storage, folder.as_ref())
            .map_err(refusals)?;
        let runtime = Runtime::builder()
            .clock(Clock::virtual_from(self.now))
            .seed(self.seed)
            .handlers(mocks)
            .storage(Arc::clone(&storage))
            .observer(Arc::clone(&recorder))
            .build();
        let start = self.start()?;
        let mut execution = runtime
            .start_execution(self.definition.program(), start)
            .await;
        let ended = execution.ended().await;
        drop(runtime);
        let recorded = recorder.take();
        let gaps = recorded.gaps.into_iter().map(|gap| plain("mocks", gap));
        let mut found: Vec<Difference> = gaps.collect();
        let run = CaseRun {
            outcome: ended.outcome,
            start_date: ended.start_date,
            stop_date: ended.stop_date,
            transitions: ended.transitions,
            visits: recorded.visits,
            calls: recorded.calls,
            variables: recorded.variables,
            failed_in: recorded.failed_in,
        };
        found.extend(self.not_recorded());
        found.extend(differences(&self.expectations, &run, &self.definition));
        Ok((run, found))
    }

    fn start(&self) -> Result<Start, Vec<Difference>> {
        let program = self.definition.program();
        let at = match (&self.start_at, self.variables.is_empty()) {
            (None, true) => None,
            (state, _) => {
                let machine = self.definition.machine();
                let name = state.as_deref().unwrap_or(machine.states.start_at.as_str());
                let found = program.find_state(name);
                let missing = || {
                    refused(format!(
                        "startAt names the state `{name}`, which is not there"
                    ))
                };
                Some(Box::new(StartAt {
                    state: found.ok_or_else(missing)?,
                    variables: self.variables.clone(),
                    retry_count: 0,
                    only: false,
                    context: None,
                    children: None,
                }))
            }
        };
        Ok(Start {
            identity: Arc::new(Identity::new(self.definition.name(), "test")),
            seed: Some(self.seed),
            limits: limits(&self.definition),
            state_machine_type: self.definition.state_machine_type(),
            context: self.context.clone(),
            at,
            ..Start::new("test", self.input.clone(), self.now)
        })
    }

    /// What does the tasks.
    fn mocks(
        &self,
        recorder: &Arc<Recorder>,
        storage: &Arc<MemoryStorage>,
        temporary: Option<&TemporaryFolder>,
    ) -> Result<Mocks, Vec<PlanError>> {
        let external = ExternalHandlers::new(MAX_CONCURRENT);
        let external = match &self.folder {
            Some(folder) => external.in_folder(folder),
            None => external,
        };
        let external = match temporary {
            Some(folder) => external.environment("TMPDIR", folder.path()),
            None => external,
        };
        let configured = self.configured();
        let (otherwise, mut errors) = match configured {
            Ok(otherwise) => (otherwise, Vec::new()),
            Err(errors) => (None, errors),
        };
        let counted = self.mocks.iter().cloned().map(CountedMock::new);
        let counted: Vec<Arc<CountedMock>> = counted.map(Arc::new).collect();
        let plan = Plan {
            definition: &self.definition,
            mocks: &counted,
            storage,
            external: &external,
            otherwise,
            recorder,
        };
        match plan.into_mocks() {
            Ok(mocks) if errors.is_empty() => Ok(mocks),
            Ok(_) => Err(errors),
            Err(others) => {
                errors.extend(others);
                Err(errors)
            }
        }
    }

    /// Whether a text names a task, of the machine or of one that runs in the place of its tasks.
    pub(crate) fn has_task(&self, target: &str) -> bool {
        let nested = |mock: &Mock| {
            let inner = mock.inner(target)?;
            Some(mock.machines().any(|machine| machine.has_task(inner)))
        };
        self.definition.has_task(target) || self.mocks.iter().any(|mock| nested(mock) == Some(true))
    }

    /// What is wrong with the mocks.
    pub(crate) fn mock_errors(&self) -> Vec<PlanError> {
        let recorder = Arc::new(Recorder::new(self.definition.clone(), Map::new()));
        self.mocks(&recorder, &Arc::default(), None)
            .err()
            .unwrap_or_default()
    }

    /// The test case of a mock configuration.
    fn configured(&self) -> Result<Option<MockHandler>, Vec<PlanError>> {
        let Some(configured) = &self.mock_configuration else {
            return Ok(None);
        };
        let refused = |message: String| PlanError {
            message,
            pointer: None,
        };
        let machine = configured.state_machine.as_deref();
        let handler = configured.file.test_case(machine, &configured.test_case);
        let handler = handler.map_err(|error| vec![refused(error.to_string())])?;
        let test_case = &configured.test_case;
        let states = handler
            .states()
            .filter(|state| !self.definition.has_task(state));
        let mut errors: Vec<PlanError> = states
            .map(|state| {
                refused(format!(
                    "the test case `{test_case}`: {}",
                    self.definition.no_task(state)
                ))
            })
            .collect();
        errors.extend(handler.missing_responses().map(|(state, response)| {
            refused(format!("the test case `{test_case}` mocks `{state}` by the response `{response}`, which is not there"))
        }));
        match errors.is_empty() {
            true => Ok(Some(handler)),
            false => Err(errors),
        }
    }
}

/// The service's bounds, where its rules hold.
pub(crate) fn limits(definition: &Definition) -> Limits {
    Limits::from_profile(definition.program().profile())
}

/// Why a case could not begin.
pub(crate) fn refused(message: String) -> Vec<Difference> {
    vec![plain("run", message)]
}
