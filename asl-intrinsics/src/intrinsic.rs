//! A parsed call together with its text.
use crate::ast;
use crate::{
    Call, EvaluationError, EvaluationLimits, Misuse, ParseError, ParseLimits, RandomSource,
    evaluate, parser,
};
use asl_path::{Path, PatternBudget, Roots};
use serde_json::Value;
use std::cell::Cell;
use std::fmt;

/// A parsed call, `States.Format('{}', $.a)`.
///
/// `Display` prints the text it was parsed from; that of [`Intrinsic::call`] prints it canonically.
#[derive(Debug, Clone, PartialEq)]
pub struct Intrinsic {
    source: String,
    call: Call,
    misuses: Vec<Misuse>,
}

impl Intrinsic {
    /// Parses. Arguments that do not suit their function are no error but [`Self::misuses`].
    ///
    /// # Errors
    /// The first fault: a syntax error, an unknown function, a malformed path, or calls nested deeper than
    /// [`ParseLimits`] allows.
    ///
    /// ```
    /// use asl_intrinsics::Intrinsic;
    /// let error = Intrinsic::parse("States.Formt('{}', $.a)").unwrap_err();
    /// assert_eq!(error.message(), "unknown function 'States.Formt'; did you mean 'States.Format'?");
    /// ```
    pub fn parse(source: &str) -> Result<Self, ParseError> {
        Self::parse_with(source, ParseLimits::default())
    }

    /// Parses within other limits.
    ///
    /// # Errors
    /// As [`Intrinsic::parse`].
    pub fn parse_with(source: &str, limits: ParseLimits) -> Result<Self, ParseError> {
        Self::parse_within(source, limits, &PatternBudget::default())
    }

    /// Parses one of several texts, such as those of a definition, whose paths share a budget for their regular expressions.
    ///
    /// # Errors
    /// As [`Intrinsic::parse`], and where the budget is used up.
    pub fn parse_within(
        source: &str,
        limits: ParseLimits,
        patterns: &PatternBudget,
    ) -> Result<Self, ParseError> {
        let (call, misuses) = parser::parse(source, limits, patterns)?;
        Ok(Self {
            source: source.to_owned(),
            call,
            misuses,
        })
    }

    /// Returns the reasons why every evaluation fails: a number of arguments, a literal or a template that the function does
    /// not accept. The service accepts a definition with such a call, and the specification does not.
    ///
    /// ```
    /// use asl_intrinsics::Intrinsic;
    /// let call = Intrinsic::parse("States.MathAdd(1)")?;
    /// assert_eq!(call.misuses()[0].message(), "States.MathAdd(number, number) takes 2 arguments, found 1");
    /// # Ok::<(), asl_intrinsics::ParseError>(())
    /// ```
    pub fn misuses(&self) -> &[Misuse] {
        &self.misuses
    }

    /// Returns a fault for each call of `States.Format` whose template has another number of `{}` than values follow.
    ///
    /// ```
    /// use asl_intrinsics::Intrinsic;
    /// let call = Intrinsic::parse("States.Format('{} {}', $.a)")?;
    /// assert_eq!(call.format_faults(), ["the template has 2 {}, but 1 value follows it"]);
    /// # Ok::<(), asl_intrinsics::ParseError>(())
    /// ```
    pub fn format_faults(&self) -> Vec<String> {
        let misfilled = self.call.misfilled_templates().into_iter();
        misfilled
            .map(|(places, values)| ast::misfilled(places, values))
            .collect()
    }

    /// Returns the text that it was parsed from.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns the parsed call.
    pub fn call(&self) -> &Call {
        &self.call
    }

