//! Turns: what ends one, what is abandoned, and that neither changes what an execution does.
use crate::case::start_time;
use crate::host::{Happening, Host, happenings};
use crate::invariants::{Setting, setting};
use asl_engine::{Execution, Input, JournalRecord, Outcome, Program, Start, Step, TurnLimits};
use asl_model::{Options, Profile, ResourceNames};
use proptest::prelude::*;
use serde_json::{Value, json};

fn program(definition: &Value) -> Program {
    let options = Options::default().with_resources(ResourceNames::Any);
    let (machine, _) = asl_model::parse_value(definition, options).expect("valid");
    Program::compile(&machine).expect("it compiles")
}

fn begin(definition: &Value, input: Value) -> Execution {
    Execution::start(program(definition), Start::new("e", input, start_time()))
}

fn limits(cost: u64, evaluation_steps: Option<u64>) -> TurnLimits {
    TurnLimits {
        cost,
        evaluation_steps,
    }
}

/// Returns all that an execution is, but for what is left of its turn.
fn state(execution: &Execution) -> Value {
    let mut save = serde_json::to_value(execution.save()).expect("a save can be written");
    save["machine"]["budget"] = Value::Null;
    save
}

fn run(setting: &Setting, happenings: &[Happening], evaluation_steps: u64) -> Host {
    let execution = Execution::start(setting.program(), setting.start.clone());
    let mut host = Host::with_slices(execution, evaluation_steps);
    for happening in happenings {
        host.perform(happening);
    }
    host.go_on();
    host
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, max_shrink_iters: 400, ..ProptestConfig::default() })]

    /// Inputs come between an attempt that was abandoned and the next, too.
    #[test]
    fn a_journal_of_abandoned_attempts_replays_without_them(
        setting in setting(),
        happenings in happenings(),
        evaluation_steps in prop_oneof![0..12_u64, 0..400_u64],
    ) {
        let mut host = run(&setting, &happenings, evaluation_steps);
        let kept = serde_json::to_string(&host.journal)?;
        let journal: Vec<JournalRecord> = serde_json::from_str(&kept)?;
        let mut replayed = Execution::replay(setting.program(), setting.start.clone(), journal)
            .expect("the journal is of this execution");
        host.go_on();
        let now = replayed.now();
        while replayed.has_yielded() {
            let _step = replayed.step(now, None);
        }
        prop_assert_eq!(state(&replayed), state(&host.execution));
    }
}

/// A loop whose expression takes about so many steps.
fn computing(items: u32) -> Value {
    json!({"QueryLanguage": "JSONata", "StartAt": "Compute", "States": {
        "Compute": {"Type": "Pass", "Output": format!("{{% {{'n': $states.input.n + 1, 'random': $random(), 'sum': $sum($map([1..{items}], function($i) {{ $i * 2 }}))}} %}}"), "Next": "Again"},
        "Again": {"Type": "Choice", "Choices": [{"Condition": "{% $states.input.n < 3 %}", "Next": "Compute"}], "Default": "End"},
        "End": {"Type": "Succeed"}}})
}

fn outcome(mut step: Step, execution: &mut Execution) -> Outcome {
    while step.yielded {
        step = execution.step(execution.now(), None);
    }
    step.outcome.expect("it ends")
}

#[test]
fn what_takes_many_steps_is_abandoned_and_comes_to_the_same() {
    let mut usual = begin(&computing(1_000), json!({"n": 0}));
    let step = usual.step(start_time(), None);
    let expected = outcome(step, &mut usual);

    let mut execution = begin(&computing(1_000), json!({"n": 0}));
    let mut abandoned = 0;
    execution.limit_turns(limits(10_000, Some(100)));
    let mut step = execution.step(start_time(), None);
    while step.outcome.is_none() {
        assert!(step.yielded);
        let before = execution.transitions();
        if step.abandoned {
            abandoned += 1;
            // Nothing else has happened.
            execution.limit_turns(limits(1, None));
        } else {
            execution.limit_turns(limits(10_000, Some(100)));
        }
        step = execution.step(start_time(), None);
        assert!(!step.abandoned || execution.transitions() > before || abandoned == 0);
    }
    assert_eq!(abandoned, 3);
    assert_eq!(step.outcome, Some(expected));
    assert_eq!(execution.transitions(), usual.transitions());
    assert_eq!(execution.fingerprint(), usual.fingerprint());
}

#[test]
fn what_fails_for_many_steps_is_no_failure() {
    let state = json!({"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke", "QueryLanguage": "JSONata",
        "Arguments": {"FunctionName": "F", "Payload": "{% $sum([1..1000]) %}"},
        "Catch": [{"ErrorEquals": ["States.ALL"], "Next": "Caught"}], "End": true});
    let machine = json!({"StartAt": "Task", "States": {"Task": state, "Caught": {"Type": "Fail"}}});
    let mut execution = begin(&machine, json!({}));
    execution.limit_turns(limits(10_000, Some(10)));
    let step = execution.step(start_time(), None);
    assert!(step.abandoned && step.yielded && step.effects.is_empty());
    execution.limit_turns(limits(10_000, None));
    let step = execution.step(start_time(), None);
    assert_eq!(step.effects.len(), 1);
}

