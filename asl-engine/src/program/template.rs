//! Templates of both query languages made ready: measured, and with field names that can be copied cheaply.
use super::expression::CompiledExpression;
use super::state::Literal;
use asl_intrinsics::Intrinsic;
use asl_jsonata::StatesField;
use asl_model::{Assign, PayloadTemplate, TemplateNode};
use asl_path::Path;
use std::sync::Arc;

/// A template whose literals are measured.
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
    Expression(Box<CompiledExpression>),
}

/// "Assign".
#[derive(Debug)]
pub(crate) struct CompiledAssign {
    /// In the order of the definition.
    pub(crate) variables: Vec<(Arc<str>, CompiledNode)>,
}

impl CompiledTemplate {
    pub(crate) fn new(template: &PayloadTemplate) -> Self {
        Self {
            root: compile_node(&template.root),
        }
    }
}

impl CompiledNode {
    /// Whether an expression of it reads `$states.input`.
    pub(crate) fn reads_input(&self) -> bool {
        match self {
            Self::Object(fields) => fields.iter().any(|(_, field)| field.reads_input()),
            Self::Array(nodes) => nodes.iter().any(Self::reads_input),
            Self::Expression(expression) => expression.reads(StatesField::Input),
            Self::Literal(_) | Self::Path(_) | Self::Intrinsic(_) => false,
        }
    }
}

impl CompiledAssign {
    pub(crate) fn new(assign: &Assign) -> Self {
        Self {
            variables: assign
                .variables
                .iter()
                .map(|variable| (variable.name.as_str().into(), compile_node(&variable.value)))
                .collect(),
        }
    }
}

/// Recursion is bounded: a definition's nesting is limited where it is read.
fn compile_node(node: &TemplateNode) -> CompiledNode {
    match node {
        TemplateNode::Literal(value) => CompiledNode::Literal(Literal::new(value)),
        TemplateNode::Object(fields) => CompiledNode::Object(
            fields
                .iter()
                .map(|field| (field.name.clone(), compile_node(&field.value)))
                .collect(),
        ),
        TemplateNode::Array(nodes) => CompiledNode::Array(nodes.iter().map(compile_node).collect()),
        TemplateNode::Path(path) => CompiledNode::Path(path.clone()),
        TemplateNode::Intrinsic(intrinsic) => CompiledNode::Intrinsic(intrinsic.clone()),
        TemplateNode::Expression(string) => {
            CompiledNode::Expression(Box::new(CompiledExpression::new(string)))
        }
    }
}
