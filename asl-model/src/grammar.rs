//! The grammar of definitions as a table: the role of each field of each object.
use crate::FieldOwner;
use crate::read::comparison::OPERATORS;
use serde_json::Value;

/// The role of a field's value in a definition.
///
/// ```
/// use asl_model::{FieldOwner, FieldRole};
/// assert_eq!(FieldOwner::Machine.role("States"), Some(FieldRole::States));
/// assert_eq!(FieldOwner::Catcher.role("Next"), Some(FieldRole::Target));
/// assert_eq!(FieldOwner::Catcher.role("End"), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "readers of the language handle each"
)]
pub enum FieldRole {
    /// An object whose fields the language defines.
    Object(FieldOwner),
    /// An array of such objects.
    List(FieldOwner),
    /// "States": an object of states by name.
    States,
    /// The name of a state: "StartAt", "Next", "Default".
    Target,
    /// An array of Error Names.
    ErrorNames,
    /// "Assign": an object of templates by variable name.
    Variables,
    /// A template: data that can contain paths or expressions.
    Template,
    /// Literal data.
    Data,
    /// Any other value: a path, a number, a text, an expression, or settings.
    Value,
}

use FieldRole::{Data, ErrorNames, List, Object, States, Target, Template, Variables};

/// Fields of a row that are plain values.
type Values = &'static [&'static str];
/// Fields of a row that have other roles.
type Roles = &'static [(&'static str, FieldRole)];

const MACHINE: (Values, Roles) = (
    &["Comment", "QueryLanguage", "Version", "TimeoutSeconds"],
    &[("StartAt", Target), ("States", States)],
);

/// Fields of all types of states: no field has two roles.
const STATE: (Values, Roles) = (
    &[
        "Type",
        "Comment",
        "QueryLanguage",
        "End",
        "InputPath",
        "OutputPath",
        "ResultPath",
        "Resource",
        "TimeoutSeconds",
        "TimeoutSecondsPath",
        "HeartbeatSeconds",
        "HeartbeatSecondsPath",
        "Seconds",
        "SecondsPath",
        "Timestamp",
        "TimestampPath",
        "Error",
        "ErrorPath",
        "Cause",
        "CausePath",
        "ItemsPath",
        "MaxConcurrency",
        "MaxConcurrencyPath",
        "ToleratedFailureCount",
        "ToleratedFailureCountPath",
        "ToleratedFailurePercentage",
        "ToleratedFailurePercentagePath",
        "Label",
    ],
    &[
        ("Next", Target),
        ("Default", Target),
        ("Branches", List(FieldOwner::Branch)),
        ("ItemProcessor", Object(FieldOwner::ItemProcessor)),
        ("Iterator", Object(FieldOwner::ItemProcessor)),
        ("Choices", List(FieldOwner::ChoiceRule)),
        ("Retry", List(FieldOwner::Retrier)),
        ("Catch", List(FieldOwner::Catcher)),
        ("ItemReader", Object(FieldOwner::ItemReader)),
        ("ItemBatcher", Object(FieldOwner::ItemBatcher)),
        ("ResultWriter", Object(FieldOwner::ResultWriter)),
        ("Assign", Variables),
        ("Parameters", Template),
        ("Arguments", Template),
        ("ResultSelector", Template),
        ("ItemSelector", Template),
        ("Items", Template),
        ("Output", Template),
        ("Credentials", Template),
        ("Result", Data),
    ],
);

const BRANCH: (Values, Roles) = (&["Comment"], &[("StartAt", Target), ("States", States)]);

const ITEM_PROCESSOR: (Values, Roles) = (
    &["Comment"],
    &[
        ("StartAt", Target),
        ("States", States),
        ("ProcessorConfig", Object(FieldOwner::ProcessorConfig)),
    ],
);

const PROCESSOR_CONFIG: (Values, Roles) = (&["Mode", "ExecutionType"], &[]);

const RETRIER: (Values, Roles) = (
    &[
        "Comment",
        "IntervalSeconds",
        "MaxAttempts",
        "BackoffRate",
        "MaxDelaySeconds",
        "JitterStrategy",
    ],
    &[("ErrorEquals", ErrorNames)],
);

const CATCHER: (Values, Roles) = (
    &["Comment", "ResultPath"],
    &[
        ("ErrorEquals", ErrorNames),
        ("Next", Target),
        ("Assign", Variables),
        ("Output", Template),
    ],
);

const CHOICE_RULE: (Values, Roles) = (
    &["Comment", "Variable", "Condition"],
    &[
        ("Next", Target),
        ("Assign", Variables),
        ("Output", Template),
        ("And", List(FieldOwner::NestedRule)),
        ("Or", List(FieldOwner::NestedRule)),
        ("Not", Object(FieldOwner::NestedRule)),
    ],
);

const NESTED_RULE: (Values, Roles) = (
    &["Comment", "Variable"],
    &[
        ("And", List(FieldOwner::NestedRule)),
        ("Or", List(FieldOwner::NestedRule)),
        ("Not", Object(FieldOwner::NestedRule)),
    ],
);

const ITEM_READER: (Values, Roles) = (
    &["Resource"],
    &[
        ("Parameters", Template),
        ("Arguments", Template),
        ("ReaderConfig", Object(FieldOwner::ReaderConfig)),
    ],
);

const READER_CONFIG: (Values, Roles) = (
    &[
        "InputType",
        "Transformation",
        "CSVHeaderLocation",
        "CSVHeaders",
        "CSVDelimiter",
        "MaxItems",
        "MaxItemsPath",
        "ManifestType",
        "ItemsPointer",
    ],
    &[],
);

