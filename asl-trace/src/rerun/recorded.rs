//! The recorded events, and which of them the rerun has.
use super::comparison::{Comparison, VaryingValues};
use super::{Difference, shown};
use crate::state_texts::StateTexts;
use asl_engine::history::{EventDetails, HistoryEvent};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Differences that are kept: what follows the first seldom says more.
const MOST_DIFFERENCES: usize = 50;

/// The recorded events, and those of the rerun that are the same.
pub(super) struct RecordedEvents {
    events: BTreeMap<u64, HistoryEvent>,
    /// Events by the one that they follow.
    following: BTreeMap<u64, Vec<u64>>,
    /// Recorded events that the rerun does not have yet.
    open: BTreeSet<u64>,
    /// The recorded event of each event of the rerun.
    ids: BTreeMap<u64, u64>,
    /// True if branches, iterations or children ran, whose order is free: what ends them may follow another event.
    /// Recorded: since November 2024 the exit of a distributed Map follows MapRunStarted, before that MapRunSucceeded.
    is_concurrent: bool,
    texts: StateTexts,
    varying: VaryingValues,
    equal: usize,
    differences: Vec<Difference>,
}

/// Result of the comparison.
pub(super) struct ComparisonResult {
    pub(super) equal: usize,
    pub(super) varying: usize,
    pub(super) differences: Vec<Difference>,
}

