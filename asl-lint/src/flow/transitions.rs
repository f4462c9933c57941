//! Transitions between states.
use crate::subject::Subject;
use asl_model::{StateKind, StateName, Transition};

/// A way out of a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Way {
    /// "Next".
    Next,
    /// "Default" of a Choice State.
    Default,
    /// A member of "Choices".
    Rule(usize),
    /// A member of "Catch".
    Catcher(usize),
}

/// Returns the ways out of a state, with the numbers of the states that they lead to.
pub(super) fn leaving<'s>(
    subject: &'s Subject<'_>,
    number: usize,
) -> impl Iterator<Item = (Way, usize)> + 's {
    let placed = subject.states.get(number);
    placed.into_iter().flat_map(move |placed| {
        let next = match &placed.state.transition {
            Some(Transition::Next(name)) => Some((Way::Next, name)),
            Some(Transition::End) | None => None,
        };
        let catchers = placed.state.catch.iter().enumerate();
        let caught = catchers.map(|(index, catcher)| (Way::Catcher(index), &catcher.next));
        let number_of = move |(way, name): (Way, &StateName)| {
            Some((way, subject.number_of(placed.scope, name.as_str())?))
        };
        chosen(&placed.state.kind)
            .chain(next)
            .chain(caught)
            .filter_map(number_of)
    })
}

fn chosen(kind: &StateKind) -> impl Iterator<Item = (Way, &StateName)> {
    let choice = match kind {
        StateKind::Choice(choice) => Some(choice),
        _ => None,
    };
    choice.into_iter().flat_map(|choice| {
        let rules = choice.choices.iter().enumerate();
        let default = choice.default.iter().map(|name| (Way::Default, name));
        rules
            .map(|(index, rule)| (Way::Rule(index), &rule.next))
            .chain(default)
    })
}

/// Returns true if the scope may end with the state: in success, or in a failure that is meant.
pub(super) fn may_end(kind: &StateKind, transition: Option<&Transition>) -> bool {
    match kind {
        StateKind::Succeed | StateKind::Fail(_) => true,
        StateKind::Choice(choice) => choice.default.is_none(),
        _ => matches!(transition, Some(Transition::End)),
    }
}

/// Returns the first state of a scope.
pub(super) fn start(subject: &Subject<'_>, scope: usize) -> Option<usize> {
    let states = subject.scopes.get(scope)?.states;
    subject.number_of(scope, states.start_at.as_str())
}
