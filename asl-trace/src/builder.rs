//! Builds an explanation from the findings of interleaved flows.
use crate::account::{Finding, Step, Strand, StrandKind, TimedFinding};
use crate::definition::Definition;
use crate::rules::Test;
use crate::visit::Holder;
use asl_model::Timestamp;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Data to retain of each state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum DataRetention {
    /// All data.
    Everything,
    /// Only the names of states and their strands.
    Path,
}

/// Callback for each state that exited or in which the execution ended, with its holders, outermost first.
pub(crate) type Listener = Box<dyn FnMut(&[Holder], &Step) + Send>;

/// The step after a state.
#[derive(Debug)]
pub(crate) enum Onward {
    To(String),
    End,
    /// That is known when the flow enters another state.
    Unknown,
}

/// The branch or iteration of a flow that another one is.
pub(crate) type Parent = Option<(u64, u64)>;

/// The steps of one execution, as they arise.
pub(crate) struct Builder {
    definition: Arc<Definition>,
    kept: DataRetention,
    flows: BTreeMap<u64, Flow>,
    /// The steps of the machine's own flow, once it ended.
    steps: Vec<Step>,
    /// Holders of the execution itself.
    holders: Vec<Holder>,
}

/// A flow that runs.
#[derive(Debug, Default)]
struct Flow {
    parent: Parent,
    steps: Vec<Step>,
    open: Option<Step>,
    variables: Map<String, Value>,
    tests: Vec<Test>,
    /// True if the last error is not yet handled by a retrier or catcher.
    has_failed: bool,
    /// Its branches and iterations that have not ended.
    inner: BTreeSet<u64>,
}

impl Builder {
    pub(crate) fn new(
        definition: Arc<Definition>,
        kept: DataRetention,
        holders: Vec<Holder>,
    ) -> Self {
        Self {
            definition,
            kept,
            flows: BTreeMap::new(),
            steps: Vec::new(),
            holders,
        }
    }

    /// Records that the work of a state starts, for the first time or again.
    pub(crate) fn attempt(
        &mut self,
        id: u64,
        parent: Parent,
        state: &str,
        now: Timestamp,
        input: Arc<Value>,
        retry_count: u64,
    ) {
        let is_again = retry_count > 0
            && self
                .open(id)
                .is_some_and(|step| step.state == state && step.left.is_none());
        if is_again {
            self.gather(id);
            return self.add_finding(id, now, Finding::Attempt { retry_count });
        }
        let holder = parent.and_then(|(parent, _)| self.flows.get_mut(&parent));
        if let Some(holder) = holder {
            holder.inner.insert(id);
        }
        let state_type = self.definition.state_type(state).to_owned();
        let flow = self.flows.entry(id).or_default();
        flow.parent = parent;
        // A flow that ends goes nowhere; of one that continues, a history says here where to.
        if let Some(before) = flow.steps.last_mut()
            && before.next.is_none()
        {
            before.next = Some(state.to_owned());
        }
        flow.has_failed = false;
        flow.tests.clear();
        flow.open = Some(Step {
            state: state.to_owned(),
            state_type,
            entered: now,
            left: None,
            input,
            findings: Vec::new(),
            strands: Vec::new(),
            output: None,
            next: None,
        });
    }

    /// Returns the current state of a flow.
    pub(crate) fn open(&self, id: u64) -> Option<&Step> {
        self.flows.get(&id)?.open.as_ref()
    }

    /// Sets the type of a state from a history, unless the definition has it.
    pub(crate) fn name_type(&mut self, id: u64, state_type: &str) {
        if let Some(step) = self.flows.get_mut(&id).and_then(|flow| flow.open.as_mut())
            && step.state_type.is_empty()
        {
            step.state_type = state_type.to_owned();
        }
    }

    /// Removes the iterations of a distributed Map: a history reports them before the items are read.
    pub(crate) fn forget_iterations(&mut self, id: u64) {
        if let Some(step) = self.flows.get_mut(&id).and_then(|flow| flow.open.as_mut()) {
            let is_none =
                |found: &TimedFinding| matches!(found.finding, Finding::Iterations { count: 0 });
            step.findings.retain(|found| !is_none(found));
        }
    }

    /// Returns true if the current state of a flow has failed and the error is not yet handled.
    pub(crate) fn has_failed(&self, id: u64) -> bool {
        self.flows.get(&id).is_some_and(|flow| flow.has_failed)
    }

