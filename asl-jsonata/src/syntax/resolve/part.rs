//! Parts of the tree while it is made.
use crate::syntax::{Group, Node, NodeKind, Path, Postfix, Stage, Step, Symbol};

/// A node with what its surroundings have to know of it.
pub(super) enum Part {
    Step(StepPart),
    Path(PathPart),
}

/// A node that is no path.
pub(super) struct StepPart {
    /// The node; the rest of the step applies when the node is part of a path.
    pub(super) step: Step,
    pub(super) contents: Contents,
}

/// A path.
pub(super) struct PathPart {
    pub(super) path: Path,
    position: u32,
    keep_array: bool,
    pub(super) contents: Contents,
    /// Symbols that its last step seeks; `contents` has those of the path as a whole.
    pub(super) last_seeking: Vec<Symbol>,
    /// Number of steps that were checked.
    pub(super) checked: usize,
}

/// Data about the parts inside another one.
#[derive(Default)]
pub(super) struct Contents {
    /// The labels of `%` in them whose steps are further out.
    pub(super) seeking: Vec<Symbol>,
    /// Nesting depth.
    height: usize,
}

impl Contents {
    /// Includes a part, and continues to seek its symbols.
    pub(super) fn absorb(&mut self, inner: Part) -> Node {
        self.seeking.extend(inner.sought());
        self.enclose(inner)
    }

    /// Includes a part, without its sought symbols.
    pub(super) fn enclose(&mut self, inner: Part) -> Node {
        self.height = self.height.max(inner.height());
        inner.into_node()
    }
}

/// Returns a position as nodes hold it; texts that are too long for it are refused before they are read.
pub(super) fn offset(position: usize) -> u32 {
    u32::try_from(position).unwrap_or(u32::MAX)
}

impl Part {
    pub(super) fn new(kind: NodeKind, position: usize, contents: Contents) -> Self {
        Self::Step(StepPart {
            step: Step {
                node: Node {
                    kind,
                    position: offset(position),
                    keep_array: false,
                    postfix: None,
                },
                stages: Vec::new(),
                focus: None,
                index: None,
                ancestors: Vec::new(),
                tuple: false,
            },
            contents,
        })
    }

    pub(super) fn leaf(kind: NodeKind, position: usize) -> Self {
        Self::new(kind, position, Contents::default())
    }

    pub(super) fn position(&self) -> usize {
        match self {
            Self::Step(part) => part.step.node.position as usize,
            Self::Path(part) => part.position as usize,
        }
    }

    pub(super) fn height(&self) -> usize {
        self.contents().height + 1
    }

    fn contents(&self) -> &Contents {
        match self {
            Self::Step(part) => &part.contents,
            Self::Path(part) => &part.contents,
        }
    }

    pub(super) fn contents_mut(&mut self) -> &mut Contents {
        match self {
            Self::Step(part) => &mut part.contents,
            Self::Path(part) => &mut part.contents,
        }
    }

    /// Returns the target of a suffix: the last step of a path, or the node itself.
    pub(super) fn last_step(&mut self) -> Option<&mut Step> {
        match self {
            Self::Step(part) => Some(&mut part.step),
            Self::Path(part) => part.path.steps.last_mut(),
        }
    }

    /// Returns the symbols that its last step seeks.
    pub(super) fn last_seeking(&mut self) -> &mut Vec<Symbol> {
        match self {
            Self::Step(part) => &mut part.contents.seeking,
            Self::Path(part) => &mut part.last_seeking,
        }
    }

    /// Returns the symbols that its contents seek.
    pub(super) fn seeking(&self) -> &[Symbol] {
        &self.contents().seeking
    }

    /// Returns all symbols that it seeks.
    pub(super) fn sought(&self) -> impl Iterator<Item = Symbol> {
        let own = match self {
            Self::Step(part) => part.step.node.parent(),
            Self::Path(_) => None,
        };
        self.contents().seeking.iter().copied().chain(own)
    }

