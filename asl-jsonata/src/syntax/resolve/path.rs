//! Location paths and what applies to their steps.
use super::part::{Contents, Part, PathPart, offset};
use super::{ResolveResult, Resolver};
use crate::syntax::lexer::{fault, literal_text};
use crate::syntax::phrase::{Pair, Phrase};
use crate::syntax::{Group, Node, NodeKind, SortTerm, Stage, Step};
use serde_json::Value;

impl Resolver<'_> {
    /// `left.right`
    pub(super) fn map(&mut self, left: Part, right: Phrase<'_>) -> ResolveResult {
        let mut seeking = Vec::new();
        if let Part::Step(part) = &left {
            seeking.extend(part.step.node.parent());
        }
        let mut path = left.into_path();
        path.contents.seeking.extend(seeking);
        path.append(self.phrase(right)?);
        check_steps(&mut path)?;
        mark_constructors(&mut path.path.steps);
        self.ancestry.resolve_last(&mut path)?;
        Ok(Part::Path(path))
    }

    /// `left[predicate]`
    pub(super) fn predicate(
        &mut self,
        mut left: Part,
        predicate: Phrase<'_>,
        position: usize,
    ) -> ResolveResult {
        if left.last_step().is_some_and(|step| step.is_grouped()) {
            let message = "A predicate cannot follow a grouping expression in a step";
            return Err(fault("S0209", message, position));
        }
        let predicate = self.phrase(predicate)?;
        let seeking = predicate.seeking();
        if let Some(step) = left.last_step() {
            for label in seeking {
                self.ancestry.seek_from_predicate(step, *label)?;
            }
        }
        // A predicate that is `%` itself is not resolved, as in the reference.
        if !seeking.is_empty() {
            left.last_seeking().extend(predicate.sought());
        }
        let node = left.contents_mut().enclose(predicate);
        left.push_predicate(node);
        Ok(left)
    }

    /// `left{key: value}`
    pub(super) fn group(
        &mut self,
        mut left: Part,
        pairs: Vec<Pair<'_>>,
        position: usize,
    ) -> ResolveResult {
        if left.group().is_some() {
            let message = "Each step can only have one grouping expression";
            return Err(fault("S0210", message, position));
        }
        let mut nodes = Vec::with_capacity(pairs.len());
        for (key, value) in pairs {
            let key = self.phrase(key)?;
            let key = left.contents_mut().enclose(key);
            let value = self.phrase(value)?;
            nodes.push((key, left.contents_mut().enclose(value)));
        }
        *left.group() = Some(Group {
            pairs: nodes,
            position: offset(position),
        });
        Ok(left)
    }

    /// `left^(terms)`
    pub(super) fn sort(
        &mut self,
        left: Part,
        terms: Vec<(Phrase<'_>, bool)>,
        position: usize,
    ) -> ResolveResult {
        let mut path = left.into_path();
        let mut contents = Contents::default();
        let mut sort = Vec::with_capacity(terms.len());
        for (term, descending) in terms {
            sort.push(SortTerm {
                expression: contents.absorb(self.phrase(term)?),
                descending,
            });
        }
        path.append(Part::new(NodeKind::Sort(sort), position, contents));
        self.ancestry.resolve_last(&mut path)?;
        Ok(Part::Path(path))
    }

    /// `left@$name`
    pub(super) fn focus(
        &mut self,
        mut left: Part,
        name: &str,
        position: usize,
        keep_array: bool,
    ) -> ResolveResult {
        let name = self.bound(name);
        if let Some(step) = left.last_step() {
            if step.has_predicates() {
                let message = "A context variable binding must precede any predicates on a step";
                return Err(fault("S0215", message, position));
            }
            if matches!(step.node.kind, NodeKind::Sort(_)) {
                let message =
                    "A context variable binding must precede the 'order-by' clause on a step";
                return Err(fault("S0216", message, position));
            }
            step.node.keep_array |= keep_array;
            step.focus = name;
            step.tuple = true;
        }
        if let Part::Path(path) = &mut left {
            path.checked = path.checked.min(path.path.steps.len().saturating_sub(1));
        }
        Ok(left)
    }

    /// `left#$name`
    pub(super) fn index(&mut self, left: Part, name: &str) -> Part {
        let name = self.bound(name);
        let lone = matches!(left, Part::Step(_));
        let mut path = left.into_path();
        if let Some(step) = path.path.steps.last_mut() {
            if lone {
                step.predicates_become_stages();
            }
            step.tuple = true;
            match name {
                Some(name) if !step.stages.is_empty() => step.stages.push(Stage::Index(name)),
                _ if step.stages.is_empty() => step.index = name,
                _ => {}
            }
        }
        Part::Path(path)
    }

    /// The symbol that is bound by `@` or `#`; `$` always means the context.
    fn bound(&mut self, name: &str) -> Option<crate::syntax::Symbol> {
        (!name.is_empty()).then(|| self.symbols.intern(name))
    }
}

/// Makes strings names, refuses other literals, and notes whether a step is followed by `[]`.
fn check_steps(part: &mut PathPart) -> ResolveResult<()> {
    let path = &mut part.path;
    for step in path.steps.iter_mut().skip(part.checked) {
        path.keep_singleton |= step.node.keep_array;
        match &mut step.node.kind {
            NodeKind::Literal(Value::String(name)) => {
                step.node.kind = NodeKind::Name(std::mem::take(name).into());
            }
            NodeKind::Literal(value) => {
                let value = literal_text(value);
                let message = format!(
                    "The literal value {value} cannot be used as a step within a path expression"
                );
                return Err(fault("S0213", message, step.node.position as usize));
            }
            _ => {}
        }
    }
    part.checked = path.steps.len();
    Ok(())
}

/// An array constructor at either end of a path keeps its value from being flattened.
fn mark_constructors(steps: &mut [Step]) {
    let mark = |step: Option<&mut Step>| {
        if let Some(step) = step
            && let NodeKind::Array { constructed, .. } = &mut step.node.kind
        {
            *constructed = true;
        }
    };
    mark(steps.first_mut());
    mark(steps.last_mut());
}

/// Returns true if a node is an array constructor in a path, or begins with one.
pub(super) fn starts_with_constructor(node: &Node) -> bool {
    let constructor = |node: &Node| {
        matches!(
            node.kind,
            NodeKind::Array {
                constructed: true,
                ..
            } | NodeKind::Block {
                constructed: true,
                ..
            }
        )
    };
    match &node.kind {
        NodeKind::Path(path) => path
            .steps
            .first()
            .is_some_and(|step| constructor(&step.node)),
        _ => constructor(node),
    }
}

impl Step {
    fn is_grouped(&self) -> bool {
        let postfix = self.node.postfix.as_deref();
        postfix.is_some_and(|postfix| postfix.group.is_some())
    }

    fn has_predicates(&self) -> bool {
        let postfix = self.node.postfix.as_deref();
        !self.stages.is_empty() || postfix.is_some_and(|postfix| !postfix.predicates.is_empty())
    }
}
