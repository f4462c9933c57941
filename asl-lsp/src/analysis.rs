//! All that is known of one text.
use crate::outline::{Outline, Variables};
use crate::syntax::{Kind, NodeId, Syntax};
use std::cell::OnceCell;
use std::ops::Range;

/// A text as a tree, with its state machines.
#[derive(Debug, Default)]
pub(crate) struct Analysis {
    pub(crate) syntax: Syntax,
    is_definition: bool,
    outline: OnceCell<Outline>,
    variables: OnceCell<Variables>,
}

impl Analysis {
    pub(crate) fn new(text: &str, is_yaml: bool, is_definition: bool) -> Self {
        Self {
            syntax: Syntax::new(text, is_yaml),
            is_definition,
            outline: OnceCell::new(),
            variables: OnceCell::new(),
        }
    }

    /// Returns the state machines, computed on the first call.
    pub(crate) fn outline(&self) -> &Outline {
        let read = || Outline::new(&self.syntax, self.is_definition);
        self.outline.get_or_init(read)
    }

    /// Returns the variables, computed on the first call.
    pub(crate) fn variables(&self) -> &Variables {
        self.variables
            .get_or_init(|| Variables::new(&self.syntax, self.outline()))
    }

    /// Returns the range to mark for a problem at an offset: a whole name or string, otherwise the field name or the
    /// bracket.
    pub(crate) fn marked_range_at(&self, offset: usize) -> Option<Range<usize>> {
        let syntax = &self.syntax;
        let last = syntax.last_before(offset)?;
        for id in syntax.ancestors(last) {
            let node = syntax.node(id)?;
            if let Some(name) = node
                .name
                .as_ref()
                .filter(|name| name.span.contains(&offset))
            {
                return Some(name.span.clone());
            }
            if node.span.start > offset || offset > node.span.end {
                continue;
            }
            return match node.kind {
                Kind::Scalar(_) if !syntax.slice(offset..node.span.end).contains('\n') => {
                    Some(offset..node.span.end)
                }
                Kind::Object | Kind::Array if node.span.start == offset => {
                    node.name.as_ref().map(|name| name.span.clone())
                }
                _ => None,
            };
        }
        None
    }

    /// Returns the name of the machine of a scope's node in a file with several machines: the name of its resource.
    pub(crate) fn machine_name(&self, machine: NodeId) -> Option<String> {
        let syntax = &self.syntax;
        let of_list = |id: &NodeId| {
            let parent = syntax.node(*id).and_then(|node| node.parent);
            parent.is_some_and(|parent| {
                matches!(syntax.name(parent).as_ref(), "Resources" | "stateMachines")
            })
        };
        let resource = syntax.ancestors(machine).find(of_list)?;
        Some(syntax.name(resource).into_owned())
    }
}
