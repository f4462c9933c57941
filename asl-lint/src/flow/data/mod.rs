//! Possible data between states, computed from the start along all transitions until nothing changes.
mod choice;
mod exit;
mod object;
mod order;
mod reading;
mod shape;
#[cfg(test)]
mod shape_tests;
mod state;
#[cfg(test)]
mod truth_tests;
mod variables;

pub(in crate::flow) use reading::DeadPath;

use crate::flow::transitions::{leaving, start};
use crate::subject::Subject;
use exit::StateExit;
use order::{Order, Visit};
use reading::StateReader;
use shape::Shape;
use state::{StateEntry, enter, leave};
use std::collections::{BTreeSet, HashMap};
use variables::{ChangeLimits, Variables, grow};

/// Number of changes of an input before it is widened, and before it becomes any value.
const CHANGES: ChangeLimits = ChangeLimits {
    exact: 4,
    widened: 8,
};

/// Findings in a state.
#[derive(Debug)]
pub(crate) struct StateFindings {
    pub(in crate::flow) state: usize,
    pub(in crate::flow) dead_paths: Vec<DeadPath>,
    /// Description of the items of a Map State that are never an array.
    pub(in crate::flow) no_array: Option<String>,
}

/// Returns the findings in all states that data reaches.
pub(in crate::flow) fn findings<'s>(subject: &'s Subject<'_>) -> &'s [StateFindings] {
    subject.data.get_or_init(|| look(subject))
}

fn look(subject: &Subject<'_>) -> Vec<StateFindings> {
    let mut flow = DataFlow::new(subject);
    flow.settle();
    let states = (0..subject.states.len()).filter_map(|state| {
        let input = flow.inputs.get(state).filter(|input| !input.is_nothing())?;
        let placed = subject.states.get(state)?;
        let mut reading = StateReader::new(&flow.variables, placed.scope);
        let entered = enter(subject, placed, &mut reading, input);
        leave(placed, &mut reading, input, &entered, &flow.within(state));
        let is_found = !reading.dead.is_empty() || entered.no_array.is_some();
        is_found.then_some(StateFindings {
            state,
            dead_paths: reading.dead,
            no_array: entered.no_array,
        })
    });
    states.collect()
}

struct DataFlow<'s, 'm> {
    subject: &'s Subject<'m>,
    /// By state.
    inputs: Vec<Shape>,
    input_changes: Vec<u8>,
    /// By scope.
    outputs: Vec<Shape>,
    output_changes: Vec<u8>,
    /// By state, the scopes within it.
    scopes: Vec<Vec<usize>>,
    variables: Variables<'m>,
    order: Order,
    /// Visits to repeat, in the order of the data flow.
    open: BTreeSet<usize>,
}

impl<'s, 'm> DataFlow<'s, 'm> {
    fn new(subject: &'s Subject<'m>) -> Self {
        let (states, scopes) = (subject.states.len(), subject.scopes.len());
        let mut within = vec![Vec::new(); states];
        for (number, scope) in subject.scopes.iter().enumerate() {
            if let Some(list) = scope.within.and_then(|state| within.get_mut(state)) {
                list.push(number);
            }
        }
        Self {
            subject,
            inputs: vec![Shape::Nothing; states],
            input_changes: vec![0; states],
            outputs: vec![Shape::Nothing; scopes],
            output_changes: vec![0; scopes],
            variables: Variables::new(subject),
            order: Order::new(subject, &within),
            scopes: within,
            open: BTreeSet::new(),
        }
    }

    fn settle(&mut self) {
        self.arrive(start(self.subject, 0), &Shape::Anything);
        while let Some(rank) = self.open.pop_first() {
            match self.order.visit(rank) {
                Some(Visit::Enter(state)) => self.enter(state),
                Some(Visit::Leave(state)) => self.leave(state),
                None => {}
            }
        }
    }

    /// Data gets to a state.
    fn arrive(&mut self, state: Option<usize>, shape: &Shape) {
        let Some(state) = state else { return };
        let place = self
            .inputs
            .get_mut(state)
            .zip(self.input_changes.get_mut(state));
        if place.is_some_and(|(input, changes)| grow(input, shape, changes, CHANGES)) {
            self.open.extend(self.order.enter(state));
        }
    }

    fn entered(&self, state: usize) -> Option<(Shape, StateEntry)> {
        let placed = self.subject.states.get(state)?;
        let input = self.inputs.get(state)?.clone();
        let mut reading = StateReader::new(&self.variables, placed.scope);
        let entered = enter(self.subject, placed, &mut reading, &input);
        Some((input, entered))
    }

    fn enter(&mut self, state: usize) {
        let scopes = self.scopes.get(state).cloned().unwrap_or_default();
        if !scopes.is_empty()
            && let Some((_, entered)) = self.entered(state)
        {
            for scope in scopes {
                self.arrive(start(self.subject, scope), &entered.given);
            }
        }
        self.open.extend(self.order.leave(state));
    }

    fn within(&self, state: usize) -> Vec<Shape> {
        let scopes = self.scopes.get(state).into_iter().flatten();
        scopes
            .filter_map(|scope| self.outputs.get(*scope).cloned())
            .collect()
    }

    fn leave(&mut self, state: usize) {
        let Some(placed) = self.subject.states.get(state) else {
            return;
        };
        let Some((input, entered)) = self.entered(state) else {
            return;
        };
        let mut reading = StateReader::new(&self.variables, placed.scope);
        let left = leave(placed, &mut reading, &input, &entered, &self.within(state));
        let StateExit {
            ways,
            end,
            assigned,
        } = left;
        for (name, shape) in assigned {
            let readers = self.variables.assign(placed.scope, name, &shape).to_vec();
            for reader in readers {
                if self
                    .inputs
                    .get(reader)
                    .is_some_and(|input| !input.is_nothing())
                {
                    self.open.extend(self.order.enter(reader));
                }
            }
        }
        if let Some(end) = end {
            self.end(placed.scope, &end);
        }
        let subject = self.subject;
        let targets: HashMap<_, _> = leaving(subject, state).collect();
        for (way, shape) in ways {
            self.arrive(targets.get(&way).copied(), &shape);
        }
    }

    /// A scope gives its output.
    fn end(&mut self, scope: usize, shape: &Shape) {
        let place = self
            .outputs
            .get_mut(scope)
            .zip(self.output_changes.get_mut(scope));
        if place.is_some_and(|(output, changes)| grow(output, shape, changes, CHANGES))
            && let Some(within) = self
                .subject
                .scopes
                .get(scope)
                .and_then(|scope| scope.within)
        {
            self.open.extend(self.order.leave(within));
        }
    }
}
