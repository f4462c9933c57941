//! An object of a definition, with its location.
use super::{Place, Read, Reader};
use crate::DiagnosticRule;
use serde_json::{Map, Value};

/// An object and its place.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Object<'v, 'p> {
    pub(crate) fields: &'v Map<String, Value>,
    pub(crate) place: &'p Place<'p>,
}

impl<'v, 'p> Object<'v, 'p> {
    pub(crate) fn get(&self, name: &str) -> Option<&'v Value> {
        /// Up to here comparing names is faster than hashing one.
        const FEW: usize = 16;
        if self.fields.len() > FEW {
            return self.fields.get(name);
        }
        let mut fields = self.fields.iter();
        fields
            .find(|(other, _)| *other == name)
            .map(|(_, value)| value)
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    pub(crate) fn at(&self, name: &'p str) -> Place<'p> {
        self.place.field(name)
    }
}

impl<'v> Reader<'v> {
    /// Returns the value as an object.
    pub(crate) fn object<'p>(
        &mut self,
        value: &'v Value,
        place: &'p Place<'p>,
    ) -> Read<Object<'v, 'p>> {
        match value {
            Value::Object(fields) => Ok(Object { fields, place }),
            _ => Err(self.wrong_type(place, "Object")),
        }
    }

    /// Returns the value as an array.
    pub(crate) fn array(&mut self, value: &'v Value, place: &Place<'_>) -> Read<&'v [Value]> {
        match value {
            Value::Array(elements) => Ok(elements),
            _ => Err(self.wrong_type(place, "Array")),
        }
    }

    /// Returns the value as an array with something in it.
    pub(crate) fn filled_array(
        &mut self,
        value: &'v Value,
        place: &Place<'_>,
    ) -> Read<&'v [Value]> {
        match self.array(value, place)? {
            [] => {
                let hint = match place.name() {
                    Some(name) => format!("{name} has at least one element"),
                    None => "it has at least one element".to_owned(),
                };
                let message = "Value cannot be empty";
                Err(self.fault_with_hint(place, DiagnosticRule::EMPTY_VALUE, message, hint))
            }
            elements => Ok(elements),
        }
    }
}
