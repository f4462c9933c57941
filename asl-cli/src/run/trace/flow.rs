//! The state of an event: events refer to the previous one, and so to the state's entry.
use super::data::Part;
use asl_engine::{EventDetails, HistoryEvent};
use asl_model::{StateType, Timestamp};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// A state that was entered and not left yet.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) name: Arc<str>,
    pub(crate) state_type: StateType,
    pub(crate) input: Arc<Value>,
    pub(crate) entered: Timestamp,
    pub(crate) place: Place,
    /// Invocations so far.
    pub(crate) attempts: u64,
    /// Time of the last failed invocation, if nothing followed.
    pub(crate) failed_at: Option<Timestamp>,
    /// Nothing before it has shown its input.
    pub(crate) brings_input: bool,
    branches: u64,
    /// The events of it that are remembered: they are forgotten when it is left.
    events: BTreeSet<u64>,
}

impl Entry {
    /// Returns true if it is of branches or iterations.
    pub(crate) fn holds_states(&self) -> bool {
        matches!(self.state_type, StateType::Parallel | StateType::Map)
    }

    /// Returns the input, where no line before has shown it.
    pub(crate) fn new_input(&self) -> Vec<Part<'_>> {
        let input = self.brings_input.then(|| Part::Value(&self.input));
        input.into_iter().collect()
    }
}

/// The position of a state.
#[derive(Debug, Clone, Default)]
pub(crate) struct Place {
    /// The entry of the state that holds it.
    parent: Option<u64>,
    /// Number of enclosing states.
    pub(crate) depth: usize,
    /// The branch or iteration.
    pub(crate) label: Option<Arc<str>>,
}

/// Events remembered of a state that holds no others.
const MOST_EVENTS: usize = 16;

/// The position after an event: the current state, or the position of the next one.
#[derive(Debug, Clone, Default)]
struct Here {
    entry: Option<u64>,
    place: Place,
    /// A branch begins.
    opens_branch: bool,
    /// An iteration begins, or the execution of one.
    opens_iteration: bool,
    /// A state was left.
    is_exit: bool,
}

/// The states of one execution.
#[derive(Debug)]
pub(crate) struct Flow {
    entries: BTreeMap<u64, Entry>,
    here: HashMap<u64, Here>,
    root: Place,
    /// Choice States that were left: where to is known by what comes after this event.
    choices: BTreeMap<u64, ChoiceExit>,
}

/// A Choice State that was left.
#[derive(Debug)]
pub(crate) struct ChoiceExit {
    pub(crate) entry: Entry,
    pub(crate) left: Timestamp,
    pub(crate) assigned: Vec<(Arc<str>, Arc<Value>)>,
}

impl Flow {
    /// No states yet. A labelled one stands within another execution.
    pub(crate) fn new(label: Option<String>) -> Self {
        Self {
            entries: BTreeMap::new(),
            here: HashMap::new(),
            root: Place {
                parent: None,
                depth: usize::from(label.is_some()),
                label: label.map(Arc::from),
            },
            choices: BTreeMap::new(),
        }
    }

    fn before(&self, event: &HistoryEvent) -> Here {
        let here = self.here.get(&event.previous_event_id).cloned();
        here.unwrap_or_else(|| Here {
            place: self.root.clone(),
            opens_iteration: self.root.label.is_some(),
            ..Here::default()
        })
    }

    /// A state is entered.
    pub(crate) fn enter(
        &mut self,
        event: &HistoryEvent,
        state_type: StateType,
        name: &Arc<str>,
        input: &Arc<Value>,
    ) -> &Entry {
        let events = self.take_entry(event);
        let Here {
            entry,
            mut place,
            opens_branch,
            opens_iteration,
            ..
        } = self.before(event);
        let mut brings_input = opens_iteration;
        if let Some(holder) = entry
            .filter(|_| opens_branch)
            .and_then(|id| self.entries.get_mut(&id))
        {
            holder.branches += 1;
            place.label = Some(format!("{}", holder.branches).into());
            brings_input = holder.input != *input;
        }
        let here = Here {
            entry: Some(event.id),
            place: place.clone(),
            ..Here::default()
        };
        self.here.insert(event.id, here);
        self.entries.entry(event.id).or_insert_with(|| Entry {
            name: Arc::clone(name),
            state_type,
            input: Arc::clone(input),
            entered: event.timestamp,
            place,
            attempts: 0,
            failed_at: None,
            brings_input,
            branches: 0,
            events,
        })
    }

    /// Returns the event of a state's entry, and that of leaving the state before it, which nothing after this state is
    /// linked to.
    fn take_entry(&mut self, event: &HistoryEvent) -> BTreeSet<u64> {
        let before = event.previous_event_id;
        let exit = self.here.get(&before).filter(|here| here.is_exit);
        let holder = exit.map(|here| here.entry);
        if let Some(holder) = holder.flatten().and_then(|id| self.entries.get_mut(&id)) {
            holder.events.remove(&before);
        }
        holder
            .map(|_| before)
            .into_iter()
            .chain([event.id])
            .collect()
    }

