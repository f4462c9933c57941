//! Bounds of an evaluation.

/// How much an evaluation may use. All are counted, not timed, so that an evaluation always ends the same way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Steps: one for each node evaluated and each item or 64 bytes of text touched.
    pub steps: u64,
    /// How deep evaluation may nest, counted as the reference's nested calls of `evaluate`; a call in tail position nests no deeper.
    pub depth: usize,
    /// How deep the values that an evaluation walks through may nest.
    pub data_depth: usize,
    /// Bytes of memory that values made on the way may take.
    pub memory: usize,
    /// Items of one array that is made.
    pub array: usize,
    /// Items that one call of `$range` makes.
    pub range: usize,
    /// Characters, as UTF-16 counts them, of one text that is made.
    pub text: usize,
}

impl Limits {
    /// The bounds of an expression in a state, as measured on the service: evaluation nests at most 100 deep, an array that it makes has at most 873,782 items, one of `$range` 360,145, and
    /// a text less than 2^23 characters. The service's bound of time is not known; that of all memory is the default here, which counts what is ever made.
    ///
    /// ```
    /// use asl_jsonata::{Environment, Expression, Limits};
    /// let mut environment = Environment { limits: Limits::states_language(), ..Environment::from_input(&serde_json::Value::Null) };
    /// let sum = |terms: usize| Expression::parse(&vec!["1"; terms].join(" + "));
    /// assert!(sum(100)?.evaluate(&mut environment).is_ok());
    /// assert!(sum(101)?.evaluate(&mut environment).is_err());
    /// # Ok::<(), asl_jsonata::ParseError>(())
    /// ```
    pub fn states_language() -> Self {
        Self {
            depth: 100,
            array: 873_782,
            range: 360_145,
            text: (1 << 23) - 1,
            ..Self::default()
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            steps: 20_000_000,
            depth: 5_000,
            data_depth: 5_000,
            memory: 256 << 20,
            array: usize::MAX,
            range: usize::MAX,
            text: usize::MAX,
        }
    }
}
