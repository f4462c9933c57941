//! A task's timeout, or a wait, that is longer than the execution lasts (2024 specification, TimeoutSeconds; the service's quotas
//! of Express executions).
use super::transitions::{leaving, start};
use crate::lint::{Lint, LintFinding};
use crate::subject::Subject;
use asl_model::{
    DiagnosticRule, ExecutionType, Severity, StateKind, StateMachineType, WaitDuration, Whole,
};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

pub(crate) const LINT: Lint = Lint {
    rule: DiagnosticRule::lint("timeout-beyond-machine"),
    severity: Severity::Warning,
    look,
};

/// Maximum duration of an Express execution in seconds.
const EXPRESS_SECONDS: u64 = 300;

/// Maximum duration of executions, with the reason.
#[derive(Clone, Copy)]
struct End {
    seconds: u64,
    why: &'static str,
}

fn look(subject: &Subject<'_>, found: &mut LintFinding) {
    let mut ends: Vec<Option<End>> = Vec::with_capacity(subject.scopes.len());
    let mut waited: Vec<u64> = vec![u64::MAX; subject.states.len()];
    for (number, scope) in subject.scopes.iter().enumerate() {
        let within = scope.within.and_then(|state| subject.states.get(state));
        let around = within.and_then(|state| ends.get(state.scope).copied().flatten());
        let end = end_of(subject, number, around);
        ends.push(end);
        let before = match scope.within {
            Some(state) if !subject.is_child_execution(number) => waited.get(state).copied(),
            _ => Some(0),
        };
        let Some(end) = end else { continue };
        follow_waits(subject, number, before.unwrap_or(u64::MAX), &mut waited);
        for state in scope.numbers.clone() {
            look_at_state(subject, state, end, &waited, found);
        }
    }
}

fn end_of(subject: &Subject<'_>, scope: usize, around: Option<End>) -> Option<End> {
    let machine = subject.machine.timeout_seconds.map(|seconds| End {
        seconds,
        why: "the TimeoutSeconds of the machine",
    });
    let is_express = match scope {
        0 => subject.options.state_machine_type == StateMachineType::Express,
        _ => is_express_child(subject, scope),
    };
    let express = End {
        seconds: EXPRESS_SECONDS,
        why: "the limit of an Express execution",
    };
    let is_limited = is_express && subject.options.profile.ends_long_executions();
    let ends = [around.or(machine), is_limited.then_some(express)];
    ends.into_iter().flatten().min_by_key(|end| end.seconds)
}

fn is_express_child(subject: &Subject<'_>, scope: usize) -> bool {
    let within = subject.scopes.get(scope).and_then(|scope| scope.within);
    let state = within.and_then(|number| subject.states.get(number));
    subject.is_child_execution(scope)
        && state.is_some_and(|placed| match &placed.state.kind {
            StateKind::Map(map) => {
                let config = map.item_processor.processor_config.as_ref();
                config.and_then(|config| config.execution_type) == Some(ExecutionType::Express)
            }
            _ => false,
        })
}

/// The least that Wait States have waited when a state is entered, on the shortest way to it.
fn follow_waits(subject: &Subject<'_>, scope: usize, before: u64, waited: &mut [u64]) {
    let mut open = BinaryHeap::new();
    open.extend(start(subject, scope).map(|state| Reverse((before, state))));
    while let Some(Reverse((seconds, state))) = open.pop() {
        let Some(entered) = waited.get_mut(state).filter(|entered| seconds < **entered) else {
            continue;
        };
        *entered = seconds;
        let left = seconds.saturating_add(literal_wait(subject, state).unwrap_or(0));
        let next = leaving(subject, state).map(|(_, next)| next);
        let next = next.filter(|next| waited.get(*next).is_some_and(|known| left < *known));
        open.extend(next.map(|next| Reverse((left, next))));
    }
}

fn literal_wait(subject: &Subject<'_>, state: usize) -> Option<u64> {
    match &subject.states.get(state)?.state.kind {
        StateKind::Wait(wait) => match wait.duration {
            WaitDuration::Seconds(seconds) => Some(seconds),
            _ => None,
        },
        _ => None,
    }
}

