//! Accounts of executions: from a runtime, and from their histories.
use asl_engine::Program;
use asl_engine::runtime::{Clock, HistoryRecorder, Runtime, TaskHandlers};
use asl_model::{Options, StateMachine, Timestamp, parse_value};
use asl_trace::{Account, ChildHistory, DataRetention, Finding, History, Recorder, Step, replay};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};

fn machine(definition: &Value) -> StateMachine {
    parse_value(definition, Options::default()).unwrap().0
}

/// Returns the account of a run whose tasks fail as often as their input says, and its history.
async fn run(machine: &StateMachine, recorder: &Recorder, input: Value) -> (Account, History) {
    let failures = Arc::new(Mutex::new(0));
    let work = move |input: Value| {
        let mut failures = failures.lock().unwrap();
        *failures += 1;
        let fails = *failures <= input["failures"].as_u64().unwrap_or(0);
        let answer = match fails {
            true => Err(asl_engine::TaskError::failed("not yet")),
            false => Ok(json!("done")),
        };
        std::future::ready(answer)
    };
    let histories = Arc::new(HistoryRecorder::default());
    let runtime = Runtime::builder()
        .clock(Clock::virtual_from(Timestamp::from_milliseconds(0)))
        .handlers(TaskHandlers::new().on("work", work))
        .observer((recorder.clone(), Arc::clone(&histories)))
        .build();
    let program = Program::compile(machine).unwrap();
    let mut start = runtime.unnamed(input);
    start.limits = asl_engine::Limits::from_profile(machine.profile);
    let mut execution = runtime.start_execution(program, start).await;
    let ended = execution.ended().await;
    let events = histories.take(execution.id());
    let events: Vec<Value> = events
        .iter()
        .map(asl_engine::HistoryEvent::to_json)
        .collect();
    let history = History {
        events: json!({ "events": events }),
        ..History::default()
    };
    (recorder.take(execution.id(), &ended), history)
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    let tokio = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    tokio.unwrap().block_on(future)
}

/// Returns the kinds of a step's findings, without data.
fn kinds(step: &Step) -> Vec<String> {
    let kind = |found: &asl_trace::TimedFinding| {
        let json = serde_json::to_value(found).unwrap();
        let detail = ["field", "index", "matched", "retryCount"]
            .iter()
            .find_map(|it| json.get(it));
        let detail = detail.map(Value::to_string).unwrap_or_default();
        format!("{} {detail}", json["kind"].as_str().unwrap())
            .trim()
            .to_owned()
    };
    step.findings.iter().map(kind).collect()
}

const TASK: &str = "arn:aws:lambda:us-east-1:123456789012:function:work";

fn retried() -> StateMachine {
    let branch = json!({"StartAt": "Work", "States": {"Work": {"Type": "Task", "Resource": TASK, "End": true}}});
    machine(&json!({"StartAt": "Both", "States": {
        "Both": {"Type": "Parallel", "Branches": [branch], "Next": "Say",
            "Retry": [{"ErrorEquals": ["Other"]}, {"ErrorEquals": ["States.TaskFailed"], "MaxAttempts": 2}]},
        "Say": {"Type": "Pass", "QueryLanguage": "JSONata", "Output": "{% $states.context.Execution.Name %}", "End": true}}}))
}

#[test]
fn attempts_and_what_took_their_errors_are_told() {
    let machine = retried();
    let recorder = Recorder::new(&machine, DataRetention::Everything);
    let (account, _) = block_on(run(&machine, &recorder, json!({"failures": 1})));
    let both = &account.steps[0];
    let expected = [
        "error",
        "passedBy \"Retry\"",
        "retry 1",
        "attempt 1",
        "field \"Result\"",
    ];
    assert_eq!(kinds(both), expected);
    let strands: Vec<(u64, u64, bool)> = both
        .strands
        .iter()
        .map(|strand| {
            (
                strand.retry_count,
                strand.index,
                strand.steps[0].output.is_some(),
            )
        })
        .collect();
    assert_eq!(strands, [(0, 0, false), (1, 0, true)]);
    assert_eq!(both.next.as_deref(), Some("Say"));
    let (failed, _) = block_on(run(&machine, &recorder, json!({"failures": 9})));
    let told = kinds(&failed.steps[0]);
    assert_eq!(
        told[told.len() - 3..],
        ["error", "passedBy \"Retry\"", "exhausted 1"]
    );
    assert_eq!(failed.error.as_deref(), Some("States.TaskFailed"));
    assert!(failed.steps[0].failure().is_some());
}

