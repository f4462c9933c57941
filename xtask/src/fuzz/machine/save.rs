//! Changed saves: a restored execution keeps the promises of any other execution.
//!
//! An input is a tape, or a definition in the first line followed by a save of it. Laws: an unchanged save can be restored;
//! no save causes a panic; a restored execution makes bounded calls, always waits for something or makes progress, and can
//! be saved and restored again at any time.
use super::damage::{damage, damaged_text};
use super::stored::stored;
use super::{in_json_path, limits, start, with_jsonata};
use crate::fuzz::targets::{feature, kind_of_message};
use asl_engine::{
    Effect, EffectId, ErrorOutput, Execution, Input, Limits, MapRunUpdate, Outcome, PendingEffect,
    Program, RestoreError, SavedExecution, Step, StorageResult,
};
use asl_model::generate::{self, Tape};
use asl_model::{Options, Timestamp};
use serde_json::Value;

/// So many inputs before a save, and after it.
const MOST_INPUTS: usize = 40;

/// So many transitions before a save, and after it: some evaluate much.
const MOST_TRANSITIONS: u64 = 1_000;

pub(in crate::fuzz) const WORDS: &[&str] = &[
    "null",
    "\"attempting\"",
    "\"entering\"",
    "{\"interrupted\":\"attempt\"}",
    "[0,0]",
    "[1,0]",
    "\"effect\":",
    "\"number\":",
    "\"index\":",
    "\"owner\":null",
];

/// The result of an input.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Shown {
    /// There is no save in it.
    Nothing,
    /// No serde format reads it.
    Unread(String),
    Refused(String),
    /// Its limits are others.
    OtherLimits,
    /// Restored, with these results.
    Driven(Vec<&'static str>),
}

/// Runs one input.
pub(in crate::fuzz) fn run(bytes: &[u8]) -> u64 {
    feature(show(bytes))
}

fn show(bytes: &[u8]) -> Shown {
    let mut tape = Tape::endless(bytes);
    if bytes.starts_with(b"{") {
        return run_text(bytes, &mut tape);
    }
    let definition = match tape.one_in(2) {
        true => in_json_path(&mut tape),
        false => with_jsonata(&mut tape),
    };
    let Some(program) = compiled(&definition) else {
        return Shown::Nothing;
    };
    let input = generate::input(&mut tape);
    let mut execution = Execution::start(&program, start(input, Options::default(), &mut tape));
    let inputs = match tape.one_in(4) {
        true => tape.below(MOST_INPUTS),
        false => tape.below(4),
    };
    drive(&mut execution, inputs, &mut tape);
    let limits = execution.start_parameters().limits.clone();
    restore_save(&execution, &program);
    let mut save = serde_json::to_value(execution.save()).expect("a save can be written");
    damage(&mut save, &mut tape);
    let text = match tape.one_in(6) {
        true => damaged_text(save.to_string(), &mut tape),
        false => save.to_string(),
    };
    check(&text, &program, &limits, &mut tape)
}

/// Runs a definition in the first line, and a save of it after that.
fn run_text(bytes: &[u8], tape: &mut Tape<'_>) -> Shown {
    let text = String::from_utf8_lossy(bytes);
    let Some((definition, save)) = text.split_once('\n') else {
        return Shown::Nothing;
    };
    let definition = serde_json::from_str(definition).ok();
    let Some(program) = definition.as_ref().and_then(compiled) else {
        return Shown::Nothing;
    };
    let mut save = save.to_owned();
    // So that it is not refused for that alone.
    if let Some(at) = save.find("\"program\":\"").map(|at| at + 11)
        && save.get(at..at + 16).is_some()
    {
        save.replace_range(at..at + 16, &format!("{:016x}", program.fingerprint()));
    }
    check(&save, &program, &limits(), tape)
}

fn compiled(definition: &Value) -> Option<Program> {
    let (machine, _) = asl_model::parse_value(definition, Options::default()).ok()?;
    Program::compile(&machine).ok()
}

