//! The five invariants of the core, over generated definitions and whatever may happen to their executions:
//! deterministic, serializable, bounded, total, cheap when idle.
use crate::actions::{Action, actions};
use crate::case::{on_large_stack, restored, start_time};
use asl_engine::{
    ChildExecution, EffectId, ErrorOutput, Execution, Input, Outcome, Output, Program, Start,
    StorageOperation, StorageResult,
};
use asl_model::strategies::{definition, generated};
use asl_model::{Options, ResourceNames, Timestamp, generate};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Kinds of pending effects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EffectKind {
    Task,
    Read,
    Write,
    Child,
}

/// Drives one execution and holds it to what must be true at every step.
struct Session {
    execution: Execution,
    program: Arc<Program>,
    now: Timestamp,
    /// Effects without an answer.
    open: BTreeMap<EffectId, EffectKind>,
    next_effect_id: u64,
    next_event_id: u64,
    due: Option<Timestamp>,
    /// Everything it put out, as texts.
    outputs: Vec<String>,
    /// Every input with its time: enough to have it all again.
    journal: Vec<(Timestamp, Input)>,
    children: Vec<ChildExecution>,
    /// The effect that the last input answered.
    answered: Option<EffectId>,
    saves: bool,
    done: bool,
}

impl Session {
    fn new(program: &Arc<Program>, execution: Execution, saves: bool) -> Self {
        let mut session = Self {
            execution,
            program: Arc::clone(program),
            now: start_time(),
            open: BTreeMap::new(),
            next_effect_id: 0,
            next_event_id: 1,
            due: None,
            outputs: Vec::new(),
            journal: Vec::new(),
            children: Vec::new(),
            answered: None,
            saves,
            done: false,
        };
        session.poll();
        session
    }

    fn save(&mut self) {
        if self.saves {
            self.execution = restored(&self.execution, &self.program);
        }
    }

    fn tell(&mut self, now: Timestamp, input: Input) {
        self.save();
        self.journal.push((now, input.clone()));
        self.answered = answered(&input);
        self.execution.handle_input(now, input);
        self.now = self.now.max(now);
        self.poll();
    }

    fn poll(&mut self) {
        let before = self.execution.transitions();
        loop {
            self.save();
            let output = self.execution.poll_output();
            self.outputs
                .push(serde_json::to_string(&output).expect("outputs can be written"));
            assert!(
                !self.done || matches!(output, Output::Done(_)),
                "after the end: {output:?}"
            );
            match output {
                Output::Wait { until } => {
                    self.due = until;
                    break;
                }
                Output::Done(outcome) => {
                    assert_eq!(self.execution.outcome(), Some(&outcome));
                    assert!(
                        self.open.is_empty(),
                        "left open at the end: {:?}",
                        self.open
                    );
                    self.done = true;
                    break;
                }
                output => self.note(output),
            }
        }
        let made = self.execution.transitions() - before;
        let budget = self.execution.start_parameters().limits.turn_cost.max(1);
        assert!(made <= u64::from(budget), "{made} transitions in one call");
    }

    /// Ids only grow, events have no gaps, only what is open is cancelled.
    fn note(&mut self, output: Output) {
        match output {
            Output::InvokeTask(task) => self.begin(task.id, EffectKind::Task),
            Output::Storage(request) => {
                let writes = matches!(request.operation, StorageOperation::PutObject { .. });
                self.begin(
                    request.id,
                    if writes {
                        EffectKind::Write
                    } else {
                        EffectKind::Read
                    },
                );
            }
            Output::StartChildExecution(child) => {
                self.begin(child.id, EffectKind::Child);
                self.children.push(*child);
            }
            Output::CancelTask { id } => self.cancel(id, EffectKind::Task),
            Output::StopChildExecution { id } => self.cancel(id, EffectKind::Child),
            Output::Event(event) => {
                assert_eq!(event.id, self.next_event_id);
                assert!(event.previous_event_id < event.id);
                self.next_event_id += 1;
                if event.event_type().starts_with("Execution") && event.id > 1 {
                    // Nobody waits for an object store any more; there is no output that says so.
                    self.open
                        .retain(|_, effect| matches!(effect, EffectKind::Task | EffectKind::Child));
                }
            }
            Output::Wait { .. } | Output::Done(_) => {}
        }
    }

