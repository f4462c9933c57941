//! An object has only fields that its kind can have.
use crate::read::{Object, Read, Reader, Reported};

impl<'v> Reader<'v> {
    /// Reports each field that is not one of `known`, at the object as the service does.
    pub(crate) fn known_fields(&mut self, object: Object<'v, '_>, known: &[&str]) -> Read<()> {
        let mut result = Ok(());
        for name in object.fields.keys() {
            if name == "Assign" || known.contains(&name.as_str()) {
                continue;
            }
            result = Err(self.unknown_field_of(object, name, known));
        }
        result
    }

    /// Reports one field.
    pub(crate) fn unknown_field(&mut self, object: Object<'v, '_>, name: &str) -> Reported {
        self.schema(object.place, format!("Field '{name}' is not supported"))
    }

    fn unknown_field_of(&mut self, object: Object<'v, '_>, name: &str, known: &[&str]) -> Reported {
        let meant = known.iter().find(|known| known.eq_ignore_ascii_case(name));
        match meant {
            Some(meant) => self.schema_with_hint(
                object.place,
                format!("Field '{name}' is not supported"),
                format!("did you mean {meant}?"),
            ),
            None => self.unknown_field(object, name),
        }
    }
}
