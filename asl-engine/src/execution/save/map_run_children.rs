//! The child executions of a Map Run.
use super::damage::{Damage, DamageContext as _, Read, ensure};
use super::error::SavedOutcome;
use super::map_run_source::{SavedKeptItem, SavedSource, kept_items};
use super::restoring::RestoreContext;
use super::stage_parts::StageParts;
use super::values::{JsonText, ValueIndex, ValueTable};
use crate::data::weigh;
use crate::distributed::{Batch, ChildResult};
use crate::execution::evaluate::MapRequest;
use crate::execution::machine::{ChildInputs, MapRun, MapRunCounts, RunningChild};
use crate::outcome::Outcome;
use asl_model::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

/// The child executions of a Map Run. What can be counted is not written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct SavedRun {
    /// None if each child gets one item.
    batches: Option<Vec<SavedBatch>>,
    /// Of all batches; core 1 wrote it into the input of each.
    #[serde(default)]
    batch_input: Option<JsonText>,
    again: Vec<u32>,
    running: Vec<SavedChild>,
    results: Vec<SavedChildResult>,
    /// Core 1 knew no such bound.
    #[serde(default)]
    grandchildren: Option<u64>,
    /// The rest of a dataset that is read while children run.
    #[serde(default)]
    source: Option<Box<SavedSource>>,
    #[serde(default)]
    kept: Vec<SavedKeptItem>,
}

/// A batch of items.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct SavedBatch {
    /// None once the child of it began.
    input: Option<JsonText>,
    item_count: u64,
}

/// A child that runs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct SavedChild {
    effect: u64,
    index: u32,
    #[serde(with = "crate::saved::word")]
    seed: u64,
}

/// A child that began.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct SavedChildResult {
    name: String,
    input: ValueIndex,
    outcome: Option<SavedOutcome>,
    started: Option<Timestamp>,
    stopped: Option<Timestamp>,
}

impl SavedRun {
    pub(super) fn new(run: &MapRun, table: &mut ValueTable) -> Self {
        let MapRun {
            inputs,
            length: _,
            next,
            again,
            running,
            results,
            failed_items: _,
            counts: _,
            grandchildren,
            source,
            kept,
            // Made of the children.
            running_weight: _,
        } = run;
        let running = running.iter().map(|(effect, child)| SavedChild {
            effect: effect.0,
            index: child.index,
            seed: child.seed,
        });
        let results = results
            .iter()
            .map(|result| SavedChildResult::new(result, table));
        Self {
            batches: saved_batches(inputs, *next as usize),
            batch_input: saved_batch_input(inputs),
            again: again.iter().copied().collect(),
            running: running.collect(),
            results: results.collect(),
            grandchildren: *grandchildren,
            source: source.as_deref().map(SavedSource::new).map(Box::new),
            kept: kept.iter().map(SavedKeptItem::new).collect(),
        }
    }

    /// `live`: whether answers to its effects are waited for.
    pub(super) fn run(self, parts: &mut StageParts<'_, '_>, live: bool) -> Read<MapRun> {
        let begun = self.results.len();
        let is_complete = self.source.is_none();
        let inputs = child_inputs((self.batches, self.batch_input), begun, is_complete, parts);
        let inputs = inputs.within("batches")?;
        let source = self
            .source
            .map(|source| source.source(&inputs, parts, live));
        let source = source.transpose().within("source")?.map(Box::new);
        let length = match &inputs {
            ChildInputs::Items => parts.request.items.window_end(),
            ChildInputs::Batches { batches, .. } => batches.len() as u32,
        };
        let expected = format_args!("at most {length}");
        ensure(begun <= length as usize, expected, begun).within("results")?;
        let results = self.results.into_iter().enumerate().map(|(index, result)| {
            let result = result.result(parts.arn, parts.save);
            result.within(format_args!("results[{index}]"))
        });
        let results: Vec<ChildResult> = results.collect::<Read<_>>()?;
        let again: BTreeSet<u32> = self.again.iter().copied().collect();
        let begun_children = (&*results, source.is_some());
        let running = running(self.running, begun_children, parts, live).within("running")?;
        check_under_way(&results, &again, &running)?;
        ensure(again.len() == self.again.len(), "each once", "one twice").within("again")?;
        let running_weight = running.values().map(|child| child.weight).sum();
        let mut run = MapRun {
            inputs,
            length,
            next: begun as u32,
            again: VecDeque::from(self.again),
            running,
            results,
            failed_items: 0,
            counts: MapRunCounts::default(),
            grandchildren: self.grandchildren,
            source,
            kept: kept_items(&self.kept).within("kept")?,
            running_weight,
        };
        count(&mut run, &again, parts.request);
        Ok(run)
    }
}

/// The inputs of batches are moved into their children.
fn saved_batches(inputs: &ChildInputs, begun: usize) -> Option<Vec<SavedBatch>> {
    let ChildInputs::Batches { batches, .. } = inputs else {
        return None;
    };
    let batches = batches.iter().enumerate();
    let saved = batches.map(|(index, Batch { items, item_count })| SavedBatch {
        input: (index >= begun).then(|| JsonText::new(items)),
        item_count: *item_count,
    });
    Some(saved.collect())
}

fn saved_batch_input(inputs: &ChildInputs) -> Option<JsonText> {
    match inputs {
        ChildInputs::Items => None,
        ChildInputs::Batches { batch_input, .. } => batch_input.as_ref().map(JsonText::new),
    }
}

