//! Values in XML.
use super::document::{Element, invalid};
use super::form::ResultForm;
use super::scalar;
use crate::error::ResponseError;
use asl_services::{Kind, Location, Member, Shape};
use serde_json::{Map, Value};

/// Converts an element. Recursion ends with the document, whose nesting is limited.
pub(crate) fn value(
    shape: Shape<'_>,
    element: &Element,
    form: ResultForm,
) -> Result<Value, ResponseError> {
    match shape.kind() {
        Kind::Structure => structure(shape, element, form).map(Value::Object),
        Kind::List(_) => {
            let name = shape.element_traits().name().unwrap_or("member");
            list(shape, element.children_named(name), form)
        }
        Kind::Map { .. } => map(shape, element.children_named("entry"), form),
        _ => scalar::value(shape, &element.text, form),
    }
}

pub(crate) fn structure(
    shape: Shape<'_>,
    element: &Element,
    form: ResultForm,
) -> Result<Map<String, Value>, ResponseError> {
    let mut object = Map::new();
    for member in shape.members() {
        if member
            .traits()
            .location()
            .is_some_and(Location::is_of_responses)
        {
            continue;
        }
        if let Some(value) = member_value(member, element, form)? {
            object.insert(form.name(member), value);
        }
    }
    Ok(object)
}

fn member_value(
    member: Member<'_>,
    element: &Element,
    form: ResultForm,
) -> Result<Option<Value>, ResponseError> {
    let (shape, traits) = (member.shape(), member.traits());
    let name = traits.name().unwrap_or(member.name());
    if traits.is_xml_attribute() {
        let local = name.rsplit(':').next().unwrap_or(name);
        let mut attributes = element.attributes.iter();
        let found = attributes.find(|(own, _)| own == local);
        return found
            .map(|(_, text)| scalar::value(shape, text, form))
            .transpose();
    }
    let is_flattened = traits.is_flattened() || shape.traits().is_flattened();
    match shape.kind() {
        Kind::List(_) if is_flattened => {
            let of_elements = shape.element_traits().name();
            let name = traits.name().or(of_elements).unwrap_or(member.name());
            let mut elements = element.children_named(name).peekable();
            if elements.peek().is_none() {
                return Ok(None);
            }
            list(shape, elements, form).map(Some)
        }
        Kind::Map { .. } if is_flattened => {
            let mut elements = element.children_named(name).peekable();
            if elements.peek().is_none() {
                return Ok(None);
            }
            map(shape, elements, form).map(Some)
        }
        _ => {
            let found = element.child(name);
            found.map(|it| value(shape, it, form)).transpose()
        }
    }
}

fn list<'e>(
    shape: Shape<'_>,
    elements: impl Iterator<Item = &'e Element>,
    form: ResultForm,
) -> Result<Value, ResponseError> {
    let Kind::List(of_elements) = shape.kind() else {
        return Ok(Value::Null);
    };
    let values = elements.map(|element| value(of_elements, element, form));
    Ok(Value::Array(values.collect::<Result<_, _>>()?))
}

fn map<'e>(
    shape: Shape<'_>,
    entries: impl Iterator<Item = &'e Element>,
    form: ResultForm,
) -> Result<Value, ResponseError> {
    let Kind::Map {
        value: of_values, ..
    } = shape.kind()
    else {
        return Ok(Value::Null);
    };
    let key_name = shape.key_traits().name().unwrap_or("key");
    let value_name = shape.element_traits().name().unwrap_or("value");
    let mut object = Map::new();
    for entry in entries {
        let key = entry.text_of(key_name);
        let key = key.ok_or_else(|| invalid(format!("an entry of a map has no <{key_name}>")))?;
        if let Some(found) = entry.child(value_name) {
            object.insert(key.to_owned(), value(of_values, found, form)?);
        }
    }
    Ok(Value::Object(object))
}