impl RecordedEvents {
    pub(super) fn new(history: &[HistoryEvent], texts: StateTexts) -> Self {
        let mut following = BTreeMap::<u64, Vec<u64>>::new();
        for event in history {
            let parent = event.previous_event_id;
            following.entry(parent).or_default().push(event.id);
        }
        let is_concurrent = |event: &HistoryEvent| {
            matches!(
                event.details,
                EventDetails::ParallelStateStarted
                    | EventDetails::MapIterationStarted { .. }
                    | EventDetails::MapRunStarted { .. }
            )
        };
        Self {
            is_concurrent: history.iter().any(is_concurrent),
            open: history.iter().map(|event| event.id).collect(),
            events: history
                .iter()
                .map(|event| (event.id, event.clone()))
                .collect(),
            following,
            ids: BTreeMap::from([(0, 0)]),
            texts,
            varying: VaryingValues::default(),
            equal: 0,
            differences: Vec::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.events.len()
    }

    /// Returns the recorded event of an event of the rerun.
    pub(super) fn of_rerun(&self, id: u64) -> Option<u64> {
        self.ids.get(&id).copied()
    }

    /// Returns the recorded events that may happen next, in order: those that follow what the rerun has.
    pub(super) fn next(&self) -> impl Iterator<Item = &HistoryEvent> {
        let has_parent = |event: &&HistoryEvent| {
            let parent = event.previous_event_id;
            !self.open.contains(&parent)
        };
        let open = self.open.iter().filter_map(|id| self.events.get(id));
        open.filter(has_parent)
    }

    /// Returns the event that scheduled the task of which an event reports; None if it reports of none.
    pub(super) fn scheduled(&self, event: &HistoryEvent) -> Option<u64> {
        let mut event = event;
        while is_of_task(&event.details) {
            let before = self.events.get(&event.previous_event_id)?;
            // Events follow earlier ones, also in a history that someone changed.
            if before.id >= event.id {
                return None;
            }
            event = before;
        }
        is_scheduling(&event.details).then_some(event.id)
    }

    /// Takes an event of the rerun, and compares it with the recorded one.
    pub(super) fn take(&mut self, event: &HistoryEvent) {
        // What follows an event that is not recorded is not compared.
        let Some(parent) = self.of_rerun(event.previous_event_id) else {
            return;
        };
        let Some(id) = self.find(event, parent) else {
            return self.note(Difference::Unexpected {
                event_type: event.event_type().to_owned(),
                state: self.state_of(event, parent),
                after: parent,
                details: shown(event),
            });
        };
        self.open.remove(&id);
        self.ids.insert(event.id, id);
        let found = self.compare(id, event);
        match found {
            None => self.equal += 1,
            Some(found) => self.note(found),
        }
    }

    /// Finds the recorded event: of several that it may be, the one with the same data, else the first.
    fn find(&mut self, event: &HistoryEvent, parent: u64) -> Option<u64> {
        let is_same = |id: &u64, all: &Self| {
            let recorded = all.events.get(id);
            all.open.contains(id) && recorded.is_some_and(|it| same_kind(it, event))
        };
        let after = self.following.get(&parent).into_iter().flatten().copied();
        let mut candidates: Vec<u64> = after.filter(|id| is_same(id, self)).collect();
        if candidates.is_empty() && self.is_concurrent {
            let open = self.open.iter().copied();
            candidates = open.filter(|id| is_same(id, self)).collect();
        }
        let first = candidates.first().copied();
        if candidates.len() < 2 {
            return first;
        }
        let equal = candidates.iter().find(|id| {
            let recorded = self.events.get(id);
            recorded.is_some_and(|it| shown(it) == shown(event))
        });
        equal.copied().or(first)
    }

    fn compare(&mut self, id: u64, event: &HistoryEvent) -> Option<Difference> {
        let recorded = self.events.get(&id)?;
        let state = self.state_of(recorded, recorded.previous_event_id);
        let reads_more = |name: &String| self.texts.reads_more_than_data(name);
        let ids = &self.ids;
        let mut comparison = Comparison {
            may_vary: state.as_ref().is_some_and(reads_more),
            varying: &mut self.varying,
            ids: &|id| ids.get(&id).copied(),
        };
        let found = comparison.details(&shown(recorded), &shown(event))?;
        Some(Difference::Value {
            event: id,
            event_type: recorded.event_type().to_owned(),
            state,
            place: found.place,
            recorded: found.recorded,
            rerun: found.rerun,
        })
    }

    /// Returns the state that an event is of: its own name, else that of the state which was entered before.
    fn state_of(&self, event: &HistoryEvent, parent: u64) -> Option<String> {
        let mut details = &event.details;
        let mut parent = parent;
        loop {
            match details {
                EventDetails::StateEntered { name, .. }
                | EventDetails::StateExited { name, .. } => {
                    return Some(name.to_string());
                }
                EventDetails::EvaluationFailed { state, .. } => return Some(state.to_string()),
                EventDetails::ExecutionStarted { .. }
                | EventDetails::ExecutionSucceeded { .. }
                | EventDetails::ExecutionAborted(_)
                | EventDetails::ExecutionTimedOut(_)
                | EventDetails::ExecutionRedriven { .. } => return None,
                _ => {}
            }
            let before = self.events.get(&parent)?;
            // Events follow earlier ones, also in a history that someone changed.
            (details, parent) = match before.previous_event_id < parent {
                true => (&before.details, before.previous_event_id),
                false => return None,
            };
        }
    }

    fn note(&mut self, difference: Difference) {
        if self.differences.len() < MOST_DIFFERENCES {
            self.differences.push(difference);
        }
    }

    /// Ends the comparison. Events that the rerun does not have are differences, unless it ended early.
    pub(super) fn finish(mut self, is_whole: bool) -> ComparisonResult {
        let missing: Vec<u64> = match is_whole {
            true => self.next().map(|event| event.id).collect(),
            false => Vec::new(),
        };
        for id in missing {
            let Some(event) = self.events.get(&id) else {
                continue;
            };
            let parent = event.previous_event_id;
            let instead = self.differences.iter().find_map(|found| match found {
                Difference::Unexpected {
                    event_type, after, ..
                } if *after == parent => Some(format!("has {event_type}")),
                _ => None,
            });
            self.note(Difference::Missing {
                event: id,
                event_type: event.event_type().to_owned(),
                state: self.state_of(event, parent),
                instead,
            });
        }
        self.differences.sort_by_key(Difference::event);
        ComparisonResult {
            equal: self.equal,
            varying: self.varying.count(),
            differences: self.differences,
        }
    }
}

/// Returns true if an event schedules a task.
pub(super) fn is_scheduling(details: &EventDetails) -> bool {
    matches!(
        details,
        EventDetails::TaskScheduled { .. }
            | EventDetails::LambdaFunctionScheduled { .. }
            | EventDetails::ActivityScheduled { .. }
    )
}

/// Returns true if an event reports on a task.
fn is_of_task(details: &EventDetails) -> bool {
    use EventDetails as E;
    matches!(
        details,
        E::LambdaFunctionStarted
            | E::LambdaFunctionSucceeded { .. }
            | E::LambdaFunctionFailed(_)
            | E::LambdaFunctionTimedOut(_)
            | E::LambdaFunctionScheduleFailed(_)
            | E::LambdaFunctionStartFailed(_)
            | E::ActivityStarted { .. }
            | E::ActivitySucceeded { .. }
            | E::ActivityFailed(_)
            | E::ActivityTimedOut(_)
            | E::ActivityScheduleFailed(_)
            | E::TaskStarted { .. }
            | E::TaskSubmitted { .. }
            | E::TaskSucceeded { .. }
            | E::TaskFailed { .. }
            | E::TaskTimedOut { .. }
            | E::TaskStartFailed { .. }
            | E::TaskSubmitFailed { .. }
    )
}

/// Returns true if two events are of one type, and of the same state or iteration.
fn same_kind(one: &HistoryEvent, other: &HistoryEvent) -> bool {
    fn key(event: &HistoryEvent) -> (&str, Option<&str>, Option<u64>) {
        use EventDetails as E;
        let event_type = event.event_type();
        match &event.details {
            E::StateEntered { name, .. } | E::StateExited { name, .. } => {
                (event_type, Some(name), None)
            }
            E::MapIterationStarted { name, index }
            | E::MapIterationSucceeded { name, index }
            | E::MapIterationFailed { name, index }
            | E::MapIterationAborted { name, index } => (event_type, Some(name), Some(*index)),
            _ => (event_type, None, None),
        }
    }
    key(one) == key(other)
}

/// Returns the output that an event has, as data of a task.
pub(super) fn output(details: &EventDetails) -> Option<&std::sync::Arc<Value>> {
    use EventDetails as E;
    match details {
        E::LambdaFunctionSucceeded { output }
        | E::ActivitySucceeded { output }
        | E::TaskSucceeded { output, .. } => Some(output),
        E::TaskSubmitted { output, .. } => output.as_ref(),
        _ => None,
    }
}
