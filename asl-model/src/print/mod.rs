//! Definitions back to JSON: fields in the order of the specification, defaults left out as they were.

mod choice;
mod map;
mod object;
mod state;

use crate::{PayloadTemplate, StateMachine, States, TemplateNode};
use object::ObjectPrinter;
use serde_json::{Map, Value};

impl StateMachine {
    /// Returns the definition in its canonical form; reading it gives this machine again.
    ///
    /// ```
    /// use asl_model::{Options, parse};
    /// let text = r#"{"States": {"A": {"End": true, "Type": "Pass"}}, "StartAt": "A"}"#;
    /// let (machine, _) = parse(text, Options::default()).unwrap();
    /// let json = machine.to_json();
    /// assert_eq!(json.to_string(), r#"{"StartAt":"A","States":{"A":{"Type":"Pass","End":true}}}"#);
    /// ```
    pub fn to_json(&self) -> Value {
        let mut fields = ObjectPrinter::default();
        fields.text("Comment", self.states.comment.as_deref());
        fields.word("QueryLanguage", self.query_language);
        fields.word("Version", self.version);
        fields.some("TimeoutSeconds", self.timeout_seconds);
        scope(&mut fields, &self.states);
        fields.into()
    }
}

impl PayloadTemplate {
    /// The template as it is written.
    pub fn to_json(&self) -> Value {
        node(&self.root)
    }
}

/// Returns a branch or a processor.
fn states(states: &States) -> ObjectPrinter {
    let mut fields = ObjectPrinter::default();
    fields.text("Comment", states.comment.as_deref());
    scope(&mut fields, states);
    fields
}

fn scope(fields: &mut ObjectPrinter, states: &States) {
    fields.put("StartAt", states.start_at.as_str());
    let list = states.states.iter();
    let list: Map<String, Value> = list
        .map(|(name, state)| (name.as_str().to_owned(), state::state(state)))
        .collect();
    fields.put("States", list);
}

fn node(node: &TemplateNode) -> Value {
    match node {
        TemplateNode::Literal(value) => value.clone(),
        TemplateNode::Path(path) => path.source().into(),
        TemplateNode::Intrinsic(intrinsic) => intrinsic.source().into(),
        TemplateNode::Expression(expression) => expression.text().into(),
        TemplateNode::Array(elements) => elements.iter().map(self::node).collect(),
        TemplateNode::Object(fields) => {
            let fields = fields.iter();
            let fields = fields.map(|each| field(&each.name, &each.value));
            Value::Object(fields.collect())
        }
    }
}

/// Returns a field of a template: its name as it is written, and its value.
fn field(name: &str, value: &TemplateNode) -> (String, Value) {
    let suffix = match value {
        TemplateNode::Path(_) | TemplateNode::Intrinsic(_) => crate::template::SUFFIX,
        _ => "",
    };
    (format!("{name}{suffix}"), node(value))
}
