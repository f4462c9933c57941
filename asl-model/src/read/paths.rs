//! Fields that hold paths.
use super::{Object, Place, Read, Reader};
use crate::rules::placeholders::is_placeholder;
use crate::{DataPath, PathField, ResultPath};
use asl_path::{Path, ReferencePath};
use serde_json::Value;

impl<'v> Reader<'v> {
    /// A Path; a placeholder that is not one counts as absent.
    pub(crate) fn path(&mut self, object: Object<'v, '_>, name: &str) -> Read<Option<Path>> {
        let Some(text) = self.text(object, name)? else {
            return Ok(None);
        };
        self.path_text(text, &object.place.field(name))
    }

    fn path_text(&mut self, text: &str, place: &Place<'_>) -> Read<Option<Path>> {
        match Path::parse(text) {
            Ok(path) => Ok(Some(path)),
            Err(_) if is_placeholder(text) => {
                self.warn_of_placeholder(place, text);
                Ok(None)
            }
            Err(error) => {
                let hint = error.to_string();
                Err(self.schema_with_hint(place, "Value must be a valid JSONPath.", hint))
            }
        }
    }

    /// "InputPath" and "OutputPath": a Path or null.
    pub(crate) fn data_path(&mut self, object: Object<'v, '_>, name: &str) -> Read<DataPath> {
        match object.get(name) {
            Some(Value::Null) => Ok(DataPath::Null),
            _ => Ok(match self.path(object, name)? {
                Some(path) => DataPath::Path(path),
                None => DataPath::Absent,
            }),
        }
    }

    /// "ResultPath": a Reference Path, which does not begin with `$$`, or null.
    pub(crate) fn result_path(&mut self, object: Object<'v, '_>) -> Read<ResultPath> {
        const NAME: &str = "ResultPath";
        if object.get(NAME) == Some(&Value::Null) {
            return Ok(ResultPath::Null);
        }
        let Some(text) = self.text(object, NAME)? else {
            return Ok(ResultPath::Absent);
        };
        let place = object.place.field(NAME);
        if text.starts_with("$$") {
            return Err(self.schema_with_hint(
                &place,
                "Value is not a Reference Path: the Context Object cannot be written",
                "a ResultPath begins with a single `$`",
            ));
        }
        Ok(match self.reference_path(text, &place)? {
            Some(path) => ResultPath::Path(path),
            None => ResultPath::Absent,
        })
    }

    /// A Reference Path, possibly into the Context Object.
    pub(crate) fn path_field(
        &mut self,
        object: Object<'v, '_>,
        name: &str,
    ) -> Read<Option<PathField>> {
        let Some(text) = self.text(object, name)? else {
            return Ok(None);
        };
        let place = object.place.field(name);
        let context = text.starts_with("$$");
        let within = if context { text.get(1..) } else { Some(text) };
        let path = self.reference_path(within.unwrap_or(text), &place)?;
        Ok(path.map(|path| PathField { context, path }))
    }

    fn reference_path(&mut self, text: &str, place: &Place<'_>) -> Read<Option<ReferencePath>> {
        match ReferencePath::parse(text) {
            Ok(path) => Ok(Some(path)),
            Err(_) if is_placeholder(text) => {
                self.warn_of_placeholder(place, text);
                Ok(None)
            }
            Err(error) => {
                let message = format!("Value is not a Reference Path: {}", error.message());
                Err(self.schema(place, message))
            }
        }
    }
}
