//! A case: one execution, and its expectations.
mod mocks;
mod run;

pub(crate) use mocks::ConfiguredMocks;
pub(crate) use run::{limits, refused};

use crate::mock::{Handler, Mock};
use crate::output_file::OutputFile;
use crate::{Definition, Expectations};
use asl_engine::Timestamp;
use asl_engine::runtime::Performer;
use asl_model::Position;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// 2024-01-01T00:00:00Z, in milliseconds.
const NEW_YEAR: i64 = 1_704_067_200_000;

/// Transitions of one execution, unless a case says otherwise.
pub(crate) const MAX_TRANSITIONS: u64 = 100_000;

/// An execution with mocks and a clock of its own, and its expectations.
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
///         .expect(Expectations::default().with_output(json!({"paid": 21})).with_duration(Some(3600.0.into())))
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
    /// Positions of expectations, by the name of the field in the test file.
    pub(crate) positions: BTreeMap<String, Position>,
    pub(crate) definition: Definition,
    pub(crate) input: Value,
    pub(crate) variables: Map<String, Value>,
    pub(crate) context: Map<String, Value>,
    pub(crate) seed: u64,
    pub(crate) max_transitions: u64,
    pub(crate) now: Timestamp,
    pub(crate) start_at: Option<String>,
    pub(crate) mocks: Vec<Mock>,
    pub(crate) mock_configuration: Option<ConfiguredMocks>,
    pub(crate) handlers: Option<Handler>,
    /// Objects by bucket and key.
    pub(crate) objects: BTreeMap<(String, String), Arc<[u8]>>,
    pub(crate) expectations: Expectations,
    pub(crate) output_file: Option<OutputFile>,
    /// The working directory of commands.
    pub(crate) folder: Option<PathBuf>,
    /// True if coverage is counted.
    pub(crate) covers: bool,
}

impl Case {
    /// Creates a case with the input `{}` that starts on 2024-01-01, expects success, and has no mocks.
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
            max_transitions: MAX_TRANSITIONS,
            now: Timestamp::from_milliseconds(NEW_YEAR),
            start_at: None,
            mocks: Vec::new(),
            mock_configuration: None,
            handlers: None,
            objects: BTreeMap::new(),
            expectations: Expectations::default(),
            output_file: None,
            folder: None,
            covers: false,
        }
    }

    /// Sets the input of the execution.
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

    /// Merges an object into the Context Object.
    #[must_use]
    pub fn context(mut self, context: Map<String, Value>) -> Self {
        self.context = context;
        self
    }

    /// Sets the seed of `States.UUID`, `States.MathRandom` and jitter.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Transitions after which the execution fails, 100,000 by default: an Express machine that loops has no other end.
    #[must_use]
    pub fn max_transitions(mut self, max_transitions: u64) -> Self {
        self.max_transitions = max_transitions;
        self
    }

    /// Sets the start time of the execution.
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

    /// Adds an object that ItemReader finds. Objects of ResultWriter are stored for this case only.
    #[must_use]
    pub fn object(mut self, bucket: &str, key: &str, content: impl Into<Vec<u8>>) -> Self {
        let content: Vec<u8> = content.into();
        let place = (bucket.to_owned(), key.to_owned());
        self.objects.insert(place, content.into());
        self
    }

    /// Adds a mock for a state's task, or for a resource, see [`Mock::new`].
    #[must_use]
    pub fn mock(
        mut self,
        target: impl Into<String>,
        answers: impl IntoIterator<Item = crate::Answer>,
    ) -> Self {
        self.mocks.push(Mock::new(target, answers));
        self
    }

    /// Sets the handlers of tasks without a mock, for instance those with which the program runs the definition.
    ///
    /// ```
    /// use asl_engine::runtime::TaskHandlers;
    /// use asl_test::{Answer, Case, Definition};
    /// use serde_json::json;
    ///
    /// let definition = Definition::parse(r#"{"StartAt": "Reserve", "States": {
    ///     "Reserve": {"Type": "Task", "Resource": "reserve", "Next": "Charge"},
    ///     "Charge": {"Type": "Task", "Resource": "charge-card", "End": true}}}"#)?;
    /// let handlers = TaskHandlers::new()
    ///     .on_value("reserve", |order| async move { Ok(json!({"amount": order["amount"], "shelf": 17})) })
    ///     .on_value("charge-card", |_| async { unreachable!("it has a mock") });
    /// let run = Case::new("an order", &definition)
    ///     .input(json!({"amount": 21}))
    ///     .handlers(handlers)
    ///     .mock("Charge", [Answer::returns(json!("paid"))])
    ///     .run()
    ///     .into_result()?;
    /// assert_eq!(run.calls[1].payload["shelf"], 17);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn handlers(mut self, performer: impl Performer) -> Self {
        self.handlers = Some(Handler(Arc::new(performer)));
        self
    }

    /// Sets the expectations of the execution.
    #[must_use]
    pub fn expect(mut self, expectations: Expectations) -> Self {
        self.expectations = expectations;
        self
    }

    /// Counts what of its definition it reaches, for [`CaseReport::covered`](crate::CaseReport::covered).
    #[must_use]
    pub fn with_coverage(mut self) -> Self {
        self.covers = true;
        self
    }

    /// Returns the case's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The test file that it is of.
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// Returns the definition that it runs.
    pub fn definition(&self) -> &Definition {
        &self.definition
    }
}
