//! The evaluated fields of a Map State.
use super::damage::{Damage, DamageContext as _, Read, ensure};
use super::restoring::RestoreContext;
use super::values::{ValueIndex, ValueTable};
use crate::data::{ItemStep, Items};
use crate::distributed::ToleratedFailure;
use crate::execution::evaluate::MapRequest;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;

/// The evaluated fields of a Map State.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct SavedRequest {
    items: SavedItems,
    effective_input: ValueIndex,
    max_concurrency: u64,
    tolerated_failure: Option<SavedTolerance>,
}

/// An array within a document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct SavedItems {
    document: ValueIndex,
    steps: Vec<SavedStep>,
    pairs: bool,
    /// Of a dataset that is read in parts, those of which were read before, and all.
    #[serde(default)]
    window: Option<SavedWindow>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct SavedWindow {
    first: u32,
    length: u32,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum SavedStep {
    Field(String),
    Element(u64),
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct SavedTolerance {
    count: Option<u64>,
    percentage: Option<f64>,
}

impl SavedRequest {
    pub(super) fn new(request: &MapRequest, table: &mut ValueTable) -> Self {
        let MapRequest {
            items,
            // Made of the items.
            item_weight: _,
            effective_input,
            max_concurrency,
            tolerated_failure,
        } = request;
        Self {
            items: SavedItems::new(items, table),
            effective_input: table.shared(effective_input),
            max_concurrency: *max_concurrency,
            tolerated_failure: tolerated_failure.map(|tolerated| SavedTolerance {
                count: tolerated.count(),
                percentage: tolerated.percentage(),
            }),
        }
    }

    pub(super) fn request(self, save: &mut RestoreContext<'_>) -> Read<MapRequest> {
        let tolerated_failure = self
            .tolerated_failure
            .map(|SavedTolerance { count, percentage }| {
                ToleratedFailure::new(count, percentage)
                    .map_err(|error| Damage::new(error.to_string()))
            })
            .transpose();
        let effective_input = save.values.shared(self.effective_input);
        let effective_input = effective_input.within("effective_input")?;
        let items = self.items.items(save).within("items")?;
        Ok(MapRequest {
            item_weight: items.item_weight(),
            items: Arc::new(items),
            effective_input,
            max_concurrency: self.max_concurrency,
            tolerated_failure: tolerated_failure.within("tolerated_failure")?,
        })
    }
}

impl SavedItems {
    fn new(items: &Items, table: &mut ValueTable) -> Self {
        let Items {
            document,
            steps,
            length,
            first,
            measure: _,
            pairs,
        } = items;
        let is_window = *first > 0 || items.window_end() < *length;
        let window = is_window.then_some(SavedWindow {
            first: *first,
            length: *length,
        });
        let steps = steps.iter().map(|step| match step {
            ItemStep::Field(name) => SavedStep::Field(name.clone()),
            ItemStep::Element(index) => SavedStep::Element(*index as u64),
        });
        Self {
            document: table.shared(document),
            steps: steps.collect(),
            pairs: *pairs,
            window,
        }
    }

    fn items(self, save: &mut RestoreContext<'_>) -> Read<Items> {
        let (document, measure) = save.values.measured(self.document).within("document")?;
        let steps = self.steps.into_iter().map(|step| match step {
            SavedStep::Field(name) => Ok(ItemStep::Field(name)),
            SavedStep::Element(index) => match usize::try_from(index) {
                Ok(index) => Ok(ItemStep::Element(index)),
                Err(_) => Err(Damage::unexpected("an index", index)),
            },
        });
        let steps = steps.collect::<Read<Vec<_>>>().within("steps")?;
        let Some(Value::Array(array)) = Items::find(&document, &steps) else {
            let found = "another value, or none";
            return Err(Damage::unexpected("steps to an array", found).within("steps"));
        };
        let held = u32::try_from(array.len()).unwrap_or(u32::MAX);
        let SavedWindow { first, length } = self.window.unwrap_or(SavedWindow {
            first: 0,
            length: held,
        });
        let end = u64::from(first) + u64::from(held);
        let expected = format_args!("at most {length} items");
        ensure(end <= u64::from(length), expected, end).within("window")?;
        Ok(Items {
            steps,
            first,
            pairs: self.pairs,
            ..Items::from_document(document, length, measure)
        })
    }
}
