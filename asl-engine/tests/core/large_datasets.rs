//! Datasets whose items weigh too much to be held: counted first, and read again while children run.
use crate::case::{Case, Run, fail, ok, restored, with_fields};
use asl_engine::{
    Effect, EffectId, ErrorOutput, Execution, Input, ObjectPart, Outcome, PartStart,
    StorageOperation, StorageResult,
};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::sync::Arc;

/// Bytes of a part.
const PART: usize = 40;

fn lines(count: usize) -> String {
    (0..count).map(|n| format!("{{\"n\": {n}}}\n")).collect()
}

fn parts(text: &str) -> Vec<StorageResult> {
    let chunks = text.as_bytes().chunks(PART);
    let part = |bytes: &[u8]| {
        StorageResult::Part(ObjectPart {
            bytes: bytes.to_vec(),
            size: text.len() as u64,
            etag: Some("\"e\"".to_owned()),
        })
    };
    chunks.map(part).collect()
}

/// Returns a Map over a file of JSON lines, of which nothing is held.
fn map_over(processor: Value, fields: Value) -> Case {
    let reader = json!({"Resource": "arn:aws:states:::s3:getObject", "ReaderConfig": {"InputType": "JSONL"},
        "Parameters": {"Bucket": "bucket", "Key": "k"}});
    let mut map =
        json!({"Type": "Map", "ItemReader": reader, "ItemProcessor": processor, "End": true});
    map["ItemProcessor"]["ProcessorConfig"] =
        json!({"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"});
    Case::of_state(with_fields(map, &fields))
        .input(json!({"key": "k"}))
        .limits(|limits| limits.max_held_items_bytes = Some(0))
}

fn pass() -> Value {
    json!({"StartAt": "Item", "States": {"Item": {"Type": "Pass", "End": true}}})
}

fn task() -> Value {
    let task = json!({"Type": "Task", "Resource": "arn:aws:states:::sns:publish", "End": true});
    json!({"StartAt": "Item", "States": {"Item": task}})
}

/// The same file, twice.
fn stored_twice(case: Case, text: &str) -> Case {
    let all = parts(text).into_iter().chain(parts(text));
    all.fold(case, Case::stored)
}

fn offsets(run: &Run) -> Vec<Option<PartStart>> {
    let requests = run.storage_requests.iter();
    let offsets = requests.filter_map(|request| match &request.operation {
        StorageOperation::GetObject { from, .. } => Some(from.clone()),
        _ => None,
    });
    offsets.collect()
}

#[test]
fn items_of_all_parts_are_children_in_their_order() {
    let text = lines(20);
    let case = map_over(pass(), json!({"MaxConcurrency": 3}));
    let expected: Vec<Value> = (0..20).map(|n| json!({ "n": n })).collect();
    let run = stored_twice(case, &text).run().succeeds(json!(expected));
    let at = |offset: usize| {
        Some(PartStart {
            offset: offset as u64,
            etag: Some("\"e\"".to_owned()),
        })
    };
    let count = text.len().div_ceil(PART);
    let first = [None].into_iter().chain((1..count).map(|n| at(n * PART)));
    let second = (0..count).map(|n| at(n * PART));
    assert_eq!(offsets(&run), first.chain(second).collect::<Vec<_>>());
}

#[test]
fn the_context_object_knows_items_that_are_no_longer_held() {
    let child = json!({"StartAt": "Item", "States": {"Item": {"Type": "Pass", "End": true,
        "Parameters": {"index.$": "$$.Map.Item.Index", "n.$": "$$.Map.Item.Value.n"}}}});
    let case = map_over(
        child,
        json!({"ItemSelector": {"in.$": "$$.Map.Item.Value.n"}}),
    );
    let expected: Vec<Value> = (0..9).map(|n| json!({"index": n, "n": n})).collect();
    stored_twice(case, &lines(9))
        .run()
        .succeeds(json!(expected));
}

