//! Starts of executions: by clients, and as children of Map Runs.
use super::message::StartMessage;
use super::resident::Resident;
use super::slots::Slot;
use super::{EventLoop, EvictingExecution};
use crate::clock::milliseconds;
use crate::database::earlier_run::EarlierRun;
use crate::database::executions::{self, Namesake};
use crate::database::new_row::NewRow;
use crate::database::operation::Operation;
use crate::database::row::{CoreStart, RowId, StartMetadata, encoded};
use crate::statistics::count;
use asl_backend::{
    BackendError, DefinitionId, StartError, StartedExecution, input_text, map_run_of,
};
use asl_engine::{ChildExecution, Execution, Program, Timestamp};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// A child of a Map Run that is written down, and has not begun.
pub(super) struct WaitingChild {
    pub(super) parent: RowId,
    pub(super) program: Program,
    pub(super) definition: DefinitionId,
    pub(super) child: Box<ChildExecution>,
    pub(super) about: StartMetadata,
}

impl EventLoop {
    /// Starts an execution, or reports the one that has its name.
    pub(super) fn start(&mut self, message: StartMessage, now: Timestamp) {
        let StartMessage { start, slot, told } = message;
        let slot = self.loops.slots.within(slot, self.index);
        let result = self.try_start(start, slot, now);
        let tell = move || {
            // Whoever gave up waiting need not know.
            let _ = told.send(result);
        };
        self.outbox.notify(tell);
    }

    fn try_start(
        &mut self,
        start: asl_backend::StartExecution,
        slot: Slot,
        now: Timestamp,
    ) -> Result<StartedExecution, StartError> {
        let broken = |error: rusqlite::Error| StartError::Backend(crate::error::broken(&error));
        let program = self
            .programs
            .get(&self.connection, start.definition)
            .map_err(broken)?;
        let definition = start.definition;
        let core_start = start.begin(now, &program, self.shared.options.max_execution_bytes);
        let about = StartMetadata::from_start(&start);
        let arn: Arc<str> = core_start.identity.execution_arn().into();
        if let Some(namesake) = self.namesake(&arn).map_err(broken)? {
            if !namesake.is_running || namesake.input != *start.input.text() {
                return Err(StartError::AlreadyExists);
            }
            if let (Some(nested), Some(row)) = (&start.nested, self.find(&arn)) {
                self.link_nested(nested, row);
            }
            return Ok(StartedExecution {
                arn,
                start_date: Timestamp::from_milliseconds(namesake.started),
                is_new: false,
            });
        }
        if let Some(refusal) = self.shared.refusal() {
            return Err(StartError::Backend(refusal));
        }
        let most = self.shared.options.max_running;
        if self.shared.counters.running.load(Ordering::Relaxed) >= most {
            return Err(StartError::TooMany(most));
        }
        let id = self.loops.slots.new_row(slot);
        if self.loops.directory.claim(&arn, id).is_err() {
            let why = "an execution with this name is being started: try again";
            let unavailable = BackendError::Unavailable(why.to_owned());
            return Err(StartError::Backend(unavailable));
        }
        let stored = CoreStart::Root(Box::new(core_start));
        self.outbox
            .operations
            .push(Operation::Begin(Box::new(NewRow {
                id,
                arn: Arc::clone(&arn),
                name: start.name.to_string(),
                machine: start.state_machine.arn.clone(),
                version: start.version_arn,
                alias: start.alias_arn,
                map_run: None,
                item_count: None,
                definition,
                started: milliseconds(now, false),
                parent: None,
                first: self.loops.next_record(),
                start: encoded(&stored),
                about: encoded(&about),
                earlier: None,
            })));
        let execution = self.execution_of(&program, stored);
        let mut resident = Resident::new(id, definition, execution, about, &self.shared.memory);
        count(&self.shared.counters.running, 1);
        count(&self.shared.counters.started, 1);
        self.report_start(&resident, false);
        self.step(&mut resident, now, None);
        let is_running = resident.execution.outcome().is_none();
        let nested = resident.about.nested.clone().filter(|_| is_running);
        self.put_resident(resident);
        if let Some(nested) = nested {
            self.link_nested(&nested, id);
        }
        Ok(StartedExecution {
            arn,
            start_date: now,
            is_new: true,
        })
    }

    /// Reports an execution that starts, once that is durable, and before its tasks.
    fn report_start(&mut self, resident: &Resident, is_child: bool) {
        if self.shared.observation.is_wanted() {
            let observation = self.shared.observation.clone();
            let identity = Arc::clone(&resident.execution.start_parameters().identity);
            self.outbox
                .notify(move || observation.execution_started(&identity, is_child));
        }
    }

