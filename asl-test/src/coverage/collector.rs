//! Counts what executions of one definition reach.
use super::Point;
use crate::Definition;
use asl_engine::{InspectedPlace, InspectionEvent, Inspector};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The points of a definition that a case, or a recorded execution, reached.
#[derive(Debug, Clone)]
pub struct ReachedPoints {
    definition: Definition,
    /// Counts by point.
    counts: Vec<u64>,
}

impl ReachedPoints {
    /// Nothing of it yet.
    pub(crate) fn nothing_of(definition: &Definition) -> Self {
        Self {
            counts: vec![0; definition.points().list.len()],
            definition: definition.clone(),
        }
    }

    /// Returns the definition.
    pub fn definition(&self) -> &Definition {
        &self.definition
    }

    /// Returns all points in the order of the text, with counts.
    pub fn points(&self) -> impl Iterator<Item = (&Point, u64)> {
        let points = self.definition.points().list.iter();
        points.zip(self.counts.iter().copied())
    }

    /// Counts a point, if there is one.
    pub(super) fn count(&mut self, point: Option<usize>) {
        count(&mut self.counts, point);
    }

    /// With what others reached of the same definition, one for each definition.
    pub(crate) fn merge_into(self, all: &mut Vec<Self>) {
        match all.iter_mut().find(|it| it.definition.is(&self.definition)) {
            Some(known) => {
                for (known, count) in known.counts.iter_mut().zip(self.counts) {
                    *known += count;
                }
            }
            None => all.push(self),
        }
    }
}

/// Counts for all executions of a case.
#[derive(Debug)]
pub(crate) struct Collector(Mutex<ReachedPoints>);

impl Collector {
    pub(crate) fn new(definition: &Definition) -> Self {
        Self(Mutex::new(ReachedPoints::nothing_of(definition)))
    }

    /// Returns the points reached so far.
    pub(crate) fn covered(&self) -> ReachedPoints {
        self.locked().clone()
    }

    /// Counts for one execution.
    pub(crate) fn inspector(self: &Arc<Self>) -> Box<dyn Inspector> {
        Box::new(Execution {
            collector: Arc::clone(self),
            flows: HashMap::new(),
        })
    }

    fn locked(&self) -> MutexGuard<'_, ReachedPoints> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// State of one execution.
struct Execution {
    collector: Arc<Collector>,
    flows: HashMap<u64, Flow>,
}

/// Position of a flow.
#[derive(Clone, Copy, PartialEq)]
enum Flow {
    /// In a state, in which a Catcher took over or not.
    Within { is_caught: bool },
    /// On its way from one state to the next.
    Between,
}

/// Returns true if it reaches something, or is on the way.
fn is_counted(inspected: &InspectionEvent<'_>) -> bool {
    matches!(
        inspected,
        InspectionEvent::Attempt { retry_count: 0, .. }
            | InspectionEvent::Choice { .. }
            | InspectionEvent::Default
            | InspectionEvent::Retry { .. }
            | InspectionEvent::Catch { .. }
            | InspectionEvent::Left { .. }
    )
}

impl Inspector for Execution {
    fn inspected(&mut self, place: InspectedPlace<'_>, inspected: InspectionEvent<'_>) {
        // Most of what is told is data: executions that run side by side need not wait for one another.
        if !is_counted(&inspected) {
            return;
        }
        let mut covered = self.collector.locked();
        let ReachedPoints { definition, counts } = &mut *covered;
        let Some(points) = definition.points().of_state(place.state) else {
            return;
        };
        let mut count = |point| count(counts, point);
        match inspected {
            InspectionEvent::Attempt { retry_count: 0, .. } => {
                let is_caught = false;
                let before = self.flows.insert(place.flow, Flow::Within { is_caught });
                // A flow that failed leaves its number to another one.
                let begins = before != Some(Flow::Between);
                count(points.branch.filter(|_| begins));
                count(Some(points.state));
            }
            InspectionEvent::Choice { index } => count(points.choice(index)),
            InspectionEvent::Default => count(points.default()),
            InspectionEvent::Retry { index, .. } => count(points.retrier(index)),
            InspectionEvent::Catch { index } => {
                let is_caught = true;
                self.flows.insert(place.flow, Flow::Within { is_caught });
                count(points.catcher(index));
            }
            InspectionEvent::Left { next, .. } => {
                let before = match next {
                    Some(_) => self.flows.insert(place.flow, Flow::Between),
                    None => self.flows.remove(&place.flow),
                };
                if before != (Some(Flow::Within { is_caught: true })) {
                    count(points.transition());
                }
            }
            _ => {}
        }
    }
}

fn count(counts: &mut [u64], point: Option<usize>) {
    if let Some(count) = point.and_then(|point| counts.get_mut(point)) {
        *count += 1;
    }
}
