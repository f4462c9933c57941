//! Assignment of children to shards, and the orders to each shard.
use super::ShardLimits;
use asl_engine::EffectId;
use std::collections::{BTreeMap, BTreeSet};

/// The shards of an execution.
#[derive(Debug)]
pub(crate) struct Shards<C> {
    limits: ShardLimits,
    /// Children that no shard has yet, with their bytes. Their ids are in the order in which they were requested.
    unassigned: BTreeMap<EffectId, (C, usize)>,
    assigned: BTreeMap<EffectId, u64>,
    open: BTreeMap<u64, Shard>,
    opened: u64,
}

/// A shard, as the execution knows it.
#[derive(Debug, Default)]
struct Shard {
    running: BTreeSet<EffectId>,
    /// So far.
    children: usize,
    bytes: usize,
    /// Children to stop.
    stop: Vec<EffectId>,
    has_reported: bool,
}

/// An order to a shard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Order<C> {
    pub(crate) shard: u64,
    /// True if it is its first, which opens it.
    pub(crate) opens: bool,
    pub(crate) start: Vec<C>,
    pub(crate) stop: Vec<EffectId>,
    /// True if its report was heard, so that the next may come.
    pub(crate) was_heard: bool,
    /// True for the last order: remaining children are stopped.
    pub(crate) is_last: bool,
}

impl<C> Order<C> {
    fn new(shard: u64) -> Self {
        Self {
            shard,
            opens: false,
            start: Vec::new(),
            stop: Vec::new(),
            was_heard: false,
            is_last: false,
        }
    }
}

impl<C> Default for Shards<C> {
    fn default() -> Self {
        Self::new(ShardLimits::default())
    }
}

impl<C> Shards<C> {
    pub(crate) fn new(limits: ShardLimits) -> Self {
        Self {
            limits,
            unassigned: BTreeMap::new(),
            assigned: BTreeMap::new(),
            open: BTreeMap::new(),
            opened: 0,
        }
    }

    /// A child is to run; it takes so many bytes of a message.
    pub(crate) fn add_child(&mut self, id: EffectId, child: C, bytes: usize) {
        self.unassigned.insert(id, (child, bytes));
    }

    /// A child is not waited for any more.
    pub(crate) fn stop(&mut self, id: EffectId) {
        if self.unassigned.remove(&id).is_some() {
            return;
        }
        let shard = self.assigned.remove(&id);
        if let Some(shard) = shard.and_then(|shard| self.open.get_mut(&shard)) {
            shard.stop.push(id);
        }
    }

    /// A shard has reported the end of these children, in so many bytes.
    pub(crate) fn reported(&mut self, shard: u64, ids: &[EffectId], bytes: usize) {
        for id in ids {
            self.assigned.remove(id);
        }
        if let Some(shard) = self.open.get_mut(&shard) {
            shard.has_reported = true;
            shard.bytes += bytes;
            for id in ids {
                shard.running.remove(id);
            }
        }
    }

    /// Handles a lost shard, and returns its children that are still needed.
    pub(crate) fn remove_shard(&mut self, shard: u64) -> Vec<EffectId> {
        let lost = self.open.remove(&shard).unwrap_or_default().running;
        let is_awaited = |id: &EffectId| self.assigned.remove(id).is_some();
        lost.into_iter().filter(is_awaited).collect()
    }

    /// Returns the pending orders.
    pub(crate) fn orders(&mut self) -> Vec<Order<C>> {
        let mut orders = Vec::new();
        let mut numbers: Vec<u64> = self.open.keys().copied().collect();
        numbers.reverse();
        while let Some(number) = numbers.pop() {
            self.order(number, false, &mut orders);
        }
        while !self.unassigned.is_empty() {
            let number = self.opened;
            self.opened += 1;
            self.open.insert(number, Shard::default());
            self.order(number, true, &mut orders);
        }
        orders
    }

    /// Stops all shards with their children.
    pub(crate) fn stop_all(&mut self) -> Vec<Order<C>> {
        self.unassigned.clear();
        self.assigned.clear();
        let open = std::mem::take(&mut self.open);
        let last = |shard| Order {
            is_last: true,
            ..Order::new(shard)
        };
        open.into_keys().map(last).collect()
    }

    /// Adds the order to one shard: as many children as its limits allow, in messages that are not too large.
    fn order(&mut self, number: u64, mut opens: bool, orders: &mut Vec<Order<C>>) {
        let Some(shard) = self.open.get_mut(&number) else {
            return;
        };
        loop {
            let mut order = Order {
                opens: std::mem::take(&mut opens),
                stop: std::mem::take(&mut shard.stop),
                was_heard: std::mem::take(&mut shard.has_reported),
                ..Order::new(number)
            };
            let mut bytes = 0;
            while shard.has_room(&self.limits) {
                let Some(next) = self.unassigned.first_entry() else {
                    break;
                };
                bytes += next.get().1;
                if bytes > self.limits.message_bytes && !order.start.is_empty() {
                    break;
                }
                let (id, (child, weight)) = next.remove_entry();
                shard.take(id, weight);
                self.assigned.insert(id, number);
                order.start.push(child);
            }
            order.is_last = shard.running.is_empty();
            let is_last = order.is_last;
            if order.has_content() {
                orders.push(order);
            }
            if is_last {
                self.open.remove(&number);
                return;
            }
            if self.unassigned.is_empty() || !shard.has_room(&self.limits) {
                return;
            }
        }
    }
}

impl Shard {
    fn has_room(&self, limits: &ShardLimits) -> bool {
        self.running.len() < limits.children_at_a_time
            && self.children < limits.children
            && (self.bytes < limits.bytes || self.children == 0)
    }

    fn take(&mut self, id: EffectId, bytes: usize) {
        self.running.insert(id);
        self.children += 1;
        self.bytes += bytes;
    }
}

impl<C> Order<C> {
    fn has_content(&self) -> bool {
        !self.start.is_empty() || !self.stop.is_empty() || self.was_heard || self.is_last
    }
}
