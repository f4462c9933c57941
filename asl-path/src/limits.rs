//! How much nesting a path may have.

/// Limits on the text of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParseLimits {
    /// How many filters, parentheses, `!`, literals and function calls may be inside each other. Parsing and evaluating
    /// use stack in proportion to it: the default fits in 2 MiB many times over, also without optimisation.
    pub max_nesting: usize,
}

impl Default for ParseLimits {
    fn default() -> Self {
        Self { max_nesting: 64 }
    }
}
