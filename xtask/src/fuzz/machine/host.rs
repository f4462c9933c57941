//! A host that answers in any order, twice, wrongly, late or not at all.
use super::BUDGET;
use super::stored::stored;
use asl_engine::{
    ChildExecution, EffectId, ErrorOutput, Execution, Input, ObjectPart, Outcome, Output,
    PartStart, Program, Start, StorageOperation, StorageResult, StoredObject,
};
use asl_model::Timestamp;
use asl_model::generate::{Tape, value};
use std::sync::Arc;

/// So many inputs, then the execution is stopped.
const MOST_INPUTS: usize = 60;

/// A budget of transitions makes at most so many outputs; a Map or Parallel makes several with one.
const MOST_OUTPUTS: usize = 20_000;

/// Inputs of an execution, and its outputs after each of them.
#[derive(Debug, Default)]
pub(super) struct Journal {
    pub(super) rounds: Vec<Round>,
}

/// Outputs of an execution, and the following input.
#[derive(Debug)]
pub(super) struct Round {
    /// Outputs up to Wait or Done, as text.
    pub(super) outputs: Vec<String>,
    pub(super) told: Option<(Timestamp, Input)>,
}

impl Journal {
    /// Returns the kinds of outputs, in order: what makes one run different from another.
    pub(super) fn shape(&self) -> Vec<String> {
        let outputs = self.rounds.iter().flat_map(|round| &round.outputs);
        let kind = |output: &String| -> String {
            output
                .chars()
                .take_while(|character| *character != '{')
                .take(40)
                .collect()
        };
        let mut kinds: Vec<String> = outputs.map(kind).collect();
        kinds.dedup();
        kinds.truncate(12);
        kinds
    }
}

/// Runs an execution to its end, or stops it.
pub(super) fn run(program: &Arc<Program>, start: Start, tape: &mut Tape<'_>) -> Journal {
    let mut host = Host {
        now: start.now,
        pending: Vec::new(),
        answered: vec![EffectId(u64::MAX)],
    };
    let mut execution = Execution::start(Arc::clone(program), start);
    let mut journal = Journal::default();
    loop {
        let (outputs, until) = host.poll(&mut execution);
        let told = match execution.outcome() {
            None => Some(host.next_input(program, until, journal.rounds.len(), tape)),
            Some(_) => None,
        };
        journal.rounds.push(Round {
            outputs,
            told: told.clone(),
        });
        let Some((now, input)) = told else {
            return journal;
        };
        execution.handle_input(now, input);
    }
}

/// Polls until Wait or Done; the outputs as texts.
pub(super) fn poll_all(execution: &mut Execution, mut seen: impl FnMut(&Output)) -> Vec<String> {
    let before = execution.transitions();
    let mut outputs = Vec::new();
    loop {
        let output = execution.poll_output();
        seen(&output);
        outputs.push(format!("{output:?}"));
        if matches!(output, Output::Wait { .. } | Output::Done(_)) {
            break;
        }
        assert!(
            outputs.len() < MOST_OUTPUTS,
            "one call ends: {} outputs",
            outputs.len()
        );
    }
    let made = execution.transitions() - before;
    assert!(
        made <= u64::from(BUDGET),
        "one call makes at most {BUDGET} transitions, not {made}"
    );
    outputs
}

struct Host {
    now: Timestamp,
    pending: Vec<Effect>,
    /// Ids that were answered, and one that never was.
    answered: Vec<EffectId>,
}

/// An effect that an execution waits for.
enum Effect {
    Task(EffectId),
    Storage(EffectId, StorageOperation),
    Child(Box<ChildExecution>),
}

impl Effect {
    fn id(&self) -> EffectId {
        match self {
            Self::Task(id) | Self::Storage(id, _) => *id,
            Self::Child(child) => child.id,
        }
    }
}

impl Host {
    fn poll(&mut self, execution: &mut Execution) -> (Vec<String>, Option<Timestamp>) {
        let mut wait = None;
        let mut last = None;
        let outputs = poll_all(execution, |output| match output {
            Output::InvokeTask(task) => {
                assert!(last < Some(task.id), "effect ids only grow");
                last = Some(task.id);
                self.pending.push(Effect::Task(task.id));
            }
            Output::Storage(request) => {
                self.pending
                    .push(Effect::Storage(request.id, request.operation.clone()));
            }
            Output::StartChildExecution(child) => self.pending.push(Effect::Child(child.clone())),
            Output::CancelTask { id } | Output::StopChildExecution { id } => {
                self.pending.retain(|effect| effect.id() != *id);
                self.answered.push(*id);
            }
            Output::Wait { until } => wait = *until,
            Output::Event(_) | Output::Done(_) => {}
        });
        (outputs, wait)
    }

