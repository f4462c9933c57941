//! Which step the `%` of an expression means.
use super::part::PathPart;
use crate::ParseError;
use crate::syntax::lexer::fault;
use crate::syntax::nesting::Nesting;
use crate::syntax::{Node, NodeKind, Path, Step, Symbol, Symbols};
use std::collections::HashMap;

/// The labels of all `%`, and how many steps up from here the step of each is.
pub(super) struct Ancestry {
    levels: HashMap<Symbol, i64>,
    nesting: Nesting,
}

pub(super) fn underivable(position: usize) -> ParseError {
    let message = "The object representing the 'parent' cannot be derived from this expression";
    fault("S0217", message, position)
}

impl Ancestry {
    pub(super) fn new(nesting: Nesting) -> Self {
        Self {
            levels: HashMap::new(),
            nesting,
        }
    }

    /// A label for a `%`, which no variable can have.
    pub(super) fn label(&mut self, symbols: &mut Symbols) -> Symbol {
        let label = symbols.intern(&format!("!{}", self.levels.len()));
        self.levels.insert(label, 1);
        label
    }

    fn level(&self, label: Symbol) -> i64 {
        self.levels.get(&label).copied().unwrap_or_default()
    }

    fn fall(&mut self, label: Symbol) {
        if let Some(level) = self.levels.get_mut(&label) {
            *level -= 1;
        }
    }

    /// One more step up. So many at once are refused that looking for them stays cheap.
    fn rise(&mut self, label: Symbol, position: u32) -> Result<(), ParseError> {
        let level = self.level(label) + 1;
        self.levels.insert(label, level);
        let depth = usize::try_from(level).unwrap_or_default();
        self.nesting.check(depth, position as usize)
    }

    /// A predicate on a step seeks the context of that step, or of one before it.
    pub(super) fn seek_from_predicate(
        &mut self,
        step: &mut Step,
        label: Symbol,
    ) -> Result<(), ParseError> {
        if self.level(label) == 1 {
            return self.seek_in_step(step, label);
        }
        self.fall(label);
        Ok(())
    }

    /// Finds the steps that the last step of a path seeks. What is not found, the path as a whole seeks.
    pub(super) fn resolve_last(&mut self, part: &mut PathPart) -> Result<(), ParseError> {
        let Some((last, before)) = part.path.steps.split_last_mut() else {
            return Ok(());
        };
        let sought = part.last_seeking.iter().copied().chain(last.node.parent());
        for label in sought {
            let mut before = &mut *before;
            while self.level(label) > 0 {
                let Some((step, rest)) = split_last_step(before) else {
                    part.contents.seeking.push(label);
                    break;
                };
                self.seek_in_step(step, label)?;
                before = rest;
            }
        }
        Ok(())
    }

    fn seek_in_step(&mut self, step: &mut Step, label: Symbol) -> Result<(), ParseError> {
        match &mut step.node.kind {
            NodeKind::Name(_) | NodeKind::Wildcard => {
                self.fall(label);
                if self.level(label) == 0 {
                    step.ancestors.push(label);
                    step.tuple = true;
                }
                Ok(())
            }
            NodeKind::Block { expressions, .. } => {
                step.tuple |= !expressions.is_empty();
                self.seek_in_last(expressions, label)
            }
            _ => self.seek_in_node(&mut step.node, label),
        }
    }

    fn seek_in_node(&mut self, node: &mut Node, label: Symbol) -> Result<(), ParseError> {
        match &mut node.kind {
            NodeKind::Wildcard => {
                self.fall(label);
                Ok(())
            }
            NodeKind::Parent(_) => self.rise(label, node.position),
            NodeKind::Block { expressions, .. } => self.seek_in_last(expressions, label),
            NodeKind::Path(path) => self.seek_in_path(path, label),
            _ => Err(underivable(node.position as usize)),
        }
    }

    fn seek_in_last(&mut self, expressions: &mut [Node], label: Symbol) -> Result<(), ParseError> {
        match expressions.last_mut() {
            Some(last) => self.seek_in_node(last, label),
            None => Ok(()),
        }
    }

    fn seek_in_path(&mut self, path: &mut Path, label: Symbol) -> Result<(), ParseError> {
        path.tuple = true;
        let mut steps = path.steps.iter_mut().rev();
        if let Some(last) = steps.next() {
            self.seek_in_step(last, label)?;
        }
        for step in steps {
            if self.level(label) <= 0 {
                break;
            }
            self.seek_in_step(step, label)?;
        }
        Ok(())
    }
}

/// The last step and those before it. Of contiguous steps that bind the focus, all have the same context: the first one stands for them.
fn split_last_step(steps: &mut [Step]) -> Option<(&mut Step, &mut [Step])> {
    let focused = steps.iter().rev().take_while(|step| step.focus.is_some());
    let skipped = focused.count().saturating_sub(1);
    let kept = steps.len() - skipped;
    steps.get_mut(..kept)?.split_last_mut()
}
