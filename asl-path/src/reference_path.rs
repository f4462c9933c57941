//! Reference Paths: a path to one node, which can also be written.
use crate::ast::Segment;
use crate::evaluate::{element, field, field_mut, position};
use crate::json::described;
use crate::parser::parse_reference_path;
use crate::{ParseError, WriteError};
use serde_json::{Map, Value};
use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

/// A step of a reference path.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[expect(
    clippy::exhaustive_enums,
    reason = "readers of the language handle each"
)]
pub enum Step {
    /// A field of an object.
    Field(String),
    /// An element of an array; a negative index counts from the end.
    Index(i64),
}

impl Step {
    /// Returns the step that a segment is; the parser of Reference Paths gives no others.
    pub(crate) fn from_segment(segment: Segment) -> Option<Self> {
        match segment {
            Segment::Field { name, .. } => Some(Self::Field(name)),
            Segment::Index(index) => Some(Self::Index(index.into())),
            _ => None,
        }
    }
}

/// A Reference Path, `$.a[0].b` (2022 specification, Reference Paths).
///
/// # Example
///
/// ```
/// use asl_path::ReferencePath;
/// use serde_json::json;
///
/// let mut document = json!({"master": {"detail": [1, 2, 3]}});
/// ReferencePath::parse("$.master.result.sum")?.write(&mut document, json!(6))?;
/// assert_eq!(document, json!({"master": {"detail": [1, 2, 3], "result": {"sum": 6}}}));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ReferencePath {
    source: String,
    steps: Vec<Step>,
}

impl ReferencePath {
    /// Parses a reference path.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is no path, begins with `$$`, or could name more than one node: the operators
    /// `@ , : ? * ..` are not part of a Reference Path.
    pub fn parse(source: &str) -> Result<Self, ParseError> {
        Ok(Self {
            source: source.to_owned(),
            steps: parse_reference_path(source)?
                .into_iter()
                .filter_map(Step::from_segment)
                .collect(),
        })
    }

    /// Returns the steps from the root; none for `$`.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Returns the text that it was parsed from.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns the node it names, if there.
    pub fn get<'v>(&self, document: &'v Value) -> Option<&'v Value> {
        self.find(document).ok()
    }

    /// Returns the node it names, or the first step that leads to nothing.
    ///
    /// # Errors
    ///
    /// The step.
    ///
    /// # Example
    ///
    /// ```
    /// use asl_path::{ReferencePath, Step};
    /// use serde_json::json;
    ///
    /// let path = ReferencePath::parse("$.order.lines[2]")?;
    /// let document = json!({"order": {"lines": [1, 2]}});
    /// assert_eq!(path.find(&document), Err(&Step::Index(2)));
    /// # Ok::<(), asl_path::ParseError>(())
    /// ```
    pub fn find<'v>(&self, document: &'v Value) -> Result<&'v Value, &Step> {
        self.steps.iter().try_fold(document, |node, step| {
            let next = match (step, node) {
                (Step::Field(name), Value::Object(fields)) => field(fields, name),
                (Step::Index(index), Value::Array(elements)) => element(elements, *index),
                _ => None,
            };
            next.ok_or(step)
        })
    }

    /// Puts `value` there, in place; on an error the document is unchanged and the value dropped.
    ///
    /// A field that exists is replaced and keeps its place; one that does not is appended, and so are the objects on the
    /// way to it (2022 specification, Input and Output Processing).
    ///
    /// # Errors
    ///
    /// Returns an error if a field is to be put into something other than an object, or an element into something other
    /// than an array that has one at this index.
    pub fn write(&self, document: &mut Value, value: Value) -> Result<(), WriteError> {
        let mut node = document;
        for (at, step) in self.steps.iter().enumerate() {
            node = match (step, node) {
                (Step::Field(name), Value::Object(fields)) if at + 1 == self.steps.len() => {
                    set(fields, name, value);
                    return Ok(());
                }
                (Step::Field(name), Value::Object(fields)) => {
                    if field(fields, name).is_none() {
                        set(fields, name, self.constructed(at + 1, value)?);
                        return Ok(());
                    }
                    match field_mut(fields, name) {
                        Some(field) => field,
                        None => return Ok(()),
                    }
                }
                (Step::Index(index), Value::Array(elements)) => {
                    let length = elements.len();
                    match position(length, *index).and_then(|position| elements.get_mut(position)) {
                        Some(element) => element,
                        None => {
                            return Err(self.fault(
                                at,
                                &format!("an array of {length}, index {index} is not in it"),
                            ));
                        }
                    }
                }
                (step, node) => return Err(self.wrong_kind(at, step, described(node))),
            };
        }
        *node = value;
        Ok(())
    }

    /// `value` within the objects that the steps from `at` on request.
    fn constructed(&self, at: usize, value: Value) -> Result<Value, WriteError> {
        let missing = self.steps.get(at..).unwrap_or_default();
        if let Some(index) = missing
            .iter()
            .position(|step| matches!(step, Step::Index(_)))
        {
            return Err(self.fault(at + index, "missing, expected an array"));
        }
        Ok(missing.iter().rev().fold(value, |value, step| match step {
            Step::Field(name) => Value::Object(Map::from_iter([(name.clone(), value)])),
            Step::Index(_) => value,
        }))
    }

    #[cold]
    fn wrong_kind(&self, at: usize, step: &Step, found: &str) -> WriteError {
        let expected = match step {
            Step::Field(_) => "an object",
            Step::Index(_) => "an array",
        };
        self.fault(at, &format!("{found}, expected {expected}"))
    }

    /// Creates an error for the node after the first `at` steps, which is `what`.
    #[cold]
    fn fault(&self, at: usize, what: &str) -> WriteError {
        let place = Steps(self.steps.get(..at).unwrap_or_default());
        WriteError::new(format!("cannot write {}: {place} is {what}", self.source))
    }
}

