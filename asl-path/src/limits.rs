//! Limits on the nesting of paths, on their regular expressions, and on their evaluation.
use std::cell::Cell;

/// Limits on the text of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParseLimits {
    /// Maximum nesting of filters, parentheses, `!`, literals and function calls. Parsing and evaluation use stack in
    /// proportion: the default needs only a small part of 2 MiB, even without optimisation.
    pub max_nesting: usize,
}

crate::with_methods! {
    impl ParseLimits {
        with_max_nesting(max_nesting: usize),
    }
}

impl Default for ParseLimits {
    fn default() -> Self {
        Self { max_nesting: 64 }
    }
}

/// Budget for compiled regular expressions. Paths that are parsed together, such as those of a definition, share one budget:
/// a few hundred usual expressions.
///
/// ```
/// use asl_path::{Path, PatternBudget};
/// let budget = PatternBudget::default();
/// let read = |n: usize| Path::parse_tolerantly(&format!("$[?(@ =~ /.{{{}}}/)]", 500 + n), &budget);
/// assert!(read(0).is_ok());
/// assert!((0..1_000).any(|n| read(n).is_err()));
/// ```
#[derive(Debug)]
pub struct PatternBudget {
    left: Cell<usize>,
}

impl PatternBudget {
    /// Bytes of all, compiled and with what matching keeps of each.
    const LIMIT: usize = 32 << 20;

    /// Pays for bytes that are taken.
    pub(crate) fn charge(&self, bytes: usize) -> Result<(), String> {
        let left = self.left.get().checked_sub(bytes);
        self.left.set(left.unwrap_or_default());
        left.map(drop).ok_or_else(|| {
            format!(
                "the regular expressions are too large: together they take more than {} bytes",
                Self::LIMIT
            )
        })
    }
}

impl Default for PatternBudget {
    fn default() -> Self {
        Self {
            left: Cell::new(Self::LIMIT),
        }
    }
}

/// Limits on one evaluation of a path, for any document. They are counted, not timed: the same evaluation always ends in the
/// same way.
///
/// ```
/// use asl_path::{EvaluationLimits, JsonPath};
/// let document = serde_json::json!([[1, 2], [3]]);
/// let limits = EvaluationLimits::default().with_max_steps(4);
/// let error = JsonPath::parse("$..*..*")?.evaluate_with(&document, limits).unwrap_err();
/// assert!(error.is_limit());
/// assert_eq!(error.to_string(), "the evaluation takes too long: more than 4 steps");
/// # Ok::<(), asl_path::ParseError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct EvaluationLimits {
    /// Nodes looked at, terms of filters, and pieces of text read.
    pub max_steps: u64,
    /// Total bytes of selected and copied data.
    pub max_memory: usize,
}

crate::with_methods! {
    impl EvaluationLimits {
        with_max_steps(max_steps: u64),
        with_max_memory(max_memory: usize),
    }
}

impl Default for EvaluationLimits {
    fn default() -> Self {
        Self {
            max_steps: 20_000_000,
            max_memory: 256 << 20,
        }
    }
}
