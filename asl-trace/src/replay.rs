//! Data that a history does not contain: each state runs again by the definition, on its recorded result.
use crate::account::{Account, Finding, Step, StrandKind, TimedFinding};
use crate::attempt::Attempt;
use crate::builder::{Builder, DataRetention};
use crate::definition::Definition;
use crate::inspection::apply_event;
use crate::state_texts::StateTexts;
use asl_engine::{
    Effect, ErrorOutput, Execution, Input, InspectedPlace, InspectionEvent, Program, Start, StartAt,
};
use asl_model::{StateMachine, Timestamp};
use serde_json::{Map, Value, json};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// Steps of the core that one state may take.
const MOST_STEPS: usize = 10_000;

/// Replaces the findings of an explanation with those of running its states again, including rules, retriers and catchers.
/// If the definition produces different data than the history, a [`Finding::Remark`] says so. A distributed Map is unchanged
/// if the histories of its children are unknown or one of them failed. Random values, such as UUIDs, differ.
pub fn replay(account: &mut Account, machine: &StateMachine, program: &Program) {
    let replayer = Replayer {
        definition: Arc::new(Definition::new(machine)),
        texts: StateTexts::new(machine),
        program,
        execution: json!({
            "Input": account.input.as_deref(),
            "StartTime": account.started.map(|moment| moment.to_string()),
        }),
    };
    replayer.steps(&mut account.steps, Map::new(), None);
}

struct Replayer<'p> {
    definition: Arc<Definition>,
    texts: StateTexts,
    program: &'p Program,
    /// Known part of `$$.Execution`.
    execution: Value,
}

impl Replayer<'_> {
    /// Replays steps. The nesting of the definition bounds the recursion.
    fn steps(&self, steps: &mut [Step], mut variables: Map<String, Value>, item: Option<u64>) {
        for step in steps {
            for strand in &mut step.strands {
                let inherited = match strand.kind {
                    // 2024 specification, State Machine Variables: children see none of those around them.
                    StrandKind::Child => Map::new(),
                    StrandKind::Branch | StrandKind::Iteration => variables.clone(),
                };
                let item = (strand.kind != StrandKind::Branch).then_some(strand.index);
                self.steps(&mut strand.steps, inherited, item);
            }
            self.step(step, &variables, item);
            for found in &step.findings {
                if let Finding::Variable { name, value } = &found.finding {
                    variables.insert(name.clone(), (**value).clone());
                }
            }
        }
    }

    fn step(&self, step: &mut Step, variables: &Map<String, Value>, item: Option<u64>) {
        let is_distributed = step.strands.iter().any(|it| it.kind == StrandKind::Child)
            || self.definition.is_distributed(&step.state);
        let holds = matches!(step.state_type.as_str(), "Parallel" | "Map");
        let is_unknown = match is_distributed {
            true => !is_whole_map_run(step),
            false => holds && step.strands.is_empty() && !is_empty_map(step),
        };
        if is_unknown {
            return;
        }
        let made = match holds {
            true => self.attempts(step, variables, item),
            false => self.run(step, Attempt::only(step), variables, item),
        };
        // Which children of a Map Run are not known is not known either.
        let is_known = !is_distributed && !self.texts.reads_more_than_data(&step.state);
        if let Some(made) = made {
            adopt(step, made, is_known);
        }
    }

    /// Replays a retried Parallel or Map state once per attempt, with the outputs of its children in that attempt.
    fn attempts(
        &self,
        step: &Step,
        variables: &Map<String, Value>,
        item: Option<u64>,
    ) -> Option<Step> {
        let mut findings = Vec::new();
        let mut retry_count = 0;
        let mut began = step.entered;
        for again in step.findings.iter() {
            let Finding::Attempt { retry_count: next } = again.finding else {
                continue;
            };
            let attempt = Attempt::with_children(step, retry_count, began);
            let made = self.run(step, attempt, variables, item)?;
            let is_retry = |found: &TimedFinding| matches!(found.finding, Finding::Retry { .. });
            let retried = made.findings.iter().position(is_retry)?;
            findings.extend(made.findings.into_iter().take(retried + 1));
            findings.push(again.clone());
            (retry_count, began) = (next, again.at);
        }
        let attempt = Attempt::with_children(step, retry_count, began);
        let mut made = self.run(step, attempt, variables, item)?;
        findings.append(&mut made.findings);
        made.findings = findings;
        Some(made)
    }

    /// Runs an attempt of a step by the definition.
    fn run(
        &self,
        step: &Step,
        attempt: Attempt,
        variables: &Map<String, Value>,
        item: Option<u64>,
    ) -> Option<Step> {
        let mut start = Start::new("replay", Value::Null, attempt.began);
        start.input = Arc::clone(&step.input);
        let has_children = attempt.children.is_some();
        let context = self.context(step, attempt.retry_count, item);
        let at = StartAt::new(self.program.find_state(&step.state)?)
            .with_variables(variables.clone())
            .with_retry_count(attempt.retry_count)
            .with_only(true)
            .with_context(context)
            .with_children(attempt.children);
        start.at = Some(Box::new(at));
        let builder = Builder::new(
            Arc::clone(&self.definition),
            DataRetention::Everything,
            Vec::new(),
        );
        let builder = Arc::new(Mutex::new(builder));
        let mut execution = Execution::start(self.program, start);
        let (hearing, definition) = (Arc::clone(&builder), Arc::clone(&self.definition));
        execution.inspect(Some(Box::new(
            move |place: InspectedPlace<'_>, inspected: InspectionEvent<'_>| {
                let mut builder = hearing.lock().unwrap_or_else(PoisonError::into_inner);
                apply_event(&mut builder, &definition, &mut None, true, place, inspected);
            },
        )));
        match has_children {
            // What replaces children is there at once: all that such a state waits for is its next attempt.
            true => drop(execution.step(attempt.began, None)),
            false => drive(&mut execution, attempt.began, answers(step)),
        }
        let mut builder = builder.lock().unwrap_or_else(PoisonError::into_inner);
        let steps = builder.finish(&mut None);
        steps.into_iter().find(|made| made.state == step.state)
    }

    fn context(&self, step: &Step, retry_count: u64, item: Option<u64>) -> Value {
        let mut context = json!({
            "Execution": self.execution,
            "State": {"Name": step.state, "EnteredTime": step.entered.to_string(), "RetryCount": retry_count},
            "Task": {"Token": ""},
        });
        if let Some(index) = item {
            context["Map"] = json!({"Item": {"Index": index}});
        }
        context
    }
}

