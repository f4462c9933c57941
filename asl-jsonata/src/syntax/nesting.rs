//! Nesting of expressions.
use super::lexer::fault;
use crate::ParseError;

/// Counts how deep reading an expression nests.
#[derive(Debug, Clone, Copy)]
pub(super) struct Nesting {
    depth: usize,
    limit: usize,
}

impl Nesting {
    /// Maximum nesting with any options, so that dropping a tree cannot exhaust the stack.
    pub(super) const MOST: usize = 1_000;

    pub(super) fn new(limit: usize) -> Self {
        Self {
            depth: 0,
            limit: limit.min(Self::MOST),
        }
    }

    /// Goes one deeper.
    ///
    /// # Errors
    ///
    /// That is too deep.
    pub(super) fn enter(&mut self, position: usize) -> Result<(), ParseError> {
        self.check(self.depth + 1, position)?;
        self.depth += 1;
        Ok(())
    }

    pub(super) fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    /// # Errors
    ///
    /// The depth is more than is allowed.
    pub(super) fn check(&self, depth: usize, position: usize) -> Result<(), ParseError> {
        if depth <= self.limit {
            return Ok(());
        }
        let message = format!(
            "The expression nests more than {} levels deep: bind parts of it to variables",
            self.limit
        );
        Err(fault("D1011", message, position))
    }
}

/// Runs one level of a recursion, on a stack that grows if necessary.
pub(super) fn with_stack<T>(level: impl FnOnce() -> T) -> T {
    const RED_ZONE: usize = 64 << 10;
    const SEGMENT: usize = 1 << 20;
    stacker::maybe_grow(RED_ZONE, SEGMENT, level)
}
