//! Which state an event belongs to: events name the one before them, and so the way back to the state's entry.
use super::data::Part;
use asl_engine::{EventDetails, HistoryEvent};
use asl_model::{StateType, Timestamp};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
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
    /// When the last invocation failed, where nothing came after.
    pub(crate) failed_at: Option<Timestamp>,
    /// Nothing before it has shown its input.
    pub(crate) brings_input: bool,
    branches: u64,
}

impl Entry {
    /// Whether it is of branches or iterations.
    pub(crate) fn holds_states(&self) -> bool {
        matches!(self.state_type, StateType::Parallel | StateType::Map)
    }

    /// The input, where no line before has shown it.
    pub(crate) fn new_input(&self) -> Vec<Part<'_>> {
        let input = self.brings_input.then(|| Part::Value(&self.input));
        input.into_iter().collect()
    }
}

/// Where a state stands.
#[derive(Debug, Clone, Default)]
pub(crate) struct Place {
    /// The entry of the state that holds it.
    parent: Option<u64>,
    /// How many hold it.
    pub(crate) depth: usize,
    /// Which branch or iteration it is in.
    pub(crate) label: Option<Arc<str>>,
}

/// What comes after an event: in which state, or where the next one stands.
#[derive(Debug, Clone, Default)]
struct Here {
    entry: Option<u64>,
    place: Place,
    /// A branch begins.
    opens_branch: bool,
    /// An iteration begins, or the execution of one.
    opens_iteration: bool,
}

/// The states of one execution.
#[derive(Debug)]
pub(crate) struct Flow {
    entries: BTreeMap<u64, Entry>,
    here: HashMap<u64, Here>,
    root: Place,
    /// Choice States that were left: where to is known by what comes after this event.
    choices: BTreeMap<u64, Chosen>,
}

/// A Choice State that was left.
#[derive(Debug)]
pub(crate) struct Chosen {
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
        let Here {
            entry,
            mut place,
            opens_branch,
            opens_iteration,
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
        })
    }

    /// A state is left: the nearest of its name on the way out.
    pub(crate) fn exit(&mut self, event: &HistoryEvent, name: &str) -> Option<Entry> {
        let before = self.before(event);
        let mut at = before.entry.or(before.place.parent);
        while let Some(id) = at {
            let entry = self.entries.get(&id)?;
            if &*entry.name == name {
                let entry = self.entries.remove(&id)?;
                let here = Here {
                    entry: entry.place.parent,
                    place: entry.place.clone(),
                    ..Here::default()
                };
                self.here.insert(event.id, here);
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
        let chosen = Chosen {
            entry,
            left: event.timestamp,
            assigned: assigned.to_vec(),
        };
        self.choices.insert(event.id, chosen);
    }

    /// The Choice State that the event comes after.
    pub(crate) fn chosen(&mut self, event: &HistoryEvent) -> Option<Chosen> {
        self.choices.remove(&event.previous_event_id)
    }

    /// A branch or an iteration begins: what is entered next stands within.
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
        };
        self.here.insert(event.id, here);
    }

    /// Any other event: of the state that the one before it was of.
    pub(crate) fn follow(&mut self, event: &HistoryEvent) -> Option<&mut Entry> {
        let mut before = self.before(event);
        if matches!(event.details, EventDetails::MapStateStarted { .. }) {
            before.opens_branch = false;
        }
        let entry = before.entry;
        self.here.insert(event.id, before);
        self.entries.get_mut(&entry?)
    }

    /// All that were not left, as entered; they are forgotten.
    pub(crate) fn unfinished(&mut self) -> Vec<Entry> {
        std::mem::take(&mut self.entries).into_values().collect()
    }

    /// The states that something is awaited in: those that hold none.
    pub(crate) fn waiting(&self) -> impl Iterator<Item = &Entry> {
        self.entries.values().filter(|entry| !entry.holds_states())
    }
}
