//! Mocks: what stands for the tasks of a case.
mod answer;
mod choice;
mod nested;
mod performer;
mod plan;

pub use answer::{Answer, Range};
pub(crate) use choice::CountedMock;
pub(crate) use performer::Mocks;
pub(crate) use plan::{Plan, PlanError};

pub(crate) use answer::{Action, Handler};

use crate::Definition;

/// The results of a state's task, or of a resource.
#[derive(Debug, Clone)]
pub struct Mock {
    /// A state, a path of states (`Each order/Charge`), or a resource: as written, a pattern with `*`, or the name of a
    /// function.
    pub target: String,
    /// The answers in order of preference: a call gets the first one whose conditions hold and that is not used up.
    pub answers: Vec<Answer>,
    /// Result of all calls that no other result matches.
    pub default: Option<Answer>,
    /// JSON Pointer in the test file.
    pub(crate) pointer: Option<String>,
}

impl Mock {
    /// Creates a mock with these answers. One alone is given each time; of several, each that has no condition is given
    /// once.
    pub fn new(target: impl Into<String>, answers: impl IntoIterator<Item = Answer>) -> Self {
        let mut answers: Vec<Answer> = answers.into_iter().collect();
        let is_alone = matches!(&*answers, [only] if only.is_unconditional());
        Self {
            target: target.into(),
            default: if is_alone { answers.pop() } else { None },
            answers,
            pointer: None,
        }
    }
}

impl Mock {
    /// Returns the state machines that run in the place of its tasks.
    pub(crate) fn machines(&self) -> impl Iterator<Item = &Definition> {
        let answers = self.answers.iter().chain(&self.default);
        answers.filter_map(|answer| match &answer.action {
            Action::Machine(definition) => Some(definition),
            _ => None,
        })
    }

    pub(crate) fn runs_commands(&self) -> bool {
        let mut answers = self.answers.iter().chain(&self.default);
        answers.any(
            |answer| matches!(&answer.action, Action::External(text) if text.starts_with("exec:")),
        )
    }

    /// Returns the target inside the state machines of this mock: `Task` of `State/Task`.
    pub(crate) fn inner<'t>(&self, target: &'t str) -> Option<&'t str> {
        self.machines().next()?;
        target.strip_prefix(&*self.target)?.strip_prefix('/')
    }
}
