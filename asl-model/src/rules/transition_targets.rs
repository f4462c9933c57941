//! Transitions lead to states of their own scope, every state is led to, and one ends the scope (specification,
//! Transitions; Parallel State; Map State).
use crate::DiagnosticCode;
use crate::read::state::Scope;
use crate::read::{Object, Place, Read, Reader, Reported};
use std::collections::HashMap;

/// A transition.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Target<'v> {
    /// The number of the state in its scope; None for "StartAt".
    pub(crate) from: Option<usize>,
    pub(crate) field: TargetField,
    pub(crate) name: &'v str,
}

/// The field that names the state to go to.
#[derive(Debug, Clone, Copy)]
pub(crate) enum TargetField {
    StartAt,
    Next,
    Default,
    /// "Next" of a rule of "Choices".
    Choice(usize),
    /// "Next" of a catcher.
    Catch(usize),
}

impl<'v> Reader<'v> {
    /// Checks the transitions of a scope that has been read.
    pub(crate) fn check_transitions(
        &mut self,
        object: Object<'v, '_>,
        states: Object<'v, '_>,
        scope: &Scope<'v>,
    ) -> Read<()> {
        let names: Vec<&str> = states.fields.keys().map(String::as_str).collect();
        let numbers: HashMap<&str, usize> = names.iter().zip(0..).map(|(n, i)| (*n, i)).collect();
        let mut edges: Vec<Vec<usize>> = vec![Vec::new(); names.len()];
        let mut start = None;
        let mut sound = Ok(());
        for target in &scope.targets {
            match (numbers.get(target.name), target.from) {
                (Some(to), None) => start = Some(*to),
                (Some(to), Some(from)) => {
                    if let Some(edges) = edges.get_mut(from) {
                        edges.push(*to);
                    }
                }
                (None, _) => sound = Err(self.missing_target(object, states, &names, *target)),
            }
        }
        if !scope.has_unknown {
            self.every_state_is_reached(states, &names, &edges, start)?;
            self.one_state_ends(object, scope)?;
        }
        sound
    }

    fn missing_target(
        &mut self,
        object: Object<'v, '_>,
        states: Object<'v, '_>,
        names: &[&str],
        target: Target<'v>,
    ) -> Reported {
        let code = DiagnosticCode::MissingTransitionTarget;
        let missing = |field| format!("Missing '{field}' target: {}", target.name);
        let from = target.from.and_then(|number| names.get(number)).copied();
        let state = states.place.field(from.unwrap_or_default());
        match target.field {
            TargetField::StartAt => self.fault(&object.at("StartAt"), code, missing("StartAt")),
            TargetField::Next => self.fault(&state.field("Next"), code, missing("Next")),
            TargetField::Default => self.fault(&state.field("Default"), code, missing("Default")),
            TargetField::Choice(index) => {
                let (list, message) = (state.field("Choices"), missing("Next"));
                self.fault(&list.element(index).field("Next"), code, message)
            }
            TargetField::Catch(index) => {
                let (list, message) = (state.field("Catch"), missing("Next"));
                self.fault(&list.element(index).field("Next"), code, message)
            }
        }
    }

    /// Every state is on a way from "StartAt".
    fn every_state_is_reached(
        &mut self,
        states: Object<'v, '_>,
        names: &[&str],
        edges: &[Vec<usize>],
        start: Option<usize>,
    ) -> Read<()> {
        let Some(start) = start else { return Ok(()) };
        let mut reached = vec![false; names.len()];
        let mut open = vec![start];
        while let Some(number) = open.pop() {
            let Some(seen @ false) = reached.get_mut(number) else {
                continue;
            };
            *seen = true;
            open.extend(edges.get(number).into_iter().flatten());
        }
        let mut sound = Ok(());
        for (name, _) in names.iter().zip(&reached).filter(|(_, reached)| !**reached) {
            sound = Err(self.fault(
                &states.place.field(name),
                DiagnosticCode::MissingTransitionTarget,
                format!("State \"{name}\" is not reachable."),
            ));
        }
        sound
    }

    /// A state ends the scope.
    fn one_state_ends(&mut self, object: Object<'v, '_>, scope: &Scope<'v>) -> Read<()> {
        if !scope.terminal.is_empty() {
            return Ok(());
        }
        let message = match object.place {
            Place::Whole => "Workflow has no terminal state",
            _ => "This part of the workflow has no terminal state",
        };
        Err(self.fault(object.place, DiagnosticCode::MissingEndState, message))
    }
}
