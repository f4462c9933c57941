//! Templates of both query languages (2024 specification, Payload Template; 2024 specification, JSONata Evaluation).
use super::{Moment, Object, Place, Read, Reader};
use crate::DiagnosticRule;
use crate::rules::placeholders::is_placeholder;
use crate::template::SUFFIX;
use crate::{PayloadTemplate, TemplateField, TemplateNode};
use serde_json::{Map, Value};

impl<'v> Reader<'v> {
    /// Returns a field that holds a template.
    pub(crate) fn template(
        &mut self,
        object: Object<'v, '_>,
        name: &str,
        moment: Moment,
    ) -> Read<Option<PayloadTemplate>> {
        let Some(value) = object.get(name) else {
            return Ok(None);
        };
        let place = object.place.field(name);
        let needs_object = self.options.profile.requires_objects_as_templates();
        if needs_object && !self.is_jsonata() && !value.is_object() {
            return Err(self.wrong_type(&place, "Object"));
        }
        let node = self.template_node(value, &place, moment)?;
        Ok(Some(PayloadTemplate {
            root: node.unwrap_or_else(|| TemplateNode::Literal(value.clone())),
        }))
    }

    /// Returns a field that holds an object, or a template that gives one.
    pub(crate) fn object_template(
        &mut self,
        object: Object<'v, '_>,
        name: &str,
    ) -> Read<Option<PayloadTemplate>> {
        let template = self.template(object, name, Moment::Entry)?;
        match template.as_ref().map(|template| &template.root) {
            Some(TemplateNode::Literal(value)) if self.is_jsonata() && !value.is_object() => {
                let place = object.place.field(name);
                match value.as_str() {
                    Some(text) if is_placeholder(text) => {
                        self.check_left_placeholder(&place, text);
                        Ok(template)
                    }
                    _ => Err(self.wrong_type(&place, "Object")),
                }
            }
            Some(TemplateNode::Array(_)) if self.is_jsonata() => {
                Err(self.wrong_type(&object.place.field(name), "Object"))
            }
            _ => Ok(template),
        }
    }

    /// None for JSON without anything to replace: only the largest such part is copied.
    pub(crate) fn template_node(
        &mut self,
        value: &'v Value,
        place: &Place<'_>,
        moment: Moment,
    ) -> Read<Option<TemplateNode>> {
        match value {
            Value::Object(fields) => self.template_object(fields, place, moment),
            Value::Array(elements) => self.template_array(elements, place, moment),
            Value::String(text) if self.is_jsonata() => {
                let expression = self.jsonata_string(text, place, moment)?;
                Ok(expression.map(TemplateNode::Expression))
            }
            _ => Ok(None),
        }
    }

