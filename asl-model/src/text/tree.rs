//! The JSON value of a text, with its duplicate fields.
use super::{Event, Events, ReadOptions, TextError, json_events, starts_with_brace, yaml_events};
use crate::{Location, Syntax};
use asl_path::json::{self, Scalar, TooDeep};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::collections::HashMap;

/// A field that its object has already.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Duplicate {
    /// The field.
    pub(crate) location: Location,
    /// Its name.
    pub(crate) name: String,
}

/// Bytes of all locations together, far beyond all use.
const LOCATIONS: usize = 16 << 20;

/// The weight of a value without its content.
const NODE: usize = 32;

/// The parsed content of a text.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    /// None if the text is empty.
    pub(crate) value: Option<Value>,
    /// JSON, and not YAML.
    pub(crate) is_json: bool,
    /// The last of several fields of one name is the one in `value`.
    pub(crate) duplicates: Vec<Duplicate>,
}

/// Reads JSON or YAML with at most `max_depth` levels of arrays and objects, of which aliases repeat at most
/// `max_repeated` bytes.
pub(crate) fn read(
    text: &str,
    max_depth: usize,
    max_repeated: usize,
    reading: ReadOptions,
) -> Result<Tree, TextError> {
    let as_yaml = || build(&mut yaml_events(text, reading), max_depth, max_repeated);
    if !starts_with_brace(text) {
        return as_yaml();
    }
    let as_json = build(&mut json_events(text, reading), max_depth, max_repeated);
    match (as_json, reading.syntax) {
        (Ok(tree), _) => Ok(Tree {
            is_json: true,
            ..tree
        }),
        (Err(fault), Syntax::Guessed | Syntax::Json) => Err(fault),
        // Of two faults, the one that more of the text comes before.
        (Err(fault), Syntax::Yaml | Syntax::CloudFormation) => as_yaml().map_err(|other| {
            let place = |fault: &TextError| (fault.position.line, fault.position.column);
            match place(&other) > place(&fault) {
                true => other,
                false => fault,
            }
        }),
    }
}

/// Builds the value of a stream of events.
pub(super) fn build<'t>(
    events: &mut impl Events<'t>,
    max_depth: usize,
    max_repeated: usize,
) -> Result<Tree, TextError> {
    let mut builder = Builder {
        max_depth,
        repeated_left: max_repeated,
        locations_left: LOCATIONS,
        ..Builder::default()
    };
    while let Some(event) = events.next()? {
        if let Err(message) = builder.add(event) {
            return Err(TextError {
                message,
                position: events.position(),
            });
        }
    }
    Ok(builder.tree)
}

/// An array or object that is not at its end.
#[derive(Debug)]
struct Open<'t> {
    content: Content<'t>,
    /// The anchor of the field whose value follows, or of this collection.
    anchor: Option<usize>,
    /// Levels below this one so far.
    height: usize,
    /// Bytes in it, about.
    size: usize,
}

#[derive(Debug)]
enum Content<'t> {
    Array(Vec<Value>),
    Object {
        fields: Map<String, Value>,
        /// Of the field whose value comes next; None if that is to be merged.
        name: Option<Cow<'t, str>>,
        /// Values of `<<`, merged at the end: fields of the object itself win.
        merged: Vec<Value>,
    },
}

/// A value that aliases can repeat.
#[derive(Debug)]
struct AnchoredValue {
    value: Value,
    height: usize,
    size: usize,
}

#[derive(Debug, Default)]
struct Builder<'t> {
    tree: Tree,
    open: Vec<Open<'t>>,
    anchor: Option<usize>,
    anchored: HashMap<usize, AnchoredValue>,
    max_depth: usize,
    repeated_left: usize,
    /// Bytes of the locations of duplicates that may still be written.
    locations_left: usize,
}

impl<'t> Builder<'t> {
    fn add(&mut self, event: Event<'t>) -> Result<(), String> {
        match event {
            Event::Json(event) => self.add_json(event),
            Event::Merge => Ok(()),
            Event::Anchor(anchor) => {
                self.anchor = Some(anchor);
                Ok(())
            }
            Event::Alias(anchor) => self.alias(anchor),
        }
    }