    /// Remembers what comes after an event, for as long as its state is not left.
    fn note(&mut self, event: &HistoryEvent, here: Here) {
        if let Some(entry) = here.entry.and_then(|id| self.entries.get_mut(&id)) {
            entry.events.insert(event.id);
            // Attempts are linked to the ones right before them.
            if !entry.holds_states()
                && entry.events.len() > MOST_EVENTS
                && let Some(oldest) = entry.events.pop_first()
            {
                self.here.remove(&oldest);
            }
        }
        self.here.insert(event.id, here);
    }

    /// A state is left: the nearest of its name on the way out.
    pub(crate) fn exit(&mut self, event: &HistoryEvent, name: &str) -> Option<Entry> {
        let before = self.before(event);
        let mut at = before.entry.or(before.place.parent);
        while let Some(id) = at {
            let entry = self.entries.get(&id)?;
            if &*entry.name == name {
                let entry = self.entries.remove(&id)?;
                for event in &entry.events {
                    self.here.remove(event);
                }
                let here = Here {
                    entry: entry.place.parent,
                    place: entry.place.clone(),
                    is_exit: true,
                    ..Here::default()
                };
                self.note(event, here);
                return Some(entry);
            }
            at = entry.place.parent;
        }
        None
    }

    /// A Choice State is left, to the state that is entered next.
    pub(crate) fn choose(
        &mut self,
        event: &HistoryEvent,
        entry: Entry,
        assigned: &[(Arc<str>, Arc<Value>)],
    ) {
        let chosen = ChoiceExit {
            entry,
            left: event.timestamp,
            assigned: assigned.to_vec(),
        };
        self.choices.insert(event.id, chosen);
    }

    /// The Choice State that the event comes after.
    pub(crate) fn chosen(&mut self, event: &HistoryEvent) -> Option<ChoiceExit> {
        self.choices.remove(&event.previous_event_id)
    }

    /// Starts a branch or an iteration, which contains the states entered next.
    pub(crate) fn open(&mut self, event: &HistoryEvent, label: Option<String>) {
        let before = self.before(event);
        let mut at = before.entry.or(before.place.parent);
        // From a sibling's last event up to the state that holds both.
        while let Some(entry) = at.and_then(|id| self.entries.get(&id)) {
            if entry.holds_states() {
                break;
            }
            at = entry.place.parent;
        }
        let depth = at
            .and_then(|id| self.entries.get(&id))
            .map_or(0, |entry| entry.place.depth);
        let here = Here {
            entry: at,
            opens_branch: label.is_none(),
            opens_iteration: label.is_some(),
            place: Place {
                parent: at,
                depth: depth + 1,
                label: label.map(Arc::from),
            },
            is_exit: false,
        };
        self.note(event, here);
    }

    /// Any other event: of the state that the one before it was of.
    pub(crate) fn follow(&mut self, event: &HistoryEvent) -> Option<&mut Entry> {
        let mut before = self.before(event);
        if matches!(event.details, EventDetails::MapStateStarted { .. }) {
            before.opens_branch = false;
        }
        let entry = before.entry;
        before.is_exit = false;
        self.note(event, before);
        self.entries.get_mut(&entry?)
    }

    /// Returns all that were not left, as entered; they are forgotten.
    pub(crate) fn unfinished(&mut self) -> Vec<Entry> {
        std::mem::take(&mut self.entries).into_values().collect()
    }

    /// The states that something is awaited in: those that hold none.
    pub(crate) fn waiting(&self) -> impl Iterator<Item = &Entry> {
        self.entries.values().filter(|entry| !entry.holds_states())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A history whose events are linked to the ones before them.
    struct Events {
        flow: Flow,
        id: u64,
    }

    impl Events {
        fn event(&mut self, details: EventDetails, previous_event_id: u64) -> HistoryEvent {
            self.id += 1;
            HistoryEvent {
                id: self.id,
                previous_event_id,
                timestamp: Timestamp::default(),
                details,
            }
        }

        fn follow(&mut self, details: EventDetails) {
            let event = self.event(details, self.id);
            self.flow.follow(&event);
        }

        /// A state whose task was retried thirty times.
        fn state(&mut self, state_type: StateType) {
            self.enter(state_type);
            for _ in 0..30 {
                self.follow(EventDetails::LambdaFunctionStarted);
                self.follow(EventDetails::LambdaFunctionFailed(Default::default()));
            }
            self.exit();
        }

        fn enter(&mut self, state_type: StateType) {
            let event = self.event(EventDetails::MapRunSucceeded, self.id);
            self.flow
                .enter(&event, state_type, &"A".into(), &Arc::default());
        }

        fn exit(&mut self) {
            let event = self.event(EventDetails::MapRunSucceeded, self.id);
            assert!(self.flow.exit(&event, "A").is_some());
        }
    }

    #[test]
    fn what_is_over_is_not_remembered() {
        let mut events = Events {
            flow: Flow::new(None),
            id: 0,
        };
        events.follow(EventDetails::MapRunSucceeded);
        for _ in 0..100 {
            events.state(StateType::Task);
            events.enter(StateType::Parallel);
            let started = events.event(EventDetails::ParallelStateStarted, events.id);
            events.flow.open(&started, None);
            for _ in 0..100 {
                events.state(StateType::Task);
                assert!(events.flow.here.len() < 30, "{:?}", events.flow);
            }
            events.follow(EventDetails::ParallelStateSucceeded);
            events.exit();
        }
        assert!(events.flow.entries.is_empty());
        assert!(events.flow.here.len() < 20, "{:?}", events.flow);
    }
}
