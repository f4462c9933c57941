//! The rest of a dataset that is read while the children of its Map Run are running.
use super::damage::{Damage, DamageContext as _, Read, ensure};
use super::reading::SavedReading;
use super::stage_parts::StageParts;
use super::values::JsonText;
use crate::distributed::{BatchLimits, Batcher};
use crate::execution::machine::{ChildInputs, ItemSource};
use crate::execution::states::max_running_weight;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct SavedSource {
    reading: SavedReading,
    /// The request for the next part, if it is under way.
    effect: Option<u64>,
    batcher: Option<SavedBatcher>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct SavedBatcher {
    max_items: Option<u64>,
    max_input_bytes: Option<u64>,
    /// The items of the next batch.
    current: Vec<JsonText>,
}

/// An item of a child that runs or failed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct SavedKeptItem {
    index: u32,
    item: JsonText,
}

impl SavedSource {
    pub(super) fn new(source: &ItemSource) -> Self {
        let ItemSource {
            reading,
            effect,
            batcher,
            // Of the limits.
            max_running_weight: _,
        } = source;
        Self {
            reading: SavedReading::new(reading),
            effect: effect.map(|effect| effect.0),
            batcher: batcher.as_ref().map(SavedBatcher::new),
        }
    }

    /// `live`: whether the answer to its effect is awaited.
    pub(super) fn source(
        self,
        inputs: &ChildInputs,
        parts: &mut StageParts<'_, '_>,
        live: bool,
    ) -> Read<ItemSource> {
        let batcher = match (inputs, self.batcher) {
            (ChildInputs::Items, None) => None,
            (
                ChildInputs::Batches {
                    batch_input,
                    batches,
                },
                Some(batcher),
            ) => {
                let before = batches.iter().map(|batch| batch.item_count).sum();
                let batcher = batcher.batcher(batch_input.as_ref(), before);
                Some(batcher.within("batcher")?)
            }
            _ => {
                return Err(Damage::unexpected(
                    "a batcher for batches alone",
                    "the opposite",
                ));
            }
        };
        let effect = self.effect.map(|effect| match live {
            true => parts.effect(effect),
            false => parts.save.effect(effect),
        });
        Ok(ItemSource {
            reading: self.reading.reading().within("reading")?,
            effect: effect.transpose().within("effect")?,
            batcher,
            max_running_weight: max_running_weight(&parts.save.start.limits),
        })
    }
}

impl SavedBatcher {
    fn new(batcher: &Batcher) -> Self {
        let BatchLimits {
            max_items,
            max_input_bytes,
        } = batcher.limits();
        Self {
            max_items,
            max_input_bytes,
            current: batcher.current().iter().map(JsonText::new).collect(),
        }
    }

    fn batcher(self, batch_input: Option<&Value>, items_before: u64) -> Read<Batcher> {
        let limits = BatchLimits {
            max_items: self.max_items,
            max_input_bytes: self.max_input_bytes,
        };
        let current = self.current.into_iter().map(|item| item.value());
        let current = current.collect::<Read<Vec<_>>>()?;
        Ok(Batcher::restored(
            limits,
            batch_input,
            current,
            items_before,
        ))
    }
}

impl SavedKeptItem {
    pub(super) fn new((index, item): (&u32, &Value)) -> Self {
        Self {
            index: *index,
            item: JsonText::new(item),
        }
    }
}

/// Returns the items of children that run or failed, by index.
pub(super) fn kept_items(saved: &[SavedKeptItem]) -> Read<BTreeMap<u32, Value>> {
    let items = saved
        .iter()
        .map(|kept| Ok((kept.index, kept.item.value()?)));
    let items = items.collect::<Read<BTreeMap<_, _>>>()?;
    ensure(items.len() == saved.len(), "each item once", "one twice")?;
    Ok(items)
}
