//! The regular expressions of several texts.
use super::{KEPT_CACHE, Pattern, Refusal, SIZE_LIMIT};
use crate::ParseError;
use crate::syntax::RegexLiteral;
use std::collections::HashMap;
use std::sync::Arc;

/// The regular expressions of expressions that are read together, such as those of a definition: equal ones are compiled once, and all
/// together take a bounded number of bytes, which is some hundreds of usual ones.
///
/// ```
/// use asl_jsonata::{Expression, Options, Patterns};
/// let (options, mut patterns) = (Options::default(), Patterns::default());
/// assert!(Expression::parse_among("$match($, /a+/)", &options, &mut patterns).is_ok());
/// let large = |n: usize| format!("$match($, /\\w{{{}}}/)", 1_000 + n);
/// let read = (0..1_000).map(|n| Expression::parse_among(&large(n), &options, &mut patterns));
/// assert!(read.filter(Result::is_ok).count() < 1_000);
/// ```
#[derive(Debug)]
pub struct Patterns {
    compiled: HashMap<RegexLiteral, Arc<Pattern>>,
    /// Bytes that further ones may take.
    left: usize,
}

/// Bytes of all, compiled and with what matching keeps of each.
const LIMIT: usize = 32 << 20;

impl Default for Patterns {
    fn default() -> Self {
        Self {
            compiled: HashMap::new(),
            left: LIMIT,
        }
    }
}

impl Patterns {
    /// Returns the compiled form of a literal.
    ///
    /// # Errors
    ///
    /// As [`Pattern::compile`], and where all together become too large. The position is 0.
    pub(crate) fn compiled(&mut self, literal: &RegexLiteral) -> Result<Arc<Pattern>, ParseError> {
        if let Some(pattern) = self.compiled.get(literal) {
            return Ok(Arc::clone(pattern));
        }
        self.charge(KEPT_CACHE)?;
        let pattern = Pattern::compile(literal).map_err(|refusal| {
            if matches!(refusal, Refusal::TooLarge) {
                // Finding that out took its time too.
                self.left = self.left.saturating_sub(SIZE_LIMIT);
            }
            refusal.into_error(literal)
        })?;
        self.charge(pattern.size())?;
        let pattern = Arc::new(pattern);
        self.compiled.insert(literal.clone(), Arc::clone(&pattern));
        Ok(pattern)
    }

    fn charge(&mut self, bytes: usize) -> Result<(), ParseError> {
        let left = self.left.checked_sub(bytes);
        self.left = left.unwrap_or_default();
        left.map(drop).ok_or_else(|| ParseError {
            code: "S0303",
            message: format!(
                "The regular expressions are too large: together they take more than {LIMIT} bytes"
            ),
            position: 0,
        })
    }
}
