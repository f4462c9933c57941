//! Arguments with the shapes of the API, part by part.
use super::optimized::Own;
use super::structure::{ExpectedType, Structure};
use asl_model::{Location, QueryLanguage, TemplateNode};
use asl_services::{Kind, Shape};
use serde_json::Value;

/// The suffix of a field whose value is replaced, of a JSONPath state.
const SUFFIX: &str = ".$";

/// A part of arguments.
#[derive(Debug, Clone, Copy)]
enum Part<'t> {
    Node(&'t TemplateNode),
    Literal(&'t Value),
}

/// A part of the arguments, with its shape.
#[derive(Debug)]
pub(crate) struct VisitedPart<'t, 's> {
    pub(crate) content: Content<'t>,
    pub(crate) taken: AcceptedType<'s>,
    /// For [`Walk::location`].
    pub(crate) place: usize,
}

/// The content of a part.
#[derive(Debug)]
pub(crate) enum Content<'t> {
    Object(Vec<Field<'t>>),
    Array,
    Text(&'t str),
    Number,
    Boolean,
    Null,
    /// A value that only an execution or a deployment knows.
    Unknown,
}

/// A field of an object.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Field<'t> {
    /// Without a suffix.
    pub(crate) name: &'t str,
    /// True if the suffix says that its value is replaced.
    pub(crate) has_suffix: bool,
    /// True if its value is known.
    pub(crate) is_literal: bool,
    part: Part<'t>,
}

/// The accepted types of a part.
#[derive(Debug, Clone, Copy)]
pub(crate) enum AcceptedType<'s> {
    Structure(Structure<'s>),
    /// A type other than a structure.
    Other(Shape<'s>),
}

/// All parts of arguments of which something is known. No recursion: they nest as deep as the text does.
#[derive(Debug)]
pub(crate) struct Walk<'t, 's> {
    open: Vec<(Part<'t>, AcceptedType<'s>, usize)>,
    /// The parent and the step of each part.
    steps: Vec<(usize, Step<'t>)>,
    query_language: QueryLanguage,
    is_sdk: bool,
}

#[derive(Debug, Clone, Copy)]
enum Step<'t> {
    /// The arguments themselves.
    Root,
    Field {
        name: &'t str,
        has_suffix: bool,
    },
    Element(usize),
}

impl<'t, 's> Walk<'t, 's> {
    pub(crate) fn new(
        root: &'t TemplateNode,
        taken: Structure<'s>,
        query_language: QueryLanguage,
    ) -> Self {
        Self {
            open: vec![(Part::Node(root), AcceptedType::Structure(taken), 0)],
            steps: vec![(0, Step::Root)],
            query_language,
            is_sdk: taken.is_sdk,
        }
    }

    /// Returns the next part.
    pub(crate) fn next(&mut self) -> Option<VisitedPart<'t, 's>> {
        let (part, taken, place) = self.open.pop()?;
        let content = match content(part, self.query_language) {
            Content::Object(fields) if is_template_function(&fields) => Content::Unknown,
            content => content,
        };
        match (&content, taken) {
            (Content::Object(fields), AcceptedType::Structure(structure)) => {
                for field in fields.iter().rev() {
                    match structure.field(field.name) {
                        Some(ExpectedType::Shape(shape)) => {
                            self.open_field(field, self.of_shape(shape), place);
                        }
                        Some(ExpectedType::Own(own)) => {
                            self.open_field(field, Some(self.of_own(own)), place);
                        }
                        Some(ExpectedType::Anything) | None => {}
                    }
                }
            }
            (Content::Object(fields), AcceptedType::Other(shape)) => {
                if let Kind::Map { value, .. } = shape.kind() {
                    for field in fields.iter().rev() {
                        self.open_field(field, self.of_shape(value), place);
                    }
                }
            }
            (Content::Array, AcceptedType::Other(shape)) => {
                if let Kind::List(member) = shape.kind() {
                    self.open_elements(part, member, place);
                }
            }
            _ => {}
        }
        Some(VisitedPart {
            content,
            taken,
            place,
        })
    }

    /// Returns the accepted type of a shape; None if it accepts any value.
    fn of_shape(&self, shape: Shape<'s>) -> Option<AcceptedType<'s>> {
        match shape.kind() {
            Kind::Document => None,
            Kind::Structure => Some(AcceptedType::Structure(Structure {
                shape: Some(shape),
                own: None,
                is_sdk: self.is_sdk,
            })),
            _ => Some(AcceptedType::Other(shape)),
        }
    }

    fn of_own(&self, own: &'static Own) -> AcceptedType<'s> {
        AcceptedType::Structure(Structure {
            shape: None,
            own: Some(own),
            is_sdk: self.is_sdk,
        })
    }

    fn open_field(&mut self, field: &Field<'t>, taken: Option<AcceptedType<'s>>, within: usize) {
        let step = Step::Field {
            name: field.name,
            has_suffix: field.has_suffix,
        };
        self.open_part(field.part, taken, within, step);
    }

    fn open_elements(&mut self, array: Part<'t>, shape: Shape<'s>, within: usize) {
        let mut elements: Vec<Part<'t>> = match array {
            Part::Node(TemplateNode::Array(nodes)) => nodes.iter().map(Part::Node).collect(),
            Part::Node(TemplateNode::Literal(Value::Array(values)))
            | Part::Literal(Value::Array(values)) => values.iter().map(Part::Literal).collect(),
            _ => Vec::new(),
        };
        while let Some(element) = elements.pop() {
            let step = Step::Element(elements.len());
            self.open_part(element, self.of_shape(shape), within, step);
        }
    }

    fn open_part(
        &mut self,
        part: Part<'t>,
        taken: Option<AcceptedType<'s>>,
        within: usize,
        step: Step<'t>,
    ) {
        if let Some(taken) = taken {
            self.open.push((part, taken, self.steps.len()));
            self.steps.push((within, step));
        }
    }

    /// Returns the location of a part, relative to the location of the arguments.
    pub(crate) fn location(&self, arguments: Location, place: usize) -> Location {
        let mut way = Vec::new();
        let mut at = place;
        while let Some((within, step)) = self.steps.get(at).filter(|_| at != 0) {
            way.push(*step);
            at = *within;
        }
        let steps = way.into_iter().rev();
        steps.fold(arguments, |location, step| match step {
            Step::Root => location,
            Step::Field { name, has_suffix } => location.field(&written(name, has_suffix)),
            Step::Element(index) => location.element(index),
        })
    }
}

impl Field<'_> {
    /// Returns its name, as written.
    pub(crate) fn written(&self) -> String {
        written(self.name, self.has_suffix)
    }
}

/// Returns a field's name with its suffix.
pub(crate) fn written(name: &str, has_suffix: bool) -> String {
    let suffix = if has_suffix { SUFFIX } else { "" };
    format!("{name}{suffix}")
}

fn content(part: Part<'_>, query_language: QueryLanguage) -> Content<'_> {
    match part {
        Part::Node(TemplateNode::Literal(value)) | Part::Literal(value) => match value {
            Value::Object(fields) => {
                let fields = fields.iter().map(|(name, value)| Field {
                    name,
                    has_suffix: false,
                    is_literal: is_literal(value),
                    part: Part::Literal(value),
                });
                Content::Object(fields.collect())
            }
            Value::Array(_) => Content::Array,
            Value::String(text) if is_open(text) => Content::Unknown,
            Value::String(text) => Content::Text(text),
            Value::Number(_) => Content::Number,
            Value::Bool(_) => Content::Boolean,
            Value::Null => Content::Null,
        },
        Part::Node(TemplateNode::Object(fields)) => {
            let fields = fields.iter().map(|field| field_of(field, query_language));
            Content::Object(fields.collect())
        }
        Part::Node(TemplateNode::Array(_)) => Content::Array,
        Part::Node(
            TemplateNode::Path(_) | TemplateNode::Intrinsic(_) | TemplateNode::Expression(_),
        ) => Content::Unknown,
    }
}

fn field_of(field: &asl_model::TemplateField, query_language: QueryLanguage) -> Field<'_> {
    let name = field.name.as_str();
    let (name, has_suffix, is_literal) = match &field.value {
        TemplateNode::Path(_) | TemplateNode::Intrinsic(_) => (name, true, false),
        TemplateNode::Expression(_) => (name, false, false),
        // A placeholder keeps the suffix in the name.
        TemplateNode::Literal(value) => match name.strip_suffix(SUFFIX) {
            Some(bare) if query_language == QueryLanguage::JSONPath => (bare, true, false),
            _ => (name, false, is_literal(value)),
        },
        TemplateNode::Object(_) | TemplateNode::Array(_) => (name, false, true),
    };
    Field {
        name,
        has_suffix,
        is_literal,
        part: Part::Node(&field.value),
    }
}

fn is_literal(value: &Value) -> bool {
    value.as_str().is_none_or(|text| !is_open(text))
}

/// `{"Ref": …}` and `{"Fn::GetAtt": …}`: a template's functions, which its own tool puts values in the place of.
fn is_template_function(fields: &[Field<'_>]) -> bool {
    match fields {
        [field] => field.name == "Ref" || field.name.starts_with("Fn::"),
        _ => false,
    }
}

/// Returns true if something is still to be put into a text.
pub(crate) fn is_open(text: &str) -> bool {
    text.contains(['$', '<', '{', '#'])
}
