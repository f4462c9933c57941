//! Payload Templates (specification, Payload Template).
use super::{Object, Place, Read, Reader};
use crate::rules::placeholders::is_placeholder;
use crate::{PayloadTemplate, TemplateField, TemplateNode};
use asl_intrinsics::Intrinsic;
use asl_path::Path;
use serde_json::{Map, Value};

/// The suffix of a field whose value is replaced.
pub(crate) const SUFFIX: &str = ".$";

impl<'v> Reader<'v> {
    /// A field that holds a template.
    pub(crate) fn template(
        &mut self,
        object: Object<'v, '_>,
        name: &str,
    ) -> Read<Option<PayloadTemplate>> {
        let Some(value) = object.get(name) else {
            return Ok(None);
        };
        let place = object.place.field(name);
        let node = self.template_node(value, &place)?;
        Ok(Some(PayloadTemplate {
            root: node.unwrap_or_else(|| TemplateNode::Literal(value.clone())),
        }))
    }

    /// None for JSON without anything to replace: only the largest such part is copied.
    fn template_node(&mut self, value: &'v Value, place: &Place<'_>) -> Read<Option<TemplateNode>> {
        match value {
            Value::Object(fields) => self.template_object(fields, place),
            Value::Array(elements) => self.template_array(elements, place),
            _ => Ok(None),
        }
    }

    fn template_array(
        &mut self,
        elements: &'v [Value],
        place: &Place<'_>,
    ) -> Read<Option<TemplateNode>> {
        let mut nodes = Vec::new();
        let mut faulty = None;
        for (index, element) in elements.iter().enumerate() {
            match self.template_node(element, &place.element(index)) {
                Ok(node) => nodes.push(node),
                Err(reported) => faulty = Some(reported),
            }
        }
        if let Some(reported) = faulty {
            return Err(reported);
        }
        if nodes.iter().all(Option::is_none) {
            return Ok(None);
        }
        let nodes = nodes.into_iter().zip(elements);
        Ok(Some(TemplateNode::Array(
            nodes.map(|(node, value)| or_literal(node, value)).collect(),
        )))
    }

    fn template_object(
        &mut self,
        fields: &'v Map<String, Value>,
        place: &Place<'_>,
    ) -> Read<Option<TemplateNode>> {
        let mut nodes = Vec::with_capacity(fields.len());
        let mut faulty = None;
        for (name, value) in fields {
            let node = match name.strip_suffix(SUFFIX) {
                Some(stripped) => self
                    .unique(fields, stripped, place)
                    .and_then(|()| self.dynamic(name, value, place))
                    .map(|node| (stripped, Some(node))),
                None => {
                    self.warn_of_missing_suffix(name, value, place);
                    self.template_node(value, &place.field(name))
                        .map(|node| (name.as_str(), node))
                }
            };
            match node {
                Ok((name, node)) => nodes.push((name, node, value)),
                Err(reported) => faulty = Some(reported),
            }
        }
        if let Some(reported) = faulty {
            return Err(reported);
        }
        if nodes.iter().all(|(_, node, _)| node.is_none()) {
            return Ok(None);
        }
        let fields = nodes.into_iter().map(|(name, node, value)| TemplateField {
            name: name.to_owned(),
            value: or_literal(node, value),
        });
        Ok(Some(TemplateNode::Object(fields.collect())))
    }

    /// No two fields have the same name once the suffix is gone (specification, Payload Template).
    fn unique(
        &mut self,
        fields: &Map<String, Value>,
        stripped: &str,
        place: &Place<'_>,
    ) -> Read<()> {
        if !fields.contains_key(stripped) {
            return Ok(());
        }
        Err(self.schema(
            place,
            format!("The fields '{stripped}' and '{stripped}{SUFFIX}' have the same name once the suffix is removed"),
        ))
    }

    /// The value of a field whose name ends in `.$`.
    fn dynamic(&mut self, name: &str, value: &Value, place: &Place<'_>) -> Read<TemplateNode> {
        let hint = match value {
            Value::String(text) if text.starts_with('$') => match Path::parse(text) {
                Ok(path) => return Ok(TemplateNode::Path(path)),
                Err(_) if is_placeholder(text) => return Ok(self.placeholder_node(value, place)),
                Err(error) => error.to_string(),
            },
            Value::String(text) => match Intrinsic::parse(text) {
                Ok(intrinsic) => return Ok(TemplateNode::Intrinsic(intrinsic)),
                Err(_) if is_placeholder(text) => return Ok(self.placeholder_node(value, place)),
                Err(error) => error.to_string(),
            },
            _ => "the value is not a string".to_owned(),
        };
        let message = format!(
            "The value for the field '{name}' must be a valid JSONPath or a valid intrinsic function call"
        );
        Err(self.schema_with_hint(place, message, hint))
    }

    fn placeholder_node(&mut self, value: &Value, place: &Place<'_>) -> TemplateNode {
        self.warn_of_placeholder(place, value.as_str().unwrap_or_default());
        TemplateNode::Literal(value.clone())
    }
}

fn or_literal(node: Option<TemplateNode>, value: &Value) -> TemplateNode {
    node.unwrap_or_else(|| TemplateNode::Literal(value.clone()))
}
