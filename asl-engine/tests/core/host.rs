//! A host of one execution, by steps: it journals, and may forget between any two calls all that it knew.
use crate::actions::{Action, actions};
use crate::case::start_time;
use crate::invariants::{self, Setting, answer, answered, garbage};
use asl_engine::TaskInvocation;
use asl_engine::{
    AwaitedAnswer, ChildExecution, Effect, EffectId, ErrorOutput, Execution, Input, JournalRecord,
    MapRunUpdate, Outcome, Program, SavedExecution, TaskProgress, TurnLimits,
};
use asl_model::Timestamp;
use proptest::prelude::*;
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::Arc;

/// One thing that happens, and how many continuations run before it where the execution has yielded: all if it is None.
#[derive(Debug, Clone)]
pub(crate) struct Happening {
    what: What,
    hasty: Option<u8>,
}

#[derive(Debug, Clone)]
enum What {
    Action(Action),
    Started { which: usize },
    Submitted { which: usize },
    Redrive,
    UpdateMapRun { concurrency: u64, tolerated: u64 },
    Fail,
}

/// Generates random inputs of an execution.
pub(crate) fn happenings() -> impl Strategy<Value = Vec<Happening>> {
    let special = prop_oneof![
        2 => any::<usize>().prop_map(|which| What::Started { which }),
        3 => any::<usize>().prop_map(|which| What::Submitted { which }),
        2 => Just(What::Redrive),
        1 => (0..3_u64, 0..3_u64).prop_map(|(concurrency, tolerated)| What::UpdateMapRun { concurrency, tolerated }),
        1 => Just(What::Fail),
    ];
    let hasty = prop_oneof![3 => Just(None), 1 => (0..3_u8).prop_map(Some)];
    let extra = prop::collection::vec((0..40_usize, special), 0..12);
    (actions(), extra, prop::collection::vec(hasty, 60)).prop_map(|(actions, extra, hasty)| {
        let mut all: Vec<What> = actions.into_iter().map(What::Action).collect();
        for (at, what) in extra {
            all.insert(at.min(all.len()), what);
        }
        let all = all.into_iter().zip(hasty);
        all.map(|(what, hasty)| Happening { what, hasty }).collect()
    })
}

/// Kinds of outputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OutputKind {
    Effect,
    Event,
    Rest,
}

/// Drives one execution by steps.
pub(crate) struct Host {
    pub(crate) execution: Execution,
    now: Timestamp,
    wake: Option<Timestamp>,
    yielded: bool,
    /// Effects without an answer, as they were requested.
    open: BTreeMap<EffectId, (invariants::EffectKind, String)>,
    /// All that steps gave, as texts.
    pub(crate) outputs: Vec<(OutputKind, String)>,
    pub(crate) journal: Vec<JournalRecord>,
    pub(crate) children: Vec<ChildExecution>,
    /// Program with which the execution is restored between any two calls.
    forgetful: Option<Arc<Program>>,
    /// Steps that the evaluations of a state may take before they are abandoned.
    evaluation_steps: Option<u64>,
    is_abandoned: bool,
}

impl Host {
    /// Hosts an execution that has not run yet; where it is forgetful, with a program of another process.
    pub(crate) fn new(execution: Execution, forgetful: Option<Arc<Program>>) -> Self {
        let mut host = Self::without_knowledge(execution, forgetful);
        host.step(host.now, None);
        host
    }

    /// The same, where the evaluations of a state may take so many steps before they are abandoned.
    pub(crate) fn with_slices(execution: Execution, evaluation_steps: u64) -> Self {
        let mut host = Self::without_knowledge(execution, None);
        host.evaluation_steps = Some(evaluation_steps);
        host.step(host.now, None);
        host
    }

    fn without_knowledge(execution: Execution, forgetful: Option<Arc<Program>>) -> Self {
        Self {
            now: execution.now(),
            execution,
            wake: None,
            yielded: false,
            open: BTreeMap::new(),
            outputs: Vec::new(),
            journal: Vec::new(),
            children: Vec::new(),
            forgetful,
            evaluation_steps: None,
            is_abandoned: false,
        }
    }

    /// Goes on with an execution that was restored.
    pub(crate) fn take_up(execution: Execution) -> Self {
        let mut host = Self::without_knowledge(execution, None);
        host.open = host.pending();
        host.step(host.now, None);
        host.go_on();
        host
    }

    fn pending(&self) -> BTreeMap<EffectId, (invariants::EffectKind, String)> {
        let pending = self.execution.pending();
        let pending = pending.map(|waiting| {
            let (effect, text) = (kind(&waiting.effect), effect_text(&waiting.effect));
            (waiting.effect.id(), (effect, text))
        });
        pending.collect()
    }

