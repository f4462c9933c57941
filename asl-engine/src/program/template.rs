//! Payload Templates made ready: measured, and with field names that can be copied cheaply.
use super::state::Literal;
use crate::execution::measure::measure;
use asl_intrinsics::Intrinsic;
use asl_model::{PayloadTemplate, TemplateNode};
use asl_path::Path;
use serde_json::Value;

/// A Payload Template whose literals are measured.
#[derive(Debug)]
pub(crate) struct CompiledTemplate {
    pub(crate) root: CompiledNode,
}

#[derive(Debug)]
pub(crate) enum CompiledNode {
    Literal(Literal),
    Object(Vec<(String, Self)>),
    Array(Vec<Self>),
    Path(Path),
    Intrinsic(Intrinsic),
}

impl CompiledTemplate {
    pub(crate) fn new(template: &PayloadTemplate) -> Self {
        Self {
            root: compile_node(&template.root),
        }
    }
}

fn literal(value: &Value) -> CompiledNode {
    let measured = measure(value, true);
    CompiledNode::Literal(Literal {
        value: value.clone(),
        depth: measured.depth,
        bytes: measured.bytes,
    })
}

/// Recursion is bounded: a definition's nesting is limited where it is read.
fn compile_node(node: &TemplateNode) -> CompiledNode {
    match node {
        TemplateNode::Literal(value) => literal(value),
        TemplateNode::Object(fields) => CompiledNode::Object(
            fields
                .iter()
                .map(|field| (field.name.clone(), compile_node(&field.value)))
                .collect(),
        ),
        TemplateNode::Array(nodes) => CompiledNode::Array(nodes.iter().map(compile_node).collect()),
        TemplateNode::Path(path) => CompiledNode::Path(path.clone()),
        TemplateNode::Intrinsic(intrinsic) => CompiledNode::Intrinsic(intrinsic.clone()),
        // A JSONata state is not compiled.
        TemplateNode::Expression(expression) => literal(&expression.text().into()),
    }
}
