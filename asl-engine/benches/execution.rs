//! Transitions, steps with a task, saves, and the runtime, each compared with plain code.
use asl_engine::runtime::{Runtime, TaskHandlers};
use asl_engine::{Effect, Execution, Input, Program, SavedExecution, Start, Timestamp, drive};
use criterion::{Criterion, criterion_group, criterion_main};
use serde_json::{Value, json};
use std::hint::black_box;

const NOW: Timestamp = Timestamp::from_milliseconds(0);
const STATES: usize = 100;

fn program(definition: &Value) -> Program {
    Program::parse(&definition.to_string()).expect("the definition is valid")
}

/// States in a row.
fn chain(state: impl Fn(usize) -> Value) -> Program {
    let states = (0..STATES).map(|index| {
        let mut state = state(index);
        match index + 1 < STATES {
            true => state["Next"] = format!("S{}", index + 1).into(),
            false => state["End"] = true.into(),
        }
        (format!("S{index}"), state)
    });
    let states: serde_json::Map<String, Value> = states.collect();
    program(&json!({"StartAt": "S0", "States": states}))
}

fn task_program() -> Program {
    chain(|_| json!({"Type": "Task", "Resource": "work", "ResultPath": "$.result"}))
}

fn input() -> Value {
    json!({"order": {"id": 7, "items": [1, 2, 3]}, "result": null})
}

fn start(program: &Program) -> Execution {
    Execution::start(program, Start::new("bench", input(), NOW))
}

/// A hundred Pass States, compared with the same writes by hand.
fn transitions(criterion: &mut Criterion) {
    let program = chain(|index| json!({"Type": "Pass", "Result": index, "ResultPath": "$.result"}));
    let mut group = criterion.benchmark_group("100 transitions");
    group.bench_function("states", |bencher| {
        bencher.iter(|| start(&program).step(NOW, None).outcome);
    });
    group.bench_function("by hand", |bencher| {
        bencher.iter(|| {
            let mut data = black_box(input());
            for index in 0..STATES {
                data["result"] = index.into();
            }
            data
        });
    });
    group.finish();
}

/// A hundred tasks: by steps, and by the smallest host.
fn steps(criterion: &mut Criterion) {
    let program = task_program();
    let mut group = criterion.benchmark_group("100 tasks");
    group.bench_function("steps", |bencher| {
        bencher.iter(|| {
            let mut execution = start(&program);
            let mut step = execution.step(NOW, None);
            while let Some(Effect::Task(task)) = step.effects.pop() {
                let output = json!(1).into();
                let answer = Input::TaskSucceeded {
                    id: task.id,
                    output,
                };
                step = execution.step(NOW, Some(answer));
            }
            step.outcome
        });
    });
    group.bench_function("drive", |bencher| {
        bencher.iter(|| {
            drive(&program, Start::new("bench", input(), NOW), |_| {
                Ok(json!(1))
            })
        });
    });
    group.finish();
}

/// An execution that waits for a task, compared with its data alone.
fn saves(criterion: &mut Criterion) {
    let program = task_program();
    let mut execution = start(&program);
    let _waiting = execution.step(NOW, None);
    let text = serde_json::to_string(&execution.save()).expect("a save is JSON");
    let data = input().to_string();
    let mut group = criterion.benchmark_group("save");
    group.bench_function("save", |bencher| {
        bencher.iter(|| serde_json::to_string(&execution.save()));
    });
    group.bench_function("print the data", |bencher| {
        bencher.iter(|| input().to_string())
    });
    group.finish();
    let mut group = criterion.benchmark_group("restore");
    group.bench_function("restore", |bencher| {
        bencher.iter(|| {
            let saved: SavedExecution = serde_json::from_str(&text).expect("it is a save");
            saved.restore(&program)
        });
    });
    group.bench_function("read the data", |bencher| {
        bencher.iter(|| serde_json::from_str::<Value>(&data));
    });
    group.finish();
}

/// A hundred tasks by the runtime, compared with as many tasks of tokio.
fn runtime(criterion: &mut Criterion) {
    let tokio = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .expect("tokio starts");
    let program = task_program();
    let mut group = criterion.benchmark_group("100 tasks of tokio");
    let runtime = tokio.block_on(async {
        let handlers = TaskHandlers::new().on_value("work", |_| async { Ok(json!(1)) });
        Runtime::builder().handlers(handlers).build()
    });
    group.bench_function("runtime", |bencher| {
        bencher.iter(|| tokio.block_on(runtime.run(&program, runtime.unnamed(input()))));
    });
    group.bench_function("by hand", |bencher| {
        bencher.iter(|| {
            tokio.block_on(async {
                let mut data = input();
                for _ in 0..STATES {
                    let task = tokio::spawn(async { json!(1) });
                    data["result"] = task.await.expect("it does not panic");
                }
                data
            })
        });
    });
    group.finish();
}

criterion_group!(benches, transitions, steps, saves, runtime);
criterion_main!(benches);