const ITEM_BATCHER: (Values, Roles) = (
    &[
        "MaxItemsPerBatch",
        "MaxItemsPerBatchPath",
        "MaxInputBytesPerBatch",
        "MaxInputBytesPerBatchPath",
    ],
    &[("BatchInput", Template)],
);

const RESULT_WRITER: (Values, Roles) = (
    &["Resource"],
    &[
        ("Parameters", Template),
        ("Arguments", Template),
        ("WriterConfig", Object(FieldOwner::WriterConfig)),
    ],
);

const WRITER_CONFIG: (Values, Roles) = (&["Transformation", "OutputType"], &[]);

impl FieldOwner {
    /// Returns the role of a field, in any query language; None if the object has no such field. The type of a state does
    /// not matter.
    pub fn role(self, field: &str) -> Option<FieldRole> {
        let (values, roles) = self.row();
        let is_operator = matches!(self, Self::ChoiceRule | Self::NestedRule);
        if values.contains(&field) || (is_operator && OPERATORS.contains(&field)) {
            return Some(FieldRole::Value);
        }
        let known = roles.iter().find(|(name, _)| *name == field);
        known.map(|(_, role)| *role)
    }

    /// Returns true if the object holds states.
    pub fn is_scope(self) -> bool {
        self.role("States") == Some(States)
    }

    fn row(self) -> (Values, Roles) {
        match self {
            Self::Machine => MACHINE,
            Self::State(_) => STATE,
            Self::Branch => BRANCH,
            Self::ItemProcessor => ITEM_PROCESSOR,
            Self::ProcessorConfig => PROCESSOR_CONFIG,
            Self::Retrier => RETRIER,
            Self::Catcher => CATCHER,
            Self::ChoiceRule => CHOICE_RULE,
            Self::NestedRule => NESTED_RULE,
            Self::ItemReader => ITEM_READER,
            Self::ReaderConfig => READER_CONFIG,
            Self::ItemBatcher => ITEM_BATCHER,
            Self::ResultWriter => RESULT_WRITER,
            Self::WriterConfig => WRITER_CONFIG,
        }
    }
}

/// A scope inside a state: a branch or an item processor.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct NestedScope<'d> {
    /// Field of the state.
    pub field: &'static str,
    /// Index in the field's array; None if the field is the scope itself.
    pub index: Option<usize>,
    /// JSON of the scope, which need not be valid.
    pub scope: &'d Value,
}

impl NestedScope<'_> {
    /// Returns the JSON Pointer from the state to the scope.
    pub fn pointer(&self) -> String {
        match self.index {
            Some(index) => format!("/{}/{index}", self.field),
            None => format!("/{}", self.field),
        }
    }
}

/// Iterates over the scopes inside a state in JSON, which need not be valid.
///
/// ```
/// let state = serde_json::json!({"Type": "Parallel", "Branches": [{"States": {}}, {"States": {}}]});
/// let pointers: Vec<String> = asl_model::nested_scopes(&state).map(|one| one.pointer()).collect();
/// assert_eq!(pointers, ["/Branches/0", "/Branches/1"]);
/// ```
pub fn nested_scopes(state: &Value) -> impl Iterator<Item = NestedScope<'_>> {
    let (_, roles) = STATE;
    roles.iter().flat_map(|(field, role)| {
        let value = state.get(field);
        let one = match role {
            Object(owner) if owner.is_scope() => value,
            _ => None,
        };
        let list = match role {
            List(owner) if owner.is_scope() => value.and_then(Value::as_array),
            _ => None,
        };
        let nested = |index, scope| NestedScope {
            field,
            index,
            scope,
        };
        let list = list.into_iter().flatten().enumerate();
        let list = list.map(move |(index, scope)| nested(Some(index), scope));
        one.into_iter()
            .map(move |scope| nested(None, scope))
            .chain(list)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::QueryLanguage;

    const LANGUAGES: [QueryLanguage; 2] = [QueryLanguage::JSONPath, QueryLanguage::JSONata];

    #[test]
    fn every_field_that_the_reader_knows_has_a_role() {
        for owner in FieldOwner::ALL {
            for language in LANGUAGES {
                for field in owner.fields(language) {
                    assert!(
                        owner.role(field).is_some(),
                        "{field} of {owner:?} has no role"
                    );
                }
            }
        }
    }

    #[test]
    fn the_reader_knows_every_field_of_the_table() {
        for owner in FieldOwner::ALL {
            let (values, roles) = owner.row();
            let fields = values.iter().chain(roles.iter().map(|(field, _)| field));
            for field in fields {
                let mut owners = FieldOwner::ALL.into_iter().filter(|one| match owner {
                    FieldOwner::State(_) => matches!(one, FieldOwner::State(_)),
                    owner => *one == owner,
                });
                let is_known = owners.any(|owner| {
                    LANGUAGES
                        .iter()
                        .any(|language| owner.fields(*language).contains(field))
                });
                assert!(is_known, "{field} of {owner:?}");
            }
        }
    }

    #[test]
    fn scopes_of_a_state_are_found_by_their_fields() {
        let state = serde_json::json!({"Iterator": {"a": 1}, "Branches": [1, 2], "Retry": [3]});
        let found: Vec<_> = nested_scopes(&state).map(|one| one.pointer()).collect();
        assert_eq!(found, ["/Branches/0", "/Branches/1", "/Iterator"]);
        assert_eq!(nested_scopes(&Value::Null).count(), 0);
    }
}
