//! One input into an execution, and what it means.
use super::hot::Hot;
use super::performing::prepare;
use super::{Afterwards, EventLoop};
use crate::database::journal::Record;
use crate::database::operation::Operation;
use crate::database::row::{RowId, encoded_by};
use crate::statistics::count;
use asl_engine::{
    Effect, EffectId, ErrorOutput, Input, Pending, ResourceKind, Step, TaskProgress, Timestamp,
};

impl EventLoop {
    /// Tells an execution something, in memory or not: journals it and takes what it means. Whether there is such an
    /// execution, and it could be told.
    pub(super) fn tell(&mut self, row: RowId, input: Input, now: Timestamp) -> bool {
        let Some(input) = self.defer_input(row, input) else {
            return true;
        };
        let Some(mut hot) = self.take_hot(row) else {
            return false;
        };
        self.tell_hot(&mut hot, input, now);
        self.put_hot(hot);
        true
    }

    /// Tells an execution that was taken out of its place.
    pub(super) fn tell_hot(&mut self, hot: &mut Hot, input: Input, now: Timestamp) {
        if let Input::ChildExecutionEnded { id, .. } = &input {
            hot.children.remove(id);
        }
        if hot.is_journaled() {
            let record = hot.execution.journal(now, input.clone());
            let data = encoded_by(&mut self.encoding, &record);
            self.journal(hot, data);
        }
        self.step(hot, now, Some(input));
    }

    /// Journals a record of an execution.
    pub(super) fn journal(&mut self, hot: &mut Hot, data: Vec<u8>) {
        let id = self.next_record;
        self.next_record += 1;
        hot.records.push(id);
        hot.journaled += data.len();
        count(&self.shared.counters.inputs, 1);
        count(&self.shared.counters.journaled_bytes, data.len());
        hot.is_dirty = true;
        let execution = hot.id;
        self.operations.push(Operation::Journal(Record {
            id,
            execution,
            data,
        }));
    }

    /// One step, and what it means.
    pub(super) fn step(&mut self, hot: &mut Hot, now: Timestamp, input: Option<Input>) {
        hot.limit_turn();
        let (execution, map_runs) = (&mut hot.execution, &mut hot.map_runs);
        let step = execution.step_with(now, input, |event| map_runs.note(&event));
        hot.note_turn(&step);
        self.stepped(hot, step, now);
    }

    /// What a step means.
    pub(super) fn stepped(&mut self, hot: &mut Hot, step: Step, now: Timestamp) {
        hot.batch = self.batch;
        self.note_tree(hot);
        self.follow_map_runs(hot, now);
        self.take_step(hot, step, now);
    }

    fn take_step(&mut self, hot: &mut Hot, step: Step, now: Timestamp) {
        for id in step.cancelled {
            self.forget_effect(hot, id);
            if let Some(child) = hot.children.remove(&id) {
                self.told
                    .push_back((child, Input::Stop(ErrorOutput::default())));
            }
            if let Some(nested) = hot.nested.remove(&id) {
                self.stop_nested(&hot.arn, nested);
            }
        }
        for effect in step.effects {
            self.ask(hot, effect, now);
        }
        if let Some(outcome) = step.outcome {
            return self.end(hot, outcome, now);
        }
        self.arm(hot, step.wake);
    }

    /// Notes an effect, to be performed once what asked for it is durable.
    pub(super) fn ask(&mut self, hot: &mut Hot, effect: Effect, now: Timestamp) {
        let effect = match effect {
            Effect::Child(child) => return self.ask_for_child(hot, *child, now),
            effect => effect,
        };
        let id = effect.id();
        let attempt = self.count_mocked(hot, &effect);
        let pending = Pending::new(effect);
        let is_performed = attempt.is_none() && activity_of(&pending).is_none();
        hot.effects.insert(pending, attempt);
        // What is at hand now need not be looked for then.
        let prepared = match is_performed {
            true => prepare(&self.shared, hot, id),
            false => None,
        };
        self.afterwards.push(match prepared {
            Some((request, link)) => Afterwards::Spawn(request, link),
            None => Afterwards::Perform(hot.id, id),
        });
    }

    /// Forgets an effect that nobody waits for any more.
    pub(super) fn forget_effect(&mut self, hot: &mut Hot, id: EffectId) {
        let Some(effect) = hot.effects.remove(id) else {
            return;
        };
        if let Some(activity) = activity_of(&effect.pending)
            && is_asked(&effect.pending)
        {
            self.activities.withdraw(activity, hot.id, id);
        }
    }

    /// The next moment at which an execution has something to go on with.
    pub(super) fn arm(&mut self, hot: &mut Hot, wake: Option<Timestamp>) {
        if hot.armed == wake {
            return;
        }
        if let Some(armed) = hot.armed.take() {
            self.timers.remove(&(armed, hot.id));
        }
        if let Some(wake) = wake {
            self.timers.insert((wake, hot.id));
        }
        hot.armed = wake;
    }
}

/// The activity whose worker is to do a task, where that is what it is.
pub(super) fn activity_of(pending: &Pending) -> Option<&str> {
    match &pending.effect {
        Effect::Task(task) if matches!(task.resource.kind, ResourceKind::Activity) => {
            Some(&task.resource.uri)
        }
        _ => None,
    }
}

/// Whether nobody has taken it yet.
pub(super) fn is_asked(pending: &Pending) -> bool {
    matches!(pending.progress, TaskProgress::Asked)
}
