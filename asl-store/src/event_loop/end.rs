//! How executions end.
use super::hot::Hot;
use super::{Afterwards, EventLoop};
use crate::clock::milliseconds;
use crate::database::operation::Operation;
use crate::database::row::End;
use crate::database::sealed_history::{REPLAYED, UNSEALED};
use crate::notice::StoreNotice;
use asl_engine::{ErrorOutput, Input, Outcome, Timestamp};
use asl_host::engine::{Ended, NestedEnd};
use std::sync::Arc;

impl EventLoop {
    /// Writes down how an execution ended, and tells whoever waits for it in the same transaction.
    pub(super) fn end(&mut self, hot: &mut Hot, outcome: Outcome, now: Timestamp) {
        self.arm(hot, None);
        self.trees.leave(hot.root(), hot.id);
        for id in hot.effects.ids(|_| true) {
            self.forget_effect(hot, id);
        }
        for child in std::mem::take(&mut hot.children).into_values() {
            self.told
                .push_back((child, Input::Stop(ErrorOutput::default())));
        }
        for nested in std::mem::take(&mut hot.nested).into_values() {
            self.stop_nested(&hot.arn, nested);
        }
        self.report_end(hot, &outcome);
        match hot.is_journaled() {
            true => {
                let end = self.ended(hot, &outcome, now);
                self.operations.push(Operation::End(hot.id, Box::new(end)));
            }
            false => self.operations.push(Operation::Forget(hot.id)),
        }
        match hot.parent {
            Some((parent, id)) => {
                let told = Input::ChildExecutionEnded {
                    id,
                    outcome: outcome.clone(),
                };
                self.told.push_back((parent, told));
            }
            None => {
                self.running = self.running.saturating_sub(1);
                self.forget_counts(hot.id);
            }
        }
        if let Some(nested) = hot.about.nested.clone() {
            let ended = NestedEnd {
                outcome: &outcome,
                stop_date: now,
                start: hot.execution.start_parameters(),
                redrive_count: hot.execution.redrive_count(),
                version_arn: hot.about.version_arn.as_deref(),
                alias_arn: hot.about.alias_arn.as_deref(),
            };
            self.answer_nested(&ended, &nested);
        }
    }

    /// Reports an execution that did not succeed, once that is durable.
    fn report_end(&mut self, hot: &Hot, outcome: &Outcome) {
        let notices = &self.shared.options.notices;
        if !notices.is_wanted() || matches!(outcome, Outcome::Succeeded(_)) {
            return;
        }
        let Ended {
            status,
            error_output,
            ..
        } = outcome.into();
        let start = hot.execution.start_parameters();
        let notice = StoreNotice::ExecutionEnded {
            arn: Arc::clone(&hot.arn),
            state_machine_arn: start.identity.state_machine_arn(),
            status,
            error: error_output.error,
            cause: error_output.cause,
        };
        let notices = notices.clone();
        let tell = move || notices.send(&notice);
        self.afterwards.push(Afterwards::Tell(Box::new(tell)));
    }

    /// How an execution ended, as its row says it. Its history is sealed later, unless that costs more than making it again; one
    /// that may be redriven keeps its records, and a snapshot where making it again costs more.
    fn ended(&mut self, hot: &Hot, outcome: &Outcome, now: Timestamp) -> End {
        let is_light = hot.is_light() && !self.shared.options.seals_all;
        let keeps_snapshot = !is_light && hot.execution.can_be_redriven();
        if keeps_snapshot {
            let snapshot = super::parking::snapshot(hot, None);
            self.operations
                .push(Operation::Snapshot(Box::new(snapshot)));
        }
        if !is_light {
            let unsealed = self.shared.unsealed.clone();
            let notify = move || unsealed.notify();
            self.afterwards.push(Afterwards::Tell(Box::new(notify)));
        }
        let Ended {
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
            events: hot.execution.event_count(),
            is_sealed: if is_light { REPLAYED } else { UNSEALED },
            records: (!keeps_snapshot).then(|| hot.records.clone()),
        }
    }
}
