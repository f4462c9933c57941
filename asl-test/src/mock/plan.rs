//! The mock of each task, determined before the case runs.
use super::choice::CountedMock;
use super::nested::NestedMachine;
use super::performer::{Mocks, ResourceMock, UnmockedTasks};
use super::{Action, Answer, Handler, Mock};
use crate::Definition;
use crate::record::Recorder;
use asl_engine::runtime::{MemoryStorage, Performer, TaskHandlers};
use asl_performers::{ExternalHandlers, MockHandler};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// An error in the mocks of a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PlanError {
    pub(crate) message: String,
    /// Of the mock, in the test file.
    pub(crate) pointer: Option<String>,
}

/// Data for building the mocks of a case.
pub(crate) struct Plan<'p> {
    pub(crate) definition: &'p Definition,
    pub(crate) mocks: &'p [Arc<CountedMock>],
    /// Handlers of commands and servers.
    pub(crate) external: &'p ExternalHandlers,
    /// Handler of tasks without a mock, if there is a test case of a mock configuration.
    pub(crate) otherwise: Option<MockHandler>,
    /// Handlers of the program for tasks without a mock.
    pub(crate) handlers: Option<&'p Handler>,
    pub(crate) recorder: &'p Arc<Recorder>,
    /// Object store of nested state machines.
    pub(crate) storage: &'p Arc<MemoryStorage>,
}

impl Plan<'_> {
    /// Returns the performer of the case.
    ///
    /// # Errors
    /// Everything that is wrong with the mocks.
    pub(crate) fn into_mocks(self) -> Result<Mocks, Vec<PlanError>> {
        let mut errors = Vec::new();
        let mut by_state: HashMap<String, Arc<CountedMock>> = HashMap::new();
        let mut routes = TaskHandlers::new();
        let external = self.external_handlers(&mut errors);
        for counted in self.mocks {
            let (mock, counted) = (counted.mock(), Arc::clone(counted));
            match self.definition.find_state(&mock.target) {
                Some(state) if self.is_task(state) => {
                    by_state.insert(state.to_owned(), counted);
                }
                Some(state) => {
                    errors.push(error(
                        mock,
                        format!("`{state}` is not a Task state, and needs no mock"),
                    ));
                }
                None if self.definition.has_task(&mock.target) => {
                    let mock = ResourceMock::new(counted, &external, self.recorder);
                    routes = routes.route(mock.target(), mock);
                }
                None if self.is_nested(&mock.target) => {}
                None => errors.push(error(mock, self.definition.no_task(&mock.target))),
            }
        }
        let unmocked: Arc<dyn Performer> = match self.handlers {
            Some(handlers) => Arc::clone(&handlers.0),
            None => Arc::new(UnmockedTasks(Arc::clone(self.recorder))),
        };
        let routes = match self.otherwise {
            Some(mocks) => routes.otherwise(mocks.otherwise(unmocked)),
            None => routes.otherwise(unmocked),
        };
        match errors.is_empty() {
            true => Ok(Mocks::new(by_state, routes, external, self.recorder)),
            false => Err(errors),
        }
    }

    /// Returns the handlers that answers name.
    fn external_handlers(&self, errors: &mut Vec<PlanError>) -> Externals {
        let mut handlers: BTreeMap<String, Arc<dyn Performer>> = BTreeMap::new();
        for mock in self.mocks.iter().map(|mock| mock.mock()) {
            for definition in mock.machines() {
                let nested = self.nested(mock, definition);
                errors.extend(nested.errors());
                handlers.insert(nested.key(), Arc::new(nested));
            }
            for Answer { action, .. } in mock.answers.iter().chain(&mock.default) {
                if let Action::External(text) = action
                    && !handlers.contains_key(text)
                {
                    match self.external.handler(text) {
                        Ok(handler) => {
                            handlers.insert(text.clone(), handler);
                        }
                        Err(refused) => errors.push(error(mock, refused.to_string())),
                    }
                }
            }
        }
        Arc::new(handlers)
    }

    /// Returns a state machine that runs in the place of a mock's tasks.
    fn nested(&self, mock: &Mock, definition: &Definition) -> NestedMachine {
        let inner = |counted: &Arc<CountedMock>| {
            let target = mock.inner(&counted.mock().target)?;
            Some(Arc::new(counted.within(target)))
        };
        NestedMachine {
            target: mock.target.clone(),
            definition: definition.clone(),
            mocks: self.mocks.iter().filter_map(inner).collect(),
            external: self.external.clone(),
            recorder: Arc::clone(self.recorder),
            storage: Arc::clone(self.storage),
        }
    }

    fn is_nested(&self, target: &str) -> bool {
        self.mocks
            .iter()
            .any(|mock| mock.mock().inner(target).is_some())
    }

    fn is_task(&self, state: &str) -> bool {
        let mut tasks = self.definition.program().tasks();
        tasks.any(|task| task.state_name() == state)
    }
}

/// Handlers of commands and servers, by the text that names them.
pub(super) type Externals = Arc<BTreeMap<String, Arc<dyn Performer>>>;

fn error(mock: &Mock, message: impl Into<String>) -> PlanError {
    PlanError {
        message: message.into(),
        pointer: mock.pointer.clone(),
    }
}
