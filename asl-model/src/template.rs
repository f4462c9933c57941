//! Templates of both query languages, parsed (2024 specification, Payload Template; JSONata Evaluation).
use asl_intrinsics::Intrinsic;
use asl_jsonata::JsonataString;
use asl_path::Path;
use serde_json::Value;

/// The suffix of a field whose value is replaced.
pub(crate) const SUFFIX: &str = ".$";

/// A template of JSON that an evaluation makes. In a JSONPath state it is a Payload Template, in which a field whose name
/// ends in `.$` holds a path or an intrinsic function; in a JSONata state any string may be a JSONata string
/// (2024 specification, JSONata Evaluation).
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PayloadTemplate {
    /// The top of the template: an object by the specification; the service takes any JSON.
    pub root: TemplateNode,
}

impl PayloadTemplate {
    /// Returns the value of a field of the template, if it is a literal.
    ///
    /// ```
    /// use asl_model::{Options, parse};
    /// let text = r#"{"StartAt": "A", "States": {
    ///     "A": {"Type": "Pass", "Parameters": {"b": "c", "d.$": "$.e"}, "End": true}
    /// }}"#;
    /// let (machine, _) = parse(text, Options::default()).unwrap();
    /// let parameters = machine.states.states[0].1.processing.payload().unwrap();
    /// assert_eq!(parameters.literal_field("b").unwrap(), "c");
    /// assert_eq!(parameters.literal_field("d"), None);
    /// ```
    pub fn literal_field(&self, name: &str) -> Option<&Value> {
        match &self.root {
            TemplateNode::Literal(value) => value.get(name),
            TemplateNode::Object(fields) => {
                let field = fields.iter().find(|field| field.name == name)?;
                match &field.value {
                    TemplateNode::Literal(value) => Some(value),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// A part of a template.
#[derive(Debug, Clone, PartialEq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "readers of the language handle each"
)]
pub enum TemplateNode {
    /// JSON without anything to replace below it.
    Literal(Value),
    /// An object with something to replace below it.
    Object(Vec<TemplateField>),
    /// An array with something to replace below it.
    Array(Vec<Self>),
    /// The value of a `.$` field that is a path.
    Path(Path),
    /// The value of a `.$` field that is an intrinsic function.
    Intrinsic(Intrinsic),
    /// A JSONata string, of a JSONata state.
    Expression(JsonataString),
}

/// A field of an object of a template.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct TemplateField {
    /// Name of the field, without the suffix `.$`.
    pub name: String,
    /// Value of the field.
    pub value: TemplateNode,
}
