//! Checks the reports on generated definitions against their executions.
use super::reading::Segment;
use super::shape::Shape;
use super::{DataFlow, findings};
use crate::flow::{catch_never_matches, endless_loop, shadowed_choice_rule, shadowed_retrier};
use crate::subject::Subject;
use asl_engine::{
    Answer, Effect, Execution, Input, InspectedPlace, InspectionEvent, Outcome, Output,
    PendingEffect, Program, Start, TaskAnswer, TaskError,
};
use asl_model::{Options, StateKind, Timestamp, generate, strategies};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};

/// An event of an inspector, by the name of the state.
#[derive(Debug, Clone)]
enum ObservedEvent {
    Attempt(Value),
    Retried(usize),
    Caught(usize),
    Chose(usize),
    Iterated,
    Left,
}

type Account = Arc<Mutex<Vec<(String, u64, ObservedEvent)>>>;

fn inspector(
    account: &Account,
) -> impl FnMut(InspectedPlace<'_>, InspectionEvent<'_>) + Send + 'static {
    let account = Arc::clone(account);
    move |place, inspected| {
        let told = match inspected {
            InspectionEvent::Attempt { input, .. } => ObservedEvent::Attempt(input.clone()),
            InspectionEvent::Retry { index, .. } | InspectionEvent::RetriesExhausted { index } => {
                ObservedEvent::Retried(index)
            }
            InspectionEvent::Catch { index } => ObservedEvent::Caught(index),
            InspectionEvent::Choice { index } => ObservedEvent::Chose(index),
            InspectionEvent::Iterations { .. } => ObservedEvent::Iterated,
            InspectionEvent::Left { .. } => ObservedEvent::Left,
            _ => return,
        };
        account
            .lock()
            .unwrap()
            .push((place.state.to_string(), place.flow, told));
    }
}

/// Runs to the end, if it comes to one; a task answers by the next of these.
fn run(
    mut execution: Execution,
    account: &Account,
    answers: &mut impl Iterator<Item = Result<Value, TaskError>>,
) -> Option<Outcome> {
    execution.inspect(Some(Box::new(inspector(account))));
    let program = execution.program().clone();
    let mut now = Timestamp::default();
    let mut children = Vec::new();
    loop {
        match execution.poll_output() {
            Output::Done(outcome) => return Some(outcome),
            Output::InvokeTask(task) => {
                let answer = answers.next().unwrap_or(Ok(Value::Null));
                let answer = answer.map(|output| Answer::from(TaskAnswer::Completed(output)));
                let mut pending = PendingEffect::new(Effect::Task(task));
                let inputs = pending
                    .record_start()
                    .into_iter()
                    .chain(pending.record_answer(answer));
                inputs.for_each(|input| execution.handle_input(now, input));
            }
            Output::Storage(request) => {
                let mut pending = PendingEffect::new(Effect::Storage(request));
                let refused = pending.record_answer(Err(TaskError::failed("no storage")));
                refused
                    .into_iter()
                    .for_each(|input| execution.handle_input(now, input));
            }
            Output::StartChildExecution(child) => children.push(child),
            Output::StopChildExecution { id } => children.retain(|child| child.id != id),
            Output::Wait { until } => match (children.pop(), until) {
                (Some(child), _) => {
                    let id = child.id;
                    let child = Execution::start_child(program.clone(), *child, None);
                    let outcome = run(child, account, answers)?;
                    execution.handle_input(now, Input::ChildExecutionEnded { id, outcome });
                }
                (None, Some(until)) => {
                    now = now.max(until);
                    execution.handle_input(now, Input::TimePassed);
                }
                (None, None) => return None,
            },
            Output::CancelTask { .. } | Output::Event(_) => {}
        }
    }
}

/// Returns the indexes that a lint points out, by state, in an array of it.
fn pointed_out(subject: &Subject<'_>, lint: &crate::Lint, array: &str) -> HashSet<(String, usize)> {
    let mut found = crate::lint::LintFinding::default();
    (lint.look)(subject, &mut found);
    let found = found.into_diagnostics().into_iter().filter_map(|one| {
        let pointer = one.location.pointer().to_owned();
        let (state, index) = pointer.rsplit_once(&format!("/{array}/"))?;
        let name = state.rsplit('/').next()?;
        Some((name.to_owned(), index.parse().ok()?))
    });
    found.collect()
}

/// Fields that are evaluated whenever the state is left otherwise than by a catcher.
const CERTAIN: [&str; 11] = [
    "InputPath",
    "Parameters",
    "Arguments",
    "ResultSelector",
    "OutputPath",
    "Output",
    "Seconds",
    "SecondsPath",
    "Timestamp",
    "TimestampPath",
    "ItemsPath",
];