    pub(super) fn keeps_array(&self) -> bool {
        match self {
            Self::Step(part) => part.step.node.keep_array,
            Self::Path(part) => part.keep_array,
        }
    }

    /// Follows it by `[]`.
    pub(super) fn keep_array(&mut self) {
        match self {
            Self::Step(part) => part.step.node.keep_array = true,
            Self::Path(part) => part.keep_array = true,
        }
    }

    /// Returns the group after it.
    pub(super) fn group(&mut self) -> &mut Option<Group> {
        match self {
            Self::Step(part) => &mut part.step.node.postfix_mut().group,
            Self::Path(part) => &mut part.path.group,
        }
    }

    /// Adds a predicate to its last step.
    pub(super) fn push_predicate(&mut self, predicate: Node) {
        match self {
            Self::Step(part) => part.step.node.postfix_mut().predicates.push(predicate),
            Self::Path(part) => {
                if let Some(step) = part.path.steps.last_mut() {
                    step.stages.push(Stage::Filter(predicate));
                }
            }
        }
    }

    pub(super) fn into_node(self) -> Node {
        match self {
            Self::Step(part) => part.step.node,
            Self::Path(part) => Node {
                kind: NodeKind::Path(part.path),
                position: part.position,
                keep_array: part.keep_array,
                postfix: None,
            },
        }
    }

    /// Returns the path that it is, or a path of it alone.
    pub(super) fn into_path(self) -> PathPart {
        match self {
            Self::Path(part) => part,
            Self::Step(part) => part.into_path(),
        }
    }
}

impl StepPart {
    fn into_path(self) -> PathPart {
        PathPart {
            position: self.step.node.position,
            keep_array: false,
            contents: Contents {
                seeking: Vec::new(),
                height: self.height(),
            },
            path: Path {
                steps: vec![self.step],
                keep_singleton: false,
                tuple: false,
                group: None,
                origin: None,
            },
            last_seeking: self.contents.seeking,
            checked: 0,
        }
    }

    /// A name alone is no level of its own.
    fn height(&self) -> usize {
        match self.step.node.kind {
            NodeKind::Name(_) => self.contents.height,
            _ => self.contents.height + 1,
        }
    }
}

impl PathPart {
    /// Creates a path of one name, perhaps followed by `[]`.
    pub(super) fn from_name(name: &str, position: usize, keep_array: bool) -> Self {
        let mut part = Part::leaf(NodeKind::Name(name.into()), position);
        if keep_array {
            part.keep_array();
        }
        let mut path = part.into_path();
        path.keep_array = keep_array;
        path.path.keep_singleton = keep_array;
        path
    }

    /// Adds the steps of another part.
    pub(super) fn append(&mut self, part: Part) {
        match part {
            Part::Path(part) => {
                self.contents.height = self.contents.height.max(part.contents.height);
                self.path.steps.extend(part.path.steps);
                self.last_seeking = part.last_seeking;
            }
            Part::Step(part) => {
                self.contents.height = self.contents.height.max(part.height());
                let mut step = part.step;
                step.predicates_become_stages();
                self.path.steps.push(step);
                self.last_seeking = part.contents.seeking;
            }
        }
    }
}

impl Node {
    /// Returns the label of `%`, if it is one.
    pub(super) fn parent(&self) -> Option<Symbol> {
        match self.kind {
            NodeKind::Parent(label) => Some(label),
            _ => None,
        }
    }

    fn postfix_mut(&mut self) -> &mut Postfix {
        self.postfix.get_or_insert_default()
    }
}

impl Step {
    /// Converts the predicates of a node that became part of a path to stages, which apply to the result for each item.
    pub(super) fn predicates_become_stages(&mut self) {
        let Some(postfix) = &mut self.node.postfix else {
            return;
        };
        let predicates = std::mem::take(&mut postfix.predicates);
        self.stages
            .extend(predicates.into_iter().map(Stage::Filter));
        if postfix.group.is_none() {
            self.node.postfix = None;
        }
    }
}