#[test]
fn a_path_has_no_data() {
    let machine = retried();
    let recorder = Recorder::new(&machine, DataRetention::Path);
    let (account, _) = block_on(run(&machine, &recorder, json!({})));
    let names: Vec<&str> = account
        .steps
        .iter()
        .map(|step| step.state.as_str())
        .collect();
    assert_eq!(names, ["Both", "Say"]);
    assert!(
        account
            .steps
            .iter()
            .all(|step| step.findings.is_empty() && step.output.is_none())
    );
    assert_eq!(account.steps[0].strands[0].steps[0].state, "Work");
}

#[test]
fn listeners_are_told_before_and_after_with_what_holds_a_state() {
    let machine = retried();
    let told = Arc::new(Mutex::new(Vec::new()));
    let (before, after) = (Arc::clone(&told), Arc::clone(&told));
    let recorder = Recorder::new(&machine, DataRetention::Path)
        .on_entry(move |entry| {
            let line = format!(
                "{} in {} with {}",
                entry.state,
                entry.holders.len(),
                entry.input
            );
            before.lock().unwrap().push(line);
        })
        .on_step(move |holders, step| {
            let held = holders
                .first()
                .map(|holder| format!(" in {}[{}]", holder.state, holder.index));
            after
                .lock()
                .unwrap()
                .push(format!("{} left{}", step.state, held.unwrap_or_default()));
        });
    block_on(run(&machine, &recorder, json!({})));
    assert_eq!(
        *told.lock().unwrap(),
        [
            "Both in 0 with {}",
            "Work in 1 with {}",
            "Work left in Both[0]",
            "Both left",
            "Say in 0 with [\"done\"]",
            "Say left"
        ]
    );
}

#[test]
fn a_history_that_is_replayed_says_what_the_run_did() {
    let machine = machine(&json!({"StartAt": "Work", "States": {
        "Work": {"Type": "Task", "Resource": TASK, "ResultPath": "$.done", "Next": "Each",
            "Retry": [{"ErrorEquals": ["States.ALL"], "IntervalSeconds": 7}]},
        "Each": {"Type": "Map", "ItemsPath": "$.items", "ItemProcessor": {"StartAt": "I", "States": {"I": {"Type": "Pass", "End": true}}}, "Next": "Big"},
        "Big": {"Type": "Choice", "Choices": [{"Variable": "$[0]", "NumericGreaterThan": 1, "Next": "Done"},
            {"And": [{"Variable": "$[1]", "IsNumeric": true}, {"Variable": "$[1]", "NumericLessThan": 3}], "Next": "Done"}]},
        "Done": {"Type": "Succeed"}}}));
    let recorder = Recorder::new(&machine, DataRetention::Everything);
    let input = json!({"failures": 1, "items": [1, 2]});
    let (ran, history) = block_on(run(&machine, &recorder, input));
    let mut account = history.account(Some(&machine)).unwrap();
    replay(&mut account, &machine, &Program::compile(&machine).unwrap());
    assert_eq!(account.steps.len(), ran.steps.len());
    for (told, ran) in account.steps.iter().zip(&ran.steps) {
        assert_eq!(kinds(told), kinds(ran), "{}", told.state);
        assert_eq!(
            (&told.output, &told.next, told.left),
            (&ran.output, &ran.next, ran.left)
        );
    }
    assert_eq!(account.steps[2].findings, ran.steps[2].findings);
}

/// A Parallel State whose branch fails twice, so that its retriers take over, and a catcher or its output at last.
fn twice_retried(failures: u64) -> StateMachine {
    let branch = json!({"StartAt": "Work", "States": {"Work": {"Type": "Task", "Resource": TASK, "End": true}}});
    machine(&json!({"StartAt": "Both", "States": {
        "Both": {"Type": "Parallel", "Branches": [branch], "ResultSelector": {"all.$": "$"}, "ResultPath": "$.made",
            "Parameters": {"failures": failures}, "Next": "Done",
            "Retry": [{"ErrorEquals": ["Never"]}, {"ErrorEquals": ["States.ALL"], "IntervalSeconds": 3, "MaxAttempts": 2}],
            "Catch": [{"ErrorEquals": ["States.ALL"], "ResultPath": "$.error", "Next": "Done"}]},
        "Done": {"Type": "Succeed"}}}))
}

