//! The order of the fields of a definition.
use asl_model::{FieldOwner, FieldRole, StateType};

/// The kind of a value, which determines the order of its fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// A state machine, a branch, or what a Map State runs.
    Machine,
    /// The states of one, which stay in the order that they are written in.
    States,
    State,
    Branches,
    Retriers,
    Retrier,
    Catchers,
    Catcher,
    ChoiceRules,
    ChoiceRule,
    /// Payloads, tests of Choice Rules and the configuration of Map States: as they are written.
    Data,
}

/// Order of fields of machines; unknown fields come before the states.
const OF_MACHINES: [&str; 6] = [
    "ProcessorConfig",
    "Comment",
    "QueryLanguage",
    "Version",
    "StartAt",
    "TimeoutSeconds",
];
const LAST_OF_MACHINES: [&str; 1] = ["States"];

/// Order of fields of states: kind, input, work, output. Unknown fields come last.
const OF_STATES: [&str; 43] = [
    "Type",
    "Comment",
    "QueryLanguage",
    "Resource",
    "Credentials",
    "InputPath",
    "ItemsPath",
    "Items",
    "ItemReader",
    "ItemSelector",
    "Parameters",
    "Arguments",
    "ItemBatcher",
    "Result",
    "Seconds",
    "SecondsPath",
    "Timestamp",
    "TimestampPath",
    "Error",
    "ErrorPath",
    "Cause",
    "CausePath",
    "TimeoutSeconds",
    "TimeoutSecondsPath",
    "HeartbeatSeconds",
    "HeartbeatSecondsPath",
    "Label",
    "MaxConcurrency",
    "MaxConcurrencyPath",
    "ToleratedFailureCount",
    "ToleratedFailureCountPath",
    "ToleratedFailurePercentage",
    "ToleratedFailurePercentagePath",
    "Branches",
    "ItemProcessor",
    "Iterator",
    "ResultWriter",
    "Choices",
    "ResultSelector",
    "ResultPath",
    "OutputPath",
    "Assign",
    "Output",
];
const LAST_OF_STATES: [&str; 5] = ["Retry", "Catch", "Default", "Next", "End"];

const OF_RETRIERS: [&str; 7] = [
    "ErrorEquals",
    "Comment",
    "IntervalSeconds",
    "MaxAttempts",
    "BackoffRate",
    "MaxDelaySeconds",
    "JitterStrategy",
];

const OF_CATCHERS: [&str; 5] = ["ErrorEquals", "Comment", "ResultPath", "Assign", "Output"];

const NEXT: [&str; 1] = ["Next"];

impl Part {
    /// Returns the kind of a field's value.
    pub(crate) fn of_field(self, name: &str) -> Self {
        let owner = match self {
            Self::States => return Self::State,
            Self::Machine => FieldOwner::Machine,
            Self::State => FieldOwner::State(StateType::Pass),
            _ => return Self::Data,
        };
        match owner.role(name) {
            Some(FieldRole::States) => Self::States,
            Some(FieldRole::Object(owner)) if owner.is_scope() => Self::Machine,
            Some(FieldRole::List(FieldOwner::Branch)) => Self::Branches,
            Some(FieldRole::List(FieldOwner::Retrier)) => Self::Retriers,
            Some(FieldRole::List(FieldOwner::Catcher)) => Self::Catchers,
            Some(FieldRole::List(FieldOwner::ChoiceRule)) => Self::ChoiceRules,
            _ => Self::Data,
        }
    }

    /// Returns the kind of an array element.
    pub(crate) fn of_element(self) -> Self {
        match self {
            Self::Branches => Self::Machine,
            Self::Retriers => Self::Retrier,
            Self::Catchers => Self::Catcher,
            Self::ChoiceRules => Self::ChoiceRule,
            _ => Self::Data,
        }
    }

    /// Returns the kind of a text with these fields; None if it is not a definition.
    pub(crate) fn of_text<'n>(mut names: impl Iterator<Item = &'n str>) -> Option<Self> {
        let is_machine = names.any(|name| matches!(name, "StartAt" | "States"));
        is_machine.then_some(Self::Machine)
    }

    /// Returns the place of a field among the others; fields of one place stay as they are.
    pub(crate) fn rank(self, name: &str) -> usize {
        let (first, last): (&[&str], &[&str]) = match self {
            Self::Machine => (&OF_MACHINES, &LAST_OF_MACHINES),
            Self::State => (&OF_STATES, &LAST_OF_STATES),
            Self::Retrier => (&OF_RETRIERS, &[]),
            Self::Catcher => (&OF_CATCHERS, &NEXT),
            Self::ChoiceRule => (&[], &NEXT),
            _ => return 0,
        };
        let place = |list: &[&str]| list.iter().position(|known| *known == name);
        let unknown = first.len();
        let last = place(last).map(|place| unknown + 1 + place);
        place(first).or(last).unwrap_or(unknown)
    }
}

#[cfg(test)]
mod tests {
    use super::Part;
    use asl_model::{FieldOwner, QueryLanguage};

    #[track_caller]
    fn sorted(part: Part, names: &str) -> String {
        let mut names: Vec<&str> = names.split_whitespace().collect();
        names.sort_by_key(|name| part.rank(name));
        names.join(" ")
    }

    /// Fields of rules and settings stay as they are written.
    #[test]
    fn every_field_that_the_reader_knows_has_an_order() {
        for owner in FieldOwner::ALL {
            let part = match owner {
                FieldOwner::Machine | FieldOwner::Branch | FieldOwner::ItemProcessor => {
                    Part::Machine
                }
                FieldOwner::State(_) => Part::State,
                FieldOwner::Retrier => Part::Retrier,
                FieldOwner::Catcher => Part::Catcher,
                _ => continue,
            };
            let unknown = part.rank("Unknown");
            for language in [QueryLanguage::JSONPath, QueryLanguage::JSONata] {
                for field in owner.fields(language) {
                    assert_ne!(
                        part.rank(field),
                        unknown,
                        "{field} of {owner:?} has no order"
                    );
                }
            }
        }
    }

    #[test]
    fn fields_stand_as_people_write_them() {
        for (part, written, expected) in [
            (
                Part::Machine,
                "States Other StartAt Comment QueryLanguage",
                "Comment QueryLanguage StartAt Other States",
            ),
            (
                Part::State,
                "Next Catch Retry ResultPath Parameters Resource Type Comment",
                "Type Comment Resource Parameters ResultPath Retry Catch Next",
            ),
            (
                Part::State,
                "End Output Assign Other Items ItemProcessor Type",
                "Type Items ItemProcessor Assign Output Other End",
            ),
            (Part::State, "Default Choices Type", "Type Choices Default"),
            (
                Part::Retrier,
                "MaxAttempts ErrorEquals IntervalSeconds Other",
                "ErrorEquals IntervalSeconds MaxAttempts Other",
            ),
            (
                Part::Catcher,
                "Next ResultPath Other ErrorEquals",
                "ErrorEquals ResultPath Other Next",
            ),
            (
                Part::ChoiceRule,
                "Next Variable IsPresent",
                "Variable IsPresent Next",
            ),
            (Part::Data, "Next Type", "Next Type"),
            (Part::States, "Next Comment", "Next Comment"),
        ] {
            assert_eq!(sorted(part, written), expected);
        }
    }
}