    /// Hosts an execution of a generated definition.
    pub(crate) fn start(setting: &Setting, forgets: bool) -> Self {
        let execution = Execution::start(setting.program(), setting.start.clone());
        Self::new(execution, forgets.then(|| setting.program()))
    }

    fn step(&mut self, now: Timestamp, input: Option<Input>) {
        // What was abandoned is done without a bound once nothing else happens.
        let goes_on = input.is_none() && self.is_abandoned;
        self.execution.limit_turns(TurnLimits {
            cost: self
                .execution
                .start_parameters()
                .limits
                .turn_cost
                .max(1)
                .into(),
            evaluation_steps: self.evaluation_steps.filter(|_| !goes_on),
        });
        let answered = input.as_ref().and_then(answered);
        let step = self.execution.step(now, input);
        self.is_abandoned = step.abandoned;
        for effect in &step.effects {
            let text = effect_text(effect);
            self.outputs.push((OutputKind::Effect, text.clone()));
            self.open.insert(effect.id(), (kind(effect), text));
        }
        for id in &step.cancelled {
            let cancelled = self.open.remove(id);
            // An answer that comes too late finds the execution at its end.
            let is_late = answered == Some(*id);
            assert!(
                cancelled.is_some() || is_late,
                "{id:?} is cancelled and was not open"
            );
        }
        for event in &step.events {
            self.outputs
                .push((OutputKind::Event, event.to_json().to_string()));
        }
        let (wake, yielded) = (step.wake, step.yielded);
        let rest = (&step.cancelled, wake, yielded, &step.outcome);
        self.outputs.push((OutputKind::Rest, format!("{rest:?}")));
        for effect in step.effects {
            if let Effect::Child(child) = effect {
                self.children.push(*child);
            }
        }
        if step.outcome.is_some() {
            self.open.clear();
        }
        (self.wake, self.yielded) = (wake, yielded);
        self.check();
    }

    /// Checks that the pending effects are the requested ones.
    fn check(&mut self) {
        // Nothing reports that an object store is waited for no more.
        let pending: Vec<_> = self.execution.pending().collect();
        let waits = |id: &EffectId| pending.iter().any(|waiting| waiting.effect.id() == *id);
        self.open.retain(|id, (kind, _)| {
            waits(id)
                || matches!(
                    kind,
                    invariants::EffectKind::Task | invariants::EffectKind::Child
                )
        });
        let given: Vec<(EffectId, String)> = pending
            .iter()
            .map(|waiting| (waiting.effect.id(), effect_text(&waiting.effect)))
            .collect();
        let asked = self.open.iter().map(|(id, (_, text))| (*id, text.clone()));
        assert_eq!(given, asked.collect::<Vec<_>>(), "what it waits for");
        for waiting in &pending {
            let awaited = self.execution.awaits(waiting.effect.id());
            let awaited = awaited.expect("what is pending is awaited");
            match (&waiting.effect, awaited) {
                (Effect::Task(_), AwaitedAnswer::Task { submission }) => {
                    assert!(!submission || waiting.progress == TaskProgress::Asked);
                }
                (Effect::Storage(_), AwaitedAnswer::Storage)
                | (Effect::Child(_), AwaitedAnswer::Child) => {}
                other => panic!("{other:?}"),
            }
        }
        if self.execution.outcome().is_none() {
            assert!(self.yielded || self.wake == self.execution.wake());
        }
    }

    /// Nothing of what it was survives but a text.
    fn forget(&mut self) {
        let Some(program) = &self.forgetful else {
            return;
        };
        let text = serde_json::to_string(&self.execution.save()).expect("a save can be written");
        let saved: SavedExecution = serde_json::from_str(&text).expect("a save can be read");
        self.execution = saved.restore(&**program).expect("it is taken up");
        let again = serde_json::to_string(&self.execution.save()).expect("a save can be written");
        assert_eq!(text, again, "restoring changes what is saved");
        self.now = self.execution.now();
        self.wake = self.execution.wake();
        self.open = self.pending();
    }

    /// Goes on until nothing can without an input.
    pub(crate) fn go_on(&mut self) {
        self.go_on_times(u32::MAX);
    }

    fn go_on_times(&mut self, times: u32) {
        for _ in 0..times {
            if !self.yielded {
                return;
            }
            self.forget();
            self.step(self.now, None);
        }
    }

    pub(crate) fn tell(&mut self, now: Timestamp, input: Input) {
        self.forget();
        self.journal
            .push(self.execution.journal(now, input.clone()));
        if let Some(id) = answered(&input)
            && self
                .open
                .get(&id)
                .is_some_and(|(kind, _)| answers(*kind, &input))
        {
            self.open.remove(&id);
        }
        self.now = self.now.max(now);
        self.step(now, Some(input));
    }