    /// Returns the next input with its time.
    fn next_input(
        &mut self,
        program: &Arc<Program>,
        until: Option<Timestamp>,
        round: usize,
        tape: &mut Tape<'_>,
    ) -> (Timestamp, Input) {
        let is_stuck = self.pending.is_empty() && until.is_none();
        if round >= MOST_INPUTS || (is_stuck && !tape.one_in(4)) || tape.one_in(100) {
            let stop = Input::Stop(ErrorOutput::without_cause("Stopped"));
            return (self.now, stop);
        }
        let input = match tape.below(12) {
            0 | 1 => self.pass_time(until, tape),
            2 => self.stale(tape),
            3 => self.sign_of_life(tape),
            _ if self.pending.is_empty() => self.pass_time(until, tape),
            _ => self.answer(program, tape),
        };
        // A host's clock may stand still, jump, or go back.
        let now = if tape.one_in(20) {
            Timestamp::from_milliseconds(0)
        } else {
            self.now
        };
        (now, input)
    }

    fn pass_time(&mut self, until: Option<Timestamp>, tape: &mut Tape<'_>) -> Input {
        self.now = match until {
            Some(until) if !tape.one_in(4) => self.now.max(until),
            _ => self.now.plus_seconds(tape.below(30) as u64),
        };
        Input::TimePassed
    }

    /// Returns the result of an effect that is no longer pending, or of the wrong kind.
    fn stale(&mut self, tape: &mut Tape<'_>) -> Input {
        let wrong_kind = self
            .pending
            .first()
            .filter(|_| tape.one_in(2))
            .map(Effect::id);
        let id = wrong_kind.unwrap_or_else(|| tape.pick(&self.answered));
        match tape.below(5) {
            0 => Input::TaskSucceeded {
                id: tape.pick(&self.answered),
                output: value(tape, 0).into(),
            },
            1 => Input::TaskFailed {
                id: tape.pick(&self.answered),
                error_output: ErrorOutput::default(),
            },
            2 => Input::StorageSucceeded {
                id,
                result: StorageResult::Written,
            },
            3 => Input::StorageFailed {
                id,
                cause: "stale".to_owned(),
            },
            _ => Input::ChildExecutionEnded {
                id,
                outcome: Outcome::TimedOut,
            },
        }
    }

    fn sign_of_life(&self, tape: &mut Tape<'_>) -> Input {
        let id = match self.pending.first() {
            Some(effect) => effect.id(),
            None => tape.pick(&self.answered),
        };
        match tape.below(4) {
            0 => Input::TaskHeartbeat { id },
            1 => Input::TaskStarted {
                id,
                worker_name: Some("worker".to_owned()),
            },
            2 => Input::TasksPostponed { ids: vec![id, id] },
            _ => Input::TaskSubmitted {
                id,
                output: value(tape, 1).into(),
            },
        }
    }

    /// Returns an answer of the right kind to any of the effects.
    fn answer(&mut self, program: &Arc<Program>, tape: &mut Tape<'_>) -> Input {
        let effect = self.pending.swap_remove(tape.below(self.pending.len()));
        let id = effect.id();
        self.answered.push(id);
        match effect {
            Effect::Task(id) if tape.one_in(5) => {
                let error = tape.pick(&[
                    Some("Boom"),
                    Some("States.Timeout"),
                    Some("States.Permissions"),
                    Some(""),
                    None,
                ]);
                let cause = tape.pick(&[Some("why"), Some("{\"a\":1}"), None]);
                Input::TaskFailed {
                    id,
                    error_output: ErrorOutput {
                        error: error.map(str::to_owned),
                        cause: cause.map(str::to_owned),
                    },
                }
            }
            Effect::Task(id) => Input::TaskSucceeded {
                id,
                output: value(tape, 0).into(),
            },
            Effect::Storage(id, _) if tape.one_in(6) => Input::StorageFailed {
                id,
                cause: "no bucket".to_owned(),
            },
            Effect::Storage(id, operation) => Input::StorageSucceeded {
                id,
                result: result_of(&operation, tape),
            },
            Effect::Child(child) => Input::ChildExecutionEnded {
                id,
                outcome: child_outcome(program, *child, tape),
            },
        }
    }
}

/// Returns an object, or a part of one: the rest of it is another text.
fn object(from: Option<&PartStart>, tape: &mut Tape<'_>) -> StorageResult {
    let bytes = stored(tape);
    let offset = match from {
        None if tape.one_in(2) => return StorageResult::Object(bytes),
        None => 0,
        Some(from) => from.offset,
    };
    let rest = if tape.one_in(3) { 0 } else { tape.below(50) };
    StorageResult::Part(ObjectPart {
        size: offset + bytes.len() as u64 + rest as u64,
        bytes,
        etag: from.and_then(|from| from.etag.clone()),
    })
}

