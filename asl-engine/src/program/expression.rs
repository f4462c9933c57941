//! JSONata strings made ready.
use asl_jsonata::{JsonataString, StatesField};

/// A JSONata string, and what it passes on whole where that is all it does.
#[derive(Debug)]
pub(crate) struct CompiledExpression {
    pub(crate) string: JsonataString,
    pub(crate) whole: Option<WholeValue>,
}

/// A value that an expression only names, or only sets fields of: it is shared, moved or changed in place, not evaluated.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum WholeValue {
    /// `$name`.
    Variable(String),
    /// A field of `$states`, or names alone from there on.
    Path(StatesField, Vec<String>),
    /// `$merge([$states.input, {…}])`, and the same of the other fields.
    Merge(StatesField),
}

impl CompiledExpression {
    pub(crate) fn new(string: &JsonataString) -> Self {
        Self {
            whole: whole_value(string),
            string: string.clone(),
        }
    }

    /// Whether it reads a field of `$states`.
    pub(crate) fn reads(&self, field: StatesField) -> bool {
        self.string.expression().references().reads(field)
    }
}

fn whole_value(string: &JsonataString) -> Option<WholeValue> {
    let expression = string.expression();
    if let Some(path) = expression.states_path() {
        let names = path.names.into_iter().map(str::to_owned);
        return Some(WholeValue::Path(path.field, names.collect()));
    }
    if let Some(merge) = expression.states_merge() {
        return Some(WholeValue::Merge(merge.field));
    }
    let name = expression.source().trim().strip_prefix('$')?;
    match expression.references().variables.as_slice() {
        [variable] if variable.name == name => Some(WholeValue::Variable(name.to_owned())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(text: &str) -> Option<WholeValue> {
        let string = JsonataString::parse(text, &asl_jsonata::Options::default()).expect("JSONata");
        CompiledExpression::new(&string).whole
    }

    #[test]
    fn an_expression_may_only_name_a_value() {
        for (text, field) in [
            (" $states.input ", StatesField::Input),
            ("$states.result", StatesField::Result),
            ("$states.errorOutput", StatesField::ErrorOutput),
        ] {
            assert_eq!(whole(text), Some(WholeValue::Path(field, Vec::new())));
        }
        assert_eq!(
            whole("$order"),
            Some(WholeValue::Variable("order".to_owned()))
        );
    }

    #[test]
    fn an_expression_may_only_go_through_names_or_set_fields() {
        let names = vec!["a".to_owned(), "b".to_owned()];
        assert_eq!(
            whole("$states.input.a.b"),
            Some(WholeValue::Path(StatesField::Input, names))
        );
        assert_eq!(
            whole("$merge([$states.result, {'a': 1}])"),
            Some(WholeValue::Merge(StatesField::Result))
        );
    }

    #[test]
    fn any_other_expression_is_evaluated() {
        for text in [
            "$states.input.a[0]",
            "$states",
            "$order.id",
            "$order[]",
            "$a + $b",
            "1",
            "$now()",
        ] {
            assert_eq!(whole(text), None, "{text}");
        }
    }
}