/// Replaces a field, or appends it.
fn set(fields: &mut Map<String, Value>, name: &str, value: Value) {
    match field_mut(fields, name) {
        Some(field) => *field = value,
        None => {
            fields.insert(name.to_owned(), value);
        }
    }
}

/// Steps as a reference path.
struct Steps<'a>(&'a [Step]);

impl Display for Steps<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.write_str("$")?;
        self.0.iter().try_for_each(|step| match step {
            Step::Index(index) => write!(out, "[{index}]"),
            Step::Field(name) if is_plain(name) => write!(out, ".{name}"),
            Step::Field(name) => write!(
                out,
                "['{}']",
                name.replace('\\', "\\\\").replace('\'', "\\'")
            ),
        })
    }
}

fn is_plain(name: &str) -> bool {
    !name.is_empty()
        && name
            .chars()
            .all(|character| character.is_alphanumeric() || matches!(character, '_' | '-'))
}

impl Display for ReferencePath {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.write_str(&self.source)
    }
}

impl FromStr for ReferencePath {
    type Err = ParseError;

    fn from_str(source: &str) -> Result<Self, ParseError> {
        Self::parse(source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn fields(source: &str) -> Vec<String> {
        let steps = ReferencePath::parse(source).unwrap().steps;
        steps
            .iter()
            .map(|step| match step {
                Step::Field(name) => name.clone(),
                Step::Index(index) => index.to_string(),
            })
            .collect()
    }

    fn written(source: &str, mut document: Value) -> Result<Value, String> {
        let before = document.clone();
        match ReferencePath::parse(source)
            .unwrap()
            .write(&mut document, json!("new"))
        {
            Ok(()) => Ok(document),
            Err(error) => {
                assert_eq!(document, before, "a fault leaves the document as it was");
                Err(error.to_string())
            }
        }
    }

    /// The examples of acceptable syntax (2024 specification, Reference Paths).
    #[test]
    fn the_examples_of_the_specification_are_accepted() {
        assert_eq!(fields("$.store.book"), ["store", "book"]);
        assert_eq!(fields(r"$.store\.book"), ["store.book"]);
        assert_eq!(fields(r"$.\stor\e.boo\k"), ["store", "book"]);
        assert_eq!(fields("$.store.book.title"), ["store", "book", "title"]);
        assert_eq!(fields(r"$.foo.\.bar"), ["foo", ".bar"]);
        assert_eq!(
            fields(r"$.foo\@bar.baz\[\[.\?pretty"),
            ["foo@bar", "baz[[", "?pretty"]
        );
        assert_eq!(fields(r"$.&Ж中.\uD800\uDF46"), ["&Ж中", "\u{10346}"]);
        assert_eq!(
            fields("$.ledgers.branch[0].pending.count"),
            ["ledgers", "branch", "0", "pending", "count"]
        );
        assert_eq!(
            fields("$.ledgers[0][22][315].foo"),
            ["ledgers", "0", "22", "315", "foo"]
        );
        assert_eq!(fields("$['store'][0]['book']"), ["store", "0", "book"]);
        assert!(ReferencePath::parse("$").unwrap().steps().is_empty());
    }

    #[test]
    fn what_could_name_several_nodes_is_refused() {
        for source in [
            "$$.a",
            "$.a[*]",
            "$.*",
            "$..a",
            "$.a[0,1]",
            "$['a','b']",
            "$.a[0:1]",
            "$.a[?(@.b)]",
            "$.a@b",
            "$.a,b",
            "$.a:b",
            "$.a?",
        ] {
            assert!(ReferencePath::parse(source).is_err(), "{source}");
        }
    }

    #[test]
    fn what_is_no_path_is_refused() {
        for source in [
            "", "a", "$a", "$.", "$.a.", "$[", "$['a", "$.a b", "$.a[0]x", "$.a()", " $",
        ] {
            assert!(ReferencePath::parse(source).is_err(), "{source}");
        }
    }

    #[test]
    fn faults_say_what_to_do() {
        let error = ReferencePath::parse("$.a@b").unwrap_err();
        assert_eq!(
            error.to_string(),
            "a reference path names one node, so it has no '@'; put '\\' before it, or the name in brackets and quotes at \
             offset 3"
        );
    }

    #[test]
    fn writes_replace_in_place_and_keep_the_order() {
        let document = json!({"z": 1, "a": [1, {"b": 2}], "c": 3});
        assert_eq!(
            written("$.z", document.clone()).unwrap().to_string(),
            r#"{"z":"new","a":[1,{"b":2}],"c":3}"#
        );
        assert_eq!(
            written("$.a[1].b", document.clone()).unwrap().to_string(),
            r#"{"z":1,"a":[1,{"b":"new"}],"c":3}"#
        );
        assert_eq!(
            written("$.a[-2]", document.clone()).unwrap().to_string(),
            r#"{"z":1,"a":["new",{"b":2}],"c":3}"#
        );
        assert_eq!(written("$", document).unwrap(), json!("new"));
    }

    #[test]
    fn writes_construct_what_is_missing() {
        assert_eq!(
            written("$.a.b.c", json!({"x": 1})).unwrap(),
            json!({"x": 1, "a": {"b": {"c": "new"}}})
        );
        assert_eq!(
            written("$.a[0].b.c", json!({"a": [{}]})).unwrap(),
            json!({"a": [{"b": {"c": "new"}}]})
        );
    }

    #[test]
    fn writes_that_cannot_apply_change_nothing() {
        let fault = |source, document| written(source, document).unwrap_err();
        assert_eq!(
            fault("$.x", json!("text")),
            "cannot write $.x: $ is a string, expected an object"
        );
        assert_eq!(
            fault("$.a.b", json!({"a": null})),
            "cannot write $.a.b: $.a is null, expected an object"
        );
        assert_eq!(
            fault("$.a[1]", json!({"a": [0]})),
            "cannot write $.a[1]: $.a is an array of 1, index 1 is not in it"
        );
        assert_eq!(
            fault("$.a[-2]", json!({"a": [0]})),
            "cannot write $.a[-2]: $.a is an array of 1, index -2 is not in it"
        );
        assert_eq!(
            fault("$.a[0]", json!({"a": {}})),
            "cannot write $.a[0]: $.a is an object, expected an array"
        );
        assert_eq!(
            fault("$.a.b[0]", json!({})),
            "cannot write $.a.b[0]: $.a.b is missing, expected an array"
        );
        assert_eq!(
            fault("$['x y'].b", json!({"x y": 1})),
            "cannot write $['x y'].b: $['x y'] is a number, expected an object"
        );
    }

    #[test]
    fn get_is_nothing_where_the_kind_differs() {
        let path = ReferencePath::parse("$.a[0]").unwrap();
        assert_eq!(path.get(&json!({"a": [7]})), Some(&json!(7)));
        assert_eq!(path.get(&json!({"a": {"0": 7}})), None);
        assert_eq!(path.get(&json!([7])), None);
        assert_eq!(path.get(&json!({"a": []})), None);
    }
}