/// Returns true if a shape says that there may be a value.
fn holds(shape: &Shape, value: &Value) -> bool {
    let (may_be_array, may_be_object) = shape.may_be_array_or_object();
    match value {
        Value::Array(elements) => {
            let within = shape.elements();
            may_be_array && elements.iter().all(|element| holds(&within, element))
        }
        Value::Object(fields) => {
            let objects = shape.objects();
            let may_be = |(name, value): (&String, &Value)| {
                let object = objects.as_ref();
                object.is_none_or(|object| holds(&object.get(name), value))
            };
            may_be_object && fields.iter().all(may_be)
        }
        _ => shape.join(&Shape::scalar()) == *shape,
    }
}

fn error_names(definition: &Value) -> Vec<String> {
    let text = definition.to_string();
    let lists = text.split("\"ErrorEquals\":[").skip(1);
    let names = lists
        .filter_map(|rest| rest.split(']').next())
        .flat_map(|list| list.split(','));
    let mut names: Vec<String> = names
        .map(|name| name.trim_matches('"').to_owned())
        .filter(|name| !name.starts_with("States.") && !name.starts_with("Lambda."))
        .collect();
    names.extend(["Other", "States.TaskFailed", "States.Timeout"].map(str::to_owned));
    names
}

/// Reports on a definition.
struct Claims<'s, 'm> {
    subject: &'s Subject<'m>,
    flow: DataFlow<'s, 'm>,
    catchers: HashSet<(String, usize)>,
    retriers: HashSet<(String, usize)>,
    rules: HashSet<(String, usize)>,
    endless: Vec<String>,
}

impl<'s, 'm> Claims<'s, 'm> {
    fn of(subject: &'s Subject<'m>) -> Self {
        let mut flow = DataFlow::new(subject);
        flow.settle();
        let mut endless = crate::lint::LintFinding::default();
        (endless_loop::LINT.look)(subject, &mut endless);
        let endless = endless.into_diagnostics();
        let pointers = endless.iter().map(|one| one.location.pointer().to_owned());
        Self {
            subject,
            flow,
            catchers: pointed_out(subject, &catch_never_matches::LINT, "Catch"),
            retriers: pointed_out(subject, &shadowed_retrier::LINT, "Retry"),
            rules: pointed_out(subject, &shadowed_choice_rule::LINT, "Choices"),
            endless: pointers.collect(),
        }
    }

    fn dead_places(&self, state: usize) -> impl Iterator<Item = &[Segment]> {
        let of_state = findings(self.subject)
            .iter()
            .filter(move |one| one.state == state);
        of_state.flat_map(|one| one.dead_paths.iter().map(|dead| dead.place.as_slice()))
    }

    /// Returns true if a state is never left but by a catcher.
    fn fails(&self, state: usize) -> bool {
        let is_choice = matches!(self.subject.states[state].state.kind, StateKind::Choice(_));
        !is_choice
            && self.dead_places(state).any(|place| match place {
                [Segment::Field(name), ..] => CERTAIN.contains(&name.as_str()),
                _ => false,
            })
    }

    /// Returns true if a state is never left by a catcher.
    fn catcher_fails(&self, state: usize, catcher: usize) -> bool {
        self.dead_places(state).any(|place| match place {
            [Segment::Field(name), Segment::Index(index), ..] => {
                name == "Catch" && *index == catcher
            }
            _ => false,
        })
    }

    fn goes_over_no_array(&self, state: usize) -> bool {
        let mut found = findings(self.subject).iter();
        found.any(|one| one.state == state && one.no_array.is_some())
    }

    /// That an execution did not do otherwise.
    fn hold(
        &self,
        account: &[(String, u64, ObservedEvent)],
        succeeded: bool,
    ) -> Result<(), TestCaseError> {
        let states = self.subject.states.iter().enumerate();
        let numbers: HashMap<&str, usize> = states.map(|(number, it)| (it.name, number)).collect();
        let mut caught: HashMap<(&str, u64), usize> = HashMap::new();
        for (name, flow, told) in account {
            let (state, of_state) = (numbers[name.as_str()], (name.as_str(), *flow));
            let place = |index: &usize| (name.clone(), *index);
            match told {
                ObservedEvent::Attempt(input) => {
                    caught.remove(&of_state);
                    let shape = &self.flow.inputs[state];
                    prop_assert!(holds(shape, input), "{name}: {input} is no {shape:?}");
                    let is_endless = self.endless.contains(&format!("/States/{name}"));
                    prop_assert!(!(is_endless && succeeded), "{name} ends");
                }
                ObservedEvent::Retried(index) => {
                    prop_assert!(
                        !self.retriers.contains(&place(index)),
                        "{name} Retry[{index}]"
                    );
                }
                ObservedEvent::Caught(index) => {
                    caught.insert(of_state, *index);
                    prop_assert!(
                        !self.catchers.contains(&place(index)),
                        "{name} Catch[{index}]"
                    );
                }
                ObservedEvent::Chose(index) => {
                    prop_assert!(
                        !self.rules.contains(&place(index)),
                        "{name} Choices[{index}]"
                    );
                }
                ObservedEvent::Iterated => {
                    prop_assert!(
                        !self.goes_over_no_array(state),
                        "{name} goes over something"
                    );
                }
                ObservedEvent::Left => {
                    let fails = match caught.get(&of_state) {
                        Some(catcher) => self.catcher_fails(state, *catcher),
                        None => self.fails(state),
                    };
                    prop_assert!(!fails, "{name} is left");
                }
            }
        }
        Ok(())
    }
}