    /// Returns the execution of a beginning, not yet run.
    pub(super) fn execution_of(&self, program: &Program, stored: CoreStart) -> Execution {
        stored.begin(program, Arc::clone(&self.shared.tokens))
    }

    fn namesake(&mut self, arn: &Arc<str>) -> rusqlite::Result<Option<Namesake>> {
        let row = self.loops.directory.get(arn);
        let has_ended = row.and_then(|row| self.residents.leaving.get(&row));
        if let Some((_, EvictingExecution::Ended(_))) = has_ended {
            return Ok(Some(Namesake::default()));
        }
        if let Some(resident) = row.and_then(|row| self.residents.by_row.get(&row)) {
            let start = resident.execution.start_parameters();
            return Ok(Some(Namesake {
                is_running: resident.execution.outcome().is_none(),
                started: milliseconds(start.now, false),
                input: input_text(start),
            }));
        }
        executions::namesake(&self.connection, arn)
    }

    /// Writes a child of a Map Run down; it begins when there is room. One that is there already continues.
    pub(super) fn add_child(
        &mut self,
        resident: &mut Resident,
        child: ChildExecution,
        now: Timestamp,
    ) {
        let effect = child.id;
        if resident.children.contains_key(&effect) {
            return;
        }
        let slots = &self.loops.slots;
        let row = slots.new_row(slots.of_row(resident.id));
        resident.children.insert(effect, row);
        let about = StartMetadata {
            root: Some(resident.root()),
            revision: Arc::clone(&resident.about.revision),
            mock_test_case: resident.about.mock_test_case.clone(),
            ..StartMetadata::default()
        };
        let identity = &child.start.identity;
        let arn: Arc<str> = identity.execution_arn().into();
        let name = identity.execution_name().to_owned();
        let item_count = child.item_count;
        let earlier = self.earlier_run(resident, &arn);
        let stored = CoreStart::Child(Box::new(child));
        self.outbox
            .operations
            .push(Operation::Begin(Box::new(NewRow {
                id: row,
                name,
                machine: labelled_machine(&arn),
                version: None,
                alias: None,
                map_run: map_run_of(&resident.execution, &arn),
                item_count: Some(item_count as i64),
                definition: resident.definition,
                started: milliseconds(now, false),
                parent: Some((resident.id, effect.0)),
                first: self.loops.next_record(),
                start: encoded(&stored),
                about: encoded(&about),
                earlier,
                arn,
            })));
        let CoreStart::Child(child) = stored else {
            return;
        };
        let waiting = WaitingChild {
            parent: resident.id,
            program: resident.execution.program().clone(),
            definition: resident.definition,
            child,
            about,
        };
        self.residents.waiting_children.insert(row, waiting);
    }

    /// Returns the earlier run of a child that starts again. Only a recovered or redriven parent can have one.
    fn earlier_run(&mut self, parent: &Resident, arn: &str) -> Option<EarlierRun> {
        if !parent.was_kept {
            return None;
        }
        let id = self.find(arn)?;
        self.residents.set_aside.remove(&id);
        Some(EarlierRun { id })
    }

    pub(super) fn may_begin_child(&self) -> bool {
        !self.residents.waiting_children.is_empty()
            && self.room_in_memory() > 0
            && !self.shared.memory.is_short()
    }

    /// Lets children begin, as far as there is room.
    pub(super) fn start_children(&mut self, now: Timestamp) {
        for _ in 0..super::ROUND {
            if !self.may_begin_child() {
                return;
            }
            let Some((row, waiting)) = self.residents.waiting_children.pop_first() else {
                return;
            };
            let resident = self.start_child(row, waiting, now);
            self.put_resident(resident);
        }
    }

    /// Lets a child begin.
    pub(super) fn start_child(
        &mut self,
        row: RowId,
        waiting: WaitingChild,
        now: Timestamp,
    ) -> Box<Resident> {
        let (parent, effect) = (waiting.parent, waiting.child.id);
        let execution = self.execution_of(&waiting.program, CoreStart::Child(waiting.child));
        let mut resident = Resident::new(
            row,
            waiting.definition,
            execution,
            waiting.about,
            &self.shared.memory,
        );
        resident.parent = Some((parent, effect));
        self.report_start(&resident, true);
        self.step(&mut resident, now, None);
        resident
    }
}

/// Returns the state machine's ARN with the label of the Map State, from the ARN of a child.
fn labelled_machine(arn: &str) -> String {
    let machine = arn.rsplit_once(':').map_or(arn, |(machine, _)| machine);
    machine.replacen(":execution:", ":stateMachine:", 1)
}
