//! Positions of the parts of a text.
use super::line_counter::LineFinder;
use super::runs::{Run, runs_of_string};
use super::string_place::{Start, place_in_string};
use super::{
    Event, Events, ReadOptions, Tags, document_syntax, json_events, starts_with_brace, yaml_events,
};
use crate::location::segments;
use crate::{Diagnostic, Position, Syntax};
use asl_path::json;
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::RangeInclusive;

/// The places of all parts of one text, JSON or YAML: built once, it answers for any number of JSON pointers.
///
/// ```
/// use asl_model::SourceMap;
/// let map = SourceMap::new("{\n  \"StartAt\": \"A\"\n}");
/// let value = map.locate("/StartAt").unwrap();
/// assert_eq!((value.line, value.column), (2, 14));
/// let name = map.locate_name("/StartAt").unwrap();
/// assert_eq!((name.line, name.column), (2, 3));
/// ```
#[derive(Debug, Clone, Default)]
pub struct SourceMap<'t> {
    /// Without the mark of its byte order.
    text: Cow<'t, str>,
    nodes: Vec<Node>,
    children: HashMap<(usize, String), usize>,
}

#[derive(Debug, Clone, Copy)]
struct Node {
    name: Start,
    value: Start,
    last_line: usize,
    /// End of a collection in bytes; the start of any other value.
    end: usize,
}

impl<'t> SourceMap<'t> {
    /// Reads the text; a fault in it ends the map there.
    pub fn new(text: &'t str) -> Self {
        Self::from_reading(text, ReadOptions::LENIENT)
    }

    /// The same of a template, in which the short tags of CloudFormation are functions: see [`Document`](crate::Document).
    pub(crate) fn from_template(text: &'t str, syntax: Syntax) -> Self {
        let tags = Tags::Functions;
        Self::from_reading(
            text,
            ReadOptions {
                tags,
                syntax: document_syntax(syntax),
                ..ReadOptions::LENIENT
            },
        )
    }

    fn from_reading(text: &'t str, reading: ReadOptions) -> Self {
        let empty = || Self {
            text: super::without_mark(text).into(),
            nodes: Vec::new(),
            children: HashMap::new(),
        };
        let mut map = empty();
        if !starts_with_brace(text) {
            map.fill(text, yaml_events(text, reading));
            return map;
        }
        if !map.fill(text, json_events(text, reading)) {
            let mut other = empty();
            if other.fill(text, yaml_events(text, reading)) {
                return other;
            }
        }
        map
    }

