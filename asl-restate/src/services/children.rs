//! The children of an execution, which shards run: what `shards` decides becomes calls and signals.
use super::durable::{DurableEvent, PendingFuture};
use super::names::SHARD;
use crate::messages::{
    ChildBeginning, ShardBeginning, ShardOrder, ShardReport, message_bytes, order_signal,
    report_signal,
};
use crate::shards::{Order, Shards};
use asl_engine::{EffectId, Timestamp};
use restate_sdk::context::{CallFuture as _, DurableFuture as _, DurableFuturesUnordered};
use restate_sdk::context::{ContextSignals as _, RequestTarget};
use restate_sdk::prelude::*;
use std::collections::BTreeMap;

/// The children of an execution, and the shards that run them.
#[derive(Default)]
pub(super) struct Children {
    shards: Shards<ChildBeginning>,
    open: BTreeMap<u64, OpenShard>,
}

/// A shard that can be spoken to.
struct OpenShard {
    invocation: String,
    /// Orders so far, but for the first, and reports so far.
    orders: u64,
    reports: u64,
}

impl Children {
    /// A child is to run.
    pub(super) fn add_child(&mut self, child: ChildBeginning) {
        let bytes = message_bytes(&child);
        self.shards.add_child(child.id, child, bytes);
    }

    /// A child is not waited for any more.
    pub(super) fn stop(&mut self, id: EffectId) {
        self.shards.stop(id);
    }

    /// A shard has reported the end of children.
    pub(super) fn reported(&mut self, shard: u64, report: &ShardReport) {
        let ids: Vec<EffectId> = report.iter().map(|child| child.id).collect();
        self.shards.reported(shard, &ids, message_bytes(report));
    }

    /// Handles a lost shard, and returns the children that no shard runs now.
    pub(super) fn remove_shard(&mut self, shard: u64) -> Vec<EffectId> {
        self.open.remove(&shard);
        self.shards.remove_shard(shard)
    }

    /// Sends their orders to the shards, and starts the shards that are needed.
    pub(super) async fn order<'ctx>(
        &mut self,
        ctx: &WorkflowContext<'ctx>,
        waiting: &mut DurableFuturesUnordered<PendingFuture<'ctx>>,
        at: Timestamp,
    ) -> Result<(), TerminalError> {
        for order in self.shards.orders() {
            let shard = order.shard;
            let was_heard = order.was_heard && !order.is_last;
            match order.opens {
                true => self.start_shard(ctx, waiting, order, at).await?,
                false => self.send_order(ctx, order, at),
            }
            if was_heard {
                self.listen(ctx, waiting, shard);
            }
        }
        Ok(())
    }

    /// Stops all shards with their children.
    pub(super) fn stop_all(&mut self, ctx: &WorkflowContext<'_>, at: Timestamp) {
        for order in self.shards.stop_all() {
            self.send_order(ctx, order, at);
        }
    }

    async fn start_shard<'ctx>(
        &mut self,
        ctx: &WorkflowContext<'ctx>,
        waiting: &mut DurableFuturesUnordered<PendingFuture<'ctx>>,
        order: Order<ChildBeginning>,
        at: Timestamp,
    ) -> Result<(), TerminalError> {
        let shard = order.shard;
        let beginning = ShardBeginning {
            parent: ctx.invocation_id().to_owned(),
            shard,
            order: message(order, at),
        };
        let target = RequestTarget::service(SHARD, "run");
        let call = ctx.request::<_, ()>(target, Json(beginning)).call();
        let invocation = call.invocation_handle().await?;
        let opened = OpenShard {
            invocation: invocation.invocation_id().to_owned(),
            orders: 0,
            reports: 0,
        };
        self.open.insert(shard, opened);
        waiting.push(Box::pin(
            call.map(move |ended| DurableEvent::ShardEnded(shard, ended)),
        ));
        self.listen(ctx, waiting, shard);
        Ok(())
    }

    fn send_order(
        &mut self,
        ctx: &WorkflowContext<'_>,
        order: Order<ChildBeginning>,
        at: Timestamp,
    ) {
        let Some(open) = self.open.get_mut(&order.shard) else {
            return;
        };
        let signal = order_signal(open.orders);
        open.orders += 1;
        let invocation = ctx.invocation_handle(open.invocation.clone());
        if order.is_last {
            self.open.remove(&order.shard);
        }
        invocation.signal(signal).resolve(Json(message(order, at)));
    }

    /// From now on the next report of a shard is heard.
    fn listen<'ctx>(
        &mut self,
        ctx: &WorkflowContext<'ctx>,
        waiting: &mut DurableFuturesUnordered<PendingFuture<'ctx>>,
        shard: u64,
    ) {
        let Some(open) = self.open.get_mut(&shard) else {
            return;
        };
        let report = ctx.signal::<Json<ShardReport>>(&report_signal(shard, open.reports));
        open.reports += 1;
        let came = report.map(move |report| DurableEvent::Reported(shard, report));
        waiting.push(Box::pin(came));
    }
}

fn message(order: Order<ChildBeginning>, at: Timestamp) -> ShardOrder {
    ShardOrder {
        start: order.start,
        stop: order.stop,
        at,
        was_heard: order.was_heard,
        is_last: order.is_last,
    }
}