/// Answers of tasks: errors of these names, or values.
fn answers(names: Vec<String>, seed: u64) -> impl Iterator<Item = Result<Value, TaskError>> {
    let mut next = seed;
    std::iter::from_fn(move || {
        next = next
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let drawn = usize::try_from(next >> 40).ok()?;
        Some(match drawn % 3 {
            0 => Err(TaskError::without_cause(&names[drawn / 3 % names.len()])),
            1 => Ok(json!({"a": 1, "n": drawn % 5, "items": [1, 2]})),
            _ => Ok(json!([{"a": {"b": "c"}}])),
        })
    })
}

fn is_true_of_an_execution(
    definition: &Value,
    input: Value,
    seed: u64,
) -> Result<(), TestCaseError> {
    let options = Options::default();
    let (machine, _) = asl_model::parse_value(definition, options).unwrap();
    let shelf = crate::integrations::ServiceShelf::default();
    let subject = Subject::new(&machine, options, &shelf);
    let mut start = Start::new("execution", input, Timestamp::default());
    start.seed = Some(seed);
    start.limits.max_transitions = Some(60);
    start.limits.max_payload_bytes = Some(4_096);
    start.limits.max_data_depth = 40;
    start.limits.max_expression_steps = 5_000;
    let program = Program::compile(&machine).unwrap();
    let account = Account::default();
    let mut answers = answers(error_names(definition), seed);
    let outcome = run(Execution::start(program, start), &account, &mut answers);
    let succeeded = matches!(outcome, Some(Outcome::Succeeded(_)));
    let account = account.lock().unwrap();
    let held = Claims::of(&subject).hold(&account, succeeded);
    held.map_err(|fault| TestCaseError::fail(format!("{fault}\n{definition}")))
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 400, ..ProptestConfig::default() })]

    #[test]
    fn what_is_told_is_so(
        definition in strategies::definition(),
        input in strategies::generated(generate::input),
        seed in any::<u64>(),
    ) {
        is_true_of_an_execution(&definition, input, seed)?;
    }

    #[test]
    fn nothing_panics_on_what_is_left_of_a_definition(definition in strategies::broken_definition()) {
        let options = Options::default();
        if let Ok((machine, _)) = asl_model::parse_value(&definition, options) {
            crate::lint(&machine, options);
        }
    }
}

#[test]
fn what_is_deep_needs_no_deep_stack() {
    let mut within =
        json!({"StartAt": "L", "States": {"L": {"Type": "Pass", "InputPath": "$.x", "End": true}}});
    for number in 0..99 {
        let name = format!("P{number}");
        let state = json!({"Type": "Parallel", "Branches": [within], "End": true});
        within = json!({"StartAt": &name, "States": {name: state}});
    }
    let mut deep = json!(1);
    let mut template = json!({"a.$": "$.b"});
    let mut rule = json!({"Variable": "$.a", "IsNull": true});
    for _ in 0..400 {
        deep = json!({"a": deep});
        template = json!([template]);
        rule = json!({"Not": rule});
    }
    rule["Next"] = "B".into();
    let machine = json!({"StartAt": "A", "States": {
        "A": {"Type": "Pass", "Result": deep, "Next": "T"},
        "T": {"Type": "Pass", "Parameters": {"t": template}, "ResultPath": "$.t", "Next": "C"},
        "C": {"Type": "Choice", "Choices": [rule], "Default": "B"},
        "B": {"Type": "Succeed"},
    }});
    for definition in [within, machine] {
        let options = Options::default();
        let (machine, _) = asl_model::parse_value(&definition, options).unwrap();
        let small_stack = std::thread::Builder::new().stack_size(1 << 20);
        let lint = move || crate::lint(&machine, options).len();
        let found = small_stack.spawn(lint).unwrap().join().unwrap();
        assert_eq!(found, 0);
    }
}