/// Restores a save, and drives the execution.
fn check(text: &str, program: &Program, limits: &Limits, tape: &mut Tape<'_>) -> Shown {
    let saved: SavedExecution = match serde_json::from_str(text) {
        Ok(saved) => saved,
        Err(error) => return Shown::Unread(kind_of_message(&error.to_string())),
    };
    let mut execution = match saved.restore(program) {
        Ok(execution) => execution,
        Err(RestoreError::Damaged(what)) => return Shown::Refused(kind_of_damage(&what)),
        Err(error) => return Shown::Refused(kind_of_message(&error.to_string())),
    };
    // Limits are the host's: who widens them gets what he requests.
    if execution.start_parameters().limits != *limits {
        return Shown::OtherLimits;
    }
    Shown::Driven(drive(&mut execution, MOST_INPUTS, tape))
}

/// Returns the location and the kind of damage, without numbers.
fn kind_of_damage(what: &str) -> String {
    let letters = what.chars().filter(|character| !character.is_ascii_digit());
    letters.take(60).collect()
}

/// The same execution after its save.
fn restore_save(execution: &Execution, program: &Program) -> Execution {
    let text = serde_json::to_string(&execution.save()).expect("a save can be written");
    let saved: SavedExecution = serde_json::from_str(&text).expect("a save can be read");
    let restored = saved
        .restore(program)
        .expect("a save that nobody changed is taken up");
    let again = serde_json::to_string(&restored.save()).expect("a save can be written");
    assert_eq!(text, again, "restoring changes what is saved");
    restored
}

/// Applies a number of inputs to an execution, and returns the results.
fn drive(execution: &mut Execution, inputs: usize, tape: &mut Tape<'_>) -> Vec<&'static str> {
    let program = execution.program().clone();
    let most = execution.transitions() + MOST_TRANSITIONS;
    let mut shape = Vec::new();
    let mut step = advance(execution, None);
    for _ in 0..inputs {
        while step.yielded && execution.transitions() < most {
            step = advance(execution, None);
        }
        if execution.transitions() >= most {
            break;
        }
        if tape.one_in(8) {
            *execution = restore_save(execution, &program);
        }
        let (now, input) = next_input(execution, tape);
        shape.push(name(&input));
        step = advance(execution, Some((now, input)));
    }
    shape.extend(step.outcome.as_ref().map(Outcome::status));
    shape.dedup();
    shape
}

/// Returns one step, which is bounded; nothing stands still that neither waits nor has ended.
fn advance(execution: &mut Execution, told: Option<(Timestamp, Input)>) -> Step {
    let before = execution.transitions();
    let (now, input) = match told {
        Some((now, input)) => (now, Some(input)),
        None => (execution.now(), None),
    };
    let step = execution.step(now, input);
    let made = execution.transitions() - before;
    let budget = execution.start_parameters().limits.turn_cost;
    assert!(made <= u64::from(budget), "{made} transitions in one call");
    let waits = step.wake.is_some() || execution.pending().next().is_some();
    assert!(
        step.outcome.is_some() || step.yielded || waits,
        "nothing will ever happen: {execution:?}"
    );
    for pending in execution.pending() {
        let id = pending.effect.id();
        assert!(
            execution.awaits(id).is_some(),
            "{id:?} is pending and not awaited"
        );
    }
    step
}

fn name(input: &Input) -> &'static str {
    match input {
        Input::Redrive => "redrive",
        Input::TimePassed => "time",
        Input::UpdateMapRun(_) => "update",
        Input::TaskSucceeded { .. } => "task",
        Input::TaskFailed { .. } => "failed task",
        Input::ChildExecutionEnded { .. } => "child",
        Input::StorageSucceeded { .. } | Input::StorageFailed { .. } => "storage",
        _ => "other",
    }
}