    /// Returns the branch or iteration of a flow.
    pub(crate) fn parent(&self, id: u64) -> Parent {
        self.flows.get(&id)?.parent
    }

    /// Adds a finding to the current state of a flow.
    pub(crate) fn add_finding(&mut self, id: u64, at: Timestamp, finding: Finding) {
        if let Some(step) = self.flows.get_mut(&id).and_then(|flow| flow.open.as_mut()) {
            step.findings.push(TimedFinding { at, finding });
        }
    }

    /// Records the test of a Choice rule, or of a part of it.
    pub(crate) fn test(&mut self, id: u64, test: Test) {
        if let Some(flow) = self.flows.get_mut(&id) {
            flow.tests.push(test);
        }
    }

    /// Records that a Choice rule matched, or that none did.
    pub(crate) fn decided(&mut self, id: u64, now: Timestamp, matched: Option<usize>) {
        self.add_rules(id, now, matched);
        if matched.is_none() {
            self.add_finding(id, now, Finding::Default);
        }
    }

    fn add_rules(&mut self, id: u64, now: Timestamp, matched: Option<usize>) {
        let Some(flow) = self.flows.get_mut(&id) else {
            return;
        };
        let tests = std::mem::take(&mut flow.tests);
        // They are copied: only if a test may have read them.
        let variables = match tests.is_empty() {
            true => Map::new(),
            false => self.variables(id),
        };
        let open = self.flows.get_mut(&id).and_then(|it| it.open.as_mut());
        let Some(step) = open else { return };
        for finding in self.definition.rules(step, &variables, &tests, matched) {
            step.findings.push(TimedFinding { at: now, finding });
        }
    }

    /// Records the failure of a state's work or of a field.
    pub(crate) fn failed(&mut self, id: u64, now: Timestamp, error: Finding) {
        self.gather(id);
        self.add_rules(id, now, None);
        self.add_finding(id, now, error);
        if let Some(flow) = self.flows.get_mut(&id) {
            flow.has_failed = true;
        }
    }

    /// Records the retrier or catcher that handles the error, and those that were tried before.
    pub(crate) fn record_handler(&mut self, id: u64, now: Timestamp, taken: Finding) {
        let Some(state) = self.open(id).map(|step| step.state.clone()) else {
            return;
        };
        let asked = self.definition.handlers_before(&state, &taken);
        let has_told_retriers = self.has_told_retriers(id);
        for finding in asked {
            let is_retrier = matches!(finding, Finding::PassedBy { field: "Retry", .. });
            if !(is_retrier && has_told_retriers) {
                self.add_finding(id, now, finding);
            }
        }
        let is_last = !matches!(taken, Finding::Exhausted { .. });
        self.add_finding(id, now, taken);
        if let Some(flow) = self.flows.get_mut(&id).filter(|_| is_last) {
            flow.has_failed = false;
        }
    }

    /// Returns true if retriers were reported since the last error.
    fn has_told_retriers(&self, id: u64) -> bool {
        let findings = self.open(id).map(|step| step.findings.as_slice());
        findings
            .unwrap_or_default()
            .iter()
            .rev()
            .take_while(|it| !matches!(it.finding, Finding::Error { .. }))
            .any(|it| matches!(it.finding, Finding::Exhausted { .. }))
    }

    /// Records that the state exited.
    pub(crate) fn record_exit(
        &mut self,
        id: u64,
        now: Timestamp,
        output: Arc<Value>,
        onward: Onward,
        listener: &mut Option<Listener>,
    ) {
        self.gather(id);
        let is_last = matches!(onward, Onward::End);
        let next = match onward {
            Onward::To(next) => Some(next),
            Onward::End | Onward::Unknown => None,
        };
        let Some(flow) = self.flows.get_mut(&id) else {
            return;
        };
        let Some(mut step) = flow.open.take() else {
            return;
        };
        for found in &step.findings {
            if let Finding::Variable { name, value } = &found.finding {
                flow.variables.insert(name.clone(), (**value).clone());
            }
        }
        (step.left, step.output, step.next) = (Some(now), Some(output), next);
        self.close(id, step, listener);
        if is_last {
            self.end(id);
        }
    }

    /// Reports a step, and retains the requested part of its data.
    fn close(&mut self, id: u64, mut step: Step, listener: &mut Option<Listener>) {
        step.sort_strands();
        if let Some(listener) = listener {
            listener(&self.holders_of(id), &step);
        }
        if self.kept == DataRetention::Path {
            step.findings = Vec::new();
            step.input = Arc::default();
            step.output = None;
        }
        if let Some(flow) = self.flows.get_mut(&id) {
            flow.steps.push(step);
        }
    }

