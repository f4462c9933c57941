//! Positions of the parts of a text.
use super::line_counter::LineFinder;
use super::runs::{Run, runs_of_string};
use super::selection::{Open, PointerTree, Selection};
use super::string_place::{Start, place_in_string};
use super::{
    Event, Events, ReadOptions, Tags, document_syntax, json_events, starts_with_brace, yaml_events,
};
use crate::location::segments;
use crate::{Diagnostic, Diagnostics, Position, Syntax};
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
    nodes: Vec<Node<'t>>,
    /// Children of collections that have many, for binary search: of an object by key, of an array in order.
    large: HashMap<usize, Vec<usize>>,
}

/// Number of children up to which they are searched one by one.
const SMALL: usize = 16;

#[derive(Debug, Clone)]
struct Node<'t> {
    /// Key in an object; None in an array and for the whole text.
    key: Option<Cow<'t, str>>,
    /// First child and next sibling. 0, the number of the whole text, means no such node.
    first_child: usize,
    next: usize,
    name: Start,
    value: Start,
    last_line: usize,
    /// End of a collection in bytes; the start of any other value.
    end: usize,
}

impl<'t> SourceMap<'t> {
    /// Reads the text; a fault in it ends the map there.
    pub fn new(text: &'t str) -> Self {
        Self::from_reading(text, ReadOptions::LENIENT, None)
    }

