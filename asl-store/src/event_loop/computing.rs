//! Computing executions: they have their turns in the pool, and inputs that arrive meanwhile wait for the end of a turn.
use super::EventLoop;
use super::job::{ComputedTurn, Job};
use super::message::Message;
use super::resident::Resident;
use crate::database::row::RowId;
use asl_backend::NestedTask;
use asl_engine::{EffectId, Input, Step, Timestamp, TurnLimits};
use std::sync::Arc;

/// Work deferred to the end of a turn.
pub(super) enum DeferredWork {
    /// A message about the execution.
    Message(Message),
    /// An input from another execution.
    Told(Input),
    /// One of its effects is to be performed.
    Perform(EffectId),
    /// One of its tasks waits for this execution.
    Nested(Box<NestedTask>, RowId),
}

/// An execution that is in the pool.
pub(super) struct ComputingExecution {
    pub(super) root: RowId,
    pub(super) arn: Arc<str>,
    pub(super) work: Work,
    pub(super) is_large: bool,
    pub(super) waiting: Vec<DeferredWork>,
}

/// A job of the pool.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Work {
    Turn,
    Packing,
    Loading,
}

impl ComputingExecution {
    /// The place of an execution while it is in the pool.
    pub(super) fn of(resident: &Resident, work: Work) -> Self {
        Self {
            work,
            root: resident.root(),
            arn: Arc::clone(&resident.arn),
            is_large: resident.memory.is_large(),
            waiting: Vec::new(),
        }
    }
}

impl Resident {
    /// Limits a turn in the event loop: one that computes only has its input taken in.
    pub(super) fn limit_turn(&mut self) {
        let is_apart = self.is_computing || self.memory.is_large();
        let mut limits = TurnLimits::IN_EVENT_LOOP;
        if is_apart {
            limits.cost = 0;
        }
        self.execution.limit_turns(limits);
    }

    /// Notes whether it computes.
    pub(super) fn note_turn(&mut self, step: &Step) {
        self.is_abandoned = step.abandoned;
        self.spent = self.spent.saturating_add(step.cost);
        self.is_computing = TurnLimits::is_computing(self.is_computing, step.cost, step.yielded);
        self.memory.note(&self.execution);
    }
}

impl EventLoop {
    /// Submits unfinished executions to the pool. When memory is short, they run one after another; executions that the pool
    /// held back wait for the next round.
    pub(super) fn dispatch(&mut self) {
        for row in std::mem::take(&mut self.residents.ready) {
            let Some(mut resident) = self.residents.by_row.remove(&row) else {
                continue;
            };
            resident.is_ready = false;
            if !resident.execution.has_yielded() {
                self.put_resident(resident);
                continue;
            }
            if self.shared.memory.is_short()
                && !resident.has_turn
                && (self.was_held_back || self.residents.has_one_at_work())
            {
                // It continues once another one has come to the end of its turn.
                resident.is_ready = true;
                self.residents.ready.push(row);
                self.residents.by_row.insert(row, resident);
                continue;
            }
            let computing = ComputingExecution::of(&resident, Work::Turn);
            self.residents.computing.insert(row, computing);
            self.loops.pool.push(Job::Turn(resident));
        }
    }

    /// An execution had its turn.
    pub(super) fn computed(&mut self, computed: ComputedTurn, now: Timestamp) {
        let ComputedTurn {
            mut resident,
            now: began,
            record,
            step,
            save,
        } = computed;
        let row = resident.id;
        let waiting = self.residents.computing.remove(&row);
        if let Some(data) = record {
            self.journal(&mut resident, data);
        }
        if let Some(save) = save {
            self.write_snapshot(&mut resident, save);
        }
        self.stepped(&mut resident, step, began);
        self.put_resident(resident);
        self.apply_deferred(row, waiting, now);
    }

    /// An execution has no turn, since there was no memory for it when its turn came.
    pub(super) fn postpone(&mut self, resident: Box<Resident>, now: Timestamp) {
        let row = resident.id;
        let computing = self.residents.computing.remove(&row);
        self.put_resident(resident);
        self.apply_deferred(row, computing, now);
        self.was_held_back = true;
    }

    /// The turn of an execution panicked: it cannot continue, and is as it was kept.
    pub(super) fn handle_panic(&mut self, row: RowId, records: &[i64], now: Timestamp) {
        let waiting = self.residents.computing.remove(&row);
        if let Some(computing) = &waiting {
            self.loops.directory.remove(&computing.arn, row);
        }
        self.suspend_unrecoverable(row, "it panicked".to_owned(), records);
        self.apply_deferred(row, waiting, now);
    }

