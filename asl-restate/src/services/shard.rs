//! A shard: runs children of one execution, and reports their ends to it.
use super::names::EXECUTION;
use crate::messages::{
    ChildBeginning, ChildEnding, Command, CommandReply, ExecutionOutcome, ShardBeginning,
    ShardOrder, ShardReport, message_bytes, order_signal, report_signal,
};
use crate::shards::Reports;
use asl_engine::{EffectId, ErrorOutput, Timestamp};
use restate_sdk::context::{
    ContextSignals as _, DurableFuture, DurableFuturesUnordered, RequestTarget,
};
use restate_sdk::prelude::*;
use std::collections::BTreeMap;
use std::pin::Pin;

pub(super) struct ShardService;

#[restate_sdk::service(name = "AslShard")]
impl ShardService {
    /// Runs children until the last order.
    #[handler]
    async fn run(&self, ctx: Context<'_>, beginning: Json<ShardBeginning>) -> HandlerResult<()> {
        let beginning = beginning.into_inner();
        let mut shard = Shard {
            ctx: &ctx,
            parent: beginning.parent,
            number: beginning.shard,
            reported: 0,
            heard: 0,
            running: BTreeMap::new(),
            reports: Reports::default(),
            waiting: DurableFuturesUnordered::new(),
        };
        shard.listen();
        let mut is_last = shard.obey(beginning.order);
        while !is_last {
            match shard.waiting.next().await? {
                Some((_, ShardEvent::Ordered(order))) => {
                    shard.listen();
                    is_last = shard.obey(order?.into_inner());
                }
                Some((_, ShardEvent::Ended(id, ended))) => shard.ended(id, ended),
                // The next order is always waited for.
                None => break,
            }
            shard.report();
        }
        Ok(())
    }
}

enum ShardEvent {
    Ordered(Result<Json<ShardOrder>, TerminalError>),
    Ended(EffectId, Result<Json<ExecutionOutcome>, TerminalError>),
}

struct Shard<'h, 'ctx> {
    ctx: &'h Context<'ctx>,
    parent: String,
    number: u64,
    /// Reports and orders so far.
    reported: u64,
    heard: u64,
    /// The workflows of the children that run.
    running: BTreeMap<EffectId, String>,
    reports: Reports<ChildEnding>,
    waiting:
        DurableFuturesUnordered<Pin<Box<dyn DurableFuture<Output = ShardEvent> + Send + 'ctx>>>,
}

impl Shard<'_, '_> {
    fn listen(&mut self) {
        let order = self
            .ctx
            .signal::<Json<ShardOrder>>(&order_signal(self.heard));
        self.heard += 1;
        self.waiting.push(Box::pin(order.map(ShardEvent::Ordered)));
    }

    /// Follows an order; returns true if it was the last one.
    fn obey(&mut self, order: ShardOrder) -> bool {
        if order.was_heard {
            self.reports.acknowledge();
        }
        for id in order.stop {
            self.stop(id, order.at);
        }
        for child in order.start {
            self.start(child);
        }
        if order.is_last {
            for id in self.running.keys().copied().collect::<Vec<_>>() {
                self.stop(id, order.at);
            }
        }
        order.is_last
    }

    fn start(&mut self, child: ChildBeginning) {
        let id = child.id;
        self.running.insert(id, child.key.clone());
        let target = RequestTarget::workflow(EXECUTION, child.key, "run");
        let call = self
            .ctx
            .request::<_, Json<ExecutionOutcome>>(target, Json(*child.beginning));
        let came = call.call().map(move |ended| ShardEvent::Ended(id, ended));
        self.waiting.push(Box::pin(came));
    }

    fn stop(&mut self, id: EffectId, at: Timestamp) {
        let Some(key) = self.running.get(&id) else {
            return;
        };
        let stop = Command {
            at,
            what: CommandReply::Stop(ErrorOutput::default()),
        };
        let target = RequestTarget::workflow(EXECUTION, key, "stop_child");
        self.ctx.request::<_, ()>(target, Json(stop)).send();
    }

    fn ended(&mut self, id: EffectId, ended: Result<Json<ExecutionOutcome>, TerminalError>) {
        self.running.remove(&id);
        let ending = match ended {
            Ok(Json(ending)) => ending,
            Err(error) => ExecutionOutcome::lost(error.message()),
        };
        let child = ChildEnding { id, ending };
        let bytes = message_bytes(&child);
        self.reports.ended(child, bytes);
    }

    fn report(&mut self) {
        let Some(report) = self.reports.next() else {
            return;
        };
        let signal = report_signal(self.number, self.reported);
        self.reported += 1;
        let parent = self.ctx.invocation_handle(self.parent.clone());
        parent.signal(signal).resolve(Json::<ShardReport>(report));
    }
}
