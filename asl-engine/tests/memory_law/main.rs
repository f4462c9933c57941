//! The law of memory, measured at the allocator: no execution takes more than `FACTOR` times its budgets and a constant,
//! whatever its definition and its input are, with all its child executions. One test alone, as the allocator is the
//! process's.
mod amplifiers;
mod seeds;

use amplifiers::Amplifier;
use asl_engine::{
    Limits, Program, Start, StorageOperation, StorageRequest, StorageResult, SynchronousHost,
    TaskError, TaskInvocation, drive_with,
};
use asl_model::{Options, Timestamp};
use peak_alloc::PeakAlloc;
use serde_json::Value;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// Of an execution, and of one evaluation.
const BUDGET: usize = 4 << 20;

/// Ratio of the memory limit to the budgets: held data, data being created, and its copies in causes and events.
const FACTOR: usize = 2;
const CONSTANT: usize = 4 << 20;

/// Answers with what it was asked; of an object store every object is `object`.
struct Host(Vec<u8>);

impl SynchronousHost for Host {
    fn invoke_task(&mut self, invocation: &TaskInvocation) -> Result<Value, TaskError> {
        Ok(Value::clone(&invocation.payload))
    }

    fn perform_storage(&mut self, request: &StorageRequest) -> Result<StorageResult, String> {
        match request.operation {
            StorageOperation::GetObject { .. } => Ok(StorageResult::Object(self.0.clone())),
            StorageOperation::ListObjects { .. } => Ok(StorageResult::Listing(Vec::new())),
            StorageOperation::PutObject { .. } => Ok(StorageResult::Written),
        }
    }
}

fn limits() -> Limits {
    Limits::unlimited()
        .with_max_execution_bytes(BUDGET as u64)
        .with_max_expression_memory(BUDGET)
        .with_max_expression_steps(200_000)
        .with_max_transitions(2_000)
}

fn program(definition: &Value) -> Program {
    let parsed = asl_model::parse_value(definition, Options::default());
    let (machine, _) = parsed.expect("a valid definition");
    Program::compile(&machine).expect("a program")
}

/// Few steps for what is generated, of which some continues for as long as it may.
fn few_steps() -> Limits {
    limits()
        .with_max_expression_steps(10_000)
        .with_max_transitions(300)
}

fn start(input: &Value, limits: Limits) -> Start {
    Start::new("e", input.clone(), Timestamp::default()).with_limits(limits)
}

/// Bytes that running takes beyond what there was before it.
fn peak(definition: &Value, input: &Value, object: &[u8], limits: Limits) -> usize {
    let (program, start) = (program(definition), start(input, limits));
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    drop(drive_with(program, start, Host(object.to_vec())));
    ALLOCATOR.peak_usage().saturating_sub(before)
}

/// The same by the runtime, which runs children side by side.
#[cfg(feature = "runtime")]
fn peak_by_runtime(definition: &Value, input: &Value, limits: Limits) -> usize {
    use asl_engine::runtime::{Clock, MemoryStorage, Runtime, TaskHandlers};
    let program = std::sync::Arc::new(program(definition));
    let start = start(input, limits);
    let tokio = tokio::runtime::Builder::new_current_thread().build();
    tokio.expect("a runtime").block_on(async {
        let handlers = TaskHandlers::new().on_value("*", |payload| async move { Ok(payload) });
        let runtime = Runtime::builder()
            .clock(Clock::virtual_from(Timestamp::default()))
            .handlers(handlers)
            .storage(MemoryStorage::default().with("bucket", "key", "[1, 2, 3]"))
            .build();
        let before = ALLOCATOR.current_usage();
        ALLOCATOR.reset_peak_usage();
        let mut handle = runtime.start_execution(program, start).await;
        drop(handle.outcome().await);
        ALLOCATOR.peak_usage().saturating_sub(before)
    })
}

/// A task is answered at once, and in the same turn its branch ends with another that fails: again and again.
#[cfg(feature = "runtime")]
fn peak_of_cancelled_answers() -> usize {
    use serde_json::json;
    let task = json!({"Type": "Task", "Resource": "arn:aws:lambda:us-east-1:123456789012:function:F", "End": true});
    let failing = json!({"Type": "Fail", "Error": "E", "Cause": "c"});
    let definition = json!({"StartAt": "P", "States": {"P": {"Type": "Parallel", "End": true,
        "Branches": [{"StartAt": "T", "States": {"T": task}}, {"StartAt": "F", "States": {"F": failing}}],
        "Catch": [{"ErrorEquals": ["States.ALL"], "ResultPath": "$.error", "Next": "P"}]}}});
    let input = json!({"text": "x".repeat(BUDGET / 16)});
    peak_by_runtime(&definition, &input, few_steps())
}

#[track_caller]
fn is_bounded(what: &str, peak: usize) {
    let most = FACTOR * BUDGET + CONSTANT;
    assert!(peak <= most, "{what}: {peak} bytes, more than {most}");
}

#[test]
fn no_execution_takes_more_than_its_budget_and_a_constant() {
    for amplifier in amplifiers::all() {
        let Amplifier {
            what,
            definition,
            input,
            object,
            max_transitions,
        } = amplifier;
        let limits = limits().with_max_transitions(max_transitions);
        let synchronous = peak(&definition, &input, object.as_bytes(), limits.clone());
        is_bounded(what, synchronous);
        #[cfg(feature = "runtime")]
        if object.is_empty() && seeds::has_children(&definition) {
            let by_runtime = peak_by_runtime(&definition, &input, limits);
            is_bounded(&format!("{what} of the runtime"), by_runtime);
        }
    }
    #[cfg(feature = "runtime")]
    is_bounded(
        "answers to tasks that were cancelled",
        peak_of_cancelled_answers(),
    );
    for seed in 0..600 {
        seeds::keeps_the_law(seed, few_steps());
    }
}
