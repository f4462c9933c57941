//! Points at which an execution followed the service, although the specification requires a different outcome.

/// A place where an execution under [`Profile::Aws`](asl_model::Profile) continued as the service does, and the
/// specification (2024) has something else: where an execution failed for such a reason, its error says so
/// ([`ErrorOutput::specified_error`](crate::ErrorOutput::specified_error)).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "hosts handle each")]
pub enum Departure {
    /// A path of a Payload Template was past the end of an array, and gave null; the specification fails the state with
    /// `States.ParameterPathFailure`.
    NullPastTheEnd,
    /// Items of a distributed Map were the fields of an object; the specification wants an array.
    ObjectAsItems,
    /// A wildcard caught a `States.DataLimitExceeded` that a task reported; by the specification only its name does.
    DataLimitByWildcard,
    /// An Error Output without an Error or a Cause has null there; by the specification it lacks the field.
    FilledErrorOutput,
    /// A task without TimeoutSeconds took longer than the 60 seconds that the specification allows it.
    TaskBeyondDefaultTimeout,
}

impl Departure {
    const ALL: [Self; 5] = [
        Self::NullPastTheEnd,
        Self::ObjectAsItems,
        Self::DataLimitByWildcard,
        Self::FilledErrorOutput,
        Self::TaskBeyondDefaultTimeout,
    ];
}

/// The [departures](Departure) of an execution. Saves do not contain them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Departures(u8);

impl Departures {
    #[cold]
    pub(crate) fn note(&mut self, departure: Departure) {
        self.0 |= 1 << departure as u8;
    }

    /// Returns each once, in the order of [`Departure`].
    pub fn iter(self) -> impl Iterator<Item = Departure> {
        let made = move |departure: &Departure| self.0 & (1 << *departure as u8) != 0;
        Departure::ALL.into_iter().filter(made)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Effect, Execution, Input, Program, Start, Timestamp};
    use serde_json::json;
    use std::sync::Arc;

    /// Those of an execution whose one task took so many seconds.
    fn departures(timeout_seconds: Option<u64>, seconds: u64) -> Vec<Departure> {
        let mut task = json!({"Type": "Task", "Resource": "arn:aws:lambda:us-east-1:123456789012:function:F", "End": true});
        if let Some(seconds) = timeout_seconds {
            task["TimeoutSeconds"] = json!(seconds);
        }
        let definition = json!({"StartAt": "T", "States": {"T": task}});
        let parsed = asl_model::parse_value(&definition, asl_model::Options::default());
        let program = Program::compile(&parsed.expect("valid").0).expect("a program");
        let begun = Timestamp::from_milliseconds(0);
        let mut execution = Execution::start(program, Start::new("e", json!({}), begun));
        let step = execution.step(begun, None);
        let id = step.effects.first().map(Effect::id).expect("a task");
        let output = Arc::new(json!(1));
        let answer = Input::TaskSucceeded { id, output };
        let step = execution.step(begun.plus_seconds(seconds), Some(answer));
        assert!(step.outcome.is_some());
        execution.departures().iter().collect()
    }

    #[test]
    fn a_task_beyond_the_timeout_that_the_specification_has() {
        assert_eq!(departures(None, 59), []);
        assert_eq!(departures(None, 60), [Departure::TaskBeyondDefaultTimeout]);
        assert_eq!(departures(Some(100), 60), []);
    }
}