#[test]
fn each_attempt_of_a_state_with_branches_is_replayed() {
    for failures in [1, 2, 5] {
        let machine = twice_retried(failures);
        let recorder = Recorder::new(&machine, DataRetention::Everything);
        let (ran, history) = block_on(run(&machine, &recorder, json!({"a": 1})));
        let mut account = history.account(Some(&machine)).unwrap();
        replay(&mut account, &machine, &Program::compile(&machine).unwrap());
        let (told, ran) = (&account.steps[0], &ran.steps[0]);
        assert_eq!(kinds(told), kinds(ran), "{failures} failures");
        assert_eq!((&told.output, &told.next), (&ran.output, &ran.next));
        let retry = |step: &Step| {
            let mut findings = step.findings.iter().map(|found| &found.finding);
            findings
                .rfind(|it| matches!(it, Finding::Retry { .. }))
                .cloned()
        };
        assert_eq!(retry(told), retry(ran), "{failures} failures");
    }
}

#[test]
fn a_distributed_map_is_replayed_where_its_children_are_known() {
    let each = json!({"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"}, "StartAt": "I",
        "States": {"I": {"Type": "Pass", "End": true}}});
    let machine = machine(
        &json!({"StartAt": "Each", "States": {"Each": {"Type": "Map", "ItemsPath": "$.items",
        "ItemSelector": {"n.$": "$$.Map.Item.Value"}, "ResultSelector": {"all.$": "$"}, "ItemProcessor": each, "End": true}}}),
    );
    let recorder = Recorder::new(&machine, DataRetention::Everything);
    let (ran, history) = block_on(run(&machine, &recorder, json!({"items": [1, 2]})));
    let program = Program::compile(&machine).unwrap();
    let mut alone = history.account(Some(&machine)).unwrap();
    replay(&mut alone, &machine, &program);
    let selects = |account: &Account| {
        let mut kinds = kinds(&account.steps[0]).into_iter();
        kinds.any(|kind| kind.contains("ResultSelector"))
    };
    assert!(!selects(&alone));
    let child = |index: u64| {
        let strand = &ran.steps[0].strands[index as usize].steps[0];
        let state = |name: &str, value: Option<&Arc<Value>>| json!({"name": "I", name: value.unwrap().to_string()});
        ChildHistory {
            state: "Each".to_owned(),
            map_run: 0,
            index,
            history: History {
                events: json!({"events": [
                    {"id": 1, "previousEventId": 0, "timestamp": 0, "type": "PassStateEntered", "stateEnteredEventDetails": state("input", Some(&strand.input))},
                    {"id": 2, "previousEventId": 1, "timestamp": 0, "type": "PassStateExited", "stateExitedEventDetails": state("output", strand.output.as_ref())},
                    {"id": 3, "previousEventId": 2, "timestamp": 0, "type": "ExecutionSucceeded", "executionSucceededEventDetails": {"output": "{}"}}]}),
                ..History::default()
            },
        }
    };
    let with_children = |children: Vec<ChildHistory>| {
        let history = History {
            children,
            ..history.clone()
        };
        let mut account = history.account(Some(&machine)).unwrap();
        replay(&mut account, &machine, &program);
        account
    };
    let whole = with_children(vec![child(0), child(1)]);
    assert!(selects(&whole), "{:?}", kinds(&whole.steps[0]));
    // A child that is not known is no fault of the definition.
    let partly = with_children(vec![child(0)]);
    assert_eq!((selects(&partly), remarks(&partly)), (false, 0));
}

fn remarks(account: &Account) -> usize {
    let findings = account.steps.iter().flat_map(|step| &step.findings);
    findings
        .filter(|found| matches!(found.finding, Finding::Remark { .. }))
        .count()
}

#[test]
fn what_no_history_holds_is_not_held_against_the_definition() {
    let machine = retried();
    let recorder = Recorder::new(&machine, DataRetention::Everything);
    let (_, history) = block_on(run(&machine, &recorder, json!({})));
    let mut account = history.account(None).unwrap();
    replay(&mut account, &machine, &Program::compile(&machine).unwrap());
    assert_eq!(remarks(&account), 0);
    let other =
        json!({"StartAt": "Say", "States": {"Say": {"Type": "Pass", "Result": 1, "End": true}}});
    let other = self::machine(&other);
    replay(&mut account, &other, &Program::compile(&other).unwrap());
    assert_eq!(remarks(&account), 1);
}

