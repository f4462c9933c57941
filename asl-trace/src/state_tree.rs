//! The branch or iteration that contains each state of a definition.
use asl_model::{StateMachine, States};
use std::collections::HashMap;
use std::sync::Arc;

/// The containing branch or Map State of each state of a definition. A clone shares the data.
///
/// ```
/// use asl_model::{Options, parse};
/// use asl_trace::StateTree;
///
/// let (machine, _) = parse(r#"{"StartAt": "Both", "States": {"Both": {"Type": "Parallel", "End": true, "Branches": [
///     {"StartAt": "Left", "States": {"Left": {"Type": "Succeed"}}},
///     {"StartAt": "Right", "States": {"Right": {"Type": "Succeed"}}}]}}}"#, Options::default()).unwrap();
/// let tree = StateTree::new(&machine);
/// assert_eq!(tree.holder("Right"), Some(("Both", 1)));
/// assert_eq!(tree.holder("Both"), None);
/// assert_eq!(tree.enclosing_states("Right"), ["Both"]);
/// ```
#[derive(Debug, Clone, Default)]
pub struct StateTree(Arc<HashMap<Arc<str>, Branch>>);

/// The Parallel or Map State that contains a state, and the index of the branch.
type Containing = (Arc<str>, usize);

/// The details of a state.
#[derive(Debug)]
struct Branch {
    holder: Option<Containing>,
    is_retried: bool,
}

impl StateTree {
    /// Reads a definition.
    pub fn new(machine: &StateMachine) -> Self {
        let mut branches = HashMap::new();
        let mut open: Vec<(&States, Option<Containing>)> = vec![(&machine.states, None)];
        while let Some((scope, holder)) = open.pop() {
            for (name, state) in &scope.states {
                let name: Arc<str> = name.as_str().into();
                let scopes = state.scopes().iter().enumerate();
                open.extend(scopes.map(|(at, scope)| (scope, Some((Arc::clone(&name), at)))));
                let holder = holder.clone();
                let is_retried = !state.retry.is_empty();
                branches.insert(name, Branch { holder, is_retried });
            }
        }
        Self(Arc::new(branches))
    }

    /// Returns the Parallel or Map State that contains a state, and the index of the branch; None for a state of the
    /// outermost scope, or that the definition does not have.
    pub fn holder(&self, state: &str) -> Option<(&str, usize)> {
        let (holder, branch) = self.0.get(state)?.holder.as_ref()?;
        Some((holder, *branch))
    }

    /// Returns the enclosing states of a state, outermost first.
    pub fn enclosing_states(&self, state: &str) -> Vec<&str> {
        let mut states = Vec::new();
        let mut at = self.holder(state);
        // A state cannot contain itself, unless an invalid definition has a name twice.
        while let Some((holder, _)) = at.filter(|_| states.len() < self.0.len()) {
            states.push(holder);
            at = self.holder(holder);
        }
        states.reverse();
        states
    }

    /// Returns true if the definition has the state.
    pub fn contains(&self, state: &str) -> bool {
        self.0.contains_key(state)
    }

    /// Returns the names of all states, in no order.
    pub fn states(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(|name| &**name)
    }

    /// Returns true if a state has retriers. Without a definition, any state may have them.
    pub(crate) fn may_be_retried(&self, state: &str) -> bool {
        self.0.get(state).is_none_or(|branch| branch.is_retried)
    }
}
