//! Changes of a definition, by its JSON pointers, as edits of files.
use super::token::Token;
use asl_model::{Change, Fix, SourceMap, escaped_segment, value_from_text};
use asl_template::{DefinitionText, File, Place};
use serde_json::Value;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// A replacement of a part of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct TextEdit {
    /// The file.
    pub file: PathBuf,
    /// The bytes that are replaced.
    pub range: Range<usize>,
    /// The replacement text.
    pub text: String,
}

/// Text edits for fixes of a definition: built once for any number of fixes.
///
/// ```
/// use asl_lint::Edits;
/// use asl_model::Options;
/// use asl_template::{DefinitionText, File};
/// use std::sync::Arc;
///
/// let text = r#"{"StartAt": "A", "States": {"A": {"Type": "Pass", "Parameters": {"n": "$.n"}, "End": true}}}"#;
/// let definition = DefinitionText::from_file(&Arc::new(File::new("a.asl.json", text)));
/// let found = asl_lint::check(text, Options::default());
/// let fix = found.iter().next().unwrap().fix.as_ref().unwrap();
/// let edits = Edits::new(&definition, Options::default()).of(fix).unwrap();
/// assert_eq!((edits[0].text.as_str(), &text[edits[0].range.clone()]), ("\"n.$\"", "\"n\""));
/// ```
#[derive(Debug)]
pub struct Edits<'d> {
    definition: &'d DefinitionText,
    map: SourceMap<'d>,
    value: Value,
}

impl<'d> Edits<'d> {
    /// Parses the definition. If that fails, only extra commas can be removed.
    pub fn new(definition: &'d DefinitionText, options: asl_model::Options) -> Self {
        let text = definition.as_str();
        Self {
            definition,
            map: SourceMap::new(text),
            value: value_from_text(text, options).unwrap_or_default(),
        }
    }

    /// Returns the edits of a fix; None if the affected text is not in one place of one file.
    pub fn of(&self, fix: &Fix) -> Option<Vec<TextEdit>> {
        fix.changes.iter().map(|change| self.edit(change)).collect()
    }

    fn edit(&self, change: &Change) -> Option<TextEdit> {
        match change {
            Change::Rename { pointer, name } => self.rename(pointer, name),
            Change::Replace { pointer, value } => {
                let (file, token) = self.token(pointer)?;
                let text = token.value(value);
                Some(edit(file, token.range, text))
            }
            Change::Remove { pointer } => self.remove(pointer),
            Change::Insert {
                pointer,
                name,
                value,
            } => self.insert(pointer, name, value),
            Change::RemoveComma { offset } => {
                let Place { file, offset } = self.definition.place_at(*offset)?;
                let range = offset..offset + 1;
                (file.text().get(range.clone()) == Some(",")).then(|| edit(file, range, ""))
            }
        }
    }

    fn rename(&self, pointer: &str, name: &str) -> Option<TextEdit> {
        let (outer, old) = pointer.rsplit_once('/')?;
        // Never over a field that is there.
        let new = format!("{outer}/{}", escaped_segment(name));
        if self.value.pointer(&new).is_some() {
            return None;
        }
        let old = Value::from(old.replace("~1", "/").replace("~0", "~"));
        let place = self
            .definition
            .place_at(self.map.name_offset_of(pointer)?)?;
        let token = Token::at(place.file.text(), place.offset, &old)?;
        let text = token.string(name);
        Some(edit(place.file, token.range, text))
    }

    /// Returns the value at a pointer, if it is not a collection.
    fn token(&self, pointer: &str) -> Option<(&'d File, Token)> {
        let value = self.value.pointer(pointer)?;
        let place = self.definition.place_at(self.map.offset_of(pointer)?)?;
        let token = Token::at(place.file.text(), place.offset, value)?;
        Some((place.file, token))
    }

    /// The bytes of a file that are one part of the definition, as they are.
    fn copied(&self, range: Range<usize>) -> Option<(&'d File, Range<usize>)> {
        let Place { file, offset } = self.definition.place_at(range.start)?;
        let own = self.definition.as_str().get(range.clone())?;
        let there = offset..offset + own.len();
        (file.text().get(there.clone()) == Some(own)).then_some((file, there))
    }

    /// Takes out a field or an element of JSON, with the comma that it leaves.
    fn remove(&self, pointer: &str) -> Option<TextEdit> {
        let start = self.map.name_offset_of(pointer)?;
        let end = self.end_of(pointer)?;
        let text = self.definition.as_str();
        let after = text.get(end..)?;
        let before = text.get(..start)?;
        let gap = |text: &str| text.len() - text.trim_start().len();
        let range = match after.get(gap(after)..)?.strip_prefix(',') {
            // What follows takes its place.
            Some(rest) => start..text.len() - rest.len() + gap(rest),
            None => {
                let before = before.trim_end();
                match before.strip_suffix(',') {
                    Some(before) => before.len()..end,
                    None => before.len()..end,
                }
            }
        };
        let (file, range) = self.copied(range)?;
        Some(edit(file, range, ""))
    }