/// The result of a state's work, with its time.
struct Answer {
    at: Timestamp,
    result: Result<Arc<Value>, ErrorOutput>,
}

/// Returns the results of each request in order.
fn answers(step: &Step) -> VecDeque<Answer> {
    let mut answers = VecDeque::new();
    let mut is_asked = false;
    for found in &step.findings {
        let result = match &found.finding {
            Finding::Field { field, .. } if field == "Request" => {
                is_asked = true;
                continue;
            }
            Finding::Field { field, value } if field == "Result" => Ok(Arc::clone(value)),
            Finding::Error { error, cause, .. } => Err(ErrorOutput {
                error: error.clone(),
                cause: cause.clone(),
            }),
            _ => continue,
        };
        if std::mem::take(&mut is_asked) {
            answers.push_back(Answer {
                at: found.at,
                result,
            });
        }
    }
    answers
}

/// Answers requests until no answers remain.
fn drive(execution: &mut Execution, from: Timestamp, mut answers: VecDeque<Answer>) {
    let (mut now, mut input) = (from, None);
    for _ in 0..MOST_STEPS {
        let step = execution.step(now, input.take());
        if step.outcome.is_some() {
            return;
        }
        match (step.effects.first(), step.wake) {
            (Some(Effect::Task(task)), _) => {
                let Some(answer) = answers.pop_front() else {
                    return;
                };
                now = now.max(answer.at);
                let id = task.id;
                input = Some(match answer.result {
                    Ok(output) => Input::TaskSucceeded { id, output },
                    Err(error_output) => Input::TaskFailed { id, error_output },
                });
            }
            (Some(_), _) => return,
            (None, Some(wake)) => {
                now = now.max(wake);
                input = (!step.yielded).then_some(Input::TimePassed);
            }
            (None, None) if step.yielded => {}
            (None, None) => return,
        }
    }
}

/// Returns true if all outputs of a Map Run are known: a history does not contain the number of its children.
fn is_whole_map_run(step: &Step) -> bool {
    let is_error = |found: &TimedFinding| matches!(found.finding, Finding::Error { .. });
    let succeeded = |strand: &crate::Strand| strand.status.as_deref() == Some("SUCCEEDED");
    !step.strands.is_empty()
        && step.strands.iter().all(succeeded)
        && !step.findings.iter().any(is_error)
}

/// Returns true for a Map without items, which has no iterations.
fn is_empty_map(step: &Step) -> bool {
    step.findings
        .iter()
        .any(|found| matches!(found.finding, Finding::Iterations { count: 0 }))
}

/// Uses the replayed findings instead of the recorded ones if both have the same outcome. If the state reads data outside
/// the history, a different outcome is not reported.
fn adopt(step: &mut Step, made: Step, is_known: bool) {
    let was_left = step.output.is_some();
    let differs = step.output != made.output || (was_left && step.next != made.next);
    if differs && !is_known {
        return;
    }
    match (&step.output, &made.output) {
        (Some(recorded), Some(output)) if recorded != output => remark(
            step,
            format!("by this definition the output would be {output}"),
        ),
        (Some(_), None) => {
            let why = match made.failure() {
                Some(Finding::Error { error, cause, .. }) => {
                    let told = [error.as_deref(), cause.as_deref()];
                    told.into_iter().flatten().collect::<Vec<_>>().join(": ")
                }
                _ => "it waits for a different event".to_owned(),
            };
            return remark(
                step,
                format!("by this definition the state would not end: {why}"),
            );
        }
        (None, Some(output)) if step.failure().is_some() => {
            return remark(
                step,
                format!("by this definition the output would be {output}"),
            );
        }
        (None, Some(_)) => return,
        _ => {}
    }
    if was_left && made.next != step.next {
        let next = made.next.as_deref().unwrap_or("nothing");
        remark(step, format!("by this definition {next} would follow"));
    }
    let remarks: Vec<_> = step
        .findings
        .drain(..)
        .filter(|found| matches!(found.finding, Finding::Remark { .. }))
        .collect();
    step.findings = made.findings;
    step.findings.extend(remarks);
}

fn remark(step: &mut Step, text: String) {
    let at = step.left.unwrap_or(step.entered);
    let finding = Finding::Remark { text };
    step.findings.push(TimedFinding { at, finding });
}