fn look_at_state(
    subject: &Subject<'_>,
    state: usize,
    end: End,
    waited: &[u64],
    found: &mut LintFinding,
) {
    let mut report = |field: &str, message: String, hint: &str| {
        let location = subject.location(state).field(field);
        found.report(&LINT, location, message, hint);
    };
    let End { seconds: most, why } = end;
    if let Some(seconds) = literal_wait(subject, state) {
        let before = waited.get(state).copied().unwrap_or_default();
        let hint = "shorten the wait, or increase the timeout of the execution";
        if seconds > most {
            let message = format!(
                "the wait of {seconds} seconds never ends: the execution ends after {most} seconds, {why}"
            );
            report("Seconds", message, hint);
        } else if before <= most && before.saturating_add(seconds) > most {
            let message = format!(
                "earlier states wait {before} seconds and this one {seconds}: the execution ends after {most} seconds, {why}"
            );
            report("Seconds", message, hint);
        }
    }
    let Some(StateKind::Task(task)) = subject.states.get(state).map(|it| &it.state.kind) else {
        return;
    };
    for (field, seconds) in [
        ("TimeoutSeconds", &task.timeout),
        ("HeartbeatSeconds", &task.heartbeat),
    ] {
        if let Some(Whole::Number(seconds)) = seconds
            && *seconds > most
        {
            let message = format!(
                "a timeout of {seconds} seconds never expires: the execution ends after {most} seconds, {why}"
            );
            report(
                field,
                message,
                "make it shorter than the timeout of the execution, so that the state can retry or catch it",
            );
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{found, found_by, jsonata, machine, task};
    use asl_model::{Options, Profile, StateMachineType};
    use serde_json::{Value, json};

    fn within(seconds: u64, mut definition: Value) -> Value {
        definition["TimeoutSeconds"] = seconds.into();
        definition
    }

    #[test]
    fn a_task_that_may_take_longer_than_the_machine() {
        let definition = |seconds: u64| within(60, task(json!({"TimeoutSeconds": seconds})));
        assert_eq!(
            found(&definition(61)),
            [
                "timeout-beyond-machine: a timeout of 61 seconds never expires: the execution ends after 60 seconds, the TimeoutSeconds of the machine \
                 at /States/A/TimeoutSeconds"
            ]
        );
        assert_eq!(found(&definition(60)), [""; 0]);
        let heartbeat = within(60, task(json!({"HeartbeatSeconds": 90})));
        assert_eq!(found(&heartbeat).len(), 1);
        let by_path = within(60, task(json!({"TimeoutSecondsPath": "$.seconds"})));
        assert_eq!(found(&by_path), [""; 0]);
    }

    #[test]
    fn a_wait_that_is_cut_off() {
        let state = json!({"A": {"Type": "Wait", "Seconds": 90, "Next": "B"}});
        let text = "timeout-beyond-machine: the wait of 90 seconds never ends: the execution ends after 60 seconds, the TimeoutSeconds of the machine at /States/A/Seconds";
        assert_eq!(found(&within(60, machine(state.clone()))), [text]);
        assert_eq!(found(&within(60, jsonata(state.clone()))), [text]);
        assert_eq!(found(&machine(state)), [""; 0]);
    }

    #[test]
    fn waits_add_up_on_the_shortest_way() {
        let definition = |rule: Value| {
            within(
                60,
                machine(json!({
                    "A": {"Type": "Choice", "Choices": [rule], "Default": "Long"},
                    "Long": {"Type": "Wait", "Seconds": 40, "Next": "Rest"},
                    "Rest": {"Type": "Wait", "Seconds": 40, "Next": "B"},
                })),
            )
        };
        let to_long = json!({"Variable": "$.a", "IsNull": true, "Next": "Long"});
        assert_eq!(
            found(&definition(to_long)),
            [
                "timeout-beyond-machine: earlier states wait 40 seconds and this one 40: the execution ends after 60 seconds, \
                 the TimeoutSeconds of the machine at /States/Rest/Seconds"
            ]
        );
        let to_rest = json!({"Variable": "$.a", "IsNull": true, "Next": "Rest"});
        assert_eq!(found(&definition(to_rest)), [""; 0]);
    }

    #[test]
    fn express_executions_last_five_minutes() {
        let definition = task(json!({"TimeoutSeconds": 301}));
        let express = Options::default().with_state_machine_type(StateMachineType::Express);
        assert_eq!(
            found_by(&definition, express),
            [
                "timeout-beyond-machine: a timeout of 301 seconds never expires: the execution ends after 300 seconds, the limit of an Express execution \
                 at /States/A/TimeoutSeconds"
            ]
        );
        assert_eq!(found(&definition), [""; 0]);
        let by_specification = express.with_profile(Profile::Spec);
        assert_eq!(found_by(&definition, by_specification), [""; 0]);
    }

    #[test]
    fn children_of_a_distributed_map_are_executions() {
        let definition = |execution_type: &str| {
            machine(json!({"A": {
                "Type": "Map", "End": true,
                "ItemProcessor": {
                    "ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": execution_type},
                    "StartAt": "I", "States": {"I": {"Type": "Wait", "Seconds": 900, "End": true}},
                },
            }}))
        };
        assert_eq!(
            found(&definition("EXPRESS")),
            [
                "timeout-beyond-machine: the wait of 900 seconds never ends: the execution ends after 300 seconds, the limit of an Express execution \
                 at /States/A/ItemProcessor/States/I/Seconds"
            ]
        );
        assert_eq!(found(&definition("STANDARD")), [""; 0]);
    }

    #[test]
    fn what_is_waited_around_a_branch_counts_within() {
        let branch =
            json!({"StartAt": "I", "States": {"I": {"Type": "Wait", "Seconds": 40, "End": true}}});
        let definition = within(
            60,
            machine(json!({
                "A": {"Type": "Wait", "Seconds": 40, "Next": "P"},
                "P": {"Type": "Parallel", "Branches": [branch], "End": true},
            })),
        );
        assert_eq!(found(&definition).len(), 1);
    }
}
