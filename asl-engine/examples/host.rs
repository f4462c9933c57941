//! Host author's guide: a host of the sans-IO core that survives a crash at any moment.
//!
//! Run it with `cargo run --example host order.save.json`. With `--crash-before 2`, the process ends before its second
//! write of the file; run it again, and it continues.
//!
//! **The core owns** the rules of the language: which state runs, the data between states, retries, catchers, timeouts, the
//! history, the limits. It reads no clock, and performs nothing.
//!
//! **The host owns** time, tasks, and storage:
//!
//! - It calls `step(now, input)`. Each input moves the execution to a new state; `now` never goes back.
//! - It performs the effects of each step, and reports each result as an input. Results may come in any order.
//! - It sends `Input::TimePassed` when the moment of `wake()` has come.
//! - It drops the work for effects in `cancelled`: their results are ignored.
//! - If a step `yielded`, it steps again without an input, after the inputs of other executions.
//!
//! **Crash safety** needs one rule: keep the new state before anything outside learns of it. This host writes the whole save
//! after each step, and only then performs the effects. After a crash, `pending()` lists the effects without results, and the
//! host performs them again. So an effect is performed at least once, and each repetition has the same `idempotency_key`,
//! by which a service can recognize it. A save is small (some kilobytes); for long executions, keep `journal()` records
//! instead, and a save now and then.
#![expect(clippy::print_stdout, reason = "an example shows its result")]
use asl_engine::{
    Effect, Execution, Input, Program, SavedExecution, Start, TaskInvocation, Timestamp,
};
use serde_json::{Value, json};
use std::error::Error;
use std::time::{Duration, SystemTime};
use std::{env, fs, thread};

const DEFINITION: &str = r#"{"StartAt": "Charge", "States": {
    "Charge": {"Type": "Task", "Resource": "charge-card", "ResultPath": "$.receipt", "Next": "Pause"},
    "Pause": {"Type": "Wait", "Seconds": 1, "Next": "Both"},
    "Both": {"Type": "Parallel", "End": true, "Branches": [
        {"StartAt": "Ship", "States": {"Ship": {"Type": "Task", "Resource": "ship-parcel", "End": true}}},
        {"StartAt": "Thank", "States": {"Thank": {"Type": "Task", "Resource": "send-mail", "End": true}}}]}}}"#;

/// The file of one execution.
struct Storage {
    path: String,
    crash_before: Option<u32>,
}

impl Storage {
    /// Replaces the file as a whole: a crash leaves the old content or the new one.
    fn keep(&mut self, execution: &Execution) -> Result<(), Box<dyn Error>> {
        if let Some(writes) = &mut self.crash_before {
            *writes = writes.saturating_sub(1);
            if *writes == 0 {
                std::process::exit(3);
            }
        }
        let new = format!("{}.new", self.path);
        fs::write(&new, serde_json::to_string(&execution.save())?)?;
        fs::rename(&new, &self.path)?;
        Ok(())
    }

    fn load(&self, program: &Program) -> Result<Option<Execution>, Box<dyn Error>> {
        let Ok(text) = fs::read_to_string(&self.path) else {
            return Ok(None);
        };
        let saved: SavedExecution = serde_json::from_str(&text)?;
        Ok(Some(saved.restore(program)?))
    }
}

/// Does a task. A real one passes the idempotency key on.
fn perform(task: &TaskInvocation) -> Value {
    println!("{} with {}", task.resource.uri, task.idempotency_key());
    json!({"done": &*task.resource.uri})
}

fn now() -> Result<Timestamp, Box<dyn Error>> {
    Ok(Timestamp::try_from(SystemTime::now())?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().collect();
    let (path, crash) = match arguments.as_slice() {
        [_, path] => (path.clone(), None),
        [_, path, option, writes] if option == "--crash-before" => {
            (path.clone(), Some(writes.parse()?))
        }
        _ => return Err("usage: host FILE [--crash-before WRITE]".into()),
    };
    let mut storage = Storage {
        path,
        crash_before: crash,
    };
    let program = Program::parse(DEFINITION)?;
    let mut execution = match storage.load(&program)? {
        Some(execution) => execution,
        None => {
            let start = Start::new("order-7", json!({"amount": 21}), now()?);
            let mut execution = Execution::start(&program, start);
            let _first = execution.step(execution.now(), None);
            storage.keep(&execution)?;
            execution
        }
    };
    loop {
        if let Some(outcome) = execution.outcome() {
            println!("{}", outcome.clone().into_result()?);
            return Ok(());
        }
        let input = match execution.pending().next().map(|pending| pending.effect) {
            Some(Effect::Task(task)) => {
                let output = perform(&task).into();
                Input::TaskSucceeded {
                    id: task.id,
                    output,
                }
            }
            Some(_) => return Err("this host runs no distributed Map States".into()),
            None => {
                let wake = execution.wake().ok_or("nothing is left to wait for")?;
                while now()? < wake {
                    thread::sleep(Duration::from_millis(20));
                }
                Input::TimePassed
            }
        };
        let mut step = execution.step(now()?, Some(input));
        while step.yielded {
            step = execution.step(execution.now(), None);
        }
        storage.keep(&execution)?;
    }
}