#[test]
fn batches_go_on_from_part_to_part() {
    let fields = json!({"ItemBatcher": {"MaxItemsPerBatch": 7, "BatchInput": {"b": 1}},
        "ItemSelector": {"m.$": "$$.Map.Item.Value.n"}});
    let items: Vec<Value> = (0..20).map(|n| json!({ "m": n })).collect();
    let expected: Vec<Value> = items
        .chunks(7)
        .map(|items| json!({"BatchInput": {"b": 1}, "Items": items}))
        .collect();
    let case = map_over(pass(), fields);
    let run = stored_twice(case, &lines(20)).run();
    run.succeeds(json!(expected));
}

#[test]
fn failures_are_compared_with_all_items() {
    let text = lines(20);
    let case = || {
        let fields = json!({"ToleratedFailurePercentage": 10, "MaxConcurrency": 1});
        map_over(task(), fields)
    };
    let failing = |failed: usize, succeeded: usize| {
        let case = (0..failed).fold(case(), |case, _| case.task("Item", fail("E", "no")));
        let case = (0..succeeded).fold(case, |case, n| case.task("Item", ok(json!(n))));
        stored_twice(case, &text)
    };
    let outputs: Vec<usize> = (0..18).collect();
    let run = failing(2, 18).run().succeeds(json!(outputs));
    assert_eq!(run.children.len(), 20);
    let first = parts(&text)
        .into_iter()
        .chain(parts(&text).into_iter().take(1));
    let case = (0..3).fold(case(), |case, _| case.task("Item", fail("E", "no")));
    let run = first.fold(case, Case::stored).run();
    let run = run.fails_with("States.ExceedToleratedFailureThreshold");
    assert_eq!(run.children.len(), 3);
}

#[test]
fn a_fault_of_the_file_is_found_before_a_child_starts() {
    let text = format!("{}x\n", lines(20));
    let case = parts(&text)
        .into_iter()
        .fold(map_over(pass(), json!({})), Case::stored);
    let cause = "s3://bucket/k: line 21 is not JSON: expected a value, found 'x' at column 1";
    let run = case.run().fails("States.ItemReaderFailed", cause);
    assert_eq!(run.children.len(), 0);
}

#[test]
fn a_store_that_fails_later_stops_the_children() {
    let text = lines(20);
    let reading_ahead =
        map_over(task(), json!({})).limits(|limits| limits.max_held_items_bytes = Some(2_000));
    let first = parts(&text).into_iter().fold(reading_ahead, Case::stored);
    let case = first.stored(parts(&text).remove(0)).storage_fails("gone");
    let case = (0..4).fold(case, |case, n| case.task("Item", ok(json!(n)).after(5)));
    let run = case.run().fails("States.ItemReaderFailed", "gone");
    assert!(
        run.trace.iter().any(|output| output.contains("stop")),
        "{:?}",
        run.trace
    );
}

#[test]
fn a_dataset_with_other_items_the_second_time_is_refused() {
    let (first, second) = (lines(20), lines(19) + "        \n");
    assert_eq!(first.len(), second.len() + 1);
    let all = parts(&first).into_iter().chain(parts(&second));
    let run = all.fold(map_over(pass(), json!({})), Case::stored).run();
    run.fails(
        "States.ItemReaderFailed",
        "the dataset changed while it was read: expected 20 items, found 19",
    );
}

/// Answers all effects until there are none: the object store gives the file, and children give their inputs, or fail.
fn answer_all(
    execution: &mut Execution,
    text: &str,
    children: &mut Vec<Value>,
    fails: impl Fn(&Value) -> bool,
) -> Outcome {
    let now = execution.now();
    let pending = execution.pending().map(|pending| pending.effect);
    let mut open: VecDeque<Effect> = pending.collect();
    let mut step = execution.step(now, None);
    loop {
        open.extend(step.effects);
        if let Some(outcome) = step.outcome {
            return outcome;
        }
        let answer = open.pop_front().map(|effect| match effect {
            Effect::Storage(request) => {
                let StorageOperation::GetObject { from, .. } = request.operation else {
                    panic!("nothing else is requested");
                };
                let part = from.map_or(0, |from| from.offset as usize) / PART;
                let result = parts(text).remove(part);
                Input::StorageSucceeded {
                    id: request.id,
                    result,
                }
            }
            Effect::Child(child) => {
                let input = child.start.input.clone();
                children.push(input.as_ref().clone());
                let outcome = match fails(&input) {
                    true => Outcome::Failed(ErrorOutput::without_cause("E")),
                    false => Outcome::Succeeded(input),
                };
                Input::ChildExecutionEnded {
                    id: child.id,
                    outcome,
                }
            }
            other => panic!("{other:?}"),
        });
        step = execution.step(now, answer);
    }
}