    fn nth(&self, which: usize) -> Option<(EffectId, invariants::EffectKind)> {
        let open = self.open.iter().map(|(id, (kind, _))| (*id, *kind));
        open.clone().nth(which.checked_rem(open.count())?)
    }

    pub(crate) fn perform(&mut self, happening: &Happening) {
        self.go_on_times(happening.hasty.map_or(u32::MAX, u32::from));
        match &happening.what {
            What::Action(action) => self.act(action),
            What::Started { which } => {
                if let Some((id, _)) = self.nth(*which) {
                    let worker_name = Some("worker".to_owned());
                    self.tell(self.now, Input::TaskStarted { id, worker_name });
                }
            }
            What::Submitted { which } => {
                if let Some((id, _)) = self.nth(*which) {
                    let output = json!({"MessageId": "m"}).into();
                    self.tell(self.now, Input::TaskSubmitted { id, output });
                }
            }
            What::Redrive => self.tell(self.now, Input::Redrive),
            What::UpdateMapRun {
                concurrency,
                tolerated,
            } => {
                let first = self.execution.map_runs().next();
                if let Some(run) = first {
                    let update = MapRunUpdate {
                        map_run_arn: run.arn,
                        max_concurrency: Some(*concurrency),
                        tolerated_failure_count: Some(*tolerated),
                        tolerated_failure_percentage: None,
                    };
                    self.tell(self.now, Input::UpdateMapRun(update));
                }
            }
            What::Fail => {
                let (error, cause) = (Some("Host".to_owned()), None);
                self.tell(self.now, Input::Fail(ErrorOutput { error, cause }));
            }
        }
    }

    fn act(&mut self, action: &Action) {
        match action {
            Action::Answer { which, how } => {
                if let Some((id, kind)) = self.nth(*which) {
                    self.tell(self.now, answer(id, kind, *how));
                }
            }
            Action::Garbage { id, kind } => self.tell(self.now, garbage(EffectId(*id), *kind)),
            Action::Heartbeat { which } => {
                if let Some((id, _)) = self.nth(*which) {
                    self.tell(self.now, Input::TaskHeartbeat { id });
                }
            }
            Action::Due => self.tell(self.wake.unwrap_or(self.now), Input::TimePassed),
            Action::Jump { seconds } => {
                self.tell(self.now.plus_seconds(*seconds), Input::TimePassed);
            }
            Action::Back => self.tell(start_time(), Input::TimePassed),
            Action::Stop => {
                let (error, cause) = (None, Some("enough".to_owned()));
                self.tell(self.now, Input::Stop(ErrorOutput { error, cause }));
            }
        }
    }

    /// Answers all and lets time pass until it ends.
    pub(crate) fn finish(&mut self) -> Outcome {
        for _ in 0..3_000 {
            self.go_on();
            if let Some(outcome) = self.execution.outcome() {
                return outcome.clone();
            }
            match self.nth(0) {
                Some((id, kind)) => self.tell(self.now, answer(id, kind, 0)),
                None => {
                    let due = self.wake.expect("it waits for a time");
                    self.tell(due, Input::TimePassed);
                }
            }
        }
        panic!("it does not end");
    }
}

fn kind(effect: &Effect) -> invariants::EffectKind {
    match effect {
        Effect::Task(_) => invariants::EffectKind::Task,
        Effect::Child(_) => invariants::EffectKind::Child,
        Effect::Storage(_) if effect.writes() => invariants::EffectKind::Write,
        Effect::Storage(_) => invariants::EffectKind::Read,
    }
}

/// But for the deadline of a task, which may be postponed, and for whether a child records history, which is as its parent
/// does when it is requested.
fn effect_text(effect: &Effect) -> String {
    let text = match effect {
        Effect::Task(invocation) => {
            let mut invocation = TaskInvocation::clone(invocation);
            invocation.deadline = None;
            serde_json::to_string(&invocation)
        }
        Effect::Storage(request) => serde_json::to_string(request),
        Effect::Child(child) => serde_json::to_string(child),
    };
    let text = text.expect("effects can be written");
    text.replace(r#""record_history":true"#, r#""record_history":false"#)
}

fn answers(kind: invariants::EffectKind, input: &Input) -> bool {
    use invariants::EffectKind::{Child, Read, Task, Write};
    match input {
        Input::TaskSucceeded { .. } | Input::TaskFailed { .. } => kind == Task,
        Input::StorageSucceeded { .. } | Input::StorageFailed { .. } => {
            matches!(kind, Read | Write)
        }
        Input::ChildExecutionEnded { .. } => kind == Child,
        _ => false,
    }
}