fn result_of(operation: &StorageOperation, tape: &mut Tape<'_>) -> StorageResult {
    match operation {
        _ if tape.one_in(20) => StorageResult::Written,
        StorageOperation::GetObject { from, .. } => object(from.as_ref(), tape),
        StorageOperation::PutObject { .. } => StorageResult::Written,
        StorageOperation::ListObjects { .. } => {
            let object = |n: usize| StoredObject {
                key: format!("p/{n}"),
                size: n as u64,
                etag: "\"e\"".to_owned(),
                last_modified: 1_700_000_000,
                storage_class: "STANDARD".to_owned(),
            };
            StorageResult::Listing((0..tape.below(4)).map(object).collect())
        }
    }
}

/// Returns the outcome of a child: by running it, or a random one.
fn child_outcome(program: &Arc<Program>, child: ChildExecution, tape: &mut Tape<'_>) -> Outcome {
    match tape.below(8) {
        0 => Outcome::TimedOut,
        1 => Outcome::Aborted(ErrorOutput::default()),
        2 => Outcome::Failed(ErrorOutput::without_cause("Boom")),
        3 => Outcome::Succeeded(Arc::new(value(tape, 0))),
        _ => run_child(
            Execution::start_child(Arc::clone(program), child, None),
            tape,
        ),
    }
}

/// Runs a child to its end with simple answers; effects of its own children fail.
fn run_child(mut execution: Execution, tape: &mut Tape<'_>) -> Outcome {
    let mut now = execution.start_parameters().now;
    for _ in 0..MOST_INPUTS {
        let mut inputs = Vec::new();
        let mut wait = None;
        poll_all(&mut execution, |output| match output {
            Output::InvokeTask(task) => {
                inputs.push(Input::TaskSucceeded {
                    id: task.id,
                    output: value(tape, 2).into(),
                });
            }
            Output::Storage(request) => {
                inputs.push(Input::StorageFailed {
                    id: request.id,
                    cause: "no bucket".to_owned(),
                });
            }
            Output::StartChildExecution(child) => {
                inputs.push(Input::ChildExecutionEnded {
                    id: child.id,
                    outcome: Outcome::TimedOut,
                });
            }
            Output::Wait { until } => wait = *until,
            _ => {}
        });
        if let Some(outcome) = execution.outcome() {
            return outcome.clone();
        }
        if inputs.is_empty() {
            now = wait.map_or(now, |until| now.max(until));
            inputs.push(Input::TimePassed);
        }
        for input in inputs {
            execution.handle_input(now, input);
        }
    }
    Outcome::Aborted(ErrorOutput::without_name("too long"))
}

#[cfg(test)]
mod tests {
    use super::super::{in_json_path, start, with_jsonata};
    use super::*;
    use crate::random::Random;
    use asl_model::Options;
    use asl_model::generate::input;
    use serde_json::Value;
    use std::collections::BTreeMap;

    /// Numbers of outputs by kind, of ends by status, and of inputs, for so many random executions.
    #[derive(Debug, Default)]
    struct RandomRunCounts {
        outputs: BTreeMap<String, u32>,
        inputs: usize,
    }

    fn count_reached(tapes: u32, generate: fn(&mut Tape<'_>) -> Value) -> RandomRunCounts {
        let mut reached = RandomRunCounts::default();
        let mut random = Random::new(1);
        for _ in 0..tapes {
            let bytes = random.next().to_le_bytes();
            let mut tape = Tape::endless(&bytes);
            let definition = generate(&mut tape);
            let Ok((machine, _)) = asl_model::parse_value(&definition, Options::default()) else {
                continue;
            };
            let program = Program::compile(&machine).expect("it compiles");
            let start = start(input(&mut tape), Options::default(), &mut tape);
            let journal = run(&Arc::new(program), start, &mut tape);
            for output in journal.rounds.iter().flat_map(|round| &round.outputs) {
                let words = output.split(|c: char| !c.is_alphanumeric());
                let depth = if output.starts_with("Done") { 2 } else { 1 };
                let kind: Vec<&str> = words.take(depth).collect();
                *reached.outputs.entry(kind.join(" ")).or_default() += 1;
            }
            reached.inputs += journal.rounds.len() - 1;
        }
        reached
    }

    #[test]
    fn executions_do_everything_and_end_in_every_way_and_are_told_much_before() {
        for generate in [in_json_path, with_jsonata] {
            let reached = count_reached(600, generate);
            for kind in [
                "InvokeTask",
                "CancelTask",
                "Storage",
                "StartChildExecution",
                "StopChildExecution",
                "Event",
                "Wait",
                "Done Succeeded",
                "Done Failed",
                "Done Aborted",
                "Done TimedOut",
            ] {
                let count = reached.outputs.get(kind);
                assert!(
                    count.is_some_and(|count| *count >= 5),
                    "{kind}: {reached:?}"
                );
            }
            assert!(reached.inputs > 1_000, "{reached:?}");
        }
    }
}