    /// Returns the holders of a flow.
    pub(crate) fn holders_of(&self, id: u64) -> Vec<Holder> {
        let mut within = Vec::new();
        let mut at = self.parent(id);
        while let Some((parent, index)) = at {
            let step = self.open(parent);
            within.push(Holder {
                state: step
                    .map(|step| step.state.as_str())
                    .unwrap_or_default()
                    .into(),
                kind: step.map_or(StrandKind::Iteration, Step::inner_kind),
                index,
            });
            at = self.parent(parent);
        }
        within.reverse();
        [self.holders.clone(), within].concat()
    }

    /// Ends a flow, and moves its steps to the state that contains it.
    fn end(&mut self, id: u64) {
        let Some(flow) = self.flows.remove(&id) else {
            return;
        };
        let Some((parent, index)) = flow.parent else {
            self.steps.extend(flow.steps);
            return;
        };
        let holder = self.flows.get_mut(&parent);
        let holder = holder.and_then(|flow| {
            flow.inner.remove(&id);
            flow.open.as_mut()
        });
        if let Some(holder) = holder {
            holder.strands.push(Strand {
                kind: holder.inner_kind(),
                index,
                retry_count: holder.retries(),
                status: None,
                steps: flow.steps,
            });
        }
    }

    /// Ends the branches and iterations of a flow that did not end themselves, innermost first.
    pub(crate) fn gather(&mut self, id: u64) {
        let mut inner = vec![id];
        let mut next = 0;
        while let Some(holder) = inner.get(next).copied() {
            let held = self.flows.get(&holder).map(|flow| &flow.inner);
            inner.extend(held.into_iter().flatten());
            next += 1;
        }
        for id in inner.into_iter().skip(1).rev() {
            self.interrupt(id, &mut None);
        }
    }

    fn interrupt(&mut self, id: u64, listener: &mut Option<Listener>) {
        self.add_unhandled(id);
        let open = self.flows.get_mut(&id).and_then(|flow| flow.open.take());
        if let Some(step) = open {
            self.close(id, step, listener);
        }
        self.end(id);
    }

    /// Records the retriers and catchers that did not match the last error.
    fn add_unhandled(&mut self, id: u64) {
        let failed = self.flows.get(&id).is_some_and(|flow| flow.has_failed);
        let state = self.open(id).map(|step| step.state.clone());
        let Some(state) = state.filter(|_| failed) else {
            return;
        };
        let told = self.has_told_retriers(id);
        let last = self.open(id).and_then(|step| step.findings.last());
        let at = last.map_or_else(Timestamp::default, |found| found.at);
        for finding in self.definition.all_handlers(&state, told) {
            self.add_finding(id, at, finding);
        }
    }

    /// Records the end of a child execution of a Map State. The child may outlive the visit that started it.
    pub(crate) fn child(&mut self, id: u64, map: &str, mut child: Strand) {
        let Some(flow) = self.flows.get_mut(&id) else {
            return;
        };
        let steps = flow.steps.iter_mut().chain(&mut flow.open);
        if let Some(step) = steps.rev().find(|step| step.state == map) {
            child.retry_count = step.retries();
            step.strands.push(child);
            // A visit that has not ended sorts its strands at the end.
            if step.left.is_some() {
                step.sort_strands();
            }
        }
    }

    /// Returns the variables visible to a flow.
    pub(crate) fn variables(&self, id: u64) -> Map<String, Value> {
        let mut seen = Map::new();
        let mut at = Some(id);
        while let Some(flow) = at.and_then(|id| self.flows.get(&id)) {
            for (name, value) in &flow.variables {
                seen.entry(name.as_str()).or_insert_with(|| value.clone());
            }
            at = flow.parent.map(|(parent, _)| parent);
        }
        seen
    }

    /// Ends the execution, and returns all its steps.
    pub(crate) fn finish(&mut self, listener: &mut Option<Listener>) -> Vec<Step> {
        let ids: Vec<u64> = self.flows.keys().copied().collect();
        let depth = |id: u64| self.holders_of(id).len();
        let mut by_depth: Vec<(usize, u64)> = ids.into_iter().map(|id| (depth(id), id)).collect();
        by_depth.sort_unstable_by(|left, right| right.cmp(left));
        for (_, id) in by_depth {
            self.interrupt(id, listener);
        }
        std::mem::take(&mut self.steps)
    }
}
