//! Shapes of queries and templates of a state, and paths that select nothing.
use super::object::Object;
use super::shape::Shape;
use super::variables::Variables;
use asl_intrinsics::{Argument, Call, Function, Intrinsic};
use asl_jsonata::{JsonataString, MergedFields, Plan, StatesField};
use asl_model::{Location, TemplateNode, nearest};
use asl_path::{Path, Root, Step};
use serde_json::Value;
use std::sync::Arc;

/// Maximum depth of analysed templates.
const DEEPEST: usize = 100;

/// Shapes of `$`, or of the fields of `$states`, for the evaluation of a field.
#[derive(Clone, Copy)]
pub(super) struct Sources<'s> {
    pub(super) input: &'s Shape,
    pub(super) result: Option<&'s Shape>,
    pub(super) error_output: Option<&'s Shape>,
}

impl<'s> Sources<'s> {
    pub(super) fn input(input: &'s Shape) -> Self {
        Self {
            input,
            result: None,
            error_output: None,
        }
    }
}

/// A path that never selects anything.
#[derive(Debug, Clone)]
pub(in crate::flow) struct DeadPath {
    /// From the state on.
    pub(in crate::flow) place: Vec<Segment>,
    /// As it is written.
    pub(in crate::flow) source: String,
    /// The part of it that leads to what has not the next one.
    pub(in crate::flow) known: String,
    /// Description of the existing data.
    pub(in crate::flow) found: String,
    /// An existing name that is probably meant.
    pub(in crate::flow) meant: Option<String>,
    /// Offset in bytes of the missing name in the field.
    pub(in crate::flow) offset: Option<usize>,
}

/// A part of a place.
#[derive(Debug, Clone)]
pub(in crate::flow) enum Segment {
    Field(String),
    Index(usize),
}

impl DeadPath {
    /// Returns the location, in the state at a location.
    pub(in crate::flow) fn location(&self, state: Location) -> Location {
        self.place
            .iter()
            .fold(state, |location, segment| match segment {
                Segment::Field(name) => location.field(name),
                Segment::Index(index) => location.element(*index),
            })
    }
}

/// Reads for one state.
pub(super) struct StateReader<'r, 'm> {
    pub(super) variables: &'r Variables<'m>,
    pub(super) scope: usize,
    /// The location of the reader.
    pub(super) place: Vec<Segment>,
    pub(super) dead: Vec<DeadPath>,
}

impl<'r, 'm> StateReader<'r, 'm> {
    pub(super) fn new(variables: &'r Variables<'m>, scope: usize) -> Self {
        Self {
            variables,
            scope,
            place: Vec::new(),
            dead: Vec::new(),
        }
    }

    /// Reads in a field.
    pub(super) fn at<T>(&mut self, field: &str, read: impl FnOnce(&mut Self) -> T) -> T {
        self.place.push(Segment::Field(field.to_owned()));
        let value = read(self);
        self.place.pop();
        value
    }

    /// Reads in an element.
    pub(super) fn at_index<T>(&mut self, index: usize, read: impl FnOnce(&mut Self) -> T) -> T {
        self.place.push(Segment::Index(index));
        let value = read(self);
        self.place.pop();
        value
    }

    /// Returns the shape of a path's result; no value if it always fails.
    pub(super) fn path(&mut self, path: &Path, input: &Shape) -> Shape {
        let root = self.root(path, input);
        if path.source().contains("${") {
            return Shape::Anything;
        }
        let Some(steps) = path.json_path().steps() else {
            // Of any other kind: none is surely nothing.
            return match root.is_nothing() {
                true => Shape::Nothing,
                false => Shape::Anything,
            };
        };
        let mut shape = root;
        for (at, step) in steps.iter().enumerate() {
            let next = shape.step(step);
            if next.is_nothing() && !shape.is_nothing() {
                let known = known_part(path.root(), steps.get(..at).unwrap_or_default());
                let is_written_so = path.source().starts_with(&known);
                let offset = is_written_so.then_some(known.len());
                self.note(path.source(), known, step_name(step), &shape)
                    .offset = offset;
            }
            shape = next;
        }
        shape
    }

