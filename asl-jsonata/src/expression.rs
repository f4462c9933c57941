//! Compiled expressions.
use crate::evaluate::{self, Part};
use crate::functions::Builtin;
use crate::syntax::{self, Symbols, Syntax};
use crate::{Environment, EvaluationError, ParseError, Patterns, Plan, References, plan};
use serde_json::Value;
use std::fmt;
use std::sync::Arc;

/// The set of functions of an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(
    clippy::exhaustive_enums,
    reason = "readers of the language handle each"
)]
pub enum Dialect {
    /// JSONata 2.0.6 alone.
    #[default]
    Jsonata,
    /// JSONata in the States Language: with `$partition`, `$range`, `$hash`, `$random(seed)`, `$uuid` and `$parse` of the
    /// service, and without `$eval`.
    StatesLanguage,
}

impl Dialect {
    /// Returns the names of the functions that there are, without `$`, in order: for an editor that completes them.
    ///
    /// ```
    /// use asl_jsonata::Dialect;
    ///
    /// assert!(Dialect::StatesLanguage.functions().any(|name| name == "partition"));
    /// assert!(Dialect::Jsonata.functions().all(|name| name != "partition"));
    /// ```
    pub fn functions(self) -> impl Iterator<Item = &'static str> {
        Builtin::names(self)
    }
}

/// Options for parsing an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// The set of functions.
    pub dialect: Dialect,
    /// Maximum nesting of an expression, at most 1,000. Operators in a row do not nest.
    pub max_nesting: usize,
}

asl_path::with_methods! {
    impl Options {
        with_dialect(dialect: Dialect),
        with_max_nesting(max_nesting: usize),
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            dialect: Dialect::Jsonata,
            max_nesting: 200,
        }
    }
}

/// An expression, parsed once and evaluated many times. Cheap to clone.
#[derive(Clone)]
pub struct Expression(Arc<CompiledExpression>);

struct CompiledExpression {
    source: Box<str>,
    dialect: Dialect,
    syntax: Syntax,
    references: References,
    plan: Plan,
}

impl Expression {
    /// Reads plain JSONata.
    ///
    /// # Errors
    ///
    /// The text is no expression.
    pub fn parse(source: &str) -> Result<Self, ParseError> {
        Self::parse_with(source, &Options::default())
    }

    /// Reads an expression.
    ///
    /// # Errors
    ///
    /// The text is no expression, or nests deeper than allowed.
    pub fn parse_with(source: &str, options: &Options) -> Result<Self, ParseError> {
        Self::parse_among(source, options, &mut Patterns::default())
    }

    /// Parses one of several expressions that share their regular expressions and the budget for these.
    ///
    /// # Errors
    ///
    /// The text is not an expression, exceeds the nesting limit, or its regular expressions exceed the remaining budget.
    pub fn parse_among(
        source: &str,
        options: &Options,
        patterns: &mut Patterns,
    ) -> Result<Self, ParseError> {
        let symbols = Symbols::new(options.dialect);
        let syntax = Syntax::parse(source, options.max_nesting, symbols, patterns)?;
        Ok(Self(Arc::new(CompiledExpression {
            source: source.into(),
            dialect: options.dialect,
            references: syntax::references(&syntax),
            plan: plan::plan(&syntax, options.dialect),
            syntax,
        })))
    }

    /// The text that it was read from.
    pub fn source(&self) -> &str {
        &self.0.source
    }

    /// Returns the references of the expression.
    pub fn references(&self) -> &References {
        &self.0.references
    }

    /// Returns the plan, which shows whether a host can get the value without an evaluation.
    pub fn plan(&self) -> &Plan {
        &self.0.plan
    }

    /// Evaluates the expression; None if the result is undefined.
    ///
    /// # Errors
    ///
    /// The expression fails, reaches a limit, or returns a function.
    pub fn evaluate(
        &self,
        environment: &mut Environment<'_>,
    ) -> Result<Option<Value>, EvaluationError> {
        let (syntax, dialect) = self.parts();
        evaluate::run(syntax, Part::whole(&syntax.root), dialect, environment)
    }

    /// Returns its tree, and which functions that may call.
    pub(crate) fn parts(&self) -> (&Syntax, Dialect) {
        (&self.0.syntax, self.0.dialect)
    }
}

impl fmt::Debug for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Expression").field(&self.source()).finish()
    }
}

impl PartialEq for Expression {
    fn eq(&self, other: &Self) -> bool {
        self.source() == other.source() && self.0.dialect == other.0.dialect
    }
}
