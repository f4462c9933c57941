//! Bounds of an evaluation.

/// Limits of an evaluation. They are counted, not timed, so that an evaluation always ends in the same way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Number of steps: one for each evaluated node, and one for each item or 64 bytes of text.
    pub steps: u64,
    /// Maximum nesting of the evaluation, counted as the reference's nested calls of `evaluate`; a call in tail position
    /// does not nest. By default 5,000, and 200 in WebAssembly.
    pub depth: usize,
    /// Maximum nesting of values that an evaluation walks through. By default 5,000, and 200 in WebAssembly.
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
    /// Creates the limits of an expression in a state, as measured on the service: a nesting of at most 100, a created array
    /// of at most 873,782 items, an array of `$range` of at most 360,145 items, and a text of less than 2^23 characters. The
    /// service's time limit is unknown; its memory limit is the default here, which counts all created data.
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

/// The default nesting. A stack cannot grow in WebAssembly, and hosts give it about a megabyte.
const DEFAULT_DEPTH: usize = if cfg!(target_family = "wasm") {
    200
} else {
    5_000
};

impl Default for Limits {
    fn default() -> Self {
        Self {
            steps: 20_000_000,
            depth: DEFAULT_DEPTH,
            data_depth: DEFAULT_DEPTH,
            memory: 256 << 20,
            array: usize::MAX,
            range: usize::MAX,
            text: usize::MAX,
        }
    }
}
