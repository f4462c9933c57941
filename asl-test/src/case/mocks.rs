//! Handlers for the tasks of a case.
use super::Case;
use crate::mock::{CountedMock, Mock, Mocks, Plan, PlanError};
use crate::record::Recorder;
use crate::temporary_folder::TemporaryFolder;
use asl_engine::runtime::MemoryStorage;
use asl_performers::{ExternalHandlers, MockConfiguration, MockHandler};
use std::sync::Arc;

/// Commands and connections of a case at a time.
const MAX_CONCURRENT: usize = 16;

/// A test case of a MockConfigFile.json.
#[derive(Debug, Clone)]
pub(crate) struct ConfiguredMocks {
    pub(crate) file: Arc<MockConfiguration>,
    pub(crate) state_machine: Option<String>,
    pub(crate) test_case: String,
}

impl Case {
    /// Creates the handlers of the tasks.
    pub(super) fn mocks(
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
            handlers: self.handlers.as_ref(),
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

    /// Returns true if a text names a task, of the machine or of one that runs in the place of its tasks.
    pub(crate) fn has_task(&self, target: &str) -> bool {
        let nested = |mock: &Mock| {
            let inner = mock.inner(target)?;
            Some(mock.machines().any(|machine| machine.has_task(inner)))
        };
        self.definition.has_task(target) || self.mocks.iter().any(|mock| nested(mock) == Some(true))
    }

    /// Returns the errors in the mocks.
    pub(crate) fn mock_errors(&self) -> Vec<PlanError> {
        let recorder = Arc::new(Recorder::new(&self.definition, false));
        self.mocks(&recorder, &Arc::default(), None)
            .err()
            .unwrap_or_default()
    }

    /// Returns the test case of a mock configuration.
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
            refused(format!("the test case `{test_case}` mocks `{state}` with the response `{response}`, which does not exist"))
        }));
        match errors.is_empty() {
            true => Ok(Some(handler)),
            false => Err(errors),
        }
    }
}