    /// The same with a text of its own.
    pub fn into_owned(self) -> SourceMap<'static> {
        SourceMap {
            text: Cow::Owned(self.text.into_owned()),
            nodes: self.nodes,
            children: self.children,
        }
    }

    /// Returns the text, without the mark of its byte order.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns true if the text could be read to its end.
    fn fill(&mut self, text: &'t str, mut events: impl Events<'t>) -> bool {
        let text = super::without_mark(text);
        let mut lines = LineFinder::new(text);
        // For each open collection its node and the next index of an array.
        let mut open: Vec<(usize, usize)> = Vec::new();
        let mut name: Option<(Cow<'t, str>, Start)> = None;
        let mut ends = Ends::default();
        loop {
            let event = match events.next() {
                Ok(Some(event)) => event,
                end => return end.is_ok(),
            };
            match event {
                Event::Anchor(_) => {}
                Event::Json(json::Event::Name(text)) => {
                    name = Some((text, lines.start(events.position())));
                }
                Event::Merge => name = Some(("<<".into(), lines.start(events.position()))),
                Event::Json(json::Event::ObjectEnd | json::Event::ArrayEnd) => {
                    let end = lines.start(events.position());
                    let last_line = ends.last_line(text, end);
                    let closed = open.pop().and_then(|(node, _)| self.nodes.get_mut(node));
                    if let Some(node) = closed {
                        node.last_line = last_line.max(node.last_line);
                        node.end = end.offset;
                    }
                }
                Event::Json(json::Event::ObjectStart | json::Event::ArrayStart) => {
                    let value = lines.start(events.position());
                    let node = self.node(&mut open, name.take(), value);
                    open.push((node, 0));
                }
                Event::Json(json::Event::Scalar(_)) | Event::Alias(_) => {
                    let value = lines.start(events.position());
                    self.node(&mut open, name.take(), value);
                }
            }
        }
    }

    fn node(
        &mut self,
        open: &mut [(usize, usize)],
        name: Option<(Cow<'_, str>, Start)>,
        value: Start,
    ) -> usize {
        let number = self.nodes.len();
        let mut name_start = value;
        if let Some((parent, index)) = open.last_mut() {
            let key = match name {
                Some((text, start)) => {
                    name_start = start;
                    text.into_owned()
                }
                None => index.to_string(),
            };
            *index += 1;
            self.children.insert((*parent, key), number);
        }
        self.nodes.push(Node {
            name: name_start,
            value,
            last_line: value.position.line,
            end: value.offset,
        });
        number
    }

    /// Returns the deepest part of the text on the way to `pointer`, and whether it is the end of that way.
    fn find(&self, pointer: &str) -> Option<(Node, bool)> {
        let mut number = 0;
        for segment in segments(pointer) {
            match self.children.get(&(number, segment.into_owned())) {
                Some(child) => number = *child,
                None => return self.nodes.get(number).map(|node| (*node, false)),
            }
        }
        self.nodes.get(number).map(|node| (*node, true))
    }

    /// Returns the lines from the first of a field's name to the last of its value; of a text of several lines the first
    /// alone.
    ///
    /// ```
    /// use asl_model::SourceMap;
    /// let map = SourceMap::new("{\n  \"States\": {\n  }\n}");
    /// assert_eq!(map.lines_of("/States"), Some(2..=3));
    /// assert_eq!(map.lines_of("/States/A"), None);
    /// ```
    pub fn lines_of(&self, pointer: &str) -> Option<RangeInclusive<usize>> {
        let (node, _) = self.find(pointer).filter(|(_, is_whole)| *is_whole)?;
        Some(node.name.position.line..=node.last_line)
    }

    /// Returns the position of the value at a pointer; if it is not in the text, the position of its parent.
    pub fn locate(&self, pointer: &str) -> Option<Position> {
        self.find(pointer).map(|(node, _)| node.value.position)
    }

    /// Returns the position of the byte at `offset` of the string at a pointer, regardless of escapes and line breaks; if
    /// unknown, the start of the string.
    ///
    /// ```
    /// use asl_model::SourceMap;
    /// let map = SourceMap::new(r#"{"Output": "{% \"é\" + x %}"}"#);
    /// let x = "{% \"é\" + x %}".find('x').unwrap();
    /// assert_eq!(map.locate_in("/Output", x).unwrap().column, 24);
    /// ```
    pub fn locate_in(&self, pointer: &str, offset: usize) -> Option<Position> {
        match self.find(pointer)? {
            (node, true) => Some(place_in_string(&self.text, node.value, offset)),
            (node, false) => Some(node.value.position),
        }
    }

    /// Returns the offset in bytes of the value at a pointer; None if it is not in the text.
    ///
    /// ```
    /// use asl_model::SourceMap;
    /// let map = SourceMap::new("a:\n  b: 1\n");
    /// assert_eq!((map.offset_of("/a/b"), map.offset_of("/b")), (Some(8), None));
    /// ```
    pub fn offset_of(&self, pointer: &str) -> Option<usize> {
        self.find_whole(pointer).map(|node| node.value.offset)
    }

    /// The same of a field's name.
    pub fn name_offset_of(&self, pointer: &str) -> Option<usize> {
        self.find_whole(pointer).map(|node| node.name.offset)
    }

    /// Returns the offset in bytes of the end of the array or object at a pointer: its closing bracket, or in YAML the text
    /// after its last line. For any other value, it returns the start.
    pub fn end_of(&self, pointer: &str) -> Option<usize> {
        self.find_whole(pointer).map(|node| node.end)
    }

    /// From which bytes of the text the string was made that the pointer names, escapes and breaks of lines aside.
    pub fn runs_of(&self, pointer: &str, string: &str) -> Vec<Run> {
        let node = self.find_whole(pointer);
        node.map_or_else(Vec::new, |node| {
            runs_of_string(&self.text, node.value, string)
        })
    }

    fn find_whole(&self, pointer: &str) -> Option<Node> {
        let found = self.find(pointer).filter(|(_, is_whole)| *is_whole);
        found.map(|(node, _)| node)
    }

    /// Returns the position of a problem in this text: the value at its location, a position in the value, or a field of it.
    pub fn place_of(&self, diagnostic: &Diagnostic) -> Option<Position> {
        let Diagnostic {
            location,
            field,
            offset,
            ..
        } = diagnostic;
        match (field, offset) {
            (Some(_), _) => self.locate_name(&diagnostic.pointer()),
            (None, Some(offset)) => self.locate_in(location.pointer(), *offset),
            (None, None) => self.locate(location.pointer()),
        }
    }

    /// Returns the position of the name of the field at a pointer.
    pub fn locate_name(&self, pointer: &str) -> Option<Position> {
        match self.find(pointer)? {
            (node, true) => Some(node.name.position),
            (node, false) => Some(node.value.position),
        }
    }
}

/// Finds the last lines of collections, in the order in which they end.
#[derive(Debug, Default)]
struct Ends {
    /// End and last line of the previous block: YAML blocks end together.
    known: Option<(usize, usize)>,
}

impl Ends {
    fn last_line(&mut self, text: &str, end: Start) -> usize {
        let (before, rest) = text.split_at_checked(end.offset).unwrap_or((text, ""));
        if rest.starts_with(['}', ']']) {
            return end.position.line;
        }
        match self.known {
            Some((offset, line)) if offset == end.offset => line,
            _ => {
                let line = last_content(before, end.position.line);
                self.known = Some((end.offset, line));
                line
            }
        }
    }
}

/// The last line of a text that has more than a comment: a block of YAML ends where the next begins.
fn last_content(before: &str, line: usize) -> usize {
    let is_empty = |text: &&str| {
        let text = text.trim();
        text.is_empty() || text.starts_with('#')
    };
    let empty = before.rsplit('\n').take_while(is_empty).count();
    line.saturating_sub(empty).max(1)
}

/// Returns the position of the value at a JSON Pointer. For many pointers, use a [`SourceMap`].
pub fn locate(text: &str, pointer: &str) -> Option<Position> {
    SourceMap::new(text).locate(pointer)
}

#[cfg(test)]
mod tests {
    use super::{SourceMap, locate};

    fn at(text: &str, pointer: &str) -> (usize, usize) {
        let position = locate(text, pointer).unwrap();
        (position.line, position.column)
    }

    const JSON: &str = "{\n  \"é\": {\"b/c\": [10, {\"d\": 1}]},\n  \"e\": 2\n}";
    const YAML: &str = "# é\né:\n  b/c:\n  - 10\n  - d: 1\ne: 2\n";

    #[test]
    fn values_are_found() {
        for (pointer, json, yaml) in [
            ("/", (1, 1), (2, 1)),
            ("/é", (2, 8), (3, 3)),
            ("/é/b~1c/0", (2, 17), (4, 5)),
            ("/é/b~1c/1/d", (2, 27), (5, 8)),
            ("/e", (3, 8), (6, 4)),
        ] {
            assert_eq!(at(JSON, pointer), json, "{pointer}");
            assert_eq!(at(YAML, pointer), yaml, "{pointer}");
        }
    }

    #[test]
    fn what_is_missing_is_looked_for_in_its_surroundings() {
        assert_eq!(at(JSON, "/é/x/y"), (2, 8));
        let map = SourceMap::new(JSON);
        assert_eq!(
            map.locate_name("/é").map(|p| (p.line, p.column)),
            Some((2, 3))
        );
        assert_eq!(
            map.locate_name("/é/x").map(|p| (p.line, p.column)),
            Some((2, 8))
        );
    }

    #[test]
    fn a_value_ends_with_its_last_line() {
        let json = "{\n  \"a\": {\n    \"b\": [\n      1]\n  },\n  \"c\": 2\n}\n";
        let yaml =
            "x: 0\na:\n  b:\n    - 1\n    - |\n      two\n      three\n\n# c\nc: {d:\n  1}\n";
        for (text, pointer, lines) in [
            (json, "/a", 2..=5),
            (json, "/a/b", 3..=4),
            (json, "/c", 6..=6),
            (json, "", 1..=7),
            (yaml, "/a", 2..=7),
            (yaml, "/a/b", 3..=7),
            (yaml, "/c", 10..=11),
            (yaml, "", 1..=11),
        ] {
            assert_eq!(
                SourceMap::new(text).lines_of(pointer),
                Some(lines),
                "{pointer}"
            );
        }
    }

    #[test]
    fn what_an_alias_repeats_is_at_the_alias() {
        assert_eq!(at("a: &a {b: 1}\nc: *a\n", "/c/b"), (2, 4));
    }

    #[test]
    fn a_text_is_mapped_up_to_its_fault() {
        assert_eq!(at("{\"a\": 1, \"b\": }", "/a"), (1, 7));
        assert_eq!(locate("", "/a"), None);
    }
}