    fn template_array(
        &mut self,
        elements: &'v [Value],
        place: &Place<'_>,
        moment: Moment,
    ) -> Read<Option<TemplateNode>> {
        let mut nodes = Vec::new();
        let mut faulty = None;
        for (index, element) in elements.iter().enumerate() {
            match self.template_node(element, &place.element(index), moment) {
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
        moment: Moment,
    ) -> Read<Option<TemplateNode>> {
        let mut nodes = Vec::with_capacity(fields.len());
        let mut faulty = None;
        for (name, value) in fields {
            let node = match name.strip_suffix(SUFFIX) {
                Some(stripped) if !self.is_jsonata() => self
                    .unique(fields, stripped, place)
                    .and_then(|()| self.dynamic(name, value, place))
                    .map(|node| match node {
                        // A placeholder keeps the suffix that says what it is replaced by.
                        TemplateNode::Literal(_) => (name.as_str(), Some(node)),
                        node => (stripped, Some(node)),
                    }),
                _ => {
                    self.warn_of_missing_suffix(name, value, place);
                    self.template_node(value, &place.field(name), moment)
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

    /// No two fields have the same name once the suffix is gone (2024 specification, Payload Template).
    fn unique(
        &mut self,
        fields: &Map<String, Value>,
        stripped: &str,
        place: &Place<'_>,
    ) -> Read<()> {
        if !fields.contains_key(stripped) {
            return Ok(());
        }
        let message = format!(
            "The fields '{stripped}' and '{stripped}{SUFFIX}' have the same name once the suffix is removed"
        );
        Err(self
            .fault(place, DiagnosticRule::TEMPLATE_NAMES_COLLIDE, message)
            .with_field(self, stripped))
    }

    /// The value of a field whose name ends in `.$`.
    fn dynamic(&mut self, name: &str, value: &Value, place: &Place<'_>) -> Read<TemplateNode> {
        let hint = match value {
            Value::String(text) if text.starts_with('$') => {
                match self.tolerant_path(text, &place.field(name)) {
                    Ok(path) => return Ok(TemplateNode::Path(path)),
                    Err(_) if is_placeholder(text) => {
                        return Ok(self.placeholder_node(value, &place.field(name)));
                    }
                    Err(error) => error.to_string(),
                }
            }
            Value::String(text) => match self.intrinsic(text, &place.field(name)) {
                Ok(intrinsic) => return Ok(TemplateNode::Intrinsic(intrinsic)),
                Err(_) if is_placeholder(text) => {
                    return Ok(self.placeholder_node(value, &place.field(name)));
                }
                Err(fault) => fault,
            },
            _ => "the value is not a string".to_owned(),
        };
        let message = format!(
            "The value for the field '{name}' must be a valid JSONPath or a valid intrinsic function call"
        );
        let reported = self.fault(place, DiagnosticRule::INVALID_PATH, message);
        let reported = reported.with_field(self, name).with_hint(self, hint);
        let text = value.as_str().unwrap_or_default();
        let advice = self.advise_invalid_template_value(&place.field(name), text);
        Err(reported.with_advice(self, advice))
    }

    fn placeholder_node(&mut self, value: &Value, place: &Place<'_>) -> TemplateNode {
        self.warn_of_placeholder(place, value.as_str().unwrap_or_default());
        TemplateNode::Literal(value.clone())
    }
}

fn or_literal(node: Option<TemplateNode>, value: &Value) -> TemplateNode {
    node.unwrap_or_else(|| TemplateNode::Literal(value.clone()))
}

#[cfg(test)]
mod tests {
    use crate::testing::{accepted, errors, refused, spec_errors, task};
    use crate::{Options, Processing, TemplateNode, parse_value};
    use serde_json::{Value, json};

    fn root(parameters: Value) -> TemplateNode {
        let definition = task(json!({"Parameters": parameters}));
        let (machine, _) = parse_value(&definition, Options::default()).unwrap();
        let (_, state) = &machine.states.states[0];
        let Processing::JsonPath(processing) = &state.processing else {
            panic!("no JSONPath")
        };
        processing.parameters.clone().unwrap().root
    }

    #[test]
    fn json_without_anything_to_replace_is_one_literal() {
        for value in [
            json!({"a": [1, {"b": "$"}]}),
            json!([]),
            json!("x"),
            json!(null),
        ] {
            assert_eq!(root(value.clone()), TemplateNode::Literal(value));
        }
    }

    #[test]
    fn only_what_is_on_the_way_to_a_replacement_is_taken_apart() {
        let TemplateNode::Object(fields) = root(json!({"a": {"b": 1}, "c": [{"d.$": "$.x"}, 2]}))
        else {
            panic!("no object")
        };
        assert_eq!(fields[0].value, TemplateNode::Literal(json!({"b": 1})));
        let TemplateNode::Array(elements) = &fields[1].value else {
            panic!("no array")
        };
        assert_eq!(elements[1], TemplateNode::Literal(json!(2)));
        let TemplateNode::Object(inner) = &elements[0] else {
            panic!("no object")
        };
        assert_eq!(inner[0].name, "d");
        assert!(matches!(inner[0].value, TemplateNode::Path(_)));
    }

    #[test]
    fn a_replacement_is_a_path_or_an_intrinsic_function() {
        accepted(&task(
            json!({"Parameters": {"a.$": "$$", "b.$": "States.UUID()", "c.$": "$..x[*]"}}),
        ));
        for value in [
            json!("x"),
            json!(1),
            json!({"a": "$"}),
            json!(null),
            json!("$5"),
        ] {
            let definition = task(json!({"Parameters": {"in": {"a.$": value}}}));
            refused(
                &definition,
                "The value for the field 'a.$' must be a valid JSONPath or a valid intrinsic function call at /States/A/Parameters/in",
            );
        }
    }

    #[test]
    fn the_specification_asks_for_an_object() {
        let definition = task(json!({"Parameters": ["$.a"]}));
        accepted(&definition);
        let text =
            "SCHEMA_VALIDATION_FAILED: Expected value of type Object at /States/A/Parameters";
        assert_eq!(spec_errors(&definition), [text]);
    }

    #[test]
    fn names_are_different_without_their_suffix() {
        let definition = task(json!({"ResultSelector": [{"a": 1, "a.$": "$.a"}]}));
        assert_eq!(
            errors(&definition),
            [
                "SCHEMA_VALIDATION_FAILED: The fields 'a' and 'a.$' have the same name once the suffix is removed at /States/A/ResultSelector[0]",
            ]
        );
    }
}