#[test]
fn children_stand_in_the_map_run_that_they_were_of() {
    let event = |id: u64, kind: &str, details: Value| {
        let mut event = json!({"id": id, "previousEventId": id - 1, "timestamp": 0, "type": kind});
        if let Some((name, value)) = details.as_object().and_then(|it| it.iter().next()) {
            event[name] = value.clone();
        }
        event
    };
    let each = json!({"stateEnteredEventDetails": {"name": "Each", "input": "[1]"}});
    let left = json!({"stateExitedEventDetails": {"name": "Each", "output": "[]"}});
    let map_run = |from: u64| {
        [
            event(from, "MapStateEntered", each.clone()),
            event(
                from + 1,
                "MapStateStarted",
                json!({"mapStateStartedEventDetails": {"length": 0}}),
            ),
            event(from + 2, "MapRunStarted", json!({})),
            event(from + 3, "MapRunSucceeded", json!({})),
            event(from + 4, "MapStateExited", left.clone()),
        ]
    };
    let child = |map_run: usize, state: &str| ChildHistory {
        state: "Each".to_owned(),
        map_run,
        index: 4,
        history: History {
            events: json!({"events": [event(1, "PassStateEntered", json!({"stateEnteredEventDetails": {"name": state, "input": "1"}}))]}),
            ..History::default()
        },
    };
    let history = History {
        events: json!({"events": Value::from([map_run(1), map_run(6)].concat())}),
        children: vec![child(1, "Second"), child(0, "First")],
    };
    let account = history.account(None).unwrap();
    let inner = |step: &Step| {
        (
            step.findings.len(),
            step.strands[0].index,
            step.strands[0].steps[0].state.clone(),
        )
    };
    assert_eq!(inner(&account.steps[0]), (0, 4, "First".to_owned()));
    assert_eq!(inner(&account.steps[1]), (0, 4, "Second".to_owned()));
}

#[test]
fn children_stand_in_the_iteration_whose_map_started_them() {
    let inner = json!({"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"}, "StartAt": "Leaf",
        "States": {"Leaf": {"Type": "Wait", "Seconds": 1, "End": true}}});
    let outer = json!({"StartAt": "Inner", "States": {"Inner": {"Type": "Map", "ItemProcessor": inner, "End": true}}});
    let machine = machine(&json!({"StartAt": "Outer", "States": {
        "Outer": {"Type": "Map", "ItemsPath": "$.rows", "ItemProcessor": outer, "End": true}}}));
    let recorder = Recorder::new(&machine, DataRetention::Everything);
    let (account, _) = block_on(run(
        &machine,
        &recorder,
        json!({"rows": [["a"], ["b", "c"]]}),
    ));
    let leaves = |row: usize| {
        let inner = &account.steps[0].strands[row].steps[0];
        let inputs = inner
            .strands
            .iter()
            .map(|child| (*child.steps[0].input).clone());
        inputs.collect::<Vec<Value>>()
    };
    assert_eq!(
        [leaves(0), leaves(1)],
        [vec![json!("a")], vec![json!("b"), json!("c")]]
    );
}

#[test]
fn many_iterations_at_a_time_are_told_in_linear_time() {
    let each = json!({"StartAt": "Wait", "States": {"Wait": {"Type": "Wait", "Seconds": 1, "Next": "Last"}, "Last": {"Type": "Succeed"}}});
    let definition = json!({"StartAt": "Each", "States": {"Each": {"Type": "Map", "ItemsPath": "$.items", "ItemProcessor": each, "End": true}}});
    let options = Options::default().with_profile(asl_model::Profile::Spec);
    let (machine, _) = parse_value(&definition, options).unwrap();
    let recorder = Recorder::new(&machine, DataRetention::Path);
    let begin = std::time::Instant::now();
    let items: Vec<u32> = (0..20_000).collect();
    let (account, _) = block_on(run(&machine, &recorder, json!({ "items": items })));
    assert_eq!(
        account.steps[0].strands.len(),
        20_000,
        "{:?}",
        account.cause
    );
    assert!(
        begin.elapsed() < std::time::Duration::from_secs(60),
        "{:?}",
        begin.elapsed()
    );
}
