//! Templates of both query languages made ready: measured, and with field names that can be copied cheaply.
use super::expression::CompiledExpression;
use super::literal::Literal;
use crate::data::{Measure, measure, weigh};
use asl_intrinsics::Intrinsic;
use asl_jsonata::{Plan, StatesField};
use asl_model::{Assign, PayloadTemplate, TemplateNode};
use asl_path::{JsonPath, Path, Root, Step};
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::sync::Arc;

/// A template whose literals are measured.
#[derive(Debug)]
pub(crate) struct CompiledTemplate {
    pub(crate) root: CompiledNode,
}

#[derive(Debug)]
pub(crate) enum CompiledNode {
    Literal(Literal),
    Object(ObjectTemplate),
    Array(Vec<Self>),
    Path(Path),
    Intrinsic(Intrinsic),
    Expression(Box<CompiledExpression>),
}

/// An object of a template: copied whole, then filled in, so that no name is hashed again.
#[derive(Debug)]
pub(crate) struct ObjectTemplate {
    /// All fields in their order: literals as they are, null where a value is to be filled in.
    pub(crate) shape: Map<String, Value>,
    /// Dynamic fields in order.
    pub(crate) fields: Vec<TemplateField>,
    /// Measure of the static part.
    pub(crate) measure: Measure,
    /// Of the shape.
    pub(crate) weight: u64,
}

#[derive(Debug)]
pub(crate) struct TemplateField {
    pub(crate) name: String,
    pub(crate) node: CompiledNode,
    /// Index in the shape; None if a later field has the same name.
    pub(crate) place: Option<usize>,
    /// The part of the state's input that can be moved into the field: no other field moves any of it.
    pub(crate) moved: Option<JsonPath>,
}

/// Fields of a template whose values are moved: each is compared with all before it.
const MOST_MOVED_FIELDS: usize = 16;

/// Finds out which fields can have their values moved, all at once. The input as a whole stays: it is what the payload is made in.
fn mark_moved(fields: &mut [TemplateField]) {
    let mut moved: Vec<JsonPath> = Vec::new();
    for field in fields.iter_mut().filter(|field| field.place.is_some()) {
        if moved.len() == MOST_MOVED_FIELDS {
            return;
        }
        field.moved = selection(&field.node)
            .filter(|path| !path.is_root() && !path.takes_steps())
            .filter(|path| moved.iter().all(|other| path.is_apart_from(other)));
        moved.extend(field.moved.clone());
    }
}

/// Returns the path of a node that only selects a part of the state's input.
fn selection(node: &CompiledNode) -> Option<JsonPath> {
    match node {
        CompiledNode::Path(path) if *path.root() == Root::Input => Some(path.json_path().clone()),
        CompiledNode::Expression(expression) => match expression.plan() {
            Plan::Walk(StatesField::Input, names) => path_of_names(names),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the path of fields in each other, unless their names have characters that it would have to escape.
fn path_of_names(names: &[String]) -> Option<JsonPath> {
    let brackets = names.iter().map(|name| format!("['{name}']"));
    let path = JsonPath::parse(&format!("${}", brackets.collect::<String>())).ok()?;
    let steps = path.steps()?;
    let are_the_names = steps.len() == names.len()
        && steps
            .iter()
            .zip(names)
            .all(|(step, name)| matches!(step, Step::Field(field) if field == name));
    are_the_names.then_some(path)
}

impl ObjectTemplate {
    fn new(nodes: Vec<(&str, CompiledNode)>) -> Self {
        let mut shape = Map::with_capacity(nodes.len());
        for (name, node) in &nodes {
            let literal = match node {
                CompiledNode::Literal(literal) => literal.value.clone(),
                _ => Value::Null,
            };
            // Of several fields of one name, the last counts: so the places of what is filled in go up.
            shape.shift_remove(*name);
            shape.insert((*name).to_owned(), literal);
        }
        let last: HashMap<&str, usize> = nodes
            .iter()
            .enumerate()
            .map(|(index, (name, _))| (*name, index))
            .collect();
        let places: HashMap<String, usize> = shape.keys().cloned().zip(0..).collect();
        let fields = nodes
            .into_iter()
            .enumerate()
            .filter(|(_, (_, node))| !matches!(node, CompiledNode::Literal(_)))
            .map(|(index, (name, node))| {
                let is_last = last.get(name) == Some(&index);
                TemplateField {
                    name: name.to_owned(),
                    node,
                    place: places.get(name).copied().filter(|_| is_last),
                    moved: None,
                }
            });
        let mut fields: Vec<TemplateField> = fields.collect();
        mark_moved(&mut fields);
        let filled = fields.iter().filter(|field| field.place.is_some()).count();
        let shape = Value::Object(shape);
        let mut whole = measure(&shape, true);
        whole.bytes -= filled as u64 * measure(&Value::Null, true).bytes;
        Self {
            fields,
            weight: weigh(&shape),
            shape: match shape {
                Value::Object(shape) => shape,
                _ => Map::new(),
            },
            measure: whole,
        }
    }

    /// Returns true if an object has these fields, in this order.
    #[inline]
    pub(crate) fn has_the_fields_of(&self, object: &Map<String, Value>) -> bool {
        object.len() == self.shape.len() && object.keys().eq(self.shape.keys())
    }
}

/// "Assign".
#[derive(Debug)]
pub(crate) struct CompiledAssign {
    /// In the order of the definition.
    pub(crate) variables: Vec<(Arc<str>, CompiledNode)>,
}

/// Returns the template of a field, where the state has it.
pub(super) fn template(template: Option<&PayloadTemplate>) -> Option<CompiledTemplate> {
    template.map(CompiledTemplate::new)
}

impl CompiledTemplate {
    /// Returns true if it is an object of fields.
    pub(crate) fn is_object(&self) -> bool {
        matches!(self.root, CompiledNode::Object(_))
    }

    pub(crate) fn new(template: &PayloadTemplate) -> Self {
        Self {
            root: compile_node(&template.root),
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

/// Compiles a node. Recursion is bounded by the nesting limit of definitions.
fn compile_node(node: &TemplateNode) -> CompiledNode {
    match node {
        TemplateNode::Literal(value) => CompiledNode::Literal(Literal::new(value)),
        TemplateNode::Object(fields) => {
            let fields = fields.iter();
            let fields = fields.map(|field| (&*field.name, compile_node(&field.value)));
            CompiledNode::Object(ObjectTemplate::new(fields.collect()))
        }
        TemplateNode::Array(nodes) => CompiledNode::Array(nodes.iter().map(compile_node).collect()),
        TemplateNode::Path(path) => CompiledNode::Path(path.clone()),
        TemplateNode::Intrinsic(intrinsic) => CompiledNode::Intrinsic(intrinsic.clone()),
        TemplateNode::Expression(string) => {
            CompiledNode::Expression(Box::new(CompiledExpression::new(string)))
        }
    }
}
