//! A Map Run: which children are to start, run, and ended how.
use super::items::MapItem;
use super::machine::Machine;
use super::map::MapRequest;
use super::output::ChildItem;
use super::{ChildExecution, EffectId, Start};
use crate::distributed::{Batch, ChildResult};
use crate::program::MapState;
use crate::{Identity, Outcome};
use asl_intrinsics::RandomSource;
use asl_model::{ExecutionType, StateMachineType, Timestamp};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The service runs no more children of one Map Run at a time.
const MAX_CONCURRENCY: u64 = 10_000;

/// What the children get.
#[derive(Debug, serde::Serialize, serde::Deserialize)]
pub(super) enum ChildInputs {
    /// One item each, made when the child starts.
    Items,
    /// One batch each.
    Batches(Vec<Batch>),
}

/// The children of a Map Run.
#[derive(Debug, serde::Serialize, serde::Deserialize)]
pub(super) struct MapRun {
    inputs: ChildInputs,
    /// How many children there are to be.
    length: u32,
    max_concurrency: u64,
    next: u32,
    /// Under way: which child is which effect. As pairs, since JSON has no maps with such keys.
    #[serde(with = "super::timers::pairs")]
    running: BTreeMap<EffectId, u32>,
    /// By child, from the first.
    results: Vec<ChildResult>,
    failed_items: u64,
}

impl MapRun {
    pub(super) fn new(inputs: ChildInputs, request: &MapRequest) -> Self {
        let length = match &inputs {
            ChildInputs::Items => request.items.length,
            ChildInputs::Batches(batches) => u32::try_from(batches.len()).unwrap_or(u32::MAX),
        };
        let max_concurrency = match request.max_concurrency {
            0 => MAX_CONCURRENCY,
            limit => limit.min(MAX_CONCURRENCY),
        };
        Self {
            inputs,
            length,
            max_concurrency,
            next: 0,
            running: BTreeMap::new(),
            results: Vec::new(),
            failed_items: 0,
        }
    }

    /// The next child, where there is one and room for it.
    pub(super) fn next_to_start(&self) -> Option<u32> {
        (self.next < self.length && (self.running.len() as u64) < self.max_concurrency)
            .then_some(self.next)
    }

    pub(super) fn is_finished(&self) -> bool {
        self.next >= self.length && self.running.is_empty()
    }

    /// Takes the input of a child that gets a batch.
    pub(super) fn batch(&mut self, index: u32) -> Option<Value> {
        match &mut self.inputs {
            ChildInputs::Items => None,
            ChildInputs::Batches(batches) => batches
                .get_mut(index as usize)
                .map(|batch| std::mem::take(&mut batch.input)),
        }
    }

    /// The item that a child is about.
    pub(super) fn item_of_child(&self, request: &MapRequest, index: u32) -> MapItem {
        match &self.inputs {
            ChildInputs::Items => request.items.item(index),
            ChildInputs::Batches(_) => MapItem::of_batch(u64::from(index)),
        }
    }

    pub(super) fn started(&mut self, effect: EffectId, index: u32, start: &Start) {
        self.next = index.saturating_add(1);
        self.running.insert(effect, index);
        self.results.push(ChildResult {
            identity: Arc::clone(&start.identity),
            input: Arc::clone(&start.input),
            outcome: None,
            started: Some(start.now),
            stopped: None,
        });
    }

    pub(super) fn ended(&mut self, effect: EffectId, outcome: Outcome, now: Timestamp) {
        let Some(index) = self.running.remove(&effect) else {
            return;
        };
        if !matches!(outcome, Outcome::Succeeded(_)) {
            self.failed_items += match &self.inputs {
                ChildInputs::Items => 1,
                ChildInputs::Batches(batches) => batches
                    .get(index as usize)
                    .map_or(1, |batch| batch.item_count),
            };
        }
        if let Some(result) = self.results.get_mut(index as usize) {
            result.outcome = Some(outcome);
            result.stopped = Some(now);
        }
    }

    pub(super) fn failed_items(&self) -> u64 {
        self.failed_items
    }

    pub(super) fn running(&self) -> Vec<EffectId> {
        self.running.keys().copied().collect()
    }

    /// The outputs of the children that succeeded, in the order of their items.
    pub(super) fn into_outputs(self) -> Value {
        let outputs = self
            .results
            .into_iter()
            .filter_map(|result| match result.outcome {
                Some(Outcome::Succeeded(output)) => Some(Arc::unwrap_or_clone(output)),
                _ => None,
            });
        Value::Array(outputs.collect())
    }

    pub(super) fn into_results(self) -> Vec<ChildResult> {
        self.results
    }
}

impl Machine {
    /// An execution of its own, named after the Map Run.
    pub(super) fn child_execution(
        &mut self,
        effect: EffectId,
        map: &MapState,
        map_run_arn: &str,
        item: MapItem,
        input: Arc<Value>,
    ) -> ChildExecution {
        let parent = &self.start;
        let name = self.random.uuid();
        let run = map_run_arn
            .rsplit_once(':')
            .map_or(map_run_arn, |(run, _)| run);
        let identity = Identity {
            execution_arn: format!("{}:{name}", run.replacen(":mapRun:", ":execution:", 1)),
            execution_name: name,
            ..(*parent.identity).clone()
        };
        let state_machine_type = match map.execution_type {
            Some(ExecutionType::Express) => StateMachineType::Express,
            Some(ExecutionType::Standard) | None => StateMachineType::Standard,
        };
        let start = Start {
            input,
            now: self.now,
            identity: Arc::new(identity),
            seed: self.random.next_u64(),
            state_machine_type,
            ..parent.clone()
        };
        ChildExecution {
            id: effect,
            item: ChildItem {
                scope: map.scope,
                item,
            },
            start,
        }
    }
}
