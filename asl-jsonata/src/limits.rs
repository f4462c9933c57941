//! Bounds of an evaluation.

/// Limits of an evaluation. They are counted, not timed, so that an evaluation always ends in the same way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Number of steps: one for each evaluated node, and one for each item or 64 bytes of text.
    pub max_steps: u64,
    /// Maximum nesting of the evaluation, counted as the reference's nested calls of `evaluate`; a call in tail position
    /// does not nest. By default 5,000, and 200 in WebAssembly.
    pub max_depth: usize,
    /// Maximum nesting of values that an evaluation walks through. By default 5,000, and 200 in WebAssembly.
    pub max_data_depth: usize,
    /// Bytes of memory that values made on the way may take.
    pub max_memory: usize,
    /// Items of one array that is made.
    pub max_array_items: usize,
    /// Items that one call of `$range` makes.
    pub max_range_items: usize,
    /// Characters, as UTF-16 counts them, of one text that is made.
    pub max_text_characters: usize,
}

impl Limits {
    /// Creates the limits of an expression in a state, as measured on the service: a nesting of at most 100, a created array
    /// of at most 873,782 items, an array of `$range` of at most 360,145 items, and a text of less than 2^23 characters. The
    /// service's time limit is unknown; its memory limit is the default here, which counts all created data.
    ///
    /// ```
    /// use asl_jsonata::{Environment, Expression, Limits};
    /// let mut environment = Environment::from_input(&serde_json::Value::Null).with_limits(Limits::states_language());
    /// let sum = |terms: usize| Expression::parse(&vec!["1"; terms].join(" + "));
    /// assert!(sum(100)?.evaluate(&mut environment).is_ok());
    /// assert!(sum(101)?.evaluate(&mut environment).is_err());
    /// # Ok::<(), asl_jsonata::ParseError>(())
    /// ```
    pub fn states_language() -> Self {
        Self {
            max_depth: 100,
            max_array_items: 873_782,
            max_range_items: 360_145,
            max_text_characters: (1 << 23) - 1,
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

asl_path::with_methods! {
    impl Limits {
        with_max_steps(max_steps: u64),
        with_max_depth(max_depth: usize),
        with_max_data_depth(max_data_depth: usize),
        with_max_memory(max_memory: usize),
        with_max_array_items(max_array_items: usize),
        with_max_range_items(max_range_items: usize),
        with_max_text_characters(max_text_characters: usize),
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_steps: 20_000_000,
            max_depth: DEFAULT_DEPTH,
            max_data_depth: DEFAULT_DEPTH,
            max_memory: 256 << 20,
            max_array_items: usize::MAX,
            max_range_items: usize::MAX,
            max_text_characters: usize::MAX,
        }
    }
}
