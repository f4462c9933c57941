//! JSONata strings made ready.
use super::literal::Literal;
use asl_jsonata::{JsonataString, MergedFields, Plan};
use serde_json::Value;

/// A JSONata string, with what its plan leaves to be worked out once.
#[derive(Debug)]
pub(crate) struct CompiledExpression {
    pub(crate) string: JsonataString,
    /// The constant value, or the fields that it sets in another value.
    pub(crate) constant: Option<Literal>,
}

impl CompiledExpression {
    pub(crate) fn new(string: &JsonataString) -> Self {
        let constant = match string.expression().plan() {
            Plan::Constant(value) => Some(Literal::new(value)),
            Plan::Merge(_, MergedFields::Constant(fields)) => {
                Some(Literal::new(&Value::Object(fields.clone())))
            }
            _ => None,
        };
        Self {
            string: string.clone(),
            constant,
        }
    }

    /// Returns the plan of the evaluation.
    pub(crate) fn plan(&self) -> &Plan {
        self.string.expression().plan()
    }
}
