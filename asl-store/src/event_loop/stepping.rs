//! Application of one input to an execution, with its effects.
use super::effects::{activity_of, is_asked};
use super::performing::prepare;
use super::resident::Resident;
use super::{EventLoop, PostCommit};
use crate::database::journal::Record;
use crate::database::operation::Operation;
use crate::database::row::{RowId, encoded_by};
use crate::statistics::count;
use asl_engine::{Effect, EffectId, ErrorOutput, Input, PendingEffect, Step, Timestamp};

impl EventLoop {
    /// Applies an input to an execution, in memory or not: journals it, and handles its effects. Returns true if the
    /// execution exists and could receive it.
    pub(super) fn deliver_input(&mut self, row: RowId, input: Input, now: Timestamp) -> bool {
        let Some(input) = self.defer_input(row, input) else {
            return true;
        };
        let Some(mut resident) = self.take_resident(row) else {
            return false;
        };
        self.apply_input(&mut resident, input, now);
        self.put_resident(resident);
        true
    }

    /// Applies an input to an execution that was taken out of its slot.
    pub(super) fn apply_input(&mut self, resident: &mut Resident, input: Input, now: Timestamp) {
        if let Input::ChildExecutionEnded { id, .. } = &input {
            resident.children.remove(id);
        }
        if resident.is_journaled() {
            let record = resident.execution.journal(now, input.clone());
            let data = encoded_by(&mut self.outbox.encoding, &record);
            self.journal(resident, data);
        }
        self.step(resident, now, Some(input));
    }

    /// Journals a record of an execution.
    pub(super) fn journal(&mut self, resident: &mut Resident, data: Vec<u8>) {
        let id = self.loops.new_record();
        resident.records.push(id);
        resident.journaled += data.len();
        count(&self.shared.counters.inputs, 1);
        count(&self.shared.counters.journaled_bytes, data.len());
        resident.is_dirty = true;
        let execution = resident.id;
        self.outbox.operations.push(Operation::Journal(Record {
            id,
            execution,
            data,
        }));
    }

    /// Makes one step, and handles its effects.
    pub(super) fn step(&mut self, resident: &mut Resident, now: Timestamp, input: Option<Input>) {
        resident.limit_turn();
        let (execution, map_runs) = (&mut resident.execution, &mut resident.map_runs);
        let step = execution.step_with(now, input, |event| map_runs.note(&event));
        resident.note_turn(&step);
        self.stepped(resident, step, now);
    }

    /// Handles the effects of a step.
    pub(super) fn stepped(&mut self, resident: &mut Resident, step: Step, now: Timestamp) {
        resident.batch = self.outbox.batch;
        self.note_tree(resident);
        self.follow_map_runs(resident, now);
        self.take_step(resident, step, now);
    }

    fn take_step(&mut self, resident: &mut Resident, step: Step, now: Timestamp) {
        for id in step.cancelled {
            self.forget_effect(resident, id);
            if let Some(child) = resident.children.remove(&id) {
                self.send_input(child, Input::Stop(ErrorOutput::default()));
            }
            if let Some(nested) = resident.nested.remove(&id) {
                self.stop_nested(&resident.arn, nested);
            }
        }
        for effect in step.effects {
            self.request_effect(resident, effect, now);
        }
        if let Some(outcome) = step.outcome {
            return self.end(resident, outcome, now);
        }
        self.arm(resident, step.wake);
    }

    /// Notes an effect, to be performed once what requested it is durable.
    pub(super) fn request_effect(
        &mut self,
        resident: &mut Resident,
        effect: Effect,
        now: Timestamp,
    ) {
        let effect = match effect {
            Effect::Child(child) => return self.add_child(resident, *child, now),
            effect => effect,
        };
        let id = effect.id();
        let attempt = self.count_mocked(resident, &effect);
        let pending = PendingEffect::new(effect);
        let is_performed = attempt.is_none() && activity_of(&pending).is_none();
        resident.effects.insert(pending, attempt);
        // What is at hand now need not be looked for then.
        let prepared = match is_performed {
            true => prepare(&self.loops, resident, id),
            false => None,
        };
        self.outbox.post_commit.push(match prepared {
            Some((request, link)) => PostCommit::Spawn(request, link),
            None => PostCommit::Perform(resident.id, id),
        });
    }

    /// Removes an effect that is no longer needed.
    pub(super) fn forget_effect(&mut self, resident: &mut Resident, id: EffectId) {
        let Some(effect) = resident.effects.remove(id) else {
            return;
        };
        if let Some(activity) = activity_of(&effect.pending)
            && is_asked(&effect.pending)
        {
            self.loops.activities().withdraw(activity, resident.id, id);
        }
    }

    /// The next moment at which an execution has something to continue with.
    pub(super) fn arm(&mut self, resident: &mut Resident, wake: Option<Timestamp>) {
        if resident.armed == wake {
            return;
        }
        if let Some(armed) = resident.armed.take() {
            self.timers.remove(&(armed, resident.id));
        }
        if let Some(wake) = wake {
            self.timers.insert((wake, resident.id));
        }
        resident.armed = wake;
    }
}
