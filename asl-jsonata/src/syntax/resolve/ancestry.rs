//! Resolution of `%` to steps.
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

    /// Returns a label for a `%`, which no variable can have.
    pub(super) fn label(&mut self, symbols: &mut Symbols) -> Symbol {
        let label = symbols.intern(&format!("!{}", self.levels.len()));
        self.levels.insert(label, 1);
        label
    }

    fn search(&self, label: Symbol) -> Search {
        Search {
            label,
            level: self.levels.get(&label).copied().unwrap_or_default(),
            nesting: self.nesting,
        }
    }

    fn note(&mut self, search: &Search) {
        self.levels.insert(search.label, search.level);
    }

    /// Resolves a parent in a predicate on a step: it seeks the context of that step, or of one before it.
    pub(super) fn seek_from_predicate(
        &mut self,
        step: &mut Step,
        label: Symbol,
    ) -> Result<(), ParseError> {
        let mut search = self.search(label);
        if search.level == 1 {
            search.step(step)?;
        } else {
            search.level -= 1;
        }
        self.note(&search);
        Ok(())
    }

    /// Resolves the steps that the last step of a path seeks. The path as a whole seeks the unresolved ones.
    pub(super) fn resolve_last(&mut self, part: &mut PathPart) -> Result<(), ParseError> {
        let Some((last, before)) = part.path.steps.split_last_mut() else {
            return Ok(());
        };
        let sought = part.last_seeking.iter().copied().chain(last.node.parent());
        for label in sought {
            let mut search = self.search(label);
            let mut before = &mut *before;
            while search.level > 0 {
                let Some((step, rest)) = split_last_step(before) else {
                    part.contents.seeking.push(label);
                    break;
                };
                search.step(step)?;
                before = rest;
            }
            self.note(&search);
        }
        Ok(())
    }
}

/// On the way up from a `%`.
struct Search {
    label: Symbol,
    /// Number of steps up that remain.
    level: i64,
    nesting: Nesting,
}

impl Search {
    fn step(&mut self, step: &mut Step) -> Result<(), ParseError> {
        match &mut step.node.kind {
            NodeKind::Name(_) | NodeKind::Wildcard => {
                self.level -= 1;
                if self.level == 0 {
                    step.ancestors.push(self.label);
                    step.tuple = true;
                }
                Ok(())
            }
            NodeKind::Block { expressions, .. } => {
                step.tuple |= !expressions.is_empty();
                self.last(expressions)
            }
            _ => self.node(&mut step.node),
        }
    }

    fn node(&mut self, node: &mut Node) -> Result<(), ParseError> {
        match &mut node.kind {
            NodeKind::Wildcard => {
                self.level -= 1;
                Ok(())
            }
            NodeKind::Parent(_) => self.rise(node.position),
            NodeKind::Block { expressions, .. } => self.last(expressions),
            NodeKind::Path(path) => self.path(path),
            _ => Err(underivable(node.position as usize)),
        }
    }

    fn last(&mut self, expressions: &mut [Node]) -> Result<(), ParseError> {
        match expressions.last_mut() {
            Some(last) => self.node(last),
            None => Ok(()),
        }
    }

    fn path(&mut self, path: &mut Path) -> Result<(), ParseError> {
        path.tuple = true;
        let mut steps = path.steps.iter_mut().rev();
        if let Some(last) = steps.next() {
            self.step(last)?;
        }
        for step in steps {
            if self.level <= 0 {
                break;
            }
            self.step(step)?;
        }
        Ok(())
    }

    /// Moves one step up. The limit on steps keeps the search cheap.
    fn rise(&mut self, position: u32) -> Result<(), ParseError> {
        self.level += 1;
        let depth = usize::try_from(self.level).unwrap_or_default();
        self.nesting.check(depth, position as usize)
    }
}

/// Returns the last step and those before it. Of contiguous steps that bind the focus, all have the same context: the first
/// one stands for them.
fn split_last_step(steps: &mut [Step]) -> Option<(&mut Step, &mut [Step])> {
    let focused = steps.iter().rev().take_while(|step| step.focus.is_some());
    let skipped = focused.count().saturating_sub(1);
    let kept = steps.len() - skipped;
    steps.get_mut(..kept)?.split_last_mut()
}