    /// Returns the paths it reads, those of nested calls included, in the order written.
    ///
    /// ```
    /// use asl_intrinsics::Intrinsic;
    /// let call = Intrinsic::parse("States.Format($.t, States.Array($$.Execution.Id))").unwrap();
    /// let paths: Vec<&str> = call.paths().map(|path| path.source()).collect();
    /// assert_eq!(paths, ["$.t", "$$.Execution.Id"]);
    /// ```
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.call.paths()
    }

    /// Returns the nesting depth of calls: 1 without nested calls.
    pub fn depth(&self) -> usize {
        self.call.depth()
    }

    /// Returns the value where no evaluation is needed for it: the sum of two whole numbers that are written out or found by
    /// paths of fields and single indexes. It takes no steps, and one value is made.
    ///
    /// ```
    /// use asl_intrinsics::Intrinsic;
    /// use serde_json::{Value, json};
    /// # struct Input(Value);
    /// # impl asl_path::Roots for Input {
    /// #     fn input(&self) -> &Value { &self.0 }
    /// #     fn context(&self) -> &Value { &self.0 }
    /// # }
    /// let roots = Input(json!({"i": 41}));
    /// assert_eq!(Intrinsic::parse("States.MathAdd($.i, 1)")?.plain_value(&roots), Some(json!(42)));
    /// assert_eq!(Intrinsic::parse("States.MathAdd($.i, 1.5)")?.plain_value(&roots), None);
    /// # Ok::<(), asl_intrinsics::ParseError>(())
    /// ```
    #[inline]
    pub fn plain_value(&self, roots: &impl Roots) -> Option<Value> {
        evaluate::plain_sum(&self.call, roots).map(Value::from)
    }

    /// Evaluates the function call.
    ///
    /// # Errors
    /// Returns an error if a path has no value, or the arguments do not suit the function.
    pub fn evaluate(
        &self,
        roots: &dyn Roots,
        random: &mut dyn RandomSource,
    ) -> Result<Value, EvaluationError> {
        self.evaluate_with(roots, random, &EvaluationLimits::default())
    }

    /// Calls the function with other limits.
    ///
    /// # Errors
    /// As [`Intrinsic::evaluate`].
    pub fn evaluate_with(
        &self,
        roots: &dyn Roots,
        random: &mut dyn RandomSource,
        limits: &EvaluationLimits,
    ) -> Result<Value, EvaluationError> {
        self.evaluate_counting(roots, random, limits, &Cell::new(0))
            .map(|(value, _)| value)
    }

    /// Calls the function with other limits. Returns the value with the number of bytes that were created, as
    /// [`EvaluationLimits::max_memory`] counts them. Adds the steps of its paths to `steps`, also if the call fails.
    ///
    /// # Errors
    /// As [`Intrinsic::evaluate`].
    ///
    /// ```
    /// use asl_intrinsics::{EvaluationLimits, Intrinsic, random::SplitMix64};
    /// use serde_json::{Value, json};
    /// use std::cell::Cell;
    ///
    /// # struct Nothing(Value);
    /// # impl asl_path::Roots for Nothing {
    /// #     fn input(&self) -> &Value { &self.0 }
    /// #     fn context(&self) -> &Value { &self.0 }
    /// # }
    /// let (roots, mut random) = (Nothing(Value::Null), SplitMix64::new(1));
    /// let call = Intrinsic::parse("States.Array('ab', 1)")?;
    /// let (value, bytes) = call.evaluate_counting(&roots, &mut random, &EvaluationLimits::default(), &Cell::new(0))?;
    /// assert_eq!((value, bytes), (json!(["ab", 1]), 3 * 80 + 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn evaluate_counting(
        &self,
        roots: &dyn Roots,
        random: &mut dyn RandomSource,
        limits: &EvaluationLimits,
        steps: &Cell<u64>,
    ) -> Result<(Value, usize), EvaluationError> {
        let has_misuses = !self.misuses.is_empty();
        evaluate::evaluate(&self.call, has_misuses, roots, random, limits, steps)
            .map_err(|failure| failure.into_error(&self.source, self.call.function))
    }
}

impl fmt::Display for Intrinsic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.source)
    }
}