    fn cancel(&mut self, id: EffectId, effect: EffectKind) {
        let cancelled = self.open.remove(&id);
        // An answer that comes too late finds the execution at its end.
        let is_late = cancelled.is_none() && self.answered == Some(id);
        assert!(
            is_late || cancelled == Some(effect),
            "{id:?}: {cancelled:?}"
        );
    }

    fn begin(&mut self, id: EffectId, effect: EffectKind) {
        assert!(
            id.0 >= self.next_effect_id,
            "{id:?} comes after {}",
            self.next_effect_id
        );
        self.next_effect_id = id.0 + 1;
        self.open.insert(id, effect);
    }

    fn perform(&mut self, action: &Action) {
        let nth = |which: usize| {
            let number = self.open.len();
            (number > 0)
                .then(|| {
                    self.open
                        .iter()
                        .nth(which % number)
                        .map(|(id, effect)| (*id, *effect))
                })
                .flatten()
        };
        match action {
            Action::Answer { which, how } => {
                if let Some((id, effect)) = nth(*which) {
                    self.open.remove(&id);
                    self.tell(self.now, answer(id, effect, *how));
                }
            }
            Action::Garbage { id, kind } => {
                let id = EffectId(*id);
                let input = garbage(id, *kind);
                if answers(self.open.get(&id).copied(), &input) {
                    self.open.remove(&id);
                }
                self.tell(self.now, input);
            }
            Action::Heartbeat { which } => {
                if let Some((id, _)) = nth(*which) {
                    self.tell(self.now, Input::TaskHeartbeat { id });
                }
            }
            Action::Due => {
                let due = self.due.unwrap_or(self.now);
                self.tell(due, Input::TimePassed);
            }
            Action::Jump { seconds } => {
                self.tell(self.now.plus_seconds(*seconds), Input::TimePassed)
            }
            Action::Back => self.tell(Timestamp::from_milliseconds(0), Input::TimePassed),
            Action::Stop => self.tell(self.now, Input::Stop(ErrorOutput::without_name("enough"))),
        }
    }

    /// Answers all and lets time pass until it ends.
    fn finish(&mut self) {
        for _ in 0..3_000 {
            if self.done {
                return;
            }
            match self.open.pop_first() {
                Some((id, effect)) => self.tell(self.now, answer(id, effect, 0)),
                None => {
                    let due = self.due.expect("without open effects it waits for a time");
                    self.tell(due, Input::TimePassed);
                }
            }
        }
        panic!("it does not end");
    }
}

