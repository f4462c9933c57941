//! Lambda functions of a template.
use crate::EventSource;
use crate::cloudformation::Evaluator;
use crate::node::Node;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// A Lambda function of a template.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct FunctionSource {
    /// The template.
    pub file: PathBuf,
    /// The line of the function in it, from 1.
    pub line: usize,
    /// The name in the template: a logical ID, a key or a Terraform address.
    pub id: String,
    /// The name that the function has, and that is in its ARN.
    pub name: String,
    /// The identifier of the runtime.
    pub runtime: Option<String>,
    /// The entry point in the code.
    pub handler: Option<String>,
    /// The place of the code.
    pub code: CodeSource,
    /// Variables of the environment.
    pub environment: BTreeMap<String, String>,
    /// The time of an invocation, in seconds.
    pub timeout: Option<u64>,
    /// The memory, in MB.
    pub memory: Option<u64>,
    /// Folders or archives of layers, in the order of the template; an ARN or another text for one that is elsewhere.
    pub layers: Vec<CodeSource>,
    /// The events that invoke the function.
    pub events: Vec<EventSource>,
}

/// Places of code.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum CodeSource {
    /// In a folder or an archive.
    Path(PathBuf),
    /// In a folder or an archive outside of the repository, which is not allowed.
    Outside(PathBuf),
    /// In the template.
    Inline(String),
    /// Not on this machine: in a bucket, a registry, another account.
    Elsewhere(String),
    /// The template does not say.
    Unknown,
}

impl FunctionSource {
    pub(super) fn new(node: &Node<'_>, id: &str, name: String) -> Self {
        let position = node.file().position(node.offset());
        Self {
            file: node.file().path().to_owned(),
            line: position.line,
            id: id.to_owned(),
            name,
            runtime: None,
            handler: None,
            code: CodeSource::Unknown,
            environment: BTreeMap::new(),
            timeout: None,
            memory: None,
            layers: Vec::new(),
            events: Vec::new(),
        }
    }
}

/// Returns a value with its functions evaluated.
pub(super) fn evaluated<'t>(evaluator: &mut Evaluator<'t>, node: &Node<'t>) -> Value {
    let mut text = crate::DefinitionText::default();
    evaluator.write_json(node, &mut text);
    asl_model::value_from_text(text.as_str(), asl_model::Options::default()).unwrap_or_default()
}

/// Returns a text; None if it is something else, or unknown.
pub(super) fn text<'t>(evaluator: &mut Evaluator<'t>, node: Option<Node<'t>>) -> Option<String> {
    match evaluated(evaluator, &node?) {
        Value::String(text) => Some(text),
        value @ (Value::Number(_) | Value::Bool(_)) => Some(value.to_string()),
        _ => None,
    }
}

pub(super) fn number<'t>(evaluator: &mut Evaluator<'t>, node: Option<Node<'t>>) -> Option<u64> {
    text(evaluator, node)?.parse().ok()
}

/// Returns the fields of an object as texts. One whose value is unknown has the text of its expression.
pub(super) fn texts<'t>(
    evaluator: &mut Evaluator<'t>,
    node: Option<Node<'t>>,
) -> BTreeMap<String, String> {
    let Some(node) = node else {
        return BTreeMap::new();
    };
    let Value::Object(fields) = evaluated(evaluator, &node) else {
        return BTreeMap::new();
    };
    let texts = fields.into_iter().filter_map(|(name, value)| match value {
        Value::String(text) => Some((name, text)),
        Value::Null => None,
        other => Some((name, other.to_string())),
    });
    texts.collect()
}