    fn root(&self, path: &Path, input: &Shape) -> Shape {
        match path.root() {
            Root::Input => input.clone(),
            Root::Context => Shape::Anything,
            Root::Variable(name) => self.variables.get(self.scope, name),
        }
    }

    fn note(&mut self, source: &str, known: String, name: &str, shape: &Shape) -> &mut DeadPath {
        self.dead.push_mut(DeadPath {
            place: self.place.clone(),
            source: source.to_owned(),
            known,
            found: shape.described(),
            meant: nearest(name, shape.names()).map(str::to_owned),
            offset: None,
        })
    }

    /// Returns the shape of a template's result; no value if a part always fails.
    pub(super) fn template(&mut self, root: &TemplateNode, sources: Sources<'_>) -> Shape {
        self.node(root, sources, DEEPEST)
    }

    fn node(&mut self, node: &TemplateNode, sources: Sources<'_>, depth: usize) -> Shape {
        let Some(below) = depth.checked_sub(1) else {
            return Shape::Anything;
        };
        match node {
            TemplateNode::Literal(value) => Shape::of_value(value),
            TemplateNode::Object(fields) => {
                let mut object = Object::default();
                let mut fails = false;
                for field in fields {
                    let is_replaced = matches!(
                        field.value,
                        TemplateNode::Path(_) | TemplateNode::Intrinsic(_)
                    );
                    let written = if is_replaced { ".$" } else { "" };
                    let shape = self.at(&format!("{}{written}", field.name), |reading| {
                        reading.node(&field.value, sources, below)
                    });
                    fails |= shape.is_nothing();
                    object.set(&Arc::from(field.name.as_str()), shape);
                }
                match fails {
                    true => Shape::Nothing,
                    false => Shape::object(object),
                }
            }
            TemplateNode::Array(elements) => {
                let shapes = elements.iter().enumerate().map(|(index, element)| {
                    self.at_index(index, |reading| reading.node(element, sources, below))
                });
                array_of(shapes)
            }
            TemplateNode::Path(path) => self.path(path, sources.input),
            TemplateNode::Intrinsic(intrinsic) => self.intrinsic(intrinsic, sources.input),
            TemplateNode::Expression(expression) => self.expression(expression, sources),
        }
    }

    /// Returns the shape of a function's result.
    pub(super) fn intrinsic(&mut self, intrinsic: &Intrinsic, input: &Shape) -> Shape {
        if intrinsic.source().contains("${") {
            return Shape::Anything;
        }
        match intrinsic.misuses().is_empty() {
            true => self.call(intrinsic.call(), input, DEEPEST),
            // Another rule's.
            false => Shape::Nothing,
        }
    }

    fn call(&mut self, call: &Call, input: &Shape, depth: usize) -> Shape {
        let Some(below) = depth.checked_sub(1) else {
            return Shape::Anything;
        };
        let before = self.dead.len();
        let arguments = call.arguments().iter().map(|argument| match argument {
            Argument::Literal(value) => Shape::of_value(value),
            Argument::Template(_) => Shape::scalar(),
            Argument::Path(path) => self.path(path, input),
            Argument::Call(call) => self.call(call, input, below),
        });
        let arguments: Vec<Shape> = arguments.collect();
        // It is one of the function's, not of the field's.
        for dead in self.dead.iter_mut().skip(before) {
            dead.offset = None;
        }
        if arguments.iter().any(Shape::is_nothing) {
            return Shape::Nothing;
        }
        match call.function() {
            Function::Array => array_of(arguments.into_iter()),
            Function::ArrayPartition
            | Function::ArrayRange
            | Function::ArrayUnique
            | Function::StringSplit => Shape::array_of(Shape::Anything),
            Function::ArrayGetItem | Function::StringToJson | Function::JsonMerge => {
                Shape::Anything
            }
            Function::ArrayContains
            | Function::ArrayLength
            | Function::Base64Decode
            | Function::Base64Encode
            | Function::Format
            | Function::Hash
            | Function::JsonToString
            | Function::MathAdd
            | Function::MathRandom
            | Function::Uuid => Shape::scalar(),
        }
    }

