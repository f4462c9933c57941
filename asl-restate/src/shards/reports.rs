//! Reports of a shard about its children.
use super::ShardLimits;
use std::collections::VecDeque;

/// Children that ended, and were not reported yet.
#[derive(Debug)]
pub(crate) struct Reports<E> {
    ended: VecDeque<(E, usize)>,
    message_bytes: usize,
    may_report: bool,
}

impl<E> Default for Reports<E> {
    fn default() -> Self {
        Self::new(&ShardLimits::default())
    }
}

impl<E> Reports<E> {
    pub(crate) fn new(limits: &ShardLimits) -> Self {
        Self {
            ended: VecDeque::new(),
            message_bytes: limits.message_bytes,
            may_report: true,
        }
    }

    /// A child has ended; that takes so many bytes of a message.
    pub(crate) fn ended(&mut self, end: E, bytes: usize) {
        self.ended.push_back((end, bytes));
    }

    /// The last report was heard.
    pub(crate) fn acknowledge(&mut self) {
        self.may_report = true;
    }

    /// Returns the next report, if there is one, and it may be said.
    pub(crate) fn next(&mut self) -> Option<Vec<E>> {
        if !self.may_report || self.ended.is_empty() {
            return None;
        }
        self.may_report = false;
        let mut report = Vec::new();
        let mut bytes = 0;
        while let Some((end, weight)) = self.ended.pop_front() {
            bytes += weight;
            report.push(end);
            let next = self.ended.front().map_or(0, |(_, weight)| *weight);
            if bytes + next > self.message_bytes {
                break;
            }
        }
        Some(report)
    }
}
