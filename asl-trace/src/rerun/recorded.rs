//! The recorded events, and which of them the rerun has.
use super::comparison::{Comparison, VaryingValues};
use super::{Difference, shown};
use crate::spans::Spans;
use crate::state_texts::StateTexts;
use crate::state_tree::StateTree;
use asl_engine::history::{EventDetails, HistoryEvent};
use asl_model::StateMachine;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Differences that are kept: what follows the first seldom says more.
const MOST_DIFFERENCES: usize = 50;

/// The recorded events, and those of the rerun that are the same.
pub(super) struct RecordedEvents {
    events: BTreeMap<u64, HistoryEvent>,
    /// The places of the recorded events, but of those of the execution itself.
    places: BTreeMap<u64, EventPlace>,
    /// Visits of the rerun.
    spans: Spans,
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

/// The place of an event.
struct EventPlace {
    /// Id of the event that entered the state.
    visit: u64,
    state: Arc<str>,
}

/// Result of the comparison.
pub(super) struct ComparisonResult {
    pub(super) equal: usize,
    pub(super) varying: usize,
    pub(super) differences: Vec<Difference>,
}

impl RecordedEvents {
    pub(super) fn new(history: &[HistoryEvent], machine: &StateMachine) -> Self {
        let tree = StateTree::new(machine);
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
            places: places(history, tree.clone()),
            spans: Spans::new(tree),
            following,
            ids: BTreeMap::from([(0, 0)]),
            texts: StateTexts::new(machine),
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

    /// Returns the visit of a recorded event, as the id of the event that entered the state.
    pub(super) fn visit(&self, event: u64) -> Option<u64> {
        self.places.get(&event).map(|place| place.visit)
    }

    /// Takes an event of the rerun, and compares it with the recorded one.
    pub(super) fn take(&mut self, event: &HistoryEvent) {
        let visit = self.spans.push(event).visit;
        let state = visit.map(|visit| visit.state.to_string());
        // What follows an event that is not recorded is not compared.
        let Some(parent) = self.of_rerun(event.previous_event_id) else {
            return;
        };
        let Some(id) = self.find(event, parent) else {
            return self.note(Difference::Unexpected {
                event_type: event.event_type().to_owned(),
                state,
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
        let own = shown(event);
        let equal = candidates.iter().find(|id| {
            let recorded = self.events.get(id);
            recorded.is_some_and(|it| shown(it) == own)
        });
        equal.copied().or(first)
    }

    fn compare(&mut self, id: u64, event: &HistoryEvent) -> Option<Difference> {
        let recorded = self.events.get(&id)?;
        let state = self.state(id);
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

    fn state(&self, event: u64) -> Option<String> {
        let place = self.places.get(&event)?;
        Some(place.state.to_string())
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
                state: self.state(id),
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

/// Returns the places of events. Those of the execution itself have none.
fn places(history: &[HistoryEvent], tree: StateTree) -> BTreeMap<u64, EventPlace> {
    let mut spans = Spans::new(tree);
    let places = history.iter().filter_map(|event| {
        let visit = spans.push(event).visit?;
        let state = Arc::clone(&visit.state);
        let visit = visit.event_id;
        Some((event.id, EventPlace { visit, state }))
    });
    places.collect()
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
