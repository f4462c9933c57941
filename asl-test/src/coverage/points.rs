//! Points of a definition that tests can reach.
use asl_graph::labels;
use asl_model::{
    ErrorEquals, State, StateKind, StateMachine, StateName, States, Transition, escaped_segment,
};
use std::collections::HashMap;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// Kinds of points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum PointKind {
    /// A state, reached when it is entered.
    State,
    /// "Next" or "End" of a state, reached when it is left by it.
    Transition,
    /// A Choice Rule that matches, or "Default".
    Choice,
    /// A Retrier that takes an error.
    Retrier,
    /// A Catcher that takes an error.
    Catcher,
    /// A branch of a Parallel State that begins, or the processor of a Map State: one item at least.
    Branch,
}

impl PointKind {
    /// All, in the order of reports.
    pub const ALL: [Self; 6] = [
        Self::State,
        Self::Transition,
        Self::Choice,
        Self::Retrier,
        Self::Catcher,
        Self::Branch,
    ];

    /// Returns the plural: `states`.
    pub const fn plural(self) -> &'static str {
        match self {
            Self::State => "states",
            Self::Transition => "transitions",
            Self::Choice => "choices",
            Self::Retrier => "retriers",
            Self::Catcher => "catchers",
            Self::Branch => "branches",
        }
    }
}

/// A point of a definition that tests can reach.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Point {
    /// The kind of the point.
    pub kind: PointKind,
    /// JSON pointer of the part of the definition.
    pub pointer: String,
    /// The state that it belongs to.
    pub state: Arc<str>,
    /// The target state; None at the end.
    pub next: Option<Arc<str>>,
    /// The part of the state: `Next`, `Default`, `Choices[0]: $.n > 5`, `Catch[0]: Busy`; empty for the state itself.
    pub part: String,
}

/// `Charge`, `Charge, Catch[0]: Busy → Ask`.
impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.state)?;
        if !self.part.is_empty() {
            write!(f, ", {}", self.part)?;
        }
        match &self.next {
            Some(next) => write!(f, " → {next}"),
            None => Ok(()),
        }
    }
}

/// The points of a definition.
#[derive(Debug)]
pub(crate) struct Points {
    /// Points in the order of the text, a state before its parts.
    pub(crate) list: Vec<Point>,
    by_state: HashMap<Arc<str>, PointsOfState>,
}

/// Contiguous range of a state's points in the list.
#[derive(Debug, Clone)]
pub(crate) struct PointsOfState {
    pub(crate) state: usize,
    transition: Range<usize>,
    choices: Range<usize>,
    default: Range<usize>,
    retriers: Range<usize>,
    catchers: Range<usize>,
    /// The branch that it is in.
    pub(crate) branch: Option<usize>,
}

impl PointsOfState {
    pub(crate) fn transition(&self) -> Option<usize> {
        self.transition.clone().next()
    }

    pub(crate) fn choice(&self, index: usize) -> Option<usize> {
        self.choices.clone().nth(index)
    }

    pub(crate) fn default(&self) -> Option<usize> {
        self.default.clone().next()
    }

    pub(crate) fn retrier(&self, index: usize) -> Option<usize> {
        self.retriers.clone().nth(index)
    }

    pub(crate) fn catcher(&self, index: usize) -> Option<usize> {
        self.catchers.clone().nth(index)
    }
}

/// A scope whose states are being listed.
struct Scope<'m> {
    states: std::slice::Iter<'m, (StateName, State)>,
    pointer: String,
    /// Its own point, before the first of its states.
    begins: Option<Point>,
    branch: Option<usize>,
}

impl Points {
    pub(crate) fn from_machine(machine: &StateMachine) -> Self {
        let mut points = Self {
            list: Vec::new(),
            by_state: HashMap::new(),
        };
        let mut open = vec![Scope {
            states: machine.states.states.iter(),
            pointer: String::new(),
            begins: None,
            branch: None,
        }];
        while let Some(scope) = open.last_mut() {
            if let Some(point) = scope.begins.take() {
                scope.branch = Some(points.list.len());
                points.list.push(point);
            }
            let Some((name, state)) = scope.states.next() else {
                open.pop();
                continue;
            };
            let pointer = format!(
                "{}/States/{}",
                scope.pointer,
                escaped_segment(name.as_str())
            );
            let writer = StateWriter {
                name,
                state,
                pointer,
            };
            let of_state = writer.write(&mut points.list, scope.branch);
            points.by_state.insert(name.shared(), of_state);
            open.extend(writer.scopes().into_iter().rev());
        }
        points
    }

    /// Those of a state.
    pub(crate) fn of_state(&self, name: &str) -> Option<&PointsOfState> {
        self.by_state.get(name)
    }
}

/// Lists the points of one state.
struct StateWriter<'m> {
    name: &'m StateName,
    state: &'m State,
    pointer: String,
}

impl<'m> StateWriter<'m> {
    fn write(&self, list: &mut Vec<Point>, branch: Option<usize>) -> PointsOfState {
        let state = list.len();
        list.push(self.point(PointKind::State, "", None, String::new()));
        let mut add = |points: &mut dyn Iterator<Item = Point>| {
            let first = list.len();
            list.extend(points);
            first..list.len()
        };
        PointsOfState {
            state,
            transition: add(&mut self.transition().into_iter()),
            choices: add(&mut self.rules()),
            default: add(&mut self.default().into_iter()),
            retriers: add(&mut self.retriers()),
            catchers: add(&mut self.catchers()),
            branch,
        }
    }

