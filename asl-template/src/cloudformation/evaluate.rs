//! Evaluation of CloudFormation functions, as far as a template alone allows.
use super::references::{Account, Names};
use crate::document::MAX_DEPTH;
use crate::node::{Node, Template};
use crate::variables::Variables;
use crate::{DefinitionText, Finding, FindingCode, Substitutions};
use serde_json::Value;
use std::collections::BTreeMap;

/// Functions within functions.
const DEEPEST: usize = 64;

/// Bytes of a definition as it is written: twice as much as CloudFormation takes of a whole template.
const LONGEST: usize = 2 << 20;

const TOO_MUCH: &str =
    "the definition is nested too deeply here, or too long: does a variable refer to itself?";

/// Values that are looked at for one template.
const MOST_STEPS: usize = 10_000_000;

/// Bytes that the functions of one template may make together.
const MOST_BYTES: usize = 128 << 20;

/// Findings that are reported one template.
const MOST_FINDINGS: usize = 1_000;

/// The value of a part of a template.
#[derive(Debug)]
pub(super) enum TemplateValue<'t> {
    Text(DefinitionText),
    List(Vec<DefinitionText>),
    /// Neither a string nor a function: unchanged.
    AsWritten(Node<'t>),
    /// `AWS::NoValue`: the field is not there.
    Nothing,
}

impl TemplateValue<'_> {
    /// Bytes of memory that were made for it, about.
    fn weight(&self) -> usize {
        match self {
            Self::Text(text) => text.weight(),
            Self::List(list) => list.iter().map(DefinitionText::weight).sum(),
            Self::AsWritten(_) | Self::Nothing => 0,
        }
    }
}

/// Evaluates the functions of one template.
#[derive(Debug)]
pub(crate) struct Evaluator<'t> {
    pub(super) root: Node<'t>,
    /// The resources that have names of their own.
    pub(super) resources: Option<Node<'t>>,
    /// The names that resources have, as far as they were needed.
    pub(super) physical_names: BTreeMap<String, String>,
    pub(super) given: &'t Substitutions,
    pub(super) account: Account,
    pub(super) names: Names,
    /// Variables of another tool in strings.
    variables: Option<&'t Variables<'t>>,
    pub(super) conditions: BTreeMap<&'t str, bool>,
    pub(super) findings: Vec<Finding>,
    depth: usize,
    /// Arrays and objects that are being written.
    nesting: usize,
    steps_left: usize,
    bytes_left: usize,
}

impl<'t> Evaluator<'t> {
    pub(crate) fn new(
        template: &'t Template,
        given: &'t Substitutions,
        names: Names,
        variables: Option<&'t Variables<'t>>,
    ) -> Self {
        Self {
            names,
            variables,
            resources: template.root().get("Resources"),
            physical_names: BTreeMap::new(),
            root: template.root(),
            given,
            account: Account::new(given),
            conditions: BTreeMap::new(),
            findings: Vec::new(),
            depth: 0,
            nesting: 0,
            steps_left: MOST_STEPS,
            bytes_left: MOST_BYTES,
        }
    }

    /// Sets where the resources are, where that is not at the top of the template.
    pub(crate) fn with_resources(mut self, resources: Option<Node<'t>>) -> Self {
        self.resources = resources;
        self
    }

    /// Returns the findings since the last call.
    pub(crate) fn take_findings(&mut self) -> Vec<Finding> {
        std::mem::take(&mut self.findings)
    }

    /// Reports a violation of CloudFormation's syntax.
    pub(super) fn refuse(&mut self, node: &Node<'_>, message: impl Into<String>) {
        self.report(Finding::error(
            FindingCode::InvalidReference,
            node.place(),
            message,
        ));
    }

    pub(super) fn report(&mut self, finding: Finding) {
        if self.findings.len() < MOST_FINDINGS {
            self.findings.push(finding);
        }
    }

