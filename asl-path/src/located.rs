//! Nodes with their places in the document.
use crate::ast::{Quote, Segment};
use crate::display::normalized_text;
use crate::reference_path::Step;
use crate::{JsonPath, QueryError};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::HashMap;

/// A node that a path finds, with its place in the document.
#[derive(Debug, Clone, PartialEq)]
pub struct LocatedNode<'v> {
    steps: Option<Vec<Step>>,
    value: Cow<'v, Value>,
}

impl<'v> LocatedNode<'v> {
    /// Returns the steps from the root to the node; None for a value that the path makes itself.
    pub fn steps(&self) -> Option<&[Step]> {
        self.steps.as_deref()
    }

    /// Returns the normalized path of the node, `$['a'][0]`, which can be parsed again; None for a value that the path makes
    /// itself, and for an index that no path can have.
    pub fn path(&self) -> Option<String> {
        let segment = |step: &Step| {
            Some(match step {
                Step::Field(name) => Segment::Field {
                    name: name.clone(),
                    quote: Quote::default(),
                },
                Step::Index(index) => Segment::Index(i32::try_from(*index).ok()?),
            })
        };
        let segments: Option<Vec<Segment>> = self.steps.as_ref()?.iter().map(segment).collect();
        Some(format!("${}", normalized_text(&segments?)))
    }

    /// Returns the node.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// Returns the node, borrowed from the document unless the path makes it itself.
    pub fn into_value(self) -> Cow<'v, Value> {
        self.value
    }
}

impl JsonPath {
    /// Returns all nodes that the path finds, in order, with their places in the document. This reads the whole document, in
    /// time in proportion to its size.
    ///
    /// # Errors
    ///
    /// As [`Self::evaluate`].
    ///
    /// # Example
    ///
    /// ```
    /// use asl_path::JsonPath;
    ///
    /// let document = serde_json::json!({"lines": [{"price": 3}, {"price": 30}]});
    /// let nodes = JsonPath::parse("$.lines[?(@.price > 10)].price")?.query_located(&document)?;
    /// assert_eq!(nodes.len(), 1);
    /// assert_eq!(nodes[0].path().as_deref(), Some("$['lines'][1]['price']"));
    /// assert_eq!(nodes[0].value(), 30);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn query_located<'v>(
        &self,
        document: &'v Value,
    ) -> Result<Vec<LocatedNode<'v>>, QueryError> {
        let found = self.query(document)?;
        let places = Places::find(document, &found);
        let located = found.into_iter().map(|value| {
            let steps = match &value {
                Cow::Borrowed(node) => places.steps_to(node),
                Cow::Owned(_) => None,
            };
            LocatedNode { steps, value }
        });
        Ok(located.collect())
    }
}

/// The nodes of a document, each after its parent.
struct Places<'v> {
    nodes: Vec<Place<'v>>,
    /// Index of the nodes that are wanted, by their address: no two nodes have the same.
    wanted: HashMap<*const Value, Option<usize>>,
}

struct Place<'v> {
    parent: usize,
    step: StepTo<'v>,
}

/// A step to a node of a document.
enum StepTo<'v> {
    Root,
    Field(&'v str),
    Index(usize),
}

impl<'v> Places<'v> {
    fn find(document: &'v Value, found: &[Cow<'v, Value>]) -> Self {
        let borrowed = found.iter().filter_map(|value| match value {
            Cow::Borrowed(node) => Some((std::ptr::from_ref::<Value>(node), None)),
            Cow::Owned(_) => None,
        });
        let mut places = Self {
            nodes: Vec::new(),
            wanted: borrowed.collect(),
        };
        let mut open = vec![(document, 0, StepTo::Root)];
        let mut missing = places.wanted.len();
        while let Some((node, parent, step)) = open.pop() {
            if missing == 0 {
                break;
            }
            let index = places.nodes.len();
            places.nodes.push(Place { parent, step });
            if let Some(place) = places.wanted.get_mut(&std::ptr::from_ref(node)) {
                *place = Some(index);
                missing -= 1;
            }
            match node {
                Value::Object(fields) => open.extend(
                    fields
                        .iter()
                        .map(|(name, child)| (child, index, StepTo::Field(name))),
                ),
                Value::Array(elements) => open.extend(
                    elements
                        .iter()
                        .enumerate()
                        .map(|(at, child)| (child, index, StepTo::Index(at))),
                ),
                _ => {}
            }
        }
        places
    }

    fn steps_to(&self, node: &Value) -> Option<Vec<Step>> {
        let mut index = (*self.wanted.get(&std::ptr::from_ref(node))?)?;
        let mut steps = Vec::new();
        while let Some(place) = self.nodes.get(index) {
            steps.push(match place.step {
                StepTo::Root => break,
                StepTo::Field(name) => Step::Field(name.to_owned()),
                StepTo::Index(at) => Step::Index(i64::try_from(at).ok()?),
            });
            index = place.parent;
        }
        steps.reverse();
        Some(steps)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn paths(path: &str, document: &Value) -> Vec<Option<String>> {
        let path = JsonPath::parse(path).expect("a path");
        let nodes = path.query_located(document).expect("nodes");
        nodes.iter().map(LocatedNode::path).collect()
    }

    #[test]
    fn nodes_have_the_paths_that_lead_to_them() {
        let document = json!({"a": [1, {"it's": 1}], "b": 1});
        let all = [
            "$['a']",
            "$['b']",
            "$['a'][0]",
            "$['a'][1]",
            r"$['a'][1]['it\'s']",
        ];
        let mut found: Vec<String> = paths("$..*", &document).into_iter().flatten().collect();
        found.sort_by_key(|path| (path.len(), path.clone()));
        assert_eq!(found, all);
        assert_eq!(paths("$", &document), [Some("$".to_owned())]);
        assert_eq!(paths("$.a[-1]", &document), [Some("$['a'][1]".to_owned())]);
    }

    #[test]
    fn a_value_that_a_path_makes_has_no_path() {
        let document = json!({"a": [1, 2], "b": 1});
        assert_eq!(paths("$.a.length()", &document), [None]);
        let path = JsonPath::parse("$.a.length()").expect("a path");
        let mut nodes = path.query_located(&document).expect("nodes");
        assert_eq!(*nodes.remove(0).into_value(), json!(2));
    }

    /// A node that is found twice has its place twice.
    #[test]
    fn a_node_may_be_found_twice() {
        let document = json!([7]);
        assert_eq!(
            paths("$[0,0]", &document),
            [Some("$[0]".to_owned()), Some("$[0]".to_owned())]
        );
    }
}