fn next_input(execution: &Execution, tape: &mut Tape<'_>) -> (Timestamp, Input) {
    let now = execution.now();
    if execution.outcome().is_some() {
        return (now, Input::Redrive);
    }
    if tape.one_in(40) {
        let (error, cause) = (None, None);
        return (now, Input::Stop(ErrorOutput { error, cause }));
    }
    if tape.one_in(12)
        && let Some(run) = execution.map_runs().next()
    {
        let update = MapRunUpdate {
            map_run_arn: run.arn,
            max_concurrency: Some(tape.below(4) as u64),
            tolerated_failure_count: Some(tape.below(4) as u64),
            tolerated_failure_percentage: None,
        };
        return (now, Input::UpdateMapRun(update));
    }
    let pending: Vec<PendingEffect> = execution.pending().take(64).collect();
    let which = tape.below(pending.len());
    match pending.get(which) {
        Some(pending) if !tape.one_in(4) => (now, answer(pending, tape)),
        _ => {
            let due = execution.wake().unwrap_or(now);
            (due.max(now), Input::TimePassed)
        }
    }
}

fn answer(pending: &PendingEffect, tape: &mut Tape<'_>) -> Input {
    let id = pending.effect.id();
    match &pending.effect {
        Effect::Task(_) => task_answer(id, tape),
        Effect::Storage(_) if tape.one_in(6) => Input::StorageFailed {
            id,
            cause: "no bucket".to_owned(),
        },
        Effect::Storage(_) => Input::StorageSucceeded {
            id,
            result: match tape.below(3) {
                0 => StorageResult::Written,
                1 => StorageResult::Listing(Vec::new()),
                _ => StorageResult::Object(stored(tape)),
            },
        },
        Effect::Child(_) => Input::ChildExecutionEnded {
            id,
            outcome: match tape.below(3) {
                0 => Outcome::TimedOut,
                _ => Outcome::Succeeded(generate::value(tape, 1).into()),
            },
        },
    }
}

fn task_answer(id: EffectId, tape: &mut Tape<'_>) -> Input {
    match tape.below(9) {
        0 => Input::TaskHeartbeat { id },
        8 => Input::TasksPostponed { ids: vec![id, id] },
        1 => Input::TaskStarted {
            id,
            worker_name: None,
        },
        2 => Input::TaskSubmitted {
            id,
            output: generate::value(tape, 2).into(),
        },
        3 | 4 => Input::TaskFailed {
            id,
            error_output: ErrorOutput {
                error: Some(
                    tape.pick(&["Boom", "States.Timeout", "States.Runtime"])
                        .to_owned(),
                ),
                cause: None,
            },
        },
        _ => Input::TaskSucceeded {
            id,
            output: generate::value(tape, 1).into(),
        },
    }
}

/// None: a deep save is a deep text, which plain serde refuses.
pub(in crate::fuzz) fn deep() -> Vec<Vec<u8>> {
    let pass = r#"{"StartAt":"P","States":{"P":{"Type":"Pass","End":true}}}"#;
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let saves = [
        format!(r#"{{"format":1,"core":1,"program":"0","token_key":null,"machine":{deep}}}"#),
        format!(r#"{{"format":2,"machine":{deep}}}"#),
        format!(
            r#"{{"format":1,"core":1,"program":"0000000000000000","token_key":null,"machine":{{"values":["{deep}"]}}}}"#
        ),
    ];
    saves
        .into_iter()
        .map(|save| format!("{pass}\n{save}").into_bytes())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use std::collections::BTreeSet;

    #[test]
    fn damaged_saves_are_refused_in_many_ways_and_taken_up_in_some() {
        let (mut refused, mut driven) = (BTreeSet::new(), BTreeSet::new());
        let mut random = Random::new(1);
        for _ in 0..600 {
            match show(&random.next().to_le_bytes()) {
                Shown::Refused(kind) => drop(refused.insert(kind)),
                Shown::Driven(shape) => drop(driven.insert(shape)),
                _ => {}
            }
        }
        assert!(refused.len() >= 30, "{refused:#?}");
        assert!(driven.len() >= 30, "{driven:#?}");
    }
}
