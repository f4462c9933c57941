//! Bounds of an evaluation.

/// How much an evaluation may use. All are counted, not timed, so that an evaluation always ends the same way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Steps: one for each node evaluated and each item or 64 bytes of text touched.
    pub steps: u64,
    /// How deep evaluation may nest.
    pub depth: usize,
    /// Bytes of memory that values made on the way may take.
    pub memory: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            steps: 20_000_000,
            depth: 5_000,
            memory: 256 << 20,
        }
    }
}