    fn add_json(&mut self, event: json::Event<'t>) -> Result<(), String> {
        match event {
            json::Event::ObjectStart => self.open(Content::Object {
                fields: Map::new(),
                name: None,
                merged: Vec::new(),
            }),
            json::Event::ArrayStart => self.open(Content::Array(Vec::new())),
            json::Event::ObjectEnd | json::Event::ArrayEnd => self.close(),
            json::Event::Name(name) => {
                self.name(name);
                Ok(())
            }
            json::Event::Scalar(scalar) => {
                let anchor = self.anchor.take();
                let size = match &scalar {
                    Scalar::String(text) => NODE + text.len(),
                    _ => NODE,
                };
                self.value(scalar.into(), anchor, 0, size)
            }
        }
    }

    fn open(&mut self, content: Content<'t>) -> Result<(), String> {
        if self.open.len() >= self.max_depth {
            return Err(TooDeep(self.max_depth).to_string());
        }
        self.open.push(Open {
            content,
            anchor: self.anchor.take(),
            height: 0,
            size: NODE,
        });
        Ok(())
    }

    fn close(&mut self) -> Result<(), String> {
        let Some(open) = self.open.pop() else {
            return Ok(());
        };
        let value = match open.content {
            Content::Array(elements) => Value::Array(elements),
            Content::Object {
                mut fields, merged, ..
            } => {
                merge(&mut fields, merged);
                Value::Object(fields)
            }
        };
        self.value(value, open.anchor, open.height + 1, open.size)
    }

    fn name(&mut self, new: Cow<'t, str>) {
        if let Some(open) = self.open.last_mut()
            && let Content::Object { name, .. } = &mut open.content
        {
            open.size += new.len();
            *name = Some(new);
        }
    }

    /// Returns the field `last` of the innermost object.
    fn location(&self, last: &str) -> Location {
        let mut location = Location::default();
        let outer = self.open.len().saturating_sub(1);
        for open in self.open.iter().take(outer) {
            match &open.content {
                Content::Array(elements) => location.push_element(elements.len()),
                Content::Object { name, .. } => {
                    location.push_field(name.as_deref().unwrap_or("<<"));
                }
            }
        }
        location.push_field(last);
        location
    }

    /// Adds a value to the open collection.
    fn value(
        &mut self,
        value: Value,
        anchor: Option<usize>,
        height: usize,
        size: usize,
    ) -> Result<(), String> {
        if let Some(anchor) = anchor {
            self.repeat(size)?;
            let value = value.clone();
            self.anchored.insert(
                anchor,
                AnchoredValue {
                    value,
                    height,
                    size,
                },
            );
        }
        let Some(parent) = self.open.last_mut() else {
            self.tree.value = Some(value);
            return Ok(());
        };
        parent.height = parent.height.max(height);
        parent.size += size;
        let mut duplicate = None;
        match &mut parent.content {
            Content::Array(elements) => elements.push(value),
            Content::Object {
                fields,
                name,
                merged,
            } => match name.take() {
                Some(name) => {
                    if fields.insert(name.as_ref().to_owned(), value).is_some() {
                        duplicate = Some(name);
                    }
                }
                None => merged.push(value),
            },
        }
        if let Some(name) = duplicate {
            self.note_duplicate(name.into_owned());
        }
        Ok(())
    }

    #[cold]
    fn note_duplicate(&mut self, name: String) {
        if self.locations_left > 0 {
            let location = self.location(&name);
            self.locations_left = self.locations_left.saturating_sub(location.len());
            self.tree.duplicates.push(Duplicate { location, name });
        }
    }

    /// Counts the data copied for an anchor or an alias.
    fn repeat(&mut self, size: usize) -> Result<(), String> {
        self.repeated_left = self
            .repeated_left
            .checked_sub(size)
            .ok_or("aliases repeat too much")?;
        Ok(())
    }

    fn alias(&mut self, anchor: usize) -> Result<(), String> {
        let Some(anchored) = self.anchored.get(&anchor) else {
            return Err("an alias within the value that it repeats".to_owned());
        };
        let (height, size) = (anchored.height, anchored.size);
        if self.open.len() + height > self.max_depth {
            return Err(TooDeep(self.max_depth).to_string());
        }
        let value = anchored.value.clone();
        self.repeat(size)?;
        self.value(value, None, height, size)
    }
}