/// The event of a failed evaluation is the last that the history may have; catching the failure would take many steps.
#[test]
fn the_end_of_an_execution_is_not_undone() {
    let state = json!({"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke", "QueryLanguage": "JSONata",
        "Arguments": {"FunctionName": "F", "Payload": "{% 1 + 'a' %}"},
        "Catch": [{"ErrorEquals": ["States.ALL"], "Output": "{% $sum([1..1000]) %}", "Next": "Caught"}], "End": true});
    let machine = json!({"StartAt": "Task", "States": {"Task": state, "Caught": {"Type": "Fail"}}});
    for max_history_events in 1..8 {
        let events = |evaluation_steps| {
            let mut start = Start::new("e", json!({}), start_time());
            start.limits.max_history_events = Some(max_history_events);
            let mut execution = Execution::start(program(&machine), start);
            execution.record_history(true);
            let mut events = Vec::new();
            let mut steps = evaluation_steps;
            loop {
                execution.limit_turns(limits(10_000, steps));
                let step = execution.step(start_time(), None);
                events.extend(step.events.iter().map(|event| event.to_json().to_string()));
                steps = evaluation_steps.filter(|_| !step.abandoned);
                if !step.yielded {
                    assert!(step.outcome.is_some());
                    return (events, execution.fingerprint());
                }
            }
        };
        assert_eq!(
            events(Some(10)),
            events(None),
            "{max_history_events} events"
        );
    }
}

/// After a long sleep, a flow that was due before the deadline of the execution runs first, however long its turns are.
#[test]
fn what_was_due_before_the_deadline_runs_in_one_turn_or_in_several() {
    let wait =
        json!({"Type": "Wait", "Seconds": 1, "Output": "{% $sum([1..1000]) %}", "Next": "Again"});
    let machine = json!({"QueryLanguage": "JSONata", "StartAt": "Wait", "States": {
        "Wait": wait, "Again": {"Type": "Wait", "Seconds": 1, "End": true}}});
    let late = start_time().plus_seconds(500 * 24 * 3_600);
    let events = |cost: u64, evaluation_steps| {
        let mut start = Start::new("e", json!({}), start_time());
        start.record_history = true;
        let mut execution = Execution::start(program(&machine), start);
        let _step = execution.step(start_time(), None);
        execution.limit_turns(limits(cost, evaluation_steps));
        let mut step = execution.step(late, Some(Input::TimePassed));
        let mut events = std::mem::take(&mut step.events);
        while step.yielded {
            execution.limit_turns(limits(cost, evaluation_steps.filter(|_| !step.abandoned)));
            step = execution.step(late, None);
            events.append(&mut step.events);
        }
        assert_eq!(step.outcome, Some(Outcome::TimedOut));
        let left = events
            .iter()
            .filter(|event| event.event_type() == "WaitStateExited");
        assert_eq!(left.count(), 1);
        events
    };
    let expected = events(10_000, None);
    assert_eq!(events(10_000, Some(10)), expected);
    assert_eq!(events(1, None), expected);
}

#[test]
fn a_turn_ends_by_what_it_costs() {
    let steps_of = |definition: &Value, cost: u64| {
        let mut execution = begin(definition, json!({"n": 0}));
        execution.limit_turns(limits(cost, None));
        let (mut step, mut count) = (execution.step(start_time(), None), 1);
        while step.yielded {
            step = execution.step(start_time(), None);
            count += 1;
        }
        count
    };
    assert_eq!(steps_of(&computing(1), 1_000), 1);
    // Each evaluation alone costs more.
    assert_eq!(steps_of(&computing(10_000), 1_000), 4);
}

