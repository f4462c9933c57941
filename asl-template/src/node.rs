//! A part of a template.
use crate::cloudformation::UnrolledTemplate;
use crate::{DefinitionText, File};
use asl_model::{DifferentScalar, Document, escaped_segment};
use serde_json::Value;
use std::borrow::Cow;
use std::sync::Arc;

/// A file that was read as JSON or YAML.
#[derive(Debug)]
pub(crate) struct Template {
    pub(crate) file: Arc<File>,
    pub(crate) document: Document,
    /// Scalars that YAML 1.2 reads differently.
    pub(crate) differences: Vec<DifferentScalar>,
    /// With the loops of CloudFormation unrolled, if there are any.
    pub(crate) unrolled: Option<UnrolledTemplate>,
}

impl Template {
    /// All of it.
    pub(crate) fn root(&self) -> Node<'_> {
        Node {
            template: self,
            pointer: String::new(),
            value: self
                .unrolled
                .as_ref()
                .map_or(self.document.value(), |unrolled| &unrolled.value),
        }
    }

    /// Returns the pointer in the file of a value, which a loop may have made.
    pub(crate) fn origin_of<'p>(&self, pointer: &'p str) -> Cow<'p, str> {
        let Some(unrolled) = &self.unrolled else {
            return pointer.into();
        };
        let mut around = pointer;
        while !around.is_empty() {
            if let Some(origin) = unrolled.origins.get(around) {
                let within = pointer.get(around.len()..).unwrap_or_default();
                return format!("{origin}{within}").into();
            }
            around = around.rsplit_once('/').map_or("", |(around, _)| around);
        }
        pointer.into()
    }
}

/// A value in a template, with its location.
#[derive(Debug, Clone)]
pub(crate) struct Node<'t> {
    pub(crate) template: &'t Template,
    pub(crate) pointer: String,
    pub(crate) value: &'t Value,
}

impl<'t> Node<'t> {
    /// Returns a field of it.
    pub(crate) fn get(&self, name: &str) -> Option<Self> {
        let value = self.value.as_object()?.get(name)?;
        Some(self.child(name, value))
    }

    /// Returns the value at a sequence of fields.
    pub(crate) fn at(&self, way: &[&str]) -> Option<Self> {
        way.iter()
            .try_fold(self.clone(), |node, name| node.get(name))
    }

    fn child(&self, name: &str, value: &'t Value) -> Self {
        Node {
            template: self.template,
            pointer: format!("{}/{}", self.pointer, escaped_segment(name)),
            value,
        }
    }

    /// Returns its fields, if it has any.
    pub(crate) fn fields(&self) -> impl Iterator<Item = (&'t str, Node<'t>)> + use<'t> {
        let this = self.clone();
        let fields = this.value.as_object().into_iter().flatten();
        fields.map(move |(name, value)| (name.as_str(), this.child(name, value)))
    }

    /// Returns its elements, if it has any.
    pub(crate) fn elements(&self) -> impl Iterator<Item = Node<'t>> + use<'t> {
        let this = self.clone();
        let elements = this.value.as_array().into_iter().flatten();
        elements
            .enumerate()
            .map(move |(index, value)| this.child(&index.to_string(), value))
    }

    /// The text that it is unchanged.
    pub(crate) fn str(&self) -> Option<&'t str> {
        self.value.as_str()
    }

    pub(crate) fn file(&self) -> &'t Arc<File> {
        &self.template.file
    }

    /// Returns the offset; for a value from an alias, the offset of the nearest enclosing part of the text.
    pub(crate) fn offset(&self) -> usize {
        let map = self.template.document.map();
        let origin = self.template.origin_of(&self.pointer);
        let mut pointer = &*origin;
        loop {
            if let Some(offset) = map.offset_of(pointer) {
                return offset;
            }
            match pointer.rsplit_once('/') {
                Some((around, _)) => pointer = around,
                None => return 0,
            }
        }
    }

    /// Returns the offset of the name of the value's field.
    pub(crate) fn name_offset(&self) -> usize {
        let map = self.template.document.map();
        map.name_offset_of(&self.template.origin_of(&self.pointer))
            .unwrap_or_else(|| self.offset())
    }

    /// Returns its place, for a finding.
    pub(crate) fn place(&self) -> (&'t Arc<File>, usize) {
        (self.file(), self.offset())
    }

    /// Returns a string as a text that leads back to where each of its bytes is written.
    pub(crate) fn text_of(&self, string: &str) -> DefinitionText {
        let mut text = DefinitionText::default();
        let document = &self.template.document;
        let origin = self.template.origin_of(&self.pointer);
        let written = document.value().pointer(&origin).and_then(Value::as_str);
        let runs = match written == Some(string) || self.template.unrolled.is_none() {
            true => document.map().runs_of(&origin, string),
            // A loop has replaced a part of it.
            false => Vec::new(),
        };
        if runs.is_empty() {
            text.push_made(self.file(), self.offset(), string);
        }
        for (index, run) in runs.iter().enumerate() {
            let end = runs.get(index + 1).map_or(string.len(), |next| next.at);
            let part = string.get(run.at..end).unwrap_or_default();
            match run.is_copied {
                true => text.push_copied(self.file(), run.source, part),
                false => text.push_made(self.file(), run.source, part),
            }
        }
        text
    }

    /// Returns a text that stands for all of it.
    pub(crate) fn to_definition_text(&self, string: &str) -> DefinitionText {
        let mut text = DefinitionText::default();
        text.push_made(self.file(), self.offset(), string);
        text
    }
}
