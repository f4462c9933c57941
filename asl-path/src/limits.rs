//! How much nesting a path may have, and what evaluating it may take.

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

/// Limits on one evaluation of a path, whatever the document is. They are counted, not timed: the same evaluation always
/// ends the same way.
///
/// ```
/// use asl_path::{EvaluationLimits, JsonPath};
/// let document = serde_json::json!([[1, 2], [3]]);
/// let limits = EvaluationLimits { steps: 4, ..EvaluationLimits::default() };
/// let error = JsonPath::parse("$..*..*")?.evaluate_with(&document, limits).unwrap_err();
/// assert!(error.is_limit());
/// assert_eq!(error.to_string(), "the evaluation takes too long: more than 4 steps");
/// # Ok::<(), asl_path::ParseError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EvaluationLimits {
    /// Nodes looked at, terms of filters, and pieces of text read.
    pub steps: u64,
    /// Bytes of what is found and copied, all together.
    pub memory: usize,
}

impl Default for EvaluationLimits {
    fn default() -> Self {
        Self {
            steps: 20_000_000,
            memory: 256 << 20,
        }
    }
}