    /// Reads the text, and keeps only the places of some diagnostics. This costs a fraction of a whole map.
    ///
    /// ```
    /// use asl_model::{Options, SourceMap, validate};
    /// let text = r#"{"StartAt": "A", "States": {"A": {"Type": "Pass", "Next": "B"}}}"#;
    /// let diagnostics = validate(text, Options::default());
    /// let map = SourceMap::of_diagnostics(text, &diagnostics);
    /// let places = diagnostics.iter().map(|it| map.place_of(it));
    /// assert!(places.eq(diagnostics.iter().map(|it| SourceMap::new(text).place_of(it))));
    /// ```
    pub fn of_diagnostics(text: &'t str, diagnostics: &Diagnostics) -> Self {
        let pointers = PointerTree::new(diagnostics.iter().map(Diagnostic::pointer));
        Self::from_reading(text, ReadOptions::LENIENT, Some(&pointers))
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
            None,
        )
    }

    fn from_reading(text: &'t str, reading: ReadOptions, pointers: Option<&PointerTree>) -> Self {
        let empty = || Self {
            text: super::without_mark(text).into(),
            nodes: Vec::new(),
            large: HashMap::new(),
        };
        let mut map = empty();
        if !starts_with_brace(text) {
            map.fill(text, yaml_events(text, reading), pointers);
            return map;
        }
        if !map.fill(text, json_events(text, reading), pointers) {
            let mut other = empty();
            if other.fill(text, yaml_events(text, reading), pointers) {
                return other;
            }
        }
        map
    }

    /// Converts the map to one that owns its text.
    pub fn into_owned(self) -> SourceMap<'static> {
        let nodes = self.nodes.into_iter().map(Node::into_owned);
        SourceMap {
            text: Cow::Owned(self.text.into_owned()),
            nodes: nodes.collect(),
            large: self.large,
        }
    }

    /// Returns the text, without the mark of its byte order.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns true if the text could be read to its end.
    fn fill(
        &mut self,
        text: &'t str,
        mut events: impl Events<'t>,
        pointers: Option<&PointerTree>,
    ) -> bool {
        let text = super::without_mark(text);
        let mut lines = LineFinder::new(text);
        let mut open: Vec<Open> = Vec::new();
        let mut name: Option<(Cow<'t, str>, Start)> = None;
        let mut ends = Ends::default();
        let mut selection = Selection::new(pointers);
        loop {
            let event = match events.next() {
                Ok(Some(event)) => event,
                end => {
                    open.iter().for_each(|collection| self.close(collection));
                    return end.is_ok();
                }
            };
            if selection.skips(&event, &open) {
                continue;
            }
            match event {
                Event::Anchor(_) => {}
                Event::Json(json::Event::Name(text)) => {
                    name = Some((text, lines.start(events.position())));
                }
                Event::Merge => name = Some(("<<".into(), lines.start(events.position()))),
                Event::Json(json::Event::ObjectEnd | json::Event::ArrayEnd) => {
                    let end = lines.start(events.position());
                    let last_line = ends.last_line(text, end);
                    let Some(collection) = open.pop() else {
                        continue;
                    };
                    self.close(&collection);
                    if let Some(node) = self.nodes.get_mut(collection.node) {
                        node.last_line = last_line.max(node.last_line);
                        node.end = end.offset;
                    }
                }
                Event::Json(event @ (json::Event::ObjectStart | json::Event::ArrayStart)) => {
                    let value = lines.start(events.position());
                    let pointer = selection.enter(open.last());
                    let node = self.node(&mut open, name.take(), value);
                    if let Some(pointer) = pointer {
                        let is_array = event == json::Event::ArrayStart;
                        open.push(Open::new(node, is_array, pointer));
                    }
                }
                Event::Json(json::Event::Scalar(_)) | Event::Alias(_) => {
                    let value = lines.start(events.position());
                    self.node(&mut open, name.take(), value);
                }
            }
        }
    }

    /// Adds a node, as the next child of the innermost open collection.
    fn node(
        &mut self,
        open: &mut [Open],
        name: Option<(Cow<'t, str>, Start)>,
        value: Start,
    ) -> usize {
        let number = self.nodes.len();
        let (key, name) = match name {
            Some((key, start)) => (Some(key), start),
            None => (None, value),
        };
        if let Some(parent) = open.last_mut() {
            let (node, is_first) = match parent.last_child {
                0 => (parent.node, true),
                last => (last, false),
            };
            match self.nodes.get_mut(node) {
                Some(node) if is_first => node.first_child = number,
                Some(node) => node.next = number,
                None => {}
            }
            parent.last_child = number;
            parent.children += 1;
        }
        self.nodes.push(Node {
            key,
            first_child: 0,
            next: 0,
            name,
            value,
            last_line: value.position.line,
            end: value.offset,
        });
        number
    }

    /// Indexes the children of a collection that has many.
    fn close(&mut self, collection: &Open) {
        if collection.children <= SMALL {
            return;
        }
        let children = self.children(collection.node).map(|(number, _)| number);
        let mut children: Vec<usize> = children.collect();
        // The sort is stable: of equal keys, the last one stays the last. Elements of an array have no key.
        children.sort_by_key(|child| self.nodes.get(*child).and_then(|node| node.key.as_deref()));
        self.large.insert(collection.node, children);
    }

    /// Iterates over the children of a node, in the order of the text.
    fn children(&self, node: usize) -> impl Iterator<Item = (usize, &Node<'t>)> {
        let at = |number: usize| Some((number, self.nodes.get(number)?)).filter(|_| number > 0);
        let first = self.nodes.get(node).and_then(|node| at(node.first_child));
        std::iter::successors(first, move |(_, node)| at(node.next))
    }

    /// Returns the child of a node by a segment of a pointer: the last one of several with the same key.
    fn child(&self, node: usize, segment: &str) -> Option<usize> {
        let index = || {
            segment
                .parse()
                .ok()
                .filter(|it: &usize| it.to_string() == segment)
        };
        let is_array = self.children(node).next()?.1.key.is_none();
        let Some(large) = self.large.get(&node) else {
            return match is_array {
                true => self.children(node).nth(index()?).map(|(number, _)| number),
                false => {
                    let equal = self.children(node);
                    let equal = equal.filter(|(_, child)| child.key.as_deref() == Some(segment));
                    equal.last().map(|(number, _)| number)
                }
            };
        };
        if is_array {
            return large.get(index()?).copied();
        }
        let key = |number: &usize| self.nodes.get(*number).and_then(|it| it.key.as_deref());
        let end = large.partition_point(|number| key(number) <= Some(segment));
        let last = large.get(end.checked_sub(1)?)?;
        (key(last) == Some(segment)).then_some(*last)
    }

    /// Returns the deepest part of the text on the way to `pointer`, and whether it is the end of that way.
    fn find(&self, pointer: &str) -> Option<(&Node<'t>, bool)> {
        let mut number = 0;
        for segment in segments(pointer) {
            match self.child(number, &segment) {
                Some(child) => number = child,
                None => return self.nodes.get(number).map(|node| (node, false)),
            }
        }
        self.nodes.get(number).map(|node| (node, true))
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

    /// Returns the offset in bytes of the name of the field at a pointer; None if it is not in the text.
    pub fn name_offset_of(&self, pointer: &str) -> Option<usize> {
        self.find_whole(pointer).map(|node| node.name.offset)
    }

    /// Returns the offset in bytes of the end of the array or object at a pointer: its closing bracket, or in YAML the text
    /// after its last line. For any other value, it returns the start.
    pub fn end_of(&self, pointer: &str) -> Option<usize> {
        self.find_whole(pointer).map(|node| node.end)
    }

    /// Returns the byte ranges of the text that the string at a pointer consists of, without escapes and line breaks.
    pub fn runs_of(&self, pointer: &str, string: &str) -> Vec<Run> {
        let node = self.find_whole(pointer);
        node.map_or_else(Vec::new, |node| {
            runs_of_string(&self.text, node.value, string)
        })
    }

    fn find_whole(&self, pointer: &str) -> Option<&Node<'t>> {
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

impl Node<'_> {
    fn into_owned(self) -> Node<'static> {
        let Self {
            key,
            first_child,
            next,
            name,
            value,
            last_line,
            end,
        } = self;
        Node {
            key: key.map(|key| Cow::Owned(key.into_owned())),
            first_child,
            next,
            name,
            value,
            last_line,
            end,
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
    use crate::location::segments;
    use crate::{Diagnostics, Location, Options, validate};

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
    fn a_map_of_diagnostics_answers_like_a_whole_one() {
        let pointers = [
            "/",
            "/é",
            "/é/b~1c",
            "/é/b~1c/0",
            "/é/b~1c/1",
            "/é/b~1c/1/d",
            "/é/b~1c/7",
            "/e",
            "/e/x",
            "/none",
        ];
        let diagnostic = |pointer: &str| {
            let mut location = Location::default();
            for segment in segments(pointer) {
                match segment.parse() {
                    Ok(index) => location.push_element(index),
                    Err(_) => location.push_field(&segment),
                }
            }
            let mut diagnostics = validate("[]", Options::default());
            let mut diagnostic = diagnostics.iter().next().unwrap().clone();
            diagnostic.location = location;
            diagnostics = Diagnostics::default();
            diagnostics.push(diagnostic);
            diagnostics
        };
        for text in [
            JSON,
            YAML,
            "é: &a {b/c: [[1, 2], *a]}\n<<: {e: [1]}\n",
            "[1, {",
            "{\"é\": 1, \"é\": {}}",
        ] {
            let whole = SourceMap::new(text);
            for pointer in pointers {
                let map = SourceMap::of_diagnostics(text, &diagnostic(pointer));
                let context = format!("{pointer} in {text}");
                assert_eq!(map.locate(pointer), whole.locate(pointer), "{context}");
                assert_eq!(
                    map.locate_name(pointer),
                    whole.locate_name(pointer),
                    "{context}"
                );
                assert_eq!(map.end_of(pointer), whole.end_of(pointer), "{context}");
                assert_eq!(map.lines_of(pointer), whole.lines_of(pointer), "{context}");
            }
        }
    }

    /// Collections with few children are searched one by one, others by an index.
    #[test]
    fn children_of_small_and_large_collections_are_found() {
        for count in [3, 16, 17, 500] {
            let elements: Vec<String> = (0..count).map(|n| format!("\n{n}")).collect();
            let fields: Vec<String> = (0..count).map(|n| format!("\n\"k{n}\": 0")).collect();
            for text in [
                format!("[{}]", elements.join(",")),
                format!("[{}", elements.join(",")),
            ] {
                let map = SourceMap::new(&text);
                for index in 0..count {
                    let found = map.locate(&format!("/{index}")).unwrap();
                    assert_eq!((found.line, found.column), (index + 2, 1));
                }
                assert_eq!(map.offset_of(&format!("/{count}")), None);
                assert_eq!((map.offset_of("/01"), map.offset_of("/k1")), (None, None));
            }
            for text in [
                format!("{{{}}}", fields.join(",")),
                format!("{{{}", fields.join(",")),
            ] {
                let map = SourceMap::new(&text).into_owned();
                for index in 0..count {
                    let found = map.locate_name(&format!("/k{index}")).unwrap();
                    assert_eq!((found.line, found.column), (index + 2, 1));
                }
                assert_eq!((map.offset_of("/k"), map.offset_of("/1")), (None, None));
            }
            let twice = format!("{{\"k1\": 0,{}}}", fields.join(","));
            assert_eq!(SourceMap::new(&twice).locate_name("/k1").unwrap().line, 3);
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