#[test]
fn with_no_turn_at_all_inputs_are_only_taken_in() {
    let task = json!({"Type": "Task", "Resource": "arn:aws:states:us-east-1:111111111111:activity:A", "Next": "End"});
    let machine = json!({"StartAt": "Task", "States": {"Task": task, "End": {"Type": "Succeed"}}});
    let mut execution = begin(&machine, json!({}));
    let step = execution.step(start_time(), None);
    let id = step.effects[0].id();
    execution.limit_turns(limits(0, None));
    let transitions = execution.transitions();
    let answer = Input::TaskSucceeded {
        id,
        output: json!(1).into(),
    };
    let step = execution.step(start_time(), Some(answer));
    assert!(step.yielded && execution.awaits(id).is_none());
    assert_eq!(execution.transitions(), transitions);
    execution.limit_turns(limits(100, None));
    let step = execution.step(start_time(), None);
    assert_eq!(step.outcome, Some(Outcome::Succeeded(json!(1).into())));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, max_shrink_iters: 400, ..ProptestConfig::default() })]

    /// 2024 specification, Top-level fields: TimeoutSeconds. Whatever an execution computes or waits for, the first slice after
    /// that time ends it.
    #[test]
    fn no_execution_outlives_its_timeout_by_more_than_a_slice(
        setting in setting(),
        seconds in 1..4_u64,
        slice in 1..2_000_u64,
        cost in 1..40_u64,
        is_endless in any::<bool>(),
    ) {
        let mut setting = setting;
        setting.definition["TimeoutSeconds"] = seconds.into();
        if is_endless {
            make_endless(&mut setting.definition);
        }
        let start = setting.start.now;
        let deadline = start.plus_seconds(seconds);
        let mut execution = Execution::start(setting.program(), setting.start.clone());
        execution.limit_turns(limits(cost, None));
        let mut now = start;
        let mut step = execution.step(now, None);
        while step.outcome.is_none() {
            prop_assert!(now < deadline, "it runs {:?} after its time", now.duration_since(deadline));
            // What waits sleeps until it is woken; what computes gets a slice after the other.
            now = match (step.yielded, step.wake) {
                (true, _) => now.plus_nanoseconds(slice * 1_000_000),
                (false, Some(wake)) => now.max(wake),
                (false, None) => deadline,
            };
            step = execution.step(now, Some(Input::TimePassed));
        }
    }
}

/// Lets each state that ends its machine go back to the first one.
fn make_endless(definition: &mut Value) {
    let start = definition["StartAt"].clone();
    let states = definition["States"].as_object_mut().expect("states");
    let mut ends = 0;
    for state in states.values_mut() {
        let fields = state.as_object_mut().expect("a state");
        if fields.remove("End").is_some() {
            fields.insert("Next".to_owned(), "Again".into());
            ends += 1;
        }
    }
    if ends == 0 {
        return;
    }
    let again = json!({"Type": "Choice", "QueryLanguage": "JSONata",
        "Choices": [{"Condition": "{% true %}", "Next": start}], "Default": "Done"});
    states.insert("Again".to_owned(), again);
    states.insert("Done".to_owned(), json!({"Type": "Succeed"}));
}

/// 2024 specification, Top-level fields: TimeoutSeconds, also of an execution that never waits.
#[test]
fn an_execution_that_computes_times_out_when_it_is_told_of_the_time() {
    let machine = json!({"StartAt": "Loop", "TimeoutSeconds": 2, "States": {
        "Loop": {"Type": "Pass", "Next": "Again"},
        "Again": {"Type": "Choice", "Choices": [{"Variable": "$$.Execution.Name", "IsPresent": true, "Next": "Loop"}], "Default": "End"},
        "End": {"Type": "Succeed"}}});
    let mut start = Start::new("e", json!({}), start_time());
    start.limits = asl_engine::Limits::from_profile(Profile::Spec);
    let mut execution = Execution::start(program(&machine), start);
    assert!(execution.step(start_time(), None).yielded);
    let mut journal = Vec::new();
    for seconds in 0..2 {
        let now = start_time().plus_seconds(seconds);
        journal.push(execution.journal(now, Input::TimePassed));
        let step = execution.step(now, Some(Input::TimePassed));
        assert!(step.yielded);
    }
    let now = start_time().plus_seconds(2);
    journal.push(execution.journal(now, Input::TimePassed));
    let step = execution.step(now, Some(Input::TimePassed));
    assert_eq!(step.outcome, Some(Outcome::TimedOut));
    let replayed = Execution::replay(
        execution.program(),
        execution.start_parameters().clone(),
        journal,
    );
    let replayed = replayed.expect("its journal");
    assert_eq!(state(&replayed), state(&execution));
}

#[test]
fn all_fields_of_a_state_share_a_bound() {
    let sum = "{% $sum([1..1000]) %}";
    let fields: Value = (0..40)
        .map(|n| (format!("f{n}"), json!(sum)))
        .collect::<serde_json::Map<_, _>>()
        .into();
    let machine = json!({"QueryLanguage": "JSONata", "StartAt": "P", "States": {"P": {"Type": "Pass", "Output": fields, "End": true}}});
    let outcome_with = |max_state_steps| {
        let mut start = Start::new("e", json!({}), start_time());
        start.limits.max_expression_steps = 10_000;
        start.limits.max_state_steps = max_state_steps;
        let mut execution = Execution::start(program(&machine), start);
        let step = execution.step(start_time(), None);
        outcome(step, &mut execution)
    };
    assert!(matches!(outcome_with(1_000_000), Outcome::Succeeded(_)));
    let Outcome::Failed(error) = outcome_with(20_000) else {
        panic!("it takes too many steps")
    };
    assert_eq!(error.error.as_deref(), Some("States.QueryEvaluationError"));
}