/// YAML's merge key: an object, or an array of them of which the first wins.
fn merge(fields: &mut Map<String, Value>, merged: Vec<Value>) {
    for value in merged {
        let objects = match value {
            Value::Array(elements) => elements,
            value => vec![value],
        };
        for object in objects {
            let Value::Object(object) = object else {
                continue;
            };
            for (name, value) in object {
                fields.entry(name).or_insert(value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::read;
    use crate::Syntax;
    use crate::text::{ReadOptions, Tags, UnquotedPlaceholders};
    use serde_json::{Value, json};

    const AS_WRITTEN: ReadOptions = ReadOptions {
        unquoted: UnquotedPlaceholders::Refused,
        tags: Tags::Placeholders,
        syntax: Syntax::Guessed,
    };

    fn value(text: &str) -> Value {
        read(text, 100, 10_000, AS_WRITTEN).unwrap().value.unwrap()
    }

    fn message(text: &str) -> String {
        let error = read(text, 4, 1_000, AS_WRITTEN).unwrap_err();
        let position = error.position;
        format!("{} at {}:{}", error.message, position.line, position.column)
    }

    #[test]
    fn json_keeps_numbers_strings_and_order() {
        let text = r#" {"b": [1, -0.5, 1e3, 18446744073709551615, true, null], "a": "\u00e9\n\ud83d\ude00\/"} "#;
        let read = value(text);
        assert_eq!(
            read,
            json!({"b": [1, -0.5, 1e3, u64::MAX, true, null], "a": "é\n😀/"})
        );
        assert_eq!(read.as_object().unwrap().keys().next().unwrap(), "b");
        assert_eq!(value("\u{feff}{}"), json!({}));
    }

    #[test]
    fn fields_that_stand_twice_are_remembered() {
        for text in [
            r#"{"a/b": [0, {"c": 1, "c": 2, "c": 3}]}"#,
            "a/b:\n- 0\n- c: 1\n  c: 2\n  c: 3\n",
        ] {
            let tree = read(text, 100, 0, AS_WRITTEN).unwrap();
            let found = tree.duplicates.iter();
            let found: Vec<_> = found
                .map(|one| (one.location.pointer(), &*one.name))
                .collect();
            assert_eq!(found, [("/a~1b/1/c", "c"); 2]);
            assert_eq!(tree.value, Some(json!({"a/b": [0, {"c": 3}]})));
        }
    }

    #[test]
    fn an_empty_text_has_no_value() {
        for text in ["", " \n", "# nothing\n", "---\n"] {
            let value = read(text, 100, 0, AS_WRITTEN).unwrap().value;
            assert!(matches!(value, None | Some(Value::Null)), "{text:?}");
        }
    }

    #[test]
    fn plain_scalars_follow_the_core_schema() {
        let text = "[~, null, true, False, yes, 0, -12, 0o17, 0xff, 1.5, .5, 1e3, 18446744073709551615, .inf, 1.2.3, 2016-03-14, '1', \"true\", -a, +1]";
        assert_eq!(
            value(text),
            json!([
                null,
                null,
                true,
                false,
                "yes",
                0,
                -12,
                15,
                255,
                1.5,
                0.5,
                1e3,
                u64::MAX,
                ".inf",
                "1.2.3",
                "2016-03-14",
                "1",
                "true",
                "-a",
                1
            ])
        );
    }

    #[test]
    fn blocks_are_read() {
        let text = "a: |\n  one\n  two\nb: >-\n  three\n  four\nc:\n- d: 1\n  e: [x, {y: z}]\n";
        let expected =
            json!({"a": "one\ntwo\n", "b": "three four", "c": [{"d": 1, "e": ["x", {"y": "z"}]}]});
        assert_eq!(value(text), expected);
    }

    #[test]
    fn tags_of_cloudformation_are_placeholders() {
        let text = "a: !Sub 'arn:${X}'\nb: !Ref Name\nc: !GetAtt F.Arn\nd: !Join ['', [a, !Ref B]]\ne: !ImportValue x\nf: !!str 1\ng: !Select {a: [b]}\nh: 1\n";
        assert_eq!(
            value(text),
            json!({
                "a": "arn:${X}", "b": "${Name}", "c": "${F.Arn}", "d": "${Join}", "e": "${ImportValue}",
                "f": "1", "g": "${Select}", "h": 1,
            })
        );
    }

    #[test]
    fn tags_of_a_template_are_functions() {
        let functions = ReadOptions {
            tags: Tags::Functions,
            ..AS_WRITTEN
        };
        let text = "a: &a !Sub 'arn:${X}'\nb: !Ref Name\nc: !GetAtt F.Arn\nd: !Join ['', [a, !Ref B]]\ne: !If\n  - c\n  - *a\n  - !Select {a: [b]}\nf: !!str 1\ng: !Condition x\ni: 1\n";
        let read = read(text, 100, 10_000, functions).unwrap();
        assert_eq!(
            read.value.unwrap(),
            json!({
                "a": {"Fn::Sub": "arn:${X}"}, "b": {"Ref": "Name"}, "c": {"Fn::GetAtt": "F.Arn"},
                "d": {"Fn::Join": ["", ["a", {"Ref": "B"}]]},
                "e": {"Fn::If": ["c", {"Fn::Sub": "arn:${X}"}, {"Fn::Select": {"a": ["b"]}}]},
                "f": "1", "g": {"Condition": "x"}, "i": 1,
            })
        );
    }

    #[test]
    fn what_begins_with_a_brace_may_be_yaml_where_that_is_expected() {
        let yaml = ReadOptions {
            syntax: Syntax::Yaml,
            ..AS_WRITTEN
        };
        let text = "{a: 1, 'b': [x, y,],\n # why\n}";
        let tree = read(text, 100, 0, yaml).unwrap();
        assert_eq!(
            (tree.is_json, tree.value),
            (false, Some(json!({"a": 1, "b": ["x", "y"]})))
        );
        assert!(read(text, 100, 0, AS_WRITTEN).is_err());
        assert!(read("{\"a\": 1}", 100, 0, yaml).unwrap().is_json);
        let fault = |text| read(text, 100, 0, yaml).unwrap_err().position.line;
        assert_eq!(fault("{\"a\": 1,\n\"b\": ]}"), 2);
        assert_eq!(fault("{a: 1,\n b: ]}"), 2);
    }

    #[test]
    fn aliases_repeat_and_merge() {
        let text = "base: &base {a: 1, b: [x]}\nsame: *base\nmore:\n  <<: *base\n  a: 2\nlist:\n  <<: [{a: 5}, *base]\n";
        assert_eq!(
            value(text),
            json!({
                "base": {"a": 1, "b": ["x"]},
                "same": {"a": 1, "b": ["x"]},
                "more": {"a": 2, "b": ["x"]},
                "list": {"a": 5, "b": ["x"]},
            })
        );
    }

    #[test]
    fn aliases_have_limits() {
        let mut text = "a0: &a0 [x, x, x, x]\n".to_owned();
        for n in 1..30 {
            text.push_str(&format!(
                "a{n}: &a{n} [*a{0}, *a{0}, *a{0}, *a{0}]\n",
                n - 1
            ));
        }
        assert!(message(&text).starts_with("aliases repeat too much at "));
        let deep = "a: &a [[[x]]]\nb: [*a]\n";
        assert_eq!(
            message(deep),
            "nested deeper than the limit of 4 levels at 2:5"
        );
        assert!(read("a: &a [*a]\n", 100, 1_000, AS_WRITTEN).is_err());
    }

    #[test]
    fn faults_of_a_text_have_a_place() {
        assert_eq!(
            message("{\"a\": [[[[]]]]}"),
            "nested deeper than the limit of 4 levels at 1:10"
        );
        assert_eq!(
            message("a: 1\n---\nb: 2\n"),
            "expected one document, found a second at 2:1"
        );
        assert_eq!(
            message("? [a]\n: 1\n"),
            "expected a field name, found a collection at 1:3"
        );
        assert_eq!(
            message("a: &a b\n*a : 1\n"),
            "expected a field name, found an alias at 2:1"
        );
        assert!(message("a: [1,\nb: 2").contains(" at "));
    }
}
