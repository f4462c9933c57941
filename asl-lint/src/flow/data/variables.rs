//! Shapes of variables: of all values that any state assigns (2024 specification, Variable Scope).
use super::shape::Shape;
use crate::subject::Subject;
use asl_model::{Assign, Query, State, StateKind};
use asl_path::Root;
use std::collections::HashMap;

/// The variables of a machine, by numbers.
pub(super) struct Variables<'m> {
    /// By the scope that assigns them.
    numbers: HashMap<(usize, &'m str), usize>,
    /// The scope around each, whose variables it sees.
    around: Vec<Option<usize>>,
    shapes: Vec<Shape>,
    changes: Vec<u8>,
    /// By variable, the states that read it.
    readers: Vec<Vec<usize>>,
}

/// Number of changes of a variable before it is widened, and before it becomes any value.
const CHANGES: ChangeLimits = ChangeLimits {
    exact: 3,
    widened: 6,
};

impl<'m> Variables<'m> {
    pub(super) fn new(subject: &Subject<'m>) -> Self {
        let around = subject.scopes.iter().enumerate().map(|(number, scope)| {
            let state = scope.within.and_then(|state| subject.states.get(state))?;
            (!subject.is_child_execution(number)).then_some(state.scope)
        });
        let mut variables = Self {
            numbers: HashMap::new(),
            around: around.collect(),
            shapes: Vec::new(),
            changes: Vec::new(),
            readers: Vec::new(),
        };
        for placed in &subject.states {
            for name in assigned_names(placed.state) {
                let next = variables.numbers.len();
                variables
                    .numbers
                    .entry((placed.scope, name))
                    .or_insert(next);
            }
        }
        let count = variables.numbers.len();
        variables.shapes.resize(count, Shape::Nothing);
        variables.changes.resize(count, 0);
        variables.readers.resize(count, Vec::new());
        for (state, placed) in subject.states.iter().enumerate() {
            variables.note_reads(state, placed.scope, placed.state);
        }
        variables
    }

    fn note_reads(&mut self, state: usize, scope: usize, of: &State) {
        let mut read = Vec::new();
        of.visit_queries(&mut |query| match query {
            Query::Path(path) => {
                if let Root::Variable(name) = path.root() {
                    read.extend(self.number(scope, name));
                }
            }
            Query::Expression(expression) => {
                let references = expression.expression().references();
                let names = references.variables.iter().chain(&references.built_in);
                read.extend(names.filter_map(|one| self.number(scope, &one.name)));
            }
        });
        for variable in read {
            if let Some(readers) = self.readers.get_mut(variable)
                && readers.last() != Some(&state)
            {
                readers.push(state);
            }
        }
    }

    /// Returns the variable that a scope sees by a name.
    fn number(&self, scope: usize, name: &str) -> Option<usize> {
        let mut open = Some(scope);
        while let Some(scope) = open {
            if let Some(number) = self.numbers.get(&(scope, name)) {
                return Some(*number);
            }
            open = self.around.get(scope).copied().flatten();
        }
        None
    }

    /// Returns the shape of a variable; any value if it is unknown.
    pub(super) fn get(&self, scope: usize, name: &str) -> Shape {
        let number = self.number(scope, name);
        let shape = number.and_then(|number| self.shapes.get(number));
        shape.cloned().unwrap_or(Shape::Anything)
    }

    /// Returns a state of the scope assigns this. The states that are to be looked at again.
    pub(super) fn assign(&mut self, scope: usize, name: &str, shape: &Shape) -> &[usize] {
        let number = self.numbers.get(&(scope, name)).copied();
        let Some(number) = number else { return &[] };
        let place = self
            .shapes
            .get_mut(number)
            .zip(self.changes.get_mut(number));
        let has_changed =
            place.is_some_and(|(known, changes)| grow(known, shape, changes, CHANGES));
        match has_changed {
            true => self.readers.get(number).map_or(&[], Vec::as_slice),
            false => &[],
        }
    }
}

/// Numbers of changes of a shape.
#[derive(Clone, Copy)]
pub(super) struct ChangeLimits {
    /// Changes before the shape is widened.
    pub(super) exact: u8,
    /// Changes before it becomes any value.
    pub(super) widened: u8,
}

/// Joins a shape in; after some changes it is widened, after more it is anything. Whether it changed.
pub(super) fn grow(
    known: &mut Shape,
    shape: &Shape,
    changes: &mut u8,
    limits: ChangeLimits,
) -> bool {
    let grown = match *changes {
        changes if changes < limits.exact => known.join(shape),
        changes if changes < limits.widened => known.widened(shape),
        _ => known.join(shape),
    };
    if grown == *known {
        return false;
    }
    *known = match *changes {
        changes if changes < limits.widened => grown,
        _ => Shape::Anything,
    };
    *changes = changes.saturating_add(1);
    true
}

fn assigned_names(state: &State) -> impl Iterator<Item = &str> {
    let rules = match &state.kind {
        StateKind::Choice(choice) => choice.choices.as_slice(),
        _ => &[],
    };
    let of_rules = rules.iter().filter_map(|rule| rule.assign.as_ref());
    let of_catchers = state
        .catch
        .iter()
        .filter_map(|catcher| catcher.assign.as_ref());
    let all = state.assign.iter().chain(of_rules).chain(of_catchers);
    all.flat_map(|assign: &Assign| &assign.variables)
        .map(|one| one.name.as_str())
}
