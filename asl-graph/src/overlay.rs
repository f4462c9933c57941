//! Marks on a graph.
use std::collections::{HashMap, HashSet};

/// Progress of an execution in a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Visit {
    /// Entered and left.
    Passed,
    /// Entered; it is still there, or something else ended the execution.
    Stopped,
    /// The execution failed in this state.
    Failed,
    /// True if it came here is not known: the histories of others have it.
    Unknown,
    /// Tests entered the state, but did not cover all of it.
    Partly,
}

/// Kinds of edges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum EdgeKind {
    /// "Next", "Default", or a Choice Rule that matches.
    Next,
    /// A Catcher that matches.
    Catch,
}

impl EdgeKind {
    /// As a picture names it.
    pub(crate) fn class(self) -> &'static str {
        match self {
            Self::Next => "next",
            Self::Catch => "catch",
        }
    }
}

/// The way of an execution, or of many together, to be marked on the graph of its definition. States have names that are unique within a
/// machine; what names none of its states is not marked.
///
/// ```
/// use asl_graph::{EdgeKind, Overlay, Visit};
///
/// let mut overlay = Overlay::new();
/// overlay.start("A").visit("A", Visit::Passed).step("A", "B", EdgeKind::Next).visit("B", Visit::Failed);
/// assert_eq!(overlay.visit_of("B"), Some(Visit::Failed));
/// assert!(overlay.took("A", "B", EdgeKind::Next));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Overlay {
    visits: HashMap<String, Visit>,
    counts: HashMap<String, u64>,
    starts: HashSet<String>,
    /// By the state they lead from.
    next: HashMap<String, HashSet<String>>,
    caught: HashMap<String, HashSet<String>>,
    ends: HashSet<String>,
    has_succeeded: bool,
}

impl Overlay {
    /// Creates the overlay of an execution that has not started.
    pub fn new() -> Self {
        Self::default()
    }

    /// Records the visit of a state; the last call counts.
    pub fn visit(&mut self, state: &str, visit: Visit) -> &mut Self {
        self.visits.insert(state.to_owned(), visit);
        self
    }

    /// Sets the number of entries of a state, which is printed next to its name.
    pub fn count(&mut self, state: &str, count: u64) -> &mut Self {
        self.counts.insert(state.to_owned(), count);
        self
    }

    /// Records the first state of a scope: of the machine, a branch or an iteration.
    pub fn start(&mut self, state: &str) -> &mut Self {
        self.starts.insert(state.to_owned());
        self
    }

    /// Records a transition from one state to another.
    pub fn step(&mut self, from: &str, to: &str, kind: EdgeKind) -> &mut Self {
        let steps = match kind {
            EdgeKind::Next => &mut self.next,
            EdgeKind::Catch => &mut self.caught,
        };
        steps
            .entry(from.to_owned())
            .or_default()
            .insert(to.to_owned());
        self
    }

    /// Records that a scope succeeded in this state.
    pub fn end(&mut self, state: &str) -> &mut Self {
        self.ends.insert(state.to_owned());
        self
    }

    /// Records that the execution succeeded: the visited final states of the machine lead to the end.
    pub fn succeed(&mut self) -> &mut Self {
        self.has_succeeded = true;
        self
    }

    /// Returns how far the execution came in a state; None if it did not enter it.
    pub fn visit_of(&self, state: &str) -> Option<Visit> {
        self.visits.get(state).copied()
    }

    /// Returns the number of entries of a state, if it is shown.
    pub fn count_of(&self, state: &str) -> Option<u64> {
        self.counts.get(state).copied()
    }

    /// Returns true if it went from one state to another.
    pub fn took(&self, from: &str, to: &str, kind: EdgeKind) -> bool {
        let steps = match kind {
            EdgeKind::Next => &self.next,
            EdgeKind::Catch => &self.caught,
        };
        steps.get(from).is_some_and(|steps| steps.contains(to))
    }

    /// Returns true if it entered a scope by this state.
    pub fn started_at(&self, state: &str) -> bool {
        self.starts.contains(state)
    }

    /// Returns true if the execution succeeded by leaving this state.
    pub fn ended_at(&self, state: &str) -> bool {
        let has_passed = self.visit_of(state) == Some(Visit::Passed);
        (self.has_succeeded && has_passed) || self.ends.contains(state)
    }
}
