//! Tasks that a test case answers: which attempt of its state each is, is kept with its execution.
use super::EventLoop;
use super::link::EffectMessage;
use super::resident::Resident;
use crate::database::mock_attempts;
use crate::database::operation::{MockAttempt, Operation};
use crate::database::row::RowId;
use asl_engine::runtime::{Request, Task};
use asl_engine::{Answer, Effect, EffectId, PendingEffect};
use asl_performers::MockHandler;
use rusqlite::Connection;
use std::collections::HashMap;
use std::sync::Arc;

/// State of test cases.
#[derive(Default)]
pub(super) struct Mocks {
    /// By state machine and test case; None if there is no such test case.
    handlers: HashMap<(String, Arc<str>), Option<Arc<MockHandler>>>,
    /// Attempts so far, by root execution and state.
    counts: HashMap<RowId, HashMap<Arc<str>, u64>>,
}

impl EventLoop {
    /// Returns the handler of an execution's test case.
    pub(super) fn mock_handler(&mut self, resident: &Resident) -> Option<Arc<MockHandler>> {
        let test_case = resident.about.mock_test_case.as_ref()?;
        let configuration = self.shared.options.mocks.as_ref()?;
        let machine = resident
            .execution
            .start_parameters()
            .identity
            .state_machine_name();
        let key = (machine.to_owned(), Arc::clone(test_case));
        let handler = self.mocks.handlers.entry(key).or_insert_with(|| {
            let handler = configuration.test_case(Some(machine), test_case);
            handler.ok().map(Arc::new)
        });
        handler.clone()
    }

    /// Counts a task that the execution's test case answers.
    pub(super) fn count_mocked(&mut self, resident: &Resident, effect: &Effect) -> Option<u64> {
        let Effect::Task(task) = effect else {
            return None;
        };
        let handler = self.mock_handler(resident)?;
        if !handler.mocks(&task.state_name) {
            return None;
        }
        let root = resident.root();
        if !self.mocks.counts.contains_key(&root) {
            let counts = mock_attempts::counts(&self.connection, root).unwrap_or_default();
            self.mocks.counts.insert(root, counts);
        }
        let counts = self.mocks.counts.entry(root).or_default();
        let count = counts.entry(Arc::clone(&task.state_name)).or_insert(0);
        let attempt = *count;
        *count += 1;
        self.outbox
            .operations
            .push(Operation::MockAttempt(Box::new(MockAttempt {
                execution: resident.id,
                effect: task.id.0,
                root,
                state: Arc::clone(&task.state_name),
                attempt,
            })));
        Some(attempt)
    }

    /// Answers a task by the test case of its execution; the task, where the test case has nothing for it.
    pub(super) fn answer_mocked(
        &mut self,
        row: RowId,
        id: EffectId,
        request: Request,
    ) -> Option<Request> {
        let resident = self.residents.by_row.get(&row)?;
        let attempt = resident.effects.get(id).and_then(|effect| effect.attempt);
        let (Some(attempt), Request::Task(task)) = (attempt, &request) else {
            return Some(request);
        };
        let answer = self.mocked_answer(row, task, attempt);
        match answer {
            Some(answer) => {
                let answer = EffectMessage::Answered(answer);
                self.loops.send_of_effect(row, id, answer);
                None
            }
            None => Some(request),
        }
    }

    fn mocked_answer(
        &mut self,
        row: RowId,
        task: &Task,
        attempt: u64,
    ) -> Option<asl_engine::runtime::PerformResult> {
        let resident = self.residents.by_row.remove(&row)?;
        let handler = self.mock_handler(&resident);
        self.residents.by_row.insert(row, resident);
        let answer = handler?.answer_attempt(task, attempt)?;
        Some(answer.map(Answer::Task))
    }

    /// Drops counts that are no longer needed.
    pub(super) fn forget_counts(&mut self, root: RowId) {
        self.mocks.counts.remove(&root);
    }
}

/// Returns the attempt number of a task of a loaded execution.
pub(super) fn known_attempt(
    connection: &Connection,
    resident: &Resident,
    pending: &PendingEffect,
) -> Option<u64> {
    resident.about.mock_test_case.as_ref()?;
    let Effect::Task(task) = &pending.effect else {
        return None;
    };
    let known = mock_attempts::attempt(connection, resident.id, task);
    known.ok().flatten()
}
