//! Texts for readers about fields, functions, errors and types of states: data in `texts/`, one per line.
use asl_model::{FieldOwner, StateType};

const FIELDS: &str = include_str!("../texts/fields.txt");
const FUNCTIONS: &str = include_str!("../texts/functions.txt");
const ERRORS: &str = include_str!("../texts/errors.txt");
const TYPES: &str = include_str!("../texts/types.txt");

/// Frequency of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Use {
    Required,
    Usual,
    Seldom,
}

/// Text about a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FieldText {
    pub(crate) usual: Use,
    /// Shape of the value: a word, with an optional example.
    pub(crate) shape: &'static str,
    pub(crate) section: &'static str,
    pub(crate) text: String,
}

/// A description, and the section of the documentation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Text {
    pub(crate) section: &'static str,
    pub(crate) text: &'static str,
}

/// A function with its parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FunctionText {
    /// `(text, width, character?)`
    pub(crate) parameters: &'static str,
    pub(crate) said: Text,
}

/// Returns the columns of the lines that begin with these.
fn lines<const N: usize>(data: &'static str) -> impl Iterator<Item = [&'static str; N]> {
    let lines = data.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| {
        let columns: Vec<&str> = line.split(" | ").collect();
        columns.try_into().ok()
    })
}

/// Returns the text about a field of an object.
pub(crate) fn field(owner: FieldOwner, name: &str) -> Option<FieldText> {
    let whose = owners(owner);
    let all = lines::<6>(FIELDS).filter(|[_, it, ..]| *it == name);
    let found = all
        .filter_map(|line| {
            let rank = whose.iter().position(|owner| owner == &line[0])?;
            Some((rank, line))
        })
        .min_by_key(|(rank, _)| *rank);
    let Some((_, [_, _, mark, shape, section, text])) = found else {
        return comparison(owner, name);
    };
    Some(FieldText {
        usual: match mark {
            "!" => Use::Required,
            "+" => Use::Usual,
            _ => Use::Seldom,
        },
        shape,
        section,
        text: text.to_owned(),
    })
}

/// Returns the names under which the texts of an owner's fields stand, the first one first.
fn owners(owner: FieldOwner) -> &'static [&'static str] {
    match owner {
        FieldOwner::Machine => &["Machine"],
        FieldOwner::State(StateType::Task) => &["Task", "State"],
        FieldOwner::State(StateType::Wait) => &["Wait", "State"],
        FieldOwner::State(StateType::Pass) => &["Pass", "State"],
        FieldOwner::State(StateType::Succeed) => &["Succeed", "State"],
        FieldOwner::State(StateType::Fail) => &["Fail", "State"],
        FieldOwner::State(StateType::Choice) => &["Choice", "State"],
        FieldOwner::State(StateType::Parallel) => &["Parallel", "State"],
        FieldOwner::State(StateType::Map) => &["Map", "State"],
        FieldOwner::Branch => &["Branch"],
        FieldOwner::ItemProcessor => &["ItemProcessor"],
        FieldOwner::ProcessorConfig => &["ProcessorConfig"],
        FieldOwner::Retrier => &["Retrier"],
        FieldOwner::Catcher => &["Catcher"],
        FieldOwner::ChoiceRule => &["ChoiceRule", "Rule"],
        FieldOwner::NestedRule => &["Rule"],
        FieldOwner::ItemReader => &["ItemReader"],
        FieldOwner::ReaderConfig => &["ReaderConfig"],
        FieldOwner::ItemBatcher => &["ItemBatcher"],
        FieldOwner::ResultWriter => &["ResultWriter"],
        FieldOwner::WriterConfig => &["WriterConfig"],
    }
}