pub(crate) fn answer(id: EffectId, effect: EffectKind, how: u8) -> Input {
    let output = || match how {
        0 | 1 => json!({"items": [1, {"items": []}], "again": how == 1}),
        2 => json!("text"),
        _ => Value::Null,
    };
    let failed = |error: &str| Input::TaskFailed {
        id,
        error_output: ErrorOutput {
            error: Some(error.to_owned()),
            cause: Some("because".to_owned()),
        },
    };
    match (effect, how) {
        (EffectKind::Task, 4) => failed("E"),
        (EffectKind::Task, 5) => failed("States.Timeout"),
        (EffectKind::Task, 6) => failed("States.Runtime"),
        (EffectKind::Task, 7) => Input::TaskFailed {
            id,
            error_output: ErrorOutput::default(),
        },
        (EffectKind::Task, _) => Input::TaskSucceeded {
            id,
            output: output().into(),
        },
        (EffectKind::Read | EffectKind::Write, 6) => Input::StorageFailed {
            id,
            cause: "gone".to_owned(),
        },
        (EffectKind::Write, _) => Input::StorageSucceeded {
            id,
            result: StorageResult::Written,
        },
        (EffectKind::Read, 7) => Input::StorageSucceeded {
            id,
            result: StorageResult::Object(b"{".to_vec()),
        },
        (EffectKind::Read, _) => Input::StorageSucceeded {
            id,
            result: StorageResult::Object(br#"[1,{"items":[]},null]"#.to_vec()),
        },
        (EffectKind::Child, 5) => Input::ChildExecutionEnded {
            id,
            outcome: Outcome::TimedOut,
        },
        (EffectKind::Child, 6) => Input::ChildExecutionEnded {
            id,
            outcome: Outcome::Aborted(ErrorOutput::default()),
        },
        (EffectKind::Child, 7) => Input::ChildExecutionEnded {
            id,
            outcome: Outcome::Failed(ErrorOutput::default()),
        },
        (EffectKind::Child, _) => Input::ChildExecutionEnded {
            id,
            outcome: Outcome::Succeeded(Arc::new(output())),
        },
    }
}

pub(crate) fn garbage(id: EffectId, kind: u8) -> Input {
    match kind {
        0 => Input::TaskStarted {
            id,
            worker_name: None,
        },
        1 => Input::TaskSubmitted {
            id,
            output: Value::Null.into(),
        },
        2 => Input::TaskSucceeded {
            id,
            output: json!([[[]]]).into(),
        },
        3 => Input::TaskFailed {
            id,
            error_output: ErrorOutput {
                error: Some(String::new()),
                cause: None,
            },
        },
        4 => Input::TaskHeartbeat { id },
        5 => Input::StorageSucceeded {
            id,
            result: StorageResult::Listing(Vec::new()),
        },
        6 => Input::StorageFailed {
            id,
            cause: String::new(),
        },
        7 => Input::TasksPostponed {
            ids: vec![id, EffectId(id.0 / 2), id],
        },
        _ => Input::ChildExecutionEnded {
            id,
            outcome: Outcome::TimedOut,
        },
    }
}

/// Returns true if this input answers such an effect.
fn answers(effect: Option<EffectKind>, input: &Input) -> bool {
    matches!(
        (effect, input),
        (
            Some(EffectKind::Task),
            Input::TaskSucceeded { .. } | Input::TaskFailed { .. }
        ) | (
            Some(EffectKind::Read | EffectKind::Write),
            Input::StorageSucceeded { .. } | Input::StorageFailed { .. }
        ) | (Some(EffectKind::Child), Input::ChildExecutionEnded { .. })
    )
}

/// A program with how its executions start.
#[derive(Debug, Clone)]
pub(crate) struct Setting {
    pub(crate) definition: Value,
    pub(crate) start: Start,
}

impl Setting {
    pub(crate) fn program(&self) -> Arc<Program> {
        let options = Options::default().with_resources(ResourceNames::Any);
        match asl_model::parse_value(&self.definition, options) {
            Ok((machine, _)) => Arc::new(Program::compile(&machine).expect("it compiles")),
            Err(faults) => panic!("{} is wrong: {faults:#?}", self.definition),
        }
    }

    fn session(&self, program: &Arc<Program>, saves: bool) -> Session {
        Session::new(
            program,
            Execution::start(Arc::clone(program), self.start.clone()),
            saves,
        )
    }

    fn run(&self, actions: &[Action], saves: bool) -> Session {
        let program = self.program();
        let mut session = self.session(&program, saves);
        for action in actions {
            session.perform(action);
        }
        session
    }
}

pub(crate) fn setting() -> impl Strategy<Value = Setting> {
    let limits = (
        1..30_u32,
        prop_oneof![Just(None), (1..40_u64).prop_map(Some)],
        any::<u64>(),
        proptest::sample::select(&[None, Some(0), Some(300)]),
    );
    let parts = (definition(), generated(generate::input), limits);
    parts.prop_map(|(definition, input, (budget, events, seed, held))| {
        let mut start = Start::new("execution", input, start_time());
        start.record_history = true;
        start.seed = Some(seed);
        start.limits.turn_cost = budget;
        start.limits.max_history_events = events;
        start.limits.max_transitions = Some(120);
        // An endless expression in a loop of states would take minutes.
        start.limits.max_expression_steps = 100_000;
        // Data that a loop puts into itself again and again ends somewhere, soon.
        start.limits.max_payload_bytes = Some(4_096);
        start.limits.max_data_depth = 40;
        start.limits.max_held_items_bytes = held;
        Setting { definition, start }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 400, ..ProptestConfig::default() })]

    #[test]
    fn the_same_inputs_give_the_same_outputs(setting in setting(), actions in actions()) {
        let first = setting.run(&actions, false);
        let second = setting.run(&actions, false);
        prop_assert_eq!(&first.outputs, &second.outputs);
        let program = setting.program();
        let mut replayed = setting.session(&program, false);
        for (now, input) in &first.journal {
            replayed.open.clear();
            replayed.execution.handle_input(*now, input.clone());
            loop {
                let output = replayed.execution.poll_output();
                replayed.outputs.push(serde_json::to_string(&output)?);
                if matches!(output, Output::Wait { .. } | Output::Done(_)) {
                    break;
                }
            }
        }
        prop_assert_eq!(first.outputs, replayed.outputs);
    }

    #[test]
    fn an_execution_saved_between_any_two_calls_goes_on_as_if_it_was_not(setting in setting(), actions in actions()) {
        let plain = setting.run(&actions, false);
        let saved = on_large_stack(|| setting.run(&actions, true).outputs);
        prop_assert_eq!(plain.outputs, saved);
    }

    #[test]
    fn every_execution_ends_once_all_is_answered_and_time_passes(setting in setting(), actions in actions()) {
        setting.run(&actions, false).finish();
    }

    #[test]
    fn children_are_executions_that_end_as_well(setting in setting(), actions in actions()) {
        let program = setting.program();
        let mut pending = vec![setting.run(&actions, false)];
        for _ in 0..4 {
            let Some(mut session) = pending.pop() else { break };
            session.finish();
            for child in session.children.drain(..).take(2) {
                let mut child = Session::new(&program, Execution::start_child(Arc::clone(&program), child, None), false);
                actions.iter().for_each(|action| child.perform(action));
                pending.push(child);
            }
        }
    }

    #[test]
    fn recording_history_changes_nothing_else(setting in setting(), actions in actions()) {
        let recorded = setting.run(&actions, false);
        let mut silent = setting;
        silent.start.record_history = false;
        // Without events, nothing reports that object stores are waited for no more.
        let program = silent.program();
        let mut execution = Execution::start(Arc::clone(&program), silent.start.clone());
        let mut outputs = Vec::new();
        let mut poll = |execution: &mut Execution| -> Result<(), TestCaseError> {
            loop {
                let output = execution.poll_output();
                outputs.push(without_history_flag(serde_json::to_string(&output)?));
                if matches!(output, Output::Wait { .. } | Output::Done(_)) {
                    return Ok(());
                }
            }
        };
        poll(&mut execution)?;
        for (now, input) in recorded.journal {
            execution.handle_input(now, input);
            poll(&mut execution)?;
        }
        let effects: Vec<String> = recorded.outputs.into_iter().filter(|output| !output.starts_with(r#"{"Event""#)).map(without_history_flag).collect();
        prop_assert_eq!(effects, outputs);
    }

    #[test]
    fn a_waiting_execution_does_nothing_and_does_not_grow(setting in setting(), actions in actions()) {
        let mut session = setting.run(&actions, false);
        // All that can continue at this moment has gone on.
        while !session.done && session.due.is_some_and(|due| due <= session.now) {
            session.tell(session.now, Input::TimePassed);
        }
        let size = |session: &Session| serde_json::to_string(&session.execution.save()).map(|text| text.len());
        let before = size(&session)?;
        let number = session.outputs.len();
        for kind in 0..9 {
            session.tell(session.now, garbage(EffectId(u64::MAX), kind));
            session.tell(session.now, Input::TimePassed);
        }
        let last = session.outputs.last().cloned();
        prop_assert!(session.outputs.iter().skip(number).all(|output| Some(output) == last.as_ref()));
        // The budget left may have more digits.
        prop_assert!(size(&session)? <= before + 8);
    }
}

/// Starts of children say whether history is recorded.
fn without_history_flag(output: String) -> String {
    output.replace(r#""record_history":true"#, r#""record_history":false"#)
}

/// The effect that an input is the last word on.
pub(crate) fn answered(input: &Input) -> Option<EffectId> {
    match input {
        Input::TaskSucceeded { id, .. }
        | Input::TaskFailed { id, .. }
        | Input::StorageSucceeded { id, .. }
        | Input::StorageFailed { id, .. }
        | Input::ChildExecutionEnded { id, .. } => Some(*id),
        _ => None,
    }
}
