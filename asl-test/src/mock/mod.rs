//! Mocks: what stands for the tasks of a case.
mod answer;
mod choice;
mod performer;
mod plan;

pub use answer::{Answer, Range};
pub(crate) use performer::Mocks;
pub(crate) use plan::{Plan, PlanError};

pub(crate) use answer::Action;

/// What stands for a state's task, or for a resource.
#[derive(Debug, Clone)]
pub struct Mock {
    /// A state, a path of states (`Each order/Charge`), or a resource: as written, a pattern with `*`, or the name of a
    /// function.
    pub target: String,
    /// Tried in this order: the first whose conditions hold and that is not used up is given.
    pub answers: Vec<Answer>,
    /// Given where none of the others is.
    pub default: Option<Answer>,
    /// Where in the test file it is.
    pub(crate) pointer: Option<String>,
}

impl Mock {
    /// A mock with these answers. One alone is given each time; of several, each that has no condition is given once.
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

impl From<(&str, Answer)> for Mock {
    fn from((target, answer): (&str, Answer)) -> Self {
        Self::new(target, [answer])
    }
}