    /// Returns the shape of an expression's result, if it is a reference or a literal.
    pub(super) fn expression(&mut self, string: &JsonataString, sources: Sources<'_>) -> Shape {
        let expression = string.expression();
        if expression.source().contains("${") {
            return Shape::Anything;
        }
        match expression.plan() {
            Plan::Constant(value) => Shape::of_value(value),
            Plan::Field(field) => read_name(*field, sources),
            Plan::Walk(field, names) => self.walk(string, read_name(*field, sources), names),
            Plan::Variable(name) => self.variables.get(self.scope, name),
            Plan::WalkVariable(name, names) => {
                self.walk(string, self.variables.get(self.scope, name), names)
            }
            Plan::Merge(field, MergedFields::Constant(fields)) => {
                merged(&read_name(*field, sources), fields)
            }
            Plan::Merge(..) | Plan::Append(_) | Plan::Operation(_) | Plan::Evaluate => {
                Shape::Anything
            }
        }
    }

    fn walk(&mut self, string: &JsonataString, root: Shape, names: &[String]) -> Shape {
        let mut shape = root;
        for (at, name) in names.iter().enumerate() {
            let next = shape.name(name);
            if next.is_nothing() && !shape.is_nothing() {
                let whole = string.expression().source();
                let source = whole.trim();
                let left = names.len() - at;
                let known = source.rsplitn(left + 1, '.').last().unwrap_or(source);
                let before = "{%".len() + whole.len() - whole.trim_start().len();
                let offset = before + known.len();
                self.note(source, known.to_owned(), name, &shape).offset = Some(offset);
            }
            shape = next;
        }
        shape
    }
}

/// Returns the shape of an array of these elements; no value if an element has none.
fn array_of(elements: impl Iterator<Item = Shape>) -> Shape {
    let mut fails = false;
    let element = elements.fold(Shape::Nothing, |all, one| {
        fails |= one.is_nothing();
        all.join(&one)
    });
    match fails {
        true => Shape::Nothing,
        false => Shape::array_of(element),
    }
}

fn read_name(field: StatesField, sources: Sources<'_>) -> Shape {
    let shape = match field {
        StatesField::Input => Some(sources.input),
        StatesField::Result => sources.result,
        StatesField::ErrorOutput => sources.error_output,
        StatesField::Context => None,
    };
    shape.cloned().unwrap_or(Shape::Anything)
}

fn merged(into: &Shape, fields: &serde_json::Map<String, Value>) -> Shape {
    match into {
        Shape::Some(_) => {
            // What is no object fails, and what is an array of them is not looked into.
            let (is_array, _) = into.may_be_array_or_object();
            let Some(mut object) = into.objects().filter(|_| !is_array) else {
                return Shape::Anything;
            };
            for (name, value) in fields {
                object.set(&Arc::from(name.as_str()), Shape::of_value(value));
            }
            Shape::object(object)
        }
        other => other.clone(),
    }
}

fn step_name(step: &Step) -> &str {
    match step {
        Step::Field(name) => name,
        Step::Index(_) => "",
    }
}

/// Returns the beginning of a path, as it may be written.
fn known_part(root: &Root, steps: &[Step]) -> String {
    let mut text = match root {
        Root::Input => "$".to_owned(),
        Root::Context => "$$".to_owned(),
        Root::Variable(name) => format!("${name}"),
    };
    for step in steps {
        match step {
            Step::Field(name) => {
                text.push('.');
                text.push_str(name);
            }
            Step::Index(index) => text.push_str(&format!("[{index}]")),
        }
    }
    text
}