fn child_inputs(
    (saved, batch_input): (Option<Vec<SavedBatch>>, Option<JsonText>),
    begun: usize,
    is_complete: bool,
    parts: &StageParts<'_, '_>,
) -> Read<ChildInputs> {
    let batches = parts.map.item_batcher.is_some();
    let expected = if batches { "some" } else { "none" };
    ensure(saved.is_some() == batches, expected, "the opposite")?;
    let Some(saved) = saved else {
        return Ok(ChildInputs::Items);
    };
    let items = saved
        .iter()
        .try_fold(0_u64, |sum, batch| sum.checked_add(batch.item_count));
    let expected = parts.request.items.length;
    let found = items.unwrap_or(u64::MAX);
    let expected_items = format_args!("{expected} items in all");
    let is_all = found == u64::from(expected) || (!is_complete && found < u64::from(expected));
    ensure(is_all, expected_items, found)?;
    let batches = saved.into_iter().enumerate().map(|(index, batch)| {
        let SavedBatch { input, item_count } = batch;
        let items = match input {
            Some(input) if index >= begun => input.value().within(format_args!("[{index}]"))?,
            None if index < begun => Value::Null,
            _ => {
                return Err(Damage::unexpected(
                    "inputs of those alone that are to begin",
                    index,
                ));
            }
        };
        Ok(Batch { items, item_count })
    });
    Ok(ChildInputs::Batches {
        batches: batches.collect::<Read<_>>()?,
        batch_input: batch_input.map(|text| text.value()).transpose()?,
    })
}

/// `is_read`: whether there are more items than those of the request.
fn running(
    saved: Vec<SavedChild>,
    (results, is_read): (&[ChildResult], bool),
    parts: &mut StageParts<'_, '_>,
    live: bool,
) -> Read<BTreeMap<crate::EffectId, RunningChild>> {
    let mut running = BTreeMap::new();
    for SavedChild {
        effect,
        index,
        seed,
    } in saved
    {
        let input = results.get(index as usize).filter(|_| is_read);
        let child = RunningChild {
            index,
            seed,
            weight: input.map_or(0, |result| weigh(&result.input)),
        };
        let effect = match live {
            true => parts.effect(effect)?,
            false => parts.save.effect(effect)?,
        };
        if running.insert(effect, child).is_some() {
            return Err(Damage::new(format!("effect {} is there twice", effect.0)));
        }
    }
    Ok(running)
}

/// A child that has not ended is under way or to begin again, one that succeeded is neither.
fn check_under_way(
    results: &[ChildResult],
    again: &BTreeSet<u32>,
    running: &BTreeMap<crate::EffectId, RunningChild>,
) -> Read<()> {
    let under_way: BTreeSet<u32> = running.values().map(|child| child.index).collect();
    let begun = results.len();
    let beyond =
        |indexes: &BTreeSet<u32>| indexes.last().is_some_and(|last| *last as usize >= begun);
    if under_way.len() < running.len() || beyond(&under_way) || beyond(again) {
        let expected = format_args!("indexes of {begun} children, each once");
        return Err(Damage::unexpected(expected, "others"));
    }
    for (index, result) in results.iter().enumerate() {
        let index = index as u32;
        let holds = match (
            &result.outcome,
            again.contains(&index),
            under_way.contains(&index),
        ) {
            (None, again, under_way) => again != under_way,
            (Some(Outcome::Succeeded(_)), again, under_way) => !again && !under_way,
            (Some(_), _, under_way) => !under_way,
        };
        ensure(
            holds,
            "a child that runs, is to begin again or has ended",
            "neither or both",
        )
        .within(format_args!("results[{index}]"))?;
    }
    Ok(())
}

/// Counts what there is of each kind.
fn count(run: &mut MapRun, again: &BTreeSet<u32>, request: &MapRequest) {
    let total = match &run.inputs {
        ChildInputs::Items => request.items.length,
        ChildInputs::Batches { .. } => run.length,
    };
    let mut counts = MapRunCounts {
        total: u64::from(total),
        running: run.running.len() as u64,
        pending: u64::from(total.saturating_sub(run.next)) + again.len() as u64,
        ..MapRunCounts::default()
    };
    let mut failed_items: u64 = 0;
    for (index, result) in run.results.iter().enumerate() {
        let counted = match &result.outcome {
            None => continue,
            Some(_) if again.contains(&(index as u32)) => continue,
            Some(Outcome::Succeeded(_)) => {
                counts.succeeded += 1;
                continue;
            }
            Some(Outcome::Failed(_)) => &mut counts.failed,
            Some(Outcome::TimedOut) => &mut counts.timed_out,
            Some(Outcome::Aborted(_)) => &mut counts.aborted,
        };
        *counted += 1;
        failed_items += run.item_count(index as u32);
    }
    (run.counts, run.failed_items) = (counts, failed_items);
}

impl SavedChildResult {
    fn new(result: &ChildResult, table: &mut ValueTable) -> Self {
        let ChildResult {
            identity,
            input,
            outcome,
            started,
            stopped,
        } = result;
        Self {
            name: identity.execution_name().to_owned(),
            input: table.shared(input),
            outcome: outcome.as_ref().map(|it| SavedOutcome::new(it, table)),
            started: *started,
            stopped: *stopped,
        }
    }

    fn result(self, map_run_arn: &str, save: &mut RestoreContext<'_>) -> Read<ChildResult> {
        let identity = save.start.identity.child(map_run_arn, &self.name);
        let outcome = self
            .outcome
            .map(|outcome| outcome.outcome(&mut save.values));
        Ok(ChildResult {
            identity: Arc::new(identity),
            input: save.values.shared(self.input).within("input")?,
            outcome: outcome.transpose().within("outcome")?,
            started: self.started,
            stopped: self.stopped,
        })
    }
}
