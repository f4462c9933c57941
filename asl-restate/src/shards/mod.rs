//! Children of Map Runs, by the shards that run them: no invocation waits for more than a few hundred of them.
//!
//! An execution opens as many shards as its children need, and gives them orders at any time: children to run, children to
//! stop. A shard reports those that ended, and reports the next once it knows that its report was heard: what ends meanwhile
//! goes with that, so that batches are as large as the load makes them.
mod orders;
mod reports;
#[cfg(test)]
mod tests;

pub(crate) use orders::{Order, Shards};
pub(crate) use reports::Reports;

/// Limits of a shard.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ShardLimits {
    /// Children at a time.
    pub(crate) children_at_a_time: usize,
    /// Children in all, after which it gets no more: its journal must stay small.
    pub(crate) children: usize,
    /// Bytes of messages in all, in the same way.
    pub(crate) bytes: usize,
    /// Bytes of one message, unless one child takes more.
    pub(crate) message_bytes: usize,
}

impl Default for ShardLimits {
    fn default() -> Self {
        Self {
            children_at_a_time: 256,
            children: 4_096,
            bytes: 64 << 20,
            message_bytes: 8 << 20,
        }
    }
}