    /// Returns a value, with its function evaluated if it is one.
    pub(super) fn evaluate(&mut self, node: &Node<'t>) -> TemplateValue<'t> {
        let node = &self.resolved(node);
        if let Some(text) = self.string(node) {
            return TemplateValue::Text(text);
        }
        let Some((name, argument)) = function(node) else {
            return TemplateValue::AsWritten(node.clone());
        };
        if self.depth >= DEEPEST || self.steps_left == 0 {
            self.refuse(
                node,
                "functions are nested too deeply, or there are too many of them",
            );
            return TemplateValue::Text(node.to_definition_text(""));
        }
        self.depth += 1;
        self.steps_left -= 1;
        let evaluated = self.function(name, &argument);
        self.depth -= 1;
        let evaluated = evaluated.unwrap_or_else(|| {
            // It stands for anything, as far as can be told.
            TemplateValue::Text(node.to_definition_text(&format!("${{{name}}}")))
        });
        match self.charge(node, evaluated.weight()) {
            true => evaluated,
            false => TemplateValue::Text(node.to_definition_text("")),
        }
    }

    /// Takes bytes from what the functions of the template may make; false if they are used up, which is reported.
    pub(super) fn charge(&mut self, node: &Node<'t>, bytes: usize) -> bool {
        let left = self.bytes_left.checked_sub(bytes);
        self.bytes_left = left.unwrap_or_default();
        if left.is_none() {
            self.refuse(node, TOO_MUCH);
        }
        left.is_some()
    }

    fn resolved(&self, node: &Node<'t>) -> Node<'t> {
        match self.variables {
            Some(variables) => variables.resolve(node),
            None => node.clone(),
        }
    }

    /// Returns the text of a string.
    pub(super) fn string(&self, node: &Node<'t>) -> Option<DefinitionText> {
        let text = node.str()?;
        Some(match self.variables {
            Some(variables) => variables.text(node, text),
            None => node.text_of(text),
        })
    }

    /// Evaluates a function; None if its value is unknown.
    fn function(&mut self, name: &str, argument: &Node<'t>) -> Option<TemplateValue<'t>> {
        match name {
            "Ref" => self.reference(argument),
            "Fn::GetAtt" => self.attribute(argument),
            "Fn::Sub" => self.sub(argument),
            "Fn::Join" => self.join(argument),
            "Fn::Select" => self.select(argument),
            "Fn::Split" => self.split(argument),
            "Fn::FindInMap" => self.find_in_map(argument),
            "Fn::If" => self.choose(argument),
            "Fn::ImportValue" => {
                let name = self.text(argument);
                let value = self.given.value_of(name.as_str()).map(str::to_owned);
                let value = value.unwrap_or_else(|| format!("${{{}}}", name.as_str()));
                Some(TemplateValue::Text(argument.to_definition_text(&value)))
            }
            "Fn::ToJsonString" => {
                let mut text = DefinitionText::default();
                self.write_json(argument, &mut text);
                Some(TemplateValue::Text(text))
            }
            _ => None,
        }
    }

    /// A value that is to be a text.
    pub(crate) fn text(&mut self, node: &Node<'t>) -> DefinitionText {
        match self.evaluate(node) {
            TemplateValue::Text(text) => text,
            TemplateValue::List(list) => joined(node, &list, ","),
            TemplateValue::Nothing => DefinitionText::default(),
            TemplateValue::AsWritten(node) => match node.value {
                Value::Number(_) | Value::Bool(_) => {
                    node.to_definition_text(&node.value.to_string())
                }
                _ => {
                    self.refuse(
                        &node,
                        "expected a string, or a function that returns a string",
                    );
                    DefinitionText::default()
                }
            },
        }
    }

    /// A value that is to be a list of texts.
    pub(super) fn list(&mut self, node: &Node<'t>) -> Vec<DefinitionText> {
        match self.evaluate(node) {
            TemplateValue::List(list) => list,
            TemplateValue::Text(text) => vec![text],
            TemplateValue::Nothing => Vec::new(),
            TemplateValue::AsWritten(node) => {
                if !node.value.is_array() {
                    self.refuse(
                        &node,
                        "expected an array, or a function that returns an array",
                    );
                }
                node.elements().map(|element| self.text(&element)).collect()
            }
        }
    }

    /// Writes a value as JSON: what functions give are strings.
    pub(crate) fn write_json(&mut self, node: &Node<'t>, out: &mut DefinitionText) {
        // A variable may stand for what it stands in.
        if self.nesting >= MAX_DEPTH || out.as_str().len() > LONGEST {
            self.refuse(node, TOO_MUCH);
            return out.push_made(node.file(), node.offset(), "null");
        }
        self.nesting += 1;
        self.write_evaluated(node, out);
        self.nesting -= 1;
    }

    fn write_evaluated(&mut self, node: &Node<'t>, out: &mut DefinitionText) {
        match self.evaluate(node) {
            TemplateValue::Text(text) => write_string(node, &text, out),
            TemplateValue::Nothing => out.push_made(node.file(), node.offset(), "null"),
            TemplateValue::List(list) => {
                let (file, offset) = node.place();
                for (index, text) in list.iter().enumerate() {
                    out.push_made(file, offset, if index == 0 { "[" } else { "," });
                    write_string(node, text, out);
                }
                out.push_made(file, offset, if list.is_empty() { "[]" } else { "]" });
            }
            TemplateValue::AsWritten(node) => self.write_as_written(&node, out),
        }
    }

    fn write_as_written(&mut self, node: &Node<'t>, out: &mut DefinitionText) {
        let (file, offset) = node.place();
        match node.value {
            Value::Object(_) => {
                out.push_made(file, offset, "{");
                let fields = node.fields().filter(|(_, value)| !is_no_value(value));
                for (index, (name, value)) in fields.enumerate() {
                    if index > 0 {
                        out.push_made(file, value.name_offset(), ",");
                    }
                    let name = Value::from(name).to_string() + ":";
                    out.push_made(file, value.name_offset(), &name);
                    self.write_json(&value, out);
                }
                out.push_made(file, offset, "}");
            }
            Value::Array(_) => {
                out.push_made(file, offset, "[");
                let elements = node.elements().filter(|value| !is_no_value(value));
                for (index, element) in elements.enumerate() {
                    if index > 0 {
                        out.push_made(file, element.offset(), ",");
                    }
                    self.write_json(&element, out);
                }
                out.push_made(file, offset, "]");
            }
            scalar => out.push_made(file, offset, &scalar.to_string()),
        }
    }
}

fn write_string(node: &Node<'_>, text: &DefinitionText, out: &mut DefinitionText) {
    let first = text.place_at(0).map(|place| place.offset);
    let offset = first.unwrap_or_else(|| node.offset());
    out.push_made(node.file(), node.offset(), "\"");
    out.append_escaped(text);
    out.push_made(node.file(), offset, "\"");
}

/// Returns the function and its argument, if the value is a function.
pub(super) fn function<'t>(node: &Node<'t>) -> Option<(&'t str, Node<'t>)> {
    let mut fields = node.fields();
    let (name, argument) = fields.next()?;
    let is_function = name == "Ref" || name.starts_with("Fn::");
    (is_function && fields.next().is_none()).then_some((name, argument))
}

fn is_no_value(node: &Node<'_>) -> bool {
    node.get("Ref")
        .is_some_and(|name| name.str() == Some("AWS::NoValue"))
}

/// Texts with another one between them.
pub(super) fn joined(node: &Node<'_>, list: &[DefinitionText], between: &str) -> DefinitionText {
    let mut text = DefinitionText::default();
    for (index, part) in list.iter().enumerate() {
        if index > 0 {
            text.push_made(node.file(), node.offset(), between);
        }
        text.append(part);
    }
    text
}