/// Returns whether items are requested, and the number of children that run.
fn under_way(execution: &Execution) -> (bool, usize) {
    let pending: Vec<Effect> = execution.pending().map(|it| it.effect).collect();
    let reads = pending.iter().any(|it| matches!(it, Effect::Storage(_)));
    let children = pending.iter().filter(|it| matches!(it, Effect::Child(_)));
    (reads, children.count())
}

#[test]
fn no_more_items_are_read_while_running_children_hold_enough() {
    let text = lines(12);
    let case = map_over(pass(), json!({})).limits(|limits| limits.max_held_items_bytes = Some(500));
    let program = case.program();
    let mut execution = Execution::start(Arc::clone(&program), case.start());
    let now = execution.now();
    let _first = execution.step(now, None);
    let readings = parts(&text).len();
    for part in parts(&text)
        .into_iter()
        .chain(parts(&text).into_iter().take(1))
    {
        let id = execution.pending().next().expect("a request").effect.id();
        let input = Input::StorageSucceeded { id, result: part };
        let _step = execution.step(now, Some(input));
        execution = restored(&execution, &program);
    }
    assert!(readings > 2);
    let (mut reads, mut children) = under_way(&execution);
    assert_eq!((reads, children), (false, 4));
    while !reads {
        let child = execution.pending().next().expect("a child").effect.id();
        let outcome = Outcome::Succeeded(json!(1).into());
        let ended = Input::ChildExecutionEnded { id: child, outcome };
        let _step = execution.step(now, Some(ended));
        (reads, children) = under_way(&execution);
    }
    assert_eq!(children, 2);
}

#[test]
fn a_redrive_runs_what_failed_and_reads_the_rest() {
    let text = lines(12);
    let case = map_over(pass(), json!({"MaxConcurrency": 1}));
    let program = case.program();
    let mut execution = Execution::start(Arc::clone(&program), case.start());
    let mut children = Vec::new();
    let item = |n: usize| json!({ "n": n });
    let failed = answer_all(&mut execution, &text, &mut children, |input| {
        *input == item(5)
    });
    assert!(matches!(failed, Outcome::Failed(_)));
    assert_eq!(children, (0..6).map(item).collect::<Vec<_>>());

    let mut redriven = restored(&execution, &program);
    let step = redriven.step(redriven.now(), Some(Input::Redrive));
    let pending: Vec<_> = step.effects.iter().map(Effect::id).collect();
    let known: Vec<_> = redriven.pending().map(|it| it.effect.id()).collect();
    assert_eq!(pending, known);
    let mut redriven = restored(&redriven, &program);
    children.clear();
    let outcome = answer_all(&mut redriven, &text, &mut children, |_| false);
    assert_eq!(children, (5..12).map(item).collect::<Vec<_>>());
    let outputs: Vec<Value> = (0..12).map(item).collect();
    assert_eq!(outcome, Outcome::Succeeded(json!(outputs).into()));
}

#[test]
fn a_late_answer_of_another_effect_changes_nothing() {
    let case = map_over(pass(), json!({})).at(
        0,
        Input::ChildExecutionEnded {
            id: EffectId(0),
            outcome: Outcome::TimedOut,
        },
    );
    let expected: Vec<Value> = (0..5).map(|n| json!({ "n": n })).collect();
    stored_twice(case, &lines(5))
        .run()
        .succeeds(json!(expected));
}
