//! The definition that lints look at.
use crate::flow::StateFindings;
use crate::integrations::{Calls, ServiceShelf};
use asl_model::{
    Location, Options, ProcessorMode, QueryLanguage, State, StateKind, StateMachine, StateType,
    States,
};
use std::cell::OnceCell;
use std::collections::HashMap;

/// A definition, with its scopes and states in lists: no recursion is needed to look at all.
#[derive(Debug)]
pub(crate) struct Subject<'m> {
    pub(crate) machine: &'m StateMachine,
    pub(crate) options: Options,
    /// The whole machine's first; a scope comes after the one around it.
    pub(crate) scopes: Vec<Scope<'m>>,
    /// Those of a scope follow each other, in the order of the text.
    pub(crate) states: Vec<PlacedState<'m>>,
    numbers: HashMap<(usize, &'m str), usize>,
    shelf: &'m ServiceShelf,
    /// Made when they are first requested.
    calls: OnceCell<Calls<'m>>,
    /// Results of the data flow analysis, computed on demand.
    pub(crate) data: OnceCell<Vec<StateFindings>>,
}

/// A scope of states.
#[derive(Debug)]
pub(crate) struct Scope<'m> {
    pub(crate) states: &'m States,
    /// The number of the state that it is in; None for the machine.
    pub(crate) within: Option<usize>,
    /// Index of the branch in that state.
    pub(crate) branch: usize,
    /// The numbers of its states.
    pub(crate) numbers: std::ops::Range<usize>,
}

/// A state with its location.
#[derive(Debug)]
pub(crate) struct PlacedState<'m> {
    pub(crate) name: &'m str,
    pub(crate) state: &'m State,
    pub(crate) scope: usize,
    pub(crate) query_language: QueryLanguage,
}

impl<'m> Subject<'m> {
    pub(crate) fn new(
        machine: &'m StateMachine,
        options: Options,
        shelf: &'m ServiceShelf,
    ) -> Self {
        let language = machine.query_language.unwrap_or_default();
        let mut subject = Self {
            machine,
            options,
            scopes: Vec::new(),
            states: Vec::new(),
            numbers: HashMap::new(),
            shelf,
            calls: OnceCell::new(),
            data: OnceCell::new(),
        };
        subject.add(&machine.states, None, 0, language);
        let mut next = 0;
        while let Some(placed) = subject.states.get(next) {
            let (state, language) = (placed.state, placed.query_language);
            for (branch, scope) in state.scopes().iter().enumerate() {
                subject.add(scope, Some(next), branch, language);
            }
            next += 1;
        }
        subject
    }

    fn add(
        &mut self,
        states: &'m States,
        within: Option<usize>,
        branch: usize,
        language: QueryLanguage,
    ) {
        let (scope, first) = (self.scopes.len(), self.states.len());
        let placed = states.states.iter().map(|(name, state)| PlacedState {
            name: name.as_str(),
            state,
            scope,
            query_language: state.query_language.unwrap_or(language),
        });
        let names = states.states.iter().map(|(name, _)| (scope, name.as_str()));
        self.numbers.extend(names.zip(first..));
        self.states.extend(placed);
        self.scopes.push(Scope {
            states,
            within,
            branch,
            numbers: first..self.states.len(),
        });
    }

    /// Returns the location of a state; empty for an invalid number.
    pub(crate) fn location(&self, number: usize) -> Location {
        // From the state outward, then written from the outside in.
        let mut way = Vec::new();
        let mut open = Some(number);
        while let Some(placed) = open.and_then(|number| self.states.get(number)) {
            let scope = self.scopes.get(placed.scope);
            let outer = scope.and_then(|scope| Some((scope.within?, scope.branch)));
            way.push((placed.name, outer));
            open = outer.map(|(number, _)| number);
        }
        let mut location = Location::default();
        for (name, outer) in way.into_iter().rev() {
            if let Some((number, branch)) = outer {
                location = match self.states.get(number).map(|it| it.state.state_type()) {
                    Some(StateType::Parallel) => location.field("Branches").element(branch),
                    _ => location.field(self.processor_field(number)),
                };
            }
            location = location.field("States").field(name);
        }
        location
    }

    /// Returns the field with the processor of a Map State: older definitions use "Iterator".
    fn processor_field(&self, number: usize) -> &'static str {
        match self.states.get(number).map(|placed| &placed.state.kind) {
            Some(StateKind::Map(map)) if map.spelling.iterator => "Iterator",
            _ => "ItemProcessor",
        }
    }

    /// Returns the calls of services that its states make.
    pub(crate) fn calls(&self) -> &Calls<'m> {
        self.calls.get_or_init(|| Calls::of(self, self.shelf))
    }

    /// Returns the number of the state of that name in a scope.
    pub(crate) fn number_of(&self, scope: usize, name: &str) -> Option<usize> {
        self.numbers.get(&(scope, name)).copied()
    }

    /// Returns true if executions of the scope are of their own: children of a distributed Map.
    pub(crate) fn is_child_execution(&self, scope: usize) -> bool {
        let within = self.scopes.get(scope).and_then(|scope| scope.within);
        let state = within.and_then(|number| self.states.get(number));
        state.is_some_and(|placed| match &placed.state.kind {
            StateKind::Map(map) => {
                let config = map.item_processor.processor_config.as_ref();
                config.and_then(|config| config.mode) == Some(ProcessorMode::Distributed)
            }
            _ => false,
        })
    }
}
