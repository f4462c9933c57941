//! Messages between an execution and the shards of its children.
use super::{ExecutionOutcome, ExecutionStart};
use asl_engine::{EffectId, Timestamp};
use serde::{Deserialize, Serialize};

/// The start of a shard.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct ShardBeginning {
    /// The invocation of the execution that its reports go to.
    pub(crate) parent: String,
    /// Number of the shard.
    pub(crate) shard: u64,
    pub(crate) order: ShardOrder,
}

/// An order to a shard.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct ShardOrder {
    pub(crate) start: Vec<ChildBeginning>,
    pub(crate) stop: Vec<EffectId>,
    /// Time of the order.
    pub(crate) at: Timestamp,
    /// True if the last report was heard, so that the next may come.
    pub(crate) was_heard: bool,
    /// True if there is nothing to do after this: what still runs is to be stopped.
    pub(crate) is_last: bool,
}

/// A child that a shard is to run.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct ChildBeginning {
    pub(crate) id: EffectId,
    /// The key of its workflow.
    pub(crate) key: String,
    pub(crate) beginning: Box<ExecutionStart>,
}

/// A child that ended.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct ChildEnding {
    pub(crate) id: EffectId,
    pub(crate) ending: ExecutionOutcome,
}

/// Children that ended, in that order.
pub(crate) type ShardReport = Vec<ChildEnding>;

/// Returns the name of the signal with a shard's report, as its execution hears it.
pub(crate) fn report_signal(shard: u64, number: u64) -> String {
    format!("shard-{shard}-report-{number}")
}

/// Returns the name of the signal with an order, as the shard hears it.
pub(crate) fn order_signal(number: u64) -> String {
    format!("order-{number}")
}