    fn point(&self, kind: PointKind, place: &str, next: Option<&StateName>, part: String) -> Point {
        Point {
            kind,
            pointer: format!("{}{place}", self.pointer),
            state: self.name.shared(),
            next: next.map(StateName::shared),
            part,
        }
    }

    fn transition(&self) -> Option<Point> {
        let (field, next) = match self.state.transition.as_ref()? {
            Transition::Next(next) => ("Next", Some(next)),
            Transition::End => ("End", None),
        };
        let place = format!("/{field}");
        Some(self.point(PointKind::Transition, &place, next, field.to_owned()))
    }

    fn rules(&self) -> impl Iterator<Item = Point> {
        let rules = match &self.state.kind {
            StateKind::Choice(choice) => &*choice.choices,
            _ => &[],
        };
        rules.iter().enumerate().map(|(index, choice)| {
            let part = format!("Choices[{index}]: {}", labels::rule(&choice.rule));
            let place = format!("/Choices/{index}");
            self.point(PointKind::Choice, &place, Some(&choice.next), part)
        })
    }

    fn default(&self) -> Option<Point> {
        let StateKind::Choice(choice) = &self.state.kind else {
            return None;
        };
        let next = choice.default.as_ref()?;
        Some(self.point(
            PointKind::Choice,
            "/Default",
            Some(next),
            "Default".to_owned(),
        ))
    }

    fn retriers(&self) -> impl Iterator<Item = Point> {
        self.state.retry.iter().enumerate().map(|(index, retrier)| {
            let part = format!("Retry[{index}]: {}", names(&retrier.error_equals));
            let place = format!("/Retry/{index}");
            self.point(PointKind::Retrier, &place, None, part)
        })
    }

    fn catchers(&self) -> impl Iterator<Item = Point> {
        self.state.catch.iter().enumerate().map(|(index, catcher)| {
            let part = format!("Catch[{index}]: {}", names(&catcher.error_equals));
            let place = format!("/Catch/{index}");
            self.point(PointKind::Catcher, &place, Some(&catcher.next), part)
        })
    }

    /// Returns the scopes within the state, each with its point.
    fn scopes(&self) -> Vec<Scope<'m>> {
        let scope = |states: &'m States, part: String, place: String| Scope {
            states: states.states.iter(),
            pointer: format!("{}{place}", self.pointer),
            begins: Some(self.point(PointKind::Branch, &place, None, part)),
            branch: None,
        };
        match &self.state.kind {
            StateKind::Parallel(parallel) => {
                let branches = parallel.branches.iter().enumerate();
                let branch = |(index, states)| {
                    let place = format!("/Branches/{index}");
                    scope(states, format!("Branches[{index}]"), place)
                };
                branches.map(branch).collect()
            }
            StateKind::Map(map) => {
                let field = match map.spelling.iterator {
                    true => "Iterator",
                    false => "ItemProcessor",
                };
                let states = &map.item_processor.states;
                vec![scope(states, field.to_owned(), format!("/{field}"))]
            }
            _ => Vec::new(),
        }
    }
}

fn names(errors: &ErrorEquals) -> String {
    errors.0.join(", ")
}

#[cfg(test)]
mod tests {
    use crate::Definition;
    use serde_json::json;

    #[test]
    fn everything_that_can_be_reached_is_listed_in_the_order_of_the_text() {
        let pass = json!({"Type": "Pass", "End": true});
        let definition = Definition::parse(&json!({"StartAt": "a/b", "States": {
            "a/b": {"Type": "Choice", "Default": "Both", "Choices": [{"Variable": "$.n", "NumericEquals": 1, "Next": "Each"}]},
            "Both": {"Type": "Parallel", "Next": "Each",
                "Branches": [{"StartAt": "One", "States": {"One": pass}}, {"StartAt": "Two", "States": {"Two": pass}}],
                "Retry": [{"ErrorEquals": ["Busy"]}, {"ErrorEquals": ["States.ALL"]}],
                "Catch": [{"ErrorEquals": ["A", "B"], "Next": "Done"}]},
            "Each": {"Type": "Map", "Iterator": {"StartAt": "Item", "States": {"Item": pass}}, "End": true},
            "Done": {"Type": "Succeed"}}}).to_string())
        .unwrap();
        let points = definition.points();
        let told: Vec<String> = points
            .list
            .iter()
            .map(|it| format!("{it} {}", it.pointer))
            .collect();
        assert_eq!(
            told,
            [
                "a/b /States/a~1b",
                "a/b, Choices[0]: $.n = 1 → Each /States/a~1b/Choices/0",
                "a/b, Default → Both /States/a~1b/Default",
                "Both /States/Both",
                "Both, Next → Each /States/Both/Next",
                "Both, Retry[0]: Busy /States/Both/Retry/0",
                "Both, Retry[1]: States.ALL /States/Both/Retry/1",
                "Both, Catch[0]: A, B → Done /States/Both/Catch/0",
                "Both, Branches[0] /States/Both/Branches/0",
                "One /States/Both/Branches/0/States/One",
                "One, End /States/Both/Branches/0/States/One/End",
                "Both, Branches[1] /States/Both/Branches/1",
                "Two /States/Both/Branches/1/States/Two",
                "Two, End /States/Both/Branches/1/States/Two/End",
                "Each /States/Each",
                "Each, End /States/Each/End",
                "Each, Iterator /States/Each/Iterator",
                "Item /States/Each/Iterator/States/Item",
                "Item, End /States/Each/Iterator/States/Item/End",
                "Done /States/Done",
            ]
        );
        assert_eq!(points.of_state("Two").unwrap().branch, Some(11));
        assert_eq!(points.of_state("Both").unwrap().retrier(2), None);
    }
}
