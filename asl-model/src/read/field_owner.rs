//! The fields of each kind of object, independent of a definition.
use super::comparison::OPERATORS;
use super::state::fields_of;
use super::{
    Fields, choice, errors, item_batcher, item_processor, item_reader, machine, parallel,
    result_writer,
};
use crate::rules::known_fields::STATE;
use crate::{QueryLanguage, StateType};

/// A kind of object that has fields of its own.
///
/// ```
/// use asl_model::{FieldOwner, QueryLanguage, StateType};
/// let wait = FieldOwner::State(StateType::Wait);
/// assert!(wait.fields(QueryLanguage::JSONPath).contains(&"SecondsPath"));
/// assert!(!wait.fields(QueryLanguage::JSONata).contains(&"SecondsPath"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each is called as the specification calls it")]
#[expect(
    clippy::exhaustive_enums,
    reason = "readers of the language handle each"
)]
pub enum FieldOwner {
    Machine,
    State(StateType),
    /// An element of "Branches".
    Branch,
    ItemProcessor,
    ProcessorConfig,
    Retrier,
    Catcher,
    /// An element of "Choices".
    ChoiceRule,
    /// A rule within "And", "Or" or "Not".
    NestedRule,
    ItemReader,
    ReaderConfig,
    ItemBatcher,
    ResultWriter,
    WriterConfig,
}

impl FieldOwner {
    /// All owners.
    pub const ALL: [Self; 21] = [
        Self::Machine,
        Self::State(StateType::Task),
        Self::State(StateType::Wait),
        Self::State(StateType::Pass),
        Self::State(StateType::Succeed),
        Self::State(StateType::Fail),
        Self::State(StateType::Choice),
        Self::State(StateType::Parallel),
        Self::State(StateType::Map),
        Self::Branch,
        Self::ItemProcessor,
        Self::ProcessorConfig,
        Self::Retrier,
        Self::Catcher,
        Self::ChoiceRule,
        Self::NestedRule,
        Self::ItemReader,
        Self::ReaderConfig,
        Self::ItemBatcher,
        Self::ResultWriter,
        Self::WriterConfig,
    ];

    /// Returns the names of the fields that it can have in a query language, as definitions are held against them.
    pub fn fields(self, language: QueryLanguage) -> Vec<&'static str> {
        let only = |names: &'static [&'static str]| names.to_vec();
        match self {
            Self::Machine => only(machine::MACHINE),
            Self::State(state_type) => {
                let mut names = only(STATE);
                names.extend(in_language(fields_of(state_type), language));
                names
            }
            Self::Branch => only(parallel::BRANCH),
            Self::ItemProcessor => only(item_processor::PROCESSOR),
            Self::ProcessorConfig => only(item_processor::PROCESSOR_CONFIG),
            Self::Retrier => only(errors::RETRIER),
            Self::Catcher => in_language(&errors::CATCHER, language),
            Self::ChoiceRule if language == QueryLanguage::JSONata => only(choice::JSONATA_RULE),
            Self::ChoiceRule => [RULE, &["Next", "Assign"], OPERATORS].concat(),
            Self::NestedRule if language == QueryLanguage::JSONata => Vec::new(),
            Self::NestedRule => [RULE, OPERATORS].concat(),
            Self::ItemReader => in_language(&item_reader::READER, language),
            Self::ReaderConfig => in_language(&item_reader::READER_CONFIG, language),
            Self::ItemBatcher => in_language(&item_batcher::BATCHER, language),
            Self::ResultWriter => in_language(&result_writer::WRITER, language),
            Self::WriterConfig => only(result_writer::WRITER_CONFIG),
        }
    }
}

/// Fields of rules in JSONPath states, other than comparisons.
const RULE: &[&str] = &["Variable", "And", "Or", "Not", "Comment"];

fn in_language(fields: &Fields, language: QueryLanguage) -> Vec<&'static str> {
    let of_language = match language {
        QueryLanguage::JSONPath => fields.json_path,
        QueryLanguage::JSONata => fields.jsonata,
    };
    [fields.common, of_language].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{choice, errors, machine, task};
    use serde_json::json;

    /// Checks that the reader knows every listed field.
    #[test]
    fn the_reader_knows_all_fields() {
        for owner in FieldOwner::ALL {
            for name in owner.fields(QueryLanguage::JSONPath) {
                let definition = match owner {
                    FieldOwner::State(state_type) => {
                        machine(json!({"Type": state_type.as_str(), name: 1}))
                    }
                    FieldOwner::Retrier => task(json!({"Retry": [{name: 1}]})),
                    FieldOwner::Catcher => task(json!({"Catch": [{name: 1}]})),
                    FieldOwner::ChoiceRule => choice(json!({name: 1})),
                    FieldOwner::NestedRule => choice(json!({"Not": {name: 1}})),
                    _ => continue,
                };
                let unknown = format!("Field '{name}' is not supported");
                let faults = errors(&definition);
                assert!(
                    !faults.iter().any(|fault| fault.contains(&unknown)),
                    "{owner:?}: {name}"
                );
            }
        }
    }
}