    /// Hears what waited for the end of a turn.
    pub(super) fn apply_deferred(
        &mut self,
        row: RowId,
        computing: Option<ComputingExecution>,
        now: Timestamp,
    ) {
        for waiting in computing.into_iter().flat_map(|it| it.waiting) {
            match waiting {
                DeferredWork::Message(message) => self.take(message, now),
                DeferredWork::Told(input) => self.send_input(row, input),
                DeferredWork::Perform(id) => self.perform(row, id),
                DeferredWork::Nested(nested, child) => self.link_nested(&nested, child),
            }
        }
    }

    /// Defers a message for an execution in the middle of a turn. An execution that only waits for its turn is taken back if
    /// a client waits for the response. A message for an execution of another event loop is sent there.
    pub(super) fn defer(&mut self, message: Message, now: Timestamp) -> Option<Message> {
        let has_apart = !self.residents.computing.is_empty() || !self.residents.evicted.is_empty();
        if !has_apart && self.loops.count() == 1 {
            return Some(message);
        }
        let by_arn = |arn: &str| self.loops.directory.get(arn);
        let (row, is_awaited) = match &message {
            Message::Effect(row, ..) => (Some(*row), false),
            Message::Start(start) => (by_arn(&start.start.identity().execution_arn()), true),
            Message::Reply { execution_arn, .. } => (by_arn(execution_arn), true),
            Message::Stop { arn, .. } | Message::Redrive { arn, .. } => (by_arn(arn), true),
            Message::UpdateMapRun { execution, .. } => (Some(*execution), true),
            Message::Records(row, _) => (Some(*row), true),
            _ => (None, false),
        };
        let row = row.filter(|row| !self.tells_records_of_evicted(&message, *row));
        if let Some(row) = row.filter(|row| !self.runs(*row)) {
            self.loops.send_to_row(row, message);
            return None;
        }
        let row = row.filter(|row| self.is_apart(*row));
        let Some(row) = row else {
            return Some(message);
        };
        if is_awaited && self.take_back(row, now) {
            return Some(message);
        }
        self.put_waiting(row, DeferredWork::Message(message), is_awaited);
        None
    }

    /// Returns true if a message requests the records of an execution that left memory, which are at hand.
    fn tells_records_of_evicted(&self, message: &Message, row: RowId) -> bool {
        let evicted = self.residents.evicted.get(&row);
        matches!(message, Message::Records(..)) && evicted.is_some_and(|it| !it.is_recovery)
    }

    /// Returns true if an execution is in the pool, or left memory for want of it.
    fn is_apart(&self, row: RowId) -> bool {
        self.residents.computing.contains_key(&row) || self.residents.evicted.contains_key(&row)
    }

    fn put_waiting(&mut self, row: RowId, waiting: DeferredWork, is_urgent: bool) {
        match self.residents.computing.get_mut(&row) {
            Some(computing) => computing.waiting.push(waiting),
            None => self.wait_for_evicted(row, waiting, is_urgent),
        }
    }

    /// Defers an input to the end of a turn; returns it if there is no turn.
    pub(super) fn defer_input(&mut self, row: RowId, input: Input) -> Option<Input> {
        if !self.is_apart(row) {
            return Some(input);
        }
        let is_urgent = matches!(input, Input::Stop(_) | Input::Fail(_));
        self.put_waiting(row, DeferredWork::Told(input), is_urgent);
        None
    }

    /// The same of anything else; whether it waits.
    pub(super) fn defer_waiting(
        &mut self,
        row: RowId,
        waiting: impl FnOnce() -> DeferredWork,
    ) -> bool {
        let is_apart = self.is_apart(row);
        if is_apart {
            self.put_waiting(row, waiting(), false);
        }
        is_apart
    }

    /// Takes an execution back that waits for its turn; it waits again when the round is over.
    fn take_back(&mut self, row: RowId, now: Timestamp) -> bool {
        let resident = (self.residents.computing.get(&row))
            .and_then(|computing| self.loops.pool.take_back(computing.root, row));
        let Some(resident) = resident else {
            return false;
        };
        let waiting = self.residents.computing.remove(&row);
        self.put_resident(resident);
        self.apply_deferred(row, waiting, now);
        true
    }

    /// Takes all back that wait for their turns.
    pub(super) fn take_back_all(&mut self) {
        let now = self.shared.clock.now();
        let rows: Vec<RowId> = self.residents.computing.keys().copied().collect();
        for row in rows {
            self.take_back(row, now);
        }
        self.apply_inputs(now);
        self.flush();
    }
}
