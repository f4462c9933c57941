//! Bodies in XML.
use super::parameters::{Scope, array, members, object};
use super::query::is_flattened;
use super::scalar;
use crate::error::RequestError;
use asl_services::{Kind, Shape, TimestampFormat, Traits, XmlNamespace};
use quick_xml::escape::{escape, partial_escape};
use serde_json::Value;

/// Appends the element of a value. Members that have a place outside of the body are left out.
pub(crate) fn element(
    xml: &mut String,
    name: &str,
    (shape, traits): (Shape<'_>, &Traits),
    value: &Value,
    scope: Scope<'_>,
) -> Result<(), RequestError> {
    match shape.kind() {
        Kind::Structure => structure(xml, name, (shape, traits), value, scope.deeper()?),
        Kind::List(_) => list(xml, name, (shape, traits), value, scope.deeper()?),
        Kind::Map { .. } => map(xml, name, (shape, traits), value, scope.deeper()?),
        _ => {
            let text = scalar::text(shape, traits, value, TimestampFormat::Iso8601)?;
            open(xml, name, namespace(shape, traits));
            xml.push_str(&partial_escape(text.as_ref()));
            close(xml, name);
            Ok(())
        }
    }
}

fn structure(
    xml: &mut String,
    name: &str,
    (shape, traits): (Shape<'_>, &Traits),
    value: &Value,
    scope: Scope<'_>,
) -> Result<(), RequestError> {
    let members = members(shape, value, scope)?;
    open(xml, name, namespace(shape, traits));
    for (member, given) in &members {
        let own = member.traits();
        if own.is_xml_attribute() {
            let text = scalar::text(member.shape(), own, given, TimestampFormat::Iso8601)?;
            // The start tag is still open at its end.
            xml.pop();
            let name = own.name().unwrap_or(member.name());
            xml.push_str(&format!(" {name}=\"{}\">", escape(text.as_ref())));
        }
    }
    for (member, given) in &members {
        let own = member.traits();
        if own.is_xml_attribute() || own.location().is_some() {
            continue;
        }
        let name = own.name().unwrap_or(member.name());
        element(xml, name, (member.shape(), own), given, scope)
            .map_err(|error| error.within(member.name()))?;
    }
    close(xml, name);
    Ok(())
}

fn list(
    xml: &mut String,
    name: &str,
    (shape, traits): (Shape<'_>, &Traits),
    value: &Value,
    scope: Scope<'_>,
) -> Result<(), RequestError> {
    let Kind::List(of_elements) = shape.kind() else {
        return Ok(());
    };
    let own = shape.element_traits();
    let is_flattened = is_flattened(shape, traits);
    let element_name = match is_flattened {
        true => name,
        false => own.name().unwrap_or("member"),
    };
    if !is_flattened {
        open(xml, name, namespace(shape, traits));
    }
    for (index, given) in array(value)?.iter().enumerate() {
        element(xml, element_name, (of_elements, own), given, scope)
            .map_err(|error| error.within(index.to_string()))?;
    }
    if !is_flattened {
        close(xml, name);
    }
    Ok(())
}

fn map(
    xml: &mut String,
    name: &str,
    (shape, traits): (Shape<'_>, &Traits),
    value: &Value,
    scope: Scope<'_>,
) -> Result<(), RequestError> {
    let Kind::Map {
        key: of_keys,
        value: of_values,
    } = shape.kind()
    else {
        return Ok(());
    };
    let is_flattened = is_flattened(shape, traits);
    let entry = if is_flattened { name } else { "entry" };
    let (key_traits, value_traits) = (shape.key_traits(), shape.element_traits());
    let key_name = key_traits.name().unwrap_or("key");
    let value_name = value_traits.name().unwrap_or("value");
    if !is_flattened {
        open(xml, name, namespace(shape, traits));
    }
    for (key, given) in object(value)? {
        open(xml, entry, None);
        let key_value = Value::from(key.as_str());
        element(xml, key_name, (of_keys, key_traits), &key_value, scope)?;
        element(xml, value_name, (of_values, value_traits), given, scope)
            .map_err(|error| error.within(key))?;
        close(xml, entry);
    }
    if !is_flattened {
        close(xml, name);
    }
    Ok(())
}

fn namespace<'s>(shape: Shape<'s>, traits: &'s Traits) -> Option<&'s XmlNamespace> {
    let own = traits.xml_namespace();
    own.or_else(|| shape.traits().xml_namespace())
}

fn open(xml: &mut String, name: &str, namespace: Option<&XmlNamespace>) {
    xml.push('<');
    xml.push_str(name);
    if let Some(namespace) = namespace {
        xml.push_str(" xmlns");
        if let Some(prefix) = &namespace.prefix {
            xml.push(':');
            xml.push_str(prefix);
        }
        xml.push_str(&format!("=\"{}\"", escape(namespace.uri.as_str())));
    }
    xml.push('>');
}

fn close(xml: &mut String, name: &str) {
    xml.push_str("</");
    xml.push_str(name);
    xml.push('>');
}