    /// Returns the byte after a value of JSON.
    fn end_of(&self, pointer: &str) -> Option<usize> {
        let text = self.definition.as_str();
        let offset = self.map.offset_of(pointer)?;
        match self.value.pointer(pointer)? {
            Value::Object(_) | Value::Array(_) => {
                let end = self.map.end_of(pointer)?;
                let is_closed = text.get(end..)?.starts_with(['}', ']']);
                is_closed.then_some(end + 1)
            }
            value => Some(Token::at(text, offset, value)?.range.end),
        }
    }

    /// Adds a field as the first of an object of JSON or of a block of YAML, written as its first one is.
    fn insert(&self, pointer: &str, name: &str, value: &Value) -> Option<TextEdit> {
        let pointer = if pointer == "/" { "" } else { pointer };
        let fields = self.value.pointer(pointer)?.as_object()?;
        if fields.contains_key(name) {
            return None;
        }
        let first = fields.keys().next()?;
        let first = format!("{pointer}/{}", escaped_segment(first));
        let name_at = self.map.name_offset_of(&first)?;
        let place = self.definition.place_at(name_at)?;
        let text = place.file.text();
        let before = text.get(..place.offset)?;
        let line = before.get(before.rfind('\n').map_or(0, |at| at + 1)..)?;
        let is_first_of_line = line.trim().is_empty();
        let between = if is_first_of_line {
            format!("\n{line}")
        } else {
            " ".to_owned()
        };
        let is_json = before.trim_end().ends_with('{');
        let text = match is_json {
            true => format!("{}: {value},{between}", Value::from(name)),
            false if is_first_of_line => format!("{name}: {value}{between}"),
            false => return None,
        };
        Some(edit(place.file, place.offset..place.offset, text))
    }
}

fn edit(file: &File, range: Range<usize>, text: impl Into<String>) -> TextEdit {
    TextEdit {
        file: Path::to_owned(file.path()),
        range,
        text: text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use asl_model::Options;
    use serde_json::json;
    use std::sync::Arc;

    fn edited(text: &str, change: Change) -> Option<String> {
        let definition = DefinitionText::from_file(&Arc::new(File::new("a", text)));
        let edits = Edits::new(&definition, Options::default());
        let edit = edits.edit(&change)?;
        let mut text = text.to_owned();
        text.replace_range(edit.range, &edit.text);
        Some(text)
    }

    fn remove(pointer: &str) -> Change {
        Change::Remove {
            pointer: pointer.to_owned(),
        }
    }

    #[test]
    fn what_is_taken_out_leaves_no_comma() {
        let text = "{\n  \"a\": 1,\n  \"b\": [1, {\"c\": 2}],\n  \"d\": \"x\"\n}";
        for (pointer, expected) in [
            ("/a", "{\n  \"b\": [1, {\"c\": 2}],\n  \"d\": \"x\"\n}"),
            ("/b", "{\n  \"a\": 1,\n  \"d\": \"x\"\n}"),
            ("/d", "{\n  \"a\": 1,\n  \"b\": [1, {\"c\": 2}]\n}"),
            (
                "/b/0",
                "{\n  \"a\": 1,\n  \"b\": [{\"c\": 2}],\n  \"d\": \"x\"\n}",
            ),
            (
                "/b/1/c",
                "{\n  \"a\": 1,\n  \"b\": [1, {}],\n  \"d\": \"x\"\n}",
            ),
        ] {
            assert_eq!(
                edited(text, remove(pointer)).as_deref(),
                Some(expected),
                "{pointer}"
            );
        }
    }

    fn insert(pointer: &str) -> Change {
        Change::Insert {
            pointer: pointer.to_owned(),
            name: "End".to_owned(),
            value: json!(true),
        }
    }

    #[test]
    fn what_is_added_is_written_as_what_is_there() {
        for (text, pointer, expected) in [
            (
                "{\"a\": {\"b\": 1}}",
                "/a",
                "{\"a\": {\"End\": true, \"b\": 1}}",
            ),
            (
                "{\n  \"b\": 1\n}",
                "/",
                "{\n  \"End\": true,\n  \"b\": 1\n}",
            ),
            ("a:\n  b: 1\n", "/a", "a:\n  End: true\n  b: 1\n"),
            ("a: {b: 1}\n", "/a", "a: {\"End\": true, b: 1}\n"),
        ] {
            assert_eq!(
                edited(text, insert(pointer)).as_deref(),
                Some(expected),
                "{text}"
            );
        }
        assert_eq!(edited("{}", insert("/")), None);
        assert_eq!(edited("{\"End\": 1}", insert("/")), None);
    }

    #[test]
    fn a_field_is_not_renamed_over_another() {
        let rename = |name: &str| Change::Rename {
            pointer: "/a~1b".to_owned(),
            name: name.to_owned(),
        };
        let text = "{\"a/b\": 1, \"c\": 2}";
        assert_eq!(
            edited(text, rename("d")).as_deref(),
            Some("{\"d\": 1, \"c\": 2}")
        );
        assert_eq!(edited(text, rename("c")), None);
    }
}