/// Returns the text about a comparison of a Choice Rule, composed from the words of its name.
fn comparison(owner: FieldOwner, name: &str) -> Option<FieldText> {
    if !matches!(owner, FieldOwner::ChoiceRule | FieldOwner::NestedRule) {
        return None;
    }
    let (plain, is_path) = match name.strip_suffix("Path") {
        Some(plain) => (plain, true),
        None => (name, false),
    };
    let kinds = [
        ("String", "a string", "text"),
        ("Numeric", "a number", "number 0"),
        ("Timestamp", "a moment", "text"),
        ("Boolean", "true or false", "true"),
    ];
    let (what, shape, relation) = kinds.into_iter().find_map(|(kind, what, shape)| {
        let relation = match plain.strip_prefix(kind)? {
            "Equals" => "equal to",
            "LessThan" => "less than",
            "LessThanEquals" => "less than or equal to",
            "GreaterThan" => "greater than",
            "GreaterThanEquals" => "greater than or equal to",
            _ => return None,
        };
        Some((what, shape, relation))
    })?;
    let other = if is_path {
        "the one at this path"
    } else {
        "this one"
    };
    Some(FieldText {
        usual: Use::Seldom,
        shape: if is_path { "path" } else { shape },
        section: "Data-test expression for JSONPath Choice Rules",
        text: format!("Tests whether the value is {what} and {relation} {other}."),
    })
}

/// Returns the text about a function: `States.Format` of JSONPath states, `sum` of JSONata.
pub(crate) fn function(name: &str) -> Option<FunctionText> {
    let mut all = lines::<4>(FUNCTIONS);
    let [_, parameters, section, text] = all.find(|[it, ..]| *it == name)?;
    Some(FunctionText {
        parameters,
        said: Text { section, text },
    })
}

/// Returns the text about an error name.
pub(crate) fn error(name: &str) -> Option<Text> {
    find(ERRORS, name)
}

/// Returns the text about a state type.
pub(crate) fn state_type(name: &str) -> Option<Text> {
    find(TYPES, name)
}

fn find(data: &'static str, name: &str) -> Option<Text> {
    let [_, section, text] = lines::<3>(data).find(|[it, ..]| *it == name)?;
    Some(Text { section, text })
}

#[cfg(test)]
mod tests {
    use super::*;
    use asl_intrinsics::Function;
    use asl_jsonata::Dialect;
    use asl_model::{QueryLanguage, vocabulary};
    use std::collections::BTreeSet;

    #[test]
    fn every_field_that_the_reader_knows_has_a_text() {
        for language in [QueryLanguage::JSONPath, QueryLanguage::JSONata] {
            for owner in FieldOwner::ALL {
                for name in owner.fields(language) {
                    let text = field(owner, name);
                    let text = text.unwrap_or_else(|| panic!("{name} of {owner:?} has no text"));
                    assert!(
                        text.text.ends_with('.') && !text.section.is_empty(),
                        "{name}"
                    );
                }
            }
        }
    }

    #[test]
    fn every_function_and_no_other_has_a_text() {
        let intrinsics = Function::ALL.map(Function::name);
        let known: BTreeSet<&str> = Dialect::StatesLanguage
            .functions()
            .chain(intrinsics)
            .collect();
        let told: BTreeSet<&str> = lines::<4>(FUNCTIONS).map(|[name, ..]| name).collect();
        assert_eq!(known, told);
    }

    #[test]
    fn every_error_and_type_has_a_text() {
        for name in vocabulary::error_names() {
            assert!(error(name).is_some(), "{name}");
        }
        for name in vocabulary::words(FieldOwner::State(StateType::Pass), "Type") {
            assert!(state_type(name).is_some(), "{name}");
        }
    }

    #[test]
    fn every_line_has_all_its_columns() {
        let count = |data: &str| data.lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!(lines::<6>(FIELDS).count(), count(FIELDS));
        assert_eq!(lines::<4>(FUNCTIONS).count(), count(FUNCTIONS));
        assert_eq!(lines::<3>(ERRORS).count(), count(ERRORS));
        assert_eq!(lines::<3>(TYPES).count(), count(TYPES));
    }
}
