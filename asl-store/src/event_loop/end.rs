//! Ends of executions.
use super::EventLoop;
use super::resident::Resident;
use crate::clock::milliseconds;
use crate::database::operation::Operation;
use crate::database::row::End;
use crate::database::sealed_history::{REPLAYED, UNSEALED};
use crate::notice::StoreNotice;
use asl_backend::{ExecutionEnd, NestedEnd};
use asl_engine::{ErrorOutput, Identity, Input, Outcome, Timestamp};
use std::sync::Arc;

impl EventLoop {
    /// Stores the end of an execution, and notifies its waiter in the same transaction.
    pub(super) fn end(&mut self, resident: &mut Resident, outcome: Outcome, now: Timestamp) {
        self.arm(resident, None);
        self.trees.leave(resident.root(), resident.id);
        for id in resident.effects.ids(|_| true) {
            self.forget_effect(resident, id);
        }
        for child in std::mem::take(&mut resident.children).into_values() {
            self.send_input(child, Input::Stop(ErrorOutput::default()));
        }
        for nested in std::mem::take(&mut resident.nested).into_values() {
            self.stop_nested(&resident.arn, nested);
        }
        let identity = &resident.execution.start_parameters().identity;
        self.report_end(identity, resident.parent.is_some(), &outcome);
        match resident.is_journaled() {
            true => {
                let end = self.ended(resident, &outcome, now);
                self.outbox
                    .operations
                    .push(Operation::End(resident.id, Box::new(end)));
            }
            false => self.outbox.operations.push(Operation::Forget(resident.id)),
        }
        match resident.parent {
            Some((parent, id)) => {
                let told = Input::ChildExecutionEnded {
                    id,
                    outcome: outcome.clone(),
                };
                self.send_input(parent, told);
            }
            None => {
                self.shared.counters.end_running(&outcome);
                self.forget_counts(resident.id);
            }
        }
        if let Some(nested) = resident.about.nested.clone() {
            let ended = NestedEnd {
                outcome: &outcome,
                stop_date: now,
                start: resident.execution.start_parameters(),
                redrive_count: resident.execution.redrive_count(),
                version_arn: resident.about.version_arn.as_deref(),
                alias_arn: resident.about.alias_arn.as_deref(),
            };
            self.answer_nested(&ended, &nested);
        }
    }

    /// Reports the end, once that is durable: to the observer, and to the operator if the execution did not succeed.
    pub(super) fn report_end(
        &mut self,
        identity: &Arc<Identity>,
        is_child: bool,
        outcome: &Outcome,
    ) {
        let (notices, observation) = (&self.shared.options.notices, &self.shared.observation);
        let is_noticed = notices.is_wanted() && !matches!(outcome, Outcome::Succeeded(_));
        if !is_noticed && !observation.is_wanted() {
            return;
        }
        let (notices, observation) = (notices.clone(), observation.clone());
        let identity = Arc::clone(identity);
        let ExecutionEnd {
            status,
            error_output,
            ..
        } = ExecutionEnd::without_output(outcome);
        self.outbox.notify(move || {
            observation.execution_ended(&identity, is_child, status, &error_output);
            if is_noticed {
                notices.send(&StoreNotice::ExecutionEnded {
                    arn: identity.execution_arn().into(),
                    state_machine_arn: identity.state_machine_arn(),
                    status,
                    error: error_output.error,
                    cause: error_output.cause,
                });
            }
        });
    }

    /// Returns the end of an execution for its row. Its history is sealed later, unless sealing costs more than replay. A
    /// redrivable execution keeps its records, and gets a snapshot if replay costs more.
    fn ended(&mut self, resident: &Resident, outcome: &Outcome, now: Timestamp) -> End {
        let is_light = resident.is_light() && !self.shared.options.seals_all;
        // Packing a large one would make everybody wait: it is made again from its records where it is redriven.
        let is_large = resident.memory.is_large();
        let keeps_snapshot = !is_light && !is_large && resident.execution.can_be_redriven();
        if keeps_snapshot {
            let snapshot = super::parking::snapshot(resident, None);
            self.outbox
                .operations
                .push(Operation::Snapshot(Box::new(snapshot)));
        }
        if !is_light {
            let unsealed = self.shared.unsealed.clone();
            let notify = move || unsealed.notify();
            self.outbox.notify(notify);
        }
        let ExecutionEnd {
            status,
            output,
            error_output,
        } = outcome.into();
        End {
            status,
            stopped: milliseconds(now, false),
            output,
            error: error_output.error,
            cause: error_output.cause,
            events: resident.execution.event_count(),
            is_sealed: if is_light { REPLAYED } else { UNSEALED },
            records: (!keeps_snapshot).then(|| resident.records.clone()),
        }
    }
}
