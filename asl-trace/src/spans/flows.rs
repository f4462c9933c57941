//! The tree of branches and iterations.
use super::{Effect, ROOT, Spans};
use crate::account::StrandKind;
use crate::visit::{Holder, PreviousVisit, Visit};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A branch, an iteration, or the execution itself: states that follow each other.
#[derive(Debug, Default)]
pub(super) struct Flow {
    /// The enclosing flow, and the index in it.
    pub(super) parent: Option<(u64, u64)>,
    pub(super) holders: Arc<[Holder]>,
    pub(super) visit: Option<Visit>,
    pub(super) previous: Option<PreviousVisit>,
    /// Branches of the visit that have started.
    pub(super) branches: u64,
    /// Flows of the visit that have not ended, by their indexes.
    pub(super) inner: BTreeMap<u64, u64>,
    /// The remembered events of the visit.
    pub(super) events: BTreeSet<u64>,
}

impl Flow {
    pub(super) fn new(holders: Arc<[Holder]>) -> Self {
        Self {
            holders,
            ..Self::default()
        }
    }
}

/// The origin of a flow: the enclosing flow, and the index of the iteration.
#[derive(Debug, Clone, Copy)]
pub(super) struct Opening {
    pub(super) parent: u64,
    pub(super) iteration: Option<u64>,
}

/// Maximum number of branches and iterations within each other. JSON of the default nesting limit cannot hold a definition that
/// nests deeper. A history that does is read as if it did not nest any further.
const MOST_HOLDERS: usize = 250;

impl Spans {
    pub(super) fn visit(&self, flow: u64) -> Option<&Visit> {
        self.flows.get(&flow)?.visit.as_ref()
    }

    pub(super) fn visit_mut(&mut self, flow: u64) -> Option<&mut Visit> {
        self.flows.get_mut(&flow)?.visit.as_mut()
    }

    /// Returns the nearest enclosing flow whose visit matches.
    pub(super) fn search(&self, from: u64, is_it: impl Fn(&Visit) -> bool) -> Option<u64> {
        let mut at = Some(from);
        while let Some(flow) = at {
            if self.visit(flow).is_some_and(&is_it) {
                return at;
            }
            at = self.flows.get(&flow)?.parent.map(|(parent, _)| parent);
        }
        None
    }

    pub(super) fn nearest(&self, from: u64, is_it: impl Fn(&Visit) -> bool) -> u64 {
        self.search(from, is_it).unwrap_or(from)
    }

    /// Returns the nearest enclosing flow in a state; after a redrive, when events are not linked to their state, any.
    pub(super) fn named(&self, from: u64, state: &str) -> u64 {
        let is_it = |visit: &Visit| &*visit.state == state;
        let found = self.search(from, is_it).or_else(|| {
            let mut flows = self.flows.iter();
            flows
                .find(|(_, flow)| flow.visit.as_ref().is_some_and(is_it))
                .map(|(id, _)| *id)
        });
        found.unwrap_or(from)
    }

    /// Starts a branch or an iteration with its first state.
    pub(super) fn start_flow(&mut self, opening: Opening, state: &str) -> u64 {
        let Opening { parent, iteration } = opening;
        let (holder, around) = match self.flows.get(&parent) {
            Some(flow) => (
                flow.visit.as_ref().map(|visit| Arc::clone(&visit.state)),
                Arc::clone(&flow.holders),
            ),
            None => (None, Arc::clone(&self.outer)),
        };
        if around.len() >= MOST_HOLDERS {
            return parent;
        }
        let holder = holder.unwrap_or_default();
        let started = self.flows.get(&parent).map_or(0, |flow| flow.branches);
        let branch = match self.tree.holder(state) {
            Some((known, branch)) if *known == *holder => branch as u64,
            _ => started,
        };
        let (kind, index) = match iteration {
            Some(index) => (StrandKind::Iteration, index),
            None => (StrandKind::Branch, branch),
        };
        let holder = Holder {
            state: holder,
            kind,
            index,
        };
        self.last_flow += 1;
        let flow = Flow {
            parent: Some((parent, index)),
            holders: around.iter().cloned().chain([holder]).collect(),
            ..Flow::default()
        };
        self.flows.insert(self.last_flow, flow);
        let parent = self.flows.get_mut(&parent);
        let replaced = parent.and_then(|parent| {
            parent.branches += 1;
            parent.inner.insert(index, self.last_flow)
        });
        if let Some(replaced) = replaced {
            self.end_flow(replaced);
        }
        self.last_flow
    }

    /// Returns the flow of a state that follows another one. After a redrive, events are not linked to it.
    pub(super) fn flow_of_state(&mut self, before: u64, state: &str) -> u64 {
        if !self.tree.contains(state) {
            return before;
        }
        let Some((holder, branch)) = self.tree.holder(state) else {
            return ROOT;
        };
        let is_it = |flow: &Flow| {
            flow.holders.last().is_some_and(|it| {
                *it.state == *holder && (it.kind != StrandKind::Branch || it.index == branch as u64)
            })
        };
        let mut at = Some(before);
        while let Some((id, flow)) = at.and_then(|id| Some((id, self.flows.get(&id)?))) {
            if is_it(flow) {
                return id;
            }
            at = flow.parent.map(|(parent, _)| parent);
        }
        let waits = |flow: &Flow| is_it(flow) && flow.visit.is_none();
        if let Some((id, _)) = self.flows.iter().find(|(_, flow)| waits(flow)) {
            return *id;
        }
        let is_holder = |visit: &Visit| *visit.state == *holder;
        let parent = self.open().find(|visit| is_holder(visit));
        match parent.map(|visit| visit.flow) {
            Some(parent) => {
                let iteration = None;
                self.start_flow(Opening { parent, iteration }, state)
            }
            None => before,
        }
    }

    /// Ends an iteration, which the next one may follow.
    pub(super) fn end_iteration(&mut self, before: u64, name: &str, index: u64) -> Effect {
        let holder = self.named(before, name);
        let ended = self.flows.get(&holder);
        let ended = ended.and_then(|flow| flow.inner.get(&index)).copied();
        Effect {
            interrupted: ended.map_or_else(Vec::new, |flow| self.end_flow(flow)),
            ..Effect::of_visit(holder)
        }
    }

    /// Ends the branches and iterations of a flow.
    pub(super) fn end_inner(&mut self, id: u64) -> Vec<Visit> {
        let inner = self.flows.get_mut(&id);
        let inner = inner.map(|flow| std::mem::take(&mut flow.inner));
        let mut interrupted = Vec::new();
        for flow in inner.into_iter().flat_map(BTreeMap::into_values) {
            interrupted.extend(self.end_flow(flow));
        }
        interrupted
    }

    /// Ends a flow with all its inner ones, and returns the visits that were not left. Later events may be linked to its
    /// events: they then follow the enclosing state. Recursion is bounded by the number of holders.
    pub(super) fn end_flow(&mut self, id: u64) -> Vec<Visit> {
        let mut interrupted = self.end_inner(id);
        let Some(flow) = self.flows.remove(&id) else {
            return interrupted;
        };
        interrupted.extend(flow.visit);
        let (parent, index) = flow.parent.unwrap_or((ROOT, 0));
        for event in &flow.events {
            self.positions.insert(*event, parent);
        }
        if let Some(parent) = self.flows.get_mut(&parent) {
            if parent.inner.get(&index) == Some(&id) {
                parent.inner.remove(&index);
            }
            parent.events.extend(flow.events);
        }
        interrupted
    }
}
